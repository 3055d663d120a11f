"""Random families of vectors as torch has them, in which formulas with symbols are worked out anew."""

# ruff: noqa: E501 (formulas are quoted whole)

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from attnsolve.assumptions import Assumptions, Attention
from attnsolve.statements.tree import (
    Call,
    Dot,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
)

torch = pytest.importorskip("torch")
FUNCTIONS = {"exp": math.exp, "ln": math.log, "sqrt": math.sqrt}


class Family:
    """Numbers for all symbols, random vectors for all families; keys are counted, names are the first of them."""

    def __init__(
        self,
        assumptions: Assumptions,
        attention: Attention,
        named: tuple[str, ...],
        values: Mapping[str, float],
        seed: int,
    ) -> None:
        self.assumptions, self.attention, self.values = assumptions, attention, dict(values)
        self.place = {index: place for place, index in enumerate(named)}
        made = torch.Generator().manual_seed(seed)
        size_of = assumptions.vectors[attention.heads[0].values].count
        self.count = int(size_of.value) if isinstance(size_of, Number) else int(values.get("m", 6))
        size = max(int(values.get("d", 0)), self.count + 2)
        basis = torch.linalg.qr(torch.randn(size, size, generator=made, dtype=torch.float64))[0]
        self.vectors = {}
        for name, family in assumptions.vectors.items():
            if family.is_single:
                self.vectors[name] = basis[self.count : self.count + 1]
            elif family.square is None:
                self.vectors[name] = torch.randn(self.count, 3, generator=made, dtype=torch.float64)
            else:
                square, between = self.number(family.square), self.number(family.between)
                # Columns of a root of the Gram matrix.
                gram = (square - between) * torch.eye(self.count, dtype=torch.float64) + between
                self.vectors[name] = torch.linalg.cholesky(gram) @ basis[: self.count]
        self.numbers = {
            name: 0.5 + torch.rand(self.count, generator=made, dtype=torch.float64)
            for name in assumptions.numbers
        }
        self.weights, self.outputs = [], []
        for head in attention.heads:
            q = self.of(head.query)
            keys = torch.stack([self.of(Name(head.keys, (str(i),)), {str(i): i}) for i in range(self.count)])
            scores = keys @ q / self.number(head.divisor)
            scores[[self.place[index] for index in head.hidden]] = -math.inf
            alpha = torch.softmax(scores, 0)
            self.weights.append(alpha)
            self.outputs.append(alpha @ self.vectors[head.values])

    def number(self, tree: Tree) -> float:
        return float(self.of(tree))

    def of(self, tree: Tree, bound: Mapping[str, int] | None = None) -> Any:
        """A formula's value: a float or a vector."""
        where = {**self.place, **(bound or {})}
        match tree:
            case Number(value):
                return float(value)
            case Name():
                return self.named(tree, where)
            case Sum(terms):
                return sum((self.of(term, bound) for term in terms[1:]), self.of(terms[0], bound))
            case Product(factors):
                made: Any = 1.0
                for factor in (self.of(factor, bound) for factor in factors):
                    both = torch.is_tensor(made) and torch.is_tensor(factor) and made.dim() and factor.dim()
                    made = made @ factor if both else made * factor
                return made
            case Dot(left, right):
                return self.of(left, bound) @ self.of(right, bound)
            case Quotient(above, below):
                return self.of(above, bound) / self.of(below, bound)
            case Power(base, exponent):
                return self.of(base, bound) ** self.of(exponent, bound)
            case Call(function, argument):
                return FUNCTIONS[function.value](float(self.of(argument, bound)))
            case Summation(index, body, excluded):
                left_out = {where[name] for name in excluded}
                terms = [
                    self.of(body, {**(bound or {}), index: i}) for i in range(self.count) if i not in left_out
                ]
                return sum(terms[1:], terms[0])
        raise TypeError(tree)

    def named(self, name: Name, where: Mapping[str, int]) -> Any:
        if name in self.assumptions.definitions:
            return self.of(self.assumptions.definitions[name])
        if name.name in self.values:
            return float(self.values[name.name])
        if name.name == "alpha":
            return float(
                self.weights[int(name.index[0]) - 1 if len(name.index) > 1 else 0][self.at(name, where)]
            )
        if name.name == "a":
            if name.index or len(self.outputs) == 1:
                return self.outputs[int(name.index[0]) - 1 if name.index else 0]
            assert self.attention.combined is not None
            return self.of(self.attention.combined)
        if name.name == "D":
            return 1 / self.weights_over_exponentials(name)
        if name.name in self.assumptions.scaled:
            made = self.assumptions.scaled[name.name]
            return (
                self.numbers[made.numbers][self.at(name, where)]
                * self.vectors[made.vectors][self.at(name, where)]
            )
        if name.name in self.numbers:
            return float(self.numbers[name.name][self.at(name, where)])
        if name.name == "e":
            return math.e
        family = self.vectors[name.name]
        return family[self.at(name, where)] if name.index else family[0]

    def weights_over_exponentials(self, name: Name) -> float:
        """1/D: the weight of a key over its exponential."""
        number = int(name.index[0]) - 1 if name.index else 0
        head = self.attention.heads[number]
        last = self.count - 1  # no mask hides it
        key = self.of(Name(head.keys, ("last",)), {"last": last})
        exponent = float(key @ self.of(head.query)) / self.number(head.divisor)
        return float(self.weights[number][last]) / math.exp(exponent)

    def at(self, name: Name, where: Mapping[str, int]) -> int:
        index = name.index[-1]
        return where[index] if index in where else len(self.place) + (index == "j")


def close(one: Any, other: Any) -> bool:
    """Whether two values agree to nine digits."""
    return bool(
        torch.allclose(
            torch.as_tensor(one, dtype=torch.float64),
            torch.as_tensor(other, dtype=torch.float64),
            rtol=1e-9,
            atol=1e-10,
        )
    )
