"""Passages of superseded versions, behind what the valid version says in their place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evidence.index.versions import families, meant, newest_first
from evidence.language.function_words import content_terms
from evidence.model import Document, Passage

ALIKE = (
    0.5  # of the words of the shorter of two passages: with fewer in common they do not say the same thing
)


def valid_first(passages: Sequence[Passage], question: str) -> tuple[Passage, ...]:
    """The same passages; one of a superseded version has changed places with what the valid version says instead.

    The valid version is the one that the question names, else the newest. Ranks and scores stay with the places.
    """
    heirs = _heirs([passage.segment.document for passage in passages], question)
    if not heirs:
        return tuple(passages)
    concerned = {*heirs, *(heir for valid_ids in heirs.values() for heir in valid_ids)}
    words = {
        at: frozenset(content_terms(passage.segment.text))
        for at, passage in enumerate(passages)
        if passage.segment.document.document_id in concerned
    }
    order = list(range(len(passages)))
    for place in range(len(order)):
        valid = heirs.get(passages[order[place]].segment.document.document_id, frozenset())
        same = _most_alike(order[place], valid, passages, words)
        at = order.index(same) if same is not None else place
        if at > place:
            order[place], order[at] = order[at], order[place]
    return tuple(
        replace(passages[at], rank=stood.rank, score=stood.score)
        for at, stood in zip(order, passages, strict=True)
    )


def _heirs(documents: Sequence[Document], question: str) -> Mapping[str, frozenset[str]]:
    """The valid versions of each superseded one, by document id."""
    heirs: dict[str, frozenset[str]] = {}
    for group in families(list(dict.fromkeys(documents))):
        ranked = newest_first(group)
        valid = frozenset(document.document_id for document in meant(group, ranked, question) or ranked[:1])
        heirs |= {
            document.document_id: valid for document in group if valid and document.document_id not in valid
        }
    return heirs


def _most_alike(
    at: int, valid: frozenset[str], passages: Sequence[Passage], words: Mapping[int, frozenset[str]]
) -> int | None:
    """The passage of the wanted documents that says most of what this one says, if any says the same thing."""
    best, share = None, ALIKE
    for other in words:
        if passages[other].segment.document.document_id in valid:
            common = len(words[at] & words[other]) / (min(len(words[at]), len(words[other])) or 1)
            if common >= share and (best is None or common > share):
                best, share = other, common
    return best
