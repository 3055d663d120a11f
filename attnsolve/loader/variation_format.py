"""The format of `vary:`, what changes in exam variants and how strict the judges of them are."""

from __future__ import annotations

from attnsolve.recipes import Field
from attnsolve.variation import GENERATION

# Under `vary:` these stand beside the names of givens, and of numbers under `let:`.
VARY = (
    Field("fixed", "names", "givens that stay as they are, when nothing says which ones vary: [W_O]"),
    Field("shapes", "shapes", "sizes to choose from, all of them changed together: [{X: 3x2}, {X: 4x2}]"),
    Field(
        "choose",
        "choose",
        "keys of parts and what may stand there: {b.queries: [[1], [2]]}; "
        "or a list of maps, whose keys are chosen together: [{b.queries: [1], b.ask: …}, …]",
    ),
    Field(
        "claims",
        "claim-counts",
        "with symbols: how many claims of a part each paper has, by their verdicts: {e: {true: 2, false: 1}}",
    ),
    Field("design", "design", "weights that a part is to have, in any order: {a: [1/2 1/3 1/6, 1/4 3/4]}"),
    Field("omit", "keys", "what holds for the original's numbers only and variants leave out: [b.note]"),
    Field("judges", "judge-settings", "how strict the judges of variants are: {smallest_weight: 0.02}"),
    Field("allow", "judges", "what any part may have: [ties]"),
    Field("want", "wants", "what every variant must have: [ties]"),
    Field("band", "share", "how far the work of a variant may be from the usual: 10%"),
    Field("version", "integer", "raise it to get other numbers for everybody (default 1)", low=1, high=9999),
    Field(
        "generation",
        "integer",
        "which judges, mistakes and search decide (default: the newest; an exam keeps its own)",
        low=1,
        high=GENERATION,
    ),
)

# Under `vary: {claims: {e: …}}`: how many claims with each verdict a paper has.
MOST_CLAIMS = 20
CLAIM_COUNTS = (
    Field("true", "integer", "claims that are true", low=0, high=MOST_CLAIMS),
    Field("conditional", "integer", "claims that are true only under a condition", low=0, high=MOST_CLAIMS),
    Field("approximate", "integer", "claims that are approximately true", low=0, high=MOST_CLAIMS),
    Field("false", "integer", "claims that are false", low=0, high=MOST_CLAIMS),
)

JUDGE_SETTINGS = (
    Field("smallest_weight", "share", "no weight is below this (default 0.01)"),
    Field("largest_weight", "share", "no weight is above this (default 0.95)"),
    Field(
        "digits",
        "integer",
        "the digits of a numerator and a denominator together (default 6)",
        low=1,
        high=40,
    ),
    Field("negatives", "share", "how many of the drawn numbers may be negative: 1/2, 50% (default all)"),
    Field("fractions", "share", "how many of them may be fractions (default all)"),
    Field("rational_scale", "flag", "scores are divided by rational numbers only"),
)

DOMAIN = (
    Field("entries", "range", "from the least number to the largest: -2..2"),
    Field("denominators", "sizes", "the denominators that entries may have (default 1)"),
    Field("set", "cells", "the numbers themselves: [0, 1/2, ln(2)]"),
)
