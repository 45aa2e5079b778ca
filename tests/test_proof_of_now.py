"""What is quoted stands in the documents now, whatever was read before: over the real client and a server that, like
Dify's, shows no change of a dataset when a segment is edited, or a document disabled."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import pytest

from evidence import pipeline
from evidence.answer import layout
from evidence.cache import Cache
from evidence.context import Context
from evidence.http.client import Client
from evidence.knowledge.agent.bases import AgentKnowledge
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.port import Knowledge
from evidence.knowledge.routed import RoutedKnowledge
from evidence.limits import CallBudget
from evidence.model import Document, Effort, Outcome, Passage, Pool, Prompt, Question, Segment
from evidence.settings import Settings
from host.view import markdown
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.corpus import Technique
from standalone.knowledge.server import Fault
from tests.fakes import HandClock, ScriptedLLM, keys, metered

WAREHOUSE = SourceDocument(
    "Warehouse.md",
    segments=(
        SourceSegment("Notice of termination of the warehouse lease is 180 days."),
        SourceSegment("The rent of the warehouse is 900 coins a month."),
        SourceSegment("The roof of the warehouse is repaired by the owner."),
    ),
)
BOATHOUSE = SourceDocument(
    "Boathouse.md",
    segments=(
        SourceSegment("Notice of termination of the boathouse lease is 30 days."),
        SourceSegment("The mooring at the boathouse costs 40 coins."),
    ),
)
BARN = SourceDocument(
    "Barn.md",
    segments=(SourceSegment("The keys of the barn hang at the mill."),),
    indexing_status="indexing",
)
NOTICE = "What is the notice of termination of the warehouse lease?"


def model(prompt: Prompt) -> str:
    """Quotes the first passage that tells a number of days, in a sentence of its own."""
    if prompt.name != "aggregate":
        return "{}"
    for words, key in keys(prompt).items():
        if "days" in words:
            days = words.split(" days")[0].split()[-1]
            quote = {"passage": key, "words": words}
            said = {"text": f"The notice is {days} days.", "part": 1, "quotes": [quote]}
            return json.dumps({"status": "answered", "sentences": [said]})
    return json.dumps({"status": "not_found", "sentences": []})


@dataclass
class Base:
    """A server whose documents were read, and a cache that holds them."""

    server: KnowledgeServer
    knowledge: Knowledge
    unlisted: Mapping[str, str] = field(default_factory=dict)
    llm: ScriptedLLM = field(default_factory=lambda: ScriptedLLM(model))
    clock: HandClock = field(default_factory=HandClock)
    cache: Cache = field(init=False)

    def __post_init__(self) -> None:
        self.cache = Cache(clock=self.clock)

    def context(self, effort: Effort) -> Context:
        llm = None if effort == "extractive" else self.llm
        ctx = metered(self.knowledge, llm, limits=Settings.of(effort).limits, cache=self.cache)
        return replace(ctx, unlisted=self.unlisted)

    def ask(
        self, question: str = NOTICE, effort: Effort = "extractive", ctx: Context | None = None
    ) -> Outcome:
        return pipeline.ask(Question(question), Settings.of(effort), ctx or self.context(effort))

    def warm(self) -> None:
        """All is read, and was asked about."""
        for question in (NOTICE, "What is the rent of the warehouse?", "Notice of the boathouse lease?"):
            self.ask(question)
        self.clock.forward(5)
        self.server.clear_requests()

    def version(self) -> str:
        """What tells a change of the datasets that are listed; empty where none is."""
        return "" if self.unlisted else self.knowledge.datasets(1).items[0].version

    def segment(self, words: str) -> str:
        stored = self.server.owner.segments()
        return next(segment_id for segment_id, content in stored.items() if words in content)

    def search(self, question: str) -> Pool:
        return pipeline.search(Question(question), Settings.of("extractive"), self.context("extractive")).pool

    def document(self, name: str) -> str:
        return self.server.document_id("leases", name)


def serving(kind: Literal["high_quality", "economy", "agent"]) -> Iterator[Base]:
    agents = kind == "agent"
    technique: Technique = "high_quality" if kind == "agent" else kind
    corpus = Corpus((Collection("leases", (WAREHOUSE, BOATHOUSE, BARN), technique),))
    bound = ("agent:leases",) if agents else ()
    server = KnowledgeServer(corpus, "1.18" if agents else "1.13.3", bound_to=bound)
    with server, Client(server.base_url, server.api_key) as client:
        knowledge: Knowledge = DifyDatasets(client)
        bases = {f"agent:{base_id}": name for name, base_id in server.agent_bases.items()}
        if agents:
            knowledge = RoutedKnowledge(knowledge, AgentKnowledge(replace(client, service="agents"), bases))
        base = Base(server, knowledge, bases)
        base.warm()
        yield base


@pytest.fixture(params=["high_quality", "economy", "agent"])
def base(request: pytest.FixtureRequest) -> Iterator[Base]:
    yield from serving(request.param)


@pytest.fixture(params=["high_quality", "economy"])
def classic(request: pytest.FixtureRequest) -> Iterator[Base]:
    """A base whose lists tell nothing of an edit."""
    yield from serving(request.param)


def alone(path: str) -> bool:
    """Whether one segment is asked for."""
    return "/segments/" in path or "/chunks/" in path


def quotes(outcome: Outcome) -> list[str]:
    return [each.quote.text for each in outcome.answer.citations] if outcome.answer else []


def status(outcome: Outcome) -> str:
    return outcome.answer.status if outcome.answer else ""


def said(outcome: Outcome, ctx: Context) -> str:
    """What a person reads."""
    return markdown.answer(outcome, "answered", ctx.trace.receipt(ctx.meter.spent()))


def current(outcome: Outcome, ctx: Context) -> bool:
    """Whether all that is quoted was read for this very answer."""
    return all(each.quote.segment.read_at >= ctx.trace.began_at for each in outcome.answer.citations)  # type: ignore[union-attr]


@pytest.mark.parametrize("effort", ["extractive", "balanced"])
def test_an_edited_clause_is_quoted_with_its_new_text(base: Base, effort: Effort) -> None:
    before = base.ask(effort=effort)
    assert any("180 days" in quote for quote in quotes(before))
    version = base.version()
    base.server.owner.edit_segment(
        base.segment("180"), "Notice of termination of the warehouse lease is 175 days."
    )
    assert version == base.version()
    base.clock.forward(1)
    asked, ctx = len(base.llm.prompts), base.context(effort)
    after = base.ask(effort=effort, ctx=ctx)
    assert any("175 days" in quote for quote in quotes(after))
    assert not any("180" in quote for quote in quotes(after))
    assert "180" not in (after.answer.text if after.answer else "180")
    assert current(after, ctx)
    assert len(base.llm.prompts) - asked <= 3


def test_what_changed_is_read_anew_though_the_first_reading_left_no_calls_for_more(base: Base) -> None:
    clause = base.segment("warehouse lease is 180 days")
    base.server.owner.edit_segment(clause, "Notice of termination of the warehouse lease is 175 days.")
    frugal = replace(base.context("extractive"), budget=CallBudget(reads=0, few_reads=0, forced=0))
    outcome = base.ask(ctx=frugal)
    assert any("175 days" in quote for quote in quotes(outcome))


@pytest.mark.parametrize(
    "change",
    [
        lambda base: base.server.owner.enable(base.document("Warehouse.md"), enabled=False),
        lambda base: base.server.owner.archive(base.document("Warehouse.md"), archived=True),
        lambda base: base.server.owner.delete(base.document("Warehouse.md")),
        lambda base: base.server.owner.enable_segment(base.segment("180"), enabled=False),
    ],
    ids=["a disabled document", "an archived document", "a deleted document", "a disabled segment"],
)
def test_what_no_longer_stands_is_not_quoted(base: Base, change: Callable[[Base], None]) -> None:
    change(base)
    base.clock.forward(1)
    assert not any("180 days" in quote for quote in quotes(base.ask()))
    assert not any("180 days" in each.segment.text for each in base.search(NOTICE).passages)


def test_the_receipt_tells_how_old_names_and_texts_are(base: Base) -> None:
    base.clock.forward(100)
    ctx = base.context("extractive")
    base.ask(ctx=ctx)
    (told,) = [step.facts for step in ctx.trace.receipt({}).steps if step.name == "ages"]
    assert {"names": 0, "texts": 105} == told


def test_a_document_that_has_just_been_indexed_is_found(base: Base) -> None:
    question = "Where do the keys of the barn hang?"
    assert "not_found" == status(base.ask(question))
    base.server.owner.finish_indexing(base.document("Barn.md"))
    base.clock.forward(1)
    assert ["The keys of the barn hang at the mill."] == quotes(base.ask(question))


def test_a_citation_has_the_name_that_the_document_bears_now(base: Base) -> None:
    base.server.owner.rename(base.document("Warehouse.md"), "Warehouse 2026.md")
    base.clock.forward(1)
    (first, *_) = base.ask().answer.citations  # type: ignore[union-attr]
    assert "Warehouse 2026.md" == first.quote.segment.document.name


def test_a_citation_has_the_name_that_the_dataset_bears_once_datasets_are_listed_again(classic: Base) -> None:
    classic.server.owner.rename_dataset(classic.server.dataset_id("leases"), "tenancies")
    classic.clock.forward(21)
    (first, *_) = classic.ask().answer.citations  # type: ignore[union-attr]
    assert "tenancies" == first.quote.segment.document.dataset_name


def test_a_quoted_segment_costs_one_call_and_nothing_that_this_run_has_read_costs_another(base: Base) -> None:
    ctx = base.context("extractive")
    outcome = base.ask(ctx=ctx)
    again = [each for each in base.server.requests if alone(each.path)]
    assert len(again) <= len({each.quote.segment.segment_id for each in outcome.answer.citations})  # type: ignore[union-attr]
    assert current(outcome, ctx)
    fresh = Base(base.server, base.knowledge, base.unlisted)
    base.server.clear_requests()
    fresh.ask()
    assert [] == [each for each in base.server.requests if alone(each.path)]


def test_what_cannot_be_read_again_is_shown_as_it_was_and_said(base: Base) -> None:
    base.server.faults = lambda _, path: Fault(500) if alone(path) else None
    ctx = base.context("extractive")
    outcome = base.ask(ctx=ctx)
    base.server.faults = None
    assert any("180 days" in quote for quote in quotes(outcome))
    told = ctx.trace.receipt(ctx.meter.spent()).degraded
    assert [each for each in told if each.startswith("reread:") and "could not be read again" in each]


def test_a_stale_quote_is_not_called_proven(classic: Base) -> None:
    classic.server.owner.edit_segment(
        classic.segment("180"), "Notice of termination of the warehouse lease is 175 days."
    )
    classic.server.faults = lambda _, path: (
        Fault(500) if path.endswith("/retrieve") or "/segments/" in path else None
    )
    ctx = classic.context("extractive")
    outcome = classic.ask(ctx=ctx)
    classic.server.faults = None
    assert any("180 days" in quote for quote in quotes(outcome))
    assert layout.line_of("foot_not_reread", NOTICE) == said(outcome, ctx).splitlines()[-1]
    assert "settled" != outcome.verdict.status
    assert "quoted segments could not be read again" in outcome.verdict.reason


def test_passages_handed_in_without_ids_are_not_called_stored(base: Base) -> None:
    document = Document("", "Board.md", "Board.md")
    claimed = "Notice of termination of the warehouse lease is 3 days."
    made_up = Pool(
        (Passage(Segment(document, "passage-1", 0, claimed), 1.0, 1),), read=1, total=1, documents=1
    )
    settings, ctx = Settings.of("extractive"), base.context("extractive")
    outcome = pipeline.aggregate(Question(NOTICE), made_up, settings, ctx)
    judged = pipeline.reflect(Question(NOTICE), claimed, made_up, settings, base.context("extractive"))
    assert [claimed] == quotes(outcome)
    assert layout.line_of("foot_as_handed_in", NOTICE) == said(outcome, ctx).splitlines()[-1]
    for verdict in (outcome.verdict, judged.verdict):
        assert "unsettled" == verdict.status
        assert verdict.reason.endswith("the text of 1 of 1 quoted segments could not be read again")


def test_passages_and_answers_to_be_judged_whose_source_is_gone_say_so(base: Base) -> None:
    settings, ctx = Settings.of("extractive"), base.context("extractive")
    before = base.search(NOTICE)
    base.server.owner.enable_segment(base.segment("180"), enabled=False)
    base.clock.forward(1)
    assert not any(
        "180" in each.segment.text for each in pipeline.search(Question(NOTICE), settings, ctx).pool.passages
    )
    judge = base.context("extractive")
    said = "Notice of termination of the warehouse lease is 180 days."
    assert "settled" != pipeline.reflect(Question(NOTICE), said, before, settings, judge).verdict.status
    for asked in (ctx, judge):
        lines = asked.trace.receipt(asked.meter.spent()).degraded
        assert ["reread: Warehouse.md changed while it was cached; what is shown stands there now"] == [
            line for line in lines if line.startswith("reread: Warehouse.md")
        ]


def test_where_the_answer_made_again_quotes_what_changed_too_only_what_was_just_read_answers(
    classic: Base,
) -> None:
    """The model turns from one edited clause to another, which was cached as well."""
    edits = {
        classic.segment("warehouse lease is"): "Notice of termination of the warehouse lease is 175 days.",
        classic.segment("mooring"): "The mooring at the boathouse costs 41 coins.",
    }
    classic.clock.forward(901)
    classic.cache = Cache(clock=classic.clock)  # searching has read them again; as yet nothing has
    classic.warm()
    for segment_id, content in edits.items():
        classic.server.owner.edit_segment(segment_id, content)
    turns = iter(["warehouse lease is", "mooring"])

    def turning(prompt: Prompt) -> str:
        if prompt.name != "aggregate":
            return "{}"
        wanted = next(turns, "mooring")
        words, key = next((words, key) for words, key in keys(prompt).items() if wanted in words)
        said = {"text": words, "part": 1, "quotes": [{"passage": key, "words": words}]}
        return json.dumps({"status": "answered", "sentences": [said]})

    classic.llm = ScriptedLLM(turning)
    ctx = classic.context("balanced")
    question = "What is the notice of the warehouse lease, and what does the mooring at the boathouse cost?"
    outcome = classic.ask(question, "balanced", ctx)
    assert not any("180 days" in quote or "40 coins" in quote for quote in quotes(outcome))
    assert current(outcome, ctx)
    changed = [step.facts["changed"] for step in ctx.trace.receipt({}).steps if step.name == "reread"]
    assert [1, 1] == changed


def test_passages_handed_in_are_answered_from_as_they_stand_now(classic: Base) -> None:
    pool = classic.search(NOTICE)
    classic.server.owner.edit_segment(
        classic.segment("180"), "Notice of termination of the warehouse lease is 175 days."
    )
    handed = replace(
        pool,
        passages=tuple(replace(each, segment=replace(each.segment, read_at=0.0)) for each in pool.passages),
    )
    settings = Settings.of("extractive")
    outcome = pipeline.aggregate(Question(NOTICE), handed, settings, classic.context("extractive"))
    assert "Notice of termination of the warehouse lease is 175 days." in quotes(outcome)
    assert not any("180 days" in quote for quote in quotes(outcome))
    claimed = "Notice of termination of the warehouse lease is 180 days."
    judged = pipeline.reflect(Question(NOTICE), claimed, handed, settings, classic.context("extractive"))
    assert "settled" != judged.verdict.status


def test_a_segment_of_another_dataset_is_not_read_under_a_document_of_this_one(classic: Base) -> None:
    """Dify answers for any segment of the workspace, whatever document the path names."""
    (dataset,) = classic.knowledge.datasets(1).items
    documents = {each.name: each for each in classic.knowledge.documents(dataset, 1).items}
    clause = classic.segment("180")
    assert classic.knowledge.segment(documents["Warehouse.md"], clause) is not None
    assert classic.knowledge.segment(documents["Boathouse.md"], clause) is None
