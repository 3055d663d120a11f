"""An exercise and its hidden solution as blocks of a book: directives of MyST, callouts of Quarto."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from attnsolve.languages import speaking, translated
from attnsolve.papers import Cover, Paper
from attnsolve.problem_set import Asked, Solved, exercises_of
from attnsolve.rendering import Document, render_trace
from attnsolve.rendering.escaping import markdown
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import current, styled
from attnsolve.rendering.text import prose
from attnsolve.trace import Trace

# A fence longer than any inside it, and at least as long as books are used to.
SHORTEST = 5
TICKS, COLONS = re.compile("`{3,}"), re.compile(":{3,}")


class Blocks(NamedTuple):
    """What a kind of book puts around a page, an exercise and a solution."""

    begin: Callable[[str], str]
    exercise: Callable[[str, str, str], str]  # title, label, body
    solution: Callable[[str, str], str]  # label, body


def render_wrapped(solved: Solved, settings: Settings) -> Document:
    """Every exercise as a block, and below it its solution, which readers open when they want it."""
    blocks = BLOCKS[settings.flavour]
    is_fragment = current().fragment
    pieces = [] if is_fragment else [blocks.begin(solved.problem.title)]
    figures: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    with styled(current().style, fragment=True, limits=current().limits):
        for exercise, trace in exercises_of(solved):
            title = trace.problem.title if is_fragment or exercise is not None else ""
            for made, block in wrapped(trace, inline(title), settings, blocks):
                pieces.append(block)
                figures |= dict(made.figures)
                pictures |= dict(made.pictures)
    return Document("\n".join(pieces), tuple(figures.items()), tuple(pictures.items()))


def render_wrapped_papers(
    papers: Sequence[Paper], cover: Cover, settings: Settings, *, asked: Asked | None = None
) -> Document:
    """The papers of an exam as a page of such blocks, called by their codes; nobody's name is in a book."""
    blocks = BLOCKS[settings.flavour]
    problem = papers[0].trace.problem if papers else asked
    title = cover.title or (problem.title if problem is not None else "")
    with speaking(cover.lang), styled(current().style, fragment=True, limits=current().limits):
        made = [
            block
            for paper in papers
            for _, trace in exercises_of(paper.trace)
            for _, block in wrapped(
                trace, named(trace.problem.title, paper), settings, blocks, ending=f"-{paper.code}"
            )
        ]
    return Document("\n".join([blocks.begin(title), *made]))


def wrapped(
    trace: Trace, title: str, settings: Settings, blocks: Blocks, *, ending: str = ""
) -> Iterator[tuple[Document, str]]:
    """The blocks of one problem, which is called by its name; an exercise sheet has no solution."""
    label = re.sub(r"[^\w-]+", "-", trace.problem.name) + ending
    question = render_trace(trace, settings._replace(sheet="exercise"))
    yield question, blocks.exercise(title, label, question.text)
    if settings.sheet == "solution":
        answer = render_trace(trace, settings)
        yield answer, blocks.solution(label, answer.text)


def named(title: str, paper: Paper) -> str:
    """The title of an exercise with the code of a paper."""
    return f"{inline(title)} ({paper.code})"


def inline(title: str) -> str:
    """A title on one line, with its maths."""
    return "".join(f"${text}$" if is_maths else markdown(text) for is_maths, text in prose(title))


def fence(sign: str, pattern: re.Pattern[str], body: str) -> str:
    """A fence that nothing in the body ends."""
    return sign * max([SHORTEST, *(len(found) + 1 for found in pattern.findall(body))])


def myst_exercise(title: str, label: str, body: str) -> str:
    """The directive of sphinx-exercise and of mystmd."""
    ticks = fence("`", TICKS, body)
    return f"{ticks}{{exercise}} {title}".rstrip() + f"\n:label: {label}\n\n{body}{ticks}\n"


def myst_solution(label: str, body: str) -> str:
    """Its solution, folded away."""
    ticks = fence("`", TICKS, body)
    return f"{ticks}{{solution}} {label}\n:label: {label}-solution\n:class: dropdown\n\n{body}{ticks}\n"


def myst_page(title: str) -> str:
    """The heading of a page."""
    return f"# {inline(title)}\n"


def quarto_page(title: str) -> str:
    """The title of a page, as the metadata of Quarto."""
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    return f'---\ntitle: "{quoted}"\n---\n'


def quarto_exercise(title: str, label: str, body: str) -> str:
    """A callout with a name that can be linked to."""
    colons, exercise = fence(":", COLONS, body), translated("Exercise")
    heading = f"{exercise}: {title}" if title else exercise
    return f"{colons} {{#{label} .callout-tip icon=false}}\n## {heading}\n\n{body}{colons}\n"


def quarto_solution(label: str, body: str) -> str:
    """A callout that is closed until somebody opens it."""
    colons, solution = fence(":", COLONS, body), translated("Solution")
    about = f"{{#{label}-solution .callout-note collapse=true icon=false}}"
    return f"{colons} {about}\n## {solution}\n\n{body}{colons}\n"


BLOCKS = {
    "myst": Blocks(myst_page, myst_exercise, myst_solution),
    "quarto": Blocks(quarto_page, quarto_exercise, quarto_solution),
}
