"""The server as a process: who may open a socket, what a malformed handshake gets, how it stops."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.site_process import Site

UNKNOWN_TABLE = f"/ws/match/{uuid4()}/"


@pytest.fixture(scope="module")
def site(make_site: Callable[..., Site]) -> Site:
    site = make_site()
    site.start()
    return site


def handshake(site: Site, path: str, *headers: str, host: str = "") -> int:
    """The HTTP status that answers a WebSocket handshake with these extra header lines."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{site.port}'}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *headers,
    ]
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        return int(connection.recv(4096).split(b" ", 2)[1])


def test_a_socket_for_an_unknown_path_is_refused_without_a_traceback(site: Site) -> None:
    own = f"Origin: {site.url}"

    assert handshake(site, "/ws/nothing/", own) == 403
    assert handshake(site, "/ws/match/not-a-uuid/", own) == 403
    assert handshake(site, UNKNOWN_TABLE, own) == 403
    assert "error" not in site.log.read_text()


@pytest.mark.parametrize("header", ["Sec-WebSocket-Protocol: caf\xe9", "Sec-WebSocket-Protocol: \xff\xfe, chat"])
def test_a_malformed_handshake_is_refused_without_a_traceback(site: Site, header: str) -> None:
    assert handshake(site, UNKNOWN_TABLE, f"Origin: {site.url}", header) == 400
    assert "Traceback" not in site.log.read_text()


def test_the_server_answers_pages_and_static_files(site: Site) -> None:
    assert site.get("/account/preferences/")[0] == 200
    assert site.get("/static/css/base.css")[0] == 200
    assert site.get("/no/such/page")[0] == 404


def test_a_request_for_another_host_is_refused(site: Site) -> None:
    assert site.get("/account/preferences/", Host="evil.example")[0] == 400


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_the_server_stops_promptly_and_starts_again_on_the_same_data(make_site: Callable[..., Site], how: str) -> None:
    site = make_site()
    site.start()
    began = time.monotonic()

    getattr(site, how)()

    assert time.monotonic() - began < 20
    site.start()
    assert site.get("/account/preferences/")[0] == 200
