"""A small corpus and a client, for the tests of the knowledge server."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.corpus import Technique
from standalone.knowledge.profiles import ProfileName

PROFILES: tuple[ProfileName, ...] = ("1.10.1", "1.13.3")
UNKNOWN = "00000000-0000-0000-0000-000000000000"
KEY = "dataset-sample"

LEASE = (
    "The tenant pays the rent on the first day of the month.\n\n"
    "The landlord repairs the roof. A repair takes at most thirty days.\n\n"
    "Either party may end the lease with three months of notice."
)
POLICY = (
    "Travel is booked by the office.\n\nMeals are refunded up to forty euros a day, against receipts.\n\n"
    "A refund is paid within thirty days."
)
MINUTES = "董事会批准了预算。会议在上海举行。\n\n下一次会议讨论租金。"

DOCUMENTS = (
    SourceDocument("Lease.txt", LEASE, {"kind": "contract", "year": 2021}),
    SourceDocument("policy.md", POLICY, {"kind": "policy", "year": 2023}),
    SourceDocument("minutes.txt", MINUTES, {"kind": "minutes"}),
    SourceDocument("empty.txt", " \n \n"),
    SourceDocument("old lease.txt", "The rent of the old lease.", archived=True),
    SourceDocument("hidden.txt", "The rent nobody sees.", enabled=False),
    SourceDocument("broken.pdf", "The rent of a broken file.", indexing_status="error"),
)
FAQ = SourceDocument(
    "faq.csv",
    segments=(
        SourceSegment("When is the rent due?", answer="On the first day of the month."),
        SourceSegment("Who repairs the roof?", answer="The landlord."),
    ),
)
NESTED = SourceDocument(
    "handbook.txt",
    segments=(
        SourceSegment("Rent and repairs.", children=("The rent is due monthly.", "Repairs of the roof.")),
        SourceSegment("Travel.", children=("Trains before planes.", "Rent a bicycle where you can.")),
    ),
)


def sample_corpus(technique: Technique = "high_quality") -> Corpus:
    """Made in this order: office (of the technique), questions, handbook, elsewhere (external), nothing."""
    return Corpus(
        (
            Collection("office", DOCUMENTS, technique, "Papers of an office", segment_characters=80),
            Collection("questions", (FAQ,), doc_form="qa_model"),
            Collection("handbook", (NESTED,), doc_form="hierarchical_model"),
            Collection("elsewhere", (), provider="external"),
            Collection("nothing", ()),
        )
    )


def model(method: str, top_k: int = 5, **more: Any) -> dict[str, Any]:
    """A retrieval model that both versions accept."""
    return {
        "search_method": method,
        "reranking_enable": False,
        "top_k": top_k,
        "score_threshold_enabled": False,
        **more,
    }


def condition(name: str, operator: str, value: Any = None) -> dict[str, Any]:
    """A metadata filter with one condition."""
    only = {"name": name, "comparison_operator": operator, "value": value}
    return {"metadata_filtering_conditions": {"logical_operator": "and", "conditions": [only]}}


@dataclass(frozen=True, slots=True)
class Reader:
    """A client with the key, and what it is a client of."""

    server: KnowledgeServer
    http: httpx.Client

    def get(self, path: str, **parameters: Any) -> Any:
        response = self.http.get(path, params=parameters)
        assert response.status_code == 200, response.text
        return response.json()

    def retrieve(self, dataset: str, query: Any, retrieval_model: Any = None) -> httpx.Response:
        body: Mapping[str, Any] = {"query": query, "retrieval_model": retrieval_model}
        return self.http.post(f"/datasets/{self.server.dataset_id(dataset)}/retrieve", json=body)

    def found(self, dataset: str, query: str, retrieval_model: Any = None) -> list[tuple[str, int]]:
        """Document name and position of the records, in their order."""
        response = self.retrieve(dataset, query, retrieval_model)
        assert response.status_code == 200, response.text
        segments = [record["segment"] for record in response.json()["records"]]
        return [(segment["document"]["name"], segment["position"]) for segment in segments]

    def dataset(self, name: str) -> str:
        return f"/datasets/{self.server.dataset_id(name)}"

    def document(self, dataset: str, name: str) -> str:
        return f"{self.dataset(dataset)}/documents/{self.server.document_id(dataset, name)}"


@contextmanager
def reading(server: KnowledgeServer) -> Iterator[Reader]:
    """Start the server and give a client of it."""
    headers = {"Authorization": f"Bearer {KEY}"}
    with server, httpx.Client(base_url=server.base_url, headers=headers) as http:
        yield Reader(server, http)
