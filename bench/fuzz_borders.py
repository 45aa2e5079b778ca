"""The borders, and how many of a thousand inputs each gets."""

from collections.abc import Sequence

from bench.fuzz_answers import (
    make_model_answer,
    make_question,
    make_reply,
    make_seed,
    run_answers,
    run_model_answer,
    run_question,
    run_reply,
)
from bench.fuzz_border import Border
from bench.fuzz_patterns import make_pattern, run_pattern
from bench.fuzz_values import (
    make_filtered,
    make_mcp,
    make_parameters,
    make_passages,
    make_quote,
    make_retrieval,
    make_texts,
    run_filtered,
    run_mcp,
    run_parameters,
    run_passages,
    run_quote,
    run_retrieval,
    run_texts,
)

BORDERS: Sequence[Border] = (
    Border("parameters", 250, make_parameters, run_parameters),
    Border("passages", 120, make_passages, run_passages),
    Border("filters", 140, make_filtered, run_filtered),
    Border("External Knowledge bodies", 140, make_retrieval, run_retrieval),
    Border("MCP bodies", 120, make_mcp, run_mcp),
    Border("knowledge answers", 80, make_seed, run_answers),
    Border("model answers", 60, make_model_answer, run_model_answer),
    Border("quotes", 60, make_quote, run_quote),
    Border("patterns", 60, make_pattern, run_pattern),
    Border("texts", 240, make_texts, run_texts),
    Border("model replies", 80, make_reply, run_reply),
    Border("questions", 16, make_question, run_question),
)
