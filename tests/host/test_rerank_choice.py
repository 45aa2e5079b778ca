"""`rerank_model: chat` lets the chat model grade the passages, with calls of its own."""

import pytest

from host.parameters import by_chat, settings_from


@pytest.mark.parametrize(
    ("name", "expected"), [("chat", True), (" Chat ", True), ("house/chat", False), ("", False)]
)
def test_the_chat_model_is_chosen_by_the_word_chat(name: str, expected: bool) -> None:
    assert expected is by_chat(name)


def test_calls_for_grading_are_granted_beside_those_that_answer() -> None:
    plain, graded = (
        settings_from({"effort": "fast"}),
        settings_from({"effort": "fast", "rerank_model": "chat"}),
    )
    assert plain.limits.model_calls + 1 == graded.limits.model_calls
    assert plain.limits.model_tokens < graded.limits.model_tokens
    quiet = settings_from({"effort": "extractive", "rerank_model": "chat"})
    assert 0 == quiet.limits.model_calls
