"""What is right on a paper with symbols, as the key of an exam lists it: results, and verdicts on claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attnsolve.derivations.derivation import Passage, Topic
from attnsolve.papers import Paper
from attnsolve.problem import Part
from attnsolve.problem_set import Exercise, exercises_of
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.derivations.claim_lines import scheme_table
from attnsolve.rendering.derivations.entry_sections import derived_entries
from attnsolve.rendering.derivations.formulas import RELATIONS, markup
from attnsolve.rendering.derivations.passages import lead, remarks
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, in_a_row, listed, sentence
from attnsolve.trace import Trace


class StatedKey(NamedTuple):
    """The answers about symbols of one paper."""

    code: Words
    student: Words
    answers: tuple[Segments, ...]


def stated_key(paper: Paper) -> StatedKey | None:
    """The answers of a paper, if it asks about symbols."""
    found = tuple(
        answer
        for exercise, trace in exercises_of(paper.trace)
        for part in trace.problem.parts
        for answer in stated_answers(trace, part, exercise)
    )
    return StatedKey(words(paper.code), words(f"{paper.student} {paper.name}"), found) if found else None


def stated_answers(trace: Trace, part: Part, exercise: Exercise | None) -> Iterator[Segments]:
    """What is right in a part, each with its name."""
    label = f"({part.id})" if exercise is None else exercise.label(part.id)
    if part.abstract is not None:
        table = scheme_table(trace.problem, part, str if exercise is None else exercise.outer)
        for name, right, _ in () if table is None else table.rows:
            yield sentence(name, ": ", right)
    if part.entries is not None and part.entries.about:
        made = derived_entries(trace, part, Settings())
        for passage in made.passages:
            answer = answer_of(passage, trace.problem.places)
            if answer:
                is_limit = passage.topic is Topic.LIMIT  # whose answer does not say where to
                yield sentence(label, " ", in_a_row((lead(passage), answer)) if is_limit else answer)


def answer_of(passage: Passage, places: int) -> Segments:
    """What a passage came to: what is said of it, or the end of each of its chains."""
    said = remarks(passage, places=places)
    if said:
        return said
    ends = []
    for chain in passage.chains:
        left = next((line.left for line in reversed(chain) if line.left is not None), None)
        last, shown = chain[-1], "" if left is None else markup(left)
        ends.append(formula(f"{shown} {RELATIONS[last.relation]} {markup(last.right)}"))
    return listed(ends) if ends else ()
