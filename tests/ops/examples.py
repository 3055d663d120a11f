"""What each op is tried on.

A matrix is written as in a problem file, `1 sqrt(2); -1 0`; `softmax 1 2; 3 4` is the softmax of one
(attention rows), `softmax softmax …` the softmax of that (certified balls). `~3` is a score of 3 that a
mask hides, `-inf` one of which nothing else is known. Options are texts too.
"""

from typing import Any, NamedTuple


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
