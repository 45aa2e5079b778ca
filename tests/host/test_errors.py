"""What goes wrong is said in one line, and never with contents or secrets."""

import logging
from collections.abc import Callable

import pytest

from evidence.errors import InvalidRequest, ModelError, ModelUnavailable, UnusableReply
from host.boundary import boundary, one_line
from host.causes import classified


class Failure(Exception):
    pass


def said(error: Exception) -> str:
    def work() -> None:
        raise error

    return _failure(work)


def _failure(work: Callable[[], None]) -> str:
    with pytest.raises(Failure) as caught, boundary(Failure):
        work()
    assert caught.value.__suppress_context__
    return str(caught.value)


def test_an_expected_error_is_shown_in_one_line() -> None:
    assert said(InvalidRequest("first\nsecond\x07 \ud800")) == "first second ?"
    assert said(InvalidRequest('no "=\u00a0\x7f\x0cthere"')) == 'no "= there"'


def test_an_unexpected_error_shows_its_type_and_is_logged_without_contents(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        assert said(KeyError("the secret")) == "Internal error (KeyError); see the plugin log."
    assert "unexpected KeyError" in caplog.text
    assert "test_errors.py" in caplog.text
    assert "the secret" not in caplog.text


def test_a_long_line_is_cut() -> None:
    assert one_line("x" * 900) == "x" * 499 + "…"


@pytest.mark.parametrize(
    ("words", "kind", "advice"),
    [
        ("read llm model failed: 429 Too Many Requests", ModelUnavailable, "asks to wait"),
        ("[openai] Rate Limit Error", ModelUnavailable, "asks to wait"),
        ("invocation exited without response after 250 seconds", ModelUnavailable, "not answer in time"),
        ("[openai] Connection Error", ModelUnavailable, "cannot be reached"),
        ("provider said 503", ModelUnavailable, "cannot be reached"),
        ("permission denied, you need to enable llm access", ModelError, "not permitted"),
        ("Incorrect API key provided: abc", ModelError, "refuses the credentials"),
        ("insufficient_quota", ModelError, "quota is spent"),
        ("maximum context length is 8192 tokens", ModelError, "prompt is too long"),
        ("Model gpt-0 does not exist", ModelError, "choose another model"),
        (
            "invoke rerank model failed: Model jina-v9 credentials is not initialized.",
            ModelError,
            "not know it",
        ),
        ("Provider jina does not exist.", ModelError, "does not know it"),
        ("Error code: 401 - The model `x` not found for this API key", ModelError, "does not know it"),
        ("Failed to parse response: {", UnusableReply, "unexpected response format"),
        ("", ModelUnavailable, "failed (Exception)"),
        ("something else 4290", ModelUnavailable, "failed (Exception)"),
    ],
)
def test_a_bare_exception_is_told_by_its_words(words: str, kind: type[ModelError], advice: str) -> None:
    error = classified(Exception(words), "the model")
    assert type(error) is kind
    assert advice in str(error)
    assert str(error).startswith("the model")


def test_the_words_of_a_provider_are_never_shown() -> None:
    for words in ("Incorrect API key provided: topsecret", "topsecret", "topsecret timed out"):
        assert "topsecret" not in str(classified(Exception(words), "the model"))
