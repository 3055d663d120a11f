"""After an erratum: whose key changes, what it was and what it is."""

import csv
import json
from pathlib import Path

import pytest
from exams.rooms import PROBLEM, locked, problem, roster, variants

from attnsolve.documents import parse
from attnsolve.engine import solve
from attnsolve.exams.answers import Difference, answers_of, differences
from attnsolve.exams.errata import changed
from attnsolve.loader import loads


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "--roster", roster(tmp_path, "17,Ada", "18,Bo"), "-o", "exam")
    return tmp_path


def fixed(course: Path, text: str) -> Path:
    path = course / "fixed.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nobody_is_concerned_while_nothing_has_changed(course: Path) -> None:
    for words in ((), (course / "two-keys.yaml",)):
        done = variants(course, "affected", "exam", *words)
        assert ("", "exam: 0 of 2 codes get another key than was printed\n") == (done.stdout, done.stderr)


def test_the_printed_and_the_right_key_are_told(course: Path) -> None:
    path = fixed(course, PROBLEM.replace("divide_by: none", "divide_by: 2"))
    done = variants(course, "affected", "exam", path, "-o", "changes.csv")
    assert "2 of 2 codes" in done.stderr
    rows = list(csv.DictReader((course / "changes.csv").read_text().splitlines()))
    for seat in ("17", "18"):
        line = locked(course / "exam")[seat]
        text = (course / f"exam/problems/{line['code']}.yaml").read_text()
        right = answers_of(solve(loads(text.replace("divide_by: none", "divide_by: 2"))))
        mine = [row for row in rows if row["code"] == line["code"]]
        assert {seat} == {row["student"] for row in mine}
        for row in mine:
            name, place = row["answer"].rstrip("]").split("[")
            assert line["answers"][name][0][int(place) - 1] == row["printed"]
            assert right[name][0][int(place) - 1] == row["right"]
            assert row["printed"] != row["right"]
        assert f"{line['code']} {seat} " in done.stdout


def test_other_numbers_where_each_variant_has_its_own_concern_nobody(course: Path) -> None:
    path = fixed(course, PROBLEM.replace("V: 2 0; 0 4", "V: 9 9; 9 9"))  # V is every variant's own
    assert "0 of 2 codes" in variants(course, "affected", "exam", path).stderr


@pytest.mark.parametrize(("places", "common"), [(4, 2), (1, 1)])
def test_other_places_are_said_once_and_concern_nobody(course: Path, places: int, common: int) -> None:
    path = fixed(course, PROBLEM.replace("places: 2", f"places: {places}"))
    done = variants(course, "affected", "exam", path)
    said = f"the corrected problem has {places} places instead of 2; keys are compared to {common}\n"
    assert ("", f"{said}exam: 0 of 2 codes get another key than was printed\n") == (done.stdout, done.stderr)


@pytest.mark.parametrize("places", [4, 1])
def test_with_other_places_a_wrong_key_is_found_all_the_same(course: Path, places: int) -> None:
    text = PROBLEM.replace("places: 2", f"places: {places}").replace("divide_by: none", "multiply_by: 3")
    done = variants(course, "affected", "exam", fixed(course, text))
    assert "2 of 2 codes" in done.stderr
    after = [line.rpartition(" ")[2] for line in done.stdout.splitlines() if " -> " in line]
    assert after and {min(2, places)} == {
        len(number.partition(".")[2]) for number in after if "e" not in number
    }


def test_a_given_of_another_size_is_told_where_each_variant_has_its_own(course: Path) -> None:
    text = PROBLEM.replace("V: 2 0; 0 4", "V: 2 0 1; 0 4 1")
    done = variants(course, "affected", "exam", fixed(course, text))
    assert "given V is 2x3 in the corrected problem and was 2x2 in original; every code keeps" in done.stderr
    assert "0 of 2 codes" in done.stderr


def test_a_problem_without_what_varies_is_told(course: Path) -> None:
    text = (
        PROBLEM.replace(", V: 2 0; 0 4", ", U: 2 0; 0 4")
        .replace("values: V", "values: U")
        .replace("V:", "U:")
    )
    done = variants(course, "affected", "exam", fixed(course, text))
    assert 2 == done.stdout.count("the corrected problem has no given.V, and every variant has its own")


def test_parts_that_moved_are_found_by_their_id(tmp_path: Path) -> None:
    choices = "vary: {q: -2..2, K: -2..2, V: -4..4, choose: {a.divide_by: [2, 3]}}"
    text = PROBLEM.replace("vary: {q: -2..2, K: -2..2, V: -4..4}", choices).replace("none", "2")
    problem(tmp_path, text)
    variants(tmp_path, "two-keys.yaml", "-n", "6", "-o", "exam")
    assert 2 == len({line.get("selection") for line in locked(tmp_path / "exam").values()})
    moved = text.replace("parts:\n", "parts:\n  - id: z\n    ask: Why?\n    discuss: Because.\n")
    assert "0 of 6 codes" in variants(tmp_path, "affected", "exam", fixed(tmp_path, moved)).stderr


def test_changes_of_a_variant_are_seen_whatever_its_original_looked_like() -> None:
    before = parse(b"given: {X: [[1, 2], [3, 4]], q: 1 2}\nvary: {X: -2..2}\nparts: [{queries: [1]}]", "x")
    after = parse(b"given: {X: 5 6; 7 8, q: 1 2}\nparts: [{queries: [2]}]", "x")
    assert [(("given", "X"), "5 6; 7 8"), (("parts", 0, "queries", 0), "2")] == list(changed(before, after))


def test_differences_have_their_place() -> None:
    before = {"a.A": (("1", "2"), ("3", "4")), "a.Z": (("5",),), "b.A[2]": (("6", "7"),), "c": (("8",),)}
    after = {"a.A": (("1", "2"), ("3", "9")), "a.Z": (("6",),), "b.A[2]": (("6", "8"),), "d": (("9",),)}
    assert [
        Difference("a.A[2, 2]", "4", "9"),
        Difference("a.Z[1]", "5", "6"),
        Difference("b.A[2, 2]", "7", "8"),
        Difference("c[1]", "8", ""),
        Difference("d[1]", "", "9"),
    ] == list(differences(before, after))


def test_another_release_is_noticed_by_the_printed_key(course: Path) -> None:
    path = course / "exam/lock.json"
    lock = json.loads(path.read_text())
    lock["variants"][0]["answers"]["a.A"][0][0] = "0.99"
    lock["release"] = "0.0.1"
    del lock["checksum"]  # it is changed on purpose
    path.write_text(json.dumps(lock))
    done = variants(course, "affected", "exam")
    assert "1 of 2 codes" in done.stderr
    assert "a.A[1]: 0.99 -> " in done.stdout
    assert "was drawn with attnsolve 0.0.1" in variants(course, "two-keys.yaml", "-o", "exam").stderr
