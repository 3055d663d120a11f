"""Two runs at once in one folder: the second is told who is busy, and a killed one holds nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from exams.rooms import ROOT, contents, locked, problem, roster, variants

from attnsolve.exams import claim
from attnsolve.exams.claim import InUse, claimed
from attnsolve.exams.folder import IN_USE, Folder

HOLD = """
import os, sys, time
from pathlib import Path
from attnsolve.exams.claim import claimed
from attnsolve.exams.folder import Folder
with claimed(Folder(Path("exam")), new=True):
    child = os.fork() if "fork" in sys.argv else 0
    if child or "fork" not in sys.argv:
        print(child, flush=True)
    time.sleep(60)
"""
COUNT = """
import time
from pathlib import Path
from attnsolve.exams.claim import InUse, claimed
from attnsolve.exams.folder import Folder
for _ in range(20):
    while True:
        try:
            with claimed(Folder(Path("exam")), new=True):
                count = int(Path("count").read_text())
                time.sleep(0.001)
                Path("count").write_text(str(count + 1))
                break
        except InUse:
            time.sleep(0.0005)
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    roster(tmp_path, "17,Ada", "18,Bo")
    variants(tmp_path, "two-keys.yaml", "--roster", "students.csv", "-o", "exam")
    return tmp_path


@contextmanager
def elsewhere(folder: Path, program: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A program in another process, which is killed at the end."""
    command = [sys.executable, "-c", program, *words]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as run:
        try:
            yield run
        finally:
            run.kill()


@pytest.mark.parametrize(
    "words",
    [
        ("two-keys.yaml", "-n", "5", "-o", "exam", "--force"),
        ("two-keys.yaml", "--fresh", "-o", "exam"),
        ("reissue", "exam", "17"),
        ("reprint", "exam", "17"),
        ("pin", "exam", "17"),
    ],
    ids=["draw", "fresh", "reissue", "reprint", "pin"],
)
def test_who_comes_second_is_told_and_touches_nothing(course: Path, words: tuple[str, ...]) -> None:
    with elsewhere(course, HOLD) as run:
        assert run.stdout is not None and run.stdout.readline()
        before = contents(course / "exam")
        said = variants(course, *words, code=2).stderr
        assert before == contents(course / "exam")
        since = json.loads(before[IN_USE])["since"]
        assert abs((datetime.now().astimezone() - datetime.fromisoformat(since)).total_seconds()) < 60
        assert f"another run of attnsolve writes into 'exam' (process {run.pid} on " in said
        assert f" since {since}); wait until it has ended\n" in said
    variants(course, *words)
    assert IN_USE not in contents(course / "exam")


def test_who_only_reads_need_not_wait(course: Path) -> None:
    codes = [line["code"] for line in locked(course / "exam").values()]
    with claimed(Folder(course / "exam")):
        assert codes[0] in variants(course, "list", "exam").stdout
        assert "given" in variants(course, "diff", "exam", *codes).stdout
        assert "0 of 2 codes" in variants(course, "affected", "exam", "two-keys.yaml").stderr


def test_a_folder_that_is_only_begun_is_held_too(tmp_path: Path) -> None:
    problem(tmp_path)
    with claimed(Folder(tmp_path / "exam"), new=True):
        (tmp_path / "exam/problems").mkdir()  # half a file may lie there
        assert "another run" in variants(tmp_path, "two-keys.yaml", "-n", "2", "-o", "exam", code=2).stderr
        (tmp_path / "exam/problems").rmdir()
    assert not (tmp_path / "exam").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.parametrize("words", [(), ("fork",)], ids=["alone", "outlived by a worker"])
def test_a_killed_run_holds_nothing(course: Path, words: tuple[str, ...]) -> None:
    whole = contents(course / "exam")
    with elsewhere(course, HOLD, *words) as run:
        assert run.stdout is not None
        child = int(run.stdout.readline())
        run.kill()
        run.wait()
        assert IN_USE in contents(course / "exam")
        try:
            if child:
                os.kill(child, 0)  # it is alive
            variants(course, "two-keys.yaml", "-o", "exam")
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
    assert whole == contents(course / "exam")


def test_never_two_at_once_however_often_the_folder_is_given_up(tmp_path: Path) -> None:
    """The file goes away each time, perhaps with its folder: to hold an old one must count for nothing."""
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", COUNT]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    runs = [subprocess.Popen(command, cwd=tmp_path, env=environment) for _ in range(4)]
    assert [0] * 4 == [run.wait(60) for run in runs]
    assert "80" == (tmp_path / "count").read_text()


def test_where_the_system_has_no_locks_the_file_itself_is_the_sign(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim, "fcntl", None)
    whole = contents(course / "exam")
    variants(course, "two-keys.yaml", "-o", "exam")
    assert whole == contents(course / "exam")
    (course / "exam" / IN_USE).write_text("")  # of a run that was killed, before it said who it is
    said = variants(course, "two-keys.yaml", "-o", "exam", code=2).stderr
    assert "(it has not said yet who it is)" in said
    assert f"if it has, delete exam/{IN_USE}\n" in said
    (course / "exam" / IN_USE).unlink()
    variants(course, "two-keys.yaml", "-o", "exam")


def test_a_disk_without_locks_is_no_obstacle(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    folder = Folder(course / "exam")
    with claimed(folder), pytest.raises(InUse, match="if it has, delete"), claimed(folder):
        pass
    with claimed(folder):
        pass


def test_an_error_lets_go_and_leaves_nothing(tmp_path: Path) -> None:
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "-o", "deep/er/exam", code=2)  # for whom?
    assert not (tmp_path / "deep").exists()
    variants(tmp_path, "reprint", "exam", "17", code=1)
    assert not (tmp_path / "exam").exists()


def test_a_link_is_not_followed(course: Path) -> None:
    (course / "mine").write_text("precious")
    (course / "exam" / IN_USE).symlink_to(course / "mine")
    assert "cannot be written" in variants(course, "pin", "exam", "17", code=1).stderr
    assert "precious" == (course / "mine").read_text()
