"""Every knob of a run in one frozen value, composed from the stages' options; the presets of an effort."""

from dataclasses import dataclass, field, replace

from evidence.answer.aggregate import AggregateOptions
from evidence.answer.drafting import DraftOptions
from evidence.answer.reflect import ReflectOptions
from evidence.corpus.prefetch import PrefetchOptions
from evidence.corpus.reread import RereadOptions
from evidence.discover.documents import DiscoverOptions
from evidence.discover.route import RouteOptions
from evidence.limits import CallBudget, Limits, ReadPolicy
from evidence.model import Effort
from evidence.search.boost import BoostOptions
from evidence.search.passages import SearchOptions
from evidence.search.sections import SectionMap
from evidence.understand.question import ReadOptions as UnderstandOptions

_LIMITS: dict[Effort, Limits] = {
    "extractive": Limits(model_calls=0, rerank_calls=1, rounds=1),
    "fast": Limits(model_calls=1, rerank_calls=1, rounds=0),
    "balanced": Limits(model_calls=3, rerank_calls=1, rounds=1),
    "thorough": Limits(model_calls=6, rerank_calls=2, rounds=1, knowledge_calls=120, model_tokens=60_000),
}
_BUILDING = Limits(
    knowledge_calls=10_000_000, retrieves=0, model_calls=0, rerank_calls=0, model_tokens=0, workers=8
)
_PASSAGE_TOKENS: dict[Effort, int] = {"extractive": 0, "fast": 3_000, "balanced": 3_500, "thorough": 7_000}
_GRADING_TOKENS = 8_000  # for the passages that a chat model grades in one call


def _limits(effort: Effort, seconds: float, *, reranks_by_chat: bool) -> Limits:
    limits = replace(_LIMITS[effort], seconds=seconds)
    if not reranks_by_chat or effort == "extractive":
        return limits
    more = limits.rerank_calls
    tokens = limits.model_tokens + more * _GRADING_TOKENS
    return replace(limits, model_calls=limits.model_calls + more, model_tokens=tokens)


@dataclass(frozen=True, slots=True)
class Settings:
    """One run's settings.

    `reads_question` lets the model read the question first, for at most `reading_share` of the time left; `rerank`
    allows a reranker where one is configured; `read_ahead` lets the rest of the routed datasets be read behind the
    answer.
    """

    effort: Effort = "balanced"
    top_k: int = 8
    rerank: bool = True
    read_ahead: bool = True
    reads_question: bool = True
    reading_share: float = 0.4
    limits: Limits = field(default_factory=Limits)
    reading: ReadPolicy = ReadPolicy()
    budget: CallBudget = CallBudget()
    reread: RereadOptions = RereadOptions()
    prefetch: PrefetchOptions = PrefetchOptions()
    understand: UnderstandOptions = UnderstandOptions()
    route: RouteOptions = RouteOptions()
    discover: DiscoverOptions = DiscoverOptions()
    boost: BoostOptions = BoostOptions()
    search: SearchOptions = SearchOptions()
    aggregate: AggregateOptions = AggregateOptions()
    reflect: ReflectOptions = ReflectOptions()

    @classmethod
    def of(
        cls,
        effort: Effort = "balanced",
        *,
        top_k: int = 8,
        seconds: float = 60.0,
        instructions: str = "",
        reranks_by_chat: bool = False,
    ) -> "Settings":
        """The preset of an effort, with the caller's number of passages, deadline in seconds and guidance.

        Where the chat model reranks, its calls for that are granted beside those that answer.
        """
        thorough = effort == "thorough"
        asks = effort != "extractive"
        tokens = _PASSAGE_TOKENS[effort]
        return cls(
            effort=effort,
            top_k=top_k,
            reads_question=effort in {"balanced", "thorough"},
            limits=_limits(effort, seconds, reranks_by_chat=reranks_by_chat),
            boost=BoostOptions(ask_model=thorough),
            search=SearchOptions(top_k=top_k, sections=SectionMap.read(instructions)),
            aggregate=AggregateOptions(
                asks, tokens, DraftOptions(reserve=int(thorough)), instructions=instructions
            ),
            reflect=ReflectOptions(ask_model=thorough, passage_tokens=tokens),
        )

    @classmethod
    def behind(cls) -> "Settings":
        """What reading ahead may spend: many lists, no retrieve, no model, half the threads of a question."""
        limits = Limits(
            seconds=600.0, knowledge_calls=2_000, retrieves=0, model_calls=0, rerank_calls=0, workers=4
        )
        return cls(effort="extractive", rerank=False, limits=limits)

    @classmethod
    def building(cls, seconds: float) -> "Settings":
        """What building the index may spend in so many seconds: lists alone, as fast as the server's gate allows."""
        return cls(effort="extractive", rerank=False, limits=replace(_BUILDING, seconds=seconds))

    def searching_as(self, effort: Effort) -> "Settings":
        """The same with the knowledge calls and the rounds that another effort grants."""
        granted = _LIMITS[effort]
        calls, rounds = granted.knowledge_calls, granted.rounds
        return replace(self, limits=replace(self.limits, knowledge_calls=calls, rounds=rounds))

    @property
    def handing(self) -> "Settings":
        """The same where a model reads the passages: none behind a steep fall of their scores."""
        if self.effort == "extractive":
            return self
        return replace(self, search=replace(self.search, adaptive=True))

    @property
    def all_routes(self) -> RouteOptions:
        """Routing that leaves no dataset out."""
        return replace(self.route, most=1_000)
