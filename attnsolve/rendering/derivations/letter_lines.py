"""What a slip and a mark scheme say of answers about letters: limits, solutions and trends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from attnsolve.assumptions import Approach, Result
from attnsolve.claims.letter_solutions import Question, question, right_ones
from attnsolve.claims.letter_wanted import Moving, changing, limits, with_limits
from attnsolve.derivations.derivation import Circumstance, Outcome, Passage, Remark, Topic
from attnsolve.derivations.entry_results import Results, results_of
from attnsolve.derivations.monotony import trend
from attnsolve.derivations.results import ResultNames
from attnsolve.languages import quoted
from attnsolve.marks import in_figures
from attnsolve.problem import Part, Problem, Target
from attnsolve.rendering.answers import in_decimals
from attnsolve.rendering.derivations.claim_lines import TELLING, title_of, with_question
from attnsolve.rendering.derivations.entry_sections import printed
from attnsolve.rendering.derivations.formulas import RELATIONS, markup
from attnsolve.rendering.derivations.passages import remark, where, with_decimals
from attnsolve.rendering.derivations.verdicts import stated
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.steps import step_title
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, formula, in_a_row, listed, say, sentence
from attnsolve.rendering.widths import PAGE, width
from attnsolve.report import StepReport
from attnsolve.scheme import stated_worth, worth
from attnsolve.statements.answers import Extent, extent
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tree import Limit, Name, Tree, replaced
from attnsolve.trace import Step, Trace

OUTCOMES = {Extent.NOTHING: Outcome.NEVER, Extent.EVERYTHING: Outcome.ALWAYS}
# As wide as a result may be in the table of a mark scheme; of others every number stands by itself.
WIDEST = PAGE / 2


def remarks_on_letters(
    problem: Problem, part: Part, step: StepReport, *, hints: int | None
) -> tuple[Segments, ...]:
    """What was written, and where it is wrong what is right."""
    said = [say("Read as: {typed}", typed=quoted(step.typed))] if step.typed else []
    if step.expected and (hints is None or hints >= TELLING):
        said.append(told_right(problem, part, step.expected))
    return tuple(said)


def told_right(problem: Problem, part: Part, expected: str) -> Segments:
    """What is right, from the words that it is typed in."""
    assert part.entries is not None
    for one in part.entries.solve:
        found = extent(expected, one.variable.name)
        if found is not None:
            return told_extent(found, one.variable)
    return say("Right would be {equation}.", equation=right(problem, part, expected))


def right(problem: Problem, part: Part, expected: str) -> Segments:
    """The statements that would be right, as the sheet prints them."""
    assert part.entries is not None and problem.assumptions is not None
    about = next(one for one in problem.parts if one.id == part.entries.about)
    upto = problem.parts.index(about) + 1
    results = ResultNames.of(problem.parts[:upto], about.id, problem.frames, problem.index_from)
    notation = Notation(problem, about, style=problem.numbers, places=problem.places)

    def called(piece: Tree) -> Tree | None:
        if not isinstance(piece, Name) or piece.name not in results.letters:
            return None
        found = results.place(piece)
        return printed(notation, found.result, found.row, found.column)

    claims = statements(expected, problem.assumptions.names | results.letters)
    return listed(
        [
            stated(replace(one, left=replaced(one.left, called), right=replaced(one.right, called)))
            for one in claims
        ]
    )


def told_extent(found: Extent, variable: Name) -> Segments:
    """That nothing or everything solves it."""
    passage = Passage(Topic.SOLUTION, (), variable=variable)
    return remark(Remark(OUTCOMES[found], None, variable), passage)


def letters_table(
    trace: Trace, part: Part, steps: list[Step], notation: Notation, called: Callable[[str], str]
) -> Table | None:
    """A row for each step and for each answer that is worth something, with what is right."""
    problem, rows = trace.problem, []
    for step in steps:
        marks = worth(problem, part, step.call).total
        if marks:
            symbol, title = notation.symbol(step.call.out), step_title(step.call, notation)
            shown = sentence((True, symbol), f" ({called(step.call.out)}) ", title)
            rows.append((shown, right_step(step, notation), sentence(in_figures(marks))))
    for name in part.stated:
        marks = stated_worth(problem, part, name)
        if marks:
            own = Result(name.rpartition(".")[2])
            found = in_a_row(sentence(one, ".") for one in right_answers(trace, part, own))
            rows.append((title_of(own, called(name)), found, sentence(in_figures(marks))))
    return with_question(part, rows, called)


def right_step(step: Step, notation: Notation) -> Segments:
    """A result with letters: all of it, or number by number where it is wide."""
    whole = in_decimals(notation.symbol(step.call.out), Target(step.call.out), step.value, notation)
    if len(whole) == 1 and width(whole[0]) <= WIDEST:
        return (formula(whole[0]),)
    return listed(
        [
            formula(f"{notation.entry(step.call.out, i, j)} = {notation.number(cell)}")
            for i, j, cell in step.value.cells()
        ]
    )


def right_answers(trace: Trace, part: Part, name: Result) -> Iterator[Segments]:
    """What has to be stated for a result."""
    assert part.entries is not None
    results, problem = results_of(trace, part), trace.problem
    about = next(one for one in problem.parts if one.id == part.entries.about)
    notation = Notation(problem, about, style=problem.numbers, places=problem.places)

    def called(one: Moving) -> Tree:
        return printed(notation, one.names[0].name, *map(int, one.names[0].index))

    if name is Result.LIMIT:
        for approach in part.entries.limits:
            found = [one for way in with_limits(results, approach) for one in way]
            yield from right_limits(results, {called(one): one.value for one in found}, approach)
    elif name is Result.SOLUTION:
        for asked in part.entries.solve:
            yield right_solution(question(results, asked), notation)
    else:
        for variable in part.entries.monotony:
            passage = Passage(Topic.MONOTONY, (), variable=variable)
            for one in changing(results, variable):
                outcome, still, _ = trend(results.letters, one.value, variable)
                yield without_stop(remark(Remark(outcome, called(one), variable, still), passage))


def right_limits(results: Results, values: dict[Tree, Tree], approach: Approach) -> Iterator[Segments]:
    """lim α = 1 for all numbers together, by cases where there are several."""
    by_case: dict[Circumstance, list[Segments]] = {}
    for name, value in values.items():
        left = Limit(approach.variable, approach.at_infinity, name)
        for case, limit in limits(results, value, approach):
            if limit is not None:
                by_case.setdefault(case, []).append(stated(Statement(left, Relation.EQUAL, limit)))
    for case, found in by_case.items():
        equations = listed(found)
        if case.positive:
            equations = say("{equation} if {where}", equation=equations, where=where(case))
        yield equations


def right_solution(asked: Question, notation: Notation) -> Segments:
    """Every solution of an equation or inequality, behind it."""

    def called(piece: Tree) -> Tree | None:
        if not isinstance(piece, Name) or "." not in piece.name:
            return None
        return printed(notation, piece.name, *map(int, piece.index))

    first, *others = asked.wanted
    chain = markup(replaced(first.left, called))
    for one in (first, *others):
        chain += f" {RELATIONS[one.relation]} {markup(replaced(one.right, called))}"
    if asked.extent is not None:
        found = without_stop(told_extent(asked.extent, asked.variable))
    elif asked.is_open:
        found = without_stop(remark(Remark(Outcome.UNDECIDED), Passage(Topic.SOLUTION, ())))
    else:
        solutions = [
            formula(with_decimals(asked.variable, relation, value, notation.places))
            for relation, value in right_ones(asked)
        ]
        found = listed(solutions)
    return sentence(formula(chain), ": ", found)


def without_stop(words: Segments) -> Segments:
    """A sentence without the stop at its end, which stands in a row of others."""
    *most, (is_maths, last) = words
    return (*most, (is_maths, last.removesuffix(".")))
