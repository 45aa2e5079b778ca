"""The doorway of the provider: credentials are proven with one real request that reads."""

from typing import Any

from dify_plugin import ToolProvider
from dify_plugin.errors.model import CredentialsValidateFailedError

from host.boundary import boundary
from host.checking import check_credentials


class ContextAwareRetriever(ToolProvider):
    """Credentials of one Dify server, and of models of one's own."""

    def _validate_credentials(self, credentials: dict[str, Any]) -> None:
        with boundary(CredentialsValidateFailedError):  # the one that Dify shows as its message
            check_credentials(credentials)
