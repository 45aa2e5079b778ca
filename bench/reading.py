"""What a model's reading of the question is worth to `search`, and what a bad one costs.

Scripted models stand for real ones: they know a share of the words of the passage that answers, and fill the rest up
with words of a passage that answers something else, as a model that guesses does. One call carries all levels of
information (Wang et al., 2024, "Searching for Best Practices in Retrieval-Augmented Generation"): the question made
whole, keywords, an answer guessed (HyDE: Gao et al., 2023), the core without names.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bench import retrieval
from bench.data import Asked, Data
from bench.rig import Bench, direct_module
from evidence.language.function_words import content_words
from standalone.models import ChatServer
from standalone.models.reader import MODELS, asked
from standalone.models.scripted import Message, Model

MOST = 40  # words of a guessed answer
KEYWORDS = 8

type SurveyReport = Mapping[str, Any]
type Say = Callable[["Case"], SurveyReport]


@dataclass(frozen=True, slots=True)
class Case:
    """What a scripted model knows of a question: words of the answer and of another one, and another one's files."""

    own: tuple[str, ...]
    other: tuple[str, ...]
    files: tuple[str, ...]

    def words(self, share: float) -> str:
        """Words of the answer, spread evenly over it, and words of another one for the rest."""
        size = min(MOST, len(self.own))
        known = round(share * size)
        kept = [self.own[place * len(self.own) // known] for place in range(known)]
        return " ".join([*kept, *self.other[: size - known]])


def _wording(share: float) -> Say:
    return lambda case: {"hypothetical_answers": [case.words(share)], "pseudo_answer": case.words(share)}


# An entry a model: its name in the table, and what it says beside the question.
SAYS: Mapping[str, Say] = {
    "wordings, a quarter right": _wording(0.25),
    "wordings, half right": _wording(0.5),
    "wordings, three quarters right": _wording(0.75),
    "wordings, all right": _wording(1.0),
    "keywords, half right": lambda case: {
        "keywords": [*case.own[: KEYWORDS // 2], *case.other[: KEYWORDS // 2]]
    },
    "all levels, half right": lambda case: {
        **_wording(0.5)(case),
        "keywords": [*case.own[: KEYWORDS // 2], *case.other[: KEYWORDS // 2]],
    },
    "wordings of something else": _wording(0.0),
    "keywords of something else": lambda case: {"keywords": list(case.other[:KEYWORDS])},
    "another document named": lambda case: {"subjects": list(case.files)},
    "a core that asks nothing": lambda _: {"core": "the document"},
    "taken for a list": lambda _: {"intent": "list_all"},
}
FAILING = ("reader", "hallucinating", "garbage", "silent", "failing")
NAMES = (*SAYS, *(f"model: {name}" for name in FAILING))


def measure(data: Data, questions: Sequence[Asked], models: Sequence[str] = ()) -> dict[str, Any]:
    """`search` without a model, then with those of the scripted ones, or each; a report a name. In this process."""
    direct_module()
    reports: dict[str, Any] = {"no model": retrieval.measure(data, questions, Bench(in_process=True))}
    for name, model in _models(data, questions).items():
        if models and name not in models:
            continue
        with _chat(model) as credentials:
            bench = Bench(in_process=True, credentials=credentials)
            reports[name] = retrieval.measure(data, questions, bench)
    return reports


def _models(data: Data, questions: Sequence[Asked]) -> dict[str, Model]:
    cases = _cases(data, questions)
    helpers = {name: _model(say, cases) for name, say in SAYS.items()}
    return helpers | {f"model: {name}": MODELS[name] for name in FAILING}


@contextmanager
def _chat(model: Model) -> Iterator[Mapping[str, str]]:
    with ChatServer(model) as server:
        yield {"llm_base_url": server.base_url, "llm_model": "scripted"}


def _cases(data: Data, questions: Sequence[Asked]) -> dict[str, Case]:
    texts = {each.name: each.text for held in data.corpus("economy").collections for each in held.documents}
    half = len(questions) // 2
    others = [*questions[half:], *questions[:half]]
    return {
        each.text: Case(
            _answer(each, texts), _answer(other, texts), tuple(sorted({place.file for place in other.gold}))
        )
        for each, other in zip(questions, others, strict=True)
    }


def _answer(question: Asked, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The content words of the passages that answer, each once."""
    told = " ".join(texts[place.file][place.start : place.end] for place in question.gold)
    return tuple(content_words(told))


def _model(say: Say, cases: Mapping[str, Case]) -> Model:
    def reply(messages: Sequence[Message]) -> str:
        question = asked(messages).question
        told = say(cases[question]) if question in cases else {}
        return json.dumps({"question": question, **told}, ensure_ascii=False)

    return reply
