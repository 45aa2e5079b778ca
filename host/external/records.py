"""An outcome as the records of Dify's External Knowledge API. Pure."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from evidence.model import Outcome, Passage, Provenance
from evidence.text.analysis import terms
from evidence.text.stopwords import content_terms
from host.fitting import readable, size

_MOST_BYTES = 1_500_000  # of all records as JSON; as hex in one line of the daemon it is twice as much


def records_of(outcome: Outcome, top_k: int, threshold: float) -> list[dict[str, Any]]:
    """At most `top_k` records whose score is at least `threshold`, best first, scores never rising."""
    passages = [each for each in outcome.pool.passages if not each.context and each.segment.text]
    scored = zip(passages, scores_of(outcome.understanding.text, passages), strict=True)
    kept = [(passage, score) for passage, score in scored if score >= threshold][:top_k]
    records = [readable(_record(passage, score)) for passage, score in kept]
    while records and size(records) > _MOST_BYTES:
        records.pop()
    return records


def scores_of(question: str, passages: Sequence[Passage]) -> list[float]:
    """One score in 0..1 for each passage, in their order, never rising.

    Half is the share of the question's words that stand in the passage or in the name of its document: it means the
    same from question to question, so that a threshold can be set on it. Half is the passage's own score, which
    compares the passages of one question. A passage is worth no less than those ranked below it.
    """
    asked = frozenset(content_terms(question))
    each = [(_coverage(asked, passage) + min(max(passage.score, 0.0), 1.0)) / 2 for passage in passages]
    return [round(score, 4) for score in accumulate(reversed(each), max)][::-1]


def _coverage(asked: frozenset[str], passage: Passage) -> float:
    segment = passage.segment
    said = asked.intersection(terms(f"{segment.document.name}\n{segment.question}\n{segment.text}"))
    return len(said) / len(asked) if asked else 0.0


def _record(passage: Passage, score: float) -> dict[str, Any]:
    """What Dify drops without a word is a record without a text or with metadata that are no object."""
    segment = passage.segment
    document = segment.document
    content = f"question:{segment.question} \nanswer:{segment.text}" if segment.question else segment.text
    metadata: Mapping[str, Any] = {
        "document_id": document.document_id,
        "document_name": document.name,
        "segment_id": segment.segment_id,
        "position": segment.position,
        "dataset_id": document.dataset_id,
        "dataset_name": document.dataset_name,
        "found_by": list(dict.fromkeys(_said(why) for why in passage.why)),
        "doc_metadata": dict(document.metadata),
    }
    return {"content": content, "score": score, "title": document.name, "metadata": metadata}


def _said(why: Provenance) -> str:
    return f"{why.voice} {why.rank}"
