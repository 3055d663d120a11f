"""What a slip and a mark scheme say of results about symbols, and of opinions on claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from attnsolve.assumptions import Result
from attnsolve.claims.judging import claims_of_line, judge
from attnsolve.claims.sheets import judge_part
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.claims.wanted import TITLES, Wanted, ways_to
from attnsolve.derivations import monotony
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.limits import Tending
from attnsolve.derivations.steps import fraction, joined
from attnsolve.errors import AttnsolveError
from attnsolve.languages import quoted
from attnsolve.marks import in_figures
from attnsolve.problem import Part, Problem
from attnsolve.rendering.derivations.formulas import RELATIONS, markup
from attnsolve.rendering.derivations.passages import remarks
from attnsolve.rendering.derivations.verdicts import ClaimView, claim_view
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, formula, in_a_row, listed, say, sentence
from attnsolve.report import StepReport
from attnsolve.scheme import stated_worth
from attnsolve.statements.tree import Name, Tree

# From this level on a hint tells what is right.
TELLING = 4
RESULTS = frozenset(Result)


def stated_heading(step: StepReport, *, plain: bool) -> Segments:
    """`a.weights (Weights)` on a screen, like a step; `Part (a), Weights` on paper."""
    title = shown_title(step.name.rpartition(".")[2])
    if plain:
        return sentence(step.name, " (", title, ")")
    return say("Part ({part}), {title}", part=step.part, title=title)


def remarks_on_claims(
    problem: Problem, part: Part, step: StepReport, *, hints: int | None
) -> tuple[Segments, ...]:
    """What was written, and where it is wrong what is right."""
    said: list[Segments] = []
    if step.typed:
        said.append(say("Read as: {typed}", typed=quoted(step.typed)))
    if step.verdict.is_off and (hints is None or hints >= TELLING):
        said += [told(view) for view in wrong_claims(problem, part, step)]
    return tuple(said)


def wrong_claims(problem: Problem, part: Part, step: StepReport) -> Iterator[ClaimView]:
    """The claim that an opinion is about, or those of somebody's own that do not hold, judged again."""
    assert problem.assumptions is not None and part.abstract is not None
    own = step.name.rpartition(".")[2]
    if own in part.abstract.judged:
        yield claim_view(judge_part(problem, part)[part.abstract.judged.index(own)], problem.places)
        return
    for claim in claims_of_line(step.typed, problem.assumptions):
        found = judge(claim, problem.assumptions, part.abstract.attention)
        if found.verdict is not Verdict.TRUE:
            yield claim_view(found, problem.places)


def told(view: ClaimView) -> Segments:
    """`alpha_a = 1/2: true only under a condition. It holds only if m = 2.`"""
    return in_a_row((sentence(view.statement, ": ", view.verdict, "."), *view.said))


def scheme_table(problem: Problem, part: Part, called: Callable[[str], str]) -> Table | None:
    """A row for each result and claim that is worth something, with what is right."""
    assert problem.assumptions is not None and part.abstract is not None
    solved = Solved(problem.assumptions, part.abstract.attention)
    right = {f"{part.id}.{name}": tuple(result_rows(solved, part, name)) for name in part.abstract.results}
    judged = judge_part(problem, part) if part.abstract.judged else ()
    for name, found in zip(part.abstract.judged, judged, strict=True):
        right[f"{part.id}.{name}"] = (told_shortly(found, problem.places),)
    rows = []
    for name in part.stated:
        marks = stated_worth(problem, part, name)
        if marks:
            title = title_of(name.rpartition(".")[2], called(name))
            rows.append((title, listed(list(right[name])), sentence(in_figures(marks))))
    return with_question(part, rows, called)


def with_question(
    part: Part, rows: list[tuple[Segments, Segments, Segments]], called: Callable[[str], str]
) -> Table | None:
    """The rows of what is judged, and what is asked in words beside it."""
    words = Fraction(part.in_words)
    if words:
        name = sentence(say("Question"), f" ({called(part.question)})")
        rows = [*rows, (name, (), sentence(in_figures(words)))]
    header = (say("step"), say("right"), say("marks"))
    return Table((), header, tuple(rows), wraps=True) if rows else None


def title_of(own: str, name: str) -> Segments:
    """`Weights (a.weights)`."""
    return sentence(shown_title(own), f" ({name})")


def shown_title(own: str) -> Segments:
    """`Weights`, `Claim 3`."""
    if own in RESULTS:
        return say(TITLES[Result(own)])
    return say("Claim {number}", number=own.removeprefix("claim"))


def told_shortly(found: Judgement, places: int) -> Segments:
    """A claim, its verdict, and the first thing to say about it."""
    view = claim_view(found, places)
    return in_a_row((sentence(view.statement, ": ", view.verdict, "."), *view.said[:1]))


def result_rows(solved: Solved, part: Part, name: str) -> Iterator[Segments]:
    """What has to be stated for a result, as formulas."""
    assert part.abstract is not None
    if name == Result.MONOTONY:
        for variable in part.abstract.monotony:
            yield from map(sentence, (remarks(monotony.passage(solved, variable)),))
        return
    for wanted in ways_to(Result(name), solved, part.abstract)[0]:
        if wanted.threshold is not None and wanted.variable is not None:
            bound = markup(wanted.threshold.bound)
            yield (formula(f"{markup(wanted.variable)} {RELATIONS[wanted.threshold.relation]} {bound}"),)
        else:
            yield from equation(solved, wanted)


def equation(solved: Solved, wanted: Wanted) -> Iterator[Segments]:
    """`α_a = …`, or what it tends to where that is one thing."""
    left = wanted.lefts[0]
    try:
        value = solved.expansion.worked_out(left)
        if isinstance(value, dict) and wanted.approach is None:
            yield (formula(f"{markup(left)} = {markup(output(solved, left))}"),)
            return
        if isinstance(value, dict):
            return
        if wanted.approach is None:
            yield (formula(f"{markup(left)} = {markup(solved.setting.tidy(value))}"),)
            return
        limit = Tending(solved, wanted.approach, value).only(value)
    except AttnsolveError:
        return
    if limit is not None:
        goal = r"\infty" if wanted.approach.at_infinity else "0"
        yield (
            formula(
                rf"\lim_{{{markup(wanted.approach.variable)} \to {goal}}} {markup(left)} = {markup(limit)}"
            ),
        )


def output(solved: Solved, left: Tree) -> Tree:
    """An output in full: that of the only head, of one of several, or what all of them give together."""
    if len(solved.heads) == 1:
        return fraction(solved, solved.heads[0])
    if isinstance(left, Name) and left.index:
        return fraction(solved, solved.heads[int(left.index[0]) - 1])
    return joined(solved)
