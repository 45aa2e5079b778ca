"""Which words of a question name documents, by syntax alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.understand.subjects import split

NAMED = [
    ("What is the notice period in the Acme contract?", ("Acme contract",), "What is the notice period?"),
    (
        "In Acme's privacy policy, how long is data kept?",
        ("Acme's privacy policy",),
        "how long is data kept?",
    ),
    (
        "According to the 2023 Employee Handbook, how many days are there?",
        ("2023 Employee Handbook",),
        "how many days are there?",
    ),
    ("Compare Acme and Globex on liability.", ("Acme", "Globex"), "Compare the document on liability."),
    (
        "What are the differences between the Acme and Globex contracts regarding termination?",
        ("Acme", "Globex contracts"),
        "What are the differences regarding termination?",
    ),
    (
        "How do Acme's NDA and the lease between Blue and Red differ on notice?",
        ("Acme's NDA", "lease between Blue and Red"),
        "How do the document differ on notice?",
    ),
    ("Acme NDA: what is the notice period?", ("Acme NDA",), "what is the notice period?"),
    (
        "For both Northwind and Contoso: may the tenant sublet?",
        ("Northwind", "Contoso"),
        "may the tenant sublet?",
    ),
    (
        "Regarding the lease with Harbour Estates of May 2020, who pays for repairs?",
        ("lease with Harbour Estates of May 2020",),
        "who pays for repairs?",
    ),
    ("Does the travel policy reimburse meals?", ("travel policy",), "Does the document reimburse meals?"),
    (
        "According to travel_policy_v2.pdf, who approves flights?",
        ("travel_policy_v2.pdf",),
        "who approves flights?",
    ),
    (
        'What does "Remote Work Policy 2024" say about equipment?',
        ("Remote Work Policy 2024",),
        "What does the document say about equipment?",
    ),
    (
        "Is the agreement between acme and globex valid?",
        ("agreement between acme and globex",),
        "Is the document valid?",
    ),
    (
        "Tell me about the Smith & Hall license agreement's termination clause",
        ("Smith & Hall license agreement",),
        "Tell me about the termination clause",
    ),
    ("请问甲公司与乙公司的保密协议中保密期限是多久？", ("甲公司与乙公司的保密协议",), "保密期限是多久？"),
    ("比较《员工手册》和《差旅制度》的请假规定", ("员工手册", "差旅制度"), "请假规定"),
    ("根据差旅报销制度，住宿标准是多少？", ("差旅报销制度",), "住宿标准是多少？"),
    ("租赁合同和服务合同的违约金有什么区别？", ("租赁合同", "服务合同"), "违约金有什么区别？"),
    ("旅費規程では宿泊費の上限はいくらですか？", ("旅費規程",), "宿泊費の上限はいくらですか？"),
    ("宿泊費の上限は旅費規程ではいくらですか", ("旅費規程",), "宿泊費の上限はいくらですか"),
    ("「情報セキュリティ規程」において、長さは？", ("情報セキュリティ規程",), "長さは？"),
    ("旅費規程と出張規程の違いは何ですか", ("旅費規程", "出張規程"), "違いは何ですか"),
]
UNNAMED = [
    "What does “Confidential Information” mean?",
    "List all obligations of the Receiving Party.",
    "Which contracts mention arbitration?",
    "May the Disclosing Party's representatives keep copies?",
    "In Germany, what is the minimum wage?",
    "What is Acme's notice period?",
    "how do I connect Evolution to Slack",
    "May I wait 5 minutes at Gate 3?",
    "In what year did oxygen become popular?",
    "What happens if the report is late?",
    "What's the term of the agreement?",
    "Does the Agreement survive its termination?",
    "Consider the following: a tenant leaves early. Who pays?",
    "哪些合同规定了违约金？",
    "这份合同的期限是多久？",
    "すべての契約書を一覧にしてください",
    "Wie lang ist die Kündigungsfrist?",
]


@pytest.mark.parametrize(("question", "subjects", "topic"), NAMED)
def test_the_words_that_name_documents_are_parted_from_what_is_asked(
    question: str, subjects: tuple[str, ...], topic: str
) -> None:
    found = split(question)
    assert (subjects, topic) == (found.subjects, found.topic)


@pytest.mark.parametrize("question", UNNAMED)
def test_a_question_that_names_no_document_stays_whole(question: str) -> None:
    found = split(question)
    assert ((), question) == (found.subjects, found.topic)


@given(st.text(max_size=300))
def test_any_text_is_parted_and_keeps_a_topic(text: str) -> None:
    assert bool(split(text).topic) == bool(text.strip())


def test_a_thousand_prefixes_are_no_more_than_a_few() -> None:
    assert split("Lease: Annex B: what is the rent?").subjects == ("Lease", "Annex B")
    assert split("Acme lease: " * 1_100 + "what is the rent?").topic


def test_a_wall_of_blanks_is_parted_at_once() -> None:
    assert split("a" + "\n" * 20_000 + "b").topic == "a b"


EDITIONS = [
    (
        "Compare version 1 and version 2 of the travel policy.",
        ("version 1 of the travel policy", "version 2 of the travel policy"),
    ),
    (
        "What changed from the 2021 edition to the 2023 edition of the Staff Handbook?",
        ("2021 edition of the Staff Handbook", "2023 edition of the Staff Handbook"),
    ),
    (
        "Compare version 1 of the Acme lease with version 3 of the Globex lease.",
        ("version 1 of the Acme lease", "version 3 of the Globex lease"),
    ),
    (
        "How does the new lease policy differ from the old one?",
        ("new version of the lease policy", "old version of the lease policy"),
    ),
    ("In version 2 of the Acme lease, what is the rent?", ("Acme lease",)),
    ("Does the Acme agreement cover TLS version 1 and version 2?", ("Acme agreement",)),
    ("What fees were due in 2021 and 2022 under the Harbour Lease?", ("Harbour Lease",)),
    ("Compare sections 1 and 2 of the travel policy.", ("travel policy",)),
    ("旅費規程の第1版と第2版の違いは何ですか？", ("旅費規程第1版", "旅費規程第2版")),
    ("2021年版と2023年版の旅費規程の違いは何ですか？", ("旅費規程2021年版", "旅費規程2023年版")),
    ("对比员工手册旧版与新版。", ("员工手册旧版", "员工手册新版")),
    ("员工手册的第一版和第二版对年假的规定有何不同？", ("员工手册第一版", "员工手册第二版")),
]


@pytest.mark.parametrize(("question", "subjects"), EDITIONS)
def test_each_of_several_editions_is_a_document_and_other_numbers_are_none(
    question: str, subjects: tuple[str, ...]
) -> None:
    assert subjects == split(question).subjects


def test_what_a_document_stipulates_is_no_second_document() -> None:
    found = split("《差旅管理制度》对住宿标准的规定有何不同？")
    assert (("差旅管理制度",), "对住宿标准的规定有何不同？") == (found.subjects, found.topic)


def test_a_kind_in_small_letters_after_with_is_a_document_and_no_party() -> None:
    found = split("Compare the parental leave policy with the remote work policy.")
    assert ("parental leave policy", "remote work policy") == found.subjects


@given(st.text(alphabet="version 12 of the 2021 and edition lease policy 第一版と旅費規程の,", max_size=80))
def test_editions_never_make_a_question_unreadable(question: str) -> None:
    found = split(question)
    assert bool(found.topic) == bool(question.strip())


@pytest.mark.parametrize(
    ("question", "names", "topic"),
    [
        (
            'Consider "Keep - Home Trainer"\'s policy; who sees my data?',
            ("Keep - Home Trainer",),
            "who sees my data?",
        ),
        ('In the "Shop: Deals" policy, how long is data kept?', ("Shop: Deals",), "how long is data kept?"),
        ("Consider the lease between “A; B Co.” and “C – D”; what is the fee?", None, "what is the fee?"),
    ],
)
def test_marks_inside_of_a_quoted_name_end_no_name(
    question: str, names: tuple[str, ...] | None, topic: str
) -> None:
    found = split(question)
    assert topic == found.topic
    assert names in (None, found.subjects)
