"""The beginning of a part that an earlier part has carried out already: nobody needs to read it twice."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.records import NamedTuple
from attnsolve.rendering.names import is_selection
from attnsolve.rendering.pages import Page
from attnsolve.scheme import worth
from attnsolve.trace import Step

# So many steps are shown again, with their numbers: the queries, keys, values and scores of another mask.
FEW = 8


class Repetition(NamedTuple):
    """The part that has the same beginning, its steps, and those of them that are shown all the same."""

    part: str
    steps: tuple[Step, ...]
    shown: tuple[Step, ...]


def repetition(page: Page) -> Repetition | None:
    """The steps that a part begins with as an earlier part did, where they are many."""
    if page.settings.working != "fade" or page.part.aliases or len(page.trace.problem.parts) == 1:
        return None
    steps = page.steps
    # Steps that have no place in print are looked at too: later ones are the same if these are.
    parts = [page.worked.earlier(step, page.notation) for step in steps]
    common, length = beginning(parts)
    again, new = steps[:length], steps[length:]
    shown = needed(page, again, new)
    left_out = sum(not is_selection(step.call) for step in again) - len(shown)
    return Repetition(common[-1], again, shown) if left_out > FEW else None


def beginning(parts: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], int]:
    """The parts that have all of the first steps, and how many steps these are; each has its own parts."""
    common = parts[0] if parts else ()
    for place, own in enumerate(parts):
        shared = tuple(part for part in common if part in own)
        if not shared:
            return common, place
        common = shared
    return common, len(parts)


def needed(page: Page, repeated: Sequence[Step], others: Sequence[Step]) -> tuple[Step, ...]:
    """The repeated steps whose results the others take, that are asked for, or that have marks here."""
    names = {target.name for target in page.part.find} | {name for step in others for name in step.call.args}
    found = []
    for step in reversed(repeated):
        if is_selection(step.call):
            names |= set(step.call.args) if step.call.out in names else set()
        elif step.call.out in names or has_marks(page, step):
            found.append(step)
    return tuple(reversed(found))


def has_marks(page: Page, step: Step) -> bool:
    """Whether somebody gets marks for a step in this part."""
    marks = page.part.marks
    return bool(marks) and "" not in marks and bool(worth(page.trace.problem, page.part, step.call).total)
