"""Trees as maths markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from attnsolve.exact import Cell
from attnsolve.exact.formulas.cells import Formula
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    MINUS_ONE,
    Call,
    Dot,
    Function,
    Limit,
    Name,
    Number,
    Order,
    Power,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
    replaced,
)

GREEK = (
    "alpha", "beta", "gamma", "delta", "theta", "kappa", "lambda", "mu", "rho", "sigma", "tau", "partial",
)  # fmt: skip
SPELLED = {name: f"\\{name}" for name in GREEK} | {"eps": r"\varepsilon", "oo": r"\infty"}
# What stands a little apart from the factor before it.
APART = ("(", r"\left", r"\sum", r"\ln", r"\frac", r"\lim")
RELATIONS = {
    Relation.EQUAL: "=",
    Relation.ABOUT: r"\approx",
    Relation.LESS: "<",
    Relation.AT_MOST: r"\le",
    Relation.GREATER: ">",
    Relation.AT_LEAST: r"\ge",
    Relation.UNEQUAL: r"\ne",
    Relation.TENDS: r"\to",
}


@dataclass(frozen=True, slots=True)
class Printed(Tree):
    """A name that is printed as the sheet has it, such as α_2."""

    text: str


def markup(tree: Tree, *, slanted: bool = False) -> str:
    """A formula in LaTeX; `slanted` has fractions with a slash, as they stand in exponents."""
    match tree:
        case Number(value):
            return of_number(value, slanted=slanted)
        case Name():
            return of_name(tree)
        case Printed(text):
            return text
        case Sum(terms):
            return of_sum(terms, slanted=slanted)
        case Product(factors):
            return of_product(factors, slanted=slanted)
        case Quotient(above, below):
            return of_quotient(above, below, slanted=slanted)
        case Power(base, exponent):
            plain = isinstance(base, Name | Number | Printed) or has_own_brackets(base)
            return f"{markup(base) if plain else bracketed(base)}^{{{markup(exponent, slanted=True)}}}"
        case Call(Function.EXP, Number(value)) if value == 1:
            return "e"
        case Call(Function.EXP, Quotient(above, below)) if parts(above)[0]:
            return f"e^{{-{of_quotient(parts(above)[1], below, slanted=True)}}}"
        case Call(Function.EXP, argument):
            return f"e^{{{markup(argument, slanted=True)}}}"
        case Call(Function.SQRT, argument):
            return rf"\sqrt{{{markup(argument)}}}"
        case Call(Function.LN, argument):
            return rf"\ln {bracketed(argument)}"
        case Call(Function.EXPECTATION, argument):
            return rf"\mathrm{{E}}[{markup(argument)}]"
        case Call(Function.VARIANCE, argument):
            return rf"\mathrm{{Var}}({markup(argument)})"
        case Call(Function.NORMAL, argument):
            return rf"\Phi({markup(argument, slanted=True)})"
        case Dot(left, right):
            return rf"{factor(left)} \cdot {factor(right)}"
        case Summation(index, body, excluded):
            under = rf"{index} \ne {', '.join(excluded)}" if excluded else index
            return rf"\sum_{{{under}}} {factor(body)}"
        case Limit(variable, at_infinity, body):
            goal = r"\infty" if at_infinity else "0"
            return rf"\lim_{{{markup(variable)} \to {goal}}} {factor(body)}"
        case Order(body):
            return rf"O\left({markup(body)}\right)"
    raise TypeError(f"{type(tree).__name__} has no markup")


def in_letters(cell: Cell, sums: Mapping[Tree, Name], *, slanted: bool = False) -> str:
    """A number that is a formula, with sums that have a name by their names."""
    assert isinstance(cell, Formula)
    return markup(replaced(cell.tree, sums.get) if sums else cell.tree, slanted=slanted)


def has_own_brackets(tree: Tree) -> bool:
    """Whether a function is written with brackets around what it is of: Φ(x), E[x]."""
    return isinstance(tree, Call) and tree.function in (
        Function.NORMAL,
        Function.EXPECTATION,
        Function.VARIANCE,
    )


def of_number(value: Fraction, *, slanted: bool = False) -> str:
    """A rational number."""
    if value.denominator == 1:
        return str(value.numerator)
    sign, size = ("-" if value < 0 else ""), abs(value)
    if slanted:
        return f"{sign}{size.numerator}/{size.denominator}"
    return rf"{sign}\frac{{{size.numerator}}}{{{size.denominator}}}"


def of_name(name: Name) -> str:
    """α_a; the weights of head 1 are α^{(1)}_a."""
    letter = name.name.removesuffix("'")
    base = SPELLED.get(letter, letter if len(letter) == 1 else rf"\mathrm{{{letter}}}")
    base += name.name[len(letter) :]
    if not name.index:
        return base
    if letter != name.name or any("π" in one for one in name.index):
        places = ",".join(name.index).replace("π", r"\pi")
        return f"{base}_{{{places}}}"
    if name.name == "E":
        head, index = name.index
        weight = Name("alpha", (head, index) if head != "0" else (index,))
        return rf"\mathrm{{E}}[{of_name(weight)}]"
    if len(name.index) == 2 and name.name == "alpha":
        return f"{base}^{{({name.index[0]})}}_{{{name.index[1]}}}"
    return f"{base}_{{{','.join(name.index)}}}" if len("".join(name.index)) > 1 else f"{base}_{name.index[0]}"


def parts(tree: Tree) -> tuple[bool, Tree]:
    """Whether a term has a minus sign, and the term without it."""
    match tree:
        case Number(value) if value < 0:
            return True, Number(-value)
        case Product((first, *rest)) if first == MINUS_ONE:
            turned, inside = parts(rest[0] if len(rest) == 1 else Product(tuple(rest)))
            return not turned, inside
        case Product((Number(value), *rest)) if value < 0:
            return True, Product((Number(-value), *rest))
    return False, tree


def of_sum(terms: tuple[Tree, ...], *, slanted: bool) -> str:
    """Terms with their signs."""
    made = ""
    for place, term in enumerate(terms):
        minus, inside = parts(term)
        text = rf"\left({markup(inside)}\right)" if isinstance(inside, Sum) and minus else None
        text = text or markup(inside, slanted=slanted)
        sign = ("-" if minus else "") if not place else (" - " if minus else " + ")
        made += sign + text
    return made


def of_product(factors: tuple[Tree, ...], *, slanted: bool) -> str:
    """Factors side by side; a dot stands before a number."""
    minus, inside = parts(Product(factors))
    if minus:
        return f"-{factor(inside, slanted=slanted)}"
    pieces = inside.factors if isinstance(inside, Product) else (inside,)
    made = factor(pieces[0], slanted=slanted)
    for piece in pieces[1:]:
        text = factor(piece, slanted=slanted)
        needs_dot = isinstance(piece, Number) or (
            isinstance(piece, Quotient) and made[-1:].isdigit() and not slanted
        )
        made += rf" \cdot {text}" if needs_dot else rf"\,{text}" if text.startswith(APART) else f" {text}"
    return made


def factor(tree: Tree, *, slanted: bool = False) -> str:
    """A formula as a factor: sums and what has a minus sign stand in brackets."""
    minus, _ = parts(tree)
    if isinstance(tree, Sum | Dot) or (minus and isinstance(tree, Number)):
        return bracketed(tree)
    return markup(tree, slanted=slanted)


def bracketed(tree: Tree) -> str:
    """A formula in brackets as high as it is."""
    inside = markup(tree)
    tall = r"\frac" in inside or r"\sum" in inside
    return rf"\left({inside}\right)" if tall else f"({inside})"


def of_quotient(above: Tree, below: Tree, *, slanted: bool) -> str:
    """A fraction, or one with a slash."""
    if not slanted:
        minus, inside = parts(above)
        sign = "-" if minus else ""
        return rf"{sign}\frac{{{markup(inside if minus else above)}}}{{{markup(below)}}}"
    under = markup(below, slanted=True)
    simple = isinstance(below, Name | Number) or (isinstance(below, Call) and below.function is Function.SQRT)
    upper = markup(above, slanted=True) if isinstance(above, Dot) else factor(above, slanted=True)
    return f"{upper}/{under if simple else f'({under})'}"


def compared(tree: Tree) -> str:
    """A formula that is positive, as a comparison: λ_a - λ_b as λ_a > λ_b."""
    terms = tree.terms if isinstance(tree, Sum) else (tree,)
    minus, inside = parts(tree)
    if minus and isinstance(inside, Sum):
        terms = tuple(negated(term) for term in inside.terms)
    above = [term for term in terms if not parts(term)[0]]
    below = [parts(term)[1] for term in terms if parts(term)[0]]
    if not above:
        return f"{joined(below)} < 0"
    return f"{joined(above)} > {joined(below) if below else '0'}"


def vanishing(tree: Tree, *, relation: str = "=") -> str:
    """A formula that is 0, as an equation: m - 2 as m = 2; or one that is not."""
    terms = tree.terms if isinstance(tree, Sum) else (tree,)
    above = [term for term in terms if not parts(term)[0]]
    below = [parts(term)[1] for term in terms if parts(term)[0]]
    return f"{joined(above or below)} {relation} {joined(below) if above and below else '0'}"


def joined(terms: list[Tree]) -> str:
    """Terms that are added up."""
    return markup(terms[0] if len(terms) == 1 else Sum(tuple(terms)))


def negated(term: Tree) -> Tree:
    """A term with the other sign."""
    minus, inside = parts(term)
    return inside if minus else Product((MINUS_ONE, term))
