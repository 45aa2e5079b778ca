"""Each question is held to what is expected of it, and what went wrong is told by its cause."""

import gc
from collections.abc import Callable, Sequence

import pytest
from fakes import FakeKnowledge, Holding, ScriptedLLM, holding, metered, replying

from evidence.cache import Cache
from evidence.context import Context
from evidence.errors import KnowledgeUnavailable
from evidence.evaluation.drafting import drafts
from evidence.evaluation.expected import Expected
from evidence.evaluation.measured import Measured, measured_from, summary_of, worst
from evidence.evaluation.measuring import measure
from evidence.model import Outcome
from evidence.settings import Settings

NOTICE = "Notice of termination of the warehouse lease is 180 days."
RENT = "The rent of the warehouse is 900 coins a month."
BOAT = "A boat of the harbour costs 40 coins for one afternoon."
LEASES = holding(
    "Leases",
    {"Warehouse.md": ["Lease of the warehouse.", NOTICE, RENT], "Boat.md": [BOAT]},
)
SETTINGS = Settings.of("extractive")


def opening(*held: Holding) -> tuple[FakeKnowledge, Callable[[Settings], Context]]:
    """A server, and runs that share what was read from it."""
    knowledge, cache = FakeKnowledge(*held), Cache()
    return knowledge, lambda settings: metered(knowledge, limits=settings.limits, cache=cache)


def measured(expected: Expected, *held: Holding) -> Measured:
    return measure(expected, SETTINGS, opening(*(held or (LEASES,)))[1])


def test_a_quote_of_the_expected_words_is_right_and_ranked_beside_the_servers_own() -> None:
    asked = Expected(
        "How long is the notice of termination of the warehouse lease?", ("warehouse",), ("180 days",)
    )
    result = measured(asked)
    assert (True, "words", "answered", True, 1.0, "") == (
        result.right,
        result.kind,
        result.status,
        result.quoted,
        result.share,
        result.fault,
    )
    assert (1, 1, True) == (result.rank, result.dify_rank, result.dify_holds)
    assert 0 < result.knowledge_calls < 10


def test_a_document_is_expected_by_its_name_or_its_id() -> None:
    for name in ("Warehouse.md", "WAREHOUSE", "Leases/Warehouse.md"):
        assert measured(Expected("What is the rent of the warehouse?", (name,))).right


def test_no_answer_is_right_where_none_is_expected_and_wrong_elsewhere() -> None:
    nothing = Expected("Which colour has the moon over Atlantis?", answerable=False)
    assert (True, "not_found") == ((result := measured(nothing)).right, result.status)
    some = measured(Expected("What is the rent of the warehouse?", answerable=False))
    assert (False, "answered", "Warehouse.md") == (some.right, some.fault, some.about)


LONG = "The keeper shall water the orchids"
CASES: Sequence[tuple[str, Expected, tuple[Holding, ...]]] = [
    ("missing_document", Expected("What is the rent?", ("Castle.md",)), (LEASES,)),
    (
        "missing_text",
        Expected("What is the rent of the warehouse?", ("Warehouse.md",), ("700 coins",)),
        (LEASES,),
    ),
    (
        "split",
        Expected("When are orchids watered?", ("Garden.md",), ("water the orchids at dawn on every Monday",)),
        (holding("G", {"Garden.md": [LONG, "at dawn on every Monday, and the roses at dusk."]}),),
    ),
    (
        "duplicate",
        Expected("What is the rent of the warehouse in 2025?", ("Old.md",), ("900 coins",)),
        (holding("L", {"Warehouse 2025.md": [RENT], "Old.md": ["All prices of old are 900 coins."]}),),
    ),
    (
        "heading",
        Expected("May staff smoke?", ("Rules.md",), ("It is allowed behind the shed only.",)),
        (
            holding(
                "R",
                {
                    "Rules.md": ["It is allowed behind the shed only."],
                    "Smoke.md": ["Staff smoke is grey."] * 11,
                },
            ),
        ),
    ),
]


@pytest.mark.parametrize(("fault", "expected", "held"), CASES, ids=[case[0] for case in CASES])
def test_what_went_wrong_is_told_by_its_cause(
    fault: str, expected: Expected, held: tuple[Holding, ...]
) -> None:
    result = measured(expected, *held)
    assert (False, fault) == (result.right, result.fault)


def test_a_server_that_fails_is_no_wrong_answer() -> None:
    knowledge, open_run = opening(LEASES)
    knowledge.failing = {("retrieve",): KnowledgeUnavailable("down")}
    result = measure(Expected("What is the rent of the warehouse?", ("Warehouse.md",)), SETTINGS, open_run)
    assert (True, True, None) == (result.right, result.dify_failed, summary_of([result]).dify_hit["1"])
    knowledge.failing = {("datasets",): KnowledgeUnavailable("down")}
    _, unread = opening(LEASES)
    lost = measure(Expected("Anything?", ("Warehouse.md",)), SETTINGS, lambda _: metered(knowledge))
    assert ("failed", "failed", "down") == (lost.status, lost.fault, lost.about)
    assert "not_found" == measure(Expected("Zebra?", ("Boat.md",)), SETTINGS, unread).status


def outcomes() -> int:
    """How many there are in this process."""
    gc.collect()
    return sum(isinstance(kept, Outcome) for kept in gc.get_objects())


def test_two_hundred_questions_over_a_hundred_documents_take_few_calls_and_keep_nothing() -> None:
    """At 50 ms a call, ten at once, they are asked well within 3 minutes."""
    texts = {
        f"Lease {at}.md": [f"The rent of house {at} is {at + 1_000} coins a month."] for at in range(100)
    }
    knowledge, open_run = opening(holding("Houses", texts))
    questions = [
        Expected(
            f"What is the rent of house {at % 100}?",
            (f"Lease {at % 100}.md",),
            (f"{at % 100 + 1_000} coins",),
        )
        for at in range(200)
    ]
    before = outcomes()
    results = [measure(expected, SETTINGS, open_run) for expected in questions]
    summary = summary_of(results)
    assert (200, 1.0, 1.0) == (summary.questions, summary.right, summary.hit["1"])
    assert len(knowledge.calls) <= 200 * 12
    one_by_one = len(knowledge.calls) - len(knowledge.asked("segment")) - len(knowledge.asked("document"))
    assert one_by_one <= 100 + 200 * 4  # each document once, and a handful that wait for each other
    assert before == outcomes()


def test_figures_of_nothing_are_none_and_the_worst_come_first() -> None:
    assert (0, 0.0, None, None) == (
        (none := summary_of([])).questions,
        none.right,
        none.quoted,
        none.hit["1"],
    )
    near = Measured("b", "words", "answered", False, rank=3, fault="not_quoted")
    far = Measured("a", "words", "answered", False, fault="ranked_low")
    assert [far, near] == worst([near, Measured("c", "words", "answered", True, rank=1), far])
    assert near == measured_from({**{name: getattr(near, name) for name in Measured.__slots__}, "more": 1})


def test_questions_are_drafted_from_every_document_with_the_words_that_answer_them() -> None:
    _, open_run = opening(LEASES)
    drafted = drafts(2, (), open_run(SETTINGS))
    assert [True, True] == [draft.drafted for draft in drafted]
    assert [("Warehouse.md",), ("Boat.md",)] == [draft.documents for draft in drafted]
    stored = f"{RENT} {NOTICE} {BOAT}"
    assert [] == [word for draft in drafted for word in draft.words if word not in stored]


def test_a_model_drafts_questions_and_its_inventions_are_left_out() -> None:
    def reply(keys: object) -> object:
        first, *_ = [key for text, key in dict(keys).items() if text in (NOTICE, RENT)]  # type: ignore[call-overload]
        real = {"passage": first, "question": "How long?", "words": "of the warehouse"}
        return {
            "questions": [real, {"passage": first, "question": "Why?", "words": "never written anywhere"}]
        }

    ctx = metered(FakeKnowledge(LEASES), ScriptedLLM(replying(reply)))
    assert [("How long?", ("of the warehouse",))] == [(d.question, d.words) for d in drafts(3, (), ctx)]
