"""A site as files: what is in it, how large it is, what is refused; and the same values in browsers."""

import json
import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from practice.fingerprints import fingerprints
from practice.scenes import drill, source
from rendering.programs import Needs

from attnsolve import whole_files
from attnsolve.batch import find
from attnsolve.bundled import problem_files
from attnsolve.cli.site import site as command
from attnsolve.errors import AttnsolveError
from attnsolve.languages import CODES
from attnsolve.practice.browser import Desk
from attnsolve.practice.drill import Drill
from attnsolve.practice.source import Source
from attnsolve.site import building, engine
from attnsolve.site.building import LATER, MARK, MOST_GZIPPED, Site, first_visit
from attnsolve.site.topics import Topic, Work, products_of, topic_of, work_of
from attnsolve.whole_files import replace_file

DRAWN = ["ist-practical-10"]


@pytest.mark.timeout(400)
def test_values_are_the_same_in_browsers(folder: Path, needs: Needs, tmp_path: Path) -> None:
    texts = {path.stem: path.read_text("utf-8") for path in problem_files().values()}
    code = (Path(__file__).parents[1] / "practice" / "fingerprints.py").read_text("utf-8")
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps({"code": code, "texts": texts, "drawn": DRAWN}), encoding="utf-8")
    script = str(Path(__file__).parent / "values.mjs")
    done = subprocess.run(
        [needs("node"), script, str(folder / "engine"), str(asked)],
        capture_output=True,
        text=True,
        timeout=380,
    )
    assert 0 == done.returncode, done.stderr[-2000:]
    there = json.loads(done.stdout.strip().splitlines()[-1])
    assert fingerprints(texts, DRAWN) == there
    assert len(texts) + 6 == len(there)


def test_the_first_visit_is_small_enough(site: Site) -> None:
    sizes = site.sizes()
    assert first_visit(sizes) <= MOST_GZIPPED
    assert LATER in {size.file for size in sizes}


def test_pages_load_nothing_from_elsewhere_and_hold_no_script(site: Site) -> None:
    for name in ("index.html", "own.html", "ist-practical-10.html"):
        page = site.files[name].decode()
        assert "default-src 'none'" in page
        assert "http" not in page.replace("http-equiv", "")
        assert page.count("<script") == page.count('<script type="application/json"') + page.count(" src=")
        assert " style=" not in page


def test_everything_but_sympy_is_kept_offline(site: Site) -> None:
    script = site.files["offline.js"].decode()
    assert all(f'"{name}"' in script for name in site.files if name not in (LATER, "offline.js"))
    assert f'"{LATER}"' not in script


def test_pages_are_there_in_every_language(site: Site) -> None:
    for page in ("index", "own", "ist-practical-10"):
        for code, said in (
            ("de", "Alle Aufgaben"),
            ("pt", "Todos os exercícios"),
            ("fr", "Tous les exercices"),
        ):
            there = site.files[f"{page}.{code}.html"].decode()
            assert f'<html lang="{code}">' in there
            assert all(f'hreflang="{other}"' in there for other in CODES)
            assert (said in there) is (page != "index")
            assert f'href="index.{code}.html"' in there
    assert 4 == sum(name.startswith("ist-practical-10-example") for name in site.files)


def test_one_language_needs_no_switch(tmp_path: Path) -> None:
    made = Site(lang="de", say=lambda words: None)
    list(made.add_exercises([find("two-queries")]))
    assert ["two-queries.html"] == list(made.files)
    assert "hreflang" not in made.files["two-queries.html"].decode()


def test_data_files_and_figures_come_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("2,0\n0,1")
    (tmp_path / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')
    text = """format: 1
title: T
given: {X: {file: x.csv}}
parts: [{ask: "Find A.\\n\\n![a dot](dot.svg)", self_attention: {input: X}, find: A}]
"""
    (tmp_path / "t.yaml").write_text(text)
    made = Site(lang="en", say=lambda words: None)
    list(made.add_exercises([tmp_path / "t.yaml"]))
    page = made.files["t.html"].decode()
    assert "data:image/svg+xml" in page
    files = json.loads(page.partition('id="files">')[2].partition("</script>")[0])
    assert {"x.csv", "dot.svg"} == set(files)
    desk = Desk()
    opened = desk.handle(json.dumps({"kind": "open", "text": text, "name": "t", "files": files}))
    assert "data:image/svg+xml" in json.loads(opened)["body"]
    asked = {"kind": "wish", "wish": "answer", "name": "a.S", "cells": [["4", "0"], ["0", "1"]]}
    assert "right" == json.loads(desk.handle(json.dumps(asked)))["stands"]["a.S"]


def called(names: Iterable[str], folder: Path) -> list[Path]:
    """The same small exercise under several names."""
    files = [folder / f"{name}.yaml" for name in names]
    for file in files:
        file.write_text(find("one-key").read_text("utf-8"), encoding="utf-8")
    return files


def test_a_name_that_a_page_has_already_is_refused(tmp_path: Path) -> None:
    made = Site(lang="en", say=lambda words: None)
    list(made.add_exercises([find("one-key"), find("one-key"), *called(("index", "own"), tmp_path)]))
    assert [1, 3] == [len(made.listed), sum("rename the file" in why for why in made.skipped.values())]


def test_pages_have_addresses_that_are_safe_everywhere(tmp_path: Path) -> None:
    names = ("CON", "a%20b", "q\"u'o", "tab\tline\nx", "x. .", "\u202ertl", "x" * 240)
    made = Site(lang="en", say=lambda words: None)
    list(made.add_exercises(called(names, tmp_path)))
    assert ({}, len(names)) == (made.skipped, len(made.listed))
    pages = [page for page in made.files if page.endswith(".html")]
    assert pages and all(re.fullmatch("[a-z0-9][a-z0-9-]{0,100}[.]html", page) for page in pages)
    assert "con.html" not in pages


def test_a_worked_example_does_not_take_the_place_of_an_exercise(tmp_path: Path) -> None:
    for name in ("two", "two-example"):
        (tmp_path / f"{name}.yaml").write_text(find("one-key").read_text("utf-8"), encoding="utf-8")
    made = Site(lang="en", say=lambda words: None)
    list(made.add_exercises([tmp_path / "two-example.yaml", tmp_path / "two.yaml"]))
    assert ["two-example"] == [one.name for one in made.listed]
    assert ["a page is called 'two' already; rename the file"] == list(made.skipped.values())


def test_pages_that_a_site_has_no_longer_are_taken_away(tmp_path: Path) -> None:
    for names in (("softmax-facts", "two-queries"), ("two-queries",)):
        made = Site(lang="en", say=lambda words: None)
        list(made.add_exercises([find(name) for name in names]))
        made.write(tmp_path, force=False)
        (tmp_path / "mine.txt").write_text("mine")
    assert {"two-queries.html", "mine.txt", MARK} == {file.name for file in tmp_path.iterdir()}


def test_the_same_problems_make_the_same_site(site: Site) -> None:
    again = Site(say=lambda words: None)
    again.add_engine()
    assert all(site.files[name] == content for name, content in again.files.items())


def test_a_problem_closes_no_script(tmp_path: Path) -> None:
    text = 'format: 1\ntitle: "</script><script>alert(1)</script>"\ngiven: {X: 1 0; 0 1}\n'
    file = tmp_path / "bad.yaml"
    file.write_text(
        text + "parts: [{ask: Find $A$., self_attention: {input: X}, find: A}]\n", encoding="utf-8"
    )
    made = Site(say=lambda words: None)
    list(made.add_exercises([file]))
    assert "<script>alert" not in made.files["bad.html"].decode()


def test_what_cannot_be_practised_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("format: 1\n")
    made = Site(say=lambda words: None)
    with pytest.raises(AttnsolveError, match="'parts' is missing"):
        list(made.add_exercises([tmp_path / "bad.yaml"]))


def test_an_exercise_without_an_example_is_there_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    own = drill("ist-practical-10")

    def nothing(self: Source, variant: int) -> Drill:
        if variant:
            raise AttnsolveError("no numbers were found")
        return own

    monkeypatch.setattr(Source, "drill", nothing)
    said: list[str] = []
    made = Site(say=said.append)
    list(made.add_exercises([find("ist-practical-10")]))
    assert "ist-practical-10.html" in made.files
    assert not any("example" in name for name in made.files)
    assert "no numbers were found" in said[0]


def test_a_folder_of_somebody_else_is_left_alone(site: Site, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(AttnsolveError, match="--force"):
        site.write(tmp_path, force=False)
    assert ["mine.txt"] == [file.name for file in tmp_path.iterdir()]


def test_a_build_that_is_killed_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was written, the next build knows the folder; also after other runs have swept it."""
    made = Site(say=lambda words: None)
    made.files = {"a.html": b"a", "b.html": b"b"}

    def killed(file: Path, content: bytes) -> None:
        if file.name == "b.html":
            raise KeyboardInterrupt
        replace_file(file, content)

    monkeypatch.setattr(building, "replace_file", killed)
    with pytest.raises(KeyboardInterrupt):
        made.write(tmp_path / "site", force=False)
    monkeypatch.undo()
    for file in (tmp_path / "site").iterdir():
        os.utime(file, (0, 0))
    whole_files.sweep.cache_clear()
    replace_file(tmp_path / "site/mine.txt", "mine")
    made.write(tmp_path / "site", force=False)
    there = {file.name for file in (tmp_path / "site").iterdir()}
    assert {"a.html", "b.html", "mine.txt", building.MARK} == there


def test_what_is_not_what_was_pinned_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def another(piece: engine.Piece, folder: Path) -> Path:
        (folder / "x.whl").write_bytes(b"something else")
        return folder / "x.whl"

    monkeypatch.setattr(engine, "brought", another)
    with pytest.raises(AttnsolveError, match="nothing of it is used"):
        engine.had(engine.FLINT, lambda words: None)
    assert not list((tmp_path / "attnsolve" / "site").glob("*"))


def test_where_nothing_can_be_had_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AttnsolveError, match=r"pyodide .* could not be had.*install npm.*kept in"):
        engine.had(engine.PYODIDE, lambda words: None)


def test_the_command_says_what_it_needs(tmp_path: Path) -> None:
    assert "name the problems" in str(CliRunner().invoke(command, []).exception)
    shown = CliRunner().invoke(command, ["--serve", "-o", str(tmp_path)])
    assert "has no site" in str(shown.exception)


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("cross-attention-in-fractions", Topic.ATTENTION),
        ("ways-to-compare", Topic.SCORES),
        ("sparse-attention", Topic.WEIGHTS),
        ("causal-self-attention", Topic.MASKS),
        ("ist-practical-10", Topic.HEADS),
        ("encoder-block", Topic.BLOCKS),
        ("tiny-gpt", Topic.BLOCKS),
        ("rotary-positions", Topic.POSITIONS),
        ("recurrent-cells", Topic.RECURRENT),
        ("backward-one-head", Topic.LEARNING),
        ("other-normalisers", Topic.WEIGHTS),
        ("tokens-as-columns", Topic.ATTENTION),
        ("lab-5-costs", Topic.COSTS),
        ("attention-quiz", Topic.CHOICE),
    ],
)
def test_topics_are_told_by_the_plan(name: str, topic: Topic) -> None:
    assert topic is topic_of(source(name).problem)
    assert products_of(source(name).problem) > 0


def test_what_has_symbols_is_a_topic_of_its_own_and_no_work_with_numbers() -> None:
    problem = source("one-key").problem
    assert Topic.SYMBOLS is topic_of(problem)
    assert work_of(products_of(problem)) is None
    assert [Work.SHORT, Work.MEDIUM, Work.LONG] == [work_of(products) for products in (1, 61, 201)]
