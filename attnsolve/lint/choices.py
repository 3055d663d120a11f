"""Has a question of choice enough to choose from?"""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.choice_options import options_of
from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError, Fault
from attnsolve.lint.notices import Notice
from attnsolve.problem import Part
from attnsolve.trace import Trace


def without_choice(root: Node, trace: Trace) -> Iterator[Notice]:
    """The questions whose options cannot be made."""
    for part, node in computed(root, trace):
        try:
            options_of(trace, part)
        except AttnsolveError as error:
            yield notice(trace, part, node, str(error), "E401", error.exit_code)


def few_options(root: Node, trace: Trace) -> Iterator[Notice]:
    """The questions that have fewer options than the file asks for."""
    for part, node in computed(root, trace):
        made, wanted = len(options_of(trace, part)), part.choice.options if part.choice else None
        if wanted is not None and made < wanted:
            said = (
                f"{wanted} options are asked for and {made} are there: no other known mistake gives a value"
            )
            more = f" that can be told apart; write options: {made}, or change the numbers"
            yield notice(trace, part, node, f"{said}{more}", "W103", 0)


def computed(root: Node, trace: Trace) -> Iterator[tuple[Part, Node]]:
    """Every part whose options are computed, and where its file says so."""
    parts = root.get("parts")
    for part, node in zip(trace.problem.parts, parts.items if parts is not None else (), strict=False):
        choice = node.get("choice")
        if part.choice is not None and part.choice.is_computed and choice is not None:
            yield part, choice


def notice(trace: Trace, part: Part, node: Node, said: str, code: str, exit_code: int) -> Notice:
    """What is said of a question, where its file asks it."""
    path = f"parts.{part.id}.choice"
    return Notice(Fault(trace.problem.file, node.line, node.column, path, said), code, exit_code)
