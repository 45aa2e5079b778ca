"""What is done behind an answer is no part of it, and does not turn it into an error."""

import logging

import pytest

from evidence.errors import KnowledgeUnavailable
from host.replies import Reply, quietly

FAILURES = [KnowledgeUnavailable("the server is gone"), RuntimeError("topsecret")]


@pytest.mark.parametrize("failure", FAILURES, ids=["expected", "unexpected"])
def test_what_fails_behind_an_answer_is_quiet(failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []

    def read_on() -> None:
        done.append("read on")
        raise failure

    reply = Reply("Ten.", {}, {}, afterwards=read_on)
    with caplog.at_level(logging.ERROR):
        quietly(reply.afterwards)
    assert ["read on"] == done
    assert "topsecret" not in caplog.text


def test_a_bug_behind_an_answer_is_logged_by_its_name_alone(caplog: pytest.LogCaptureFixture) -> None:
    def bug() -> None:
        raise FAILURES[1]

    with caplog.at_level(logging.ERROR):
        quietly(bug)
    assert "unexpected RuntimeError" in caplog.text
    assert "topsecret" not in caplog.text
