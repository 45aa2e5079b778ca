"""A model's draft of an answer: asked for once more where it cannot be read, gone on with where it was cut off."""

from dataclasses import dataclass, replace

from evidence.answer.model_reply import ComparisonDraft, Draft
from evidence.context import Context
from evidence.errors import LimitReached, ModelError, ModelUnavailable, UnusableReply
from evidence.llm.fence import fenced
from evidence.llm.replies import Parsed, parse
from evidence.model import Completion, Prompt

_REPEATED = "aggregate: the model's reply could not be read; it was asked once more"
_AGAIN = (
    "Your last reply could not be used: {}. Reply again with the JSON object described above and nothing else: no "
    "other text, no code fence, every bracket closed."
)
_GO_ON = (
    "Your last reply was cut off where its length ended. What was whole of it is kept, and stands between the next "
    "lines as data. Go on behind it: reply with a JSON object of the same form that holds only what comes after, and "
    "repeat none of it. If nothing is left, leave the list empty.\n\n{}"
)
_CUT_OFF = "aggregate: the model's reply was cut off; what came after is not part of the answer"


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """`answer_tokens` bound a reply; one that is asked for again may be twice as long.

    A reply that was cut off is gone on with by at most `continuations` calls, while more than `reserve` are left.
    """

    answer_tokens: int = 900
    continuations: int = 2
    reserve: int = 0


def drafted[T: (Draft, ComparisonDraft)](
    prompt: Prompt, shape: type[T], options: DraftOptions, ctx: Context
) -> Parsed[T]:
    """The model's draft, and whether it was cut off for good. Raises ModelError, LimitReached."""
    draft = _first(prompt, shape, options, ctx)
    for _ in range(options.continuations):
        if not draft.truncated or ctx.meter.left("model_calls") <= options.reserve:
            break
        more = _continuation(prompt, draft.value, options, ctx)
        if more is None:
            break
        known, draft = draft.value.listed, Parsed(draft.value.joined(more.value), more.truncated)
        if draft.value.listed == known:
            break
    if draft.truncated:
        ctx.trace.degrade(_CUT_OFF)
    return draft


def _first[T: (Draft, ComparisonDraft)](
    prompt: Prompt, shape: type[T], options: DraftOptions, ctx: Context
) -> Parsed[T]:
    """The reply as a shape; one that cannot be used is asked for once more, where a call is left."""
    try:
        return _first_reply(_complete(prompt, options.answer_tokens, ctx), shape)
    except UnusableReply as error:
        if ctx.meter.left("model_calls") < 1:
            raise
        ctx.trace.degrade(_REPEATED)
        again = replace(prompt, user=f"{prompt.user}\n\n{_AGAIN.format(error)}")
    try:
        return _first_reply(_complete(again, 2 * options.answer_tokens, ctx), shape)
    except LimitReached as error:
        raise UnusableReply(f"no second reply: {error}") from error


def _first_reply[T: (Draft, ComparisonDraft)](reply: Completion, shape: type[T]) -> Parsed[T]:
    """The first reply: one that was cut off before anything was whole does not say that nothing was found."""
    draft = _parse_reply(reply, shape)
    if isinstance(draft.value, Draft) and draft.value.promises_more:
        raise UnusableReply('its status is "answered", and it has no "sentences"')
    if draft.truncated and not draft.value.listed:
        raise UnusableReply("the model's reply was cut off before its first sentence was whole")
    return draft


def _continuation[T: (Draft, ComparisonDraft)](
    prompt: Prompt, known: T, options: DraftOptions, ctx: Context
) -> Parsed[T] | None:
    """The continuation of a reply that was cut off; None where the model cannot be used."""
    fence = fenced([("LISTED", "what is kept", "\n".join(known.listed))])
    again = replace(prompt, user=f"{prompt.user}\n\n{_GO_ON.format(fence.text)}")
    try:
        with ctx.trace.step("aggregate.continue", items=len(known.listed)):
            return _parse_reply(_complete(again, options.answer_tokens, ctx), type(known))
    except (ModelError, LimitReached):
        return None


def _parse_reply[T: (Draft, ComparisonDraft)](reply: Completion, shape: type[T]) -> Parsed[T]:
    draft = parse(reply.text, shape)
    return replace(draft, truncated=draft.truncated or reply.truncated)


def _complete(prompt: Prompt, tokens: int, ctx: Context) -> Completion:
    if ctx.llm is None:
        raise ModelUnavailable("no model is configured")
    return ctx.llm.complete(prompt, tokens)
