"""Back through the last step of linear attention, z = x M/(x · u): the quotient rule for every query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops import Role, ratio
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, UndefinedRow
from attnsolve.ops.misfits import numbers, require_row, unfit
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Product, Quotient, Sum, equals

MINUS = Rational(-1)


def sums_fit(X: Frame, u: Frame) -> None:
    """Refuse sums that are not as wide as the queries."""
    width = X.columns.size
    require_row("u", u, width, f"{{X}} has {numbers(width)} per token", X=X)


def results_fit(rows: Frame, Z: Frame, G: Frame) -> None:
    """Refuse a result with other rows than the queries, and a gradient of another size than the result."""
    if Z.rows.size != rows.rows.size:
        raise unfit("Z", f"there are {rows.rows.size} queries", needs=(rows.rows.size, None), Z=Z)
    same_size(Z, G, "multiplied number by number", first="Z", second="G")


def queries_frame(X: Frame, M: Frame, u: Frame, Z: Frame, G: Frame) -> Frame:
    """As the queries."""
    made = ratio.frame(X, M, u)
    results_fit(X, Z, G)
    if G.shape != made.shape:
        raise unfit("G", "a gradient is as large as the result", needs=made.shape, G=G)
    return X


def above_frame(X: Frame, u: Frame, G: Frame) -> Frame:
    """As the gradient."""
    sums_fit(X, u)
    if G.rows.size != X.rows.size:
        raise unfit("G", f"there are {X.rows.size} queries", needs=(X.rows.size, None), G=G)
    return G


def below_frame(X: Frame, u: Frame, Z: Frame, G: Frame) -> Frame:
    """One number for each query."""
    sums_fit(X, u)
    results_fit(X, Z, G)
    return Frame(X.rows, Axis(1))


def below(X: Matrix, u: Matrix) -> Matrix:
    """X uᵀ, what each query is divided by."""
    made = X @ u.T
    for i in X.row_places():
        if made.cell(i, 0).is_zero():
            raise UndefinedRow("query {row}: its features add up to 0 with those of all keys", i)
    return made


def to_above(X: Matrix, u: Matrix, G: Matrix) -> Matrix:
    """G, each row over x · u."""
    return G.rows_over(below(calculable(X), u))


def to_below(X: Matrix, u: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """-rowsum(G ∘ Z) over x · u."""
    return (G * calculable(Z)).row_sums().scaled(MINUS) / below(calculable(X), u)


def to_queries(X: Matrix, M: Matrix, u: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """(G Mᵀ - rowsum(G ∘ Z) u) over x · u."""
    return (G @ M.T - (G * calculable(Z)).row_sums() @ u).rows_over(below(calculable(X), u))


def dot_product(row: Sequence[Expression], other: Sequence[Expression]) -> Expression:
    """Σ a b, written out."""
    return Sum(tuple(Product(pair) for pair in zip(row, other, strict=True)))


def query_lines(
    X: Matrix,
    M: Matrix,
    u: Matrix,
    Z: Matrix,
    G: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """The gradient with a row of M, less its product with the result times the sum of the keys."""
    tables = [factors(name, matrix) for name, matrix in zip(names, (X, M, u, Z, G), strict=True)]
    queries, rows, sums, results, gradients = tables
    made = []
    for i, k, result in value.cells():
        both = dot_product(gradients[i], results[i])
        top = Sum((dot_product(gradients[i], rows[k]), Product((Num(MINUS), both, sums[0][k]))))
        made.append(Line(i, k, (equals(Quotient(top, dot_product(queries[i], sums[0]))), *closing(result))))
    return tuple(made)


def above_lines(
    X: Matrix, u: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each gradient over what its query was divided by."""
    queries, sums, gradients = (factors(name, Y) for name, Y in zip(names, (X, u, G), strict=True))
    return tuple(
        Line(i, j, (equals(Quotient(gradients[i][j], dot_product(queries[i], sums[0]))), *closing(result)))
        for i, j, result in value.cells()
    )


def below_lines(
    X: Matrix, u: Matrix, Z: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Minus the gradient with the result, over what the query was divided by."""
    queries, sums, results, gradients = (
        factors(name, Y) for name, Y in zip(names, (X, u, Z, G), strict=True)
    )
    made = []
    for i, j, result in value.cells():
        top = Product((Num(MINUS), dot_product(gradients[i], results[i])))
        made.append(Line(i, j, (equals(Quotient(top, dot_product(queries[i], sums[0]))), *closing(result))))
    return tuple(made)


def query_twin(X: Any, M: Any, u: Any, Z: Any, G: Any) -> Any:
    """torch's own way back through both products, and through the division of the result."""
    import torch

    under = X @ u.T
    above = torch.func.vjp(lambda X: X @ M / under, X)[1](G)[0]
    return above + torch.func.vjp(lambda X: Z * under / (X @ u.T), X)[1](G)[0]


def above_twin(X: Any, u: Any, G: Any) -> Any:
    """torch's own way back through a division, to what stands above."""
    import torch

    return torch.func.vjp(lambda number: torch.div(number, X @ u.T), torch.zeros_like(G))[1](G)[0]


def below_twin(X: Any, u: Any, Z: Any, G: Any) -> Any:
    """torch's own way back through a division, to what stands below."""
    import torch

    under = X @ u.T
    return torch.func.vjp(lambda number: torch.div(Z * under, number), under)[1](G)[0]


def query_terms(X: Any, M: Any, u: Any, Z: Any, G: Any) -> Any:
    """What is subtracted above, and what may cancel below."""
    under = (X @ u.T).abs()
    above = G.abs() @ M.abs().T + (G * Z).abs().sum(dim=1, keepdim=True) * u.abs()
    return above / under * ((X.abs() @ u.abs().T) / under)


def below_constant(X: Matrix, M: Matrix, u: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """G Mᵀ over x · u."""
    return (G @ M.T).rows_over(below(calculable(X), u))


def queries_not_divided(X: Matrix, M: Matrix, u: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """G Mᵀ - rowsum(G ∘ Z) u."""
    return G @ M.T - (G * calculable(Z)).row_sums() @ u


RATIO_QUERIES_GRADIENT = Op(
    name="ratio_queries_gradient",
    title="Gradient of the queries' features: by the quotient rule",
    parameters=("X", "M", "u", "Z", "G"),
    roles=(Role.TOKENS, Role.WEIGHTS, Role.ROW, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{back}(${X}, ${G})",
        each=r"${out:i} = \frac{${G:i} ${M}^{\top} - (${G:i} \cdot ${Z:i})\, ${u}}{${X:i} \cdot ${u}}",
    ),
    frame=queries_frame,
    rule=to_queries,
    lines=query_lines,
    twin=query_twin,
    cancelling=query_terms,
    mistakes=(
        Mistake(
            "below-constant",
            "The query stands below too: subtract what the sum it is divided by makes.",
            below_constant,
        ),
        Mistake(
            "not-divided", "Divide by what the query makes with the sum of all keys.", queries_not_divided
        ),
    ),
)

RATIO_ABOVE_GRADIENT = Op(
    name="ratio_above_gradient",
    title="What goes back to what stands above: over the same sum",
    parameters=("X", "u", "G"),
    roles=(Role.TOKENS, Role.ROW, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{above}(${X}, ${G})",
        each=r"${out:i} = \frac{${G:i}}{${X:i} \cdot ${u}}",
    ),
    frame=above_frame,
    rule=to_above,
    lines=above_lines,
    twin=above_twin,
    mistakes=(
        Mistake(
            "not-divided",
            "Divide by what the query makes with the sum of all keys.",
            lambda X, u, G: G,
        ),
    ),
)

RATIO_BELOW_GRADIENT = Op(
    name="ratio_below_gradient",
    title="What goes back to what stands below: minus the result, over the same sum",
    parameters=("X", "u", "Z", "G"),
    roles=(Role.TOKENS, Role.ROW, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{below}(${X}, ${G})",
        each=r"${out:i} = -\frac{${G:i} \cdot ${Z:i}}{${X:i} \cdot ${u}}",
    ),
    frame=below_frame,
    rule=to_below,
    lines=below_lines,
    twin=below_twin,
    mistakes=(
        Mistake(
            "sign-forgotten",
            "A larger sum below makes the quotient smaller: mind the minus.",
            lambda X, u, Z, G: to_below(X, u, Z, G).scaled(MINUS),
        ),
        Mistake(
            "not-divided",
            "Divide by what the query makes with the sum of all keys.",
            lambda X, u, Z, G: (G * calculable(Z)).row_sums().scaled(MINUS),
        ),
    ),
)
