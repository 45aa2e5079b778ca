"""The doorway of the proofs."""

from collections.abc import Mapping
from typing import Any

from dify_plugin import Endpoint
from werkzeug import Request, Response

from host.proof.answering import answer_proof
from host.web import request_of, response_of


class ProofEndpoint(Endpoint):
    """A signed link to a quote, opened."""

    def _invoke(self, r: Request, _values: Mapping[str, Any], settings: Mapping[str, Any]) -> Response:
        return response_of(answer_proof(request_of(r), settings))
