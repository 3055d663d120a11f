"""What Moodle exports is read as it is, and what it imports is written."""

import csv
import io
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from exams.rooms import roster, variants
from grading.classes import RIGHT, WRONG, problem, rows
from grading.platforms import PAGE, WORKSHEET, assignment_zip, quiz, table, worksheet
from grading.test_command import grade

from attnsolve.errors import UsageError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.background import Background, known_people
from attnsolve.grading.moodle import owner_of
from attnsolve.grading.piles import Described
from attnsolve.grading.response_tables import read_mappings
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.grading.uploads import Upload


def graded(folder: Path, *places: Path, roster: Path | None = None, columns: str = "") -> Session:
    """A class graded in this process."""
    assignment = Assignment(problem(folder))
    people = known_people(assignment, roster)
    pieces = gather(places, described=Described(people, read_mappings(columns)))
    session = Session(assignment, pieces, None, Background(people))
    list(session.run())
    return session


def upload(session: Session, **more: str) -> Upload:
    return Upload(session.assignment.trace().problem, session.marks, session.people, **more)


def totals(session: Session) -> dict[str, str]:
    return {one.student: "" if one.report is None else str(one.report.earned) for one in session.marks}


@pytest.mark.parametrize(
    ("path", "name", "participant"),
    [
        ("Ada Lovelace_123456_assignsubmission_file_/a.txt", "Ada Lovelace", "123456"),
        ("Ada Lovelace_123456_assignsubmission_file/a.txt", "Ada Lovelace", "123456"),  # from Moodle 4.1 on
        ("Ada Lovelace_123456_assignsubmission_onlinetext_/onlinetext.html", "Ada Lovelace", "123456"),
        ("Group 1-Ada Lovelace_7_assignsubmission_file_/deep/er/a.txt", "Group 1-Ada Lovelace", "7"),
        ("Participant_99_assignsubmission_file_/a.txt", "Participant", "99"),
        ("Ada Lovelace_123456_assignsubmission_file_answers.txt", "Ada Lovelace", "123456"),  # before 3.1
        ("unpacked/Ada Lovelace_123456_assignsubmission_file_/a.txt", "Ada Lovelace", "123456"),
        ("Ada Lovelace/a.txt", "", ""),
        ("Ada_1_file_/a.txt", "", ""),
    ],
)
def test_folders_say_whose_files_they_are(path: str, name: str, participant: str) -> None:
    owner = owner_of(PurePosixPath(path))
    assert (name, participant) == (("", "") if owner is None else (owner.name, owner.participant))


def test_zip_of_an_assignment(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "0/onlinetext.html": PAGE,
        "1/answers.txt": WRONG,
        "1/scan.pdf": b"%PDF",
        "2/photo.jpg": b"\xff\xd8",
    }
    session = graded(tmp_path, assignment_zip(tmp_path, files), roster=worksheet(tmp_path))
    assert {"s100": "5", "s101": "4", "s102": ""} == totals(session)
    assert session.marks[2].trouble.startswith("not read: photo.jpg: .jpg is not a kind of file I read")
    assert session.marks[1].report is not None
    assert session.marks[1].report.remarks[0].startswith("not read: scan.pdf: .pdf is not a kind")
    assert {"s103", "s104"} == {one.student for one in session.absent}
    assert "Ada Lovelace" == rows(session.write())[0]["name"]


def test_without_a_roster_participants_are_students(tmp_path: Path) -> None:
    session = graded(tmp_path, assignment_zip(tmp_path, {"0/answers.txt": RIGHT, "3/answers.txt": WRONG}))
    assert {"123456": "5", "123459": "4"} == totals(session)
    lines = list(csv.DictReader(io.StringIO(upload(session).moodle())))
    assert [("Participant 123456", "Ada Lovelace", "5"), ("Participant 123459", "Zoë Ångström", "4")] == [
        (line["Identifier"], line["Full name"], line["Grade"]) for line in lines
    ]
    assert {"Grade", "Identifier", "Last modified (grade)"} <= set(lines[0])  # what Moodle asks for


@pytest.mark.parametrize(
    ("text", "earned", "said"),
    [
        ("mark a.S 2\nmark a.A 2\ns 7 7\n", "0", "line 1: mark a.S 2: this is for whoever marks"),
        ("s ok\na ok\nz ok\n", "0", "line 1: s ok: this is for whoever marks"),
        ("<p>s ok</p>", "0", "line 1: s ok: this is for whoever marks"),
    ],
)
def test_nobody_marks_his_own_work(tmp_path: Path, text: str, earned: str, said: str) -> None:
    name = "0/onlinetext.html" if text.startswith("<") else "0/answers.txt"
    (one,) = graded(tmp_path, assignment_zip(tmp_path, {name: text})).marks
    found = one.trouble if one.report is None else "\n".join(map(str, one.report.unread))
    assert said in found
    assert one.report is None or earned == str(one.report.earned)


def test_nobody_hands_in_for_another(tmp_path: Path) -> None:
    session = graded(tmp_path, assignment_zip(tmp_path, {"1/answers.txt": f"@ 123456\n{RIGHT}"}))
    assert {"123457": "5"} == totals(session)
    assert session.marks[0].report is not None
    assert ["the text names '123456'"] == list(map(str, session.marks[0].report.remarks))


def test_responses_of_a_quiz(tmp_path: Path) -> None:
    file = quiz(
        tmp_path,
        ("ada@x", "s 1 2\na .27 .73", "z .54 2.92"),
        ("ben@x", "<p>s 1 3</p><p>a .12 .88</p>", "z .24 3.52"),
        ("no@x", "-", "-"),
    )
    session = graded(tmp_path, file)
    assert {"ada@x": "5", "ben@x": "4"} == totals(session)
    assert ["no@x"] == [one.student for one in session.absent]
    lines = list(csv.DictReader(io.StringIO(upload(session, item="Sheet 3").moodle())))
    assert [("ada@x", "5"), ("ben@x", "4"), ("no@x", "")] == [
        (line["Email address"], line["Sheet 3"]) for line in lines
    ]


def test_columns_that_nobody_could_guess(tmp_path: Path) -> None:
    rows = [
        ["Matrikel Nr", "Frage 1", "Q2, the weights", "Code"],
        ["17", "1 2", "a .27 .73\nz .54 2.92", "K7"],
    ]
    file = table(tmp_path / "form.csv", rows)
    columns = 'student=Matrikel Nr,a.S=Frage 1,"answers=Q2, the weights",variant=code'
    session = graded(tmp_path, file, columns=columns)
    assert {"17": "5"} == totals(session)
    assert "K7" == session.marks[0].variant


@pytest.mark.parametrize(
    ("heading", "columns"),
    [
        (["Nachname", "Vorname", "E-Mail-Adresse", "Antwort 1"], ""),
        (["Surname", "First name", "Email address", "Response 1"], ""),
        (["name", "section_id", "sis_id", "4711: Find Z"], "student=sis_id,answers=4711: Find Z"),
    ],
    ids=["German", "before Moodle 4", "quiz of Canvas"],
)
def test_headings_of_other_places(tmp_path: Path, heading: list[str], columns: str) -> None:
    file = table(tmp_path / "quiz.csv", [heading, ["Lovelace", "Ada", "ada@x", RIGHT]])
    assert {"ada@x": "5"} == totals(graded(tmp_path, file, columns=columns))


def test_an_unpacked_zip_is_the_same(tmp_path: Path) -> None:
    packed = assignment_zip(tmp_path, {"0/onlinetext.html": PAGE, "1/deep/answers.txt": WRONG})
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path / "unpacked")
    found = [gather([place]) for place in (packed, tmp_path / "unpacked")]
    assert [("123456", True), ("123457", True)] == [(one.student, one.is_identified) for one in found[0]]
    assert [one.key for one in found[0]] == [one.key for one in found[1]]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("student=Matrikl,answers=Frage 1", "no column is called 'Matrikl'; did you mean 'matrikel'?"),
        ("student=Matrikel", "say where the answers are"),
        ("answers", "write what it is, =, and the heading"),
        ("answers=Frage 1", "no column says who somebody is; say which with --columns student="),
    ],
)
def test_wrong_columns_are_told(tmp_path: Path, columns: str, said: str) -> None:
    file = table(tmp_path / "form.csv", [["Matrikel", "Frage 1"], ["17", "s 1 2"]])
    with pytest.raises(UsageError, match=said):
        graded(tmp_path, file, columns=columns)


def test_worksheet_comes_back_filled_in(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "0/answers.txt": RIGHT,
        "1/answers.txt": "I could not do this\ns 1 2\n",
        "2/a.txt": RIGHT,
        "2/b.txt": WRONG,
        "3/answers.txt": WRONG,
    }
    given = worksheet(tmp_path, maximum="100.00")
    session = graded(tmp_path, assignment_zip(tmp_path, files), roster=given)
    ready = upload(session)
    heading, *lines = csv.reader(io.StringIO(ready.moodle()))
    before = list(csv.reader(io.StringIO(given.read_text("utf-8-sig"))))
    assert WORKSHEET == heading
    assert ["5", "", "", "4", ""] == [line[5] for line in lines]
    assert "4 of 5; first wrong: a.S[2] wrong" == lines[3][-1]
    for line, was in zip(lines, before[1:], strict=True):
        assert was[:5] + was[6:10] == line[:5] + line[6:10]
    assert [
        "s101: something was not read",
        "s102: handed in more than once",
    ] == ready.held_back
    assert ["the worksheet has a maximum grade of 100.00, the exercise of 5"] == ready.warnings


def test_canvas_finds_everybody_again(tmp_path: Path) -> None:
    heading = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sheet 2 (97)"]
    points = ["    Points Possible", "", "", "", "", "10"]
    export = [
        heading,
        points,
        ["Lovelace, Ada", "9", "17", "al", "Mon", "8"],
        ["Home, N", "10", "18", "nh", "Mon", ""],
    ]
    roster = table(tmp_path / "canvas.csv", export)
    (tmp_path / "pile.txt").write_text(f"@ 17\n{RIGHT}@ stranger\n{WRONG}")
    session = graded(tmp_path, tmp_path / "pile.txt", roster=roster)
    assert [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sheet 3 (98)"],
        ["    Points Possible", "", "", "", "", "5"],
        ["Lovelace, Ada", "9", "17", "al", "Mon", "5"],
        ["Home, N", "10", "18", "nh", "Mon", ""],
        ["stranger", "", "stranger", "", "", "4"],
    ] == list(csv.reader(io.StringIO(upload(session, item="Sheet 3 (98)").canvas())))


def test_feedback_goes_into_the_folders_of_moodle(tmp_path: Path) -> None:
    assignment_zip(tmp_path, {"0/onlinetext.html": PAGE, "1/answers.txt": WRONG})
    problem(tmp_path)
    worksheet(tmp_path)
    words = ("two-keys.yaml", "Course-Sheet 3-4711.zip", "--roster", "worksheet.csv", "-o", "marks.csv")
    done = grade(
        tmp_path, *words, "--moodle", "up.csv", "--canvas", "canvas.csv", "--feedback", "feedback.zip"
    )
    assert (0, "3 of the roster handed in nothing; their lines in the marks are empty\n") == (
        done.returncode,
        done.stderr,
    )
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert [
            "Ada Lovelace_123456_assignsubmission_onlinetext_/feedback.txt",
            "Ben Bitdiddle_123457_assignsubmission_file_/feedback.txt",
        ] == archive.namelist()
        assert "a.S[2] was read as 3; it should be 2" in archive.read(archive.namelist()[1]).decode()
    before = (tmp_path / "feedback.zip").read_bytes()
    again = grade(tmp_path, *words, "--feedback", "feedback.zip")
    assert (0, before) == (again.returncode, (tmp_path / "feedback.zip").read_bytes())


def test_names_are_no_formulas(tmp_path: Path) -> None:
    rows = [
        ["Last name", "First name", "Email address", "Response 1"],
        ["=cmd|'/c calc'!A0", "X", "x@x", RIGHT],
    ]
    session = graded(tmp_path, table(tmp_path / "quiz.csv", rows))
    ready = upload(session)
    for text in (ready.moodle(), ready.canvas()):
        assert not any(cell.startswith("=") for line in csv.reader(io.StringIO(text)) for cell in line)


def test_an_exam_knows_its_people_by_name(tmp_path: Path) -> None:
    file = problem(tmp_path)
    people = roster(tmp_path, "s100,Ada Lovelace", "s101,Nobody Home")
    variants(tmp_path, file.name, "--roster", people, "-o", "exam")
    name = assignment_zip(tmp_path, {"0/onlinetext.html": "<p>s 1 2</p>"}).name
    done = grade(tmp_path, "exam", name, "-o", "marks.csv", "--moodle", "up.csv")
    assert "1 of the roster handed in nothing; their lines in the marks are empty\n" == done.stderr
    first, second = rows((tmp_path / "marks.csv").read_text())
    assert ("s100", "Ada Lovelace", "5") == (first["student"], first["name"], first["possible"])
    assert ("s101", "nothing handed in") == (second["student"], second["look at"])
    (line,) = rows((tmp_path / "up.csv").read_text())
    assert ("Participant 123456", first["total"]) == (line["Identifier"], line["Grade"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("-o", "a.csv", "--moodle", "./a.csv"),
            "'a.csv' is named twice; each thing that is written needs a file",
        ),
        (("--feedback", "feedback.zip"), "--feedback is for an assignment of Moodle"),
        (("--roster", "nowhere.csv"), "nowhere.csv"),
        (("--columns", "answers"), "--columns 'answers': write what it is"),
    ],
)
def test_what_cannot_be_meant_is_told_first(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    problem(tmp_path)
    (tmp_path / "pile.txt").write_text(f"@ 17\n{RIGHT}")
    done = grade(tmp_path, "two-keys.yaml", "pile.txt", *words)
    assert done.returncode in (2, 3) and said in done.stderr and "bug" not in done.stderr
    assert not (tmp_path / "a.csv").exists()
