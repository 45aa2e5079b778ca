"""`GET /proof` opens signed links, and nothing else: the page of what stands behind a quote now."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from endpoint_samples import DIFY_KEY, Endpoints, body_of, mcp_headers, request

from evidence.model import Document, Segment, Span
from host.proof.links import Signer
from standalone.daemon import EndpointResult
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment

PROOF_KEY = "a-long-key-that-signs-proofs"
ADDRESS = "https://dify.example.com/e/abc/proof"
QUOTE = "Segment 100 says that the crane is painted green."
SEGMENTS = [SourceSegment(f"Segment {at} says nothing much.") for at in range(1, 131)]
SEGMENTS[98] = SourceSegment("# 9. Colours\n\nSegment 99 comes before.")
SEGMENTS[99] = SourceSegment(f"As agreed. {QUOTE} It stays so.")
HOSTILE = 'Paint <script>alert("x")</script> & <img src=x onerror=alert(1)>.\n```\nif a < b:\n    paint()\n```\nEnd.'
WORLD = Corpus(
    (
        Collection(
            "harbour",
            (
                SourceDocument("Cranes <b>.md", segments=tuple(SEGMENTS)),
                SourceDocument("Code.md", segments=(SourceSegment(HOSTILE),)),
                SourceDocument("塗装.md", segments=(SourceSegment("クレーンは緑色に塗装する。"),)),
                SourceDocument("Long.md", segments=tuple(SourceSegment("&'\"<" * 20_000) for _ in range(3))),
            ),
        ),
        Collection("secret", (SourceDocument("Secret.md", segments=(SourceSegment("The code is 4711."),)),)),
    )
)


class World:
    """A server, and the plugin's endpoints before it."""

    def __init__(self, endpoints: Endpoints, server: KnowledgeServer) -> None:
        self.endpoints, self.server = endpoints.over(server), server
        self.requests: list[str] = []
        server.faults = self._note

    def _note(self, method: str, path: str) -> None:
        self.requests.append(path)

    @property
    def settings(self) -> dict[str, Any]:
        return self.endpoints.settings | {"proof_key": PROOF_KEY, "proof_url": ADDRESS, "proof_days": "30"}

    def segment(self, dataset: str, name: str, position: int = 1) -> Segment:
        """A segment of the world, with the ids that the server gives it, as if it had been read now."""
        ids = self.server.dataset_id(dataset), self.server.document_id(dataset, name)
        listed = self.server.owner.segments()
        source = next(d for c in self.server.corpus.collections for d in c.documents if d.name == name)
        text = source.segments[position - 1].content
        (segment_id,) = [key for key, content in listed.items() if content == text][:1]
        return Segment(Document(*ids, name, dataset), segment_id, position, text, read_at=NOW)

    def open(self, link: str, **settings: Any) -> EndpointResult:
        self.requests.clear()
        chosen, link = self.settings | settings, link.removeprefix(f"{ADDRESS}?p=").removesuffix("#q")
        return self.endpoints.process.endpoint("GET", f"/proof?p={link}", {}, b"", chosen)

    def quote(self, segment: Segment, words: str = "", language: str = "en", days: int = 30) -> str:
        start = segment.text.index(words)
        span = Span(start, start + len(words)) if words else Span(0, len(segment.text))
        return Signer.of(PROOF_KEY, days).link(segment, span, NOW, language)


NOW = 2_000_000_000.0  # later than any clock of a test: a link lives until then, and its days more


@pytest.fixture
def world(endpoints: Endpoints) -> Iterator[World]:
    with KnowledgeServer(WORLD, api_key=DIFY_KEY) as server:
        yield World(endpoints, server)


def shown(page: EndpointResult) -> str:
    """What a reader sees of a page, without its head."""
    body = page.body.decode().partition("<body")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def crane(world: World, **more: Any) -> str:
    return world.quote(world.segment("harbour", "Cranes <b>.md", 100), QUOTE, **more)


def test_a_link_opens_the_document_around_the_quote_as_it_stands_now_with_two_calls(world: World) -> None:
    page = world.open(crane(world))
    text = shown(page)
    assert 200 == page.status
    assert 2 == len(world.requests)
    assert f'<mark id="q">{QUOTE}</mark>' in page.body.decode()
    for expected in (
        "Verified just now",
        "Cranes <b>.md",
        "Segment 99 comes before.",
        "Segment 101 says nothing much.",
        "Segment 100",
        "Section Colours",
    ):
        assert expected in text
    assert "Segment 98 says" not in text


def test_the_page_loads_nothing_runs_nothing_and_is_shown_by_nobody_else(world: World) -> None:
    page = world.open(crane(world))
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "no-store" == page.headers["Cache-Control"]
    assert "no-referrer" == page.headers["Referrer-Policy"]
    assert not re.search(r"<script|http|url\(|@import|\son\w+=", page.body.decode())


def test_what_a_document_says_is_text_and_nothing_else(world: World) -> None:
    page = world.open(world.quote(world.segment("harbour", "Code.md"), "<img src=x onerror=alert(1)>"))
    html = page.body.decode()
    assert '<mark id="q">&lt;img src=x onerror=alert(1)&gt;</mark>' in html
    assert "<script" not in html
    assert "<code>\nif a &lt; b:\n    paint()\n</code>" in html


def test_no_page_has_more_than_60_kilobytes(world: World) -> None:
    segment = world.segment("harbour", "Long.md", 2)
    whole, middle = world.quote(segment), Signer.of(PROOF_KEY).link(segment, Span(30_000, 50_000), NOW)
    for link, least in ((whole, 25_000), (middle, 40_000)):
        page = world.open(link)
        assert "Verified just now" in shown(page)
        assert least < len(page.body) <= 60_000


def test_a_quote_that_moved_is_found_where_it_stands_now(world: World) -> None:
    link, segment = crane(world), world.segment("harbour", "Cranes <b>.md", 100)
    world.server.owner.edit_segment(segment.segment_id, f"Added in front. {segment.text}")
    page = world.open(link)
    assert "Verified just now" in shown(page)
    assert f'<mark id="q">{QUOTE}</mark>' in page.body.decode()


def test_a_quote_that_was_edited_is_changed_and_what_stands_there_now_is_shown(world: World) -> None:
    link, segment = crane(world), world.segment("harbour", "Cranes <b>.md", 100)
    world.server.owner.edit_segment(segment.segment_id, segment.text.replace("green", "red"))
    page = world.open(link)
    assert 200 == page.status
    assert "Changed since" in shown(page)
    assert "painted red" in shown(page)
    assert "<mark" not in page.body.decode()


def test_of_what_is_gone_disabled_or_no_longer_allowed_nothing_is_shown(world: World) -> None:
    link = crane(world)
    segment = world.segment("harbour", "Cranes <b>.md", 100)
    refused = [world.open(link, allowed_datasets="secret")]
    world.server.owner.enable_segment(segment.segment_id, enabled=False)
    refused.append(world.open(link))
    world.server.owner.enable_segment(segment.segment_id, enabled=True)
    world.server.owner.enable(segment.document.document_id, enabled=False)
    refused.append(world.open(link))
    world.server.owner.delete(segment.document.document_id)
    refused.append(world.open(link))
    for page in refused:
        assert 410 == page.status
        assert "No longer available" in shown(page)
        assert not re.search(r"crane|Crane|Segment 1", shown(page))


def test_an_allow_list_of_names_lets_its_own_dataset_through_in_a_process_that_listed_none(
    world: World,
) -> None:
    assert 200 == world.open(crane(world), allowed_datasets="harbour").status
    assert (
        410
        == world.open(world.quote(world.segment("secret", "Secret.md")), allowed_datasets="harbour").status
    )


def test_a_server_that_does_not_answer_is_neither_changed_nor_gone(world: World) -> None:
    link = crane(world)
    page = world.open(link, dify_api_key="dataset-wrong-key")
    assert (503, True) == (page.status, "Could not be checked" in shown(page))


def test_a_link_that_was_not_signed_here_is_the_same_404_whatever_is_wrong_with_it(world: World) -> None:
    link = crane(world)
    wrong = [
        f"{'B' if link[at] == 'A' else 'A'}".join((link[:at], link[at + 1 :])) for at in range(len(link))
    ]
    pages = [world.open(each) for each in ("", "x", *wrong[::9])]
    pages += [world.open(link, proof_key=""), world.open(link, proof_key="another-long-key-of-someone")]
    assert {(404, pages[0].body)} == {(page.status, page.body) for page in pages}
    assert [] == world.requests


def test_an_expired_link_says_so_in_the_language_of_its_question_and_asks_nobody(world: World) -> None:
    old = replace(world.segment("harbour", "Cranes <b>.md", 100), read_at=1_700_000_000.0)
    page = world.open(world.quote(old, QUOTE, "de", days=1))
    assert (404, []) == (page.status, world.requests)
    assert "abgelaufen" in shown(page)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Verified just now"),
        ("de", "Soeben geprüft"),
        ("es", "Verificado ahora mismo"),
        ("fr", "Vérifié à l’instant"),
        ("ja", "ただいま確認しました"),
        ("pt", "Conferido agora mesmo"),
        ("zh", "刚刚核实"),
    ],
)
def test_a_page_speaks_the_language_of_the_question(world: World, language: str, said: str) -> None:
    page = world.open(world.quote(world.segment("harbour", "塗装.md"), "緑色", language))
    assert said in shown(page)
    assert f'<html lang="{language}">' in page.body.decode()
    assert '<article lang="ja">' in page.body.decode()


def test_records_and_mcp_results_link_to_pages_that_open(world: World) -> None:
    asked = "What colour is the crane painted?"
    answered = world.endpoints.retrieve(body_of(asked), **world.settings)
    (first, *_) = answered.json()["records"]
    opened = world.open(first["metadata"]["proof"])
    assert "Verified just now" in shown(opened)
    call = request("tools/call", {"name": "quote", "arguments": {"query": asked}})
    settings = world.settings
    result = world.endpoints.mcp(call, mcp_headers(MCP_Protocol_Version="2025-11-25"), **settings).json()[
        "result"
    ]
    (link, *_) = [each for each in result["content"] if each["type"] == "resource_link"]
    (citation, *_) = result["structuredContent"]["citations"]
    assert link["uri"] == citation["proof"]
    assert f"\n[1]: {link['uri']}" in result["content"][0]["text"]
    assert "<mark" in world.open(link["uri"]).body.decode()
    older = world.endpoints.mcp(call, mcp_headers(MCP_Protocol_Version="2025-03-26"), **settings).json()[
        "result"
    ]
    assert ["text"] == [each["type"] for each in older["content"]]
    assert json.dumps(older["structuredContent"]).count("/proof?p=")
