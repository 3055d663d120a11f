"""What each op must refuse, whom it must blame, and what its message must say."""

from typing import Any, NamedTuple

from attnsolve.expressions import expression


class Misfit(NamedTuple):
    """Shapes that an op must refuse, whom it must blame, and what its message must say."""

    shapes: tuple[str, ...]
    options: dict[str, Any]
    blamed: str
    said: tuple[str, ...]


def misfit(blamed: str, *shapes: str, said: tuple[str, ...], **options: Any) -> Misfit:
    return Misfit(shapes, options, blamed, said)


MISFITS: dict[str, tuple[Misfit, ...]] = {
    "one_hot": (misfit("length", "3×2", length=2, said=("X is 3×2", "3 tokens", "length 2")),),
    "sinusoid": (
        misfit("X", "3×3", said=("3 numbers",)),
        misfit("width", "3×2", width=5, said=("5 numbers",)),
    ),
    "waves": (
        misfit("t", "1×3", width=4, said=("1×3", "0; 1; 2")),
        misfit("width", "3×1", width=3, said=("3 numbers",)),
    ),
    "add": (
        misfit("Y", "2×3", "3×2", said=("3 numbers per token in X, but 2 in Y",)),
        misfit("Y", "2×3", "1×3", said=("2 tokens in X, but 1 in Y",)),
    ),
    "subtract": (misfit("Y", "2×3", "3×2", said=("3 numbers per token in X, but 2 in Y", "subtracted")),),
    "times": (misfit("Y", "2×3", "1×3", said=("2 tokens in X, but 1 in Y", "number by number")),),
    "stack": (misfit("X", "2×3", "3×2", said=("3 numbers per token in X1, 2 numbers per token in X2",)),),
    "product": (misfit("Y", "2×3", "2×3", said=("X is 2×3", "Y is 2×3", "3 and 2")),),
    "join": (misfit("Y", "2×3", "3×3", said=("2 tokens in X, but 3 in Y",)),),
    "select": (
        misfit("rows", "3×2", rows=(3,), said=("no token 4", "1 to 3")),
        misfit("rows", "3×2", rows=(0, -1), said=("no token 0", "1 to 3")),
    ),
    "project": (
        misfit("W", "2×3", "2×3", said=("W is 2×3", "X is 2×3", "W needs 3 rows: 3×3")),
        misfit("b", "2×3", "3×4", "1×3", said=("b is 1×3", "W makes 4 numbers", "one row: 1×4")),
        misfit("b", "2×3", "3×4", "2×4", said=("b is 2×4", "one row: 1×4")),
    ),
    "recur": (
        misfit("W", "1×3", "2×2", "1×2", "2×2", said=("W is 2×2", "X is 1×3", "3 rows: 3×2")),
        misfit("U", "1×3", "3×2", "1×2", "3×2", said=("U is 3×2", "H is 1×2", "2 rows: 2×2")),
        misfit("H", "2×3", "3×2", "1×2", "2×2", said=("2 tokens in X, but 1 state in H",)),
        misfit("U", "1×3", "3×2", "1×2", "2×4", said=("U makes 4 numbers", "W makes 2")),
        misfit("b", "1×3", "3×2", "1×2", "2×2", "1×3", said=("b is 1×3", "one row: 1×2")),
    ),
    "blend": (
        misfit("Y", "1×2", "1×2", "1×3", said=("2 numbers per token in X, but 3 in Y", "blended")),
        misfit("Z", "2×2", "1×2", "1×2", said=("1 token in X, but 2 in Z", "blended")),
    ),
    "gate": (misfit("C", "1×2", "1×3", "1×2", "1×2", said=("2 numbers per token in N, but 3 in C",)),),
    "split": (
        misfit("stop", "2×4", start=2, stop=5, said=("3 to 5", "1 to 4")),
        misfit("stop", "2×4", start=2, stop=2, said=("1 to 4",)),
    ),
    "dot": (misfit("K", "2×3", "4×2", said=("Q is 2×3", "K is 4×2")),),
    "bilinear": (
        misfit("W", "2×3", "4×2", "2×2", said=("W is 2×2", "3 rows and 2 columns: 3×2")),
        misfit("W", "2×3", "4×2", "3×4", said=("W is 3×4", "3 rows and 2 columns: 3×2")),
        misfit("b", "2×3", "4×2", "3×2", "1×2", said=("b is 1×2", "one number: 1×1")),
    ),
    "additive": (
        misfit("W", "2×3", "4×2", "2×5", "2×5", "1×5", said=("W is 2×5", "Q is 2×3", "3 rows: 3×5")),
        misfit("U", "2×3", "4×2", "3×5", "3×5", "1×5", said=("U is 3×5", "K is 4×2", "2 rows: 2×5")),
        misfit("U", "2×3", "4×2", "3×5", "2×4", "1×5", said=("U makes 4 numbers", "W makes 5")),
        misfit("v", "2×3", "4×2", "3×5", "2×5", "1×4", said=("v is 1×4", "one row: 1×5")),
        misfit("v", "2×3", "4×2", "3×5", "2×5", "5×1", said=("v is 5×1", "one row: 1×5")),
    ),
    "concat": (
        misfit("W", "2×3", "4×2", "3×5", "1×5", said=("W is 3×5", "5 numbers (3 and 2)", "5 rows: 5×5")),
        misfit("v", "2×3", "4×2", "5×4", "1×5", said=("v is 1×5", "W makes 4 numbers", "one row: 1×4")),
    ),
    "cosine": (misfit("K", "2×3", "4×2", said=("Q is 2×3", "K is 4×2")),),
    "rotary": (
        misfit("X", "2×3", said=("3 numbers a token", "even")),
        misfit("rows", "2×4", rows=(1,), said=("1 places for 2 tokens",)),
    ),
    "relative": (
        misfit("K", "2×3", "4×2", "3×2", said=("Q is 2×3", "K is 4×2")),
        misfit("R", "2×3", "4×3", "3×2", said=("R is 3×2", "a key has 3 numbers", "3×3")),
        misfit("R", "2×3", "4×3", "4×3", said=("R has 4 vectors", "odd")),
        misfit("rows", "2×3", "4×3", "3×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "alibi": (misfit("rows", "2×3", rows=(1,), said=("1 places for 2 queries",)),),
    "distance_bias": (
        misfit("B", "2×3", "1×4", said=("B has 4 numbers", "odd")),
        misfit("B", "2×3", "3×3", said=("B is 3×3", "1×3")),
        misfit("rows", "2×3", "1×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "bucket_bias": (
        misfit("B", "2×3", "1×5", said=("B has 5 numbers", "even")),
        misfit("B", "2×3", "2×4", said=("B is 2×4", "1×4")),
        misfit("longest", "2×3", "1×8", longest=2, said=("longest distance is 2", "reach 2")),
        misfit("rows", "2×3", "1×4", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "top_k": (
        misfit("k", "2×3", k=4, said=("4 largest of 3 keys", "1 to 3")),
        misfit("k", "2×3", k=0, said=("0 largest", "1 to 3")),
    ),
    "window": (
        misfit("size", "3×3", size=0, said=("0 keys",)),
        misfit("everywhere", "3×3", size=1, everywhere=(3,), said=("no key 4", "1 to 3")),
        misfit("rows", "2×3", size=1, rows=(1,), said=("1 places for 2 queries",)),
    ),
    "blocks": (
        misfit("size", "3×3", size=0, said=("0 tokens",)),
        misfit("rows", "2×3", size=1, rows=(1,), said=("1 places for 2 queries",)),
    ),
    "tile": (misfit("stop", "2×3", start=1, stop=4, said=("no keys 2 to 4", "the keys 1 to 3")),),
    "running_maximum": (misfit("m", "2×3", "3×1", said=("m is 3×1", "S has 2 queries", "2×1")),),
    "shifted_exponentials": (misfit("m", "2×3", "2×3", said=("m is 2×3", "2×1")),),
    "rescaling": (misfit("n", "2×1", "1×1", said=("n is 1×1", "2×1")),),
    "running_sum": (
        misfit("D", "2×3", "2×1", "1×1", said=("D is 1×1",)),
        misfit("r", "2×3", "2×2", "2×1", said=("r is 2×2",)),
        misfit("D", "2×3", "2×1", said=("give both or none",)),
    ),
    "running_output": (
        misfit("V", "2×3", "2×2", said=("3 keys but 2 values",)),
        misfit("Z", "2×3", "3×2", "2×1", "2×3", said=("Z is 2×3", "2×2")),
    ),
    "over_sum": (misfit("D", "2×3", "1×3", said=("D is 1×3", "2×1")),),
    "ratio": (
        misfit("M", "2×3", "2×3", "1×3", said=("M is 2×3", "X is 2×3", "3 rows")),
        misfit("u", "2×3", "3×2", "1×2", said=("u is 1×2", "3 numbers", "1×3")),
    ),
    "rms_norm": (misfit("gamma", "2×3", "1×2", said=("gamma is 1×2", "3 numbers", "one row: 1×3")),),
    "embed": (misfit("words", "3×2", words=(3,), said=("no word 4", "1 to 3")),),
    "logits": (misfit("E", "2×3", "4×2", said=("a token has 3 numbers", "a word 2")),),
    "top_words": (misfit("k", "2×3", k=4, said=("4 most probable of 3 words",)),),
    "nucleus": (misfit("p", "2×3", p=expression("3/2"), said=("at most 1",)),),
    "perplexity": (misfit("L", "2×3", said=("L is 2×3", "one number")),),
    "causal": (misfit("rows", "3×3", rows=(0, 1), said=("2 places", "3 queries")),),
    "lengths": (
        misfit("lengths", "2×3", lengths=(4,), said=("length 4", "1 to 3")),
        misfit("lengths", "3×3", lengths=(1, 2), said=("2 lengths", "3 queries")),
        misfit("lengths", "2×3", lengths=(0,), said=("length 0", "1 to 3")),
    ),
    "drop_keys": (misfit("keys", "2×3", keys=(3,), said=("no key 4", "1 to 3")),),
    "drop_queries": (misfit("queries", "2×3", queries=(2,), said=("no query 3", "1 to 2")),),
    "keep": (
        misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3", "a row for each query")),
        misfit("M", "2×3", "1×3", said=("M is 1×3", "scores are 2×3")),
    ),
    "drop": (misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3")),),
    "add_mask": (misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3")),),
    "mix": (misfit("V", "2×3", "2×5", said=("3 keys but 2 values", "V is 2×5")),),
    "concatenate": (misfit("H", "2×3", "3×3", said=("H1 has 2 tokens", "H2 has 3 tokens")),),
    "output": (
        misfit("W", "2×3", "2×3", said=("W is 2×3", "X is 2×3", "W needs 3 rows: 3×3")),
        misfit("b", "2×3", "3×4", "1×3", said=("b is 1×3", "W makes 4 numbers", "one row: 1×4")),
    ),
    "layer_norm": (
        misfit("gamma", "2×3", "1×2", said=("gamma is 1×2", "3 numbers", "one row: 1×3")),
        misfit("beta", "2×3", "1×3", "1×2", said=("beta is 1×2", "one row: 1×3")),
        misfit("gamma", "2×3", "2×3", said=("gamma is 2×3", "one row: 1×3")),
    ),
    **{
        name: (
            misfit("G", "2×3", "1×1", target=(0, 1), said=("G is 1×1", "P is 2×3", "2×1")),
            misfit("target", "2×3", "2×1", target=(0,), said=("1 target for 2 rows",)),
            misfit("target", "1×3", "1×1", target=(3,), said=("no word 4", "1 to 3")),
        )
        for name in ("cross_entropy_gradient", "logits_gradient")
    },
    "left_gradient": (misfit("Y", "2×3", "3×2", said=("3 columns in G, but 2 in Y",)),),
    "right_gradient": (misfit("G", "2×3", "3×2", said=("2 rows in X, but 3 in G",)),),
    "softmax_jacobian": (
        misfit("rows", "2×3", rows=(2,), said=("no row 3", "1 to 2")),
        misfit("rows", "2×3", rows=(0, 1), said=("2 rows", "one row")),
    ),
    **{
        name: (
            misfit("A", "2×3", "3×2", "2×3", said=("3 numbers per token in S, but 2 in A",)),
            misfit("G", "2×3", "2×3", "1×3", said=("2 tokens in S, but 1 in G",)),
        )
        for name in ("sum_gradient", "relu_gradient")
    },
    **{
        name: (misfit("G", "2×3", "3×2", said=("3 numbers per token in A, but 2 in G",)),)
        for name in ("softmax_gradient", "sparsemax_gradient")
    },
    "soft_cap_gradient": (misfit("G", "2×3", "1×3", cap="2", said=("2 tokens in X, but 1 in G",)),),
    "rotary_gradient": (
        misfit("G", "2×3", said=("3 numbers a token", "even")),
        misfit("rows", "2×4", rows=(1,), said=("1 places for 2 tokens",)),
    ),
    **{
        name: (
            misfit("G", "2×3", "4×3", "3×2", "3×2", "1×2", "2×3", said=("G is 2×3", "2×4")),
            misfit("v", "2×3", "4×3", "3×2", "3×2", "1×3", "2×4", said=("v is 1×3", "one row: 1×2")),
        )
        for name in (
            "additive_queries_gradient",
            "additive_keys_gradient",
            "additive_weighing_gradient",
        )
    },
    **{
        name: (
            misfit("G", "2×3", "4×2", "5×2", "1×2", "2×3", said=("G is 2×3", "2×4")),
            misfit("W", "2×3", "4×2", "4×2", "1×2", "2×4", said=("W is 4×2", "5×")),
        )
        for name in ("concat_queries_gradient", "concat_keys_gradient", "concat_weighing_gradient")
    },
    "feature_gradient": (misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),),
    "total_gradient": (misfit("G", "2×3", "1×2", said=("G is 1×2", "one row: 1×3")),),
    "ratio_queries_gradient": (
        misfit("u", "2×3", "3×2", "1×2", "2×2", "2×2", said=("u is 1×2", "one row: 1×3")),
        misfit("Z", "2×3", "3×2", "1×3", "1×2", "2×2", said=("Z is 1×2", "2 queries")),
        misfit("G", "2×3", "3×2", "1×3", "2×3", "2×3", said=("G is 2×3", "2×2")),
    ),
    "ratio_above_gradient": (misfit("G", "2×3", "1×3", "1×2", said=("G is 1×2", "2 queries")),),
    "ratio_below_gradient": (misfit("G", "2×3", "1×3", "2×2", "2×3", said=("in Z, but 3 in G",)),),
    "perplexity_gradient": (
        misfit("G", "3×1", "1×1", "3×1", said=("G is 3×1", "one number")),
        misfit("L", "3×2", "1×1", "1×1", said=("L is 3×2",)),
    ),
    "distance_bias_gradient": (
        misfit("B", "2×3", "1×2", said=("B has 2 numbers", "odd")),
        misfit("rows", "2×3", "1×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "bucket_bias_gradient": (misfit("B", "2×3", "1×3", said=("B has 3 numbers", "even")),),
    "entmax_gradient": (
        misfit("G", "2×3", "3×2", alpha=expression("2"), said=("3 numbers per token in A, but 2 in G",)),
    ),
    "entmax15_gradient": (misfit("G", "2×3", "3×2", said=("3 numbers per token in S, but 2 in G",)),),
    "tile_gradient": (
        misfit("H", "2×3", "2×2", "2×2", "2×2", said=("3 numbers per token in A, but 2 in H",)),
        misfit("G", "2×3", "2×3", "2×2", "2×1", said=("2 numbers per token in Z, but 1 in G",)),
        misfit("Z", "2×3", "2×3", "1×2", "1×2", said=("Z is 1×2", "2 queries")),
    ),
    "relative_queries_gradient": (
        misfit("G", "2×3", "2×2", "3×2", said=("G is 2×3", "2 keys")),
        misfit("R", "2×3", "3×2", "2×2", said=("R has 2 vectors", "odd")),
    ),
    "relative_table_gradient": (
        misfit("G", "2×3", "3×2", "3×2", said=("G is 2×3", "3 queries")),
        misfit("R", "2×3", "2×2", "3×3", said=("R is 3×3", "2")),
    ),
    "concat_matrix_gradient": (
        misfit("G", "2×3", "4×3", "3×2", "4×2", said=("G is 3×2", "Q has 2 rows")),
        misfit("H", "2×3", "4×3", "2×2", "4×3", said=("H is 4×3", "4×2")),
    ),
    "part_gradient": (
        misfit("width", "2×2", "4×2", start=3, width=2, said=("W is 4×2", "no 2 rows", "from 4 on")),
        misfit("G", "2×3", "4×2", start=0, width=2, said=("G is 2×3", "W makes 2 numbers")),
    ),
    **{
        name: (
            misfit("G", "2×3", "4×3", "2×3", said=("G is 2×3", "2×4")),
            misfit("K", "2×3", "4×2", "2×4", said=("K", "3")),
        )
        for name in ("cosine_queries_gradient", "cosine_keys_gradient")
    },
    **{
        name: (misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),)
        for name in (
            "tanh_gradient",
            "sigmoid_gradient",
            "rectify_gradient",
            "gelu_gradient",
            "silu_gradient",
            "gain_gradient",
            "rms_gain_gradient",
        )
    },
    **{
        name: (
            misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),
            misfit("gamma", "2×3", "2×3", "1×2", said=("gamma is 1×2", "one row: 1×3")),
        )
        for name in ("layer_norm_gradient", "rms_norm_gradient")
    },
    "gate_gradient": (misfit("G", "2×3", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),),
    "kept_gradient": (misfit("G", "2×3", "1×3", said=("2 tokens in Z, but 1 in G",)),),
    "scatter": (
        misfit("rows", "2×3", rows=(0,), height=3, said=("1 place", "2 rows")),
        misfit("rows", "1×3", rows=(3,), height=3, said=("no row 4", "1 to 3")),
    ),
    "spread": (misfit("width", "2×3", start=2, width=4, said=("G is 2×3", "from 3 on", "4")),),
    "add_up": (misfit("G", "2×3", "3×3", said=("G1 is 2×3", "G2 is 3×3")),),
    "descend": (misfit("G", "2×3", "3×2", rate="1/10", said=("3 numbers per token in W, but 2 in G",)),),
    "cross_entropy": (
        misfit("target", "2×3", target=(0,), said=("1 target for 2 rows",)),
        misfit("target", "1×3", target=(3,), said=("no word 4", "1 to 3")),
    ),
}


OTHER_NORMALISERS = ("sparsemax", "entmax15", "entmax", "sum", "softmax2")
ACTIVATIONS = ("sigmoid", "tanh", "rectify", "gelu", "probabilities", "silu")
TAKES_ANY_SHAPE = {
    "divide",
    "multiply",
    "soft_cap",
    "feature",
    "total",
    "half",
    "overflow",
    "score_bias_gradient",
    "sink_softmax",
    "sigmoid_weights",
    "softmax",
    "argmax",
    "relu",
    *OTHER_NORMALISERS,
    *ACTIVATIONS,
    "transpose",
    "unit_gradient",
    "divide_gradient",
    "multiply_gradient",
    "hand_on",
}
