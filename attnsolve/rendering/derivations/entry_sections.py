"""What a part asks about results with letters in them, as a template prints it."""

from __future__ import annotations

from dataclasses import replace

from attnsolve.derivations import moments
from attnsolve.derivations.derivation import Derivation, Line, Passage
from attnsolve.derivations.entries import Results, derive_entries
from attnsolve.derivations.results import ResultNames
from attnsolve.exact.formulas.letters import Letters
from attnsolve.ops import Family
from attnsolve.rendering.derivations.formulas import Printed
from attnsolve.rendering.derivations.passages import PassageView, views
from attnsolve.rendering.derivations.sections import DerivationView, decimals_table
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page, notation_for
from attnsolve.statements.tree import Name, Tree, replaced


def entries_view(page: Page) -> DerivationView:
    """The answers to what a part asks about letters."""
    part, settings = page.part, page.settings
    assert part.entries is not None and page.trace.problem.assumptions is not None
    random: tuple[PassageView, ...] = ()
    if part.entries.dot_product is not None:
        letters = Letters(page.trace.problem.assumptions.symbols)
        found = moments.passage(letters, part.entries.dot_product)
        random = views(Derivation((found,)), page.notation.places)
    if not part.entries.about:
        return DerivationView(random, ())
    made = derive_entries(results_of(page), part.entries)
    about = next(one for one in page.trace.problem.parts if one.id == part.entries.about)
    printed = with_names(made, notation_for(page.trace.problem, about, settings))
    tables = decimals_table(printed.table, page.notation.places)
    return DerivationView((*random, *views(printed, page.notation.places)), tables)


def results_of(page: Page) -> Results:
    """The results that a part asks about."""
    trace, part = page.trace, page.part
    problem = trace.problem
    assert problem.assumptions is not None and part.entries is not None
    upto = next(place for place, one in enumerate(problem.parts) if one.id == part.entries.about) + 1
    names = ResultNames.of(problem.parts[:upto], part.entries.about, problem.frames, problem.index_from)
    steps = {step.call.out: step for step in trace.steps}
    exponents = {
        name: step.call.op.powers(*step.inputs[:1], **step.call.options)
        for name, step in steps.items()
        if step.call.op.family is Family.NORMALISER and step.call.op.powers is not None
    }
    asked = [target.name for target in problem.parts[upto - 1].find]
    values = {name: step.value for name, step in steps.items()}
    return Results(Letters(problem.assumptions.symbols), names, values, exponents, tuple(asked))


def with_names(made: Derivation, notation: Notation) -> Derivation:
    """A derivation in which the numbers of results are called as the sheet calls them."""

    def named(tree: Tree) -> Tree:
        return replaced(tree, spelled)

    def spelled(piece: Tree) -> Tree | None:
        if not isinstance(piece, Name) or "." not in piece.name:
            return None
        return Printed(notation.entry(piece.name, *map(int, piece.index)))

    def line(one: Line) -> Line:
        left = None if one.left is None else named(one.left)
        return replace(one, left=left, right=named(one.right))

    def passage(one: Passage) -> Passage:
        remarks = tuple(
            replace(remark, subject=None if remark.subject is None else named(remark.subject))
            for remark in one.remarks
        )
        return replace(one, chains=tuple(tuple(map(line, chain)) for chain in one.chains), remarks=remarks)

    table = made.table and replace(made.table, subjects=tuple(map(named, made.table.subjects)))
    return Derivation(tuple(map(passage, made.passages)), table, made.results)
