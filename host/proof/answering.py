"""`GET /proof`: a signed link in, the page of what stands behind it now out. A link that was not signed is a 404."""

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from evidence.corpus.recheck import CALLS, Place, recheck
from evidence.errors import EvidenceError
from evidence.knowledge.allow_list import is_id
from evidence.knowledge.port import AGENT
from evidence.model import Document
from evidence.settings import Settings
from host.boundary import boundary
from host.proof.links import Link, NotALink, Signer
from host.proof.settings import signer_of
from host.view.proof import HEADERS, notice_page, proof_page
from host.web import EndpointFailure, HttpAnswer, HttpRequest
from host.wiring import Caller, allow_list, open_context

_SECONDS = 20.0
_LISTING = 20  # calls more, where names on the allow-list have to be listed first
_PAGES = 60  # calls more for a document of an agent knowledge base, which is paged by cursors
_STATUS = {"verified": 200, "changed": 200, "gone": 410}


def answer_proof(request: HttpRequest, settings: Mapping[str, Any]) -> HttpAnswer:
    """Always a page; nothing of a document is on one whose link this endpoint has not signed."""
    try:
        with boundary(EndpointFailure):
            return _answer(request.query.get("p", ""), settings)
    except EndpointFailure:
        return _page(503, notice_page("unread"))


def _answer(signed: str, settings: Mapping[str, Any]) -> HttpAnswer:
    try:
        signer = signer_of(settings)
        link = signer.opened(signed) if signer else None
    except NotALink:
        link = None
    if signer is None or link is None:
        return _page(404, notice_page("unknown"))
    now = time.time()
    if link.expired(now):
        return _page(404, notice_page("expired", link.language))
    ctx = open_context(Caller(settings), _options(settings))
    if AGENT + link.dataset_id in ctx.unlisted:
        link = replace(link, dataset_id=AGENT + link.dataset_id)
        ctx = open_context(Caller(settings), _options(settings, _PAGES))
    try:
        rechecked = ctx.ending(partial(recheck, _place(link, signer), ctx))
    except EvidenceError:
        return _page(503, notice_page("unread", link.language))
    return _page(_STATUS[rechecked.state], proof_page(rechecked, link, now))


def _place(link: Link, signer: Signer) -> Place:
    document = Document(link.dataset_id, link.document_id, "")
    return Place(
        document,
        link.segment_id,
        link.position,
        link.span,
        lambda words: signer.code_of(words) == link.words,
    )


def _options(settings: Mapping[str, Any], pages: int = 0) -> Settings:
    options = Settings.of("extractive", seconds=_SECONDS)
    more = 0 if all(map(is_id, allow_list(settings))) else _LISTING
    limits = replace(options.limits, knowledge_calls=CALLS + more + pages, retrieves=0)
    return replace(options, limits=limits, rerank=False)


def _page(status: int, page: str) -> HttpAnswer:
    return HttpAnswer(status, page.encode(), HEADERS)
