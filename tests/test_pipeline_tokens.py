"""What is put before a model: within its budget for each prompt, whatever the documents hold."""

import pytest

from evidence import pipeline
from evidence.language.tokens import count
from evidence.model import Effort, Question
from evidence.settings import Settings
from tests.fakes import FakeKnowledge, ScriptedLLM, holding, metered
from tests.pipeline_samples import tolerant

OVERHEAD = 1_200  # the task, the question, and a line for each passage
CLAUSE = "The rent of house {} is ten coins a month and falls due on the first working day, in the hall. "
LONG = holding(
    "Leases",
    {
        f"Lease of house number {number} in the long street by the harbour.txt": [CLAUSE.format(number) * 60]
        * 9
        for number in range(40)
    },
)
CHINESE = holding(
    "租约",
    {f"第{number}号租约.txt": ["租金为每月十元，于每月第一个工作日支付。" * 90] * 9 for number in range(40)},
)


@pytest.mark.parametrize("effort", ["fast", "balanced", "thorough"])
@pytest.mark.parametrize(
    ("held", "asked"), [(LONG, "What is the rent of house 7?"), (CHINESE, "第7号租约的租金是多少？")]
)
def test_every_prompt_keeps_to_its_budget(effort: Effort, held: object, asked: str) -> None:
    llm, settings = ScriptedLLM(tolerant), Settings.of(effort, top_k=50)
    assert isinstance(held, tuple)
    ctx = metered(FakeKnowledge(held), llm, limits=settings.limits)
    pipeline.ask(Question(asked), settings, ctx)
    sizes = {prompt.name: count(prompt.system) + count(prompt.user) for prompt in llm.prompts}
    assert sizes
    budget = settings.aggregate.passage_tokens + OVERHEAD
    judged = settings.aggregate.drafting.answer_tokens  # the judge is shown the answer too
    assert {} == {
        name: size for name, size in sizes.items() if size > budget + (judged if name == "reflect" else 0)
    }
    if effort == "balanced":
        assert sum(count(prompt.system) + count(prompt.user) for prompt in llm.prompts) <= 8_000
