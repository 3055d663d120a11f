"""Every op, in the order in which an exercise meets them; adding one is its file and a line here."""

from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.base import (
    Axis,
    Formula,
    Frame,
    Ledger,
    Mistake,
    Op,
    Option,
    Options,
    PlanMistake,
    Remark,
    UndefinedRow,
)
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.dot import DOT
from attnsolve.ops.mixing import MIX
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.relu import RELU
from attnsolve.ops.scaling import DIVIDE, MULTIPLY
from attnsolve.ops.selection import SELECT
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.splitting import SPLIT

OPS: tuple[Op, ...] = (
    SELECT,  # X -> its row 2
    PROJECTION,  # X, W_Q -> Q
    SPLIT,  # wide Q -> head 1's Q
    DOT,  # Q, K -> scores
    DIVIDE,  # scores -> scores / sqrt(d_k)
    MULTIPLY,  # scores -> scores * 2
    SOFTMAX,  # scores -> weights
    ARGMAX,  # scores -> 0-1 weights
    RELU,  # scores -> weights without exponentials
    MIX,  # weights, V -> Z
    CONCATENATE,  # head outputs -> [Z1 | Z2]
    OUTPUT,  # concatenation, W_O -> output
)

OPS_BY_NAME = {op.name: op for op in OPS}

# What a file may write after `weights:`, and after `score:`.
NORMALISERS = tuple(op for op in OPS if op.family == "normaliser")
SCORES = tuple(op for op in OPS if op.family == "score")

__all__ = [
    "NORMALISERS",
    "OPS",
    "OPS_BY_NAME",
    "SCORES",
    "Axis",
    "Formula",
    "Frame",
    "Ledger",
    "Mistake",
    "Op",
    "Option",
    "Options",
    "PlanMistake",
    "Remark",
    "UndefinedRow",
]
