"""Thousands of questions of two tenants at once, with faults at random: what grows, what crosses, what changes."""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import batched, cycle, islice
from typing import Any, Literal

from bench.fault import Fault
from bench.fault_catalogue import FAULTS
from bench.fault_proxy import Exchange, Servers, Tenant
from bench.judging import claims, said, unclear
from bench.metrics import mean
from bench.stand import KEYS, Heard, Models, Stand, Tool
from bench.tables import table
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument

SECONDS = 8.0
AT_ONCE = 16
SHARE = 0.15  # of the requests that are spoiled
ROUNDS = 40
LARGE = 30  # large requests at once
MOST_MEGABYTES = 256
_GROWTH = {"MiB": 12.0, "threads": 8.0, "files": 24.0}  # from the second quarter to the last one
_STEADY = 10  # questions a round, from which on it tells what the process uses
MARKS = ("amberline", "cobaltmark")  # stands in each document of the one tenant, in none of the other
_NAMES = "Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Ivy Juniper Katsura Larch".split()
# What lasts, and what puts other texts in the cache, is tried by `faults`.
_PASSING = [fault for fault in FAULTS if fault.http and not (fault.lasts or fault.rewrites)]
_LIGHT = [fault for fault in _PASSING if fault.weight == "light"]
_SLOW = [fault for fault in _PASSING if fault.weight == "slow"]
COMMON = (*_LIGHT * 4, *_SLOW)

type End = Literal["as in calm", "named", "raised", "defect"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of one tenant, 0 or 1."""

    tenant: int
    tool: Tool
    query: str

    @property
    def models(self) -> Models:
        return "chat" if self.tool == "ask" else "none"


@dataclass(slots=True)
class Storm:
    """Spoils a share of the requests, at random but repeatably; thread-safe. Nothing while it is `still`."""

    seed: int
    faults: Sequence[Fault]
    still: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311 - to be repeated, not to be unguessable

    def __call__(self, exchange: Exchange) -> bool:
        if self.still:
            return False
        with self._lock:
            hit = self._random.random() < SHARE
            fault = self._random.choice(self.faults)
        if not hit or not fault.fits(exchange.route) or fault.http is None:
            return False
        exchange.tenant.spoil()
        fault.http(exchange)
        return True


def measure(
    questions: int, seed: int = 1, faults: Sequence[Fault] = COMMON, large: int = LARGE
) -> dict[str, Any]:
    """What became of the questions; status 1 where something grew, crossed, or changed without a word."""
    asked = _questions(seed)[: max(20, questions // 4)]
    with Stand(corpus(MARKS[0])) as stand, ThreadPoolExecutor(AT_ONCE) as pool:
        storm = Storm(seed, faults)
        tenants = [_tenant(stand, mark, storm) for mark in MARKS]

        def answers(some: Iterable[Asked]) -> Iterator[tuple[Asked, Heard]]:
            return pool.map(lambda each: (each, _ask(stand, tenants, each)), some)

        calm = {each: claims(heard.json) for each, heard in answers(_twice(asked))}
        storm.still = False
        size = max(1, questions // ROUNDS)
        rounds, ends, defects = [], Counter[End](), Counter[str]()
        for batch in batched(islice(cycle(asked), questions), size):
            for each, heard in answers(batch):
                end, why = judged(each, heard, calm[each])
                ends[end] += 1
                defects.update([why] if end == "defect" else [])
            rounds.append(_used(stand, ends))
        spoiled = sum(tenant.spoiled for tenant in tenants)
        storm.still = True
        after = [judged(each, heard, calm[each]) for each, heard in answers(_twice(asked))][len(asked) :]
        flood = flooded(stand, tenants, large)
    defects.update(f"after the storm: {end} {why}".strip() for end, why in after if end != "as in calm")
    defects.update(grown(rounds) if size >= _STEADY else [])
    defects.update(flood.pop("defects"))
    defects.update(f"the log shows {key}" for key in KEYS.values() if key in "\n".join(stand.logged))
    return {
        "status": int(bool(defects)),
        "questions": sum(ends.values()),
        "seed": seed,
        "spoiled": spoiled,
        "ends": dict(ends),
        "rounds": rounds,
        "large": flood,
        "defects": dict(defects),
        "logged": [line for line in stand.logged if "unexpected" in line],
    }


def flooded(stand: Stand, tenants: Sequence[Tenant], large: int) -> dict[str, Any]:
    """The memory that answers from so many large requests of one tenant take, and what the other one notices."""
    text = "The laptop {0} is reported within {0} hours. " * 50
    passages = json.dumps(
        [{"text": text.format(number), "document_name": f"{number}.txt"} for number in range(200)]
    )
    given: dict[str, Any] = {
        "query": "When is a laptop reported?",
        "effort": "extractive",
        "seconds": SECONDS,
    }
    stand.begin_lean()
    with ThreadPoolExecutor(large) as pool:
        sent = [
            pool.submit(stand.call, "aggregate", tenants[0], passages=passages, **given) for _ in range(large)
        ]
        small = [stand.call("list_datasets", tenants[1])]
        while not all(each.done() for each in sent):
            small.append(stand.call("list_datasets", tenants[1]))
    heard, peak = [each.result() for each in sent], stand.peak_megabytes()
    defects = [f"large requests: {why}" for each in heard for why in unclear(each)]
    defects += [f"beside large requests: {each.error}" for each in small if each.error]
    defects += [f"large requests take {peak:.0f} MiB"] if peak > MOST_MEGABYTES else []
    refused = sum(bool(each.error) for each in heard)
    return {"sent": large, "refused": refused, "MiB": round(peak, 1), "small": len(small), "defects": defects}


def corpus(mark: str) -> Corpus:
    """Both tenants hold documents of the same names, and so of the same ids; only what they say differs."""
    offset = 10 * MARKS.index(mark)
    documents = tuple(
        SourceDocument(f"{name} Agreement.txt", _text(name, number + offset, mark))
        for number, name in enumerate(_NAMES, 1)
    )
    half = len(documents) // 2
    return Corpus((Collection("first", documents[:half]), Collection("second", documents[half:])))


def _text(name: str, number: int, mark: str) -> str:
    return (
        f"The {name} Agreement of the {mark} group.\n\n"
        f"1. Notice. Either party may end the {name} Agreement with {30 + number} days of notice ({mark}).\n\n"
        f"2. Fee. The yearly fee of the {name} Agreement is {number * 1_000} crowns, due in May ({mark}).\n\n"
        f"3. Place. Disputes about the {name} Agreement are heard at the {mark} court of {name}ville.\n"
    )


def _questions(seed: int) -> list[Asked]:
    forms = (
        "How many days of notice does the {} Agreement give?",
        "What is the yearly fee of the {} Agreement?",
    )
    tools: tuple[Tool, ...] = ("quote", "ask", "search", "retrieval", "list_documents")
    made = [
        Asked(tenant, tool, form.format(name))
        for tenant in (0, 1)
        for tool in tools
        for form in forms
        for name in _NAMES
    ]
    random.Random(seed).shuffle(made)  # noqa: S311 - to be repeated, not to be unguessable
    return made


def _twice(asked: Sequence[Asked]) -> list[Asked]:
    """The second answers are those of a tenant whose texts have been read."""
    return [*asked, *asked]


def _tenant(stand: Stand, mark: str, storm: Callable[[Exchange], bool]) -> Tenant:
    knowledge = KnowledgeServer(corpus(mark), api_key=KEYS["dify_api_key"])
    tenant = stand.tenant(Servers(knowledge, stand.servers.chat, stand.servers.ranker))
    tenant.fault = storm
    return tenant


def _ask(stand: Stand, tenants: Sequence[Tenant], asked: Asked) -> Heard:
    given: dict[str, Any] = {"query": asked.query, "seconds": SECONDS, "effort": "balanced"}
    if asked.tool == "list_documents":
        given = {"name": asked.query.split()[-3] if "notice" in asked.query else "Agreement"}
    return stand.call(asked.tool, tenants[asked.tenant], asked.models, **given)


def judged(asked: Asked, heard: Heard, calm: Any) -> tuple[End, str]:
    """How a question ended, and why where that is a defect."""
    for why in _defects(asked, heard):
        return "defect", f"{asked.tool}: {why}"
    if heard.error:
        return "raised", heard.error
    found = claims(heard.json)
    if found == calm:
        return "as in calm", ""
    if named := said(heard.json):
        return "named", min(named)
    changed = ", ".join(name for name in calm if calm[name] != found[name])
    return "defect", f"{asked.tool}: another answer than in calm, and no word of it ({changed})"


def _defects(asked: Asked, heard: Heard) -> Iterator[str]:
    if MARKS[1 - asked.tenant] in heard.whole:
        yield "a text of the other tenant"
    if heard.error_type in {"Timeout", "PluginDied", "LineTooLong"}:
        yield heard.error_type
    yield from unclear(heard)


def _used(stand: Stand, ends: Mapping[End, int]) -> dict[str, Any]:
    megabytes, threads, files = stand.used()
    used: dict[str, Any] = {"MiB": round(megabytes, 1), "threads": threads, "files": files}
    return used | dict(ends)


def grown(rounds: Sequence[Mapping[str, Any]]) -> list[str]:
    """What grew from the second quarter of the rounds to the last one; nothing of fewer than eight rounds."""
    quarter = len(rounds) // 4
    if quarter < 2:
        return []
    found = []
    for name, most in _GROWTH.items():
        before = mean(each[name] for each in rounds[quarter : 2 * quarter])
        after = mean(each[name] for each in rounds[-quarter:])
        if after - before > most:
            found.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return found


_HEAD = """## Endurance

Made by `python -m bench soak --questions {questions} --markdown`: {questions:,} questions of two tenants, {at_once} at
once, through one process, after each had been answered in calm. Both tenants hold documents of the same names and ids
that say different things; {share:.0%} of the requests to Dify and to the chat API are spoiled by one of {faults} faults
at random ({spoiled:,} were, seed {seed}). An answer that names nothing must claim what it claimed in calm, and so must
every answer after the storm; no text of one tenant may reach the other.
"""
_LARGE = """Then one tenant sends {sent} requests with 450 kB of passages each at the same time, of 8 seconds each: the
process takes {MiB:.0f} MiB at most ({most} are allowed), {refused} are refused because others are being answered, and
{small} small requests of the other tenant are answered in between."""


def tables(report: Mapping[str, Any]) -> str:
    """Ten rows over the course of the run; the last one is the whole."""
    rounds = report["rounds"]
    step = max(1, len(rounds) // 10)
    picked = rounds[step - 1 :: step]
    picked += [] if picked[-1] is rounds[-1] else [rounds[-1]]
    names = ("as in calm", "named", "raised", "defect")
    rows = [
        (
            f"{sum(each.get(name, 0) for name in names):,}",
            *(f"{each.get(name, 0):,}" for name in names),
            f"{each['MiB']:.0f}",
            str(each["threads"]),
            str(each["files"]),
        )
        for each in picked
    ]
    return table(["questions", *names, "MiB", "threads", "files"], rows)


def defects(report: Mapping[str, Any]) -> str:
    lines = [f"{count} times: {why}" for why, count in report["defects"].items()]
    return "\n".join([*lines, *report["logged"]])


def page(report: Mapping[str, Any]) -> str:
    """The section of docs/reliability.md, without a line break at its end."""
    head = _HEAD.format(
        questions=report["questions"],
        at_once=AT_ONCE,
        share=SHARE,
        faults=len(_LIGHT) + len(_SLOW),
        spoiled=report["spoiled"],
        seed=report["seed"],
    )
    left = f"\n\nDefects:\n\n```text\n{defects(report)}\n```" if defects(report) else ""
    large = _LARGE.format(most=MOST_MEGABYTES, **report["large"])
    return f"{head}\n```text\n{tables(report)}\n```\n\n{large}{left}"
