"""Papers that come back: whose they are, and what is odd about them."""

from pathlib import Path

import pytest
from exams.rooms import PROBLEM, locked, problem, roster, variants

from attnsolve.errors import AttnsolveError
from attnsolve.exams.answers import answers_of
from attnsolve.exams.lock import Match
from attnsolve.exams.register import Register
from attnsolve.paper_remarks import replaced, unknown_code, withdrawn


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "--roster", roster(tmp_path, "17,Ada", "b18,Bo"), "-o", "exam")
    return tmp_path


def register(course: Path) -> Register:
    return Register.read(course / "exam/manifest.json")


def code(course: Path, seat: str) -> str:
    return str(locked(course / "exam")[seat]["code"])


def test_codes_and_students_are_found_in_any_case(course: Path) -> None:
    mine = code(course, "b18")
    for typed in ((mine, "b18"), (mine.lower(), "b18"), (mine, "B18"), ("", "B18"), ("", "b18")):
        assert mine == register(course).match(*typed).code
    assert Match(mine, "b18") == register(course).match(mine.lower(), "")
    assert Match(mine, "b18") == register(course).match("", mine.lower())


def test_a_replaced_code_is_graded_and_told(course: Path) -> None:
    old = code(course, "17")
    variants(course, "reissue", "exam", "17")
    new = code(course, "17")
    assert Match(new, "17") == register(course).match("", "17")
    assert Match(old, "17", (replaced(old, new),)) == register(course).match(old, "17")
    assert register(course).trace(old) != register(course).trace(new)


def test_a_code_from_before_all_was_drawn_anew_is_graded_by_its_own_file(course: Path) -> None:
    old, printed = code(course, "17"), register(course).trace(code(course, "17"))
    problem(course, PROBLEM.replace("none", "2"))
    variants(course, "two-keys.yaml", "--fresh", "-o", "exam")
    new = code(course, "17")
    assert old != new
    assert Match(old, "17", (replaced(old, new),)) == register(course).match(old, "17")
    assert Match(new, "17") == register(course).match("", "17")
    assert answers_of(printed) == answers_of(register(course).trace(old))
    assert answers_of(printed) != answers_of(register(course).trace(new))


def test_who_was_withdrawn_is_found_all_the_same(course: Path) -> None:
    mine = code(course, "17")
    variants(course, "two-keys.yaml", "--roster", roster(course, "b18,Bo"), "-o", "exam")
    assert Match(mine, "17", (withdrawn(mine),)) == register(course).match("", "17")
    assert Match(mine, "17", (withdrawn(mine),)) == register(course).match(mine, "")


def test_a_wrong_code_of_a_known_student_is_told_and_the_student_counts(course: Path) -> None:
    mine = code(course, "17")
    assert Match(mine, "17", (unknown_code("22Z2", "17", mine),)) == register(course).match("22Z2", "17")


@pytest.mark.parametrize(
    ("typed", "student", "said"),
    [
        ("", "", "there is no code"),
        ("", "19", "'19' is not in the roster"),
        ("22Z2", "19", "the code '22Z2' is not in this exam; write the code"),
        ("9" * 3000, "19", f"the code '{'9' * 40}…' is not in this exam"),
        ("../lock", "19", "the code '../lock' is not in this exam"),
    ],
)
def test_what_is_not_there_is_told(course: Path, typed: str, student: str, said: str) -> None:
    with pytest.raises(AttnsolveError) as error:
        register(course).match(typed, student)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"variants": [1]}', '{"variants": [{"code": "x", "student": ""}]}']
)
def test_a_damaged_manifest_is_told_with_its_cure(course: Path, text: str) -> None:
    (course / "exam/manifest.json").write_text(text)
    with pytest.raises(
        AttnsolveError, match=r"manifest.json.*; delete it, and the command that made the exam"
    ):
        register(course)
    (course / "exam/manifest.json").unlink()
    variants(course, "two-keys.yaml", "-o", "exam")
    assert code(course, "17") == register(course).match("", "17").code


def test_the_nearest_code_is_named(course: Path) -> None:
    mine = code(course, "17")
    with pytest.raises(AttnsolveError, match=f"did you mean {mine}"):
        register(course).match(f"{mine[:3]}?", "")
    with pytest.raises(AttnsolveError, match=f"there is no code.* did you mean {mine}"):
        register(course).match("", f"{mine[:3].lower()}?")
