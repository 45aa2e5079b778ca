"""An answer that anybody wrote, held against its passages: what of it is proven, sentence by sentence."""

import re
from collections.abc import Iterable, Sequence

from evidence.answer.compose import Ledger, Statement, claims
from evidence.answer.layout import claimed
from evidence.language.function_words import significant_terms
from evidence.language.markdown import plain, unescaped
from evidence.language.sentences import short_sentences
from evidence.language.terms import terms
from evidence.llm.fence import suspicious_around
from evidence.model import Citation, Claim, Quote, Segment, Span
from evidence.verify.grounding_check import unsupported_details
from evidence.verify.quotes import locate

_QUOTED = re.compile(r"[\"“「『«]([^\"“”「」『』«»]{8,2000})[\"”」』»]")
_EMPHASIS = re.compile(r"\*++|(?<!\w)_++|_++(?!\w)")  # what is inside of a word belongs to it
_ANSWERED_BY = 0.6  # share of a sentence's terms that one stored sentence must hold to be what it leans on
_LONGEST = 100_000  # characters of an answer that are looked at
_MOST = 100  # sentences of an answer that are looked at

type _Stored = tuple[Segment, Span, frozenset[str]]  # a stored sentence with its terms


def verify_answer(text: str, segments: Sequence[Segment]) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Each claim of an answer with the quotes that prove it, and the citations behind the markers.

    A claim is a sentence that is not a part of the form: no heading, attribution, lead-in or list of sources.
    Words in quotation marks must stand in a segment. A sentence is itself a quote when it stands there; else
    it leans on the stored sentences that hold most of its words, and its details are looked for in them. Sentences
    after the first hundred are counted as one that nothing proves.
    """
    ledger = Ledger()
    sentences = list(claimed(text[:_LONGEST], segments))
    stored = _stored_sentences(segments) if sentences else ()
    statements = [_statement(sentence, segments, stored) for sentence in sentences[:_MOST]]
    if len(sentences) > _MOST:
        statements.append(Statement(f"[{len(sentences) - _MOST} more sentences were not looked at]", ()))
    for statement in statements:
        ledger.mark(statement.quotes)
    return claims(statements, ledger), ledger.citations


def _stored_sentences(segments: Sequence[Segment]) -> tuple[_Stored, ...]:
    return tuple(
        (segment, span, frozenset(terms(segment.text[span.start : span.end])))
        for segment in segments
        for span in short_sentences(segment.text)
    )


def _statement(written: str, segments: Sequence[Segment], stored: Sequence[_Stored]) -> Statement:
    text = unescaped(plain(written))
    sentence = _EMPHASIS.sub("", text)
    proof = _proof(text, segments) or _proof(sentence, segments)
    if proof is not None:
        return Statement(sentence, (proof,), verbatim=True)
    proofs = [(text, _proof(text, segments)) for text in _QUOTED.findall(sentence)]
    quotes = tuple(dict.fromkeys(quote for _, quote in proofs if quote is not None))
    invented = tuple(text for text, quote in proofs if quote is None)
    leaning = quotes or _closest_sentence(sentence, stored)
    details = unsupported_details(sentence, [quote.text for quote in leaning]) if leaning else ()
    return Statement(sentence, leaning, tuple(dict.fromkeys((*invented, *details))))


def _proof(words: str, segments: Sequence[Segment]) -> Quote | None:
    """The quote that holds the words, unless it is taken from an order to a model."""
    located = locate(words, segments)
    if located is None or suspicious_around(located.quote.segment.text, located.quote.span):
        return None
    return located.quote


def _closest_sentence(sentence: str, stored: Iterable[_Stored]) -> tuple[Quote, ...]:
    """The one stored sentence that holds most of a sentence's words, when it holds enough of them.

    None when it is an order to a model.
    """
    sentence_terms = significant_terms(sentence)
    best: tuple[float, Quote] | None = None
    for segment, span, stored_terms in stored:
        share = len(sentence_terms & stored_terms) / len(sentence_terms) if sentence_terms else 0.0
        if share >= _ANSWERED_BY and (best is None or share > best[0]):
            best = (share, Quote(segment, span))
    return (best[1],) if best and not suspicious_around(best[1].segment.text, best[1].span) else ()
