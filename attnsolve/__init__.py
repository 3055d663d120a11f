"""attnsolve: worked solutions, step by step and exact, for exercises about the attention mechanism.

>>> import attnsolve
>>> trace = attnsolve.solve(attnsolve.load("ist-practical-10"))
>>> [cell.text for cell in trace.value("a.Z").decimals(4)[0]]
['-1.6634', '0.8961', '0.0346']
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # the overview of the command line goes without typing
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from attnsolve.limits import Limits
    from attnsolve.problem import Problem
    from attnsolve.problem_set import Asked, Solved
    from attnsolve.report import Report

__version__ = "0.1.0"
__all__ = [
    *("__version__", "draw", "feedback", "from_torch", "load", "loads", "loads_trace"),
    *("pdf", "render", "solve", "verify"),
]


def load(path: str | Path, *, limits: Limits | None = None) -> Asked:
    """The problem in a file, or a bundled problem by its name; of a sheet file, the problem set."""
    from attnsolve.batch import find
    from attnsolve.limits import LIMITS
    from attnsolve.loader.asked import load_asked

    return load_asked(find(str(path)), limits=limits or LIMITS)


def loads(text: str, **choices: Any) -> Problem:
    """The problem in a text."""
    from attnsolve.loader import loads as load_text

    return load_text(text, **choices)


def loads_trace(text: str, *, limits: Limits | None = None) -> Solved:
    """The trace in what `render(…, to="json")` wrote, proven: its problem is solved again and compared."""
    from attnsolve.limits import LIMITS
    from attnsolve.rendering.trace_reading import loads_trace as read

    _dress_for_notebooks()
    return read(text, limits=limits or LIMITS)


def from_torch(module: Any, x: Any, *, places: int | None = None, limits: Limits | None = None) -> Problem:
    """The exercise that a trained nn.MultiheadAttention and its input pose, exact or rounded to `places`."""
    from attnsolve.companion.explanation import from_module
    from attnsolve.limits import LIMITS

    return from_module(module, x, places=places, limits=limits or LIMITS)


def draw(
    problem: str | Path, identity: str | int = 1, *, seed: int = 1, generation: int | None = None
) -> Asked:
    """A variant of a problem file or a bundled problem; the same identity always gets the same numbers.

    `generation` is that of files that name none: the newest, or that of an exam which was drawn before.
    """
    from attnsolve.batch import find
    from attnsolve.exams.drawing import Pattern, drawer_of
    from attnsolve.exams.originals import read_original
    from attnsolve.limits import LIMITS
    from attnsolve.variants import key_of_seed
    from attnsolve.variation import GENERATION

    path = find(str(problem))
    original = read_original(path)
    chosen = generation or GENERATION
    pattern = Pattern(original.text, original.name, path.parent, key_of_seed(seed), LIMITS, chosen)
    return drawer_of(pattern).draw(str(identity)).trace.problem


def solve(problem: Asked | str | Path) -> Solved:
    """The steps of a problem, carried out exactly; a file or a bundled name may be given instead."""
    from attnsolve.engine import solve_asked as carry_out

    _dress_for_notebooks()
    return carry_out(load(problem) if isinstance(problem, (str, os.PathLike)) else problem)


def render(source: Solved | Asked | str | Path, **choices: Any) -> str:
    """A worked solution as text; `choices` are those of the command line: to, sheet, detail, places, …"""
    from attnsolve.batch import rendered
    from attnsolve.problem_set import SolvedSet
    from attnsolve.rendering import Settings
    from attnsolve.trace import Trace

    if choices.get("to") == "pdf":
        raise ValueError("render gives text; attnsolve.pdf gives the bytes of a PDF")
    solved = source if isinstance(source, Trace | SolvedSet) else solve(source)
    return rendered(solved, choices.pop("settings", None) or Settings(**choices)).text


def pdf(source: Solved | Asked | str | Path, *, engine: str = "typst", **choices: Any) -> bytes:
    """The same as a PDF, which `engine` makes: typst, or latex, pdflatex, lualatex where TeX is installed."""
    from attnsolve.pdf_engines import Engine
    from attnsolve.problem_set import SolvedSet
    from attnsolve.rendering import render as make
    from attnsolve.trace import Trace

    solved = source if isinstance(source, Trace | SolvedSet) else solve(source)
    return make(solved, to="pdf", engine=Engine(engine), **choices).pdf


def verify(source: Solved | Asked | str | Path, answers: str | Path) -> Report:
    """The report on a hand calculation: answers as a file, or as the text that somebody typed."""
    from attnsolve.problem_set import SolvedSet
    from attnsolve.trace import Trace
    from attnsolve.verifier.reading import read_submission
    from attnsolve.verifier.set_verification import verifier_of

    solved = source if isinstance(source, Trace | SolvedSet) else solve(source)
    return verifier_of(solved).verify(read_submission(answers))


def feedback(
    source: Solved | Asked | str | Path,
    answers: str | Path,
    *,
    to: str = "markdown",
    hints: int | None = None,
) -> str:
    """What a slip says about a hand calculation, without its title: all of it, or no more than a hint."""
    from attnsolve.problem_set import SolvedSet
    from attnsolve.rendering.feedback import feedback as slip
    from attnsolve.rendering.styling import styled
    from attnsolve.trace import Trace

    solved = source if isinstance(source, Trace | SolvedSet) else solve(source)
    with styled(fragment=True):
        return slip(solved, verify(solved, answers), to=to, hints=hints, flavour="jupyter").text.strip()


def _dress_for_notebooks() -> None:
    """Let traces and matrices show themselves as maths; their own classes know nothing of rendering."""
    from attnsolve.exact import Matrix
    from attnsolve.rendering.notebook import matrix_latex
    from attnsolve.trace import Trace

    if not hasattr(Trace, "_repr_markdown_"):
        Trace._repr_markdown_ = lambda trace: render(trace, flavour="jupyter")  # type: ignore[attr-defined]
        Matrix._repr_latex_ = matrix_latex  # type: ignore[attr-defined]
