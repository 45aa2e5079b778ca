"""Reports as tables for people."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as they need; the first is flush left, the others right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(_width(line[at]) for line in lines) for at in range(len(head))]
    drawn = ["  ".join(_cell(line, at, widths[at]) for at in range(len(head))).rstrip() for line in lines]
    drawn.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(drawn)


def retrieval_table(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """A line a report: the figures that the reference tables show, then calls and milliseconds a question."""
    recalls, precisions = (1, 2, 4, 8, 16, 32), (1, 8)
    head = ["", *(f"R@{k}" for k in recalls), *(f"P@{k}" for k in precisions), "doc@1", "doc@5", "doc@10"]
    head += ["hit@5", "calls", "retr.", "again", "ms"]
    rows = []
    for name, report in reports.items():
        shares = [report["recall"][k] for k in recalls] + [report["precision"][k] for k in precisions]
        shares += [report["document_hit"][k] for k in (1, 5, 10)] + [report["passage_hit"][5]]
        calls = [f"{report[name]['mean']:.1f}" for name in ("knowledge_calls", "retrieves", "rereads")]
        milliseconds = f"{1000 * report['seconds']['mean']:.0f}"
        rows.append((name, *(f"{share:.1f}" for share in shares), *calls, milliseconds))
    return table(head, rows)


def retrieval_notes(report: Mapping[str, Any]) -> str:
    """What the table does not say."""
    seconds, calls = report["seconds"], report["knowledge_calls"]
    start = "a fresh process for each" if report["cold"] else f"warm after {report['warm_up_calls']} calls"
    by_passages = report["passage_document_hit"]
    asked = f"{report['questions']} questions of {report['data']}, {report['technique']}, Dify {report['profile']}"
    most = f"knowledge calls: at most {calls['most']}"
    if "processor_ms" in report:
        most += f"; {report['processor_ms']:.0f} ms of processor time, {report['megabytes']:.0f} MiB"
    hits = ", ".join(f"@{k} {share:.1f}" for k, share in by_passages.items())
    return "\n".join(
        (
            f"{asked}, {start}; {report['failed']} failed",
            f"seconds a question: p50 {seconds['p50']:.3f}, p95 {seconds['p95']:.3f}; {most}",
            f"documents in the order of their passages: {hits}",
        )
    )


def citations_table(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """A line a report. Held back means not found, ambiguous or partial."""
    head = [
        "",
        "quotes",
        "verbatim",
        "recall",
        "precision",
        "held back: answerable",
        "unanswerable",
        "both quoted",
    ]
    rows = []
    for name, report in reports.items():
        held = report["held_back"]
        shares = [report["verbatim"], report["recall"], report["precision"]]
        shares += [held.get("queries"), held.get("unanswerable")]
        shares += [report["coverage"] if "comparison" in held else None]
        drawn = ("-" if share is None else f"{share:.1f}" for share in shares)
        rows.append((name, str(report["quotes"]), *drawn))
    return table(head, rows)


def citations_notes(report: Mapping[str, Any]) -> str:
    """What the table does not say."""
    lines = [f"{report['data']}, {report['technique']}, Dify {report['profile']}; {report['failed']} failed"]
    for part, statuses in report["statuses"].items():
        counted = ", ".join(f"{count} {status}" for status, count in statuses.items())
        lines.append(f"{part}: {counted}")
    calls = f"{report['knowledge_calls']:.1f} knowledge calls and {report['model_calls']:.1f} model calls"
    lines.append(f"a question: {report['seconds']['mean']:.3f} s, {calls}")
    return "\n".join(lines)


# What the best-known open alternative (kbbridge) needed for one question, measured over 100 questions.
PEER = ("kbbridge", "warm", "1", "22.0", "28.0", "99.0", "", "", "52.0", "112000", "")


def latency_table(report: Mapping[str, Any]) -> str:
    """A line a case, and one of the peer."""
    head = [
        "effort",
        "state",
        "at once",
        "seconds",
        "slowest",
        "calls",
        "retrieves",
        "again",
        "model",
        "tokens",
        "MiB",
    ]
    rows = [
        (
            str(row["effort"]),
            "cold" if row["cold"] else "warm",
            str(row["at_once"]),
            f"{row['seconds']:.2f}",
            f"{row['slowest']:.2f}",
            f"{row['knowledge_calls']:.1f}",
            f"{row['retrieves']:.1f}",
            f"{row['rereads']:.1f}",
            f"{row['model_calls']:.1f}",
            str(row["prompt_tokens"]),
            str(row["megabytes"]),
        )
        for row in report["cases"]
    ]
    return table(head, [*rows, PEER])


def latency_notes(report: Mapping[str, Any]) -> str:
    """What the table does not say."""
    rows = report["cases"]
    starts = [row["first_heartbeat"] for row in rows if "first_heartbeat" in row]
    delays = [row["heartbeat_delay"] for row in rows if "heartbeat_delay" in row]
    lines = [
        f"{report['questions']} questions of {report['data']}; {sum(row['failed'] for row in rows)} failed"
    ]
    if starts:
        lines.append(f"first heartbeat of a process: {max(starts):.2f} s at most")
    if delays:
        lines.append(f"a heartbeat was late by {max(delays):.2f} s at most")
    return "\n".join(lines)


def _cell(line: Sequence[str], at: int, width: int) -> str:
    blanks = " " * (width - _width(line[at]))
    return line[at] + blanks if at == 0 else blanks + line[at]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
