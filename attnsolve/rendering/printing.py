"""Hand working in print: display expressions as maths markup, or as plain text for programs."""

from __future__ import annotations

from attnsolve.exact import Cell, Closed, Rational
from attnsolve.rendering.markup import powered
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.numerals import exponent_text, joined, times
from attnsolve.working import Apply, Decimal, Entry, Expression, Num, Power, Product, Quotient, Sum, Symbol

# Functions that LaTeX has no name for.
NAMED = {"erf": r"\operatorname{erf}", "gelu": r"\operatorname{GELU}", "sigmoid": r"\sigma"}
NUMBERS = (Num, Decimal)
SIZES = {"d_model": r"d_{\text{model}}", "pi": r"\pi", "mu": r"\mu", "sigma2": r"\sigma^2", "tau": r"\tau"}


def show(expression: Expression, notation: Notation, *, flipped: bool = False) -> str:
    """An expression as maths; `flipped` writes the factors of each product the other way round."""
    match expression:
        case Num(cell=cell):
            return notation.number(cell)
        case Decimal(cell=cell):
            return notation.decimal(cell)
        case Entry(name=name, i=i, j=j):
            return notation.entry(name, i, j)
        case Symbol(name=name):
            return notation.problem.symbols.get(name) or SIZES.get(name, name)
        case Sum(terms=terms):
            return joined([show(term, notation, flipped=flipped) for term in terms])
        case Product(factors=factors):
            return product(factors, notation, flipped=flipped)
        case Quotient(top=top, bottom=bottom):
            return f"\\frac{{{show(top, notation)}}}{{{show(bottom, notation)}}}"
        case Power(base=base, exponent=exponent):
            return powered(under_exponent(base, notation), str(exponent))
        case Apply(function=function, argument=argument):
            return applied(function, argument, notation)


def product(factors: tuple[Expression, ...], notation: Notation, *, flipped: bool) -> str:
    """(-2)(0.5) for numbers, -3.5 α for a number before a symbol, α (-2) for a symbol before a number."""
    if all(isinstance(factor, NUMBERS) for factor in factors):
        ordered = tuple(reversed(factors)) if flipped else factors
        return "".join(in_brackets(show(factor, notation)) for factor in ordered)
    first, *rest = factors
    if isinstance(first, Num) and isinstance(first.cell, Rational):
        tail = "".join(atom(factor, notation) for factor in rest)
        return times(first.cell.value, tail, notation.style)
    return " ".join(
        in_brackets(show(f, notation)) if isinstance(f, NUMBERS) else atom(f, notation) for f in factors
    )


def atom(expression: Expression, notation: Notation) -> str:
    """An expression that can stand as a factor: sums in brackets."""
    text = show(expression, notation)
    return in_brackets(text) if isinstance(expression, Sum) else text


def in_brackets(text: str) -> str:
    """Brackets as high as what stands between them."""
    return rf"\left({text}\right)" if "frac{" in text else f"({text})"


def under_exponent(base: Expression, notation: Notation) -> str:
    """What stands under an exponent: a number in brackets unless it is whole and not below 0."""
    text = atom(base, notation)
    return in_brackets(text) if isinstance(base, NUMBERS) and not text.isdigit() else text


def applied(function: str, argument: Expression, notation: Notation) -> str:
    """A function of its argument: e^{x}, √x, max(0, x), tanh(x)."""
    if function == "exp":
        raised = exponent(argument, notation)
        return "e" if raised == "1" else f"e^{{{raised}}}"
    inside = show(argument, notation)
    if function == "sqrt":
        return f"\\sqrt{{{inside}}}"
    if function == "relu":
        return rf"\max{in_brackets(f'0, {inside}')}"
    if function == "exp2":
        return f"2^{{{exponent(argument, notation)}}}"
    name = NAMED.get(function, f"\\{function}")
    return name + in_brackets(inside)


def exponent(argument: Expression, notation: Notation) -> str:
    """What stands above the e: surds with slashes, so that the line stays low."""
    if isinstance(argument, Num):
        if argument.cell.has_letters:
            from attnsolve.rendering.derivations.formulas import in_letters

            return in_letters(argument.cell, notation.sums, slanted=True)
        raised = surd_exponent(argument.cell, notation)
        if raised is not None:
            return raised
    return show(argument, notation)


def surd_exponent(cell: Cell, notation: Notation) -> str | None:
    """A rational or surd as an exponent, or None for anything else."""
    plain = cell.plain() if isinstance(cell, Closed) else None
    if plain is None or any(x for x, _ in plain.terms):
        return None
    return exponent_text(tuple((root, c) for (_, root), c in plain.terms.items()), notation.style)


def plain(expression: Expression, *, index_from: int = 1) -> str:
    """An expression as text that SymPy reads; entries are written A[1, 2]."""
    match expression:
        case Num(cell=cell) | Decimal(cell=cell):
            return cell.text()
        case Entry(name=name, i=i, j=j):
            return f"{name}[{i + index_from}, {j + index_from}]"
        case Symbol(name=name):
            return name
        case Sum(terms=terms):
            return " + ".join(plain(term, index_from=index_from) for term in terms)
        case Product(factors=factors):
            return "*".join(f"({plain(factor, index_from=index_from)})" for factor in factors)
        case Quotient(top=top, bottom=bottom):
            return f"({plain(top, index_from=index_from)})/({plain(bottom, index_from=index_from)})"
        case Power(base=base, exponent=power):
            return f"({plain(base, index_from=index_from)})**({power})"
        case Apply(function=function, argument=argument):
            return plain_function(function, plain(argument, index_from=index_from))


def plain_function(function: str, inside: str) -> str:
    """A function as SymPy reads it, also those that SymPy has no name for."""
    match function:
        case "relu":
            return f"Max(0, {inside})"
        case "exp2":
            return f"2**({inside})"
        case "gelu":
            return f"({inside})*(1 + erf(({inside})/sqrt(2)))/2"
        case _:
            return f"{function}({inside})"
