"""The simulated students themselves: they compute what the paper says, and their rules do complain."""

from random import Random

import pytest
from verifier.simulated.arithmetic import matrix
from verifier.simulated.calculation import carry_out
from verifier.simulated.careful import has_all_marks
from verifier.simulated.classes import KINDS, solved
from verifier.simulated.exercises import Exercise, problem_text
from verifier.simulated.hands import Hand
from verifier.simulated.scripts import handed_in
from verifier.simulated.spellings import SPELLINGS, write

import attnsolve

X = matrix([["-2", "1", "0.5"], ["1", "1.5", "-0.5"], ["-1.5", "1", "-0.5"], ["-2", "-2.5", "1.5"]])
PRACTICAL = Exercise("one query", matrix([["-2", "1", "-1"]]), X, X.copy(), divide_by="sqrt(d_k)")


def test_one_query_is_worked_out_as_on_paper() -> None:
    hand = carry_out(PRACTICAL, Hand(PRACTICAL))
    assert [["4.5", "0", "4.5", "0"]] == hand.texts["a.S"]
    assert [["2.5981", "0", "2.5981", "0"]] == hand.texts["a.T"]
    assert [["13.4379", "1", "13.4379", "1"]] == hand.texts["a.exp"]
    assert [["0.4654", "0.0346", "0.4654", "0.0346"]] == hand.texts["a.A"]
    assert [["-1.6634", "0.8961", "0.0346"]] == hand.texts["a.Z"]


def test_rounded_numbers_are_carried_on() -> None:
    hand = carry_out(PRACTICAL, Hand(PRACTICAL, places=2, carries=True, root_places=2, mode="cut"))
    assert [["2.60", "0", "2.60", "0"]] == hand.texts["a.T"]  # 4.5 / 1.73 = 2.601…
    assert [["13.46", "1", "13.46", "1"]] == hand.texts["a.exp"]  # e^2.6 = 13.463…
    assert [["28.92"]] == hand.texts["a.sum"]
    assert [["0.46", "0.03", "0.46", "0.03"]] == hand.texts["a.A"]  # 13.46 / 28.92 = 0.4654…


def test_wrong_idea_is_followed_through() -> None:
    hand = carry_out(PRACTICAL, Hand(PRACTICAL), "unscaled")
    assert "a.T" not in hand.texts
    assert [["90.0171", "1", "90.0171", "1"]] == hand.texts["a.exp"]
    assert [["0.4945", "0.0055", "0.4945", "0.0055"]] == hand.texts["a.A"]
    assert [["-1.7363", "0.9835", "0.0055"]] == hand.texts["a.Z"]


def test_spellings_say_the_same_in_other_words() -> None:
    texts = {"a.A": [["0.4654", "-inf"], ["2", "0.01/0.09"]]}
    spelled = {name: write(texts, spelling=spelling) for name, spelling in SPELLINGS.items()}
    assert "a.A 0.4654 -inf; 2 0.01/0.09\n" == spelled["point"]
    assert "a.A 0,4654 -inf; 2 0,01/0,09\n" == spelled["comma"]
    assert "a.A .4654 -inf; 2 .01/.09\n" == spelled["without zero"]
    assert "a.A 46.54% -inf; 2 0.01/0.09\n" == spelled["percent"]
    assert "a.A = array([[0.4654, -inf],\n       [2., 0.01/0.09]])\n" == spelled["numpy array"]
    assert "a.A\n| 0.4654 | -inf |\n|---|---|\n| 2 | 0.01/0.09 |\n" == spelled["Markdown table"]
    assert len(spelled) == len(set(spelled.values()))


@pytest.mark.parametrize("kind", ["mistaken", "invented", "slipping"])
def test_report_on_a_right_script_is_wrong_for_who_went_wrong(kind: str) -> None:
    random = Random(kind)
    exercise, trace = solved(5, 1)
    script = next(found for found in iter(lambda: KINDS[kind](random, exercise), 0) if found is not None)
    right = attnsolve.verify(trace, handed_in(carry_out(exercise, Hand(exercise))))
    assert script.rule((right, right) if script.others else (right,))


def test_report_on_a_wrong_script_is_unfair_to_who_was_right() -> None:
    wrong = handed_in(carry_out(PRACTICAL, Hand(PRACTICAL), "scaled by d_k"))
    report = attnsolve.verify(attnsolve.loads(problem_text(PRACTICAL)), wrong)
    assert ["called wrong"] == [complaint.short for complaint in has_all_marks((report,))]
