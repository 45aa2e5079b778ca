"""Named cases of what a question wants, in three languages, and that any text is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.understand.intents import intent_of

CASES = {
    "lookup": [
        "What is the notice period in the Acme contract?",
        "How long does confidentiality last?",
        "Who signed the lease?",
        "When does the warranty expire?",
        "Acme's notice period",
        "Tell me the termination date.",
        "Which law governs the agreement?",
        "How many days of leave do employees get?",
        "What happens if a payment is late?",
        "What are the termination conditions?",
        "Explain how expenses are reimbursed.",
        "In what year was the company founded?",
        "Please tell me the maximum amount for a hotel night",
        "Wie lange dauert die Kündigungsfrist?",
        "What does the handbook say about remote work?",
        "保密期限是多久？",
        "请问违约金是多少？",
        "出差住宿的标准是什么？",
        "谁负责审批？",
        "如何申请年假？",
        "宿泊費の上限はいくらですか？",
        "秘密保持義務の期間はどのくらいですか",
        "有給休暇の申請方法を教えてください",
    ],
    "list_all": [
        "List all contracts that expire in 2025.",
        "List every obligation of the supplier",
        "Which documents mention arbitration?",
        "Which of our agreements are governed by French law?",
        "Can you list the insurance requirements?",
        "Find all clauses about liability",
        "Show me all payment deadlines",
        "What are all the fees?",
        "How many contracts mention indemnification?",
        "Please enumerate the exclusions.",
        "Name all parties to the deal",
        "In which contracts is there a non-compete?",
        "Give me a list of suppliers",
        "哪些合同规定了违约金？",
        "请列出所有的付款期限",
        "公司有哪些福利？",
        "すべての秘密保持義務を挙げてください",
        "承認が必要な経費を一覧にしてください",
        "どの契約書に自動更新がありますか",
    ],
    "compare": [
        "What are the differences between the two leases?",
        "Compare Acme and Globex on liability",
        "How do the travel policy and the expense policy differ?",
        "Is there any difference between the Acme NDA and the Globex NDA?",
        "Acme NDA vs. Globex NDA: notice period",
        "Could you please compare the notice periods?",
        "What do both agreements have in common?",
        "How does the 2021 handbook compare with the 2023 one?",
        "甲公司和乙公司的保密期限有什么区别？",
        "比较两份合同的付款条件",
        "两份协议有何不同",
        "旅費規程と出張規程の違いは何ですか",
        "二つの契約を比較してください",
    ],
    "summarise": [
        "Summarise the safety report",
        "Please summarize the board minutes of May.",
        "Give me a brief overview of the pension plan",
        "What is the remote work policy about?",
        "Could you provide a short summary of the lease?",
        "What are the key points of the meeting?",
        "总结一下会议纪要",
        "请概括这份合同的主要内容",
        "会議の議事録を要約してください",
        "就業規則の概要を教えてください",
    ],
    "yes_no": [
        "Does the Acme agreement allow subcontracting?",
        "Is the supplier liable for indirect damages?",
        "Can employees carry over leave?",
        "Does the document require that all Confidential Information be marked?",
        "Are there any penalties for late delivery?",
        "Tell me whether the tenant may sublet",
        "Isn't the deposit refundable?",
        "Does the policy require a summary of each incident?",
        "Do you know if pets are allowed?",
        "供应商是否需要购买保险？",
        "可以提前解除合同吗？",
        "有没有竞业限制？",
        "是否所有员工都有年假？",
        "再委託は認められていますか？",
        "年休は翌年に繰り越せますか",
    ],
    "define": [
        'What does "Confidential Information" mean?',
        "What is meant by force majeure?",
        "Define material breach.",
        'How is "Affiliate" defined in the lease?',
        "What is a Business Day?",
        "What is force majeure?",
        "Definition of gross negligence",
        "“关联方”是什么意思？",
        "什么叫不可抗力",
        "保密信息的定义",
        "不可抗力とは何ですか？",
        "「秘密情報」とは",
        "「営業日」の定義を教えてください",
    ],
}


@pytest.mark.parametrize(
    ("intent", "question"), [(intent, text) for intent, texts in CASES.items() for text in texts]
)
def test_the_form_of_a_question_says_what_it_wants(intent: str, question: str) -> None:
    assert intent == intent_of(question)


def test_the_question_behind_a_named_document_decides() -> None:
    text = "In the Acme contract, may the tenant sublet?"
    assert intent_of(text, "may the tenant sublet?", 1) == "yes_no"


def test_two_named_documents_make_a_yes_no_question_a_comparison() -> None:
    assert intent_of("For A and B: is notice needed?", "is notice needed?", 2) == "compare"


def test_two_named_documents_leave_an_order_to_list_alone() -> None:
    assert intent_of("List all fees in A and B", "List all fees", 2) == "list_all"


@given(st.text(max_size=200))
def test_any_text_has_an_intent(text: str) -> None:
    assert intent_of(text, text, 1) in {"lookup", "list_all", "compare", "summarise", "yes_no", "define"}
