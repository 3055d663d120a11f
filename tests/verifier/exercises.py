"""Random exercises as files have them: sizes, heads, masks, scalings, normalisers and conventions."""

from random import Random

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.loader import loads
from attnsolve.trace import Trace

NORMALISERS = ("softmax", "softmax", "softmax", "relu", "sparsemax", "entmax15", "argmax", "softmax2")
SCALINGS = ("none", "sqrt(d_k)", "sqrt(d_k)", "2", "3")
CONVENTIONS = ("rows", "rows", "columns", "torch")
ENTRIES = ("-3", "-2", "-1", "0", "1", "2", "3", "1/2", "-3/2", "0.3", "-0.7", "1/3")


def matrix(random: Random, rows: int, columns: int) -> str:
    """A matrix as a file has it."""
    return "; ".join(" ".join(random.choice(ENTRIES) for _ in range(columns)) for _ in range(rows))


def draw_text(random: Random) -> str:
    """The text of an exercise."""
    tokens, width, size = random.randint(1, 4), random.randint(1, 3), random.randint(1, 3)
    convention = random.choice(CONVENTIONS)
    heads = random.choice((0, 0, 1, 1, 1, 2))
    lengths = f"mask: {{lengths: {random.randint(1, tokens)}}}, "
    mask = random.choice(("", "", "mask: {causal: true}, ", lengths))
    settings = f"{mask}divide_by: {random.choice(SCALINGS)}, weights: {random.choice(NORMALISERS)}"
    shape = (width, size) if convention == "rows" else (size, width)
    given = [f"  X: {matrix(random, tokens, width)}"]
    for head in range(1, heads + 1):
        given += [f"  W_{letter}{head}: {matrix(random, *shape)}" for letter in "QKV"]
    if heads == 2:
        outer = (2 * size, width) if convention == "rows" else (width, 2 * size)
        given.append(f"  W_O: {matrix(random, *outer)}")
        both = ", ".join(f"{{W_Q: W_Q{h}, W_K: W_K{h}, W_V: W_V{h}}}" for h in (1, 2))
        recipe = f"multi_head: {{input: X, heads: [{both}], W_O: W_O, {settings}}}"
    elif heads:
        recipe = f"self_attention: {{input: X, W_Q: W_Q1, W_K: W_K1, W_V: W_V1, {settings}}}"
    else:
        recipe = f"self_attention: {{input: X, {settings.replace('d_k', 'd')}}}"
    lines = ["format: 1", "title: drawn", f"convention: {convention}", f"places: {random.choice((3, 4, 4))}"]
    return "\n".join([*lines, "given:", *given, "parts:", "  - ask: Find it.", f"    {recipe}", ""])


def draw(random: Random) -> Trace:
    """A solved exercise; what has no solution is drawn again."""
    while True:
        try:
            return solve(loads(draw_text(random)))
        except AttnsolveError:
            continue
