"""Exams from a sheet with a pool and a shuffled order: dealt evenly, kept, printed, graded by own numbers."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest
import yaml
from exams.rooms import contents, locked, roster, variants, variants_apart
from grading.classes import rows
from grading.test_command import grade
from rendering.programs import Needs, pdflatex


def problem(title: str, keys: int, *, values: bool = True) -> str:
    """A query on so many keys: scores, weights and the output from values, or from the keys themselves."""
    matrix = "; ".join(f"{place - 1} {(place * place) % 3}" for place in range(keys))
    given = f"q: 1 2, K: {matrix}" + (f", V: {matrix}" if values else "")
    asked = "values: V, divide_by: none" if values else "divide_by: none"
    varied = "q: -2..2, K: -2..2" + (", V: -3..3" if values else "")
    return (
        f"format: 1\ntitle: {title}\ngiven: {{{given}}}\nparts:\n  - ask: How much of each?\n"
        f"    attend: {{queries: q, keys: K, {asked}}}\nvary: {{{varied}}}\n"
    )


SHEET = """format: 1
title: Final exam
order: shuffled
exercises:
  - {file: common.yaml, points: 5}
  - choose: 2
    of: [two.yaml, three.yaml, {file: four.yaml, title: Four keys and more}, five.yaml]
    points: 10
"""
NAMES = {2: "two", 3: "three", 4: "four", 5: "five"}
FILES = {
    "common.yaml": problem("Common", 3, values=False),
    **{f"{name}.yaml": problem(name.title(), n) for n, name in NAMES.items()},
    "sheet.yaml": SHEET,
}
Marks = dict[str, dict[str, str]]  # the gradebook, by student and column
STUDENTS = [f"s{number}" for number in range(1, 31)]
DRAW = ("sheet.yaml", "--roster", "students.csv", "--seed", "7")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    roster(folder, *(f"{student},Name of {student}" for student in STUDENTS))
    variants(folder, *DRAW, "-o", "exam")
    return folder


def lineups(course: Path, exam: str = "exam") -> dict[str, tuple[int, ...]]:
    """The exercises on everybody's paper, as the lock has them."""
    return {name: tuple(line["exercises"]) for name, line in locked(course / exam).items()}


def paper(course: Path, student: str, exam: str = "exam") -> list[dict[str, Any]]:
    """The exercises on somebody's paper, read by another reader of YAML."""
    code = locked(course / exam)[student]["code"]
    kept = yaml.safe_load((course / f"{exam}/problems/{code}.yaml").read_text())
    return list(kept["exercises"])


def matrix(text: str) -> Any:
    return numpy.array([[float(number) for number in row.split()] for row in text.split(";")])


def by_hand(exercise: dict[str, Any]) -> dict[str, Any]:
    """Scores, weights and output of an exercise by numpy."""
    given = {name: matrix(text) for name, text in exercise["problem"]["given"].items()}
    S = given["q"] @ given["K"].T
    A = numpy.exp(S) / numpy.exp(S).sum()
    return {"S": S, "A": A, "Z": A @ given.get("V", given["K"])}


def script(course: Path, student: str, exam: str = "exam") -> str:
    """A right script, with the numbers that are printed on the paper."""
    lines = [f"@ {student}"]
    for number, exercise in enumerate(paper(course, student, exam), start=1):
        for name, value in by_hand(exercise).items():
            lines.append(f"{number}.{name} " + " ".join(f"{x:.4f}" for x in value.ravel()))
    return "\n".join(lines) + "\n"


def test_every_exercise_of_the_pool_is_equally_frequent(course: Path) -> None:
    found = lineups(course)
    assert all(len(set(own)) == 3 and 1 in own for own in found.values())
    counts = Counter(number for own in found.values() for number in own)
    assert {1: 30, 2: 15, 3: 15, 4: 15, 5: 15} == counts


def test_orders_differ(course: Path) -> None:
    """Six orders of three exercises, and no place that one of them always has."""
    assert {1, 2, 3} == {own.index(1) + 1 for own in lineups(course).values()}


def test_papers_are_equally_long(course: Path) -> None:
    """Two keys with five and three with four are as near as pairs come; each exercise varies by a tenth."""
    assert {(1, 2, 5), (1, 3, 4)} == {tuple(sorted(own)) for own in lineups(course).values()}
    efforts = [line["effort"] for line in locked(course / "exam").values()]
    assert max(efforts) <= 1.25 * min(efforts)


def test_a_paper_has_its_own_exercises_in_its_own_order(course: Path) -> None:
    titles = {1: "Common", 2: "Two", 3: "Three", 4: "Four keys and more", 5: "Five"}
    for student, own in lineups(course).items():
        exercises = paper(course, student)
        told = [one.get("title", one["problem"]["title"]) for one in exercises]
        assert [titles[number] for number in own] == told
        assert [5 if number == 1 else 10 for number in own] == [one["points"] for one in exercises]
    text = (course / "exam/exams.tex").read_text()
    assert 30 == len(re.findall(r"\\section\*\{Exercise 3: ", text)) and "Exercise 4" not in text


def test_an_exercise_has_the_same_numbers_for_somebody_wherever_it_stands(course: Path) -> None:
    """Numbers belong to a student and an exercise of the sheet; a fixed order changes none of them."""
    (course / "fixed").mkdir()
    for name, text in FILES.items():
        (course / "fixed" / name).write_text(text.replace("order: shuffled", "order: fixed"))
    roster(course / "fixed", *(f"{student},Name of {student}" for student in STUDENTS))
    variants(course / "fixed", *DRAW, "-o", "exam")
    fixed = lineups(course / "fixed")
    assert all(own == tuple(sorted(own)) for own in fixed.values())
    shuffled = lineups(course)
    assert {name: tuple(sorted(own)) for name, own in shuffled.items()} == fixed
    for student in STUDENTS[:5]:
        here = dict(zip(shuffled[student], paper(course, student), strict=True))
        there = dict(zip(fixed[student], paper(course / "fixed", student), strict=True))
        assert here == there


def test_the_same_seed_gives_the_same_bytes(course: Path) -> None:
    variants_apart(course, *DRAW, "-j", "2", "-o", "again", hash_seed="5")
    assert contents(course / "exam") == contents(course / "again")
    variants(course, "sheet.yaml", "--roster", "students.csv", "--seed", "8", "-o", "other")
    assert lineups(course) != lineups(course, "other")


def test_the_manifest_says_who_has_which_exercises(course: Path) -> None:
    found = json.loads((course / "exam/manifest.json").read_text())["variants"]
    assert lineups(course) == {line["student"]: tuple(line["exercises"]) for line in found}
    table = list(csv.DictReader((course / "exam/manifest.csv").read_text().splitlines()))
    assert lineups(course) == {line["student"]: tuple(map(int, line["exercises"].split())) for line in table}


def test_the_fairness_report_has_every_combination(course: Path) -> None:
    text = (course / "exam/fairness.md").read_text()
    assert "| 2 | 15 |\n| 3 | 15 |\n| 4 | 15 |\n| 5 | 15 |\n" in text
    for numbers in ((1, 2, 5), (1, 3, 4)):
        entries = locked(course / "exam").values()
        codes = [line["code"] for line in entries if numbers == tuple(sorted(line["exercises"]))]
        row = rf"^\| {', '.join(map(str, numbers))} \| 15 \| \d+ to \d+ \| (.*) \|$"
        (told,) = re.findall(row, text, re.M)
        assert sorted(codes) == told.split(", ")


def test_the_key_has_answers_below_the_numbers_of_the_sheet(course: Path) -> None:
    text = (course / "exam/key.md").read_text()
    heading, *lines = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    place = next(i for i, cell in enumerate(heading) if cell.strip(" |").endswith(" 5.Z"))
    for line in lines:
        own = [int(number) for number in line[2].split(", ")]
        assert (5 in own) == bool(line[place].strip(" |"))


@pytest.mark.parametrize("name", ["exams", "solutions", "key", "contacts"])
def test_pdflatex_prints_the_documents(course: Path, name: str, tmp_path: Path, needs: Needs) -> None:
    if not (course / "small").exists():
        variants(course, "sheet.yaml", "-n", "3", "--seed", "7", "-o", "small")
    made = pdflatex((course / f"small/{name}.tex").read_text(), tmp_path, needs)
    assert (0, [], []) == (made.code, made.complaints(), made.overfull())


def test_who_comes_late_changes_nobody_else(course: Path) -> None:
    variants(course, *DRAW, "-o", "late")
    before = {name: (line["sha256"], line["exercises"]) for name, line in locked(course / "late").items()}
    roster(course, *(f"{one},Name of {one}" for one in ("s0", *STUDENTS, "s31")), name="more.csv")
    variants(course, "sheet.yaml", "--roster", "more.csv", "--seed", "7", "-o", "late")
    after = {name: (line["sha256"], line["exercises"]) for name, line in locked(course / "late").items()}
    assert before.items() <= after.items()
    counts = Counter(number for own in lineups(course, "late").values() for number in own)
    assert {16} == {counts[number] for number in (2, 3, 4, 5)}


def test_a_file_that_is_lost_is_drawn_again_as_it_was(course: Path) -> None:
    variants(course, *DRAW, "-o", "lost")
    code = locked(course / "lost")["s17"]["code"]
    file = course / f"lost/problems/{code}.yaml"
    text = file.read_text()
    file.unlink()
    variants(course, *DRAW, "-o", "lost")
    assert text == file.read_text()


def test_a_reissue_has_the_same_exercises_with_other_numbers(course: Path) -> None:
    variants(course, *DRAW, "-o", "again-for-one")
    old = locked(course / "again-for-one")["s4"]
    before = paper(course, "s4", "again-for-one")
    variants(course, "reissue", "again-for-one", "s4", "--seed", "7")
    new = json.loads((course / "again-for-one/lock.json").read_text())["variants"][-1]
    assert (old["exercises"], "s4") == (new["exercises"], new["student"])
    kept = yaml.safe_load((course / f"again-for-one/problems/{new['code']}.yaml").read_text())["exercises"]
    assert [one["problem"]["given"] for one in before] != [one["problem"]["given"] for one in kept]


def test_a_reprint_has_the_same_bytes(course: Path) -> None:
    variants(course, *DRAW, "--each", "-o", "each")
    code = locked(course / "each")["s9"]["code"]
    variants(course, "reprint", "each", "s9")
    for kind in ("exam", "solution"):
        assert (course / f"each/{kind}s/{code}.tex").read_text() == (
            course / f"each/reprints/{code}-{kind}.tex"
        ).read_text()


def test_papers_are_compared_exercise_by_exercise(course: Path) -> None:
    found = lineups(course)
    one = next(student for student, own in found.items() if 2 in own)
    other = next(student for student, own in found.items() if 3 in own)
    codes = [locked(course / "exam")[student]["code"] for student in (one, other)]
    told = variants(course, "diff", "exam", *codes).stdout
    here, there = found[one].index(1) + 1, found[other].index(1) + 1
    both = str(here) if here == there else f"{here} of {codes[0]}, {there} of {codes[1]}"
    assert f"Exercise {both}\n" in told
    assert f"Exercise {found[one].index(2) + 1} of {codes[0]} alone: Two\n" in told
    assert f"Exercise {found[other].index(3) + 1} of {codes[1]} alone: Three\n" in told


def test_what_is_drawn_anew_is_balanced_with_what_is_pinned(course: Path) -> None:
    variants(course, "sheet.yaml", "-n", "5", "--seed", "3", "-o", "pinned")
    lines = json.loads((course / "pinned/lock.json").read_text())["variants"]
    variants(course, "pin", "pinned", "2")
    own = " ".join(map(str, lines[1]["exercises"]))
    assert f"exercises {own}" in variants(course, "list", "pinned").stdout
    variants(course, "sheet.yaml", "-n", "6", "--seed", "4", "--fresh", "-o", "pinned")
    now = json.loads((course / "pinned/lock.json").read_text())["variants"]
    current = [line for line in now if line["status"] == "current"]
    assert lines[1]["exercises"] == next(line["exercises"] for line in current if line["seat"] == "2")
    counts = Counter(number for line in current for number in line["exercises"])
    assert {3} == {counts[number] for number in (2, 3, 4, 5)}


def test_a_run_that_was_stopped_goes_on_with_the_same_exercises(course: Path) -> None:
    """What is left when the drawing was ended after two papers: their files and the journal."""
    variants(course, "sheet.yaml", "-n", "4", "--seed", "3", "-o", "whole")
    (course / "stopped/problems").mkdir(parents=True)
    head, *_ = (course / "whole/lock.json").read_text().partition('  "cover"')
    lines = json.loads((course / "whole/lock.json").read_text())["variants"][:2]
    source = json.loads(head.rstrip().rstrip(",") + "}")
    del source["format"]
    journal = [json.dumps({"source": source}), *(json.dumps(line) for line in lines)]
    (course / "stopped/lock.json.journal").write_text("\n".join(journal) + "\n")
    for name in ("original", *(line["code"] for line in lines)):
        text = (course / f"whole/problems/{name}.yaml").read_text()
        (course / f"stopped/problems/{name}.yaml").write_text(text)
    variants(course, "sheet.yaml", "-n", "4", "--seed", "3", "-o", "stopped")
    assert contents(course / "whole") == contents(course / "stopped")


def test_stress_draws_pools(course: Path) -> None:
    record = json.loads(variants(course, "stress", "sheet.yaml", "-n", "8", "--json").stdout)
    assert (True, 8) == (record["ok"], record["variants"])


def test_a_pool_may_be_all_that_varies(course: Path) -> None:
    for name in ("x", "y", "z"):
        text = f"format: 1\ntitle: {name}\nparts: [{{ask: A, discuss: b, marks: 2}}]\n"
        (course / f"{name}.yaml").write_text(text)
    (course / "words.yaml").write_text(
        "format: 1\ntitle: W\nexercises: [{choose: 1, of: [x.yaml, y.yaml, z.yaml]}]\n"
    )
    variants(course, "words.yaml", "-n", "6", "-o", "words")
    lines = json.loads((course / "words/lock.json").read_text())["variants"]
    assert {(1,): 2, (2,): 2, (3,): 2} == Counter(tuple(line["exercises"]) for line in lines)


def test_a_corrected_exercise_concerns_those_who_had_it(course: Path) -> None:
    """The fifth should have asked for the softmax of twice the dot products."""
    (course / "right").mkdir()
    for name, text in FILES.items():
        meant = text.replace("divide_by: none", "multiply_by: 2") if name == "five.yaml" else text
        (course / "right" / name).write_text(meant)
    done = variants(course, "affected", "exam", "right/sheet.yaml", "-o", "changes.csv")
    assert "15 of 30 codes get another key than was printed" in done.stderr
    changes = list(csv.DictReader((course / "changes.csv").read_text().splitlines()))
    found = lineups(course)
    assert {student for student, own in found.items() if 5 in own} == {row["student"] for row in changes}
    for row in changes:
        assert found[row["student"]].index(5) + 1 == int(row["answer"].partition(".")[0])
    one = next(student for student, own in found.items() if 5 in own)
    number = found[one].index(5) + 1
    A = weights(paper(course, one)[number - 1], 2)
    right = {row["right"] for row in changes if row["student"] == one and f"{number}.A[" in row["answer"]}
    assert right and right <= {f"{x:.4f}" for x in A.ravel()}


def weights(exercise: dict[str, Any], factor: int) -> Any:
    """The softmax of the scores times a factor, by numpy."""
    scores = factor * by_hand(exercise)["S"]
    return numpy.exp(scores) / numpy.exp(scores).sum()


@pytest.fixture(scope="module")
def graded(course: Path) -> Marks:
    """Everybody but s30 hands in a right script; s1 has a wrong score in the exercise that all have."""
    pile = [script(course, student) for student in STUDENTS[:-1]]
    number = lineups(course)["s1"].index(1) + 1
    pile[0] = re.sub(rf"^{number}\.S .*$", f"{number}.S 9 9 9", pile[0], flags=re.M)
    (course / "pile.txt").write_text("".join(pile))
    done = grade(course, "exam", "pile.txt", "-o", "marks.csv", "--slips", "slips", "--report", "report.md")
    assert 0 == done.returncode, done.stderr
    (course / "summary.txt").write_text(done.stdout)
    return {row["student"]: row for row in rows((course / "marks.csv").read_text())}


def test_a_right_script_gets_full_marks_by_its_own_numbers(graded: Marks) -> None:
    assert {"25"} == {graded[student]["total"] for student in STUDENTS[1:-1]}
    assert {"25"} == {graded[student]["possible"] for student in STUDENTS[:-1]}


def test_columns_are_exercises_of_the_sheet(course: Path, graded: Marks) -> None:
    for student in STUDENTS[1:-1]:
        own = lineups(course)[student]
        assert " ".join(map(str, own)) == graded[student]["exercises"]
        expected = {n: "" if n not in own else "5" if n == 1 else "10" for n in range(1, 6)}
        for name in ("{}", "exercise {}"):
            assert expected == {n: graded[student][name.format(n)] for n in range(1, 6)}


def test_what_is_wrong_is_told_by_the_number_on_the_paper(course: Path, graded: Marks) -> None:
    number = lineups(course)["s1"].index(1) + 1
    assert graded["s1"]["first wrong"].startswith(f"{number}.S[1] wrong")
    assert float(graded["s1"]["1"]) < 5
    slip = next(path for path in (course / "slips").iterdir() if path.stem.split("-")[0] == "s1")
    assert f"{number}.S" in slip.read_text()


def test_statistics_are_over_those_who_had_an_exercise(course: Path, graded: Marks) -> None:
    """s30 is missing: 14 or 15 of those who are left had each exercise of the pool, all with full marks."""
    text = (course / "report.md").read_text()
    here = Counter(number for student in STUDENTS[:-1] for number in lineups(course)[student])
    for number in (2, 3, 4, 5):
        assert f"| {number} | 10 | 10 | 100 % | 0 | 0 | {here[number]} |" in text
    assert "| 1 | 5 |" in text
    told = re.findall(r"^  (\d)\.S +(\d+) right", (course / "summary.txt").read_text(), re.M)
    assert [("1", "28"), *((str(number), str(here[number])) for number in (2, 3, 4, 5))] == told
    assert f"| 4 | Four keys and more | {here[4]} | 10 | 100 % |" in text


def test_marks_by_hand_go_by_the_number_on_the_paper(course: Path, graded: Marks) -> None:
    own = lineups(course)["s2"]
    (course / "hand.txt").write_text('@ s2\nmark 2 3 "by hand"\n')
    done = grade(course, "exam", "pile.txt", "--overrides", "hand.txt", "-o", "marked.csv")
    assert 0 == done.returncode, done.stderr
    marks = {row["student"]: row for row in rows((course / "marked.csv").read_text())}
    assert "3" == marks["s2"][f"exercise {own[1]}"]
    (course / "hand.txt").write_text('@ nobody\nmark 2 3 "by hand"\n')
    done = grade(course, "exam", "pile.txt", "--overrides", "hand.txt", "-o", "strays.csv")
    assert "hand.txt:2:1: " in done.stderr and "'nobody' is not in the roster" in done.stderr
