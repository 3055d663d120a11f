"""Activations: one function of every number, the sigmoid, tanh, ReLU or GELU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Formula, Frame, Gradient, Mistake, Op, Options, Role
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Entry, Expression, Line, Num, Product, Quotient, Sum, equals

# What a function is, where its name does not tell everybody.
DEFINED = {
    "sigmoid": r", \quad \sigma(x) = \tfrac{1}{1 + e^{-x}}",
    "gelu": r", \quad \operatorname{GELU}(x) = "
    r"\tfrac{x}{2} \left(1 + \operatorname{erf}\tfrac{x}{\sqrt{2}}\right)",
}


def gelu_worked(x: Expression) -> Expression:
    """x/2 · (1 + erf(x/√2))."""
    error = Apply("erf", Quotient(x, Apply("sqrt", Num(Rational(2)))))
    return Product((Quotient(x, Num(Rational(2))), Sum((Num(Rational(1)), error))))


def sigmoid_worked(x: Expression) -> Expression:
    """1/(1 + e^{-x})."""
    power = Apply("exp", negative(x) if isinstance(x, Num | Entry) else Product((Num(Rational(-1)), x)))
    return Quotient(Num(Rational(1)), Sum((Num(Rational(1)), power)))


# How a function is worked out, where that takes more than a key of the calculator.
WORKED: dict[str, Callable[[Expression], Expression]] = {"gelu": gelu_worked, "sigmoid": sigmoid_worked}


def frame(X: Frame) -> Frame:
    """As what comes in."""
    return X


def without(X: Matrix) -> Matrix:
    """X."""
    return X


def activation(
    name: str,
    word: str,
    function: str,
    *,
    formula: str,
    twin: Callable[[Any], Any],
    mistake: Mistake,
    gradients: tuple[Gradient, ...],
    cancelling: Callable[[Any], Any] | None = None,
) -> Op:
    """An op that takes a function of every number."""

    def rule(X: Matrix) -> Matrix:
        """The function of every number."""
        return X.relu() if function == "relu" else X.each(function)

    def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
        made, inside = [], factors(names[0], X)
        for i, j, result in value.cells():
            x = inside[i][j]
            worked = (equals(WORKED[function](x)),) if function in WORKED else ()
            made.append(Line(i, j, (equals(Apply(function, x)), *worked, *closing(result))))
        return tuple(made)

    return Op(
        name=name,
        title=f"{word[0].upper()}{word[1:]} of every number",
        parameters=("X",),
        roles=(Role.TOKENS,),
        formula=Formula(
            matrix=formula.replace("*", "${X}"),
            each="${out:ij} = " + formula.replace("*", "${X:ij}") + DEFINED.get(function, ""),
        ),
        frame=frame,
        rule=rule,
        lines=lines,
        twin=twin,
        cancelling=cancelling,
        gradients=gradients,
        mistakes=(Mistake("not-activated", f"Take {word} of every number.", without), mistake),
    )


def tanh_twin(X: Any) -> Any:
    """torch's own tanh."""
    import torch

    return torch.tanh(X)


def sigmoid_twin(X: Any) -> Any:
    """torch's own sigmoid."""
    import torch

    return torch.sigmoid(X)


def relu_twin(X: Any) -> Any:
    """torch's own ReLU."""
    from torch.nn.functional import relu

    return relu(X)


def gelu_twin(X: Any) -> Any:
    """torch's own GELU, which is exact unless it is told to approximate."""
    from torch.nn.functional import gelu

    return gelu(X)


def gelu_terms(X: Any) -> Any:
    """|x|/2: torch has x/2·(1 + erf(x/√2)), of which little is left where x is far below 0."""
    return X.abs() / 2


TANH = activation(
    "tanh",
    "tanh",
    "tanh",
    formula=r"\tanh(*)",
    twin=tanh_twin,
    mistake=Mistake("sigmoid-for-tanh", "This is tanh, not the sigmoid.", lambda X: X.each("sigmoid")),
    gradients=(back("X", "tanh_gradient", RESULT, GRADIENT),),
)
SIGMOID = activation(
    "sigmoid",
    "the sigmoid",
    "sigmoid",
    formula=r"\sigma(*)",
    twin=sigmoid_twin,
    mistake=Mistake("tanh-for-sigmoid", "This is the sigmoid, not tanh.", lambda X: X.each("tanh")),
    gradients=(back("X", "sigmoid_gradient", RESULT, GRADIENT),),
)
RECTIFY = activation(
    "rectify",
    "ReLU",
    "relu",
    formula=r"\max(0, *)",
    twin=relu_twin,
    mistake=Mistake(
        "other-half",
        "ReLU keeps what is above 0 and sets the rest to 0, not the other way round.",
        lambda X: X - X.relu(),
    ),
    gradients=(back("X", "rectify_gradient", "X", GRADIENT),),
)
GELU = activation(
    "gelu",
    "GELU",
    "gelu",
    formula=r"\operatorname{GELU}(*)",
    twin=gelu_twin,
    cancelling=gelu_terms,
    mistake=Mistake(
        "relu-for-gelu", "This is GELU, which is not 0 for negative numbers.", lambda X: X.relu()
    ),
    gradients=(back("X", "gelu_gradient", "X", GRADIENT),),
)
