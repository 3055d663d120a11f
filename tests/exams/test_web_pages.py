"""Exams as web pages: papers, solutions, key, fairness and contacts, each whole and nothing beside it."""

from pathlib import Path

from exams.rooms import contents, problem, roster, variants
from rendering.web import Page

WRITTEN = {"exams.html", "solutions.html", "key.html", "fairness.html", "contacts.html"}


def test_every_document_of_an_exam_is_a_page(tmp_path: Path) -> None:
    students = roster(tmp_path, "17,Zoë <b>", "18,Ιωάννης")
    path = problem(tmp_path)
    made = variants(tmp_path, path, "--roster", students, "--seed", "3", "-o", "exam", "--to", "html")
    found = contents(tmp_path / "exam")
    assert WRITTEN == {name for name in found if name.endswith((".html", ".tex"))}
    assert "lualatex" not in made.stderr  # no engine of LaTeX has anything to do with it
    for name in WRITTEN:
        assert [] == Page(found[name].decode()).faults, name
    for name in ("exams.html", "solutions.html"):
        text = Page(found[name].decode()).text
        assert "Zoë <b>" in text and "Ιωάννης" in text
    variants(tmp_path, path, "--roster", students, "--seed", "3", "-o", "again", "--to", "html", "-j", "2")
    assert found == contents(tmp_path / "again")


def test_each_student_has_a_page_and_reprints_are_pages_too(tmp_path: Path) -> None:
    variants(tmp_path, problem(tmp_path), "-n", "2", "-o", "exam", "--to", "html", "--each")
    exam = tmp_path / "exam"
    codes = sorted(path.stem for path in (exam / "exams").iterdir())
    assert codes == sorted(path.stem for path in (exam / "solutions").iterdir())
    variants(tmp_path, "reprint", "exam", codes[0])
    again = (exam / "reprints" / f"{codes[0]}-exam.html").read_bytes()
    assert (exam / "exams" / f"{codes[0]}.html").read_bytes() == again


def test_pages_are_taken_away_for_latex(tmp_path: Path) -> None:
    path = problem(tmp_path)
    variants(tmp_path, path, "-n", "1", "-o", "exam", "--to", "html")
    variants(tmp_path, path, "-n", "1", "-o", "exam")
    found = contents(tmp_path / "exam")
    assert {"exams.tex", "solutions.tex", "key.tex", "fairness.tex", "contacts.tex"} == {
        name for name in found if name.endswith((".html", ".tex"))
    }
