"""From passages to an answer: by a model whose every quote is looked up, or from the sentences themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidence.answer import comparison
from evidence.answer.assemble import finish, refused
from evidence.answer.compose import Cells, Findings, Statement, verbatim
from evidence.answer.coverage import parts
from evidence.answer.drafting import DraftOptions, drafted
from evidence.answer.extract import extract
from evidence.answer.focus import SURE
from evidence.answer.model_reply import ComparisonDraft, Draft, DraftSentence, leaning, placed
from evidence.answer.phrases import language_name, opening
from evidence.answer.select_sentences import items
from evidence.answer.sentence_scoring import prior
from evidence.context import Context
from evidence.errors import ModelError
from evidence.index.versions import version_notes
from evidence.language.terms import terms
from evidence.language.tokens import fill
from evidence.llm.fence import fenced, opaque_keys, suspicious
from evidence.llm.prompts import render
from evidence.model import (
    Answer,
    Document,
    Intent,
    Passage,
    Pool,
    Prompt,
    Segment,
    Shortlist,
    Understanding,
)

TASKS: Mapping[Intent, str] = {
    "lookup": "Answer in one or two sentences, the direct answer first.",
    "list_all": "List every item that the passages hold: one short sentence for each, none twice.",
    "compare": "Say what each document says.",
    "summarise": "Summarise what the passages say about it in four to six sentences.",
    "yes_no": 'Set "verdict": "yes" or "no" only if a quote decides it, else "not_stated".',
    "define": "Say in one sentence what it means, and quote the definition whole.",
}
_SWEPT = frozenset[Intent](
    {"list_all", "summarise", "compare"}
)  # more passages are shown for these, as far as they fit
_HEADER_TOKENS = 30  # what key, name and fence of a passage take
_FAR = 0.3  # of the best score, which a document must reach that a list or a summary is made of
_MOST = 20  # passages that headers are reckoned for
_MODEL_FAILED = "aggregate: the model could not be used ({}); the answer is made of quotes alone"
_UNPROVEN = "aggregate: dropped a sentence of the model without a verified quote"
_UNREAD = "aggregate: no passage of {} fitted into the prompt"
_LEFT_OUT = "aggregate: {} passages that may hold more did not fit into the prompt"
_SUSPICIOUS = "{}, segment {}: looks like an instruction to a model; treated as data"


@dataclass(frozen=True, slots=True)
class AggregateOptions:
    """`passage_tokens` bound the passages of a prompt; a list, a summary or a comparison may be twice as long as
    `drafting` says. `instructions` is domain guidance from the caller; `review` tells the model what was wrong with the
    last answer."""

    ask_model: bool = True
    passage_tokens: int = 3_500
    drafting: DraftOptions = DraftOptions()
    instructions: str = ""
    review: str = ""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The passages of a prompt by their key, their fenced text, the boundary that fences it, and the question.

    `left_out` passages did not fit: of a list those that hold items of it, as far as rules can tell; of a summary
    those of the document that it is of.
    """

    segments: Mapping[str, Segment]
    text: str
    boundary: str
    question: str
    left_out: int = 0

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
            _warn_of_instructions(pool, ctx)
            answer = _answer_of(understanding, pool, shortlist, options, ctx)
        step.facts.update(status=answer.status, quotes=len(answer.citations))
        return answer


def gives_more(
    understanding: Understanding, before: Pool, after: Pool, shortlist: Shortlist, options: AggregateOptions
) -> bool:
    """Whether a model would be given a passage of the second pool that it was not given of the first."""
    known, given = (
        {*_passages_for_prompt(understanding, pool, shortlist, options).all} for pool in (before, after)
    )
    return bool(given - known)


def _answer_of(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, options: AggregateOptions, ctx: Context
) -> Answer:
    failed = False
    if options.ask_model and ctx.llm is not None:
        try:
            findings = _model_findings(understanding, pool, shortlist, options, ctx)
            if (
                findings.dropped and not findings.statements and not findings.cells
            ):  # the documents speak for themselves
                findings = replace(extract(understanding, pool, shortlist), dropped=findings.dropped)
            return finish(understanding, pool, shortlist, findings)
        except ModelError as error:
            failed = True
            ctx.trace.degrade(_MODEL_FAILED.format(type(error).__name__))
    answer = finish(understanding, pool, shortlist, extract(understanding, pool, shortlist))
    if failed and answer.reason in {None, "no_evidence"}:
        return replace(answer, reason="model_unavailable")
    return answer


def _warn_of_instructions(pool: Pool, ctx: Context) -> None:
    for passage in pool.passages:
        segment = passage.segment
        if suspicious(segment.text) or suspicious(segment.question):
            ctx.trace.degrade(_SUSPICIOUS.format(segment.document.name, segment.position))


# --- with a model ------------------------------------------------------------------------------------------


def _model_findings(
    understanding: Understanding,
    pool: Pool,
    shortlist: Shortlist,
    options: AggregateOptions,
    ctx: Context,
) -> Findings:
    """The findings of a model, as far as its quotes prove them. Raises ModelError."""
    documents = comparison.compared(shortlist, pool)
    shown = _passages_for_prompt(understanding, pool, shortlist, options)
    prompt = _prompt(understanding, shown, options)
    drafting = options.drafting
    if understanding.intent in _SWEPT:
        drafting = replace(drafting, answer_tokens=2 * drafting.answer_tokens)
    if understanding.intent == "compare":
        compared = drafted(prompt, ComparisonDraft, drafting, ctx)
        findings = _comparison_findings(understanding, compared.value, pool, documents, shown, ctx)
        return replace(findings, cut_off=compared.truncated)
    reply = drafted(prompt, Draft, drafting, ctx)
    findings = _answer_findings(understanding, reply.value, shown, ctx)
    if shown.left_out:
        ctx.trace.degrade(_LEFT_OUT.format(shown.left_out))
    silent = not (findings.statements or findings.dropped)
    lost = shown.left_out > 0 and (understanding.intent in _SWEPT or silent)
    return replace(findings, cut_off=reply.truncated or lost)


def _answer_findings(understanding: Understanding, draft: Draft, shown: _Shown, ctx: Context) -> Findings:
    proven, dropped = _split_by_proof(draft.sentences, shown, ctx)
    verdict = _verdict(understanding, draft, proven)
    complete = draft.status.strip().lower() in ("answered", "") and verdict != "open"
    missing = tuple(draft.missing) or (() if complete else tuple(range(1, len(parts(understanding)) + 1)))
    return Findings(proven, dropped, verdict=verdict, missing=missing, by_model=True)


def _comparison_findings(
    understanding: Understanding,
    draft: ComparisonDraft,
    pool: Pool,
    documents: Sequence[Document],
    shown: _Shown,
    ctx: Context,
) -> Findings:
    cells, lost = _cells(draft, documents, shown, ctx)
    proven, dropped = _split_by_proof(draft.sentences, shown, ctx)
    differences, unproven = _differences(draft, cells, ctx)
    points = comparison.points(understanding)
    ranked = {passage.segment.document for passage in pool.ranked}
    unread = ranked & {*documents} - {segment.document for segment in shown.all}
    if unread:
        ctx.trace.degrade(
            _UNREAD.format("; ".join(document.name for document in documents if document in unread))
        )
    gaps = {(d.document_id, part): "cell_unread" for d in unread for part in range(1, len(points) + 1)}
    gaps |= dict.fromkeys(lost.keys() - cells.keys(), "cell_unproven")
    dropped = (*dropped, *unproven, *(statement for cell in lost.values() for statement in cell))
    return Findings((*proven, *differences), dropped, cells, points, by_model=True, gaps=gaps)


def _prompt(understanding: Understanding, shown: _Shown, options: AggregateOptions) -> Prompt:
    values = {
        "language": language_name(understanding.text),
        "passages": shown.text,
        "boundary": shown.boundary,
        "instructions": options.instructions,
        "question": understanding.text,
        "parts": "\n".join(f"{number}. {part}" for number, part in enumerate(_points(understanding), 1)),
    }
    if understanding.intent == "compare":
        prompt = render("compare", **values)
    else:
        prompt = render("aggregate", task=TASKS[understanding.intent], **values)
    return replace(prompt, user=f"{prompt.user}\n\n{options.review}") if options.review else prompt


def _points(understanding: Understanding) -> tuple[str, ...]:
    return comparison.points(understanding) if understanding.intent == "compare" else parts(understanding)


def _passages_for_prompt(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, options: AggregateOptions
) -> _Shown:
    """The passages worth most that fit, in reading order, the best document first; items of a list before all."""
    documents, budget = comparison.compared(shortlist, pool), options.passage_tokens
    question = understanding.topic or understanding.text
    swept = understanding.intent in _SWEPT
    passages = _of_likely(pool.ranked, documents, understanding.intent) if swept else pool.passages
    listed = items(question, passages) if understanding.intent == "list_all" else ()
    first = frozenset(quote.segment for quotes in listed for quote in quotes)
    texts = [f"{passage.segment.question}\n{passage.segment.text}" for passage in passages]
    worth = _values(passages, fair=understanding.intent == "compare")
    values = [value + (passage.segment in first) for passage, value in zip(passages, worth, strict=True)]
    room = max(budget - _HEADER_TOKENS * min(len(texts), _MOST), budget // 2)
    chosen = [passages[index] for index in fill(list(zip(texts, values, strict=True)), room)]
    order = {document: place for place, document in enumerate(documents)}
    places = {passage.segment.document: place for place, passage in reversed(list(enumerate(passages)))}
    chosen.sort(
        key=lambda passage: (
            order.get(passage.segment.document, len(order) + places[passage.segment.document]),
            passage.segment.position,
        )
    )
    keyed = dict(zip(opaque_keys(len(chosen)), (passage.segment for passage in chosen), strict=True))
    heads = {document: f"D{order[document] + 1} · " for document in order}
    notes = version_notes([entry.document for entry in shortlist.documents])
    fence = fenced([(key, _header(segment, heads, notes), segment.text) for key, segment in keyed.items()])
    given = {*keyed.values()}
    unseen = {quotes[0].segment for quotes in listed if not {quote.segment for quote in quotes} & given}
    of_one = understanding.intent == "summarise" and shortlist.named >= SURE
    if of_one or understanding.intent not in _SWEPT:
        unseen = {passage.segment for passage in passages} - given
    return _Shown(keyed, fence.text, fence.boundary, understanding.text, len(unseen))


def _values(passages: Sequence[Passage], *, fair: bool) -> list[float]:
    """The worth of each passage by its place; when documents are compared, by its place in its own document."""
    seen: dict[Document, int] = {}
    values = []
    for place, passage in enumerate(passages):
        own = seen.get(passage.segment.document, 0)
        seen[passage.segment.document] = own + 1
        values.append(prior(own if fair else place))
    return values


def _of_likely(ranked: Sequence[Passage], documents: Sequence[Document], intent: Intent) -> Sequence[Passage]:
    """The passages of documents that are compared, or whose best passage is not far behind the best of all."""
    best: dict[Document, float] = {}
    for passage in ranked:
        best[passage.segment.document] = max(best.get(passage.segment.document, 0.0), passage.score)
    least = _FAR * max(best.values(), default=0.0)
    likely = {document for document, score in best.items() if score >= least}
    if intent == "compare" and len(documents) > 1:
        likely = {*documents}
    return [passage for passage in ranked if passage.segment.document in likely]


def _header(segment: Segment, heads: Mapping[Document, str], notes: Mapping[str, str]) -> str:
    document = segment.document
    version = notes.get(document.document_id, "")
    parts = (
        f"{heads.get(document, '')}{document.name}",
        version,
        f"segment {segment.position}",
        f"answers: {segment.question}" if segment.question else "",
    )
    return " · ".join(filter(None, parts))


def _split_by_proof(
    drafts: Sequence[DraftSentence], shown: _Shown, ctx: Context
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The sentences that lean on a proven quote, and those that lean on nothing."""
    proven: dict[tuple[object, ...], Statement] = {}
    dropped: dict[Statement, None] = {}
    for draft in drafts:
        for statement in _statements_of(draft, shown, shown.all, ctx):
            if statement.quotes:
                key = (statement.part, *(terms(statement.text) or (statement.text,)))
                proven[key] = _merge_repeated(proven[key], statement) if key in proven else statement
            else:
                dropped[statement] = None
    if dropped:
        ctx.trace.degrade(_UNPROVEN)
    return tuple(proven.values()), tuple(dropped)


def _merge_repeated(one: Statement, other: Statement) -> Statement:
    """A sentence that was written twice, on the quotes of both."""
    quotes = tuple(dict.fromkeys((*one.quotes, *other.quotes)))
    return replace(
        one, quotes=quotes, missing=tuple(detail for detail in one.missing if detail in other.missing)
    )


def _statements_of(
    draft: DraftSentence, shown: _Shown, among: Sequence[Segment], ctx: Context
) -> tuple[Statement, ...]:
    statement, faults = placed(draft, shown.segments, among, shown.question)
    for fault in faults:
        ctx.trace.degrade(fault)
    if not statement.text and not statement.quotes:
        return ()
    if not statement.text:
        return tuple(verbatim(quote, statement.part) for quote in statement.quotes)
    return (statement,)


def _cells(
    draft: ComparisonDraft,
    documents: Sequence[Document],
    shown: _Shown,
    ctx: Context,
) -> tuple[Cells, Cells]:
    """The cells that stand on a quote of their own document, and those that stand on none."""
    cells: dict[tuple[str, int], tuple[Statement, ...]] = {}
    lost: dict[tuple[str, int], tuple[Statement, ...]] = {}
    for cell in draft.cells:
        if not 1 <= cell.document <= len(documents):
            continue
        document = documents[cell.document - 1]
        own = [segment for segment in shown.all if segment.document == document]
        key = (document.document_id, cell.part or 1)
        for statement in _statements_of(cell, shown, own, ctx):
            into = cells if statement.quotes else lost
            into[key] = (*into.get(key, ()), statement)
    if lost:
        ctx.trace.degrade(_UNPROVEN)
    return cells, lost


def _differences(
    draft: ComparisonDraft, cells: Cells, ctx: Context
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The sentences on how the documents differ: those that say nothing but what the cells' quotes hold, the rest."""
    quotes = tuple(
        dict.fromkeys(quote for key in cells for statement in cells[key] for quote in statement.quotes)
    )
    statements = [leaning(difference, quotes) for difference in draft.differences if difference.strip()]
    if any(not statement.supported for statement in statements):
        ctx.trace.degrade(_UNPROVEN)
    return tuple(e for e in statements if e.supported), tuple(e for e in statements if not e.supported)


def _verdict(understanding: Understanding, draft: Draft, statements: Sequence[Statement]) -> str:
    """ "yes" or "no" where a sentence proves it, "open" where none does, "" where the model said neither."""
    if understanding.intent != "yes_no" or not statements:
        return ""
    verdict = draft.verdict.strip().lower().replace(" ", "_")
    if verdict not in ("yes", "no", "not_stated"):
        verdict = opening(statements[0].text)[0]
    if verdict not in ("yes", "no"):
        return "open" if verdict else ""
    return verdict if any(statement.supported for statement in statements) else "open"
