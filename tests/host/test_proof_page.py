"""The proof page of any text: small, and nothing in it but the text and our own elements."""

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.corpus.recheck import Rechecked
from evidence.language.printable import printable
from evidence.model import Document, Segment, Span
from host.proof.links import Link
from host.view.proof import proof_page

ELEMENTS = set(
    "html head meta link title style body main p strong span h1 bdi dl div dt dd".split()
    + "article section code mark footer".split()
)
LINK = Link("d", "e", "s", 2, Span(0, 1), b"", 1_800_000_000, 30)
_PARTS = st.sampled_from(
    ["<", "&", "'", '"', "`", "```", "\n", " ", "\x00", "\u202e", "\ud800", "é", "塗", "</mark>", "x"]
)
TEXTS = st.builds(
    lambda parts, times: "".join(parts) * times, st.lists(_PARTS, max_size=12), st.sampled_from([1, 2, 9_000])
)


class Page(HTMLParser):
    """The elements of a page, and the text of one of them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.marked = ""
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "mark" in self._open:
            self.marked += data


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_a_page_of_any_text_is_small_and_has_our_own_elements_alone(
    front: str, quote: str, behind: str, beside: str
) -> None:
    def segment(text: str, position: int) -> Segment:
        return Segment(Document("d", "e", beside[:255], beside[:255]), "s", position, text, beside[:9])

    span = Span(len(front), len(front) + len(quote))
    around = (segment(beside, 1), segment(beside, 3))
    found = Rechecked("verified", segment(front + quote + behind, 2), span, *around, beside[:90])
    page = proof_page(found, LINK, 1_800_000_000.0)
    assert len(page.encode()) <= 60_000
    parsed = Page(page)
    assert parsed.elements <= ELEMENTS
    if len(quote) < 500:
        shown = printable(quote.encode("utf-8", "replace").decode()).replace("```", "")
        assert shown == parsed.marked.replace("```", "")
