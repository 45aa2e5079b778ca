"""A named document that exists nowhere is recognised; one that is only worded differently is not refused."""

import pytest

from evidence.corpus.fetch import catalogue_of, read_document
from evidence.discover.documents import DiscoverOptions, discover
from evidence.language.named_parties import anchors
from evidence.limits import Limits
from evidence.model import Question, RankedDataset, Route, Shortlist
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, Holding, holding, metered
from tests.pipeline_samples import ask, sources

_MORE = {
    f"{topic} rules.txt": [
        f"Rules for {topic.lower()}.",
        f"{topic} are looked after by the warden of the office.",
    ]
    for topic in ("Boats", "Bells", "Barns", "Bridges", "Benches", "Birds")
}
PEOPLE = holding(
    "People",
    _MORE
    | {
        "Parental leave policy London.md": [
            "Parental leave policy, London office.",
            "Parents take twelve weeks.",
        ],
        "Parental leave policy Madrid.md": [
            "Parental leave policy, Madrid office.",
            "Parents take sixteen weeks.",
        ],
        "Remote work policy.md": ["Remote work policy.", "Two days a week are worked at home."],
        "Travel guideline.md": [
            "Travel guideline of Northgate Engineering.",
            "Trains are preferred to planes.",
        ],
    },
)
DEALS = holding(
    "Deals",
    _MORE
    | {
        "Harbour lease.md": ["Lease between Acme Shipping and Blue Quay.", "The rent is ten coins."],
        "Granary lease.md": ["Lease between Acme Shipping and Red Mill.", "The rent is nine coins."],
        "Tower NDA.md": [
            "NDA between Orkney Consulting Group and Bell Tower Ltd.",
            "Secrets are kept ten years.",
        ],
    },
)
CHINESE = holding(
    "人事",
    {
        "伦敦办公室育儿假政策.md": ["伦敦办公室育儿假政策。", "父母可休十二周。"],
        "马德里办公室育儿假政策.md": ["马德里办公室育儿假政策。", "父母可休十六周。"],
        "差旅制度.md": ["差旅制度，适用于销售团队。", "优先乘坐火车。"],
        "员工手册.md": ["员工手册。", "每周工作五天。"],
    },
)
JAPANESE = holding(
    "人事",
    {
        "ロンドンオフィス育児休暇規程.md": ["ロンドンオフィス育児休暇規程。", "親は十二週間休める。"],
        "マドリードオフィス育児休暇規程.md": ["マドリードオフィス育児休暇規程。", "親は十六週間休める。"],
        "旅費規程.md": ["旅費規程。", "電車を優先する。"],
        "就業規則.md": ["就業規則。", "昼食は正午とする。"],
    },
)


def _found(text: str, held: Holding, *, cold: bool) -> Shortlist:
    knowledge = FakeKnowledge(held)
    ctx = metered(knowledge, limits=Limits(knowledge_calls=200))
    if not cold:
        for document in catalogue_of(held[0], ctx).documents:
            read_document(document, ctx)
    question = Question(text)
    chosen = Route((RankedDataset(held[0], 1.0),))
    return discover(question, understand(question), chosen, DiscoverOptions(), ctx)[0]


@pytest.mark.parametrize("cold", [True, False])
@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("How many weeks does the parental leave policy of the Berlin office grant?", PEOPLE),
        ("In the parental leave policy of the Berlin office, how many weeks do parents take?", PEOPLE),
        ("In the Parental Leave Policy of the Berlin Office, how many weeks do parents take?", PEOPLE),
        ("What does the Berlin office's parental leave policy say about weeks?", PEOPLE),
        ("How many weeks does the parental leave policy for Berlin grant?", PEOPLE),
        ("What is the rent in the lease between Acme Shipping and Zanzibar Mining?", DEALS),
        ("What is the rent in the lease with Zanzibar Mining?", DEALS),
        ("What is the rent in the lease between Zanzibar Group and Red Mill?", DEALS),
        ("柏林办公室的育儿假政策规定父母可休几周？", CHINESE),
        ("ベルリンオフィスの育児休暇規程では、親は何週間休めますか？", JAPANESE),
    ],
)
def test_what_is_told_apart_by_a_name_that_stands_nowhere_is_missing(
    text: str, held: Holding, cold: bool
) -> None:
    shortlist = _found(text, held, cold=cold)
    assert ("nothing_fits", 1) == (shortlist.verdict, len(shortlist.missing))


@pytest.mark.parametrize("cold", [True, False])
@pytest.mark.parametrize(
    ("text", "held", "first"),
    [
        (
            "What does the parental leave policy of the London office grant?",
            PEOPLE,
            "Parental leave policy London.md",
        ),
        (
            "What does the parental leave policy of the Londn office grant?",
            PEOPLE,
            "Parental leave policy London.md",
        ),
        ("What does the remote work policy of the Berlin office allow?", PEOPLE, "Remote work policy.md"),
        ("What does the travel guideline of the Northgate team prefer?", PEOPLE, "Travel guideline.md"),
        ("What is the rent in the lease between Acme and Blue Quay Holdings?", DEALS, "Harbour lease.md"),
        ("What is the rent in the lease between Acme Shipping and Blue Quai?", DEALS, "Harbour lease.md"),
        (
            "How long are secrets kept in the NDA between Orkney Consulting and BTL?",
            DEALS,
            "Tower NDA.md",
        ),
        ("What is the rent in the lease between the Landlord and Red Mill?", DEALS, "Granary lease.md"),
        ("伦敦办公室的育儿假政策规定父母可休几周？", CHINESE, "伦敦办公室育儿假政策.md"),
        ("销售部门的差旅制度优先什么？", CHINESE, "差旅制度.md"),
        (
            "ロンドン支社の育児休暇規程では、親は何週間休めますか？",
            JAPANESE,
            "ロンドンオフィス育児休暇規程.md",
        ),
    ],
)
def test_what_is_only_worded_differently_is_found(text: str, held: Holding, first: str, cold: bool) -> None:
    shortlist = _found(text, held, cold=cold)
    assert ("found", (), first) == (
        shortlist.verdict,
        shortlist.missing,
        shortlist.documents[0].document.name,
    )


def test_no_neighbour_answers_for_a_document_that_exists_nowhere() -> None:
    outcome = ask(
        "How many weeks does the parental leave policy of the Berlin office grant?",
        knowledge=FakeKnowledge(PEOPLE),
    )[0]
    assert outcome.answer is not None
    assert ("not_found", "no_document_fits", set()) == (
        outcome.answer.status,
        outcome.answer.reason,
        sources(outcome),
    )


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        ("lease between Acme Shipping and Blue Quay", [("Acme", "Shipping"), ("Blue", "Quay")]),
        ("contract with Bank of Norway", [("Bank", "of", "Norway")]),
        ("contract with IBM", []),
        ("contract with Zanzibar Group Ltd", [("Zanzibar",)]),
        ("agreement between the Employer and the Employee", []),
        ("parental leave policy of the Berlin office", [("Berlin",)]),
        ("travel policy of May 2020", []),
        ("Code of Conduct", []),
        ("Zanzibar Lease", []),
    ],
)
def test_parties_and_places_are_anchors_and_titles_are_none(
    subject: str, names: list[tuple[str, ...]]
) -> None:
    assert names == [anchor.words for anchor in anchors(subject)]
