"""LaTeX, where it is installed: run in an empty folder, where it can read and write nothing else."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from attnsolve.errors import AttnsolveError
from attnsolve.pdf_engines import Engine
from attnsolve.rendering.completion import FOR_LUALATEX
from attnsolve.rendering.styling import current

NAME = "document"
# A page is known to be on its place when the notes of a run are those of the run before.
MOST_RUNS = 4
ERROR = re.compile(rf"^(?:\./)?{NAME}\.tex:(\d+): (.*)|^! (.*)", re.MULTILINE)
PLACE = re.compile(r"^l\.(\d+)", re.MULTILINE)
KEPT = ("PATH", "HOME", "TEXMFVAR", "TEXMFCACHE")
OPTIONS = ("-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "-file-line-error")
# latexmk runs TeX as often as it takes. It reads no settings, which would be Perl that is run, starts nothing
# for a bibliography, and is given no name that anybody chose.
LATEXMK = ("latexmk", "-norc", "-bibtex-", "-silent")
OUTPUT = {Engine.PDFLATEX: "-pdf", Engine.LUALATEX: "-pdflua"}


def tex_pdf(source: str, pictures: Mapping[str, bytes], engine: Engine) -> bytes:
    """The PDF of a LaTeX document and its pictures; where it cannot be made, the document is kept."""
    program = chosen_program(source, engine)
    command: tuple[str, ...] = (program.value,)
    if engine is Engine.LATEX and shutil.which(LATEXMK[0]):
        command = (*LATEXMK, OUTPUT[program])
    with TemporaryDirectory(prefix="attnsolve-") as folder:
        root = Path(folder)
        for name, data in {f"{NAME}.tex": source.encode(), **pictures}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        said = run(command, root)
        if said:
            raise AttnsolveError(f"PDF not made: {program.value} {said}; the .tex is {kept(root)}")
        return (root / f"{NAME}.pdf").read_bytes()


def chosen_program(source: str, engine: Engine) -> Engine:
    """The program that prints a document: lualatex where only that has its letters."""
    usual = Engine.LUALATEX if source.startswith(FOR_LUALATEX) else Engine.PDFLATEX
    program = usual if engine is Engine.LATEX else engine
    if shutil.which(program.value) is None:
        where = "texlive-luatex" if program is Engine.LUALATEX else "texlive-latex-recommended"
        cure = f"Debian: apt install {where}"
        raise AttnsolveError(f"{program.value} is not installed ({cure}); without --engine no TeX is needed")
    return program


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command until the pages stay where they are; what went wrong, or nothing."""
    notes = b""
    for _ in range(MOST_RUNS):
        try:
            code, said = ended([*command, *OPTIONS, f"{NAME}.tex"], folder)
        except subprocess.TimeoutExpired:
            return f"took longer than {current().limits.tex_seconds} s (--limit tex_seconds=… allows more)"
        if code or not (folder / f"{NAME}.pdf").is_file():
            log = folder / f"{NAME}.log"
            return complaint(log.read_text("utf-8", "replace") if log.is_file() else said)
        before, notes = notes, (folder / f"{NAME}.aux").read_bytes()
        if notes == before or not notes.strip(b"\\relax \n") or command[0] == LATEXMK[0]:
            break
    return ""


def ended(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """How a command ended and what it said; with one that takes too long all that it started is ended."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=confined(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        limit(process.pid)
        try:
            said, _ = process.communicate(timeout=current().limits.tex_seconds)
        except BaseException:
            end_all(process)
            raise
    return process.returncode, said.decode("utf-8", "replace")


def limit(process: int) -> None:
    """A limit of the system, where it has one, for what is left when we are killed; we end it before."""
    with suppress(ImportError, AttributeError, OSError):
        import resource

        seconds = 2 * current().limits.tex_seconds
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds))


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End a command and the programs that it has started."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def confined(folder: Path) -> dict[str, str]:
    """An environment in which TeX opens files of its own folder and its installation alone."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    # Bytes that do not depend on the day.
    same = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"}
    return {**kept, **same, "LC_ALL": "C.UTF-8", "openin_any": "p", "openout_any": "p", "TMPDIR": str(folder)}


def complaint(log: str) -> str:
    """Where TeX stopped, and why."""
    error = ERROR.search(log)
    if error is None:
        return "stopped without a word"
    line = error[1] or next(iter(PLACE.findall(log[error.end() :])), "?")
    return f"stopped at {NAME}.tex:{line}: {(error[2] or error[3]).strip()}"


def kept(folder: Path) -> Path:
    """Where the document is for somebody who wants to look at it, with its pictures."""
    target = Path.cwd() / "build" / f"{folder.name}"
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns("*.pdf", "*.aux"))
    return target / f"{NAME}.tex"
