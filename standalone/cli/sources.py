"""What a command reads and thinks with: documents in a folder or a Dify server, and a model or none."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from standalone.cli.failures import Failed, Misused
from standalone.daemon import Handler, PluginError, PluginProcess
from standalone.knowledge import Corpus, KnowledgeServer, load_folder
from standalone.knowledge.agent.bases import PREFIX
from standalone.knowledge.profiles import PROFILES, ProfileName
from standalone.models import relay

STANDALONE = Path(__file__).resolve().parents[1]
SAMPLES = STANDALONE / "documents"


@dataclass(frozen=True, slots=True)
class Source:
    """Credentials of the plugin, and one line on what is asked."""

    credentials: Mapping[str, str]
    told: str


@dataclass(frozen=True, slots=True)
class ChatModel:
    """An OpenAI-compatible API, lent to the plugin as a model of the workspace."""

    name: str
    handler: Handler

    @property
    def selector(self) -> dict[str, str]:
        provider = "standalone/openai_compatible/openai_compatible"
        return {"provider": provider, "model": self.name, "model_type": "llm", "mode": "chat"}


def add_server(parser: argparse.ArgumentParser) -> None:
    """The options of a Dify server."""
    parser.add_argument("--base-url", metavar="URL", help="Dify's API, for example https://api.dify.ai/v1")
    parser.add_argument(
        "--api-key", metavar="KEY", default=environment("DIFY_API_KEY"), help="knowledge API key"
    )


def add_documents(parser: argparse.ArgumentParser) -> None:
    """The options of the embedded knowledge server."""
    parser.add_argument(
        "--documents", type=Path, metavar="DIR", help="text, Markdown and PDF files (default: samples)"
    )
    parser.add_argument(
        "--profile", choices=tuple(PROFILES), default="1.10.1", help="the Dify it behaves like"
    )
    parser.add_argument("--technique", choices=("high_quality", "economy"), default="high_quality")


def corpus_of(options: argparse.Namespace) -> Corpus:
    """The documents that the options name; raises Misused."""
    try:
        return load_folder(options.documents or SAMPLES, options.technique)
    except (FileNotFoundError, ModuleNotFoundError, ValueError) as error:
        raise Misused(str(error)) from error


@contextmanager
def source_of(options: argparse.Namespace) -> Iterator[Source]:
    """The Dify server that the options name, or an embedded one for as long as it is needed."""
    if options.base_url:
        if not options.api_key:
            raise Misused("--base-url needs --api-key (or DIFY_API_KEY): Dify, Knowledge, API access")
        credentials = {"dify_base_url": options.base_url, "dify_api_key": options.api_key}
        yield Source(credentials, f"Dify at {options.base_url}")
        return
    corpus = corpus_of(options)
    bound = readable_by(options.profile, corpus)
    with KnowledgeServer(corpus, profile=options.profile, bound_to=bound) as server:
        count = sum(len(each.documents) for each in corpus.collections)
        names = ", ".join(each.name for each in corpus.collections)
        credentials = credentials_of(server)
        kind = " of agent knowledge bases" if "agent_knowledge_bases" in credentials else ""
        yield Source(
            credentials, f"{count} documents in {names} · embedded server{kind} (Dify {options.profile})"
        )


def readable_by(profile: ProfileName, corpus: Corpus) -> list[str]:
    """What a key is bound to, empty for nothing: 1.18 serves all twice, and agent knowledge bases are read."""
    return [PREFIX + each.name for each in corpus.collections] if PROFILES[profile].agents else []


def credentials_of(server: KnowledgeServer) -> dict[str, str]:
    """What the plugin is given to read an embedded server."""
    agents = ", ".join(f'"{name}={base_id}"' for name, base_id in server.agent_bases.items())
    credentials = {"dify_base_url": server.base_url, "dify_api_key": server.api_key}
    return credentials | ({"agent_knowledge_bases": agents} if agents else {})


@contextmanager
def plugin_process(model: ChatModel | None = None) -> Iterator[PluginProcess]:
    """The plugin's process; its failures become ours."""
    process = PluginProcess(on_invoke=model.handler, timeout=300) if model else PluginProcess(timeout=300)
    try:
        with process:
            yield process
    except PluginError as error:
        raise Failed(error.shown) from error


def environment(name: str) -> str:
    return os.environ.get(name, "").strip()  # noqa: TID251 - the command line's own settings


def model_of_environment() -> ChatModel | None:
    """The model of LLM_BASE_URL, LLM_API_KEY and LLM_MODEL, or None; raises Misused when half is set."""
    url, key, name = (environment(f"LLM_{part}") for part in ("BASE_URL", "API_KEY", "MODEL"))
    if not url and not name:
        return None
    if not url or not name:
        raise Misused(f"LLM_{'MODEL' if url else 'BASE_URL'} is not set; set both, or neither for no model")
    if not url.startswith(("http://", "https://")):
        raise Failed("LLM_BASE_URL must begin with http:// or https://")
    return ChatModel(name, relay(url, key, name))


def credentials_of_models() -> dict[str, str]:
    """The chat API of the environment as credentials of the plugin; empty texts where there is none."""
    return {f"llm_{part}": environment(f"LLM_{part.upper()}") for part in ("base_url", "api_key", "model")}
