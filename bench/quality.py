"""The page docs/quality.md: how well it finds and quotes, and what each feature is worth, measured in one run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from bench import citations, retrieval, scale, sentences
from bench.ablations import ABLATIONS
from bench.cases import command as cases
from bench.cases.data import kinds
from bench.data import Data
from bench.natural import command as natural
from bench.natural.command import Wanted
from bench.natural.data import names
from bench.natural.tables import page as natural_page
from bench.rig import Bench
from bench.tables import citations_table, retrieval_table
from standalone.models import reverse_llm
from standalone.models.reader import MODELS

type Technique = Literal["high_quality", "economy"]

HEAD = """# Quality, measured

Made by `python -m bench quality --data DIR`, where DIR holds the sets of
[LegalBench-RAG](https://arxiv.org/abs/2408.10343) (contractnli) and [XQuAD](https://arxiv.org/abs/1910.11856) in the
layout of `python -m bench`. All figures come from one run through the plugin's own tools, **without any language
model** where none is named, against the embedded knowledge server, which cuts documents into segments of 500
characters. Shares are in percent.

- **R@k, P@k**: characters of the gold spans among the first k passages, and the share of their characters that are
  gold; overlapping spans count once, a question without an answer counts 0.
- **doc@k**: the right document is among the first k of `documents`.
- **hit@5**: one of the first five passages overlaps the answer.
- **calls, retr., again**: knowledge calls a question before the answer, how many of them are retrieves, and how many
  segments are read again besides, at once, before they are shown (ten at most).

Single figures can be made anew with `python -m bench retrieval` and `python -m bench citations`, and
`python -m bench check` compares with `bench/expected.yaml`.
"""
QUOTING = """The tool `quote`, then `ask` with scripted models: one that reads truthfully, one that quotes sloppily, one
that invents quotes, one that obeys instructions found in documents. `verbatim` is counted against the stored segments.
"""
GROWTH = """What a question costs as a base grows, made documents of six segments, without a model; more in
[scale.md](scale.md). *ms* is own processor time.
"""
NATURAL = """Manuals, help pages, licences and release notes in five languages, a knowledge base a set, asked as people
ask through `search` and `quote`, warm: `python -m bench natural --data DIR/natural --english-together --vectors HERE`.
Beside the product, over the same segments: BM25 (stems of the language, pairs of Chinese and Japanese characters), a
dense ranking by a small sentence-embedding model (`make sentence-model`; English only), and their fusion (RRF). The
last rows are the English sets asked as one knowledge base.

The column `dense` (and `RRF`) of the categories is of the English questions only.

- **hit@k, cov@k**: at least half of the best place that answers is covered by the first k passages; how much is.
- **answer_near**: a quote at that place holds the short answer (all parts of it, where it has several).
- **precision**: share of the quoted characters within 200 of a place that answers.
- **answered, settled**: share of the answerable questions with that status; **right**: of those so called, how many
  have answer_near; what nothing answers counts as wrong. **lost**: answerable, and called not found.
- **held**: of the questions that nothing answers, those called partial or not found; **refused**: called not found.
- **contradictions**: how often documents are said to disagree, which here they hardly ever do.
"""
EMBEDDED = """The English sets against a server whose own ranking is that of the embeddings (`--embedded`), as a real
Dify's is; above, the embedded server's ranking is BM25 too.
"""
SENTENCES = """Is a sentence let pass that its quotes prove, and flagged where they do not? With the quotes handed over,
as they stand beside a model's sentence, and by the tool `reflect`, which is given the longer passage:
`python -m bench sentences --data DIR/sentences/dev.jsonl`. *Unlinked*: no passage was seen to bear on it, which flags
it too. Folds keep the sentences about one passage together.
"""
RULES = """Our own cases (`python -m bench cases`), by hand: versions of one document, needles in documents of 140,000
characters, documents that do not exist beside namesakes that do, questions of more than 250 characters, negation and
exceptions, deadlines; the documents of all kinds are one knowledge base. A case *passes* when its answer is quoted, and
not behind what is wrong; where nothing answers, when it is not called answered. *Found*: the answer stands in the first
three passages of `search`.
"""
GROWN = (100, 1_000, 5_000, 10_000)
type Profile = Literal["1.10.1", "1.13.3"]
CONDITIONS: tuple[tuple[str, str, Technique, Profile, str], ...] = (
    ("contractnli, high quality, 1.10.1", "contractnli", "high_quality", "1.10.1", "query"),
    ("contractnli, high quality, 1.13.3", "contractnli", "high_quality", "1.13.3", "query"),
    ("contractnli, economy, 1.10.1", "contractnli", "economy", "1.10.1", "query"),
    ("contractnli, economy, 1.13.3", "contractnli", "economy", "1.13.3", "query"),
    ("… the same in natural order", "contractnli", "economy", "1.10.1", "query_inline"),
    ("… comparisons", "contractnli", "economy", "1.10.1", "comparison"),
    ("xquad English, high quality", "xquad_en", "high_quality", "1.10.1", "query"),
    ("xquad English, economy", "xquad_en", "economy", "1.13.3", "query"),
    ("xquad Chinese, high quality", "xquad_zh", "high_quality", "1.13.3", "query"),
    ("xquad Chinese, economy", "xquad_zh", "economy", "1.10.1", "query"),
)


def page(root: Path, vectors: Path | None = None) -> Iterator[str]:
    """The page, section by section; with `vectors` dense rankings too. Raises NoData."""
    yield HEAD
    yield "## Finding, warm\n"
    yield "What was read before is at hand; one call tells whether it changed, one asks the server's own ranking.\n"
    yield _fenced(retrieval_table({each[0]: _found(root, *each[1:]) for each in CONDITIONS}))
    yield "## Finding, cold\n"
    yield "A fresh process for each of 40 questions: nothing was read before.\n"
    yield _fenced(retrieval_table({name: _cold(root, name) for name in ("economy", "high_quality")}))
    yield "## What each feature is worth\n"
    yield "One feature switched off at a time; contractnli in natural order, and xquad English, high quality.\n"
    yield _fenced(retrieval_table(_ablated(root, "contractnli", "query_inline")))
    yield _fenced(retrieval_table(_ablated(root, "xquad_en", "query")))
    yield "## What a question costs\n"
    yield GROWTH
    yield _fenced(scale.growth_table(scale.growth(GROWN, (1,))))
    yield "## Quoting\n"
    yield QUOTING
    yield _fenced(citations_table(dict(_quoted(root))))
    yield from _asked_naturally(root / "natural", vectors)
    yield from _sentences(root / "sentences" / "dev.jsonl")
    yield "## What rules of language are worth\n"
    yield RULES
    yield from map(_fenced, cases.tables(cases.report({cases.WHOLE: cases.measure(kinds())})))


def _asked_naturally(folder: Path, vectors: Path | None) -> Iterator[str]:
    if not folder.is_dir():
        return
    yield "## Questions as people ask them\n"
    yield NATURAL
    bench = Bench(in_process=True)
    report = natural.measured(Wanted(folder, together=True, vectors=vectors), bench)
    yield from map(_fenced, natural_page(report))
    if vectors:
        yield EMBEDDED
        english = tuple(name for name in names(folder) if name.endswith("_en"))
        report = natural.measured(
            Wanted(folder, english, together=True, vectors=vectors, embedded=True), bench
        )
        yield from map(_fenced, natural_page(report))


def _sentences(file: Path) -> Iterator[str]:
    if file.is_file():
        yield "## Sentences beside their quotes\n"
        yield SENTENCES
        report = sentences.report(sentences.measure(sentences.cases(file)))
        yield from map(_fenced, sentences.tables(report))


def _fenced(table: str) -> str:
    return f"```text\n{table}\n```\n"


def _found(root: Path, name: str, technique: Technique, profile: Profile, field: Any) -> Mapping[str, Any]:
    data = Data(root / name)
    compared = field == "comparison"
    questions = data.questions("comparison") if compared else data.questions("queries", field)
    return retrieval.measure(data, questions, Bench(profile), technique)


def _cold(root: Path, technique: Technique) -> Mapping[str, Any]:
    data = Data(root / "contractnli")
    return retrieval.measure(data, data.questions("queries", "query"), Bench("1.10.1"), technique, cold=40)


def _ablated(root: Path, name: str, field: Any) -> Mapping[str, Mapping[str, Any]]:
    data = Data(root / name)
    questions = data.questions("queries", field)
    benches = {
        name: Bench("1.10.1", True, ablation=ABLATIONS.get(name)) for name in ("all features", *ABLATIONS)
    }
    return {name: retrieval.measure(data, questions, bench) for name, bench in benches.items()}


def _quoted(root: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    data = Data(root / "contractnli")
    parts: dict[Any, Any] = {"queries": data.questions("queries", "query")}
    parts |= {"unanswerable": data.questions("unanswerable"), "comparison": data.questions("comparison")}
    yield "quote", citations.measure(data, parts, Bench("1.10.1"), "high_quality", "quote")
    for model in ("reader", "sloppy", "hallucinating", "obeying"):
        few: dict[Any, Any] = {"queries": data.questions("queries", "query", 100)}
        bench = Bench("1.10.1", models=reverse_llm(MODELS[model]))
        yield f"ask, {model}", citations.measure(data, few, bench, "high_quality", "ask")
