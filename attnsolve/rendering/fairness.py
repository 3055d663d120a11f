"""The fairness report as plain records: how alike the variants are, and what was refused on the way."""

from __future__ import annotations

from fractions import Fraction
from statistics import median
from typing import NamedTuple

from attnsolve.languages import decimal, message, template, translated
from attnsolve.papers import Fairness
from attnsolve.rendering import numerals
from attnsolve.rendering.charts import Chart, chart
from attnsolve.rendering.combinations import combinations, combinations_table, uses_table
from attnsolve.rendering.reasons import reason_words
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, prose, say, say_count, sentence

BINS = 12
WORK = message(
    "A usual variant is {usual} units of work (a plain product of two numbers is 4). "
    "Variants are within {band} of the usual: from {least} to {most}."
)
WORK_OF_FORMULAS = message(
    "A usual variant has formulas of {usual} pieces: numbers, letters, functions and operations. "
    "Variants are within {band} of the usual: from {least} to {most}."
)


class FairnessView(NamedTuple):
    """What a lecturer wants to see before printing."""

    title: Segments
    work: tuple[Segments, ...]
    efforts: Chart | None
    answers: tuple[Segments, ...]
    variety: Table | None
    drawn: Segments
    refused: Table | None
    weights: Chart | None
    allowed: tuple[Segments, ...]
    inseparable: tuple[Segments, ...]
    words: Segments
    uses: Table | None = None  # how often each exercise of a pool is on a paper
    combinations: Table | None = None

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The pictures of the report."""
        return tuple(each for each in (self.efforts, self.weights) if each is not None)


def fairness_view(fairness: Fairness) -> FairnessView:
    """The whole report."""
    return FairnessView(
        title=say("Fairness: {title}", title=prose(fairness.title)),
        work=work(fairness),
        efforts=efforts_chart(fairness) if fairness.efforts else None,
        answers=answers(fairness),
        variety=variety_table(fairness) if fairness.variety else None,
        drawn=drawn(fairness),
        refused=refused_table(fairness) if fairness.refused else None,
        weights=weights_chart(fairness.weights) if any(fairness.weights) else None,
        allowed=tuple(
            say("Part ({part}) lets pass: {judges}.", part=part, judges=", ".join(judges))
            for part, judges in fairness.allowed.items()
        ),
        inseparable=tuple(sentence(reason_words(why)) for why in fairness.inseparable),
        words=shared_words(fairness.words),
        uses=uses_table(fairness) if combinations(fairness) else None,
        combinations=combinations_table(fairness) if combinations(fairness) else None,
    )


def shared_words(names: tuple[str, ...]) -> Segments:
    """A hint at texts that speak of numbers and stand in every variant."""
    if not names:
        return ()
    return say(
        "These texts have numbers in them and are the same in every variant: {names}. "
        "Read whether they hold for all; omit under vary leaves a note out.",
        names=", ".join(names),
    )


def limits(fairness: Fairness) -> tuple[int, int]:
    """The least and the most work that the band allows, in whole numbers."""
    least, most = ((1 + side * fairness.band) * fairness.usual for side in (-1, 1))
    return -int(-least // 1), int(most // 1)


def work(fairness: Fairness) -> tuple[Segments, ...]:
    """The band, where the variants lie in it, and the original beside them."""
    least, most = limits(fairness)
    said = [
        say(
            WORK_OF_FORMULAS if fairness.counts_formulas else WORK,
            usual=fairness.usual,
            band=percent(fairness.band),
            least=least,
            most=most,
        )
    ]
    efforts = sorted(fairness.efforts.values())
    if efforts:
        middle = Fraction(median([Fraction(effort) for effort in efforts]))
        shown = str(middle) if middle.denominator == 1 else decimal(f"{middle.numerator // 2}.5")
        said.append(
            say_count(
                "The {count} variant: least {least}, median {median}, most {most}.",
                "The {count} variants: least {least}, median {median}, most {most}.",
                len(efforts),
                least=efforts[0],
                median=shown,
                most=efforts[-1],
            )
        )
        said += spread(efforts[0], efforts[-1])
        outside = [code for code, effort in fairness.efforts.items() if not least <= effort <= most]
        if outside:
            said.append(say("Outside the band: {codes}.", codes=", ".join(sorted(outside))))
    if fairness.original is not None:
        said.append(typed(fairness.original, least, most))
    return tuple(said)


def typed(original: int, least: int, most: int) -> Segments:
    """The work of the problem itself, and whether that is usual."""
    if original > most:
        return say(
            "The problem as it was typed: {work}, which is outside the band: its own numbers are more work "
            "than any variant may be.",
            work=original,
        )
    if original < least:
        return say(
            "The problem as it was typed: {work}, which is outside the band: its own numbers are less work "
            "than any variant may be.",
            work=original,
        )
    return say("The problem as it was typed: {work}.", work=original)


def answers(fairness: Fairness) -> tuple[Segments, ...]:
    """Where neighbours may well have the same answer."""
    return tuple(
        say(
            "The {count} variants have only {different} different answers for {name}: "
            "neighbours may share one. More freedom under vary: gives more.",
            count=count,
            different=different,
            name=name,
        )
        for name, (different, count) in fairness.shared.items()
    )


def variety_table(fairness: Fairness) -> Table:
    """How many different answers there are to what is asked."""
    header = (say("asked for"), say("different answers"))
    rows = tuple(
        (sentence(name), say("{different} of {count}", different=different, count=count))
        for name, (different, count) in fairness.variety.items()
    )
    return Table((), header, rows)


def spread(least: int, most: int) -> list[Segments]:
    """How much more the most is than the least."""
    if not most > least > 0:
        return []
    return [say("The most is {share} more than the least.", share=percent(Fraction(most - least, least)))]


def percent(share: Fraction) -> str:
    """A share in whole per cent, said to be about when it is."""
    exact = share * 100
    rounded = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    if exact.denominator == 1:
        return translated("{number}\u00a0%", number=rounded)
    return translated("about {number}\u00a0%", number=rounded)


def efforts_chart(fairness: Fairness) -> Chart:
    """How many variants there are of so much work, over the whole band."""
    least, most = limits(fairness)
    efforts = sorted(fairness.efforts.values())
    first, last = min(least, efforts[0]), max(most, efforts[-1])
    width = max(1, -(-(last - first + 1) // BINS))
    counts = []
    for low in range(first, last + 1, width):
        high = min(low + width - 1, last)
        label = str(low) if low == high else f"{low}–{high}"
        counts.append((label, sum(low <= effort <= high for effort in efforts)))
    return chart(translated("Variants by work"), translated("work"), counts, "fairness-work.svg")


def weights_chart(weights: tuple[int, ...]) -> Chart:
    """How many attention weights fall into each tenth."""
    size = len(weights)
    counts = [(f"{edge(i, size)}–{edge(i + 1, size)}", count) for i, count in enumerate(weights)]
    return chart(
        translated("Attention weights of all variants"), translated("weight"), counts, "fairness-weights.svg"
    )


def edge(place: int, size: int) -> str:
    """The end of one of `size` equal pieces from 0 to 1."""
    return decimal(numerals.fraction(*Fraction(place, size).as_integer_ratio(), "decimals"))


def drawn(fairness: Fairness) -> Segments:
    """How many candidates were needed."""
    refused = sum(fairness.refused.values())
    candidates = refused + fairness.accepted
    if not candidates:
        return ()
    return say(
        "{accepted} of {candidates} candidates were accepted ({share}).",
        accepted=fairness.accepted,
        candidates=candidates,
        share=percent(Fraction(fairness.accepted, candidates)),
    )


def refused_table(fairness: Fairness) -> Table:
    """Which judge refused how often, the busiest first."""
    header = (say("judge"), say("refused"))
    busiest = sorted(fairness.refused.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((sentence(complaint(fairness, judge)), sentence(str(times))) for judge, times in busiest)
    return Table((), header, rows)


def complaint(fairness: Fairness, judge: str) -> str:
    """A judge by name, and what it complains about."""
    said = template(fairness.complaints.get(judge, ""))
    return translated("{judge}: {complaint}", judge=judge, complaint=said) if said else judge
