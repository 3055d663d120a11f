"""The report on a class as a lecturer opens it: marks, steps, known mistakes, variants, with small plots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from attnsolve.class_statistics import DEALS, FEWEST, ClassStatistics, Item, MistakeCount
from attnsolve.exact.decimals import round_rational
from attnsolve.languages import ENGLISH, speaking, template, translated
from attnsolve.marks import in_figures
from attnsolve.papers import Cover
from attnsolve.pdf_engines import Engine
from attnsolve.pool_statistics import PoolResult
from attnsolve.rendering import Document, printed
from attnsolve.rendering.booklets import cover_view
from attnsolve.rendering.charts import Chart, chart
from attnsolve.rendering.dialects import PDF, pictures_beside
from attnsolve.rendering.exams import filled
from attnsolve.rendering.pool_report import PoolView, pool_view
from attnsolve.rendering.shares import NOTHING, percent, rounded
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, in_a_row, prose, say, sentence

# A plot of marks has about so many bars, one of mistakes no more than so many.
BINS, MOST_MISTAKES = 10, 12


class ClassReportView(NamedTuple):
    """What there is to read about a class."""

    title: Segments
    marks: tuple[Segments, ...]
    totals: Chart | None
    parts: Table
    steps: Table
    steps_chart: Chart | None
    about_discrimination: Segments
    mistakes: Table | None
    mistakes_chart: Chart | None
    variants: Table | None
    about_variants: tuple[Segments, ...]
    pools: tuple[PoolView, ...] = ()

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The pictures of the report."""
        drawn = (self.totals, self.steps_chart, self.mistakes_chart)
        return tuple(each for each in drawn if each is not None)


def render_class_report(
    statistics: ClassStatistics,
    *,
    to: str = "markdown",
    stem: str = "report",
    flavour: str = "pandoc",
    lang: str = ENGLISH.code,
    pools: Sequence[PoolResult] = (),
    engine: Engine = Engine.TYPST,
) -> Document:
    """The report in a format; in Markdown its pictures stand beside it, named after `stem`."""
    if to == PDF:
        made = render_class_report(statistics, to=engine.source, stem=stem, lang=lang, pools=pools)
        return printed(made, engine)
    with speaking(lang):
        view = class_report_view(statistics, stem)._replace(pools=tuple(map(pool_view, pools)))
        text = filled("class", to, cover=cover_view(Cover(), None), report=view, flavour=flavour)
    beside = tuple((each.file, each.svg) for each in view.charts) if pictures_beside(to) else ()
    return Document(text, beside)


def class_report_view(statistics: ClassStatistics, stem: str) -> ClassReportView:
    """The whole report as plain records."""
    return ClassReportView(
        title=say("The class: {title}", title=prose(statistics.title)),
        marks=marks_sentences(statistics),
        totals=totals_chart(statistics.total, f"{stem}-marks.svg") if statistics.total.possible else None,
        parts=items_table(statistics.parts, say("part")),
        steps=items_table(statistics.steps, say("step")),
        steps_chart=shares_chart(statistics.steps, f"{stem}-steps.svg") if statistics.graded else None,
        about_discrimination=discrimination_sentence(),
        mistakes=mistakes_table(statistics) if statistics.mistakes else None,
        mistakes_chart=mistakes_chart(statistics.mistakes, f"{stem}-mistakes.svg"),
        variants=variants_table(statistics) if statistics.variants else None,
        about_variants=tuple(variants_sentences(statistics)),
    )


def middle_of(marks: tuple[Fraction, ...]) -> Fraction:
    """The median."""
    ranked, half = sorted(marks), len(marks) // 2
    return ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2


def marks_sentences(statistics: ClassStatistics) -> tuple[Segments, ...]:
    """How many there are, and what they earned."""
    total, left = statistics.total, statistics.without_marks
    people = (
        say("{graded} graded; {left} more without marks.", graded=statistics.graded, left=left)
        if left
        else say("{graded} graded.", graded=statistics.graded)
    )
    if not total.marks:
        return (people,)
    earned = say(
        "Marks of {possible}: mean {mean} ({share}), median {median}, from {lowest} to {highest}.",
        possible=in_figures(total.possible),
        mean=rounded(total.mean),
        share=percent(total.share),
        median=rounded(middle_of(total.marks)),
        lowest=rounded(min(total.marks)),
        highest=rounded(max(total.marks)),
    )
    said = [in_a_row((people, earned))]
    waiting = [f"{item.name} ({item.earned.count(None)})" for item in statistics.steps if None in item.earned]
    if waiting:
        said.append(
            say("Still to be marked by hand, and left out of the means: {steps}.", steps=", ".join(waiting))
        )
    return tuple(said)


def totals_chart(total: Item, file: str) -> Chart:
    """How many people earned so many marks."""
    width = max(1, -(-total.possible // BINS))
    edges = range(0, max(int(total.possible), 1), int(width))
    counts = []
    for low in edges:
        is_last = low + width >= total.possible
        inside = sum(low <= marks and (marks < low + width or is_last) for marks in total.marks)
        if is_last:
            label = translated("{low} to {high}", low=low, high=in_figures(total.possible))
        else:
            label = translated("{low} to below {high}", low=low, high=low + width)
        counts.append((label, inside))
    return chart(translated("Marks of the class"), translated("marks"), counts, file)


def shares_chart(items: tuple[Item, ...], file: str) -> Chart:
    """What share of its marks each step earned."""
    counts = [
        (item.name, round_rational(item.share * 100, 0).digits) for item in items if item.share is not None
    ]
    return chart(
        translated("Mean of each step in per cent of its marks, rounded"), translated("step"), counts, file
    )


def items_table(items: tuple[Item, ...], what: Segments) -> Table:
    """A line for each part or step."""
    heads = (
        what,
        say("marks"),
        say("mean"),
        say("share"),
        say("nothing"),
        say("some"),
        say("all"),
        say("discrimination"),
    )
    rows = tuple(
        tuple(
            sentence(words)
            for words in (
                f"{item.name} ({template(item.title)})" if item.title else item.name,
                in_figures(item.possible),
                rounded(item.mean),
                percent(item.share),
                *map(str, item.none_some_all),
                rounded(item.discrimination),
            )
        )
        for item in items
    )
    return Table((), heads, rows)


def discrimination_sentence() -> Segments:
    """What the last column is."""
    return say(
        "nothing, some, all: how many people earned so much of the marks. discrimination: the share of the "
        "marks that the upper 27 % of the class earn less the share of the lower 27 %, by marks for "
        "everything; whoever ties at the edge of a group belongs to it in part. A step near 0 does not tell "
        "strong from weak, one below 0 is worth a look at its wording or its key. "
        "It is left out for fewer than {fewest} people.",
        fewest=FEWEST,
    )


def mistakes_table(statistics: ClassStatistics) -> Table:
    """Each known mistake by name, how many made it, and where."""
    codes = [variant.code for variant in statistics.variants]
    by_code = {
        variant.code: {mistake.name: mistake.people for mistake in variant.mistakes}
        for variant in statistics.variants
    }
    heads = (say("mistake"), say("people"), say("share"), say("where"), *map(sentence, codes))
    rows = tuple(
        tuple(
            sentence(words)
            for words in (
                mistake.name,
                str(mistake.people),
                percent(Fraction(mistake.people, statistics.graded)),
                ", ".join(f"{step} {count}" for step, count in mistake.steps),
                *(str(by_code[code].get(mistake.name, 0)) for code in codes),
            )
        )
        for mistake in statistics.mistakes
    )
    return Table((), heads, rows)


def mistakes_chart(mistakes: tuple[MistakeCount, ...], file: str) -> Chart | None:
    """How many people made the most frequent mistakes."""
    counts = [(mistake.name, mistake.people) for mistake in mistakes[:MOST_MISTAKES]]
    return chart(translated("Known mistakes"), translated("mistake"), counts, file) if counts else None


def variants_table(statistics: ClassStatistics) -> Table:
    """A line for each variant: its people, their mean, and their share of each part."""
    parts = [item.name for item in statistics.parts]
    heads = (
        say("variant"),
        say("people"),
        say("mean"),
        say("share"),
        *(say("part {part}", part=name) for name in parts),
    )
    rows = []
    for variant in statistics.variants:
        shares = {item.name: percent(item.share) for item in variant.parts}
        words = (
            variant.code or translated("without a code"),
            str(len(variant.total.earned)),
            rounded(variant.total.mean),
            percent(variant.total.share),
            *(shares.get(name, NOTHING) for name in parts),
        )
        rows.append(tuple(map(sentence, words)))
    return Table((), heads, tuple(rows))


def variants_sentences(statistics: ClassStatistics) -> list[Segments]:
    """Whether one variant is harder, as far as marks can tell."""
    if statistics.explained is None:
        return []
    return [
        say(
            "Which variant somebody had goes with {share} of the variance of the marks (eta squared). "
            "The same marks, dealt out at random {deals} times, made the variants differ as much or more "
            "{times} times: below about {few} one may doubt that they are equally hard.",
            share=percent(statistics.explained),
            deals=DEALS,
            times=statistics.as_uneven_by_chance,
            few=DEALS // 20,
        )
    ]
