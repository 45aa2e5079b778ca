"""Bases beyond the bound of memory: the index ranks all of their documents, and a question reads few of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evidence import pipeline
from evidence.cache import Cache
from evidence.corpus.building import build
from evidence.index.bm25 import LexicalIndex, Postings, Vocabulary
from evidence.index.parts import NAME, IndexedWords, made, scored
from evidence.limits import Limits
from evidence.model import Outcome, Question
from evidence.settings import Settings
from evidence.store.database import Database
from evidence.store.disk import DiskStore
from tests.fakes import FakeKnowledge, Holding, holding, metered

WORDS = ("anchor berth crane dock engine ferry gangway harbour islet jetty keel lantern mast").split()


def _base(documents: int, needle: int = 0) -> Holding:
    texts = {
        f"Paper {at:04}.txt": [f"The {WORDS[at % 13]} of paper {at} is painted.", "No more."]
        for at in range(documents)
    }
    texts[f"Paper {needle:04}.txt"].append("The sextant of Ivarsen lies in the cedar chest.")
    dataset, documents = holding("Base", texts)
    return dataset, {replace(key, version=str(len(value))): value for key, value in documents.items()}


BASE = _base(410, 333)


def _built(folder: Path, base: Holding = BASE) -> DiskStore:
    store = DiskStore(Database(str(folder)), "one")
    build(
        [base[0]],
        metered(FakeKnowledge(base), cache=Cache(store=store), limits=Limits(knowledge_calls=10_000)),
    )
    return store


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    _built(folder)
    return folder


def _asked(folder: Path, question: str, base: Holding = BASE) -> tuple[Outcome, FakeKnowledge]:
    knowledge = FakeKnowledge(base)
    ctx = metered(knowledge, cache=Cache(store=DiskStore(Database(str(folder)), "one")))
    return pipeline.ask(Question(question), Settings.of("extractive"), ctx), knowledge


def _quoted(outcome: Outcome) -> list[str]:
    return (
        [citation.quote.segment.document.name for citation in outcome.answer.citations]
        if outcome.answer
        else []
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where does the sextant of Ivarsen lie?", "Paper 0333.txt"),
        ("What is painted in Paper 0017?", "Paper 0017.txt"),
    ],
    ids=["by its words", "by its name"],
)
def test_a_document_of_a_large_base_is_found_without_a_call(
    built: Path, question: str, expected: str
) -> None:
    outcome, knowledge = _asked(built, question)
    assert expected == _quoted(outcome)[0]
    assert {"datasets", "segment", "document"} == {call[0] for call in knowledge.calls}


def test_what_a_large_base_does_not_hold_is_not_found(built: Path) -> None:
    outcome, _ = _asked(built, "Where does the astrolabe of Quillfeather stand?")
    assert [] == _quoted(outcome)


def test_a_large_base_that_changed_is_asked_itself_besides(built: Path) -> None:
    outcome, knowledge = _asked(
        built, "Where does the sextant of Ivarsen lie?", (replace(BASE[0], version="2"), BASE[1])
    )
    assert "Paper 0333.txt" == _quoted(outcome)[0]
    assert [] != knowledge.asked("documents") != knowledge.asked("retrieve") != []


def test_documents_that_change_move_into_the_next_part_and_are_found_once(tmp_path: Path) -> None:
    _built(tmp_path)
    moved = _base(411, 404)
    store = _built(tmp_path, moved)
    ranking = store.ranked(moved[0], {"sextant": 1.0, "ivarsen": 1.0})
    assert ranking is not None
    assert [("Base/Paper 0404.txt", 2)] == [segment[:2] for segment in ranking.segments]


def test_a_base_that_was_dropped_is_ranked_no_more(tmp_path: Path) -> None:
    store = _built(tmp_path)
    assert store.drop(BASE[0].dataset_id)
    assert store.ranked(BASE[0], {"sextant": 1.0}) is None


def _indexed(texts: Sequence[str], number: int) -> IndexedWords:
    vocabulary = Vocabulary()
    postings = Postings.of((text.split() for text in texts), vocabulary)
    terms = [vocabulary.term(at) for at in range(len(vocabulary))]
    return IndexedWords(number, terms, postings, frozenset({f"name{number}"}))


def test_parts_score_as_one_index_in_memory_does() -> None:
    documents = [
        [f"{WORDS[at % 13]} {WORDS[at * part % 11]} {WORDS[part]}" for part in range(7)] for at in range(40)
    ]
    words = [_indexed(texts, number) for number, texts in enumerate(documents)]
    vocabulary = Vocabulary()
    whole = LexicalIndex(
        [Postings.of((text.split() for text in texts), vocabulary) for texts in documents], vocabulary
    )
    weights = {"anchor": 1.0, "keel": 0.5, "dock": 2.0, "absent": 1.0}
    parts, postings = [], {}
    for at, some in enumerate((words[:11], words[11:12], words[12:])):
        part, by_term = made(some)
        parts.append(part)
        postings |= {(at, term): places for term, places in by_term}
    expected = whole.scores(weights)
    best = scored(parts, postings, weights, 280)
    assert np.allclose(np.sort(expected[expected > 0])[::-1], best.scores)
    given = dict(
        zip(zip(best.documents.tolist(), best.places.tolist(), strict=True), best.scores, strict=True)
    )
    assert np.allclose([given.get(divmod(at, 7), 0.0) for at in range(280)], expected)
    assert Counter([5]) == Counter(scored(parts, postings, {NAME + "name5": 1.0}, 9).documents.tolist())
