"""Headings of heads and cases: they say what changes, and heads are counted as tokens are."""

import pytest

import attnsolve


def headings(text: str) -> list[str]:
    lines = attnsolve.render(attnsolve.loads(f"format: 1\ntitle: T\n{text}")).splitlines()
    return [line.removeprefix("### ") for line in lines if line.startswith("### ")]


CASES = """
given: {{X: 1 0; 0 1; 1 1, q1: 1 1, q2: 0 1}}
parts: [{{ask: x, {recipe}, cases: [{cases}]}}]
"""
SELF = "self_attention: {input: X, divide_by: none}"
ATTEND = "attend: {queries: q1, keys: X, divide_by: none}"


@pytest.mark.parametrize(
    ("recipe", "cases", "told"),
    [
        (
            SELF,
            "{weights: {softmax: {temperature: 1/2}}}, {weights: {softmax: {temperature: 2}}}",
            [r"Case 1 ($\tau = \tfrac{1}{2}$)", r"Case 2 ($\tau = 2$)"],
        ),
        (SELF, "{weights: softmax}, {weights: sparsemax}", ["Case 1 (softmax)", "Case 2 (sparsemax)"]),
        (
            SELF,
            "{divide_by: 3}, {divide_by: sqrt(2)}",
            ["Case 1 (divide by $3$)", r"Case 2 (divide by $\sqrt{2}$)"],
        ),
        (SELF, "{queries: [2]}, {queries: [3]}", ["Case 1 ($x_{2}$)", "Case 2 ($x_{3}$)"]),
        (ATTEND, "{queries: q1}, {queries: q2}", ["Case 1 ($q_{1}$)", "Case 2 ($q_{2}$)"]),
        (
            ATTEND,
            "{mask: {drop_keys: [2]}}, {mask: {drop_keys: [1, 3]}}",
            ["Case 1 (keys: 2)", "Case 2 (keys: 1, 3)"],
        ),
    ],
)
def test_cases_say_what_changes(recipe: str, cases: str, told: list[str]) -> None:
    assert told == headings(CASES.format(recipe=recipe, cases=cases))


@pytest.mark.parametrize("index_from", [0, 1])
def test_heads_are_counted_as_tokens_are(index_from: int) -> None:
    """In print and in the names that a file uses: the second head of two sees the second column."""
    text = f"""
index_from: {index_from}
given: {{X: 1 10; 0 20}}
parts: [{{ask: x, multi_head: {{input: X, heads: 2}}, find: [head{index_from + 1}.V, C]}}]
"""
    problem = attnsolve.loads(f"format: 1\ntitle: T\n{text}")
    assert [f"Head {index_from}", f"Head {index_from + 1}", "Together"] == headings(text)
    value = attnsolve.solve(problem).value(f"a.head{index_from + 1}.V")
    assert [10, 20] == [value.cell(i, 0).rational() for i in range(2)]
    assert f"V^{{({index_from + 1})}} =" in attnsolve.render(problem)


def test_steps_of_a_plan_have_the_titles_that_the_file_gives() -> None:
    text = """
given: {X: 1 0; 0 1}
parts:
  - ask: x
    plan: [{S: 'dot(X, X)', title: 'Compare $x_i$ with all_of_them.'}, {A: 'softmax(S)'}]
"""
    problem = attnsolve.loads(f"format: 1\ntitle: T\n{text}")
    shown = attnsolve.render(problem)
    assert r"**Step 1. Compare $x_i$ with all\_of\_them.**" in shown
    assert "**Step 2. Softmax: exponentiate, add up, divide.**" in shown
    assert r"all\_of\_them" in attnsolve.render(problem, to="latex")
    assert r"Compare $x_i$ with" in attnsolve.render(problem, sheet="markscheme")
