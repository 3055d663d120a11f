"""Our templates are compiled to plain Python: macros are functions, and are called by place."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import nodes

from attnsolve.bundled import data
from attnsolve.rendering.environment import environment
from attnsolve.rendering.plain_templates import PlainEnvironment

TEMPLATES = sorted(Path(data("templates")).rglob("*.j2"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_macros_are_called_by_place(path: Path) -> None:
    ours = environment()
    calls = ours.parse(path.read_text("utf-8")).find_all(nodes.Call)
    named = [call for call in calls if call.kwargs or call.dyn_args or call.dyn_kwargs]
    tools = [call.node.name for call in named if isinstance(call.node, nodes.Name)]
    assert len(tools) == len(named)
    assert set(tools) <= set(ours.globals)


def test_a_macro_may_be_given_fewer_arguments_than_it_has() -> None:
    source = "{% macro both(a, b='2') %}{{ a }}{{ b }}{% endmacro %}{{ both('1') }} {{ both('1', '3') }}"
    assert PlainEnvironment().from_string(source).render() == "12 13"


def test_tools_and_attributes_are_taken_as_they_are() -> None:
    source = "{{ path.stem.upper() }} {{ say(word='b', other=1) }}"
    made = PlainEnvironment().from_string(source)
    assert made.render(path=Path("a.j2"), say=lambda word, other: f"{word}{other}") == "A b1"
