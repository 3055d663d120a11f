"""Hostile and broken answers: refused quickly, with one sentence, and never anything but our own errors."""

import gc
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attnsolve.errors import AttnsolveError
from attnsolve.rendering.submissions import understood
from attnsolve.submission import State, Submission
from attnsolve.verifier.reading import read_submission, read_submissions
from attnsolve.verifier.reading.lookup import meanings

SECONDS = 5  # half a second at most; but a worker may have to tidy up after a thousand other tests meanwhile
MILLION = 1_000_000 - 10
BOMBS: dict[str, str] = {
    "power tower": "a 9**9**9 " * 50,
    "power tower in braces": "a 9^{9^{9^{9}}}",
    "many powers": "a " + "2^" * 500 + "2",
    "exponent": "a 1e999999999 1e-999999999 10^999999999",
    "digits": "a " + "9" * 900_000,
    "roots": "a " + " ".join(f"sqrt({2**127 - i})" for i in range(400)),
    "logarithms": "a " + " ".join(f"ln({2**127 - i})" for i in range(400)),
    "powers of sums": "a " + "(1+e+e^2+e^3+e^4+e^5)^64 " * 400,
    "products of sums": "a " + "(1+e+e^2+e^3)(1+e+e^2+e^5)(1+e+e^4+e^9)(2+e) " * 400,
    "sums that divide": "a " + ("1/(" + "+".join(f"e^(1/{i})" for i in range(1, 60)) + ") ") * 100,
    "brackets": "a " + "(" * MILLION,
    "closed brackets": "a " + ")" * MILLION,
    "square brackets": "a " + "[" * MILLION,
    "braces": "a " + "{" * MILLION,
    "nested lists": "a " + "[" * 50_000 + "]" * 50_000,
    "fractions": "a " + "\\frac{" * 100_000,
    "fractions of digits": "a " + "\\frac" * 150 + "1" * 100,
    "environments": "a " + "\\begin{bmatrix}" * 60_000,
    "rows": "a " + "\\\\" * 500_000,
    "cells": "a " + "&" * MILLION,
    "semicolons": "a " + ";" * MILLION,
    "answers": "a;" * 500_000,
    "answers with numbers": "a 1;" * 250_000,
    "commas": "a " + "," * MILLION,
    "bracket and commas": "a (" + "," * 120_000,
    "tight commas": "a " + "1," * 60_000,
    "blanks": "a" + " " * MILLION + "b",
    "blanks before nothing": "a 1\n" + " " * (MILLION - 100) + "!",
    "blanks in a formula": "Q" + " " * (MILLION - 100) + "K^T = 1",
    "blanks before a factor": "a = 1/2" + " " * 100_000 + "x [1 2]",
    "headings": "(a)\n" * 200_000,
    "softmax": "softmax(" * 100_000 + " = 1",
    "heads": "A" + "^{(1)}" * 150_000 + " = 1",
    "bars": "a " + "|" * MILLION,
    "rules": "a\n" + "|---" * 200_000,
    "mixed numbers": "a " + "4 1/2 " * 160_000,
    "forms with commas": "a " + "1/2,5 " * 160_000,
    "names behind commas": "a = 1" + ", a11 = 1" * 100_000,
    "blanks before a sign": "a 1" + " " * 900 + "%",
    "tabs": "a " + "\t" * MILLION + "1",
    "lines": "a\n" + "\n" * MILLION,
    "unreadable lines": "!\n" * 500_000,
    "numbers": "a " + "1 " * 499_000,
    "ragged": "a " + "1 " * 2000 + ";1" * 2000,
    "long name": "a" * MILLION,
    "dotted name": "a." * 500_000,
    "hyphens": "a-" * 500_000,
    "indices": "a[" * 300_000,
    "quotes": '"' * MILLION,
    "open quote": '"a; ' * 200_001,
    "marks": "mark a 1/2;" * 90_000,
    "long mark": "mark a " + "1" * MILLION,
    "remarks": "// x\n" * 200_000,
    "signs": "a " + "-" * 900,
    "many signs": "a " + "+-" * 499_000,
    "about": "a " + "≈" * 300_000,
    "crossed": "a " + "~" * MILLION,
    "struck out": "a " + "~~1~~ " * 160_000,
    "never struck out": "a " + "~~1 " * 200_000,
    "one long strike": "a ~~" + "1 " * 400_000,
    "numbers behind functions": "a " + "ln2 " * 200_000,
    "a name of functions": "a " + "ln" * 400_000 + "2",
    "round brackets": "a (" + "1,5;" * 200_000 + "0)",
    "illegible": "a " + "?" * MILLION,
    "NUL": "a 1 2\x00 3\nb\x00 1\n@\x00",
    "bidi": "@ \u202e7\na 1\u202e2 \u2066x\u2069\n",
    "surrogate": "a \ud800 1",
    "code": "a __import__('os').system('true') ().__class__ lambda:0 {{7*7}} ${7*7} `id`",
    "TeX": r"a \input{/etc/passwd} \write18{id} \def\x{\x}\x ^^5cinput",
    "formula": "a =HYPERLINK(1) =1+1 @SUM(1)",
    "YAML aliases": "a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
    "YAML depth": "answers: " + "[" * 100_000,
    "YAML tag": "answers: !!python/object/apply:os.system [id]\n",
    "YAML keys": "answers: {" + ", ".join(f"a{i}: 1" for i in range(40_000)) + "}",
    "JSON depth": '{"a":' * 100_000,
    "JSON number": '{"a": ' + "9" * 900_000 + "}",
    "JSON keys": '{"a": 1' + ', "a": 1' * 40_000 + "}",
    "CSV field": "name,value\na," + "1" * 900_000,
    "CSV brackets": "[" * 900_000,
    "CSV columns": "name,value\n" + "," * 900_000,
    "CSV headings": "student," + "," * 400_000 + "\n" + "," * 400_000,
}


def check(submission: Submission) -> None:
    """What every submission must be like, whatever was read."""
    for answer in submission.answers:
        assert 1 == len({len(row) for row in answer.rows}) or answer.right
        for row in answer.rows:
            for written in row:
                assert written.state in State
                assert ("number" == written.state) <= (written.cell is not None)
                assert "unread" != written.state or str(written.notes[0].meant).startswith("column ")
                assert len(written.text) <= 1000
                written.text.encode("utf-8")
    for sentence in map(str, submission.unread):
        assert len(sentence) < 600 and 1 == len(sentence.splitlines())
        sentence.encode("utf-8")
    understood(submission).encode("utf-8")


@pytest.fixture(autouse=True)
def what_other_tests_left_is_not_gone_through() -> Iterator[None]:
    """A collection of garbage after thousands of other tests takes seconds, which are not the reader's."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_refused_quickly(name: str) -> None:
    started = time.process_time()
    try:
        check(read_submission(BOMBS[name], source="x"))
    except AttnsolveError as error:
        assert str(error).startswith("x:") and len(str(error)) < 600
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    "name", ["power tower", "brackets", "powers of sums", "NUL", "code", "unreadable lines"]
)
def test_bomb_in_a_pile_leaves_the_others(name: str) -> None:
    bomb = BOMBS[name].replace("@", "")
    found = list(read_submissions(f"@ 1\na 1/2\n@ 2\n{bomb}\n@ 3\na 1/2\n", "x"))
    assert ["1", "2", "3"] == [submission.student for submission in found]
    for submission in (found[0], found[2]):
        cell = submission.answers[0].rows[0][0].cell
        assert cell is not None and Fraction(1, 2) == cell.rational()


PIECES = (
    "a s[3] A[2, 1] Z: b.Z= @ @7 mark ok - ? ~ ~3 // ; ;; , \n \t & \\\\ [ ] ( ) { } [[ ]] .5 0,67 1/2 1e-9 "
    r"\frac \sqrt \begin{bmatrix} \end{bmatrix} \left( \cdot e^ sqrt( array( … ... ½ ² − ０ √ π $ ' | : = "
    'student: answers: {S: nan -inf name,value \x00 \u202e \ud800 9**9 1,000.5 ^T % ≈ "'
    " ~~ ~~3~~ ln2 ln sqrt3 2√3 e^2.5 (4,5;0)"
)
WORDS = st.sampled_from(PIECES.split(" "))
FORMS = ("", "compact", "yaml", "json", "csv")


def read_whatever(text: str, form: str) -> None:
    for read in (read_submission, lambda text, form: list(read_submissions(text, form=form))):
        try:
            found = read(text, form=form)
        except AttnsolveError:
            assert "compact" != form  # only a whole file of another form may be refused
        else:
            for submission in found if isinstance(found, list) else [found]:
                check(submission)


@given(st.text(max_size=80), st.sampled_from(FORMS))
@example("a 2½", "compact")
def test_any_text_is_read_or_refused(text: str, form: str) -> None:
    read_whatever(text, form)


@given(st.lists(WORDS, max_size=25), st.sampled_from([" ", ""]), st.sampled_from(FORMS))
def test_any_words_are_read_or_refused(words: list[str], between: str, form: str) -> None:
    read_whatever(between.join(words), form)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(AttnsolveError):
        check(read_submission(data))


REAL = (
    "@ 1234567 K7Q2\ns ok ; s[3] 3.5\na .585 .044 .328 .044 // neat\nA[2, 1] 0,67; Z -; q ? ~3.5\n"
    'mark a 1/2 "method clear"\nB = [1 2; 3 4]; C: [[1., 2.], [3., 4.]]\n',
    "D = array([[1., 2.],\n       [3., 4.]])\n"
    "E = \\begin{bmatrix} \\frac{1}{2} & 2\\sqrt{3} \\\\ e^{-1/2} & 1\n"
    "\\end{bmatrix}^\\top\nF e^(1/2)/(1 + e^(1/2)) 58.5 % 1.87 \\cdot 10^{-88} -∞ (1, 2)^T\n",
    "student: 7\nanswers:\n  S: [[1, 2], [3, 4]]\n  A: '.585 .044; 1 2'\n  'A[2]': [0,5, 1]\n  b: {Z: 1 2}\n",
    '{"student": 7, "answers": {"S": [[1, 2.50], [3, null]], "A": "\\\\frac{1}{2}", "b": {"Z": "1 2"}}}',
    'name,row,column,value\nA,1,1,0.5\nA,1,2,"0,67"\nS,,,1 2; 3 4\n',
    "student;variant;s;Z\n12;K7;1 2 3;0,5 0,2\n13;K8;ok;-\n",
)


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few characters lost, doubled, exchanged or taken from elsewhere."""
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        before, behind = text[:at], text[at:]
        text = chance.choice(
            (
                before + behind[chance.randint(1, 5) :],
                before + chance.choice("()[]{}\\&;,.:=@~?-+*/^%$\"' \n\t\x00e9½√\u202e") + behind,
                before + chance.choice(REAL)[: chance.randint(1, 40)] + behind,
                before + behind[:3] * chance.randint(2, 30) + behind,
            )
        )
    return text


def test_thousands_of_mutations_are_read_or_refused_in_time() -> None:
    chance = random.Random(5)
    started, slowest = time.process_time(), 0.0
    for number in range(3000):
        text = mutated(REAL[number % len(REAL)], chance)
        before = time.process_time()
        try:
            for submission in read_submissions(text, "x"):
                check(submission)
        except AttnsolveError as error:
            assert str(error).startswith("x:")
        slowest = max(slowest, time.process_time() - before)
    assert slowest < SECONDS, "one text"
    assert time.process_time() - started < 30, "all of them"


@pytest.mark.parametrize(
    "typed", [f"S{'0' * 40}?", f"a.S{'_a' * 40}?", f"S^1{'1' * 40}?", f"S{'(1)' * 40}?", f"{'a-' * 40}?"]
)
def test_a_name_with_many_marks_is_not_taken_apart_in_every_way(typed: str) -> None:
    """There are 2^40 ways to take forty digits apart, and each was tried once."""
    started = time.process_time()
    assert [] == list(meanings(typed))
    assert time.process_time() - started < 1
