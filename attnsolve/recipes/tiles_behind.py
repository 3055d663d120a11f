"""A softmax that sees its keys in tiles, found in a plan: what its output is made of, whatever ran along."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.graph import Graph
from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.problem import Call

OVER_SUM, OUTPUT, SUM = (OPS_BY_NAME[name] for name in ("over_sum", "running_output", "running_sum"))
SHIFTED, RESCALING = OPS_BY_NAME["shifted_exponentials"], OPS_BY_NAME["rescaling"]

SCORES_BACK = back("S", "tile_gradient", "A", "H", RESULT, GRADIENT)
VALUES_BACK = back("V", "right_gradient", "A", GRADIENT, title=message("Gradient of the values"))


class Tile(NamedTuple):
    """One tile: its scores and values, and the maximum and the sum after the last tile of all."""

    scores: str
    values: str
    maximum: str
    total: str
    powers: str = ""  # its exponentials with that maximum, where they are there already: in the last tile


def tiles_behind(graph: Graph, call: Call) -> tuple[Tile, ...]:
    """The tiles whose output a call divides by their sum, the last first; none where it is something else.

    In Z = Σ e^{S_k - m_k} f_k V_k / Σ e^{S_k - m_k} f_k, with f_k = Π e^{m_j - m_{j+1}}, every number that is
    taken off cancels, be it a maximum or not; so Z changes with scores and values alone.
    """
    if call.op is not OVER_SUM:
        return ()
    found: list[Tile] = []
    output, total, last = graph.maker(call.args[0]), graph.maker(call.args[1]), ""
    before = ""  # the number that the tiles before were rescaled from
    while output is not None and total is not None:
        powers = graph.maker(output.args[0])
        if output.op is not OUTPUT or total.op is not SUM or powers is None or powers.op is not SHIFTED:
            return ()
        scores, shift = powers.args
        if total.args[0] != powers.out or (before and shift != before):
            return ()
        last = last or shift
        known = powers.out if shift == last else ""
        found.append(Tile(scores, output.args[1], last, call.args[1], known))
        if (len(output.args), len(total.args)) == (2, 1):
            return tuple(found)
        if (len(output.args), len(total.args)) != (4, 3) or output.args[2] != total.args[1]:
            return ()
        factor = graph.maker(output.args[2])
        if factor is None or factor.op is not RESCALING or factor.args[1] != shift:
            return ()
        before = factor.args[0]
        output, total = graph.maker(output.args[3]), graph.maker(total.args[2])
    return ()
