"""Exams as PDFs: one document for printing, one for each student, with nothing of TeX on the path."""

import hashlib
import json
from pathlib import Path

import pytest
from exams.rooms import problem, roster, variants
from rendering.programs import Needs, pdftotext

from attnsolve.cli import variants as command
from attnsolve.exams.folder import Folder
from attnsolve.pdf_engines import Engine
from attnsolve.rendering import typst_papers

pytest.importorskip("typst")


def pdfs(exam: Path) -> dict[str, str]:
    """The PDFs of an exam, each by the hash of its bytes."""
    found = sorted(exam.rglob("*.pdf"))
    return {
        path.relative_to(exam).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found
    }


def test_an_exam_is_one_pdf_for_printing(
    tmp_path: Path, needs: Needs, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdftotext_found = needs("pdftotext")
    path, students = problem(tmp_path), roster(tmp_path, "1,Ada Lovelace", "2,Ελένη")
    monkeypatch.setenv("PATH", "")
    variants(tmp_path, path, "--roster", students, "--seed", "3", "-o", "exam", "--to", "pdf")
    first = pdfs(tmp_path / "exam")
    assert {"contacts.pdf", "exams.pdf", "fairness.pdf", "key.pdf", "solutions.pdf"} == set(first)
    assert not list((tmp_path / "exam").glob("*.tex"))
    shown = pdftotext(tmp_path / "exam" / "exams.pdf", lambda _: pdftotext_found)
    codes = [entry["code"] for entry in json.loads((tmp_path / "exam/lock.json").read_text())["variants"]]
    assert all(text in shown for text in ("Ada Lovelace", "Ελένη", *codes))
    variants(tmp_path, path, "--roster", students, "--seed", "3", "-o", "again", "--to", "pdf", "-j", "2")
    assert first == pdfs(tmp_path / "again")


def test_each_student_has_a_pdf_and_reprints_are_the_same_kind(tmp_path: Path) -> None:
    exam = tmp_path / "exam"
    variants(tmp_path, problem(tmp_path), "-n", "2", "-o", exam, "--to", "pdf", "--each")
    lock = Folder(exam).locked()
    codes = [entry.code for entry in lock.entries]
    assert Engine.TYPST is lock.layout.engine
    assert {f"{kind}/{code}.pdf" for kind in ("exams", "solutions") for code in codes} <= set(pdfs(exam))
    variants(tmp_path, "reprint", exam, codes[0])
    assert {f"reprints/{codes[0]}-exam.pdf", f"reprints/{codes[0]}-solution.pdf"} <= set(pdfs(exam))


def test_how_much_memory_the_key_of_many_papers_takes_is_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = problem(tmp_path)
    drawn = ("-n", "2", "--solutions", "none", "--to")
    assert "gigabytes" not in variants(tmp_path, path, *drawn, "pdf", "-o", "few").stderr
    monkeypatch.setattr(command, "MANY_PAPERS", 2)
    said = variants(tmp_path, path, *drawn, "pdf", "-o", "exam").stderr
    assert "the key of 2 papers: one table, for which Typst may take gigabytes of memory" in said
    assert "--engine pdflatex" in said
    assert "gigabytes" not in variants(tmp_path, path, *drawn, "html", "-o", "other").stderr


def test_papers_that_are_printed_in_parts_are_one_pdf_nevertheless(
    tmp_path: Path, needs: Needs, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdftotext_found = needs("pdftotext")
    path, exam = problem(tmp_path), tmp_path / "exam"
    drawn = (path, "-n", "45", "--seed", "3", "--to", "pdf", "-o")
    variants(tmp_path, *drawn, "whole", "--solutions", "none")
    monkeypatch.setattr(typst_papers, "LONGEST", 30_000)
    variants(tmp_path, *drawn, "exam", "--solutions", "none")
    whole, first = pdfs(tmp_path / "whole"), pdfs(exam)
    assert {"exams.pdf"} == {name for name in whole if whole[name] != first[name]}
    assert whole.keys() == first.keys()
    assert pdftotext(tmp_path / "whole/exams.pdf", lambda _: pdftotext_found) == pdftotext(
        exam / "exams.pdf", lambda _: pdftotext_found
    )
    variants(tmp_path, *drawn, "again", "--solutions", "none", "-j", "2")
    assert first == pdfs(tmp_path / "again")
    with (exam / "exams.pdf").open("ab") as file:
        file.write(b"% mine")
    refused = variants(tmp_path, *drawn, exam, "--solutions", "none", code=1)
    assert "exams.pdf' was changed since it was written" in refused.stderr
    variants(tmp_path, *drawn, exam, "--solutions", "none", "--force")
    assert first == pdfs(exam)


def test_documents_of_the_other_kind_are_taken_away(tmp_path: Path) -> None:
    path, exam = problem(tmp_path), tmp_path / "exam"
    variants(tmp_path, path, "-n", "1", "-o", exam, "--to", "pdf")
    variants(tmp_path, path, "-n", "1", "-o", exam)
    assert {} == pdfs(exam) and (exam / "key.tex").is_file()


def test_a_pdf_that_somebody_changed_is_not_overwritten(tmp_path: Path) -> None:
    path, exam = problem(tmp_path), tmp_path / "exam"
    variants(tmp_path, path, "-n", "1", "-o", exam, "--to", "pdf")
    (exam / "key.pdf").write_bytes((exam / "key.pdf").read_bytes() + b"\xff% my own words")
    refused = variants(tmp_path, path, "-n", "1", "-o", exam, "--to", "pdf", code=1)
    assert "key.pdf' was changed since it was written" in refused.stderr


def test_a_name_that_no_font_has_is_said_before_anything_is_drawn(tmp_path: Path) -> None:
    students = roster(tmp_path, "1,A\U0010fffe")
    made = ("--roster", students, "-o", "exam", "--to", "pdf")
    refused = variants(tmp_path, problem(tmp_path), *made, code=1)
    assert "typst cannot print \U0010fffe (no font has it)" in refused.stderr
    assert "nothing was drawn" in refused.stderr
    assert not (tmp_path / "exam").exists()


@pytest.mark.parametrize("to", ["latex", "pdf"])
def test_a_style_may_have_the_title_at_the_foot(to: str, tmp_path: Path) -> None:
    style = tmp_path / "style.yaml"
    style.write_text("format: 1\nfooter: {left: '{title}'}\n", encoding="utf-8")
    variants(tmp_path, problem(tmp_path), "-n", "3", "-o", "exam", "--style", style, "--to", to, "-j", "2")
    assert (tmp_path / "exam" / ("exams.tex" if to == "latex" else "exams.pdf")).is_file()
