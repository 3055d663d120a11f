"""A folder of web pages: an index that leads to all of them, and in other formats none."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from rendering.web import Page

from attnsolve.cli import cli
from attnsolve.rendering import Settings
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.sites import render_index

PROBLEM = """
format: 1
title: {title}
given: {{X: 1 2; 3 4}}
parts: [{{ask: Find it., self_attention: {{input: X}}}}]
"""
TITLES = {"a": "Masks <b> & $Q$", "über": "Ganz einfach", "c": "Attention à la carte"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "problems"
    made.mkdir()
    for name, title in TITLES.items():
        (made / f"{name}.yaml").write_text(PROBLEM.format(title=title), encoding="utf-8")
    return made


def render(folder: Path, *arguments: str) -> set[str]:
    """The files that `render` makes of a folder."""
    out = folder.parent / "out"
    done = CliRunner().invoke(cli, ["render", str(folder), "-o", f"{out}/", *arguments])
    assert 0 == done.exit_code, done.output
    return {file.name for file in out.iterdir()}


def test_a_folder_has_an_index_of_its_titles(folder: Path) -> None:
    assert {"a.html", "über.html", "c.html", "index.html"} == render(folder, "--to", "html")
    read = Page((folder.parent / "out" / "index.html").read_text("utf-8"))
    assert [] == read.faults
    links = [link["href"] for link in read.all("a") if not link["href"].startswith("#")]
    assert {"a.html", "c.html", "%C3%BCber.html"} == set(links)
    assert "Worked solutions" in read.text
    assert all(words in read.text for words in ("Masks <b> & Q", "Ganz einfach", "Attention à la carte"))


def test_it_is_written_again_only_when_it_may_be(folder: Path) -> None:
    render(folder, "--to", "html")
    assert "index.html" in render(folder, "--to", "html")  # nothing has changed
    index = folder.parent / "out" / "index.html"
    index.write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(cli, ["render", str(folder), "-o", f"{folder.parent}/out/", "--to", "html"])
    assert 0 != done.exit_code and "mine" == index.read_text("utf-8")
    render(folder, "--to", "html", "--force")
    assert "mine" != index.read_text("utf-8")


def test_a_problem_that_is_called_index_keeps_its_place(folder: Path) -> None:
    (folder / "index.yaml").write_text(PROBLEM.format(title="First"), encoding="utf-8")
    assert {"a.html", "über.html", "c.html", "index.html"} == render(folder, "--to", "html")
    assert "<h1>First</h1>" in (folder.parent / "out" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("arguments", [("--to", "markdown"), ("--to", "html", "--fragment")])
def test_others_have_none(arguments: tuple[str, ...], folder: Path) -> None:
    assert not any(name.startswith("index") for name in render(folder, *arguments))


@pytest.mark.parametrize("to", PRINTED)
def test_every_format_could_have_one(to: str) -> None:
    text = render_index([("One & two", "1.html"), ("", "a_b.html")], Settings(to=to, lang="de")).text
    assert "Musterlösungen" in text and "One " in text
    assert "1.html" in text.replace("{", "").replace("}", "") and text.count("html") >= 3
