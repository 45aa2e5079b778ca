"""The host's own jobs, run in this process: quicker to tune with, and the product's settings are in reach."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.rig import Ablation, Parameters, Rig, Said, Spent, Tool, counted
from evidence import pipeline
from evidence.errors import EvidenceError
from evidence.settings import Settings
from host.parameters import question_from, settings_from
from host.replies import Ended, Reply, Run
from host.tools import TOOLS
from host.wiring import Caller, chat_api, open_context, server_of
from standalone.cli.sources import credentials_of
from standalone.knowledge import KnowledgeServer


@dataclass(frozen=True, slots=True)
class DirectRig:
    """Answers like the plugin, with what `ablation` makes of the settings."""

    server: KnowledgeServer
    ablation: Ablation | None = None
    credentials: Mapping[str, str] = field(default_factory=dict)

    def ask(self, tool: Tool, parameters: Parameters) -> Said:
        before = len(self.server.requests)
        caller = Caller({**credentials_of(self.server), **self.credentials})
        began = time.perf_counter()
        try:
            answer = self._run(tool, parameters, caller)
        except EvidenceError as error:
            return Said({}, time.perf_counter() - began, *counted(self.server, before), str(error))
        said = Said(answer.json, time.perf_counter() - began, *counted(self.server, before))
        answer.afterwards()
        return said

    def spent(self) -> Spent:
        """Of this process, the knowledge server included; its memory would say nothing."""
        return Spent(time.process_time())

    def _run(self, tool: Tool, parameters: Parameters, caller: Caller) -> Reply:
        if self.ablation is None:
            return TOOLS[tool].reply(parameters, caller)
        question = question_from(parameters)
        settings = self.ablation(settings_from(parameters, "extractive" if tool == "quote" else None))
        ctx = open_context(caller, settings)
        outcome = (pipeline.search if tool == "search" else pipeline.ask)(question, settings, ctx)
        behind = Settings.behind()

        def read_on() -> None:
            pipeline.read_ahead(outcome, settings, open_context(caller, behind))

        return TOOLS[tool].shown(Ended(outcome, Run(settings, ctx), read_on))


@contextmanager
def direct_rig(
    server: KnowledgeServer, ablation: Ablation | None, credentials: Mapping[str, str]
) -> Iterator[Rig]:
    """Nothing is remembered from other servers; the connections end before the server does."""
    rig = DirectRig(server, ablation, credentials)
    yield rig
    clients = [server_of(credentials_of(server)).api.client]  # the registry never closes what it made
    if chat := chat_api(credentials):
        clients.append(chat.client)
    for client in clients:
        client.close()
