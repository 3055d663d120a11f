"""Distinct variants of Practical 10, Question 1.3: SymPy's cache would hide a factor of 20 on repeats."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

from attnsolve.exact import Cell, Matrix, Rationals
from attnsolve.limits import LIMITS
from attnsolve.loader import loads
from attnsolve.problem import Problem
from attnsolve.variants import Blueprint, Drawer, key_of_seed

TOKENS = 4
D_K = 2
HEADS = ("1", "2")

# The matrices are drawn afterwards: the file only says how large they are and what is done with them.
TEXT = """\
format: 1
title: Two heads and an output matrix
places: 4
given:
  X: ones({tokens}x3)
  W_Q1: ones(3x2)
  W_K1: ones(3x2)
  W_V1: ones(3x2)
  W_Q2: ones(3x2)
  W_K2: ones(3x2)
  W_V2: ones(3x2)
  W_O: ones(4x3)
parts:
  - id: a
    ask: Find the output of the two heads with the output matrix $W_O$.
    multi_head:
      input: X
      heads: [{{W_Q: W_Q1, W_K: W_K1, W_V: W_V1}}, {{W_Q: W_Q2, W_K: W_K2, W_V: W_V2}}]
      W_O: W_O
      divide_by: sqrt(d_k)
"""

# What an exam would draw from, for the contest that draws and judges.
VARY = """\
vary:
  X: {entries: -2..2, denominators: [1, 2]}
  W_Q1: {entries: -1..1, denominators: [1, 2]}
  W_K1: {entries: -1..1, denominators: [1, 2]}
  W_V1: {entries: -2..2, denominators: [1, 2]}
  W_Q2: {entries: -1..1, denominators: [1, 2]}
  W_K2: {entries: -1..1, denominators: [1, 2]}
  W_V2: {entries: -2..2, denominators: [1, 2]}
  W_O: {entries: -2..2, denominators: [1, 2]}
"""

Numbers = list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class Variant:
    """The same drawn numbers twice: as exact fractions by name, and as a loaded problem."""

    numbers: dict[str, Numbers]
    problem: Problem


@cache
def loaded(tokens: int) -> Problem:
    """The problem with every entry 1, read from text once for each size."""
    return loads(TEXT.format(tokens=tokens), limits=LIMITS._replace(tokens=max(tokens, LIMITS.tokens)))


@cache
def drawer() -> Drawer:
    """Draws exam variants of the same exercise; what it learns about the form is learned once."""
    return Drawer(Blueprint(TEXT.format(tokens=TOKENS) + VARY, name="question-1-3"), key_of_seed(2026))


def examined(identity: str) -> Variant:
    """The variant that an exam would give to somebody: every judge accepts it."""
    problem = drawer().draw(identity).problem
    numbers = {
        name: [[cell.rational() or Fraction(0) for cell in row] for row in rows_of(given.value)]
        for name, given in problem.givens.items()
    }
    return Variant(numbers, problem)


def rows_of(matrix: Matrix) -> list[list[Cell]]:
    """The numbers of a matrix, row by row."""
    rows, columns = map(range, matrix.shape)
    return [[matrix.cell(i, j) for j in columns] for i in rows]


def draw(seed: int, *, tokens: int = TOKENS) -> Variant:
    """A variant with halves from -3 to 3, as on the sheet; the same seed gives the same numbers."""
    random = Random(seed)
    problem = loaded(tokens)
    numbers, givens = {}, {}
    for name, given in problem.givens.items():
        rows, columns = given.frame.shape
        drawn = [[Fraction(random.randint(-6, 6), 2) for _ in range(columns)] for _ in range(rows)]
        numbers[name] = drawn
        givens[name] = given._replace(value=Rationals.of(drawn), typed=())
    return Variant(numbers, problem._replace(givens=givens))
