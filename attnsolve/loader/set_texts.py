"""The text of a sheet file with its problems in it: what an exam keeps, whatever becomes of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attnsolve.documents import Node
from attnsolve.loader.files import exercise_file
from attnsolve.loader.pools import exercise_nodes, exercises_in, is_pool
from attnsolve.rewriting import written

STEP = " " * 2
KEPT = ("folder", "title", "parts", "points")
OF_EXAMS = ("exercises", "order")  # what a paper has settled


def inlined(root: Node, folder: Path, *, folders: Mapping[int, str] | None = None) -> str:
    """A sheet file, which the loader has found to be right, with the texts of its files in it.

    `folders` says, by the numbers of exercises, where the data and figures of those lie that need to know.
    """
    problems = [_own_text(item, folder) for item in exercise_nodes(root)]
    return with_problems(root, problems, folders=folders or {})


def _own_text(item: Node, folder: Path) -> str:
    """The text of the problem of an exercise, from its file or from the sheet itself."""
    inside, file = item.get("problem"), item.get("file")
    if inside is not None:
        return cut_out(inside)
    name = item.text if file is None else file.text
    return exercise_file(folder, name.strip()).read_text("utf-8-sig").replace("\r\n", "\n")


def problem_texts(root: Node) -> list[str]:
    """The texts of the problems in a sheet file that has all of them in it."""
    found = (item.get("problem") for item in exercise_nodes(root))
    return [cut_out(problem) for problem in found if problem is not None]


def folders_of(root: Node) -> list[str]:
    """Where the data and figures of each exercise lie, below the folder of a sheet that has all problems."""
    found = (item.get("folder") for item in exercise_nodes(root))
    return ["" if folder is None else folder.text.strip() for folder in found]


def cut_out(node: Node) -> str:
    """The text of a map in a document, as a document of its own."""
    first = node.line - 1
    line = node.source[first]
    if line[node.column - 1] == "{":
        return written(node) + "\n"
    lead = node.column - 1
    last = next(
        (
            number
            for number in range(first + 1, len(node.source))
            if (text := node.source[number]).strip() and len(text) - len(text.lstrip()) < lead
        ),
        len(node.source),
    )
    lines = [line[lead:], *(text[lead:] for text in node.source[first + 1 : last])]
    return "\n".join(lines).rstrip() + "\n"


def with_problems(root: Node, problems: Sequence[str], *, folders: Mapping[int, str]) -> str:
    """The sheet file with these problems in it, and all else that it says."""
    left = iter((text, folders.get(number, "")) for number, text in enumerate(problems, start=1))
    lines = [f"{key.text}: {_value(value)}" for key, value in root.entries if key.text != "exercises"]
    lines.append("exercises:")
    for item in root.items_of("exercises"):
        if not is_pool(item):
            lines += _exercise(item, *next(left), STEP)
            continue
        settings = [f"{key.text}: {written(value)}" for key, value in item.entries if key.text != "of"]
        lines += [f"{STEP}{'  ' if place else '- '}{words}" for place, words in enumerate(settings)]
        lines.append(f"{STEP * 2}of:")
        lines += [line for own in exercises_in(item) for line in _exercise(own, *next(left), STEP * 3)]
    return "\n".join(lines) + "\n"


def paper_text(root: Node, chosen: Sequence[tuple[int, str]]) -> str:
    """The sheet file of one paper: some exercises by their numbers in the sheet, in the paper's order."""
    lines = [f"{key.text}: {_value(value)}" for key, value in root.entries if key.text not in OF_EXAMS]
    lines.append("exercises:")
    settled = list(_settled(root))
    for number, text in chosen:
        item, pooled = settled[number - 1]
        lines += _exercise(item, text, "", STEP, points=pooled)
    return "\n".join(lines) + "\n"


def _settled(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """Every exercise of a sheet file, with what its pool says it is worth."""
    for item in root.items_of("exercises"):
        points = item.get("points") if is_pool(item) else None
        yield from ((own, points) for own in exercises_in(item))


def _exercise(item: Node, text: str, folder: str, lead: str, *, points: Node | None = None) -> Iterator[str]:
    """The lines of an exercise with its problem in it; what its pool is worth, where it does not say."""
    yield f"{lead}- problem:"
    yield from (f"{lead}    {line}" if line.strip() else "" for line in _plain(text))
    if folder:
        name = folder.replace("'", "''")
        yield f"{lead}  folder: '{name}'"
    kept = [(key.text, value) for key, value in item.entries if key.text in KEPT]
    if points is not None and "points" not in dict(kept):
        kept.append(("points", points))
    yield from (f"{lead}  {name}: {written(value)}" for name, value in kept)


def _plain(text: str) -> list[str]:
    """The lines of a document without the mark that it begins."""
    lines = text.rstrip().split("\n")
    return lines[1:] if lines[0].rstrip() == "---" else lines


def _value(node: Node) -> str:
    """A value of the sheet itself; paragraphs stay apart."""
    if node.is_text and "\n" in node.text.strip():
        block = [f"  {line}".rstrip() for line in node.text.strip().split("\n")]
        return "\n".join(["|-", *block])
    return written(node)
