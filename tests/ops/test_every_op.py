"""The contract of ops: what is said here holds for every op in OPS, and an op without examples fails."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, combinations
from typing import Any, NamedTuple

import mpmath
import pytest
import sympy
from proofs import assert_is, assert_lines_hold

from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact import Matrix, Rationals, matrix_of_cells
from attnsolve.exact.masked import Masked
from attnsolve.expressions import expression, number
from attnsolve.ops import (
    NORMALISERS,
    NORMALISERS_BY_NAME,
    OPS,
    OPS_BY_NAME,
    PLACINGS_BY_NAME,
    SCORES_BY_NAME,
    Axis,
    Family,
    Formula,
    Frame,
    Mistake,
    Op,
)
from attnsolve.ops.misfits import Unfit
from attnsolve.recipes.shapes import FileWording, Layout
from attnsolve.working import evaluate

# -- examples -------------------------------------------------------------------------------------
# A matrix is written as in a problem file, `1 sqrt(2); -1 0`; `softmax 1 2; 3 4` is the softmax of one
# (attention rows), `softmax softmax …` the softmax of that (certified balls). `~3` is a score of 3 that a
# mask hides, `-inf` one of which nothing else is known. Options are texts too.


class Example(NamedTuple):
    inputs: tuple[str, ...]
    options: dict[str, Any]


def example(*inputs: str, **options: Any) -> Example:
    return Example(inputs, options)


SCORES = (
    "3 1 -2",  # a single query
    "1 2; 2 -1",
    "9/2 0 9/2 0; 0 1 -1 1/3",  # with a tie
    "sqrt(2) -sqrt(2)/2; 3*sqrt(2) 1/2",
    "sqrt(2) sqrt(3) 1; 1+sqrt(2) 2 -1",
    "ln(2) ln(3) 0; -ln(2) ln(6) ln(5)",
    "1054 852 -396",
    "tanh(1) 1/2; 0 tanh(2)",
    "softmax 1 0; 2 2",
)
CLOSE = ("1/2 0 1/3; 1/4 1/4 0", "3/5 1/2 2/5 -1/10", "sqrt(2) sqrt(3) 3/2; ln(2) 1/2 1")
SQUARE = (
    "1 2 3; 4 5 6; 7 8 9",
    "9/2 0 9/2; 0 1 -1; sqrt(2) 1 1",  # with a tie
    "1 ~2 3; 4 5 6; 7 8 9",  # masked already
    "tanh(1) 1/2 0; 1 tanh(2) 0; -1 0 pi",
)
MASKED = (
    "1 ~2 3/2; 2 1 3",
    "~3 sqrt(2) 1/2",  # a single query
    "~5 ~-1 1; 1 2 -inf",
    "tanh(1) ~1 1/2; 0 tanh(2) ~3",
    "sqrt(2) ~sqrt(5) sqrt(3) 1; 1+sqrt(2) 2 ~4 -1",
)
WEIGHTS = "softmax 1 0 1; 2 2 -1; 0 0 0"
EXAMPLES: dict[str, tuple[Example, ...]] = {
    "one_hot": (
        example("1 2; 3 4; 5 6"),
        example("1 2; 3 4; 5 6", length=5),
        example("sqrt(2) 1"),
        example(WEIGHTS, length=3),
    ),
    "sinusoid": (
        example("1 2; 3 4; 5 6"),
        example("1 2", positions_from="1"),
        example("1; 2; 3", width=6),
        example("1 2 3 4; 0 0 0 0; 1 1 1 1", base="100"),
        example("1 2 3 4; 0 0 0 0", base="10", frequencies_from="1", positions_from="1"),
        example("1 2; 3 4", width=4, base="pi", positions_from="0", frequencies_from="0"),
    ),
    "waves": (
        example("0; 3; 7", width=4),
        example("2", width=2, base="100"),
        example("1/2; sqrt(2)", width=4, base="10", frequencies_from="1"),
    ),
    "add": (
        example("1 -2 1/2", "1 0 3"),
        example("1 2; 3 -4", "sqrt(2) 1; 0 -1/3"),
        example("1 2 0; 3 -4 1; 0 0 1", WEIGHTS),
        example("tanh(1) 1; 0 2", "sqrt(2) tanh(1); pi 2"),
        example("softmax softmax 1 0; 2 2", "1 2; 0 -1"),
    ),
    "subtract": (
        example("1 -2 1/2", "1 0 3"),
        example("1 2; 3 -4", "sqrt(2) 1; 0 -1/3"),
        example("1 2 0; 3 -4 1; 0 0 1", WEIGHTS),
        example("tanh(1) 1; 0 2", "sqrt(2) tanh(1); pi 2"),
        example("1 2; 0 -1", "softmax softmax 1 0; 2 2"),
    ),
    "times": (
        example("1 -2 1/2", "1 0 3"),
        example("1 2; 3 -4", "sqrt(2) 1; 0 -1/3"),
        example("1 2 0; 3 -4 1; 0 0 1", WEIGHTS),
        example("tanh(1) 1; 0 2", "sqrt(2) tanh(1); pi 2"),
        example("1 2; 0 -1", "softmax softmax 1 0; 2 2"),
    ),
    "stack": (
        example("1 2", "5 6"),
        example("1 2; 3 4", "5 6", "0 sqrt(2)"),
        example("1 sqrt(2)", "tanh(1) 1/2; 0 0"),
        example("softmax 1 0; 2 2", "1 2"),
        example("1 2; 3 4", "softmax softmax 1 0; 2 2"),
    ),
    "product": (
        example("1 -2 1/2", "1 0; 2 -1; 1/2 3"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1"),
        example("tanh(1) 1; 0 2", "1 2; -1 1/2"),
        example("softmax 1 0; 2 2", "1 2; 3 4"),
        example("softmax softmax 1 0; 2 2", "1 2 0; 3 4 1"),
    ),
    "transpose": (
        example("1 -2 1/2"),
        example("1 2; 3 -4"),
        example("sqrt(2) 1 0; 0 1/2 tanh(1)"),
        example("softmax 1 0; 2 1"),
        example("softmax softmax 1 0; 2 2"),
    ),
    "join": (
        example("1 2; 3 4", "5; 6"),
        example("1 sqrt(2)", "tanh(1) 1/2 0"),
        example("softmax 1 0; 2 2", "1 2; 3 4"),
        example("1 2; 3 4", "softmax softmax 1 0; 2 2"),
    ),
    "select": (
        example("1 2; 3 4; 5 6", rows=(1,)),
        example("1/2 sqrt(2); -1 0; 4 4", rows=(2, 0)),
        example("1 -1", rows=(0,)),
        example(WEIGHTS, rows=(1,)),
    ),
    "project": (
        example("1 -2 1/2", "1 0; 2 -1; 1/2 3"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("1 2; 3 -4", "0 1; 1/3 2", "5 -1/2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2 0; sqrt(2) -1 1", "1 0 sqrt(2)"),
        example("tanh(1) 1; 0 2", "1 2; -1 1/2", "1 1"),
        example(WEIGHTS, "1 2; 0 -1; 3 1/2", "1 -1"),
        example("softmax softmax 1 0; 2 2", "1 2; 0 -1"),
    ),
    "recur": (
        example("1 -2 1/2", "1 0; 2 -1; 1/2 3", "1 -1", "0 1; 1 2"),
        example("1 2; 3 -4", "0 1; 1/3 2", "1 0; -1 2", "1 1; 0 1/2", "5 -1/2"),
        example("sqrt(2) 1", "1 2; sqrt(2) -1", "sqrt(3) 0", "1 0; 2 1", "1 sqrt(2)"),
        example("1 2", "1 0; 0 1", "tanh(1) -1/2", "1 2; 3 -1", "0 1"),
        example("softmax 1 0; 2 2", "1 2; 0 -1", "1 2; 0 1", "1 0; 1 1"),
        example("1 0", "1 2; 0 -1", "softmax softmax 1 0", "1 0; 1 1", "1 1"),
    ),
    "split": (
        example("1 2 3 4; 5 6 7 8", start=0, stop=2),
        example("1 sqrt(2) 3 4", start=2, stop=4),
        example(WEIGHTS, start=1, stop=3),
    ),
    "dot": (
        example("-2 1 -1", "-2 1 1/2; 1 3/2 -1/2; -3/2 1 -1/2; -2 -5/2 3/2"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1; 1/2 sqrt(6)"),
        example("tanh(1) 1", "1 2; -1 1/2"),
        example("softmax 1 0; 2 2", "1 2; 0 -1"),
        example("1 2; 0 -1", "softmax 1 0; 2 2"),
    ),
    "bilinear": (
        example("1 -2", "1 0 2; 0 1 1/2; 3 1 -1", "1 0 2; 3 -1 1"),
        example("1 2; 3 -4", "0 1; 1/3 2", "1 2; 0 1"),
        example("1 2; 3 -4", "0 1; 1/3 2; 0 0", "1 2; 0 1", "-1/2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1", "sqrt(3) 1; 0 sqrt(2)", "sqrt(2)"),
        example("tanh(1) 1; 0 1", "1 2; -1 1/2", "1 1; 0 2", "1"),
        example("softmax 1 0; 2 2", "1 2; 0 -1", "1 0; 2 1"),
        example("1 2; 0 1", "softmax softmax 1 0; 2 2", "1 0; 2 1"),
    ),
    "additive": (
        example("1 -2", "1 0 2; 0 1 1/2", "1 0; 0 1", "1 0; 1/2 1; 0 -1", "2 -1"),
        example("1 2; 3 -4", "0 1; 1/3 2", "1 2; 0 1", "1 0; 1 1", "1 1/2"),
        example("1 2; 3 -4", "0 1; 1 2", "1 2 0 1; 0 1 1 0", "1 0 1 1; 1 1 0 -1", "1 0 1/2 -2"),
        example("1 1; 0 1", "1 0; 0 1", "1 0; 0 1", "-1 0; 0 -1", "1 1"),  # tanh 0
        example("sqrt(2) 1; 0 -1", "1 2; sqrt(2) -1", "1; sqrt(2)", "0; 1", "sqrt(3)"),
        example("tanh(1) 1", "1 2; -1 1/2", "1; 1", "0; 2", "1"),
        example("softmax 1 0; 2 2", "1 2; 0 -1", "1 0; 0 1", "1 0; 2 1", "1 -1"),
    ),
    "concat": (
        example("1 -2", "1 0 2; 0 1 1/2", "1 0; 0 1; 1 0; 1/2 1; 0 -1", "2 -1"),
        example("1 2; 3 -4", "0 1; 1/3 2", "1 2; 0 1; 1 0; 1 1", "1 1/2"),
        example("1 2 3; 3 -4 0", "1; 2", "1 0 0 1; 0 1 1 0; 1 1 0 0; 1/2 1 2 3", "1 0 1/2 -2"),
        example("sqrt(2) 1; 0 -1", "1 2; sqrt(2) -1", "1; sqrt(2); 0; 1", "sqrt(3)"),
        example("softmax 1 0; 2 2", "1 2; 0 -1", "1 0; 0 1; 1 0; 2 1", "1 -1"),
    ),
    "cosine": (
        example("-2 1 -1", "-2 1 1/2; 1 3/2 -1/2; -4 2 -2; 1 2 0"),  # parallel, and at a right angle
        example("3 4; 5 12", "4 3; -3 4"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1; 1/2 sqrt(6)"),
        example("tanh(1) 1", "1 2; -1 1/2"),
        example("softmax 1 0; 2 2", "1 2; 0 -1"),
        example("softmax softmax 1 0; 2 2", "1 2; 0 -1"),
    ),
    "rotary": (
        example("1 2", angle="pi/2", positions_from="1"),
        example("1 0; 0 2; -1 1/2", angle="pi/2"),
        example("1 0 2 1; 0 2 -1 3", angle="pi/3", base="4", rows=(2, 5)),
        example("1 0 2 1; 0 2 -1 3; 1 1 1 1", pairs="half", angle="pi/4", base="9"),
        example("1 0 2 1; 0 2 -1 3"),
        example("1 0 2 1; 0 2 -1 3", base="100", angle="1/2", positions_from="1", pairs="interleaved"),
        example("sqrt(2) 1; 0 -sqrt(3); 1 1", angle="pi/6"),
        example("tanh(1) 1; 0 1", angle="1"),
        example("softmax 1 0; 2 2", angle="pi/2"),
        example("softmax softmax 1 0; 2 2", rows=(3, 1)),
    ),
    "relative": (
        example("1 -2", "1 0; 0 1; 3 1", "1 0; 0 0; 1/2 1"),
        example("1 2; 3 -4; 1 1", "0 1; 1/3 2; 1 1", "1 2; 0 1; 1 -1"),
        example("1 2; 3 -4", "0 1; 1 2; 0 0", "1 2; 0 1; 0 0; 3 1/2; 2 1", rows=(2, 0)),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1", "1 sqrt(2)"),
        example("tanh(1) 1; 0 1", "1 2; -1 1/2", "1 1; 0 2; 1 0"),
        example("softmax 1 0; 2 2", "1 2; 0 -1", "1 0; 2 1; 0 0"),
    ),
    "alibi": (
        *(example(scores, slope="1/2") for scores in (*SCORES, *MASKED)),
        example("1 2 3; 4 5 6; 7 8 9"),
        example("1 2 3; 4 5 6", slope="sqrt(2)/4", rows=(2, 0)),
    ),
    "distance_bias": (
        *(example(scores, "1 0 -1/2") for scores in (*SCORES, *MASKED)),
        example("1 2 3; 4 5 6; 7 8 9", "3 1 0 sqrt(2) 1"),
        example("1 2 3; 4 5 6", "2 0 1", rows=(2, 0)),
        example("1 2; 4 5", "tanh(1) 0 1"),
    ),
    "bucket_bias": (
        *(example(scores, "1 0 -1/2 2") for scores in (*SCORES, *MASKED)),
        example("1 2 3 4 5 6 7 8 9 10 11 12; 0 0 0 0 0 0 0 0 0 0 0 0", "0 1 2 3 4 5 6 7", longest=8),
        example("1 2 3 4 5 6 7 8 9; 0 0 0 0 0 0 0 0 0", "0 1 2 3", rows=(8, 3), direction="past", longest=8),
        example("1 2 3; 4 5 6; 7 8 9", "1 sqrt(2) 0 tanh(1)", direction="both"),
    ),
    "soft_cap": (
        *(example(scores, cap="2") for scores in (*SCORES, *MASKED)),
        example("1 2; 30 -50", cap="sqrt(2)"),
    ),
    "sink_softmax": (
        *map(example, SCORES),
        *map(example, MASKED),
        example("1 2; 2 -1", sink="2"),
        example("1 sqrt(2); 2 -1", sink="ln(2)"),
    ),
    "top_k": (
        *(example(scores, k=2, ties="first") for scores in (*SCORES, *MASKED)),
        *(example(scores, k=1) for scores in (*SCORES, *MASKED) if scores not in (SCORES[2], SCORES[8])),
        example("9/2 0 9/2 0", k=2),
    ),
    "sigmoid_weights": (
        *map(example, SCORES),
        *map(example, MASKED),
        example("1 2; 2 -1", bias="-ln(2)"),
        example("1 sqrt(2)", bias="1/2"),
    ),
    "window": (
        *(example(scores, size=2) for scores in SQUARE),
        example("3 1 -2", size=1),
        example("1 2 3 4; 5 6 7 8; 1 1 1 1; 2 2 2 2", size=1, sinks=1),
        example("1 2 3 4; 5 6 7 8; 1 1 1 1; 2 2 2 2", size=2, everywhere=(3,)),
        example("1 2 3 4; 5 sqrt(2) 7 8", size=1, rows=(3, 1)),
        example("softmax 1 0; 2 2", size=1),
    ),
    "blocks": (
        *(example(scores, size=2) for scores in SQUARE),
        example("3 1 -2", size=1),
        example("1 2 3 4; 5 sqrt(2) 7 8", size=2, rows=(3, 1)),
        example("softmax 1 0; 2 2", size=1),
    ),
    "feature": tuple(
        example(numbers, **options)
        for options in ({}, {"map": "relu"}, {"map": "exp"}, {"map": "square"})
        for numbers in (
            "1/2 -2 0",
            "1 2; 3 -4",
            "sqrt(2) -sqrt(3); 1-sqrt(2) ln(2)",
            "tanh(1) -1/3; 1 tanh(-2)",
            "softmax 1 0; 2 2",
            "softmax softmax 1 0; 2 2",
        )
    ),
    "tile": (
        example("1 2 3", start=1, stop=3),
        example("1 2 ~3; 4 sqrt(2) 6", start=0, stop=2),
        example("softmax 1 0 2; 2 2 0", start=2, stop=3),
    ),
    "running_maximum": (
        example("3 1 -2"),
        example("1 2; 2 -1", "3; 1"),
        example("sqrt(2) -sqrt(2)/2; 3*sqrt(2) 1/2", "sqrt(3); 5"),
        example("~3 -inf; 1 ~2", "-inf; 1/2"),
        example("tanh(1) 1/2; 0 tanh(2)", "1/3; 2"),
        example("softmax 1 0; 2 2", "1/2; 2/3"),
    ),
    "shifted_exponentials": (
        example("3 1 -2", "3"),
        example("1 2; 2 -1", "3; 1/2"),
        example("sqrt(2) ~3; ln(2) ln(3)", "sqrt(3); ln(3)"),
        example("~3 -inf; 1 ~2", "-inf; 1/2"),
        example("tanh(1) 1/2; 0 tanh(2)", "1; 2"),
    ),
    "rescaling": (
        example("1", "3"),
        example("-inf; 1; sqrt(2)", "-inf; 1; sqrt(3)"),
        example("tanh(1); 0", "1; ln(3)"),
    ),
    "running_sum": (
        example("1 1/2"),
        example("softmax 1 0; 2 2"),
        example("1 1/2; 0 1/3", "1/2; 1/4", "1; 2"),
        example("exp(-1) 1; 1 exp(-3)", "exp(-2); 1", "1+exp(-1); 2"),
        example("tanh(1) 1; 1 1/2", "1/2; 1", "2; 1"),
        example("softmax softmax 1 0", "1/3", "2"),
    ),
    "running_output": (
        example("1 1/2", "1 2; 3 4"),
        example("softmax 1 0; 2 2", "1 2; 3 4"),
        example("1 1/2; 0 1/3", "1 sqrt(2); -1 2", "1/2; 1/4", "1 0; 2 1"),
        example("exp(-1) 1; 1 exp(-3)", "1 2; 0 -1", "exp(-2); 1", "1 exp(-1); 2 0"),
        example("softmax softmax 1 0", "1 2; 3 4", "1/3", "2 1"),
    ),
    "over_sum": (
        example("1 2 3", "2"),
        example("1 sqrt(2); 3 0", "2; sqrt(3)"),
        example("1 exp(-1); 2 0", "1+exp(-1); 2+exp(-2)"),
        example("tanh(1) 2; 3 0", "2; 3"),
        example("softmax softmax 1 0; 2 2", "2; 3"),
    ),
    "half": (
        example("1 1/3 -1/10"),
        example("65519 2049; 2051 1/3"),
        example("exp(-1) sqrt(2); ~3 exp(-20)"),
        example("1/3*2^(-14) 3*2^(-25); 0 -2^(-26)"),
        example("softmax 1 0; 2 2"),
    ),
    "overflow": (
        example("65519 65520 -70000"),
        example("exp(11) exp(12); ~3 40000"),
        example("sqrt(2) 1; 0 -65520"),
    ),
    "total": (
        example("1 -2 1/2"),
        example("1 2; 3 -4; 1 1"),
        example("sqrt(2) 1; 0 -sqrt(3)"),
        example("tanh(1) 1; 0 2"),
        example("softmax 1 0; 2 2"),
        example("softmax softmax 1 0; 2 2"),
    ),
    "ratio": (
        example("1 2", "1 0; 2 -1", "1 3"),
        example("1 2; 3 4", "1 0 1; 2 -1 1/2", "1 3"),
        example("sqrt(2) 1; 1 sqrt(3)", "1 2; sqrt(2) -1", "2 sqrt(2)"),
        example("tanh(1) 1; 1 2", "1 2; -1 1/2", "1 1"),
        example("softmax 1 0; 2 2", "1 2; 3 4", "1 2"),
        example("softmax softmax 1 0; 2 2", "1 2 0; 3 4 1", "1 1/2"),
    ),
    "divide": (
        *(example(scores, by="sqrt(2)") for scores in (*SCORES, *MASKED)),
        example("9/2 0 9/2 0", by="sqrt(3)"),
        example("1 2; 2 -1", by="2"),
        example("1 sqrt(2)", by="-1/3"),
    ),
    "multiply": (
        *(example(scores, by="1/2") for scores in (*SCORES, *MASKED)),
        example("1 2; 2 -1", by="sqrt(2)"),
        example("sqrt(2) 1", by="3*sqrt(2)"),
    ),
    "causal": (
        *map(example, SQUARE),
        example("3 1 -2"),
        example("1 2 3; 4 5 6", rows=(2, 0)),
        example("1 2; 3 4; 5 6"),  # more queries than keys
        example("1 2; 3 4", rows=(4, 0)),
        example("sqrt(2) 2 3 4; tanh(1) 5 6 7", rows=(0, 1)),
        example("softmax 1 0; 2 2"),
    ),
    "lengths": (
        *(example(scores, lengths=(1, 2, 3)) for scores in SQUARE),
        example("3 1 -2", lengths=(2,)),
        example("1 2 3; 4 5 6", lengths=(2,)),
        example("1 2 3; tanh(1) 5 6", lengths=(2, 1)),
        example("softmax softmax 1 0; 2 2", lengths=(2, 1)),
    ),
    "drop_keys": (
        *(example(scores, keys=(1,)) for scores in SQUARE),
        example("3 1 -2", keys=(2, 0)),
        example("softmax 1 0; 2 2", keys=(0,)),
    ),
    "drop_queries": (
        example("1/2 1/2 0; 0 1 0; 1/3 1/3 1/3", queries=(1,)),
        example("3 1 -2", queries=(0,)),
        example("tanh(1) 2; 3 sqrt(2)", queries=(1, 0)),
        example("softmax 1 0; 2 2", queries=(0,)),
    ),
    "keep": (
        *(example(scores, "1 0 1; 1 1 0; 0 1 1") for scores in SQUARE),
        example("3 1 -2", "1 0 1"),
        example("1 2; 3 4", "1 1; 1 1"),
        example("tanh(1) 2; 3 sqrt(2)", "1 0; 0 1"),
        example("softmax 1 0; 2 2", "1 0; 1 1"),
    ),
    "drop": (
        *(example(scores, "0 1 0; 0 0 1; 1 0 0") for scores in SQUARE),
        example("3 1 -2", "0 1 0"),
        example("1 2; 3 4", "0 0; 0 0"),
        example("tanh(1) 2; 3 sqrt(2)", "0 1; 1 0"),
    ),
    "add_mask": (
        *(example(scores, "0 -inf 0; 0 0 -inf; 1/2 -1 0") for scores in SQUARE),
        example("3 1 -2", "0 -inf sqrt(2)"),
        example("1 2; 3 4", "0 -1/2; 1 0"),
        example("tanh(1) 2; 3 sqrt(2)", "-inf 0; 1 -1"),
        example("softmax 1 0; 2 2", "0 -1; -inf 2"),
        example("1 ~2; 3 4", "0 0; -inf 0"),
    ),
    "softmax": (
        *map(example, SCORES),
        example("1 2; 2 -1", temperature="2"),
        example("1 sqrt(2); 2 -1", temperature="sqrt(2)"),
        example("1 1; 2 2"),
        *map(example, MASKED),
        example("1 ~2 3/2; 2 1 3", temperature="2"),
    ),
    "argmax": (
        *(example(scores) for scores in SCORES if scores not in (SCORES[2], SCORES[8])),
        *map(example, MASKED),
        example("1 3 3; 2 1 0", ties="first"),
        example("1 3 3; 2 1 0", ties="split"),
        example("sqrt(8) 2*sqrt(2) 1", ties="split"),
        example("3 1 -2", ties="refuse"),
    ),
    "relu": (
        *(example(scores) for scores in SCORES if scores != "1054 852 -396"),
        example("14 12 -1; 12 21 -8; -1 -8 13"),
        example("1 1 0; 0 2 -2"),
        example("sqrt(2) sqrt(3) -1; 1 -2 sqrt(5)"),
        *map(example, MASKED),
    ),
    "sparsemax": tuple(map(example, (*SCORES, *CLOSE, *MASKED))),
    "entmax15": tuple(map(example, (*SCORES, *CLOSE, *MASKED))),
    "entmax": (
        *(example(scores, alpha="5/4") for scores in (*SCORES, *CLOSE, *MASKED)),
        *(example(scores, alpha=alpha) for scores in (*CLOSE, *MASKED[:2]) for alpha in ("2", "3/2")),
        example("1/2 0 1/3; 1/4 1/4 0", alpha="3"),
        example("1/2 0 1/3; 1/4 1/4 0", alpha="sqrt(2)"),
        example("1 9/10; 1 3/10", alpha="4"),
    ),
    "sum": (*map(example, SCORES), *map(example, MASKED), example("-1 -3; 2 -1/2")),
    "softmax2": (*map(example, SCORES), *map(example, MASKED), example("1 1; 2 5")),
    "mix": (
        example("1/2 1/2 0; 0 1 0", "1 2; 3 -4; 5 sqrt(2)"),
        example("1/3 2/3", "1 2; -2 0"),
        example("softmax 3 1 -2", "1 0; -1/2 2; 3 3"),
        example("softmax 9/2 0 9/2 0", "-2 1 1/2; 1 3/2 -1/2; -3/2 1 -1/2; -2 -5/2 3/2"),
        example(WEIGHTS, "1 -1; 2 0; -1 1"),
        example(WEIGHTS, "1 sqrt(2); 2 0; -1 sqrt(3)"),
        example("softmax sqrt(2) 1; 0 -sqrt(3)", "1 2; 3 4"),
        example("softmax 1 0; 2 2", "softmax 1 1; 0 3"),
        example("softmax softmax 1 0; 2 2", "1 2; 3 4"),
        example("tanh(1) 1/2", "1 2; 0 4"),
    ),
    "concatenate": (
        example("1 2; 3 4", "5 6; 7 8"),
        example("1 2; 3 4", "sqrt(2); -1", "1/2 0 1; 0 0 0"),
        example("softmax 1 0; 2 2", "1 2; 3 4"),
        example("softmax 1 0; 2 2", "softmax sqrt(2) 0; 2 1"),
        example("1 2"),
    ),
    "output": (
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("1 2; 3 -4", "0 1; 1/3 2", "1 -1"),
        example("1 2", "0 1 5; 1/3 2 sqrt(2)"),
        example(WEIGHTS, "1 2; 0 -1; 3 1/2"),
        example("softmax 1 0; 2 2", "1 sqrt(2); 0 -1", "2 3"),
    ),
    "layer_norm": (
        example("1 2 3"),
        example("1 2 3; 3 -4 1/2", "1 2 1/2"),
        example("1 2 3; 3 -4 1/2", "1 2 1/2", "0 1 -1"),
        example("1 2 3 6; 1 1 1 5", epsilon="0"),
        example("1 1; 2 4", "1 sqrt(2)", "tanh(1) 0"),  # numbers that are all equal
        example("1 2; 3 -4", epsilon="1/4", epsilon_at="deviation"),
        example("1 2 3; 3 -4 1", "1 2 1/2", "0 1 -1", epsilon="1/10", epsilon_at="variance"),
        example("1 2 3; 3 -4 1", "1 2 1/2", epsilon_at="deviation"),
        example("sqrt(2) 1 0; 0 sqrt(3) 1", epsilon="1"),
        example("tanh(1) 1; 0 2", epsilon="0"),
        example(WEIGHTS, "1 2 3", "0 1 0", epsilon="1/2"),
        example("softmax softmax 1 0; 2 5", "1 2", "3 -1"),
    ),
    **{
        name: (
            example("1/2 -2 0"),
            example("1 2; 3 -4"),
            example("sqrt(2) -sqrt(3); 1-sqrt(2) ln(2)"),
            example("tanh(1) -1/3; pi tanh(-2)"),
            example("softmax 1 0; 2 2"),
            example("softmax softmax 1 0; 2 2"),
        )
        for name in ("sigmoid", "tanh", "rectify", "gelu", "silu")
    },
    "blend": (
        example("1/2 1/4", "1 -2", "3 0"),
        example("1/3 0; 1 2/3", "1 2; 3 -4", "sqrt(2) 1; 0 -1/3"),
        example("1/3 0; 1 sqrt(2)", "tanh(1) 2; 3 -4", "1 1; 0 -1/3"),
        example("softmax 1 0; 2 1", "1 2; 0 -1", "0 1; 2 2"),
        example("1/2 1/4", "1 -2", "softmax softmax 1 0"),
    ),
    "gate": (
        example("1/2 1/4", "1 -2", "1/3 1", "3 0"),
        example("1/3 0; 1 2/3", "1 2; 3 -4", "1/2 1/2; 0 1", "sqrt(2) 1; 0 -1/3"),
        example("1/3 0; 1 sqrt(2)", "tanh(1) 2; 3 -4", "1/4 1; 2 3", "1 1; 0 -1/3"),
        example("softmax 1 0; 2 1", "1 2; 0 -1", "1/2 1/3; 1 0", "0 1; 2 2"),
        example("1/2 1/4", "1 -2", "1/3 1/2", "softmax softmax 1 0"),
    ),
    "probabilities": tuple(map(example, SCORES)),
    "rms_norm": (
        example("1 2 3"),
        example("1 2 3; 3 -4 1/2", "1 2 1/2"),
        example("1 2 3 6; 1 1 1 1", epsilon="0"),
        example("3 4; 1 -7", "1 sqrt(2)", epsilon="1/4"),
        example("sqrt(2) 1 0; 0 sqrt(3) 1", epsilon="1"),
        example("tanh(1) 1; 0 2", epsilon="0"),
        example(WEIGHTS, "1 2 3", epsilon="1/2"),
        example("softmax softmax 1 0; 2 5", "1 2"),
    ),
    "embed": (
        example("1 2; 3 4; 5 6; 7 8", words=(1, 2, 1)),
        example("1/2 sqrt(2); -1 0; 4 4", words=(2, 0)),
        example("1 -1", words=(0, 0)),
        example(WEIGHTS, words=(1,)),
    ),
    "logits": (
        example("1 2", "1 0; 0 1; 2 -1"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1"),
        example("tanh(1) 1; 0 2", "1 2; -1 1/2; 0 0"),
        example("softmax 1 0; 2 2", "1 2; 0 -1"),
        example("softmax softmax 1 0; 2 2", "1 2; 0 -1"),
    ),
    "top_words": (
        example("1/2 1/4 1/4", k=2),
        example("1/2 1/8 3/8; 1/3 2/3 0", k=1),
        example("softmax 1 2 3; 0 2 1", k=2),
        example("softmax sqrt(2) 1 0", k=3),
        example("softmax softmax 1 0 3; 2 2 1", k=2),
    ),
    "nucleus": (
        example("1/2 1/4 1/4", p="3/4"),
        example("1/2 1/8 3/8; 1/3 2/3 0", p="1/2"),
        example("softmax 1 2 3; 0 2 1", p="9/10"),
        example("softmax sqrt(2) 1 0", p="1/3"),
        example("softmax softmax 1 0 3; 2 2 1", p="7/10"),
    ),
    "perplexity": (
        example("1/2"),
        example("1; 2; 0"),
        example("ln(2); ln(8)"),
        example("sqrt(2); 1"),
        example("tanh(1); 1/3"),
    ),
    "cross_entropy": (
        example("softmax 1 2 3", target=(1,)),
        example("1/2 1/4 1/4; 1/3 2/3 0", target=(2, 1)),
        example("softmax 1 2; 2 -1; 0 0", target=(0, 1, 1)),
        example("softmax sqrt(2) 1 0", target=(0,)),
        example("softmax softmax 1 0; 2 2", target=(0, 1)),
        example("tanh(1) 1/3", target=(0,)),
    ),
    # The way back.
    "unit_gradient": (
        example("3"),
        example("1; sqrt(2); 5", share="mean"),
        example("1; sqrt(2); 5", share="sum"),
        example("softmax 1 0; 2 2"),
    ),
    "cross_entropy_gradient": (
        example("1/2 1/4 1/4", "1", target=(1,)),
        example("1/2 1/4 1/4; 1/3 2/3 0", "1/2; 1/2", target=(2, 1)),
        example("softmax 1 2; 2 -1", "1; sqrt(2)", target=(0, 1)),
        example("softmax softmax 1 0; 2 2", "1; 2", target=(0, 1)),
    ),
    "logits_gradient": (
        example("1/2 1/4 1/4", "1", target=(1,)),
        example("1/2 1/4 1/4; 1/3 1/3 1/3", "1/2; -1", target=(2, 1)),
        example("softmax 1 2; 2 -1", "1; sqrt(2)", target=(0, 1)),
        example("softmax sqrt(2) 1 0", "tanh(1)", target=(0,)),
        example("softmax softmax 1 0; 2 2", "1; 2", target=(0, 1)),
    ),
    "left_gradient": (
        example("1 -2", "1 0; 2 -1; 1/2 3"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2; sqrt(2) -1; 1 1"),
        example("tanh(1) 1; 0 2", "1 2; -1 1/2"),
        example("softmax 1 0; 2 1", "1 2; 3 4"),
    ),
    "right_gradient": (
        example("1 -2", "1 0 1/2"),
        example("1 2; 3 -4", "0 1; 1/3 2"),
        example("sqrt(2) 1; 0 -sqrt(3)", "1 2 3; sqrt(2) -1 0"),
        example("tanh(1) 1; 0 2", "1 2; -1 1/2"),
        example("softmax 1 0; 2 1", "1 2; 3 4"),
    ),
    "softmax_jacobian": (
        example("1/2 1/4 1/4", rows=(0,)),
        example("1/2 1/4 1/4; 1/3 2/3 0", rows=(1,)),
        example("softmax 1 0; 2 -1", rows=(1,)),
        example("softmax softmax 1 0; 2 1", rows=(0,)),
    ),
    "softmax_gradient": (
        example("1/2 1/4 1/4", "1 -2 3"),
        example("1/2 1/4 1/4; 1/3 2/3 0", "1 -2 3; 0 1/2 1"),
        example("1/2 1/4 1/4; 1/3 2/3 0", "1 -2 3; 0 1/2 1", temperature="2"),
        example("1/2 1/2; 1/3 2/3", "sqrt(2) 1; tanh(1) 0", temperature="sqrt(2)"),
        example("softmax 1 0; 2 -1", "1 2; 3 -1"),
        example("softmax softmax 1 0; 2 1", "1 2; 3 -1"),
    ),
    "sum_gradient": (
        example("1 2 -1", "1/2 1 -1/2", "1 -2 3"),
        example("1 2; 3 1", "1/3 2/3; 3/4 1/4", "1 0; sqrt(2) tanh(1)"),
        example("1 ~2 3; 2 1 1", "1/4 0 3/4; 1/2 1/4 1/4", "1 -2 3; 0 1 2"),
    ),
    "relu_gradient": (
        example("1 3 -1", "1/4 3/4 0", "1 -2 3"),
        example("1 2; 3 -1", "1/3 2/3; 1 0", "1 0; sqrt(2) tanh(1)"),
        example("1 ~2 3; 2 1 -1", "1/4 0 3/4; 2/3 1/3 0", "1 -2 3; 0 1 2"),
    ),
    "sparsemax_gradient": (
        example("1/2 1/2 0", "1 -2 3"),
        example("1/2 0 1/2; 1/3 1/3 1/3", "1 -2 3; 0 1/2 sqrt(2)"),
        example("1/4 3/4; 1 0", "tanh(1) 0; 2 1"),
    ),
    "entmax_gradient": (
        example("4/9 4/9 1/9 0", "1 -2 3 5", alpha="3/2"),
        example("1/4 3/4; 1 0", "sqrt(2) 0; 2 1", alpha="3/2"),
        example("1/2 0 1/2; 1/3 1/3 1/3", "1 -2 3; 0 1/2 sqrt(2)", alpha="2"),
        example("1/4 3/4 0; 1/2 1/3 1/6", "tanh(1) 0 1; 2 1 1", alpha="5/4"),
        example("1/4 3/4 0; 1/2 1/3 1/6", "1 0 1; 2 1 1", alpha="3"),
        example("softmax 1 0; 2 1", "1 2; 0 -1", alpha="sqrt(2)"),
    ),
    "entmax15_gradient": (
        example("0 0 -1/2 -3", "1 -2 3 5"),
        example("1 0; 1/2 1/3", "sqrt(2) 0; 2 1"),
        example("1 ~2 3; 2 1 1", "1 -2 3; 0 1 2"),
        example("sqrt(2) 1; 0 1/2", "1 2; tanh(1) -1"),
        example("tanh(1) 1; 0 1/2", "1 2; 3 -1"),
    ),
    "tile_gradient": (
        example("1/2 1/4", "1 -2", "1 0 2", "3 1 1/2"),
        example("1/2 1/4; 1/3 0", "1 -2; 0 1/2", "1 0; 2 1", "3 sqrt(2); 1 1"),
        example("softmax 1 0; 2 -1", "1 2; 3 -1", "1; 2", "1/2; -1"),
        example("softmax softmax 1 0; 2 1", "1 2; 3 -1", "tanh(1); 2", "1/2; -1"),
    ),
    "score_bias_gradient": (
        example("1 -2 3"),
        example("1 2; 3 -4; sqrt(2) 1/2"),
        example("tanh(1) 1; 0 2"),
        example("softmax 1 0; 2 1"),
    ),
    "relative_queries_gradient": (
        example("1 -2 3", "1 0; 0 1; 3 1", "1 0; 0 0; 1/2 1"),
        example("1 2; 3 -4", "0 1; 1 2", "1 2; 0 1; 0 0; 3 1/2; 2 1", rows=(2, 0)),
        example("1 2 1; 3 -4 0; 0 1 2", "0 1; 1/3 2; sqrt(2) 1", "1 2; 0 1; 1 -1"),
        example("tanh(1) 1; 0 1", "1 2; -1 1/2", "1 sqrt(2)"),
    ),
    "relative_table_gradient": (
        example("1 -2 3", "1 5", "1 0; 0 0; 1/2 1"),
        example("1 2; 3 -4", "0 1; 1 2", "1 2; 0 1; 0 0; 3 1/2; 2 1", rows=(2, 0)),
        example("1 2 1; 3 -4 0; 0 1 2", "0 1; 1/3 2; sqrt(2) 1", "1 2; 0 1; 1 -1"),
        example("tanh(1) 1; 0 1", "1 2; -1 1/2", "1 sqrt(2)"),
    ),
    "soft_cap_gradient": (
        example("1 -1/2 0", "1 2 3", cap="2"),
        example("1 -1; 1/2 3/2", "1 -1; 2 1/2", cap="2"),
        example("sqrt(2) ~1; 1/2 0", "1 -1; tanh(1) 1/2", cap="3/2"),
        example("tanh(1) 1; 0 1/2", "1 -1; 2 1/2", cap="2"),
    ),
    "rotary_gradient": (
        example("1 -2", angle="pi/2"),
        example("1 2 3 4; 1 0 -1 1/2; 2 1 1 0", angle="pi/3", base="9"),
        example("1 2 3 4; 1 0 -1 1/2; 2 1 1 0", angle="pi/2", base="9", pairs="half"),
        example("1 2; 3 -4; sqrt(2) 1", rows=(4, 0, 2), angle="pi/4", positions_from="1"),
        example("1 2 0 1; 3 -4 1 1", base="100", positions_from="1"),
        example("1 2 3 4; tanh(1) 0 -1 1/2", pairs="half"),
    ),
    **{
        name: (
            example("1 -1", "1 0; 0 1; 2 1", "1 0; 0 1", "1 1; 0 1", "1 -2", "1 -1 2"),
            example("1 -1; 2 0", "1 0; 1/2 1", "1 0 1; 0 1 -1", "1 1 0; 0 1 1", "1 -2 1/2", "1 -1; 2 1/3"),
            example("1 sqrt(2); 2 0", "1 0; 0 1", "1; 1", "1; -1", "3", "1 0; sqrt(2) 1"),
            example("tanh(1) 1", "1 0; 0 1", "1 0; 0 1", "1 1; 0 1", "1 -2", "1 2"),
        )
        for name in (
            "additive_queries_gradient",
            "additive_keys_gradient",
            "additive_weighing_gradient",
        )
    },
    **{
        name: (
            example("1 -1", "1 0; 0 1; 2 1", "1 0; 0 1; 1 1; 0 1", "1 -2", "1 -1 2"),
            example("1 -1; 2 0", "1; 1/2", "1 0 1; 0 1 -1; 1 1 0", "1 -2 1/2", "1 -1; 2 1/3"),
            example("1 sqrt(2); 2 0", "1 0; 0 1", "1; 1; 1; -1", "3", "1 0; sqrt(2) 1"),
            example("tanh(1) 1", "1 0; 0 1", "1 0; 0 1; 1 1; 0 1", "1 -2", "1 2"),
        )
        for name in ("concat_queries_gradient", "concat_keys_gradient", "concat_weighing_gradient")
    },
    "concat_matrix_gradient": (
        example("1 -1", "1 0 2", "2 3", "1/2 -1"),
        example("1 -1; 2 0", "1 3; 0 2; 1 1", "2 3; 1 0", "1/2 -1; 0 1; 2 2"),
        example("1 sqrt(2); 2 0", "1; 0", "tanh(1); 1", "1/2; -1"),
    ),
    "part_gradient": (
        example("1 -1", "1 0; 2 3; 1 1/2", start=0, width=2),
        example("1 -1; 0 2", "1 0; 2 3; 1 1/2", start=2, width=1),
        example("1 sqrt(2); 0 tanh(1)", "1 0; 2 3; 1 1/2; 0 1", start=1, width=2),
    ),
    **{
        name: (
            example("3 4", "4 3; -3 4; 0 2", "1 -1 2"),
            example("3 4; 5 12", "1 0; -6 8", "1 1/2; 0 -2"),
            example("1 2 2; 1 0 -1", "0 1 0; 2 3 6", "1 sqrt(2); 0 -2"),
            example("tanh(1) 1", "1 2; -1 1/2", "1 2"),
            example("softmax 1 0; 2 2", "1 2; 0 -1", "1 -1; 2 1/3"),
        )
        for name in ("cosine_queries_gradient", "cosine_keys_gradient")
    },
    "feature_gradient": tuple(
        example(numbers, gradients, **options)
        for options in ({}, {"map": "relu"}, {"map": "exp"}, {"map": "square"})
        for numbers, gradients in (
            ("1/2 -2 0", "1 2 3"),
            ("3/5 -1/2; 1/4 4/5", "1 -1; sqrt(2) 1/2"),
            ("sqrt(2) -sqrt(3); 1-sqrt(2) ln(2)", "1 -1; 2 1/2"),
            ("tanh(1) -1/3; 1 tanh(-2)", "1 -1; 2 1/2"),
            ("softmax 1 0; 2 2", "1 -1; 2 1/2"),
        )
    ),
    "total_gradient": (
        example("3 4", "1 2"),
        example("3 4; 0 1; 1 sqrt(2)", "sqrt(2) tanh(1)"),
        example("3 4; 0 1", "softmax 1 0"),
    ),
    "ratio_queries_gradient": (
        example("1 2", "1 0; 2 -1", "1 3", "5/7 -2/7", "1 2"),
        example("1 2; 3 4", "1 0 1; 2 -1 1/2", "1 3", "5/7 -2/7 2/7; 11/15 -4/15 1/3", "1 2 0; -1 1/2 3"),
        example("sqrt(2) 1; 1 2", "1; 2", "1 3", "sqrt(2); 1/2", "1; -1"),
        example("tanh(1) 1", "1; 2", "1 3", "1/2", "2"),
    ),
    "ratio_above_gradient": (
        example("1 2", "1 3", "1 2"),
        example("1 2; 3 4", "1 3", "1 2 0; -1 1/2 3"),
        example("sqrt(2) 1; 1 tanh(1)", "1 3", "1; -1"),
    ),
    "ratio_below_gradient": (
        example("1 2", "1 3", "5/7 -2/7", "1 2"),
        example("1 2; 3 4", "1 3", "5/7 -2/7 2/7; 11/15 -4/15 1/3", "1 2 0; -1 1/2 3"),
        example("sqrt(2) 1; 1 tanh(1)", "1 3", "sqrt(2); 1/2", "1; -1"),
    ),
    "perplexity_gradient": (
        example("ln(2)", "2", "3"),
        example("ln(2); ln(8)", "4", "1"),
        example("1; 1/2; 0", "exp(1/2)", "1/2"),
        example("1; sqrt(2)", "tanh(1)", "1"),
    ),
    "distance_bias_gradient": (
        example("3 1 -2", "1 0 -1/2"),
        example("1 2 3 4; 4 5 6 7; 7 8 sqrt(2) 1", "1 0 -1/2"),
        example("1 tanh(1) 3; 4 5 6", "1 0 2 1 1", rows=(2, 0)),
        example("softmax 1 0; 2 2", "1 0 2"),
    ),
    "bucket_bias_gradient": (
        example("3 1 -2", "1 0 -1/2 2"),
        example("1 2 3 4 5 6 7 8 9 10 11 12; 0 1 0 1 0 2 0 3 0 4 0 5", "0 1 2 3 4 5 6 7", longest=8),
        example("1 2 3 4 5 6 7 8 9; 1 1 0 0 1 2 0 sqrt(2) 0", "0 1 2 3", rows=(8, 3), direction="past"),
        example("1 2 3; 4 tanh(1) 6; 7 8 9", "1 2 0 1", direction="both"),
    ),
    "divide_gradient": (
        example("3 1 -2", by="sqrt(2)"),
        example("1 2; 2 -1", by="2"),
        example("1 sqrt(2); 0 tanh(1)", by="sqrt(3)"),
        example("softmax 1 0; 2 2", by="sqrt(2)"),
    ),
    "multiply_gradient": (
        example("3 1 -2", by="sqrt(2)"),
        example("1 2; 2 -1", by="1/2"),
        example("1 sqrt(2); 0 tanh(1)", by="3"),
    ),
    **{
        name: (
            example("1/2 -1/3 0", "1 2 3"),
            example("3/5 -1/2; 1/4 4/5", "1 -1; 2 1/2"),
            example("sqrt(2)/2 -1/2; 1/4 0", "1 -1; sqrt(2) 1/2"),
            example("tanh(1) -1/2; 1/4 tanh(2)", "1 -1; 2 1/2"),
            example("softmax 1 0; 2 1", "1 -1; 2 1/2"),
            example("1 0; 2 1/3", "softmax softmax 1 0; 2 1"),
        )
        for name in (
            "tanh_gradient",
            "sigmoid_gradient",
            "rectify_gradient",
            "gelu_gradient",
            "silu_gradient",
        )
    },
    "rms_norm_gradient": (
        example("1 2 2", "1 0 -1", epsilon="0"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3", "1 2 1/2"),
        example("1 7; 3 -4", "1 0; sqrt(2) 1", "1 2", epsilon="1/4"),
        example("softmax softmax 1 0; 2 5", "1 2; 3 -1", "1 2", epsilon="1/2"),
    ),
    "rms_gain_gradient": (
        example("1 7", "1 -1", epsilon="0"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3"),
        example("1 2; 3 -4", "1 0; sqrt(2) 1", epsilon="1/4"),
        example("softmax softmax 1 0; 2 5", "1 2; 3 -1"),
    ),
    "layer_norm_gradient": (
        example("1 2 4", "1 0 -1"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3", "1 2 1/2"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3", epsilon="0"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3", "1 2 1/2", epsilon="1/4", epsilon_at="deviation"),
        example("1 3", "sqrt(2) 0", epsilon="0"),
        example("softmax softmax 1 0; 2 5", "1 2; 3 -1", "1 2", epsilon="1/2", epsilon_at="variance"),
    ),
    "gain_gradient": (
        example("1 2 4", "1 0 -1"),
        example("1 2 4; 3 -4 1/2", "1 0 -1; 2 1 1/3", epsilon="0"),
        example("1 2; 3 -4", "1 0; 2 1", epsilon="1/4", epsilon_at="deviation"),
        example("softmax softmax 1 0; 2 5", "1 2; 3 -1"),
    ),
    "gate_gradient": (
        example("1 -2", "3 0", "1/2 1"),
        example("1 2; 3 -4", "sqrt(2) 1; 0 -1/3", "1 2; -1 1/2"),
        example("tanh(1) 2; 3 -4", "1 1; 0 -1/3", "1 2; -1 1/2"),
        example("softmax softmax 1 0", "1 2", "1 -1"),
    ),
    "kept_gradient": (
        example("1/2 1/4", "1 -2"),
        example("1/3 0; 1 2/3", "1 2; 3 -4"),
        example("sqrt(2) 1/2; tanh(1) 0", "1 2; -1 1/2"),
        example("softmax softmax 1 0", "1 -1"),
    ),
    "scatter": (
        example("1 2", rows=(1,), height=3),
        example("1 2; 3 sqrt(2)", rows=(2, 0), height=3),
        example("softmax 1 0; 2 2", rows=(1, 2), height=3),
    ),
    "spread": (
        example("1 2", start=1, width=4),
        example("1 sqrt(2); 3 tanh(1)", start=1, width=3),
        example("softmax 1 0; 2 2", start=1, width=4),
    ),
    "hand_on": (example("1 2 3"), example("1 sqrt(2); 0 tanh(1)"), example("softmax 1 0; 2 2")),
    "add_up": (
        example("1 2", "3 -1"),
        example("1 2; 3 4", "0 1/2; sqrt(2) 1", "1 1; 1 1"),
        example("1 2; 3 4", "softmax 1 0; 2 2"),
        example("tanh(1) 2; 3 4", "softmax softmax 1 0; 2 2"),
    ),
    "descend": (
        example("1 2", "3 -1", rate="1/10"),
        example("1 2; 3 4", "0 1/2; sqrt(2) 1", rate="sqrt(2)"),
        example("1 2; tanh(1) 4", "0 1/2; 1 1", rate="0.5"),
        example("1 2; 3 4", "softmax 1 0; 2 2", rate="2"),
    ),
}

# -- what the results must be: the same thing by SymPy, from the definition on paper -----------------


def weighted_rows(A: Any, V: Any) -> Any:
    """Each row as a sum of rows of V, not as dot products."""
    zero = sympy.zeros(1, V.cols)
    return sympy.Matrix.vstack(
        *[sum((A[i, k] * V[k, :] for k in range(V.rows)), zero) for i in range(A.rows)]
    )


def projected(X: Any, W: Any, b: Any = None) -> Any:
    product = weighted_rows(X, W)
    return product if b is None else product + sympy.ones(X.rows, 1) * b


def seen(S: Any, i: int) -> list[int]:
    """The keys of a row that no mask hides."""
    return [j for j in range(S.cols) if S[i, j] != -sympy.oo]


def paper_softmax(S: Any, temperature: Any = sympy.S.One) -> Any:
    """1/Σ e^{s_k - s_j}: no quotient of exponentials anywhere."""

    def weight(i: int, j: int) -> Any:
        if j not in seen(S, i):
            return sympy.Integer(0)
        return 1 / sum(sympy.exp((S[i, k] - S[i, j]) / temperature) for k in seen(S, i))

    return sympy.Matrix(S.rows, S.cols, weight)


def paper_waves(t: Any, width: int, base: Any = 10_000, frequencies_from: str = "0") -> Any:
    """The same for places that are given."""

    def number(i: int, j: int) -> Any:
        pair = j // 2 + int(frequencies_from)
        angle = t[i, 0] / sympy.S(base) ** sympy.Rational(2 * pair, width)
        return (sympy.sin, sympy.cos)[j % 2](angle)

    return sympy.Matrix(t.rows, width, number)


def paper_sinusoid(
    X: Any,
    width: int | None = None,
    base: Any = 10_000,
    frequencies_from: str = "0",
    positions_from: str = "0",
) -> Any:
    """Re and Im of e^{it/base^{2k/d}}, as `PE(pos, 2k)` and `PE(pos, 2k+1)` of Vaswani et al."""
    columns = width or X.cols

    def number(t: int, j: int) -> Any:
        pair = j // 2 + int(frequencies_from)
        angle = (t + int(positions_from)) / sympy.S(base) ** sympy.Rational(2 * pair, columns)
        return (sympy.sin, sympy.cos)[j % 2](angle)

    return sympy.Matrix(X.rows, columns, number)


def paper_bilinear(Q: Any, K: Any, W: Any, b: Any = None) -> Any:
    """Σ_k Σ_l q_k W_kl k_l + b."""

    def score(i: int, j: int) -> Any:
        terms = (Q[i, k] * W[k, m] * K[j, m] for k in range(W.rows) for m in range(W.cols))
        return sum(terms) + (0 if b is None else b[0, 0])

    return sympy.Matrix(Q.rows, K.rows, score)


def paper_rotary(
    X: Any,
    base: Any = 10_000,
    angle: Any = 1,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: Any = None,
) -> Any:
    """x + iy times e^{itθ}, taken apart again, as Su et al. write it."""
    half, made = X.cols // 2, sympy.zeros(X.rows, X.cols)
    for i in range(X.rows):
        place = (i if rows is None else rows[i]) + int(positions_from)
        for k in range(half):
            first, second = (2 * k, 2 * k + 1) if pairs == "interleaved" else (k, k + half)
            theta = place * angle / sympy.S(base) ** sympy.Rational(k, half)
            spun = (X[i, first] + sympy.I * X[i, second]) * (sympy.cos(theta) + sympy.I * sympy.sin(theta))
            made[i, first], made[i, second] = sympy.expand(spun).as_real_imag()
    return made


def paper_relative(Q: Any, K: Any, R: Any, rows: Any = None) -> Any:
    """Shaw et al.: x_i·k_j + x_i·w_clip(j-i)."""
    far = R.rows // 2

    def score(i: int, j: int) -> Any:
        distance = max(-far, min(j - (i if rows is None else rows[i]), far))
        return Q[i, :].dot(K[j, :]) + Q[i, :].dot(R[distance + far, :])

    return sympy.Matrix(Q.rows, K.rows, score)


def paper_bias(S: Any, rows: Any, term: Callable[[int], Any]) -> Any:
    """s_ij + b(j - i)."""
    return sympy.Matrix(
        S.rows, S.cols, lambda i, j: S[i, j] + term(int(j - (i if rows is None else rows[i])))
    )


def paper_bucket(distance: int, count: int, longest: int, direction: str) -> int:
    """Raffel et al., by trying the limits of the buckets one after the other with mpmath."""
    start = 0
    if direction == "both":
        count, start = count // 2, count // 2 if distance > 0 else 0
    elif distance > 0:
        return 0
    far, near = abs(distance), count // 2
    if far < near:
        return start + far
    with mpmath.workdps(60):
        ratio = mpmath.mpf(longest) / near
        limits = [near * ratio ** (mpmath.mpf(k) / (count - near)) for k in range(1, count - near)]
        return start + near + sum(far >= limit - mpmath.mpf("1e-40") for limit in limits)


def paper_sink(S: Any, sink: Any = sympy.S.Zero) -> Any:
    """The softmax with one more column, which is cut off again."""
    more = S.row_join(sympy.ones(S.rows, 1) * sink)
    return paper_softmax(more)[:, : S.cols]


def paper_top(S: Any, k: int, ties: str = "refuse") -> Any:
    """Softmax of the k first in descending order."""
    kept = []
    for i in range(S.rows):
        order = sorted(seen(S, i), key=lambda j: (-sympy.N(S[i, j], 50), j))
        kept.append(order[:k])
    return paper_softmax(paper_mask(S, lambda i, j: j in kept[i]))


def paper_window(S: Any, size: int, sinks: int = 0, everywhere: Any = (), rows: Any = None) -> Any:
    places = list(range(S.rows)) if rows is None else rows

    def is_kept(i: int, j: int) -> bool:
        near = j in range(places[i] - size + 1, places[i] + size)
        return near or j in range(sinks) or j in everywhere or places[i] in everywhere

    return paper_mask(S, is_kept)


def paper_blocks(S: Any, size: int, rows: Any = None) -> Any:
    places = list(range(S.rows)) if rows is None else rows
    whole = [range(start, start + size) for start in range(0, 100, size)]
    return paper_mask(S, lambda i, j: any(j in block and places[i] in block for block in whole))


def paper_rms(X: Any, gamma: Any = None, *, epsilon: Any = None) -> Any:
    """Over the length of the token with its last square made larger, times √d."""
    small = TORCHS_EPSILON if epsilon is None else epsilon

    def number(i: int, j: int) -> Any:
        length = sympy.sqrt(sympy.expand(sum(x**2 for x in X[i, :]) + X.cols * small))
        return X[i, j] * sympy.sqrt(X.cols) / length * (1 if gamma is None else gamma[0, j])

    return sympy.Matrix(X.rows, X.cols, number)


def paper_kept(P: Any, enough: Callable[[list[Any]], bool]) -> Any:
    """Words from the most probable on, until there are enough, over their sum."""
    rows = []
    for i in range(P.rows):
        kept: list[int] = []
        for j in sorted(range(P.cols), key=lambda j: (-sympy.N(P[i, j], 50), j)):
            if not enough([P[i, k] for k in kept]):
                kept.append(j)
        rows.append([P[i, j] / sum(P[i, k] for k in kept) if j in kept else 0 for j in range(P.cols)])
    return sympy.Matrix(rows)


def paper_concat(Q: Any, K: Any, W: Any, v: Any) -> Any:
    """tanh as 1 - 2/(e^{2u} + 1), of vectors that are really put together."""

    def score(i: int, j: int) -> Any:
        hidden = weighted_rows(Q[i, :].row_join(K[j, :]), W)
        return sum(v[0, k] * (1 - 2 / (sympy.exp(2 * hidden[0, k]) + 1)) for k in range(W.cols))

    return sympy.Matrix(Q.rows, K.rows, score)


def paper_mask(S: Any, is_kept: Callable[[int, int], bool]) -> Any:
    return sympy.Matrix(S.rows, S.cols, lambda i, j: S[i, j] if is_kept(i, j) else -sympy.oo)


def paper_causal(S: Any, rows: Any = None) -> Any:
    places = list(range(S.rows)) if rows is None else rows
    return paper_mask(S, lambda i, j: places[i] >= j)


def paper_lengths(S: Any, lengths: Any) -> Any:
    return paper_mask(S, lambda i, j: lengths[i % len(lengths)] > j)


ALIBIS_SLOPE = sympy.Rational(1, 2**8)
TORCHS_EPSILON = sympy.Rational(1, 100_000)


def paper_layer_norm(
    X: Any,
    gamma: Any = None,
    beta: Any = None,
    *,
    epsilon: Any = TORCHS_EPSILON,
    epsilon_at: str = "variance",
) -> Any:
    """With the variance as the mean of the squares less the square of the mean."""

    def number(i: int, j: int) -> Any:
        row = list(X[i, :])
        mean = sum(row) / len(row)
        variance = sum(x**2 for x in row) / len(row) - mean**2
        inside, outside = (epsilon, 0) if epsilon_at == "variance" else (0, epsilon)
        normal = (row[j] - mean) / (sympy.sqrt(sympy.expand(variance + inside)) + outside)
        return normal * (1 if gamma is None else gamma[0, j]) + (0 if beta is None else beta[0, j])

    return sympy.Matrix(X.rows, X.cols, number)


def paper_argmax(S: Any, ties: str = "refuse") -> Any:
    rows = []
    for i in range(S.rows):
        order = sorted(range(S.cols), key=lambda j: -sympy.N(S[i, j], 50))
        best = [j for j in order if S[i, j].equals(S[i, order[0]])]
        best = [min(best)] if ties == "first" else best
        rows.append([sympy.Rational(int(j in best), len(best)) for j in range(S.cols)])
    return sympy.Matrix(rows)


def paper_relu(S: Any) -> Any:
    kept = S.applyfunc(lambda s: s if s.evalf(50) > 0 else sympy.Integer(0))
    return sympy.Matrix(S.rows, S.cols, lambda i, j: kept[i, j] / sum(kept[i, :]))


def paper_sparse(S: Any, power: int) -> Any:
    """max(0, s/power - τ)^power: every set of keys is tried, and the one that fits its own τ is taken."""
    rows = []
    for i in range(S.rows):
        halves = {j: S[i, j] / power for j in seen(S, i)}
        sets = chain.from_iterable(combinations(halves, size) for size in range(1, len(halves) + 1))
        tau, chosen = next(filter(None, (fitting(halves, keys, power) for keys in sets)))
        rows.append([(halves[j] - tau) ** power if j in chosen else 0 for j in range(S.cols)])
    return sympy.Matrix(rows)


def fitting(scores: dict[int, Any], keys: tuple[int, ...], power: int) -> Any:
    """The τ for which these keys alone sum to 1, if they lie above it and the others do not."""
    size, total = len(keys), sum(scores[j] for j in keys)
    tau = (total - 1) / size
    if power == 2:  # Σ (s - τ)² = 1 is a quadratic equation; the smaller root is meant
        squares = sum(scores[j] ** 2 for j in keys)
        under = total**2 - size * (squares - 1)
        tau = (total - sympy.sqrt(under)) / size
        if sympy.N(under, 50) < 0:
            return None
    above = {j for j in scores if sympy.N(scores[j] - tau, 50) > sympy.Float("1e-40")}
    return (tau, keys) if above == set(keys) else None


def paper_entmax(S: Any, alpha: Any) -> Any:
    """mpmath halves the interval of τ a thousand times."""

    def weights(scores: list[Any], factor: Any) -> list[Any]:
        low, high = factor * max(scores) - 1, factor * max(scores)
        for _ in range(1000):
            tau = (low + high) / 2
            made = [max(factor * s - tau, mpmath.mpf(0)) ** (1 / factor) for s in scores]
            low, high = (tau, high) if mpmath.fsum(made) > 1 else (low, tau)
        return [sympy.Float(mpmath.nstr(x, 100), 100) if x > 1e-100 else sympy.Integer(0) for x in made]

    rows = []
    with mpmath.workdps(250):
        factor = mpmath.mpf(str(sympy.N(alpha - 1, 260)))
        for i in range(S.rows):
            scores = [mpmath.mpf(str(sympy.N(S[i, j], 260))) for j in seen(S, i)]
            found = iter(weights(scores, factor))
            rows.append([next(found) if j in seen(S, i) else 0 for j in range(S.cols)])
    return sympy.Matrix(rows)


def paper_sum(S: Any) -> Any:
    def weight(i: int, j: int) -> Any:
        return S[i, j] / sum(S[i, k] for k in seen(S, i)) if j in seen(S, i) else 0

    return sympy.Matrix(S.rows, S.cols, weight)


def paper_slope(slope: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """The gradient times a slope that SymPy finds itself."""
    return lambda X, G: sympy.Matrix(X.rows, X.cols, lambda i, j: G[i, j] * slope(X[i, j]))


X_ = sympy.Symbol("x", real=True)


def paper_gelu_slope(x: Any) -> Any:
    return sympy.diff(X_ * sympy.erfc(-X_ / sympy.sqrt(2)) / 2, X_).subs(X_, x)


def paper_softmax_jacobian(a: Any) -> Any:
    """SymPy's derivatives of e^{s_k}/Σ e^s, at the logarithms of the weights."""
    return sympy.Matrix(len(a), len(a), lambda k, j: a[k] * (int(k == j) - a[j]))


def paper_softmax_gradient(A: Any, G: Any, temperature: Any = sympy.S.One) -> Any:
    rows = [G[i, :] * paper_softmax_jacobian(list(A[i, :])) / temperature for i in range(A.rows)]
    return sympy.Matrix.vstack(*rows)


def paper_shares_gradient(S: Any, A: Any, G: Any, *, floor: Any = -sympy.oo) -> Any:
    """SymPy's own derivatives of s_k/Σ s, for the scores above a floor."""

    def number(i: int, j: int) -> Any:
        used = [k for k in seen(S, i) if S[i, k] > floor]
        letters = dict(zip(used, sympy.symbols(f"s:{len(used)}"), strict=True))
        if j not in letters:
            return sympy.Integer(0)
        slopes = (G[i, k] * sympy.diff(letters[k] / sum(letters.values()), letters[j]) for k in used)
        return sum(slopes).subs({letter: S[i, k] for k, letter in letters.items()})

    return sympy.Matrix(S.rows, S.cols, number)


def paper_back(definition: Callable[[Any], Any], X: Any, G: Any) -> Any:
    """SymPy's own derivatives of a definition, token by token."""
    letters = sympy.symbols(f"x:{X.cols}", real=True)
    made = definition(sympy.Matrix([letters]))

    def number(i: int, j: int) -> Any:
        slope = sum(G[i, k] * sympy.diff(made[0, k], letters[j]) for k in range(X.cols))
        return slope.subs(dict(zip(letters, X[i, :], strict=True)))

    return sympy.Matrix(X.rows, X.cols, number)


def paper_turned_back(G: Any, rows: Any = None, **settings: Any) -> Any:
    """Each gradient against what becomes of 1 at its place: the transpose of a turn."""

    def turns(i: int) -> Any:
        place = i if rows is None else rows[i]
        return paper_rotary(sympy.eye(G.cols), rows=(place,) * G.cols, **settings)

    return sympy.Matrix.vstack(*[(turns(i) * G[i, :].T).T for i in range(G.rows)])


def paper_sparsemax_gradient(A: Any, G: Any) -> Any:
    """SymPy's own derivatives of s - (Σ s - 1)/k on the support."""

    def number(i: int, j: int) -> Any:
        on = [k for k in range(A.cols) if A[i, k] > 0]
        letters = dict(zip(on, sympy.symbols(f"s:{len(on)}"), strict=True))
        threshold = (sum(letters.values()) - 1) / len(on)
        return sum(G[i, k] * sympy.diff(letters[k] - threshold, letters[j]) for k in on) if j in on else 0

    return sympy.Matrix(A.rows, A.cols, number)


def paper_additive_back(which: str) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g v (e^2u - 1)/(e^2u + 1), in what was projected or in v."""

    def made(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
        numbers = {"Q": Q * W, "K": K * U, "v": v}
        letters = sympy.Matrix(*numbers[which].shape, lambda i, k: sympy.Symbol(f"n{i}_{k}", real=True))
        known = numbers | {which: letters}

        def loss(i: int, j: int, k: int) -> Any:
            power = sympy.exp(2 * (known["Q"][i, k] + known["K"][j, k]))
            return G[i, j] * known["v"][0, k] * (power - 1) / (power + 1)

        pairs = [(i, j, k) for i in range(Q.rows) for j in range(K.rows) for k in range(v.cols)]
        whole = sum(loss(*pair) for pair in pairs)
        values = dict(zip(letters, numbers[which], strict=True))
        return letters.applyfunc(lambda letter: sympy.diff(whole, letter).subs(values))

    return made


def paper_feature_slope(map: str) -> Callable[[Any], Any]:
    """SymPy's own slope of each piece of a feature map."""
    pieces = {"elu": (X_ + 1, sympy.exp(X_)), "relu": (X_, sympy.S.Zero)}
    above, below = pieces.get(map, (sympy.exp(X_),) * 2 if map == "exp" else (X_**2,) * 2)
    return lambda x: sympy.diff(above if x > 0 else below, X_).subs(X_, x)


def paper_ratio_back(own: str) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g a/b, with a and b letters that stand for the two sums of a query."""
    a, b = sympy.symbols("a b")

    def made(X: Any, u: Any, G: Any, Z: Any) -> Any:
        def number(i: int, j: int) -> Any:
            under = X[i, :].dot(u)
            if own == "a":
                return (G[i, j] * sympy.diff(a / b, a)).subs(b, under)
            terms = (G[i, k] * sympy.diff(a / b, b).subs(a, Z[i, k] * under) for k in range(G.cols))
            return sum(terms).subs(b, under)

        return sympy.Matrix(X.rows, G.cols if own == "a" else 1, number)

    return made


def paper_ratio_queries(X: Any, M: Any, u: Any, Z: Any, G: Any) -> Any:
    """The chain through what stands above and what stands below."""
    above, below = paper_ratio_back("a")(X, u, G, Z), paper_ratio_back("b")(X, u, G, Z)
    return above * M.T + below * u


def paper_bias_back(forward: str) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g s, with a letter for each bias, through the definition of the scores."""

    def made(G: Any, B: Any, **settings: Any) -> Any:
        letters = sympy.Matrix(1, B.cols, sympy.symbols(f"b:{B.cols}"))
        scores = EXPECTED[forward](sympy.zeros(*G.shape), letters, **settings)
        whole = sum(g * s for g, s in zip(G, scores, strict=True))
        return letters.applyfunc(lambda letter: sympy.diff(whole, letter))

    return made


def paper_entmax_back(A: Any, G: Any, alpha: Any) -> Any:
    """The slopes of what a^{α-1} = (α-1) s - τ and Σ a = 1 say, by SymPy's own solver of linear equations."""

    def row(i: int) -> list[Any]:
        on = [k for k in range(A.cols) if A[i, k] > 0]
        made = [sympy.Integer(0)] * A.cols
        for j in on:
            # (α-1) a^{α-2} a' = (α-1) [k = j] - τ' for each weight, and the a' add up to 0.
            size = len(on)
            system = sympy.zeros(size + 1, size + 2)
            for place, k in enumerate(on):
                system[place, place] = (alpha - 1) * A[i, k] ** (alpha - 2)
                system[place, size], system[place, size + 1] = 1, (alpha - 1) * int(k == j)
                system[size, place] = 1
            moved = (system[:, :-1].inv(method="ADJ") * system[:, -1])[:size]
            made[j] = sum(G[i, k] * slope for k, slope in zip(on, moved, strict=True))
        return made

    return sympy.Matrix([row(i) for i in range(A.rows)])


def paper_slopes(shape: tuple[int, int], loss: Callable[[Any], Any]) -> Any:
    """SymPy's own derivative of a loss that is linear, in every number of a matrix of this shape."""
    letters = sympy.Matrix(*shape, lambda i, k: sympy.Symbol(f"n{i}_{k}"))
    whole = sympy.expand(loss(letters))
    return letters.applyfunc(lambda letter: sympy.diff(whole, letter))


def paper_relative_back(own: str) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g s, with letters, through the definition of the scores."""

    def made(G: Any, other: Any, R: Any, **settings: Any) -> Any:
        shape = (G.rows, R.cols) if own == "Q" else R.shape
        letters = sympy.Matrix(*shape, lambda i, k: sympy.Symbol(f"n{i}_{k}"))
        parts = (letters, other, R) if own == "Q" else (other, sympy.zeros(G.cols, R.cols), letters)
        scores = EXPECTED["relative"](*parts, **settings)
        whole = sympy.expand(sum(g * s for g, s in zip(G, scores, strict=True)))
        return letters.applyfunc(lambda letter: sympy.diff(whole, letter))

    return made


def paper_cosine_back(own: str) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g (q · k)/√(q · q  k · k)."""

    def made(Q: Any, K: Any, G: Any) -> Any:
        numbers = {"Q": Q, "K": K}
        letters = sympy.Matrix(*numbers[own].shape, lambda i, k: sympy.Symbol(f"n{i}_{k}", real=True))
        q, k = (numbers | {own: letters}).values()

        def loss(i: int, j: int) -> Any:
            lengths = q[i, :].dot(q[i, :]) * k[j, :].dot(k[j, :])
            return G[i, j] * q[i, :].dot(k[j, :]) / sympy.sqrt(lengths)

        whole = sum(loss(i, j) for i in range(Q.rows) for j in range(K.rows))
        values = dict(zip(letters, numbers[own], strict=True))
        return letters.applyfunc(lambda letter: sympy.diff(whole, letter).subs(values))

    return made


def paper_logits(P: Any, G: Any, target: Any) -> Any:
    """The chain through -1/p and the Jacobian of the softmax."""
    rows = []
    for i, word in enumerate(target):
        jacobian = paper_softmax_jacobian(list(P[i, :]))
        rows.append([-G[i, 0] * sympy.cancel(jacobian[word, j] / P[i, word]) for j in range(P.cols)])
    return sympy.Matrix(rows)


def paper_target(P: Any, G: Any, target: Any) -> Any:
    return sympy.Matrix(
        P.rows, P.cols, lambda i, j: -G[i, 0] / P[i, j] if target[i] == j else sympy.Integer(0)
    )


def paper_maximum(S: Any, m: Any = None) -> Any:
    columns = S if m is None else S.row_join(m)
    return sympy.Matrix([[max(columns[i, :], key=lambda x: sympy.N(x, 50))] for i in range(S.rows)])


def paper_shifted(S: Any, m: Any) -> Any:
    """e^s/e^m; 0 for what is hidden."""
    return sympy.Matrix(
        S.rows, S.cols, lambda i, j: 0 if S[i, j] == -sympy.oo else sympy.exp(S[i, j]) / sympy.exp(m[i, 0])
    )


def paper_running(P: Any, V: Any, r: Any, before: Any) -> Any:
    """As one product: the old row is one more value, its factor one more weight."""
    rows = []
    for i in range(P.rows):
        weights, values = (P[i, :], V) if r is None else (P[i, :].row_join(r[i, :]), V.col_join(before[i, :]))
        rows.append(weighted_rows(weights, values))
    return sympy.Matrix.vstack(*rows)


def paper_half(x: Any) -> Any:
    """The nearest of all numbers of float16, by bisection of their bit patterns as IEEE 754 lists them."""
    if x == -sympy.oo:
        return x

    def pattern(bits: int) -> Any:
        exponent, fraction = divmod(bits, 1024)
        if exponent == 0:
            return sympy.Rational(fraction, 2**24)
        return sympy.Rational(1024 + fraction, 1024) * sympy.Integer(2) ** (exponent - 15)

    low, high = 0, 31 * 1024  # the pattern of ∞ would be 2^16
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if sympy.N(pattern(middle) - abs(x), 60) <= 0 else (low, middle)
    below, above = sympy.N(abs(x) - pattern(low), 60), sympy.N(pattern(high) - abs(x), 60)
    chosen = low if below < above or (below == above and low % 2 == 0) else high
    return sympy.sign(x) * pattern(chosen)


EXPECTED: dict[str, Callable[..., Any]] = {
    "one_hot": lambda X, length=None: sympy.eye(length or X.rows)[: X.rows, :],
    "sinusoid": paper_sinusoid,
    "waves": paper_waves,
    "add": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] + Y[i, j]),
    "subtract": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] - Y[i, j]),
    "times": lambda X, Y: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] * Y[i, j]),
    "stack": sympy.Matrix.vstack,
    "product": lambda X, Y: sympy.Matrix(X.rows, Y.cols, lambda i, j: X[i, :].dot(Y[:, j])),
    "transpose": lambda X: sympy.Matrix(X.cols, X.rows, lambda i, j: X[j, i]),
    "join": sympy.Matrix.hstack,
    "select": lambda X, rows: X.extract(list(rows), list(range(X.cols))),
    "project": projected,
    "recur": lambda X, W, H, U, b=None: projected(X.row_join(H), W.col_join(U), b),
    "split": lambda X, start, stop: X.extract(list(range(X.rows)), list(range(start, stop))),
    "dot": lambda Q, K: sympy.Matrix(Q.rows, K.rows, lambda i, j: Q[i, :].dot(K[j, :])),
    "bilinear": paper_bilinear,
    "additive": lambda Q, K, W, U, v: paper_concat(Q, K, W.col_join(U), v),
    "concat": paper_concat,
    "cosine": lambda Q, K: sympy.Matrix(
        Q.rows, K.rows, lambda i, j: (Q[i, :] / Q[i, :].norm()).dot(K[j, :] / K[j, :].norm())
    ),
    "rotary": paper_rotary,
    "relative": paper_relative,
    "alibi": lambda S, slope=ALIBIS_SLOPE, rows=None: paper_bias(
        S, rows, lambda distance: -slope * abs(distance)
    ),
    "distance_bias": lambda S, B, rows=None: paper_bias(
        S, rows, lambda distance: B[0, min(max(distance + B.cols // 2, 0), B.cols - 1)]
    ),
    "bucket_bias": lambda S, B, longest=128, direction="both", rows=None: paper_bias(
        S, rows, lambda distance: B[0, paper_bucket(distance, B.cols, longest, direction)]
    ),
    "soft_cap": lambda S, cap: S.applyfunc(
        lambda s: s if s == -sympy.oo else cap * (1 - 2 / (sympy.exp(2 * s / cap) + 1))
    ),
    "sink_softmax": paper_sink,
    "top_k": paper_top,
    "sigmoid_weights": lambda S, bias=0: S.applyfunc(
        lambda s: sympy.S.Zero if s == -sympy.oo else (1 + sympy.tanh((s + bias) / 2)) / 2
    ),
    "window": paper_window,
    "blocks": paper_blocks,
    "tile": lambda S, start, stop: S.extract(list(range(S.rows)), list(range(start, stop))),
    "running_maximum": paper_maximum,
    "shifted_exponentials": paper_shifted,
    "rescaling": paper_shifted,
    "running_sum": lambda P, r=None, D=None: paper_running(P, sympy.ones(P.cols, 1), r, D),
    "running_output": lambda P, V, r=None, Z=None: paper_running(P, V, r, Z),
    "over_sum": lambda X, D: sympy.Matrix(X.rows, X.cols, lambda i, j: X[i, j] / D[i, 0]),
    "half": lambda X: X.applyfunc(paper_half),
    "overflow": lambda X: X.applyfunc(lambda x: int(bool(x != -sympy.oo and abs(x) >= 65520))),
    "feature": lambda X, map="elu": X.applyfunc(
        {
            "elu": lambda x: x + 1 if sympy.N(x, 50) > 0 else sympy.exp(x),
            "relu": lambda x: (x + abs(x)) / 2,
            "exp": lambda x: sympy.exp(x),
            "square": lambda x: x**2,
        }[map]
    ),
    "total": lambda X: sympy.Matrix([[sum(X[:, j]) for j in range(X.cols)]]),
    "ratio": lambda X, M, u: sympy.Matrix(
        X.rows, M.cols, lambda i, j: X[i, :].dot(M[:, j]) / X[i, :].dot(u[0, :])
    ),
    "rms_norm": paper_rms,
    "silu": lambda X: X.applyfunc(lambda x: x * (1 + sympy.tanh(x / 2)) / 2),
    "embed": lambda E, words: sympy.Matrix.vstack(*[E[word, :] for word in words]),
    "logits": lambda X, E: sympy.Matrix(X.rows, E.rows, lambda i, j: X[i, :].dot(E[j, :])),
    "top_words": lambda P, k: paper_kept(P, lambda kept: len(kept) == k),
    "nucleus": lambda P, p: paper_kept(
        P, lambda kept: bool(kept) and sympy.N(sum(kept) - p, 50) > -sympy.Float("1e-40")
    ),
    "perplexity": lambda L: sympy.Matrix([[sympy.exp(sum(L) / L.rows)]]),
    "divide": lambda S, by: S.applyfunc(lambda s: s / by),
    "multiply": lambda S, by: S.applyfunc(lambda s: s * by),
    "causal": paper_causal,
    "lengths": paper_lengths,
    "drop_keys": lambda S, keys: paper_mask(S, lambda i, j: j not in keys),
    "drop_queries": lambda A, queries: sympy.Matrix(
        A.rows, A.cols, lambda i, j: 0 if i in queries else A[i, j]
    ),
    "keep": lambda S, M: paper_mask(S, lambda i, j: M[i, j] == 1),
    "drop": lambda S, M: paper_mask(S, lambda i, j: M[i, j] == 0),
    "add_mask": lambda S, M: sympy.Matrix(S.rows, S.cols, lambda i, j: S[i, j] + M[i, j]),
    "softmax": paper_softmax,
    "argmax": paper_argmax,
    "relu": paper_relu,
    "sparsemax": lambda S: paper_sparse(S, 1),
    "entmax15": lambda S: paper_sparse(S, 2),
    "entmax": paper_entmax,
    "sum": paper_sum,
    "softmax2": lambda S: paper_softmax(S, 1 / sympy.log(2)),
    "mix": weighted_rows,
    "concatenate": sympy.Matrix.hstack,
    "output": projected,
    "layer_norm": paper_layer_norm,
    "sigmoid": lambda X: X.applyfunc(lambda x: sympy.exp(x) / (sympy.exp(x) + 1)),
    "tanh": lambda X: X.applyfunc(lambda x: 1 - 2 / (sympy.exp(2 * x) + 1)),
    "rectify": lambda X: X.applyfunc(lambda x: (x + abs(x)) / 2),
    "gelu": lambda X: X.applyfunc(lambda x: x * sympy.erfc(-x / sympy.sqrt(2)) / 2),
    "blend": lambda Z, X, Y: sympy.Matrix(
        X.rows, X.cols, lambda i, j: X[i, j] + Z[i, j] * (Y[i, j] - X[i, j])
    ),
    "gate": lambda F, C, I, N: sympy.Matrix(
        F.rows, F.cols, lambda i, j: F[i, j] * C[i, j] + I[i, j] * N[i, j]
    ),
    "probabilities": paper_softmax,
    "cross_entropy": lambda P, target: sympy.Matrix([sympy.log(1 / P[i, j]) for i, j in enumerate(target)]),
    "unit_gradient": lambda L, share="sum": sympy.ones(*L.shape) / (len(L) if share == "mean" else 1),
    "cross_entropy_gradient": paper_target,
    "logits_gradient": paper_logits,
    "left_gradient": lambda G, Y: sympy.Matrix(G.rows, Y.rows, lambda i, j: G[i, :].dot(Y[j, :])),
    "right_gradient": lambda X, G: sum(
        (X[k, :].T * G[k, :] for k in range(X.rows)), sympy.zeros(X.cols, G.cols)
    ),
    "softmax_jacobian": lambda A, rows: paper_softmax_jacobian(list(A[rows[0], :])),
    "softmax_gradient": paper_softmax_gradient,
    "sum_gradient": paper_shares_gradient,
    "relu_gradient": lambda S, A, G: paper_shares_gradient(S, A, G, floor=0),
    "divide_gradient": lambda G, by: G.applyfunc(lambda g: g / by),
    "multiply_gradient": lambda G, by: G.applyfunc(lambda g: g * by),
    "tanh_gradient": paper_slope(lambda y: (1 + y) * (1 - y)),
    "sigmoid_gradient": paper_slope(lambda y: sympy.Rational(1, 4) - (y - sympy.Rational(1, 2)) ** 2),
    "rectify_gradient": paper_slope(lambda x: sympy.Heaviside(x, 0)),
    "gelu_gradient": paper_slope(paper_gelu_slope),
    "layer_norm_gradient": lambda X, G, *gamma, **settings: paper_back(
        lambda row: paper_layer_norm(row, *gamma, **settings), X, G
    ),
    "rms_norm_gradient": lambda X, G, *gamma, **settings: paper_back(
        lambda row: paper_rms(row, *gamma, **settings), X, G
    ),
    "rms_gain_gradient": lambda X, G, **settings: sympy.Matrix(
        1,
        X.cols,
        lambda _, j: sum(G[i, j] * paper_rms(X[i, :], **settings)[0, j] for i in range(X.rows)),
    ),
    "silu_gradient": paper_slope(lambda x: sympy.diff(X_ / (1 + sympy.exp(-X_)), X_).subs(X_, x)),
    "sparsemax_gradient": paper_sparsemax_gradient,
    "soft_cap_gradient": lambda X, G, cap: sympy.Matrix(
        X.rows,
        X.cols,
        lambda i, j: G[i, j] * (cap - X[i, j]) * (cap + X[i, j]) / cap**2 if j in seen(X, i) else 0,
    ),
    "rotary_gradient": paper_turned_back,
    "additive_queries_gradient": paper_additive_back("Q"),
    "additive_keys_gradient": paper_additive_back("K"),
    "additive_weighing_gradient": paper_additive_back("v"),
    **{
        f"concat_{word}_gradient": lambda Q, K, W, v, G, own=own: paper_additive_back(own)(
            Q, K, W[: Q.cols, :], W[Q.cols :, :], v, G
        )
        for word, own in {"queries": "Q", "keys": "K", "weighing": "v"}.items()
    },
    "concat_matrix_gradient": lambda Q, K, G, H: paper_slopes(
        (Q.cols + K.cols, G.cols),
        lambda W: (
            sum(G.multiply_elementwise(Q * W[: Q.cols, :])) + sum(H.multiply_elementwise(K * W[Q.cols :, :]))
        ),
    ),
    "part_gradient": lambda G, W, start, width: paper_slopes(
        (G.rows, width), lambda X: sum(G.multiply_elementwise(X * W[start : start + width, :]))
    ),
    "feature_gradient": lambda X, G, map="elu": paper_slope(paper_feature_slope(map))(X, G),
    "total_gradient": lambda X, G: paper_slopes(
        X.shape, lambda x: sum(G[0, j] * sum(x[:, j]) for j in range(X.cols))
    ),
    "ratio_queries_gradient": paper_ratio_queries,
    "ratio_above_gradient": lambda X, u, G: paper_ratio_back("a")(X, u, G, G),
    "ratio_below_gradient": lambda X, u, Z, G: paper_ratio_back("b")(X, u, G, Z),
    # Of P only the logarithm is known here, the mean of the losses: dP = P d(ln P).
    "perplexity_gradient": lambda L, P, G: (
        G[0, 0] * P[0, 0] * paper_slopes(L.shape, lambda x: sum(x) / L.rows)
    ),
    "distance_bias_gradient": paper_bias_back("distance_bias"),
    "bucket_bias_gradient": paper_bias_back("bucket_bias"),
    "entmax_gradient": paper_entmax_back,
    "entmax15_gradient": lambda S, G: paper_entmax_back(paper_sparse(S, 2), G, sympy.Rational(3, 2)),
    "tile_gradient": lambda A, H, Z, G: sympy.Matrix(
        A.rows, A.cols, lambda i, j: A[i, j] * H[i, j] - A[i, j] * (Z[i, :] * G[i, :].T)[0]
    ),
    "score_bias_gradient": lambda G: sympy.Matrix([[sum(G)]]),
    "relative_queries_gradient": paper_relative_back("Q"),
    "relative_table_gradient": paper_relative_back("R"),
    "cosine_queries_gradient": paper_cosine_back("Q"),
    "cosine_keys_gradient": paper_cosine_back("K"),
    "gain_gradient": lambda X, G, **settings: (
        sympy.Matrix(
            [
                [sum(G[i, j] * paper_layer_norm(X, **settings)[i, j] for i in range(X.rows))]
                for j in range(X.cols)
            ]
        ).T
    ),
    "gate_gradient": lambda X, Y, G: sympy.Matrix(
        X.rows, X.cols, lambda i, j: G[i, j] * Y[i, j] - G[i, j] * X[i, j]
    ),
    "kept_gradient": lambda Z, G: sympy.Matrix(Z.rows, Z.cols, lambda i, j: G[i, j] - Z[i, j] * G[i, j]),
    "scatter": lambda G, rows, height: sympy.Matrix(
        height, G.cols, lambda i, j: G[rows.index(i), j] if i in rows else 0
    ),
    "spread": lambda G, start, width: sympy.Matrix(
        G.rows, width, lambda i, j: G[i, j - start] if start <= j < start + G.cols else 0
    ),
    "hand_on": lambda G: G,
    "add_up": lambda *shares: sum(shares[1:], shares[0]),
    "descend": lambda W, G, rate: sympy.Matrix(W.rows, W.cols, lambda i, j: W[i, j] - rate * G[i, j]),
}


class Misfit(NamedTuple):
    """Shapes that an op must refuse, whom it must blame, and what its message must say."""

    shapes: tuple[str, ...]
    options: dict[str, Any]
    blamed: str
    said: tuple[str, ...]


def misfit(blamed: str, *shapes: str, said: tuple[str, ...], **options: Any) -> Misfit:
    return Misfit(shapes, options, blamed, said)


MISFITS: dict[str, tuple[Misfit, ...]] = {
    "one_hot": (misfit("length", "3×2", length=2, said=("X is 3×2", "3 tokens", "length 2")),),
    "sinusoid": (
        misfit("X", "3×3", said=("3 numbers",)),
        misfit("width", "3×2", width=5, said=("5 numbers",)),
    ),
    "waves": (
        misfit("t", "1×3", width=4, said=("1×3", "0; 1; 2")),
        misfit("width", "3×1", width=3, said=("3 numbers",)),
    ),
    "add": (
        misfit("Y", "2×3", "3×2", said=("3 numbers per token in X, but 2 in Y",)),
        misfit("Y", "2×3", "1×3", said=("2 tokens in X, but 1 in Y",)),
    ),
    "subtract": (misfit("Y", "2×3", "3×2", said=("3 numbers per token in X, but 2 in Y", "subtracted")),),
    "times": (misfit("Y", "2×3", "1×3", said=("2 tokens in X, but 1 in Y", "number by number")),),
    "stack": (misfit("X", "2×3", "3×2", said=("3 numbers per token in X1, 2 numbers per token in X2",)),),
    "product": (misfit("Y", "2×3", "2×3", said=("X is 2×3", "Y is 2×3", "3 and 2")),),
    "join": (misfit("Y", "2×3", "3×3", said=("2 tokens in X, but 3 in Y",)),),
    "select": (
        misfit("rows", "3×2", rows=(3,), said=("no token 4", "1 to 3")),
        misfit("rows", "3×2", rows=(0, -1), said=("no token 0", "1 to 3")),
    ),
    "project": (
        misfit("W", "2×3", "2×3", said=("W is 2×3", "X is 2×3", "W needs 3 rows: 3×3")),
        misfit("b", "2×3", "3×4", "1×3", said=("b is 1×3", "W makes 4 numbers", "one row: 1×4")),
        misfit("b", "2×3", "3×4", "2×4", said=("b is 2×4", "one row: 1×4")),
    ),
    "recur": (
        misfit("W", "1×3", "2×2", "1×2", "2×2", said=("W is 2×2", "X is 1×3", "3 rows: 3×2")),
        misfit("U", "1×3", "3×2", "1×2", "3×2", said=("U is 3×2", "H is 1×2", "2 rows: 2×2")),
        misfit("H", "2×3", "3×2", "1×2", "2×2", said=("2 tokens in X, but 1 state in H",)),
        misfit("U", "1×3", "3×2", "1×2", "2×4", said=("U makes 4 numbers", "W makes 2")),
        misfit("b", "1×3", "3×2", "1×2", "2×2", "1×3", said=("b is 1×3", "one row: 1×2")),
    ),
    "blend": (
        misfit("Y", "1×2", "1×2", "1×3", said=("2 numbers per token in X, but 3 in Y", "blended")),
        misfit("Z", "2×2", "1×2", "1×2", said=("1 token in X, but 2 in Z", "blended")),
    ),
    "gate": (misfit("C", "1×2", "1×3", "1×2", "1×2", said=("2 numbers per token in N, but 3 in C",)),),
    "split": (
        misfit("stop", "2×4", start=2, stop=5, said=("3 to 5", "1 to 4")),
        misfit("stop", "2×4", start=2, stop=2, said=("1 to 4",)),
    ),
    "dot": (misfit("K", "2×3", "4×2", said=("Q is 2×3", "K is 4×2")),),
    "bilinear": (
        misfit("W", "2×3", "4×2", "2×2", said=("W is 2×2", "3 rows and 2 columns: 3×2")),
        misfit("W", "2×3", "4×2", "3×4", said=("W is 3×4", "3 rows and 2 columns: 3×2")),
        misfit("b", "2×3", "4×2", "3×2", "1×2", said=("b is 1×2", "one number: 1×1")),
    ),
    "additive": (
        misfit("W", "2×3", "4×2", "2×5", "2×5", "1×5", said=("W is 2×5", "Q is 2×3", "3 rows: 3×5")),
        misfit("U", "2×3", "4×2", "3×5", "3×5", "1×5", said=("U is 3×5", "K is 4×2", "2 rows: 2×5")),
        misfit("U", "2×3", "4×2", "3×5", "2×4", "1×5", said=("U makes 4 numbers", "W makes 5")),
        misfit("v", "2×3", "4×2", "3×5", "2×5", "1×4", said=("v is 1×4", "one row: 1×5")),
        misfit("v", "2×3", "4×2", "3×5", "2×5", "5×1", said=("v is 5×1", "one row: 1×5")),
    ),
    "concat": (
        misfit("W", "2×3", "4×2", "3×5", "1×5", said=("W is 3×5", "5 numbers (3 and 2)", "5 rows: 5×5")),
        misfit("v", "2×3", "4×2", "5×4", "1×5", said=("v is 1×5", "W makes 4 numbers", "one row: 1×4")),
    ),
    "cosine": (misfit("K", "2×3", "4×2", said=("Q is 2×3", "K is 4×2")),),
    "rotary": (
        misfit("X", "2×3", said=("3 numbers a token", "even")),
        misfit("rows", "2×4", rows=(1,), said=("1 places for 2 tokens",)),
    ),
    "relative": (
        misfit("K", "2×3", "4×2", "3×2", said=("Q is 2×3", "K is 4×2")),
        misfit("R", "2×3", "4×3", "3×2", said=("R is 3×2", "a key has 3 numbers", "3×3")),
        misfit("R", "2×3", "4×3", "4×3", said=("R has 4 vectors", "odd")),
        misfit("rows", "2×3", "4×3", "3×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "alibi": (misfit("rows", "2×3", rows=(1,), said=("1 places for 2 queries",)),),
    "distance_bias": (
        misfit("B", "2×3", "1×4", said=("B has 4 numbers", "odd")),
        misfit("B", "2×3", "3×3", said=("B is 3×3", "1×3")),
        misfit("rows", "2×3", "1×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "bucket_bias": (
        misfit("B", "2×3", "1×5", said=("B has 5 numbers", "even")),
        misfit("B", "2×3", "2×4", said=("B is 2×4", "1×4")),
        misfit("longest", "2×3", "1×8", longest=2, said=("longest distance is 2", "reach 2")),
        misfit("rows", "2×3", "1×4", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "top_k": (
        misfit("k", "2×3", k=4, said=("4 largest of 3 keys", "1 to 3")),
        misfit("k", "2×3", k=0, said=("0 largest", "1 to 3")),
    ),
    "window": (
        misfit("size", "3×3", size=0, said=("0 keys",)),
        misfit("everywhere", "3×3", size=1, everywhere=(3,), said=("no key 4", "1 to 3")),
        misfit("rows", "2×3", size=1, rows=(1,), said=("1 places for 2 queries",)),
    ),
    "blocks": (
        misfit("size", "3×3", size=0, said=("0 tokens",)),
        misfit("rows", "2×3", size=1, rows=(1,), said=("1 places for 2 queries",)),
    ),
    "tile": (misfit("stop", "2×3", start=1, stop=4, said=("no keys 2 to 4", "the keys 1 to 3")),),
    "running_maximum": (misfit("m", "2×3", "3×1", said=("m is 3×1", "S has 2 queries", "2×1")),),
    "shifted_exponentials": (misfit("m", "2×3", "2×3", said=("m is 2×3", "2×1")),),
    "rescaling": (misfit("n", "2×1", "1×1", said=("n is 1×1", "2×1")),),
    "running_sum": (
        misfit("D", "2×3", "2×1", "1×1", said=("D is 1×1",)),
        misfit("r", "2×3", "2×2", "2×1", said=("r is 2×2",)),
        misfit("D", "2×3", "2×1", said=("give both or none",)),
    ),
    "running_output": (
        misfit("V", "2×3", "2×2", said=("3 keys but 2 values",)),
        misfit("Z", "2×3", "3×2", "2×1", "2×3", said=("Z is 2×3", "2×2")),
    ),
    "over_sum": (misfit("D", "2×3", "1×3", said=("D is 1×3", "2×1")),),
    "ratio": (
        misfit("M", "2×3", "2×3", "1×3", said=("M is 2×3", "X is 2×3", "3 rows")),
        misfit("u", "2×3", "3×2", "1×2", said=("u is 1×2", "3 numbers", "1×3")),
    ),
    "rms_norm": (misfit("gamma", "2×3", "1×2", said=("gamma is 1×2", "3 numbers", "one row: 1×3")),),
    "embed": (misfit("words", "3×2", words=(3,), said=("no word 4", "1 to 3")),),
    "logits": (misfit("E", "2×3", "4×2", said=("a token has 3 numbers", "a word 2")),),
    "top_words": (misfit("k", "2×3", k=4, said=("4 most probable of 3 words",)),),
    "nucleus": (misfit("p", "2×3", p=expression("3/2"), said=("at most 1",)),),
    "perplexity": (misfit("L", "2×3", said=("L is 2×3", "one number")),),
    "causal": (misfit("rows", "3×3", rows=(0, 1), said=("2 places", "3 queries")),),
    "lengths": (
        misfit("lengths", "2×3", lengths=(4,), said=("length 4", "1 to 3")),
        misfit("lengths", "3×3", lengths=(1, 2), said=("2 lengths", "3 queries")),
        misfit("lengths", "2×3", lengths=(0,), said=("length 0", "1 to 3")),
    ),
    "drop_keys": (misfit("keys", "2×3", keys=(3,), said=("no key 4", "1 to 3")),),
    "drop_queries": (misfit("queries", "2×3", queries=(2,), said=("no query 3", "1 to 2")),),
    "keep": (
        misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3", "a row for each query")),
        misfit("M", "2×3", "1×3", said=("M is 1×3", "scores are 2×3")),
    ),
    "drop": (misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3")),),
    "add_mask": (misfit("M", "2×3", "3×2", said=("M is 3×2", "scores are 2×3")),),
    "mix": (misfit("V", "2×3", "2×5", said=("3 keys but 2 values", "V is 2×5")),),
    "concatenate": (misfit("H", "2×3", "3×3", said=("H1 has 2 tokens", "H2 has 3 tokens")),),
    "output": (
        misfit("W", "2×3", "2×3", said=("W is 2×3", "X is 2×3", "W needs 3 rows: 3×3")),
        misfit("b", "2×3", "3×4", "1×3", said=("b is 1×3", "W makes 4 numbers", "one row: 1×4")),
    ),
    "layer_norm": (
        misfit("gamma", "2×3", "1×2", said=("gamma is 1×2", "3 numbers", "one row: 1×3")),
        misfit("beta", "2×3", "1×3", "1×2", said=("beta is 1×2", "one row: 1×3")),
        misfit("gamma", "2×3", "2×3", said=("gamma is 2×3", "one row: 1×3")),
    ),
    **{
        name: (
            misfit("G", "2×3", "1×1", target=(0, 1), said=("G is 1×1", "P is 2×3", "2×1")),
            misfit("target", "2×3", "2×1", target=(0,), said=("1 target for 2 rows",)),
            misfit("target", "1×3", "1×1", target=(3,), said=("no word 4", "1 to 3")),
        )
        for name in ("cross_entropy_gradient", "logits_gradient")
    },
    "left_gradient": (misfit("Y", "2×3", "3×2", said=("3 columns in G, but 2 in Y",)),),
    "right_gradient": (misfit("G", "2×3", "3×2", said=("2 rows in X, but 3 in G",)),),
    "softmax_jacobian": (
        misfit("rows", "2×3", rows=(2,), said=("no row 3", "1 to 2")),
        misfit("rows", "2×3", rows=(0, 1), said=("2 rows", "one row")),
    ),
    **{
        name: (
            misfit("A", "2×3", "3×2", "2×3", said=("3 numbers per token in S, but 2 in A",)),
            misfit("G", "2×3", "2×3", "1×3", said=("2 tokens in S, but 1 in G",)),
        )
        for name in ("sum_gradient", "relu_gradient")
    },
    **{
        name: (misfit("G", "2×3", "3×2", said=("3 numbers per token in A, but 2 in G",)),)
        for name in ("softmax_gradient", "sparsemax_gradient")
    },
    "soft_cap_gradient": (misfit("G", "2×3", "1×3", cap="2", said=("2 tokens in X, but 1 in G",)),),
    "rotary_gradient": (
        misfit("G", "2×3", said=("3 numbers a token", "even")),
        misfit("rows", "2×4", rows=(1,), said=("1 places for 2 tokens",)),
    ),
    **{
        name: (
            misfit("G", "2×3", "4×3", "3×2", "3×2", "1×2", "2×3", said=("G is 2×3", "2×4")),
            misfit("v", "2×3", "4×3", "3×2", "3×2", "1×3", "2×4", said=("v is 1×3", "one row: 1×2")),
        )
        for name in (
            "additive_queries_gradient",
            "additive_keys_gradient",
            "additive_weighing_gradient",
        )
    },
    **{
        name: (
            misfit("G", "2×3", "4×2", "5×2", "1×2", "2×3", said=("G is 2×3", "2×4")),
            misfit("W", "2×3", "4×2", "4×2", "1×2", "2×4", said=("W is 4×2", "5×")),
        )
        for name in ("concat_queries_gradient", "concat_keys_gradient", "concat_weighing_gradient")
    },
    "feature_gradient": (misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),),
    "total_gradient": (misfit("G", "2×3", "1×2", said=("G is 1×2", "one row: 1×3")),),
    "ratio_queries_gradient": (
        misfit("u", "2×3", "3×2", "1×2", "2×2", "2×2", said=("u is 1×2", "one row: 1×3")),
        misfit("Z", "2×3", "3×2", "1×3", "1×2", "2×2", said=("Z is 1×2", "2 queries")),
        misfit("G", "2×3", "3×2", "1×3", "2×3", "2×3", said=("G is 2×3", "2×2")),
    ),
    "ratio_above_gradient": (misfit("G", "2×3", "1×3", "1×2", said=("G is 1×2", "2 queries")),),
    "ratio_below_gradient": (misfit("G", "2×3", "1×3", "2×2", "2×3", said=("in Z, but 3 in G",)),),
    "perplexity_gradient": (
        misfit("G", "3×1", "1×1", "3×1", said=("G is 3×1", "one number")),
        misfit("L", "3×2", "1×1", "1×1", said=("L is 3×2",)),
    ),
    "distance_bias_gradient": (
        misfit("B", "2×3", "1×2", said=("B has 2 numbers", "odd")),
        misfit("rows", "2×3", "1×3", rows=(1,), said=("1 places for 2 queries",)),
    ),
    "bucket_bias_gradient": (misfit("B", "2×3", "1×3", said=("B has 3 numbers", "even")),),
    "entmax_gradient": (
        misfit("G", "2×3", "3×2", alpha=expression("2"), said=("3 numbers per token in A, but 2 in G",)),
    ),
    "entmax15_gradient": (misfit("G", "2×3", "3×2", said=("3 numbers per token in S, but 2 in G",)),),
    "tile_gradient": (
        misfit("H", "2×3", "2×2", "2×2", "2×2", said=("3 numbers per token in A, but 2 in H",)),
        misfit("G", "2×3", "2×3", "2×2", "2×1", said=("2 numbers per token in Z, but 1 in G",)),
        misfit("Z", "2×3", "2×3", "1×2", "1×2", said=("Z is 1×2", "2 queries")),
    ),
    "relative_queries_gradient": (
        misfit("G", "2×3", "2×2", "3×2", said=("G is 2×3", "2 keys")),
        misfit("R", "2×3", "3×2", "2×2", said=("R has 2 vectors", "odd")),
    ),
    "relative_table_gradient": (
        misfit("G", "2×3", "3×2", "3×2", said=("G is 2×3", "3 queries")),
        misfit("R", "2×3", "2×2", "3×3", said=("R is 3×3", "2")),
    ),
    "concat_matrix_gradient": (
        misfit("G", "2×3", "4×3", "3×2", "4×2", said=("G is 3×2", "Q has 2 rows")),
        misfit("H", "2×3", "4×3", "2×2", "4×3", said=("H is 4×3", "4×2")),
    ),
    "part_gradient": (
        misfit("width", "2×2", "4×2", start=3, width=2, said=("W is 4×2", "no 2 rows", "from 4 on")),
        misfit("G", "2×3", "4×2", start=0, width=2, said=("G is 2×3", "W makes 2 numbers")),
    ),
    **{
        name: (
            misfit("G", "2×3", "4×3", "2×3", said=("G is 2×3", "2×4")),
            misfit("K", "2×3", "4×2", "2×4", said=("K", "3")),
        )
        for name in ("cosine_queries_gradient", "cosine_keys_gradient")
    },
    **{
        name: (misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),)
        for name in (
            "tanh_gradient",
            "sigmoid_gradient",
            "rectify_gradient",
            "gelu_gradient",
            "silu_gradient",
            "gain_gradient",
            "rms_gain_gradient",
        )
    },
    **{
        name: (
            misfit("G", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),
            misfit("gamma", "2×3", "2×3", "1×2", said=("gamma is 1×2", "one row: 1×3")),
        )
        for name in ("layer_norm_gradient", "rms_norm_gradient")
    },
    "gate_gradient": (misfit("G", "2×3", "2×3", "1×3", said=("2 tokens in X, but 1 in G",)),),
    "kept_gradient": (misfit("G", "2×3", "1×3", said=("2 tokens in Z, but 1 in G",)),),
    "scatter": (
        misfit("rows", "2×3", rows=(0,), height=3, said=("1 place", "2 rows")),
        misfit("rows", "1×3", rows=(3,), height=3, said=("no row 4", "1 to 3")),
    ),
    "spread": (misfit("width", "2×3", start=2, width=4, said=("G is 2×3", "from 3 on", "4")),),
    "add_up": (misfit("G", "2×3", "3×3", said=("G1 is 2×3", "G2 is 3×3")),),
    "descend": (misfit("G", "2×3", "3×2", rate="1/10", said=("3 numbers per token in W, but 2 in G",)),),
    "cross_entropy": (
        misfit("target", "2×3", target=(0,), said=("1 target for 2 rows",)),
        misfit("target", "1×3", target=(3,), said=("no word 4", "1 to 3")),
    ),
}
OTHER_NORMALISERS = ("sparsemax", "entmax15", "entmax", "sum", "softmax2")
ACTIVATIONS = ("sigmoid", "tanh", "rectify", "gelu", "probabilities", "silu")
TAKES_ANY_SHAPE = {
    "divide",
    "multiply",
    "soft_cap",
    "feature",
    "total",
    "half",
    "overflow",
    "score_bias_gradient",
    "sink_softmax",
    "sigmoid_weights",
    "softmax",
    "argmax",
    "relu",
    *OTHER_NORMALISERS,
    *ACTIVATIONS,
    "transpose",
    "unit_gradient",
    "divide_gradient",
    "multiply_gradient",
    "hand_on",
}

CASES = [(op, case) for op in OPS for case in EXAMPLES.get(op.name, ())]
IDS = [f"{op.name}({', '.join(case.inputs)}) {case.options or ''}".strip() for op, case in CASES]
every_example = pytest.mark.parametrize(("op", "case"), CASES, ids=IDS)
every_op = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
MISTAKES = [(op, mistake) for op in OPS for mistake in op.mistakes]
every_mistake = pytest.mark.parametrize(
    ("op", "mistake"), MISTAKES, ids=[f"{op.name}: {mistake.name}" for op, mistake in MISTAKES]
)


# -- from texts to our matrices, SymPy's and torch's ---------------------------------------------------


def texts(source: str) -> list[list[str]]:
    return [row.split() for row in source.split(";")]


def ours(source: str) -> Matrix:
    if source.startswith("softmax "):
        return OPS_BY_NAME["softmax"].rule(ours(source.removeprefix("softmax ")))
    scores = matrix_of_cells([[number(behind(text)) for text in row] for row in texts(source)])
    return Masked.of(scores, Rationals([[int(not is_hidden(text)) for text in row] for row in texts(source)]))


def is_hidden(text: str) -> bool:
    return text == "-inf" or text.startswith("~")


def behind(text: str) -> str:
    """The score that a mask hides."""
    return "0" if text == "-inf" else text.removeprefix("~")


def on_paper(source: str) -> Any:
    if source.startswith("softmax "):
        return paper_softmax(on_paper(source.removeprefix("softmax ")))
    hidden = -sympy.oo
    return sympy.Matrix([[hidden if is_hidden(t) else symbol(t) for t in row] for row in texts(source)])


def symbol(text: str) -> Any:
    return sympy.sympify(text.replace("ln", "log").replace("^", "**"))  # noqa: TID251 - texts of this file only


def our_options(op: Op, case: Example) -> dict[str, Any]:
    """Numbers as expressions, as a problem file gives them; words and places as they are."""
    return {name: expression(v) if is_number(op, name) else v for name, v in case.options.items()}


def paper_options(op: Op, case: Example) -> dict[str, Any]:
    return {name: symbol(v) if is_number(op, name) else v for name, v in case.options.items()}


def is_number(op: Op, name: str) -> bool:
    return "number" == next(option.kind for option in op.options if option.name == name)


def carried_out(op: Op, case: Example, rule: Callable[..., Matrix] | None = None) -> Matrix:
    return (rule or op.rule)(*map(ours, case.inputs), **our_options(op, case))


def expected(op: Op, case: Example) -> Any:
    return EXPECTED[op.name](*map(on_paper, case.inputs), **paper_options(op, case))


def framed(shape: str) -> Frame:
    rows, columns = map(int, shape.split("×"))
    return Frame(Axis(rows, tuple(range(rows))), Axis(columns))


# -- the contract -----------------------------------------------------------------------------------


@every_op
def test_op_is_listed_by_its_name_and_where_its_family_is_chosen_from(op: Op) -> None:
    assert op is OPS_BY_NAME[op.name]
    assert (op.family is Family.NORMALISER) == (op.name in NORMALISERS_BY_NAME)
    assert (op.family is Family.SCORE) == (op.name in SCORES_BY_NAME)
    assert (op.family in (Family.ROTATION, Family.BIAS)) == (op.name in PLACINGS_BY_NAME)


@every_op
def test_op_has_examples(op: Op) -> None:
    assert len(EXAMPLES[op.name]) >= 3
    assert op.name in EXPECTED
    assert (op.name in MISFITS) != (op.name in TAKES_ANY_SHAPE)
    # One row and several; and, where there are options or a bias, with and without.
    rows = {ours(case.inputs[0]).shape[0] for case in EXAMPLES[op.name]}
    assert {1} < rows
    assert {option.name for option in op.options} == {
        name for case in EXAMPLES[op.name] for name in case.options
    }
    if op.optional:
        assert {True, False} == {len(case.inputs) == len(op.parameters) for case in EXAMPLES[op.name]}


@every_example
def test_rule_gives_what_the_definition_on_paper_gives(op: Op, case: Example) -> None:
    value, wanted = carried_out(op, case), expected(op, case)
    assert wanted.shape == value.shape
    for i, j, cell in value.cells():
        assert_is(wanted[i, j], cell)


@every_example
def test_every_stage_of_every_line_is_the_cell(op: Op, case: Example) -> None:
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    names = tuple("PQRSTU"[: len(inputs)])
    lines = op.lines(*inputs, value=value, options=options, names=names)
    assert_lines_hold(lines, value, *inputs)


@every_example
def test_torch_agrees(op: Op, case: Example) -> None:
    torch = pytest.importorskip("torch")

    def tensor(matrix: Any) -> Any:
        rows = [[float(sympy.N(x, 30)) for x in row] for row in matrix.tolist()]
        return torch.tensor(rows, dtype=torch.float64)

    inputs = [tensor(on_paper(source)) for source in case.inputs]
    options = {
        name: float(value) if isinstance(value, sympy.Expr) else value
        for name, value in paper_options(op, case).items()
    }
    value = carried_out(op, case)
    middles = [[float(ball.mid()) for ball in row] for row in value.balls(64)]
    mine = torch.tensor(middles, dtype=torch.float64)
    largest = float(mine[mine.isfinite()].abs().max())
    torch.testing.assert_close(op.twin(*inputs, **options), mine, rtol=1e-12, atol=1e-12 * largest)


@every_example
def test_frame_is_the_shape_of_the_result(op: Op, case: Example) -> None:
    frames = [framed("{}×{}".format(*ours(source).shape)) for source in case.inputs]
    assert op.frame(*frames, **our_options(op, case)).shape == carried_out(op, case).shape


@pytest.mark.parametrize(
    ("name", "wrong"), [(name, misfit) for name, misfits in MISFITS.items() for misfit in misfits]
)
def test_frame_refuses_what_does_not_fit(name: str, wrong: Misfit) -> None:
    op = OPS_BY_NAME[name]
    with pytest.raises(Unfit) as refused:
        op.frame(*map(framed, wrong.shapes), **wrong.options)
    for word in wrong.said:
        assert word in str(refused.value)
    found = refused.value.misfit
    assert wrong.blamed == found.parameter
    # Who knows what the file calls the matrices can say it too.
    args = tuple(f"a.M{place}" for place in range(len(wrong.shapes)))
    frames = dict(zip(args, map(framed, wrong.shapes), strict=True))
    told = FileWording(op, args, frames, Layout(index_from=0)).said(found)
    assert "{" not in told
    assert not re.search(rf"\b({'|'.join(op.parameters)}) (is|has|makes|needs)\b", told)


@every_op
def test_what_has_to_be_a_single_row_is_refused_with_two(op: Op) -> None:
    for place, role in enumerate(op.roles):
        if role == "row":
            case = next(case for case in EXAMPLES[op.name] if len(case.inputs) > place)
            frames = [framed("{}×{}".format(*ours(source).shape)) for source in case.inputs]
            frames[place] = Frame(Axis(2), frames[place].columns)
            with pytest.raises(Unfit) as refused:
                op.frame(*frames, **our_options(op, case))
            assert op.parameters[place] == refused.value.misfit.parameter


@every_mistake
def test_mistake_gives_other_numbers(op: Op, mistake: Mistake) -> None:
    others = 0
    for case in EXAMPLES[op.name]:
        try:
            wrong = carried_out(op, case, mistake.rule)
            wrong.balls(256)
        except AttnsolveError:
            continue  # not defined on these numbers: nobody can have made it
        others += carried_out(op, case).same(wrong) is False
    assert others > 0


@every_mistake
def test_mistake_speaks_to_the_student(op: Op, mistake: Mistake) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", mistake.name)
    assert re.fullmatch(r"[A-Z].*[^.]\.", mistake.advice)


def test_names_are_unique() -> None:
    assert len(OPS) == len(OPS_BY_NAME)
    for op in OPS:
        assert len(op.mistakes) == len({mistake.name for mistake in op.mistakes})
        assert len(op.mistakes) == len({mistake.rule for mistake in op.mistakes})
        words = [*op.parameters, *(option.name for option in op.options), "out"]
        assert len(words) == len(set(words))


SLOT = re.compile(
    r"\$\{(\w+)(?::(?:[a-z]|[a-z][a-z]|rows|columns|query|target|beneath|laid|summed)|\.\.\.)?\}"
)
LOCAL = re.compile(r"\$\{local:[A-Za-z](?:_[a-z]?\d*)?\}")
OPTIONAL = re.compile(r"\$\[(\w+):([^\]]*)\]")
COUNTED = re.compile(r"\$\{counted:(\w+)\}")


@every_op
def test_formula_mentions_only_what_the_op_takes(op: Op) -> None:
    assert op.formula.product or op.formula.matrix
    options = {option.name for option in op.options}
    words = {f"{option.name}={word}" for option in op.options for word in option.choices}
    assert {name for name, _ in op.variants} <= options | words
    for formula in (op.formula, *(formula for _, formula in op.variants)):
        assert bool(formula.product) != bool(formula.matrix)
        written = (formula.matrix, formula.each, formula.each_column, formula.exponent)
        assert set(chain.from_iterable(re.findall(r"\$\[(\w+):", text) for text in written)) <= {*op.optional}
        counted = set(chain.from_iterable(COUNTED.findall(text) for text in written))
        assert counted <= {option.name for option in op.options if option.kind == "choice"}
        spellings = [COUNTED.sub("", LOCAL.sub("", OPTIONAL.sub(r"\2", text))) for text in written]
        assert bool(formula.exponent) == (op.powers is not None)
        slots = set(chain.from_iterable(SLOT.findall(text) for text in spellings))
        factors = {factor.removesuffix("'") for factor in formula.product}
        assert factors | slots <= {*op.parameters, *options, "out"}
        assert formula.plus in (None, *op.optional)
        for text in spellings:
            assert "$" not in SLOT.sub("", text)
            assert text.count("{") == text.count("}")
        for each in filter(None, (formula.each, formula.each_column)):
            assert each.startswith("${out:")


@every_op
def test_formula_with_an_option_set_mentions_it(op: Op) -> None:
    for option in op.options:
        if option.kind == "number":
            formula: Formula = op.formula_for({option.name: expression("2")})
            written = formula.matrix + formula.each
            assert f"${{{option.name}}}" in written or (option.symbol and option.symbol in written)


@every_op
def test_record_is_complete(op: Op) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", op.name)
    assert re.fullmatch(r"[A-Z].*[^.:;,]", op.title)
    assert op.family is None or isinstance(op.family, Family)
    assert op.check in ("", "rows-sum-to-1", "signed-rows-sum-to-1", "between-values")
    assert len(op.parameters) == len(op.roles)
    assert set(op.roles) <= {"tokens", "weights", "between", "scores", "row", "any"}
    assert op.optional == op.parameters[len(op.parameters) - len(op.optional) :]
    assert op.rule.__doc__ and op.rule.__doc__.endswith(".")
    for option in op.options:
        assert option.kind in ("number", "choice", "rows", "integer", "count", "sizes")
        assert ("choice" == option.kind) == bool(option.choices)
        assert option.doc


@every_op
def test_settings_without_a_default_are_said_to_be_required(op: Op) -> None:
    case = max(EXAMPLES[op.name], key=lambda case: len(case.options))
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    for option in op.options:
        settings = {name: value for name, value in options.items() if name != option.name}
        if option.required:
            with pytest.raises(TypeError):
                op.rule(*inputs, **settings)
        else:
            with suppress(UndefinedStep):  # a tie that only the setting settles
                op.rule(*inputs, **settings)


@every_op
def test_weights_say_whether_a_factor_of_all_scores_shows(op: Op) -> None:
    if op.family is Family.NORMALISER:
        options = our_options(op, EXAMPLES[op.name][0])
        weights, doubled = (op.rule(ours(scores), **options) for scores in ("1/8 1/4 1/2", "1/4 1/2 1"))
        assert op.scale_free is (weights.same(doubled) is True)


@every_example
def test_weights_that_must_sum_to_1_do(op: Op, case: Example) -> None:
    if not op.check.endswith("rows-sum-to-1"):
        return
    value = carried_out(op, case)
    ones = sympy.ones(value.shape[1], 1)
    sums = value @ matrix_of_cells([[number("1")]] * ones.rows)
    for _, _, cell in sums.cells():
        assert cell.ball(1024).contains(1)
        if value.kind in ("rational", "surd", "attention"):
            assert 1 == cell.rational()


@every_example
def test_remarks_are_sentences_about_rows_that_exist(op: Op, case: Example) -> None:
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    for remark in op.remarks(*inputs, value=value, options=options):
        assert re.fullmatch(r"x.*y.*[^.]\.", remark.sentence.format(row="x", columns="y", tau="z"))
        assert remark.row in range(value.shape[0])
        assert set(remark.columns) <= set(range(value.shape[1]))


@every_example
def test_ledger_is_a_table_about_one_row(op: Op, case: Example) -> None:
    if op.ledger is None:
        return
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    known = {*op.parameters, *(option.name for option in op.options), "out"}
    for i in range(value.shape[0]):
        headers, rows, keys, *_ = op.ledger(*inputs, value=value, options=options, row=i)
        assert set(chain.from_iterable(SLOT.findall(LOCAL.sub("", header)) for header in headers)) <= known
        assert rows and {len(headers)} == set(map(len, rows))
        assert len(keys) in (0, len(rows))
        assert set(keys) <= set(range(value.shape[1])) and len(keys) == len(set(keys))
        for entry in chain.from_iterable(rows):
            assert entry if isinstance(entry, str) else evaluate(entry).ball(64).is_finite()


def test_softmax_says_which_scores_are_equal() -> None:
    scores = ours("9/2 0 9/2 0; 0 1 -1 sqrt(1/4)")
    softmax = OPS_BY_NAME["softmax"]
    said = softmax.remarks(scores, value=softmax.rule(scores), options={})
    assert [(0, (0, 2)), (0, (1, 3))] == [(remark.row, remark.columns) for remark in said]


@pytest.mark.parametrize(
    ("name", "scores", "message"),
    [
        ("argmax", "1 0 0; 2 3 3", "query 2: the scores of keys 2, 3 are equal and the largest"),
        ("argmax", "sqrt(8) 2*sqrt(2)", "query 1: the scores of keys 1, 2 are equal and the largest"),
        ("relu", "1 0; -1 -2", "query 2: no score is above 0"),
        ("relu", "0 0", "query 1: no score is above 0"),
        ("relu", "-sqrt(2) sqrt(2)-sqrt(3)", "query 1: no score is above 0"),
        ("relu", "1 0; ~3 -2", "query 2: no score is above 0"),
        ("argmax", "1 3 ~3; 2 ~5 2", "query 2: the scores of keys 1, 3 are equal and the largest"),
        ("sum", "1 -1", "query 1: its scores add up to 0"),
        ("sum", "1 2 3; sqrt(2) 1-sqrt(2) -1", "query 2: its scores add up to 0"),
        ("sum", "1 ~3 -1", "query 1: its scores add up to 0"),
        *((op.name, "1 2; ~1 -inf", "query 2: every key is hidden") for op in NORMALISERS if not op.options),
    ],
)
def test_rows_without_weights_are_named(name: str, scores: str, message: str) -> None:
    with pytest.raises(UndefinedStep) as refused:
        OPS_BY_NAME[name].rule(ours(scores))
    assert message in str(refused.value)


def test_temperature_divides() -> None:
    half = OPS_BY_NAME["softmax"].rule(ours("2 4"), temperature=expression("2"))
    assert half.same(OPS_BY_NAME["softmax"].rule(ours("1 2"))) is True


@pytest.mark.parametrize(
    ("by", "squared"), [("sqrt(3)", "3"), ("sqrt(2*8)", "16"), ("2", "4"), ("1/3", "1/9")]
)
def test_without_root_divides_by_what_stands_under_it(by: str, squared: str) -> None:
    divide = OPS_BY_NAME["divide"]
    mistake = next(mistake for mistake in divide.mistakes if mistake.name == "without-root")
    wrong = mistake.rule(ours("1"), by=expression(by))
    assert 1 / evaluate(expression(squared)).rational() == wrong.cell(0, 0).rational()  # type: ignore[operator]
