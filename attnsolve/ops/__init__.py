"""Every op, in the order in which an exercise meets them; adding one is its file and a line here."""

from attnsolve.ops.activation import GELU, RECTIFY, SIGMOID, TANH
from attnsolve.ops.activation_gradients import (
    GELU_GRADIENT,
    RECTIFY_GRADIENT,
    SIGMOID_GRADIENT,
    TANH_GRADIENT,
)
from attnsolve.ops.add_mask import ADD_MASK
from attnsolve.ops.adding_up import ADD_UP
from attnsolve.ops.addition import ADD
from attnsolve.ops.additive import ADDITIVE
from attnsolve.ops.alibi import ALIBI
from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.base import (
    Axis,
    Family,
    Formula,
    Frame,
    Gradient,
    Inner,
    Ledger,
    Mistake,
    Onward,
    Op,
    Option,
    Options,
    Passing,
    PlanMistake,
    Remark,
    UndefinedRow,
)
from attnsolve.ops.bilinear import BILINEAR
from attnsolve.ops.blend_gradients import GATE_GRADIENT, KEPT_GRADIENT
from attnsolve.ops.blending import BLEND
from attnsolve.ops.blocks import BLOCKS
from attnsolve.ops.bucket_bias import BUCKET_BIAS
from attnsolve.ops.causal import CAUSAL
from attnsolve.ops.concat import CONCAT
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.cosine import COSINE
from attnsolve.ops.descent import DESCEND
from attnsolve.ops.distance_bias import DISTANCE_BIAS
from attnsolve.ops.dot import DOT
from attnsolve.ops.drop_keys import DROP_KEYS
from attnsolve.ops.drop_queries import DROP_QUERIES
from attnsolve.ops.embedding import EMBED
from attnsolve.ops.entmax import ENTMAX
from attnsolve.ops.entmax15 import ENTMAX15
from attnsolve.ops.factor_gradients import LEFT_GRADIENT, RIGHT_GRADIENT
from attnsolve.ops.feature import FEATURE
from attnsolve.ops.gating import GATE
from attnsolve.ops.half_precision import HALF, OVERFLOW
from attnsolve.ops.handing_on import HAND_ON
from attnsolve.ops.joining import JOIN
from attnsolve.ops.keep import DROP, KEEP
from attnsolve.ops.layer_norm import LAYER_NORM
from attnsolve.ops.layer_norm_gradients import GAIN_GRADIENT, LAYER_NORM_GRADIENT
from attnsolve.ops.lengths import LENGTHS
from attnsolve.ops.logits import LOGITS
from attnsolve.ops.mixing import MIX
from attnsolve.ops.nucleus import NUCLEUS, TOP_WORDS
from attnsolve.ops.one_hot import ONE_HOT
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.over_sum import OVER_SUM
from attnsolve.ops.perplexity import PERPLEXITY
from attnsolve.ops.product import PRODUCT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.ratio import RATIO
from attnsolve.ops.readout import CROSS_ENTROPY, PROBABILITIES
from attnsolve.ops.readout_gradients import CROSS_ENTROPY_GRADIENT, LOGITS_GRADIENT
from attnsolve.ops.recurrence import RECUR
from attnsolve.ops.relative import RELATIVE
from attnsolve.ops.relu import RELU
from attnsolve.ops.rescaling import RESCALING
from attnsolve.ops.rms_norm import RMS_NORM
from attnsolve.ops.rotary import ROTARY
from attnsolve.ops.running_maximum import RUNNING_MAXIMUM
from attnsolve.ops.running_output import RUNNING_OUTPUT
from attnsolve.ops.running_sum import RUNNING_SUM
from attnsolve.ops.scaling import DIVIDE, DIVIDE_GRADIENT, MULTIPLY, MULTIPLY_GRADIENT
from attnsolve.ops.scattering import SCATTER, SPREAD
from attnsolve.ops.selection import SELECT
from attnsolve.ops.share_gradients import RELU_GRADIENT, SUM_GRADIENT
from attnsolve.ops.shifted_exponentials import SHIFTED_EXPONENTIALS
from attnsolve.ops.sigmoid_weights import SIGMOID_WEIGHTS
from attnsolve.ops.silu import SILU
from attnsolve.ops.sink_softmax import SINK_SOFTMAX
from attnsolve.ops.sinusoid import SINUSOID
from attnsolve.ops.soft_cap import SOFT_CAP
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.softmax2 import SOFTMAX2
from attnsolve.ops.softmax_gradient import SOFTMAX_GRADIENT
from attnsolve.ops.softmax_jacobian import SOFTMAX_JACOBIAN
from attnsolve.ops.sparsemax import SPARSEMAX
from attnsolve.ops.splitting import SPLIT
from attnsolve.ops.stacking import STACK
from attnsolve.ops.subtraction import SUBTRACT
from attnsolve.ops.sum import SUM
from attnsolve.ops.tile import TILE
from attnsolve.ops.times import TIMES
from attnsolve.ops.top_k import TOP_K
from attnsolve.ops.total import TOTAL
from attnsolve.ops.transpose import TRANSPOSE
from attnsolve.ops.unit_gradient import UNIT_GRADIENT
from attnsolve.ops.waves import WAVES
from attnsolve.ops.window import WINDOW

OPS: tuple[Op, ...] = (
    EMBED,  # E, words -> X
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
    RECUR,  # x, h -> x W + h U + b
    SPLIT,  # wide Q -> head 1's Q
    ROTARY,  # Q -> Q with its places, pair by pair
    DOT,  # Q, K -> scores
    BILINEAR,  # Q, K, W -> scores
    ADDITIVE,  # Q, K, W, U, v -> scores
    CONCAT,  # Q, K, W, v -> scores
    COSINE,  # Q, K -> scores
    RELATIVE,  # Q, K, R -> scores that know distances
    DIVIDE,  # scores -> scores / sqrt(d_k)
    MULTIPLY,  # scores -> scores * 2
    SOFT_CAP,  # scores -> scores between -c and c
    ALIBI,  # scores -> scores less a slope times the distance
    DISTANCE_BIAS,  # scores, B -> scores plus a number for each distance
    BUCKET_BIAS,  # scores, B -> scores plus a number for each bucket of distances
    CAUSAL,  # scores -> scores with -∞ for later tokens
    LENGTHS,  # scores -> scores with -∞ for padding
    DROP_KEYS,  # scores -> scores with -∞ for some keys
    WINDOW,  # scores -> scores with -∞ for far keys
    BLOCKS,  # scores -> scores with -∞ for other blocks
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
    SINK_SOFTMAX,  # scores -> weights that may sum to less than 1
    TOP_K,  # scores -> weights, only the largest
    SIGMOID_WEIGHTS,  # scores -> weights, each by itself
    DROP_QUERIES,  # weights -> weights with 0 for padding that asks
    MIX,  # weights, V -> Z
    TILE,  # scores -> those of some keys
    RUNNING_MAXIMUM,  # scores of a tile, maximum so far -> maximum
    SHIFTED_EXPONENTIALS,  # scores, maximum -> exponentials of at most 1
    RESCALING,  # old maximum, new one -> factor
    RUNNING_SUM,  # exponentials, factor, sum so far -> sum
    RUNNING_OUTPUT,  # exponentials, V, factor, output so far -> output
    OVER_SUM,  # output, sum -> Z
    HALF,  # numbers -> those of float16
    OVERFLOW,  # numbers -> 1 for those that float16 cannot hold
    FEATURE,  # Q -> features that are not negative
    TOTAL,  # features of keys -> their sum
    RATIO,  # features of queries, K'V, sum -> Z
    CONCATENATE,  # head outputs -> [Z1 | Z2]
    OUTPUT,  # concatenation, W_O -> output
    LAYER_NORM,  # X -> each token centred and scaled
    RMS_NORM,  # X -> each token over its root mean square
    SIGMOID,  # X -> the sigmoid of each number
    TANH,  # X -> tanh of each number
    RECTIFY,  # X -> max(0, x) of each number
    GELU,  # X -> GELU of each number
    SILU,  # X -> SiLU of each number
    BLEND,  # z, h, n -> (1 - z) h + z n
    GATE,  # f, c, i, n -> f c + i n
    LOGITS,  # X, E -> a number for each word
    PROBABILITIES,  # logits -> probabilities of words
    TOP_WORDS,  # probabilities -> those of the k most probable words
    NUCLEUS,  # probabilities -> those of the words that make up p
    CROSS_ENTROPY,  # probabilities -> loss
    PERPLEXITY,  # losses -> perplexity
    # The way back: what a gradient becomes on it.
    UNIT_GRADIENT,  # loss -> 1
    CROSS_ENTROPY_GRADIENT,  # probabilities, dL -> dP
    LOGITS_GRADIENT,  # probabilities, dL -> dO
    LEFT_GRADIENT,  # dZ, Y -> dZ Yᵀ
    RIGHT_GRADIENT,  # X, dZ -> Xᵀ dZ
    SOFTMAX_JACOBIAN,  # weights -> how they change with the scores, for one row
    SOFTMAX_GRADIENT,  # weights, dA -> dS
    SUM_GRADIENT,  # scores, weights, dA -> dS
    RELU_GRADIENT,  # scores, weights, dA -> dS
    DIVIDE_GRADIENT,  # dT -> dS
    MULTIPLY_GRADIENT,  # dT -> dS
    TANH_GRADIENT,  # tanh(X), dH -> dX
    SIGMOID_GRADIENT,  # σ(X), dH -> dX
    RECTIFY_GRADIENT,  # X, dH -> dX
    GELU_GRADIENT,  # X, dH -> dX
    LAYER_NORM_GRADIENT,  # X, dN -> dX
    GAIN_GRADIENT,  # X, dN -> dγ
    GATE_GRADIENT,  # h, n, dh -> dz
    KEPT_GRADIENT,  # z, dh -> the old dh
    SCATTER,  # gradient of some rows -> of all
    SPREAD,  # gradient of some columns -> of all
    HAND_ON,  # dR -> dX
    ADD_UP,  # gradients of several uses -> their sum
    DESCEND,  # W, dW -> W - η dW
)

OPS_BY_NAME = {op.name: op for op in OPS}

# What a file may write after `weights:`, and after `score:`.
NORMALISERS = tuple(op for op in OPS if op.family is Family.NORMALISER)
SCORES = tuple(op for op in OPS if op.family is Family.SCORE)
# And after `position:`.
PLACINGS = tuple(op for op in OPS if op.family in (Family.ROTATION, Family.BIAS))

__all__ = [
    "NORMALISERS",
    "OPS",
    "OPS_BY_NAME",
    "PLACINGS",
    "SCORES",
    "Axis",
    "Family",
    "Formula",
    "Frame",
    "Gradient",
    "Inner",
    "Ledger",
    "Mistake",
    "Onward",
    "Op",
    "Option",
    "Options",
    "Passing",
    "PlanMistake",
    "Remark",
    "UndefinedRow",
]
