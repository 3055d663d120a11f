"""Two runs at once in one folder: the second is told who is busy, and a killed one holds nothing."""

import errno
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

from attnsolve.errors import AttnsolveError
from attnsolve.exams.claim import InUse, claimed
from attnsolve.exams.folder import CLAIM, IN_USE, Folder

HOLD = """
import os, sys, time
from pathlib import Path
from attnsolve.exams.claim import claimed
from attnsolve.exams.folder import Folder
with claimed(Folder(Path("exam")), new=True):
    is_forked = "fork" in sys.argv
    if not is_forked or os.fork() == 0:  # a worker that says who it is has let go of the folder
        print(os.getpid() if is_forked else 0, flush=True)
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
    assert [0] * 4 == [run.wait() for run in runs]
    assert "80" == (tmp_path / "count").read_text()


def test_a_folder_that_goes_away_as_it_is_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there when it is to be made, and gone when it is looked at."""
    is_folder, gone = Path.is_dir, iter([tmp_path / "exam"])

    def looked_at(path: Path) -> bool:
        if path == tmp_path / "exam" and next(gone, None):
            path.rmdir()
        return is_folder(path)

    (tmp_path / "exam").mkdir()
    monkeypatch.setattr(Folder, "check_free", lambda folder: None)
    monkeypatch.setattr(Path, "is_dir", looked_at)
    with claimed(Folder(tmp_path / "exam"), new=True):
        assert {CLAIM, IN_USE} == set(contents(tmp_path / "exam"))
    assert next(gone, None) is None


def test_a_folder_that_goes_away_as_it_is_looked_at_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run gives up just now: what is gone is neither a file nor in use."""
    list_names = Path.iterdir

    def taken_away(path: Path) -> Iterator[Path]:
        path.rmdir()
        return list_names(path)

    (tmp_path / "exam").mkdir()
    monkeypatch.setattr(Path, "iterdir", taken_away)
    Folder(tmp_path / "exam").check_free()
    Folder(tmp_path / "exam").check_free()
    assert not (tmp_path / "exam").exists()


@pytest.mark.parametrize("name", ["file", "link", "file/exam"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(AttnsolveError, match=r"is a file or a link|Not a directory"):
        Folder(tmp_path / name).check_free()


def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)


def test_on_a_disk_without_locks_a_file_stands_for_one(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks(monkeypatch)
    folder = Folder(course / "exam")
    with claimed(folder), pytest.raises(InUse, match=rf"if it has, delete .*{CLAIM}"), claimed(folder):
        pass
    with claimed(folder):
        pass
    assert not {CLAIM, IN_USE} & set(contents(course / "exam"))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[" * 1000,
        b"\xff\xfe",
        b'{"pid": 1e999, "host": "x", "since": "y"}',
        b'{"pid": [1], "host": "x", "since": "y"}',
        b'{"pid": 1, "host": {"x": 1}, "since": "y"}',
        b'{"pid": 1, "host": "\\u001b[31m", "since": "y"}',
        b'{"pid": 1, "pid": 2, "host": "x", "since": "y"}',
        b"<<<<<<< HEAD\n",
    ],
)
def test_who_says_it_in_strange_words_holds_it_too(said: bytes, course: Path) -> None:
    folder = Folder(course / "exam")
    with claimed(folder):
        (course / "exam" / IN_USE).write_bytes(said)
        with pytest.raises(InUse, match="it has not said yet who it is"), claimed(folder):
            pass


def test_who_has_not_said_who_it_is_holds_it_too(course: Path) -> None:
    folder = Folder(course / "exam")
    with claimed(folder):
        (course / "exam" / IN_USE).unlink()
        with pytest.raises(InUse, match="it has not said yet who it is"), claimed(folder):
            pass


@pytest.mark.parametrize("left", [CLAIM, IN_USE])
def test_what_a_killed_run_has_left_behind_is_no_obstacle(course: Path, left: str) -> None:
    whole = contents(course / "exam")
    (course / "exam" / left).write_text("half a wo")
    variants(course, "two-keys.yaml", "-o", "exam")
    assert whole == contents(course / "exam")


def test_an_error_lets_go_and_leaves_nothing(tmp_path: Path) -> None:
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "-o", "deep/er/exam", code=2)  # for whom?
    assert not (tmp_path / "deep").exists()
    variants(tmp_path, "reprint", "exam", "17", code=1)
    assert not (tmp_path / "exam").exists()


@pytest.mark.parametrize("name", [CLAIM, IN_USE])
def test_a_link_is_not_followed(course: Path, name: str) -> None:
    (course / "mine").write_text("precious")
    (course / "exam" / name).symlink_to(course / "mine")
    said = variants(course, "pin", "exam", "17", code=1 if name == CLAIM else 0).stderr
    assert ("cannot be written" in said) == (name == CLAIM)
    assert "precious" == (course / "mine").read_text()
