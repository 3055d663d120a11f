"""Folders, files, piles, tables and zips of submissions; what is hostile is refused and stops nobody else."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, graded, pile

from attnsolve.grading.sources import Refused, gather, owners
from attnsolve.limits import LIMITS


def archive(path: Path, files: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def totals(found: dict) -> dict[str, str]:
    return {name: str(one.report.earned) if one.report else one.trouble for name, one in found.items()}


def test_folder_with_a_file_each(tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada.txt").write_text(RIGHT)
    (folder / "bob.yaml").write_text("answers: {s: 1 2, a: 0.27 0.73, z: 0.54 2.92}\n")
    (folder / "cyd.json").write_text(json.dumps({"S": [[1, 2]], "A": [["0.27", "0.73"]], "Z": "0.54 2.92"}))
    (folder / "dan.csv").write_text("name,value\nS,1 2\nA,.27 .73\nZ,.54 2.92\n")
    (folder / ".DS_Store").write_bytes(b"\0\0")
    found = graded(tmp_path, folder)
    assert {"ada": "5", "bob": "5", "cyd": "5", "dan": "5"} == totals(found)


def test_bad_files_stop_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada.txt").write_text(RIGHT)
    (folder / "bin.txt").write_bytes(b"s 1 \xe9\n")
    (folder / "empty.txt").write_text(" \n")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "alias.yaml").write_text("a: &x [1]\nb: *x\n")
    (folder / "link.txt").symlink_to("/etc/passwd")
    (folder / "zoe.txt").write_text(WRONG)
    found = graded(tmp_path, folder)
    assert "5" == str(found["ada"].report and found["ada"].report.earned)
    wrong = found["zoe"].report
    assert wrong is not None and wrong.first_wrong is not None
    assert ("a.S", (0, 1)) == (wrong.first_wrong.name, wrong.first_wrong.cell)
    for name, said in {
        "bin": "not UTF-8 (byte 0xE9)",
        "empty": "empty",
        "photo": ".jpg is not a kind of file I read",
        "deep": "nested deeper than 32 levels",
        "link": "symbolic link",
    }.items():
        assert found[name].report is None
        assert found[name].trouble.startswith("not read: ") and said in found[name].trouble
    assert not found["alias"].is_complete and "anchors and aliases" in str(found["alias"])


def test_pile_keeps_lines_and_names(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(f"// typed by Eve\n\n@ 17 K7\n{RIGHT}@ 18\ns 1 2\nnonsense §§\n")
    pieces = gather([file])
    assert [("17", 3), ("18", 7)] == [(piece.student, piece.line) for piece in pieces]
    found = graded(tmp_path, file)
    assert ("K7", True) == (found["17"].variant, found["17"].is_complete)
    report = found["18"].report
    assert report is not None and [True] == ["line 9: nonsense" in str(why) for why in report.unread]


def test_what_stands_elsewhere_does_not_change_a_key(tmp_path: Path) -> None:
    one, two = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_text(pile("17", "18"))
    two.write_text(pile("0", "17"))
    assert gather([one])[0].key == gather([two])[1].key
    assert gather([one])[0].key != gather([one])[1].key


@pytest.mark.parametrize(
    "text",
    [
        "student,variant,S,A,Z\n17,K7,1 2,.27 .73,.54 2.92\n18,,1 3,.12 .88,.24 3.52\n",
        "sep=;\nstudent;S;A;Z\n\n17;1 2;.27 .73;.54 2.92\n18;1 3;.12 .88;.24 3.52\n",
        "student\tname\tvalue\n17\tS\t1 2\n17\tA\t.27 .73\n17\tZ\t.54 2.92\n18\tS\t1 3\n",
        'student,S,A,Z\n17,"1\n2",".27 .73",.54 2.92\n18,1 3,-,-\n',
    ],
    ids=["a line each", "semicolons", "listed", "a cell of two lines"],
)
def test_table_of_a_class(tmp_path: Path, text: str) -> None:
    file = tmp_path / "class.csv"
    file.write_text(text, newline="")
    assert ["17", "18"] == [piece.student for piece in gather([file])]
    found = graded(tmp_path, file)
    assert "5" == totals(found)["17"]
    report = found["18"].report
    assert report is not None and report.first_wrong is not None and "a.S" == report.first_wrong.name


def test_list_of_people_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "class.json"
    people = [{"student": name, "answers": {"S": "1 2", "A": ".27 .73", "Z": ".54 2.92"}} for name in "abc"]
    file.write_text(json.dumps(people))
    assert {"a": "5", "b": "5", "c": "5"} == totals(graded(tmp_path, file))


def test_zip_as_moodle_makes_it(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {
        "Ada L_1_file_/answers.txt": RIGHT,
        "Bob_2_file_/answers.txt": RIGHT,
        "__MACOSX/x.txt": b"\0",
        "Cyd_3_file_/answers.pdf": b"%PDF",
    }
    found = graded(tmp_path, archive(tmp_path / "all.zip", files))
    assert {"Ada L_1_file_", "Bob_2_file_", "Cyd_3_file_"} == set(found)
    assert "5" == totals(found)["Ada L_1_file_"]
    assert ".pdf is not a kind of file I read" in found["Cyd_3_file_"].trouble


def test_names_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as made:
        made.writestr("x.txt", RIGHT)
    files: dict[str, bytes | str] = {
        "../../etc/out.txt": RIGHT,
        "/abs.txt": RIGHT,
        "C:\\win.txt": RIGHT,
        "nested.zip": inner.getvalue(),
        "ok.txt": RIGHT,
    }
    found = graded(tmp_path, archive(tmp_path / "all.zip", files))
    assert "5" == totals(found)["ok"]
    assert "a zip in a zip is not opened" in found["nested"].trouble
    for name in ("out", "abs", "win"):
        assert found[name].trouble == "not read: its name leads out of the zip"


def test_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.zip", {"zeros.txt": bytes(60_000_000)})
    with pytest.raises(Refused, match=r"bomb\.zip: unpacks to 60 MB; the limit is 50 MB"):
        gather([path])


def test_zip_that_lies_about_its_size_is_cut_off(tmp_path: Path) -> None:
    path = archive(tmp_path / "lie.zip", {"zeros.txt": bytes(3_000_000), "ok.txt": RIGHT})
    data = path.read_bytes().replace((3_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    found = graded(tmp_path, path)
    assert "5" == totals(found)["ok"]
    assert found["zeros"].report is None or not found["zeros"].is_complete


@pytest.mark.parametrize(("count", "fine"), [(5, True), (6, False), (50, False)])
def test_count_in_a_zip_is_limited(tmp_path: Path, count: int, fine: bool) -> None:
    path = archive(tmp_path / "many.zip", {f"{n}.txt": RIGHT for n in range(count)})
    limits = LIMITS._replace(students=5)
    if fine:
        assert count == len(gather([path], limits=limits))
    else:
        with pytest.raises(Refused, match=f"many.zip: {count} files; the limit is 5"):
            gather([path], limits=limits)


@pytest.mark.parametrize(("size", "fine"), [(1000, True), (1001, False), (50_000, False)])
def test_bytes_of_a_zip_are_limited(tmp_path: Path, size: int, fine: bool) -> None:
    path = archive(tmp_path / "large.zip", {"a.txt": "/" * size})
    limits = LIMITS._replace(zip_bytes=1000)
    if fine:
        assert [] == gather([path], limits=limits)  # only a remark
    else:
        with pytest.raises(Refused, match="unpacks to"):
            gather([path], limits=limits)


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK\3\4 not really")
    with pytest.raises(Refused, match="cannot be read"):
        gather([path])


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["ada.txt", "bob.txt"], ["ada", "bob"]),
        (["ada/answers.txt", "bob/answers.txt"], ["ada", "bob"]),
        (["ada/1.txt", "ada/1.csv"], ["ada/1", "ada/1"]),
        ([], []),
    ],
)
def test_owners_are_told_by_names(paths: list[str], names: list[str]) -> None:
    assert names == owners([Path(path) for path in paths])  # type: ignore[misc]


@pytest.mark.parametrize("typed", ["mark a 5", "mark z 1", "s ok\na ok\nz ok", "@ ada\nmark a 5"])
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_nobody_marks_his_own_file(tmp_path: Path, typed: str, packed: bool) -> None:
    files = {"ada.txt": f"s 1 3\n{typed}\n" if "@" not in typed else f"{typed}\ns 1 3\n", "bob.txt": RIGHT}
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    found = graded(tmp_path, archive(tmp_path / "all.zip", dict(files)) if packed else folder)
    report = found["ada"].report
    assert report is not None
    # Of the scores one is right, which earns their method; nothing else is there.
    assert (1, ()) == (report.earned, report.parts)
    assert not any(step.overridden for step in report.steps)
    assert all("this is for whoever marks; it was not counted" in str(why) for why in report.unread)
    assert report.unread and not found["ada"].is_complete
    assert "5" == totals(found)["bob"]


def test_whoever_marks_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text("@ ada\ns 1 3\nmark a 5\n@ bob\ns ok\na ok\nz ok\n")
    assert {"ada": "5", "bob": "5"} == totals(graded(tmp_path, file))


@pytest.mark.parametrize("name", ["", "."])
def test_a_file_of_a_zip_without_a_name_is_handed_in_all_the_same(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as made:
        made.writestr("ann.txt", "a.S 4.5 0 4.5 0\n")
        made.writestr("bob.txt", "a.S 4.5 0 4.5 0\n")
        inside = zipfile.ZipInfo("x")
        inside.filename = name
        made.writestr(inside, "a.S 1 2 3 4\n")
    found = gather([tmp_path / "all.zip"])
    assert {"ann", "bob", "nameless"} == {piece.student for piece in found}
