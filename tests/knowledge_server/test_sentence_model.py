"""The runner of sentence models, on a made-up model of eight numbers a vector."""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from knowledge_samples import model, reading

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument
from standalone.knowledge.sentence_model import MiniLM, Vectors
from standalone.knowledge.vector_store import StoredVectors

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "cool", "##ing", "kiln", "the", ",", "窯", "cafe")
SIZE, WIDE, LONGEST = 8, 16, 6


def _weights() -> dict[str, Vectors]:
    random = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": (LONGEST, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        "embeddings.LayerNorm.weight": (SIZE,),
        "embeddings.LayerNorm.bias": (SIZE,),
    }
    layer = "encoder.layer.0"
    wide = {"intermediate.dense": (WIDE, SIZE), "output.dense": (SIZE, WIDE)}
    square = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    for name, shape in (dict.fromkeys(square, (SIZE, SIZE)) | wide).items():
        shapes |= {f"{layer}.{name}.weight": shape, f"{layer}.{name}.bias": shape[:1]}
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        shapes |= {f"{layer}.{name}.weight": (SIZE,), f"{layer}.{name}.bias": (SIZE,)}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def tiny(tmp_path: Path) -> MiniLM:
    head, body = {}, b""
    for name, values in _weights().items():
        raw = values.tobytes()
        head[name] = {
            "dtype": "F32",
            "shape": values.shape,
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    told = json.dumps({"__metadata__": {"format": "pt"}, **head}).encode()
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    with zipfile.ZipFile(tmp_path / "tiny.zip", "w") as archive:
        archive.writestr("config.json", json.dumps({"num_hidden_layers": 1, "num_attention_heads": 2}))
        archive.writestr("tokenizer.json", json.dumps({"model": {"vocab": vocabulary}}))
        archive.writestr("sentence_bert_config.json", json.dumps({"max_seq_length": LONGEST}))
        archive.writestr("model.safetensors", len(told).to_bytes(8, "little") + told + body)
    return MiniLM.load(tmp_path / "tiny.zip")


def test_vectors_have_unit_length_and_do_not_depend_on_their_neighbours(tiny: MiniLM) -> None:
    texts = ["the kiln", "cooling, the kiln", "cooling"]
    together = tiny.vectors(texts)
    assert (3, SIZE) == together.shape
    assert np.allclose(1.0, np.linalg.norm(together, axis=1), atol=1e-5)
    assert np.allclose(together, np.vstack([tiny.vectors([text]) for text in texts]), atol=1e-5)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The KILN", "the kiln"),
        ("Café", "cafe"),
        ("kiln,the", "kiln , the"),
        ("窯窯", "窯 窯"),
        ("glazed", "unheard"),  # both unknown
        ("the the the the kiln kiln", "the the the the cooling"),  # what is too long is cut
    ],
)
def test_texts_of_the_same_tokens_have_the_same_vector(tiny: MiniLM, left: str, right: str) -> None:
    assert np.allclose(tiny.vectors([left]), tiny.vectors([right]), atol=1e-6)


def test_a_word_is_read_in_its_known_pieces(tiny: MiniLM) -> None:
    assert not np.allclose(tiny.vectors(["cooling"]), tiny.vectors(["cool"]), atol=1e-3)
    assert not np.allclose(tiny.vectors(["cooling"]), tiny.vectors(["cooler"]), atol=1e-3)


class Counting:
    """A model that counts the texts it was given."""

    name = "counting"
    languages = frozenset({"en"})

    def __init__(self) -> None:
        self.read: list[str] = []

    def vectors(self, texts: Sequence[str]) -> Vectors:
        self.read += texts
        return np.array([[len(text), 1.0] for text in texts], np.float32)


def test_a_text_is_worked_out_once_even_in_another_run(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    for counting in (first, second):
        store = StoredVectors(counting, tmp_path / "kept")
        assert [[3.0, 1.0], [5.0, 1.0], [3.0, 1.0]] == store.vectors(["one", "seven", "one"]).tolist()
        store.close()
    assert (["one", "seven"], []) == (first.read, second.read)


class Colours:
    """A model for which two words mean the same: red and scarlet."""

    name = "colours"
    languages = frozenset({"en"})

    def vectors(self, texts: Sequence[str]) -> Vectors:
        red = [any(word in text.lower() for word in ("red", "scarlet")) for text in texts]
        return np.array([[1.0, 0.0] if each else [0.6, 0.8] for each in red], np.float32)


def test_a_server_with_a_model_finds_what_means_the_same_and_scores_its_cosine() -> None:
    documents = (
        SourceDocument("a.txt", "The door is blue."),
        SourceDocument("b.txt", "The gate is scarlet."),
    )
    server = KnowledgeServer(Corpus((Collection("paint", documents),)), embedding=Colours())
    with reading(server) as reader:
        assert [("b.txt", 1), ("a.txt", 1)] == reader.found("paint", "red", model("semantic_search", 2))
        records = reader.retrieve("paint", "red", model("semantic_search", 2)).json()["records"]
        assert pytest.approx([1.0, 0.6]) == [each["score"] for each in records]
