"""The file that `attnsolve new NAME` writes: a small exercise that solves at once, choices in comments."""

from __future__ import annotations

import re

from attnsolve.errors import AttnsolveError
from attnsolve.loader.parts import WINDOWS_DEVICES
from attnsolve.variation import GENERATION

NAME = re.compile(r"[a-z0-9-]{1,80}")

STARTER = """\
# Texts with a colon, a # or LaTeX go into single quotes. Leave out what you do not need.
format: 1
title: TITLE
source: the course and sheet it comes from
convention: rows      # rows: Q = X W.  columns: q = W h.  torch: y = x W' + b
places: 4             # decimal places of the answers
given:                # rows are separated by ; and numbers are exact: 0.1, 1/3, sqrt(2), -3/2
  X: 1 0; 0 1; 1 1    # three tokens, a row each in every convention; also [[1, 0], [0, 1], [1, 1]]
  W_Q: 1 2; 0 1       # also ones(2x2), identity(2), fill(2x2, i + j), 2*W_V, {file: W.csv}
  W_K: 1 0; 1 1
  W_V: 2 0; 0 2
# labels: [the, cat, sat]          # names for the tokens
# symbols: {A: '\\hat\\alpha'}       # how results print; LaTeX needs single quotes
# round: {carry: 3}                # go on from rounded values, as by hand
parts:
  - id: a             # its results are a.Q, a.K, a.V, a.S (scores), a.T (scaled), a.A (weights), a.Z
    ask: 'Every token attends to every token. Find the attention weights and the output $Z$.'
    self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, divide_by: sqrt(d_k)}
    # also: queries: [2] (only token 2 asks), weights: argmax or relu, multiply_by: 1/2, divide_by: none
    find: [A, Z]      # where the plan ends: names, rows A[2] or cells A[2, 1]
    marks: {scores: 2, weights: 2, output: 1}
    plot: weights
    # published: {Z: 1.39 1.85; 1.20 1.60; 1.36 1.92}   # the sheet's own answer, to be checked
  - id: b
    ask: What changes if all the weight goes to the largest score?
    like: a           # part a again, with this changed
    self_attention: {weights: {argmax: {ties: split}}}
    marks: {weights: 1, output: 1}   # without this line those of part a count here too
  - id: c
    ask: Why are the scores divided by the root of the size of a key?
    discuss: Without it the scores grow with that size, and softmax puts all the weight on one token.
# vary: {X: -2..2, W_Q: -1..1, generation: GENERATION}   # exams: other numbers for everybody
# other plans: attend (queries, keys, values, or scores alone), cross_attention, multi_head, and
# any steps at all: plan: [{S: 'dot(X, X)'}, {A: 'softmax(S)'}, {Z: 'mix(A, X)'}]
"""


def starter(name: str) -> str:
    """The commented starter file for a problem of this name."""
    if not NAME.fullmatch(name):
        raise AttnsolveError(
            f"'{name}' cannot be the name of a problem: use only a-z, 0-9 and -, at most 80 of them"
        )
    if name in WINDOWS_DEVICES:
        raise AttnsolveError(f"'{name}' is the name of a device on Windows; choose another")
    text = STARTER.replace("GENERATION", str(GENERATION))
    return text.replace("TITLE", name.replace("-", " ").strip().capitalize() or "Attention by hand")
