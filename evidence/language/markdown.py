"""
Foreign words in Markdown: a document, a name or a model makes no marker, link, image or HTML of its own.

`plain` takes out of a model's sentence what it typed as such; `safe` escapes whatever would still be rendered.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from evidence.language.printable import printable

LONGEST = 4_000  # characters of a sentence that are shown; one as long is never proven (see details)
_BREAKS = re.compile(r"(?<!\s)[^\S\n]*+\n\s*+")
_MARKERS = re.compile(  # [4], [4, 5], [^2], 【P7】 and ［4］, as models write them
    r"(?<!\s)\s*+[\[【［](?:\s*+(?:[Pp]?\d{1,4}+|\^\d++)\s*+[,，;–-]?+)++[\]】］]"
)
_TARGET = r"\((?:[^()]|\([^()]*+\))*+\)"
_IMAGE = re.compile(rf"!\[[^\[\]]*+\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]]*+)\]{_TARGET}")
# Elements that give form to a text or load something; words such as <source> or <title> may be meant as they stand.
_ELEMENTS = """
a abbr audio b big blockquote body br center code dd del div dl dt em embed font form h1 h2 h3 h4 h5 h6 head hr html i
iframe img ins kbd li mark marquee math meta object ol p pre q s script small span strike strong style sub sup svg table
tbody td tfoot th thead tr tt u ul video
"""
_HTML = re.compile(
    rf"</?(?:{'|'.join(_ELEMENTS.split())})(?![\w-])[^<>]*+>|<!--[^<>]*+>|<!doctype[^<>]*+>", re.IGNORECASE
)
_MARKER = re.compile(r"\[(\^?\d++)\]")
_NO_CODE = re.compile(r"\[\^?\d++\]|\|")
_RENDERED = re.compile(r"(?<!\\)((?:\\\\)*)(<(?=[A-Za-z/!?])|(?<=!)\[|\](?=[(:]))")
_ADDRESS = re.compile(  # what GitHub's Markdown makes a link of; punctuation at its end is of the sentence
    r"(?:(?:https?|ftp)://|(?<![A-Za-z0-9])www\.)(?=\S)(?:[!-;=?-Z^_a-{}~]*[#$%+/-9=@-Z^a-z-])?",
    re.IGNORECASE,
)
_SHOWN_ADDRESS = re.compile(f"`({_ADDRESS.pattern})`", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([\[\]<`])")
_TICKS = re.compile(r"(?<!\\)(\\*+)(`++)")


def plain(written: str) -> str:
    """A model's sentence without markers, images, links and HTML of its own, on one line.

    What was nested in another stays, as do other words in angle brackets: `safe` escapes them.
    """
    text = _HTML.sub("", one_line(written))
    bare = _MARKERS.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text))).strip()
    return bare if len(bare) <= LONGEST else f"{bare[:LONGEST]}…"


def safe(text: str) -> str:
    """Foreign text on one line; what would read as a marker, link, image or tag is escaped for Markdown.

    What is escaped already stays as it is, and so does code between backticks; a backtick alone is escaped. A web
    address, which many renderers make a link of by itself, stands as code, in which nothing is a link.
    """
    line, at = one_line(text), 0
    parts: list[str] = []
    for start, end in _code(line):
        parts += [*_parts(line[at:start]), line[start:end]]
        at = end
    shown = ""
    for part in filter(None, (*parts, *_parts(line[at:]))):
        shown += f" {part}" if part[0] == "`" and shown.endswith(("`", "\\")) else part
    return shown


def _parts(text: str) -> Iterator[str]:
    """Text without code: its words escaped, its web addresses as code."""
    at = 0
    for address in _ADDRESS.finditer(text):
        yield _escaped(text[at : address.start()])
        yield f"`{address[0]}`"
        at = address.end()
    yield _escaped(text[at:])


def unescaped(text: str) -> str:
    """The words that `safe` has escaped, as they were."""
    return _ESCAPE.sub(r"\1", _SHOWN_ADDRESS.sub(r"\1", text))


def decoded(text: str) -> str:
    """The text without percent-encoding, as people read a name: `expense%20policy.md` is `expense policy.md`.

    An encoding may be encoded once more. What is none, or hides nothing that can be read, stays as it is.
    """
    for _ in range(2):
        try:
            plain = unquote(text, errors="strict")
        except UnicodeDecodeError:
            break
        text = plain if plain.strip() else text
    return text


def shown_name(name: str) -> str:
    """The name of a document as it is shown; in JSON it stays as it is stored."""
    return safe(decoded(name))


def one_line(text: str) -> str:
    """The text as it may be shown, on one line."""
    return _BREAKS.sub(" ", printable(text))


def _code(line: str) -> Iterator[tuple[int, int]]:
    """Where code stands: from a run of backticks to the next as long, without a marker, or a bar, which ends a cell."""
    runs = list(_TICKS.finditer(line))
    latest: dict[int, int] = {}  # by length, the run to the right
    closing = [0] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        length = len(runs[at][2])
        closing[at] = latest.get(length, 0)
        latest[length] = at
    at = 0
    while at < len(runs):
        start, end = runs[at].start(2), runs[closing[at]].end()
        if closing[at] and not runs[at][1] and not _NO_CODE.search(line, start, end):
            yield start, end
            at = closing[at]
        at += 1


def _escaped(text: str) -> str:
    text = _TICKS.sub(_ticks, text)
    return _RENDERED.sub(r"\1\\\2", _MARKER.sub(r"\\[\1\\]", text))


def _ticks(run: re.Match[str]) -> str:
    """Each backtick escaped; the first may be already."""
    return (
        (run[1] + r"\`" * len(run[2])) if len(run[1]) % 2 == 0 else run[1] + "`" + r"\`" * (len(run[2]) - 1)
    )
