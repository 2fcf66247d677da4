"""Which pages may open a socket: the site's own, exactly (threat 6)."""

from __future__ import annotations

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from belote_site.origins import ExactOrigin

HOST = "127.0.0.1:8000"


async def accepting(scope: object, receive: object, send: object) -> None:
    await send({"type": "websocket.accept"})  # type: ignore[operator]


async def opens(*headers: tuple[bytes, bytes]) -> bool:
    socket = WebsocketCommunicator(ExactOrigin(accepting), "/ws/", headers=list(headers))
    connected, _ = await socket.connect()
    return connected


async def test_the_site_itself_opens_a_socket_in_local_play() -> None:
    assert await opens((b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode()))
    assert await opens((b"host", b"localhost:8000"), (b"origin", b"http://localhost:8000"))


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        f"http://evil.{HOST}",
        f"https://{HOST}",
        f"ftp://{HOST}",
        "http://127.0.0.1:8001",
        "http://127.0.0.1",
        "http://127.0.0.1:99999999",
        f"http://{HOST}/",
        f"http://{HOST}@evil.example",
        "\xe9",
    ],
)
async def test_any_other_page_is_refused(origin: str) -> None:
    assert not await opens((b"host", HOST.encode()), (b"origin", origin.encode("latin-1")))


async def test_a_missing_or_doubled_origin_is_refused() -> None:
    own = (b"origin", f"http://{HOST}".encode())

    assert not await opens((b"host", HOST.encode()))
    assert not await opens((b"host", HOST.encode()), own, own)


async def test_a_name_that_somebody_pointed_at_this_machine_is_not_the_site() -> None:
    assert not await opens((b"host", b"evil.example:8000"), (b"origin", b"http://evil.example:8000"))


async def test_a_deployed_site_knows_its_origins_whatever_the_host_says(settings: Settings) -> None:
    settings.SITE_ORIGINS = ["https://belote.example"]

    assert await opens((b"host", b"10.0.0.7:8000"), (b"origin", b"https://belote.example"))
    assert not await opens((b"host", b"belote.example"), (b"origin", b"http://belote.example"))
    assert not await opens((b"host", b"belote.example"), (b"origin", b"https://www.belote.example"))
