"""Which words of a question name documents, by syntax alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.text.subjects import Split, split

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
        "Summarise the minutes of the board meeting of 3 May 2024.",
        ("minutes of the board meeting of 3 May 2024",),
        "Summarise the document.",
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
    ("甲公司和乙公司的保密期限有什么区别？", ("甲公司", "乙公司"), "保密期限有什么区别？"),
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


def test_an_owner_is_an_unsure_subject_and_stays_in_the_topic() -> None:
    text = "What is Acme's notice period?"
    assert split(text) == Split(("Acme",), text, sure=False)
    assert split("What is the notice period in Acme's lease?").sure is True


@given(st.text(max_size=300))
def test_any_text_is_parted_and_keeps_a_topic(text: str) -> None:
    assert bool(split(text).topic) == bool(text.strip())


def test_a_wall_of_blanks_is_parted_at_once() -> None:
    assert split("a" + "\n" * 20_000 + "b").topic == "a b"
