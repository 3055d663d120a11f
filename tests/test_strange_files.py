"""What stands in the place of a file that is read back, and what is said then: a table of accidents."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copytree

import fuzz_states
import pytest
from click import ClickException
from fuzz_states import DRAW, GRADE, HIDDEN, VERIFY, Room

from attnsolve.errors import AttnsolveError
from attnsolve.grading import assignment
from attnsolve.stored import line_of

LIST = ("variants", "list", "exam")
DREW = (*DRAW, "exam")
STOPPED = (*DRAW, "stopped", "-n", "2")
ZIP = ("grade", "ist-practical-10", "up.zip", "-o", "zip.csv")
TABLED = (*GRADE, "new.csv", "--roster", "roster.csv")
BY_HAND = (*GRADE, "new.csv", "--overrides", "by-hand.txt")
DRESSED = ("render", "ist-practical-10", "--style", "house", "-o", "x.md")
SHOWN = ("show", "problem.yaml")
WRITTEN = ("render", "ist-practical-10", "-o", "page.md")
LEARNT = ("explain", "layer.safetensors", "--input", "1 2; 3 4")
SITE = ("site", "problem.yaml", "-o", "site")
DRAWN = ("variants", "problem.yaml", "--key", "exam.key", "-o", "drawn", "-n", "1")
PRACTISED = ("practice", "ist-practical-10", "--progress", "progress.json")
# So long nobody waits; a busy machine may need it for what is done.
PATIENCE = 60
DIGITS = b"9" * 5_000


def replaced(data: bytes) -> Callable[[Path], None]:
    """Another file with these bytes."""
    return lambda path: path.write_bytes(data) and None


def changed(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """The same file with other bytes."""
    return lambda path: path.write_bytes(change(path.read_bytes())) and None


def instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something that is no file."""

    def put(path: Path) -> None:
        path.unlink()
        make(path)

    return put


def first_number(data: bytes) -> bytes:
    return re.sub(rb'(?<![\w"])\d+(?:\.\d+)?', DIGITS, data, count=1)


ACCIDENTS: dict[str, Callable[[Path], None]] = {
    "empty": replaced(b""),
    "cut off": changed(lambda data: data[: len(data) // 2]),
    "merged": changed(lambda data: b"<<<<<<< HEAD\n" + data + b"=======\n" + data + b">>>>>>> theirs\n"),
    "of a later release": replaced(b'{"format": 99, "schema": 99}'),
    "a later line": replaced(line_of({"format": 99}).encode()),
    "of format 99": changed(lambda data: data.replace(b"format: 1", b"format: 99")),
    "nested": replaced(b"[" * 10_000),
    "half a letter": changed(lambda data: re.sub(rb'": "[^"]*"', rb'": "\\ud800"', data, count=1)),
    "a key twice": replaced(b'{"format": 1, "format": 1}'),
    "not a number": replaced(b'{"format": NaN}'),
    "endless number": replaced(b'{"format": ' + DIGITS + b"}"),
    "endless number inside": changed(first_number),
    "BOM": changed(lambda data: b"\xef\xbb\xbf" + data),
    "CRLF": changed(lambda data: data.replace(b"\n", b"\r\n")),
    "UTF-16": changed(lambda data: data.decode("utf-8").encode("utf-16")),
    "escapes": replaced(b"\x1b[31m\xe2\x80\xae\n"),
    "a long line": replaced(b"x" * 3_000_000),
    "many lines": replaced(b"x\n" * 1_000),
    "a folder": instead(Path.mkdir),
    "a pipe": instead(os.mkfifo),
    "without end": instead(lambda path: path.symlink_to("/dev/zero")),
    "a circle": instead(lambda path: path.symlink_to(path.name)),
}
FINE = ""
# The command, the file, what happened to it, the exit code, and what is said.
TABLE = [
    (LIST, "exam/lock.json", "empty", 3, "exam/lock.json:1:1: not valid JSON: expecting value; restore it"),
    (LIST, "exam/lock.json", "cut off", 3, "not valid JSON: unterminated string"),
    (LIST, "exam/lock.json", "merged", 3, "lock.json:1:1: what version control leaves where two"),
    (LIST, "exam/lock.json", "of a later release", 3, "format 99 is not known; this release reads format 1"),
    (LIST, "exam/lock.json", "nested", 3, "exam/lock.json:1:1: nested too deep"),
    (LIST, "exam/lock.json", "half a letter", 3, "problem: a text is expected here"),
    (LIST, "exam/lock.json", "a key twice", 3, "the key 'format' stands twice in one map"),
    (LIST, "exam/lock.json", "not a number", 3, "NaN is no number of JSON"),
    (LIST, "exam/lock.json", "endless number", 3, "a number with 5000 digits"),
    (LIST, "exam/lock.json", "endless number inside", 3, "a number with 5000 digits"),
    (LIST, "exam/lock.json", "BOM", 0, FINE),
    (LIST, "exam/lock.json", "CRLF", 0, FINE),
    (LIST, "exam/lock.json", "UTF-16", 3, "exam/lock.json cannot be read: it is not UTF-8"),
    (LIST, "exam/lock.json", "escapes", 3, "exam/lock.json:1:1: not valid JSON"),
    (LIST, "exam/lock.json", "a folder", 3, "exam/lock.json cannot be read: Is a directory"),
    (LIST, "exam/lock.json", "a pipe", 3, "exam/lock.json:1:1: not valid JSON: expecting value"),
    (LIST, "exam/lock.json", "without end", 1, "'exam/lock.json' is a symbolic link; put the file itself"),
    (LIST, "exam/lock.json", "a circle", 1, "'exam' is no exam: it has no lock.json"),
    (VERIFY, "exam/manifest.json", "endless number inside", 3, "a number with 5000 digits; delete it, and"),
    (VERIFY, "exam/manifest.json", "of a later release", 3, "format 99 is not known"),
    (VERIFY, "exam/manifest.json", "empty", 3, "exam/manifest.json:1:1: not valid JSON: expecting value"),
    (VERIFY, "exam/manifest.json", "cut off", 3, "not valid JSON: unterminated string"),
    (VERIFY, "exam/manifest.json", "merged", 3, "manifest.json:1:1: what version control leaves where two"),
    (VERIFY, "exam/manifest.json", "a key twice", 3, "the key 'format' stands twice in one map; delete it"),
    (VERIFY, "exam/manifest.json", "a pipe", 3, "not valid JSON: expecting value; delete it, and"),
    (STOPPED, "stopped/lock.json.journal", "cut off", 0, FINE),
    (STOPPED, "stopped/lock.json.journal", "merged", 0, FINE),
    (STOPPED, "stopped/lock.json.journal", "of a later release", 0, FINE),
    (STOPPED, "stopped/lock.json.journal", "a folder", 1, "is a symbolic link, or no file; remove it"),
    (STOPPED, "stopped/lock.json.journal", "a pipe", 1, "is a symbolic link, or no file; remove it"),
    (STOPPED, "stopped/lock.json.journal", "without end", 1, "is a symbolic link, or no file; remove it"),
    ((*GRADE, "marks.csv"), "marks.csv.journal", "merged", 0, FINE),
    ((*GRADE, "marks.csv"), "marks.csv.journal", "cut off", 0, "1 torn or damaged in the journal"),
    ((*GRADE, "marks.csv"), "marks.csv.journal", "a later line", 1, "a later release of attnsolve"),
    ((*GRADE, "marks.csv"), "marks.csv.journal", "empty", 1, "'marks.csv' is there already; --force"),
    ((*GRADE, "marks.csv"), "marks.csv.journal", "without end", 1, "'marks.csv.journal' is a symbolic link"),
    ((*GRADE, "marks.csv"), "marks.csv", "a pipe", 1, "'marks.csv' is no file; name a file for the marks"),
    ((*GRADE, "marks.csv"), "marks.csv", "a circle", 1, "'marks.csv' is a symbolic link; name another file"),
    (HIDDEN, "hidden.csv.names", "empty", 3, "the heading code,student,name is expected here; it says"),
    (HIDDEN, "hidden.csv.names", "nested", 3, "the heading code,student,name is expected here"),
    (HIDDEN, "hidden.csv.names", "cut off", 3, "a code of 5 letters and a student are expected here"),
    (HIDDEN, "hidden.csv.names", "merged", 3, "the heading code,student,name is expected here"),
    (HIDDEN, "hidden.csv.names", "BOM", 0, FINE),
    (HIDDEN, "hidden.csv.names", "UTF-16", 3, "'hidden.csv.names' cannot be read: it is not UTF-8"),
    (HIDDEN, "hidden.csv.names", "a folder", 3, "'hidden.csv.names' cannot be read: Is a directory"),
    (HIDDEN, "hidden.csv.names", "a pipe", 3, "the heading code,student,name is expected here"),
    (TABLED, "roster.csv", "a pipe", 3, "roster.csv:1:1:"),
    (TABLED, "roster.csv", "without end", 3, "roster.csv:1:1: more than 20000000 bytes, the limit"),
    (TABLED, "roster.csv", "a folder", 3, "roster.csv:1:1: cannot be read: Is a directory"),
    (BY_HAND, "by-hand.txt", "a folder", 3, "by-hand.txt:1:1: cannot be read: Is a directory"),
    (BY_HAND, "by-hand.txt", "merged", 3, "by-hand.txt:1:1:"),
    (BY_HAND, "by-hand.txt", "a long line", 3, "by-hand.txt:1:1: 'xxxxxxxxxxxxxxxx"),
    (BY_HAND, "by-hand.txt", "many lines", 3, "write @ and the student above it\nand 900 more faults"),
    (ZIP, "up.zip", "a pipe", 3, "up.zip is no file; name a zip that is one"),
    (ZIP, "up.zip", "without end", 3, "up.zip is no file; name a zip that is one"),
    (DRESSED, "house/style.yaml", "a pipe", 3, "house/style.yaml:1:1: "),
    (DRESSED, "house/style.yaml", "merged", 3, "house/style.yaml:1:1: what version control leaves where two"),
    (DRESSED, "house/style.yaml", "empty", 3, "house/style.yaml:1:1: the file is empty"),
    (DRESSED, "house/style.yaml", "of format 99", 3, "format '99' is not known; this release reads"),
    (DRESSED, "house/style.yaml", "a key twice", 3, "the key 'format' appears twice; keep one of them"),
    (SHOWN, "problem.yaml", "of format 99", 3, "format '99' is not known; this release reads"),
    (SHOWN, "problem.yaml", "a key twice", 3, "the key 'format' appears twice; keep one of them"),
    (SHOWN, "problem.yaml", "cut off", 3, "problem.yaml:6:5: not valid YAML"),
    (DREW, "exam/problems", "empty", 3, "is not what was locked for"),
    (DREW, "exam/problems", "merged", 3, "restore it, or delete it and run the same command again"),
    (SHOWN, "problem.yaml", "merged", 3, "problem.yaml:1:1: what version control leaves where two"),
    (SHOWN, "problem.yaml", "a pipe", 3, "problem.yaml:1:1: "),
    (SHOWN, "problem.yaml", "nested", 3, "problem.yaml:1:33: nested deeper than 32 levels"),
    (SHOWN, "problem.yaml", "without end", 3, "problem.yaml:1:1: the file has more than 1000000 bytes"),
    (WRITTEN, "page.md", "cut off", 1, "'page.md' is there already; --force overwrites it"),
    (WRITTEN, "page.md", "a pipe", 1, "'page.md' is no file; name another place"),
    (WRITTEN, "page.md", "without end", 1, "'page.md' is a symbolic link; name another file"),
    ((*WRITTEN, "--force"), "page.md", "a pipe", 1, "'page.md' is no file; name another place"),
    (LEARNT, "layer.safetensors", "a pipe", 3, "'layer.safetensors' is cut off"),
    (LEARNT, "layer.safetensors", "without end", 3, "'layer.safetensors' has more than 1000000 bytes"),
    (LEARNT, "layer.safetensors", "escapes", 3, "'layer.safetensors' is cut off"),
    (SITE, "problem.yaml", "a pipe", 2, "problem.yaml: problem:1:1: the file is empty"),
    (SITE, "problem.yaml", "without end", 2, "problem.yaml: problem:1:1: the file has more than 1000000"),
    (SITE, "site/.made-by-attnsolve-site", "UTF-16", 0, FINE),
    (SITE, "site/.made-by-attnsolve-site", "escapes", 0, FINE),
    (SITE, "site/.made-by-attnsolve-site", "a long line", 0, FINE),
    (SITE, "site/.made-by-attnsolve-site", "a pipe", 1, "has files that are not of a site of ours"),
    (DRAWN, "exam.key", "empty", 2, "the key has 0 characters; a secret needs at least 16"),
    (DRAWN, "exam.key", "a pipe", 2, "the key has 0 characters; a secret needs at least 16"),
    (DRAWN, "exam.key", "a folder", 2, "the key 'exam.key' cannot be read: Is a directory"),
    (DRAWN, "exam.key", "without end", 2, "'exam.key' has more than 65536 bytes; a key is one line"),
    (PRACTISED, "progress.json", "endless number", 3, "'progress.json' cannot be taken up: a number with"),
    (PRACTISED, "progress.json", "cut off", 3, "unterminated string starting at (line 1, column 2)"),
    (PRACTISED, "progress.json", "merged", 3, "what version control leaves where two changes met; keep one"),
    (PRACTISED, "progress.json", "a key twice", 3, "the key 'format' stands twice in one map"),
    (PRACTISED, "progress.json", "of a later release", 3, "it is no progress of this release"),
    (PRACTISED, "progress.json", "a folder", 2, "File 'progress.json' is a directory."),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam, a graded class, a zip, a style, and how far somebody has come."""
    path = tmp_path_factory.mktemp("strange") / "room"
    with fuzz_states.Quiet():
        made = fuzz_states.made_room(path)
        made.run("style", "new", "house")
    (path / "progress.json").write_text('{"schema": 1}', "utf-8")
    (path / "layer.safetensors").write_bytes(b"")
    (path / "page.md").write_text("mine\n", "utf-8")
    (path / "site").mkdir()
    (path / "site" / ".made-by-attnsolve-site").write_text("gone.html\n", "utf-8")
    return path


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> None:
    """Each command is a process of its own elsewhere; here one would remember the files of another."""
    for kept in (assignment._register, assignment._personal, assignment._verifier, assignment._solved):
        kept.cache_clear()


@contextmanager
def patience() -> Iterator[None]:
    """Nobody waits longer than this."""

    def give_up(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("command", "file", "accident", "code", "said"),
    TABLE,
    ids=[f"{file} {accident}" for _, file, accident, *_ in TABLE],
)
def test_what_stands_in_the_place_of_a_kept_file(
    command: tuple[str, ...],
    file: str,
    accident: str,
    code: int,
    said: str,
    room: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(""))
    copy = tmp_path / "room"
    copytree(room, copy)
    ACCIDENTS[accident](one_of(copy / file))
    before = contents(copy)
    printed = StringIO()
    ended, words = 0, ""
    with patience(), redirect_stdout(printed), redirect_stderr(printed):
        try:
            ended = Room(copy).run(*command)
        except AttnsolveError as error:
            ended, words = error.exit_code, str(error)
        except ClickException as error:
            ended, words = error.exit_code, error.message
    assert code == ended, words or printed.getvalue()
    assert said in words + printed.getvalue()
    assert not re.search("[\x1b\u202e]", words + printed.getvalue())
    if code:
        assert before == contents(copy)


def one_of(place: Path) -> Path:
    """The file itself, or the first that lies in the folder of numbers of an exam."""
    return sorted(place.glob("????.yaml"))[0] if place.name == "problems" else place


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file of a folder that is one."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
