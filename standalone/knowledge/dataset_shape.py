"""The JSON of a dataset, with every key the recorded servers send."""

from typing import Any
from uuid import UUID, uuid5

from standalone.knowledge.catalogue import StoredDataset
from standalone.knowledge.profiles import Profile

ACCOUNT = "b7a1e6d2-3c94-5f08-9d1b-4e2f7c8a6035"
EMBEDDING_PROVIDER = "local/bm25/bm25"
EMBEDDING_MODEL = "bm25-embed"


def dataset_row(dataset: StoredDataset, profile: Profile) -> dict[str, Any]:
    """Give a dataset as the list shows it: even an economy dataset claims to search by meaning."""
    shape = dataset_json(dataset, profile)
    shape["retrieval_model_dict"]["search_method"] = None if dataset.external else "semantic_search"
    return shape


def dataset_json(dataset: StoredDataset, profile: Profile) -> dict[str, Any]:
    """Give one dataset; only here is the search method the one that works."""
    collection = dataset.collection
    filled = bool(collection.documents) and not dataset.external
    embedded = not dataset.external and collection.technique == "high_quality"
    shape = {
        "id": dataset.id,
        "name": collection.name,
        "description": collection.description,
        "provider": collection.provider,
        "permission": "all_team_members",
        "data_source_type": "upload_file" if filled else None,
        "indexing_technique": None if dataset.external else collection.technique,
        "app_count": 0,
        "created_by": ACCOUNT,
        "author_name": "admin",
        "created_at": dataset.created_at,
        "updated_by": None if dataset.external else ACCOUNT,
        "updated_at": dataset.created_at,
        "embedding_model": EMBEDDING_MODEL if embedded else None,
        "embedding_model_provider": EMBEDDING_PROVIDER if embedded else None,
        "embedding_available": True,
        "tags": [],
        "doc_form": collection.doc_form if filled else None,
        "doc_metadata": [
            {key: field[key] for key in ("id", "name", "type")} for field in metadata_fields(dataset)
        ],
        "built_in_field_enabled": collection.built_in_fields and not dataset.external,
        "pipeline_id": None,
        "runtime_mode": "general",
        "chunk_structure": None,
        "icon_info": dict.fromkeys(("icon_type", "icon", "icon_background", "icon_url")),
        "is_published": False,
        "enable_api": collection.api_access,
        "is_multimodal": False,
    }
    shape |= _counts(dataset) | _retrieval_settings(dataset)
    if profile.summaries:
        names = ("enable", "model_name", "model_provider_name", "summary_prompt")
        shape["summary_index_setting"] = dict.fromkeys(names)
    if profile.agents:
        shape |= {"maintainer": ACCOUNT, "partial_member_list": []}
    return shape


def _counts(dataset: StoredDataset) -> dict[str, Any]:
    documents = () if dataset.external else dataset.documents
    return {
        "document_count": len(documents),
        "word_count": 0 if dataset.external else dataset.word_count,
        "total_documents": len(documents),
        "total_available_documents": sum(document.source.available for document in documents),
    }


def _retrieval_settings(dataset: StoredDataset) -> dict[str, Any]:
    external = dataset.external
    economy = external or dataset.collection.technique == "economy"
    nothing = None if external else ""
    bound = str(uuid5(UUID(dataset.id), "external")) if external else None
    return {
        "retrieval_model_dict": {
            "search_method": "keyword_search" if economy else "semantic_search",
            "reranking_enable": None if external else False,
            "reranking_mode": None,
            "reranking_model": {"reranking_provider_name": nothing, "reranking_model_name": nothing},
            "weights": None,
            "top_k": 4 if external else 2,
            "score_threshold_enabled": external,
            "score_threshold": 0.5 if external else None,
        },
        "external_knowledge_info": {
            "external_knowledge_id": dataset.collection.name if external else None,
            "external_knowledge_api_id": bound,
            "external_knowledge_api_name": "elsewhere" if external else None,
            "external_knowledge_api_endpoint": "http://127.0.0.1:9" if external else None,
        },
        "external_retrieval_model": {
            "top_k": 4 if external else 2,
            "score_threshold": 0.5 if external else 0.0,
            "score_threshold_enabled": True if external else None,
        },
    }


def metadata_fields(dataset: StoredDataset) -> list[dict[str, Any]]:
    """The dataset's own metadata fields: id, name, type, and in how many documents."""
    fields: dict[str, dict[str, Any]] = {}
    for document in dataset.documents:
        for name, value in document.source.metadata.items():
            kind = "string" if isinstance(value, str) else "number"
            new = {"id": field_id(dataset, name), "name": name, "type": kind, "count": 0}
            fields.setdefault(name, new)["count"] += 1
    return list(fields.values())


def field_id(dataset: StoredDataset, name: str) -> str:
    return str(uuid5(UUID(dataset.id), f"field {name}"))
