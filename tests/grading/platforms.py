"""Exports as Moodle and Canvas write them, made by hand."""

import csv
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

WORKSHEET = [
    *("Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade"),
    *("Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"),
]
QUIZ = [
    *("Last name", "First name", "Email address", "Status", "Started", "Completed", "Duration", "Grade/5.00"),
    *("Response 1", "Response 2"),
]
PEOPLE = ["Ada Lovelace", "Ben Bitdiddle", "Cy D Effect", "Zoë Ångström", "Nobody Home"]
PAGE = (
    "<html><head><title>s 9</title></head><body><p>s&nbsp;1 2</p><p>a .27 .73<br>z .54 2.92</p></body></html>"
)


def table(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\r\n").writerows(rows)
    path.write_bytes(b"\xef\xbb\xbf" + stream.getvalue().encode())
    return path


def worksheet(folder: Path, *, maximum: str = "5.00") -> Path:
    """Everybody has the number s100, s101, …, and is participant 123456, 123457, …"""
    rows = []
    for n, name in enumerate(PEOPLE):
        who = (f"Participant {123456 + n}", name, f"s{100 + n}", f"s{100 + n}@uni.example")
        rows.append([*who, "Submitted", "", maximum, "Yes", "Tuesday, 3 March 2026, 9:12 AM", "-", ""])
    return table(folder / "worksheet.csv", [WORKSHEET, *rows])


def assignment_zip(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A zip of submissions: `0/onlinetext.html` is Ada's online text, `1/answers.txt` a file of Ben's."""
    path = folder / "Course-Sheet 3-4711.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            number, _, file = name.partition("/")
            kind = "onlinetext" if file == "onlinetext.html" else "file"
            owner = f"{PEOPLE[int(number)]}_{123456 + int(number)}"
            archive.writestr(f"{owner}_assignsubmission_{kind}_/{file}", data)
    return path


def quiz(folder: Path, *answers: tuple[str, str, str]) -> Path:
    """Responses of people by their address."""
    rows = [
        ["Last", "First", email, "Finished", "9:00", "9:20", "20 mins", "Not yet graded", *responses]
        for email, *responses in answers
    ]
    average = ["Overall average", *[""] * (len(QUIZ) - 1)]
    return table(folder / "quiz.csv", [QUIZ, *rows, average])
