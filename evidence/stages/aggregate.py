"""From passages to an answer: by a model whose every quote is looked up, or from the sentences themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from evidence.answers import comparison
from evidence.answers.composing import Cells, Found, Statement, verbatim
from evidence.answers.drafts import ComparisonDraft, Draft, DraftSentence, leaning, placed
from evidence.answers.extracting import extract
from evidence.answers.finishing import finish, refused
from evidence.answers.judging import parts
from evidence.answers.phrases import language_name, opening
from evidence.answers.weighing import prior
from evidence.context import Context
from evidence.errors import LimitReached, ModelError, ModelUnavailable, UnusableReply
from evidence.model import Answer, Document, Intent, Passage, Pool, Prompt, Segment, Shortlist, Understanding
from evidence.ports import LLM
from evidence.prompts import render
from evidence.text.fence import fenced, opaque_keys, suspicious
from evidence.text.replies import read
from evidence.text.tokens import fill

TASKS: Mapping[Intent, str] = {
    "lookup": "Quote the clause that answers, then say in one sentence what it says.",
    "list_all": "List every item that the passages hold: one short sentence for each, none twice.",
    "compare": "Say what each document says.",
    "summarise": "Summarise what the passages say about it in four to six sentences.",
    "yes_no": 'Set "verdict": "yes" or "no" only if a quote decides it, else "not_stated".',
    "define": "Quote the definition whole, then say in one sentence what it means.",
}
_SWEPT = frozenset[Intent](
    {"list_all", "summarise", "compare"}
)  # more passages are shown for these, as far as they fit
_HEADER_TOKENS = 30  # what key, name and fence of a passage take
_MOST = 20  # passages that headers are reckoned for
_ASKED_AGAIN = "aggregate: the model's reply could not be read; it was asked once more"
_AGAIN = (
    "Your last reply could not be used: {}. Reply again with the JSON object described above and nothing else: no "
    "other text, no code fence, every bracket closed, at most six sentences."
)
_MODEL_FAILED = "aggregate: the model could not be used ({}); the answer is made of quotes alone"
_UNPROVEN = "aggregate: a sentence of the model had no proven quote and is not shown"
_REPAIRED = "aggregate: a sentence said more than its quotes; the quotes are shown instead"
_SUSPICIOUS = "{}, segment {}: looks like an instruction to a model; treated as data"


@dataclass(frozen=True, slots=True)
class AggregateOptions:
    """`passage_tokens` and `answer_tokens` bound one prompt and its reply; `repair` replaces a sentence that
    says more than its quotes by the quotes; `instructions` is domain guidance from the caller."""

    ask_model: bool = True
    passage_tokens: int = 3_500
    answer_tokens: int = 900
    repair: bool = False
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a prompt holds: the passages by their key, their fenced text, and what fences it."""

    segments: Mapping[str, Segment]
    text: str
    boundary: str

    @property
    def all(self) -> tuple[Segment, ...]:
        return tuple(self.segments.values())


def aggregate(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, options: AggregateOptions, ctx: Context
) -> Answer:
    """The answer, every quote of it a span of a passage in the pool. Raises LimitReached."""
    with ctx.trace.step("aggregate", intent=understanding.intent, passages=len(pool.passages)) as step:
        answer = refused(understanding, pool, shortlist)
        if answer is None:
            _flag(pool, ctx)
            answer = _answered(understanding, pool, shortlist, options, ctx)
        step.facts.update(status=answer.status, quotes=len(answer.citations))
        return answer


def _answered(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, options: AggregateOptions, ctx: Context
) -> Answer:
    failed = False
    if options.ask_model and ctx.llm is not None:
        try:
            found = _asked(understanding, pool, shortlist, options, ctx)
            if (
                found.dropped and not found.statements and not found.cells
            ):  # the documents speak for themselves
                found = replace(extract(understanding, pool, shortlist), dropped=found.dropped)
            return finish(understanding, pool, shortlist, found)
        except ModelError as error:
            failed = True
            ctx.trace.degrade(_MODEL_FAILED.format(type(error).__name__))
    answer = finish(understanding, pool, shortlist, extract(understanding, pool, shortlist))
    if failed and answer.status == "not_found":
        return replace(answer, reason="model_unavailable")
    return answer


def _flag(pool: Pool, ctx: Context) -> None:
    for passage in pool.passages:
        segment = passage.segment
        if suspicious(segment.text) or suspicious(segment.question):
            ctx.trace.degrade(_SUSPICIOUS.format(segment.document.name, segment.position))


# --- with a model ------------------------------------------------------------------------------------------


def _asked(
    understanding: Understanding,
    pool: Pool,
    shortlist: Shortlist,
    options: AggregateOptions,
    ctx: Context,
) -> Found:
    """What the model says, as far as it is proven. Raises ModelError."""
    if ctx.llm is None:
        raise ModelUnavailable("no model is configured")
    documents = comparison.compared(shortlist, pool)
    shown = _shown(understanding, pool, documents, options.passage_tokens)
    prompt = _prompt(understanding, shown, options)
    if understanding.intent == "compare":
        drafted = _reply(prompt, ComparisonDraft, options, ctx.llm, ctx)
        cells = _cells(drafted, documents, shown, options, ctx)
        said, dropped = _proven(drafted.sentences, shown, options, ctx)
        told, untold = _differences(drafted, cells, ctx)
        said, dropped = (*said, *told), (*dropped, *untold)
        return Found(said, dropped, cells, comparison.points(understanding), by_model=True)
    draft = _reply(prompt, Draft, options, ctx.llm, ctx)
    said, dropped = _proven(draft.sentences, shown, options, ctx)
    whole = draft.status.strip().lower() in ("answered", "")
    missing = tuple(draft.missing) or (() if whole else tuple(range(1, len(parts(understanding)) + 1)))
    return Found(said, dropped, verdict=_verdict(draft, said), missing=missing, by_model=True)


def _reply[T: BaseModel](
    prompt: Prompt, shape: type[T], options: AggregateOptions, llm: LLM, ctx: Context
) -> T:
    """The reply as a shape; one that cannot be used is asked for once more, where a call is left."""
    try:
        return read(llm.complete(prompt, options.answer_tokens).text, shape)
    except UnusableReply as error:
        if ctx.meter.left("model_calls") < 1:
            raise
        ctx.trace.degrade(_ASKED_AGAIN)
        again = replace(prompt, user=f"{prompt.user}\n\n{_AGAIN.format(error)}")
    try:
        return read(llm.complete(again, options.answer_tokens).text, shape)
    except LimitReached as error:
        raise UnusableReply(f"no second reply: {error}") from error


def _prompt(understanding: Understanding, shown: _Shown, options: AggregateOptions) -> Prompt:
    values = {
        "language": language_name(understanding.text),
        "passages": shown.text,
        "boundary": shown.boundary,
        "instructions": options.instructions,
        "question": understanding.text,
        "parts": "\n".join(f"{number}. {part}" for number, part in enumerate(_asked_parts(understanding), 1)),
    }
    if understanding.intent == "compare":
        return render("compare", **values)
    return render("aggregate", task=TASKS[understanding.intent], **values)


def _asked_parts(understanding: Understanding) -> tuple[str, ...]:
    return comparison.points(understanding) if understanding.intent == "compare" else parts(understanding)


def _shown(understanding: Understanding, pool: Pool, documents: Sequence[Document], budget: int) -> _Shown:
    """The passages worth most that fit, in reading order, the best document first."""
    passages = (*pool.passages, *pool.more) if understanding.intent in _SWEPT else pool.passages
    texts = [f"{each.segment.question}\n{each.segment.text}" for each in passages]
    values = _values(passages, fair=understanding.intent == "compare")
    room = max(budget - _HEADER_TOKENS * min(len(texts), _MOST), budget // 2)
    chosen = [passages[index] for index in fill(list(zip(texts, values, strict=True)), room)]
    order = {document: place for place, document in enumerate(documents)}
    places = {each.segment.document: place for place, each in reversed(list(enumerate(passages)))}
    chosen.sort(
        key=lambda each: (
            order.get(each.segment.document, len(order) + places[each.segment.document]),
            each.segment.position,
        )
    )
    keyed = dict(zip(opaque_keys(len(chosen)), (each.segment for each in chosen), strict=True))
    heads = {document: f"D{order[document] + 1} · " for document in order}
    fence = fenced([(key, _header(segment, heads), segment.text) for key, segment in keyed.items()])
    return _Shown(keyed, fence.text, fence.boundary)


def _values(passages: Sequence[Passage], *, fair: bool) -> list[float]:
    """The worth of each passage by its place; when documents are compared, by its place in its own document."""
    seen: dict[Document, int] = {}
    values = []
    for place, passage in enumerate(passages):
        own = seen.get(passage.segment.document, 0)
        seen[passage.segment.document] = own + 1
        values.append(prior(own if fair else place) * (0.3 if passage.context else 1.0))
    return values


def _header(segment: Segment, heads: Mapping[Document, str]) -> str:
    asked = f" · answers: {segment.question}" if segment.question else ""
    return f"{heads.get(segment.document, '')}{segment.document.name} · segment {segment.position}{asked}"


def _proven(
    drafts: Sequence[DraftSentence], shown: _Shown, options: AggregateOptions, ctx: Context
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The sentences that lean on a proven quote, and those that lean on nothing."""
    said: dict[Statement, None] = {}
    dropped: dict[Statement, None] = {}
    for draft in drafts:
        for statement in _placed(draft, shown, shown.all, options, ctx):
            (said if statement.quotes else dropped)[statement] = None
    if dropped:
        ctx.trace.degrade(_UNPROVEN)
    return tuple(said), tuple(dropped)


def _placed(
    draft: DraftSentence, shown: _Shown, among: Sequence[Segment], options: AggregateOptions, ctx: Context
) -> tuple[Statement, ...]:
    statement, faults = placed(draft, shown.segments, among)
    for fault in faults:
        ctx.trace.degrade(fault)
    if not statement.text and not statement.quotes:
        return ()
    if not statement.text or (statement.missing and options.repair):
        if statement.missing:
            ctx.trace.degrade(_REPAIRED)
        return tuple(verbatim(quote, statement.part) for quote in statement.quotes)
    return (statement,)


def _cells(
    draft: ComparisonDraft,
    documents: Sequence[Document],
    shown: _Shown,
    options: AggregateOptions,
    ctx: Context,
) -> Cells:
    """The cells that stand on a quote of their own document."""
    cells: dict[tuple[str, int], tuple[Statement, ...]] = {}
    for cell in draft.cells:
        if not 1 <= cell.document <= len(documents):
            continue
        document = documents[cell.document - 1]
        own = [segment for segment in shown.all if segment.document == document]
        proven = [each for each in _placed(cell, shown, own, options, ctx) if each.quotes]
        key = (document.document_id, cell.part or 1)
        cells[key] = (*cells.get(key, ()), *proven)
    return {key: statements for key, statements in cells.items() if statements}


def _differences(
    draft: ComparisonDraft, cells: Cells, ctx: Context
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The sentences on how the documents differ: those that say nothing but what the cells' quotes hold, the rest."""
    quotes = tuple(
        dict.fromkeys(quote for key in cells for statement in cells[key] for quote in statement.quotes)
    )
    told = [leaning(each, quotes) for each in draft.differences if each.strip()]
    if any(not each.supported for each in told):
        ctx.trace.degrade(_UNPROVEN)
    return tuple(e for e in told if e.supported), tuple(e for e in told if not e.supported)


def _verdict(draft: Draft, said: Sequence[Statement]) -> str:
    """Yes or no only on a sentence that is proven whole."""
    verdict = draft.verdict.strip().lower().replace(" ", "_")
    if verdict not in ("yes", "no", "not_stated"):
        verdict = opening(said[0].text)[0] if said else ""
    return verdict if any(each.supported for each in said) else "not_stated"
