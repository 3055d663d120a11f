"""Mean and variance of a dot product of random vectors, and of what is left after dividing it: why √d."""

from __future__ import annotations

from attnsolve.assumptions import RandomDotProduct
from attnsolve.derivations.derivation import Line, Passage, Reason, Topic
from attnsolve.exact.formulas.letters import Letters
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    ONE,
    TWO,
    Call,
    Dot,
    Function,
    Name,
    Power,
    Product,
    Sum,
    Summation,
    Tree,
    minus,
    over,
    product,
)

EQUAL = Relation.EQUAL
FIRST, SECOND = Name("q", ("i",)), Name("k", ("i",))
WHOLE = Dot(Name("q"), Name("k"))
TERM = Product((FIRST, SECOND))


def mean(tree: Tree) -> Tree:
    """E[tree]."""
    return Call(Function.EXPECTATION, tree)


def variance(tree: Tree) -> Tree:
    """Var(tree)."""
    return Call(Function.VARIANCE, tree)


def squared(tree: Tree) -> Tree:
    """tree², with the square of a product spread over its factors."""
    if isinstance(tree, Product):
        return Product(tuple(Power(factor, TWO) for factor in tree.factors))
    return Power(tree, TWO)


def passage(letters: Letters, asked: RandomDotProduct) -> Passage:
    """From one product of two numbers to the whole sum, and to the sum divided."""
    usual = letters.multiplied_out
    one = usual(Power(asked.mean, TWO))
    square = usual(Sum((asked.variance, Power(asked.mean, TWO))))
    squares = usual(Power(square, TWO))
    spread = usual(minus(squares, Power(one, TWO)))
    every = usual(product((asked.length, spread)))
    chains = (
        (
            Line(mean(TERM), EQUAL, Product((mean(FIRST), mean(SECOND))), Reason.INDEPENDENCE),
            Line(None, EQUAL, one),
        ),
        (
            Line(
                mean(squared(FIRST)),
                EQUAL,
                Sum((variance(FIRST), squared(mean(FIRST)))),
                Reason.MEAN_OF_SQUARE,
            ),
            Line(None, EQUAL, square),
        ),
        (
            Line(
                variance(TERM), EQUAL, minus(mean(squared(TERM)), squared(mean(TERM))), Reason.MEAN_OF_SQUARE
            ),
            Line(None, EQUAL, spread_out(), Reason.INDEPENDENCE),
            Line(None, EQUAL, spread),
        ),
        (
            Line(mean(WHOLE), EQUAL, Summation("i", mean(TERM)), Reason.MEAN_OF_SUM),
            Line(None, EQUAL, usual(product((asked.length, one))), Reason.EQUAL_TERMS),
        ),
        (
            Line(variance(WHOLE), EQUAL, Summation("i", variance(TERM)), Reason.SUM_OF_VARIANCES),
            Line(None, EQUAL, every, Reason.EQUAL_TERMS),
        ),
        *divided(letters, asked.divisor, every),
    )
    return Passage(Topic.MOMENTS, chains, variable=None)


def spread_out() -> Tree:
    """E[q_i²] E[k_i²] - E[q_i k_i]²."""
    return minus(Product((mean(squared(FIRST)), mean(squared(SECOND)))), squared(mean(TERM)))


def divided(letters: Letters, divisor: Tree, every: Tree) -> tuple[tuple[Line, ...], ...]:
    """The variance of the dot product over what it is divided by, if it is."""
    if divisor == ONE:
        return ()
    below = letters.multiplied_out(Power(divisor, TWO))
    left = variance(over(WHOLE, divisor))
    return (
        (
            Line(left, EQUAL, over(variance(WHOLE), below), Reason.VARIANCE_OF_MULTIPLE),
            Line(None, EQUAL, letters.multiplied_out(over(every, below))),
        ),
    )
