"""The steps of a part in groups: heads, cases and layers under their own headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count, groupby
from typing import TYPE_CHECKING

from attnsolve.languages import message, translated
from attnsolve.records import NamedTuple
from attnsolve.rendering.answers import packed
from attnsolve.rendering.cases import changes
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pages import Page
from attnsolve.rendering.repetitions import Repetition
from attnsolve.rendering.sentences import begun
from attnsolve.rendering.steps import StepView, step_view
from attnsolve.rendering.text import Segments, formula, say, sentence

if TYPE_CHECKING:
    from attnsolve.trace import Step


# The attentions of a decoder block, each of which is worked out.
SUBLAYERS = {
    "self": message("self-attention"),
    "cross": message("cross-attention"),
    "encoder": message("encoder"),
    "new": message("a step of gradient descent, and what it changes"),
}
NUMBERED = {
    "head": message("head {number}"),
    "case": message("case {number}"),
    "layer": message("layer {number}"),
    "step": message("time step {number}"),
    "tile": message("tile {number}"),
}


class GroupView(NamedTuple):
    """The steps of one head or case, or those that belong to none."""

    title: Segments
    note: Segments
    steps: tuple[StepView, ...]

    @property
    def runs(self) -> tuple[tuple[StepView, ...], ...]:
        """The steps, with brief ones that fit into one line together."""
        made: list[list[StepView]] = []
        was_brief = False
        for step in self.steps:
            is_brief = step.is_brief
            if was_brief and is_brief and len(packed(map(equation_of, [*made[-1], step]))) == 1:
                made[-1].append(step)
            else:
                made.append([step])
            was_brief = is_brief
        return tuple(map(tuple, made))


def equation_of(step: StepView) -> str:
    """The one equation of a brief step."""
    ((left, right),) = step.result
    return f"{left} {right}"


def group_views(page: Page, repeated: Repetition | None) -> Iterator[GroupView]:
    """Heads and cases under their own headings; the first in full, later ones in matrices."""
    part, numbers, viewed = page.part, count(1), viewer(page)
    if repeated is not None:
        words = say("The first steps are those of part ({part}). What is needed of them:", part=repeated.part)
        again = (viewed(page, step, next(numbers), faded=True) for step in repeated.shown)
        yield GroupView((), words, tuple(again))
    new = page.steps[0 if repeated is None else len(repeated.steps) :]
    steps = [step for step in new if not is_selection(step.call)]
    groups = {step.call.out: step.call.group for step in steps}
    heads = list(filter(None, groups.values()))
    full = heads[0] if heads and not part.aliases else ""
    elsewhere = dict(part.aliases)
    for group, members in groupby(steps, key=lambda step: groups[step.call.out]):
        for alias in [a for a in elsewhere if not group or a.partition(".")[2] < group]:
            yield earlier_head(alias, elsewhere.pop(alias), page.notation)
        first = is_first(group, page.notation.problem.index_from)
        faded = page.settings.working == "fade" and not (group in ("", full) or (full and first))
        views = tuple(viewed(page, step, next(numbers), faded=faded) for step in members)
        after_heads = views[-1].name == steps[-1].call.out and (heads or part.aliases)
        title = group_title(group, page.notation) if group else say("Together") if after_heads else ()
        yield GroupView(title, (), views)


def viewer(page: Page) -> Callable[..., StepView]:
    """What makes a step's view; steps with letters in them have no decimals and are shown by another room."""
    if page.trace.problem.assumptions is None:
        return step_view
    from attnsolve.rendering.derivations.letter_steps import has_letters, letter_step_view

    def view(page: Page, step: Step, number: int, *, faded: bool) -> StepView:
        chosen = letter_step_view if has_letters(step) else step_view
        return chosen(page, step, number, faded=faded)

    return view


def is_first(group: str, index_from: int) -> bool:
    """Whether a group is the first head of the first layer, which is worked out as any first head is.

    Of tiles the first two are: the second is the first that has anything to rescale.
    """
    firsts = (f"head{index_from}", "layer1", "case1", "tile1", "tile2", *SUBLAYERS)
    return all(piece in firsts for piece in group.split("."))


def earlier_head(alias: str, target: str, notation: Notation) -> GroupView:
    """A head that another part has worked out already."""
    output = formula(notation.symbol(f"{target}.Z"))
    words = say("This is the head of part ({part}); its output is {Z}.", part=target, Z=output)
    return GroupView(group_title(alias.partition(".")[2], notation), words, ())


def group_title(group: str, notation: Notation) -> Segments:
    """`Head 2`, `Layer 1, head 2`, `Case 1 (τ = ½)`."""
    words: list[Segments] = []
    for piece in group.split("."):
        name = group_name(piece)
        told = changes(notation.part, piece, notation) if piece in notation.part.cases else ()
        words.append(sentence(", " if words else "", name, *((" (", told, ")") if told else ())))
    return begun(sentence(*words))


def group_name(piece: str) -> str:
    """`head2` as readers say it; a name that a file has given stays."""
    numbered = re.fullmatch(rf"({'|'.join(NUMBERED)})(\d+)", piece)
    if numbered:
        return translated(NUMBERED[numbered[1]], number=numbered[2])
    return translated(SUBLAYERS[piece]) if piece in SUBLAYERS else piece
