"""A reader who believes nothing: every = and ≈ of a page worked out again, symbols and all, with mpmath."""

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rendering.calculator import CONTEXT, DIGITS, Equation, Grid, assert_true, decimals, equations, is_numeric
from rendering.recomputed import moments, turned, values_of

from attnsolve.rendering import Settings, render
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.views import document
from attnsolve.trace import Step, Trace

DISPLAYED = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.M | re.S)
INLINE = re.compile(r"(?<!\$)\$([^$\n]+)\$")
# A number whose first fifty digits are those of the decimal that is printed for it is that decimal.
SAME = CONTEXT.mpf(10) ** -50


def audit(trace: Trace, settings: Settings, *, sees_exact: bool = True) -> int:
    """Refuse a page with a false equation; how many stages were worked out.

    Where 60 digits do not tell 23 from 23 - 10⁻⁸⁸, nobody sees what is exact.
    """
    known = values_of(trace)
    checked = 0
    for part, view in zip(trace.problem.parts, document(trace, settings).parts, strict=True):
        notation = notation_for(trace.problem, part, settings)
        for shown in (step for group in view.groups for step in group.steps):
            step = trace.step(shown.name)
            laid = turned(known[shown.name]) if notation.transposed(shown.name) else known[shown.name]
            (result,) = equations(aligned(shown.result))
            lines = [read_line(line, step, known, notation) for line in lines_of(shown)]
            for equation, value in [(result, laid), *lines]:
                checked += audit_stages(equation, value)
                if sees_exact:
                    assert_not_exact(equation, value)
    text = render(trace, settings=settings).text
    for formula in DISPLAYED.findall(text) + INLINE.findall(text):
        checked += sum(map(assert_true, equations(formula)))
    return checked


def lines_of(shown: Any) -> Iterator[Equation]:
    """The lines of working of a step."""
    for block in shown.working:
        yield from equations(aligned(block))


def aligned(rows: tuple[tuple[str, str], ...]) -> str:
    """Rows of an aligned block as the template puts them."""
    return r"\begin{aligned}" + r" \\ ".join(f"{left} &{right}" for left, right in rows) + r"\end{aligned}"


def audit_stages(equation: Equation, value: Grid) -> int:
    """Every stage that can be worked out is worth what it should be."""
    numeric = tuple(stage for stage in equation.stages if is_numeric(stage[1]))
    return assert_true(Equation(equation.left, numeric), known=value)


def read_line(
    line: Equation, step: Step, known: Mapping[str, Grid], notation: Notation
) -> tuple[Equation, Grid]:
    """A line of working with numbers put in for what it names, and the number it is about."""
    rows, columns = map(range, step.value.shape)
    ((i, j),) = [(i, j) for i in rows for j in columns if notation.entry(step.call.out, i, j) == line.left]
    names = named_numbers(step, i, known, notation)
    stages = tuple((relation, put_in(text, names)) for relation, text in line.stages)
    return Equation(line.left, stages), ((known[step.call.out][i][j],),)


def named_numbers(step: Step, row: int, known: Mapping[str, Grid], notation: Notation) -> dict[str, str]:
    """What each symbol of a line stands for, as typed into a calculator."""
    names = {}
    for name in step.call.args:
        for i, numbers in enumerate(known[name]):
            names |= {notation.entry(name, i, j): typed(x) for j, x in enumerate(numbers)}
    if step.call.op.name == "layer_norm":
        mean, variance = moments(known[step.call.args[0]][row])
        names |= {r"\mu": typed(mean), r"\sigma^2": typed(variance)}
    return names


def typed(number: Any) -> str:
    """A number in brackets, with all its digits and no power of ten."""
    if number == CONTEXT.ninf:
        return r"(-\infty)"
    return f"({CONTEXT.nstr(number, DIGITS, min_fixed=-CONTEXT.inf, max_fixed=CONTEXT.inf)})"


def put_in(text: str, names: Mapping[str, str]) -> str:
    """Numbers for symbols, longer ones first, so that x_{1} is not found in x_{1,2}."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return text


def assert_not_exact(equation: Equation, value: Grid) -> None:
    """≈ stands only before what is rounded: for 2 it says = 2."""
    relation, text = equation.stages[-1]
    if relation == "=" or not is_numeric(text):
        return
    shown = [number for row in decimals(text) for number, _ in row]
    pairs = zip([number for row in value for number in row], shown, strict=True)
    exact = all(number == near or abs(number - near) < SAME * abs(near) for number, near in pairs)
    assert not exact, f"{equation.left} ≈ {text} is exact"


# -- problems to be read ------------------------------------------------------------------------------

NUMBERS = ("0", "1", "-1", "2", "-2", "3", "1/2", "-1/2", "3/4", "0.25", "-1.5", "1/3")
ODD_NUMBERS = ("sqrt(2)", "ln(3)", "tanh(1)", "sin(1)", "exp(1/2)", "0.12345678", "1/7")
SCORES = ("dot", "cosine", "{additive: {W: W, U: U, v: v}}", "{bilinear: {W: W}}", "{concat: {W: C, v: v}}")
WEIGHTS = ("softmax", "sparsemax", "entmax15", "{entmax: {alpha: 1.75}}", "softmax2", "relu", "argmax", "sum")
SCALES = ("none", "sqrt(d_k)", "3", "sqrt(2)")
MASKS = ("", ", mask: {causal: true}", ", mask: {drop_keys: [2]}")


def drawn_problem(seed: int) -> str:
    """A small problem of any kind, the same for the same seed; not every one has a value."""
    draw = random.Random(seed)
    odd = draw.random() < 0.4

    def matrix(rows: int, columns: int) -> str:
        pool = (*NUMBERS, *ODD_NUMBERS) if odd else NUMBERS
        return "; ".join(" ".join(draw.choice(pool) for _ in range(columns)) for _ in range(rows))

    tokens, width = draw.randint(2, 3), 2
    given = {"X": matrix(tokens, width), "W": matrix(width, width), "U": matrix(width, width)}
    given |= {"C": matrix(2 * width, width), "v": matrix(1, width), "W_V": matrix(width, width)}
    mask, scale, weights = draw.choice(MASKS), draw.choice(SCALES), draw.choice(WEIGHTS)
    score, activation = draw.choice(SCORES), draw.choice(("relu", "gelu"))
    part = draw.choice(
        (
            f"self_attention: {{input: X, score: {score}, divide_by: {scale}, weights: {weights}{mask}}}",
            f"self_attention: {{input: X, W_Q: W, W_K: U, W_V: W_V, divide_by: {scale}{mask}}}",
            f"encoder_block: {{input: X, W_1: W, W_2: U, activation: {activation}{mask}}}",
            "plan: [{P: sinusoid(X)}, {E: 'add(X, P)'}, {N: layer_norm(E)}, {S: 'dot(N, N)'}]",
            "plan: [{S: 'dot(X, X)'}, {A: softmax(S)}, {Z: 'mix(A, X)'}, {T: tanh(Z)}, {G: gelu(T)}]",
        )
    )
    lines = [f"  {name}: {rows}" for name, rows in given.items()]
    front = [
        f"places: {draw.choice((2, 3, 4, 6))}",
        f"numbers: {draw.choice(('decimals', 'fractions', 'source'))}",
        f"convention: {'rows' if 'W' in part else draw.choice(('rows', 'columns'))}",
    ]
    head = ["format: 1", f"title: Drawn {seed}", *front, "given:", *lines]
    return "\n".join([*head, "parts:", "  - ask: x", f"    {part}"])
