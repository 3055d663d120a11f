"""Small problems written in a test, solved, and given to torch with the same numbers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attnsolve.engine import solve
from attnsolve.exact import Matrix
from attnsolve.loader import loads
from attnsolve.trace import Trace

Table = list[list[Fraction]]


def drawn(rows: int, columns: int, *, seed: int) -> Table:
    """Quarters between -2 and 2, which floats hold exactly; each seed gives other ones."""
    digits = random.Random(seed)
    return [[Fraction(digits.randint(-8, 8), 4) for _ in range(columns)] for _ in range(rows)]


def typed(table: Table) -> str:
    """A matrix as a problem file has it."""
    return "; ".join(" ".join(map(str, row)) for row in table)


def solved(given: Mapping[str, Table], *parts: str, top: str = "") -> Trace:
    """The trace of a problem with parts `a`, `b`, …, each its recipe and other keys as a file has them."""
    matrices = "".join(f"  {name}: {typed(table)}\n" for name, table in given.items())
    asked = "".join(f"  - ask: What?\n    {part}\n" for part in parts)
    return solve(loads(f"format: 1\ntitle: T\n{top}given:\n{matrices}parts:\n{asked}"))


def tensor(table: Table | Matrix) -> Any:
    """torch's matrix of the same numbers, in float64."""
    import torch

    rows = table.balls(128) if isinstance(table, Matrix) else table
    numbers = [[float(x.mid()) if isinstance(table, Matrix) else float(x) for x in row] for row in rows]
    return torch.tensor(numbers, dtype=torch.float64)


def assert_close(expected: Any, found: Matrix, *, within: float = 1e-12) -> None:
    """Our exact matrix is torch's within rounding."""
    import torch

    torch.testing.assert_close(tensor(found), expected, rtol=within, atol=within)


def leaves(given: Mapping[str, Table]) -> dict[str, Any]:
    """torch's matrices of the same numbers, whose gradients are wanted."""
    return {name: tensor(table).requires_grad_() for name, table in given.items()}


def assert_gradients(
    trace: Trace, leaves: Mapping[str, Any], result: Any, start: Any, *, part: str = "b"
) -> None:
    """The gradient that a part has of every given, but for G itself, is autograd's."""
    import torch

    wanted = {name: leaf for name, leaf in leaves.items() if name != "G"}
    found = torch.autograd.grad(result, list(wanted.values()), start, allow_unused=True)
    for (name, leaf), gradient in zip(wanted.items(), found, strict=True):
        right = torch.zeros_like(leaf) if gradient is None else gradient
        assert_close(right, trace.value(f"{part}.d{name}"), within=1e-10)
