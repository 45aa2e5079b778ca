"""How a question is read: by rules always, and by one model call where one is granted.

The model is handed the question as data and answers a fixed shape; what it leaves empty or gets wrong falls back
to what the rules read, so the worst model is as good as none.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict

from evidence.context import Context
from evidence.corpus.collection import Collection
from evidence.errors import LimitReached, ModelError, UnusableReply
from evidence.index.names import is_file_name
from evidence.index.spelling import written_as
from evidence.language.function_words import content_terms, content_words
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms
from evidence.llm import fence, replies
from evidence.llm.prompts import render
from evidence.model import Intent, Prompt, Question, Understanding
from evidence.understand.facets import facets
from evidence.understand.follow_up import standalone_question
from evidence.understand.intents import intent_of
from evidence.understand.subjects import split

_LONGEST = 2_000  # characters of a question that a model wrote, and that rules take apart
_CACHED = 900.0  # seconds, at most, that what a model said of a question is kept
_HISTORY = 3_000  # characters of earlier turns that a model is told


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`names` are names of documents and `datasets` of datasets that may be meant; `max_tokens` of the reply.

    `retries` is how often an unusable reply is asked for again, telling the model why.
    """

    names: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    retries: int = 0
    max_tokens: int = 500
    most_names: int = 60


def understand(question: Question) -> Understanding:
    """The question read by rules, in English, Chinese and Japanese; other languages are read as a lookup.

    A question of more than 2,000 characters is a pasted text: it stays whole, as a lookup.
    """
    text = standalone_question(question.text, question.history)
    if len(text) > _LONGEST:
        return Understanding(
            text=text, topic=text, facets=(text,), keywords=tuple(content_words(text[:_LONGEST]))[:12]
        )
    named = split(text)
    topic = named.topic or text
    intent = intent_of(text, topic, len(named.subjects))
    words = tuple(content_words(topic))[:12]
    return Understanding(
        text=text,
        intent=intent,
        subjects=named.subjects,
        topic=topic,
        facets=facets(topic),
        rewrites=_rewrites(named.subjects, topic, words),
        keywords=words,
    )


def respelled(rules: Understanding, collection: Collection, ctx: Context) -> Understanding:
    """The question read again in the documents' spelling, where it holds misspelt words."""
    spelling = collection.misspelt(rules.text)
    if not spelling:
        return rules
    read = ", ".join(f"{written} as {meant}" for written, meant in spelling.items())
    ctx.trace.degrade(f"understand: read {read}")
    return understand(Question(written_as(rules.text, spelling)))


def _rewrites(subjects: tuple[str, ...], topic: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Context added (the document's name before the words asked for), context relaxed (these words alone)."""
    core = " ".join(words)
    added = f"{' '.join(subjects)} {core}" if subjects and core else ""
    return tuple(text for text in (added, core) if text and text != topic)


def _listed(value: Any) -> list[str]:  # noqa: ANN401 - a model may answer anything
    """A list of strings out of a list, one string, or nothing."""
    items: Iterable[Any] = value if isinstance(value, list) else [value]
    return [" ".join(item.split()) for item in items if isinstance(item, str) and item.strip()]


def _text(value: Any) -> str:  # noqa: ANN401 - a model may answer anything
    return value.strip() if isinstance(value, str) else ""


def _listed_or_none(value: Any) -> list[str] | None:  # noqa: ANN401 - a model may answer anything
    return _listed(value) if isinstance(value, list | str) else None


type _List = Annotated[list[str], BeforeValidator(_listed)]
type _Text = Annotated[str, BeforeValidator(_text)]


class Reading(BaseModel):
    """What the model answers; every field may be missing or of the wrong kind."""

    model_config = ConfigDict(extra="ignore")

    question: _Text = ""
    intent: _Text = ""
    subjects: Annotated[list[str] | None, BeforeValidator(_listed_or_none)] = None
    core: _Text = ""
    facets: _List = []
    entities: _List = []
    hypothetical_answers: _List = []
    pseudo_answer: _Text = ""
    keywords: _List = []


def read_question(
    question: Question, rules: Understanding, options: ReadOptions, ctx: Context
) -> Understanding:
    """The question read by one model call, merged with `rules`; `rules` and a degradation when that fails."""
    if ctx.llm is None or not question.text.strip():
        return rules
    try:
        reading = _known_or_read(question, options, ctx)
    except (ModelError, LimitReached) as error:
        ctx.trace.degrade(f"query analysis failed ({error}); used rules instead")
        return rules
    return _merged(rules, reading, options, follows=bool(question.history.strip()))


def _known_or_read(question: Question, options: ReadOptions, ctx: Context) -> Reading:
    """What the same model said of the same question, told the same names, else what it says now."""
    names, datasets = options.names[: options.most_names], options.datasets[: options.most_names]
    request = (question.text, question.history[-_HISTORY:], question.instructions, names, datasets, ctx.model)
    key = hashlib.sha256(repr(request).encode("utf-8", "surrogatepass")).hexdigest()
    calls = list[None]()

    def read() -> Reading:
        calls.append(None)
        return _read(question, options, ctx)

    reading = ctx.cache.memo(("reading", key), int(ctx.cache.now() // _CACHED), read)
    if not calls:
        ctx.meter.charge("cache_hits")
    return reading


def _read(question: Question, options: ReadOptions, ctx: Context) -> Reading:
    assert ctx.llm is not None  # noqa: S101 - the caller has looked
    prompt = _prompt(question, options)
    for left in range(options.retries, -1, -1):
        reply = ctx.llm.complete(prompt, options.max_tokens)
        try:
            return _usable(replies.read(reply.text, Reading))
        except UnusableReply as error:
            if not left:
                raise
            prompt = replace(
                prompt, user=f"{prompt.user}\n\nYour last reply could not be read: {error}. JSON only."
            )
    raise UnusableReply("no reply was asked for")


def _usable(reading: Reading) -> Reading:
    if reading == Reading():
        raise UnusableReply("the reply says nothing about the question")
    return reading


def _prompt(question: Question, options: ReadOptions) -> Prompt:
    names = "\n".join(options.names[: options.most_names])
    parts = (
        ("question", "the question", question.text),
        ("history", "earlier turns", question.history[-_HISTORY:]),
        ("documents", "names of documents", names),
        ("datasets", "names of datasets", "\n".join(options.datasets[: options.most_names])),
    )
    fenced = fence.fenced([part for part in parts if part[2].strip()])
    guidance = question.instructions.strip()[:2_000] or "none"
    return render("understand", data=fenced.text, boundary=fenced.boundary, guidance=guidance)


def _merged(rules: Understanding, reading: Reading, options: ReadOptions, *, follows: bool) -> Understanding:
    """Field by field: the model's where it is usable, else the rules'.

    A question that follows no other is whole as it is: what the model made of it is one more variant of it.
    """
    standalone = _standalone(reading.question, rules)
    known = f"{standalone}\n{rules.text}"
    subjects = _subjects(reading, rules, options.names)
    core = _core(reading.core, known)
    answers = (*reading.hypothetical_answers[:4], reading.pseudo_answer)
    return replace(
        rules,
        text=standalone if follows else rules.text,
        rewrites=rules.rewrites if follows else _with(standalone, rules),
        intent=_intent(reading.intent, rules.intent),
        subjects=subjects,
        topic=core or (rules.topic if subjects else rules.text),
        core=core,
        facets=_facets(reading.facets, known) or rules.facets,
        entities=_known(reading.entities, known) or rules.entities,
        hypothetical_answers=tuple(dict.fromkeys(" ".join(text[:400].split()) for text in answers if text)),
        keywords=tuple(dict.fromkeys((*reading.keywords[:10], *rules.keywords)))[:16],
    )


def _with(question: str, rules: Understanding) -> tuple[str, ...]:
    """The rules' rewrites and what a model made of the question, if it says it otherwise."""
    new = (question,) if question not in (rules.text, rules.topic, *rules.rewrites) else ()
    return (*rules.rewrites, *new)


def _intent(written: str, otherwise: Intent) -> Intent:
    name = written.casefold().replace("-", "_").replace(" ", "_")
    return next((intent for intent in get_args(Intent.__value__) if intent == name), otherwise)


def _standalone(question: str, rules: Understanding) -> str:
    """A question that lost half of what was asked is another question."""
    question_terms, common = set(content_terms(rules.text)), set(terms(question))
    return (
        question[:_LONGEST]
        if question and 2 * len(question_terms & common) >= len(question_terms)
        else rules.text
    )


def _core(core: str, text: str) -> str:
    """A core that shares no word with the question is a misreading."""
    return core[:_LONGEST] if set(content_terms(core)) & set(terms(text)) else ""


def _subjects(reading: Reading, rules: Understanding, names: tuple[str, ...]) -> tuple[str, ...]:
    """Only words of the question or a listed name: a document that the model made up is dropped.

    None where the model says that none is named, unless the rules read a name that is listed or of a file. A document
    of which the rules read several editions is not one again.
    """
    listed = {name.casefold() for name in names}
    text = " ".join(rules.text.casefold().split())
    if reading.subjects == [] and not any(s.casefold() in listed or is_file_name(s) for s in rules.subjects):
        return ()
    known = (
        name
        for name in reading.subjects or ()
        if " ".join(name.casefold().split()) in text or name.casefold() in listed
    )
    subjects = tuple(dict.fromkeys(known))
    if not subjects:
        return rules.subjects
    editions = all(
        any(name.casefold() in subject.casefold() for name in subjects) for subject in rules.subjects
    )
    return rules.subjects if editions and len(subjects) < len(rules.subjects) else subjects


def _facets(parts: list[str], text: str) -> tuple[str, ...]:
    """Parts that share a word with the question, or are in another script, and give a model no orders."""
    known = set(terms(text))
    return tuple(
        dict.fromkeys(
            facet[:400]
            for facet in parts[:5]
            if (has_cjk(facet) != has_cjk(text) or set(content_terms(facet)) & known)
            and not fence.suspicious(facet)
        )
    )


def _known(entities: list[str], text: str) -> tuple[str, ...]:
    """Those that stand in the question."""
    return tuple(dict.fromkeys(item for item in entities if item.casefold() in text.casefold()))[:12]
