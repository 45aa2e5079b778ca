"""The text a person reads, and an agent too: it alone must carry the citations."""

from dataclasses import replace

from host_samples import answered, document, not_found, passage, receipt, text_of

from evidence.answer import layout
from evidence.corpus.building import IndexReport
from evidence.model import Claim, Dataset, Outcome, Page, Pool, Shortlist, Understanding, Verdict
from host.view.json import Listing
from host.view.markdown import receipt_line

ANSWERING = ("ask", "quote", "aggregate")
FOOT = "_1.9 s · 5 knowledge calls · 1 model call · 1,234 tokens_"


def test_an_answer_is_followed_by_its_sources_word_for_word() -> None:
    expected = """Notice is 30 days [1].

**Sources**

[1] **Lease | 2024.txt**, Contracts, segment 4
> Notice is 30 days.

- Note: a slow dataset

_Every quote stands word for word in the stored documents._"""
    assert expected == text_of("ask", answered(), receipt("a slow dataset"))


def test_not_found_says_what_was_searched() -> None:
    expected = """**Not found.**

The documents do not say it.

- Datasets searched: Contracts
- Documents searched: Lease | 2024.txt"""
    run = not_found()
    assert expected == text_of("quote", run, receipt())
    searched = expected.rsplit("\n\n", maxsplit=1)[-1]
    nothing = text_of("search", replace(run, answer=None), receipt())
    assert (
        f"**Not found.** No passage fits.\n\nNo document found for: the Mars treaty.\n\n{searched}" in nothing
    )


def test_what_stands_around_an_answer_is_in_the_language_of_the_question() -> None:
    expected = """**Nicht gefunden.**

The documents do not say it.

- Durchsuchte Wissensdatenbanken: Contracts
- Durchsuchte Dokumente: Lease | 2024.txt"""
    asked = Understanding("Wie lange ist die Kündigungsfrist?")
    assert expected == text_of("quote", replace(not_found(), understanding=asked), receipt())


def test_documents_are_not_named_below_an_answer_that_says_where_it_did_not_find_it() -> None:
    run = replace(not_found(), shortlist=Shortlist(()))
    assert text_of("quote", run, receipt()).endswith("\n\n- Datasets searched: Contracts")


def test_the_words_of_a_quote_stand_once_in_an_answer_that_shows_them() -> None:
    run = answered()
    assert run.answer
    shown = replace(run.answer, citations=tuple(replace(each, shown=True) for each in run.answer.citations))
    assert "\n> " not in text_of("quote", replace(run, answer=shown), receipt())


def test_the_text_of_an_answer_ends_in_one_plain_line_and_holds_no_engineers_text() -> None:
    run = answered()
    assert run.answer
    conflicting = replace(run, answer=replace(run.answer, status="partial", reason="conflicting"))
    unsure = replace(run, verdict=replace(run.verdict, status="unsettled"))
    expected = {
        "_Every quote stands word for word in the stored documents._": run,
        "_Answered in part: the documents contradict each other._": conflicting,
        "_Not every sentence could be verified._": unsure,
        layout.line_of("foot_not_reread", "q"): _read_at(run, 1.0),
        layout.line_of("foot_as_handed_in", "q"): _read_at(conflicting, 0.0),
    }
    for last, outcome in expected.items():
        for tool in ANSWERING:
            said = text_of(tool, outcome, receipt())
            assert last == said.splitlines()[-1]
            for word in ("Verdict", "grounding", "Queries", "knowledge call"):
                assert word not in said


def _read_at(run: Outcome, moment: float) -> Outcome:
    assert run.answer
    (citation,) = run.answer.citations
    quote = replace(citation.quote, segment=replace(citation.quote.segment, read_at=moment))
    return replace(run, answer=replace(run.answer, citations=(replace(citation, quote=quote),)))


def test_what_could_not_be_read_is_no_not_found() -> None:
    run = not_found()
    assert run.answer
    lost = replace(run, answer=replace(run.answer, status="partial", reason="knowledge_unavailable"))
    text = text_of("quote", lost, receipt())
    assert text.startswith("**Not found in what could be read.**\n\n")
    assert text.endswith("\n\n_Not all was searched: the knowledge server was not available._")


def test_where_no_dataset_could_be_searched_nothing_is_said_to_be_not_found() -> None:
    run = not_found()
    assert run.answer
    nowhere = replace(run, answer=replace(run.answer, reason="no_dataset_fits"))
    assert text_of("quote", nowhere, receipt()).startswith("**Nothing was searched.**\n\n")


def test_an_ambiguous_question_is_asked_back() -> None:
    run = answered()
    assert run.answer
    answer = replace(run.answer, text="Which lease?", status="ambiguous", citations=())
    asked = replace(run, answer=answer, shortlist=Shortlist((), ask_back="Which lease?"))
    assert "**Ambiguous question.**\n\nWhich lease?" == text_of("ask", asked, receipt())


def test_documents_are_listed_with_score_and_reasons() -> None:
    expected = f"**1 document**\n\n1. **Lease | 2024.txt** (Contracts), 0.93 — name: 0.81\n\n{FOOT}"
    assert expected == text_of("discover", answered(), receipt())
    nothing = Outcome("q", Understanding("q"))
    assert text_of("discover", nothing, receipt()).startswith("**Not found.** No document fits.")


def test_queries_are_listed_with_their_source() -> None:
    expected = f"""**1 query**

- notice (topic, weight 0.5)

**Keywords by document**

- Lease | 2024.txt: notice, leave

{FOOT}"""
    assert expected == text_of("boost", answered(), receipt())


def test_passages_are_shown_with_place_and_words() -> None:
    expected = f"""**1 passage**

1. **Lease | 2024.txt**, Contracts, segment 4, 0.500
> 12.1 Either party may leave.
> Notice is 30 days.

{FOOT}"""
    assert expected == text_of("search", answered(), receipt())


def test_a_long_passage_is_cut_in_the_text() -> None:
    run = replace(answered(), pool=Pool((passage(text="x" * 5_000),)))
    assert f"> {'x' * 2_000} […]\n" in text_of("search", run, receipt())


def test_a_judgement_names_what_is_not_supported() -> None:
    run = answered()
    assert run.answer
    claims = (
        Claim("Notice is 30 days.", (1,), supported=True),
        Claim("It costs 400 euros.", (1,), supported=True, unsupported_details=("400",)),
    )
    verdict = Verdict("unsettled", 0.5, 1, 1, 1, reason="a number is not in its quote", follow_ups=("price",))
    judged = replace(run, answer=replace(run.answer, claims=claims), verdict=verdict)
    expected = f"""**Not supported by the passages**

- It costs 400 euros. (not in the passages: 400)
  - Lease | 2024.txt: “Notice is 30 days.”

Verdict: **unsettled** — grounding 0.50, completeness 1.00, consistency 1.00, specificity 1.00 (a number is \
not in its quote)

**Suggested searches**
- price

{FOOT}"""
    assert expected == text_of("reflect", judged, receipt())


def test_a_judgement_tells_what_no_passage_bears_on_from_what_cannot_be_compared() -> None:
    run = answered()
    assert run.answer
    claims = (Claim("Cats sing."), Claim("Die Miete ist niedrig.", unknown=True))
    text = text_of("reflect", replace(run, answer=replace(run.answer, claims=claims)), receipt())
    assert text.startswith(
        "**Not supported by the passages**\n\n- Cats sing. (no passage bears on it)\n\n"
        "**Not compared: the passages are in another language**\n\n- Die Miete ist niedrig.\n\n"
    )


def test_a_judge_that_failed_gives_no_scores() -> None:
    judged = replace(answered(), verdict=Verdict("unknown", reason="the model did not answer"))
    assert "Verdict: **unknown** (the model did not answer)" in text_of("reflect", judged, receipt())


def test_datasets_and_documents_are_tables() -> None:
    dataset = Dataset("id-1", "Contracts", "Signed ones", document_count=7)
    assert "| Contracts | id-1 | 7 | Signed ones |" in text_of(
        "list_datasets", IndexReport((dataset,), {}), receipt()
    )
    listed = text_of("list_documents", Listing(Page((document(),), 41), 2, 20), receipt())
    assert listed.startswith("**41 documents** (page 2 of 3)")
    assert "| Lease \\| 2024.txt | Contracts | d-1 |" in listed


def test_nothing_to_list_is_said() -> None:
    assert f"**0 datasets**\n\n{FOOT}" == text_of("list_datasets", IndexReport((), {}), receipt())
    assert f"**0 documents** (page 1 of 1)\n\n{FOOT}" == text_of(
        "list_documents", Listing(Page((), 0), 1, 20), receipt()
    )


def test_rerank_calls_are_named_where_there_were_any() -> None:
    spent = replace(receipt(), spent={"rerank_calls": 1})
    assert receipt_line(spent) == "_1.9 s · 0 knowledge calls · 0 model calls · 1 rerank call · 0 tokens_"


def test_names_and_words_of_documents_render_no_link_image_or_tag() -> None:
    name, words = "![x](http://a.example/x.png)", "See [here](http://a.example) <img src=x>."
    escaped = r"!\[x\](`http://a.example/x.png`)"
    listed = text_of("list_documents", Listing(Page((replace(document(), name=name),), 1), 1, 20), receipt())
    assert f"| {escaped} | Contracts | d-1 |" in listed
    dataset = Dataset("id-1", name, words, document_count=7)
    expected = rf"| {escaped} | id-1 | 7 | See [here\](`http://a.example`) \<img src=x>. |"
    assert expected in text_of("list_datasets", IndexReport((dataset,), {}), receipt())
    run = replace(answered(), pool=Pool((passage(text=words),)))
    assert r"> See [here\](`http://a.example`) \<img src=x>." in text_of("search", run, receipt())


def test_an_encoded_file_name_is_shown_as_people_read_it() -> None:
    encoded = document("expense%20policy%20rev3.md")
    listed = text_of(
        "list_documents", Listing(Page((encoded,), 1), 1, 20), receipt("search: a%20b.md was not read")
    )
    assert "| expense policy rev3.md |" in listed
    assert "- Note: search: a b.md was not read" in listed
