"""Calculator-free by design: the weights are chosen first, and keys are built that lead to them.

Weights (1/2, 1/3, 1/6) come from the scores ln 3, ln 2, ln 1, whatever is added to all of them. So a key k of
the query q must have q·k = D ln m, where D is what scores are divided by. Its entries are logarithms of
fractions: for every prime p of m the coefficients x_j of ln p must have Σ_j q_j x_j = D·v_p(m). All but one
of them are drawn, the last one, where q_j is 1 or -1, is found. A softmax with powers of 2 works the same
way with whole numbers in place of logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from attnsolve.errors import UsageError
from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import logarithm
from attnsolve.graph import Head, graph_of
from attnsolve.ops.dot import DOT
from attnsolve.ops.scaling import DIVIDE
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.softmax2 import SOFTMAX2
from attnsolve.problem import Problem
from attnsolve.variants.generator import Stream
from attnsolve.variation import Design, Domain, Entry
from attnsolve.working import evaluate

COEFFICIENTS = (-1, 0, 0, 1)  # of ln p in an entry that is drawn freely
LARGEST = 12  # the largest number in a logarithm: ln(12/5) can be written, ln(128/81) should not
PATIENCE = 200
PRIMES = (2, 3, 5, 7)
SMALL = (Entry("1", Rational(1)), Entry("-1", Rational(-1)), Entry("2", Rational(2)))


class Drawing(NamedTuple):
    """A design read against the plan: which givens it makes, and how scores become weights."""

    query: str
    keys: str
    divisor: int
    weights: tuple[tuple[Fraction, ...], ...]
    powers_of_two: bool


def drawing_of(problem: Problem, design: Design) -> Drawing:
    """Find the query, the keys and the scale behind the weights of a part."""
    heads = (head for head in graph_of(problem).heads if head.weights.part == design.part)
    head = next((head for head in heads if head.weights.op in (SOFTMAX, SOFTMAX2)), None)
    divisor = whole_divisor(head) if head is not None else None
    if head is None or head.scores is None or head.weights.options or divisor is None:
        raise refusal(
            design,
            "its weights must be a softmax of dot products, over a whole number or none",
        )
    query, keys = head.scores.args[:2]
    if not {query, keys} <= set(problem.givens) or problem.givens[query].value.shape[0] > 1:
        raise refusal(design, "its query must be a given of one row and its keys a given")
    if any(len(weights) != problem.givens[keys].value.shape[0] for weights in design.weights):
        raise refusal(design, f"there are {problem.givens[keys].value.shape[0]} keys, each with one weight")
    powers_of_two = head.weights.op is SOFTMAX2
    if powers_of_two and any(not power_of_two(m) for weights in design.weights for m in wholes(weights)):
        raise refusal(design, "powers of 2 give weights such as 1/2 1/4 1/4 only")
    if any(not has_small_primes(m) for weights in design.weights for m in wholes(weights)):
        raise refusal(design, "its weights must be in proportion to products of 2, 3, 5 and 7")
    return Drawing(query, keys, divisor, design.weights, powers_of_two)


def refusal(design: Design, why: str) -> UsageError:
    """Why keys cannot be built for a part."""
    return UsageError(f"vary.design.{design.part}: no keys can be built for this part; {why}")


def whole_divisor(head: Head) -> int | None:
    """The whole number that dot products are divided by, if nothing else is done to them."""
    if head.scores is None or head.scores.op is not DOT:
        return None
    if not head.changes:
        return 1
    if len(head.changes) > 1 or head.changes[0].op is not DIVIDE:
        return None
    value = evaluate(head.changes[0].options["by"]).rational()
    return value.numerator if value is not None and value.denominator == 1 and value > 0 else None


def power_of_two(number: int) -> bool:
    """Whether it is 1, 2, 4, 8 …"""
    return number & (number - 1) == 0


def has_small_primes(number: int) -> bool:
    """Whether it is a product of the primes whose logarithms keys are built from."""
    for prime in PRIMES:
        while number % prime == 0:
            number //= prime
    return number == 1


def wholes(weights: Sequence[Fraction]) -> list[int]:
    """The smallest whole numbers in the same proportion: 3, 2, 1 for 1/2, 1/3, 1/6."""
    common = lcm(*[weight.denominator for weight in weights])
    return [int(weight * common) for weight in weights]


def drawn(
    drawing: Drawing, problem: Problem, domain: Domain | None, stream: Stream
) -> dict[str, list[list[Entry]]]:
    """A query and the keys that give it some of the weights, in some order."""
    width = problem.givens[drawing.query].value.shape[1]
    targets = stream.shuffled(wholes(stream.choose(drawing.weights)))
    for _ in range(PATIENCE):
        query = [stream.choose(domain.entries if domain else SMALL) for _ in range(width)]
        numbers = [whole(entry.value) for entry in query]
        if 1 not in map(abs, numbers):
            continue
        keys = [key_for(target, numbers, drawing, stream) for target in targets]
        return {drawing.query: [query], drawing.keys: keys}
    raise UsageError(f"'{drawing.query}' never gets an entry 1 or -1, which keys by design need")


def whole(cell: Cell) -> int:
    """A whole number; 0 for anything else, so that it is not relied on."""
    value = cell.rational()
    return value.numerator if value is not None and value.denominator == 1 else 0


def key_for(target: int, query: Sequence[int], drawing: Drawing, stream: Stream) -> list[Entry]:
    """A key whose score is D times the logarithm of the target."""
    for _ in range(PATIENCE):
        primes = PRIMES[:1] if drawing.powers_of_two else PRIMES
        shares = [coefficients(exponent(target, p) * drawing.divisor, query, stream, p) for p in primes]
        entries = [tuple(column) for column in zip(*shares, strict=True)]
        key = [written(entry, primes, drawing) for entry in entries]
        if all(entry is not None for entry in key):
            return [entry for entry in key if entry is not None]
    raise UsageError(f"no key with small entries has the score of the weight {target}")


def exponent(number: int, prime: int) -> int:
    """How often a prime divides a number."""
    count = 0
    while number % prime == 0:
        number, count = number // prime, count + 1
    return count


def coefficients(wanted: int, query: Sequence[int], stream: Stream, prime: int) -> list[int]:
    """Whole x_j with Σ q_j x_j = wanted: drawn, but for one that is found. Large primes stay alone."""
    free = stream.choose([j for j, number in enumerate(query) if abs(number) == 1])
    drawn = [stream.choose(COEFFICIENTS) if prime < 5 else 0 for _ in query]
    rest = sum(x * q for j, (x, q) in enumerate(zip(drawn, query, strict=True)) if j != free)
    drawn[free] = (wanted - rest) * query[free]
    return drawn


def written(powers: tuple[int, ...], primes: Sequence[int], drawing: Drawing) -> Entry | None:
    """An entry of a key: a logarithm, or a whole number for powers of 2; None if it is too long to write."""
    if drawing.powers_of_two:
        return Entry(str(powers[0]), Rational(powers[0])) if abs(powers[0]) <= LARGEST else None
    ratio = Fraction(1)
    for prime, power in zip(primes, powers, strict=True):
        ratio *= Fraction(prime) ** power
    if max(ratio.numerator, ratio.denominator) > LARGEST:
        return None
    if ratio == 1:
        return Entry("0", Rational(0))
    text = f"ln({ratio})" if ratio > 1 else f"-ln({1 / ratio})"
    return Entry(text, logarithm(ratio))
