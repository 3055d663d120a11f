"""Questions of choice in a file: good ones, and a table of bad ones with what is said about them."""

from pathlib import Path

import pytest
from badfiles import ATTEND, DATA, TOP, check

from attnsolve.choice import ChoiceQuestion, WrongText
from attnsolve.loader import loads
from attnsolve.problem import Target


def asking(body: str, *, before: str = "") -> str:
    """A good file but for the choice of its last part: its line is 10 after a plan, and 9 without one."""
    return f"{TOP}{DATA}parts:\n{before}  - ask: What?\n{body}"


def computed(choice: str, *, more: str = "") -> str:
    """A part that computes, with its choice in line 10 from column 13 on."""
    return asking(f"{ATTEND}    choice: {choice}\n{more}")


def in_words(choice: str, *, more: str = "") -> str:
    """A part without a plan, with its choice in line 9 from column 13 on."""
    return asking(f"    choice: {choice}\n{more}")


@pytest.mark.parametrize(
    ("file", "question", "find"),
    [
        (computed("Z"), ChoiceQuestion(seed="week"), (Target("a.Z"),)),
        (computed("output"), ChoiceQuestion(seed="week"), (Target("a.Z"),)),
        (computed("{of: 'A[1]'}"), ChoiceQuestion(seed="week"), (Target("a.A", 0),)),
        (
            computed("{of: 'A[1, 3]', options: 3}"),
            ChoiceQuestion(options=3, seed="week"),
            (Target("a.A", 0, 2),),
        ),
        (
            computed("{of: A, mistakes: [unscaled, without-exp], order: 7}"),
            ChoiceQuestion(mistakes=("unscaled", "without-exp"), seed="7"),
            (Target("a.A"),),
        ),
        (
            in_words("{right: yes it is, wrong: no}"),
            ChoiceQuestion(("yes it is",), (WrongText("no"),), seed="week"),
            (),
        ),
        (
            in_words("{right: [one, two], wrong: [{text: three, why: It is $3$.}, four], shuffle: false}"),
            ChoiceQuestion(("one", "two"), (WrongText("three", "It is $3$."), WrongText("four"))),
            (),
        ),
    ],
)
def test_a_question_is_read(file: str, question: ChoiceQuestion, find: tuple[Target, ...]) -> None:
    (part,) = loads(file, name="week.yaml").parts
    assert (question, find) == (part.choice, part.find)


@pytest.mark.parametrize(
    ("more", "marks"),
    [
        ("", {}),
        ("    marks: 3\n", {"choice": 3}),
        ("    marks: {choice: 1, weights: 2}\n", {"choice": 1, "A": 2}),
        ("    discuss: Because.\n    marks: {choice: 1, words: 2}\n", {"choice": 1, "words": 2}),
    ],
)
def test_a_number_is_the_mark_of_the_tick(more: str, marks: dict[str, int]) -> None:
    (part,) = loads(computed("Z", more=more)).parts
    assert marks == part.marks
    assert "a.choice" == part.ticked


def test_an_answer_to_options_in_words_is_no_question_for_a_person() -> None:
    (part,) = loads(in_words("{right: r, wrong: w}", more="    discuss: Thus.\n    marks: 2\n")).parts
    assert ({"choice": 2}, 0, "") == (part.marks, part.in_words, part.question)


def test_what_is_found_in_another_part_gives_way() -> None:
    before = "  - {id: a, ask: w, attend: {queries: q, keys: X}, find: [S, A]}\n"
    part = loads(asking("    like: a\n    choice: A\n", before=before)).parts[-1]
    assert (Target("b.A"),) == part.find
    repeated = loads(asking("    like: b\n", before=before + "  - {ask: w, like: a, choice: A}\n")).parts[-1]
    assert repeated.choice is None, "options belong to one question"


BAD = [
    (computed("Y"), ["10:13: parts.a.choice: there is no 'Y' here"]),
    (
        computed("[A, Z]"),
        ["10:13: parts.a.choice: a map of keys and values is expected here, such as {of: Z}"],
    ),
    (computed("{of: X}"), ["10:18: parts.a.choice: X is given; name what is worked out"]),
    (computed("{off: Z}"), ["10:14: parts.a.choice: unknown key 'off'; did you mean 'of'?"]),
    (
        computed("{of: Z, options: 1}"),
        ["10:30: parts.a.choice.options: '1' is not a whole number from 2 to 8"],
    ),
    (
        computed("{of: Z, options: 9}"),
        ["10:30: parts.a.choice.options: '9' is not a whole number from 2 to 8"],
    ),
    (
        computed("{of: Z, mistakes: [unscald]}"),
        ["10:32: parts.a.choice.mistakes: no known mistake is called 'unscald' here; did you mean 'unscal"],
    ),
    (
        computed("{of: Z, mistakes: [unscaled, unscaled]}"),
        ["10:42: parts.a.choice.mistakes: the mistake unscaled is there twice"],
    ),
    (computed("{of: Z, mistakes: []}"), ["10:31: parts.a.choice.mistakes: an empty list"]),
    (
        computed("{of: Z, options: 4, mistakes: [unscaled]}"),
        ["10:30: parts.a.choice.options: 1 mistakes and the right value are 2 options"],
    ),
    (
        computed("{of: Z, right: r, wrong: w}"),
        [
            "10:28: parts.a.choice: 'right' stands beside 'of', whose options are computed",
            "10:38: parts.a.choice: 'wrong' stands beside 'of'",
        ],
    ),
    (computed("{of: Z, shuffle: false}"), ["10:30: parts.a.choice: 'shuffle' stands beside 'of'"]),
    (
        computed("{right: r, wrong: w}"),
        ["10:13: parts.a.choice: this part has something to compute; ask for options in words in a part"],
    ),
    (
        computed("Z", more="    find: A\n"),
        ["11:11: parts.a.find: choice says what is asked for; leave find out"],
    ),
    (
        in_words("Z"),
        ["9:13: parts.a.choice: this part computes nothing to choose from; add a recipe or a plan"],
    ),
    (in_words("{right: r}"), ["9:13: parts.a.choice: the key 'wrong' is missing; write choice: Z, {of: Z"]),
    (
        in_words("{right: r, wrong: []}"),
        ["9:31: parts.a.choice.wrong: an empty list; write at least one option"],
    ),
    (in_words("{right: r, wrong: [w, r]}"), ["9:35: parts.a.choice: the option 'r' is there twice"]),
    (
        in_words("{right: r, wrong: [{why: w}]}"),
        ["9:32: parts.a.choice.wrong: the key 'text' is missing: the option"],
    ),
    (
        in_words("{right: r, wrong: '<b>w</b>'}"),
        ["9:32: parts.a.choice.wrong: '<b>': HTML", "9:36: parts.a.choice.wrong: '</b>': HTML"],
    ),
    (in_words("{right: r, wrong: '$\\input{w}$'}"), ["9:33: parts.a.choice.wrong: "]),
    (
        in_words("{right: r, wrong: [1, 2, 3, 4, 5, 6, 7, 8]}"),
        ["9:13: parts.a.choice: 9 options; the limit is 8"],
    ),
    (
        in_words("{right: r, wrong: w, shuffle: no}"),
        ["9:43: parts.a.choice.shuffle: 'no' is not a choice here"],
    ),
    (
        in_words("{right: r, wrong: w, shuffle: false, order: 3}"),
        ["9:57: parts.a.choice.order: the options stand in the order of the file"],
    ),
    (in_words("{right: r, wrong: w, options: 2}"), ["9:43: parts.a.choice: 'options' stands beside no 'of'"]),
    (
        in_words("{right: r, wrong: w}", more="    marks: {scores: 2}\n"),
        ["10:13: parts.a.marks: this part has no step 'scores'; the steps are choice"],
    ),
]


@pytest.mark.parametrize(("file", "faults"), BAD)
def test_a_bad_question_is_refused(file: str, faults: list[str], tmp_path: Path) -> None:
    check(file, tuple(faults), tmp_path)
