"""What is typed under `vary:` and `allow:`: what it means, and what is said when it means nothing."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from fractions import Fraction
from pathlib import Path

import pytest
from badfiles import ATTEND, DATA, TOP, check

from attnsolve.loader import loads
from attnsolve.variation import Vary

ALLOWED = "zero_rows, equal_rows, long_numbers, negatives, fractions, irrational_scale, ties, equal_weights, small_weights, large_weights, mistakes, choice"
NO_RANGE = "is not a range; write the least and the largest number: -2..2"
SET = "a list of two numbers or more is expected here, such as [0, 1, ln(2)]"
SHARE = "is not a share from 0 to 1, such as 10% or 0.1"
WEIGHTS = "are not weights; write fractions that add up to 1: 1/2 1/3 1/6"


def vary(text: str, *, part: str = "", data: str = DATA) -> str:
    """A good file but for its last line, line 11, where `text` begins in column 7."""
    return f"{TOP}{data}parts:\n  - ask: What?\n{part or ATTEND}    note: N.\nvary: {text}\n"


DOMAINS = {
    "an unknown given": ("{Y: -2..2}", "11:8: vary: there is no given 'Y'; the givens are X, q, W"),
    "a given in another case": ("{x: -2..2}", "11:8: vary: there is no given 'x'; did you mean 'X'?"),
    "a setting misspelt": (
        "{versoin: 2}",
        "11:8: vary: there is no given 'versoin'; did you mean 'version'?",
    ),
    "one number": ("{X: 1}", f"11:11: vary.X: '1' {NO_RANGE}"),
    "a reversed range": ("{X: 2..-2}", f"11:11: vary.X: '2..-2' {NO_RANGE}"),
    "a range from 2 to 2": ("{X: 2..2}", f"11:11: vary.X: '2..2' {NO_RANGE}"),
    "a range with three ends": ("{X: 1..2..3}", f"11:11: vary.X: '1..2..3' {NO_RANGE}"),
    "a range with three points": ("{X: -1...1}", f"11:11: vary.X: '-1...1' {NO_RANGE}"),
    "a range to a word": ("{X: -2..x}", f"11:11: vary.X: '-2..x' {NO_RANGE}"),
    "a range with a fraction over 0": ("{X: 1/0..2}", f"11:11: vary.X: '1/0..2' {NO_RANGE}"),
    "a range with a decimal comma": (
        "{X: '0,5..1'}",
        f"11:11: vary.X: '0,5..1' {NO_RANGE}",
    ),
    "a huge range": ("{X: 0..1000}", "11:11: vary.X: more than 1000 numbers; nobody checks them all by hand"),
    "a huge number of parts": (
        "{X: {entries: 0..2, denominators: [1, 900]}}",
        "11:21: vary.X.entries: more than 1000 numbers; nobody checks them all by hand",
    ),
    "a range without two whole numbers": (
        "{X: {entries: 1/3..5/3}}",
        "11:21: vary.X.entries: fewer than two numbers lie in this range",
    ),
    "a denominator of 0": (
        "{X: {entries: -2..2, denominators: [1, 0]}}",
        "11:46: vary.X.denominators: '0' is not a whole number from 1 to 1000",
    ),
    "a set of one": ("{X: [1]}", f"11:11: vary.X: {SET}"),
    "an empty set": ("{X: {set: []}}", f"11:17: vary.X.set: {SET}"),
    "a set that is a number": ("{X: {set: 1}}", f"11:17: vary.X.set: {SET}"),
    "a set with a duplicate": (
        "{X: [0, 1, 0]}",
        "11:11: vary.X: a number stands here twice; write each once",
    ),
    "a set with the same number in two spellings": (
        "{X: [0.5, 1, 1/2]}",
        "11:11: vary.X: a number stands here twice; write each once",
    ),
    "a set with a decimal comma": (
        "{X: ['0,5', 1]}",
        "11:13: vary.X: '0,5' is not a number; decimals use a point: 0.5 (two numbers need a space: 0 5)",
    ),
    "a set with a word": ("{X: [0, two]}", "11:15: vary.X: 'two' is not something I can read"),
    "a set with no value": ("{X: [0, ln(0)]}", "11:15: vary.X: ln of 0 is not a real number"),
    "a set with minus infinity": ("{X: [0, -inf]}", "11:15: vary.X: -inf is not a number to draw"),
    "neither a range nor a set": (
        "{X: {denominators: 2}}",
        "11:11: vary.X: either entries: -2..2 or set: [0, 1, ln(2)] is expected here",
    ),
    "a range and a set": (
        "{X: {set: [1, 2], entries: 0..1}}",
        "11:11: vary.X: either entries: -2..2 or set: [0, 1, ln(2)] is expected here",
    ),
    "not a map": ("-2..2", "11:7: vary: a map is expected here, such as {X: -2..2, W_Q: -1..1}"),
    "a list": ("[X]", "11:7: vary: a map is expected here, such as {X: -2..2, W_Q: -1..1}"),
    "nothing": ("", "11:6: vary: a map is expected here, such as {X: -2..2, W_Q: -1..1}"),
}
SETTINGS = {
    "an unknown judge": (
        "{allow: [tie]}",
        f"11:16: vary.allow: 'tie' is not one of {ALLOWED}; did you mean 'ties'?",
    ),
    "a judge no exam can do without": (
        "{allow: [effort]}",
        f"11:16: vary.allow: 'effort' is not one of {ALLOWED}",
    ),
    "allow with a map": ("{allow: {ties: 1}}", f"11:15: vary.allow: one of {ALLOWED} is expected here"),
    "a wish for something else": (
        "{want: [zeros]}",
        "11:15: vary.want: 'zeros' is not one of ties",
    ),
    "a band above 1": ("{band: 150%}", f"11:14: vary.band: '150%' {SHARE}"),
    "a band in words": ("{band: ten}", f"11:14: vary.band: 'ten' {SHARE}"),
    "a band below 0": ("{band: -1/10}", f"11:14: vary.band: '-1/10' {SHARE}"),
    "a band of per cent": ("{band: '%'}", f"11:14: vary.band: '%' {SHARE}"),
    "a version of 0": ("{version: 0}", "11:17: vary.version: '0' is not a whole number from 1 to 9999"),
    "an unknown fixed given": ("{fixed: [Y]}", "11:16: vary.fixed: 'Y' is not one of X, q, W"),
    "an unknown setting of judges": (
        "{judges: {smallest: 1%}}",
        "11:17: vary.judges: unknown key 'smallest'; did you mean 'smallest_weight'?",
    ),
    "judges that are no map": (
        "{judges: 1%}",
        "11:16: vary.judges: a map of keys and values is expected here, such as {smallest_weight: …}",
    ),
    "a weight above 1": (
        "{judges: {smallest_weight: 2}}",
        f"11:34: vary.judges.smallest_weight: '2' {SHARE}",
    ),
    "no digits": (
        "{judges: {digits: 0}}",
        "11:25: vary.judges.digits: '0' is not a whole number from 1 to 40",
    ),
    "a yes that YAML does not know": (
        "{judges: {rational_scale: yes}}",
        "11:33: vary.judges.rational_scale: 'yes' is not a choice here; write true",
    ),
}
FORMS = {
    "a choice in an unknown part": (
        "{choose: {z.queries: [q, X]}}",
        "11:17: vary.choose: 'z.queries' is not part.key; there is no part 'z'; the parts are a",
    ),
    "a choice without a part": (
        "{choose: {queries: [q, X]}}",
        "11:17: vary.choose: 'queries' is not part.key; there is no part 'queries'; the parts are a",
    ),
    "a key the part does not have": (
        "{choose: {a.mask: [1, 2]}}",
        "11:17: vary.choose: part a does not say 'mask' itself, so nothing can be put in its place; its keys are ask, note, queries, keys",
    ),
    "a single alternative": (
        "{choose: {a.queries: [q]}}",
        "11:28: vary.choose.a.queries: a list of two things or more that may stand there is expected here",
    ),
    "an alternative without a list": (
        "{choose: {a.queries: q}}",
        "11:28: vary.choose.a.queries: a list of two things or more that may stand there is expected here",
    ),
    "choices in a list": (
        "{choose: [a.queries]}",
        "11:16: vary.choose: two maps or more are expected here, such as [{b.queries: [1]}, {b.queries: [2]}]",
    ),
    "a choice of one": (
        "{choose: [{a.queries: q}]}",
        "11:16: vary.choose: two maps or more are expected here, such as [{b.queries: [1]}, {b.queries: [2]}]",
    ),
    "a choice in words": (
        "{choose: a.queries}",
        "11:16: vary.choose: a map is expected here, such as {b.queries: [[1], [2]]}",
    ),
    "one size alone": (
        "{X: 0..1, shapes: {X: 3x2}}",
        "11:25: vary.shapes: a list of sizes is expected here, such as [{X: 3x2}, {X: 4x2}]",
    ),
    "no sizes": (
        "{shapes: []}",
        "11:16: vary.shapes: a list of sizes is expected here, such as [{X: 3x2}, {X: 4x2}]",
    ),
    "a size with a star": (
        "{X: 0..1, shapes: [{X: 3*2}]}",
        "11:30: vary.shapes: '3*2' is not a size; write rows x columns: 3x2",
    ),
    "a size of 0": (
        "{X: 0..1, shapes: [{X: 0x2}]}",
        "11:30: vary.shapes: '0x2' is not a size; write rows x columns: 3x2",
    ),
    "a size of an unknown given": ("{shapes: [{Y: 3x2}]}", "11:18: vary.shapes: 'Y' is not one of X, q, W"),
    "a size of a given whose numbers are not said": (
        "{q: 0..1, shapes: [{X: 4x2}, {X: 3x2}]}",
        "11:25: vary.shapes: 'X' gets other sizes, so say which numbers it gets: X: -2..2",
    ),
    "designs in a list": (
        "{design: [1/2 1/2]}",
        "11:16: vary.design: a map is expected here, such as {a: [1/2 1/3 1/6, 1/2 1/4 1/4]}",
    ),
    "a design of an unknown part": ("{design: {z: [1/2 1/2]}}", "11:17: vary.design: 'z' is not one of a"),
    "weights that do not add up to 1": (
        "{design: {a: 1/2 1/3}}",
        f"11:20: vary.design.a: '1/2 1/3' {WEIGHTS}",
    ),
    "a single weight": ("{design: {a: [1]}}", f"11:21: vary.design.a: '1' {WEIGHTS}"),
    "a weight below 0": ("{design: {a: [3/2 -1/2]}}", f"11:21: vary.design.a: '3/2 -1/2' {WEIGHTS}"),
    "a weight of 0": ("{design: {a: [1/2 1/2 0]}}", f"11:21: vary.design.a: '1/2 1/2 0' {WEIGHTS}"),
    "a weight that is a word": ("{design: {a: [1/2 x]}}", f"11:21: vary.design.a: '1/2 x' {WEIGHTS}"),
    "leaving out what is absent": (
        "{omit: a.plot}",
        "11:14: vary.omit: 'a.plot' is not a note, title or plot of a part; did you mean 'a.note'?",
    ),
    "leaving out the question": (
        "{omit: a.ask}",
        "11:14: vary.omit: 'a.ask' is not a note, title or plot of a part; what can be left out is a.note",
    ),
    "leaving out something of no part": (
        "{omit: [b.title]}",
        "11:15: vary.omit: 'b.title' is not a note, title or plot of a part",
    ),
}


@pytest.mark.parametrize(
    ("typed", "said"),
    [*DOMAINS.values(), *SETTINGS.values(), *FORMS.values()],
    ids=[*DOMAINS, *SETTINGS, *FORMS],
)
def test_what_cannot_be_meant_is_refused_where_it_stands(typed: str, said: str, tmp_path: Path) -> None:
    check(vary(typed), (said,), tmp_path)


WHOLE_FILES = {
    "a comma that cuts a range in two": (
        vary("{X: 0,5..1}"),
        (
            f"11:11: vary.X: '0' {NO_RANGE}",
            "11:13: vary: '5..1' has no value; a comma in { } starts a new key",
        ),
    ),
    "a key that is unknown in a domain": (
        vary("{X: {range: 0..1}}"),
        (
            "11:11: vary.X: either entries: -2..2 or set: [0, 1, ln(2)] is expected here",
            "11:12: vary.X: unknown key 'range'; the keys here are entries, denominators, set",
        ),
    ),
    "a given named like a setting": (
        vary("{band: 10%}", data="given:\n  X: 1 2; 3 4; 5 6\n  q: 1 2\n  band: 1 0; 0 1\n"),
        ("11:8: vary.band: 'band' is a setting of vary; rename the given",),
    ),
    "a given that is made from others": (
        vary("{q: -2..2}", data="given:\n  X: 1 2; 3 4; 5 6\n  q: X[1] + X[2]\n  W: 1 0; 0 1\n"),
        ("11:11: vary.q: 'q' is made from other givens and varies with them",),
    ),
    "an unknown judge in a part": (
        vary("{X: -2..2}", part="    attend: {queries: q, keys: X}\n    allow: [tie]\n"),
        (f"10:13: parts.a.allow: 'tie' is not one of {ALLOWED}; did you mean 'ties'?",),
    ),
    "a map of judges in a part": (
        vary("{X: -2..2}", part="    attend: {queries: q, keys: X}\n    allow: {ties: true}\n"),
        (f"10:12: parts.a.allow: one of {ALLOWED} is expected here",),
    ),
    "a key that only the part it repeats says": (
        vary(
            "{choose: {b.queries: [[1], [2]]}}",
            part="    self_attention: {input: X, queries: [1]}\n  - ask: And?\n    like: a\n",
        ),
        (
            "13:17: vary.choose: part b does not say 'queries' itself, so nothing can be put in its place; its keys are ask",
        ),
    ),
    "a choice in a part in words": (
        vary("{choose: {a.queries: [q, X]}}", part="    discuss: Because.\n"),
        (
            "11:17: vary.choose: part a does not say 'queries' itself, so nothing can be put in its place; its keys are ask, note, discuss",
        ),
    ),
    "faults in several places": (
        vary("{X: 1, band: 2, Y: 0..1}"),
        (
            f"11:11: vary.X: '1' {NO_RANGE}",
            f"11:20: vary.band: '2' {SHARE}",
            "11:23: vary: there is no given 'Y'; the givens are X, q, W",
        ),
    ),
}


@pytest.mark.parametrize(("file", "said"), WHOLE_FILES.values(), ids=WHOLE_FILES)
def test_every_fault_of_a_file_is_told(file: str, said: tuple[str, ...], tmp_path: Path) -> None:
    check(file, said, tmp_path)


# -- what is meant --------------------------------------------------------------------------------


def read(text: str, **how: str) -> Vary:
    found = loads(vary(text, **how)).vary
    assert found is not None
    return found


def texts(text: str, **how: str) -> list[str]:
    return [entry.text for entry in read(text, **how).domains["X"].entries]


HALVES = "given:\n  X: 1/2 2; 3 4; 5 6\n  q: 1 2\n"
DECIMALS = "given:\n  X: 0.5 2; 3 4; 5 6\n  q: 1 2\n"
NUMBERS = {
    "a range": ("{X: -2..2}", DATA, ["-2", "-1", "0", "1", "2"]),
    "a range with spaces": ("{X: ' -1 .. 1 '}", DATA, ["-1", "0", "1"]),
    "a minus sign of a word processor": ("{X: −1..1}", DATA, ["-1", "0", "1"]),
    "halves": (
        "{X: {entries: -1..1, denominators: [1, 2]}}",
        HALVES,
        ["-1", "-1/2", "0", "1/2", "1"],
    ),
    "halves, as decimals": (
        "{X: {entries: -1..1, denominators: [1, 2]}}",
        DECIMALS,
        ["-1", "-0.5", "0", "0.5", "1"],
    ),
    "a denominator alone": (
        "{X: {entries: 0..1, denominators: 4}}",
        DECIMALS,
        ["0", "0.25", "0.5", "0.75", "1"],
    ),
    "thirds have no decimals": ("{X: {entries: 0..1, denominators: 3}}", DECIMALS, ["0", "1/3", "2/3", "1"]),
    "ends between two numbers": ("{X: {entries: -1/2..5/2}}", DATA, ["0", "1", "2"]),
    "decimal ends": ("{X: .5..2.5}", DATA, ["1", "2"]),
    "a list": ("{X: [3, 0, 1/2]}", DATA, ["3", "0", "1/2"]),
    "a set": ("{X: {set: [0, ln(2), -sqrt(3)]}}", DATA, ["0", "ln(2)", "-sqrt(3)"]),
    "no space stands in a number, or it would be two": (
        "{X: ['1 + ln(2)', 2 / 3]}",
        DATA,
        ["1+ln(2)", "2/3"],
    ),
    "zero is written as 0": ("{X: [0.0, 1]}", DATA, ["0", "1"]),
}


@pytest.mark.parametrize(("typed", "data", "meant"), NUMBERS.values(), ids=NUMBERS)
def test_the_numbers_of_a_domain_and_their_spelling(typed: str, data: str, meant: list[str]) -> None:
    assert meant == texts(typed, data=data)


def test_a_domain_may_have_a_thousand_numbers_and_no_more() -> None:
    assert 1000 == len(texts("{X: 0..999}"))


SHARES = {
    "10%": Fraction(1, 10),
    "0.1": Fraction(1, 10),
    "1/8": Fraction(1, 8),
    "0": Fraction(0),
    "2.5 %": Fraction(1, 40),
}


@pytest.mark.parametrize(("typed", "meant"), SHARES.items())
def test_a_share_is_exact_in_each_spelling(typed: str, meant: Fraction) -> None:
    assert meant == read(f"{{X: -2..2, band: {typed}}}").band


def test_a_file_that_says_nothing_has_the_defaults_of_the_issue() -> None:
    said = read("{X: -2..2}")
    assert Fraction(1, 10) == said.band
    assert (Fraction(1, 100), Fraction(95, 100)) == (said.judges.smallest_weight, said.judges.largest_weight)
    assert ((), (), False) == (said.allow, said.want, said.judges.rational_scale)


def test_what_is_chosen_together_may_be_a_question() -> None:
    said = read("{X: -2..2, choose: [{a.ask: Who?, a.queries: q}, {a.ask: 'It''s me', a.queries: 1 1}]}")
    ask, queries = ("parts", 0, "ask"), ("parts", 0, "attend", "queries")
    ways = (((ask, "'Who?'"), (queries, "q")), ((ask, "'It''s me'"), (queries, "1 1")))
    assert (("way", ways),) == said.choices


def test_every_setting_is_read() -> None:
    said = read(
        "{X: -2..2, fixed: q, shapes: [{X: 3x2}, {X: 4×2}], choose: {a.queries: [q, '1 1']},"
        " design: {a: [1/2 1/3 1/6, 1/4 1/4 1/2]}, omit: [a.note], allow: ties, want: [ties], band: 20%, version: 3,"
        " judges: {smallest_weight: 2%, largest_weight: 0.9, digits: 4, negatives: 1/2, fractions: 25%,"
        " rational_scale: true}}"
    )
    assert ("q",) == said.fixed
    assert ({"X": (3, 2)}, {"X": (4, 2)}) == said.shapes
    where = ("parts", 0, "attend", "queries")
    assert (("a.queries", (((where, "q"),), ((where, "'1 1'"),))),) == said.choices
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert [("a", ((half, third, sixth), (quarter, quarter, half)))] == [*said.designs]
    assert (("parts", 0, "note"),) == said.omit
    assert (("ties",), ("ties",), Fraction(1, 5), 3) == (said.allow, said.want, said.band, said.version)
    judges = said.judges
    assert (Fraction(1, 50), Fraction(9, 10), 4) == (
        judges.smallest_weight,
        judges.largest_weight,
        judges.digits,
    )
    assert (half, quarter, True) == (judges.negatives, judges.fractions, judges.rational_scale)


def test_what_a_part_allows_is_read_as_one_word_or_as_a_list() -> None:
    one = "    attend: {queries: q, keys: X}\n    allow: ties\n"
    two = "    attend: {queries: q, keys: X}\n    allow: [ties, small_weights]\n"
    assert ("ties",) == loads(vary("{X: 0..1}", part=one)).parts[0].allow
    assert ("ties", "small_weights") == loads(vary("{X: 0..1}", part=two)).parts[0].allow
