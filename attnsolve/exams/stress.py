"""Whether a problem stands the strain: many variants drawn, each solution written, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError
from attnsolve.exams.answers import variety
from attnsolve.exams.drawing import (
    Pattern,
    Wanted,
    basis_of,
    drawer_of,
    drawn,
    in_processes,
    prepare,
    variant_of,
)
from attnsolve.exams.lineups import lineups_of
from attnsolve.exams.lock import Drawn
from attnsolve.exams.originals import read_original
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.papers import shared
from attnsolve.rendering import Settings, render
from attnsolve.variation import JUDGES

SHEETS = ("exercise", "solution")
BAR = 40


class Tried(NamedTuple):
    """What became of one identity: its variant, or why there is none or no document of it."""

    identity: str
    variant: Drawn | None
    failure: str = ""


class Stress:
    """Many variants of a problem, and counts over them."""

    def __init__(self, path: Path, key: bytes, *, limits: Limits = LIMITS) -> None:
        original = read_original(path, limits=limits)
        self.pattern = Pattern(original.text, original.name, path.parent, key, limits)
        self.tried: list[Tried] = []

    def learn(self) -> None:
        """Find out what is usual."""
        prepare(drawer_of(self.pattern))

    def run(self, count: int, *, jobs: int = 1) -> Iterator[Tried]:
        """Try so many, in order, giving each when it is done."""
        self.learn()
        identities = [str(number) for number in range(1, count + 1)]
        lineups = lineups_of(drawer_of(self.pattern), identities)
        wanted = [Wanted(identity, lineups[identity]) for identity in identities]
        work = partial(try_all, self.pattern)
        for one in chain.from_iterable(in_processes(work, wanted, len(wanted), jobs=jobs)):
            self.tried.append(one)
            yield one

    @property
    def failures(self) -> list[Tried]:
        """Those without a variant, or without its solution."""
        return [one for one in self.tried if one.failure]

    @property
    def variety(self) -> dict[str, tuple[int, int]]:
        """How many different answers there are to what is asked, and of how many variants."""
        return variety(one.variant.answers for one in self.tried if one.variant is not None)

    def record(self) -> dict[str, Any]:
        """The report for programs."""
        basis = basis_of(drawer_of(self.pattern))
        variants = [one.variant for one in self.tried if one.variant is not None]
        efforts = sorted(variant.effort for variant in variants)
        refused = Counter[str]()
        for variant in variants:
            refused.update(variant.refused)
        judged = sum(refused.values()) + len(variants)
        texts = Counter(variant.text for variant in variants)
        return {
            "schema": 1,
            "ok": not self.failures,
            "problem": self.pattern.name,
            "variants": len(variants),
            "different": len(texts),
            "answers": {
                name: {"different": different, "of": count}
                for name, (different, count) in self.variety.items()
            },
            "judged": judged,
            "accepted": percent(len(variants), judged),
            "effort": {
                "usual": basis.usual,
                "original": basis.original,
                "least": efforts[0] if efforts else None,
                "median": efforts[len(efforts) // 2] if efforts else None,
                "most": efforts[-1] if efforts else None,
                "band": str(basis.band),
            },
            "refused": {judge: refused[judge] for judge in JUDGES if refused[judge]},
            "weights": [sum(counts) for counts in zip(*(v.weights for v in variants), strict=True)],
            "inseparable": list(map(str, basis.inseparable)),
            "failures": [{"variant": one.identity, "why": one.failure} for one in self.failures],
        }

    def lines(self) -> Iterator[str]:
        """The report for a person."""
        made = self.record()
        effort = made["effort"]
        some = "variant" if made["variants"] == 1 else "variants"
        yield f"{made['problem']}: {made['variants']} {some}, {made['different']} with different numbers"
        if self.variety:
            yield "different answers: " + ", ".join(f"{k} {n} of {of}" for k, (n, of) in self.variety.items())
        for name in shared(self.variety):
            yield f"  {name}: fewer than 90 % are different, so neighbours may share an answer"
        yield f"accepted {made['accepted']} % of {made['judged']} sets of numbers that were judged"
        yield (
            f"work from {effort['least']} to {effort['most']}, median {effort['median']} "
            f"(usual {effort['usual']}, as typed {effort['original']}; band ±{percent_of(effort['band'])} %)"
        )
        if made["refused"]:
            yield "refused:"
            yield from (f"  {times:>7}  {judge}: {JUDGES[judge]}" for judge, times in made["refused"].items())
        if any(made["weights"]):
            yield "weights:"
            yield from histogram(made["weights"])
        if made["inseparable"]:
            yield "no numbers tell apart:"
            yield from (f"  {sentence}" for sentence in made["inseparable"])
        for one in self.failures:
            yield f"variant {one.identity} failed: {one.failure}"


def try_all(pattern: Pattern, wanted: Sequence[Wanted]) -> list[Tried]:
    """Some variants, one after the other; one that fails stops no other."""
    return [tried(pattern, one) for one in wanted]


def tried(pattern: Pattern, wanted: Wanted) -> Tried:
    """One variant drawn, read back from its file, and its documents written."""
    variant, identity = None, wanted.identity
    try:
        variant = drawn(variant_of(drawer_of(pattern), wanted))
        name, folder, limits = pattern.name, pattern.folder, pattern.limits
        trace = solve_asked(loads_asked(variant.text, name=name, folder=folder, limits=limits))
        for sheet in SHEETS:
            render(trace, settings=Settings(to="latex", sheet=sheet))
    except AttnsolveError as error:
        return Tried(identity, variant, str(error))
    except Exception as error:  # a bug of ours is what this is here to find
        return Tried(identity, variant, f"attnsolve hit a bug: {type(error).__name__}: {error}")
    return Tried(identity, variant)


def histogram(counts: Sequence[int]) -> Iterator[str]:
    """A bar for each tenth from 0 to 1."""
    most = max(counts)
    for tenth, count in enumerate(counts):
        bar = "█" * round(Fraction(BAR * count, most))
        yield f"  0.{tenth} to {(tenth + 1) / 10:.1f}  {count:>7}  {bar}".rstrip()


def percent(part: int, whole: int) -> str:
    """A share in per cent, to one place."""
    tenths = round(Fraction(1000 * part, whole)) if whole else 0
    return f"{tenths // 10}.{tenths % 10}"


def percent_of(share: str) -> str:
    """`10` of `1/10`."""
    return str(round(Fraction(share) * 100))
