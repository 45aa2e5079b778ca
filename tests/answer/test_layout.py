"""What of an answer claims nothing: its form. All else is a claim, however it is dressed up."""

import pytest

from evidence.answer import layout
from evidence.answer.layout import claimed
from evidence.answer.phrases import is_ours, phrase
from evidence.answer.verify_answer import verify_answer
from tests.fakes import segment

NOTICE = segment(
    "Either party may end it with 180 days' notice. It replaces version 1.", "Lease_v2_2025-03-01.md", 4
)
RENT = segment("The rent is 500 euros a month.", "Rent [old] rules", 2)
BOTH = (NOTICE, RENT)
OWN = f"""{layout.line_of("title_not_found", "What?")}

The documents differ on this; the newest comes first:

> Either party may end it with 180 days' notice. It replaces version 1. [1]

{layout.attribution(NOTICE.document.name, "2025-03-01")}

They also say:

> The rent is 500 euros a month. [2]

{layout.attribution(RENT.document.name)}

Searched 12 of 14 segments of 2 documents. Of other documents only what was retrieved (segments: 1, documents: 1).

No document found for: the Mars treaty.

{layout.line_of("title_sources", "What?")}

[1] {layout.place(NOTICE)}

[2] {layout.place(RENT)}
> The rent is 500 euros a month.

{layout.line_of("label_datasets", "What?", names="Papers; Policies")}
{layout.note("search: 5 of 9 segments were read")}

{layout.line_of("foot_in_part", "What?", reason="a limit was reached")}

{layout.line_of("foot_not_reread", "What?")}

{layout.line_of("foot_as_handed_in", "What?")}"""


def test_of_our_own_answer_nothing_is_a_claim_but_its_quotes() -> None:
    quotes = ["Either party may end it with 180 days' notice.", "It replaces version 1."]
    rent = "The rent is 500 euros a month."
    assert [*quotes, rent, rent] == list(claimed(OWN, BOTH))
    claims, _ = verify_answer(OWN, BOTH)
    assert all(each.supported for each in claims)


@pytest.mark.parametrize(
    "line",
    [
        "— Lease_v2_2025-03-01.md",
        "— Some_other_file.pdf (2024-01-02)",
        "Lease_v2_2025-03-01.md",
        "Sources: Lease_v2_2025-03-01.md, Rent [old] rules.",
        "## 8.2 Ending it",
        "**What the lease says**",
        "Is there anything else that you want to know?",
        "[3] **Some other document**, Papers, segment 12",
        "I did not find this in Lease_v2_2025-03-01.md, Rent.md and 3 more.",
        "证据不足。文件中最接近的内容：",
        "12 件の文書の 40 個のセグメントのうち 38 個を読みました。",
    ],
)
def test_a_line_that_is_no_more_than_form_is_no_claim(line: str) -> None:
    assert [] == list(claimed(line, BOTH))


@pytest.mark.parametrize(
    "line",
    [
        "— The tenant pays 700 euros.",
        "**The rent is 700 euros.**",
        "**Rent: 700 euros**",
        "# The rent is 700 euros",
        "- Note: the rent is 700 euros.",
        "[1] **The rent is 700 euros**, as agreed",
        "Sources say that the rent is 700 euros.",
        "The rent is 700 euros:",
        "The rent is 700 euros: see Lease_v2_2025-03-01.md",
    ],
)
def test_a_claim_that_is_dressed_up_as_form_is_a_claim(line: str) -> None:
    claims, _ = verify_answer(f"{line}\n\n> The rent is 500 euros a month. [1]", BOTH)
    assert 2 == len(claims)
    assert not claims[0].supported


def test_a_lead_in_is_no_claim_only_where_it_leads_in_something_and_says_nothing_itself() -> None:
    lead = "The lease says about this:"
    quote = "> It replaces version 1."
    assert ["It replaces version 1."] == list(claimed(f"{lead}\n\n{quote}", BOTH))
    assert [lead] == list(claimed(lead, BOTH))
    before = "Either party may end it early."
    assert [before, "It replaces version 1."] == list(claimed(f"{before} {lead}\n{quote}", BOTH))


def test_of_a_table_the_cells_are_claims_and_the_heads_are_not() -> None:
    table = (
        "| Document | Notice in days | Rent |\n| --- | --- | --- |\n"
        "| Lease_v2_2025-03-01.md | 180 days' notice for either party [1] | not found (searched: rent; 500 euros) |\n"
        "| 90 days of holidays | none at all |"
    )
    assert ["180 days' notice for either party", "90 days of holidays"] == list(claimed(table, BOTH))[:2]


def test_items_are_claims_without_the_documents_that_they_are_from() -> None:
    item = "- The rent is 500 euros a month. [1] — Rent [old] rules; Lease_v2_2025-03-01.md"
    assert ["The rent is 500 euros a month."] == list(claimed(item, BOTH))
    aside = "- The rent is 500 euros a month [1] — and 200 euros more in winter"
    assert ["The rent is 500 euros a month — and 200 euros more in winter"] == list(claimed(aside, BOTH))


def test_what_is_escaped_and_underscores_inside_of_words_stand_as_they_are() -> None:
    stored = segment("Set max_open_files to 40 [see note].", "Guide.md")
    claims, citations = verify_answer("> Set max_open_files to 40 \\[see note\\]. [1]", (stored,))
    assert [("Set max_open_files to 40 [see note].", True)] == [
        (each.text, each.supported) for each in claims
    ]
    assert "Set max_open_files to 40 [see note]." == citations[0].quote.text


@pytest.mark.parametrize("question", ["What?", "什么？", "何ですか。"])
def test_our_own_sentences_are_known_in_each_language_however_they_are_filled_in(question: str) -> None:
    assert is_ours(phrase("not_found", question, where="Lease.md, Rent.md"))
    assert is_ours(phrase("bound", question, read=3, total=4, documents=2))
    assert is_ours(phrase("contradiction", question))
    assert not is_ours("The rent is 500 euros a month.")


def test_a_decoded_name_is_no_claim_either() -> None:
    rent = segment("The rent is 500 euros a month.", "Rent%20rules%202024.md", 2)
    answer = f"> {rent.text} [1]\n\n{layout.attribution(rent.document.name)}\n\n[1] {layout.place(rent)}"
    assert "— Rent rules 2024.md" in answer
    assert [rent.text] == list(claimed(answer, [rent]))
