"""What a part with symbols shows: its derivation, its table, the verdicts on its claims."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.claims.judging import claims_of_line
from attnsolve.claims.sheets import judge_part
from attnsolve.derivations.answers import derive
from attnsolve.derivations.derivation import Table as Decimals
from attnsolve.problem import Part, Problem
from attnsolve.rendering.derivations.passages import PassageView, table, views
from attnsolve.rendering.derivations.verdicts import ClaimView, claim_view, stated
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, pictures_beside
from attnsolve.rendering.maps import Map
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, say, say_count, sentence


class DerivationView(NamedTuple):
    """Passages, then tables."""

    passages: tuple[PassageView, ...]
    tables: tuple[Table, ...]
    claims: tuple[ClaimView, ...] = ()
    maps: tuple[Map, ...] = ()


def claims_to_judge(problem: Problem, part: Part) -> tuple[Segments, ...]:
    """The claims of a part, numbered as its solution has them."""
    assert problem.assumptions is not None and part.abstract is not None
    found = [claim for one in part.abstract.claims for claim in claims_of_line(one.text, problem.assumptions)]
    return tuple(
        sentence(say("Claim {number}:", number=number), " ", stated(claim))
        for number, claim in enumerate(found, start=1)
    )


def derivation_view(problem: Problem, part: Part, settings: Settings) -> DerivationView:
    """The derivation of a part, as a template prints it."""
    assert problem.assumptions is not None and part.abstract is not None
    made = derive(problem.assumptions, part.abstract)
    places = problem.places if settings.places is None else settings.places
    chosen = [one for one in (made.table, made.expectations) if one is not None]
    tables = tuple(shown for one in chosen for shown in decimals_table(one, places))
    claims = tuple(claim_view(one, problem.places) for one in judge_part(problem, part))
    maps: tuple[Map, ...] = ()
    if made.draws is not None:
        from attnsolve.rendering.derivations.draw_maps import draw_map

        picture = DIALECTS_BY_NAME[settings.to].embeds or (settings.maps and pictures_beside(settings.to))
        maps = (draw_map(problem, part, made.draws, picture=picture),)
    return DerivationView(views(made, places), tables, claims, maps)


def decimals_table(made: Decimals | None, places: int) -> tuple[Table, ...]:
    """The table of a derivation, if it has one."""
    if made is None:
        return ()
    caption: Segments = ()
    if made.left_out:
        caption = say_count(
            "{count} combination is left out, which the assumptions forbid.",
            "{count} combinations are left out, which the assumptions forbid.",
            made.left_out,
        )
    return (table(made, places)._replace(caption=caption),)
