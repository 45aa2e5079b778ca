"""Routes, keys and bodies: from a request to an answer."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from pydantic import ValidationError

from standalone.knowledge import reads
from standalone.knowledge.catalogue import StoredDataset, StoredDocument, StoredSegment
from standalone.knowledge.dataset_shape import dataset_json
from standalone.knowledge.errors import (
    Answer,
    Refusal,
    forbidden,
    invalid_param,
    json_answer,
    method_not_allowed,
    no_model_provider,
    not_found,
    refusal,
    unauthorized,
    unknown_url,
)
from standalone.knowledge.retrieval import Settings, retrieve

_HEX = "[0-9a-fA-F]"
_UUID = f"({_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}})"


@dataclass(frozen=True, slots=True)
class Call:
    """One request: path without the query, header names in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def parameters(self) -> reads.Query:
        return parse_qs(self.query)


type Handler = Callable[[Call, tuple[str, ...]], Any]


class Api:
    """Dify's datasets API, read side, over stored datasets. Nothing is ever written: see `_routes`."""

    def __init__(
        self,
        datasets: Sequence[StoredDataset],
        settings: Settings,
        api_key: str,
        bound_to: Collection[str] = (),
    ) -> None:
        self._datasets = datasets
        self._by_id = {dataset.id: dataset for dataset in datasets}
        self._settings = settings
        self._profile = settings.profile
        self._api_key = api_key
        self._scoped = bool(bound_to)
        self._bound = frozenset(each.id for each in datasets if each.collection.name in bound_to)
        self._routes = tuple((re.compile(path), method, handler) for path, method, handler in self._table())

    def answer(self, call: Call) -> Answer:
        """Answer one request; what Dify refuses is an answer too."""
        try:
            handler, ids = self._route(call)
            if ids and not self._profile.key_first:
                self._dataset(ids)
            check_key(call.headers.get("authorization"), self._api_key)
            self._check_scope(ids)
            return json_answer(handler(call, ids))
        except Refusal as refused:
            return refused.answer
        except ValidationError as error:
            return invalid_param(str(error)).answer

    def _table(self) -> tuple[tuple[str, str, Handler], ...]:
        dataset = f"/v1/datasets/{_UUID}"
        document = f"{dataset}/documents/{_UUID}"
        segment = f"{document}/segments/{_UUID}"
        models = "/v1/workspaces/current/models/model-types"
        return (
            ("/v1/datasets", "GET", self._list_datasets),
            (dataset, "GET", self._get_dataset),
            (f"{dataset}/documents", "GET", self._list_documents),
            (document, "GET", self._get_document),
            (f"{document}/segments", "GET", self._list_segments),
            (segment, "GET", self._get_segment),
            (f"{segment}/child_chunks", "GET", self._list_children),
            (f"{dataset}/metadata", "GET", lambda _, ids: reads.list_metadata(self._dataset(ids))),
            (f"{dataset}/metadata/built-in", "GET", lambda _, __: reads.list_built_in_fields()),
            (f"{dataset}/(?:retrieve|hit-testing)", "POST", self._retrieve),
            ("/v1/info", "GET", self._app_only),
            (f"{models}/(?:text-embedding|rerank)", "GET", self._list_models),
        )

    def _route(self, call: Call) -> tuple[Handler, tuple[str, ...]]:
        for path, method, handler in self._routes:
            if found := path.fullmatch(call.path):
                if call.method != method:
                    raise method_not_allowed()
                return handler, tuple(group.lower() for group in found.groups())
        raise unknown_url()

    def _check_scope(self, ids: tuple[str, ...]) -> None:
        """A key that is bound to single datasets may do nothing that names none of them (Dify 1.16 and later)."""
        if self._scoped and not self._bound.intersection(ids[:1]):
            raise forbidden()
        if self._profile.agents and ids and not self._dataset(ids).collection.api_access:
            raise forbidden("Dataset api access is not enabled.")

    def _dataset(self, ids: tuple[str, ...]) -> StoredDataset:
        if ids[0] not in self._by_id:
            raise not_found("Dataset")
        dataset = self._by_id[ids[0]]
        dataset.prepare()
        return dataset

    def _document(self, ids: tuple[str, ...]) -> StoredDocument:
        document = self._dataset(ids).by_document_id.get(ids[1])
        if document is None:
            raise not_found("Document")
        return document

    def _segment(self, ids: tuple[str, ...]) -> StoredSegment:
        """Any segment of the dataset: Dify does not check that it belongs to the document of the path."""
        document = self._document(ids)
        own = next((segment for segment in document.segments if segment.id == ids[2]), None)
        segment = own or document.dataset.by_segment_id.get(ids[2])
        if segment is None:
            raise not_found("Segment")
        return segment

    def _list_datasets(self, call: Call, _: tuple[str, ...]) -> Any:
        self._need_models()
        return reads.list_datasets(self._datasets, call.parameters, self._profile)

    def _get_dataset(self, _: Call, ids: tuple[str, ...]) -> Any:
        dataset = self._dataset(ids)
        self._need_models()
        return dataset_json(dataset, self._profile)

    def _list_documents(self, call: Call, ids: tuple[str, ...]) -> Any:
        return reads.list_documents(self._dataset(ids), call.parameters, self._profile)

    def _get_document(self, call: Call, ids: tuple[str, ...]) -> Any:
        return reads.get_document(self._document(ids), call.parameters, self._profile)

    def _list_segments(self, call: Call, ids: tuple[str, ...]) -> Any:
        return reads.list_segments(self._document(ids), call.parameters, self._profile)

    def _get_segment(self, _: Call, ids: tuple[str, ...]) -> Any:
        return reads.get_segment(self._segment(ids), self._profile)

    def _list_children(self, call: Call, ids: tuple[str, ...]) -> Any:
        return reads.list_children(self._segment(ids), call.parameters)

    def _list_models(self, call: Call, _: tuple[str, ...]) -> Any:
        self._need_models()
        return reads.list_models(call.path.rsplit("/", 1)[1])

    def _retrieve(self, call: Call, ids: tuple[str, ...]) -> Any:
        dataset = self._dataset(ids)
        return retrieve(dataset, self._body(call), self._settings)

    def _app_only(self, _: Call, __: tuple[str, ...]) -> Any:
        raise unauthorized("Access token is invalid")

    def _need_models(self) -> None:
        if self._settings.no_model_provider:
            raise no_model_provider()

    def _body(self, call: Call) -> Any:
        """1.13.3 insists on JSON; 1.10.1 takes whatever it cannot read for an empty body."""
        declared = call.headers.get("content-type", "").split(";")[0].strip().lower()
        if declared != "application/json":
            if self._profile.typed:
                raise refusal(415, "unsupported_media_type", _NOT_DECLARED_JSON)
            return None
        try:
            return json.loads(call.body)
        except ValueError as error:
            if self._profile.typed:
                raise refusal(400, "bad_request", _NOT_JSON) from error
            return None


def bearer(header: str | None) -> str:
    """What follows `Bearer`; raises Refusal."""
    if header is None or " " not in header:
        raise unauthorized("Authorization header must be provided and start with 'Bearer'")
    scheme, key = header.split(None, 1)
    if scheme.lower() != "bearer":
        raise unauthorized("Authorization scheme must be 'Bearer'")
    return key.strip()


def check_key(header: str | None, api_key: str) -> None:
    if bearer(header) != api_key:
        raise unauthorized("Access token is invalid")


_NOT_DECLARED_JSON = (
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'."
)
_NOT_JSON = "The browser (or proxy) sent a request that this server could not understand."
