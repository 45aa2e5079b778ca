"""Two editions of one document asked for at once: each is found, read and quoted by a fresh process."""

import pytest

from evidence.model import Question
from evidence.understand.question import ReadOptions, read_question, understand
from tests.fakes import FakeKnowledge, Holding, ScriptedLLM, context, holding
from tests.pipeline_samples import ask, quotes, sources

_OTHERS = {
    f"{topic} rules.txt": [f"Rules for {topic.lower()}.", f"{topic} are looked after by the warden."]
    for topic in (
        "Boats",
        "Bells",
        "Barns",
        "Bridges",
        "Benches",
        "Birds",
        "Books",
        "Boilers",
        "Bins",
        "Beds",
    )
}
_OTHERS_CJK = {
    f"{topic}規則.txt": [f"{topic}規則。", f"{topic}は管理人が世話をする。"]
    for topic in "舟鐘橋鳥本庭門窓机車"
}
_OTHERS_ZH = {
    f"{topic}规则.txt": [f"{topic}规则。", f"{topic}由管理员照看。"]
    for topic in ("船舶", "钟楼", "桥梁", "鸟类", "图书")
}


def _numbered() -> Holding:
    texts = {
        "Travel_Policy_v1.md": ["Travel policy.", "The nightly allowance is forty coins."],
        "Travel_Policy_v2.md": ["Travel policy.", "The nightly allowance is sixty coins."],
        "Travel_Policy_v3.md": ["Travel policy.", "The nightly allowance is ninety coins."],
    }
    return holding("House", _OTHERS | texts)


def _dated() -> Holding:
    texts = {
        f"Travel Policy {year}.md": ["Travel policy.", f"The nightly allowance is {coins} coins."]
        for year, coins in ((2021, "forty"), (2023, "sixty"), (2025, "ninety"))
    }
    return holding("House", _OTHERS | texts)


def _japanese() -> Holding:
    texts = {
        "旅費規程_第1版.md": ["旅費規程。", "宿泊の日当は四千円とする。"],
        "旅費規程_第2版.md": ["旅費規程。", "宿泊の日当は六千円とする。"],
        "旅費規程_第3版.md": ["旅費規程。", "宿泊の日当は九千円とする。"],
    }
    return holding("社内", _OTHERS_CJK | texts)


def _chinese() -> Holding:
    texts = {
        "差旅管理制度2021年版.md": ["差旅管理制度。", "住宿标准为每晚四百元。"],
        "差旅管理制度2023年版.md": ["差旅管理制度。", "住宿标准为每晚六百元。"],
        "差旅管理制度2025年版.md": ["差旅管理制度。", "住宿标准为每晚九百元。"],
    }
    return holding("制度", _OTHERS_ZH | texts)


_BOTH = (  # a collection, the two editions, what they say, and questions that name both
    (
        _numbered(),
        {"Travel_Policy_v1.md", "Travel_Policy_v2.md"},
        ("forty", "sixty"),
        (
            "Compare the nightly allowance in version 1 and version 2 of the travel policy.",
            "Compare version 1 and version 2 of the travel policy: what is the nightly allowance?",
            "What is the nightly allowance in versions 1 and 2 of the travel policy?",
            "How did the nightly allowance change between v1 and v2 of the travel policy?",
            "In the travel policy, version 1 and version 2, what is the nightly allowance?",
            "What is the nightly allowance in the first and the second version of the travel policy?",
        ),
    ),
    (
        _dated(),
        {"Travel Policy 2021.md", "Travel Policy 2023.md"},
        ("forty", "sixty"),
        (
            "Compare the nightly allowance in the 2021 and the 2023 edition of the travel policy.",
            "How do the 2021 and 2023 versions of the travel policy differ on the nightly allowance?",
            "How do the 2021 and 2023 travel policies differ on the nightly allowance?",
            "Compare the nightly allowance in the travel policy of 2021 with that of 2023.",
            "Compare the nightly allowance in the travel policy of 2021 and of 2023.",
        ),
    ),
    (
        _japanese(),
        {"旅費規程_第1版.md", "旅費規程_第2版.md"},
        ("四千円", "六千円"),
        (
            "旅費規程の第1版と第2版では、宿泊の日当はどう違いますか？",
            "旅費規程第1版と旅費規程第2版の宿泊の日当を比較してください。",
            "「旅費規程」の第一版と第二版で宿泊の日当を比べてください。",
        ),
    ),
    (
        _chinese(),
        {"差旅管理制度2021年版.md", "差旅管理制度2023年版.md"},
        ("四百元", "六百元"),
        (
            "差旅管理制度2021年版和2023年版的住宿标准有什么区别？",
            "比较差旅管理制度的2021年版和2023年版的住宿标准。",
            "《差旅管理制度》2021年版与2023年版对住宿标准的规定有何不同？",
            "2021年版和2023年版的差旅管理制度，住宿标准有什么不同？",
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "held", "named", "said"),
    [(text, held, named, said) for held, named, said, texts in _BOTH for text in texts],
)
def test_both_editions_that_a_question_names_are_read_and_quoted(
    text: str, held: Holding, named: set[str], said: tuple[str, ...]
) -> None:
    outcome = ask(text, knowledge=FakeKnowledge(held))[0]
    assert named == sources(outcome)
    quoted = " ".join(quotes(outcome))
    assert [] == [word for word in said if word not in quoted]


def test_a_model_that_names_the_document_once_does_not_make_its_editions_one() -> None:
    question = Question("Compare the nightly allowance in version 1 and version 2 of the travel policy.")
    rules = understand(question)
    llm = ScriptedLLM('{"subjects": ["travel policy"], "core": "nightly allowance"}')
    read = read_question(question, rules, ReadOptions(), context(llm))
    assert ("version 1 of the travel policy", "version 2 of the travel policy") == read.subjects


def test_old_and_new_mean_the_oldest_and_the_newest_edition() -> None:
    text = "Compare the nightly allowance in the old and the new version of the travel policy."
    assert {"Travel_Policy_v1.md", "Travel_Policy_v3.md"} == sources(
        ask(text, knowledge=FakeKnowledge(_numbered()))[0]
    )


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Compare the nightly allowance in version 2 and version 7 of the travel policy.", "version 7"),
        ("Compare the nightly allowance in version 9 and version 7 of the travel policy.", "version 7"),
    ],
)
def test_an_edition_that_does_not_exist_is_said_to_be_missing(text: str, missing: str) -> None:
    outcome = ask(text, knowledge=FakeKnowledge(_numbered()))[0]
    assert f"{missing} of the travel policy" in outcome.shortlist.missing
    assert "Travel_Policy_v3.md" not in sources(outcome)


def test_numbers_that_are_no_editions_of_the_document_leave_it_one() -> None:
    held = holding(
        "House", _OTHERS | {"Remote Policy.md": ["Remote policy.", "TLS version 1 is refused, 2 is not."]}
    )
    outcome = ask(
        "Does the remote policy refuse TLS version 1 and version 2?", knowledge=FakeKnowledge(held)
    )[0]
    assert ("remote policy",) == outcome.understanding.subjects


# --- a clause that is in the superseded version too -------------------------------------------------------------

OLD, NEW = "House Rules v1 2023-03-01.txt", "House Rules v2 2025-03-01.txt"
CLAUSE = "A guest who stays over night is announced to the porter."
SPEAKS_MORE = "Whoever announces a guest for the night tells the porter; a guest of the porter stays a night."


@pytest.mark.parametrize("technique", ["economy", "high_quality"])
@pytest.mark.parametrize("names", [(OLD, NEW), (NEW, OLD)])
def test_a_clause_that_both_versions_hold_alike_is_quoted_from_the_valid_one(
    technique: str, names: tuple[str, str]
) -> None:
    texts = {OLD: ["Rules.", CLAUSE, SPEAKS_MORE], NEW: ["Rules that replace those of 2023.", CLAUSE]}
    held = holding("Rules", {name: texts[name] for name in names}, technique=technique)
    outcome, _, _ = ask(
        "Is a guest who stays over night announced to the porter?", knowledge=FakeKnowledge(held)
    )
    assert outcome.answer is not None
    assert NEW == outcome.answer.citations[0].quote.segment.document.name
    assert NEW == outcome.pool.passages[0].segment.document.name
