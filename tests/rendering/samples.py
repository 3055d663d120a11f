"""Problems that strain a page: wide, long, fractional, tied, rounded; made for the tests of rendering."""

from functools import cache
from pathlib import Path

from attnsolve.engine import solve
from attnsolve.loader import load, loads
from attnsolve.rendering import render
from attnsolve.trace import Trace

FOLDER = Path(__file__).parents[2] / "problems"


def grid(rows: int, columns: int, seed: int = 0, *, halves: bool = True) -> str:
    """A matrix of small numbers as a file types it: `0.5 -1; 2 1.5`."""
    numbers = [[(3 * i * i + 5 * j + 7 * i * j + seed) % 9 - 4 for j in range(columns)] for i in range(rows)]
    return "; ".join(" ".join(f"{n / 2:g}" if halves else str(n) for n in row) for row in numbers)


def problem(body: str, *, title: str = "Made for a test") -> str:
    """A problem file around `body`."""
    return f"format: 1\ntitle: {title}\n{body.strip()}\n"


MADE = {
    "roots-below": problem(
        """
given: {S: 1 sqrt(2) sqrt(3); 2 -sqrt(3) 5, V: 1 0; 1/(1+sqrt(2)) 1; 3 1/(2+sqrt(6))}
parts:
  - ask: Shares of roots. Find the weights and the output.
    attend: {scores: S, values: V, weights: sum}
"""
    ),
    "wide": problem(
        f"""
labels: [t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12]
numbers: decimals
given:
  X: {grid(12, 10)}
  W_Q: {grid(10, 3, 1)}
  W_K: {grid(10, 3, 2)}
  W_V: {grid(10, 4, 3)}
parts:
  - ask: Twelve tokens with ten features each. Find the output, and draw the map.
    self_attention: {{input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}}
    plot: weights
"""
    ),
    "long": problem(
        f"""
given:
  X: {grid(20, 3)}
parts:
  - ask: Twenty tokens attend to each other.
    self_attention: {{input: X}}
    plot: weights
"""
    ),
    "deep": problem(
        f"""
given:
  q: {grid(1, 12, 4)}
  K: {grid(3, 12, 2)}
  V: 10 20; 30 40; 50 60
parts:
  - ask: Dot products of twelve terms.
    attend: {{queries: q, keys: K, values: V}}
"""
    ),
    "labels": problem(
        f"""
labels: [the quick brown fox, jumps, over the lazy dog & runs away from it, 'antidisestablishmentarianism']
given:
  X: {grid(4, 2)}
parts:
  - ask: Long names on the axes.
    self_attention: {{input: X}}
    plot: weights
"""
    ),
    "heads": problem(
        f"""
given:
  X: {grid(4, 3)}
  W_O: {grid(6, 3, 5)}
parts:
  - ask: Three heads of different widths.
    multi_head:
      input: X
      heads:
        - {{W_Q: {grid(3, 2, 1)}, W_K: {grid(3, 2, 2)}, W_V: {grid(3, 2, 3)}}}
        - {{W_Q: {grid(3, 1, 4)}, W_K: {grid(3, 1, 5)}, W_V: {grid(3, 1, 6)}}}
        - {{W_Q: {grid(3, 3, 7)}, W_K: {grid(3, 3, 8)}, W_V: {grid(3, 3, 1)}}}
      W_O: W_O
    plot: weights
"""
    ),
    "fractions": problem(
        """
numbers: fractions
given:
  Q: 1/3 -2/7; 5/11 1/2
  K: 3/13 -1/6; 7/9 2/5; -1/8 11/12
  V: 1/3 22/7 -355/113; -2/3 1/7 1/17; 4/9 -1/19 5/23
parts:
  - ask: Awkward fractions.
    attend: {queries: Q, keys: K, values: V}
"""
    ),
    "columns": problem(
        """
convention: columns
symbols: {A: '\\hat\\alpha', X: h}
given:
  X: 5 1; 4 3; -2 6
  W_q: 1 0; 2 9
  W_k: 0 1; 6 0
  W_v: 4 3; 9 1
parts:
  - ask: Tokens as columns, every query.
    self_attention: {input: X, W_Q: W_q, W_K: W_k, W_V: W_v}
    plot: weights
  - ask: Only the second query.
    self_attention: {input: X, queries: [2], W_Q: W_q, W_K: W_k, W_V: W_v}
"""
    ),
    "torch": problem(
        """
convention: torch
index_from: 0
given:
  X: 1 2; 0 -1; 3 1
  W_Q: 1 0; 0.5 2; 1 1
  W_K: 0 1; 1 -1; 2 0.5
  W_V: 1 1
  b_Q: 0.5 -0.5 1
  b_V: 2
parts:
  - ask: Weights out times in, with biases, counted from 0.
    self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, b_Q: b_Q, b_V: b_V}
"""
    ),
    "ties": problem(
        """
labels: [sun, moon, star]
given:
  q: 1 1
  K: 2 1; 1 2; 0 1
  V: 3 0; 0 3; 1 1
parts:
  - ask: The tie is shared.
    attend: {queries: q, keys: K, values: V, divide_by: none, weights: {argmax: {ties: split}}}
    plot: weights
  - ask: The first one is taken.
    attend: {queries: q, keys: K, values: V, divide_by: none, weights: {argmax: {ties: first}}}
"""
    ),
    "relu": problem(
        """
given:
  Q: 1 -1; 2 1
  K: 2 1; -1 2; 1/2 1
  V: 3 0; 0 3; 1 1
parts:
  - ask: ReLU normalisation.
    attend: {queries: Q, keys: K, values: V, divide_by: none, weights: relu}
  - ask: ReLU normalisation of scaled scores.
    attend: {queries: Q, keys: K, values: V, weights: relu}
"""
    ),
    "sparse": problem(
        """
given:
  Q: 1 -1; 2 1
  K: 2 1; 1 2; 1/2 1
  V: 3 0; 0 3; 1 1
  S: 1 1/2 3/4; 0 2 -1
parts:
  - ask: Sparsemax.
    attend: {queries: Q, keys: K, values: V, divide_by: 4, weights: sparsemax}
  - ask: Sparsemax of scaled scores.
    attend: {queries: Q, keys: K, values: V, weights: sparsemax}
  - ask: Entmax with 1.5.
    attend: {scores: S, values: V, weights: entmax15}
  - ask: The same of scaled scores.
    attend: {queries: Q, keys: K, values: V, weights: {entmax: {alpha: 3/2}}}
  - ask: Entmax with 1.25.
    attend: {scores: S, values: V, weights: {entmax: {alpha: 1.25}}}
"""
    ),
    "shares": problem(
        """
given:
  Q: 1 -1; 2 1
  K: 2 1; 1 2; 1/2 1
  V: 3 0; 0 3; 1 1
  S: 1 1/2 3/4; 0 2 -1
parts:
  - ask: Scores over their sum, some of them negative.
    attend: {scores: S, values: V, weights: sum}
  - ask: The same with roots that cancel.
    attend: {queries: Q, keys: K, values: V, weights: sum}
  - ask: Powers of two with halves and quarters above them.
    attend: {scores: S, values: V, weights: softmax2}
  - ask: Powers of two with roots above them.
    attend: {queries: Q, keys: K, values: V, weights: softmax2}
"""
    ),
    "masked": problem(
        """
labels: [sun, moon, star]
given:
  Q: 1 -1; 2 1; 0 1
  K: 2 1; 1 2; 1/2 1
  V: 3 0; 0 3; 1 1
parts:
  - ask: No token looks ahead.
    plan: [{S: 'dot(Q, K)'}, {T: 'divide(S, sqrt(2))'}, {M: causal(T)}, {A: softmax(M)}, {Z: 'mix(A, V)'}]
  - ask: The other weights.
    plan:
      - S: dot(Q, K)
      - T: divide(S, 4)
      - M: causal(T)
      - A: sparsemax(M)
      - B: entmax15(M)
      - C: entmax(M, 5/4)
      - D: sum(M)
      - E: softmax2(M)
      - F: relu(M)
      - G: argmax(M)
"""
    ),
    "functions": problem(
        """
given:
  Q: tanh(1) 1; exp(1/2) -1
  K: sqrt(2) ln(3); 1 cos(1)
  V: pi 1; sqrt(3) 2
parts:
  - ask: Entries that are no rational numbers.
    attend: {queries: Q, keys: K, values: V}
"""
    ),
    "logarithms": problem(
        """
given:
  S: ln(2) ln(3) 0; ln(5) 0 -ln(2)
  V: 1 2; 3 4; 5 6
parts:
  - ask: Scores whose exponentials are rational.
    attend: {scores: S, values: V}
    plot: weights
"""
    ),
    "rounded": problem(
        f"""
round: {{carry: 2}}
places: 2
given:
  X: {grid(3, 3)}
parts:
  - ask: Every value is rounded to two places.
    self_attention: {{input: X}}
"""
    ),
    "truncated": problem(
        f"""
round: {{carry: 3, mode: truncate}}
given:
  X: {grid(3, 2)}
parts:
  - ask: Every value is cut off.
    self_attention: {{input: X, divide_by: 3}}
"""
    ),
    "huge-scores": problem(
        """
given:
  q: 31 14
  K: 34 0; 18 21; -6 -15
  V: 4 9; 3 1; -2 6
parts:
  - ask: Weights far below anything that four decimals show.
    attend: {queries: q, keys: K, values: V}
    plot: weights
"""
    ),
    "temperature": problem(
        """
given:
  q: 1 2
  K: 1 0; 0 1
  V: 10 0; 0 10
parts:
  - ask: Softmax with a temperature.
    attend: {queries: q, keys: K, values: V, divide_by: none, weights: {softmax: {temperature: 3/2}}}
"""
    ),
    "cases": problem(
        """
given:
  q: 1 2
  r: -1 1
  K: 1 0; 0 1
  V: 10 0; 0 10
parts:
  - id: a
    ask: One plan for two queries.
    attend: {queries: q, keys: K, values: V}
    cases: [{queries: q}, {queries: r}]
  - id: b
    ask: As before, but without scaling.
    like: a
    attend: {divide_by: none}
  - id: c
    ask: What does scaling do to the weights?
    discuss: |
      It makes them more equal, because $s/\\sqrt{d}$ lies closer to 0 than $s$.

      The \\*order\\* of the weights stays; so does a tie. 1. Nothing else changes.
    marks: 2
"""
    ),
    "two-layers": problem(
        f"""
given:
  X: {grid(3, 2)}
parts:
  - id: a
    ask: The first layer.
    self_attention: {{input: X}}
  - id: b
    ask: A second layer on top of the first.
    self_attention: {{input: a.Z}}
"""
    ),
    "split": problem(
        f"""
given:
  X: {grid(3, 4)}
  W_Q: {grid(4, 4, 1)}
  W_K: {grid(4, 4, 2)}
  W_V: {grid(4, 4, 3)}
  W_O: {grid(4, 2, 5)}
  b_O: 1 -1
parts:
  - ask: Wide matrices, split between two heads.
    multi_head: {{input: X, heads: 2, W_Q: W_Q, W_K: W_K, W_V: W_V, W_O: W_O, b_O: b_O}}
"""
    ),
    "plan": problem(
        """
numbers: decimals
given:
  Q: 1 0; 0 1
  K: 1.5 2; 2 1
  V: 1 2 3; 4 5 6
parts:
  - ask: A plan of its own.
    plan: [{S: 'dot(Q, K)'}, {T: 'divide(S, sqrt(2))'}, {A: 'softmax(T)'}, {Z: 'mix(A, V)'}]
    find: ['A[1, 2]', 'Z[2]']
    marks: 3
"""
    ),
    "sums-of-roots": problem(
        """
given: {X: 1+sqrt(2) 3/11; 2-sqrt(7) sqrt(5)/3; 1+sqrt(2) 1+sqrt(2)}
parts:
  - ask: Numbers that are sums themselves, in a matrix that is wider than the page.
    self_attention: {input: X, divide_by: sqrt(3)}
    find: S
"""
    ),
    "masked-layers": problem(
        """
given:
  X: 1 0 2 1; 0 1 1 2
  I: identity(4)
parts:
  - ask: Two causal layers, so that masked scores have no closed form.
    encoder_block: {input: X, heads: 2, W_Q: I, W_K: I, W_V: I, W_O: I, mask: {causal: true}, layers: 2}
"""
    ),
    "zero-deviation": problem(
        """
given: {X: 1 0; 0 2, W: 1 2; 0 1}
parts:
  - ask: A token whose numbers are all equal has the deviation 0.
    encoder_block: {input: X, epsilon_at: deviation, W_1: W, W_2: W}
"""
    ),
    "tied-entmax": problem(
        """
places: 2
given: {S: 0 2, V: 0.125; 0.135}
parts:
  - ask: All the weight is on the second key, so that the output is exactly 0.135.
    attend: {scores: S, values: V, weights: {entmax: {alpha: 1.75}}}
"""
    ),
    "equal-values": problem(
        """
places: 2
given: {q: 1 2, K: 2 1; 1 3, V: 0.125; 0.125, W: 1 0; 0 1, v: 1 2}
parts:
  - ask: Both values are 0.125, so the output is, whatever the weights are.
    attend: {queries: q, keys: K, values: V, score: {additive: {W: W, U: W, v: v}}}
"""
    ),
    "equal-keys": problem(
        """
given: {q: 1/5 -1/2, K: ones(2x2), V: 2 0; 0 4}
parts:
  - ask: Equal keys have equal weights, whatever their score is.
    attend: {queries: q, keys: K, values: V, score: {additive: {W: 1 0; 0 1, U: 1/2 1; -1 2, v: 1 -1}}}
"""
    ),
    "far-apart": problem(
        """
given: {S: 3000 0, V: 1; 2}
parts:
  - ask: A mistake gives e to the power of 3000.
    attend: {scores: S, values: V}
"""
    ),
    "fewer-labels": problem(
        """
labels: [the, cat]
given: {Q: 1 0; 0 1, K: 1 0; 0 1; 1 1, V: 1; 2; 3}
parts:
  - ask: More keys than labels.
    attend: {queries: Q, keys: K, values: V, mask: {lengths: 2}, divide_by: none}
    find: A
"""
    ),
    "rounded-mask": problem(
        """
round: {carry: 2}
given: {S: 1 2}
parts:
  - ask: Rounding that is carried, and a mask before the scaling.
    attend: {scores: S, mask: {lengths: 1, apply: before_scaling}, divide_by: 3}
"""
    ),
    "long-fractions": problem(
        """
given: {S: -1480 -1480; 0 0, V: -9 12; 25 -20}
parts:
  - ask: The root of a fraction that nobody can factor.
    plan: [{M: 'lengths(S, 1)'}, {A: softmax2(M)}, {Z: 'mix(A, V)'}, {N: 'layer_norm(Z, epsilon=1/100)'}]
"""
    ),
    "published": problem(
        """
places: 3
given:
  q: 1 1
  K: 1 0; 0 2
  V: 1 0; 0 1
parts:
  - ask: A sheet with an answer key of its own.
    attend: {queries: q, keys: K, values: V, divide_by: none}
    published: {A: 0.268 0.9}
"""
    ),
}

BUNDLED = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))
NAMES = (*BUNDLED, *MADE)
# Those that have symbols instead of numbers.
WITH_SYMBOLS = tuple(sorted(path.stem for path in FOLDER.glob("symbols/*.yaml")))


@cache
def trace_of(name: str) -> Trace:
    """A bundled or made problem, solved once for all tests of a process."""
    if name in MADE:
        return solve(loads(MADE[name], name=name))
    return solve(load((FOLDER / "symbols" if name in WITH_SYMBOLS else FOLDER) / f"{name}.yaml"))


@cache
def page_of(name: str, to: str = "markdown", flavour: str = "pandoc") -> str:
    """The usual worked solution of a problem, printed once for all tests of a process."""
    return render(trace_of(name), to=to, flavour=flavour).text
