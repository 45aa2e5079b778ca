"""An answer that anybody wrote, held against its passages: what of it is proven, sentence by sentence."""

import re
from collections.abc import Iterable, Sequence

from evidence.answers.composing import Ledger, Statement, claims, plain
from evidence.answers.weighing import spans
from evidence.model import Citation, Claim, Quote, Segment, Span
from evidence.text.analysis import terms
from evidence.text.details import unsupported_details
from evidence.text.quotes import locate
from evidence.text.stopwords import STOP

_QUOTED = re.compile(r"[\"“「『«]([^\"”」』»]{8,2000})[\"”」』»]")
_MARKER = re.compile(r"\s*\[\d+\]|[>#*_|]+")
_ANSWERED_BY = 0.6  # share of a sentence's terms that one stored sentence must hold to be what it leans on
_LONGEST = 100_000  # characters of an answer that are looked at


def verify_answer(text: str, segments: Sequence[Segment]) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Each sentence of an answer with the quotes that prove it, and the citations behind the markers.

    Words in quotation marks must stand in a segment. A sentence is itself a quote when it stands there; else
    it leans on the stored sentences that hold most of its words, and its details are looked for in them.
    """
    ledger = Ledger()
    statements = [_stated(each, segments) for each in _sentences(text[:_LONGEST])]
    for statement in statements:
        ledger.mark(statement.quotes)
    return claims(statements, ledger), ledger.citations


def _sentences(text: str) -> Iterable[str]:
    bare = _MARKER.sub("", text)
    for span in spans(bare):
        sentence = plain(bare[span.start : span.end])
        if len(frozenset(terms(sentence)) - STOP) > 1:
            yield sentence


def _stated(sentence: str, segments: Sequence[Segment]) -> Statement:
    whole = locate(sentence, segments)
    if whole is not None:
        return Statement(sentence, (whole.quote,), verbatim=True)
    words = _QUOTED.findall(sentence)
    found = [(said, locate(said, segments)) for said in words]
    quotes = tuple(dict.fromkeys(located.quote for _, located in found if located is not None))
    invented = tuple(said for said, located in found if located is None)
    leaning = quotes or _leaning(sentence, segments)
    details = unsupported_details(sentence, [quote.text for quote in leaning]) if leaning else ()
    return Statement(sentence, leaning, tuple(dict.fromkeys((*invented, *details))))


def _leaning(sentence: str, segments: Sequence[Segment]) -> tuple[Quote, ...]:
    """The one stored sentence that holds most of a sentence's words, when it holds enough of them."""
    wanted = frozenset(terms(sentence)) - STOP
    best: tuple[float, Quote] | None = None
    for segment in segments:
        for span in spans(segment.text):
            share = _share(wanted, segment, span)
            if share >= _ANSWERED_BY and (best is None or share > best[0]):
                best = (share, Quote(segment, span))
    return (best[1],) if best else ()


def _share(wanted: frozenset[str], segment: Segment, span: Span) -> float:
    held = frozenset(terms(segment.text[span.start : span.end]))
    return len(wanted & held) / len(wanted) if wanted else 0.0
