"""Through the plugin's process: a list that the tokens cut off, by reverse invocation and over HTTP."""

import json
from collections.abc import Sequence

from conftest import SELECTOR, Plugin

from evidence.language.sentences import sentences
from standalone.models import ChatServer, Message
from standalone.models.reader import asked, truthful

QUERY = "List every retention period in the data retention policy."
PADDING = "It is one of the periods that the policy sets for the records of the company. " * 4


def wordy(messages: Sequence[Message]) -> str:
    """Lists every clause that says how long something is kept, at such length that a reply holds only some."""
    prompt = asked(messages)
    if prompt.kind != "aggregate":
        return truthful(messages)
    pieces = [
        (each.key, each.text[span.start : span.end])
        for each in prompt.passages
        for span in sentences(each.text)
    ]
    kept = [(key, words) for key, words in pieces if " kept for " in words or " after " in words]
    items = [{"text": f"{words} {PADDING}", "passage": key, "words": words} for key, words in kept]
    return json.dumps({"sentences": [each for each in items if str(each["words"]) not in prompt.known]})


def listed(plugin: Plugin, **given: object) -> tuple[dict[str, object], int]:
    result = plugin.run("ask", query=QUERY, **given).json
    return result, sum(claim["shown"] for claim in result["claims"])


def test_a_list_that_is_cut_off_by_the_tokens_is_gone_on_with_or_partial(plugin: Plugin) -> None:
    plugin.workspace.model = wordy
    part, some = listed(plugin, model=SELECTOR, effort="fast")
    assert ("partial", "limit_reached") == (part["status"], part["reason"])
    assert "may not be all" in str(part["answer"])
    whole, more = listed(plugin, model=SELECTOR, effort="balanced")
    assert 3 == len([kind for kind, _ in plugin.workspace.calls]) - 1
    assert some < more
    assert ("answered" if whole["reason"] is None else "partial") == whole["status"]


def test_a_chat_api_that_cuts_off_is_told_from_one_that_ends(plugin: Plugin) -> None:
    with ChatServer(wordy, api_key="the-chat-key") as chat:
        named = {"llm_base_url": chat.base_url, "llm_api_key": "the-chat-key", "llm_model": "m"}
        part, some = listed(plugin, effort="fast", credentials=plugin.credentials | named)
        whole, more = listed(plugin, effort="thorough", credentials=plugin.credentials | named)
    assert ("partial", "limit_reached") == (part["status"], part["reason"])
    assert ("answered", None) == (whole["status"], whole["reason"])
    assert some < more
