"""Codes instead of names in everything that is written, until marks are released."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, problem, rows
from grading.platforms import assignment_zip, worksheet
from grading.test_command import grade

from attnsolve.grading.anonymity import Codes
from attnsolve.grading.graded import Graded
from attnsolve.grading.people import People, Person
from attnsolve.reasons import as_typed, on_line
from attnsolve.report import Report

NAMES = (
    "ada",
    "lovelace",
    "ben",
    "bitdiddle",
    "cy d",
    "effect",
    "123456",
    "123457",
    "123458",
    "s100",
    "s101",
)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    worksheet(tmp_path)
    files: dict[str, str | bytes] = {
        "0/answers.txt": f"// Ada Lovelace was here\n{RIGHT}",
        "1/answers.txt": f"@ s100\n{WRONG}",
        "2/effect_scan.pdf": b"%PDF",
    }
    assignment_zip(tmp_path, files)
    return tmp_path


WORDS = ("two-keys.yaml", "Course-Sheet 3-4711.zip", "--roster", "worksheet.csv", "-o", "marks.csv")
MORE = ("--slips", "slips", "--report", "report.md")


def codes(folder: Path) -> dict[str, str]:
    """Codes by student."""
    text = (folder / "marks.csv.names").read_text("utf-8")
    return {row["student"]: row["code"] for row in csv.DictReader(io.StringIO(text))}


def test_nothing_that_is_written_has_a_name(course: Path) -> None:
    done = grade(course, *WORDS, *MORE, "--anonymous")
    assert 4 == done.returncode
    known = codes(course)
    marks = rows((course / "marks.csv").read_text())
    assert sorted(known.values()) == [row["student"] for row in marks]
    assert "5" == next(row["total"] for row in marks if row["student"] == known["s100"])
    assert {known["s100"].lower(), known["s101"].lower()} == {
        path.stem for path in (course / "slips").iterdir()
    }
    slips = "".join(path.read_text() for path in (course / "slips").iterdir())
    everything = f"{done.stdout}{done.stderr}{(course / 'marks.csv').read_text()}{slips}"
    everything += (course / "report.md").read_text()
    everything += re.sub("[0-9a-f]{16,}", "", (course / "marks.csv.journal").read_text())  # hashes
    assert [] == [name for name in NAMES if name in everything.lower()]
    assert f"the text names '{known['s100']}'" in everything
    assert 0o600 == (course / "marks.csv.names").stat().st_mode & 0o777


def test_codes_stay_and_names_come_back(course: Path) -> None:
    grade(course, *WORDS, "--anonymous")
    known = codes(course)
    (course / "hand.txt").write_text(f"@ {known['s101']}\nmark a.S 2\n@ {known['s102']}\nmark a.S 1\n")
    done = grade(course, *WORDS, "--anonymous", "--overrides", "hand.txt")
    assert (0, known) == (done.returncode, codes(course))
    assert f"  {known['s101']}: 4 -> 5 (a.S 1 of 2 -> 2 of 2)" in done.stdout
    refused = grade(course, *WORDS)
    assert (2, True) == (refused.returncode, "say --anonymous again, or --release" in refused.stderr)
    words = ("--release", "--overrides", "hand.txt", "--moodle", "up.csv")
    assert 0 == grade(course, *WORDS, *words).returncode
    marks = rows((course / "marks.csv").read_text())
    assert [("s100", "Ada Lovelace", "5"), ("s101", "Ben Bitdiddle", "5"), ("s102", "Cy D Effect", "1")] == [
        (row["student"], row["name"], row["total"]) for row in marks[:3]
    ]
    assert ["5", "5", "1", "", ""] == [row["Grade"] for row in rows((course / "up.csv").read_text())]


def test_a_journal_under_codes_is_gone_on_with_and_released(course: Path) -> None:
    grade(course, *WORDS, "--anonymous")
    before, known = (course / "marks.csv").read_bytes(), codes(course)
    journal = course / "marks.csv.journal"
    lines = journal.read_text().splitlines()
    assert 0 < sum("under_codes" in line for line in lines)
    again = grade(course, *WORDS, "--anonymous")
    assert (before, known) == ((course / "marks.csv").read_bytes(), codes(course))
    assert "moved" not in again.stdout
    grade(course, *WORDS, "--release", "--force")
    assert "under_codes" not in journal.read_text()
    assert "s100" in journal.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--release",), "these marks were not made with --anonymous"),
        (("--anonymous", "--release"), "one of them"),
        (
            ("--anonymous", "--canvas", "x.csv"),
            "a platform wants names; upload the marks when you --release them",
        ),
    ],
)
def test_what_cannot_be_meant_is_told(course: Path, words: tuple[str, ...], said: str) -> None:
    done = grade(course, *WORDS, *words)
    assert (2, "") == (done.returncode, done.stdout)
    assert said in done.stderr
    assert not (course / "marks.csv").exists()


def test_summary_for_programs_is_anonymous_too(course: Path) -> None:
    done = grade(course, *WORDS, "--anonymous", "--json")
    assert codes(course)["s102"] == json.loads(done.stdout)["undecided"][0]["student"]


def test_short_names_do_not_spoil_other_words(tmp_path: Path) -> None:
    people = People()
    people.add(Person("17", "Bo Li", number="17"))
    lost = on_line(17, "limit of Bo Li", as_typed("?"))
    report = Report("p", "17", unread=(lost,), remarks=("'17' is mine",))
    made = Codes(tmp_path / "names", people)
    (hidden,) = made.hidden([Graded("x/17.txt", "17", report=report, trouble="x/17.txt:3: no")])
    code = made.code("17")
    assert hidden.report is not None
    assert (f"line 17: limit of {code}: ?",) == tuple(map(str, hidden.report.unread))
    assert (f"'{code}' is mine",) == hidden.report.remarks
    assert f"{code}:3: no" == hidden.trouble
