"""Answers as YAML, JSON and CSV, in files and as text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables
from verifier.outlines import told

from attnsolve import batch
from attnsolve.errors import ProblemError
from attnsolve.notes import NoteKind
from attnsolve.submission import Override
from attnsolve.verifier.reading import read_submission, read_submissions
from attnsolve.verifier.verification import Verifier


def answers(text: str, form: str) -> list[str]:
    submission = read_submission(text, form=form)
    assert () == submission.unread
    return [told(answer) for answer in submission.answers]


YAML = [
    ("S: 1 2; 3 4", ["S = 1 2; 3 4"]),
    ("answers: {S: 1 2; 3 4, Z: '-'}", ["S = 1 2; 3 4", "Z = -"]),
    ("S: [[1, 2], [3, 4]]", ["S = 1 2; 3 4"]),
    ("S:\n  - [1, 2]\n  - [3, 4]", ["S = 1 2; 3 4"]),
    ("S:\n  - 1 2\n  - 3 4", ["S = 1 2; 3 4"]),
    ("S: |\n  1 2\n  3 4\n", ["S = 1 2; 3 4"]),
    ("S: >\n  1 2\n  3 4\n", ["S = 1 2; 3 4"]),
    ("S: 1 2\n   3 4\n", ["S = 1 2; 3 4"]),
    ("S: '1 2\n   3 4'\nZ: 1", ["S = 1 2; 3 4", "Z = 1"]),
    ("S: |\n  1\t2\n  3\t4\n", ["S = 1 2; 3 4"]),
    ("A: '.5 .25; 0 1'", ["A = 1/2 1/4; 0 1"]),
    ("A: [.5, 1/3, sqrt(4)]", ["A = 1/2 1/3 2"]),
    ("'A[2]': .5 .5\nA[2, 1]: 0.5", ["A[2] = 1/2 1/2", "A[2, 1] = 1/2"]),
    ("A: {2: .5 .5}", ["A[2] = 1/2 1/2"]),
    ("b: {Z: 1 2, A: ok}\nhead2.A: 3", ["b.Z = 1 2", "b.A = ok", "head2.A = 3"]),
    ("Z:\nA: ok\nq: ?x\nk: ['?', '-', nan, 1]", ["Z = -", "A = ok", "q = !", "k = ? - - 1"]),
    ("A: [[1, 2], [3]]", ["A = 1 2; 3 -"]),
    ("A: [[[1, 2], [3, 4]]]", ["A = 1 2; 3 4"]),
    ("A: [[1, {x: 1}], [3, 4]]", ["A = ! -; 3 4"]),
    ("A: []", ["A = -"]),
    ("A: 0,67", ["A = 67/100"]),
    ("A: ['0,67', '0,33']", ["A = 67/100 33/100"]),
    ("A: [0,67, 0,33]", ["A = ! !"]),
    ("A: [1,2,3]", ["A = 1 2 3"]),
    ("A: [0.5,0.25]", ["A = 1/2 1/4"]),
    ("A: '\\begin{bmatrix} 1 & 2 \\end{bmatrix}'", ["A = 1 2"]),
    ("A: 'array([[1., 2.]])'", ["A = 1 2"]),
    ("A: ~3", ["A = ~"]),
    ("1: 2", ["1 = 2"]),
]


@pytest.mark.parametrize(("text", "expected"), YAML)
def test_yaml_is_read(text: str, expected: list[str]) -> None:
    assert expected == answers(text, "yaml")


def test_yaml_says_who_and_what_was_marked_by_hand() -> None:
    text = (
        "student: 1234567\nvariant: K7Q2\nanswers:\n  S: ok\n"
        "mark: {a: '1/2 \"method clear\"', b: 1}\nremarks: [torn, late]\n"
    )
    submission = read_submission(text, source="x.yaml")
    assert ("1234567", "K7Q2", "x.yaml") == (submission.student, submission.variant, submission.source)
    assert (Override("a", "1/2", "method clear", 5), Override("b", "1", "", 5)) == submission.overrides
    assert ("torn", "late") == submission.remarks
    assert [4] == [answer.line for answer in submission.answers]


def test_what_is_wrong_in_yaml_leaves_the_rest() -> None:
    submission = read_submission('S: 1 2\nS: 3\nZ: "\\alpha"\nA: ok\n', source="x.yaml", form="yaml")
    assert ["S = 1 2", "Z = !", "A = ok"] == [told(answer) for answer in submission.answers]
    assert str(submission.unread[0]).startswith("x.yaml:2:1: the key 'S' appears twice")
    assert str(submission.unread[1]).startswith("x.yaml:3:5: Z: double quotes change the '\\a'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S: &a [1]\nA: *a\n", "x.yaml:1:4: anchors and aliases"),
        ("S: !!python/object:os.system 1", "x.yaml:1:4: the YAML tag"),
        ("S: [" + "[" * 50, "nested deeper than 32 levels"),
        ("S: [1, 2", "x.yaml:1:4: not valid YAML"),
        ("- 1\n- 2\n", "x.yaml:1:1: a map of answers is expected here"),
        ("", "x.yaml:1:1: the file is empty"),
        ("S: 1\x00", "x.yaml:1:5: a control character"),
    ],
)
def test_yaml_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_submission(text, source="x.yaml", form="yaml")
    assert message in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())


JSON = [
    ('{"S": [[1, 2.50], [3, null]]}', ["S = 1 5/2; 3 -"]),
    ('{"answers": {"A": "\\\\frac{1}{2} 1", "Z": "-"}}', ["A = 1/2 1", "Z = -"]),
    ('{"A": "[[1. 2.]\\n [3. 4.]]"}', ["A = 1 2; 3 4"]),
    ('{"A[2, 1]": 1e-3, "b": {"Z": [NaN, -Infinity]}}', ["A[2, 1] = 1/1000", "b.Z = - -oo"]),
    ('{\n\t"A": [0.1,\n\t\t0.2]\n}', ["A = 1/10 1/5"]),
    ('{"A": true, "B": {}, "C": [[], [1]]}', ["A = !", "C = -; 1"]),
]


@pytest.mark.parametrize(("text", "expected"), JSON)
def test_json_is_read(text: str, expected: list[str]) -> None:
    assert expected == answers(text, "json")


def test_json_keeps_digits_and_lines() -> None:
    submission = read_submission('{\n"student": 7,\n"S": [0.50],\n\n"A": 0.3000000000000000000001}')
    assert [("S", 3, 2), ("A", 5, 22)] == [(a.name, a.line, a.rows[0][0].places) for a in submission.answers]
    assert "7" == submission.student


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"S": [1, 2}', "x.json:1:12: not valid JSON"),
        ("[" * 100_000, "x.json:1:1: nested deeper than 32 levels"),
        ('{"S": ' + "[" * 40 + "]" * 40 + "}", "nested deeper than 32 levels"),
        ("7", "a map of answers is expected"),
        ("[]", "a map of answers is expected"),
        ('{"S": [' + "1," * 60_000 + "1]}", "more than 50000 values, the limit"),
    ],
)
def test_json_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ProblemError, match=r"x\.json:1:") as caught:
        read_submission(text, source="x.json", form="json")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name,row,column,value\nA,1,1,0.5\nA,1,2,\nS,2,,1 2\nZ,,,1 2; 3 4\n",
            ["A[1, 1] = 1/2", "A[1, 2] = -", "S[2] = 1 2", "Z = 1 2; 3 4"],
        ),
        ("Name;Row;Col;Value\nA;1;1;0,5\nA;1;2;?\n", ["A[1, 1] = 1/2", "A[1, 2] = ?"]),
        ('name,value\n"A[1, 1]",.5\nA[1],2\nS,ok\n', ["A[1, 1] = 1/2", "A[1] = 2", "S = ok"]),
        ("S,A,Z\n1,.5,ok\n", ["S = 1", "A = 1/2", "Z = ok"]),
        ("s,a\n1,.5\n2,nan\n3,\n", ["s = 1; 2; 3", "a = 1/2; -"]),
        ('S\n"1 2\n3 4"\n', ["S = 1 2; 3 4"]),
        ("S\n1 2\n3 4\n", ["S = 1 2; 3 4"]),
        ("A[1]\tA[2]\n0,5\t1\n", ["A[1] = 1/2", "A[2] = 1"]),
        ("sep=;\nS;A\n1;2\n", ["S = 1", "A = 2"]),
        ("\ufeffS,A\r\n1,2\r\n", ["S = 1", "A = 2"]),
        ("S,A\n", ["S = -", "A = -"]),
    ],
)
def test_csv_is_read(text: str, expected: list[str]) -> None:
    assert expected == answers(text, "csv")


def test_csv_of_a_class_has_a_line_for_each_student() -> None:
    text = "student,variant,s,A,remark\n1,K7,1 2,ok,late\n2,,-,.5,\n3,K9\n"
    found = list(read_submissions(text, "class.csv"))
    assert [("1", "K7", ("late",)), ("2", "", ()), ("3", "K9", ())] == [
        (s.student, s.variant, s.remarks) for s in found
    ]
    assert ["s = 1 2", "A = ok"] == [told(answer) for answer in found[0].answers]
    assert ["s = -", "A = 1/2"] == [told(answer) for answer in found[1].answers]


def test_csv_line_that_does_not_fit_leaves_the_others() -> None:
    one, two = read_submissions("student,s\n1,0,67\n2,ok\n", "class.csv")
    assert ("1", "2") == (one.student, two.student)
    assert one.unread and ["s = ok"] == [told(answer) for answer in two.answers]


def test_csv_with_one_number_a_line_is_grouped_by_student() -> None:
    text = "student,name,row,value\n1,s,1,2\n1,s,2,3\n2,s,x,3\n2,,1,3\n2,s,2,5\n"
    one, two = read_submissions(text, "class.csv")
    assert ["s[1] = 2", "s[2] = 3"] == [told(answer) for answer in one.answers]
    assert ["s[2] = 5"] == [told(answer) for answer in two.answers]
    assert (
        "class.csv:4:1: 'x' is not the number of a row or column",
        "class.csv:5:1: a name is missing",
    ) == tuple(map(str, two.unread))


@pytest.mark.parametrize("text", ["name,row,column,value\nA,1,1,0,67\nA,1,2,.5\n", "A[1],A[2]\n0,67,0,33\n"])
def test_decimal_comma_in_csv_is_a_cell_too_many(text: str) -> None:
    submission = read_submission(text, source="x.csv", form="csv")
    assert str(submission.unread[0]).startswith("x.csv:2:1: ")
    assert "decimals use a point" in str(submission.unread[0])
    assert not any(w.text in ("0", "67") for a in submission.answers for row in a.rows for w in row)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv:1:1: the file is empty"),
        ('S\n"1', "x.csv:2:1: not valid CSV"),
        ('S\n"1"2', "not valid CSV"),
    ],
)
def test_csv_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_submission(text, source="x.csv", form="csv")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "S: 1 2\n"),
        ("a.YML", "S: [1, 2]\n"),
        ("a.json", '{"S": [1, 2]}'),
        ("a.csv", "name,value\nS,1 2\n"),
        ("a.tsv", "S\tA\n1 2\tok\n"),
        ("a.txt", "S 1 2\n"),
        ("a.txt", "S: 1 2\n"),
        ("a.txt", "@ 7\nS: 1 2\n"),
        ("a.txt", "answers:\n  S: 1 2\n"),
        ("a.txt", "{S: 1 2}"),
        ("a.txt", '{"S": "1 2"}'),
        ("a.txt", "S: |\n  1 2\n"),
        ("a.txt", "S:\n  - 1 2\n  - -\n"),
        ("answers", "name,value\nS,1 2\n"),
    ],
)
def test_form_is_told_by_the_name_or_by_the_text(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    submission = read_submission(path)
    assert (str(path), ()) == (submission.source, submission.unread)
    assert told(submission.answers[0]).startswith("S = 1 2")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"s 1\nq \xe9", ":2:3: not UTF-8 (byte 0xE9)"),
        (b"\xff\xfes\x00", ":1:1: not UTF-8"),
        (b"x" * 1_000_001, "bytes"),
    ],
)
def test_file_that_is_no_text_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(ProblemError) as caught:
        read_submission(path)
    assert message in str(caught.value) and str(path) in str(caught.value)


def test_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.txt", Path("a\0b")):
        with pytest.raises(ProblemError):
            read_submission(path)
        with pytest.raises(ProblemError):
            read_submissions(path)


@given(table=tables(), form=st.sampled_from(["yaml", "json", "csv"]))
def test_tables_are_read_back_from_files(table: list[list[object]], form: str) -> None:
    rows = [[str(value) for value in row] for row in table]
    listed = "[" + ", ".join("[" + ", ".join(f'"{cell}"' for cell in row) + "]" for row in rows) + "]"
    cells = [(i, j, cell) for i, row in enumerate(rows, 1) for j, cell in enumerate(row, 1)]
    text = {
        "yaml": f"A: {listed}\n",
        "json": f'{{"A": {listed}}}',
        "csv": "name,row,column,value\n" + "".join(f"A,{i},{j},{cell}\n" for i, j, cell in cells),
    }[form]
    found = read_submission(text, form=form).answers
    if form == "csv":
        assert [(i, j, cell) for i, j, cell in cells] == [
            (a.row, a.column, a.rows[0][0].cell.text()) for a in found
        ]
    else:
        assert table == [[written.cell.rational() for written in row] for row in found[0].rows]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("a.A", ""),
        ("a.A =", ""),
        ("a.A:", ""),
        ("a.A -", ""),
        ("a.A —", ""),
        ("a.A nan ; a.S", ""),
        ("a.A - -", ""),  # four belong there
        ("a.A ~", ""),
        ("a.A ~3.5", ""),
        ("b.A[2] -", ""),
        ("b.A[2]", ""),
        ("b.A -", ""),
        ("a.A:\na.S: null\nb.A: ''\nb.S: []\nb.Q: ~\n", "yaml"),
        ('{"a.A": null, "a.S": "", "b.A": [], "b.S": NaN, "b.Q": [[null]]}', "json"),
        ("student,a.A,a.S,b.A\n1,,NaN,nan\n", "csv"),
        ("name,row,column,value\na.A,,,\na.S,,,NaN\nb.A,2,,\nb.A,1,2,\n", "csv"),
        ("a.A,a.S\n,nan\nnan,\nnan,\n", "csv"),
    ],
)
def test_nothing_written_is_nothing_written(text: str, form: str) -> None:
    """Somebody who skipped a question has no marks for it, and nobody has to look at it."""
    judge = Verifier(batch.solved(batch.find("ist-practical-10")))
    report = judge.verify(read_submission(text, form=form))
    assert () == report.unread
    assert {"not written"} == {step.verdict for step in report.steps}


@pytest.mark.parametrize("later", ["a.S", "a.S =", "a.S -", "a.S ~", "a.S - -"])
def test_skipping_takes_nothing_back(later: str) -> None:
    judge = Verifier(batch.solved(batch.find("ist-practical-10")))
    report = judge.verify(read_submission(f"a.S 4.5 0 4.5 0 ; {later}"))
    assert ("right", ()) == next((s.verdict, s.notes) for s in report.steps if s.name == "a.S")


@pytest.mark.parametrize(
    ("text", "notes", "unread"),
    [
        ("a.S[1] 4.5 ; a.S[2] x", 1, 0),
        ("a.S[2] x ; a.S[1] 4.5", 1, 0),
        ("a.S[2] ? ; a.S[1] 4.5", 1, 0),
        ("a.S x", 1, 0),
        ("a.S 4.5 0 4.5 0 ; a.S x", 0, 1),
        ("b.S[2] x ; b.S[1, 1] 1", 1, 0),
    ],
)
def test_what_was_not_read_is_not_lost_beside_what_was(text: str, notes: int, unread: int) -> None:
    report = Verifier(batch.solved(batch.find("ist-practical-10"))).verify(read_submission(text))
    told = [note for step in report.steps for note in step.notes if note.is_unread]
    assert (notes, unread) == (len(told), len(report.unread))
    assert not any(note.kind is NoteKind.TWICE for step in report.steps for note in step.notes)
