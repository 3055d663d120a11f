"""The scores of every query with every key: compared, scaled, biased, capped and masked, as a file says."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.exact import Rational
from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Family
from attnsolve.ops.misfits import Misfit, Unfit
from attnsolve.recipes import masks
from attnsolve.recipes.base import Chosen, Plan, present
from attnsolve.working import Apply, Expression, Symbol

DOT = OPS_BY_NAME["dot"]
DIVIDE, MULTIPLY = OPS_BY_NAME["divide"], OPS_BY_NAME["multiply"]

NO_SCALING = ("none", "1")

TURNED = {
    "Q": message("Queries turned by their places"),
    "K": message("Keys turned by their places"),
}


def compared(plan: Plan, Q: str, K: str, settings: Mapping[str, Any], *, d_model: int) -> str:
    """From queries and keys to the scores that become weights: S, T and M."""
    Q, K = turn(plan, "Q", Q, settings), turn(plan, "K", K, settings)
    scores = compare(plan, Q, K, settings)
    d_k = plan.frames[K].columns.size
    sizes = {"d": d_k, "d_k": d_k, "d_model": d_model, "n": plan.frames[K].rows.size}
    return prepare(plan, scores, settings, sizes)


def turn(plan: Plan, letter: str, source: str, settings: Mapping[str, Any]) -> str:
    """The queries or keys turned by their places, where the file says so."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op.family is not Family.ROTATION:
        return source
    with plan.at("position"):
        options = {**places(plan, source), **plan.chosen_options(chosen)}
        return plan.call(f"{letter}r", chosen.op, source, title=TURNED[letter], **options)


def bias(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The scores with what the places of queries and keys add to them, where the file says so."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op.family is not Family.BIAS:
        return scores
    with plan.at("position"):
        options = {**places(plan, scores), **plan.chosen_options(chosen)}
    with plan.at("position", chosen.op.name):
        return plan.call("Sb", chosen.op, scores, *chosen.matrices.values(), **options)


def places(plan: Plan, name: str) -> dict[str, Any]:
    """Where the rows of a value stand, when they are not the first tokens one after the other."""
    axis = plan.frames[name].rows
    usual = axis.tokens is None or axis.tokens == tuple(range(axis.size))
    return {} if usual else {"rows": axis.tokens}


def with_slope(settings: Mapping[str, Any], number: int, count: int) -> Mapping[str, Any]:
    """ALiBi's own slope of a head, 2^(-8h/H), where the file names none."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op is not OPS_BY_NAME["alibi"] or "slope" in chosen.settings:
        return settings
    slope = f"2^(-{Fraction(8 * (number + 1), count)})"
    return {**settings, "position": chosen._replace(settings={**chosen.settings, "slope": slope})}


def compare(plan: Plan, Q: str, K: str, settings: Mapping[str, Any]) -> str:
    """The scores of every query with every key."""
    score = scoring(settings)
    given = [score.matrices[name] for name in score.op.parameters[2:] if name in score.matrices]
    with plan.at("score"):
        options = plan.chosen_options(score)
    if any(option.name == "rows" for option in score.op.options):
        options = {**places(plan, Q), **options}
    try:
        return plan.call("S", score.op, Q, K, *given, **options)
    except Unfit as error:
        with plan.at(*_blamed(score, error.misfit, settings)):
            raise


def _blamed(score: Chosen, misfit: Misfit, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the file has what does not fit: a matrix or a setting of the score, or else the keys."""
    if misfit.parameter in (*score.matrices, *score.settings):
        return "score", score.op.name, misfit.parameter
    return (present(settings, "keys", "W_K", "W_Q", "context", "states", "input"),)


def scoring(settings: Mapping[str, Any]) -> Chosen:
    """The way in which queries and keys are compared: by dot product when the file says nothing."""
    return settings.get("score") or Chosen(DOT)


def prepare(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """Scores scaled, biased and masked (first where the file says so)."""
    first = masks.comes_first(settings)
    if first:
        scores = masks.hide(plan, scores, settings)
    scores = bias(plan, cap(plan, scale(plan, scores, settings, sizes), settings), settings)
    return scores if first else masks.hide(plan, scores, settings)


def scale(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """The scores divided or multiplied as the file says; dot products by √d_k when it says nothing."""
    if "multiply_by" in settings:
        with plan.at("multiply_by"):
            return plan.call("T", MULTIPLY, scores, by=plan.number(settings["multiply_by"], sizes))
    text = settings.get("divide_by")
    if text is None and scoring(settings).op is not DOT:
        return scores
    if text is not None and text.strip() in NO_SCALING:
        return scores
    with plan.at("divide_by"):
        by = root_of("d_k", sizes) if text is None else plan.number(text, sizes)
        return plan.call("T", DIVIDE, scores, by=by)


def cap(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The scores pressed under a bound, where the file has one."""
    if "soft_cap" not in settings:
        return scores
    with plan.at("soft_cap"):
        soft_cap = OPS_BY_NAME["soft_cap"]
        bound = plan.option(soft_cap.options[0], settings["soft_cap"], {})
        return plan.call("Sc", soft_cap, scores, cap=bound)


def root_of(name: str, sizes: Mapping[str, int]) -> Expression:
    """√name as an expression that knows its value."""
    return root_of_size(name, sizes[name])


@lru_cache(maxsize=256)
def root_of_size(name: str, size: int) -> Expression:
    """The same for one size; asked for twice it is one expression, so what follows is worked out once."""
    return Apply("sqrt", Symbol(name, Rational(size)))
