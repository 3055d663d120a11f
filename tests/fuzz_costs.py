"""Looks for problems that cost too much: random numbers of the whole grammar, solved and printed.

By hand: `python tests/fuzz_costs.py --seconds 300`. A problem is known by its seed and number, and can be had
again with `--first N --count 1 --show`. Each may take a second of processor time per 100 steps to solve, and
at least one, a few seconds to print, and a bounded amount of memory; what is refused is refused in words.
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from attnsolve.engine import solve  # noqa: E402
from attnsolve.errors import AttnsolveError  # noqa: E402
from attnsolve.loader import loads  # noqa: E402
from attnsolve.rendering import render  # noqa: E402

# Processor time: for 100 steps, and at least so much; for a page; and when a problem is given up.
SOLVE, LEAST, PAGE, PATIENCE = 1.0, 1.0, 8.0, 60
MEGABYTES = 700
LARGE = 5
NUMBERS = ("1", "2", "-1", "-3", "0", "1/2", "-3/7", "0.25", "1.37", "-0.0013", "12.5", "22/7", "1e-3")
CONSTANTS = ("pi", "e", "sqrt(2)", "sqrt(3)", "√5", "ln(2)", "ln(3)")
FUNCTIONS = ("sqrt", "exp", "ln", "sin", "cos", "tanh", "erf")
SCORES = ("dot", "cosine")
WEIGHTS = ("softmax", "softmax", "softmax2", "sparsemax", "entmax15", "relu", "{softmax: {temperature: pi}}")


def number(chance: Random, depth: int = 2) -> str:
    """A number as somebody might type it, plain ones more often."""
    kind = chance.randrange(10)
    if kind < 4 or depth == 0:
        return chance.choice(NUMBERS)
    if kind < 6:
        return chance.choice(CONSTANTS)
    if kind < 8:
        inside = number(chance, depth - 1)
        return f"{chance.choice(FUNCTIONS)}({inside})"
    left, right = number(chance, depth - 1), number(chance, depth - 1)
    return f"({left}){chance.choice('+-*/')}({right})"


def matrix(chance: Random, rows: int, columns: int, *, plain: bool) -> str:
    """A matrix of such numbers, or only of plain ones."""
    made = [[number(chance, 0 if plain else 2) for _ in range(columns)] for _ in range(rows)]
    return "; ".join(" ".join(cell.replace(" ", "") for cell in row) for row in made)


def large(chance: Random) -> str:
    """A problem file with more tokens than fit a line, and plain numbers, as networks have them."""
    return written(chance, chance.randint(6, 16), chance.choice((8, 12, 16)), dict.fromkeys("XWF", True))


def drawn(chance: Random) -> str:
    """A problem file with few tokens and numbers of the whole grammar."""
    tokens, width, hidden = chance.randint(2, 5), chance.choice((2, 3, 4, 6)), chance.choice((2, 4, 8))
    return written(chance, tokens, width, {name: chance.randrange(3) > 0 for name in "XWF"}, hidden)


def written(chance: Random, tokens: int, width: int, plain: dict[str, bool], hidden: int = 32) -> str:
    """A problem file: an attention, several heads, or a layer or two of an encoder."""
    given = {"X": matrix(chance, tokens, width, plain=plain["X"])}
    settings = f"weights: {chance.choice(WEIGHTS)}"
    shape = chance.randrange(3)
    if shape == 0:
        recipe = f"self_attention: {{input: X, score: {chance.choice(SCORES)}, {settings}}}"
    elif shape == 1:
        given |= {f"W_{c}": matrix(chance, width, 2, plain=plain["W"]) for c in "QKV"}
        recipe = f"self_attention: {{input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, {settings}}}"
    else:
        given |= {f"W_{c}": matrix(chance, width, width, plain=plain["W"]) for c in "QKVO"}
        given |= {"W_1": matrix(chance, width, hidden, plain=plain["F"])}
        given |= {"W_2": matrix(chance, hidden, width, plain=plain["F"])}
        projections = ", ".join(f"W_{c}: W_{c}" for c in "QKVO12")
        more = f"activation: {chance.choice(('relu', 'gelu'))}, epsilon: {chance.choice(('0', '10^-5'))}"
        heads = f"heads: {chance.choice((1, 2))}, layers: {chance.choice((1, 1, 2))}"
        recipe = f"encoder_block: {{input: X, {heads}, {projections}, {more}}}"
    lines = [f"  {name}: '{text}'" for name, text in given.items()]
    head = ["format: 1", "title: Drawn", f"places: {chance.choice((3, 4, 6))}", "given:", *lines]
    return "\n".join([*head, "parts:", "  - ask: Find it.", f"    {recipe}", ""])


class TooLong(BaseException):
    """The patience is over."""


def give_up(*_: Any) -> None:
    """Stop a problem that takes far too long."""
    raise TooLong


class Cost(NamedTuple):
    """What a problem took, in processor time, and what went wrong."""

    steps: int = 0
    solving: float = 0.0
    printing: float = 0.0
    said: str = ""
    is_refused: bool = False


def cost(text: str) -> Cost:
    """What it takes to solve and print a problem."""
    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    started = time.process_time()
    solved = started
    try:
        trace = solve(loads(text))
        solved = time.process_time()
        render(trace, to="markdown")
    except AttnsolveError as error:
        return Cost(said="" if str(error) else "refused without a word", is_refused=True)
    except TooLong:
        return Cost(said=f"given up after {PATIENCE} s, {'printing' if solved > started else 'solving'}")
    except Exception as error:
        return Cost(said=f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    taken = Cost(len(trace.steps), solved - started, time.process_time() - solved)
    if taken.solving > max(LEAST, SOLVE * taken.steps / 100):
        return taken._replace(said=f"{taken.solving:.1f} s to solve {taken.steps} steps")
    return taken._replace(said=f"{taken.printing:.1f} s to print" if taken.printing > PAGE else "")


def text_of(seed: int, place: int) -> str:
    """The problem of this number; every fifth is large."""
    make = large if place % LARGE == LARGE - 1 else drawn
    return make(Random(f"{seed} {place}"))


def run(seed: int, enough: Callable[[int], bool], *, first: int = 0) -> tuple[list[Cost], list[str]]:
    """What problems took until there were enough, and what was wrong with some."""
    costs: list[Cost] = []
    found: list[str] = []
    while not enough(len(costs)):
        place = first + len(costs)
        taken = cost(text_of(seed, place))
        costs.append(taken)
        if taken.said:
            found.append(f"{place}: {taken.said}")
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        if used > MEGABYTES:
            found.append(f"{place}: {used} MB in use")
            break
    return costs, found


def main() -> int:
    """Draw problems for a while and tell what they took; 1 if any took too much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=0, help="so many, whatever it takes")
    parser.add_argument("--show", action="store_true", help="print the problem files")
    given = parser.parse_args()
    loads("format: 1\ntitle: x\ngiven: {X: 'pi 1'}\nparts: [{ask: x, self_attention: {input: X}}]\n")  # SymPy
    if given.show:
        for place in range(given.first, given.first + max(1, given.count)):
            print(text_of(given.seed, place))
    end = time.monotonic() + given.seconds
    costs, found = run(
        given.seed,
        lambda tried: tried >= given.count if given.count else time.monotonic() > end,
        first=given.first,
    )
    for said in found:
        print(said)
    solving, printing = sorted(c.solving for c in costs), sorted(c.printing for c in costs)
    refused = sum(one.is_refused for one in costs)
    print(f"{len(costs)} problems, {refused} refused in words, {len(found)} too costly or broken")
    print(f"solving: median {solving[len(costs) // 2]:.2f} s, most {solving[-1]:.2f} s of processor time")
    print(f"printing: median {printing[len(costs) // 2]:.2f} s, most {printing[-1]:.2f} s")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
