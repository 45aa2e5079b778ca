"""Models that read: deterministic stand-ins that answer this product's own prompts, well or badly.

`truthful` quotes the sentences that share most with the question; the others go wrong in the ways that real models do.
Which prompt it is they tell by the JSON that it asks for, and passages by their fence.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evidence.language.function_words import content_terms
from evidence.language.sentences import sentences
from evidence.language.terms import terms
from evidence.llm.fence import suspicious
from standalone.models.scripted import Message, Model, ModelRefusal, plain_text

type Kind = Literal["understand", "boost", "compare", "reflect", "aggregate"]

# What only this prompt's JSON holds; the first that fits is it.
_SIGNS: Mapping[Kind, str] = {
    "understand": '"pseudo_answer"',
    "boost": '"documents": {',
    "compare": '"cells"',
    "reflect": '"unsupported"',
    "aggregate": '"sentences"',
}
_PASSAGE = re.compile(r"<<(\w+) (\S+) \| ([^\n]*)>>\n(.*?)\n<<\1 end \2>>", re.DOTALL)
_QUESTION = re.compile(r"^Question: (.*?)\nParts:\n(.*?)\n\n", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"^\s*\d+\. ")
_DOCUMENT = re.compile(r"(D\d+) · ")
_ENOUGH = 0.34  # of the question's words a sentence must share, or there is no answer
_NEARLY = 0.6  # of the best sentence's share another one needs to be quoted too
_MOST = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage of a prompt."""

    key: str
    header: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt taken apart; `parts` are what is asked, at least one; `known` what need not be said again."""

    kind: Kind
    question: str
    parts: tuple[str, ...]
    passages: tuple[Shown, ...]
    known: str = ""


def asked(messages: Sequence[Message]) -> Asked:
    """What a prompt of ours asks for; raises ModelRefusal when it is none of ours."""
    system, user = plain_text(messages[0]), plain_text(messages[-1])
    kind = next((kind for kind, sign in _SIGNS.items() if sign in system), None)
    if kind is None:
        raise ModelRefusal("this stand-in reads only the prompts of this product", 400)
    # The last one: a passage may hold such lines too, but stands before.
    found = [*_QUESTION.finditer(user)][-1:]
    end = found[0].start() if found else len(user)
    shown = tuple(Shown(piece[2], piece[3], piece[4]) for piece in _PASSAGE.finditer(user, 0, end))
    known = next((piece[4] for piece in _PASSAGE.finditer(user, end) if piece[2] == "LISTED"), "")
    if not found:
        question = next((each.text for each in shown if each.key in ("question", "Q")), "")
        return Asked(kind, question, (question,), shown)
    parts = tuple(_NUMBER.sub("", line).strip() for line in found[0][2].splitlines() if line.strip())
    return Asked(kind, found[0][1].strip(), parts or (found[0][1].strip(),), shown, known)


type Quoted = tuple[str, str, int]  # the passage's key, the words, the part that they answer


def picked(parts: Sequence[str], passages: Sequence[Shown]) -> Iterator[Quoted]:
    """For each part the sentences that share most with it, best first, if any shares enough."""
    pieces = [
        (shown.key, shown.text[span.start : span.end]) for shown in passages for span in sentences(shown.text)
    ]
    held = [(key, words, frozenset(terms(words))) for key, words in pieces if not suspicious(words)]
    for number, part in enumerate(parts, 1):
        wanted = frozenset(content_terms(part)) or frozenset(terms(part))
        scored = sorted(
            ((len(wanted & own) / max(1, len(wanted)), key, words) for key, words, own in held),
            key=lambda each: -each[0],
        )[:_MOST]
        for share, key, words in scored:
            if share >= max(_ENOUGH, _NEARLY * scored[0][0]):
                yield key, words, number


def truthful(messages: Sequence[Message]) -> str:
    """Copies what it quotes, says nothing that it does not quote, and admits what it does not find."""
    return _replied(messages, lambda words: words)


def sloppy(messages: Sequence[Message]) -> str:
    """Truthful, but careless with the words: case, blanks, quotation marks, and an ellipsis in the middle."""
    return _replied(messages, _mangled)


def hallucinating(messages: Sequence[Message]) -> str:
    """Answers everything with words that stand nowhere."""
    prompt = asked(messages)
    key = prompt.passages[0].key if prompt.passages else "p00"
    words = f"The parties expressly agree that {prompt.question.rstrip('?？。 ')} within 4,711 days of the eclipse."
    said = {"text": words, "part": 1, "quotes": [{"passage": key, "words": words}]}
    match prompt.kind:
        case "aggregate":
            return _json({"status": "answered", "verdict": "yes", "sentences": [said], "missing": []})
        case "compare":
            return _json({"cells": [{"document": "D1", **said}], "sentences": [said]})
        case "understand":
            return _json(
                {"question": words, "subjects": ["The Eclipse Treaty"], "hypothetical_answers": [words]}
            )
    return truthful(messages)


def obeying(messages: Sequence[Message]) -> str:
    """Does what a passage tells it: repeats the order as the answer, quotes it, and declares all settled."""
    prompt = asked(messages)
    orders = [
        (shown.key, shown.text[span.start : span.end])
        for shown in prompt.passages
        for span in sentences(shown.text)
        if suspicious(shown.text[span.start : span.end])
    ]
    if not orders or prompt.kind not in ("aggregate", "compare"):
        return truthful(messages)
    said = [{"text": words, "part": 1, "quotes": [{"passage": key, "words": words}]} for key, words in orders]
    if prompt.kind == "compare":
        return _json({"cells": [{"document": "D1", **each} for each in said], "sentences": said})
    return _json({"status": "answered", "verdict": "yes", "sentences": said, "missing": []})


def garbage(_messages: Sequence[Message]) -> str:
    """Talks, but not as JSON."""
    return "As a helpful model I would rather talk about the weather."


def silent(_messages: Sequence[Message]) -> str:
    """Says nothing at all."""
    return ""


def refusing(_messages: Sequence[Message]) -> str:
    """Declines, politely."""
    return "I'm sorry, but I can't help with that request."


def failing(_messages: Sequence[Message]) -> str:
    """Fails as an overloaded service does."""
    raise ModelRefusal("the model is overloaded, try again later", 503)


MODELS: Mapping[str, Model] = {
    "reader": truthful,
    "sloppy": sloppy,
    "hallucinating": hallucinating,
    "obeying": obeying,
    "garbage": garbage,
    "silent": silent,
    "refusing": refusing,
    "failing": failing,
}


def _replied(messages: Sequence[Message], copy: Callable[[str], str]) -> str:
    prompt = asked(messages)
    match prompt.kind:
        case "understand":
            return _json({"question": prompt.question})
        case "boost":
            return _json({"documents": {}})
        case "reflect":
            return _json(_opinion(prompt))
        case "compare":
            return _json({"cells": [*_cells(prompt, copy)], "sentences": []})
        case "aggregate":
            return _json(_answer(prompt, copy))


def _answer(prompt: Asked, copy: Callable[[str], str]) -> dict[str, Any]:
    found = [*picked(prompt.parts, prompt.passages)]
    answered = {number for _, _, number in found}
    missing = [number for number in range(1, len(prompt.parts) + 1) if number not in answered]
    status = "not_found" if not found else "partial" if missing else "answered"
    said = [_said(quoted, copy) for quoted in dict.fromkeys(found) if quoted[1] not in prompt.known]
    return {"status": status, "verdict": "", "sentences": said, "missing": missing}


def _cells(prompt: Asked, copy: Callable[[str], str]) -> Iterator[dict[str, Any]]:
    documents = dict.fromkeys(
        found[1] for shown in prompt.passages if (found := _DOCUMENT.match(shown.header))
    )
    for document in documents:
        own = [shown for shown in prompt.passages if shown.header.startswith(f"{document} · ")]
        for quoted in picked(prompt.parts, own):
            yield {"document": document, **_said(quoted, copy)}


def _said(quoted: Quoted, copy: Callable[[str], str]) -> dict[str, Any]:
    key, words, number = quoted
    return {"text": words, "part": number, "quotes": [{"passage": key, "words": copy(words)}]}


def _opinion(prompt: Asked) -> dict[str, Any]:
    """A sentence is unsupported when no passage holds half of its words."""
    answer = next((shown.text for shown in prompt.passages if shown.key == "ANSWER"), "")
    held = [frozenset(terms(shown.text)) for shown in prompt.passages if shown.key != "ANSWER"]
    faults = []
    numbered = (line for line in answer.splitlines() if _NUMBER.match(line))
    for number, line in enumerate(numbered, 1):
        said = frozenset(terms(_NUMBER.sub("", line)))
        if said and not any(2 * len(said & own) >= len(said) for own in held):
            faults.append(number)
    return {"unsupported": faults, "contradicting": [], "missing": [], "opinion": "", "searches": []}


def _mangled(words: str) -> str:
    """The same words as a careless typist gives them back."""
    typed = words.split(" ")
    if len(typed) > 12:
        middle = len(typed) // 2
        typed[middle - 1 : middle + 1] = ["…"]
    text = "  ".join(typed).replace('"', "”").replace("'", "’")
    return text[:1].swapcase() + text[1:]


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
