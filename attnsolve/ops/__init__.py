"""Every op, in the order in which an exercise meets them; adding one is its file and a line here."""

from collections.abc import ValuesView

from attnsolve.ops.base import (
    SUMS_TO_1,
    Axis,
    Check,
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
    Role,
    UndefinedRow,
)
from attnsolve.shelf import Shelf

# What a file may write after `score:`.
SCORING = {
    "dot": "dot.DOT",  # Q, K -> scores
    "bilinear": "bilinear.BILINEAR",  # Q, K, W -> scores
    "additive": "additive.ADDITIVE",  # Q, K, W, U, v -> scores
    "concat": "concat.CONCAT",  # Q, K, W, v -> scores
    "cosine": "cosine.COSINE",  # Q, K -> scores
    "relative": "relative.RELATIVE",  # Q, K, R -> scores that know distances
}

# After `position:`, beside rotary.
BIASING = {
    "alibi": "alibi.ALIBI",  # scores -> scores less a slope times the distance
    "distance_bias": "distance_bias.DISTANCE_BIAS",  # scores, B -> scores plus a number for each distance
    "bucket_bias": "bucket_bias.BUCKET_BIAS",  # scores, B -> scores plus one for each bucket of distances
}

# And after `weights:`.
NORMALISING = {
    "softmax": "softmax.SOFTMAX",  # scores -> weights
    "argmax": "argmax.ARGMAX",  # scores -> 0-1 weights
    "relu": "relu.RELU",  # scores -> weights without exponentials
    "sparsemax": "sparsemax.SPARSEMAX",  # scores -> weights, most of them 0
    "entmax15": "entmax15.ENTMAX15",  # scores -> weights, some of them 0
    "entmax": "entmax.ENTMAX",  # scores -> weights, as sparse as alpha says
    "sum": "sum.SUM",  # scores -> shares of their sum
    "softmax2": "softmax2.SOFTMAX2",  # scores -> weights with powers of 2
    "sink_softmax": "sink_softmax.SINK_SOFTMAX",  # scores -> weights that may sum to less than 1
    "top_k": "top_k.TOP_K",  # scores -> weights, only the largest
    "sigmoid_weights": "sigmoid_weights.SIGMOID_WEIGHTS",  # scores -> weights, each by itself
}

# The file of each op, and its record there.
PLACES = {
    "embed": "embedding.EMBED",  # E, words -> X
    "one_hot": "one_hot.ONE_HOT",  # X -> where each token stands
    "sinusoid": "sinusoid.SINUSOID",  # X -> where each token stands, as waves
    "waves": "waves.WAVES",  # places -> their codes, as waves
    "add": "addition.ADD",  # X, P -> X + P
    "subtract": "subtraction.SUBTRACT",  # X, P -> X - P
    "times": "times.TIMES",  # X, G -> X ⊙ G
    "join": "joining.JOIN",  # X, P -> [X | P]
    "stack": "stacking.STACK",  # x, X -> x above X
    "product": "product.PRODUCT",  # X, Y -> X Y
    "transpose": "transpose.TRANSPOSE",  # X -> its columns as rows
    "select": "selection.SELECT",  # X -> its row 2
    "project": "projection.PROJECTION",  # X, W_Q -> Q
    "recur": "recurrence.RECUR",  # x, h -> x W + h U + b
    "split": "splitting.SPLIT",  # wide Q -> head 1's Q
    "rotary": "rotary.ROTARY",  # Q -> Q with its places, pair by pair
    **SCORING,
    "divide": "scaling.DIVIDE",  # scores -> scores / sqrt(d_k)
    "multiply": "scaling.MULTIPLY",  # scores -> scores * 2
    "soft_cap": "soft_cap.SOFT_CAP",  # scores -> scores between -c and c
    **BIASING,
    "causal": "causal.CAUSAL",  # scores -> scores with -∞ for later tokens
    "lengths": "lengths.LENGTHS",  # scores -> scores with -∞ for padding
    "drop_keys": "drop_keys.DROP_KEYS",  # scores -> scores with -∞ for some keys
    "window": "window.WINDOW",  # scores -> scores with -∞ for far keys
    "blocks": "blocks.BLOCKS",  # scores -> scores with -∞ for other blocks
    "keep": "keep.KEEP",  # scores, M -> scores where M has 1
    "drop": "keep.DROP",  # scores, M -> scores where M has 0
    "add_mask": "add_mask.ADD_MASK",  # scores, M -> scores + M
    **NORMALISING,
    "drop_queries": "drop_queries.DROP_QUERIES",  # weights -> weights with 0 for padding that asks
    "mix": "mixing.MIX",  # weights, V -> Z
    "tile": "tile.TILE",  # scores -> those of some keys
    "running_maximum": "running_maximum.RUNNING_MAXIMUM",  # scores of a tile, maximum so far -> maximum
    "shifted_exponentials": "shifted_exponentials.SHIFTED_EXPONENTIALS",  # scores, maximum -> at most 1
    "rescaling": "rescaling.RESCALING",  # old maximum, new one -> factor
    "running_sum": "running_sum.RUNNING_SUM",  # exponentials, factor, sum so far -> sum
    "running_output": "running_output.RUNNING_OUTPUT",  # exponentials, V, factor, output so far -> output
    "over_sum": "over_sum.OVER_SUM",  # output, sum -> Z
    "half": "half_precision.HALF",  # numbers -> those of float16
    "overflow": "half_precision.OVERFLOW",  # numbers -> 1 for those that float16 cannot hold
    "feature": "feature.FEATURE",  # Q -> features that are not negative
    "total": "total.TOTAL",  # features of keys -> their sum
    "ratio": "ratio.RATIO",  # features of queries, K'V, sum -> Z
    "concatenate": "concatenation.CONCATENATE",  # head outputs -> [Z1 | Z2]
    "output": "output.OUTPUT",  # concatenation, W_O -> output
    "layer_norm": "layer_norm.LAYER_NORM",  # X -> each token centred and scaled
    "rms_norm": "rms_norm.RMS_NORM",  # X -> each token over its root mean square
    "sigmoid": "activation.SIGMOID",  # X -> the sigmoid of each number
    "tanh": "activation.TANH",  # X -> tanh of each number
    "rectify": "activation.RECTIFY",  # X -> max(0, x) of each number
    "gelu": "activation.GELU",  # X -> GELU of each number
    "silu": "silu.SILU",  # X -> SiLU of each number
    "blend": "blending.BLEND",  # z, h, n -> (1 - z) h + z n
    "gate": "gating.GATE",  # f, c, i, n -> f c + i n
    "logits": "logits.LOGITS",  # X, E -> a number for each word
    "probabilities": "readout.PROBABILITIES",  # logits -> probabilities of words
    "top_words": "nucleus.TOP_WORDS",  # probabilities -> those of the k most probable words
    "nucleus": "nucleus.NUCLEUS",  # probabilities -> those of the words that make up p
    "cross_entropy": "readout.CROSS_ENTROPY",  # probabilities -> loss
    "perplexity": "perplexity.PERPLEXITY",  # losses -> perplexity
    # The way back: what a gradient becomes on it.
    "unit_gradient": "unit_gradient.UNIT_GRADIENT",  # loss -> 1
    "perplexity_gradient": "perplexity_gradient.PERPLEXITY_GRADIENT",  # losses, perplexity, dP -> dL
    "cross_entropy_gradient": "readout_gradients.CROSS_ENTROPY_GRADIENT",  # probabilities, dL -> dP
    "logits_gradient": "readout_gradients.LOGITS_GRADIENT",  # probabilities, dL -> dO
    "left_gradient": "factor_gradients.LEFT_GRADIENT",  # dZ, Y -> dZ Yᵀ
    "right_gradient": "factor_gradients.RIGHT_GRADIENT",  # X, dZ -> Xᵀ dZ
    "softmax_jacobian": "softmax_jacobian.SOFTMAX_JACOBIAN",  # weights -> how they change with scores
    "softmax_gradient": "softmax_gradient.SOFTMAX_GRADIENT",  # weights, dA -> dS
    "sum_gradient": "share_gradients.SUM_GRADIENT",  # scores, weights, dA -> dS
    "relu_gradient": "share_gradients.RELU_GRADIENT",  # scores, weights, dA -> dS
    "sparsemax_gradient": "sparsemax_gradient.SPARSEMAX_GRADIENT",  # weights, dA -> dS
    "entmax_gradient": "entmax_gradient.ENTMAX_GRADIENT",  # weights, dA -> dS
    "entmax15_gradient": "entmax15_gradient.ENTMAX15_GRADIENT",  # scores, dA -> dS
    "tile_gradient": "tile_gradient.TILE_GRADIENT",  # weights of a tile, dA, Z, dZ -> dS
    "score_bias_gradient": "bilinear_gradient.SCORE_BIAS_GRADIENT",  # dS -> db
    "soft_cap_gradient": "soft_cap_gradient.SOFT_CAP_GRADIENT",  # capped scores, dC -> dS
    "divide_gradient": "scaling.DIVIDE_GRADIENT",  # dT -> dS
    "multiply_gradient": "scaling.MULTIPLY_GRADIENT",  # dT -> dS
    "tanh_gradient": "activation_gradients.TANH_GRADIENT",  # tanh(X), dH -> dX
    "sigmoid_gradient": "activation_gradients.SIGMOID_GRADIENT",  # σ(X), dH -> dX
    "rectify_gradient": "activation_gradients.RECTIFY_GRADIENT",  # X, dH -> dX
    "gelu_gradient": "activation_gradients.GELU_GRADIENT",  # X, dH -> dX
    "silu_gradient": "silu_gradient.SILU_GRADIENT",  # X, dH -> dX
    "rotary_gradient": "rotary_gradient.ROTARY_GRADIENT",  # dR -> dQ
    # Q, K, W, U, v, dS -> d(Q W), d(K U), dv
    "additive_queries_gradient": "additive_gradients.ADDITIVE_QUERIES_GRADIENT",
    "additive_keys_gradient": "additive_gradients.ADDITIVE_KEYS_GRADIENT",
    "additive_weighing_gradient": "additive_gradients.ADDITIVE_WEIGHING_GRADIENT",
    # Q, K, W, v, dS -> what goes back to each part of [q, k] W, and dv
    "concat_queries_gradient": "concat_gradients.CONCAT_QUERIES_GRADIENT",
    "concat_keys_gradient": "concat_gradients.CONCAT_KEYS_GRADIENT",
    "concat_weighing_gradient": "concat_gradients.CONCAT_WEIGHING_GRADIENT",
    "concat_matrix_gradient": "concat_gradients.CONCAT_MATRIX_GRADIENT",  # Q, K and these -> dW
    "part_gradient": "concat_gradients.PART_GRADIENT",  # one of these, W -> dQ or dK
    # Q, K, dS -> dQ, dK
    "cosine_queries_gradient": "cosine_gradients.COSINE_QUERIES_GRADIENT",
    "cosine_keys_gradient": "cosine_gradients.COSINE_KEYS_GRADIENT",
    "feature_gradient": "feature_gradient.FEATURE_GRADIENT",  # Q, dφ(Q) -> dQ
    "total_gradient": "total_gradient.TOTAL_GRADIENT",  # tokens, gradient of their sum -> of each
    # features of queries, K'V, sum, Z, dZ -> gradients of the first, and of what stands above and below
    "ratio_queries_gradient": "ratio_gradients.RATIO_QUERIES_GRADIENT",
    "ratio_above_gradient": "ratio_gradients.RATIO_ABOVE_GRADIENT",
    "ratio_below_gradient": "ratio_gradients.RATIO_BELOW_GRADIENT",
    "relative_queries_gradient": "relative_gradients.RELATIVE_QUERIES_GRADIENT",  # dS, K, R -> dQ
    "relative_table_gradient": "relative_gradients.RELATIVE_TABLE_GRADIENT",  # dS, Q, R -> dR
    # dS, B -> dB
    "distance_bias_gradient": "bias_gradients.DISTANCE_BIAS_GRADIENT",
    "bucket_bias_gradient": "bias_gradients.BUCKET_BIAS_GRADIENT",
    "layer_norm_gradient": "layer_norm_gradients.LAYER_NORM_GRADIENT",  # X, dN -> dX
    "gain_gradient": "layer_norm_gradients.GAIN_GRADIENT",  # X, dN -> dγ
    "rms_norm_gradient": "rms_norm_gradients.RMS_NORM_GRADIENT",  # X, dN -> dX
    "rms_gain_gradient": "rms_norm_gradients.RMS_GAIN_GRADIENT",  # X, dN -> dγ
    "gate_gradient": "blend_gradients.GATE_GRADIENT",  # h, n, dh -> dz
    "kept_gradient": "blend_gradients.KEPT_GRADIENT",  # z, dh -> the old dh
    "scatter": "scattering.SCATTER",  # gradient of some rows -> of all
    "spread": "scattering.SPREAD",  # gradient of some columns -> of all
    "hand_on": "handing_on.HAND_ON",  # dR -> dX
    "add_up": "adding_up.ADD_UP",  # gradients of several uses -> their sum
    "descend": "descent.DESCEND",  # W, dW -> W - η dW
}

OPS_BY_NAME: Shelf[Op] = Shelf(__name__, PLACES)
NORMALISERS_BY_NAME: Shelf[Op] = Shelf(__name__, NORMALISING)
SCORES_BY_NAME: Shelf[Op] = Shelf(__name__, SCORING)
PLACINGS_BY_NAME: Shelf[Op] = Shelf(__name__, {"rotary": PLACES["rotary"], **BIASING})

OPS: ValuesView[Op] = OPS_BY_NAME.values()
NORMALISERS: ValuesView[Op] = NORMALISERS_BY_NAME.values()
SCORES: ValuesView[Op] = SCORES_BY_NAME.values()
PLACINGS: ValuesView[Op] = PLACINGS_BY_NAME.values()

__all__ = [
    "NORMALISERS",
    "NORMALISERS_BY_NAME",
    "OPS",
    "OPS_BY_NAME",
    "PLACINGS",
    "PLACINGS_BY_NAME",
    "SCORES",
    "SCORES_BY_NAME",
    "SUMS_TO_1",
    "Axis",
    "Check",
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
    "Role",
    "UndefinedRow",
]
