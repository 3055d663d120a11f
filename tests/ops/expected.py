"""What the results must be: for each op its definition on paper."""

from collections.abc import Callable
from typing import Any

import sympy
from ops.examples import Example
from ops.matrices import is_hidden, is_number, texts
from ops.paper import (
    ALIBIS_SLOPE,
    paper_argmax,
    paper_bias,
    paper_bilinear,
    paper_blocks,
    paper_bucket_bias,
    paper_causal,
    paper_concat,
    paper_distance_bias,
    paper_entmax,
    paper_half,
    paper_kept,
    paper_layer_norm,
    paper_lengths,
    paper_mask,
    paper_maximum,
    paper_relative,
    paper_relu,
    paper_rms,
    paper_rotary,
    paper_running,
    paper_shifted,
    paper_sink,
    paper_sinusoid,
    paper_softmax,
    paper_sparse,
    paper_sum,
    paper_top,
    paper_waves,
    paper_window,
    projected,
    seen,
    weighted_rows,
)
from ops.paper_gradients import (
    X_,
    paper_additive_back,
    paper_back,
    paper_bias_back,
    paper_cosine_back,
    paper_entmax_back,
    paper_feature_slope,
    paper_gelu_slope,
    paper_logits,
    paper_ratio_back,
    paper_ratio_queries,
    paper_relative_back,
    paper_shares_gradient,
    paper_slope,
    paper_slopes,
    paper_softmax_gradient,
    paper_softmax_jacobian,
    paper_sparsemax_gradient,
    paper_target,
    paper_turned_back,
)

from attnsolve.ops import Op


def on_paper(source: str) -> Any:
    if source.startswith("softmax "):
        return paper_softmax(on_paper(source.removeprefix("softmax ")))
    hidden = -sympy.oo
    return sympy.Matrix([[hidden if is_hidden(t) else symbol(t) for t in row] for row in texts(source)])


def symbol(text: str) -> Any:
    return sympy.sympify(text.replace("ln", "log").replace("^", "**"))  # noqa: TID251 - texts of this file only


def paper_options(op: Op, case: Example) -> dict[str, Any]:
    return {name: symbol(v) if is_number(op, name) else v for name, v in case.options.items()}


def expected(op: Op, case: Example) -> Any:
    return EXPECTED[op.name](*map(on_paper, case.inputs), **paper_options(op, case))


EXPECTED: dict[str, Callable[..., Any]] = {
    "one_hot": lambda X, length=None: sympy.eye(length or X.rows)[: X.rows, :],
    "sinusoid": paper_sinusoid,
    "waves": paper_waves,
    "add": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] + Y[i, j]),
    "subtract": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] - Y[i, j]),
    "times": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] * Y[i, j]),
    "stack": sympy.Matrix.vstack,
    "product": lambda X, Y: sympy.Matrix(X.rows, Y.cols, lambda i, j: X[i, :].dot(Y[:, j])),
    "transpose": lambda X: sympy.Matrix(X.cols, X.rows, lambda i, j: X[j, i]),
    "join": sympy.Matrix.hstack,
    "select": lambda X, rows: X.extract(list(rows), list(range(X.cols))),
    "project": projected,
    "recur": lambda X, W, H, U, b=None: projected(X.row_join(H), W.col_join(U), b),
    "split": lambda X, start, stop: X.extract(list(range(X.rows)), list(range(start, stop))),
    "dot": lambda Q, K: sympy.Matrix(Q.rows, K.rows, lambda i, j: Q[i, :].dot(K[j, :])),
    "bilinear": paper_bilinear,
    "additive": lambda Q, K, W, U, v: paper_concat(Q, K, W.col_join(U), v),
    "concat": paper_concat,
    "cosine": lambda Q, K: sympy.Matrix(
        Q.rows, K.rows, lambda i, j: (Q[i, :] / Q[i, :].norm()).dot(K[j, :] / K[j, :].norm())
    ),
    "rotary": paper_rotary,
    "relative": paper_relative,
    "alibi": lambda S, slope=ALIBIS_SLOPE, rows=None: paper_bias(
        S, rows, lambda distance: -slope * abs(distance)
    ),
    "distance_bias": paper_distance_bias,
    "bucket_bias": paper_bucket_bias,
    "soft_cap": lambda S, cap: S.applyfunc(
        lambda s: s if s == -sympy.oo else cap * (1 - 2 / (sympy.exp(2 * s / cap) + 1))
    ),
    "sink_softmax": paper_sink,
    "top_k": paper_top,
    "sigmoid_weights": lambda S, bias=0: S.applyfunc(
        lambda s: sympy.S.Zero if s == -sympy.oo else (1 + sympy.tanh((s + bias) / 2)) / 2
    ),
    "window": paper_window,
    "blocks": paper_blocks,
    "tile": lambda S, start, stop: S.extract(list(range(S.rows)), list(range(start, stop))),
    "running_maximum": paper_maximum,
    "shifted_exponentials": paper_shifted,
    "rescaling": paper_shifted,
    "running_sum": lambda P, r=None, D=None: paper_running(P, sympy.ones(P.cols, 1), r, D),
    "running_output": lambda P, V, r=None, Z=None: paper_running(P, V, r, Z),
    "over_sum": lambda X, D: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] / D[i, 0]),
    "half": lambda X: X.applyfunc(paper_half),
    "overflow": lambda X: X.applyfunc(lambda x: int(bool(x != -sympy.oo and abs(x) >= 65520))),
    "feature": lambda X, map="elu": X.applyfunc(
        {
            "elu": lambda x: x + 1 if sympy.N(x, 50) > 0 else sympy.exp(x),
            "relu": lambda x: (x + abs(x)) / 2,
            "exp": lambda x: sympy.exp(x),
            "square": lambda x: x**2,
        }[map]
    ),
    "total": lambda X: sympy.Matrix([[sum(X[:, j]) for j in range(X.cols)]]),
    "ratio": lambda X, M, u: sympy.Matrix(
        X.rows, M.cols, lambda i, j: X[i, :].dot(M[:, j]) / X[i, :].dot(u[0, :])
    ),
    "rms_norm": paper_rms,
    "silu": lambda X: X.applyfunc(lambda x: x * (1 + sympy.tanh(x / 2)) / 2),
    "embed": lambda E, words: sympy.Matrix.vstack(*[E[word, :] for word in words]),
    "logits": lambda X, E: sympy.Matrix(X.rows, E.rows, lambda i, j: X[i, :].dot(E[j, :])),
    "top_words": lambda P, k: paper_kept(P, lambda kept: len(kept) == k),
    "nucleus": lambda P, p: paper_kept(
        P, lambda kept: bool(kept) and sympy.N(sum(kept) - p, 50) > -sympy.Float("1e-40")
    ),
    "perplexity": lambda L: sympy.Matrix([[sympy.exp(sum(L) / L.rows)]]),
    "divide": lambda S, by: S.applyfunc(lambda s: s / by),
    "multiply": lambda S, by: S.applyfunc(lambda s: s * by),
    "causal": paper_causal,
    "lengths": paper_lengths,
    "drop_keys": lambda S, keys: paper_mask(S, lambda i, j: j not in keys),
    "drop_queries": lambda A, queries: sympy.Matrix(
        A.rows, A.cols, lambda i, j: 0 if i in queries else A[i, j]
    ),
    "keep": lambda S, M: paper_mask(S, lambda i, j: M[i, j] == 1),
    "drop": lambda S, M: paper_mask(S, lambda i, j: M[i, j] == 0),
    "add_mask": lambda S, M: sympy.Matrix(S.rows, S.cols, lambda i, j: S[i, j] + M[i, j]),
    "softmax": paper_softmax,
    "argmax": paper_argmax,
    "relu": paper_relu,
    "sparsemax": lambda S: paper_sparse(S, 1),
    "entmax15": lambda S: paper_sparse(S, 2),
    "entmax": paper_entmax,
    "sum": paper_sum,
    "softmax2": lambda S: paper_softmax(S, 1 / sympy.log(2)),
    "mix": weighted_rows,
    "concatenate": sympy.Matrix.hstack,
    "output": projected,
    "layer_norm": paper_layer_norm,
    "sigmoid": lambda X: X.applyfunc(lambda x: sympy.exp(x) / (sympy.exp(x) + 1)),
    "tanh": lambda X: X.applyfunc(lambda x: 1 - 2 / (sympy.exp(2 * x) + 1)),
    "rectify": lambda X: X.applyfunc(lambda x: (x + abs(x)) / 2),
    "gelu": lambda X: X.applyfunc(lambda x: x * sympy.erfc(-x / sympy.sqrt(2)) / 2),
    "blend": lambda Z, X, Y: sympy.Matrix(
        X.rows, X.cols, lambda i, j: X[i, j] + Z[i, j] * (Y[i, j] - X[i, j])
    ),
    "gate": lambda F, C, I, N: sympy.Matrix(
        F.rows, F.cols, lambda i, j: F[i, j] * C[i, j] + I[i, j] * N[i, j]
    ),
    "probabilities": paper_softmax,
    "cross_entropy": lambda P, target: sympy.Matrix([sympy.log(1 / P[i, j]) for i, j in enumerate(target)]),
    "unit_gradient": lambda L, share="sum": sympy.ones(*L.shape) / (len(L) if share == "mean" else 1),
    "cross_entropy_gradient": paper_target,
    "logits_gradient": paper_logits,
    "left_gradient": lambda G, Y: sympy.Matrix(G.rows, Y.rows, lambda i, j: G[i, :].dot(Y[j, :])),
    "right_gradient": lambda X, G: sum(
        (X[k, :].T * G[k, :] for k in range(X.rows)), sympy.zeros(X.cols, G.cols)
    ),
    "softmax_jacobian": lambda A, rows: paper_softmax_jacobian(list(A[rows[0], :])),
    "softmax_gradient": paper_softmax_gradient,
    "sum_gradient": paper_shares_gradient,
    "relu_gradient": lambda S, A, G: paper_shares_gradient(S, A, G, floor=0),
    "divide_gradient": lambda G, by: G.applyfunc(lambda g: g / by),
    "multiply_gradient": lambda G, by: G.applyfunc(lambda g: g * by),
    "tanh_gradient": paper_slope(lambda y: (1 + y) * (1 - y)),
    "sigmoid_gradient": paper_slope(lambda y: sympy.Rational(1, 4) - (y - sympy.Rational(1, 2)) ** 2),
    "rectify_gradient": paper_slope(lambda x: sympy.Heaviside(x, 0)),
    "gelu_gradient": paper_slope(paper_gelu_slope),
    "layer_norm_gradient": lambda X, G, *gamma, **settings: paper_back(
        lambda row: paper_layer_norm(row, *gamma, **settings), X, G
    ),
    "rms_norm_gradient": lambda X, G, *gamma, **settings: paper_back(
        lambda row: paper_rms(row, *gamma, **settings), X, G
    ),
    "rms_gain_gradient": lambda X, G, **settings: sympy.Matrix(
        1,
        X.cols,
        lambda _, j: sum(G[i, j] * paper_rms(X[i, :], **settings)[0, j] for i in range(X.rows)),
    ),
    "silu_gradient": paper_slope(lambda x: sympy.diff(X_ / (1 + sympy.exp(-X_)), X_).subs(X_, x)),
    "sparsemax_gradient": paper_sparsemax_gradient,
    "soft_cap_gradient": lambda X, G, cap: sympy.Matrix(
        X.rows,
        X.cols,
        lambda i, j: G[i, j] * (cap - X[i, j]) * (cap + X[i, j]) / cap**2 if j in seen(X, i) else 0,
    ),
    "rotary_gradient": paper_turned_back,
    "additive_queries_gradient": paper_additive_back("Q"),
    "additive_keys_gradient": paper_additive_back("K"),
    "additive_weighing_gradient": paper_additive_back("v"),
    **{
        f"concat_{word}_gradient": lambda Q, K, W, v, G, own=own: paper_additive_back(own)(
            Q, K, W[: Q.cols, :], W[Q.cols :, :], v, G
        )
        for word, own in {"queries": "Q", "keys": "K", "weighing": "v"}.items()
    },
    "concat_matrix_gradient": lambda Q, K, G, H: paper_slopes(
        (Q.cols + K.cols, G.cols),
        lambda W: (
            sum(G.multiply_elementwise(Q * W[: Q.cols, :])) + sum(H.multiply_elementwise(K * W[Q.cols :, :]))
        ),
    ),
    "part_gradient": lambda G, W, start, width: paper_slopes(
        (G.rows, width), lambda X: sum(G.multiply_elementwise(X * W[start : start + width, :]))
    ),
    "feature_gradient": lambda X, G, map="elu": paper_slope(paper_feature_slope(map))(X, G),
    "total_gradient": lambda X, G: paper_slopes(
        X.shape, lambda x: sum(G[0, j] * sum(x[:, j]) for j in range(X.cols))
    ),
    "ratio_queries_gradient": paper_ratio_queries,
    "ratio_above_gradient": lambda X, u, G: paper_ratio_back("a")(X, u, G, G),
    "ratio_below_gradient": lambda X, u, Z, G: paper_ratio_back("b")(X, u, G, Z),
    # Of P only the logarithm is known here, the mean of the losses: dP = P d(ln P).
    "perplexity_gradient": lambda L, P, G: (
        G[0, 0] * P[0, 0] * paper_slopes(L.shape, lambda x: sum(x) / L.rows)
    ),
    "distance_bias_gradient": paper_bias_back(paper_distance_bias),
    "bucket_bias_gradient": paper_bias_back(paper_bucket_bias),
    "entmax_gradient": paper_entmax_back,
    "entmax15_gradient": lambda S, G: paper_entmax_back(paper_sparse(S, 2), G, sympy.Rational(3, 2)),
    "tile_gradient": lambda A, H, Z, G: sympy.Matrix(
        A.rows, A.cols, lambda i, j: A[i, j] * H[i, j] - A[i, j] * (Z[i, :] * G[i, :].T)[0]
    ),
    "score_bias_gradient": lambda G: sympy.Matrix([[sum(G)]]),
    "relative_queries_gradient": paper_relative_back("Q"),
    "relative_table_gradient": paper_relative_back("R"),
    "cosine_queries_gradient": paper_cosine_back("Q"),
    "cosine_keys_gradient": paper_cosine_back("K"),
    "gain_gradient": lambda X, G, **settings: (
        sympy.Matrix(
            [
                [sum(G[i, j] * paper_layer_norm(X, **settings)[i, j] for i in range(X.rows))]
                for j in range(X.cols)
            ]
        ).T
    ),
    "gate_gradient": lambda X, Y, G: sympy.Matrix(
        X.rows, X.cols, lambda i, j: G[i, j] * Y[i, j] - G[i, j] * X[i, j]
    ),
    "kept_gradient": lambda Z, G: sympy.Matrix(Z.rows, Z.cols, lambda i, j: G[i, j] - Z[i, j] * G[i, j]),
    "scatter": lambda G, rows, height: sympy.Matrix(
        height, G.cols, lambda i, j: G[rows.index(i), j] if i in rows else 0
    ),
    "spread": lambda G, start, width: sympy.Matrix(
        G.rows, width, lambda i, j: G[i, j - start] if start <= j < start + G.cols else 0
    ),
    "hand_on": lambda G: G,
    "add_up": lambda *shares: sum(shares[1:], shares[0]),
    "descend": lambda W, G, rate: sympy.Matrix(W.rows, W.cols, lambda i, j: W[i, j] - rate * G[i, j]),
}
