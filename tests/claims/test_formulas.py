"""Formulas handed in for results with letters: marks worked out by hand, and SymPy's form of every result."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from click.testing import CliRunner

from attnsolve.cli import cli
from attnsolve.engine import solve
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.grading.slips import slip
from attnsolve.loader import load
from attnsolve.report import Report, Verdict
from attnsolve.statements.tree import Call, Name, Number, Power, Product, Quotient, Sum, Tree, names
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import verifier_of

BUNDLED = Path(__file__).parents[2] / "problems/symbols/unknown-in-a-key.yaml"
SOLVED = solve(load(BUNDLED))
D = "(e + e^t + e^2)"
WEIGHTS = f"alpha_1 = e/{D}\nalpha_2 = 1/(1 + e^{{1-t}} + e^{{2-t}})\nalpha_3 = 1 - (e + e^t)/{D}\n"
OUTPUT = f"Z_1 = 2(e + e^2)/{D}\nZ_2 = 4 - 4e/{D}\n"
# What is written, and the marks of scores (1), weights (2) and output (1).
EARNED = [
    ("s_1 = 1\ns_2 = t\ns_3 = 2\n", (1, 0, 0)),
    ("s_1 = 1\ns_2 = 2t\ns_3 = 2\n", (Fraction(2, 3), 0, 0)),
    (WEIGHTS, (1, 2, 0)),  # nobody has them without the scores
    (OUTPUT, (1, 2, 1)),
    ("D = e + e^t + e^2\nalpha_1 = e/D, alpha_2 = e^t/D, alpha_3 = e^2/D\n", (1, 2, 0)),
    (f"alpha_1 = {D}\n", (0, 0, 0)),
    (f"alpha_1 = e/{D}\n", (0, Fraction(2, 3), 0)),
    (f"alpha_1 = e/{D}\nalpha_1 = 1/3\n", (0, 0, 0)),  # one of two is not right
    (f"alpha_1 = \\frac{{e}}{{{D}}}\n", (0, Fraction(2, 3), 0)),
    ("alpha_1 = alpha_1\nZ_1 = 2 alpha_1 + 2 alpha_3\n", (0, 0, 0)),  # what it is made from, no result
    (f'{WEIGHTS}mark a.Z 1/1 "nearly"\n', (1, 2, 1)),
]


def verified(text: str) -> Report:
    return verifier_of(SOLVED).verify(read_submission(text, form="claims"))


@pytest.mark.parametrize(("text", "expected"), EARNED)
def test_formulas_earn_what_they_are_worth(text: str, expected: tuple[Fraction, ...]) -> None:
    report = verified(f"part a:\n{text}")
    assert not report.unread
    assert expected == tuple(step.earned for step in report.steps if step.part == "a")


def by_sympy(tree: Tree) -> sympy.Expr:
    """A formula as SymPy has it, for a second opinion."""
    match tree:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Name(name):
            return sympy.Symbol(name)
        case Sum(terms):
            return sympy.Add(*map(by_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(by_sympy, factors))
        case Quotient(above, below):
            return by_sympy(above) / by_sympy(below)
        case Power(base, exponent):
            return by_sympy(base) ** by_sympy(exponent)
        case Call(function, argument):
            return {"exp": sympy.exp, "ln": sympy.log, "sqrt": sympy.sqrt}[function.value](by_sympy(argument))
    raise TypeError(tree)


def typed(expression: sympy.Expr) -> str:
    """What SymPy prints, as somebody types it here."""
    return re.sub(r"\bE\b", "e", str(expression).replace("**", "^"))


def test_every_number_in_the_form_that_sympy_has_for_it_is_right() -> None:
    judge = verifier_of(SOLVED)
    t = sympy.Symbol("t")
    for step in SOLVED.steps:
        for i, j, cell in step.value.cells():
            if Name("oo") in names(tree_of(cell)):
                continue
            other = sympy.together(sympy.expand(by_sympy(tree_of(cell)) * (t**2 + 3)) / (t**2 + 3))
            name = f"{step.call.letter}_{{{i + 1},{j + 1}}}"
            for said, verdict in ((other, Verdict.RIGHT), (other + t / 1000, Verdict.WRONG)):
                line = f"part {step.call.part}:\n{name} = {typed(said)}\n"
                report = judge.verify(read_submission(line, form="claims"))
                assert not report.unread, line
                found = {one.name: one.verdict for one in report.steps}
                assert verdict is found.get(step.call.out, verdict), line


def test_a_slip_tells_the_right_formula_and_hints_do_not() -> None:
    report = verified("part a:\nalpha_3 = e^2/(e + e^t)\n")
    assert "Right would be" in str(slip(SOLVED, report, to="markdown"))
    assert "Right would be" not in str(slip(SOLVED, report, to="markdown", hints=1))


def test_what_cannot_be_read_is_told() -> None:
    report = verified("part a:\nalpha_9 = 1\nalpha_1 = x\npart z:\nalpha_1 = 1\n")
    said = " ".join(map(str, report.unread))
    for expected in ("no number 9", "nothing here is called 'x'", "there is no part z"):
        assert expected in said


def test_a_class_is_marked(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "ada.txt").write_text(f"part a:\n{OUTPUT}")
    (answers / "bob.txt").write_text("part a:\nalpha_1 = 1/3\n")
    marks = tmp_path / "marks.csv"
    done = CliRunner().invoke(cli, ["grade", str(BUNDLED), str(answers), "-o", str(marks)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    rows = marks.read_text().splitlines()
    assert any(row.startswith("ada") and ",4," in row for row in rows), rows
    assert any(row.startswith("bob") and ",0," in row for row in rows), rows
