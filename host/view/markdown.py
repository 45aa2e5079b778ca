"""A run as Markdown that a person reads. The text alone carries the citations, because agents see little else."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from evidence.answer import layout
from evidence.answer.abstention import foreign
from evidence.answer.phrases import phrase
from evidence.corpus.building import IndexReport
from evidence.evaluation.measured import worst
from evidence.language.markdown import decoded, safe, shown_name
from evidence.language.printable import printable
from evidence.model import Answer, Citation, Claim, Outcome, Passage, Quote, Status, Verdict
from evidence.trace import Receipt
from host.view.diagnosis import Diagnosis, lines_of, spoken, texts
from host.view.evaluation import Evaluation, explained, rows
from host.view.json import Listing
from host.view.status import ask_back_of

LONGEST_SHOWN = 2_000  # characters of one passage; the whole of it is in the JSON
_LONGEST_QUOTED = 300  # characters of what a sentence was compared with
_MOST_NAMED = 8
_MOST_WRONG = 20
_SIGNS = {"ok": "✓", "warning": "!", "failed": "✗"}


def answer(outcome: Outcome, status: Status, receipt: Receipt) -> str:
    """The answer for people: what it cost and how it was judged is in the JSON."""
    return _page([*_answer(outcome, status), *_notes(receipt), *_verdict_lines(outcome, receipt.began_at)])


def _with_receipt[Result](
    body: Callable[[Result], Iterable[str]],
) -> Callable[[Result, Status, Receipt], str]:
    """The view of a tool whose text ends with what it cost."""

    def view(result: Result, _status: Status, receipt: Receipt) -> str:
        return _page([*body(result), *_notes(receipt), receipt_line(receipt)])

    return view


def _page(blocks: Iterable[str]) -> str:
    return printable("\n\n".join(block for block in blocks if block))


def receipt_line(receipt: Receipt) -> str:
    spent = receipt.spent
    tokens = spent.get("prompt_tokens", 0) + spent.get("completion_tokens", 0)
    parts = [
        f"{receipt.seconds:.1f} s",
        _count(spent.get("knowledge_calls", 0), "knowledge call"),
        _count(spent.get("model_calls", 0), "model call"),
        *([_count(spent["rerank_calls"], "rerank call")] if spent.get("rerank_calls") else []),
        _count(tokens, "token"),
    ]
    return f"_{' · '.join(parts)}_"


# --- answers ----------------------------------------------------------------------------------------------


def _answer(outcome: Outcome, status: Status) -> Iterable[str]:
    answer = outcome.answer or Answer("", "not_found", "no_evidence")
    question = outcome.understanding.text
    title = _title(answer, status)
    if title:
        yield layout.line_of(title, question)
    yield answer.text
    if answer.status != "ambiguous":  # whose text asks back
        yield _ask_back(outcome)
    if answer.citations:
        yield layout.line_of("title_sources", question)
        yield from map(_source, answer.citations)
    if answer.status in ("not_found", "partial"):
        searched = _what_was_searched(outcome, answer) if answer.reason != "conflicting" else ()
        yield "\n".join((*_open_parts(answer, question), *searched))


def _title(answer: Answer, status: Status) -> str:
    """The name of what stands above the answer where there is not one whole answer below."""
    if answer.reason == "no_dataset_fits":
        return "title_unsearched"
    if status == "partial" and not answer.citations:
        return "title_unproven"
    return f"title_{status}" if status in ("not_found", "ambiguous") else ""


def _source(citation: Citation) -> str:
    """The place of a quote, and its words unless the answer shows them already."""
    place = f"[{citation.marker}] {layout.place(citation.quote.segment)}"
    return place if citation.shown else f"{place}\n{_blockquote(citation.quote.text)}"


def _open_parts(answer: Answer, question: str) -> Iterable[str]:
    """The parts of the question without evidence, where it has more than one."""
    parts = answer.facets if len(answer.facets) > 1 else ()
    return (
        layout.line_of("label_no_evidence", question, names=_line(part.question))
        for part in parts
        if part.status == "missing"
    )


def _what_was_searched(outcome: Outcome, answer: Answer | None) -> Iterable[str]:
    """The datasets and documents that were searched, so that a reader can judge how much "not found" means.

    Documents are not named again where the sources name them all, or the answer says in which nothing was found.
    """
    searched = outcome.pool.searched
    named = {citation.quote.segment.document.name for citation in answer.citations} if answer else set()
    already = answer and not answer.citations and not foreign(outcome.shortlist)
    documents = () if already or named.issuperset(searched.documents) else searched.documents
    for label, names in (("label_datasets", searched.datasets), ("label_documents", documents)):
        if names:
            shown = list(dict.fromkeys(map(_name, names)))[:_MOST_NAMED]
            yield layout.line_of(label, outcome.understanding.text, names="; ".join(shown))


# --- the other tools --------------------------------------------------------------------------------------


@_with_receipt
def documents(outcome: Outcome) -> Iterable[str]:
    """The ranked documents, with the reasons for their rank."""
    ranked = outcome.shortlist.documents
    yield f"**{_count(len(ranked), 'document')}**" if ranked else "**Not found.** No document fits."
    lines = []
    for rank, entry in enumerate(ranked, 1):
        why = f" — {_line('; '.join(entry.why))}" if entry.why else ""
        name, dataset = _name(entry.document.name), _line(entry.document.dataset_name)
        lines.append(f"{rank}. **{name}** ({dataset}), {entry.score:.2f}{why}")
    yield "\n".join(lines)
    yield _ask_back(outcome)
    yield _missing(outcome)


def _missing(outcome: Outcome) -> str:
    names = "; ".join(map(_line, outcome.shortlist.missing))
    return phrase("missing", outcome.understanding.text, names=names) if names else ""


@_with_receipt
def queries(outcome: Outcome) -> Iterable[str]:
    """The query variants, with their sources, and keywords."""
    planned = outcome.plan.queries
    yield f"**{len(planned)} {'query' if len(planned) == 1 else 'queries'}**"
    yield "\n".join(f"- {_line(entry.text)} ({entry.origin}, weight {entry.weight:g})" for entry in planned)
    names = {entry.document.document_id: entry.document.name for entry in outcome.shortlist.documents}
    lines = [
        f"- {_name(names.get(key, key))}: {_line(', '.join(words))}"
        for key, words in outcome.plan.keywords.items()
    ]
    if lines:
        yield "**Keywords by document**"
        yield "\n".join(lines)
    yield _ask_back(outcome)


@_with_receipt
def passages(outcome: Outcome) -> Iterable[str]:
    """The ranked passages, word for word."""
    ranked = outcome.pool.passages
    yield f"**{_count(len(ranked), 'passage')}**" if ranked else "**Not found.** No passage fits."
    yield from map(_passage, ranked)
    yield _ask_back(outcome)
    if not ranked:
        yield _missing(outcome)
        yield "\n".join(_what_was_searched(outcome, None))


def _passage(passage: Passage) -> str:
    shown = passage.segment.text
    if len(shown) > LONGEST_SHOWN:
        shown = f"{shown[:LONGEST_SHOWN]} […]"
    return f"{passage.rank}. {layout.place(passage.segment)}, {passage.score:.3f}\n{_blockquote(shown)}"


@_with_receipt
def judgement(outcome: Outcome) -> Iterable[str]:
    """The faults of an answer, and the verdict."""
    return (*_faults(outcome), *_verdict(outcome.verdict))


def _faults(outcome: Outcome) -> Iterable[str]:
    answer = outcome.answer
    if answer is None:
        return
    unproven = (claim for claim in answer.claims if not claim.supported or claim.unsupported_details)
    faults = [claim for claim in unproven if not claim.unknown]
    quotes = {citation.marker: citation.quote for citation in answer.citations}
    if faults:
        yield "**Not supported by the passages**"
        yield "\n".join(line for claim in faults for line in _fault(claim, quotes))
    unknown = [claim for claim in answer.claims if claim.unknown]
    if unknown:
        yield "**Not compared: the passages are in another language**"
        yield "\n".join(f"- {_line(claim.text)}" for claim in unknown)
    still_open = [facet for facet in answer.facets if facet.status != "covered"]
    if still_open:
        yield "**Unanswered**"
        yield "\n".join(f"- {_line(facet.question)} ({facet.status})" for facet in still_open)


def _fault(claim: Claim, quotes: Mapping[int, Quote]) -> Iterable[str]:
    """A sentence, what of it is not in the passages, and the words of them that bear on it."""
    why = ""
    if claim.unsupported_details:
        why = f" (not in the passages: {_line(', '.join(claim.unsupported_details))})"
    elif not claim.markers:
        why = " (no passage bears on it)"
    yield f"- {_line(claim.text)}{why}"
    for marker in claim.markers:
        quote = quotes[marker]
        yield f"  - {_name(quote.segment.document.name)}: “{_line(quote.text[:_LONGEST_QUOTED])}”"


@_with_receipt
def dataset_table(report: IndexReport) -> Iterable[str]:
    datasets = report.datasets
    yield f"**{_count(len(datasets), 'dataset')}**"
    rows = [
        (
            _line(dataset.name),
            dataset.dataset_id,
            str(dataset.document_count),
            _line(dataset.description[:200]),
        )
        for dataset in datasets
    ]
    yield _table(("Dataset", "ID", "Documents", "Description"), rows)


@_with_receipt
def index_table(report: IndexReport) -> Iterable[str]:
    """How far the index of each dataset was built."""
    work = f"{_count(report.read, 'document')} read now" if report.read else ""
    left = f"{_count(report.unread, 'document')} left" if report.unread else ""
    soon = f"about {report.seconds_left:.0f} s more" if report.seconds_left else ""
    busy = "another process is building" if report.busy else ""
    yield " · ".join(filter(None, (f"**Index: {report.home}**", work, left, soon, busy)))
    states = [(dataset, report.state(dataset)) for dataset in report.datasets]
    rows = [
        (
            _line(dataset.name),
            state.name,
            f"{state.read:,} of {state.documents:,}",
            f"{state.size / 1e6:,.1f} MB",
        )
        for dataset, state in states
    ]
    yield _table(("Dataset", "Index", "Documents", "Size"), rows) if rows else ""


@_with_receipt
def document_table(listing: Listing) -> Iterable[str]:
    documents = listing.documents
    yield f"**{_count(documents.total, 'document')}** (page {listing.page} of {max(1, listing.pages)})"
    rows = [
        (_name(document.name), _line(document.dataset_name), document.document_id)
        for document in documents.items
    ]
    yield _table(("Document", "Dataset", "ID"), rows)


@_with_receipt
def diagnosis(result: Diagnosis) -> Iterable[str]:
    """A line a check, with the remedy below it."""
    lines, words = lines_of(result), texts()
    states = Counter(line["state"] for line in lines)
    counts = {state: states[state] for state in _SIGNS}
    yield f"**{spoken(words['summary'], result.language).format_map(counts)}**"
    remedy = spoken(words["remedy"], result.language)
    yield "\n".join(
        f"- {_SIGNS[line['state']]} **{line['name']}** ({line['state_name']}): {_line(line['message'])}"
        + (f"\n  - {remedy}: {_line(line['remedy'])}" if line["remedy"] else "")
        for line in lines
    )


def _evaluation(result: Evaluation) -> Iterable[str]:
    """The figures, and the questions that went wrong with one piece of advice each; or what was drafted."""
    if result.drafted:
        yield f"**{_count(len(result.drafted), 'question')} drafted from the documents: read and correct them first**"
        yield "\n".join(
            f"- {_line(draft.question)} ({_name(', '.join(draft.documents))})" for draft in result.drafted
        )
        return
    right = sum(measured.right for measured in result.measured)
    drafted = sum(measured.drafted for measured in result.measured)
    note = f", {drafted} of them drafted, not written by a person" if drafted else ""
    yield f"**{right} of {_count(len(result.measured), 'question')} right**{note}"
    yield _table(("", "this plugin", "Dify's own retrieval"), list(rows(result)))
    wrong = [(measured, *explained(measured)) for measured in worst(result.measured)]
    if wrong:
        yield "**What went wrong**"
        yield "\n".join(
            f"- {_line(measured.question)}\n  - {_name(fault)}\n  - {_line(advice)}"
            for measured, fault, advice in wrong[:_MOST_WRONG]
        )
        yield from [f"… and {len(wrong) - _MOST_WRONG} more"][: len(wrong) > _MOST_WRONG]


evaluation = _with_receipt(_evaluation)


def evaluation_text(result: Evaluation) -> str:
    """The same without a receipt, of questions that were asked one by one."""
    return _page(_evaluation(result))


# --- the foot ---------------------------------------------------------------------------------------------


def _verdict_lines(outcome: Outcome, began_at: float) -> Iterable[str]:
    """In plain lines how far an answer can be trusted; none where there is no answer.

    The last one says where a quote was not read since `began_at`, in Unix seconds.
    """
    answer, question = outcome.answer, outcome.understanding.text
    if answer is None or answer.status not in ("answered", "partial"):
        return
    segments = [citation.quote.segment for citation in answer.citations]
    unread = [segment for segment in segments if not segment.read_since(began_at)]
    if answer.status == "partial":
        foot = "foot_in_part" if segments else "foot_not_all"
        reason = phrase(f"reason_{answer.reason or 'open'}", question)
        yield layout.line_of(foot, question, reason=reason)
    if unread:
        handed_in = any(not segment.read_at for segment in unread)
        yield layout.line_of("foot_as_handed_in" if handed_in else "foot_not_reread", question)
    elif answer.status == "answered" and outcome.verdict.status == "unsettled":
        yield layout.line_of("foot_unverified", question)
    elif answer.status == "answered" and segments:
        yield layout.line_of("foot_verified", question)


def _verdict(verdict: Verdict) -> Iterable[str]:
    scores = ""
    if verdict.status != "unknown":
        scores = (
            f" — grounding {verdict.grounding:.2f}, completeness {verdict.completeness:.2f}, "
            f"consistency {verdict.consistency:.2f}, specificity {verdict.specificity:.2f}"
        )
    reason = f" ({_line(verdict.reason)})" if verdict.reason else ""
    yield f"Verdict: **{verdict.status}**{scores}{reason}"
    if verdict.follow_ups:
        yield "**Suggested searches**\n" + "\n".join(f"- {_line(query)}" for query in verdict.follow_ups)


def _notes(receipt: Receipt) -> Iterable[str]:
    if receipt.degraded:
        yield "\n".join(layout.note(_name(reason)) for reason in receipt.degraded)


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _line(text: str) -> str:
    """Foreign text on one line, with nothing in it that Markdown would render as a link, an image or a tag."""
    return " ".join(safe(text).split())


def _name(text: str) -> str:
    """The name of a document, or a line with such names in it, like `_line`."""
    return _line(decoded(text))


def _ask_back(outcome: Outcome) -> str:
    return "\n".join(map(shown_name, ask_back_of(outcome).splitlines()))


def _blockquote(text: str) -> str:
    return "\n".join(f"> {safe(line)}" for line in text.strip().splitlines())


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(' '.join(cell.split()).replace('|', '\\|') for cell in line)} |" for line in lines
    )
