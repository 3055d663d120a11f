"""The public face: what a notebook imports."""

import doctest
from pathlib import Path

import pytest
import sympy

import attnsolve
from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.limits import Limits

PROBLEM = """\
format: 1
title: Two keys
given:
  q: 1 1
  K: 1 -1; 1 0
  V: 0 2; 4 0
parts:
  - ask: Find the output.
    attend: {queries: q, keys: K, values: V, divide_by: none}
"""


def test_the_example_in_the_docstring_is_true() -> None:
    result = doctest.testmod(attnsolve)
    assert (0, 3) == (result.failed, result.attempted)


def test_everything_on_the_face_is_there() -> None:
    assert {"load", "loads", "render", "solve", "__version__"} <= set(attnsolve.__all__)
    assert all(hasattr(attnsolve, name) for name in attnsolve.__all__)


def test_load_takes_a_file_or_a_bundled_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PROBLEM, encoding="utf-8")
    for path in (file, str(file)):
        assert "Two keys" == attnsolve.load(path).title
    assert attnsolve.load("ist-practical-10").title.startswith("Self-attention by hand")
    with pytest.raises(AttnsolveError, match="did you mean 'ist-practical-10'"):
        attnsolve.load("ist-practical-1")


def test_loads_reads_a_text() -> None:
    assert ("Two keys", "mine") == (lambda p: (p.title, p.name))(attnsolve.loads(PROBLEM, name="mine"))
    with pytest.raises(ProblemError) as error:
        attnsolve.loads(PROBLEM.replace("queries", "quereis"), name="mine")
    assert "mine:9:14: " in str(error.value)
    assert "did you mean 'queries'?" in str(error.value)


def test_limits_can_be_raised() -> None:
    long = PROBLEM.replace("1 -1; 1 0", "; ".join(["1 1"] * 65)).replace("0 2; 4 0", "; ".join(["1 1"] * 65))
    with pytest.raises(ProblemError):
        attnsolve.loads(long)
    assert attnsolve.loads(long, limits=Limits(tokens=65))


def test_solve_takes_a_problem_a_file_or_a_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PROBLEM, encoding="utf-8")
    wanted = ["a.S", "a.A", "a.Z"]
    for source in (attnsolve.loads(PROBLEM), file, str(file)):
        assert wanted == [step.call.out for step in attnsolve.solve(source).steps]
    assert attnsolve.solve("ist-practical-10").steps


def test_a_value_is_a_sympy_matrix_when_asked() -> None:
    """By hand: scores 0 and 1, so the weights are 1/(1 + e) and e/(1 + e)."""
    trace = attnsolve.solve(attnsolve.loads(PROBLEM))
    e = sympy.E
    weights, output = (
        sympy.Matrix([[1 / (1 + e), e / (1 + e)]]),
        sympy.Matrix([[4 * e / (1 + e), 2 / (1 + e)]]),
    )
    assert sympy.Matrix([[0, 1]]) == trace.value("a.S").sympy()
    assert sympy.zeros(1, 2) == sympy.simplify(weights - trace.value("a.A").sympy())
    assert sympy.zeros(1, 2) == sympy.simplify(output - trace.value("a.Z").sympy())
    assert sympy.Matrix([[1, 1]]) == trace.value("q").sympy()


def test_a_value_gives_its_decimals() -> None:
    """1/(1 + e) = 0.26894142136999512…"""
    trace = attnsolve.solve(attnsolve.loads(PROBLEM))
    assert ["0.2689", "0.7311"] == [cell.text for cell in trace.value("a.A").decimals(4)[0]]
    assert ["0.268941421369995"] == [cell.text for cell in trace.value("a.A").decimals(15)[0][:1]]
    assert [False, False] == [cell.exact for cell in trace.value("a.A").decimals(4)[0]]
    assert [True, True] == [cell.exact for cell in trace.value("a.S").decimals(4)[0]]


def test_an_unknown_value_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match=r"a\.S, a\.A, a\.Z"):
        attnsolve.solve(attnsolve.loads(PROBLEM)).value("a.W")


def test_render_takes_whatever_solve_takes(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PROBLEM, encoding="utf-8")
    problem = attnsolve.load(file)
    texts = {attnsolve.render(source) for source in (attnsolve.solve(problem), problem, file, str(file))}
    assert 1 == len(texts)
    assert "0.2689" in texts.pop()


def test_render_takes_the_choices_of_the_command_line() -> None:
    problem = attnsolve.loads(PROBLEM)
    assert attnsolve.render(problem, to="latex").lstrip().startswith("\\documentclass")
    assert "0.26894142" in attnsolve.render(problem, places=8)
    assert "Step 1" not in attnsolve.render(problem, sheet="exercise")
    assert "```math" in attnsolve.render(problem, flavour="github")
    with pytest.raises(ValueError, match="to is 'word'; it must be one of markdown, latex, html, typst, pdf"):
        attnsolve.render(problem, to="word")
    with pytest.raises(TypeError, match="colour"):
        attnsolve.render(problem, colour="red")


def test_a_pdf_is_bytes_and_has_a_function_of_its_own() -> None:
    pytest.importorskip("typst")
    problem = attnsolve.loads(PROBLEM)
    assert attnsolve.pdf(problem, sheet="exercise").startswith(b"%PDF-")
    with pytest.raises(ValueError, match=r"attnsolve\.pdf"):
        attnsolve.render(problem, to="pdf")


def test_a_notebook_shows_a_trace_as_a_worked_solution() -> None:
    trace = attnsolve.solve(attnsolve.loads(PROBLEM))
    assert attnsolve.render(trace, flavour="jupyter") == trace._repr_markdown_()
    assert "**Step 1." in trace._repr_markdown_()


def test_a_notebook_shows_a_value_as_maths() -> None:
    trace = attnsolve.solve(attnsolve.loads(PROBLEM))
    shown = trace.value("a.S")._repr_latex_()
    assert r"$\displaystyle \begin{bmatrix} 0 & 1 \end{bmatrix}$" == shown
    assert r"\frac" in trace.value("a.A")._repr_latex_()
    assert r"\approx" not in trace.value("a.A")._repr_latex_()


def test_a_notebook_shows_decimals_of_what_is_too_long() -> None:
    shown = attnsolve.solve("ist-practical-10").value("c.Z")._repr_latex_()
    assert shown.startswith(r"$\displaystyle \approx \begin{bmatrix} -6.046")
    assert 400 > len(shown)


def test_a_notebook_shows_values_of_a_trace_that_was_solved_elsewhere() -> None:
    """Also when the engine was called directly: the dress is on the class."""
    from attnsolve.engine import solve

    trace = solve(attnsolve.loads(PROBLEM))
    assert trace.value("a.S")._repr_latex_()
