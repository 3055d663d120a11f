"""Cells to fill in; where the answers may be inside, they check themselves by attnsolve.verify."""

from __future__ import annotations

from base64 import b64encode
from zlib import compress

from attnsolve.languages import translated
from attnsolve.notebooks.cells import Cell
from attnsolve.problem import Part
from attnsolve.problem_set import Exercise, Solved, name_in
from attnsolve.rendering import Settings, render
from attnsolve.rendering.trace_json import target_text
from attnsolve.trace import Trace

CHECKER = '''\
import base64
import zlib

import attnsolve
from IPython.display import Markdown

# The exercise, packed so that nobody reads its answers by accident.
EXERCISE = "PACKED"
SOLVED = attnsolve.loads_trace(zlib.decompress(base64.b64decode(EXERCISE)).decode())


def check(answers, hints=2):
    """Judge what was typed, step by step; hints=3 names the slip, hints=4 the value."""
    return Markdown(attnsolve.feedback(SOLVED, answers, hints=hints) or NOTHING)'''


def checker(solved: Solved) -> list[Cell]:
    """How the cells are filled in, and the function that they call."""
    trace = render(solved, settings=Settings(to="json", detail="result")).text
    code = CHECKER.replace("PACKED", b64encode(compress(trace.encode(), 9)).decode())
    nothing = translated("Nothing has been typed yet.")
    how = translated(
        "Type your numbers behind the names and run the cell: `a.Z 1 0.5; 2 1/3` has a semicolon between "
        "rows. Other steps can be typed too; what is left out does not count."
    )
    return [
        Cell("how", "markdown", how),
        Cell("check", "code", code.replace("NOTHING", repr(nothing)), is_folded=True),
    ]


def how_to_answer() -> list[Cell]:
    """How cells are filled in that check nothing."""
    how = translated(
        "Type your numbers behind the names: `a.Z 1 0.5; 2 1/3` has a semicolon between rows. Other steps "
        "can be typed too."
    )
    return [Cell("how", "markdown", how)]


def blanks(trace: Trace, part: Part, exercise: Exercise | None, *, checks: bool = True) -> list[Cell]:
    """What is filled in for a part: numbers, a letter, and words."""
    label = part.id if exercise is None else exercise.label(part.id)
    names = [name_in(exercise, target_text(target, trace.problem)) for target in part.find]
    typed = [label] if part.choice is not None else names
    made = []
    if typed:
        lines = "".join(f"{name} \n" for name in typed)
        code = f'check("""\n{lines}""")' if checks else f'answers = """\n{lines}"""'
        made.append(Cell(f"answer-{label}", "code", code))
    if part.discuss or part.explain or not (typed or part.calls):
        here = translated("Write your answer here.")
        made.append(Cell(f"words-{label}", "markdown", f"*{here}*"))
    return made
