"""What stands on the command line where a file is expected, and what is said then; closed streams."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from attnsolve.cli import main
from attnsolve.cli.speech import report
from attnsolve.grading import sources
from attnsolve.limits import LIMITS

ROOT = Path(__file__).parents[1]
LONG = "a" * 300
VARIED = """format: 1
title: A small exam
given: {q: 1 2, K: '1 0; 0 1; 1 1', V: '2 0; 0 4; 1 1'}
parts:
  - ask: Find the weights and the output.
    attend: {queries: q, keys: K, values: V}
vary: {q: -3..3, K: -2..2, V: -4..4}
"""
CLASS = ("grade", "ist-practical-10", "answers")
TABLE = [
    (("render", LONG), 1, "File name too long"),
    (("render", "ist-practical-10", "-o", f"{LONG}.md"), 1, "File name too long"),
    (("render", "ist-practical-10", "-o", "page.md/x.md"), 1, "'page.md/x.md"),
    (("plot", "ist-practical-10", "-o", f"{LONG}.svg"), 1, "File name too long"),
    (("new", f"missing/{LONG}"), 1, "missing"),
    (("new", "missing/x"), 1, "missing"),
    ((*CLASS, "-o", ""), 2, "'.' is no name of a file"),
    ((*CLASS, "-o", "/"), 2, "'/' is no name of a file"),
    ((*CLASS, "--moodle", "."), 2, "'.' is no name of a file"),
    ((*CLASS, "--columns", "student=x\ny"), 2, "--columns"),
]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a page, an answer, of a class of one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("mine", "utf-8")
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "ann.txt").write_text("a.S 4.5 0 4.5 0\n", "utf-8")
    return tmp_path


def ended(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """A command as the shell calls it; its exit code."""
    monkeypatch.setattr("sys.argv", ["attnsolve", *words])
    with pytest.raises(SystemExit) as found:
        main()
    return int(found.value.code or 0)


@pytest.mark.parametrize(("words", "code", "said"), TABLE, ids=[" ".join(words)[:40] for words, *_ in TABLE])
def test_what_stands_where_a_file_is_expected(
    words: tuple[str, ...],
    code: int,
    said: str,
    room: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert code == ended(monkeypatch, *words)
    assert said in capsys.readouterr().err
    assert "mine" == (room / "page.md").read_text("utf-8")
    assert ["answers", "page.md"] == sorted(path.name for path in room.iterdir())


def test_what_the_system_refuses_is_no_bug(
    room: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied", "page.md")

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert 1 == ended(monkeypatch, "render", "ist-practical-10", "-o", "page.md")
    assert "'page.md': Permission denied\n" == capsys.readouterr().err


def test_a_folder_of_more_files_than_a_class_has_is_not_walked_to_its_end(
    room: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`attnsolve grade problem.yaml /` once read every file of a machine."""
    monkeypatch.setattr(sources, "FILES_EACH", 1)
    for number in range(3):
        (room / "answers" / f"{number}.txt").write_text("a.S 1\n", "utf-8")
    assert 3 == ended(monkeypatch, *CLASS, "--limit", "students=3")
    assert "answers: more than 3 files; name the folder that has the answers" in capsys.readouterr().err
    assert 40_000 == 4 * LIMITS.students


def test_the_details_of_a_bug_are_told_where_no_file_for_them_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    monkeypatch.setattr("sys.argv", ["attnsolve", "\udcff"])
    found = report(ValueError("it is not so"))
    assert "no file for them can be written" in found
    assert "\\udcff" in found
    assert "ValueError: it is not so" in found


def test_a_name_of_a_folder_that_is_no_text_is_written_into_a_style(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 == ended(monkeypatch, "style", "new", os.fsdecode(b"h\xff"))
    assert "format: 1" in (room / os.fsdecode(b"h\xff") / "style.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("render", "-o", "made.md"), 0, "made.md"),
        (("lint",), 0, "no faults found"),
        (("check", "--script", "-o", "made.py"), 0, "made.py"),
        (("variants", "stress", "-n", "2"), 0, "2 of 2"),
        (("variants", "-n", "2", "-o", "exam"), 2, "this name has characters that cannot be seen; rename"),
        (("practice", "--variant", "3", "--progress", "kept.json"), 0, "kept in kept.json"),
    ],
    ids=lambda found: " ".join(found) if isinstance(found, tuple) else "",
)
def test_a_problem_whose_name_is_no_text(
    words: tuple[str, ...],
    code: int,
    said: str,
    room: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = os.fsdecode(b"q\xff.yaml")
    (room / name).write_bytes(VARIED.encode())
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    command = words[:2] if words[:2] == ("variants", "stress") else words[:1]
    assert code == ended(monkeypatch, *command, name, *words[len(command) :])
    told = capsys.readouterr()
    assert said in told.out + told.err


def test_too_little_memory_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hungry(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("attnsolve.batch.gather", hungry)
    assert 1 == ended(monkeypatch, "lint", "ist-practical-10")
    assert "there is not enough memory for this\n" == capsys.readouterr().err


@pytest.mark.parametrize("words", ["--help", "--version", "ops", "render ist-practical-10"])
def test_a_full_disk_behind_the_output_is_no_bug(words: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    assert (1, "No space left on device\n") == shell(f"{words} > /dev/full")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["show ist-practical-10", "render ist-practical-10", "--help"])
def test_closed_streams_are_no_bug(words: str, closed: str) -> None:
    assert (0, "") == shell(f"{words} {closed}")


@pytest.mark.parametrize(
    ("words", "encoding", "lost"),
    [
        ("show ist-practical-10", "cp1252", "U+2550"),
        ("show ist-practical-10", "cp437", "U+23A1"),
        ("show ist-practical-10", "utf-16", ""),
        ("maths --help", "cp437", ""),
    ],
)
def test_letters_that_the_output_has_not_are_no_bug(words: str, encoding: str, lost: str) -> None:
    """As behind a pipe on Windows."""
    said = f"what is printed goes out in {encoding}, which has no {lost}; set PYTHONIOENCODING=utf-8, or name"
    code, told = shell(words, PYTHONIOENCODING=encoding)
    assert (int(bool(lost)), said if lost else "") == (code, told[: len(said)])


def test_a_page_is_written_whole_while_nobody_listens(tmp_path: Path) -> None:
    assert (0, "") == shell(f"render ist-practical-10 -o {tmp_path}/page.md <&- >&- 2>&-")
    assert (0, "") == shell(f"render ist-practical-10 -o {tmp_path}/heard.md 2>/dev/null")
    assert (tmp_path / "heard.md").read_bytes() == (tmp_path / "page.md").read_bytes()


BYTES = bytes(range(128, 256))
ON_SYMBOLS = ROOT / "problems" / "symbols" / "one-key.yaml"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("verify ist-practical-10 -", 3, b"answers:1:1: not UTF-8 (byte 0x80); save the file as UTF-8"),
        (f"verify {ON_SYMBOLS} -", 3, b"claims:1:1: not UTF-8 (byte 0x80); save the file as UTF-8"),
        (f"verify {ON_SYMBOLS} {{file}}", 3, b"bytes.txt:1:1: not UTF-8 (byte 0x80); save the file as UTF-8"),
        ("grade ist-practical-10 --type", 0, b"cannot read"),
        ("practice ist-practical-10 --progress {file}.json", 0, b"kept in"),
    ],
)
def test_bytes_that_are_no_letters_are_no_bug(words: str, code: int, said: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bytes.txt"
    file.write_bytes(BYTES)
    done = piped(words.format(file=file), "cat", str(file))
    assert code == done.returncode, done.stderr
    assert said in done.stdout + done.stderr
    assert b"bug" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("verify ist-practical-10 -", 3, b"more than 1000000 bytes, the limit"),
        (f"verify {ON_SYMBOLS} -", 3, b"more than 1000000 bytes, the limit"),
        ("grade ist-practical-10 --type", 2, b"a line of more than 1000000 characters, the limit"),
        ("practice ist-practical-10 --progress {file}.json", 2, b"a line of more than 1000000 characters"),
    ],
)
def test_what_has_no_end_is_not_waited_for(words: str, code: int, said: bytes, tmp_path: Path) -> None:
    done = piped(words.format(file=tmp_path / "kept"), "cat", "/dev/zero")
    assert code == done.returncode, done.stderr
    assert said in done.stderr


def piped(words: str, *source: str) -> subprocess.CompletedProcess[bytes]:
    """A command that reads what another one writes."""
    if os.name == "nt":
        pytest.skip("this needs cat")
    writer = subprocess.Popen(source, stdout=subprocess.PIPE)
    try:
        return subprocess.run(
            [sys.executable, "-m", "attnsolve", *words.split()],
            env=os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"},
            stdin=writer.stdout,
            capture_output=True,
            check=False,
            timeout=120,
        )
    finally:
        assert writer.stdout is not None
        writer.stdout.close()
        writer.kill()
        writer.wait()


def shell(words: str, **around: str) -> tuple[int, str]:
    """How a command ends that a shell calls, and what it says beside the output proper."""
    if os.name == "nt":
        pytest.skip("this needs a POSIX shell")
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | around
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m attnsolve {words}"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    return done.returncode, done.stderr.decode()
