"""The page of a question: the answer, its citations beside it in their documents, and the receipt as a timeline.

It is one file without a script: markers lead to citations within the page, and the browser scrolls beside the answer.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from evidence.language.detect import language_of
from evidence.language.headings import headings
from evidence.language.markdown import decoded
from evidence.language.printable import printable
from host.view.links import unlinked

_HERE = Path(__file__).parent
_STYLE = (_HERE / "page.css").read_text(encoding="utf-8").strip()
_HASH = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode("ascii")
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
_MARKER = re.compile(r"\[(\d{1,4})\]")
_STATUS = {
    "answered": "Answered",
    "partial": "Answered in part",
    "not_found": "Not found",
    "ambiguous": "Ambiguous question",
}
_PAGES = Environment(
    loader=FileSystemLoader(_HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

_PAGES.filters["decoded"] = lambda name: printable(decoded(name))  # it may have hidden what steers

type Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in its segment: what stands before the quote and after it, and the sentences that lean on it."""

    fields: Result
    before: str
    after: str
    heading: str
    claims: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A result as the page shows it; `failure` stands in place of all else."""

    result: Result
    failure: str = ""

    @property
    def status(self) -> str:
        return _STATUS[self.result["status"]]

    @property
    def reason(self) -> str:
        return str(self.result["reason"] or "").replace("_", " ")

    @property
    def blocks(self) -> list[Sequence[Markup]]:
        """The answer, block by block; quotes that contradict each other are in one block, side by side."""
        contradicted = any(facet["status"] == "contradicted" for facet in self.result["facets"])
        blocks: list[list[Markup]] = []
        beside = False
        for source, quote in _blocks(unlinked(str(self.result["answer"]))):
            side = quote and contradicted
            if side and beside:
                blocks[-1].append(self._html(source))
            else:
                blocks.append([self._html(source)])
            beside = side
        return list(blocks)

    @property
    def cited(self) -> list[Cited]:
        """The citations by their markers, each once."""
        return [self._cited(citation) for citation in self.result["citations"]]

    @property
    def steps(self) -> list[Mapping[str, Any]]:
        """The steps of the receipt; places and widths are in thousandths of its time."""
        receipt = self.result["receipt"]
        whole = float(receipt["seconds"]) or 1.0
        return [
            {
                "name": step["name"],
                "kind": step["name"].partition(".")[0],
                "at": round(1000 * min(step["began"] / whole, 0.995)),
                "width": max(5, round(1000 * step["seconds"] / whole)),
                "milliseconds": round(1000 * step["seconds"]),
                "error": bool(step.get("error")),
            }
            for step in receipt["steps"]
        ]

    def _html(self, source: str) -> Markup:
        """Markdown as HTML, whose markers lead to the citations."""
        known = {citation["marker"] for citation in self.result["citations"]}
        html = _MARKDOWN.render(printable(source))

        def link(match: re.Match[str]) -> str:
            name = match[1]
            return f'<a class="marker" href="#c{name}">[{name}]</a>' if int(name) in known else match[0]

        return Markup(_MARKER.sub(link, html))  # noqa: S704 - rendered from Markdown without HTML and links

    def _cited(self, citation: Result) -> Cited:
        passages: Iterable[Result] = self.result["passages"]
        passage = next((each for each in passages if each["segment_id"] == citation["segment_id"]), None)
        text = str(passage["text"]) if passage else citation["quote"]
        start, end = (citation["start"], citation["end"]) if passage else (0, len(text))
        titles = [title for at, title in headings(text) if at <= start]
        claims = (claim for claim in self.result["claims"] if claim["shown"] and claim["supported"])
        leaning = (claim["text"] for claim in claims if citation["marker"] in claim["markers"])
        return Cited(
            citation,
            printable(text[:start]),
            printable(text[end:]),
            printable(titles[-1] if titles else str((passage or {}).get("heading", ""))),
            tuple(printable(claim) for claim in leaning if _other(claim, citation["quote"])),
            language_of(text),
        )


def _other(claim: str, quote: str) -> bool:
    """Whether a sentence says more than its quote, which is shown anyway."""
    return "".join(claim.split()) not in "".join(quote.split())


def _blocks(answer: str) -> Iterator[tuple[str, bool]]:
    """The blocks of Markdown as they are written, and whether each is a quote with its attribution."""
    lines = answer.splitlines()
    tokens = [token for token in _MARKDOWN.parse(answer) if token.level == 0 and token.map]
    sources = [(token.type, "\n".join(lines[slice(*token.map)])) for token in tokens if token.map]
    at = 0
    while at < len(sources):
        kind, source = sources[at]
        following = sources[at + 1][1] if at + 1 < len(sources) else ""
        quote = kind == "blockquote_open" and following.startswith("— ")
        yield (f"{source}\n\n{following}", True) if quote else (source, False)
        at += 2 if quote else 1


def page(
    question: str, answered: Callable[[], Shown], *, form: bool, examples: Sequence[str] = ()
) -> Iterator[str]:
    """The page, piece by piece: `answered` is called once what says that it is being asked was given out.

    With a `form` another question may be asked; a page without one stands for itself.
    """
    policy = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action "
    return _PAGES.get_template("page.html").generate(
        question=printable(question),
        answered=answered,
        form=form,
        examples=examples,
        policy=policy + ("'self'" if form else "'none'"),
        style=_STYLE,
        language=language_of(question) if question else "en",
    )
