"""From a problem file to a Problem: everything checked, every fault located, all of them at once."""

from __future__ import annotations

import re
from pathlib import Path

from attnsolve.documents import Node, parse, read
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.format import CONVENTION, FORMAT, PROBLEM, ROUND
from attnsolve.loader.givens import Givens
from attnsolve.loader.parts import PartReader
from attnsolve.loader.reader import Reader
from attnsolve.maths import complaint_about_maths
from attnsolve.problem import CONVENTIONS, Convention, Problem, Rounding

PROJECT = {"XW": "X W", "WX": "W X", "XW'": "X W'"}
SCORES = {"QK'": "Q K'", "Q'K": "Q K'", "K'Q": "K' Q", "KQ'": "K' Q"}


def load(path: str | Path, *, limits: Limits = LIMITS) -> Problem:
    """The problem in a file."""
    path = Path(path)
    return build(read(path, limits=limits), str(path), path.parent, path.stem, limits)


def loads(text: str, *, name: str = "problem", folder: str | Path = ".", limits: Limits = LIMITS) -> Problem:
    """The problem in a text, for notebooks and tests."""
    return build(parse(text.encode(), name, limits=limits), name, Path(folder), Path(name).stem, limits)


def build(root: Node, file: str, folder: Path, name: str, limits: Limits) -> Problem:
    """A document as a problem, or a ProblemError with everything that is wrong in it."""
    reader = Reader(file, folder, limits)
    entries = reader.mapping(root, "", PROBLEM)
    if "format" in entries and entries["format"].text.strip() != FORMAT:
        reader.fault(entries["format"], "format", f"format '{entries['format'].text}' is not known; this release reads format: {FORMAT}")
    if "index_from" in entries:
        chosen = reader.choice(entries["index_from"], "index_from", ("0", "1"))
        reader.index_from = int(chosen or 1)
    convention = _convention(reader, entries.get("convention"))
    labels = _labels(reader, entries.get("labels"))
    givens = Givens(reader)
    if "given" in entries:
        givens.read(entries["given"])
    parts = PartReader(reader, givens)
    if "parts" in entries:
        parts.read(entries["parts"])
    laid = givens.laid(convention, len(labels))
    frames = {key: given.frame for key, given in laid.items()}
    # A given that could not be read is a fault already: the parts that use it are not judged.
    built = parts.build(frames) if None not in givens.tables.values() else ()
    problem = Problem(
        name=name,
        title=reader.text(entries["title"], "title") if "title" in entries else "",
        source=reader.text(entries["source"], "source") if "source" in entries else "",
        intro=reader.text(entries["intro"], "intro") if "intro" in entries else "",
        convention=convention,
        places=_places(reader, entries),
        index_from=reader.index_from,
        numbers=_numbers(reader, entries),
        givens=laid,
        parts=built,
        frames=frames,
        symbols=_symbols(reader, entries.get("symbols")),
        labels=labels,
        rounding=_rounding(reader, entries.get("round")),
        file=file,
        vary=entries.get("vary"),
    )
    reader.finish()
    return problem


def _places(reader: Reader, entries: dict[str, Node]) -> int:
    places = reader.integer(entries["places"], "places", 0, 30) if "places" in entries else None
    return 4 if places is None else places


def _numbers(reader: Reader, entries: dict[str, Node]) -> str:
    chosen = reader.choice(entries["numbers"], "numbers", ("fractions", "decimals", "source")) if "numbers" in entries else None
    return chosen or "fractions"


def _convention(reader: Reader, node: Node | None) -> Convention:
    if node is None:
        return CONVENTIONS["rows"]
    if node.kind == "text":
        return CONVENTIONS[reader.choice(node, "convention", tuple(CONVENTIONS)) or "rows"]
    entries = reader.mapping(node, "convention", CONVENTION)
    tokens = reader.choice(entries["tokens"], "convention.tokens", ("rows", "columns")) if "tokens" in entries else None
    base = CONVENTIONS[tokens or "rows"]
    project = _spelling(reader, entries.get("project"), "convention.project", PROJECT) or base.project
    scores = _spelling(reader, entries.get("scores"), "convention.scores", SCORES) or base.scores
    return Convention(tokens or "rows", project, scores)


def _spelling(reader: Reader, node: Node | None, path: str, known: dict[str, str]) -> str | None:
    """A product such as `K'Q`, however its transposes are spelled."""
    if node is None:
        return None
    text = reader.word(node, path, f"one of {', '.join(dict.fromkeys(known.values()))}")
    squeezed = re.sub(r"\^?\{?(\\top|\\mathsf\{T\}|ᵀ|T(?=\b|[^a-z])|')\}?", "'", text or "").replace(" ", "").replace("*", "")
    if text is not None and squeezed not in known:
        reader.fault(node, path, f"'{text}' is not one of {', '.join(dict.fromkeys(known.values()))}")
    return known.get(squeezed)


def _labels(reader: Reader, node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    if node.kind != "list" or not node.items:
        reader.fault(node, "labels", "a list of token names is expected here, such as [the, cat, sat]")
        return ()
    return tuple(reader.text(item, f"labels[{i + 1}]") for i, item in enumerate(node.items))


def _symbols(reader: Reader, node: Node | None) -> dict[str, str]:
    if node is None:
        return {}
    if node.kind != "map":
        reader.fault(node, "symbols", "a map is expected here, such as {A: '\\alpha'}")
        return {}
    symbols = {}
    for key, value in node.entries:
        text = reader.word(value, f"symbols.{key.text}", "a symbol such as '\\alpha'")
        complaint = complaint_about_maths(text) if text else ""
        if complaint:
            reader.fault(value, f"symbols.{key.text}", complaint)
        elif text:
            symbols[key.text] = text
    return symbols


def _rounding(reader: Reader, node: Node | None) -> Rounding | None:
    if node is None:
        return None
    entries = reader.mapping(node, "round", ROUND)
    carry = reader.integer(entries["carry"], "round.carry", 0, 30) if "carry" in entries else None
    mode = reader.choice(entries["mode"], "round.mode", ("half_up", "half_even", "truncate")) if "mode" in entries else "half_up"
    return None if carry is None or mode is None else Rounding(carry, mode)
