"""A list is made of the datasets that the question names, and of all where it names none."""

import pytest

from evidence import pipeline
from evidence.model import Question
from evidence.settings import Settings
from tests.fakes import FakeKnowledge, holding, metered
from tests.pipeline_samples import ask, sources

CONTRACTS = holding(
    "Supplier contracts",
    {
        "Quarry.md": ["Stones are delivered.", "Notice is given three months before the end."],
        "Sawmill.md": ["Timber is delivered.", "Notice is given two months before the end."],
    },
)
LETTERS = holding(
    "Letters",
    {
        "Quarry letter.md": ["We gave notice three months before the end of the supplier contract."],
        "Sawmill letter.md": ["Notice is given by us two months before the end of the supplier contract."],
    },
)
RULES = holding("House rules", {"Notice.md": ["Notice is given to the warden a week before a journey."]})
CHINESE = holding("供应商合同", {"采石场.md": ["通知期为三个月。"], "锯木厂.md": ["通知期为两个月。"]})
CHINESE_LETTERS = holding(
    "信函", {"致采石场.md": ["供应商合同的通知期为三个月。"], "致锯木厂.md": ["通知期为两个月。"]}
)
JAPANESE = holding(
    "取引契約書", {"採石場.md": ["通知期間は三か月とする。"], "製材所.md": ["通知期間は二か月とする。"]}
)
JAPANESE_LETTERS = holding(
    "書簡", {"採石場宛.md": ["取引契約書の通知期間は三か月です。"], "製材所宛.md": ["通知期間は二か月です。"]}
)


@pytest.mark.parametrize(
    "text",
    [
        "List all notice periods in all supplier contracts.",
        "List when notice is given across the supplier contracts.",
        "In the Supplier contracts, list all the times when notice is given.",
    ],
)
def test_a_list_is_made_of_the_dataset_that_the_question_names(text: str) -> None:
    outcome = ask(text, knowledge=FakeKnowledge(LETTERS, CONTRACTS, RULES))[0]
    assert {"Quarry.md", "Sawmill.md"} == sources(outcome)
    assert "Letters: the question asks for Supplier contracts" in outcome.route.skipped


def test_a_chinese_list_is_made_of_the_dataset_that_the_question_names() -> None:
    outcome = ask("供应商合同中有哪些通知期？", knowledge=FakeKnowledge(CHINESE_LETTERS, CHINESE))[0]
    assert {"采石场.md", "锯木厂.md"} == sources(outcome)


def test_a_japanese_list_is_made_of_the_dataset_that_the_question_names() -> None:
    text = "取引契約書における通知期間をすべて挙げてください。"
    outcome = ask(text, knowledge=FakeKnowledge(JAPANESE_LETTERS, JAPANESE))[0]
    assert {"採石場.md", "製材所.md"} == sources(outcome)


def test_a_list_that_names_no_dataset_is_made_of_all() -> None:
    outcome = ask("List all times when notice is given.", knowledge=FakeKnowledge(LETTERS, CONTRACTS))[0]
    assert {"Letters", "Supplier contracts"} == {entry.dataset.name for entry in outcome.route.datasets}


@pytest.mark.parametrize(
    "text",
    [
        "When is notice given in the supplier contracts?",
        "List all letters that a supplier contract led to.",
        "List the times that supplier contracts managers give notice.",
    ],
)
def test_a_question_that_asks_for_no_list_or_only_holds_the_words_is_not_bound(text: str) -> None:
    ctx = metered(FakeKnowledge(CONTRACTS, RULES))
    found = pipeline.discover(Question(text), Settings.of("extractive"), ctx)
    assert 2 == len(found.route.datasets)
