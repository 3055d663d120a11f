"""What a file leaves open besides numbers: which query, which mask, how many tokens."""

import pytest
import yaml
from variants.drawn import Drawer, blueprint, small

from attnsolve.engine import solve
from attnsolve.errors import ProblemError, UsageError
from attnsolve.loader import loads
from attnsolve.variants import Blueprint, Selection, Variant, key_of_seed

TOKENS = "given:\n  X: 1 2; 0 1; 2 1   # three tokens\n  W: 1 0; 0 1\n"
SELF = """\
  - id: a
    ask: What?
    self_attention: {input: X, W_V: W, queries: [1], divide_by: none}
    note: About query 1.
    allow: [ties]
"""


def draws(drawer: Drawer, most: int = 12) -> list[Variant]:
    return [drawer.draw(str(number)) for number in range(most)]


def recipe(variant: Variant, part: int = 0) -> dict[str, str]:
    document = yaml.load(variant.text, yaml.BaseLoader)
    return document["parts"][part]["self_attention"]  # type: ignore[no-any-return]


def test_each_query_is_asked_about_in_some_variant() -> None:
    drawer = small("X: -2..2, W: -2..2, choose: {a.queries: [[1], [2], [3]]}", data=TOKENS, parts=SELF)
    asked = set()
    for variant in draws(drawer):
        (query,) = recipe(variant)["queries"]
        asked.add(query)
        # The solution is that of the query asked about: row `query` of X Xᵀ.
        X = [[int(text) for text in row] for row in variant.problem.givens["X"].typed]
        own = X[int(query) - 1]
        scores = [str(sum(a * b for a, b in zip(own, row, strict=True))) for row in X]
        assert [scores] == variant.trace.value("a.S").texts()
    assert {"1", "2", "3"} == asked


def test_causal_or_not_is_drawn() -> None:
    masked = SELF.replace("queries: [1]", "mask: {causal: true}").replace("id: a", "id: first")
    drawer = small(
        "X: -1..1, W: -2..2, choose: {first.mask: [{causal: true}, {drop_keys: [3]}]}",
        data=TOKENS,
        parts=masked,
    )
    kinds = set()
    for variant in draws(drawer):
        mask = recipe(variant)["mask"]
        weights = variant.trace.value("first.A").texts()
        hidden = [(i, j) for i in range(3) for j in range(3) if weights[i][j] == "0"]
        causal = [(0, 1), (0, 2), (1, 2)]
        assert hidden == (causal if "causal" in mask else [(0, 2), (1, 2), (2, 2)])
        kinds |= set(mask)
    assert {"causal", "drop_keys"} == kinds


def test_three_or_four_tokens_are_drawn() -> None:
    vary = "X: -2..2, W: -2..2, band: 60%, shapes: [{X: 3x2}, {X: 4x2}]"
    sizes = set()
    for variant in draws(small(vary, data=TOKENS, parts=SELF)):
        rows = yaml.load(variant.text, yaml.BaseLoader)["given"]["X"].split(";")
        sizes.add(len(rows))
        assert (1, len(rows)) == variant.trace.value("a.A").shape
        assert "# three tokens" in variant.text
    assert {3, 4} == sizes


def test_choices_and_sizes_are_combined() -> None:
    made = blueprint(
        "X: -2..2, shapes: [{X: 3x2}, {X: 4x2}], choose: {a.queries: [[1], [2]], a.divide_by: [none, 2]}",
        data=TOKENS,
        parts=SELF,
    )
    selections = made.selections()
    assert 2 * 2 * 2 == len(selections) == len(set(selections))
    assert {0, 1} == {selection.shape for selection in selections}
    assert "shape 2, a.queries: [1], a.divide_by: 2" in {*map(str, selections)}


def test_choices_alone_are_enough_to_vary() -> None:
    drawer = small(
        "choose: {a.queries: [[1], [2], [3]]}, allow: [mistakes, small_weights]", data=TOKENS, parts=SELF
    )
    texts = {variant.text for variant in draws(drawer)}
    assert 3 == len(texts)
    assert all("  X: 1 2; 0 1; 2 1   # three tokens\n" in text for text in texts)


def test_what_is_asked_follows_what_is_chosen_with_it() -> None:
    ways = "[{a.queries: [2], a.ask: What does the second get?}, {a.queries: [3], a.ask: And the third?}]"
    drawer = small(f"X: -2..2, W: -2..2, choose: {ways}", data=TOKENS, parts=SELF)
    found = set()
    for variant in draws(drawer):
        asked = yaml.load(variant.text, yaml.BaseLoader)["parts"][0]["ask"]
        found.add((asked, *recipe(variant)["queries"], str(variant.selection)))
    assert {
        ("What does the second get?", "2", "shape 1, way 1"),
        ("And the third?", "3", "shape 1, way 2"),
    } == found


def test_too_many_combinations_are_refused() -> None:
    divisors, matrices = "[none, 2, 3, 4, 5]", "[W, X, 1 0; 1 1, 1 2; 2 1, 2 1; 1 1]"
    choices = f"choose: {{a.queries: [[1], [2], [3]], a.divide_by: {divisors}, a.W_V: {matrices}}}"
    with pytest.raises(UsageError, match="give 75 combinations, each a problem of its own; leave it at 64"):
        blueprint(f"X: -2..2, {choices}", data=TOKENS, parts=SELF)


def test_what_is_omitted_is_gone_and_everything_else_is_there() -> None:
    (variant,) = draws(small("X: -2..2, W: -2..2, omit: a.note", data=TOKENS, parts=SELF), 1)
    text = variant.text.splitlines()
    assert not any(word in variant.text for word in ("note", "vary", "allow", "published"))
    assert [
        "parts:",
        "  - id: a",
        "    ask: What?",
        "    self_attention: {input: X, W_V: W, queries: [1], divide_by: none}",
    ] == text[5:]
    assert "" == variant.problem.parts[0].note


FLOW = (
    "  - {allow: ties, ask: What?, self_attention: {input: X, W_V: W}, published: {S: 1 2 3; 1 2 3; 1 2 3}}\n"
)


def test_a_part_in_braces_loses_what_does_not_hold_any_more() -> None:
    (variant,) = draws(small("X: -2..2, W: -2..2", data=TOKENS, parts=FLOW), 1)
    assert "  - {ask: What?, self_attention: {input: X, W_V: W}}\n" in variant.text
    assert solve(loads(variant.text)).value("a.A").texts() == variant.trace.value("a.A").texts()


GIVENS = {
    "in brackets": "given:\n  X: [[1, 2], [0, 1], [2, 1]]\n  W: [[1, 0], [0, 1]]\n",
    "as lists": "given:\n  X:\n  - [1, 2]\n  - [0, 1]\n  - [2, 1]\n  # weights\n  W:\n    - 1 0\n    - 0 1\n",
    "pasted": "given:\n  X: |\n    1 2\n    0 1\n    2 1\n\n  W: |\n    1 0\n    0 1\n",
    "in braces": "given: {X: 1 2; 0 1; 2 1, W: 1 0; 0 1}\n",
}


@pytest.mark.parametrize("convention", ["rows", "columns", "torch"])
@pytest.mark.parametrize("data", GIVENS.values(), ids=GIVENS)
def test_givens_in_any_style_and_convention_come_back_as_they_were_solved(data: str, convention: str) -> None:
    drawer = small("X: -2..2, W: -2..3", data=f"convention: {convention}\n{data}", parts=SELF)
    (variant,) = draws(drawer, 1)
    again = solve(loads(variant.text))
    for name, given in again.problem.givens.items():
        assert variant.problem.givens[name].value.texts() == given.value.texts(), name
    for one, other in zip(variant.trace.steps, again.steps, strict=True):
        assert one.value.texts() == other.value.texts(), one.call.out


def test_numbers_with_operations_in_them_come_back_as_they_were_solved() -> None:
    drawer = small("X: {set: ['1 + ln(2)', 2/3, '- 1', sqrt(2)]}, allow: [ties]", data=TOKENS, parts=SELF)
    for variant in draws(drawer, 4):
        assert variant.problem.givens["X"].value.texts() == loads(variant.text).givens["X"].value.texts()


def test_a_choice_that_cannot_stand_there_is_told_with_its_place() -> None:
    drawer = small("X: -2..2, choose: {a.queries: [[1], [7]]}", data=TOKENS, parts=SELF)
    with pytest.raises(ProblemError, match=r"parts\.a\.self_attention\.queries: .*7"):
        draws(drawer)


def test_a_blueprint_is_read_from_a_file_with_its_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "my-exam.yaml"
    path.write_text(f"format: 1\ntitle: T\n{TOKENS}parts:\n{SELF}vary: {{X: -2..2}}\n", "utf-8-sig")
    made = Blueprint.read(path)
    assert ("my-exam", tmp_path) == (made.name, made.folder)
    assert Drawer(made, key_of_seed(1)).draw("1").text.startswith("format: 1\n")
    assert [Selection()] == made.selections()
