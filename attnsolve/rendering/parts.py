"""One question as a reader sees it; with the solution, its answer too."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from attnsolve.marks import in_words
from attnsolve.problem import Part, Target
from attnsolve.prose.tree import Blocks
from attnsolve.records import NamedTuple
from attnsolve.rendering.answers import answer, packed, pitfall, published
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, pictures_beside
from attnsolve.rendering.forms import kept_of_part
from attnsolve.rendering.givens import given_rows
from attnsolve.rendering.groups import GroupView, group_views
from attnsolve.rendering.maps import Map, attention_map
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.pictures import illustrated
from attnsolve.rendering.pitfalls import Pitfall
from attnsolve.rendering.repetitions import repetition
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, listed, prose, say, sentence
from attnsolve.trace import Trace

if TYPE_CHECKING:
    from attnsolve.problem_set import Exercise
    from attnsolve.rendering.choices import ChoiceView
    from attnsolve.rendering.costs import Section
    from attnsolve.rendering.derivations.sections import DerivationView
    from attnsolve.rendering.worksheets import BlankGroup


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
    typed: tuple[tuple[str, str], ...] = ()  # the symbols of its values, each with what is typed for it
    derivation: DerivationView | None = None  # what follows for an attention with symbols
    claims: tuple[Segments, ...] = ()  # what is to be judged there, on a sheet without solutions

    @property
    def figures(self) -> tuple[Map, ...]:
        """Every map of it: of weights, and of draws."""
        return self.maps if self.derivation is None else (*self.maps, *self.derivation.maps)

    @property
    def called(self) -> Segments:
        """What the values of an exercise are called when they are typed."""
        names = [sentence(formula(symbol), ": ", name) for symbol, name in self.typed]
        return say("When they are typed, values are called {names}.", names=listed(names)) if names else ()


def part_view(page: Page, shown: set[str]) -> PartView:
    """One question; with the solution sheet, its answer too."""
    trace, part, notation, settings = page.trace, page.part, page.notation, page.settings
    solution, problem = settings.sheet == "solution", trace.problem
    repeated = repetition(page) if solution else None
    groups = tuple(group_views(page, repeated)) if solution and settings.detail != "result" else ()
    above = answer_above(page, groups)
    asked = [target for target in part.find if target != above] if solution else []
    return PartView(
        id=part.id,
        title=prose(part.title),
        ask=illustrated(part.ask, problem, settings.to),
        explain=illustrated(part.explain, problem, settings.to),
        marks=marks_said(notation),
        givens=given_rows(page, shown),
        groups=groups,
        found=found_above(page, groups, above, others=bool(asked)) if above is not None else (),
        answers=packed(chain(*(answer(trace, target, notation) for target in asked))),
        costs=cost_sections(trace, part, settings) if solution and part.costs else (),
        discuss=illustrated(part.discuss, problem, settings.to) if solution else (),
        maps=maps(page) if solution else (),
        pitfall=pitfall(page, settled=() if repeated is None else repeated.shown)
        if page.telling and not part.choice
        else None,
        published=published(trace, part, notation) if solution else (),
        note=illustrated(part.note, problem, settings.to) if solution else (),
        lines=part.lines or 0,
        worksheet=blanks(page) if settings.sheet == "exercise" else (),
        choice=options_to_tick(page),
        typed=typed_names(page) if settings.sheet == "exercise" else (),
        derivation=derived(page) if solution and (part.abstract or part.entries) else None,
        claims=claimed(page) if not solution and part.abstract is not None else (),
    )


@kept_of_part
def marks_said(notation: Notation) -> str:
    """`3 marks`, or nothing."""
    total = Fraction(notation.part.total)
    return in_words(total).replace(" ", "\u00a0") if total else ""


def claimed(page: Page) -> tuple[Segments, ...]:
    """The claims that are to be judged."""
    from attnsolve.rendering.derivations.sections import claims_to_judge

    return claims_to_judge(page.trace.problem, page.part)


def derived(page: Page) -> DerivationView:
    """What a part asks about symbols; the rooms that work with them are entered only for that."""
    if page.part.entries is not None:
        from attnsolve.rendering.derivations.entry_sections import entries_view

        return entries_view(page)
    from attnsolve.rendering.derivations.sections import derivation_view

    return derivation_view(page.trace.problem, page.part, page.settings)


def typed_names(page: Page) -> tuple[tuple[str, str], ...]:
    """What a part asks for by the names that are typed; others would tell on which way it is found."""
    names = dict.fromkeys(target.name for target in page.part.find)
    if page.part.choice or page.trace.problem.assumptions is not None:
        return ()
    return tuple((page.notation.symbol(name), name) for name in names)


def blanks(page: Page) -> tuple[BlankGroup, ...]:
    """What a part asks to be filled in; few do."""
    if page.part.space is None or page.part.space.worksheet is None:
        return ()
    from attnsolve.rendering.worksheets import worksheet

    return worksheet(page)


def in_set(typed: tuple[tuple[str, str], ...], exercise: Exercise) -> tuple[tuple[str, str], ...]:
    """The names that the values of a part have in a problem set."""
    return tuple((symbol, exercise.outer(name)) for symbol, name in typed)


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
