"""Values inside a step: named in find, marks or published, they are steps of the part."""

import pytest

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.loader import loads
from attnsolve.problem import Problem
from attnsolve.published import judge
from attnsolve.scheme import worth

HEAD = "format: 1\ntitle: Inside\ngiven: {X: 1 2 3; 0 0 6, S: 1 0.5 -2; 0 0 1, P: 0 1; 1 0; 0 0}\nparts:\n"
SPARSE = "attend: {scores: S, weights: sparsemax}"
TWICE = "plan: [{N1: 'layer_norm(X)'}, {N2: 'layer_norm(N1)'}]"
HEADS = (
    "multi_head: {input: X, heads: [{W_Q: P, W_K: P, W_V: P}, {W_Q: P, W_K: P, W_V: P}], weights: sparsemax}"
)
CASES = "cases: [{weights: sparsemax}, {weights: entmax15}]"


def part(*lines: str) -> Problem:
    return loads(HEAD + "  - ask: Find it.\n" + "".join(f"    {line}\n" for line in lines))


def calls(problem: Problem) -> list[str]:
    return [call.out for call in problem.calls()]


ASKED = [
    ((SPARSE,), ["a.A"]),
    ((SPARSE, "find: [tau, A]"), ["a.tau", "a.A"]),
    ((SPARSE, "find: [A.tau, A]"), ["a.tau", "a.A"]),
    ((SPARSE, "find: tau"), ["a.tau"]),
    ((SPARSE, "find: 'tau[2]'"), ["a.tau"]),
    ((SPARSE, "marks: {tau: 1, weights: 1}"), ["a.tau", "a.A"]),
    ((SPARSE, "published: {support: 1 1 0; 0 0 1}"), ["a.support", "a.A"]),
    ((SPARSE, "find: A", "marks: {tau: 1}"), ["a.tau", "a.A"]),
    ((TWICE, "find: [N1.mean, N2]"), ["a.N1.mean", "a.N1", "a.N2"]),
    ((TWICE, "find: N1", "marks: {mean: 2}"), ["a.N1.mean", "a.N1"]),
    ((SPARSE, CASES, "find: [tau, A]"), ["a.case1.tau", "a.case1.A", "a.case2.tau", "a.case2.A"]),
    # A name that the file itself gives is that result, and the value inside has its full name.
    (("plan: [{mean: 'layer_norm(X)'}]", "find: mean.mean"), ["a.mean.mean"]),
    (("plan: [{mean: 'layer_norm(X)'}]", "find: mean"), ["a.mean"]),
]


@pytest.mark.parametrize(("lines", "expected"), ASKED)
def test_what_is_named_is_a_step(lines: tuple[str, ...], expected: list[str]) -> None:
    problem = part(*lines)
    assert expected == calls(problem)
    assert expected == [step.call.out for step in solve(problem).steps]


def test_heads_share_the_marks_of_what_is_inside_them() -> None:
    problem = part(HEADS, "marks: {tau: 4}")
    marked = {
        call.out: worth(problem, problem.parts[0], call).total
        for call in problem.calls()
        if call.letter == "tau"
    }
    assert {"a.head1.tau": 2, "a.head2.tau": 2} == marked


def test_a_later_part_can_use_it_only_where_it_is_asked_for() -> None:
    later = "  - ask: Use it.\n    plan: [{U: 'add(a.tau, a.tau)'}]\n"
    asked = HEAD + f"  - ask: First.\n    {SPARSE}\n    find: [tau, A]\n"
    # Row 1 of S is 1, 1/2, -2: τ = (1.5 - 1)/2; row 2 is 0, 0, 1: τ = (1 - 1)/1.
    values = solve(loads(asked + later)).value("b.U")
    assert [["0.5"], ["0.0"]] == [[str(float(cell)) for cell in row] for row in fractions(values)]
    with pytest.raises(ProblemError, match="tau"):
        loads(asked.replace("find: [tau, A]", "find: A") + later)


def fractions(value: object) -> list[list[float]]:
    rows, columns = value.shape  # type: ignore[attr-defined]
    return [[value.cell(i, j).rational() for j in range(columns)] for i in range(rows)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("printed", "fine"), [("0.25; 0", [True, True]), ("0.26; 0", [False, True]), ("0.3; 0", [True, True])]
)
def test_a_published_threshold_is_checked(printed: str, fine: list[bool]) -> None:
    problem = part(SPARSE, f"published: {{tau: {printed}}}")
    found = judge(solve(problem), problem.parts[0])
    assert fine == [finding.fit.is_fine for finding in found]


FAULTS = [
    ((TWICE, "find: mean"), "there is no single 'mean' here; write N1.mean or N2.mean"),
    ((SPARSE, "find: mean"), "there is no 'mean' here"),
    ((SPARSE, "find: 'tau[3]'"), "a.tau has no row 3"),
    ((SPARSE, "published: {tau: 1 2 3}"), "a.tau has 2×1 numbers"),
]


@pytest.mark.parametrize(("lines", "message"), FAULTS)
def test_what_is_not_there_is_told(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(ProblemError) as refused:
        part(*lines)
    assert message in str(refused.value)
