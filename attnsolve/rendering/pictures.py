"""The figures of a lecturer's text in a dialect: which version of a file it can show, and what to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnsolve.errors import Fault, ProblemError
from attnsolve.picture_kinds import PictureKind
from attnsolve.problem import Part, Problem
from attnsolve.prose import blocks, figures
from attnsolve.prose.tree import Block, Blocks, Bullets, Figure, Numbered
from attnsolve.rendering.dialects import DIALECTS_BY_NAME
from attnsolve.rendering.settings import Settings

if TYPE_CHECKING:
    from attnsolve.prose.pictures import Picture, Versions


def illustrated(text: str, problem: Problem, to: str) -> Blocks:
    """A text in which every figure is one that the dialect can show."""
    found = blocks(text)
    return tuple(shown(block, problem, to) for block in found) if problem.pictures else found


def shown(block: Block, problem: Problem, to: str) -> Block:
    """A block with the figures that the dialect can show."""
    if isinstance(block, Figure):
        picture = version(problem, block.file, to)
        return block._replace(file=embedded(picture) if DIALECTS_BY_NAME[to].embeds else picture.file)
    if isinstance(block, Bullets | Numbered):
        items = tuple(tuple(shown(inner, problem, to) for inner in item) for item in block.items)
        return block._replace(items=items)
    return block


MEDIA_TYPES = {
    PictureKind.PNG: "image/png",
    PictureKind.JPEG: "image/jpeg",
    PictureKind.PDF: "application/pdf",
    PictureKind.SVG: "image/svg+xml",
}


def embedded(picture: Picture) -> str:
    """A picture as an address that holds all of it."""
    from base64 import b64encode  # few texts have figures

    return f"data:{MEDIA_TYPES[picture.kind]};base64,{b64encode(picture.data).decode()}"


def version(problem: Problem, file: str, to: str) -> Picture:
    """The version of a figure of a problem that a dialect can show."""
    return version_for(problem.pictures[file], file, to, named_in=problem.file)


def version_for(versions: Versions, file: str, to: str, *, named_in: str) -> Picture:
    """The file itself where the dialect takes its kind, else one of that name with another ending."""
    takes = DIALECTS_BY_NAME[to].takes
    for picture in versions.pictures:
        if picture.kind in takes:
            return picture
    kinds = " or ".join(kind.value[0] for kind in takes)
    stem = file.rpartition(".")[0]
    said = f"{to} cannot show {file}; put the same figure as {stem}{takes[0].value[0]} beside it ({kinds})"
    raise ProblemError([Fault(named_in, versions.line, versions.column, "", said)])


def texts(problem: Problem, sheet: str) -> list[str]:
    """What is printed of a problem's texts: no exercise sheet shows the figures of its solution."""
    asked = [
        problem.intro,
        *(text for part in problem.parts for text in (part.ask, *offered(part), part.explain)),
    ]
    answers = [text for part in problem.parts for text in answered(part)]
    return {"exercise": asked, "markscheme": answers}.get(sheet, [*asked, *answers])


def offered(part: Part) -> tuple[str, ...]:
    """The options that a part has in words."""
    return () if part.choice is None else (*part.choice.right, *(text for text, _ in part.choice.wrong))


def answered(part: Part) -> tuple[str, ...]:
    """What a part says to its answer."""
    return *offered(part), part.discuss, part.note


def to_be_copied(problem: Problem, settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """The files that a document shows, by the names under which it does."""
    if not problem.pictures:
        return ()
    named = [figure.file for text in texts(problem, settings.sheet) for figure in figures(blocks(text))]
    chosen = {version(problem, file, settings.to) for file in named}
    return tuple(sorted((picture.file, picture.data) for picture in chosen))
