"""Attention of tokens in another order: every line in numbers, for random vectors and permutations."""

from itertools import permutations as orders

import numpy as np
import pytest

from attnsolve.assumptions import Reordering
from attnsolve.derivations.derivation import Line
from attnsolve.derivations.permutations import Definition, image, passage, recognised, renumbered
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.loader import loads
from attnsolve.rendering import render
from attnsolve.statements.tree import (
    Call,
    Dot,
    Name,
    Number,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
    square_root,
)

COUNT, LENGTH = 4, 3
ROOT = square_root(Name("d"))


class Numbers:
    """Formulas in numbers: attention worked out by numpy, in one order and in another."""

    def __init__(self, order: tuple[int, ...], divisor: float, *, has_queries: bool, seed: int) -> None:
        draw = np.random.default_rng(seed).normal
        q = draw(size=(COUNT, LENGTH)) if has_queries else draw(size=(1, LENGTH))
        k, v = draw(size=(COUNT, LENGTH)), draw(size=(COUNT, LENGTH))
        self.order, self.divisor, self.has_queries = order, divisor, has_queries
        moved = q[list(order)] if has_queries else q
        self.values = dict(self.attended("", q, k, v))
        self.values |= self.attended("'", moved, k[list(order)], v[list(order)])

    def attended(self, prime: str, q: np.ndarray, k: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        scores = q @ k.T
        powers = np.exp(scores / self.divisor)
        weights = powers / powers.sum(axis=1, keepdims=True)
        found = {"q": q, "k": k, "v": v, "s": scores, "alpha": weights, "z": weights @ v}
        return {f"{name}{prime}": value for name, value in found.items()}

    def at(self, tree: Tree, places: dict[str, int]) -> np.ndarray:
        match tree:
            case Number(value):
                return np.array(float(value))
            case Name("d"):
                return np.array(self.divisor**2)
            case Name(name, index):
                where = [self.place(one, places) for one in index]
                alone = not self.has_queries and name.rstrip("'") in ("q", "s", "alpha", "z")
                return self.values[name][tuple([0, *where] if alone else where)]
            case Dot(left, right):
                return self.at(left, places) @ self.at(right, places)
            case Quotient(above, below):
                return self.at(above, places) / self.at(below, places)
            case Product(factors):
                left, right = (self.at(factor, places) for factor in factors)
                return left * right
            case Sum(terms):
                return sum((self.at(term, places) for term in terms), np.zeros(()))
            case Call(function, argument):
                return {"exp": np.exp, "sqrt": np.sqrt}[function.value](self.at(argument, places))
            case Summation(index, body):
                each = [self.at(body, places | {index: place}) for place in range(COUNT)]
                return np.sum(each, axis=0)
        raise TypeError(tree)

    def place(self, index: str, places: dict[str, int]) -> int:
        if index.startswith("π"):
            return self.order[places[index[2:-1]]]
        return places[index]


@pytest.mark.parametrize("has_queries", [True, False])
@pytest.mark.parametrize("order", [*orders(range(COUNT))][1::5])
def test_every_line_holds_in_numbers(order: tuple[int, ...], has_queries: bool) -> None:
    divisor = ROOT if has_queries else Number(1)
    numbers = Numbers(order, 3**0.5 if has_queries else 1.0, has_queries=has_queries, seed=sum(order[:2]))
    for chain in passage(Reordering(Name("n"), divisor, has_queries=has_queries)).chains:
        left: Tree | None = None
        for line in chain:
            assert isinstance(line, Line)
            left = line.left or left
            assert left is not None
            for i, j in ((0, 1), (2, 2), (3, 0)):
                places = {"i": i, "j": j}
                assert np.allclose(numbers.at(left, places), numbers.at(line.right, places))


def test_a_sum_is_renumbered_only_where_its_index_is_mapped_everywhere() -> None:
    mapped = Summation("l", Name("s", (image("l"),)))
    assert Summation("l", Name("s", ("l",))) == renumbered(mapped)
    for body in (Name("s", ("l", image("l"))), Product((Name("b", ("l",)), Name("s", (image("l"),))))):
        assert Summation("l", body) == renumbered(Summation("l", body))
    left_out = Summation("l", Name("s", (image("l"),)), ("a",))
    assert left_out == renumbered(left_out)


def test_a_definition_is_recognised_only_where_it_is_that() -> None:
    body = Quotient(Name("s", ("i", "j")), Summation("l", Name("s", ("i", "l"))))
    weight = Definition(Name("w", ("i", "j")), body)
    other = Quotient(Name("s", ("a", "b")), Summation("m", Name("s", ("a", "m"))))
    assert Name("w", ("a", "b")) == recognised(other, weight)
    for wrong in (
        Quotient(Name("s", ("a", "b")), Summation("m", Name("s", ("c", "m")))),
        Quotient(Name("s", ("a", "b")), Summation("m", Name("s", ("m", "a")))),
        Quotient(Name("s", ("a", "b")), Summation("m", Name("s", ("a", image("m"))))),
    ):
        assert wrong == recognised(wrong, weight)
    total = Definition(Name("z", ("i",)), Summation("j", Name("s", ("i", "j"))))
    assert Name("z", ("a",)) == recognised(Summation("m", Name("s", ("a", "m"))), total)
    diagonal = Summation("m", Name("s", ("m", "m")))  # whose m is nobody outside
    assert diagonal == recognised(diagonal, total)
    with pytest.raises(AttnsolveError):
        total.at(("j",))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("{tokens: n, keys: n}", "write {tokens: n, divide_by: sqrt"),
        ("{queries: n}", "write {tokens: n, divide_by: sqrt"),
        ("{tokens: t}", "assume t: integer >= 1"),
        ("{tokens: m}", "nothing is assumed of a symbol 'm'"),
        ("{tokens: n, divide_by: t}", "has to be known not to be 0"),
    ],
)
def test_what_cannot_be_reordered_is_refused(asked: str, said: str) -> None:
    text = "format: 1\ntitle: T\nassume: {n: integer >= 1, t: real}\nparts:\n  - {ask: Show., reorder: %s}\n"
    with pytest.raises(ProblemError, match=said):
        loads(text % asked)


def test_a_page_says_why_each_line_follows() -> None:
    text = "format: 1\ntitle: T\nassume: {n: integer >= 1}\nparts:\n  - {ask: Show., reorder: {tokens: n}}\n"
    page = render(solve(loads(text)), to="markdown").text
    assert r"z'_{i} = z_{\pi(i)}" in page and r"\pi\text{ runs through all indices}" in page
