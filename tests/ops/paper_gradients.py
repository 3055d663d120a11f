"""Ways back by SymPy's own derivatives of what is done forward."""

from collections.abc import Callable
from typing import Any

import sympy
from ops.paper import paper_relative, paper_rotary, seen


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


def paper_bias_back(definition: Callable[..., Any]) -> Callable[..., Any]:
    """SymPy's own derivatives of Σ g s, with a letter for each bias, through the definition of the scores."""

    def made(G: Any, B: Any, **settings: Any) -> Any:
        letters = sympy.Matrix(1, B.cols, sympy.symbols(f"b:{B.cols}"))
        scores = definition(sympy.zeros(*G.shape), letters, **settings)
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
        scores = paper_relative(*parts, **settings)
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
