"""The whole thing, on one page.

A question is understood, routed to datasets, narrowed to documents, worded anew, searched, answered and judged; when
the judge misses something, one bounded round of wider search follows. While a model reads the question, the first
documents are looked for with the user's own words.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from evidence.answer.abstention import nowhere, unproven, unsearched
from evidence.answer.aggregate import aggregate as write_answer
from evidence.answer.aggregate import gives_more
from evidence.answer.coverage import agreed, facets_of
from evidence.answer.doubting import doubted
from evidence.answer.focus import brief, focused, joined
from evidence.answer.outcome_quality import cut_short, holds_nothing, worth
from evidence.answer.reflect import as_read
from evidence.answer.reflect import reflect as judge_answer
from evidence.answer.review import Review, reviewed
from evidence.answer.verify_answer import verify_answer
from evidence.context import Context
from evidence.corpus import prefetch
from evidence.corpus.candidates import Candidates, ages, openings, renewed, tell_index
from evidence.corpus.fetch import all_datasets, pages_of, read_documents
from evidence.corpus.fetch import page_of as list_page
from evidence.corpus.reread import reread
from evidence.discover.documents import discover as find_documents
from evidence.discover.documents import rediscover, reordered, rethink
from evidence.discover.route import route as choose_datasets
from evidence.discover.route import unbounded, widened
from evidence.errors import KnowledgeError, LimitReached
from evidence.model import (
    Answer,
    Dataset,
    Document,
    Lack,
    Outcome,
    Page,
    Pool,
    Query,
    Question,
    Understanding,
    Verdict,
)
from evidence.search.boost import OPENING, PART_WEIGHT, plan_queries
from evidence.search.passages import search as find_passages
from evidence.settings import Settings
from evidence.understand.question import read_question, respelled, understand
from evidence.workers import Work

_FROM_ELSEWHERE = 3  # passages on what a judge found missing, before all others


def ask(question: Question, settings: Settings, ctx: Context) -> Outcome:
    """A cited answer, judged; with what was searched where there is none."""
    settings = settings.handing
    searched, candidates = _find(question, settings, ctx)
    outcome = _answer(searched, settings, ctx)
    if holds_nothing(outcome) and settings.limits.rounds:
        elsewhere = partial(_elsewhere, question, outcome, candidates, settings, ctx)
        outcome, candidates = ctx.interruptible(elsewhere)
    for _ in range(settings.limits.rounds):
        if outcome.verdict.status != "unsettled" or not outcome.verdict.follow_ups:
            break
        if lack := _lack(settings, ctx):
            ctx.trace.degrade(f"reflect: no {lack} was left for a second answer")
            break
        outcome = ctx.interruptible(partial(_wider, question, outcome, candidates, settings, ctx))
    again = partial(_answer_again, question, candidates=candidates, settings=settings, ctx=ctx)
    return _current(outcome, again, settings, ctx)


def _lack(settings: Settings, ctx: Context) -> str:
    """What is missing for a further answer; empty where nothing is."""
    if ctx.deadline.passed():
        return "time"
    return "model call" if _asks_model(settings, ctx) and ctx.meter.left("model_calls") < 1 else ""


def discover(question: Question, settings: Settings, ctx: Context) -> Outcome:
    """Ranked documents with reasons, at most `top_k`."""
    return _list_documents(question, settings, ctx)[0]


def boost(question: Question, settings: Settings, ctx: Context) -> Outcome:
    """At most `top_k` query variants, and keywords for single documents where a model may be asked."""
    outcome, candidates = _list_documents(question, settings, ctx)
    options = replace(settings.boost, ask_model=settings.effort != "extractive", most=settings.top_k)
    return _plan(outcome, candidates, replace(settings, boost=options), ctx)


def search(question: Question, settings: Settings, ctx: Context) -> Outcome:
    """Fused passages with their provenance, the first of them as they stand now, and no answer.

    Searched once more where none of what was found stands any longer.
    """
    first = find(question, settings, ctx)
    outcome = refresh(first, settings, ctx)
    if first.pool.passages and not outcome.pool.passages:
        return refresh(find(question, settings, ctx), settings, ctx)
    return outcome


def find(question: Question, settings: Settings, ctx: Context) -> Outcome:
    """Fused passages as they were read, up to a quarter of an hour ago."""
    return _find(question, settings, ctx)[0]


def refresh(outcome: Outcome, settings: Settings, ctx: Context) -> Outcome:
    """The first passages as they stand now: an edited text is taken, a segment that is gone is left out."""
    first = [passage.segment for passage in outcome.pool.passages[: settings.reread.passages]]
    outcome, _ = reread(first, outcome, settings.reread, ctx)
    ranked = (replace(passage, rank=rank) for rank, passage in enumerate(outcome.pool.passages, 1))
    return replace(outcome, pool=replace(outcome.pool, passages=tuple(ranked)))


def aggregate(question: Question, pool: Pool, settings: Settings, ctx: Context) -> Outcome:
    """An answer from passages handed in."""
    outcome = _answer(Outcome(question.text, understand(question), pool=pool), settings, ctx)
    return _current(outcome, lambda moved, _: _answer(moved, settings, ctx), settings, ctx)


def reflect(question: Question, answer: str, pool: Pool, settings: Settings, ctx: Context) -> Outcome:
    """The verdict on an answer handed in with its passages."""
    understanding = understand(question)
    outcome = Outcome(question.text, understanding, pool=pool)
    _, linked = verify_answer(answer, [passage.segment for passage in pool.passages], question.text)
    outcome, _ = reread((citation.quote.segment for citation in linked), outcome, settings.reread, ctx)
    claims, citations = verify_answer(answer, [p.segment for p in outcome.pool.passages], question.text)
    stated = Answer(answer, "answered", None, citations, claims)
    judged = replace(stated, facets=facets_of(understanding, stated, outcome.pool))
    options = replace(settings.reflect, ask_model=settings.effort != "extractive")
    verdict = judge_answer(understanding, judged, outcome.pool, options, ctx)
    return as_read(replace(outcome, answer=judged, verdict=replace(verdict, rounds=1)), ctx.trace.began_at)


def list_datasets(ctx: Context, names: tuple[str, ...] = ()) -> tuple[Dataset, ...]:
    """The datasets that the key and the allow-list permit; of those that are named, the ones that can be searched."""
    if not names:
        return all_datasets(ctx)
    chosen = choose_datasets(Question("", names), understand(Question("")), Settings().all_routes, ctx)
    return tuple(entry.dataset for entry in chosen.datasets)


def list_documents(
    datasets: tuple[str, ...], name: str, page: int, limit: int, settings: Settings, ctx: Context
) -> Page[Document]:
    """One page of the documents whose names hold `name`; of every dataset where none is given."""
    chosen = choose_datasets(Question("", datasets), understand(Question(name)), settings.all_routes, ctx)
    return list_page([entry.dataset for entry in chosen.datasets], name, page, limit, ctx)


def plan_ahead(outcome: Outcome, settings: Settings, ctx: Context) -> None:
    """Write on the receipt what will be read behind this answer, and the calls beside it, for earlier ones."""
    if settings.read_ahead:
        prefetch.plan(outcome.route, settings.prefetch, ctx)


def read_ahead(outcome: Outcome, settings: Settings, ctx: Context) -> None:
    """Read on behind the answer, so that the next question finds all at hand; returns at once.

    `ctx` is a context of its own: what is read here is charged to no question, and told on the next receipt.
    """
    if settings.read_ahead:
        prefetch.begin(outcome.route, settings.prefetch, ctx)


def _current(
    outcome: Outcome,
    again: Callable[[Outcome, Sequence[Document]], Outcome],
    settings: Settings,
    ctx: Context,
) -> Outcome:
    """The outcome with each quoted segment as it stands now; where one has changed, answered `again`, once.

    `again` is given the documents that changed. What changes in that moment too is answered for by the passages that
    have just been read.
    """
    for answer in (again, lambda moved, _: _of_now(moved, settings, ctx)):
        citations = outcome.answer.citations if outcome.answer else ()
        quoted = (citation.quote.segment for citation in citations)
        outcome, changed = reread(quoted, outcome, settings.reread, ctx)
        if not changed:
            break
        outcome = answer(outcome, changed)
    return as_read(outcome, ctx.trace.began_at)


def _answer_again(
    question: Question,
    outcome: Outcome,
    changed: Sequence[Document],
    candidates: Candidates,
    settings: Settings,
    ctx: Context,
) -> Outcome:
    """The answer from what the changed documents hold now; at most one more call of the model."""
    try:
        usable = [document for document in changed if document.usable]
        read_documents([(document, pages_of(document, ctx)) for document in usable], ctx)
        candidates = renewed(candidates, ctx, changed)
        read = outcome.understanding
        shortlist, candidates = rediscover(question, read, candidates, settings.discover, ctx)
        outcome = _search(replace(outcome, shortlist=shortlist), candidates, settings, ctx)
    except (LimitReached, KnowledgeError) as error:
        ctx.trace.degrade(f"reread: {error}; answered from the passages at hand")
    once = replace(settings.aggregate, drafting=replace(settings.aggregate.drafting, continuations=0))
    return _answer(
        outcome, replace(settings, aggregate=once, reflect=replace(settings.reflect, ask_model=False)), ctx
    )


def _of_now(outcome: Outcome, settings: Settings, ctx: Context) -> Outcome:
    """The answer of those passages alone that this run has read itself, in their own words."""
    fresh, more = (
        tuple(passage for passage in passages if passage.segment.read_since(ctx.trace.began_at))
        for passages in (outcome.pool.passages, outcome.pool.more)
    )
    outcome = replace(outcome, pool=replace(outcome.pool, passages=fresh, more=more))
    unasked = replace(settings.aggregate, ask_model=False)
    return _answer(
        outcome, replace(settings, aggregate=unasked, reflect=replace(settings.reflect, ask_model=False)), ctx
    )


def _list_documents(question: Question, settings: Settings, ctx: Context) -> tuple[Outcome, Candidates]:
    """Documents as a caller asks for them: so many, and in the order that a reranker makes, where there is one."""
    options = replace(settings.discover, most=settings.top_k)
    outcome, candidates = _locate(question, replace(settings, discover=options), ctx)
    if not settings.rerank:
        return outcome, candidates
    shortlist = reordered(outcome.understanding, outcome.shortlist, candidates, ctx)
    return replace(outcome, shortlist=shortlist), candidates


def _locate(question: Question, settings: Settings, ctx: Context) -> tuple[Outcome, Candidates]:
    """Understanding, route and shortlist; the model reads the question beside the first look at the documents."""
    rules = understand(question)
    reading = None
    if ctx.llm is not None and settings.reads_question:
        hints = prefetch.names_at_hand(ctx.cache)
        options = replace(settings.understand, names=hints.documents, datasets=hints.datasets)
        reading = ctx.start(lambda: read_question(question, rules, options, ctx))
    route = choose_datasets(question, rules, settings.route, ctx)
    rules = unbounded(rules, route)
    shortlist, candidates = find_documents(question, rules, route, settings.discover, ctx)
    read = _read_by_then(reading, rules, settings, ctx) if reading else rules
    if read is rules:
        read = respelled(rules, candidates.collection, ctx)
    if read is not rules:
        read = unbounded(read, route)
        shortlist, candidates = rethink(question, read, candidates, settings.discover, ctx)
    for name in shortlist.unread:
        ctx.trace.degrade(f"discover: {name}, which the question names, was not read")
    return Outcome(question.text, read, None, shortlist, route), candidates


def _read_by_then(
    reading: Work[Understanding], rules: Understanding, settings: Settings, ctx: Context
) -> Understanding:
    """The model's reading, if it comes before its share of the time is over: the answer needs the rest."""
    try:
        return reading.result(settings.reading_share * ctx.deadline.left())
    except TimeoutError:
        ctx.trace.degrade("query analysis timed out; used rules instead")
        return rules


def _plan(outcome: Outcome, candidates: Candidates, settings: Settings, ctx: Context) -> Outcome:
    beginnings = openings(candidates, outcome.shortlist, OPENING)
    plan = plan_queries(outcome.understanding, outcome.shortlist, beginnings, settings.boost, ctx)
    return replace(outcome, plan=plan)


def _find(question: Question, settings: Settings, ctx: Context) -> tuple[Outcome, Candidates]:
    outcome, candidates = _locate(question, settings, ctx)
    outcome = _search(_plan(outcome, candidates, settings, ctx), candidates, settings, ctx)
    tell_index(candidates, ctx)
    with ctx.trace.step("ages", **ages(candidates, ctx)):
        return outcome, candidates


def _search(outcome: Outcome, candidates: Candidates, settings: Settings, ctx: Context) -> Outcome:
    read, plan, shortlist = outcome.understanding, outcome.plan, outcome.shortlist
    return replace(outcome, pool=find_passages(read, plan, shortlist, candidates, settings.search, ctx))


def _answer(outcome: Outcome, settings: Settings, ctx: Context, lack: Lack | None = None) -> Outcome:
    """The answer and its verdict; from the passages alone when the limits are spent before. Raises LimitReached."""
    late = ctx.deadline.passed()
    written = partial(_write, brief(outcome, ctx) if late else outcome, settings, ctx, lack)
    try:
        return written() if late else ctx.interruptible(written)
    except LimitReached as error:
        if late and lack:
            raise
        ctx.trace.degrade(f"aggregate: {error}; answered extractively")
        plain = replace(settings, aggregate=replace(settings.aggregate, ask_model=False))
        return _answer(outcome, plain, ctx, "limit_reached")


def _write(outcome: Outcome, settings: Settings, ctx: Context, lack: Lack | None = None) -> Outcome:
    """The answer and its verdict; `lack` is what it lacks from the start. Raises LimitReached."""
    understanding, (pool, shortlist) = outcome.understanding, focused(outcome)
    answer = write_answer(understanding, pool, shortlist, settings.aggregate, ctx)
    if lack and answer.reason in {None, "no_evidence"}:
        answer = unproven(answer, lack)
    if cut_short(answer, outcome, ctx):
        answer = unproven(answer, "limit_reached")
    if outcome.route.verdict == "nothing_fits" and not outcome.route.datasets:
        answer = unsearched(answer, understanding)
    verdict = _judge(outcome, answer, settings, ctx)
    answer = doubted(understanding, agreed(answer, verdict), verdict)
    return replace(outcome, answer=answer, verdict=verdict)


def _judge(outcome: Outcome, answer: Answer, settings: Settings, ctx: Context) -> Verdict:
    try:
        verdict = judge_answer(outcome.understanding, answer, outcome.pool, settings.reflect, ctx)
    except LimitReached as error:
        ctx.trace.degrade(f"reflect: {error}")
        return Verdict("unknown", rounds=outcome.verdict.rounds + 1, reason=str(error))
    return replace(verdict, rounds=outcome.verdict.rounds + 1)


def _elsewhere(
    question: Question, outcome: Outcome, candidates: Candidates, settings: Settings, ctx: Context
) -> tuple[Outcome, Candidates]:
    """One new route, where the first one held nothing; the first outcome if that finds nothing either."""
    try:
        route = widened(outcome.route, question, outcome.understanding, settings.route, ctx)
        if not route.datasets:
            return outcome, candidates
        shortlist, other = find_documents(question, outcome.understanding, route, settings.discover, ctx)
        moved = replace(outcome, route=route, shortlist=shortlist)
        pool = find_passages(moved.understanding, moved.plan, shortlist, other, settings.search, ctx)
        second = _answer(replace(moved, pool=pool), settings, ctx)
    except (LimitReached, KnowledgeError) as error:
        ctx.trace.degrade(f"route: {error}; the other datasets were not searched")
        lack: Lack = "limit_reached" if isinstance(error, LimitReached) else "knowledge_unavailable"
        return replace(outcome, answer=outcome.answer and unproven(outcome.answer, lack)), candidates
    both = replace(route, datasets=(*outcome.route.datasets, *route.datasets))
    if holds_nothing(second):
        return nowhere(replace(outcome, route=both), second), candidates
    return replace(second, route=both), other


def _wider(
    question: Question, outcome: Outcome, candidates: Candidates, settings: Settings, ctx: Context
) -> Outcome:
    """One more round with what is missing asked for by itself; the better of both answers stays.

    A model is told what was wrong with its first answer. It is not asked again where nothing was, and where it would
    be given no passage that it has not seen.
    """
    extra = (Query(text, "follow_up", PART_WEIGHT) for text in outcome.verdict.follow_ups)
    plan = replace(outcome.plan, queries=(*outcome.plan.queries, *extra))
    options = replace(settings.search, top_k=settings.search.top_k * 2)
    try:
        wider = _search(replace(outcome, plan=plan), candidates, replace(settings, search=options), ctx)
        if outcome.verdict.missing:
            wider = _with_missing(question, wider, settings, ctx)
        review = reviewed(outcome.answer, outcome.verdict) if outcome.answer else Review()
        if _asks_model(settings, ctx) and not review.faults and not _sees_more(wider, outcome, settings):
            return replace(outcome, verdict=replace(outcome.verdict, follow_ups=()))
        reviewing = replace(settings, aggregate=replace(settings.aggregate, review=review.text))
        second = _write(wider, reviewing, ctx)
    except LimitReached as error:
        ctx.trace.degrade(f"reflect: {error}; kept the first answer")
        return outcome
    rounds = replace(outcome.verdict, rounds=second.verdict.rounds, follow_ups=())
    return second if worth(second) > worth(outcome) else replace(outcome, verdict=rounds)


def _with_missing(question: Question, outcome: Outcome, settings: Settings, ctx: Context) -> Outcome:
    """The outcome with passages on what a judge missed: of datasets not asked before, else of what was not read."""
    part = "; ".join(outcome.verdict.missing)
    read = replace(outcome.understanding, text=part, intent="lookup", topic="", facets=(), core="")
    try:
        route = widened(outcome.route, question, read, settings.route, ctx)
        further = route if route.datasets else outcome.route
        shortlist, candidates = find_documents(question, read, further, settings.discover, ctx)
        pool = find_passages(read, outcome.plan, shortlist, candidates, settings.search, ctx)
    except (LimitReached, KnowledgeError) as error:
        ctx.trace.degrade(f"reflect: {error}; what is missing was not looked for elsewhere")
        return outcome
    both = replace(outcome.route, datasets=(*outcome.route.datasets, *route.datasets))
    return replace(outcome, route=both, pool=joined(pool, outcome.pool, _FROM_ELSEWHERE))


def _asks_model(settings: Settings, ctx: Context) -> bool:
    return settings.aggregate.ask_model and ctx.llm is not None


def _sees_more(second: Outcome, first: Outcome, settings: Settings) -> bool:
    pools = (focused(first)[0], focused(second)[0])
    return gives_more(second.understanding, *pools, second.shortlist, settings.aggregate)
