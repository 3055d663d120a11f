"""Attention maps: well-formed, the same every time, readable in grey, and said in words."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner
from rendering import recomputed
from rendering.programs import Needs, commonmark, nodes, pdflatex, pdftotext, tree, words
from rendering.samples import MADE, NAMES, problem, trace_of

from attnsolve.cli import cli
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import Settings, render
from attnsolve.rendering.maps import colour
from attnsolve.rendering.views import document

SVG = "{http://www.w3.org/2000/svg}"
PLOTTED = [name for name in NAMES if any(part.plots for part in trace_of(name).problem.parts)]


def figures(name: str) -> list[tuple[str, str]]:
    return list(render(trace_of(name), maps=True).figures)


def plots(name: str) -> list[str]:
    return [plot for part in trace_of(name).problem.parts for plot in part.plots]


def laid(name: str, plot: str) -> list[float]:
    """The weights in the order in which they are printed."""
    problem, rows = trace_of(name).problem, recomputed.values(name)[plot]
    turned = problem.convention.turns(None, problem.frames[plot])
    return [float(weight) for row in (zip(*rows, strict=True) if turned else rows) for weight in row]


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, as WCAG 2.2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_counted_as_the_standard_does() -> None:
    assert 21 == pytest.approx(contrast("#000000", "#ffffff"))
    assert 4.48 == pytest.approx(contrast("#777777", "#ffffff"), abs=0.01)


def squares(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The cells of a map; the first rectangle is the paper."""
    return root.findall(f"{SVG}rect")[1:]


def inside(root: ElementTree.Element, square: ElementTree.Element) -> list[ElementTree.Element]:
    """The texts whose anchor lies in a cell."""
    left, top = float(square.attrib["x"]), float(square.attrib["y"])
    right, bottom = left + float(square.attrib["width"]), top + float(square.attrib["height"])
    texts = root.findall(f"{SVG}text")
    return [t for t in texts if left < float(t.attrib["x"]) < right and top < float(t.attrib["y"]) < bottom]


def test_there_are_maps_to_look_at() -> None:
    assert {"ist-practical-10", "wide", "labels", "columns"} <= set(PLOTTED)


@pytest.mark.parametrize("name", PLOTTED)
def test_every_cell_has_its_value_in_ink_that_can_be_read(name: str) -> None:
    assert len(plots(name)) == len(figures(name))
    for plot, (_, svg) in zip(plots(name), figures(name), strict=True):
        root = ElementTree.fromstring(svg)
        weights = laid(name, plot)
        cells = squares(root)
        assert len(weights) == len(cells)
        for weight, cell in zip(weights, cells, strict=True):
            (text,) = inside(root, cell)
            shown = 0.0 if text.text == "–" else float(text.text or "")
            assert abs(shown - weight) <= (0 if text.text == "–" else 0.005 + 1e-12)
            assert contrast(cell.attrib["fill"], text.attrib["fill"]) >= 4.5


@pytest.mark.parametrize("name", PLOTTED)
def test_more_weight_is_never_lighter(name: str) -> None:
    for plot, (_, svg) in zip(plots(name), figures(name), strict=True):
        weights = laid(name, plot)
        shades = [luminance(cell.attrib["fill"]) for cell in squares(ElementTree.fromstring(svg))]
        ordered = [
            shade
            for _, shade in sorted(zip(weights, shades, strict=True), key=lambda pair: (pair[0], -pair[1]))
        ]
        assert ordered == sorted(ordered, reverse=True)


def test_the_ramp_goes_evenly_from_white_to_dark() -> None:
    ramp = [luminance(colour(shade)) for shade in range(101)]
    assert ramp == sorted(set(ramp), reverse=True)
    assert "#ffffff" == colour(0)
    assert contrast(colour(0), colour(100)) > 10


@pytest.mark.parametrize("name", PLOTTED)
def test_the_picture_says_what_it_is(name: str) -> None:
    for _, svg in figures(name):
        root = ElementTree.fromstring(svg)
        assert "img" == root.attrib["role"]
        title, description = root.findtext(f"{SVG}title") or "", root.findtext(f"{SVG}desc") or ""
        assert title.startswith("Attention map of ")
        assert " of its weight on " in description
        assert not re.search(r"[\\{}$]", title + description)


def labels_on_axes(svg: str) -> tuple[list[str], list[str]]:
    """Texts to the left of the cells and above them."""
    root = ElementTree.fromstring(svg)
    left = min(float(cell.attrib["x"]) for cell in squares(root))
    top = min(float(cell.attrib["y"]) for cell in squares(root))
    texts = root.findall(f"{SVG}text")
    rows = [t.text or "" for t in texts if float(t.attrib["x"]) < left]
    columns = [t.text or "" for t in texts if float(t.attrib["y"]) < top and float(t.attrib["x"]) >= left]
    return rows, columns


def test_tokens_are_named_on_both_axes() -> None:
    ((_, svg),) = figures("labels")
    tokens = list(trace_of("labels").problem.labels[""])
    assert (tokens, tokens) == labels_on_axes(svg)
    ((_, svg),) = figures("ist-practical-10")
    tokens = ["x₁", "x₂", "x₃", "x₄"]
    assert (tokens, tokens) == labels_on_axes(svg)
    ((_, svg),) = figures("ties")
    assert (["q"], ["sun", "moon", "star"]) == labels_on_axes(svg)


def test_long_labels_do_not_run_into_each_other() -> None:
    """A letter of sans-serif at 15 px is hardly ever wider than 9 px on average."""
    ((_, svg),) = figures("labels")
    root = ElementTree.fromstring(svg)
    width = float(root.attrib["width"])
    spans = []
    for text in root.findall(f"{SVG}text"):
        x, length = float(text.attrib["x"]), 8 * len(text.text or "")
        start = x - length if text.attrib["text-anchor"] == "end" else x - length / 2
        spans.append((float(text.attrib["y"]), start, start + length))
    for y, start, end in spans:
        assert 0 <= start and end <= width
        others = [other for other in spans if other[0] == y and other != (y, start, end)]
        assert all(end <= s or e <= start for _, s, e in others)


@pytest.mark.parametrize("name", PLOTTED)
def test_the_same_bytes_every_time(name: str) -> None:
    again = solve(loads(MADE[name], name=name)) if name in MADE else trace_of(name)
    assert figures(name) == list(render(again, maps=True).figures)


@pytest.mark.parametrize("name", PLOTTED)
def test_files_are_named_apart(name: str) -> None:
    names = [file for file, _ in figures(name)]
    assert len(set(names)) == len(names)
    assert [] == [file for file in names if not re.fullmatch(r"[\w.-]+\.svg", file)]


def test_hostile_labels_stay_text() -> None:
    body = """
labels: ['</text><script>alert(1)</script>', '&amp; "x"']
given: {X: 1 2; 3 4}
parts: [{ask: Draw it., self_attention: {input: X}, plot: weights}]
"""
    ((_, svg),) = render(solve(loads(problem(body))), maps=True).figures
    root = ElementTree.fromstring(svg)
    assert [] == root.findall(f".//{SVG}script")
    tokens = ["</text><script>alert(1)</script>", '&amp; "x"']
    assert (tokens, tokens) == labels_on_axes(svg)


# -- beside the text -------------------------------------------------------------------------------


def test_markdown_shows_the_file_that_is_written_beside_it(tmp_path: Path, needs: Needs) -> None:
    done = CliRunner().invoke(cli, ["render", "ist-practical-10", "-o", str(tmp_path / "out.md")])
    assert 0 == done.exit_code
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    ((alt, (file, _)),) = [(words(c[1]), c[2]) for kind, c in nodes(tree(text, needs)) if kind == "Image"]
    assert ElementTree.fromstring((tmp_path / file).read_text(encoding="utf-8"))
    assert {"out.md", file} == {path.name for path in tmp_path.iterdir()}
    assert "x₂ puts about 60\u00a0% of its weight on x₁." in alt


def test_without_a_file_the_map_is_a_table() -> None:
    done = CliRunner().invoke(cli, ["render", "ist-practical-10"])
    assert "![" not in done.stdout
    assert re.search(r"^\| \$x_\{2\}\$ \| 0\.60 \| 0\.00 \| 0\.40 \| 0\.00 \|$", done.stdout, re.M)


@pytest.mark.parametrize("name", ["my sheet (1)", "week 3, part b"])
def test_a_file_name_with_spaces_still_links(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.yaml").write_text(MADE["ties"], encoding="utf-8")
    done = CliRunner().invoke(cli, ["render", str(tmp_path / f"{name}.yaml"), "-o", f"{tmp_path}/out/"])
    assert 0 == done.exit_code
    (text,) = [file.read_text(encoding="utf-8") for file in (tmp_path / "out").glob("*.md")]
    tokens = commonmark("github").parse(text)
    (image,) = [child for token in tokens for child in token.children or () if child.type == "image"]
    drawn = [file.name for file in (tmp_path / "out").glob("*.svg")]
    assert [re.sub("%20", " ", str(image.attrs["src"]))] == drawn


@pytest.mark.parametrize("name", ["wide", "heads", "columns"])
def test_alt_text_says_where_the_weight_goes_for_every_query(name: str) -> None:
    """Where most of a row goes, found anew from the numbers."""
    for part in document(trace_of(name), Settings(maps=True)).parts:
        for drawn in part.maps:
            said = "".join(text for _, text in drawn.alt)
            rows = recomputed.values(name)[drawn.name]
            assert len(rows) == said.count(" of its weight on ")


# -- in LaTeX ----------------------------------------------------------------------------------------


def test_latex_shows_a_coloured_table(tmp_path: Path, needs: Needs) -> None:
    text = render(trace_of("ist-practical-10"), to="latex").text
    assert 16 == text.count(r"\cellcolor")
    assert not re.search(r"includegraphics|tikz", text)
    done = pdflatex(text, tmp_path, needs)
    assert 0 == done.code
    assert "x2 0.60 0.00 0.40 0.00" in pdftotext(done.pdf, needs)


@pytest.mark.parametrize("name", [name for name in PLOTTED if name in ("ist-practical-10", "wide", "heads")])
def test_latex_prints_in_ink_that_can_be_read(name: str) -> None:
    text = render(trace_of(name), to="latex").text
    cells = re.findall(r"\\cellcolor\[HTML\]\{(\w{6})\}(\\textcolor\{white\})?", text)
    assert cells
    for paper, white in cells:
        assert contrast(f"#{paper.lower()}", "#ffffff" if white else "#000000") >= 4.5


MASKED = """
convention: %s
given: {X: 1 0; 0 3}
parts: [{ask: x, self_attention: {input: X, divide_by: none, mask: {causal: true}}, plot: weights}]
"""


@pytest.mark.parametrize(
    ("convention", "shown", "sides"),
    [
        ("rows", [["1.00", "–"], ["0.00", "1.00"]], "Rows ask, columns are looked at."),
        ("columns", [["1.00", "0.00"], ["–", "1.00"]], "Columns ask, rows are looked at."),
    ],
)
def test_a_map_lies_as_its_weights_do_and_tells_hidden_from_small(
    convention: str, shown: list[list[str]], sides: str
) -> None:
    """By hand: token 1 sees itself only; token 2 gives e^0 / (e^0 + e^9) = 0.0001 to token 1."""
    trace = solve(loads(problem(MASKED % convention)))
    (drawn,) = document(trace, Settings()).parts[0].maps
    assert shown == [[cell.text for cell in row] for row in drawn.rows]
    assert ((False, sides),) == drawn.sides
    assert ((False, "The numbers are rounded to 2 places. – is hidden by a mask."),) == drawn.signs


def test_both_sides_of_cross_attention_have_their_names() -> None:
    trace = solve(
        loads(
            problem(
                """
labels: {X: [le, chat], Y: [the, cat, sat]}
given: {X: 1 0; 0 1, Y: 1 0; 0 1; 2 1}
parts: [{ask: x, cross_attention: {input: X, context: Y}, plot: weights}]
"""
            )
        )
    )
    ((_, svg),) = render(trace, maps=True).figures
    assert (["le", "chat"], ["the", "cat", "sat"]) == labels_on_axes(svg)
    text = render(trace).text
    assert "The tokens of $X$ are, in this order: le, chat." in text
    assert "The tokens of $Y$ are, in this order: the, cat, sat." in text


@pytest.mark.parametrize("filling", range(3))
def test_no_caption_is_torn_from_its_map(filling: int, tmp_path: Path, needs: Needs) -> None:
    """Wherever a page ends, the words above a map and the map stand on one side of it."""
    heads = "[{W_Q: W, W_K: U, W_V: W}, {W_Q: U, W_K: U, W_V: W}]"
    text = problem(
        f"""
intro: {"Look at this exercise for a while before you begin with the first part of it. " * (4 * filling + 1)}
convention: columns
given: {{H: '1 0 1; 0 2 1; 1 1 0', W: 1 0 1; 0 1 0, U: 1 1 0; 0 0 1, O: 1 0 1 0; 0 1 0 1; 1 1 0 0}}
parts:
  - ask: Find the output.
    multi_head: {{input: H, heads: {heads}, W_O: O}}
    plot: weights
"""
    )
    done = pdflatex(render(solve(loads(text)), to="latex").text, tmp_path, needs)
    pages = pdftotext(done.pdf, needs).split("\f")
    assert 2 == sum(page.count("Attention map of") for page in pages)
    for page in pages:
        maps = re.findall(r"^h3 0\.\d\d 0\.\d\d 0\.\d\d$", page, re.M)
        assert page.count("Attention map of") == page.count("2 places.") == len(maps)
