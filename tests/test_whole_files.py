"""Files that appear whole or not at all."""

import os
from pathlib import Path

import pytest

from attnsolve import whole_files
from attnsolve.whole_files import replace_file


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    replace_file(tmp_path / "a.md", "one")
    replace_file(tmp_path / "a.md", "zwei ½", mode=0o600)
    assert ["a.md"] == [file.name for file in tmp_path.iterdir()]
    assert "zwei ½" == (tmp_path / "a.md").read_text("utf-8")
    assert 0o600 == (tmp_path / "a.md").stat().st_mode & 0o777


def test_what_cannot_be_moved_into_place_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file(tmp_path / "a.md", "one")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(tmp_path / "a.md", "two")
    assert {"a.md": "one"} == {file.name: file.read_text() for file in tmp_path.iterdir()}


def test_what_a_killed_run_left_is_taken_away_when_it_is_old(tmp_path: Path) -> None:
    for name, age in ((".attnsolve-old", 10_000), (".attnsolve-new", 1)):
        (tmp_path / name).write_text("half")
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    replace_file(tmp_path / "a.md", "one")
    assert {".attnsolve-new", "a.md"} == {file.name for file in tmp_path.iterdir()}


def test_a_stop_just_after_the_move_stays_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move = os.replace

    def stopped(one: str, other: Path) -> None:
        move(one, other)
        raise KeyboardInterrupt

    monkeypatch.setattr(whole_files.os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a.md", "one")
    assert {"a.md": "one"} == {file.name: file.read_text() for file in tmp_path.iterdir()}
