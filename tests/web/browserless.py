"""A person without a browser: the pages over HTTP, the table over a real socket, in the frames that a page sends."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from tests.site_process import Site

CEILING_SECONDS = 30


class Person:
    """Cookies of one visitor, and what the table last showed."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies: dict[str, str] = {}
        self.match_id = ""
        self.room = ""
        self.takes = False
        self.contributes = True
        self.contributed_to = ""
        self.bits = secrets.token_hex(16)
        self.regions: dict[str, str] = {}
        self.socket: ClientConnection | None = None
        self.heard: list[str] = []

    async def request(self, path: str, form: dict[str, str] | None = None, **more_headers: str) -> tuple[int, str, str]:
        """GET a page, or POST a form with its token; return status, body and the address redirected to."""
        body = None
        headers = {
            "Host": f"127.0.0.1:{self.site.port}",
            "Cookie": self._cookie_header(),
            "Connection": "close",
            **more_headers,
        }
        if form is not None:
            body = urlencode({"csrfmiddlewaretoken": self.cookies.get("csrftoken", ""), **form}).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Content-Length"] = str(len(body))
            headers["Origin"] = self.site.url
        lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        reader, writer = await asyncio.open_connection("127.0.0.1", self.site.port)
        writer.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))
        head, _, content = (await asyncio.wait_for(reader.read(), CEILING_SECONDS)).partition(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        location = ""
        for line in head.decode("latin-1").split("\r\n")[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                for key, morsel in SimpleCookie(value).items():
                    self.cookies[key] = morsel.value
            if name.lower() == "location":
                location = value
        return int(head.split()[1]), content.decode("utf-8", "replace"), location

    async def play_now(self, **form: str) -> str:
        """Press the button on the front page; return the match's id."""
        status, _, _ = await self.request("/")
        assert status == 200
        status, body, location = await self.request("/play/", {"level": "easy", "target": "501", **form})
        assert status == 302, body
        self.match_id = location.removeprefix("/table/").rstrip("/")
        return self.match_id

    async def new_room(self, **form: str) -> str:
        """Make a room by link and sit down in it as its host; return the path of the invite link."""
        await self.request("/")
        options = {"target": "501", "clock": "30", "visibility": "link", "has_spectators": "on"}
        rules = {"undertrump": "must", "belote": "auto", "litige": "held"}
        status, body, self.room = await self.request("/rooms/new/", {**options, **rules, **form})
        assert status == 302, body
        _, body, _ = await self.request(self.room)
        found = re.search(r"/join/[\w-]+/", body)
        assert found is not None
        return found[0]

    async def join(self, invite: str) -> str:
        """Open an invite link and come in, as a guest if need be; return the path that one lands on."""
        await self.request("/")
        status, body, location = await self.request(invite, {})
        assert status == 302, body
        if location.startswith("/room/"):
            self.room = location
        return location

    async def start(self) -> str:
        """Start the match of the room that one hosts; return its id."""
        status, body, location = await self.request(f"{self.room}start/", {})
        assert status == 302, body
        self.match_id = location.removeprefix("/table/").rstrip("/")
        return self.match_id

    async def sit_down(self, tab: str = "") -> None:
        """Open the table's socket and wait for the first beat after a full render; ``tab``: which one comes back."""
        again = f"?tab={tab}" if tab else ""
        self.socket = await connect(
            f"ws://127.0.0.1:{self.site.port}/ws/match/{self.match_id}/{again}",
            additional_headers={"Cookie": self._cookie_header()},
            origin=self.site.url,  # type: ignore[arg-type]
            max_size=None,
        )
        self.regions.pop("heartbeat", None)
        self.contributed_to = ""
        await self.hear_until(lambda: "heartbeat" in self.regions)

    async def handshake(self, match_id: str) -> int:
        """Ask for a table's socket and return the status of the answer, 101 when it opens."""
        status, _, _ = await self.request(
            f"/ws/match/{match_id}/",
            Connection="Upgrade",
            Upgrade="websocket",
            Origin=self.site.url,
            **{"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13"},
        )
        return status

    async def get_up(self) -> None:
        """Close the socket, if it is open."""
        if self.socket is not None:
            await self.socket.close()
        self.socket = None
        self.regions.clear()

    async def hear(self) -> str:
        """Take one message in, as htmx would."""
        assert self.socket is not None
        message = await asyncio.wait_for(self.socket.recv(), CEILING_SECONDS)
        assert isinstance(message, str)
        self.heard.append(message)
        starts = [found.start() for found in re.finditer(r"<\w+[^>]* hx-swap-oob=", message)]
        for start, end in zip(starts, [*starts[1:], len(message)], strict=True):
            html = message[start:end]
            name = re.search(r' id="([^"]+)"', html)
            assert name is not None
            self.regions[name[1]] = html
        await self._contribute()
        return message

    async def _contribute(self) -> None:
        """Send a random number when the table asks for one, once a deal and connection, as fair_deal.js does."""
        asked = re.search(r'data-deal="(\d+)"[^>]*data-asked="yes"', self.regions.get("fair-deal", ""))
        if self.contributes and asked and self.contributed_to != asked[1]:
            self.contributed_to = asked[1]
            assert self.socket is not None
            await self.socket.send(json.dumps({"type": "contribute", "deal": int(asked[1]), "bits": self.bits}))

    async def hear_until(self, seen: Any) -> None:
        """Take messages in until `seen()`."""
        async with asyncio.timeout(CEILING_SECONDS):
            while not seen():
                await self.hear()

    @property
    def version(self) -> int:
        found = re.search(r'data-version="(\d+)"', self.regions.get("table-version", ""))
        return int(found[1]) if found else 0

    @property
    def tab(self) -> str:
        """Which of the tabs of its seat this page is."""
        found = re.search(r'data-tab="(\d+)"', self.regions.get("heartbeat", ""))
        return found[1] if found else ""

    @property
    def deal(self) -> int:
        found = re.search(r'data-deal="(\d+)"', self.regions.get("table-version", ""))
        return int(found[1]) if found else 0

    @property
    def my_turn(self) -> bool:
        return 'data-my-turn="yes"' in self.regions.get("table-version", "")

    @property
    def legal(self) -> list[str]:
        """The cards that stand up."""
        buttons = re.findall(r"<button id=\"hand-(\w\w)\"[^>]*>", self.regions["hand"])
        illegal = re.findall(r"<button id=\"hand-(\w\w)\"[^>]*aria-disabled", self.regions["hand"])
        return [card for card in buttons if card not in illegal]

    @property
    def held(self) -> list[str]:
        return re.findall(r"<button id=\"hand-(\w\w)\"", self.regions["hand"])

    @property
    def notice(self) -> str:
        return re.sub(r"<[^>]+>", "", self.regions.get("notice", "")).strip()

    async def say(self, **frame: object) -> None:
        """Send a frame with the version shown and a new action id, unless they are given."""
        assert self.socket is not None
        await self.socket.send(json.dumps({"version": self.version, "action_id": str(uuid4()), **frame}))

    async def act(self) -> None:
        """Do the first thing that the page offers, and wait until the table has moved on."""
        before = self.version
        actions = self.regions["actions"]
        if 'data-command="next"' in actions:
            await self.say(type="next", deal=self.deal)
        elif self.takes and (suit := re.search(r'data-command="take" data-suit="(\w)"', actions)):
            await self.say(type="take", suit=suit[1])
        elif 'data-command="pass"' in actions:
            await self.say(type="pass")
        else:
            await self.say(type="play", card=self.legal[0])
        await self.hear_until(lambda: self.version > before)

    async def play_until(self, seen: Any) -> None:
        """Act and listen until `seen()`."""
        async with asyncio.timeout(CEILING_SECONDS * 4):
            while not seen():
                if self.my_turn:
                    await self.act()
                else:
                    await self.hear()

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())
