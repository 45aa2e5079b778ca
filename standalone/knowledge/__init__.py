"""An embedded knowledge server: Dify's datasets API, read side, over documents in memory or in a folder."""

from standalone.knowledge.corpus import Collection, Corpus, SourceDocument, SourceSegment
from standalone.knowledge.folder import load_folder
from standalone.knowledge.server import Fault, KnowledgeServer, Request

__all__ = [
    "Collection",
    "Corpus",
    "Fault",
    "KnowledgeServer",
    "Request",
    "SourceDocument",
    "SourceSegment",
    "load_folder",
]
