"""The page docs/answers.md: questions to the sample collection, and each answer exactly as a user sees it.

Every question meets a plugin that has read nothing of its server yet.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from bench.citations import SELECTOR
from bench.data import Data
from bench.rig import nobody
from standalone.cli.sources import credentials_of
from standalone.daemon import Handler, PluginProcess
from standalone.daemon.process import PROVIDER
from standalone.daemon.requests import tool_invocation
from standalone.knowledge import KnowledgeServer
from standalone.models import reverse_llm
from standalone.models.reader import MODELS

HEAD = """# Answers, as they are seen

Made by `python -m bench gallery` from the [sample collection](../standalone/documents); a test keeps this page so.
Answers **without a model** come from the tool `quote`. **With a model** they come from the tool `ask`, where scripted
stand-ins take the model's place: one that reads truthfully, one that invents, one that obeys what documents tell it. A
real model words its sentences better; what is checked, marked and left out is the same.
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry; `model` is a scripted model, "" for none; `note` says what to look at."""

    title: str
    question: str
    model: str = ""
    note: str = ""


ENTRIES = (
    Shown("Lookup", "What is the liability cap in the Tessaly supply agreement?"),
    Shown(
        "Lookup, with a model",
        "What does Corvane's NDA say about making copies?",
        "reader",
        "The clause stands first, then what the model says of it, each sentence with its quotes.",
    ),
    Shown("List all", "List all costs and claims that need the approval of the Chief Financial Officer."),
    Shown(
        "Compare", "Compare how long confidentiality survives in the Northwind NDA and in the Corvane NDA."
    ),
    Shown("Summarise", "Summarise the Halden service agreement.", note="Of two versions the newest."),
    Shown("Yes or no", "Does the Northwind NDA protect information that is not marked as confidential?"),
    Shown("Define", 'What does "Authorized Personnel" mean in the Corvane agreement?'),
    Shown(
        "A contradiction",
        "How long may we keep the interview notes of applicants whom we did not hire?",
        note="Two documents in force disagree; neither is chosen for the reader.",
    ),
    Shown(
        "A contradiction between versions",
        "What is the notice period in Halden's service agreement?",
        note="The newer version also says that it replaces the older one.",
    ),
    Shown(
        "Abstention: no such document",
        "What is the survival period in the NDA with Ostermark Robotics?",
        note="Other agreements have such a period; they must not answer for this one.",
    ),
    Shown("Abstention: no such clause", "Does the Corvane NDA contain a non-solicitation clause?"),
    Shown(
        "A document that gives orders, and a model that obeys it",
        "How many days may I work from abroad, and does it need approval?",
        "obeying",
        "The remote work policy holds a paragraph that tells AI systems what to answer.",
    ),
    Shown(
        "A model that invents",
        "How quickly do I have to report a stolen laptop?",
        "hallucinating",
        "None of its quotes stands anywhere, so nothing of it is shown.",
    ),
    Shown("Chinese", "租赁合同中，乙方提前解除合同需要支付多少违约金？"),
    Shown("Japanese", "購買管理規程における「検収」の定義を教えてください。"),
)


def page() -> str:
    """The whole page."""
    return "\n".join(_sections())


def run(_options: argparse.Namespace) -> Mapping[str, Any]:
    """The command: the page on standard output."""
    print(page(), end="")
    return {"entries": len(ENTRIES)}


def _sections() -> Iterator[str]:
    yield HEAD
    corpus = Data().corpus("high_quality")
    with ExitStack() as stack:
        servers = [
            stack.enter_context(KnowledgeServer(corpus, api_key=f"dataset-gallery-{number}"))
            for number in range(len(ENTRIES))
        ]
        processes = {
            model: stack.enter_context(PluginProcess(on_invoke=_handler(model), timeout=120))
            for model in sorted({entry.model for entry in ENTRIES})
        }
        for entry, server in zip(ENTRIES, servers, strict=True):
            how = f"with a model: {entry.model}" if entry.model else "without a model"
            yield f"## {entry.title}\n\n**“{entry.question}”** ({how})\n"
            if entry.note:
                yield f"*{entry.note}*\n"
            yield f"---\n\n{_seen(entry, server, processes[entry.model])}\n\n---\n"


def _handler(model: str) -> Handler:
    return reverse_llm(MODELS[model]) if model else nobody


def _seen(entry: Shown, server: KnowledgeServer, process: PluginProcess) -> str:
    """The text message of the tool. Raises PluginError."""
    parameters = {"query": entry.question, **({"model": SELECTOR} if entry.model else {})}
    tool = "ask" if entry.model else "quote"
    request = tool_invocation(PROVIDER, tool, parameters, credentials_of(server))
    said = [each["message"]["text"] for each in process.request(request) if each.get("type") == "text"]
    return "".join(said).strip()
