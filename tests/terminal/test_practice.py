"""Practice on a real terminal, and from a pipe: editing, leaving, taking up, and files that are not ours."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal.screens import ROOT, Terminal

IST = "ist-practical-10"


@pytest.fixture
def practised(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """A session from a pipe, with progress kept in a folder of the test."""

    def run(typed: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "attnsolve", "practice", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)}
        return subprocess.run(
            command, input=typed, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return run


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def test_a_session_on_a_terminal(needs: Callable[[str], str], tmp_path: Path) -> None:
    environment = f"XDG_STATE_HOME={tmp_path}"
    terminal = Terminal(needs("tmux"), f"practice {IST}", environment=environment)
    try:
        begun = terminal.screen(until="a.S =")
        assert "X = ⎢   1   1.5  -0.5⎥,    q = [-2  1  -1]" in begun
        terminal.enter("4.5 0 4.5 0")
        assert "✓ Right." in terminal.screen(until="a.T =")
        terminal.enter("4.5 0 4.5 0")
        terminal.screen(until="known mistake: “unscaled”")
        terminal.enter("hint")
        terminal.screen(until="d = 3,  √d = √3")
        terminal.type("Up")  # the line before comes back, and can be changed
        terminal.type("Up")
        terminal.call("send-keys", "-t", terminal.name, "C-a", "C-k")
        terminal.enter("2.5981 0 2.5981 0")
        terminal.screen(until="a.A =")
        terminal.type("C-d")
        left = terminal.screen(until="ended")
        assert "2 of 19 values are right." in left
        assert "the same command goes on" in left
    finally:
        terminal.close()
    again = Terminal(needs("tmux"), f"practice {IST}", environment=environment)
    try:
        assert "You go on where you left." in again.screen(until="a.A =")
        again.type("C-c")
        assert "the same command goes on" in again.screen(until="ended")
    finally:
        again.close()


def test_a_session_from_a_pipe_is_kept_and_taken_up(practised, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first = practised("4.5 0 4.5 0\nquit\n", IST)
    assert (0, True) == (first.returncode, "✓ Right." in first.stdout)
    (file,) = kept_in(tmp_path)
    assert "a.T" == json.loads(file.read_text("utf-8"))["at"]
    assert "You go on where you left." in practised("", IST).stdout
    assert "You go on" not in practised("", IST, "--fresh").stdout
    assert "Variante 2." in practised("", IST, "--variant", "2", "--lang", "de").stdout


@pytest.mark.parametrize("content", [b"{}", b"\xff\xfe", b"[" * 50_000, b'{"schema": 1, "problem": "x"}'])
def test_a_file_that_is_not_ours_is_refused(practised, tmp_path: Path, content: bytes) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "mine.json"
    file.write_bytes(content)
    done = practised("", IST, "--progress", str(file))
    assert done.returncode in (1, 3)
    assert "mine.json' cannot be taken up" in done.stderr
    assert "--fresh begins anew" in done.stderr
    assert content == file.read_bytes()


def test_practice_goes_on_where_nothing_can_be_written(practised, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "file").write_text("x")
    place = str(tmp_path / "file" / "kept.json")
    done = practised("4.5 0 4.5 0\nquit\n", IST, "--fresh", "--progress", place)
    assert "✓ Right." in done.stdout
    assert 1 == done.stderr.count("progress is not kept")


def test_what_cannot_be_practised_is_said(practised, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    parts = "[{ask: Find A., self_attention: {input: X}, find: A}]"
    one = f"format: 1\ntitle: T\ngiven: {{X: 1 0; 0 1}}\nparts: {parts}\n"
    (tmp_path / "one.yaml").write_text(one)
    (tmp_path / "sheet.yaml").write_text("format: 1\ntitle: S\nexercises: [{file: one.yaml}]\n")
    assert "name one exercise" in practised("", str(tmp_path)).stderr
    assert "it has no variants" in practised("", "one.yaml", "--variant", "1").stderr
    assert "practise one of them" in practised("", "sheet.yaml").stderr
    assert "did you mean" in practised("", "ist-practical-11").stderr
