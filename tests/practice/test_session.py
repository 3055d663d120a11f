"""A practice session as a table: what is typed, and what is said to it; the right numbers are the paper's."""

import pytest
from practice.scenes import Scene, drill, plain, source

from attnsolve.bundled import problems_with_numbers
from attnsolve.languages import CODES, speaking
from attnsolve.practice.drill import ValueKind
from attnsolve.practice.events import Event, Showing, Shown, Wish
from attnsolve.practice.excerpts import excerpt_of
from attnsolve.practice.progress import Progress
from attnsolve.practice.session import opened, reply

IST = "ist-practical-10"
# Of the sheet's own key: the scores of part a, scaled by √3, their softmax, and the output.
S, T, A, Z = "4.5 0 4.5 0", "2.5981 0 2.5981 0", "0.4654 0.0346 0.4654 0.0346", "-1.6635 0.8961 0.0346"


@pytest.mark.parametrize(
    ("lines", "said", "prompt"),
    [
        ([S], "good: Right.", "a.T = "),
        ([S, T], "good: Right.", "a.A = "),
        ([S, T, A], "good: Right.", "a.Z = "),
        (["9/2 0 4,5 0"], "good: Right.", "a.T = "),
        ([S, "3√3/2 0 1.5*sqrt(3) 0"], "good: Right.", "a.A = "),
        (["-4.5 0 4.5 0"], "bad: Not right yet.", "a.S = "),
        ([S, S], "known mistake: “unscaled”", "a.T = "),
        (["-4.5 0 4.5 0", "a.T = -2.5981 0 2.5981 0"], "Right for your numbers: you went on", "a.A = "),
        (["4.5 0"], "bad: This was not read", "a.S = "),
        (["a.S[1] 4.5"], "good: Right so far; 3 numbers are still missing.", "a.S = "),
        (["a.S[1] 4.5", "a.S[2] 0", "a.S[3] 4.5", "a.S[4] 0"], "good: Right.", "a.T = "),
        (["4.5 foo 4.5 0"], "'foo' was not read", "a.S = "),
        (["x.y 1 2"], "bad: There is no value x.y", "a.S = "),
        (["b"], "[question b]", "b.Q = "),
        (["b.A"], "[question b]", "b.A = "),
        (["next", "back"], "[value a.S]", "a.S = "),
        (["b.Q", "-2.25 4.5"], "", "b.Q[2] = "),
        (["b.Q", "-2.25 4.5", "1.25 2", "-1.25 4.75", "-2.75 -3.5"], "good: Right.", "b.K = "),
        (["b.Q -2.25 4.5; 1.25 2; -1.25 4.75; -2.75 -3.5"], "good: Right.", "b.K = "),
        (["b.Q", "-2.25 4.5", ""], "good: Right so far; 6 numbers are still missing.", "b.Q = "),
        (["show"], "[worked a.S]", "a.T = "),
        (["help"], "hint: what to do", "a.S = "),
        (["list"], "note: → a.S:", "a.S = "),
        (["?"], "quit: leave", "a.S = "),
        (["mark a.S 2"], "", "a.S = "),
        (["@ somebody"], "", "a.S = "),
    ],
)
def test_a_line_is_answered(lines: list[str], said: str, prompt: str) -> None:
    scene = Scene(IST, *lines)
    assert said in scene.said
    assert prompt == scene.prompt


def test_no_verdict_gives_a_right_number_away() -> None:
    scene = Scene(IST, "1 2 3 4")
    assert "4.5" not in scene.said
    scene.type(S)
    assert "2.59" not in scene.type("1 2 3 4")




def test_hints_rise_before_anything_is_typed() -> None:
    scene = Scene(IST)
    told = [scene.type("hint").replace("{s}", "s") for _ in range(4)]
    assert "A score says how well" in told[0]
    assert "s = " in told[0]
    assert "(-2)(-2)" in told[1]
    assert "queries first, keys second" in told[2]
    assert "is 4.5" in told[3]
    assert not any("4.5" in said for said in told[:3])


def test_hints_rise_after_a_slip() -> None:
    scene = Scene(IST, "-4.5 0 4.5 0")
    told = [scene.type("hint") for _ in range(4)]
    assert ["was read as -4.5; that is not right" in said for said in told] == [False, True, False, False]
    assert "the sign is wrong" in told[2]
    assert "it should be 4.5" in told[3]
    assert "is right already" in Scene(IST, S, "a.S", "hint").said


def test_a_new_try_begins_again_with_which_number() -> None:
    scene = Scene(IST, "-4.5 0 4.5 0", *["hint"] * 4, "4.5 1 4.5 0")
    assert "was read as 1; that is not right" in scene.type("hint")


def test_what_was_looked_at_is_counted_and_starts_no_slip() -> None:
    scene = Scene(IST, "-4.5 0 4.5 0", "show", T)
    assert "good: Right." in scene.said
    assert "Looked at: a.S." in scene.type("quit")
    assert scene.last.leaves


def test_a_right_value_needs_no_values_before_it() -> None:
    scene = Scene(IST, f"a.Z {Z}")
    assert "[question b]" in scene.said
    assert "4 of 19 values are right." in scene.type("quit")


def test_the_summary_has_what_went_well_and_which_mistakes_came_up() -> None:
    said = Scene(IST, S, S, "hint", T, "quit").said
    assert "2 of 19 values are right." in said
    assert "good: Right at the first try: a.S." in said
    assert "Right after a hint or another try: a.T." in said
    assert "The mistake “unscaled” came up at a.T. Do not forget to scale the scores." in said


def test_another_variant_remembers_the_one_before() -> None:
    scene = Scene(IST, S, "new")
    assert (1, "", 1) == (scene.progress.variant, scene.progress.at, len(scene.progress.rounds))
    variant = drill(IST, 1)
    begun = opened(variant, scene.progress)
    assert "note: Variant 1." in map(plain, begun.said)
    left = reply(variant, begun.progress, Event(Wish.QUIT))
    assert "note: Before, with the sheet's own numbers: 1 of 19." in map(plain, left.said)


def test_variants_are_those_of_the_seed() -> None:
    assert drill(IST, 1).trace.problem.givens["X"] != drill(IST, 2).trace.problem.givens["X"]
    again = source(IST).drill(1).trace.problem.givens["X"].typed
    assert again == drill(IST, 1).trace.problem.givens["X"].typed


def test_an_exercise_without_vary_says_so() -> None:
    from attnsolve.practice.source import Source

    parts = "[{ask: Find A., self_attention: {input: X}, find: A}]"
    one = Source(f"format: 1\ntitle: T\ngiven: {{X: 1 0; 0 1}}\nparts: {parts}", "t").drill(0)
    said = reply(one, opened(one, Progress()).progress, Event(Wish.NEW))
    assert "says nothing about what may vary" in plain(said.said[0])


def test_letters_are_ticked() -> None:
    scene = Scene("attention-quiz")
    assert scene.prompt.endswith("choice = ")
    right = next(one.letter for one in scene.drill.judge.choices.questions["a"].options if one.is_right)  # type: ignore[union-attr]
    wrong = "A" if right != "A" else "B"
    assert "bad: Not right yet." in scene.type(wrong)
    assert f"hint: {wrong} is not right." in [scene.type("hint") for _ in range(2)][1]
    assert "good: Right." in scene.type(right.lower())


@pytest.mark.parametrize("lang", CODES)
def test_commands_are_also_understood_in_the_readers_language(lang: str) -> None:
    words = {"en": "hint", "de": "Tipp", "pt": "dica", "fr": "indice"}
    with speaking(lang):
        assert "hint: " in Scene(IST, words[lang]).said
        assert "hint: " in Scene(IST, "hint").said


@pytest.mark.parametrize("path", problems_with_numbers(), ids=lambda path: path.stem)
def test_everything_can_be_asked_of_every_value(path) -> None:  # type: ignore[no-untyped-def]
    one = drill(path.stem)
    progress = opened(one, Progress()).progress
    for value in one.values[:12]:
        for wish in (Wish.GO, *[Wish.HINT] * 4):
            said = reply(one, progress, Event(wish, value.name))
            assert said.said
            progress = said.progress
        excerpt_of(one, Shown(Showing.QUESTION, value.part.id), to="markdown")
    for part in {value.part.id: value for value in one.values}.values():
        assert excerpt_of(one, Shown(Showing.WORKED, part.name), to="markdown").strip()
    reply(one, progress, Event(Wish.LIST))


@pytest.mark.parametrize("name", ["ist-practical-10", "tokens-as-columns", "sparse-attention"])
def test_the_key_of_the_sheet_is_right_when_it_is_typed(name: str) -> None:
    one = drill(name)
    progress = opened(one, Progress()).progress
    for value in one.values:
        if value.kind is ValueKind.NUMBERS:
            rows = one.trace.value(value.name).decimals(one.trace.problem.places)
            turned = one.judge.placing.across[value.name]
            laid = [list(column) for column in zip(*rows, strict=True)] if turned else rows
            cells = tuple(tuple(cell.text for cell in row) for row in laid)
            said = reply(one, progress, Event(Wish.ANSWER, value.name, cells))
            assert "good: Right." == plain(said.said[0])
            progress = said.progress
