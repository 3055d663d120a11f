"""What the companion found, as text: a line for each comparison, and what was done to make it one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attnsolve.companion.checking import Check, Comparison

VERDICTS = {"agrees": "agrees", "precision": "off, as this precision is", "disagrees": "DISAGREES"}
WIDEST = 58


def lines(check: Check) -> Iterator[str]:
    """The report on one problem."""
    found = (*check.steps, *check.layers)
    if not found:
        yield f"{check.problem}: nothing to compare, this problem has no steps"
        return
    used = found[0].precision
    yield f"{check.problem} (torch {check.torch}, {used})"
    name = max(len("step"), *(len(one.name) for one in found))
    against = min(WIDEST, max(len(one.against) for one in found))
    header = f"  {'step':<{name}}  {'compared with':<{against}}  {'largest difference':<18}  {'ulps':>6}"
    for title, group in (("Step by step", check.steps), ("Whole layers", check.layers)):
        if group:
            yield f"{title}:"
            yield header
        for one in group:
            shown = f"{one.difference:.1e}" if one.difference else "0"
            yield (
                f"  {one.name:<{name}}  {shortened(one.against):<{against}}  {shown:<18}  "
                f"{'–' if one.difference and not one.ulps else counted(one.ulps):>6}  {VERDICTS[one.verdict]}"
            )
            yield from (f"  {'':<{name}}    {line}" for line in details(one))
    yield summary(check)


def details(one: Comparison) -> Iterator[str]:
    """What was done, what was too small or too large, and where and why torch disagrees."""
    yield from one.explained
    if one.underflows:
        many = "number is" if one.underflows == 1 else "numbers are"
        yield f"{one.underflows} {many} too small for {one.precision}: torch has 0 there, as expected"
    if one.overflows:
        many = "number is" if one.overflows == 1 else "numbers are"
        yield f"{one.overflows} {many} too large for {one.precision}: torch has inf there, as expected"
    if one.verdict == "agrees":
        return
    if one.place is not None:
        place = ", ".join(map(str, one.place))
        yield f"at [{place}] ours is {one.ours}, torch has {one.theirs}; {one.allowed:.1e} is allowed there"
    if one.cause:
        yield f"likely cause: {one.cause}"


def summary(check: Check) -> str:
    """One sentence on the whole problem."""
    found = (*check.steps, *check.layers)
    bad = [one.name for one in found if not one.fine]
    if bad:
        return f"torch DISAGREES at {', '.join(dict.fromkeys(bad))}"
    largest = max(found, key=lambda one: one.difference)
    ulps = counted(max(one.ulps for one in found))
    coarse = sum(one.verdict == "precision" for one in found)
    several = f"{coarse} of them " if len(found) > 1 else ""
    tail = f"; {several}only as closely as {found[0].precision} can" if coarse else ""
    worst = f"largest difference {largest.difference:.1e}, at most {ulps} ulps"
    many = "1 comparison" if len(found) == 1 else f"all {len(found)} comparisons"
    return f"torch agrees in {many} ({worst}){tail}"


def shortened(text: str) -> str:
    """A text that fits its column."""
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def counted(ulps: float) -> str:
    """Ulps with a digit or two, and no more than one can read."""
    return f"{ulps:.1f}" if ulps < 1000 else f"{ulps:.0e}"


def record(check: Check) -> dict[str, Any]:
    """The same for programs."""
    from dataclasses import asdict

    return {"schema": 1, "ok": check.fine, **asdict(check)}
