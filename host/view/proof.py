"""The proof page: the words of a quote where they stand in their document, as one page without a script."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evidence.corpus.recheck import Rechecked
from evidence.language.detect import language_of
from evidence.language.markdown import decoded
from evidence.language.printable import printable
from evidence.language.tables import LANGUAGES
from evidence.model import Segment, Span
from host.proof.links import Link

_HERE = Path(__file__).parent
STYLE = (_HERE / "proof.css").read_text(encoding="utf-8").strip()
_HASH = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
HEADERS: Mapping[str, str] = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
}
# Bytes of a text on the page, escaped: all of them together stay below 60 kB.
_QUOTED, _IN_SEGMENT, _BESIDE = 20_000, 8_000, 4_000
_ESCAPED = {"<": 4, ">": 4, "&": 5, '"': 5, "'": 5}
_MORE = "[…]"
_FENCE = "```"
_MOST_FENCES = 20  # of a part; each makes elements

_PAGES = Environment(
    loader=FileSystemLoader(_HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that is shown in one way: as a part of the quote or not, as code or not."""

    text: str
    quoted: bool = False
    code: bool = False


def proof_page(rechecked: Rechecked, link: Link, now: float) -> str:
    """The page of a quote; of one that is gone it says no more than that. `now` is in Unix seconds."""
    segment = rechecked.segment
    if segment is None:
        return notice_page(rechecked.state, link.language)
    words, pieces = _words(link.language), list(_pieces(segment.text, rechecked.span))
    whole = rechecked.span == Span(0, len(segment.text))
    facts = {
        words["proof_dataset"]: segment.document.dataset_name or segment.document.dataset_id,
        words["proof_position"]: str(segment.position),
        words["proof_heading"]: rechecked.heading,
        words["proof_version"]: hashlib.sha256(segment.text.encode("utf-8", "surrogatepass")).hexdigest()[
            :12
        ],
        words["proof_read"]: _time(link.read_at),
        words["proof_checked"]: _time(now),
    }
    return _PAGES.get_template("proof.html").render(
        _frame(rechecked.state, link.language),
        name=_clean(decoded(segment.document.name)) or segment.document.document_id,
        facts={label: _clean(value) for label, value in facts.items() if value},
        before=_beside(rechecked.before, last=True),
        after=_beside(rechecked.after, last=False),
        question=_head(segment.question, _BESIDE),
        pieces=pieces,
        first=next((at for at, piece in enumerate(pieces, 1) if piece.quoted), 0),
        whole=whole,
        speaks=language_of(segment.text),
        until=_time(link.expires),
    )


def notice_page(state: str, language: str = "en") -> str:
    """A page that says one thing, and nothing of any document."""
    return _PAGES.get_template("proof.html").render(_frame(state, language), name="")


def _frame(state: str, language: str) -> dict[str, Any]:
    words = _words(language)
    title, _, more = words[f"proof_{state}"].partition("\n")
    return {
        "language": language if language in LANGUAGES else "en",
        "state": state,
        "notice": (title, more),
        "words": words,
        "style": STYLE,
    }


def _words(language: str) -> Mapping[str, str]:
    return LANGUAGES.get(language, LANGUAGES["en"]).phrases


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _beside(segment: Segment | None, *, last: bool) -> str:
    """The end of the segment before, the beginning of the one after."""
    if segment is None:
        return ""
    text = "\n".join(filter(None, (segment.question, segment.text)))
    return _tail(text, _BESIDE) if last else _head(text, _BESIDE)


def _pieces(text: str, span: Span | None) -> Iterator[Piece]:
    """The text in pieces, long parts of it cut, the words of the span marked."""
    start, end = (span.start, span.end) if span else (0, 0)
    if span is None:
        parts = [(_head(text, _QUOTED), False)]
    else:
        parts = [
            (_tail(text[:start], _IN_SEGMENT), False),
            (_head(text[start:end], _QUOTED), True),
            (_head(text[end:], _IN_SEGMENT), False),
        ]
    code = False
    for part, quoted in parts:
        for at, piece in enumerate(part.split(_FENCE, _MOST_FENCES)):
            code = code ^ (at > 0)
            if piece or at:
                yield Piece(piece, quoted, code)


def _head(text: str, most: int) -> str:
    """The beginning of a text that has at most so many bytes when it is escaped."""
    clean, spent = _clean(text), 0
    for at, letter in enumerate(clean):
        spent += _ESCAPED.get(letter) or len(letter.encode())
        if spent > most:
            return f"{clean[:at]} {_MORE}"
    return clean


def _tail(text: str, most: int) -> str:
    turned = _head(_clean(text)[::-1], most)
    cut = turned.removesuffix(f" {_MORE}")
    return cut[::-1] if cut == turned else f"{_MORE} {cut[::-1]}"


def _clean(text: str) -> str:
    return printable(text.encode("utf-8", "replace").decode())
