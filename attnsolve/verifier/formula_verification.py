"""The verdict on formulas that somebody hands in for results with letters: `alpha_2 = e^t/(e + e^t)`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from attnsolve.assumptions import Result
from attnsolve.claims.examples import FAILS, search
from attnsolve.claims.letter_claims import approach_of
from attnsolve.claims.wanted import TITLES
from attnsolve.derivations.results import Place, ResultNames
from attnsolve.errors import AttnsolveError, ExpressionError, UsageError
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.texts import as_text
from attnsolve.graph import Graph
from attnsolve.limits import LIMITS
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import Call, Part
from attnsolve.reasons import Reason, on_line, reason
from attnsolve.records import NamedTuple
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.scheme import stated_worth, worth
from attnsolve.statements.answers import entry_by_entry
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.grammar import check_length
from attnsolve.statements.tree import PARTIAL, Limit, Name, Tree, names, put_in, replaced, with_euler
from attnsolve.submission import Submission
from attnsolve.trace import Trace
from attnsolve.verifier.letter_answers import LetterQuestions, Said, chained
from attnsolve.verifier.marking.overrides import is_marked, overridden, part_marks, placed

INFINITY = Name("oo")
DENOMINATOR = Name("D")  # what people call the sum of the exponentials: D = e + e^t


class Written(NamedTuple):
    """What somebody says that a number of a result is."""

    text: str
    value: Tree


class FormulaVerifier:
    """Judges the formulas that any number of people hand in for one problem with letters in its matrices."""

    def __init__(self, trace: Trace) -> None:
        assert trace.problem.assumptions is not None
        self.trace, self.problem = trace, trace.problem
        self.letters = Letters(trace.problem.assumptions.symbols)
        self.graph = Graph(self.problem.calls())
        self.parts = {part.id: part for part in self.problem.parts if part.calls or part.entries}
        self.questions = {
            part.id: LetterQuestions(trace, part) for part in self.problem.parts if part.stated
        }
        self.values = {step.call.out: step.value for step in trace.steps}
        self.groups: dict[str, list[list[tuple[int, int]]]] = {}

    @property
    def placing(self) -> FormulaVerifier:
        """What tells which step or part a mark by hand is for: this one itself."""
        return self

    def marked(self, typed: str, part: str = "") -> str:
        """The step or part that a mark by hand is for."""
        steps = (call.out for call in self.problem.calls())
        known = {*steps, *(name for one in self.problem.parts for name in (one.id, *one.stated))}
        for name in (typed, f"{part}.{typed}"):
            if name in known:
                return name
        raise UsageError(f"there is no '{typed}'; there are {', '.join(sorted(known))}")

    def knows(self, name: str, part: str) -> bool:
        """Whether there is a step or an answer that is called so."""
        return is_marked(self, name, part)

    def prepare(self) -> None:
        """Find out beforehand which numbers of each result are equal, and what solves what."""
        for call in self.problem.calls():
            self.equal_numbers(call.out)
        for asked in self.questions.values():
            asked.prepare()

    def as_understood(self, submission: Submission) -> Submission:
        """The formulas as they were read."""
        return submission

    def equal_numbers(self, result: str) -> list[list[tuple[int, int]]]:
        """The places of a result, those together that have one formula: of these one is enough."""
        if result not in self.groups:
            made: list[list[tuple[int, int]]] = []
            for i, j, _ in self.values[result].cells():
                value = self.value(result, i, j)
                if INFINITY in names(value):  # nobody writes down what a mask has hidden
                    continue
                for group in made:
                    if self.letters.same(self.value(result, *group[0]), value):
                        group.append((i, j))
                        break
                else:
                    made.append([(i, j)])
            self.groups[result] = made
        return self.groups[result]

    def value(self, result: str, row: int, column: int) -> Tree:
        """One number of a result, as a formula."""
        return tree_of(self.values[result].cell(row, column))

    def verify(self, submission: Submission) -> Report:
        """The report on one person's formulas."""
        written, said, beside, lost = self.sorted(submission)
        kept, unplaced = placed(self, submission.overrides)
        steps: dict[str, StepReport] = {}
        for part in self.problem.parts:
            for call in part.calls:
                if worth(self.problem, part, call).total:
                    steps[call.out] = self.step(part, call, written)
            for name in part.stated:
                one = self.stated(part, name, said)
                if one.possible or one.typed:
                    steps[name] = one
            if part.question:
                possible = Fraction(part.in_words)
                steps[part.question] = StepReport(
                    part.question, part.title, Verdict.NOT_JUDGED, possible=possible
                )
        marked = tuple(overridden(step, kept) for step in self.with_marks_before(steps))
        return Report(
            problem=self.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=marked,
            unread=(*submission.unread, *lost, *unplaced),
            remarks=(
                *submission.remarks,
                *(reason("{claim} states nothing that was asked for there", claim=text) for text in beside),
            ),
            parts=part_marks(marked, kept) if kept else (),
        )

    def sorted(
        self, submission: Submission
    ) -> tuple[dict[Place, list[Written]], dict[str, Said], list[str], list[Reason]]:
        """Formulas by the number that they are for, answers about letters, and what is beside or not read."""
        made: dict[Place, list[Written]] = {}
        said = {part: asked.said() for part, asked in self.questions.items()}
        beside: list[str] = []
        lost: list[Reason] = []
        called: dict[Name, Tree] = {}  # D = …, up to the next part
        first, before = next(iter(self.parts), ""), ""
        for answer in submission.answers:
            text, part = answer.rows[0][0].text, answer.part or first
            if part != before:
                called, before = {}, part
            try:
                check_length(text, LIMITS)
                known = self.names_in(part)
                asked = self.questions.get(part)
                if asked is not None and asked.take_line(text, said[part], self.letters.domains):
                    continue
                for claim in self.claims(text, known):
                    claim = as_formula(claim)
                    right = None if approach_of(claim) else self.closed(claim, known, called)
                    if right is not None and claim.left == DENOMINATOR and "D" not in known.letters:
                        called[DENOMINATOR] = right
                    elif asked is not None and asked.take(closed_off(claim, called), said[part]):
                        continue
                    elif right is not None and isinstance(claim.left, Name):
                        made.setdefault(known.place(claim.left), []).append(Written(text, right))
                    elif claim.relation is not Relation.ABOUT:
                        beside.append(claim.text)
            except AttnsolveError as error:
                lost.append(on_line(answer.line, text, error.reason))
        return made, said, list(dict.fromkeys(beside)), lost

    def names_in(self, part: str) -> ResultNames:
        """What results may be called in a part."""
        if part not in self.parts:
            there = ", ".join(self.parts)
            raise AttnsolveError(reason("there is no part {part}; there are {parts}", part=part, parts=there))
        problem, entries = self.problem, self.parts[part].entries
        about = part if entries is None else entries.about
        upto = next(place for place, one in enumerate(problem.parts) if one.id == (about or part)) + 1
        return ResultNames.of(problem.parts[:upto], about, problem.frames, problem.index_from)

    def claims(self, text: str, results: ResultNames) -> Iterator[Statement]:
        """What a line claims; a result with one row is printed with a small letter, and may be written so."""
        taken = {*self.letters.domains, *results.letters, DENOMINATOR.name}
        small = {letter.lower(): letter for letter in results.letters if letter.lower() not in taken | {"e"}}

        def printed(piece: Tree) -> Tree | None:
            is_small = isinstance(piece, Name) and piece.name in small
            return Name(small[piece.name], piece.index) if isinstance(piece, Name) and is_small else None

        letters = frozenset({*results.letters, *small})
        for line in entry_by_entry(text, letters, first=results.first):
            found = statements(line, frozenset({*taken, *small}))
            for claim in chained(found):
                left, right = (replaced(side, printed) for side in (claim.left, claim.right))
                yield replace(claim, left=left, right=right, text=text)

    def closed(self, claim: Statement, known: ResultNames, called: dict[Name, Tree]) -> Tree | None:
        """The right side of an equation without conditions, if it says what something is in letters alone."""
        if claim.relation is not Relation.EQUAL or claim.conditions:
            return None
        right = with_euler(put_in(claim.right, called))
        if any(name.name in known.letters or name in (INFINITY, PARTIAL) for name in names(right)):
            return None
        unknown = [name for name in names(right) if name.name not in self.letters.domains or name.index]
        if unknown:
            raise ExpressionError(reason("'{name}' has no value here", name=unknown[0].name))
        return right

    def step(self, part: Part, call: Call, written: dict[Place, list[Written]]) -> StepReport:
        """What becomes of a result: every number of it counts alike, of equal ones one is enough."""
        possible = worth(self.problem, part, call).total
        groups = self.equal_numbers(call.out)
        right, texts = 0, list[str]()
        off: dict[Verdict, tuple[str, tuple[int, int]]] = {}  # the first of each kind
        for group in groups:
            found = [(one, place) for place in group for one in written.get(Place(call.out, *place), ())]
            verdicts = [self.judged(one.value, self.value(call.out, *place)) for one, place in found]
            for (one, place), verdict in zip(found, verdicts, strict=True):
                texts.append(one.text)
                if verdict is not Verdict.RIGHT:
                    off.setdefault(verdict, (one.text, place))
            right += bool(verdicts) and all(verdict is Verdict.RIGHT for verdict in verdicts)
        report = StepReport(
            call.out,
            call.op.title,
            Verdict.RIGHT if texts else Verdict.NOT_WRITTEN,
            possible * Fraction(right, max(1, len(groups))),
            possible,
            typed=texts[0] if texts else "",
        )
        if Verdict.WRONG in off:
            text, cell = off[Verdict.WRONG]
            expected = as_text(self.value(call.out, *cell))
            return replace(report, verdict=Verdict.WRONG, typed=text, cell=cell, expected=expected)
        if off:
            return replace(report, verdict=Verdict.UNDECIDED, typed=off[Verdict.UNDECIDED][0])
        is_part = bool(texts) and right < len(groups)
        return replace(report, notes=(Note(NoteKind.NOT_ALL_STATED),)) if is_part else report

    def stated(self, part: Part, name: str, said: dict[str, Said]) -> StepReport:
        """What becomes of a limit, a solution or a trend that was asked for."""
        own = name.rpartition(".")[2]
        found = self.questions[part.id].found(own, said[part.id])
        possible = stated_worth(self.problem, part, name)
        verdict, typed = Verdict.RIGHT, found.texts[0] if found.texts else ""
        if not found.texts:
            verdict = Verdict.NOT_WRITTEN
        elif found.wrong:
            verdict, typed = Verdict.WRONG, found.wrong
        elif found.is_open:
            verdict = Verdict.UNDECIDED
        is_part = verdict is Verdict.RIGHT and found.share < 1
        return StepReport(
            name,
            TITLES[Result(own)],
            verdict,
            possible * found.share,
            possible,
            typed=typed,
            expected=found.expected,
            notes=(Note(NoteKind.NOT_ALL_STATED),) if is_part else (),
        )

    def judged(self, written: Tree, value: Tree) -> Verdict:
        """Right if it is proven equal, wrong if there are numbers for which it is proven to differ."""
        try:
            if self.letters.same(written, value):
                return Verdict.RIGHT
            example = search(written, value, self.letters, FAILS[Relation.EQUAL])
        except AttnsolveError:
            return Verdict.UNDECIDED
        return Verdict.UNDECIDED if example is None else Verdict.WRONG

    def with_marks_before(self, steps: dict[str, StepReport]) -> Iterator[StepReport]:
        """Who has a later result right has had what it is made from."""
        have = {name for name, step in steps.items() if step.possible == step.earned > 0}
        behind = {call.out for name in have for call in self.graph.behind([name])} - have
        for name, step in steps.items():
            if name in behind and step.verdict in (Verdict.NOT_WRITTEN, Verdict.RIGHT):
                yield replace(step, earned=step.possible, notes=())
            else:
                yield step


def as_formula(claim: Statement) -> Statement:
    """A claim without what a letter tends to, where its right side still has it: `… = e^t/D -> 1`."""
    approach = approach_of(claim)
    if approach is None or approach.variable not in names(claim.right) or isinstance(claim.left, Limit):
        return claim
    kept = tuple(one for one in claim.conditions if one.relation is not Relation.TENDS)
    return replace(claim, conditions=kept)


def closed_off(claim: Statement, called: dict[Name, Tree]) -> Statement:
    """A claim with what was given a name put in, and the number e."""
    left, right = (with_euler(put_in(side, called)) for side in (claim.left, claim.right))
    return replace(claim, left=left, right=right)

