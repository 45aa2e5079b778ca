"""Bodies and parameters that Dify validates with pydantic; the class names show in its messages."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field


class RetrievalMethod(StrEnum):
    SEMANTIC_SEARCH = "semantic_search"
    FULL_TEXT_SEARCH = "full_text_search"
    HYBRID_SEARCH = "hybrid_search"
    KEYWORD_SEARCH = "keyword_search"


class RerankingModel(BaseModel):
    reranking_provider_name: str | None = None
    reranking_model_name: str | None = None


class WeightVectorSetting(BaseModel):
    vector_weight: float
    embedding_provider_name: str
    embedding_model_name: str


class WeightKeywordSetting(BaseModel):
    keyword_weight: float


class WeightModel(BaseModel):
    weight_type: Literal["semantic_first", "keyword_first", "customized"] | None = None
    vector_setting: WeightVectorSetting | None = None
    keyword_setting: WeightKeywordSetting | None = None


class RetrievalModel(BaseModel):
    """Typed in 1.13.3, and without metadata_filtering_conditions: that is how they get lost."""

    search_method: RetrievalMethod
    reranking_enable: bool
    reranking_model: RerankingModel | None = None
    reranking_mode: str | None = None
    top_k: int
    score_threshold_enabled: bool
    score_threshold: float | None = None
    weights: WeightModel | None = None


class FilteringModel(RetrievalModel):
    """Typed in 1.18, with them."""

    metadata_filtering_conditions: dict[str, Any] | None = None


class HitTestingPayload(BaseModel):
    query: str = Field(max_length=250)
    retrieval_model: RetrievalModel | None = None
    attachment_ids: list[str] | None = None


class FilteringPayload(HitTestingPayload):
    retrieval_model: FilteringModel | None = None


class DatasetListQuery(BaseModel):
    page: int = 1
    limit: int = 20
    tag_ids: list[str] = []


class DocumentListQuery(BaseModel):
    page: int = 1
    limit: int = 20


class SegmentListQuery(BaseModel):
    page: int = 1
    limit: int = 20


class ValidatedSegmentListQuery(SegmentListQuery):
    page: int = Field(default=1, ge=1)
    limit: int = Field(default=20, ge=1)


class ChildChunkListQuery(BaseModel):
    """Validated in both versions."""

    page: int = Field(default=1, ge=1)
    limit: int = Field(default=20, ge=1)
    keyword: str | None = None
