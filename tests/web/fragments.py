"""HTML taken apart: the regions of a page or of a message by their id, what a reader sees, which cards it names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

VOID = {"br", "hr", "img", "input", "link", "meta"}

_CODE = re.compile(r"(?<![A-Za-z0-9])[789TJQKA][SHDC](?![A-Za-z0-9])")
_FACE = re.compile(r"card-(spade|heart|diamond|club)s[^\"]* rank-(7|8|9|10|J|Q|K|A)\b")
_NAME = re.compile(r"\b(seven|eight|nine|ten|jack|queen|king|ace) of (spade|heart|diamond|club)s\b", re.IGNORECASE)
_RANKS = {"10": "T", "seven": "7", "eight": "8", "nine": "9", "ten": "T"}
_RANDOM = re.compile(r'\snonce="[^"]*"|<input type="hidden"[^>]*>')


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str]


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines = html.splitlines(keepends=True)
        self.depth = 0
        self.tops: list[tuple[str, int]] = []
        self.elements: list[Element] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.depth == 0, "every element is closed"

    def _note(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attributes}))
        if self.depth == 0:
            line, column = self.getpos()
            start = sum(map(len, self.lines[: line - 1])) + column
            self.tops.append((self.elements[-1].attributes.get("id", ""), start))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        self.depth += tag not in VOID

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def regions(html: str) -> dict[str, str]:
    """Return the outermost elements of a message by their id, in order."""
    tops = _Reader(html).tops
    ends = [start for _, start in tops[1:]] + [len(html)]
    return {name: html[start:end].strip() for (name, start), end in zip(tops, ends, strict=True)}


def elements(html: str) -> list[Element]:
    """Return every element in the order of its start tag."""
    return _Reader(html).elements


def text(html: str) -> str:
    """Return the text between the tags, single-spaced."""
    return " ".join("".join(_Reader(html).words).split())


def cards_named_in(html: str) -> set[str]:
    """Return the cards that a page or a frame names in any way: code, face or English name."""
    html = _RANDOM.sub("", html)
    codes = set(_CODE.findall(html))
    faces = {_RANKS.get(rank, rank) + suit[0].upper() for suit, rank in _FACE.findall(html)}
    names = {_RANKS.get(rank.lower(), rank[0].upper()) + suit[0].upper() for rank, suit in _NAME.findall(html)}
    return codes | faces | names
