"""Looking further into a long document than it was read: its server finds the segments that hold a rare word.

One call a word, of the segments list's keyword filter. What is found joins what was read; what was not is said.
"""

from collections.abc import Sequence
from dataclasses import replace

from evidence.cache import Reading
from evidence.context import Context
from evidence.corpus.candidates import Candidates
from evidence.corpus.collection import Collection
from evidence.corpus.fetch import PAGE_CHARACTERS, fitting, unreached
from evidence.errors import KnowledgeError, LimitReached
from evidence.index.bm25 import LexicalIndex
from evidence.language.function_words import SCAFFOLD, content_words
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms_of
from evidence.model import Document, Segment, Unreached
from evidence.workers import Failure

LONGEST = 400_000  # characters of the segments that hold one keyword
SHORTEST = 3  # characters of a keyword in a script that has words


def deepened(
    candidates: Candidates, first: Sequence[Document], topic: str, most: int, ctx: Context
) -> Candidates:
    """The candidates with segments of the first documents that lie beyond what was read of them.

    The `most` rarest words of the topic are asked for, as far as calls are left.
    """
    readings = {reading.document.document_id: reading for reading in candidates.collection.readings}
    lost: list[Unreached] = []
    changed = False
    for document in first:
        reading = readings.get(document.document_id) or ctx.cache.partial_reading(document, ())
        if reading.complete:
            continue
        # A short document was left out for want of calls: none are left for its words either.
        short = reading.partial and 0 < document.word_count <= PAGE_CHARACTERS
        left = 0 if short else min(most, ctx.meter.left("knowledge_calls"))
        keywords = rarest(topic, candidates.collection.lexical, left)
        beyond = _segments_with(reading, keywords, lost, ctx)
        ctx.trace.degrade(_warning(reading, keywords))
        if beyond:
            readings[document.document_id] = ctx.cache.joined(reading, beyond)
            changed = True
    if lost:
        candidates = replace(candidates, report=replace(candidates.report, unended=tuple(lost)))
    if not changed:
        return candidates
    return replace(
        candidates, collection=Collection(candidates.documents, tuple(readings.values()), ctx.cache)
    )


def rarest(topic: str, index: LexicalIndex, most: int) -> list[str]:
    """Parts of the topic's rarest words that all of their forms share, rarest first: what a server can look for."""
    rarity: dict[str, float] = {}
    for word in content_words(topic):
        if has_cjk(word):
            rarity |= {t: index.idf(t) for t in terms_of(word) if len(t) > 1 and t not in SCAFFOLD}
        else:
            keyword = _shared_beginning(word)
            if len(keyword) >= SHORTEST:
                rarity[keyword] = max((index.idf(term) for term in terms_of(word)), default=0.0)
    return sorted(rarity, key=lambda keyword: (-rarity[keyword], -len(keyword), keyword))[:most]


def _shared_beginning(word: str) -> str:
    """The beginning that a word shares with its stem: `renew` of `renewal`, `polic` of `policies`."""
    plain = word.casefold()
    stem = next(iter(terms_of(word)), plain)
    same = next(
        (at for at, (a, b) in enumerate(zip(plain, stem, strict=False)) if a != b), min(len(plain), len(stem))
    )
    return plain[:same].rstrip("iy") if same >= SHORTEST + 1 else plain


def _segments_with(
    reading: Reading, keywords: Sequence[str], lost: list[Unreached], ctx: Context
) -> list[Segment]:
    """The segments that hold one of the keywords, of one page each; those asked for before cost no call.

    A document that could not be asked for one of them is added to `lost`.
    """
    document = reading.document

    def ask(keyword: str) -> tuple[Segment, ...]:
        key = ("holding", document.dataset_id, document.document_id, keyword)
        version = (document.version, reading.read_at)

        def call() -> tuple[Segment, ...]:
            return fitting(ctx.knowledge.segments(document, 1, keyword).items, document.name, LONGEST)[0]

        return ctx.cache.memo(
            key, version, call, lambda segments: sum(len(segment.text) for segment in segments) // 10
        )

    by_id: dict[str, Segment] = {}
    for result in ctx.gather(ask, keywords):
        if not isinstance(result, Failure):
            by_id |= {segment.segment_id: segment for segment in result}
        elif isinstance(result.error, KnowledgeError | LimitReached):
            ctx.trace.degrade(f"search: {document.name} was not searched to its end ({result.error})")
            lost[:] = [
                *(other for other in lost if other.id != document.document_id),
                unreached(document, result.error),
            ]
        else:
            raise result.error
    known = {segment.segment_id for segment in reading.segments}
    beyond = (segment for segment in by_id.values() if segment.segment_id not in known)
    return sorted(beyond, key=lambda segment: segment.position)


def _warning(reading: Reading, keywords: Sequence[str]) -> str:
    """The warning of what was not read, for the receipt."""
    rest = "of the rest, what holds " + " or ".join(keywords) if keywords else "the rest was not searched"
    name = reading.document.name
    if reading.partial:
        return f"search: {name} was not read, but what the server found in it; {rest}"
    return f"search: {len(reading.segments):,} of {reading.total:,} segments of {name} were read; {rest}"
