"""Which files are meant, where documents go, and that nothing is lost on the way."""

import os
from pathlib import Path

import pytest

from attnsolve import batch
from attnsolve.errors import AttnsolveError, ProblemError, UndefinedStep
from attnsolve.rendering import Document, Settings

GOOD = "format: 1\ntitle: T\ngiven: {X: 1 2; 3 4}\nparts: [{ask: Why?, self_attention: {input: X}}]\n"
UNDEFINED = GOOD.replace("1 2; 3 4", "-1 0; 1 0").replace(
    "{input: X}", "{input: X, W_Q: 0 0; 0 0, weights: relu}"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_path_comes_before_a_bundled_name(folder: Path) -> None:
    assert batch.find("ist-practical-10").parent.name == "problems"
    assert batch.find("ist-practical-10.yaml").parent.name == "problems"
    (folder / "ist-practical-10.yaml").write_text(GOOD)
    assert Path("ist-practical-10.yaml") == batch.find("ist-practical-10.yaml")


def test_a_folder_is_read_in_order_and_not_below(folder: Path) -> None:
    for name in ("b.yaml", "a.yml", "c.txt", "A.yaml"):
        (folder / name).write_text(GOOD)
    (folder / "d.yaml").mkdir()
    (folder / "deeper").mkdir()
    (folder / "deeper" / "e.yaml").write_text(GOOD)
    assert ["A.yaml", "a.yml", "b.yaml"] == [path.name for path in batch.gather(["."])]


def test_a_file_that_is_named_twice_is_meant_once(folder: Path) -> None:
    (folder / "a.yaml").write_text(GOOD)
    (folder / "b.yaml").write_text(GOOD)
    assert ["b.yaml", "a.yaml"] == [path.name for path in batch.gather(["b.yaml", "a.yaml", "b.yaml"])]
    assert ["b.yaml", "a.yaml"] == [path.name for path in batch.gather(["./b.yaml", "."])]


def test_an_empty_folder_is_said(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(AttnsolveError, match=r"'empty' has no problem files"):
        batch.gather(["empty"])


def test_outcomes_come_in_order_each_with_a_document_or_a_reason(folder: Path) -> None:
    texts = {"a": GOOD, "b": "title: [", "c": UNDEFINED, "d": GOOD, "e": None}
    for name, text in texts.items():
        if text is not None:
            (folder / f"{name}.yaml").write_text(text)
    paths = [folder / f"{name}.yaml" for name in texts]
    outcomes = list(batch.render_all(paths, Settings(sheet="exercise")))
    assert paths == [outcome.path for outcome in outcomes]
    assert [True, False, False, True, False] == [outcome.document is not None for outcome in outcomes]
    assert [None, ProblemError, UndefinedStep, None] == [
        outcome.error
        and next(kind for kind in (ProblemError, UndefinedStep) if isinstance(outcome.error, kind))
        for outcome in outcomes[:4]
    ]
    assert isinstance(outcomes[4].error, AttnsolveError)


def test_files_are_rendered_one_by_one(folder: Path) -> None:
    """The first document is there before the second file is opened."""
    (folder / "a.yaml").write_text(GOOD)
    outcomes = batch.render_all([folder / "a.yaml", folder / "later.yaml"], Settings())
    assert next(outcomes).document
    (folder / "later.yaml").write_text(GOOD)
    assert next(outcomes).document


@pytest.mark.parametrize(
    ("output", "settings", "many", "expected"),
    [
        ("x.md", Settings(), False, "x.md"),
        ("x.tex", Settings(to="latex"), False, "x.tex"),
        ("out/", Settings(), False, "out/p.md"),
        ("there", Settings(), False, "there/p.md"),
        ("out", Settings(to="latex"), True, "out/p.tex"),
        ("out", Settings(to="json"), True, "out/p.json"),
        ("out", Settings(sheet="exercise"), True, "out/p-exercise.md"),
    ],
)
def test_destinations(folder: Path, output: str, settings: Settings, many: bool, expected: str) -> None:
    (folder / "there").mkdir()
    paths = [Path("in/p.yaml"), *([Path("in/other.yaml")] if many else [])]
    assert Path(expected) == batch.destinations(paths, output, settings)[paths[0]]


def test_a_document_and_its_figures_are_written_together(folder: Path) -> None:
    said: list[str] = []
    document = Document("text\n", (("map.svg", "<svg/>"),))
    batch.write(document, Path("a/b/c.md"), force=False, say=said.append)
    assert ["a/b/c.md"] == said
    assert ("text\n", "<svg/>") == (Path("a/b/c.md").read_text(), Path("a/b/map.svg").read_text())
    assert 0o644 == Path("a/b/c.md").stat().st_mode & 0o777


def test_half_a_document_is_never_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("c.md").write_text("old")

    def fail(*arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises((OSError, AttnsolveError)):
        batch.write(Document("new"), Path("c.md"), force=True, say=lambda name: None)
    assert "old" == Path("c.md").read_text()
    assert ["c.md"] == [path.name for path in folder.iterdir()]


def test_lines_end_the_same_way_everywhere(folder: Path) -> None:
    batch.write(Document("a\nü\n"), Path("c.md"), force=False, say=lambda name: None)
    assert "a\nü\n".encode() == Path("c.md").read_bytes()
