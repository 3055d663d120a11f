"""What a part asks about results with letters in them, as a template prints it."""

from __future__ import annotations

from dataclasses import replace

from attnsolve.derivations import moments, permutations
from attnsolve.derivations.derivation import Derivation, Line, Passage
from attnsolve.derivations.entries import derive_entries
from attnsolve.derivations.entry_results import results_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.problem import Part
from attnsolve.rendering.derivations.formulas import Printed
from attnsolve.rendering.derivations.passages import PassageView, views
from attnsolve.rendering.derivations.sections import DerivationView, decimals_table
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page, notation_for
from attnsolve.rendering.settings import Settings
from attnsolve.statements.tree import Name, Tree, replaced
from attnsolve.trace import Trace


def entries_view(page: Page) -> DerivationView:
    """The answers to what a part asks about letters."""
    part, settings = page.part, page.settings
    assert part.entries is not None and page.trace.problem.assumptions is not None
    alone: tuple[PassageView, ...] = ()
    if part.entries.dot_product is not None:
        letters = Letters(page.trace.problem.assumptions.symbols)
        found = moments.passage(letters, part.entries.dot_product)
        alone = views(Derivation((found,)), page.notation.places)
    if part.entries.reordering is not None:
        reordered = permutations.passage(part.entries.reordering)
        alone = (*alone, *views(Derivation((reordered,)), page.notation.places))
    if not part.entries.about:
        return DerivationView(alone, ())
    made = derived_entries(page.trace, part, settings)
    tables = decimals_table(made.table, page.notation.places)
    return DerivationView((*alone, *views(made, page.notation.places)), tables)


def derived_entries(trace: Trace, part: Part, settings: Settings) -> Derivation:
    """The derivation that answers a part, in the letters of the sheet."""
    assert part.entries is not None
    about = next(one for one in trace.problem.parts if one.id == part.entries.about)
    made = derive_entries(results_of(trace, part), part.entries)
    return with_names(made, notation_for(trace.problem, about, settings))


def printed(notation: Notation, result: str, row: int, column: int) -> Tree:
    """A number of a result as the sheet calls it."""
    return Printed(notation.entry(result, row, column))


def with_names(made: Derivation, notation: Notation) -> Derivation:
    """A derivation in which the numbers of results are called as the sheet calls them."""

    def named(tree: Tree) -> Tree:
        return replaced(tree, spelled)

    def spelled(piece: Tree) -> Tree | None:
        if not isinstance(piece, Name) or "." not in piece.name:
            return None
        return printed(notation, piece.name, *map(int, piece.index))

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
