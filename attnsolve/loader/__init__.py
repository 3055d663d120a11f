"""From a problem file to a Problem: everything checked, every fault located, all of them at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attnsolve.documents import Node, parse, read
from attnsolve.errors import Fault
from attnsolve.exact import Matrix
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.format import FORMAT, PROBLEM
from attnsolve.loader.frontmatter import FrontMatter
from attnsolve.loader.givens import Givens
from attnsolve.loader.parts import PartReader
from attnsolve.loader.plans import build_parts
from attnsolve.loader.reader import Reader, shortened
from attnsolve.loader.targets import Scope
from attnsolve.problem import Given, Problem, Written
from attnsolve.recipes.shapes import Layout


def load(path: str | Path, *, limits: Limits = LIMITS) -> Problem:
    """The problem in a file."""
    path = Path(path)
    faults: list[Fault] = []
    root = read(path, limits=limits, faults=faults)
    return build(root, Reader(str(path), path.parent, limits, faults=faults), path.stem)


def loads(text: str, *, name: str = "problem", folder: str | Path = ".", limits: Limits = LIMITS) -> Problem:
    """The problem in a text, for notebooks and tests."""
    faults: list[Fault] = []
    # Half a surrogate pair cannot be UTF-8: let the reader say so, instead of Python's encoder.
    root = parse(text.encode("utf-8", "surrogatepass"), name, limits=limits, faults=faults)
    return build(root, Reader(name, Path(folder), limits, faults=faults), Path(name).stem)


def build(root: Node, reader: Reader, name: str) -> Problem:
    """A document as a problem, or a ProblemError with everything that is wrong in it."""
    entries = reader.mapping(root, "", PROBLEM, what="format: 1, title: …, parts: …")
    check_format(reader, entries.get("format"))
    if "let" in entries:  # few problems name their numbers
        from attnsolve.loader.named_numbers import filled_in

        entries = filled_in(reader, entries)
    front = FrontMatter(reader, entries)
    assumptions = None
    if "assume" in entries:  # most problems have numbers
        from attnsolve.loader.assumptions import AssumptionReader

        assumptions = AssumptionReader(reader).read(entries["assume"])
        if assumptions.has_families:
            from attnsolve.loader.abstract_parts import build_abstract

            return build_abstract(reader, entries, front, name, Written(text_of(root), reader.data))
        from attnsolve.loader.entries import check_letters

        reader.letters = check_letters(reader, entries, assumptions)
    givens = Givens(reader)
    if "given" in entries:
        givens.read(entries["given"])
    parts = PartReader(reader, givens)
    if "parts" in entries:
        parts.read(entries["parts"])
    laid = givens.laid(front.convention, front.labels)
    frames = {key: given.frame for key, given in laid.items()}
    labels = front.labels.get("", ())
    scope = Scope(frames, Layout(front.convention, givens.roles, reader.index_from, reader.letters, labels))
    scope.lost |= {key for key, table in givens.tables.items() if table is None}
    built = build_parts(reader, scope, parts.drafts)
    front.check_names(scope)
    if assumptions is not None:
        from attnsolve.loader.entries import with_questions

        built = with_questions(reader, assumptions, parts.drafts, built, frames)
    vary = None
    if "vary" in entries and assumptions is not None:
        from attnsolve.loader.symbolic_variation import SymbolicVaryReader

        vary = SymbolicVaryReader(reader, entries, laid, parts.drafts, built).read(entries["vary"])
    elif "vary" in entries:
        from attnsolve.loader.variation import VaryReader  # only exams need it

        vary = VaryReader(reader, laid, parts.drafts).read(entries["vary"])
    problem = Problem(
        name=name,
        title=front.texts.get("title", ""),
        source=front.texts.get("source", ""),
        intro=front.texts.get("intro", ""),
        convention=front.convention,
        places=front.places,
        index_from=reader.index_from,
        numbers=front.numbers,
        lang=front.lang,
        givens=laid,
        parts=built,
        frames=frames,
        symbols=front.symbols,
        labels=front.labels,
        rounding=front.rounding,
        scheme=front.scheme,
        file=reader.file,
        vary=vary,
        pictures=reader.pictures,
        written=Written(text_of(root), reader.data),
        assumptions=assumptions,
    )
    reader.finish()
    return problem


def text_of(root: Node) -> str:
    """The text that a problem was read from: a whole file, or a piece of a sheet file."""
    if root.column == 1:
        return "\n".join(root.source) + "\n"
    from attnsolve.loader.set_texts import cut_out  # few problems are written in a sheet file

    return cut_out(root)


def remade(problem: Problem, givens: Mapping[str, Given], name: str) -> Matrix:
    """A given that is made from others, made anew from the numbers these have now."""
    from attnsolve.loader.combinations import combine

    def typed(other: str) -> Matrix:
        given = givens[other]
        if given.made_from:
            return combine(given.made_from, givens, typed, index_from=problem.index_from)
        return given.value.T if problem.convention.types_transposed(given.role) else given.value

    made = typed(name)
    return made.T if problem.convention.types_transposed(givens[name].role) else made


def check_format(reader: Reader, node: Node | None) -> None:
    """Complain about a version of the format that this release does not read."""
    if node is not None and (not node.is_text or node.text.strip() != FORMAT):
        said = f"format '{shortened(node.text)}' is not known; this release reads format: {FORMAT}"
        reader.fault(node, "format", said)
