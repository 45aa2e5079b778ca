"""The page of an answer: what is shown, that nothing in it runs, and that it says what goes on while it is asked."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

import httpx
import pytest

from standalone.daemon import PluginError, ToolResult
from standalone.http_server import HttpServer
from standalone.page.answer import Shown, page
from standalone.page.trying import TryPage

SEGMENT = "# 8. Rent <b>now</b>\n\nThe rent is 903 coins. It is due on Monday."
QUOTE = "The rent is 903 coins."


def citation(marker: int, name: str = "Lease.md", **more: Any) -> dict[str, Any]:
    place = {"dataset_name": "leases", "document_name": name, "segment_id": "s1", "position": 4}
    start = SEGMENT.index(QUOTE)
    read = {"read_at": "2026-11-22T08:00:00Z", "freshness": "verified", "proof": None}
    return {
        "marker": marker,
        "quote": QUOTE,
        "start": start,
        "end": start + len(QUOTE),
        **place,
        **read,
        **more,
    }


def result(answer: str = "Nine hundred and three coins [1].", **more: Any) -> dict[str, Any]:
    step = {"name": "knowledge.segments", "began": 0.1, "seconds": 0.2, "facts": {}}
    spent = {
        "seconds": 0.5,
        "knowledge_calls": 3,
        "model_calls": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
    }
    claim = {"text": "Nine hundred and three coins.", "markers": [1], "supported": True, "shown": True}
    return {
        "question": "What is the rent?",
        "status": "answered",
        "reason": None,
        "answer": answer,
        "citations": [citation(1)],
        "claims": [claim],
        "facets": [],
        "documents": [],
        "passages": [{"segment_id": "s1", "text": SEGMENT}],
        "verdict": {"status": "settled", "grounding": 1.0, "completeness": 1.0, "consistency": 1.0},
        "degraded": [],
        "ask_back": "",
        "receipt": {**spent, "steps": [step]},
    } | more


def html(value: dict[str, Any], question: str = "What is the rent?", *, form: bool = False) -> str:
    return "".join(page(question, lambda: Shown(value), form=form))


def shown(written: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", written.partition("<body")[2])).split())


def test_a_marker_leads_to_the_quote_in_its_segment_and_the_sentence_that_leans_on_it() -> None:
    written = html(result())
    assert '<a class="marker" href="#c1">[1]</a>' in written
    assert f'<mark id="c1">{QUOTE}</mark> It is due on Monday.' in written
    for expected in (
        "Answered",
        "[1] Lease.md leases · segment 4 · Rent <b>now</b> · read 2026-11-22 08:00 UTC",
        "The answer says Nine hundred and three coins.",
        "0.50 s · 3 knowledge calls",
        "knowledge.segments 200",
    ):
        assert expected in shown(written)


def test_a_page_that_is_sent_to_a_colleague_needs_and_runs_nothing() -> None:
    written = html(result())
    assert not re.search(r"<script|<form|https?:|url\(|@import|\son\w+=|\sstyle=", written)
    assert "default-src &#39;none&#39;" in written
    assert "<form" in html(result(), form=True)


HOSTILE = (
    '<script>alert(1)</script><img src=x onerror="alert(1)"> [link](javascript:alert(1)) ![i](http://x/i.png)'
)


def test_nothing_that_anybody_wrote_becomes_html() -> None:
    named = citation(1, f"{HOSTILE}.md", dataset_name=HOSTILE)
    claim = {"text": HOSTILE, "markers": [1], "supported": True, "shown": True}
    value = result(f"{HOSTILE} [1]", citations=[named], claims=[claim], degraded=[HOSTILE])
    written = html(value | {"passages": [{"segment_id": "s1", "text": SEGMENT}]}, HOSTILE, form=True)
    assert not re.search(r'<script|<img|(?:href|src)="(?!#|data:,")', written)
    assert 6 <= written.count("&lt;script&gt;alert(1)")


def test_quotes_that_contradict_each_other_stand_side_by_side() -> None:
    answer = "They differ:\n\n> 903 coins. [1]\n\n— Lease.md\n\n> 175 coins. [2]\n\n— Lease 2026.md\n\nAsk somebody."
    both = [citation(1), citation(2, "Lease 2026.md")]
    facets = [{"status": "contradicted", "markers": [1, 2]}]
    (sides,) = re.findall(
        r'<div class="sides".*?</div></div>', html(result(answer, citations=both, facets=facets)), re.DOTALL
    )
    assert 2 == sides.count("<blockquote>")
    assert "— Lease.md" in sides.partition("175")[0]
    assert "Ask somebody" not in sides
    assert "sides" not in html(result(answer, citations=both)).partition("<body")[2]


def test_a_comparison_is_a_table_whose_cells_lead_to_their_quotes() -> None:
    written = html(result("| Document | rent |\n| --- | --- |\n| Lease.md | 903 [1] |"))
    assert re.search(r'<td>903 <a class="marker" href="#c1">\[1\]</a></td>', written)


def test_what_is_not_found_is_said_by_its_parts_with_the_closest_documents() -> None:
    parts = [
        {"question": f"What is the {what}?", "status": "missing", "markers": []} for what in ("rent", "fee")
    ]
    near = [{"document_name": "Mill%20%E2%80%AElease.md", "dataset_name": "leases", "why": ["name: 0.4"]}]
    text = shown(html(result("Not found.", status="not_found", citations=[], facets=parts, documents=near)))
    for expected in ("What is the fee?: missing", "Closest documents: Mill lease.md (leases) : name: 0.4"):
        assert expected.replace(" :", ":") in text


def test_links_to_proofs_stand_with_the_citation_and_the_answer_leads_there_first() -> None:
    url = "http://127.0.0.1:1/e/local/proof?p=x#q"
    value = result(f"Coins [[1]][p1].\n\n[p1]: {url}", citations=[citation(1, proof=url)])
    written = html(value)
    assert 1 == written.count("/e/local/proof")
    assert '<a class="marker" href="#c1">[1]</a>' in written


ANSWERED = ToolResult(({"type": "json", "message": {"json_object": result()}},))


@contextmanager
def served(ask: Any) -> Iterator[str]:
    server = HttpServer(TryPage(ask, ("What is the rent?",)))
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.close()


def test_the_page_says_that_it_reads_before_the_answer_is_there() -> None:
    with served(lambda question: ANSWERED) as url:
        assert "What is the rent?" in shown(httpx.get(url).text)
        with httpx.stream("GET", url, params={"q": "What is the rent?"}) as answer:
            first, *others = list(answer.iter_text())
    assert ("Reading the documents" in first, "Nine hundred" in first) == (True, False)
    assert "Nine hundred and three coins" in "".join(others)


def test_a_failure_is_told_on_the_page() -> None:
    def fails(_question: str) -> ToolResult:
        raise PluginError("InvokeBadRequestError", "the key was refused")

    with served(fails) as url:
        text = shown(httpx.get(url, params={"q": "What?"}).text)
    assert "Failed" in text
    assert "the key was refused" in text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example"])
def test_a_name_that_leads_here_from_elsewhere_is_refused(host: str) -> None:
    with served(lambda question: ANSWERED) as url:
        assert 421 == httpx.get(url, headers={"Host": host}).status_code
