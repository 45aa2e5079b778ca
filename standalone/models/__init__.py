"""Stand-ins for models: served to the plugin by reverse invocation, or over HTTP.

`PluginProcess(on_invoke=reverse_llm(ScriptedModel(["first reply", "second reply"])))`, or
`with ChatServer(model, api_key="…") as server: … server.base_url`.
"""

from standalone.models.http_server import Fault, Reply, Request
from standalone.models.relay import relay
from standalone.models.reverse import reverse_embedding, reverse_llm, reverse_rerank
from standalone.models.scoring import Embed, Score, shared_words, word_vector
from standalone.models.scripted import Message, Model, ModelRefusal, ScriptedModel
from standalone.models.servers import ChatServer, RerankServer

__all__ = [
    "ChatServer",
    "Embed",
    "Fault",
    "Message",
    "Model",
    "ModelRefusal",
    "Reply",
    "Request",
    "RerankServer",
    "Score",
    "ScriptedModel",
    "relay",
    "reverse_embedding",
    "reverse_llm",
    "reverse_rerank",
    "shared_words",
    "word_vector",
]
