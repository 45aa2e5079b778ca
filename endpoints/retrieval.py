"""The doorway of the External Knowledge API."""

from collections.abc import Mapping
from typing import Any

from dify_plugin import Endpoint
from werkzeug import Request, Response

from host.external.answering import answer_retrieval
from host.web import request_of, response_of


class RetrievalEndpoint(Endpoint):
    """Dify's knowledge, served to Dify."""

    def _invoke(self, r: Request, _values: Mapping[str, Any], settings: Mapping[str, Any]) -> Response:
        return response_of(answer_retrieval(request_of(r), settings))
