"""Whether one exercise of a pool is harder: shares of those who had it, and of the rest of their papers."""

from fractions import Fraction
from pathlib import Path

from attnsolve.loader.asked import loads_asked
from attnsolve.pool_statistics import PoolResult, pool_statistics
from attnsolve.problem_set import ProblemSet
from attnsolve.report import PartMark, Report, StepReport, Verdict

ONE = "{problem: {format: 1, title: T, parts: [{ask: A, discuss: b, marks: 2}]}}"
SHEET = f"format: 1\ntitle: S\nexercises: [{ONE}, {{choose: 1, of: [{ONE}, {ONE}, {ONE}]}}]\n"


def sheet() -> ProblemSet:
    asked = loads_asked(SHEET, name="sheet", folder=Path("nowhere"))
    assert isinstance(asked, ProblemSet)
    return asked


def report(**earned: int | None) -> Report:
    """Somebody's marks by exercise, each of 2; None waits for a person."""
    steps = (
        StepReport(
            name[1:],
            "",
            Verdict.NOT_JUDGED,
            Fraction(marks or 0),
            Fraction(2),
            overridden=marks is not None,
        )
        for name, marks in earned.items()
    )
    return Report("sheet", steps=tuple(steps))


def pool(*reports: Report) -> PoolResult:
    (found,) = pool_statistics(sheet(), reports)
    return found


def test_shares_are_of_those_who_had_the_exercise() -> None:
    """Exercise 2: 2 and 1 of 2, exercise 3 nothing, exercise 4 nobody; elsewhere 1 and 2 of 2, and 2 of 2."""
    found = pool(report(e1=1, e2=2), report(e1=2, e2=1), report(e1=2, e3=0))
    assert [2, 3, 4] == [one.number for one in found.exercises]
    assert [Fraction(3, 4), 0, None] == [one.share for one in found.exercises]
    assert [Fraction(3, 4), 1, None] == [one.elsewhere for one in found.exercises]
    assert [2, 1, 0] == [len(one.results) for one in found.exercises]


def test_what_a_person_has_still_to_mark_does_not_count() -> None:
    found = pool(report(e1=1, e2=None), report(e1=2, e2=1))
    assert 1 == len(found.exercises[0].results)


def test_a_total_by_hand_is_what_it_earned() -> None:
    given = Report("sheet", steps=report(e1=2, e2=0).steps, parts=(PartMark("2", Fraction(2), Fraction(2)),))
    (first, *_) = pool(given).exercises
    assert (1, 1) == (first.share, first.elsewhere)


def test_chance_tells_a_hard_exercise_from_hard_luck() -> None:
    """Ten of equal strength each: all fail one exercise and all solve the other; or half of either."""
    hard = pool(*[report(e1=1, e2=0)] * 10, *[report(e1=1, e3=2)] * 10)
    assert 0 == hard.as_uneven_by_chance
    luck = pool(*[report(e1=1, e2=0), report(e1=1, e2=2), report(e1=1, e3=0), report(e1=1, e3=2)] * 5)
    assert luck.as_uneven_by_chance == 999


def test_strong_people_do_not_make_an_exercise_easy() -> None:
    """Whoever had exercise 2 solves everything, whoever had exercise 3 nothing: nobody is above the rest."""
    found = pool(*[report(e1=2, e2=2)] * 10, *[report(e1=0, e3=0)] * 10)
    assert [1, 0] == [one.share for one in found.exercises[:2]]
    assert 999 == found.as_uneven_by_chance


def test_few_marks_tell_nothing() -> None:
    assert pool(report(e1=1, e2=0), report(e1=1, e3=2)).as_uneven_by_chance is None
    assert pool(*[report(e1=1, e2=0)] * 20).as_uneven_by_chance is None
