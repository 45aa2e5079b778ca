"""The words that a segment is found by: its own, and those of what it stands in."""

from collections.abc import Iterable, Sequence
from itertools import batched, chain

from evidence.language.headings import heading_paths
from evidence.language.terms import terms_of_texts
from evidence.model import Segment

_AT_ONCE = 50  # texts whose terms are held while they are indexed


def words_in_context(segments: Sequence[Segment]) -> Iterable[list[str]]:
    """The words of each segment of a document, and those of the titles that it stands under."""
    paths = heading_paths([segment.text for segment in segments])
    texts = [
        f"{segment.question}\n{segment.text}\n{segment.heading or ' '.join(path)}"
        for segment, path in zip(segments, paths, strict=True)
    ]
    return chain.from_iterable(map(terms_of_texts, batched(texts, _AT_ONCE)))
