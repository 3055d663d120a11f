"""The grammar of typed numbers: what each text means, what is refused and where, and that nothing hangs."""

import ast
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from exact.oracle import assert_number
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Drawn, logarithms, surds
from sympy import Rational as Q
from sympy import cos, exp, log, pi, sin, sqrt, tanh

import attnsolve.expressions
from attnsolve.errors import ExpressionError
from attnsolve.exact import Rational
from attnsolve.expressions import PLAIN, expression, normalise, number
from attnsolve.expressions.grammar import parse_tree
from attnsolve.limits import LIMITS, Limits
from attnsolve.working import Apply, Num, Power, Product, Quotient, Sum, Symbol, evaluate

VALUES: dict[str, Any] = {
    # plain numbers
    "0": Q(0),
    "7": Q(7),
    "-7": Q(-7),
    "+7": Q(7),
    "007": Q(7),
    "0.1": Q(1, 10),
    "-0.125": Q(-1, 8),
    ".5": Q(1, 2),
    "5.": Q(5),
    "0.10000000000000000001": Q(10000000000000000001, 10**20),
    "1/3": Q(1, 3),
    "-3/2": Q(-3, 2),
    "1.5/0.5": Q(3),
    "1e3": Q(1000),
    "1e-3": Q(1, 1000),
    "2.5E+2": Q(250),
    "-1e-3/2": Q(-1, 2000),
    "12345678901234567890/7": Q(12345678901234567890, 7),
    # signs, sums, products
    "1/2+1/3": Q(5, 6),
    "1/2 - 1/3": Q(1, 6),
    " 1 + 2 ": Q(3),
    "2*3/4": Q(3, 2),
    "1/2/3": Q(1, 6),
    "1-2-3": Q(-4),
    "1-(2-3)": Q(2),
    "--1": Q(1),
    "-+-1": Q(1),
    "2*-3": Q(-6),
    "(1+2)*(3-4)": Q(-3),
    "((((5))))": Q(5),
    # powers
    "2^3": Q(8),
    "2**3": Q(8),
    "2^-3": Q(1, 8),
    "(2/3)^3": Q(8, 27),
    "-2^2": Q(-4),
    "(-2)^2": Q(4),
    "2^3^2": Q(512),
    "2**3**2": Q(512),
    "4^(1/2)": Q(2),
    "2^0.5": sqrt(2),
    "0^0": Q(1),
    "(1+√2)^3": 7 + 5 * sqrt(2),
    "(1+√2)^-1": sqrt(2) - 1,
    # roots
    "sqrt(2)": sqrt(2),
    "sqrt(12)": 2 * sqrt(3),
    "sqrt(1/2)": sqrt(2) / 2,
    "sqrt(9/4)": Q(3, 2),
    "sqrt(0)": Q(0),
    "√2": sqrt(2),
    "√(2+2)": Q(2),
    "√√16": Q(2),
    "2√3": 2 * sqrt(3),
    "-2√3/4": -sqrt(3) / 2,
    "2√3^2": Q(6),
    "√2^2": Q(2),
    "√2*√3": sqrt(6),
    "sqrt(1+sqrt(2))": sqrt(1 + sqrt(2)),
    # e, exp and ln
    "e": exp(1),
    "e^2": exp(2),
    "e^-1/2": exp(-1) / 2,
    "e^(-1/2)": exp(-Q(1, 2)),
    "exp(1)^2": exp(2),
    "exp(√2/2)": exp(sqrt(2) / 2),
    "exp(ln(2))": Q(2),
    "exp(-ln(2)/2)": sqrt(2) / 2,
    "exp(3*ln(2)/2)": 2 * sqrt(2),
    "exp(ln(5)/3)": 5 ** Q(1, 3),
    "ln(3)": log(3),
    "log(3)": log(3),
    "ln(1)": Q(0),
    "ln(12) - ln(3)": 2 * log(2),
    "ln(e)": Q(1),
    "ln(√2)": log(2) / 2,
    "ln(3)/ln(9)": Q(1, 2),
    "1/(1+e^-2)": 1 / (1 + exp(-2)),
    "(1+e)/(2+2*e)": Q(1, 2),
    # other functions
    "pi": pi,
    "2*π": 2 * pi,
    "π^2/6": pi**2 / 6,
    "sin(pi/6)": Q(1, 2),
    "cos(1)": cos(1),
    "cos(4*2 + 1)": cos(9),
    "tanh(0)": Q(0),
    "tanh(3/2) - tanh(2)": tanh(Q(3, 2)) - tanh(2),
    "relu(-3)": Q(0),
    "relu(2000000)": Q(2000000),
    "relu(√2 - 1)": sqrt(2) - 1,
    "sin(1)*exp(-1)": sin(1) * exp(-1),
    # other spellings
    "−1": Q(-1),
    "–1/2": Q(-1, 2),
    "2×3": Q(6),
    "2·3": Q(6),
    "6÷4": Q(3, 2),
    "1⁄2": Q(1, 2),
    "１２＋３": Q(15),
    "（1＋2）": Q(3),
    "1\u00a0+\u20092": Q(3),
    "1\t+ 2": Q(3),
    "1+" * 199 + "1": Q(200),
    "2*" * 40 + "1": Q(2**40),
    "1/" * 60 + "2": Q(1, 2),
    "(" * 64 + "1" + ")" * 64: Q(1),
    "-" * 16 + "1": Q(1),
}


@pytest.mark.parametrize("text", VALUES, ids=[f"{text[:20]} -> {VALUES[text]}" for text in VALUES])
def test_value(text: str) -> None:
    assert_number(VALUES[text], number(text))


@pytest.mark.parametrize("text", VALUES, ids=[text[:20] for text in VALUES])
def test_display_expression_has_the_same_value(text: str) -> None:
    assert evaluate(expression(text)).same(number(text)) is True


CODE = "write numbers, + - * / ^, sqrt, exp, ln, sin, cos, tanh, erf, pi"
REFUSED = [
    # text, part of the message, column
    ("", "a number, name or bracket is missing at the end", 1),
    ("   ", "a number, name or bracket is missing at the end", 1),
    ("1+", "a number, name or bracket is missing at the end", 3),
    ("(1+2", "a number, name or bracket is missing at the end", 5),
    ("sqrt(2", "a number, name or bracket is missing at the end", 7),
    ("2^", "a number, name or bracket is missing at the end", 3),
    ("1)", "cannot read ')' here", 2),
    ("()", "cannot read ')' here", 2),
    ("1 2", "cannot read '2' here", 3),
    ("1..2", "cannot read '.' here", 3),
    ("1 % 2", "cannot read '%' here; " + CODE, 3),
    ("1 = 1", "cannot read '=' here", 3),
    ("1\n2", r"cannot read '\n' here", 2),
    ("1\x00", r"cannot read '\x00' here", 2),
    ("½", "cannot read '½' here", 1),
    ("١٢", "cannot read '١' here", 1),
    ("1_000", "cannot read '_' here", 2),
    ("0,5", "'0,5' is not a number; decimals use a point: 0.5", 2),
    ("1 + 0,67", "'0,67' is not a number; decimals use a point: 0.67", 6),
    ("１，５", "decimals use a point: 1.5", 2),
    ("2pi", "write * between two factors, such as 2*pi", 2),
    ("2(3)", "write * between two factors", 2),
    ("(2)(3)", "write * between two factors", 4),
    ("3 sqrt(2)", "write * between two factors", 3),
    ("(1/2)√3", "write * between two factors", 6),
    ("1/2√3", "this can be read in two ways; write 1/(2√3) or (1/2)*√3", 2),
    ("1/0", "division by zero", 3),
    ("  1/0", "division by zero", 5),
    ("1 + 1/(2-2)", "division by zero", 5),
    ("1/(√2*√3-√6)", "division by zero", 1),
    ("0^-1", "division by zero", 1),
    ("sqrt(-1)", "sqrt of a negative number is not a real number", 1),
    ("2 + √(1-√2)", "sqrt of a negative number is not a real number", 5),
    ("ln(0)", "ln of 0 is not a real number", 1),
    ("ln(-1)", "ln of a negative number is not a real number", 1),
    ("sqrt2", "'sqrt2' reads as one name; did you mean sqrt(2)?", 1),
    ("1 + ln3", "'ln3' reads as one name; did you mean ln(3)?", 5),
    ("a", "'a' is not something I can read; " + CODE, 1),
    ("2*x", "'x' is not something I can read", 3),
    ("i", "'i' is not something I can read", 1),
    ("E", "'E' is not something I can read", 1),
    ("nan", "'nan' is not something I can read", 1),
    ("sqr(2)", "there is no function 'sqr'; did you mean 'sqrt'?", 1),
    ("tan(1)", "there is no function 'tan'; did you mean 'tanh'?", 1),
    ("e(2)", "there is no function 'e'", 1),
    ("pi(2)", "there is no function 'pi'", 1),
    (
        "factorial(5)",
        "there is no function 'factorial'; the functions are sqrt, exp, ln, sin, cos, tanh, erf, relu",
        1,
    ),
    ("K[1]", "a number is expected here, not a part of a matrix", 1),
    ("1 + K[1, 2]", "a number is expected here, not a part of a matrix", 5),
    ("8^(1/3)", "the power ^1/3 is not allowed; exponents are whole numbers from -64 to 64, or 1/2", 1),
    ("2^65", "the power ^65 is not allowed", 1),
    ("2^pi", "this power is not allowed", 1),
    ("2^√2", "this power is not allowed", 1),
    ("sqrt(sin(1)^2+cos(1)^2-1)", "cannot decide the sign of", 1),
    ("1/(sin(1)^2+cos(1)^2-1)", "cannot decide whether", 1),
]


@pytest.mark.parametrize(("text", "message", "column"), REFUSED, ids=[repr(text) for text, _, _ in REFUSED])
def test_refused(text: str, message: str, column: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        number(text)
    assert message in str(caught.value)
    assert column == caught.value.column


LONG = f"more than {LIMITS.operations} terms|too long to be multiplied out"
BOMBS = [
    ("9**9**9", "the power ^387420489 is not allowed"),
    ("9^9^9^9", "this power is not allowed|the power ^387420489 is not allowed"),
    ("2^" * 12 + "2", "more than 8 powers in a row"),
    ("2**" * 12 + "2", "more than 8 powers in a row"),
    ("(9^64)^64", "this number is too large; the limit is 4096 bits"),
    ("((9^64)^(1/2))^64", "the number under sqrt is too large"),
    ("1e999999999", "the exponent of '1e999999999' is too large; write at most 3 digits after e"),
    ("1e999999999+1", "the exponent of '1e999999999' is too large"),
    ("1e999999999√2", "the exponent of '1e999999999' is too large"),
    ("1/1e-999999999", "the exponent of '1e-999999999' is too large"),
    ("1e999*1e999", "this number is too large"),
    ("factorial(10^7)", "there is no function 'factorial'"),
    ("binomial(10^7, 5)", "cannot read ',' here"),
    ("sin(10^60*10^60)", "the number in sin(…) is too large; the limit is 1000000"),
    ("exp(exp(exp(exp(9))))", "the number in exp(…) is too large"),
    ("exp(10^7)", "the number in exp(…) is too large"),
    ("tanh(exp(20))", "the number in tanh(…) is too large"),
    ("-" * 999 + "1", f"more than {LIMITS.operations} operations"),
    ("-" * 17 + "1", "more than 16 signs in a row"),
    ("√" * 20 + "2", "more than 16 signs in a row"),
    ("(" * 65 + "1" + ")" * 65, "more than 64 brackets"),
    ("(" * 1000, "more than 64 brackets"),
    ("1+" * (LIMITS.operations - 2) + "---1", f"more than {LIMITS.operations} operations"),
    ("1" * 1001, "this is 1001 characters long; the limit is 1000"),
    ("1" * 2_000_000, "this is 2000000 characters long"),
    ("9" * 900 + "^64", "this number is too large"),
    ("sqrt(" + "7" * 900 + ")", "the number under sqrt is too large; the limit is 128 bits"),
    ("ln(" + "7" * 900 + ")", "the number under ln is too large; the limit is 128 bits"),
    ("√(2^64*3^64+1)", "the number under sqrt is too large"),
    ("(1+e+exp(√2)+exp(√3))^64", LONG),
    (
        "(1+√2+e+exp(√2)+exp(√3)+exp(√5))^20*(1+e+exp(√7))^20",
        LONG,
    ),
    ("*".join(f"(1+exp(√{n}))" for n in (2, 3, 5, 6, 7, 10, 11, 13, 14)), LONG),
    (
        "1/(" + "+".join(f"1/(1+exp(√{n}))" for n in (2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19)) + ")",
        LONG,
    ),
    ("(sin(1)+cos(2)+tanh(3)+pi)^64 - (sin(1)+cos(2)+tanh(3)+pi)^64 + 1/0", "division by zero"),
    (
        "1/((sin(1)+cos(2)+tanh(3)+pi)^60-(pi+sin(1)+cos(2)+tanh(3))^59)^64 + a",
        "'a' is not something I can read|too long to be multiplied out",
    ),
    ("((ln(2)^64)^64)^64", LONG),
    ("exp((ln(2)/(ln(3)+9^9))^8) + a", "'a' is not something I can read"),
    ("exp(0.123456789*ln(2)+pi) + a", "'a' is not something I can read"),
    ("__import__('os').system('true')", 'cannot read "\'" here'),
    ("().__class__.__base__.__subclasses__()", "cannot read ')' here"),
    ("exp.__class__", "cannot read '.' here"),
    ("lambda: 1", "write"),
    ("[1 for _ in (1,)]", "cannot read '[' here"),
    ("{{7*7}}", "cannot read '{' here"),
    ("\\input{x}", "cannot read"),
]


@pytest.mark.parametrize(("text", "messages"), BOMBS, ids=[text[:40] for text, _ in BOMBS])
def test_bombs_are_refused_at_once(text: str, messages: str) -> None:
    number("√2*pi")  # the libraries are loaded
    start = time.process_time()
    with pytest.raises(ExpressionError) as caught:
        number(text)
    assert time.process_time() - start < 5
    assert any(message in str(caught.value) for message in messages.split("|")), str(caught.value)
    assert 1 <= caught.value.column <= max(1, len(text) + 1)
    assert len(str(caught.value)) < 200


# Products of two primes of 64 bits each: the hardest numbers to take apart that the limit lets through.
HARD = (2**64 - 59) * (2**64 - 83)
HARDER = (2**64 - 95) * (2**64 - 179)


@pytest.mark.parametrize(
    "text",
    [
        f"√({HARD})",
        f"ln({HARD}/{HARDER})",
        f"√({HARD}/{HARDER})",
        f"√{HARD}*√{HARDER}",
        "(sin(1)+cos(2)+tanh(3)+pi)^64",
        "cos(999999)",
        "exp(-999999)",
        "(1+√2+√3+√5+√7+√11+√13)^12",
        "+".join(f"1/(1+exp(√{n}))" for n in range(2, 30)),
        "+".join(f"sin({n})" for n in range(1, 60)),
    ],
)
def test_hard_but_allowed_numbers_take_no_second(text: str) -> None:
    number("√2*pi")
    start = time.process_time()
    cell = number(text)
    cell.decimals(4)
    assert time.process_time() - start < 5


@settings(max_examples=300)
@given(st.text(alphabet="0123456789.+-*/^√()eE, pisqrtlnxcoath[]_", max_size=30))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    start = time.process_time()
    try:
        number(text)
    except ExpressionError as error:
        assert str(error)
        assert 1 <= error.column <= len(text) + 1
    assert time.process_time() - start < 5


ATOMS = st.sampled_from(["0", "1", "2", "1/3", "0.5", "√2", "√3", "e", "pi", "ln(2)", "9^9", "1e9"])
WILD = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        st.tuples(st.sampled_from(["sqrt", "exp", "ln", "sin", "tanh", "relu"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(inner, st.integers(-64, 64)).map(lambda t: f"({t[0]})^({t[1]})"),
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(WILD)
def test_wild_expressions_end(text: str) -> None:
    start = time.process_time()
    try:
        cell = number(text)
    except ExpressionError as error:
        assert str(error)
    else:
        assert cell.ball(64).is_finite() or cell.ball(4096).is_finite()
    assert time.process_time() - start < 5


@given(st.fractions())
def test_fractions_are_read_exactly(value: Fraction) -> None:
    assert value == number(str(value)).rational()


@given(st.decimals(-1000, 1000, allow_nan=False, places=6))
def test_decimals_are_read_exactly(value: Any) -> None:
    assert Fraction(value) == number(str(value)).rational()


@given(surds() | logarithms())
def test_what_sympy_writes_is_read(drawn: Drawn) -> None:
    assert number(str(drawn.sympys)).same(drawn.ours) is True


@pytest.mark.parametrize(
    ("limit", "at", "beyond"),
    [
        ("bits", "2^11/3", "2^12/3"),
        ("exponent", "2^7", "2^8"),
        ("root_bits", "√127", "√128"),
        ("operations", "1+1*2/3-4+5+6+7", "1+1*2/3-4+5+6+7+8"),
        ("brackets", "(((((((1)))))))", "((((((((1))))))))"),
        ("characters", "1 + 1+1", "1 + 1 +1"),
    ],
)
def test_each_limit_at_and_beyond(limit: str, at: str, beyond: str) -> None:
    limits = Limits(**{limit: 12 if limit == "bits" else 7})
    assert number(at, limits=limits).rational() is not None or "√" in at
    with pytest.raises(ExpressionError):
        number(beyond, limits=limits)


def test_names_that_may_be_mentioned() -> None:
    names = {"d_k": Rational(64), "i": Rational(2)}
    assert 8 == evaluate(expression("sqrt(d_k)", names=names)).rational()
    assert 5 == evaluate(expression("2*i + 1", names=names)).rational()
    assert Apply("sqrt", Symbol("d_k", names["d_k"])) == expression("sqrt(d_k)", names=names)
    with pytest.raises(ExpressionError, match=r"'dk' is not something I can read; did you mean 'd_k'?"):
        expression("dk", names=names)
    with pytest.raises(ExpressionError, match="tanh, erf, pi and d_k, i"):
        expression("zzz", names=names)


def typed(tree: Any) -> Any:
    """An expression with the cells left out: what a reader sees."""
    match tree:
        case Num(cell=cell, typed=text):
            return text or cell.text()
        case Sum(terms=parts):
            return ("+", *map(typed, parts))
        case Product(factors=parts):
            return ("*", *map(typed, parts))
        case Quotient(top=top, bottom=bottom):
            return ("/", typed(top), typed(bottom))
        case Power(base=base, exponent=exponent):
            return ("^", typed(base), exponent)
        case Apply(function=function, argument=argument):
            return (function, typed(argument))
        case Symbol(name=name):
            return name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.50", "0.50"),
        ("1/3", "1/3"),
        ("1 + 2 - 3", ("+", "1", "2", "-3")),
        ("2*3/4*5", ("*", ("/", ("*", "2", "3"), "4"), "5")),
        ("-√2", ("*", "-1", ("sqrt", "2"))),
        ("2√3", ("*", "2", ("sqrt", "3"))),
        ("2^-3", ("^", "2", -3)),
        ("2^0.5", ("sqrt", "2")),
        ("e^(1/2)", ("exp", ("/", "1", "2"))),
        ("e", ("exp", "1")),
        ("exp(1)^2", ("^", ("exp", "1"), 2)),
        ("log(3)", ("ln", "3")),
        ("2*π", ("*", "2", "pi")),
        ("1 - (2 - 3)", ("+", "1", ("*", "-1", ("+", "2", "-3")))),
    ],
)
def test_expression_keeps_what_was_typed(text: str, shown: Any) -> None:
    assert shown == typed(expression(text))


def test_tree_for_the_loader() -> None:
    tree = parse_tree("50*(K[1] + K[2, 3])", LIMITS)
    assert "times" == tree.data
    assert ["number", "plus"] == [child.data for child in tree.children]
    assert [["K", "1"], ["K", "2", "3"]] == [
        list(map(str, item.children)) for item in tree.children[1].children
    ]
    assert 5 == tree.children[1].meta.column
    assert ["pi"] == list(map(str, parse_tree(normalise("π"), LIMITS).children))


@given(st.text())
def test_normalising_keeps_every_place(text: str) -> None:
    assert len(text) == len(normalise(text))


def test_plain_numbers_need_no_grammar() -> None:
    assert all(PLAIN.fullmatch(text) for text in ("1", "-0.5", ".5", "5.", "1e-3", "-3/2", "1.5/2"))
    assert not any(PLAIN.fullmatch(text) for text in ("", "1/", "e", "1e9999", "1_0", "١", "1/-2", "--1"))


def test_nothing_is_evaluated_as_code() -> None:
    """Nothing that runs text is named in these rooms, and the reader of texts does not know SymPy."""
    room = Path(attnsolve.expressions.__file__).parent
    reading = sorted(room.glob("*.py"))
    for file in (*reading, room.parent / "working.py", *sorted((room.parent / "exact").glob("*.py"))):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert set() == names & {"eval", "exec", "sympify", "parse_expr", "lambdify", "S", "symbols", "subs"}
    assert not any("import sympy" in file.read_text("utf-8") for file in reading)
