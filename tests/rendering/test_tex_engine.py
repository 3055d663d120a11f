"""PDFs by LaTeX, which is kept in a folder of its own and given a time."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from rendering.programs import Needs, pdftotext
from rendering.samples import trace_of

from attnsolve.errors import AttnsolveError
from attnsolve.limits import Limits
from attnsolve.papers import Paper
from attnsolve.pdf_engines import Engine
from attnsolve.rendering import printed, render
from attnsolve.rendering.exams import render_exams
from attnsolve.rendering.styling import styled
from attnsolve.rendering.tex_engine import ended, tex_pdf

DOCUMENT = "\\documentclass{{article}}\n\\begin{{document}}\n{}\n\\end{{document}}\n"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_pdflatex_makes_the_same_bytes_every_time(tmp_path: Path, needs: Needs) -> None:
    needs("pdflatex")
    first, second = (render(trace_of("ties"), to="pdf", engine=Engine.LATEX).pdf for _ in range(2))
    assert first == second
    (tmp_path / "page.pdf").write_bytes(first)
    assert "Step 1" in pdftotext(tmp_path / "page.pdf", needs)
    assert ["page.pdf"] == [file.name for file in tmp_path.iterdir()]


def test_pages_are_counted_when_there_are_several_runs(tmp_path: Path, needs: Needs) -> None:
    needs("pdflatex")
    papers = [Paper(f"K{number}Q2", trace_of("ties")) for number in range(2)]
    (tmp_path / "page.pdf").write_bytes(printed(render_exams(papers), Engine.PDFLATEX).pdf)
    assert 2 == pdftotext(tmp_path / "page.pdf", needs).count("page 1 of 2")


def test_latex_is_lualatex_where_only_that_has_the_letters(tmp_path: Path, needs: Needs) -> None:
    needs("lualatex")
    needs("luaotfload")
    needs("Han")
    made = printed(render_exams([Paper("K7Q2", trace_of("ties"), "1", "王小明")]), Engine.LATEX).pdf
    (tmp_path / "page.pdf").write_bytes(made)
    assert "王小明" in pdftotext(tmp_path / "page.pdf", needs)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (r"\nosuchcommand", "Undefined control sequence"),
        (r"\input{/etc/hostname}", "not found"),
        (r"\newread\r\openin\r=/etc/hostname \ifeof\r \errmessage{nothing there}\fi", "nothing there"),
        (r"\input{../secret}", "not found"),
    ],
)
def test_what_goes_wrong_is_said_with_its_place(body: str, said: str, tmp_path: Path, needs: Needs) -> None:
    needs("pdflatex")
    (tmp_path / "secret.tex").write_text("secret", encoding="utf-8")
    with pytest.raises(AttnsolveError) as refused:
        tex_pdf(DOCUMENT.format(body), {}, Engine.PDFLATEX)
    words = str(refused.value)
    assert words.startswith("PDF not made: pdflatex stopped at document.tex:3: ") and said in words
    kept = Path(words.rpartition("the .tex is ")[2])
    assert DOCUMENT.format(body) == kept.read_text(encoding="utf-8")
    assert tmp_path / "build" == kept.parents[1]


def test_no_program_is_started_and_nothing_is_written_elsewhere(tmp_path: Path, needs: Needs) -> None:
    needs("pdflatex")
    target = tmp_path / "written"
    body = rf"\immediate\write18{{touch {target}}} x"
    assert tex_pdf(DOCUMENT.format(body), {}, Engine.PDFLATEX).startswith(b"%PDF")
    with pytest.raises(AttnsolveError):
        tex_pdf(DOCUMENT.format(rf"\newwrite\w\immediate\openout\w={target} x"), {}, Engine.PDFLATEX)
    assert not target.exists()


@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.LATEX])
def test_what_never_ends_is_ended(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Needs
) -> None:
    """With all that it has started: no process is left in its folder."""
    needs("pdflatex")
    needs("latexmk")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "place"))
    (tmp_path / "place").mkdir()
    with styled(limits=Limits(tex_seconds=2)), pytest.raises(AttnsolveError, match="took longer than 2 s"):
        tex_pdf(DOCUMENT.format(r"\def\x{\x}\x"), {}, engine)
    for _ in range(100):  # what is killed may take a moment to be gone
        left = [link for link in places_of_processes() if link.startswith(str(tmp_path / "place"))]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(left)


def test_what_outlives_us_has_a_limit_of_the_system(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("this system has no limits for other processes")
    told = """
import resource, time
for _ in range(6000):
    limit = resource.getrlimit(resource.RLIMIT_CPU)
    if resource.RLIM_INFINITY not in limit:
        break
    time.sleep(0.01)
print(*limit)
"""
    with styled(limits=Limits(tex_seconds=90)):
        assert (0, "180 180\n") == ended([sys.executable, "-c", told], tmp_path)


def places_of_processes() -> list[str]:
    """The folders in which processes run, also those that are gone."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has ended since, or is somebody else's
            found.append(os.readlink(process))
    return found


def test_latexmk_makes_the_same_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Needs) -> None:
    """And does nothing that a file of settings asks for, be it beside the document or at home."""
    needs("pdflatex")
    needs("latexmk")
    asked = f"system('touch {tmp_path}/run');\n"
    (tmp_path / ".latexmkrc").write_text(asked, "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    papers = render_exams([Paper(f"K{number}Q2", trace_of("ties")) for number in range(2)]).text
    beside = {"latexmkrc": asked.encode()}
    assert tex_pdf(papers, {}, Engine.PDFLATEX) == tex_pdf(papers, beside, Engine.LATEX)
    assert not (tmp_path / "run").exists()


def test_latexmk_says_what_goes_wrong_with_its_place(needs: Needs) -> None:
    needs("pdflatex")
    needs("latexmk")
    with pytest.raises(AttnsolveError, match=r"pdflatex stopped at document.tex:3: Undefined control seq"):
        tex_pdf(DOCUMENT.format(r"\nosuchcommand"), {}, Engine.LATEX)


def test_an_engine_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AttnsolveError, match=r"pdflatex is not installed .*without --engine no TeX"):
        render(trace_of("ties"), to="pdf", engine=Engine.PDFLATEX)


def test_only_programs_of_tex_are_started(monkeypatch: pytest.MonkeyPatch, needs: Needs) -> None:
    started: list[list[str]] = []
    original = subprocess.Popen

    def spied(command: list[str], **options: object) -> object:
        started.append(command)
        assert {"p"} == {options["env"]["openin_any"], options["env"]["openout_any"]}  # type: ignore[index]
        return original(command, **options)  # type: ignore[call-overload]

    needs("pdflatex")
    monkeypatch.setattr(subprocess, "Popen", spied)
    tex_pdf(DOCUMENT.format("x"), {}, Engine.PDFLATEX)
    assert {"pdflatex"} == {command[0] for command in started}
    assert all("-no-shell-escape" in command and "-halt-on-error" in command for command in started)
