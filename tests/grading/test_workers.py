"""One answer that hangs, eats memory or hits a bug of ours is told of, and the rest of the class goes on."""

import json
from pathlib import Path

import pytest
from grading.classes import MISBEHAVING, RIGHT, WRONG, graded, pile, problem

from attnsolve.grading import workers
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded, record, restored
from attnsolve.grading.pieces import Piece
from attnsolve.grading.workers import Worker
from attnsolve.limits import LIMITS

QUICK = LIMITS._replace(answer_seconds=1, megabytes=1000)


@pytest.mark.parametrize(
    ("student", "said"),
    [
        ("hang", "undecided (time limit 1 s)"),
        ("sleep", "undecided (time limit 1 s)"),
        ("eat", "undecided (memory limit 1000 MB)"),
        ("die", "undecided (its worker crashed, or met the memory limit 1000 MB)"),
        ("bug", "undecided (attnsolve hit a bug: KeyError)"),
    ],
)
def test_one_bad_answer_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, student: str, said: str
) -> None:
    if student == "sleep":  # what does nothing is ended by the clock, a minute later than here
        monkeypatch.setattr(workers, "PATIENCE", 8)
    file = tmp_path / "pile.txt"
    file.write_text(pile("first", student, "last"))
    found = graded(tmp_path, file, misbehaving=True, limits=QUICK)
    assert ["first", student, "last"] == list(found)
    assert said == found[student].trouble and found[student].report is None
    assert found["first"].is_complete and found["last"].is_complete
    assert ("KeyError" in found[student].details) == (student == "bug")


def test_bad_answer_in_a_file_of_many_stops_nobody(tmp_path: Path) -> None:
    file = tmp_path / "class.json"
    people = [{"student": name, "S": "1 2"} for name in ("first", "hang", "eat", "last")]
    file.write_text(json.dumps(people))
    found = graded(tmp_path, file, misbehaving=True, limits=QUICK)
    second, third = f"number 2 in {file}", f"number 3 in {file}"
    assert ["first", second, third, "last"] == list(found)
    assert "undecided (time limit 1 s)" == found[second].trouble
    assert found["last"].is_complete


def test_words_of_a_library_do_not_get_between_the_answers(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile("chatter", "last"))
    found = graded(tmp_path, file, misbehaving=True)
    assert found["chatter"].is_complete and found["last"].is_complete


def test_number_bombs_are_judged_quickly(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text("@ a\ns 9**9**9 1e999999999\n@ b\ns __import__('os') " + "(" * 5000 + "\n" + pile("last"))
    found = graded(tmp_path, file)
    assert not found["a"].is_complete and not found["b"].is_complete
    assert found["last"].is_complete


def test_marks_are_the_same_whoever_makes_them(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile(*map(str, range(20))) + pile("x", "y", "hang", "z", answers=WRONG))
    made = [graded(tmp_path, file, misbehaving=True, limits=QUICK, jobs=jobs) for jobs in (1, 2)]
    assert list(made[0].values()) == list(made[1].values())


def test_a_worker_outlives_a_time_limit_for_all_of_its_work(tmp_path: Path) -> None:
    worker = Worker(Assignment(problem(tmp_path), QUICK))
    try:
        first = worker.grade(Piece("x", RIGHT))
        process = worker.process
        assert process is not None
        for _ in range(50):
            assert first == worker.grade(Piece("x", RIGHT))
        assert process is worker.process
    finally:
        worker.stop()


def test_a_record_gives_back_what_it_was_made_of(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile("wrong", answers=WRONG) + '@ odd\ns 1 §\nz .54 2.92\nmark s 1/2 "so"\n// seen\n')
    for one in (*graded(tmp_path, file).values(), Graded("x", "y", trouble="undecided (so)")):
        assert one == restored(json.loads(json.dumps(record(one))))


def test_nothing_in_the_current_folder_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('hijacked')")
    (tmp_path / "attnsolve").mkdir()
    (tmp_path / "attnsolve" / "__init__.py").write_text("raise SystemExit('hijacked')")
    file = tmp_path / "pile.txt"
    file.write_text(pile("a"))
    monkeypatch.chdir(tmp_path)
    assert graded(tmp_path, file)["a"].is_complete


def test_misbehaving_marker_is_what_it_says(tmp_path: Path) -> None:
    worker = Worker(Assignment(problem(tmp_path)), command=MISBEHAVING)
    try:
        assert worker.grade(Piece("x", pile("good")))[0].is_complete
    finally:
        worker.stop()
