"""Figures of a text: files beside the problem that are what they are called; everything else is refused."""

import os
import subprocess
from pathlib import Path

import pytest
from pictures import SVG, chunk, pdf, png
from rendering.programs import CAREFUL, FLAGS, Needs

from attnsolve.batch import write
from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.limits import LIMITS
from attnsolve.loader import load
from attnsolve.rendering import render

FILE = """format: 1
title: A figure
intro: |
  Look:

  ![A grey box]({}){{width=40%}}
given: {{q: 1 2, K: 1 0; 0 1}}
parts:
  - ask: What does $q$ get?
    attend: {{queries: q, keys: K}}
    note: |
      - So:

        ![The answer](answer.png "With $x$")
"""


def problem(folder: Path, figure: str, **files: bytes) -> Path:
    """A problem file with a figure, and files beside it (`_` for the dot in their names)."""
    (folder / "answer.png").write_bytes(png())
    for name, data in files.items():
        file = folder / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    path = folder / "problem.yaml"
    path.write_text(FILE.format(figure), encoding="utf-8")
    return path


def compiled(file: Path, needs: Needs) -> str:
    """What pdflatex has to complain about a document among its figures."""
    command = [needs("pdflatex"), *FLAGS, file.name]
    done = subprocess.run(
        command, cwd=file.parent, env=os.environ | CAREFUL, capture_output=True
    )
    return done.stdout.decode(errors="replace")[-600:] if done.returncode else ""


def test_a_figure_is_shown_and_copied(tmp_path: Path, needs: Needs) -> None:
    path = problem(tmp_path, "figures/box.png", figures__box_png=png())
    made = render(solve(load(path)), to="latex", maps=True)
    assert (
        r"\includegraphics[width=0.40\linewidth,height=0.8\textheight,keepaspectratio]{figures/box.png}"
        in made.text
    )
    assert {"answer.png", "figures/box.png"} == {name for name, _ in made.pictures}
    target = tmp_path / "out" / "sheet.tex"
    write(made, target, force=False, say=lambda line: None)
    assert png() == (tmp_path / "out" / "figures" / "box.png").read_bytes()
    write(made, target, force=False, say=lambda line: None)  # the same again is no loss
    assert "" == compiled(target, needs)


@pytest.mark.parametrize(
    ("flavour", "expected"),
    [
        ("pandoc", "![A grey box](box.png){width=40%}"),
        ("github", '<img src="box.png" alt="A grey box" width="40%">'),
    ],
)
def test_figures_in_markdown(flavour: str, expected: str, tmp_path: Path) -> None:
    made = render(solve(load(problem(tmp_path, "box.png", box_png=png()))), to="markdown", flavour=flavour)
    assert expected in made.text
    assert "  ![The answer](answer.png)\n\n  *With $" in made.text
    assert () == made.pictures  # nothing is copied for the screen


def test_an_exercise_sheet_does_not_give_the_answer_away(tmp_path: Path) -> None:
    path = problem(tmp_path, "box.png", box_png=png())
    assert ["box.png"] == [
        name for name, _ in render(solve(load(path)), sheet="exercise", maps=True).pictures
    ]


def test_each_format_takes_the_version_that_it_can_show(tmp_path: Path, needs: Needs) -> None:
    trace = solve(load(problem(tmp_path, "box.svg", box_svg=SVG, box_pdf=pdf())))
    assert "(box.svg)" in render(trace, to="markdown").text
    text = render(trace, to="latex").text
    assert "{box.pdf}" in text
    (tmp_path / "sheet.tex").write_text(text, encoding="utf-8")
    assert "" == compiled(tmp_path / "sheet.tex", needs)


def test_a_format_that_can_show_no_version_says_what_to_add(tmp_path: Path) -> None:
    trace = solve(load(problem(tmp_path, "box.svg", box_svg=SVG)))
    with pytest.raises(
        ProblemError, match=r"problem.yaml:6:17: latex cannot show box.svg; put .* as box.pdf beside"
    ):
        render(trace, to="latex")


@pytest.mark.parametrize(
    ("figure", "files", "message"),
    [
        ("none.png", {}, "there is no file 'none.png' beside the problem"),
        ("../box.png", {}, "leads elsewhere"),
        ("/etc/passwd.png", {}, "leads elsewhere"),
        ("C:\\box.png", {}, "leads elsewhere"),
        ("https://x.org/box.png", {}, "leads elsewhere"),
        ("box.gif", {"box_gif": b"GIF89a"}, "must end in .png, .jpg, .jpeg, .pdf or .svg"),
        ("box.png", {"box_png": b"\\input{x}"}, "box.png is called .png but is no picture that we know"),
        ("box.pdf", {"box_pdf": png()}, "box.pdf is called .pdf but is a PNG"),
        ("box.png", {"box_png": png()[:-20]}, "box.png is cut off"),
        ("box.png", {"box_png": png().replace(b"IDAT", b"IDAX")}, "does not have its checksum"),
        ("box.png", {"box_png": png(90_000, 90_000)}, "has 90000×90000 pixels"),
        ("box.png", {"box_png": b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b"")}, "is cut off"),
        ("box.png", {"box_png": png() + b"x" * LIMITS.figure_bytes}, "the limit is 5000000"),
        ("box.jpg", {"box_jpg": b"\xff\xd8\xff\xe0\x00\x04ab"}, "does not say how large it is"),
        ("box.pdf", {"box_pdf": pdf()[:40]}, "box.pdf is cut off"),
        ("box.svg", {"box_svg": SVG.replace(b"<rect", b"<script>x</script><rect")}, "has '<script' in it"),
        ("box.svg", {"box_svg": SVG.replace(b"<rect", b"<rect onload='x'")}, "has 'onload=' in it"),
        ("box.svg", {"box_svg": b"<?xml version='1.0'?><!DOCTYPE x []>" + SVG}, "has '<!DOCTYPE' in it"),
        ("b%20x.png", {"b x_png": png()}, "name figures with a-z, 0-9"),
        ("-b.png", {"-b_png": png()}, "name figures with a-z, 0-9"),
    ],
)
def test_anything_else_is_refused_where_it_is_named(
    figure: str, files: dict[str, bytes], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ProblemError) as caught:
        load(problem(tmp_path, figure, **files))
    (fault,) = caught.value.faults
    assert message in fault.message
    assert 6 == fault.line


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.png").write_bytes(png())
    (tmp_path / "inside" / "box.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(ProblemError, match="is a link that leads out of the problem's folder"):
        load(problem(tmp_path / "inside", "box.png"))
