"""Signed links to quotes: where the words stand and until when the link lives, and nothing of what they say. Pure.

A link is the base64url form of a body and its code. The body holds the ids of dataset, document and segment (16 bytes
each), the language (2), the minute of reading (4), four numbers (LEB128: days of life, position, start, length) and a
code of the quoted words (6); the code at the end is HMAC-SHA-256 over the body, cut to 12 bytes (RFC 2104).
"""

import base64
import binascii
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from evidence.knowledge.allow_list import is_id
from evidence.knowledge.port import AGENT
from evidence.model import Segment, Span

LONGEST = 160  # characters of a link without the address
SHORTEST_KEY = 16  # characters
_MAC, _WORDS = 12, 6  # bytes
_MINUTE, _DAY = 60, 86_400  # seconds
_MOST = 2**32 - 1  # of a number in a link


class NotALink(Exception):
    """Nothing that this key has signed."""


@dataclass(frozen=True, slots=True)
class Link:
    """One quote: `span` counts characters of the segment's text; `words` is the code of those that stood there.

    `read_at` is when they were read, in Unix seconds, to the minute; the link dies `days` after that.
    """

    dataset_id: str
    document_id: str
    segment_id: str
    position: int
    span: Span
    words: bytes
    read_at: int
    days: int
    language: str = "en"

    @property
    def expires(self) -> int:
        """In Unix seconds."""
        return self.read_at + self.days * _DAY

    def expired(self, now: float) -> bool:
        return now > self.expires


@dataclass(frozen=True, slots=True)
class Signer:
    """Makes links with one key, and opens those that it made; the key is in none of them."""

    key: bytes
    days: int = 30

    @classmethod
    def of(cls, key: str, days: int = 30) -> Self:
        return cls(key.encode("utf-8", "surrogatepass"), days)

    def link(self, segment: Segment, span: Span, now: float, language: str = "en") -> str:
        """The link to a quote of a stored segment; empty for one that came without ids of Dify's.

        What a caller handed in was never read, so that it gets no link: it would open whatever its ids name.
        """
        dataset_id = segment.document.dataset_id.removeprefix(AGENT)
        ids = (dataset_id, segment.document.document_id, segment.segment_id)
        if not segment.read_at or not all(map(is_id, ids)):
            return ""
        read_at = int(min(segment.read_at, now)) // _MINUTE
        numbers = (self.days, segment.position, span.start, span.end - span.start)
        body = b"".join(
            (
                *(UUID(stored).bytes for stored in ids),
                language.encode("ascii"),
                read_at.to_bytes(4),
                *map(_packed, numbers),
                self.code_of(segment.text[span.start : span.end]),
            )
        )
        return base64.urlsafe_b64encode(body + self._mac(body)).decode("ascii").rstrip("=")

    def opened(self, link: str) -> Link:
        """What a link says; raises NotALink unless this key has signed every part of it."""
        signed = _decoded(link)
        body, mac = signed[:-_MAC], signed[-_MAC:]
        if not hmac.compare_digest(mac, self._mac(body)):
            raise NotALink
        numbers = _unpacked(body[54:-_WORDS])
        days, position, start, length = (next(numbers) for _ in range(4))
        dataset_id, document_id, segment_id = (str(UUID(bytes=body[at : at + 16])) for at in (0, 16, 32))
        return Link(
            dataset_id,
            document_id,
            segment_id,
            position,
            Span(start, start + length),
            body[-_WORDS:],
            int.from_bytes(body[50:54]) * _MINUTE,
            days,
            body[48:50].decode("ascii"),
        )

    def code_of(self, words: str) -> bytes:
        """Tells words from others; without the key it tells nothing about them."""
        return hmac.digest(self.key, b"words" + words.encode("utf-8", "surrogatepass"), "sha256")[:_WORDS]

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self.key, b"link" + body, "sha256")[:_MAC]


def _decoded(link: str) -> bytes:
    """The bytes of a link that is written in the one way that there is; raises NotALink."""
    if not link.isascii() or len(link) > LONGEST:
        raise NotALink
    try:
        signed = base64.b64decode(link + "=" * (-len(link) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise NotALink from None
    if base64.urlsafe_b64encode(signed).decode("ascii").rstrip("=") != link:
        raise NotALink
    return signed


def _packed(number: int) -> bytes:
    """A whole number in groups of seven bits, the lowest first; all but the last have their highest bit set."""
    rest, groups = max(0, min(number, _MOST)), bytearray()
    while rest > 127:
        groups.append(rest & 127 | 128)
        rest >>= 7
    return bytes((*groups, rest))


def _unpacked(packed: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            yield number
            number = shift = 0
