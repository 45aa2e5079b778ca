"""An answer that anybody wrote, held against its passages: what of it is proven, sentence by sentence."""

import re
from collections.abc import Sequence

from evidence.answer.compose import Ledger, Statement, claims
from evidence.answer.layout import claimed
from evidence.answer.linking import Passages, linked, passages_of, telling_figures
from evidence.answer.model_reply import around, with_source
from evidence.language.detect import language_of_sentence
from evidence.language.markdown import plain, unescaped
from evidence.llm.fence import suspicious_around
from evidence.model import Citation, Claim, Quote, Segment
from evidence.verify.grounding_check import unsupported_details
from evidence.verify.quotes import locate

_QUOTED = re.compile(r"[\"“「『«]([^\"“”「」『』«»]{8,2000})[\"”」』»]")
_EMPHASIS = re.compile(r"\*++|(?<!\w)_++|_++(?!\w)")  # what is inside of a word belongs to it
_LONGEST = 100_000  # characters of an answer that are looked at
_MOST = 100  # sentences of an answer that are looked at


def verify_answer(
    text: str, segments: Sequence[Segment], question: str = ""
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Each claim of an answer with the quotes that prove it, and the citations behind the markers.

    A claim is a sentence that is not a part of the form: no heading, attribution, lead-in or list of sources.
    Words in quotation marks must stand in a segment. A sentence is itself a quote when it stands there; else
    it leans on the stored sentences that bear on it, and its details are looked for in them. Sentences after the first
    hundred are counted as one that nothing proves.
    """
    ledger = Ledger()
    sentences = list(claimed(text[:_LONGEST], segments))
    passages = passages_of(segments if sentences else ())
    statements = [_statement(sentence, segments, passages, question) for sentence in sentences[:_MOST]]
    if len(sentences) > _MOST:
        statements.append(Statement(f"[{len(sentences) - _MOST} more sentences were not looked at]", ()))
    for statement in statements:
        ledger.mark(statement.quotes)
    return claims(statements, ledger), ledger.citations


def _statement(written: str, segments: Sequence[Segment], passages: Passages, question: str) -> Statement:
    text = unescaped(plain(written))
    sentence = _EMPHASIS.sub("", text)
    proof = _proof(text, segments) or _proof(sentence, segments)
    if proof is not None:
        return Statement(sentence, (proof,), verbatim=True)
    proofs = [(text, _proof(text, segments)) for text in _QUOTED.findall(sentence)]
    quotes = [quote for _, quote in proofs if quote is not None]
    invented = tuple(text for text, quote in proofs if quote is None)
    leaning = tuple(dict.fromkeys((*quotes, *linked(sentence, question, passages))))
    if not leaning and not invented and _is_foreign(sentence, passages):
        details = telling_figures(sentence)
        return Statement(sentence, missing=details, unknown=not details)
    beside = [around(quote) for quote in leaning]
    sources = [with_source(quote) for quote in leaning]
    details = unsupported_details(sentence, sources, question, beside) if leaning else ()
    return Statement(sentence, leaning, tuple(dict.fromkeys((*invented, *details))))


def _is_foreign(sentence: str, passages: Passages) -> bool:
    """Whether there are passages in another language, of which no word can be compared."""
    own = language_of_sentence(sentence)
    return any(language != own for language in passages.languages)


def _proof(words: str, segments: Sequence[Segment]) -> Quote | None:
    """The quote that holds the words, unless it is taken from an order to a model."""
    located = locate(words, segments)
    if located is None or suspicious_around(located.quote.segment.text, located.quote.span):
        return None
    return located.quote
