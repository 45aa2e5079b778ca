"""Passages of superseded versions, behind what the valid version says in their place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evidence.index.versions import families, meant, newest_first
from evidence.language.function_words import content_terms
from evidence.model import Document, Passage

ALIKE = (
    0.5  # of the words of the shorter of two passages: with fewer in common they do not say the same thing
)


def valid_first(passages: Sequence[Passage], asked: str) -> tuple[Passage, ...]:
    """The same passages; one of a superseded version has changed places with what the valid version says instead.

    The valid version is the one that the question names, else the newest. Ranks and scores stay with the places.
    """
    heirs = _heirs([passage.segment.document for passage in passages], asked)
    if not heirs:
        return tuple(passages)
    concerned = {*heirs, *(heir for each in heirs.values() for heir in each)}
    words = {
        at: frozenset(content_terms(passage.segment.text))
        for at, passage in enumerate(passages)
        if passage.segment.document.document_id in concerned
    }
    order = list(range(len(passages)))
    for place in range(len(order)):
        wanted = heirs.get(passages[order[place]].segment.document.document_id, frozenset())
        same = _most_alike(order[place], wanted, passages, words)
        at = order.index(same) if same is not None else place
        if at > place:
            order[place], order[at] = order[at], order[place]
    return tuple(
        replace(passages[at], rank=stood.rank, score=stood.score)
        for at, stood in zip(order, passages, strict=True)
    )


def _heirs(documents: Sequence[Document], asked: str) -> Mapping[str, frozenset[str]]:
    """The valid versions of each superseded one, by document id."""
    found: dict[str, frozenset[str]] = {}
    for group in families(list(dict.fromkeys(documents))):
        ranked = newest_first(group)
        valid = frozenset(each.document_id for each in meant(group, ranked, asked) or ranked[:1])
        found |= {each.document_id: valid for each in group if valid and each.document_id not in valid}
    return found


def _most_alike(
    at: int, wanted: frozenset[str], passages: Sequence[Passage], words: Mapping[int, frozenset[str]]
) -> int | None:
    """The passage of the wanted documents that says most of what this one says, if any says the same thing."""
    best, share = None, ALIKE
    for other in words:
        if passages[other].segment.document.document_id in wanted:
            common = len(words[at] & words[other]) / (min(len(words[at]), len(words[other])) or 1)
            if common >= share and (best is None or common > share):
                best, share = other, common
    return best
