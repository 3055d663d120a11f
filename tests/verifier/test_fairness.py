"""What a careful TA would say and give: cases that a trial brought up, worked out on paper."""

from fractions import Fraction
from functools import cache

import pytest

from attnsolve import batch
from attnsolve.causes import Spread
from attnsolve.notes import NoteKind
from attnsolve.rendering.notes import slip_words
from attnsolve.report import StepReport, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

IST, CAUSAL, EECS = "ist-practical-10", "causal-self-attention", "eecs182-discussion-8"
DECODER, HEADS, SCORES_5 = "ist-practical-10-decoder", "two-heads-as-torch-has-them", "lab-5-scores"
FREE, HOMEWORK, SESSION = "calculator-free", "ai539-homework-4", "session-18-attention"
SPARSE, COLUMNS, ENCODER = "sparse-attention", "tokens-as-columns", "encoder-block"


@cache
def verifier(name: str) -> Verifier:
    return Verifier(batch.solved(batch.find(name)))


def judged(name: str, typed: str) -> dict[str, StepReport]:
    """The reports on a typed answer, by step."""
    return {step.name: step for step in verifier(name).verify(read_submission(typed)).steps}


# Scores 4.5 0 4.5 0; over sqrt(3) 2.5981; weights e^2.5981 = 13.44 over 28.88: .4654 .0346 .4654 .0346.
SCORES, WEIGHTS = "a.S 4.5 0 4.5 0", "a.A .4654 .0346 .4654 .0346"
# Scores 4 0 0; 2 4 4; 1 2 2 over sqrt(2), with the causal mask: row 2 has e^1.4142 = 4.1133 and e^2.8284 =
# 16.9187, weights .1956 .8044; row 3 has 2.0281 4.1133 4.1133, weights .1978 .4011 .4011.
CAUSAL_SCORES = "a.S 4 0 0; 2 4 4; 1 2 2"
CAUSAL_WEIGHTS = "a.A 1 0 0; .1956 .8044 0; .1978 .4011 .4011"

CASES = [
    # A product of .5 is left out: 4 beside 4.5 is no rounded 4.5. e^2.3094 = 10.068, so weights .5268 .3947.
    (
        IST,
        "a.S 4.5 0 4 0 ; a.A .5268 .0392 .3947 .0392",
        {"a.S": ("wrong", "1"), "a.A": ("follows", "2")},
    ),
    # Three places instead of four leave nothing open.
    (
        IST,
        f"{SCORES} ; a.A .465 .035 .465 .035 ; a.Z -1.663 .896 .035",
        {"a.A": ("right", "2"), "a.Z": ("right", "1")},
    ),
    # Nobody rounds 4.5 to 5: that is another number, from which e^2.8868 = 17.93 and .4736 .0264 follow.
    (IST, "a.S 5 0 5 0 ; a.A .4736 .0264 .4736 .0264", {"a.S": ("wrong", "1"), "a.A": ("follows", "2")}),
    # Scaled scores with two digits do little to the weights: e^2.59 = 13.33, and .4651 .0349.
    (IST, "a.T 2.59 0 2.59 0 ; a.A .4651 .0349 .4651 .0349", {"a.T": ("right", "0"), "a.A": ("right", "2")}),
    # 1 · 3 and 1 · 1 are whole numbers and need no digits; the slip in V, which has no marks, is paid here.
    (
        CAUSAL,
        f"a.V 3 1; 0 4; 0 1 ; {CAUSAL_WEIGHTS} ; a.Z 3 1; .5867 3.4133; .5933 2.2033",
        {"a.Z": ("follows", "0")},
    ),
    # Masked and then scaled, or masked at once: the same weights.
    (
        CAUSAL,
        f"a.M 4 -inf -inf; 2 4 -inf; 1 2 2 ; {CAUSAL_WEIGHTS}",
        {"a.M": ("right", "1"), "a.A": ("right", "2")},
    ),
    (CAUSAL, f"a.S 4 -inf -inf; 2 4 -inf; 1 2 2 ; {CAUSAL_WEIGHTS}", {"a.S": ("right", "2")}),
    # What the mask hides need not be worked out.
    (CAUSAL, "a.S 4 - -; 2 4 -; 1 2 2", {"a.S": ("right", "2")}),
    # With no weights to tell the order, scores that are not scaled are not scaled.
    (CAUSAL, "a.M 4 -inf -inf; 2 4 -inf; 1 2 2", {"a.M": ("mistake", "0")}),
    # The mask forgotten, all digits kept in the calculator: 16.9187 / 18.9187 = .89428, .05286; the second
    # column is .89428 + 4 · .05286 + .05286 = 1.15857, which is 1.1586 and not .8943 + 5 · .0529 = 1.1588.
    (
        CAUSAL,
        f"{CAUSAL_SCORES} ; a.A .8943 .0529 .0529; .1084 .4458 .4458; .1978 .4011 .4011 ; "
        "a.Z 1.7886 1.1586; .2168 2.3374; .3956 2.2033",
        {"a.Z": ("follows", "1")},
    ),
    # Scores out of the air show no queries and no keys.
    (
        IST,
        "b.S 1 2 3 4; 2 1 0 1; 0 1 2 0; 1 0 0 2 ; b.A .0646 .1310 .2657 .5388; .4486 .2212 .1091 .2212; "
        ".1228 .2491 .5052 .1228; .2491 .1228 .1228 .5052",
        {"b.Q": ("not written", "0"), "b.K": ("not written", "0"), "b.A": ("follows", "2")},
    ),
    # One wrong number in sixteen leaves the others to show them.
    (
        IST,
        "b.S -6.1875 -6.75 -1.125 7.875; 10.1875 1.5 9.625 -2.125; -.0625 -4.875 3.875 5.5; "
        "-21.0625 -3.75 -19.375 5.25",
        {"b.S": ("wrong", "1"), "b.Q": ("not written", "15/16")},
    ),
    # Zeros for the scores: two are right by chance, and what follows is no work; a step between is left out.
    (IST, "a.S 0 0 0 0 ; a.A .25 .25 .25 .25", {"a.S": ("wrong", "0"), "a.A": ("follows", "0")}),
    # A place that nobody can read is shown by the output, as a step that nobody wrote is.
    (
        IST,
        f"{SCORES} ; a.A .4654 ? .4654 .0346 ; a.Z -1.6634 .8961 .0346",
        {"a.A": ("right as far as read", "2")},
    ),
    # Decimals inside a form are rounded numbers too.
    (
        IST,
        "a.T 9/(2*sqrt(3)) 0 9/(2*sqrt(3)) 0 ; "
        "a.A e^2.598/(2e^2.598+2) 1/(2e^2.598+2) e^2.598/(2e^2.598+2) 1/(2e^2.598+2)",
        {"a.A": ("right", "2")},
    ),
    (IST, "a.T 4.5/1.732 0 4.5/1.732 0 ; a.A .4654 .0346 .4654 .0346", {"a.T": ("right", "0")}),
    (IST, "a.A e^2.5/(2e^2.5+2) 1/(2e^2.5+2) e^2.5/(2e^2.5+2) 1/(2e^2.5+2)", {"a.A": ("wrong", "0")}),
    # Nothing scaled, from the output alone: the weights pay for it, the rest follows.
    (
        IST,
        "a.Z -1.7363 .9835 .0055",
        {"a.S": ("not written", "2"), "a.A": ("not written", "1"), "a.Z": ("mistake", "1")},
    ),
    # The largest score taken off first, before or after the scaling.
    (IST, f"a.T 0 -2.5981 0 -2.5981 ; {WEIGHTS}", {"a.T": ("right", "0"), "a.A": ("right", "2")}),
    (IST, f"a.S 0 -4.5 0 -4.5 ; {WEIGHTS}", {"a.S": ("right", "2")}),
    (IST, "a.S 0 -4.5 0 -4.5", {"a.S": ("wrong", "0")}),  # nothing says that it was meant so
    # Weights in fractions are exact, and 2 · 1/2 + … = 2 and 5: nothing was rounded that could be 1 and 4.
    (FREE, "a.A 1/2 1/3 1/6 ; a.Z 1 4", {"a.Z": ("wrong", "0")}),
    # Weights of 1 - 10^-88 are 1 for everybody, and the output is the first value, 23 47.
    (EECS, "b.A 1 0 0 ; b.Z 0 0", {"b.A": ("right", "2"), "b.Z": ("wrong", "0")}),
    (EECS, "b.A 1 e^-202 e^-1450", {"b.A": ("right", "2")}),  # over 1 + e^-202 + …, which is 1 to 88 digits
    # tanh of .8743 and -.6916 is not worth 1 and -1.
    (DECODER, "a.H 1 -1", {"a.H": ("wrong", "0")}),
    # All values are 1 after a slip, so that every average is 1.
    (
        HEADS,
        "a.head1.V 1 1; 1 1 ; a.head1.A .5 .5; .8044 .1956 ; a.head1.Z 1 1; 1 1",
        {"a.head1.Z": ("follows", "0")},  # which has no marks in this problem
    ),
    # 2.7182 + 7.3890 + .0497 = 10.1569, with what was written.
    (SCORES_5, "a.exp 2.7182 7.3890 .0497 ; a.sum 10.1569", {"a.sum": ("right", "0")}),
    # Digits that nobody asked for are not judged: .17529, or .17528 from rounded exponentials.
    (HOMEWORK, "a.T .25 -1.25 1.75 ; a.A .17528 .03911 .78559", {"a.A": ("right", "2")}),
    # .032 beside numbers with four places is .0320, cut off as they are.
    (
        SESSION,
        "e.A .2368 .032 .0871 .6439 ; e.C .9678 -.5248",
        {"e.A": ("right", "2"), "e.C": ("right", "1")},
    ),
    # The weight of a hidden key need not be written.
    (SPARSE, "f.case1.A - .25 0 .75; - 7/12 1/3 1/12", {"f.case1.A": ("right", "1")}),
    # Two places hide a mistake here: the right answer earns what that would, and not less.
    (
        HOMEWORK,
        "a.Z 3.49 1.25",
        {"a.K": ("not written", "2"), "a.A": ("not written", "1"), "a.Z": ("right", "2")},
    ),
    # The scaling has no marks, so that the weights pay for it, also where it is written.
    (
        HOMEWORK,
        "a.T .5 -2.5 3.5 ; a.A .0473 .0024 .9503 ; a.Z 3.8960 1.0520",
        {"a.T": ("mistake", "0"), "a.A": ("follows", "1"), "a.Z": ("follows", "2")},
    ),
    # Keys for values and values for keys, with rounded weights: one mistake, paid for in the scores.
    (
        COLUMNS,
        "a.S 1 5 6; -1 -1 -2; 0 4 4 ; a.Z 1.7200 1.9810 1.9944; .4360 .6539 .7994",
        {"a.S": ("mistake", "0"), "a.Z": ("mistake", "1")},
    ),
    # The root of 3/4 taken as .8660, and 2 / .8660 = 2.3095 instead of 2.3094.
    (ENCODER, "a.N 0 -.1547 2.3095 0; -1.1547 1 0 1.1547", {"a.N": ("right", "3")}),
    (ENCODER, "a.N 0 -.1547 2.3105 0; -1.1547 1 0 1.1547", {"a.N": ("wrong", "1")}),
]


@pytest.mark.parametrize(("name", "typed", "expected"), CASES)
def test_step_is_judged_as_a_careful_person_would(
    name: str, typed: str, expected: dict[str, tuple[str, str]]
) -> None:
    found = judged(name, typed)
    assert expected == {step: (found[step].verdict, str(found[step].earned)) for step in expected}


# The third score is 3 + 1 + .5, the fourth 4 - 2.5 - 1.5.
SLIPS = [
    ("4.5 0 4.5 3", "product 3 of the sum has the wrong sign"),
    ("4.5 1 4.5 0", ""),
    ("4.5 0 3.5 0", "product 2 of the sum is left out or product 3 of the sum has the wrong sign"),
    ("4.5 0 4 0", "product 3 of the sum is left out"),
    ("0 0 4.5 0", ""),  # a 0 is near to everything small, and beside everything
    ("45 0 4.5 0", "the decimal point is one place too far to the right"),
    ("5.4 0 4.5 0", "two digits are swapped"),
    ("-4.5 0 -4.5 0", "the sign is wrong"),
    ("-4.5 1 45 2", ""),  # where most is off, no single slip is to blame
]


@pytest.mark.parametrize(("scores", "slip"), SLIPS)
def test_slip_is_named_only_where_it_leads_to_the_number(scores: str, slip: str) -> None:
    assert slip == slip_words(judged(IST, f"a.S {scores}")["a.S"].slips)


def test_rounded_weights_of_unscaled_scores_are_not_called_cut_off() -> None:
    # The smallest are 0.00000 unscaled and 0.00006 scaled.
    typed = "b.A 0 0 .0001 .9999; .6370 .0001 .3629 0; .0032 0 .1640 .8328; 0 .0001 0 .9999"
    assert not [note for note in judged(IST, typed)["b.A"].notes if note.kind is NoteKind.CUT_OFF]


def test_marks_are_never_more_than_there_are() -> None:
    for name, typed, _ in CASES:
        assert all(Fraction(0) <= step.earned <= step.possible for step in judged(name, typed).values())


def test_mistake_in_every_head_is_one_mistake() -> None:
    # By numpy, with nothing scaled in either head.
    typed = "c.Z -7.0011 4.2508 -1.0831; 8.3178 .2054 10.7286; -7.8823 5.1147 -.6005; -8.2501 4.875 -1.5001"
    found = judged(IST, typed)
    assert [("unscaled", Spread.EVERY_HEAD)] == [(one.name, one.spread) for one in found["c.Z"].mistakes]
    # It costs one mark: of the first weights. Everything after them follows.
    assert {"b.S": 2, "b.A": 1, "b.Z": 1, "c.head2.Z": 3, "c.C": 1, "c.Z": 2} == {
        name: found[name].earned for name in ("b.S", "b.A", "b.Z", "c.head2.Z", "c.C", "c.Z")
    }


@pytest.mark.parametrize(
    ("first", "verdict"),
    [("2.0000", Verdict.RIGHT), ("2", Verdict.RIGHT), ("1.9999", Verdict.UNDECIDED)],
)
def test_certified_decimals_of_a_whole_number_are_right_when_rounded(first: str, verdict: Verdict) -> None:
    """√2·√2 of certified numbers is within 10⁻¹²⁰⁰ of 2: rounded it is 2.0000, cut off it may be 1.9999."""
    rest = "0.4617 1.9599; 4.3536 2.8984 4.6541; 2.7569 1.0242 2.7811"
    assert verdict is judged("tiny-gpt", f"b.layer2.S {first} {rest}")["b.layer2.S"].verdict
