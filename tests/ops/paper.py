"""Ops by their definitions on paper, by SymPy and by another way than the rules."""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import mpmath
import sympy


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


def paper_distance_bias(S: Any, B: Any, rows: Any = None) -> Any:
    """The middle number of B for a distance of 0, its ends for all that are farther."""
    return paper_bias(S, rows, lambda distance: B[0, min(max(distance + B.cols // 2, 0), B.cols - 1)])


def paper_bucket_bias(S: Any, B: Any, longest: int = 128, direction: str = "both", rows: Any = None) -> Any:
    return paper_bias(S, rows, lambda distance: B[0, paper_bucket(distance, B.cols, longest, direction)])


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
