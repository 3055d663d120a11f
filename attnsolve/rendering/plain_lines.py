"""Hand working as plain text, for programs that read it."""

from __future__ import annotations

from attnsolve.working import Apply, Decimal, Entry, Expression, Num, Power, Product, Quotient, Sum, Symbol


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
