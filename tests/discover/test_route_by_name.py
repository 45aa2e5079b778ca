"""A named document among many datasets that nothing tells apart: looked for by name, within the bound of calls."""

import pytest

from evidence.context import Context
from evidence.discover.route import RouteOptions, route
from evidence.model import Question, Route
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, Holding, degraded, holding, metered
from tests.pipeline_samples import ask, quotes, sources

NAMES = "Ash Beech Cherry Dogwood Elder Fir Gorse Hazel Ivy Juniper Kapok Larch Maple Nutmeg Oak Pine".split()


def _folder(number: int, documents: int) -> Holding:
    texts = {
        f"{name} Lease {number * 1_000 + at:05}.txt": [
            f"Lease of the {name.lower()} house.",
            f"Rent: {number + at} coins.",
        ]
        for at, name in enumerate(NAMES * (documents // len(NAMES)), 1)
    }
    return holding(
        f"Folder {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number]}",
        texts,
        technique="high_quality" if number % 2 else "economy",
    )


def _route(ctx: Context, text: str) -> Route:
    question = Question(text)
    return route(question, understand(question), RouteOptions(), ctx)


@pytest.mark.parametrize("documents", [16, 192, 640])
@pytest.mark.parametrize("number", [0, 4, 7, 9])
def test_among_ten_datasets_the_named_document_is_found_and_quoted_cold(number: int, documents: int) -> None:
    folders = [_folder(at, documents) for at in range(10)]
    outcome, _, spent = ask(
        f"In the Hazel Lease {number * 1_000 + 8:05}, what is the rent?", knowledge=FakeKnowledge(*folders)
    )
    assert {f"Hazel Lease {number * 1_000 + 8:05}.txt"} == sources(outcome)
    assert f"Rent: {number + 8} coins." in quotes(outcome)
    assert spent["knowledge_calls"] <= 14


def test_a_document_that_is_named_in_chinese_is_found_among_ten_datasets() -> None:
    folders = [
        holding(
            f"资料夹{at}",
            {f"{name}租赁合同.txt": [f"{name}租赁合同。", f"租金为{at}千元。"] for name in names.split()},
        )
        for at, names in enumerate(
            (
                "松树 柏树",
                "杨树 柳树",
                "榆树 槐树",
                "桃树 李树",
                "梅树 杏树",
                "枣树 梨树",
                "桑树 茶树",
                "橡树 枫树",
                "桂树 樟树",
                "竹园 荷塘",
            )
        )
    ]
    outcome, _, spent = ask("荷塘租赁合同的租金是多少？", knowledge=FakeKnowledge(*folders))
    assert {"荷塘租赁合同.txt"} == sources(outcome)
    assert spent["knowledge_calls"] <= 14


def test_where_not_all_datasets_could_be_looked_into_it_is_said() -> None:
    knowledge = FakeKnowledge(*(_folder(at, 16) for at in range(20)))
    ctx = metered(knowledge)
    _route(ctx, "In the Hazel Lease 19008, what is the rent?")
    assert ("route: the named document was not found; 10 of 20 datasets were not searched",) == degraded(ctx)
    assert 10 == len(knowledge.asked("documents"))


def test_a_question_that_names_nothing_looks_into_six_catalogues_and_no_more() -> None:
    knowledge = FakeKnowledge(*(_folder(at, 16) for at in range(20)))
    ctx = metered(knowledge)
    _route(ctx, "how long does snow lie?")
    assert (6, ()) == (len(knowledge.asked("documents")), degraded(ctx))


def test_only_the_datasets_that_list_what_is_named_are_searched() -> None:
    knowledge = FakeKnowledge(*(_folder(at, 16) for at in range(8)))
    found = _route(metered(knowledge), "In the Hazel Lease 05008, what is the rent?")
    assert ["Folder F"] == [entry.dataset.name for entry in found.datasets]


def test_in_a_large_dataset_the_name_is_asked_for_and_what_was_found_goes_with_the_route() -> None:
    knowledge = FakeKnowledge(*(_folder(at, 640) for at in range(8)))
    found = _route(metered(knowledge), "In the Hazel Lease 05600, what is the rent?")
    assert [["Hazel Lease 05600.txt"]] == [
        [each.name for each in entry.documents] for entry in found.datasets
    ]
    assert {"05600"} == {str(call[3]) for call in knowledge.asked("documents")}


def test_two_named_documents_in_two_datasets_are_both_found() -> None:
    knowledge = FakeKnowledge(*(_folder(at, 16) for at in range(10)))
    text = "Compare the rent in the Hazel Lease 02008 and the Maple Lease 08013."
    outcome, _, spent = ask(text, knowledge=knowledge)
    assert {"Hazel Lease 02008.txt", "Maple Lease 08013.txt"} == sources(outcome)
    assert spent["knowledge_calls"] <= 14
