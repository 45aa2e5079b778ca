"""Which of two documents is newer, as far as their names, their metadata and their first lines say."""

from collections.abc import Mapping
from dataclasses import dataclass

from evidence.index.versions import edition_of, stored_date
from evidence.language.figures import dates
from evidence.model import Document, Pool

_FIRST_LINES = 400  # characters in which a document says of when it is


@dataclass(frozen=True, slots=True, order=True)
class Age:
    """Larger is newer; () is not known."""

    date: tuple[int, ...] = ()
    version: tuple[int, ...] = ()

    @property
    def known(self) -> bool:
        return bool(self.date or self.version)

    def __str__(self) -> str:
        if self.date:
            return "-".join(f"{part:02d}" for part in self.date if part)
        return ".".join(map(str, self.version))


def age(document: Document, opening: str = "") -> Age:
    """The date and the version of a document; `opening` is its first segment, where that is at hand."""
    edition = edition_of(document.name)
    # a number is when the server stored it, which says less than the first lines
    written = stored_date(
        {name: value for name, value in document.metadata.items() if isinstance(value, str)}
    )
    known = [date for date in (edition.date, written) if date] or dates(opening[:_FIRST_LINES])
    return Age(max(known, default=()), edition.number)


def ages(documents: frozenset[Document], pool: Pool) -> Mapping[Document, Age]:
    """The age of each document; the pool is looked through for their beginnings."""
    openings: dict[Document, str] = {}
    for passage in pool.ranked:
        if passage.segment.position == 1:
            openings[passage.segment.document] = passage.segment.text
    return {document: age(document, openings.get(document, "")) for document in documents}
