"""From a trace to plain records of str, int, bool and tuples: all that a template ever sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, count, groupby
from typing import TYPE_CHECKING, NamedTuple

from attnsolve.languages import counted_message, message, translated
from attnsolve.marks import in_figures, in_words
from attnsolve.problem import Part, Problem, Target
from attnsolve.prose.tree import Blocks
from attnsolve.rendering.answers import answer, packed, pitfall, published
from attnsolve.rendering.blocks import equations
from attnsolve.rendering.cases import changes
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, pictures_beside
from attnsolve.rendering.formulas import defaults
from attnsolve.rendering.letters import spelled
from attnsolve.rendering.maps import Map, attention_map
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pages import Page, WorkedOut
from attnsolve.rendering.pictures import illustrated
from attnsolve.rendering.pitfalls import Pitfall
from attnsolve.rendering.prose import as_paragraph
from attnsolve.rendering.sentences import begun
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.steps import StepView, step_view
from attnsolve.rendering.text import Segments, formula, prose, say, say_count, sentence
from attnsolve.trace import Trace

if TYPE_CHECKING:
    from attnsolve.problem_set import Exercise
    from attnsolve.rendering.choices import ChoiceView
    from attnsolve.rendering.costs import Section
    from attnsolve.rendering.worksheets import BlankGroup


# The attentions of a decoder block, each of which is worked out.
SUBLAYERS = {"self": message("self-attention"), "cross": message("cross-attention")}
NUMBERED = {
    "head": message("head {number}"),
    "case": message("case {number}"),
    "layer": message("layer {number}"),
}
# How results are rounded on the way, and that this is not meant of numbers inside a step.
ROUNDING = {
    "half_up": counted_message(
        "The result of every step is rounded to {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is rounded to {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
    "half_even": counted_message(
        "The result of every step is rounded half to even to {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is rounded half to even to {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
    "truncate": counted_message(
        "The result of every step is cut off after {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is cut off after {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
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
        for step in self.steps:
            beside = [*made[-1], step] if made else []
            if beside and all(one.is_brief for one in beside) and len(packed(map(equation_of, beside))) == 1:
                made[-1].append(step)
            else:
                made.append([step])
        return tuple(map(tuple, made))


def equation_of(step: StepView) -> str:
    """The one equation of a brief step."""
    ((left, right),) = step.result
    return f"{left} {right}"


class PartView(NamedTuple):
    """One question and its answer."""

    id: str
    title: Segments
    ask: Blocks
    explain: Blocks
    marks: str  # `3 marks`, or nothing
    givens: tuple[str, ...]
    groups: tuple[GroupView, ...]
    found: Segments  # where an answer stands that need not be printed again
    answers: tuple[str, ...]
    costs: tuple[Section, ...]
    discuss: Blocks
    maps: tuple[Map, ...]
    pitfall: Pitfall | None
    published: tuple[Segments, ...]
    note: Blocks
    lines: int = 0  # to answer in words on
    worksheet: tuple[BlankGroup, ...] = ()  # to fill in
    choice: ChoiceView | None = None


class DocumentView(NamedTuple):
    """A whole sheet."""

    name: str
    title: Segments
    source: Segments
    intro: Blocks
    parts: tuple[PartView, ...]
    marks: str  # of all parts, in figures
    several: bool
    rounding: Segments
    precision: Segments
    detail: str
    number: str = ""  # in a problem set


def document(trace: Trace, settings: Settings) -> DocumentView:
    """A problem and its solution as a reader sees them."""
    problem = trace.problem
    total = sum((Fraction(part.total) for part in problem.parts), Fraction(0))
    shown: set[str] = set()
    worked = WorkedOut()
    notations = [notation_for(problem, part, settings) for part in problem.parts]
    pages = [Page(trace, notation.part, notation, settings, worked) for notation in notations]
    return DocumentView(
        name=problem.name,
        title=prose(problem.title),
        source=prose(problem.source),
        intro=(*illustrated(problem.intro, problem, settings.to), *map(as_paragraph, named_tokens(problem))),
        parts=tuple(part_view(page, shown) for page in pages),
        marks=in_figures(total) if total else "",
        several=len(problem.parts) > 1,
        rounding=rounding_note(problem),
        precision=precision_note(problem, settings) if settings.sheet == "exercise" else (),
        detail=settings.detail,
    )


def named_tokens(problem: Problem) -> tuple[Segments, ...]:
    """What the tokens are called, in their order: a question may speak of one by its name."""
    said = []
    for given, names in problem.labels.items():
        symbol = problem.symbols.get(given) or spelled(given).whole
        tokens = prose(", ".join(names))
        if given:
            told = say(
                "The tokens of {given} are, in this order: {tokens}.", given=formula(symbol), tokens=tokens
            )
        else:
            told = say("The tokens are, in this order: {tokens}.", tokens=tokens)
        said.append(told)
    return tuple(said)


def notation_for(problem: Problem, part: Part, settings: Settings) -> Notation:
    """How this part is written, after what the reader chose and what the file says."""
    style = settings.numbers or problem.numbers
    return Notation(problem, part, style=style, places=places_of(problem, settings))


def places_of(problem: Problem, settings: Settings) -> int:
    """The decimal places of this sheet: what the reader chose, else what the file says."""
    return problem.places if settings.places is None else settings.places


def rounding_note(problem: Problem) -> Segments:
    """How the sheet wants intermediate values rounded."""
    if problem.rounding is None:
        return ()
    return say_count(*ROUNDING[problem.rounding.mode], problem.rounding.carry)


def precision_note(problem: Problem, settings: Settings) -> Segments:
    """How many decimal places are asked for; nothing where no number is."""
    if not any(part.calls and part.choice is None for part in problem.parts):
        return ()
    if problem.rounding is None:
        return say_count(
            "Give every number exactly, or rounded to {count} decimal place.",
            "Give every number exactly, or rounded to {count} decimal places.",
            places_of(problem, settings),
        )
    return say_count(
        "Give every number to {count} decimal place.",
        "Give every number to {count} decimal places.",
        problem.rounding.carry,
    )


def part_view(page: Page, shown: set[str]) -> PartView:
    """One question; with the solution sheet, its answer too."""
    trace, part, notation, settings = page.trace, page.part, page.notation, page.settings
    solution, problem = settings.sheet == "solution", trace.problem
    groups = tuple(group_views(page)) if solution and settings.detail != "result" else ()
    above = answer_above(page, groups)
    asked = [target for target in part.find if target != above] if solution else []
    return PartView(
        id=part.id,
        title=prose(part.title),
        ask=illustrated(part.ask, problem, settings.to),
        explain=illustrated(part.explain, problem, settings.to),
        marks=in_words(Fraction(part.total)).replace(" ", "\u00a0") if part.total else "",
        givens=given_rows(page, shown),
        groups=groups,
        found=found_above(page, groups, above, others=bool(asked)) if above is not None else (),
        answers=packed(chain(*(answer(trace, target, notation) for target in asked))),
        costs=cost_sections(trace, part, settings) if solution and part.costs else (),
        discuss=illustrated(part.discuss, problem, settings.to) if solution else (),
        maps=maps(page) if solution else (),
        pitfall=pitfall(trace, part, notation, page.worked.told)
        if page.telling and not part.choice
        else None,
        published=published(trace, part, notation) if solution else (),
        note=illustrated(part.note, problem, settings.to) if solution else (),
        lines=part.lines or 0,
        worksheet=blanks(page) if settings.sheet == "exercise" else (),
        choice=options_to_tick(page),
    )


def blanks(page: Page) -> tuple[BlankGroup, ...]:
    """What a part asks to be filled in; few do."""
    if page.part.space is None or page.part.space.worksheet is None:
        return ()
    from attnsolve.rendering.worksheets import worksheet

    return worksheet(page)


def numbered(doc: DocumentView, exercise: Exercise | None) -> DocumentView:
    """A problem as an exercise of a set, where its values have other names."""
    if exercise is None:
        return doc
    if any(part.worksheet for part in doc.parts):
        from attnsolve.rendering.worksheets import in_set

        parts = (part._replace(worksheet=in_set(part.worksheet, exercise)) for part in doc.parts)
        doc = doc._replace(parts=tuple(parts))
    return doc._replace(number=str(exercise.number))


def options_to_tick(page: Page) -> ChoiceView | None:
    """The options of a question of choice; the room that makes them is entered only for that."""
    if page.part.choice is None:
        return None
    from attnsolve.rendering.choices import choice_view

    solved = page.settings.sheet == "solution"
    return choice_view(page.trace, page.part, to=page.settings.to, solved=solved)


def answer_above(page: Page, groups: tuple[GroupView, ...]) -> Target | None:
    """What is asked for and stands complete just above the answer: the result of the last step."""
    last = groups[-1].steps[-1] if groups and groups[-1].steps else None
    if last is None or last.elided:
        return None
    return next((target for target in page.part.find if target == Target(last.name)), None)


def found_above(page: Page, groups: tuple[GroupView, ...], target: Target, *, others: bool) -> Segments:
    """`Z is the result of step 7`, which need not be printed again."""
    number, symbol = groups[-1].steps[-1].number, formula(page.notation.symbol(target.name))
    if others:
        return say(
            "{symbol} is the result of step {number}; what else is asked for:", symbol=symbol, number=number
        )
    return say("{symbol} is the result of step {number}.", symbol=symbol, number=number)


def maps(page: Page) -> tuple[Map, ...]:
    """The attention maps that a part asks for; some formats have pictures beside them."""
    to = page.settings.to
    picture = DIALECTS_BY_NAME[to].embeds or (page.settings.maps and pictures_beside(to))
    steps = [page.trace.step(name) for name in page.part.plots]
    return tuple(attention_map(step, page.notation, picture=picture) for step in steps)


def cost_sections(trace: Trace, part: Part, settings: Settings) -> tuple[Section, ...]:
    """What a part costs; the room that counts is entered only for that."""
    from attnsolve.rendering.costs import sections

    return sections(trace, part, settings)


def given_rows(page: Page, shown: set[str]) -> tuple[str, ...]:
    """The givens that this part is the first to need; an exercise tells our own constants, such as ε, too."""
    part, notation = page.part, page.notation
    new = [name for name in part.givens if name in notation.problem.givens and name not in shown]
    shown.update(new)
    constants = defaults(part.calls, notation) if page.settings.sheet == "exercise" else ()
    return packed(chain(*(given_equations(name, notation) for name in new), constants))


def given_equations(name: str, notation: Notation) -> tuple[str, ...]:
    """A given with all its numbers in brackets, or bare when it is a single one."""
    rows, symbol = notation.given_rows(name), notation.symbol(name)
    if len(rows) == len(rows[0]) == 1:
        return (f"{symbol} = {rows[0][0]}",)
    return equations(symbol, "=", notation.laid(name, rows), first=notation.problem.index_from)


def group_views(page: Page) -> Iterator[GroupView]:
    """Heads and cases under their own headings; the first in full, later ones in matrices."""
    part = page.part
    steps = [step for step in page.trace.of_part(part.id) if not is_selection(step.call)]
    heads = [step.call.group for step in steps if step.call.group]
    full = heads[0] if heads and not part.aliases else ""
    elsewhere = dict(part.aliases)
    numbers = count(1)
    for group, members in groupby(steps, key=lambda step: step.call.group):
        for alias in [a for a in elsewhere if not group or a.partition(".")[2] < group]:
            yield earlier_head(alias, elsewhere.pop(alias), page.notation)
        first = is_first(group, page.notation.problem.index_from)
        faded = page.settings.working == "fade" and not (group in ("", full) or (full and first))
        views = tuple(step_view(page, step, next(numbers), faded=faded) for step in members)
        after_heads = views[-1].name == steps[-1].call.out and (heads or part.aliases)
        title = group_title(group, page.notation) if group else say("Together") if after_heads else ()
        yield GroupView(title, (), views)


def is_first(group: str, index_from: int) -> bool:
    """Whether a group is the first head of the first layer, which is worked out as any first head is."""
    firsts = (f"head{index_from}", "layer1", "case1", *SUBLAYERS)
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
    numbered = re.fullmatch(r"(head|case|layer)(\d+)", piece)
    if numbered:
        return translated(NUMBERED[numbered[1]], number=numbered[2])
    return translated(SUBLAYERS[piece]) if piece in SUBLAYERS else piece
