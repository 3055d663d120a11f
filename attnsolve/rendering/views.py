"""From a trace to plain records of str, int, bool and tuples: all that a template ever sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from attnsolve.problem import Part, Problem
from attnsolve.rendering.answers import answer, packed, pitfall, published
from attnsolve.rendering.maps import Map, attention_map
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pitfalls import Pitfall
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.steps import Numbering, StepView, step_view
from attnsolve.rendering.text import Segments, formula, paragraphs, prose, sentence
from attnsolve.trace import Step, Trace

@dataclass(frozen=True, slots=True)
class GroupView:
    """The steps of one head or case, or those that belong to none."""

    title: str
    note: Segments
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class PartView:
    """One question and its answer."""

    id: str
    title: Segments
    ask: tuple[Segments, ...]
    marks: int
    givens: tuple[str, ...]
    groups: tuple[GroupView, ...]
    answers: tuple[str, ...]
    discuss: tuple[Segments, ...]
    maps: tuple[Map, ...]
    pitfall: Pitfall | None
    published: tuple[Segments, ...]
    note: Segments


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A whole sheet."""

    name: str
    title: Segments
    source: Segments
    intro: tuple[Segments, ...]
    parts: tuple[PartView, ...]
    marks: int
    several: bool
    rounding: Segments
    detail: str


def document(trace: Trace, settings: Settings) -> DocumentView:
    """A problem and its solution as a reader sees them."""
    problem = trace.problem
    shown: set[str] = set()
    numbers = Numbering()
    parts = []
    for part in problem.parts:
        notation = notation_for(problem, part, settings)
        parts.append(part_view(trace, part, notation, settings, shown, numbers))
    return DocumentView(
        name=problem.name,
        title=prose(problem.title),
        source=prose(problem.source),
        intro=paragraphs(problem.intro),
        parts=tuple(parts),
        marks=sum(part.total for part in problem.parts),
        several=len(problem.parts) > 1,
        rounding=rounding_note(problem),
        detail=settings.detail,
    )


def notation_for(problem: Problem, part: Part, settings: Settings) -> Notation:
    """How this part is written, after what the reader chose and what the file says."""
    style = settings.numbers or problem.numbers
    places = problem.places if settings.places is None else settings.places
    return Notation(problem, part, style=style, places=places)


def rounding_note(problem: Problem) -> Segments:
    """How the sheet wants intermediate values rounded."""
    if problem.rounding is None:
        return ()
    word = {"half_up": "rounded", "half_even": "rounded half to even", "truncate": "cut off"}[problem.rounding.mode]
    return sentence(f"Every intermediate value is {word} to {problem.rounding.carry} places before it is used again.")


def part_view(trace: Trace, part: Part, notation: Notation, settings: Settings, shown: set[str], numbers: Numbering) -> PartView:
    solution = settings.sheet == "solution"
    steps = [step for step in trace.of_part(part.id) if not is_selection(step.call)]
    detailed = solution and settings.detail != "result"
    return PartView(
        id=part.id,
        title=prose(part.title),
        ask=paragraphs(part.ask),
        marks=part.total,
        givens=given_rows(part, notation, shown),
        groups=tuple(group_views(trace, part, steps, notation, settings, numbers)) if detailed else (),
        answers=packed(answer(trace, target, notation) for target in part.find) if solution else (),
        discuss=paragraphs(part.discuss) if solution else (),
        maps=tuple(attention_map(trace.step(name), notation) for name in part.plots) if solution else (),
        pitfall=pitfall(trace, part, notation) if detailed else None,
        published=published(trace, part, notation) if solution else (),
        note=prose(part.note) if solution else (),
    )


def given_rows(part: Part, notation: Notation, shown: set[str]) -> tuple[str, ...]:
    """The givens that this part is the first to need."""
    new = [name for name in part.givens if name in notation.problem.givens and name not in shown]
    shown.update(new)
    return packed(f"{notation.symbol(name)} = {notation.matrix(name, notation.given_rows(name))}" for name in new)


def group_views(
    trace: Trace, part: Part, steps: list[Step], notation: Notation, settings: Settings, numbers: Numbering
) -> Iterable[GroupView]:
    """Heads and cases under their own headings; the first in full, later ones in matrices."""
    for alias, target in part.aliases.items():
        yield GroupView(group_title(alias), sentence(f"This is the head of part ({target}); its output is ", formula(notation.symbol(f"{target}.Z")), "."), ())
    first_heads = {step.call.group for step in steps if step.call.group}
    full = min(first_heads, default="") if not part.aliases else ""
    number = 0
    pending: list[StepView] = []
    current = steps[0].call.group if steps else ""
    for step in steps:
        if step.call.group != current:
            yield GroupView(group_title(f"{part.id}.{current}") if current else "", (), tuple(pending))
            pending, current = [], step.call.group
        number += 1
        faded = settings.working == "fade" and bool(current) and current != full
        pending.append(step_view(trace, step, number, part, notation, settings, numbers, faded=faded))
    if pending:
        together = bool(part.aliases or first_heads) and not current
        title = "Together" if together else group_title(f"{part.id}.{current}") if current else ""
        yield GroupView(title, (), tuple(pending))


def group_title(name: str) -> str:
    """`Head 2` for `c.head2`, `Case 1, head 2` for `c.case1.head2`."""
    words = [piece.replace("head", "head ").replace("case", "case ") for piece in name.split(".")[1:]]
    return ", ".join(words).capitalize()
