"""Back through cosine scores: what lies along a vector changes its length only, and falls out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops import Role, cosine, dot
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.misfits import unfit
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import Line, Num, Product, Quotient, Sum, equals

MINUS = Num(Rational(-1))
EACH = (
    r"${out:*} = \frac{${local:p} - (DOT)\, ${local:n}}{\lvert ${X:*} \rvert}, "
    r"\quad ${local:n} = \frac{${X:*}}{\lvert ${X:*} \rvert}, "
    r"\quad ${local:p} = \textstyle\sum_{+} ${G:ij}\, \frac{${Y:+}}{\lvert ${Y:+} \rvert}"
)
ROWS, COLUMNS = r"${local:p} \cdot ${local:n}", r"${local:p}^{\top} ${local:n}"


def fitting(Q: Frame, K: Frame, G: Frame) -> None:
    """Refuse a gradient that is not as large as the scores."""
    scores = dot.frame(Q, K)
    if G.shape != scores.shape:
        raise unfit("G", "a gradient is as large as the scores", needs=scores.shape, G=G)


def queries_frame(Q: Frame, K: Frame, G: Frame) -> Frame:
    """As the queries."""
    fitting(Q, K, G)
    return Q


def keys_frame(Q: Frame, K: Frame, G: Frame) -> Frame:
    """As the keys."""
    fitting(Q, K, G)
    return K


def units(X: Matrix) -> Matrix:
    """Each vector over its length."""
    return X.rows_over(cosine.lengths(X))


def across(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """(P - N ∘ rowsum(P ∘ N))/|x|, with N = x/|x| and P = Σ g y/|y|."""
    N, P = units(X), G @ units(Y)
    return (P - N.rows_times((P * N).row_sums())).rows_over(cosine.lengths(X))


def length_constant(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """Σ g y/|y| over |x|."""
    return (G @ units(Y)).rows_over(cosine.lengths(X))


def not_divided(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """P - N ∘ rowsum(P ∘ N)."""
    N, P = units(X), G @ units(Y)
    return P - N.rows_times((P * N).row_sums())


def as_dot(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """Σ g y."""
    return G @ Y


Way = Callable[[Matrix, Matrix, Matrix], Matrix]


def to_queries(way: Way) -> Way:
    """For the queries; zero vectors are refused as in the scores."""

    def made(Q: Matrix, K: Matrix, G: Matrix) -> Matrix:
        """The gradients of each query's cosines, less what lies along the query, over its length."""
        cosine.require_directions(Q, K)
        return way(calculable(Q), calculable(K), G)

    return made


def to_keys(way: Way) -> Way:
    """The same for the keys."""

    def made(Q: Matrix, K: Matrix, G: Matrix) -> Matrix:
        """The gradients of each key's cosines, less what lies along the key, over its length."""
        cosine.require_directions(Q, K)
        return way(calculable(K), calculable(Q), G.T)

    return made


def working(X: Matrix, Y: Matrix, G: Matrix, *, value: Matrix, name: str) -> tuple[Line, ...]:
    """What the gradients make of the others' directions, less its share along the vector, over its length."""
    N, M, below = units(calculable(X)), units(calculable(Y)), cosine.lengths(calculable(X))
    P = G.take(range(X.shape[0])) @ M  # where only the first row is worked out
    along = (P * N).row_sums()
    if not {N.kind, M.kind, P.kind, along.kind, below.kind} <= set(WRITTEN_OUT):
        return tuple(Line(i, j, closing(result)) for i, j, result in value.cells())
    gradients, made = factors(name, G), []
    for i, k, result in value.cells():
        falls = Product((MINUS, Num(along.cell(i, 0)), Num(N.cell(i, k))))
        terms = [Product((g, Num(M.cell(j, k)))) for j, g in enumerate(gradients[i])]
        length = Num(below.cell(i, 0))
        whole = Quotient(Sum((*terms, falls)), length)
        short = Quotient(Sum((Num(P.cell(i, k)), falls)), length)
        made.append(Line(i, k, (equals(whole), equals(short), *closing(result))))
    return tuple(made)


def query_lines(
    Q: Matrix, K: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Over the keys."""
    return working(Q, K, G, value=value, name=names[2])


def key_lines(
    Q: Matrix, K: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Over the queries."""
    return working(K, Q, G.T, value=value, name=names[2])


def query_twin(Q: Any, K: Any, G: Any) -> Any:
    """torch's own way back through its cosine similarity."""
    import torch

    similar = torch.nn.functional.cosine_similarity
    return torch.func.vjp(lambda Q: similar(Q[:, None, :], K[None, :, :], dim=-1, eps=0.0), Q)[1](G)[0]


def key_twin(Q: Any, K: Any, G: Any) -> Any:
    """torch's own way back through its cosine similarity."""
    import torch

    similar = torch.nn.functional.cosine_similarity
    return torch.func.vjp(lambda K: similar(Q[:, None, :], K[None, :, :], dim=-1, eps=0.0), K)[1](G)[0]


def query_terms(Q: Any, K: Any, G: Any) -> Any:
    """Σ |g|/|q|, twice: what lies along the query cancels."""
    return (2 * G.abs().sum(dim=1, keepdim=True) / Q.norm(dim=1, keepdim=True)).expand(Q.shape)


def key_terms(Q: Any, K: Any, G: Any) -> Any:
    """Σ |g|/|k|, twice: what lies along the key cancels."""
    return (2 * G.T.abs().sum(dim=1, keepdim=True) / K.norm(dim=1, keepdim=True)).expand(K.shape)


def formula(own: str, other: str, places: str) -> Formula:
    """For one of the two, whose place is the first of `places`."""
    filled = EACH.replace("X:*", f"{own}:*").replace("Y:+", f"{other}:+")
    filled = filled.replace("*", places[0]).replace("+", places[1])
    return Formula(
        matrix=rf"\operatorname{{back}}(${{{own}}}, ${{G}})",
        each=filled.replace("DOT", ROWS),
        each_column=filled.replace("DOT", COLUMNS),
    )


def mistakes(to: Callable[[Way], Way]) -> tuple[Mistake, ...]:
    """What people forget of a quotient with lengths."""
    return (
        Mistake(
            "length-constant",
            "The length changes with the vector too: take off what lies along the vector.",
            to(length_constant),
        ),
        Mistake("length-forgotten", "Divide by the length of the vector at the end.", to(not_divided)),
        Mistake("as-dot-products", "Cosines are dot products over lengths, on the way back too.", to(as_dot)),
    )


COSINE_QUERIES_GRADIENT = Op(
    name="cosine_queries_gradient",
    title="Gradient of the queries: through the cosine with every key",
    parameters=("Q", "K", "G"),
    roles=(Role.TOKENS, Role.TOKENS, Role.SCORES),
    formula=formula("Q", "K", "ij"),
    frame=queries_frame,
    rule=to_queries(across),
    lines=query_lines,
    twin=query_twin,
    cancelling=query_terms,
    mistakes=mistakes(to_queries),
)

COSINE_KEYS_GRADIENT = COSINE_QUERIES_GRADIENT._replace(
    name="cosine_keys_gradient",
    by_rows=False,
    title="Gradient of the keys: through the cosine with every query",
    formula=formula("K", "Q", "ji"),
    frame=keys_frame,
    rule=to_keys(across),
    lines=key_lines,
    twin=key_twin,
    cancelling=key_terms,
    mistakes=mistakes(to_keys),
)
