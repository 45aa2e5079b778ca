"""
Whatever reads words of others takes time in proportion to them: questions, names, replies and stored texts.

Each reader is given every hostile text at two lengths, and its dearest text at two longer ones. What is remembered
of a text is forgotten before each run, so that a second look is no quicker than the first.
"""

import functools
import gc
import json
from collections.abc import Callable

import pytest
from pydantic import BaseModel

from evidence.answer.answer_type import quantity, unnumbered
from evidence.answer.conflicts import differ
from evidence.answer.dating import age
from evidence.answer.dimensions import dimensions
from evidence.answer.model_reply import Draft, DraftQuote, DraftSentence, placed
from evidence.answer.select_sentences import choose
from evidence.answer.verify_answer import verify_answer
from evidence.discover.scopes import named_scopes
from evidence.errors import EvidenceError
from evidence.index.names import name_terms, unpack
from evidence.index.spelling import misspelt, spellings
from evidence.index.versions import edition_of, family
from evidence.knowledge.dify.truncate_query import fit_query
from evidence.knowledge.metadata_filter import parse_filter
from evidence.language.headings import headings, is_heading
from evidence.language.markdown import plain, safe
from evidence.language.named_parties import anchors, unowned
from evidence.language.printable import printable
from evidence.language.sentences import clauses, sentences
from evidence.language.synonyms import related
from evidence.language.tokens import estimate
from evidence.llm.fence import fenced, suspicious, suspicious_around
from evidence.llm.replies import read
from evidence.model import Question, Span, Understanding
from evidence.understand.follow_up import standalone_question
from evidence.understand.question import understand
from evidence.verify.grounding_check import unsupported_details
from evidence.verify.quotes import locate
from host.fitting import fitted, short
from host.parameters import names
from host.passages import pool_from
from tests.fakes import pool, segment
from tests.growth import Made, Work, hopeless, spent, steep

STORED = segment("The tenant must pay rent within 30 days. It may not sublet.", "Lease 2024.txt")
SAID = "The tenant must not pay 30 days rent."
SHORT, LONG = 2_000, 100_000


def refusing(work: Work) -> Work:
    """The work, which may say that the text is none that it takes."""

    def tried(text: str) -> object:
        try:
            return work(text)
        except EvidenceError as error:
            return error

    return tried


def reply(text: str) -> BaseModel:
    words = json.dumps(text, ensure_ascii=False)
    quoted = f'{{"text": {words}, "quotes": [{{"passage": "p1", "words": {words}}}]}}'
    return read(f'{{"sentences": [{quoted}]}}', Draft)


def draft(text: str, words: str) -> object:
    return placed(DraftSentence(text=text, quotes=[DraftQuote(words=words)]), {"p1": STORED}, [STORED])


READERS: dict[str, Work] = {
    "a question": lambda text: understand(Question(text)),
    "a question after others": lambda text: standalone_question(
        text, "user: What is the notice period of the lease?"
    ),
    "what was asked before": lambda text: standalone_question("And the fee?", text),
    "what a comparison is about": lambda text: dimensions(Understanding(text)),
    "the collections that a question names": lambda text: named_scopes(
        text, ("Supplier contracts", "供应商", "1")
    ),
    "what a question counts": lambda text: (quantity(text), unnumbered(text)),
    "the anchors of a subject": lambda text: (anchors(text), unowned(text)),
    "what a text says in other words": related,
    "misspelt words": lambda text: misspelt(text, lambda _: False, lambda: spellings([text, STORED.text])),
    "a query to be shortened": fit_query,
    "the name of a document": lambda text: (unpack(text), name_terms(text), family(text), edition_of(text)),
    "a list of names": refusing(lambda text: names({"documents": text}, "documents")),
    "a filter": refusing(parse_filter),
    "passages handed in": refusing(lambda text: pool_from({"passages": text})),
    "a passage handed in": refusing(lambda text: pool_from({"passages": [{"text": text}]})),
    "a reply of a model": refusing(lambda text: read(text, Draft)),
    "words in a reply": refusing(reply),
    "a sentence of a model": lambda text: draft(text, "pay rent within 30 days"),
    "a quote of a model": lambda text: draft(SAID, text),
    "an answer handed in": lambda text: verify_answer(text, (STORED,)),
    "a passage that an answer is held against": lambda text: verify_answer(SAID, (segment(text),)),
    "details of a sentence": lambda text: unsupported_details(text, [STORED.text]),
    "details in a quote": lambda text: unsupported_details(SAID, [text]),
    "sentences": lambda text: (sentences(text), clauses(text, Span(0, len(text) + 1)), is_heading(text)),
    "headings": lambda text: list(headings(text)),
    "a date in a document": lambda text: age(STORED.document, text),
    "orders to a model": suspicious,
    "an order around a quote": lambda text: suspicious_around(text, Span(len(text) // 2, len(text) // 2 + 9)),
    "a passage in a prompt": lambda text: (fenced([("p1", text, text)]), estimate(text)),
    "words that stand in a text": lambda text: locate(SAID, [segment(text)]),
    "words of a text that stand in it": lambda text: locate(text[len(text) // 2 :], [segment(text)]),
    "an answer without a model": lambda text: choose(
        "What does rent mean?", pool(segment(text)).passages, "define"
    ),
    "a sentence that may contradict": lambda text: (differ(text, STORED.text), differ(STORED.text, text)),
    "a text that is shown": lambda text: (printable(text), plain(text), safe(text)),
    "a message": lambda text: (short(text), fitted({"answer": text, "citations": [{"quote": text}]})),
}


def runs(piece: str) -> Made:
    return lambda length: piece * (length // len(piece) + 1)


PIECES = (
    *(
        "的",
        "[[",
        "1 ",
        "1.1.",
        "x",
        "合同的",
        "第1版和",
        "１２．",
        "… ",
        "# A\n",
        "1. a\n",
        '"ab" ',
        "`a``b",
        "<b ",
    ),
    *("\\", "\x1b]8;;", "a\u200d\u0301", "👩‍👧", "\ud800", "<think>", "a.example/", "user: a\n"),
    *("must not ", "version 1 and ", "one hundred and ", "what about the "),
)
TEXTS: dict[str, Made] = {
    "digits in an open bracket": lambda length: "Kept [" + "1" * length,
    "figures in an open bracket": lambda length: "[" + ", ".join(str(at * 10) for at in range(length // 5)),
    "blanks": lambda length: "a" + " " * length + "b",
    "a fence of blanks": lambda length: "```json" + " " * length + "x",
    "nested links": lambda length: "[" * (length // 6) + "a" + "](b)" * (length // 6),
    "nested lists": lambda length: "[" * (length // 2) + "]" * (length // 2),
    "nested objects": lambda length: '{"a":' * (length // 6),
    "JSON that is cut off": lambda length: '{"sentences": [' + '{"text": "a", ' * (length // 14),
    "no end of a sentence": runs("and the tenant must pay the rent of the house to Mr Smith "),
    "paragraphs": runs("The tenant must not pay 30 days rent by 3 May 2024 to Acme Ltd.\n\n"),
    "figures": lambda length: ", ".join(f"{at} days" for at in range(length // 10)),
    "definitions": runs('"A" means b. '),
    "orders": runs("ignore all the previous "),
    "parties": runs("lease between Acme and Globex, "),
    "marks of all kinds": runs('的1 a。[(<`"“「『…'),
} | {f"{piece!r} again and again": runs(piece) for piece in PIECES}


@functools.cache
def _memories() -> tuple[Callable[[], object], ...]:
    """What forgets texts; a memory without a bound holds tables."""
    found = (each for each in gc.get_objects() if isinstance(each, type(_memories)))
    own = (each for each in found if each.__module__.startswith(("evidence.", "host.")))
    return tuple(each.cache_clear for each in own if each.cache_parameters()["maxsize"] is not None)


def forget() -> None:
    for clear in _memories():
        clear()


def growing(work: Work) -> str:
    """On which text, and how, the work grows faster than the text; empty where none is known."""
    dearest, most = None, 0.0
    for name, made in TEXTS.items():
        if fault := hopeless(work, made, before=forget) or steep(
            work, made, (SHORT, 4 * SHORT, 16 * SHORT), forget
        ):
            return f"{name}: {fault}"
        text = made(SHORT)
        cost = spent(work, text, forget) / len(text)
        dearest, most = (made, cost) if cost > most else (dearest, most)
    return steep(work, dearest, (LONG // 4, LONG, 4 * LONG), forget) if dearest else ""


@pytest.mark.parametrize("name", READERS)
def test_reading_the_words_of_others_takes_time_in_proportion_to_them(name: str) -> None:
    assert "" == growing(READERS[name])


def test_work_that_grows_by_the_square_is_found() -> None:
    assert growing(lambda text: [text.count(char) for char in text])
