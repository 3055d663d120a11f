"""Every op either counts, with a result of the right size, or says that it cannot be counted."""

import pytest
from ops.examples import Example
from ops.matrices import CASES, IDS, carried_out, our_options, ours

from attnsolve.costs import carried_out as result_of
from attnsolve.errors import ShapeError, Uncountable
from attnsolve.exact import Matrix
from attnsolve.exact.counting import Counted, Tally
from attnsolve.exact.polynomials import Polynomial, size
from attnsolve.ops import OPS_BY_NAME, Op
from attnsolve.problem import Call

# What attention is made of must be countable.
COUNTED = (
    "select", "project", "split", "dot", "bilinear", "divide", "multiply", "softmax", "softmax2", "relu",
    "sum", "mix", "concatenate", "output", "add", "join", "additive", "concat", "cosine", "layer_norm",
    "one_hot", "causal", "lengths", "drop_keys", "keep", "drop", "add_mask", "tanh", "rectify", "gelu",
)  # fmt: skip


class Sizes:
    """A letter for each number, so that sides of equal length fit."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def letter(self, number: int) -> Polynomial:
        self.known[f"s{number}"] = number
        return size(f"s{number}")


def counted(op: Op, case: Example) -> tuple[Matrix, Sizes]:
    """The op's rule on matrices that count."""
    sizes = Sizes()
    tally = Tally(sizes.known)
    inputs = [Counted(*map(sizes.letter, ours(text).shape), tally) for text in case.inputs]
    return result_of(Call("a.Z", op, (), our_options(op, case)), inputs), sizes


@pytest.mark.parametrize(("op", "case"), CASES, ids=IDS)
def test_op_counts_or_says_why_not(op: Op, case: Example) -> None:
    try:
        value, sizes = counted(op, case)
    except (Uncountable, ShapeError):
        return
    assert isinstance(value, Counted)
    assert carried_out(op, case).shape == tuple(side.value(sizes.known) for side in value.shape)


@pytest.mark.parametrize("name", COUNTED)
def test_ops_of_attention_can_be_counted(name: str) -> None:
    counted(*next((op, case) for op, case in CASES if op is OPS_BY_NAME[name]))
