"""Drawing variants of problems with symbols: numbers are drawn, and their derivations judged.

There are few numbers in such a problem, so that they are drawn until all judges accept them. What was found
out about some numbers is kept: others get the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import zip_longest
from statistics import median_low
from typing import NamedTuple

from attnsolve.claims.verdict import Verdict
from attnsolve.documents import parse
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.problem import Problem
from attnsolve.reasons import Reason
from attnsolve.rewriting import Path, found, rewritten, written
from attnsolve.trace import Step, Trace
from attnsolve.variants import structure
from attnsolve.variants.blueprint import Selection, typed_rows
from attnsolve.variants.candidates import Undefined, carried_out
from attnsolve.variants.culprits import impossible
from attnsolve.variants.drawing import Drawer, Variant
from attnsolve.variants.forms import Numbers
from attnsolve.variants.generator import CALIBRATION, Stream
from attnsolve.variants.judges import has_equal_lines, has_zero_line
from attnsolve.variation import ClaimCounts, Entry

SAMPLE = 8  # variants drawn to learn what is usual work
TRIES = 400  # draws before a problem is called impossible


class Original(NamedTuple):
    """What the numbers of the file itself come to, to which all others are held."""

    problem: Problem
    groups: tuple[structure.Groups, ...]
    kinds: tuple[structure.Kind | structure.TableKind, ...]
    verdicts: Mapping[str, tuple[Verdict, ...]]


class Judged(NamedTuple):
    """What was found out about some numbers: who refuses them, or their work and the claims there are."""

    objection: str
    work: int = 0
    verdicts: Mapping[str, tuple[Verdict, ...]] = {}
    claim_work: Mapping[str, tuple[int, ...]] = {}


class Drawn(NamedTuple):
    """The file of a variant that the judges accept, and how much work it is."""

    text: str
    effort: int


class SymbolicDrawer(Drawer):
    """Draws variants of one problem with symbols; the same identity always gets the same."""

    def draw(self, identity: str) -> Variant:
        """The variant of an identity: a student's number, or the number of a variant."""
        labels = (self.blueprint.name, self.blueprint.vary.version, identity)
        selection = self.blueprint.select(Stream(self.key, *labels, "selection"))
        refused, usual = Counter[str](), self.usual_effort
        for drawn in self._drawn(selection, Stream(self.key, *labels, "numbers"), refused):
            if abs(drawn.effort - usual) <= self.blueprint.vary.band * usual:
                trace = solve(self.blueprint.loaded(drawn.text))
                effort = drawn.effort
                return Variant(identity, trace.problem, trace, drawn.text, selection, effort, refused)
            refused["effort"] += 1
        raise impossible(self.blueprint.name, refused)

    def effort_of(self, problem: Problem) -> int:
        """The pieces of every formula that is written down, and of the claims."""
        trace = solve(problem)
        claims = (one for found in structure.judgements_of(trace).values() for one in found)
        derived = structure.work_of(trace, structure.derivations_of(trace))
        return derived + sum(map(structure.work_of_claim, claims))

    @cached_property
    def usual_effort(self) -> int:
        """The work of a usual variant: the median of a sample over all selections."""
        return median_low(
            [one for selection in self.blueprint.selections() for one in self._efforts(selection)]
        )

    def inseparable(self) -> tuple[Reason, ...]:
        """No mistakes are told apart in formulas: each is judged as it stands."""
        return ()

    def _efforts(self, selection: Selection) -> Iterator[int]:
        """The work of a few variants, the same for every key."""
        refused = Counter[str]()
        for number in range(SAMPLE):
            labels = (self.blueprint.name, self.blueprint.vary.version, selection, number)
            drawn = next(self._drawn(selection, Stream(CALIBRATION, *labels), refused), None)
            if drawn is None:
                raise impossible(self.blueprint.name, refused)
            yield drawn.effort

    def _drawn(self, selection: Selection, stream: Stream, refused: Counter[str]) -> Iterator[Drawn]:
        """Files that every judge but that of the work accepts, one after the other."""
        original = self._original(selection)
        for _ in range(TRIES):
            numbers = self._numbers(original.problem, stream)
            named = {name: stream.choose(texts) for name, texts in self.blueprint.vary.named.items()}
            text = self._text(selection, original.problem, numbers, named)
            judged = self.blueprint.kept(
                ("judged", selection, text), partial(self._judged, original, text, numbers)
            )
            if judged.objection:
                refused[judged.objection] += 1
                continue
            picks = {counts.part: picked(counts, judged, stream) for counts in self.blueprint.vary.claims}
            claims = sum(
                work
                for part, works in judged.claim_work.items()
                for place, work in enumerate(works)
                if part not in picks or place in picks[part]
            )
            yield Drawn(with_claims(text, original.problem, picks), judged.work + claims)

    def _numbers(self, problem: Problem, stream: Stream) -> Numbers:
        """Numbers in the places of numbers; letters stay."""
        return {
            name: [
                [
                    Entry(given.typed[i][j], given.value.cell(i, j))
                    if given.value.cell(i, j).rational() is None
                    else stream.choose(domain.entries)
                    for j in range(given.value.shape[1])
                ]
                for i in range(given.value.shape[0])
            ]
            for name, domain in self.blueprint.vary.domains.items()
            for given in (problem.givens[name],)
        }

    def _text(
        self, selection: Selection, problem: Problem, numbers: Numbers, named: Mapping[str, str]
    ) -> str:
        changes: dict[Path, str | None] = {("let", name): text for name, text in named.items()}
        for name, rows in numbers.items():
            changes["given", name] = typed_rows(problem, name, rows)
        return self.blueprint.changed(selection, changes)

    def _original(self, selection: Selection) -> Original:
        """What a selection comes to with the numbers of the file itself."""

        def learned() -> Original:
            trace = solve(self.blueprint.loaded(self.blueprint.changed(selection, {})))
            judgements = structure.judgements_of(trace)
            return Original(
                trace.problem,
                tuple(structure.groups_of(trace.problem, trace.steps)),
                structure.kinds_of(trace, structure.derivations_of(trace)),
                {part: structure.verdicts_of(found) for part, found in judgements.items()},
            )

        return self.blueprint.kept(("original", selection), learned)

    def _judged(self, original: Original, text: str, numbers: Numbers) -> Judged:
        """What the judges say, the quick ones first."""
        allowed = self.blueprint.vary.allow
        if "zero_rows" not in allowed and any(map(has_zero_line, numbers.values())):
            return Judged("zero_rows")
        if "equal_rows" not in allowed and any(map(has_equal_lines, numbers.values())):
            return Judged("equal_rows")
        steps = list[Step]()
        try:
            problem = self.blueprint.loaded(text)
            groups = structure.groups_of(problem, carried_out(problem, steps))
            if "groups" in allowed:
                tuple(groups)  # so that all steps are taken
            elif any(own != other for own, other in zip_longest(groups, original.groups)):
                return Judged("groups")
            return self._judged_trace(original, Trace(problem, tuple(steps)), allowed)
        except (AttnsolveError, Undefined):
            return Judged("undefined")

    def _judged_trace(self, original: Original, trace: Trace, allowed: Sequence[str]) -> Judged:
        derivations = structure.derivations_of(trace)
        if "outcomes" not in allowed and structure.kinds_of(trace, derivations) != original.kinds:
            return Judged("outcomes")
        judgements = structure.judgements_of(trace)
        verdicts = {part: structure.verdicts_of(found) for part, found in judgements.items()}
        drawn = {counts.part: counts for counts in self.blueprint.vary.claims}
        for part, own in verdicts.items():
            if part not in drawn and "verdicts" not in allowed and own != original.verdicts[part]:
                return Judged("verdicts")
            if part in drawn and any(own.count(one) < wanted for one, wanted in wishes(drawn[part])):
                return Judged("too_few_claims")
        claim_work = {part: tuple(map(structure.work_of_claim, found)) for part, found in judgements.items()}
        return Judged("", structure.work_of(trace, derivations), verdicts, claim_work)


def wishes(counts: ClaimCounts) -> tuple[tuple[Verdict, int], ...]:
    """How many claims with each verdict a paper has."""
    return (
        (Verdict.TRUE, counts.true),
        (Verdict.CONDITIONAL, counts.conditional),
        (Verdict.APPROXIMATE, counts.approximate),
        (Verdict.FALSE, counts.false),
    )


def picked(counts: ClaimCounts, judged: Judged, stream: Stream) -> frozenset[int]:
    """Which claims of a part a paper has, by their places in the file."""
    verdicts = judged.verdicts[counts.part]
    places = [
        place
        for wanted, number in wishes(counts)
        for place in stream.shuffled([at for at, one in enumerate(verdicts) if one is wanted])[:number]
    ]
    return frozenset(places)


def with_claims(text: str, problem: Problem, picks: Mapping[str, frozenset[int]]) -> str:
    """The file with these claims alone, in the order that they had."""
    if not picks:
        return text
    root, changes = parse(text.encode(), problem.name), dict[Path, str | None]()
    for place, part in enumerate(problem.parts):
        path: Path = ("parts", place, "claims")
        node = found(root, path)
        if part.id in picks and node is not None:
            items = node[1].items if node[1].is_list else (node[1],)
            kept = [written(item) for number, item in enumerate(items) if number in picks[part.id]]
            changes[path] = f"[{', '.join(kept)}]"
    return rewritten(root, changes)
