"""The statistics of a class, against numbers from paper and numpy."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy
import pytest

from attnsolve.causes import NamedMistake, Spread
from attnsolve.class_statistics import class_statistics, count_mistakes, discrimination, step_names
from attnsolve.report import PartMark, Report, StepReport, Verdict


def report(*marks: str, variant: str = "", possible: int = 2) -> Report:
    """Marks for a.S, a.A, b.Z, … of so many each."""
    names = ("a.S", "a.A", "b.Z")
    steps = [
        StepReport(name, "", Verdict.RIGHT, Fraction(mark), Fraction(possible))
        for name, mark in zip(names, marks, strict=False)
    ]
    return Report("p", variant=variant, steps=tuple(steps))


def fractions(*numbers: int) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


def test_means_are_exact() -> None:
    found = class_statistics("t", [report("2", "1/3"), report("1", "0"), report("0", "2")])
    assert (Fraction(16, 9), 4) == (found.total.mean, found.total.possible)
    assert [Fraction(1), Fraction(7, 9)] == [item.mean for item in found.steps]
    assert [("a", Fraction(4, 9))] == [(item.name, item.share) for item in found.parts]
    assert ((Fraction(0), 1), (Fraction(1), 1), (Fraction(2), 1)) == found.steps[0].distribution
    assert (1, 1, 1) == found.steps[0].none_some_all


def test_parts_without_marks_are_not_counted() -> None:
    unmarked = StepReport("b.Z", "", Verdict.RIGHT, Fraction(0), Fraction(0))
    class_of_two = [replace(one, steps=(*one.steps, unmarked)) for one in (report("2"), report("0"))]
    found = class_statistics("t", class_of_two)
    assert ["a"] == [item.name for item in found.parts]
    assert ["a.S"] == [item.name for item in found.steps]


def test_what_waits_for_a_person_is_left_out_of_its_mean() -> None:
    waiting = StepReport("b", "", Verdict.NOT_JUDGED, Fraction(0), Fraction(3))
    marked = StepReport("b", "", Verdict.NOT_JUDGED, Fraction(2), Fraction(3), overridden=True)
    found = class_statistics("t", [Report("p", steps=(waiting,)), Report("p", steps=(marked,))])
    assert (None, Fraction(2)) == found.steps[0].earned
    assert Fraction(2) == found.steps[0].mean


def test_the_total_of_a_part_by_hand_is_what_the_part_earned() -> None:
    given = PartMark("a", Fraction(3), Fraction(4))
    found = class_statistics("t", [replace(report("0", "1"), parts=(given,)), report("1", "1")])
    assert Fraction(5, 2) == found.parts[0].mean == found.total.mean
    assert [Fraction(1, 2), Fraction(1)] == [item.mean for item in found.steps]


# 27 % of 10 people are 2.7 of them: two whole ones and seven tenths of the third.
DISCRIMINATIONS = [
    # Strong people have it, weak ones do not: (1 - 0).
    ([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], range(10), "1"),
    # The other way round.
    ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], range(10), "-1"),
    # Only the third of each end differs: 0.7/2.7 have it above, nobody below.
    ([0, 0, 0, 0, 0, 0, 0, 1, 0, 0], range(10), "7/27"),
    # Everybody has the same total: both groups are the whole class.
    ([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [5] * 10, "0"),
    # Four tie at the top, one of whom has it: the upper group has a quarter of it.
    ([0, 0, 0, 0, 0, 0, 1, 0, 0, 0], [0, 1, 2, 3, 4, 5, 9, 9, 9, 9], "1/4"),
]


@pytest.mark.parametrize(("earned", "totals", "expected"), DISCRIMINATIONS)
def test_discrimination_by_hand(earned: Sequence[int], totals: Sequence[int], expected: str) -> None:
    assert Fraction(expected) == discrimination(fractions(*earned), Fraction(1), fractions(*totals))


def test_discrimination_needs_people_and_does_not_hang_on_their_order() -> None:
    earned, totals = fractions(0, 1, 2, 0, 1, 2, 2, 1, 0, 2), fractions(1, 3, 5, 3, 3, 9, 5, 1, 2, 5)
    found = discrimination(earned, Fraction(2), totals)
    order = list(range(10))
    Random(3).shuffle(order)
    assert found == discrimination([earned[n] for n in order], Fraction(2), [totals[n] for n in order])
    assert discrimination(earned[:7], Fraction(2), totals[:7]) is None


def mistaken(*steps: tuple[str, str, Spread]) -> Report:
    named = [
        StepReport(step, "", Verdict.MISTAKE, mistakes=(NamedMistake(name, "", 4, 4, spread=spread),))
        for step, name, spread in steps
    ]
    return Report("p", steps=tuple(named))


def test_a_mistake_in_one_head_and_in_every_head_is_one_line() -> None:
    reports = [
        mistaken(
            ("c.head1.T", "unscaled", Spread.EVERY_HEAD),
            ("c.head2.T", "unscaled", Spread.EVERY_HEAD),
        ),
        mistaken(("c.head1.T", "unscaled", Spread.ONE_STEP)),
        mistaken(("b.A", "without-exp", Spread.ONE_STEP)),
    ]
    unscaled, without = count_mistakes(reports)
    assert ("unscaled", 2, {"c.head1.T": 2, "c.head2.T": 1}) == (
        unscaled.name,
        unscaled.people,
        dict(unscaled.steps),
    )
    assert ("without-exp", 1) == (without.name, without.people)


def test_variants_beside_each_other() -> None:
    easy, hard = [2, 4, 3, 4, 2, 4], [1, 0, 2, 1, 1, 0]
    reports = [report(str(Fraction(m, 2)), str(Fraction(m, 2)), variant="E") for m in easy]
    reports += [report(str(Fraction(m, 2)), str(Fraction(m, 2)), variant="H") for m in hard]
    found = class_statistics("t", reports)
    assert [("E", Fraction(19, 6)), ("H", Fraction(5, 6))] == [
        (variant.code, variant.total.mean) for variant in found.variants
    ]
    marks, middle = numpy.array(easy + hard), numpy.mean(easy + hard)
    between = 6 * (numpy.mean(easy) - middle) ** 2 + 6 * (numpy.mean(hard) - middle) ** 2
    assert found.explained is not None
    assert numpy.isclose(float(found.explained), between / ((marks - middle) ** 2).sum())
    # Of 924 ways to deal twelve marks to two sixes few are so uneven: about 1 in 100.
    assert found.as_uneven_by_chance < 25


def test_equal_variants_are_not_called_uneven() -> None:
    reports = [report(str(n % 3), variant="EH"[n // 3 % 2]) for n in range(12)]
    found = class_statistics("t", reports)
    assert (Fraction(0), 999) == (found.explained, found.as_uneven_by_chance)


def test_own_numbers_for_everybody_are_not_compared() -> None:
    assert () == class_statistics("t", [report("1", variant=f"V{n}") for n in range(20)]).variants


def test_steps_that_few_wrote_stand_where_the_exercise_has_them() -> None:
    def wrote(*names: str) -> Report:
        return Report("p", steps=tuple(StepReport(name, "", Verdict.RIGHT) for name in names))

    reports = [wrote("a.S", "a.A"), wrote("a.S", "a.sum", "a.A"), wrote("a.S", "a.exp", "a.sum", "a.A")]
    assert ["a.S", "a.exp", "a.sum", "a.A"] == step_names(reports)
    apart = [wrote("a.S", "a.A", "b.S"), wrote("a.S", "a.A", "b.sum", "b.S"), wrote("a.S", "a.exp", "a.A")]
    assert ["a.S", "a.exp", "a.A", "b.sum", "b.S"] == step_names(apart)
