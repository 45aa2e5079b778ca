"""Values of a run, as the pipeline would hand them over, and how a tool shows them."""

from typing import Any

from evidence.limits import Limits
from evidence.model import (
    Answer,
    Cell,
    Citation,
    Claim,
    Comparison,
    ComparisonRow,
    Document,
    Facet,
    Outcome,
    Passage,
    Pool,
    Provenance,
    Query,
    QueryPlan,
    Quote,
    RankedDocument,
    Searched,
    Segment,
    Shortlist,
    Span,
    Understanding,
    Verdict,
)
from evidence.trace import Receipt, Step
from host.tools import TOOLS

DATASET_ID = "5d1c1a8e-8c0d-4a51-9a4e-0d5f6f1f0a01"
SEGMENT_ID = "0b7e6a52-3c1f-4f0c-9b52-2f6f0d9c1e77"
TEXT = "12.1 Either party may leave.\nNotice is 30 days."


def document(name: str = "Lease | 2024.txt", document_id: str = "d-1") -> Document:
    return Document(
        DATASET_ID, document_id, name, "Contracts", metadata={"year": 2024}, read_at=1_763_713_800.0
    )


def segment(text: str = TEXT, segment_id: str = SEGMENT_ID, question: str = "") -> Segment:
    return Segment(document(), segment_id, 4, text, question, read_at=1_763_713_800.0)


def passage(rank: int = 1, text: str = TEXT, segment_id: str = SEGMENT_ID) -> Passage:
    return Passage(segment(text, segment_id), 0.5, rank, (Provenance("notice", "keyword", 2),))


def citation() -> Citation:
    return Citation(1, Quote(segment(), Span(29, 47)))


def comparison() -> Comparison:
    cells = (Cell("30 days", (1,)), Cell(None, (), ("liability cap",)))
    return Comparison(("notice", "cap"), (ComparisonRow(document(), cells),))


def answered() -> Outcome:
    answer = Answer(
        "Notice is 30 days [1].",
        citations=(citation(),),
        claims=(Claim("Notice is 30 days [1].", (1,), supported=True),),
        facets=(Facet("notice?", "covered", (1,), ("notice",)),),
    )
    return Outcome(
        "What is the notice period?",
        Understanding("What is the notice period?"),
        answer,
        Shortlist((RankedDocument(document(), 0.93, ("name: 0.81",)),)),
        plan=QueryPlan((Query("notice", "topic", 0.5),), {"d-1": ("notice", "leave")}),
        pool=Pool((passage(),), (Query("notice"),), read=3, total=12, documents=1),
        verdict=Verdict("settled", 1.0, 1.0, 1.0, 0.5, 1, "all claims have quotes"),
    )


def not_found() -> Outcome:
    run = answered()
    answer = Answer("The documents do not say it.", "not_found", "no_evidence")
    shortlist = Shortlist(run.shortlist.documents, missing=("the Mars treaty",))
    pool = Pool((), (Query("notice"),), 3, 12, 1, searched=Searched(("Contracts",), ("Lease | 2024.txt",)))
    return Outcome(run.question, run.understanding, answer, shortlist, pool=pool)


def receipt(*degraded: str) -> Receipt:
    spent = {"knowledge_calls": 5, "model_calls": 1, "prompt_tokens": 1200, "completion_tokens": 34}
    steps = (Step("search", {"items": 8}, 0.1, 0.25),)
    return Receipt(1.94, steps, degraded, spent, began_at=1_763_713_790.0)


def text_of(tool: str, result: object, spent: Receipt) -> str:
    view = TOOLS[tool].view
    return view.text(result, view.status(result), spent)


def json_of(tool: str, result: object, spent: Receipt, limits: Limits = Limits()) -> dict[str, Any]:  # noqa: B008 - it is frozen
    view = TOOLS[tool].view
    return view.json(result, view.status(result), spent, limits)
