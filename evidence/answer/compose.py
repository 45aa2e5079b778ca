"""Statements in, Markdown with markers out. Only here are markers made, so none can be without its quote."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evidence.answer.layout import attribution
from evidence.answer.phrases import phrase
from evidence.answer.structure import list_lines
from evidence.language.markdown import safe, shown_name
from evidence.model import Citation, Claim, Document, Quote


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence and the quotes it leans on; `missing` are its details that no quote holds; `part` a facet.

    `verbatim` says that the text is the quote itself, `unknown` that it cannot be compared with passages in another
    language. Parts count from 1; 0 is none in particular.
    """

    text: str
    quotes: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()
    part: int = 0
    verbatim: bool = False
    unknown: bool = False

    @property
    def supported(self) -> bool:
        return bool(self.quotes) and not self.missing


def verbatim(quote: Quote, part: int = 0) -> Statement:
    return Statement(quote.text, (quote,), (), part, verbatim=True)


type Cells = Mapping[tuple[str, int], tuple[Statement, ...]]  # by document id and part


@dataclass(frozen=True, slots=True)
class Findings:
    """`statements` are shown, `dropped` are not: nothing proves them. `verdict` is yes, no, open or "".

    `points` are what the columns of `cells` are about.
    `missing` are the parts, from 1, that a model says nothing answers. `thin` evidence is shown as such.
    `gaps` are the phrases for cells of which nobody knows that they are empty.
    What was `cut_off` may lack something: the model's reply was, or what it was given.
    """

    statements: tuple[Statement, ...] = ()
    dropped: tuple[Statement, ...] = ()
    cells: Cells | None = None
    points: tuple[str, ...] = ()
    verdict: str = ""
    missing: tuple[int, ...] = ()
    by_model: bool = False
    thin: bool = False
    gaps: Mapping[tuple[str, int], str] = field(default_factory=dict)
    cut_off: bool = False


def _place_of(quote: Quote) -> tuple[str, str, int, int]:
    segment = quote.segment
    return segment.document.document_id, segment.segment_id, quote.span.start, quote.span.end


@dataclass(slots=True)
class Ledger:
    """Markers by first use: one for each distinct span; and what has been written."""

    _markers: dict[tuple[str, str, int, int], int] = field(default_factory=dict)
    _quotes: list[Quote] = field(default_factory=list)
    _written: list[str] = field(default_factory=list)

    def write(self, text: str, lines: Sequence[str] = ()) -> str:
        """The text as Markdown shows it, or its lines in a blockquote; quotes whose words it holds are shown by it."""
        self._written.append(" ".join(text.split()))
        return "\n> ".join(map(safe, lines)) or safe(text)

    def mark(self, quotes: Iterable[Quote]) -> tuple[int, ...]:
        """The markers of the quotes, new ones made where needed, each once."""
        return tuple(dict.fromkeys(self._marker(quote) for quote in quotes))

    def _marker(self, quote: Quote) -> int:
        key = _place_of(quote)
        if key not in self._markers:
            self._markers[key] = len(self._markers) + 1
            self._quotes.append(quote)
        return self._markers[key]

    def known(self, quotes: Iterable[Quote]) -> tuple[int, ...]:
        """The markers that the quotes have already; none is made."""
        markers = (self._markers.get(_place_of(quote)) for quote in quotes)
        return tuple(dict.fromkeys(filter(None, markers)))

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(
            Citation(marker, quote, any(" ".join(quote.text.split()) in text for text in self._written))
            for marker, quote in enumerate(self._quotes, 1)
        )


def markers(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def block(quote: Quote, ledger: Ledger) -> str:
    """A quote as Markdown shows it; the items of a list stand on lines of their own."""
    return f"> {ledger.write(quote.text, list_lines(quote.text))} {markers(ledger.mark((quote,)))}"


def sentence(statement: Statement, ledger: Ledger, question: str) -> str:
    """One line: the sentence, its markers, and what of it no quote holds."""
    text = statement.quotes[0].text if statement.verbatim else statement.text
    line = f"{ledger.write(text)} {markers(ledger.mark(statement.quotes))}"
    if statement.missing:
        line += f" ({phrase('unproven', question, details='; '.join(map(safe, statement.missing)))})"
    return line


def claims(statements: Iterable[Statement], ledger: Ledger, *, shown: bool = True) -> tuple[Claim, ...]:
    """The claims of an answer with their markers; a sentence that is not shown has none."""
    return tuple(
        Claim(
            statement.text,
            ledger.known(statement.quotes),
            statement.supported,
            statement.missing,
            shown,
            statement.unknown,
        )
        for statement in statements
    )


def named(quotes: Sequence[Quote], ledger: Ledger, dates: Mapping[Document, str] | None = None) -> str:
    """Quotes as blocks, each run of one document closed by the document's name, and its date where one is given."""
    lines: list[str] = []
    for index, quote in enumerate(quotes):
        lines.append(block(quote, ledger))
        after = quotes[index + 1] if index + 1 < len(quotes) else None
        if after is None or after.segment.document != quote.segment.document:
            date = (dates or {}).get(quote.segment.document, "")
            lines.append(attribution(quote.segment.document.name, date))
    return "\n\n".join(lines)


def bullets(statements: Iterable[Statement], ledger: Ledger, question: str) -> str:
    """One line for each statement, with the documents that it stands in."""
    return "\n".join(
        f"- {sentence(statement, ledger, question)} — {'; '.join(map(shown_name, _sources(statement)))}"
        for statement in statements
    )


def _sources(statement: Statement) -> tuple[str, ...]:
    return tuple(dict.fromkeys(quote.segment.document.name for quote in statement.quotes))
