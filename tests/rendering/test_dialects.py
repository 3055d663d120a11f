"""A format that forgets something fails here: each one has every macro, and prints all that a view holds."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rendering.grid import first_parts
from rendering.samples import trace_of
from rendering.web import Page

from attnsolve.bundled import data
from attnsolve.prose.tree import Words
from attnsolve.rendering import Settings, render
from attnsolve.rendering.dialects import DIALECTS, DIALECTS_BY_ENDING, DIALECTS_BY_NAME, PRINTED, Pictures
from attnsolve.rendering.markscheme import scheme_view
from attnsolve.rendering.prose import MACROS
from attnsolve.rendering.settings import SHEETS
from attnsolve.rendering.template_tools import APART, ROW_END
from attnsolve.rendering.templates import module
from attnsolve.rendering.views import document
from attnsolve.trace import Trace

TEMPLATES = data("templates")
SHEET_FILES = sorted(path.stem for path in (TEMPLATES / "sheets").glob("*.j2"))
# What a view has besides what is printed: for pictures in files, and for programs.
UNPRINTED = {"alt", "svg", "file", "link", "name", "shade", "dark", "detail", "number", "id", "marks"}


def test_names_and_endings_belong_to_one_format() -> None:
    assert len(DIALECTS) == len(DIALECTS_BY_NAME)
    assert sum(len(dialect.endings) for dialect in DIALECTS) == len(DIALECTS_BY_ENDING)
    assert all(ending.startswith(".") for ending in DIALECTS_BY_ENDING)
    files = {path.stem.removesuffix("-papers") for path in (TEMPLATES / "dialects").glob("*.j2")}
    assert files == set(PRINTED), "a format with templates is in the list, and has all of them"


# What sheets share for papers alone: rooms to write in, lines to fill in.
FOR_PAPERS = re.compile(r"<% macro (?:filled_lines|signed_lines|answer_room)\(.*?<% endmacro %>", re.DOTALL)


def called_macros(sheet: str, *, papers: bool) -> set[str]:
    """The macros of its dialect that a sheet calls, or the dialect of papers."""
    source = (TEMPLATES / "sheets" / f"{sheet}.j2").read_text("utf-8")
    return set(re.findall(r"\bd\.(\w+)\(", source if papers else FOR_PAPERS.sub("", source)))


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("sheet", SHEET_FILES)
def test_every_macro_that_a_sheet_calls_is_there(sheet: str, name: str) -> None:
    source = (TEMPLATES / "sheets" / f"{sheet}.j2").read_text("utf-8")
    files = [f"{name}-papers"] if "import paged" in source else [name]
    # What several sheets share must do for both.
    files = [name, f"{name}-papers"] if sheet in ("questions", "solution") else files
    for file in files:
        known = {"flavour": "pandoc", "maps_beside": False, "maps_inside": False}
        macros = module(f"dialects/{file}.j2", known)
        called = called_macros(sheet, papers=file.endswith("-papers"))
        assert set() == {macro for macro in called if not hasattr(macros, macro)}


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("file", ["dialects/{}.j2", "dialects/{}-papers.j2", "sheets/within.j2"])
def test_every_format_can_print_any_text(name: str, file: str) -> None:
    """A sheet, a paper and an exercise among others have a macro for every kind of record in a text."""
    known = {"flavour": "pandoc", "maps_beside": False, "maps_inside": False, "outer": f"dialects/{name}.j2"}
    macros = module(file.format(name), known)
    assert set() == {macro for macro in MACROS if not hasattr(macros, macro)}


def pieces(view: Any) -> Iterator[tuple[bool, str]]:
    """(is it maths?, text) of everything in a view that a reader should see."""
    if isinstance(view, Words):
        yield False, view.text
    elif isinstance(view, tuple) and hasattr(view, "_fields"):
        for field in view._fields:
            if field not in UNPRINTED:
                # Names that are typed are words, which formats escape: they are read in their sentence.
                yield from pieces(getattr(view, "called" if field == "typed" else field))
    elif isinstance(view, tuple) and len(view) == 2 and isinstance(view[0], bool):
        yield view
    elif isinstance(view, tuple):
        for inner in view:
            yield from pieces(inner)
    elif isinstance(view, str):
        yield True, view  # formulas stand alone; so do rows of aligned displays


def view_of(trace: Trace, settings: Settings) -> Any:
    return scheme_view(trace, settings) if settings.sheet == "markscheme" else document(trace, settings)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).replace("\\vert", "|").replace(APART.strip(), ROW_END.strip())


FORMULA = re.compile(r'#(?:formula|shown)\("(?:[^"\\]|\\.)*", \$ (.*?) \$\);')


def visible(text: str, to: str) -> str:
    """What is read of a document: in HTML, what stands between the tags, which must be in order."""
    if to == "typst":  # formulas without the words for those who hear them
        return FORMULA.sub(r"\1", text)
    if to != "html":
        return text
    page = Page(text)
    assert [] == page.faults
    return page.text.replace("\u2061", "")


def missing(trace: Trace, settings: Settings) -> list[str]:
    """What a view holds and its document does not show."""
    escape = DIALECTS_BY_NAME[settings.to].escape
    assert escape is not None
    maths = DIALECTS_BY_NAME[settings.to].maths
    text = squeezed(visible(render(trace, settings=settings).text, settings.to))
    held = dict.fromkeys(pair for pair in pieces(view_of(trace, settings)) if pair[1].strip())
    shown = [(maths(piece) if maths else piece) if is_maths else escape(piece) for is_maths, piece in held]
    return [piece for piece in shown if squeezed(visible(piece, settings.to)) not in text]


@pytest.mark.parametrize("to", PRINTED)
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_format_prints_all_that_a_view_holds(sheet: str, to: str) -> None:
    for name, trace in first_parts(SHEETS.index(sheet) + PRINTED.index(to)).items():
        assert [] == missing(trace, Settings(to=to, sheet=sheet)), name


@pytest.mark.parametrize("to", PRINTED)
def test_maps_are_shown_with_their_numbers(to: str) -> None:
    trace = trace_of("heads")
    drawn = [one for part in document(trace, Settings(to=to)).parts for one in part.maps]
    made = render(trace, to=to)
    assert 3 == len(drawn)
    for one in drawn:
        assert all(cell.text in made.text for row in one.rows for cell in row)
    assert () == made.figures


@pytest.mark.parametrize("to", [one.name for one in DIALECTS if one.pictures is Pictures.BESIDE])
def test_pictures_beside_a_document_are_named_in_it(to: str) -> None:
    made = render(trace_of("heads"), to=to, maps=True)
    assert 3 == len(made.figures)
    assert all(file in made.text and svg.startswith("<svg") for file, svg in made.figures)


@pytest.mark.parametrize("to", PRINTED)
def test_a_format_that_drops_its_maps_would_be_seen(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk itself: a view with something that no template prints."""
    trace, settings = trace_of("ties"), Settings(to=to)
    assert [] == missing(trace, settings)
    view = document(trace, settings)
    other = view._replace(title=((False, "Nobody prints this"),))
    monkeypatch.setitem(globals(), "view_of", lambda *_: other)
    assert ["Nobody prints this"] == [piece.replace("\\", "") for piece in missing(trace, settings)]


@pytest.mark.parametrize("to", [dialect.name for dialect in DIALECTS if dialect.fills_sheets])
def test_an_exercise_sheet_says_what_its_values_are_called_when_they_are_typed(to: str) -> None:
    trace = trace_of("ist-practical-10")
    text = render(trace, to=to, sheet="exercise").text.replace("\\", "")  # some formats escape points
    assert 3 == text.count("When they are typed")
    assert all(name in text for name in ("a.A", "a.Z", "b.Q", "b.A", "c.Z"))
