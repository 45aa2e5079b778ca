"""The form of an answer: what writes the lines that claim nothing of the documents, and what reads past them.

Attributions, lead-ins, headings, file names, lists of sources and of what was searched are no claims. They are told by
their form and by the words that this house itself writes, never by what a sentence is about: all else is a claim.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from evidence.answer.phrases import is_ours, phrase
from evidence.index.names import is_file_name
from evidence.language.function_words import significant_terms
from evidence.language.markdown import one_line, safe, shown_name
from evidence.language.sentences import sentences, short_sentences
from evidence.language.tables import LANGUAGES
from evidence.model import Segment
from evidence.verify.grounding_check import unsupported_details

_FORMS = {"title": "**{}**", "foot": "_{}_", "label": "- {}"}
_NOTE = "- Note: "
_WRITTEN = tuple(
    _FORMS[kind].format(written)
    for table in LANGUAGES.values()
    for name, written in table.phrases.items()
    if (kind := name.partition("_")[0]) in _FORMS
)
_OURS = frozenset(line for line in _WRITTEN if "{" not in line)
_BEGUN = tuple(line.partition("{")[0] for line in _WRITTEN if "{" in line)
_LABELS = (_NOTE, *(line for line in _BEGUN if line.startswith("- ")))
_VERDICTS = tuple(line for line in _BEGUN if line.startswith("_"))
_DASH = "— "
_MARKERS = re.compile(r"(?<!\s)\s*+(?:\[\d{1,4}\])++")
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]++(?=\S)")
_PLACE = re.compile(
    r"(?<!\])(?:\[\d{1,4}\])++ \*\*([^*\n]++)\*\*(?:, (?!segment \d)[^,\n]++)*+(, segment \d++)?"
)
_HEADING = re.compile(r"#{1,6}[ \t]([^\n]*+)|\*\*([^*\n]*[^*\n.!?。！？…])\*\*")  # in bold, but no sentence
_NUMBER = re.compile(
    r"(?<![\d.])\d{1,3}(?:\.\d{1,3})*+(?:[.)]|(?<=\.\d)|(?<=\.\d\d))\s"
)  # of a heading: 8., 8.2
_RULE = re.compile(r"\|[ \t:|-]*+")
_CELL = re.compile(r"(?<!\\)\|")


def attribution(name: str, date: str = "") -> str:
    """The line below quotes that says which document they are from."""
    return f"{_DASH}{shown_name(name)}{f' ({date})' if date else ''}"


def place(segment: Segment) -> str:
    """Where a quote stands, for a list of sources."""
    document = segment.document
    parts = [f"**{shown_name(document.name)}**"]
    parts += [one_line(safe(document.dataset_name))] if document.dataset_name else []
    parts += [f"segment {segment.position}"] if segment.position else []
    return ", ".join(parts)


def line_of(name: str, question: str, **values: str) -> str:
    """A line around an answer, in the language of the question: a title, a label in a list, or the foot."""
    return _FORMS[name.partition("_")[0]].format(phrase(name, question, **values))


def note(text: str) -> str:
    """One line of the list of what was left out."""
    return f"{_NOTE}{text}"


def claimed(text: str, segments: Sequence[Segment]) -> Iterator[str]:
    """The sentences of an answer that claim something of the documents, in their order, as they are written.

    `segments` are those that it is held against: the names of their documents are no claims.
    """
    stored = {segment.document.name for segment in segments}
    names = frozenset(filter(None, (*stored, *map(safe, stored), *map(shown_name, stored))))
    lines = [line.strip() for line in text.splitlines()]
    ours = any(line in _OURS or line.startswith(_VERDICTS) for line in lines)
    claims = [
        line for at, line in enumerate(lines) if not _is_form(line, lines[at + 1 : at + 2], names, ours=ours)
    ]
    for part in _parts(claims, names):
        bare = _MARKERS.sub("", part)
        for span in short_sentences(bare):
            sentence = bare[span.start : span.end]
            if not _says_nothing(sentence, names):
                yield sentence


def _is_form(line: str, following: Sequence[str], names: Collection[str], *, ours: bool) -> bool:
    """Whether a line is a heading, a place of a quote, an attribution, or one of our foot."""
    if line.startswith("|"):
        return any("-" in row and _RULE.fullmatch(row) for row in (line, *following))
    if line in _OURS or line.startswith(_VERDICTS) or (ours and line.startswith(_LABELS)):
        return True
    if line.startswith(_DASH):
        return _is_name(line.removeprefix(_DASH), names)
    source = _PLACE.fullmatch(line)
    if source is not None:
        return _is_name(source[1], names) or source[2] is not None
    heading = _HEADING.fullmatch(line)
    return heading is not None and not _counts(_NUMBER.sub("", heading[1] or heading[2], count=1))


def _parts(lines: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The parts of a text: paragraphs and quotes whole, items and cells one by one; without their marks."""
    part: list[str] = []
    for at, line in enumerate(lines):
        quote, row, item = line.startswith(">"), line.startswith("|"), _ITEM.match(line)
        if part and (not line or row or item or quote != lines[at - 1].startswith(">")):
            yield "\n".join(part)
            part = []
        if row:
            yield from _cells(line)
        elif item:
            yield _without_attribution(line[item.end() :], names)
        elif line:
            following = next(filter(None, lines[at + 1 :]), "")
            part.append(line.lstrip("> ") if quote else _without_lead(line, following))
    if part:
        yield "\n".join(part)


def _cells(row: str) -> Sequence[str]:
    """The cells of a row; the first one says what the others are about, unless it says how much or has a source."""
    first, *others = _CELL.split(row.strip("|"))
    return [first, *others] if _counts(first) else others


def _counts(text: str) -> bool:
    return any(map(str.isdigit, text))


def _without_lead(line: str, following: str) -> str:
    """A line without a last sentence that does no more than lead in quotes, items or a table."""
    if line[-1] not in ":：" or not (following.startswith((">", "|")) or _ITEM.match(following)):
        return line
    last = sentences(line)[-1]
    return line if unsupported_details(line[last.start : last.end], ()) else line[: last.start]


def _without_attribution(item: str, names: Collection[str]) -> str:
    """An item without the documents that it is from."""
    claim, dash, names_behind = item.rpartition(f" {_DASH}")
    return claim if dash and all(_is_name(name, names) for name in names_behind.split("; ")) else item


def _says_nothing(sentence: str, names: Collection[str]) -> bool:
    """Whether a sentence is one of ours, asks something, or holds no two words beside names of documents."""
    if is_ours(sentence) or sentence.endswith(("?", "？")):
        return True
    words = sentence.split()
    rest = " ".join(word for word in words if not is_file_name(word.strip("*.,;:")))
    for name in names:
        rest = rest.replace(name, " ")
    left = significant_terms(rest)
    return len(left) < 2 or (rest != " ".join(words) and all(map(str.isdigit, left)))


def _is_name(text: str, names: Collection[str]) -> bool:
    """Whether a text is the name of a document, with a date behind it or not."""
    name, _, date = text.rpartition(" (")
    return any(
        candidate in names or is_file_name(candidate)
        for candidate in (text, *([name] if date.endswith(")") else []))
    )
