"""Exercises for books: Sphinx builds them without a warning, Pandoc reads them, solutions are hidden."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rendering.samples import BUNDLED, WITH_SYMBOLS, problem, trace_of

import attnsolve
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.rendering import Document, render
from attnsolve.rendering.books import render_wrapped_papers
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import styled

CONF = """\
extensions = ["myst_parser", "sphinx_exercise"]
myst_enable_extensions = ["dollarmath"]
project = "Book"
"""


def page(name: str, flavour: str = "myst", **choices: Any) -> Document:
    return render(trace_of(name), flavour=flavour, wrap="exercise", maps=True, **choices)


def test_sphinx_builds_every_bundled_page_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    pytest.importorskip("sphinx_exercise")
    (tmp_path / "conf.py").write_text(CONF, "utf-8")
    papers = [Paper(code, trace_of("calculator-free"), name="<b>") for code in ("K7Q2", "M3XW")]
    settings = Settings(flavour="myst", wrap="exercise")
    (tmp_path / "papers.md").write_text(render_wrapped_papers(papers, Cover(), settings).text, "utf-8")
    names = (*BUNDLED, *WITH_SYMBOLS)
    listed = "\n".join([*names, "papers"])
    (tmp_path / "index.md").write_text(f"# Book\n\n```{{toctree}}\n{listed}\n```\n", "utf-8")
    for name in names:
        made = page(name)
        (tmp_path / f"{name}.md").write_text(made.text, "utf-8")
        for file, content in made.figures:
            (tmp_path / file).write_text(content, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ".", "built"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    practice = (tmp_path / "built/papers.html").read_text("utf-8")
    assert 2 == practice.count('class="exercise') == practice.count('class="solution')
    assert "(K7Q2)" in practice and 'id="calculator-free-M3XW"' in practice
    built = (tmp_path / "built/causal-self-attention.html").read_text("utf-8")
    exercise, _, solution = built.partition('class="solution')
    assert 'class="exercise' in exercise and "No look ahead" in exercise
    assert "Softmax: exponentiate, add up, divide" not in exercise
    assert "Softmax: exponentiate, add up, divide" in solution and "dropdown" in solution[:100]


@pytest.mark.parametrize("name", ["attention-quiz", "causal-self-attention"])
@pytest.mark.parametrize("flavour", ["myst", "quarto"])
def test_nothing_of_the_page_is_lost(name: str, flavour: str) -> None:
    """What the solution says stands in one of the two blocks, each question once."""
    wrapped, plain = (
        page(name, flavour).text,
        attnsolve.render(trace_of(name), flavour=flavour, wrap="none", maps=True),
    )
    for line in plain.splitlines():
        words = re.sub(r"^#+ (.*)$", r"**\1**", line)
        assert line.startswith(("# ", "---", "title:")) or words in wrapped
    for part in trace_of(name).problem.parts:
        assert 1 == wrapped.count(f"> {part.ask.splitlines()[0][:20]}")
    assert ("\\boxtimes" in wrapped) == (name == "attention-quiz")


def test_a_fence_is_longer_than_those_inside() -> None:
    """Somebody's text may have fences of its own."""
    text = problem(
        "given: {S: 1 2}\nparts:\n"
        '  - ask: "Run this:\\n\\n``````\\n:::::::\\n``````\\n"\n    attend: {scores: S}'
    )
    made = {
        flavour: render(solve(loads(text)), flavour=flavour, wrap="exercise").text
        for flavour in ("myst", "quarto")
    }
    inner = max(map(len, re.findall("`{3,}", made["myst"].replace("{exercise}", "x").split("\n", 4)[4])))
    assert made["myst"].split("{exercise}")[0].count("`") >= inner
    assert "\n:::::::: {" in f"\n{made['quarto']}"


def blocks(text: str, needs: Any) -> list[Any]:
    needs("pandoc")
    done = subprocess.run(
        ["pandoc", "-f", "markdown", "-t", "json"], input=text, capture_output=True, text=True
    )
    assert (0, "") == (done.returncode, done.stderr)
    return [block for block in json.loads(done.stdout)["blocks"] if block["t"] == "Div"]


@pytest.mark.parametrize("name", BUNDLED[::4])
def test_pandoc_reads_two_callouts(name: str, needs: Any) -> None:
    """Quarto reads Markdown with Pandoc; more headings in a callout would be in the contents of a book."""
    text = render(trace_of(name), flavour="quarto", maps=True).text
    assert text.startswith("---\ntitle: ")
    exercise, solution = blocks(text, needs)
    (label, classes, _), inside = exercise["c"]
    assert (name, ["callout-tip"]) == (label, classes)
    assert ["Header"] == [block["t"] for block in inside if block["t"] == "Header"]
    (label, classes, attributes), inside = solution["c"]
    assert (f"{name}-solution", ["callout-note"]) == (label, classes)
    assert ["collapse", "true"] in attributes
    assert ["Header"] == [block["t"] for block in inside if block["t"] == "Header"]


def test_an_exercise_sheet_has_no_solution() -> None:
    assert "{solution}" not in page("causal-self-attention", sheet="exercise").text


def test_a_fragment_is_the_blocks_alone() -> None:
    with styled(fragment=True):
        myst, quarto = page("attention-quiz").text, page("attention-quiz", "quarto").text
    assert myst.startswith("`````{exercise} A quiz on attention\n:label: attention-quiz\n")
    assert quarto.startswith(
        "::::: {#attention-quiz .callout-tip icon=false}\n## Exercise: A quiz on attention\n"
    )


def test_blocks_speak_the_language_of_the_sheet() -> None:
    made = page("attention-quiz", "quarto", lang="de").text
    assert "\n## Aufgabe\n" in made and "\n## Lösung\n" in made


SHEET = "format: 1\ntitle: Week 3\nexercises: [one.yaml, two.yaml]\n"


def test_a_sheet_has_a_pair_of_blocks_for_each_exercise(tmp_path: Path) -> None:
    (tmp_path / "sheet.yaml").write_text(SHEET, "utf-8")
    for name in ("one", "two"):
        body = problem("given: {S: 1 2}\nparts: [{ask: x, attend: {scores: S}}]", title=f"Called {name}")
        (tmp_path / f"{name}.yaml").write_text(body, "utf-8")
    made = attnsolve.render(tmp_path / "sheet.yaml", flavour="myst", wrap="exercise")
    assert made.startswith("# Week 3\n")
    assert [
        "{exercise} Called one",
        "{solution} sheet-1",
        "{exercise} Called two",
        "{solution} sheet-2",
    ] == re.findall(r"^`{5}(\{.*)$", made, re.MULTILINE)


@pytest.mark.parametrize(
    "choices",
    [{"flavour": "github"}, {"to": "latex", "flavour": "myst"}, {"flavour": "myst", "sheet": "markscheme"}],
)
def test_what_does_not_go_together_is_refused(choices: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="flavour myst or quarto"):
        Settings(wrap="exercise", **choices)  # type: ignore[arg-type]
