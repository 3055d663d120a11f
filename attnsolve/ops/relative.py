"""Relative scores: to each key the vector of its distance from the query is added, s = q·(k + r)."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops import Role, dot
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Options
from attnsolve.ops.biasing import ROWS, has_places, places_of
from attnsolve.ops.distance_bias import clipped
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.ops.pairs import beneath
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Product, Sum, equals


def frame(Q: Frame, K: Frame, R: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """A row for each query, a column for each key; a vector for each distance from -k to k."""
    scores = dot.frame(Q, K)
    if R.columns.size != K.columns.size:
        raise unfit("R", f"a key has {numbers(K.columns.size)}", needs=(None, K.columns.size), R=R)
    if R.rows.size % 2 == 0:
        said = f"{{R}} has {R.rows.size} vectors, but the distances from -k to k are 2k+1; give an odd number"
        raise unfit("R", said, R=R)
    return has_places(scores, rows)


def chosen(place: int, keys: int, count: int) -> list[int]:
    """The row of the table for each key."""
    return [clipped(j - place, count // 2) for j in range(keys)]


def rule(Q: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """q_i·(k_j + r_{j-i})."""
    places = places_of(Q, rows)
    return beneath(
        [
            Q.take([i]) @ (K + R.take(chosen(place, K.shape[0], R.shape[0]))).T
            for i, place in enumerate(places)
        ]
    )


def counting(Q: Matrix, K: Matrix, R: Matrix, **settings: Any) -> Matrix:
    """Each query with each key and with each vector of the table, then one sum for each score."""
    scores = Q @ K.T
    Q @ R.T
    return scores + scores


def lines(
    Q: Matrix, K: Matrix, R: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number: that of the query times the sum of those of key and distance."""
    queries, keys, table = (factors(name, M) for name, M in zip(names, (Q, K, R), strict=True))
    places = places_of(Q, options.get("rows"))
    made = []
    for i, j, result in value.cells():
        vector = table[chosen(places[i], K.shape[0], R.shape[0])[j]]
        terms = [Product((q, Sum((k, r)))) for q, k, r in zip(queries[i], keys[j], vector, strict=True)]
        made.append(Line(i, j, (equals(Sum(tuple(terms))), *closing(result))))
    return tuple(made)


def twin(Q: Any, K: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's einsum of queries with a vector for every pair of places, and its matrix product."""
    import torch

    places = torch.arange(len(Q)) if rows is None else torch.tensor(rows)
    reach = len(R) // 2
    far = (torch.arange(len(K))[None, :] - places[:, None]).clamp(-reach, reach) + reach
    return torch.einsum("id,ijd->ij", Q, torch.nn.functional.embedding(far, R)) + torch.matmul(Q, K.T)


def without_distance(Q: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """Q Kᵀ."""
    return Q @ K.T


def reversed_distance(Q: Matrix, K: Matrix, R: Matrix, *, rows: tuple[int, ...] | None = None) -> Matrix:
    """q_i·(k_j + r_{i-j})."""
    return rule(Q, K, R.take(range(R.shape[0] - 1, -1, -1)), rows=rows)


RELATIVE = Op(
    name="relative",
    title="Relative scores: compare each query with key plus distance",
    parameters=("Q", "K", "R"),
    options=(ROWS,),
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{relative}(${Q}, ${K}, ${R})",
        each=r"${out:ij} = ${Q:i} \cdot (${K:j} + \rho_{j-i})"
        r" \text{ with } \rho_{-k}, \ldots, \rho_{k} \text{ from } ${R}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="each query with each key and with each vector of the table, and a sum for each score",
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "distance-reversed",
            "The distance is the key's place less the query's: keys before the query have a negative one.",
            reversed_distance,
        ),
        Mistake(
            "distance-forgotten",
            "Add to each key the vector of its distance from the query.",
            without_distance,
        ),
    ),
    gradients=(
        back("Q", "relative_queries_gradient", GRADIENT, "K", "R", settings=same_settings),
        back("K", "right_gradient", GRADIENT, "Q", title=message("Gradient of the keys")),
        back("R", "relative_table_gradient", GRADIENT, "Q", "R", settings=same_settings),
    ),
)
