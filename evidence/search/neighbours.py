"""What stands around a passage: the title it stands under, and the segments before and after it."""

from collections.abc import Sequence
from dataclasses import replace

from evidence.corpus.collection import Collection
from evidence.language.headings import headings
from evidence.model import Passage
from evidence.search.signals import FusedRanking

BACK = 4  # segments that are looked through for the title of a section


def titled(found: Sequence[Passage], collection: Collection) -> tuple[Passage, ...]:
    """The passages with the titles that they stand under: their own first line, or the last title before it."""
    return tuple(
        replace(each, heading=_title(collection.number[each.segment.segment_id], collection))
        for each in found
    )


def surrounded(
    found: Sequence[Passage], around: int, best: int, ranking: FusedRanking, collection: Collection
) -> tuple[Passage, ...]:
    """The segments up to `around` places before and after the `best` first passages that are not among them.

    They are marked as context and ranked behind what was found, passage by passage in reading order.
    """
    known = {collection.number[each.segment.segment_id] for each in found}
    added: dict[int, None] = {}
    for passage in found[:best]:
        at = collection.number[passage.segment.segment_id]
        places = range(max(0, at - around), min(len(collection.segments), at + around + 1))
        added |= dict.fromkeys(p for p in places if p not in known and _beside(p, at, collection))
    return tuple(
        Passage(collection.segments[at], round(float(ranking.scores[at]), 4), len(found) + turn, context=True)
        for turn, at in enumerate(added, 1)
    )


def _beside(place: int, at: int, collection: Collection) -> bool:
    """Whether nothing of the document is missing between two places."""
    apart = collection.segments[place].position - collection.segments[at].position
    return bool(collection.owners[place] == collection.owners[at]) and apart == place - at


def _title(at: int, collection: Collection) -> str:
    own = headings(collection.segments[at].text)
    if own and own[0][0] == 0:
        return own[0][1]
    for place in range(at - 1, max(-1, at - 1 - BACK), -1):
        if not _beside(place, at, collection):
            break
        before = [title for _, title in headings(collection.segments[place].text)]
        if before:
            return before[-1]
    return ""
