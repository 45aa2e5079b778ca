"""Vectors of segments in their context: made once, by command, and a signal of meaning for economy knowledge bases."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from evidence import pipeline
from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.building import IndexReport, build
from evidence.errors import ModelUnavailable, UnusableReply
from evidence.http.client import Client
from evidence.index.vectors import likeness, rounded
from evidence.limits import Limits
from evidence.llm.embedding_api import EmbeddingAPI, embedding_base_url
from evidence.model import Question
from evidence.settings import Settings
from evidence.store.database import Database
from evidence.store.disk import DiskStore
from tests.fakes import FakeEmbedder, FakeKnowledge, Holding, degraded, holding, metered

GROUPS = ("automobile vehicle car", "salary wage pay", "holiday vacation leave")
TEXTS = {
    "Fleet.txt": ["# Upkeep\nEvery automobile is washed on Friday.", "The gate is locked at night."],
    "Wages.txt": ["The wage is handed out on the fifth.", "Nobody whistles in the yard."],
}
BASE = holding("Base", TEXTS)
CAR = Question("Which day do people clean a car?")


def _context(folder: Path, embedder: FakeEmbedder | None, base: Holding = BASE) -> Context:
    store = DiskStore(Database(str(folder)), "one")
    ctx = metered(FakeKnowledge(base), cache=Cache(store=store), limits=Limits(knowledge_calls=1_000))
    return replace(ctx, embedder=embedder)


def _built(folder: Path, embedder: FakeEmbedder, base: Holding = BASE) -> IndexReport:
    return build([base[0]], _context(folder, embedder, base))


def test_each_segment_is_embedded_once_in_its_context(tmp_path: Path) -> None:
    embedder = FakeEmbedder(*GROUPS)
    assert 0 == _built(tmp_path, embedder).unembedded
    assert 4 == len(embedder.texts)
    assert "Fleet > Upkeep" == embedder.texts[1].splitlines()[0]
    again = FakeEmbedder(*GROUPS)
    _built(tmp_path, again)
    assert [] == again.texts


def test_of_a_document_that_changed_its_new_segments_alone_are_embedded(tmp_path: Path) -> None:
    _built(tmp_path, FakeEmbedder(*GROUPS))
    dataset, documents = holding(
        "Base", TEXTS | {"Wages.txt": [*TEXTS["Wages.txt"], "Pay day moves before a holiday."]}
    )
    changed = {replace(key, version=str(len(texts))): texts for key, texts in documents.items()}
    again = FakeEmbedder(*GROUPS)
    _built(tmp_path, again, (dataset, changed))
    assert ["Pay day moves before a holiday."] == [text.splitlines()[-1] for text in again.texts]


def test_a_question_in_other_words_finds_the_segment_that_means_the_same(tmp_path: Path) -> None:
    _built(tmp_path, FakeEmbedder(*GROUPS))

    settings = Settings.of("extractive")
    best = pipeline.search(CAR, settings, _context(tmp_path, FakeEmbedder(*GROUPS))).pool.passages[0]
    assert TEXTS["Fleet.txt"][0] == best.segment.text
    assert ["semantic"] == [why.signal for why in best.why]
    assert () == pipeline.search(CAR, settings, _context(tmp_path, None)).pool.passages


def test_where_a_question_cannot_be_embedded_words_alone_rank_and_that_is_said(tmp_path: Path) -> None:
    _built(tmp_path, FakeEmbedder(*GROUPS))
    ctx = _context(tmp_path, FakeEmbedder(failure=ModelUnavailable("the embedding API is down")))
    pipeline.search(CAR, Settings.of("extractive"), ctx)
    assert "discover: Base was ranked by words alone (the embedding API is down)" in degraded(ctx)


def test_a_build_without_its_embedder_keeps_the_texts_and_says_what_is_missing(tmp_path: Path) -> None:
    report = _built(tmp_path, FakeEmbedder(failure=ModelUnavailable("down")))
    assert (2, 0, 2) == (report.read, report.unread, report.unembedded)
    assert 0 == _built(tmp_path, FakeEmbedder(*GROUPS)).unembedded


def test_vectors_of_a_document_that_is_gone_are_gone(tmp_path: Path) -> None:
    _built(tmp_path, FakeEmbedder(*GROUPS))
    store = DiskStore(Database(str(tmp_path)), "one")
    fleet, wages = BASE[1]
    store.keep_list(BASE[0], [wages])
    assert {wages.document_id} == {*store.vectors([fleet, wages], "fake", current=False)}


def test_a_byte_a_dimension_is_enough_for_the_cosine() -> None:
    vectors = np.random.default_rng(3).normal(size=(40, 384)).astype(np.float32)
    exact = vectors @ vectors[0] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[0])
    assert np.abs(exact - likeness(rounded(vectors), vectors[0])).max() < 0.005
    assert [0.0] * 40 == likeness(rounded(vectors), vectors[0][:100]).tolist()


def _api(answer: Any) -> EmbeddingAPI:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=answer))
    return EmbeddingAPI(
        Client("https://models.example.com/v1", "key", "embedding", transport=transport), "small"
    )


def test_vectors_come_in_the_order_of_their_texts() -> None:
    rows = [{"index": 1, "embedding": [0.0, 1]}, {"index": 0, "embedding": [1.0, 0]}]
    assert [[1.0, 0.0], [0.0, 1.0]] == _api({"data": rows}).vectors(["a", "b"]).tolist()
    assert "https://models.example.com/v1" == embedding_base_url("https://models.example.com/v1/embeddings")


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [{"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [0.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": ["1"]}],
    ],
    ids=["none", "one is missing", "two lengths", "no direction", "no number"],
)
def test_an_answer_that_is_no_vectors_is_an_error(rows: Any) -> None:
    with pytest.raises(UnusableReply, match="the embedding API"):
        _api({"data": rows}).vectors(["a", "b"])
