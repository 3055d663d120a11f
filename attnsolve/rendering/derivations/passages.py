"""Derivations as a reader sees them: a sentence that leads in, lines with reasons, what they come to."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.derivations.derivation import (
    Circumstance,
    Derivation,
    Line,
    Outcome,
    Passage,
    Reason,
    Remark,
    Topic,
)
from attnsolve.derivations.derivation import Table as Decimals
from attnsolve.derivations.numbers import at
from attnsolve.exact import Cell
from attnsolve.languages import message, translated
from attnsolve.rendering import numerals
from attnsolve.rendering.derivations.formulas import RELATIONS, compared, markup, vanishing
from attnsolve.rendering.tables import Table, math
from attnsolve.rendering.text import Segments, formula, in_a_row, listed, say, say_count
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Name, Number, Tree, names

# Beside a line, in brackets: why it follows from the one above.
REASONS = {
    Reason.DEFINITION: message(r"\text{by definition}"),
    Reason.BILINEARITY: message(r"\text{dot products are bilinear}"),
    Reason.ORTHONORMALITY: message(r"\text{the vectors are orthonormal}"),
    Reason.ORTHOGONALITY: message(r"\text{the vectors are orthogonal}"),
    Reason.DOT_PRODUCTS: message(r"\text{the dot products that are given}"),
    Reason.SOFTMAX: message(r"\text{softmax}"),
    Reason.GROUPING: message(r"\text{the keys with a name, then the others}"),
    Reason.EQUAL_EXPONENTS: message(r"\text{equal exponents}"),
    Reason.WEIGHTED_SUM: message(r"\text{weighted sum of the values}"),
    Reason.HIDDEN: message(r"\text{hidden by the mask}"),
    Reason.INSERTING: message(r"\text{the weights put in}"),
    Reason.DIVIDING: message(r"\text{above and below divided by }${about}"),
    Reason.VANISHING: message(r"e^{x} \to 0\text{ as }x \to {-\infty}"),
    Reason.LEADING: message(r"\text{first term}"),
    Reason.MULTIPLYING: message(r"\text{times the denominator, which is positive}"),
    Reason.DIVIDING_POSITIVE: message(r"\text{divided by }${about}"),
    Reason.LOGARITHM: message(r"\text{the logarithm increases}"),
    Reason.DERIVATIVE: message(r"\text{quotient rule}"),
    Reason.TAKING_LOGARITHMS: message(r"\text{logarithms taken}"),
    Reason.CONTINUITY: message(r"e^{x} \to 1\text{ as }x \to 0"),
    Reason.RESULTS_PUT_IN: message(r"\text{put in}"),
    Reason.INDEPENDENCE: message(r"\text{independent}"),
    Reason.MEAN_OF_SQUARE: message(r"\mathrm{E}[X^{2}] = \mathrm{Var}(X) + \mathrm{E}[X]^{2}"),
    Reason.MEAN_OF_SUM: message(r"\text{the mean of a sum}"),
    Reason.SUM_OF_VARIANCES: message(r"\text{variances of independent terms add up}"),
    Reason.EQUAL_TERMS: message(r"\text{all terms are equal}"),
    Reason.VARIANCE_OF_MULTIPLE: message(r"\mathrm{Var}(c\,X) = c^{2} \mathrm{Var}(X)"),
    Reason.QUOTIENT_OF_SUM: message(r"\text{quotient rule; }D\text{ is the sum of the exponentials}"),
    Reason.WEIGHTS_AGAIN: message(r"\text{each exponential over }D\text{ is a weight}"),
    Reason.MULTIPLYING_NONZERO: message(r"\text{times the denominators, which are not }0"),
    Reason.SOLVING: message(r"\text{solved}"),
    Reason.EXCHANGEABLE: message(r"\text{both keys have noise of one distribution}"),
    Reason.SUM_OF_WEIGHTS: message(r"\text{the weights sum to 1, and so do their means}"),
    Reason.LINEARITY: message(r"\text{means are linear}"),
    Reason.LARGEST: message(r"\text{the chance that the largest exponent is there}"),
    Reason.OTHER_ORDER: message(r"\text{the other order}"),
    Reason.ALL_INDICES: message(r"\pi\text{ runs through all indices}"),
    Reason.BERNOULLI: message(r"\text{the weight tends to 1 or 0}"),
}
LEADS = {
    Topic.SCORES: message("Scores: the dot product of the query with every key."),
    Topic.DENOMINATOR: message("The sum of all exponentials, which every weight is divided by."),
    Topic.WEIGHTS: message("Weights."),
    Topic.OUTPUT: message("Output."),
    Topic.TOGETHER: message("The heads together:"),
    Topic.LIMIT: message("As {approach}:"),
    Topic.ERROR: message("How far from the limit this is, exactly and by its first term:"),
    Topic.SOLUTION: message("Solved for {variable}:"),
    Topic.MOMENTS: message("Mean and variance, first of one product, then of the sum of them all:"),
    Topic.MONOTONY: message("The derivatives by {variable}:"),
    Topic.EXPECTATION: message("Means over the noise:"),
    Topic.REORDERING: message(
        "{map} is any permutation of {values}, and a prime marks what belongs to the other order:"
    ),
}
REMARKS = {
    Outcome.INCREASES: message("{subject} increases with {variable}."),
    Outcome.DECREASES: message("{subject} decreases as {variable} grows."),
    Outcome.CONSTANT: message("{subject} does not depend on {variable}."),
    Outcome.NEVER_DECREASES: message("{subject} increases with {variable}, but stays the same for {where}."),
    Outcome.NEVER_INCREASES: message(
        "{subject} decreases as {variable} grows, but stays the same for {where}."
    ),
    Outcome.ALWAYS: message("For {where} this holds for every {variable}."),
    Outcome.NEVER: message("This holds for no {variable}."),
    Outcome.NOT_ALL: message("This does not solve the other equations, so no {variable} solves all of them."),
    Outcome.UNDECIDED: message("No closed form was found here."),
    Outcome.SAME_ORDER: message("So the outputs are put into the same order as the tokens: {subject}."),
    Outcome.SAME_OUTPUT: message("So the output does not depend on the order of the keys: {subject}."),
}
SOLUTIONS = {
    Outcome.SOLUTION: message("These are all solutions: {solutions}."),
    Outcome.ONLY_SOLUTION: message("This is the only solution: {solutions}."),
    Outcome.CHECKED_SOLUTION: message("Put into the other equations, this solves them too: {solutions}."),
}
EVERYWHERE = message("This holds for every {variable}.")
UNKNOWN_TREND = message("Whether {subject} grows or shrinks with {variable} depends on the other symbols.")


class PassageView(NamedTuple):
    """A few words, rows of maths, and more words."""

    title: Segments
    lead: Segments
    blocks: tuple[tuple[tuple[str, str], ...], ...]
    remarks: Segments


def views(derivation: Derivation, places: int) -> tuple[PassageView, ...]:
    """Every passage of a derivation; numbers that solve something are also given in decimals."""
    return tuple(view(passage, places) for passage in derivation.passages)


def view(passage: Passage, places: int) -> PassageView:
    """One passage."""
    title = (
        say("Head {number}", number=passage.head) if passage.head and passage.topic is Topic.SCORES else ()
    )
    blocks = tuple(rows(chain) for chain in passage.chains)
    if blocks:
        blocks = (tuple(row for block in blocks for row in block),)
    return PassageView(title, lead(passage), blocks, remarks(passage, places=places))


def lead(passage: Passage) -> Segments:
    """What a passage does."""
    places = {"variable": formula(markup(passage.variable))} if passage.variable else {}
    if passage.topic is Topic.LIMIT and passage.variable is not None:
        goal = r"\infty" if passage.at_infinity else "0"
        places = {"approach": formula(rf"{markup(passage.variable)} \to {goal}")}
        if passage.circumstance.positive:
            return say("As {approach}, if {where}:", where=where(passage.circumstance), **places)
    if passage.topic is Topic.REORDERING and passage.variable is not None:
        places = {"map": formula(r"\pi"), "values": formula(rf"1, \dots, {markup(passage.variable)}")}
    said = [say(LEADS[passage.topic], **places)]
    if passage.topic is Topic.SCORES and passage.for_others:
        said.append(say("{letter} stands for every key without a name.", letter=formula(passage.for_others)))
    if passage.hidden:
        keys = listed([formula(markup(key)) for key in passage.hidden])
        said.append(
            say_count(
                "The mask hides {keys}, which is left out.",
                "The mask hides {keys}, which are left out.",
                len(passage.hidden),
                keys=keys,
            )
        )
    return in_a_row(said)


def where(circumstance: Circumstance) -> Segments:
    """λ_a > λ_b and m = 2."""
    found = [formula(compared(tree)) for tree in circumstance.positive]
    found += [formula(vanishing(tree)) for tree in circumstance.zero]
    return listed(found)


def rows(chain: tuple[Line, ...]) -> tuple[tuple[str, str], ...]:
    """The lines of a chain, the left side in its own column."""
    made = []
    for line in chain:
        left = "" if line.left is None else markup(line.left)
        if line.follows:
            left = rf"\Longleftrightarrow\quad {left}"
        right = f"{RELATIONS[line.relation]} {markup(line.right)}"
        said = reason(line)
        made.append((left, rf"{right} && \quad ({said})" if said else right))
    return tuple(made)


def reason(line: Line) -> str:
    """Why a line follows, as maths with words in it."""
    if line.reason is None or line.reason not in REASONS:
        return ""
    about = "" if line.about is None else markup(line.about)
    return translated(REASONS[line.reason]).replace("${about}", about)


def remarks(passage: Passage, *, places: int = 4) -> Segments:
    """What the lines come to."""
    said = [remark(one, passage) for one in passage.remarks if one.outcome not in SOLUTIONS]
    solutions = [one for one in passage.remarks if one.outcome in SOLUTIONS]
    return in_a_row([*said, solved(solutions, places)] if solutions else said)


def solved(solutions: list[Remark], places: int) -> Segments:
    """Every solution, with decimals where it is no fraction."""
    outcome, found = solutions[0].outcome, []
    for one in solutions:
        assert one.subject is not None and one.variable is not None
        found.append(formula(with_decimals(one.variable, Relation.EQUAL, one.subject, places)))
    return say(SOLUTIONS[outcome], solutions=listed(found))


def with_decimals(variable: Name, relation: Relation, value: Tree, places: int) -> str:
    """t = ln 3 ≈ 1.0986; without decimals where there are letters in it, or it is a fraction."""
    whole = f"{markup(variable)} {RELATIONS[relation]} {markup(value)}"
    if isinstance(value, Number) or names(value):
        return whole
    rounded = at(value, {}).decimals(places)
    return f"{whole} {numerals.relation(rounded.exact)} {numerals.rounded(rounded)}"


def remark(one: Remark, passage: Passage) -> Segments:
    """One of them."""
    subject = formula(markup(one.subject)) if one.subject else ""
    if passage.topic is Topic.REORDERING:
        *_, (first, *_, last) = passage.chains
        assert first.left is not None
        subject = formula(f"{markup(first.left)} = {markup(last.right)}")
    variable = formula(markup(one.variable)) if one.variable else ""
    if one.outcome is Outcome.UNDECIDED and passage.topic is Topic.MONOTONY:
        return say(UNKNOWN_TREND, subject=subject, variable=variable)
    if one.outcome is Outcome.ALWAYS and not one.circumstance.zero:
        return say(EVERYWHERE, variable=variable)
    return say(REMARKS[one.outcome], subject=subject, variable=variable, where=where(one.circumstance))


def table(made: Decimals, places: int) -> Table:
    """Certified decimals for chosen numbers."""
    header = tuple(math(markup(name)) for name in (*made.symbols, *made.subjects))
    printed = []
    for row in made.rows:
        chosen = [math(markup(value)) for _, value in row.chosen]
        printed.append((*chosen, *(decimals(value, places) for value in row.values)))
    return Table((), header, tuple(printed))


def decimals(value: object, places: int) -> Segments:
    """A number of a table; keys that are not there have none."""
    if not isinstance(value, Cell):
        return say("none")
    rounded = value.decimals(places)
    return math(f"{numerals.relation(rounded.exact)} {numerals.rounded(rounded)}")
