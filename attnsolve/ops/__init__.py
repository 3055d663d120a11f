"""Every op, in the order in which an exercise meets them; adding one is its file and a line here."""

from attnsolve.ops.activation import GELU, RECTIFY, TANH
from attnsolve.ops.add_mask import ADD_MASK
from attnsolve.ops.addition import ADD
from attnsolve.ops.additive import ADDITIVE
from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.base import (
    Axis,
    Family,
    Formula,
    Frame,
    Inner,
    Ledger,
    Mistake,
    Onward,
    Op,
    Option,
    Options,
    PlanMistake,
    Remark,
    UndefinedRow,
)
from attnsolve.ops.bilinear import BILINEAR
from attnsolve.ops.causal import CAUSAL
from attnsolve.ops.concat import CONCAT
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.cosine import COSINE
from attnsolve.ops.dot import DOT
from attnsolve.ops.drop_keys import DROP_KEYS
from attnsolve.ops.drop_queries import DROP_QUERIES
from attnsolve.ops.entmax import ENTMAX
from attnsolve.ops.entmax15 import ENTMAX15
from attnsolve.ops.joining import JOIN
from attnsolve.ops.keep import DROP, KEEP
from attnsolve.ops.layer_norm import LAYER_NORM
from attnsolve.ops.lengths import LENGTHS
from attnsolve.ops.mixing import MIX
from attnsolve.ops.one_hot import ONE_HOT
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.product import PRODUCT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.readout import CROSS_ENTROPY, PROBABILITIES
from attnsolve.ops.relu import RELU
from attnsolve.ops.scaling import DIVIDE, MULTIPLY
from attnsolve.ops.selection import SELECT
from attnsolve.ops.sinusoid import SINUSOID
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.softmax2 import SOFTMAX2
from attnsolve.ops.sparsemax import SPARSEMAX
from attnsolve.ops.splitting import SPLIT
from attnsolve.ops.stacking import STACK
from attnsolve.ops.subtraction import SUBTRACT
from attnsolve.ops.sum import SUM
from attnsolve.ops.times import TIMES
from attnsolve.ops.transpose import TRANSPOSE
from attnsolve.ops.waves import WAVES

OPS: tuple[Op, ...] = (
    ONE_HOT,  # X -> where each token stands
    SINUSOID,  # X -> where each token stands, as waves
    WAVES,  # places -> their codes, as waves
    ADD,  # X, P -> X + P
    SUBTRACT,  # X, P -> X - P
    TIMES,  # X, G -> X ⊙ G
    JOIN,  # X, P -> [X | P]
    STACK,  # x, X -> x above X
    PRODUCT,  # X, Y -> X Y
    TRANSPOSE,  # X -> its columns as rows
    SELECT,  # X -> its row 2
    PROJECTION,  # X, W_Q -> Q
    SPLIT,  # wide Q -> head 1's Q
    DOT,  # Q, K -> scores
    BILINEAR,  # Q, K, W -> scores
    ADDITIVE,  # Q, K, W, U, v -> scores
    CONCAT,  # Q, K, W, v -> scores
    COSINE,  # Q, K -> scores
    DIVIDE,  # scores -> scores / sqrt(d_k)
    MULTIPLY,  # scores -> scores * 2
    CAUSAL,  # scores -> scores with -∞ for later tokens
    LENGTHS,  # scores -> scores with -∞ for padding
    DROP_KEYS,  # scores -> scores with -∞ for some keys
    KEEP,  # scores, M -> scores where M has 1
    DROP,  # scores, M -> scores where M has 0
    ADD_MASK,  # scores, M -> scores + M
    SOFTMAX,  # scores -> weights
    ARGMAX,  # scores -> 0-1 weights
    RELU,  # scores -> weights without exponentials
    SPARSEMAX,  # scores -> weights, most of them 0
    ENTMAX15,  # scores -> weights, some of them 0
    ENTMAX,  # scores -> weights, as sparse as alpha says
    SUM,  # scores -> shares of their sum
    SOFTMAX2,  # scores -> weights with powers of 2
    DROP_QUERIES,  # weights -> weights with 0 for padding that asks
    MIX,  # weights, V -> Z
    CONCATENATE,  # head outputs -> [Z1 | Z2]
    OUTPUT,  # concatenation, W_O -> output
    LAYER_NORM,  # X -> each token centred and scaled
    TANH,  # X -> tanh of each number
    RECTIFY,  # X -> max(0, x) of each number
    GELU,  # X -> GELU of each number
    PROBABILITIES,  # logits -> probabilities of words
    CROSS_ENTROPY,  # probabilities -> loss
)

OPS_BY_NAME = {op.name: op for op in OPS}

# What a file may write after `weights:`, and after `score:`.
NORMALISERS = tuple(op for op in OPS if op.family is Family.NORMALISER)
SCORES = tuple(op for op in OPS if op.family is Family.SCORE)

__all__ = [
    "NORMALISERS",
    "OPS",
    "OPS_BY_NAME",
    "SCORES",
    "Axis",
    "Family",
    "Formula",
    "Frame",
    "Inner",
    "Ledger",
    "Mistake",
    "Onward",
    "Op",
    "Option",
    "Options",
    "PlanMistake",
    "Remark",
    "UndefinedRow",
]
