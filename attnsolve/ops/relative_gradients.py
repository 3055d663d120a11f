"""Back through relative scores s = q·(k + r): to the queries, and to the vectors of the distances."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import Role, relative
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options
from attnsolve.ops.bias_gradients import (
    REVERSED,
    Chosen,
    by_distance,
    by_reversed_distance,
    tables,
    within_reach,
)
from attnsolve.ops.biasing import ROWS, places_of
from attnsolve.ops.misfits import unfit
from attnsolve.ops.pairs import beneath
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Sum, equals


def queries_frame(G: Frame, K: Frame, R: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """A row for each query, as wide as the keys."""
    if G.columns.size != K.rows.size:
        raise unfit("G", f"there are {K.rows.size} keys", needs=(None, K.rows.size), G=G)
    queries = Frame(G.rows, K.columns)
    relative.frame(queries, K, R, rows=rows)
    return queries


def table_frame(G: Frame, Q: Frame, R: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """As the table."""
    if G.rows.size != Q.rows.size:
        raise unfit("G", f"there are {Q.rows.size} queries", needs=(Q.rows.size, None), G=G)
    relative.frame(Q, Frame(Axis(G.columns.size), Q.columns), R, rows=rows)
    return R


def to_queries(G: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """Σ_j g_ij (k_j + r_{j-i})."""
    made = []
    for i, place in enumerate(places_of(G, rows)):
        vectors = K + R.take(relative.chosen(place, K.shape[0], R.shape[0]))
        made.append(G.take([i]) @ vectors)
    return beneath(made)


def queries_counting(G: Matrix, K: Matrix, R: Matrix, **settings: Any) -> Matrix:
    """The gradients with the keys, and with the vectors of their distances, then a sum for each number."""
    made = G @ K
    G @ K
    return made + made


def distances_gathered(way: Chosen, G: Matrix, R: Matrix, rows: tuple[int, ...] | None) -> Matrix:
    """For each query the gradients of its scores, added up where they have the same distance."""
    places = [way(place, G.shape[1], R.shape[0]) for place in places_of(G, rows)]
    return beneath([G.take([i]) @ table for i, table in enumerate(tables(places, R.shape[0]))])


def to_table(G: Matrix, Q: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """For each distance the sum of g_ij q_i over all pairs that have it."""
    return distances_gathered(by_distance, G, R, rows).T @ Q


def table_counting(G: Matrix, Q: Matrix, R: Matrix, **settings: Any) -> Matrix:
    """Each query times each of its gradients, added up."""
    G.T @ Q
    return R


def query_lines(
    G: Matrix, K: Matrix, R: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each gradient times what the query was compared with."""
    gradients, keys, vectors = (factors(name, X) for name, X in zip(names, (G, K, R), strict=True))
    places = places_of(G, options.get("rows"))
    made = []
    for i, k, result in value.cells():
        found = relative.chosen(places[i], K.shape[0], R.shape[0])
        terms = [Product((gradients[i][j], Sum((keys[j][k], vectors[d][k])))) for j, d in enumerate(found)]
        made.append(Line(i, k, (equals(Sum(tuple(terms))), *closing(result))))
    return tuple(made)


def table_lines(
    G: Matrix, Q: Matrix, R: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Over all pairs with a distance the gradient times the query."""
    gradients, queries = factors(names[0], G), factors(names[1], Q)
    found = [relative.chosen(p, G.shape[1], R.shape[0]) for p in places_of(G, options.get("rows"))]
    made = []
    for d, k, result in value.cells():
        pairs = [(i, j) for i, row in enumerate(found) for j, distance in enumerate(row) if distance == d]
        terms = tuple(Product((gradients[i][j], queries[i][k])) for i, j in pairs)
        stages = (equals(Sum(terms)), *closing(result)) if terms else (equals(Num(result)),)
        made.append(Line(d, k, stages))
    return tuple(made)


def query_twin(G: Any, K: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own way back through an einsum with a vector for every pair of places."""
    import torch

    places = torch.arange(len(G)) if rows is None else torch.tensor(rows)
    reach = len(R) // 2
    far = (torch.arange(len(K))[None, :] - places[:, None]).clamp(-reach, reach) + reach
    queries = torch.zeros(len(G), K.shape[1], dtype=K.dtype)
    return torch.func.vjp(lambda Q: torch.einsum("id,ijd->ij", Q, K + R[far]), queries)[1](G)[0]


def table_twin(G: Any, Q: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own way back through a look-up of vectors."""
    import torch

    places = torch.arange(len(G)) if rows is None else torch.tensor(rows)
    reach = len(R) // 2
    far = (torch.arange(G.shape[1])[None, :] - places[:, None]).clamp(-reach, reach) + reach
    return torch.func.vjp(lambda R: torch.einsum("id,ijd->ij", Q, R[far]), R)[1](G)[0]


def without_distance(G: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """G K."""
    return G @ K


def queries_reversed(G: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """Σ_j g_ij (k_j + r_{i-j})."""
    return to_queries(G, K, R.take(range(R.shape[0] - 1, -1, -1)), rows=rows)


def table_reversed(G: Matrix, Q: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """Gathered by the distance from key to query."""
    return distances_gathered(by_reversed_distance, G, R, rows).T @ Q


def beyond_left_out(G: Matrix, Q: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """Without the pairs that are farther from each other than the table reaches."""
    return distances_gathered(within_reach, G, R, rows).T @ Q


RELATIVE_QUERIES_GRADIENT = Op(
    name="relative_queries_gradient",
    title="Gradient of the queries: through key plus distance",
    parameters=("G", "K", "R"),
    options=(ROWS,),
    roles=(Role.SCORES, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{back}(${G}, ${K}, ${R})",
        each=r"${out:i} = \textstyle\sum_{j} ${G:ij}\, (${K:j} + \rho_{j-i})"
        r" \text{ with } \rho_{-k}, \ldots, \rho_{k} \text{ from } ${R}",
    ),
    frame=queries_frame,
    rule=to_queries,
    counting=queries_counting,
    lines=query_lines,
    twin=query_twin,
    mistakes=(
        Mistake("distance-reversed", REVERSED, queries_reversed),
        Mistake(
            "distance-forgotten",
            "Add to each key the vector of its distance from the query.",
            without_distance,
        ),
    ),
)

RELATIVE_TABLE_GRADIENT = Op(
    name="relative_table_gradient",
    title="Gradient of the vectors of the distances: the queries of all pairs that have each",
    parameters=("G", "Q", "R"),
    options=(ROWS,),
    roles=(Role.SCORES, Role.TOKENS, Role.TOKENS),
    by_rows=False,
    formula=Formula(
        matrix=r"\operatorname{gather}(${G}, ${Q})",
        each=r"${out:laid} = (\rho'_{-k}, \ldots, \rho'_{k}), \quad "
        r"\rho'_{d} = \textstyle\sum_{j-i=d} ${G:ij}\, ${Q:i}, \text{ at the ends of all beyond}",
    ),
    frame=table_frame,
    rule=to_table,
    counting=table_counting,
    lines=table_lines,
    twin=table_twin,
    mistakes=(
        Mistake("distance-reversed", REVERSED, table_reversed),
        Mistake(
            "beyond-left-out",
            "The first and the last vector belong to all distances beyond too.",
            beyond_left_out,
        ),
    ),
)
