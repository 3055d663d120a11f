"""Calculator-free by design: the weights come out as designed, logarithms are small."""

import re
from fractions import Fraction
from math import prod

import pytest
from variants.drawn import Drawer, small, variants

from attnsolve.errors import UsageError
from attnsolve.variants import Variant

DESIGNS = {
    "a": ["1/2 1/3 1/6", "1/2 1/4 1/4", "1/6 2/3 1/6", "3/8 1/8 1/2", "3/5 1/5 1/5"],
    "b": ["1/2 1/4 1/4", "2/5 2/5 1/5", "1/7 2/7 4/7", "1/6 1/6 2/3"],
}
LOGARITHM = re.compile(r"(-?)ln\((\d+)(?:/(\d+))?\)")


def power(text: str) -> Fraction:
    """e to an entry that is a logarithm: ln(3/2) -> 3/2, -ln(2) -> 1/2, 0 -> 1."""
    found = LOGARITHM.fullmatch(text)
    if found is None:
        assert text == "0", text
        return Fraction(1)
    ratio = Fraction(int(found[2]), int(found[3] or 1))
    assert max(ratio.numerator, ratio.denominator) <= 12, text
    assert ratio > 1, text  # -ln(2), never ln(1/2)
    return 1 / ratio if found[1] else ratio


def shares(powers: list[Fraction]) -> list[Fraction]:
    return [power / sum(powers) for power in powers]


def weights_by_hand(variant: Variant, query: str, keys: str, *, base_two: bool) -> list[Fraction]:
    """e^(q·k) = Π (e^k_j)^q_j, or 2^(q·k), over their sum: whole numbers and fractions all the way."""
    q = [int(text) for text in variant.problem.givens[query].typed[0]]
    rows = variant.problem.givens[keys].typed
    if base_two:
        return shares([Fraction(2) ** sum(a * int(b) for a, b in zip(q, row, strict=True)) for row in rows])
    return shares([prod(power(text) ** n for n, text in zip(q, row, strict=True)) for row in rows])


def sets(designs: list[str]) -> set[tuple[Fraction, ...]]:
    return {tuple(sorted(map(Fraction, text.split()))) for text in designs}


def test_the_weights_of_the_bundled_exam_are_those_of_its_design() -> None:
    for variant in variants("calculator-free"):
        for part, query, keys, base_two in (("a", "q", "K", False), ("b", "p", "L", True)):
            weights = weights_by_hand(variant, query, keys, base_two=base_two)
            assert tuple(sorted(weights)) in sets(DESIGNS[part])
            # And those are the weights the solution prints.
            found = [cell.rational() for _, _, cell in variant.trace.value(f"{part}.A").cells()]
            assert weights == found


def test_every_answer_of_the_bundled_exam_is_rational() -> None:
    for variant in variants("calculator-free"):
        for step in variant.trace.steps:
            if step.call.letter in ("A", "Z"):
                for _, _, cell in step.value.cells():
                    number = cell.rational()
                    assert number is not None, step.call.out
                    assert number.denominator <= 10**3


def designed(vary: str, *, divide_by: str = "none", weights: str = "softmax", **data: str) -> Drawer:
    given = {"q": "1 2", "K": "1 0; 0 1; 1 1", "V": "6 0; 0 12; 3 9", **data}
    lines = "".join(f"  {name}: {typed}\n" for name, typed in given.items())
    recipe = f"{{queries: q, keys: K, values: V, divide_by: {divide_by}, weights: {weights}}}"
    parts = f"  - ask: What?\n    attend: {recipe}\n    allow: [ties, mistakes]\n"
    return small(vary, data=f"given:\n{lines}", parts=parts)


def test_every_design_and_every_order_of_it_is_drawn() -> None:
    drawer = designed("V: [0, 6, 12], band: 100%, design: {a: [1/2 1/3 1/6, 1/4 1/4 1/2]}")
    seen = {tuple(weights_by_hand(drawer.draw(str(n)), "q", "K", base_two=False)) for n in range(60)}
    assert sets(["1/2 1/3 1/6", "1/4 1/4 1/2"]) == {tuple(sorted(weights)) for weights in seen}
    assert 6 + 3 == len(seen)


@pytest.mark.parametrize("divide_by", ["2", "sqrt(d_k)"])
def test_scores_that_are_divided_by_a_whole_number_are_built_so_much_larger(divide_by: str) -> None:
    # √4 is 2: the product of powers is the square of what the weights are proportional to.
    wide = {"q": "1 2 0 1", "K": "1 0 0 0; 0 1 0 0; 1 1 0 0"} if divide_by != "2" else {}
    drawer = designed("V: [0, 6, 12], band: 100%, design: {a: 1/2 1/3 1/6}", divide_by=divide_by, **wide)
    for number in range(4):
        variant = drawer.draw(str(number))
        q = [int(text) for text in variant.problem.givens["q"].typed[0]]
        rows = variant.problem.givens["K"].typed
        squares = [prod(power(text) ** n for n, text in zip(q, row, strict=True)) for row in rows]
        ratios = sorted(square / min(squares) for square in squares)
        assert [1, 4, 9] == ratios
        weights = [cell.rational() for _, _, cell in variant.trace.value("a.A").cells()]
        assert [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)] == sorted(w for w in weights if w is not None)


def test_a_design_alone_is_enough_to_vary() -> None:
    drawer = designed("design: {a: 1/2 1/3 1/6}, band: 100%")
    texts = {drawer.draw(str(number)).text for number in range(5)}
    assert 5 == len(texts)
    assert all("\n  V: 6 0; 0 12; 3 9\n" in text for text in texts)


def test_powers_of_two_are_built_from_whole_numbers() -> None:
    drawer = designed(
        "V: [0, 6, 12], band: 100%, design: {a: [1/2 1/4 1/4, 1/7 2/7 4/7]}", weights="softmax2"
    )
    for number in range(6):
        weights = weights_by_hand(drawer.draw(str(number)), "q", "K", base_two=True)
        assert tuple(sorted(weights)) in sets(["1/2 1/4 1/4", "1/7 2/7 4/7"])


NO_KEYS = "vary.design.a: no keys can be built for this part; "
REFUSED = {
    "an irrational divisor": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "divide_by": "sqrt(d_k)"},
        f"{NO_KEYS}its weights must be a softmax of dot products, over a whole number or none",
    ),
    "half a divisor": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "divide_by": "1/2"},
        f"{NO_KEYS}its weights must be a softmax of dot products, over a whole number or none",
    ),
    "another way to weigh": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "weights": "relu"},
        f"{NO_KEYS}its weights must be a softmax of dot products, over a whole number or none",
    ),
    "a temperature": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "weights": "{softmax: {temperature: 2}}"},
        f"{NO_KEYS}its weights must be a softmax of dot products, over a whole number or none",
    ),
    "several queries": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "q": "1 2; 2 1"},
        f"{NO_KEYS}its query must be a given of one row and its keys a given",
    ),
    "a weight too few": (
        {"vary": "design: {a: 1/2 1/2}"},
        f"{NO_KEYS}there are 3 keys, each with one weight",
    ),
    "a weight too many in one of two": (
        {"vary": "design: {a: [1/2 1/3 1/6, 1/4 1/4 1/4 1/4]}"},
        f"{NO_KEYS}there are 3 keys, each with one weight",
    ),
    "a third from powers of 2": (
        {"vary": "design: {a: 1/2 1/3 1/6}", "weights": "softmax2"},
        f"{NO_KEYS}powers of 2 give weights such as 1/2 1/4 1/4 only",
    ),
    "a query without a 1": (
        {"vary": "q: [2, 3], design: {a: 1/2 1/3 1/6}"},
        "'q' never gets an entry 1 or -1, which keys by design need",
    ),
    "a weight with a large prime": (
        {"vary": "design: {a: 1/30 13/30 16/30}"},
        f"{NO_KEYS}its weights must be in proportion to products of 2, 3, 5 and 7",
    ),
}


@pytest.mark.parametrize(("how", "said"), REFUSED.values(), ids=REFUSED)
def test_designs_that_cannot_be_built_are_refused_with_the_reason(how: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as refusal:
        designed(**how).draw("1")
    assert said == str(refusal.value)
