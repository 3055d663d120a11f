"""What is measured of ours: the trace, the page, and the output as floats for comparison."""

from __future__ import annotations

from attnsolve.engine import solve as carry_out
from attnsolve.papers import Cover, Paper
from attnsolve.rendering import render
from attnsolve.rendering.exams import render_exams, render_key, render_solutions
from attnsolve.trace import Trace
from benchmarks.variants import Variant

OUTPUT = "a.Z"
EXACT_BITS = 256


def solve(variant: Variant) -> Trace:
    """Every step, exact; the working is not built."""
    return carry_out(variant.problem)


def matrices_page(variant: Variant) -> str:
    """Solve, certify the decimals and write the LaTeX page with every matrix."""
    return page_of(solve(variant))


def page_of(trace: Trace) -> str:
    """The LaTeX page with every matrix, its decimals certified."""
    return render(trace, to="latex", detail="matrices").text


def exam_of(trace: Trace) -> tuple[str, str, str]:
    """A complete exam of one variant: the paper, its solution, and the key."""
    papers, cover = [Paper("K7Q2", trace)], Cover()
    made = render_exams(papers, cover), render_solutions(papers, cover), render_key(papers, cover)
    return made[0].text, made[1].text, made[2].text


def full_page(variant: Variant) -> str:
    """The same with the default detail: products written out."""
    return render(solve(variant), to="latex").text


def output(variant: Variant) -> list[list[float]]:
    """The output of the layer, as the nearest floats."""
    rows = solve(variant).value(OUTPUT).balls(EXACT_BITS)
    return [[float(ball) for ball in row] for row in rows]
