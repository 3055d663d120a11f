"""Back to a table of biases: each of its numbers was added to several scores, whose gradients add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.biasing import places_of
from attnsolve.ops.bucket_bias import BUCKET_BIAS, LONGEST, bucket, t5_buckets
from attnsolve.ops.distance_bias import DISTANCE_BIAS, clipped
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Sum, equals

# For a query's place, the number of keys and that of biases: which bias each key got, or None.
Chosen = Callable[..., list[int | None]]
REVERSED = "The distance is the key's place less the query's: keys before the query have a negative one."
AVERAGED = "Each bias was added to several scores: add their gradients up, and do not divide."


def by_distance(place: int, keys: int, count: int) -> list[int | None]:
    """The bias of the distance, the ends for all beyond."""
    return [clipped(j - place, count // 2) for j in range(keys)]


def by_reversed_distance(place: int, keys: int, count: int) -> list[int | None]:
    """That of the distance from key to query."""
    return [clipped(place - j, count // 2) for j in range(keys)]


def within_reach(place: int, keys: int, count: int) -> list[int | None]:
    """That of the distance, none beyond the ends."""
    reach = count // 2
    return [j - place + reach if abs(j - place) <= reach else None for j in range(keys)]


def by_bucket(
    place: int, keys: int, count: int, *, longest: int = LONGEST, direction: str = "both"
) -> list[int | None]:
    """The bias of the bucket of the distance."""
    return [bucket(j - place, count, longest, direction) for j in range(keys)]


def by_reversed_bucket(
    place: int, keys: int, count: int, *, longest: int = LONGEST, direction: str = "both"
) -> list[int | None]:
    """That of the distance from key to query."""
    return [bucket(place - j, count, longest, direction) for j in range(keys)]


def chosen(way: Chosen, G: Matrix, B: Matrix, settings: Options) -> list[list[int | None]]:
    """Which bias each query's keys got."""
    own = {key: value for key, value in settings.items() if key != "rows"}
    return [way(place, G.shape[1], B.shape[1], **own) for place in places_of(G, settings.get("rows"))]


def gathered(G: Matrix, B: Matrix, places: Sequence[Sequence[int | None]]) -> Matrix:
    """The gradients of all scores that got the same bias, added up."""
    return reduce(add, [G.take([i]) @ table for i, table in enumerate(tables(places, B.shape[1]))])


def tables(places: Sequence[Sequence[int | None]], count: int) -> list[Rationals]:
    """For each query a row for each of its keys, with 1 where it got that bias."""
    return [Rationals([[int(found == k) for k in range(count)] for found in row]) for row in places]


def going_back(
    forward: Op, way: Chosen, *, each: str, twin: Callable[..., Any], wrong: Sequence[tuple[str, str, Chosen]]
) -> Op:
    """The gradient of the table of a bias."""

    def frame(G: Frame, B: Frame, **settings: Any) -> Frame:
        """As the table."""
        forward.frame(G, B, **settings)
        return B

    def by(way: Chosen) -> Callable[..., Matrix]:
        def rule(G: Matrix, B: Matrix, **settings: Any) -> Matrix:
            """For each bias the sum of the gradients of the scores that it was added to."""
            return gathered(G, B, chosen(way, G, B, settings))

        return rule

    def averaged(G: Matrix, B: Matrix, **settings: Any) -> Matrix:
        """The mean of the gradients of the scores that it was added to."""
        places = chosen(way, G, B, settings)
        counts = [max(1, sum(row.count(k) for row in places)) for k in range(B.shape[1])]
        return gathered(G, B, places) / Rationals([counts])

    def counting(G: Matrix, B: Matrix, **settings: Any) -> Matrix:
        """An addition for each gradient, at most."""
        G + G
        return B

    def lines(
        G: Matrix, B: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
    ) -> tuple[Line, ...]:
        gradients, places = factors(names[0], G), chosen(way, G, B, options)
        made = []
        for row, k, result in value.cells():
            pairs = [(i, j) for i, found in enumerate(places) for j, bias in enumerate(found) if bias == k]
            terms = tuple(gradients[i][j] for i, j in pairs)
            stages = (equals(Sum(terms)), *closing(result)) if terms else (equals(Num(result)),)
            made.append(Line(row, k, stages))
        return tuple(made)

    return Op(
        name=f"{forward.name}_gradient",
        title="Gradient of the biases: the sum over all scores that each was added to",
        parameters=("G", "B"),
        options=forward.options,
        roles=(Role.SCORES, Role.ROW),
        by_rows=False,
        formula=Formula(matrix=r"\operatorname{gather}(${G})", each=each),
        frame=frame,
        rule=by(way),
        counting=counting,
        counted_as="an addition for each gradient of a score",
        lines=lines,
        twin=twin,
        mistakes=(
            *(Mistake(name, advice, by(other)) for name, advice, other in wrong),
            Mistake("averaged", AVERAGED, averaged),
        ),
    )


def distance_twin(G: Any, B: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own way back through a look-up in a table, with clamped distances."""
    import torch

    places = torch.arange(len(G)) if rows is None else torch.tensor(rows)
    reach = B.shape[1] // 2
    far = (torch.arange(G.shape[1])[None, :] - places[:, None]).clamp(-reach, reach) + reach
    return torch.func.vjp(lambda B: B[0][far], B)[1](G)[0]


def bucket_twin(
    G: Any,
    B: Any,
    *,
    longest: int = 128,
    direction: str = "both",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """torch's own way back through a look-up, with the buckets of T5's own code."""
    import torch

    found = t5_buckets(G, B.shape[1], longest, direction, rows)
    return torch.func.vjp(lambda B: B[0][found], B)[1](G)[0]


DISTANCE_BIAS_GRADIENT = going_back(
    DISTANCE_BIAS,
    by_distance,
    each=r"${out:laid} = (\beta'_{-k}, \ldots, \beta'_{k}), \quad "
    r"\beta'_{d} = \textstyle\sum_{j-i=d} ${G:ij}, \text{ at the ends of all beyond}",
    twin=distance_twin,
    wrong=(
        ("distance-reversed", REVERSED, by_reversed_distance),
        ("beyond-left-out", "The first and the last bias belong to all distances beyond too.", within_reach),
    ),
)

BUCKET_BIAS_GRADIENT = going_back(
    BUCKET_BIAS,
    by_bucket,
    each=r"${out:laid} = (\beta'_{0}, \beta'_{1}, \ldots), \quad "
    r"\beta'_{b} = \textstyle\sum_{\operatorname{bucket}(j-i)=b} ${G:ij}",
    twin=bucket_twin,
    wrong=(("distance-reversed", REVERSED, by_reversed_bucket),),
)
