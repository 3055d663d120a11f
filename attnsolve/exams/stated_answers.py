"""What a part asks about symbols, answered as text: an exam keeps it, and compares it after an erratum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attnsolve.claims.sheets import judge_part
from attnsolve.derivations.answers import derive
from attnsolve.derivations.derivation import Derivation, Passage, Topic
from attnsolve.derivations.entries import derive_entries
from attnsolve.derivations.entry_results import results_of
from attnsolve.problem import Part
from attnsolve.rendering.derivations.formulas import RELATIONS, markup
from attnsolve.trace import Trace

# What somebody hands in, of all that a derivation has.
ASKED = (
    Topic.SCORES,
    Topic.WEIGHTS,
    Topic.OUTPUT,
    Topic.TOGETHER,
    Topic.LIMIT,
    Topic.SOLUTION,
    Topic.MONOTONY,
)
Rows = tuple[tuple[str, ...], ...]


def stated_answers(trace: Trace, part: Part) -> Iterator[tuple[str, Rows]]:
    """Each answer by its name, such as a.weights, a.limit, a.claim2; a second limit is a.limit2."""
    times = Counter[Topic]()
    for passage in derived(trace, part).passages:
        if passage.topic in ASKED:
            times[passage.topic] += 1
            number = times[passage.topic]
            yield f"{part.id}.{passage.topic.value}{number if number > 1 else ''}", rows_of(passage)
    if part.abstract is not None and part.abstract.claims:
        for name, found in zip(part.abstract.judged, judge_part(trace.problem, part), strict=True):
            yield f"{part.id}.{name}", ((found.claim.text, found.verdict.value),)


def derived(trace: Trace, part: Part) -> Derivation:
    """The derivation of a part; nothing where it asks about a random dot product only."""
    assumptions = trace.problem.assumptions
    if part.abstract is not None and assumptions is not None:
        return derive(assumptions, part.abstract)
    if part.entries is not None and part.entries.about:
        return derive_entries(results_of(trace, part), part.entries)
    return Derivation(())


def rows_of(passage: Passage) -> Rows:
    """The end of each chain in TeX, and what is said of it."""
    ends = tuple((f"{RELATIONS[chain[-1].relation]} {markup(chain[-1].right)}",) for chain in passage.chains)
    said = tuple((remark.outcome.value,) for remark in passage.remarks)
    return (*ends, *said)
