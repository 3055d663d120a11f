"""Data files beside a problem: nothing outside its folder is read; what is wrong is named with its row."""

from pathlib import Path

import pytest

from attnsolve.errors import ProblemError
from attnsolve.limits import Limits
from attnsolve.loader import load, loads


def refusal(written: str, folder: Path) -> str:
    """What is said about a file that a problem names."""
    text = f"format: 1\ntitle: T\ngiven:\n  X: {{file: {written}}}\nparts:\n  - {{ask: Why?, discuss: d}}\n"
    with pytest.raises(ProblemError) as caught:
        loads(text, name="x.yaml", folder=folder)
    (fault,) = caught.value.faults
    assert ("x.yaml", 4, 13) == (fault.file, fault.line, fault.column)
    assert fault.path.startswith("given.X.file")
    return fault.message


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../secret.csv",
        "data/../../secret.csv",
        "'C:\\X.csv'",
        "'..\\X.csv'",
        "~/X.csv",
        "'file://X.csv'",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("1,2\n")
    (tmp_path / "sheet").mkdir()
    assert "leads elsewhere; the file must lie in the problem's folder" in refusal(path, tmp_path / "sheet")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("1,2\n")
    (tmp_path / "sheet").mkdir()
    (tmp_path / "sheet" / "X.csv").symlink_to(tmp_path / "secret.csv")
    assert "'X.csv' is a link that leads out of the problem's folder; copy the file there" == refusal(
        "X.csv", tmp_path / "sheet"
    )


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sheet").mkdir()
    (tmp_path / "X.csv").write_text("1,2\n")
    (tmp_path / "sheet" / "data").symlink_to(tmp_path)
    assert "is a link that leads out" in refusal("data/X.csv", tmp_path / "sheet")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("X.csv", None, "there is no file 'X.csv' beside the problem"),
        ("data", None, "'data' must end in .csv, .tsv, .txt or .json"),
        ("X.csv", b"", "X.csv holds no numbers"),
        ("X.csv", b"1,2\n3\n", "row 2 has 1 number, but row 1 has 2; if a decimal comma was meant"),
        ("X.csv", b"1;2\n3;4,5\n", "X.csv, row 2: '4,5' is not a number; decimals use a point: 4.5"),
        ("X.csv", b"x1,x2\n", None),
        ("X.csv", b"1,\n", "X.csv, row 1: a number is expected here"),
        ("X.csv", b'1,"2\n', "X.csv is not valid CSV"),
        ("X.csv", b"1,caf\xe9\n", "X.csv is not UTF-8 (byte 0xE9 at 5); save it as UTF-8"),
        ("X.csv", b"1,2\n" * 65, "65 rows; the limit is 64"),
        ("X.csv", b"=SUM(A1:A2)\n", None),
        ("X.json", b"[[1, 2], [3]", "X.json:1:13: not valid JSON"),
        ("X.json", b'{"a": 1}', "X.json must hold a list of rows: [[1, 2], [3, 4]]"),
        ("X.json", b"[[1, null]]", "every cell of X.json must be a number"),
        ("X.json", b"[[1, NaN]]", "X.json, row 1: 'NaN' is not a number"),
        ("X.json", b"[" * 100_000, "X.json is nested too deep"),
        ("X.json", b"[[1e999999999]]", "X.json, row 1: the exponent of '1e999999999' is too large"),
        ("X.json", b"[]", "X.json holds no numbers"),
    ],
)
def test_what_is_wrong_in_a_data_file_is_said(
    name: str, content: bytes | None, message: str | None, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    if message is not None:
        assert refusal(name, tmp_path).startswith(message)
    else:
        with pytest.raises(ProblemError, match=f"{name}, row 1: "):
            loads(
                f"format: 1\ntitle: T\ngiven: {{X: {{file: {name}}}}}\nparts:\n  - {{ask: w, discuss: d}}\n",
                folder=tmp_path,
            )


def test_a_data_file_has_the_limit_of_a_problem(tmp_path: Path) -> None:
    text = "format: 1\ntitle: T\ngiven: {X: {file: X.csv}}\nparts:\n  - {ask: w, discuss: d}\n"
    (tmp_path / "x.yaml").write_text(text)
    (tmp_path / "X.csv").write_text("1" + " " * 500)
    with pytest.raises(ProblemError, match=r"X\.csv has more than 400 bytes, the limit"):
        load(tmp_path / "x.yaml", limits=Limits(file_bytes=400))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing.yaml", "there is no such file"),
        (".", "this is a folder"),
        ("a\0b", "cannot be the name of a file"),
    ],
)
def test_a_problem_that_cannot_be_read(path: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message):
        load(tmp_path / path)
