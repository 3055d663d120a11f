"""Recipes build plans: which calls, in which order, by which names; and the wrong plans people make."""

from typing import Any

import pytest

from attnsolve.engine import run
from attnsolve.exact import Matrix
from attnsolve.loader import loads
from attnsolve.ops import Axis, Frame, Role
from attnsolve.problem import Convention, Problem
from attnsolve.recipes import RECIPES, RECIPES_BY_NAME, FieldError, Plan
from attnsolve.recipes.shapes import Layout

# Three tokens of width 2; W makes 4 numbers of them, V 1, N nothing fits.
FRAMES = {
    "X": Frame(Axis(3, (0, 1, 2)), Axis(2)),
    "Y": Frame(Axis(5, (0, 1, 2, 3, 4)), Axis(2)),
    "W": Frame(Axis(2), Axis(4)),
    "V": Frame(Axis(2), Axis(1)),
    "N": Frame(Axis(7), Axis(7)),
}


def build(recipe: str, *, layout: Layout | None = None, **settings: Any) -> Plan:
    plan = Plan("a", dict(FRAMES), layout or Layout(), {})
    RECIPES_BY_NAME[recipe].build(plan, settings)
    return plan


def written(plan: Plan) -> list[str]:
    return [f"{call.out} = {call.op.name}({', '.join(call.args)})" for call in plan.calls]


@pytest.mark.parametrize(
    ("recipe", "settings", "calls"),
    [
        (
            "attend",
            {"queries": "X", "keys": "Y"},
            ["a.S = dot(X, Y)", "a.T = divide(a.S)", "a.A = softmax(a.T)", "a.Z = mix(a.A, Y)"],
        ),
        ("attend", {"scores": "X"}, ["a.A = softmax(X)"]),
        (
            "self_attention",
            {"input": "X", "W_Q": "W", "W_K": "W", "W_V": "V", "divide_by": "none"},
            [
                "a.Q = project(X, W)",
                "a.K = project(X, W)",
                "a.V = project(X, V)",
                "a.S = dot(a.Q, a.K)",
                "a.A = softmax(a.S)",
                "a.Z = mix(a.A, a.V)",
            ],
        ),
        (
            "cross_attention",
            {"input": "X", "context": "Y", "queries": (1,), "divide_by": "none"},
            ["a.X = select(X)", "a.S = dot(a.X, Y)", "a.A = softmax(a.S)", "a.Z = mix(a.A, Y)"],
        ),
        (
            "multi_head",
            {"input": "X", "heads": [{"W_V": "V"}, {"W_V": "V"}], "divide_by": "none", "W_O": "W"},
            [
                *(
                    line.replace("#", head)
                    for head in ("head1", "head2")
                    for line in (
                        "a.#.V = project(X, V)",
                        "a.#.S = dot(X, X)",
                        "a.#.A = softmax(a.#.S)",
                        "a.#.Z = mix(a.#.A, a.#.V)",
                    )
                ),
                "a.C = concatenate(a.head1.Z, a.head2.Z)",
                "a.Z = output(a.C, W)",
            ],
        ),
    ],
)
def test_a_recipe_is_a_list_of_calls(recipe: str, settings: dict[str, Any], calls: list[str]) -> None:
    assert calls == written(build(recipe, **settings))


def test_frames_know_their_tokens() -> None:
    plan = build("cross_attention", input="X", context="Y", queries=(2, 0), W_V="V")
    assert Frame(Axis(2, (2, 0)), Axis(5, (0, 1, 2, 3, 4))) == plan.frames["a.A"]
    assert (2, 1) == plan.frames["a.Z"].shape


@pytest.mark.parametrize(
    ("recipe", "settings", "path", "message"),
    [
        ("attend", {"queries": "X"}, (), "'keys' is missing"),
        ("attend", {"queries": "V", "keys": "X"}, ("keys",), "1 number per token in V, but 2 in X"),
        ("attend", {"queries": "X", "keys": "Y", "values": "X"}, ("values",), "5 keys but 3 values"),
        ("attend", {"scores": "X", "W_V": "V"}, ("W_V",), "there are no values"),
        ("self_attention", {"input": "X", "W_K": "N"}, ("W_K",), "N is 7×7, but X is 3×2"),
        ("self_attention", {"input": "X", "divide_by": "0"}, ("divide_by",), "this is 0"),
        ("self_attention", {"input": "X", "heads": 2}, ("heads",), "one head"),
        ("self_attention", {"input": "X", "heads": [{"W_Q": "N"}]}, ("heads", 0, "W_Q"), "N is 7×7"),
        ("multi_head", {"heads": [{"W_Q": "W"}]}, (), "'input' is missing"),
        ("multi_head", {"input": "X", "heads": [{}, {"W_Q": "N"}]}, ("heads", 1, "W_Q"), "N is 7×7"),
        ("multi_head", {"input": "X", "heads": 2, "W_O": "N"}, ("W_O",), "N is 7×7, but C is 3×2"),
        ("multi_head", {"input": "X", "heads": 3}, ("heads",), "3 heads cannot share equally"),
        ("multi_head", {"input": "X", "heads": 2, "b_O": "V"}, ("b_O",), "give W_O too"),
    ],
)
def test_what_does_not_fit_is_located(
    recipe: str, settings: dict[str, Any], path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(FieldError) as caught:
        build(recipe, **settings)
    assert path == caught.value.path
    assert message in str(caught.value)


def test_shapes_are_told_as_the_file_writes_them() -> None:
    layout = Layout(
        Convention("columns", "W X", "K' Q"), {"X": Role.TOKENS, "W": Role.WEIGHTS, "N": Role.WEIGHTS}
    )
    with pytest.raises(
        FieldError, match="W is 4×2, but C is 4×3, with 4 numbers per token; W needs 4 columns: 4×4"
    ):
        build("multi_head", layout=layout, input="X", heads=2, W_Q="W", W_K="W", W_V="W", W_O="W")


SHEET = """
format: 1
title: T
given:
  X: 1 0; 0 1; 1 1
  W: 1 2 3; 0 1 1
  V: 1 1 0; 0 1 2
  O: 1 0; 2 1; 0 1
parts:
  - ask: one head
    self_attention: {input: X, W_Q: W, W_K: V, W_V: W}
  - ask: two
    multi_head: {input: X, heads: [{W_Q: W, W_K: V, W_V: W}], W_O: O}
"""


def outputs(problem: Problem, part: int, mistake: str) -> tuple[Matrix, Matrix]:
    """The last value of a part as it should be, and with a wrong plan carried out."""
    calls = problem.parts[part].calls
    wrong = next(m for m in problem.parts[part].mistakes if m.name == mistake)
    edited = wrong.edit(calls, problem.frames)
    return list(run(problem, calls))[-1].value, list(run(problem, edited))[-1].value


@pytest.mark.parametrize(
    ("part", "mistake"),
    [
        (0, "unscaled"),
        (0, "scaled-by-d-model"),
        (0, "keys-and-values-swapped"),
        (0, "queries-and-keys-swapped"),
        (1, "unscaled"),
        (1, "output-forgotten"),
    ],
)
def test_a_wrong_plan_gives_other_numbers(part: int, mistake: str) -> None:
    right, wrong = outputs(loads(SHEET), part, mistake)
    assert right.shape != wrong.shape or right.same(wrong) is False


def test_a_divisor_of_n_is_no_mistake_when_n_is_d() -> None:
    right, wrong = outputs(loads(SHEET), 0, "scaled-by-n")  # three keys of width 3
    assert right.same(wrong) is True


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_recipe_describes_its_keys(recipe: Any) -> None:
    assert recipe.doc and all(field.doc for field in recipe.fields)
    assert len({field.name for field in recipe.fields}) == len(recipe.fields)
    assert len({mistake.name for mistake in recipe.mistakes}) == len(recipe.mistakes)
