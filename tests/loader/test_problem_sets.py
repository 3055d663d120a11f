"""Sheet files: which problems they make one document of, with which parts and points, and what is refused."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from pictures import png

from attnsolve.bundled import problem_files
from attnsolve.errors import ProblemError
from attnsolve.loader import load
from attnsolve.loader.asked import load_asked
from attnsolve.loader.schema import set_schema
from attnsolve.problem import Problem
from attnsolve.problem_set import Pool, ProblemSet
from attnsolve.scheme import shared_out, total_of, worth

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sheets.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

ATTENTION = """format: 1
title: Attention
given: {X: 1 2; 3 4; 5 6, q: 1 2}
parts:
  - ask: Which scores?
    marks: 6
    attend: {queries: q, keys: X, weights: relu}
  - ask: And with softmax?
    marks: {scores: 1, weights: {method: 1, accuracy: 2}}
    attend: {queries: q, keys: X}
  - ask: And what becomes of that?
    marks: 2
    plan: [{Y: 'dot(b.Z, X)'}]
  - ask: Why?
    discuss: Because.
    marks: 4
"""
MASKS = ATTENTION.replace("title: Attention", "title: Masks")
UNMARKED = re.sub(r"    marks: .*\n", "", ATTENTION)
TOP = "format: 1\ntitle: T\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the problem files that the sheets name."""
    (tmp_path / "week-3").mkdir()
    for name, text in (
        ("attention.yaml", ATTENTION),
        ("week-3/masks.yaml", MASKS),
        ("heads.yaml", ATTENTION.replace("title: Attention", "title: Heads")),
        ("cosine.yaml", ATTENTION.replace("title: Attention", "title: Cosine")),
        ("unmarked.yaml", UNMARKED),
        ("words.yaml", "format: 1\ntitle: W\nparts: [{ask: A?, discuss: a}, {ask: B?, discuss: b}]\n"),
        ("bad.yaml", ATTENTION.replace("queries: q, keys: X, weights", "queries: q, key: X, weights")),
        ("other.yaml", TOP + "exercises: [attention.yaml]\n"),
        ("notes.txt", "nothing"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "logo.png").write_bytes(png())
    (tmp_path.parent / "outside.yaml").write_text(ATTENTION, encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to(tmp_path.parent / "outside.yaml")
    return tmp_path


def sheet(folder: Path, exercises: str) -> ProblemSet:
    (folder / "sheet.yaml").write_text(f"{TOP}exercises: {exercises}\n", encoding="utf-8")
    asked = load_asked(folder / "sheet.yaml")
    assert isinstance(asked, ProblemSet)
    return asked


@pytest.mark.parametrize("block", BLOCKS)
def test_examples_of_the_page_are_sheets_that_the_schema_accepts(block: str, folder: Path) -> None:
    (folder / "sheet.yaml").write_text(block, encoding="utf-8")
    assert isinstance(load_asked(folder / "sheet.yaml"), ProblemSet)
    assert [] == list(Draft202012Validator(set_schema()).iter_errors(yaml.safe_load(block)))


def test_a_bundled_problem_is_named_alone(folder: Path) -> None:
    asked = sheet(folder, "[attention.yaml, ist-practical-10, {file: one-key, points: 5}]")
    titles = [exercise.problem.title for exercise in asked.exercises]
    assert [load(problem_files()[name]).title for name in ("ist-practical-10", "one-key")] == titles[1:]


def test_a_file_with_its_ending_lies_beside_the_sheet(folder: Path) -> None:
    """However a bundled problem is called."""
    (folder / "one-key.yaml").write_text((folder / "attention.yaml").read_text("utf-8"), encoding="utf-8")
    asked = sheet(folder, "[attention.yaml, one-key.yaml]")
    assert asked.exercises[0].problem.title == asked.exercises[1].problem.title


def test_the_committed_schema_is_current() -> None:
    """If this fails: attnsolve schema --sheet > sheet.schema.json."""
    Draft202012Validator.check_schema(set_schema())
    committed = (ROOT / "sheet.schema.json").read_text("utf-8")
    assert json.dumps(set_schema(), indent=2, ensure_ascii=False) + "\n" == committed


def test_a_problem_file_stays_a_problem(folder: Path) -> None:
    assert isinstance(load_asked(folder / "attention.yaml"), Problem)


def test_exercises_are_numbered_and_named_apart(folder: Path) -> None:
    made = sheet(
        folder,
        "[week-3/masks.yaml, {file: attention.yaml, parts: [d]}, {file: attention.yaml, title: Again}]",
    )
    assert ["Masks", "Attention", "Again"] == [one.problem.title for one in made.exercises]
    assert ["sheet-1", "sheet-2", "sheet-3"] == [one.problem.name for one in made.exercises]
    assert ["1a", "1b", "1c", "1d", "2", "3a", "3b", "3c", "3d"] == [part.id for part in made.parts]


@pytest.mark.parametrize(
    ("name", "number", "own"),
    [("1a.A", 1, "a.A"), ("1b", 1, "b"), ("2.head1.A", 2, "a.head1.A"), ("2a.A", 2, "a.A"), ("2", 2, "a"), ("3-1.S", 3, "1.S")],
)  # fmt: skip
def test_names_belong_to_one_exercise(folder: Path, name: str, number: int, own: str) -> None:
    (folder / "numbers.yaml").write_text(
        ATTENTION.replace("- ask: Which", "- id: 1\n    ask: Which"), encoding="utf-8"
    )
    made = sheet(folder, "[attention.yaml, {file: attention.yaml, parts: a}, numbers.yaml]")
    assert (number, own) == (made.exercise(name).number, made.owner(name)[1])


def test_parts_are_chosen(folder: Path) -> None:
    (exercise,) = sheet(folder, "[{file: attention.yaml, parts: [d, b, c]}]").exercises
    assert ["b", "c", "d"] == [part.id for part in exercise.problem.parts]
    assert not any(name.startswith("a.") for name in exercise.problem.frames)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ("16", (6, 4, 2, 4)),  # as they are
        ("8", (3, 2, 1, 2)),
        ("4", (1, 1, 1, 1)),  # 1½, 1, ½, 1: the half is not left with nothing
        ("10", (4, 3, 1, 2)),  # 3¾, 2½, 1¼, 2½: rounded down 3, 2, 1, 2, and what is left to a, then to b
        ("2", (Fraction(1, 2),) * 4),  # too few for whole marks: ¾, ½, ¼, ½ in halves
        ("7.5", (Fraction(5, 2), 2, 1, 2)),  # 2.8125, 1.875, 0.9375, 1.875: 2½, 1½, ½, 1½, and more for c, b, d
        ("{a: 1, d: 5/2}", (1, 4, 2, Fraction(5, 2))),
    ],
)  # fmt: skip
def test_points_are_shared_in_proportion(folder: Path, points: str, expected: tuple[Fraction, ...]) -> None:
    (exercise,) = sheet(folder, f"[{{file: attention.yaml, points: {points}}}]").exercises
    problem = exercise.problem
    assert expected == tuple(total_of(problem, part) for part in problem.parts)
    assert expected == tuple(part.total for part in problem.parts)


def test_steps_keep_their_shares(folder: Path) -> None:
    """Scores 1 mark for accuracy, weights 1 for method and 2 for accuracy, of 4; doubled."""
    (exercise,) = sheet(folder, "[{file: attention.yaml, points: {b: 8}}]").exercises
    part = exercise.problem.parts[1]
    worths = {call.letter: worth(exercise.problem, part, call) for call in part.calls}
    assert (0, 2) == (worths["S"].method, worths["S"].accuracy)
    assert (2, 4) == (worths["A"].method, worths["A"].accuracy)


def test_points_of_a_file_without_marks_are_shared_by_its_steps(folder: Path) -> None:
    """Each of nine steps counts the same: scores, scaled, weights, output, twice, and one product."""
    (exercise,) = sheet(folder, "[{file: unmarked.yaml, points: 18}]").exercises
    assert (8, 8, 2, 0) == tuple(total_of(exercise.problem, part) for part in exercise.problem.parts)


def test_points_of_a_question_in_words_are_all_its_own(folder: Path) -> None:
    (exercise,) = sheet(folder, "[{file: words.yaml, parts: b, points: 3}]").exercises
    assert 3 == exercise.problem.parts[0].total


POOLED = "[attention.yaml, {choose: 2, of: [heads.yaml, {file: cosine.yaml, title: Angles}, week-3/masks.yaml], points: 8}, words.yaml]"


def test_a_pool_has_numbers_of_its_own(folder: Path) -> None:
    made = sheet(folder, POOLED)
    assert (Pool(2, (2, 3, 4)),) == made.pools
    assert [None, made.pools[0], made.pools[0], None] == [made.pool(number) for number in (1, 2, 4, 5)]
    assert ["Attention", "Heads", "Angles", "Masks", "W"] == [one.problem.title for one in made.exercises]
    assert not made.is_shuffled


def test_every_exercise_of_a_pool_is_worth_the_same(folder: Path) -> None:
    """16 marks become 8, as 6, 4, 2 and 4 become 3, 2, 1 and 2; one may share them otherwise."""
    made = sheet(
        folder,
        "[{choose: 1, of: [heads.yaml, {file: cosine.yaml, points: {a: 5, b: 1, c: 1, d: 1}}], points: 8}]",
    )
    assert [(3, 2, 1, 2), (5, 1, 1, 1)] == [
        tuple(total_of(one.problem, part) for part in one.problem.parts) for one in made.exercises
    ]


def test_exercises_of_equal_marks_need_no_points(folder: Path) -> None:
    made = sheet(folder, "[{choose: 2, of: [heads.yaml, cosine.yaml]}]")
    assert [16, 16] == [sum(part.total for part in one.problem.parts) for one in made.exercises]


@pytest.mark.parametrize(("order", "expected"), [("shuffled", True), ("fixed", False)])
def test_the_order_may_be_shuffled(folder: Path, order: str, expected: bool) -> None:
    assert expected is sheet(folder, f"[attention.yaml]\norder: {order}").is_shuffled


def test_shares_add_up() -> None:
    for total in range(1, 40):
        shares = shared_out(Fraction(total), {"a": Fraction(3), "b": Fraction(1, 3), "c": Fraction(7)})
        assert total == sum(shares.values())


FILES = "list of 1 to 40 exercises is expected here, each attention.yaml or {file: attention.yaml, parts: [a, b], points: 10}"
BAD: dict[str, tuple[str, *tuple[str, ...]]] = {
    "no list": ("attention.yaml", f"sheet.yaml:3:12: exercises: a {FILES}"),
    "an empty list": ("[]", f"sheet.yaml:3:12: exercises: a {FILES}"),
    "a file that is not there": ("[nowhere.yaml]", "sheet.yaml:3:13: exercises[1]: there is no file 'nowhere.yaml' beside the sheet"),
    "a file outside": (
        "[attention.yaml, ../outside.yaml]",
        "sheet.yaml:3:29: exercises[2]: '../outside.yaml' leads elsewhere; the file must lie in the sheet's folder, such as week-3/attention.yaml",
    ),
    "an absolute path": (
        "[{file: /etc/passwd}]",
        "sheet.yaml:3:20: exercises[1].file: '/etc/passwd' leads elsewhere; the file must lie in the sheet's folder, such as week-3/attention.yaml",
    ),
    "a link that leads out": (
        "[link.yaml]",
        "sheet.yaml:3:13: exercises[1]: 'link.yaml' is a link that leads out of the sheet's folder; copy the file there",
    ),
    "another kind of file": ("[notes.txt]", "sheet.yaml:3:13: exercises[1]: 'notes.txt' must end in .yaml or .yml"),
    "a file without its ending": (
        "[attention]",
        "sheet.yaml:3:13: exercises[1]: 'attention' must end in .yaml or .yml; did you mean 'attention.yaml'?",
    ),
    "a misspelt bundled problem": (
        "[ist-practical-1]",
        "sheet.yaml:3:13: exercises[1]: there is no bundled problem 'ist-practical-1'; did you mean 'ist-practical-10'?",
    ),
    "neither a file nor a bundled problem": (
        "[{file: xyzzy}]",
        "sheet.yaml:3:20: exercises[1].file: there is no bundled problem 'xyzzy'; a file must end in .yaml or .yml",
    ),
    "a sheet in a sheet": (
        "[other.yaml]",
        "sheet.yaml:3:13: exercises[1]: other.yaml is a sheet itself; name its problem files instead",
    ),
    "a misspelt key": (
        "[{file: attention.yaml, part: [a]}]",
        "sheet.yaml:3:36: exercises[1]: unknown key 'part'; did you mean 'parts'?",
    ),
    "neither file nor problem": (
        "[{points: 3}]",
        "sheet.yaml:3:13: exercises[1]: an exercise has either a file or a problem; write file: attention.yaml",
    ),
    "an unknown part": (
        "[{file: attention.yaml, parts: [a, f]}]",
        "sheet.yaml:3:47: exercises[1].parts: the problem has no part 'f'; its parts are a, b, c, d",
    ),
    "a part without what it goes on from": (
        "[{file: attention.yaml, parts: [c]}]",
        "sheet.yaml:3:43: exercises[1].parts: part c goes on from part b; name b too",
    ),
    "no parts": (
        "[{file: attention.yaml, parts: []}]",
        "sheet.yaml:3:43: exercises[1].parts: an empty list; write at least one part, or leave the key out",
    ),
    "points in words": (
        "[{file: attention.yaml, points: ten}]",
        "sheet.yaml:3:44: exercises[1].points: 'ten' is no number of points; write 10, 2.5 or 5/2",
    ),
    "points below 0": (
        "[{file: attention.yaml, points: -3}]",
        "sheet.yaml:3:44: exercises[1].points: '-3' is no number of points; write 10, 2.5 or 5/2",
    ),
    "points for no part": (
        "[{file: attention.yaml, points: {e: 3}}]",
        "sheet.yaml:3:45: exercises[1].points: the exercise has no part 'e'",
    ),
    "points that nobody can share": (
        "[{file: words.yaml, points: 3}]",
        "sheet.yaml:3:40: exercises[1].points: no part has marks, so 3 cannot be shared; give each its own: {a: …}",
    ),
    "more than a pool has": (
        "[{choose: 3, of: [heads.yaml, cosine.yaml]}]",
        "sheet.yaml:3:22: exercises[1].choose: '3' of 2 exercises cannot be drawn; write a whole number from 1 to 2",
    ),
    "none of a pool": (
        "[{choose: 0, of: [heads.yaml, cosine.yaml]}]",
        "sheet.yaml:3:22: exercises[1].choose: '0' of 2 exercises cannot be drawn; write a whole number from 1 to 2",
    ),
    "a choice that is no number": (
        "[{choose: [1], of: [heads.yaml, cosine.yaml]}]",
        "sheet.yaml:3:22: exercises[1].choose: this of 2 exercises cannot be drawn; write a whole number from 1 to 2",
    ),
    "a pool that does not say how many": (
        "[attention.yaml, {of: [heads.yaml, cosine.yaml]}]",
        "sheet.yaml:3:29: exercises[2]: the key 'choose' is missing: how many of its exercises each paper of an exam has",
    ),
    "a pool without exercises": (
        "[{choose: 1}]",
        "sheet.yaml:3:13: exercises[1]: the key 'of' is missing: the exercises of the pool, as exercises: has them",
    ),
    "a pool of one": (
        "[{choose: 1, of: [heads.yaml]}]",
        "sheet.yaml:3:29: exercises[1].of: a list of at least two exercises is expected here, each attention.yaml or {file: attention.yaml",
    ),
    "a pool in a pool": (
        "[{choose: 1, of: [heads.yaml, {choose: 1, of: [cosine.yaml, attention.yaml]}]}]",
        "sheet.yaml:3:42: exercises[1].of[2]: a pool in a pool; name its exercises here, or make it a pool of its own under exercises:",
    ),
    "an exercise that is worth less than its pool": (
        "[{choose: 2, of: [heads.yaml, {file: cosine.yaml, points: 5}], points: 10}]",
        "sheet.yaml:3:42: exercises[1].of[2]: this exercise is worth 5, and each of its pool 10; write points: 10 here, or leave them out",
    ),
    "a pool of unequal marks": (
        "[{choose: 2, of: [heads.yaml, {file: cosine.yaml, parts: [a, b]}]}]",
        "sheet.yaml:3:42: exercises[1].of[2]: this exercise is worth 10, and the first of its pool 16; all must be worth the same: write points: … beside choose:",
    ),
    "points of a pool by part": (
        "[{choose: 2, of: [heads.yaml, cosine.yaml], points: {a: 3}}]",
        "sheet.yaml:3:64: exercises[1].points: a number of points, such as 10 or 2.5 is expected here",
    ),
    "an exercise twice in a pool": (
        "[{choose: 2, of: [heads.yaml, heads.yaml]}]",
        "sheet.yaml:3:42: exercises[1].of[2]: this exercise stands in the pool already; leave it out, or choose other parts of it",
    ),
    "another key in a pool": (
        "[{choose: 2, off: [heads.yaml, cosine.yaml]}]",
        "sheet.yaml:3:25: exercises[1]: unknown key 'off'; did you mean 'of'?",
    ),
    "a file of a pool that is not there": (
        "[{choose: 1, of: [heads.yaml, nowhere.yaml]}]",
        "sheet.yaml:3:42: exercises[1].of[2]: there is no file 'nowhere.yaml' beside the sheet",
    ),
    "an order that there is not": (
        "[attention.yaml]\norder: random",
        "sheet.yaml:4:8: order: 'random' is not one of fixed, shuffled",
    ),
    "a folder that is not there": (
        "[{problem: {format: 1, title: P, parts: [{ask: W, discuss: d}]}, folder: nowhere}]",
        "sheet.yaml:3:85: exercises[1].folder: there is no folder 'nowhere' beside the sheet",
    ),
    "a folder outside": (
        "[{problem: {format: 1, title: P, parts: [{ask: W, discuss: d}]}, folder: ../week-3}]",
        "sheet.yaml:3:85: exercises[1].folder: '../week-3' leads elsewhere; name a folder in that of the sheet, such as week-3",
    ),
    "the folder of a file": (
        "[{file: masks.yaml, folder: week-3}]",
        "sheet.yaml:3:40: exercises[1].folder: the folder of a file is in its name; write file: week-3/attention.yaml",
    ),
    "a bad problem file": (
        "[attention.yaml, bad.yaml]",
        "bad.yaml:7:26: parts.a.attend: unknown key 'key'; did you mean 'keys'?",
    ),
    "a bad problem in place": (
        "[{problem: {format: 1, title: P, parts: [{ask: Why?}]}}]",
        "sheet.yaml:3:53: parts.a: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD.values(), ids=list(BAD))
def test_bad_sheets_are_refused_with_the_place(case: tuple[str, ...], folder: Path) -> None:
    exercises, *expected = case
    with pytest.raises(ProblemError) as caught:
        sheet(folder, exercises)
    found = [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]
    assert expected == [text[: len(wanted)] for text, wanted in zip(found, expected, strict=True)]


def test_faults_of_all_files_are_told_at_once(folder: Path) -> None:
    with pytest.raises(ProblemError) as caught:
        sheet(folder, "[bad.yaml, {problem: {format: 2, title: P, parts: [{ask: Why?, discuss: d}]}}]")
    assert ["bad.yaml", "sheet.yaml"] == [Path(fault.file).name for fault in caught.value.faults]
