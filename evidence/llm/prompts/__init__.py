"""Prompts are text files beside this one: `<name>.md`, system above the line, user below."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from evidence.model import Prompt

_RULE = "\n---\n"


@cache
def _template(name: str) -> tuple[str, Template, Template]:
    source = (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")
    system, user = source.split(_RULE, 1)
    return sha256(source.encode()).hexdigest()[:8], Template(system.strip()), Template(user.strip())


def variables(name: str) -> frozenset[str]:
    """The names that a prompt wants, exactly."""
    _, system, user = _template(name)
    return frozenset(system.get_identifiers()) | frozenset(user.get_identifiers())


def render(name: str, /, **values: str) -> Prompt:
    """A prompt filled in; raises TypeError unless exactly its variables are given."""
    if values.keys() != variables(name):
        raise TypeError(f"prompt {name!r} takes {sorted(variables(name))}, got {sorted(values)}")
    fingerprint, system, user = _template(name)
    return Prompt(name, fingerprint, system.substitute(values), user.substitute(values))
