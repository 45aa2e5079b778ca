"""The first look asks what other processes read, beside the server, and what they read need not be read again."""

from dataclasses import replace

from evidence.context import Context
from evidence.errors import StoreUnavailable
from evidence.limits import Deadline
from evidence.model import Question, RankedDataset, Route
from evidence.reading import together
from evidence.reading.fetching import ReadOptions, catalogue_of, read_documents
from evidence.reading.survey import SurveyOptions, survey
from evidence.sharing import Known, Sharing
from evidence.stages.understand import understand
from tests.fakes import FakeKnowledge, HandClock, Holding, MemoryStore, holding, metered

LEASES = holding("Leases", {"Harbour.txt": ["The rent is ten."], "Valley.txt": ["The rent is two."]})
READ = ReadOptions()


def process(store: MemoryStore, *held: Holding) -> tuple[FakeKnowledge, Context]:
    knowledge = FakeKnowledge(*held)
    ctx = metered(knowledge)
    return knowledge, replace(ctx, sharing=Sharing(store, "scope", Known(), ctx.trace, Deadline(60)))


def look(knowledge: FakeKnowledge, ctx: Context) -> None:
    question = Question("What is the rent of Harbour?")
    route = Route(tuple(RankedDataset(dataset, 1.0) for dataset in knowledge.listed))
    survey(question, understand(question), route, SurveyOptions(), ctx)


def read_whole_and_keep(store: MemoryStore, *held: Holding) -> None:
    knowledge, ctx = process(store, *held)
    for dataset in knowledge.listed:
        listed = catalogue_of(dataset, READ, ctx)
        read_documents([(document, 1) for document in listed.documents], READ, ctx)
    together.keep(knowledge.listed, READ, ctx)


def test_after_the_first_look_of_a_fresh_process_nothing_is_left_to_read() -> None:
    store = MemoryStore()
    read_whole_and_keep(store, LEASES)
    knowledge, ctx = process(store, LEASES)
    look(knowledge, ctx)
    assert ctx.shelf.holds_whole(LEASES[0], READ.freshness.stale)
    read_documents([(document, 1) for document in LEASES[1]], READ, ctx)
    assert [] == knowledge.asked("segments")
    assert len(knowledge.calls) == ctx.meter.spent()["knowledge_calls"]


def test_what_is_held_whole_is_not_asked_for() -> None:
    store = MemoryStore()
    knowledge, ctx = process(store, LEASES)
    catalogue_of(LEASES[0], READ, ctx)
    read_documents([(document, 1) for document in LEASES[1]], READ, ctx)
    look(knowledge, ctx)
    assert [] == store.calls


def test_what_is_not_held_whole_is_not_kept() -> None:
    store = MemoryStore()
    _, ctx = process(store, LEASES)
    listed = catalogue_of(LEASES[0], READ, ctx)
    read_documents([(listed.documents[0], 1)], READ, ctx)
    together.keep([LEASES[0]], READ, ctx)
    assert [] == store.calls


def test_a_document_that_changed_or_is_gone_is_not_taken_from_the_store() -> None:
    store = MemoryStore()
    read_whole_and_keep(store, LEASES)
    dataset, held = holding("Leases", {"Harbour.txt": ["The rent is eleven."]})
    ((document, segments),) = held.items()
    changed = replace(document, version="2")
    moved = tuple(replace(segment, document=changed) for segment in segments)
    knowledge, ctx = process(store, (dataset, {changed: moved}))
    look(knowledge, ctx)
    assert 0 == ctx.shelf.characters
    (reading,) = read_documents([(changed, 1)], READ, ctx)
    assert "The rent is eleven." == reading.segments[0].text


def test_the_age_of_what_was_read_elsewhere_counts_here() -> None:
    store = MemoryStore()
    read_whole_and_keep(store, LEASES)
    knowledge, ctx = process(store, LEASES)
    assert ctx.sharing is not None
    later = Known(lambda: Known().clock() + 600)
    look(knowledge, replace(ctx, sharing=replace(ctx.sharing, known=later)))
    document = next(iter(LEASES[1]))
    assert ctx.shelf.reading(document, 900) is not None
    assert ctx.shelf.reading(document, 590) is None


def test_without_a_store_the_first_look_asks_the_server_alone() -> None:
    knowledge = FakeKnowledge(LEASES)
    ctx = metered(knowledge)
    look(knowledge, ctx)
    together.keep(knowledge.listed, READ, ctx)
    assert [] == [step for step in ctx.trace.receipt({}).steps if step.name.startswith("storage")]


class SilentStore(MemoryStore):
    """Answers nothing; each call takes all the time that it may, on a clock."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = HandClock()
        self.waited = 0.0

    def get(self, key: str, seconds: float) -> bytes | None:
        self.clock.forward(seconds)
        self.waited += seconds
        raise StoreUnavailable("the plugin's storage did not answer in time")


class TimedSharing(Sharing):
    """Reckons its time by the store's clock."""

    def until(self) -> Deadline:
        assert isinstance(self.store, SilentStore)
        return Deadline(2, self.store.clock)


def test_a_store_that_is_silent_costs_two_seconds_for_all_datasets_together() -> None:
    store = SilentStore()
    leases = [replace(LEASES[0], dataset_id=f"dataset {number}") for number in range(12)]
    knowledge = FakeKnowledge(LEASES)
    ctx = metered(knowledge)
    sharing = TimedSharing(store, "scope", Known(), ctx.trace, Deadline(60))
    ctx = replace(ctx, sharing=sharing, limits=replace(ctx.limits, workers=1))
    asks = together.fetches(leases, READ, ctx)
    assert [()] * len(leases) == [fetch().documents for fetch in asks]
    assert 2 == store.waited


def test_all_datasets_are_fetched() -> None:
    store = MemoryStore()
    other = holding("Permits", {"Crane.txt": ["A permit lasts a year."]})
    read_whole_and_keep(store, LEASES, other)
    knowledge, ctx = process(store, LEASES, other)
    found = [
        document for fetch in together.fetches(knowledge.listed, READ, ctx) for document in fetch().documents
    ]
    expected = {document.document_id for _, held in (LEASES, other) for document in held}
    assert expected == {document.document_id for document in found}
