"""Exercises that others published, typed as a lecturer would: each is a page that can be handed out."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from rendering.auditor import audit
from rendering.calculator import BLOCK
from rendering.programs import Needs, compiled_together, displays_and_inlines, faults_of, katex

from attnsolve.engine import solve
from attnsolve.lint import check
from attnsolve.loader import load
from attnsolve.rendering import Settings, render
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.views import document
from attnsolve.trace import Trace

FILES = sorted((Path(__file__).parent / "exercises").glob("*.yaml"))
SHEETS = ("solution", "exercise")
# Their numbers differ from what is printed by less than 60 digits tell.
BEYOND = ("tensorflow-lookup", "udacity-attention-basics")
# So many documents of LaTeX hold all of them.
DOCUMENTS = 6
every_exercise = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def solved(file: Path) -> Trace:
    return solve(load(file))


def test_there_are_sixty() -> None:
    assert len(FILES) >= 60
    assert [] == [file.stem for file in FILES if not solved(file).problem.source]


@every_exercise
def test_nothing_given_or_asked_is_left_out(file: Path) -> None:
    for sheet in SHEETS:
        parts = document(solved(file), Settings(sheet=sheet)).parts
        shown = [line.replace(BLOCK, "") for part in parts for line in (*part.givens, *part.answers)]
        assert [] == [line for line in shown if "dots" in line or "⋯" in line]
    for to in PRINTED:
        text = render(solved(file), to=to, sheet="exercise").text
        assert not any(dots in text for dots in (r"\cdots", r"\vdots", "⋯"))


@every_exercise
def test_every_page_is_true(file: Path) -> None:
    assert audit(solved(file), Settings(), sees_exact=file.stem not in BEYOND)


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("first", range(DOCUMENTS))
def test_every_page_compiles(sheet: str, first: int, tmp_path: Path, needs: Needs) -> None:
    pages = {f.stem: render(solved(f), to="latex", sheet=sheet).text for f in FILES[first::DOCUMENTS]}
    assert {} == faults_of(compiled_together(pages, tmp_path, needs))


def test_every_formula_is_printed_by_katex(needs: Needs) -> None:
    formulas: dict[tuple[str, bool], str] = {}
    for file in FILES:
        displayed, inline = displays_and_inlines(render(solved(file)).text, "pandoc")
        formulas |= {(formula, True): file.stem for formula in displayed}
        formulas |= {(formula, False): file.stem for formula in inline}
    said = zip(formulas.items(), katex(list(formulas), needs), strict=True)
    assert [] == [(name, formula, fault) for ((formula, _), name), fault in said if fault]


# -- the keys that were published with them -----------------------------------------------------------


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention(Q: Any, K: Any, V: Any) -> Any:
    Q, K, V = map(np.array, (Q, K, V))
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V


def causal(scores: Any) -> Any:
    return softmax(np.where(np.tri(len(scores)), scores, -np.inf))


class WrongKey(NamedTuple):
    """A step whose published numbers are wrong: why, and what numpy says."""

    step: str
    why: str
    right: Callable[[], Any]


WRONG = {
    "amanailab-identity": [
        WrongKey(
            "a.Z",
            "the larger weight is 0.6698, not 0.6696",
            lambda: attention(np.eye(2), np.eye(2), [[1, 2], [3, 4]]),
        ),
        WrongKey("b.Z", "as in part a", lambda: attention([[1, 0]], np.eye(2), [[10, 20], [30, 40]])),
    ],
    "click4ai-two-by-two": [
        WrongKey(
            "a.Z",
            "no mean of the values lies below all of them",
            lambda: attention([[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]),
        )
    ],
    "cs231n-cross-entropy": [
        WrongKey("a.P", "made of exponentials with two places", lambda: softmax([[-2.85, 0.86, 0.28]]))
    ],
    "illustrated-gpt-2": [
        WrongKey(
            "a.A",
            "the figure shows weights of scores that were divided by about 4 first",
            lambda: causal(
                [
                    [0.11, 0.00, 0.81, 0.79],
                    [0.19, 0.50, 0.30, 0.48],
                    [0.53, 0.98, 0.95, 0.14],
                    [0.81, 0.86, 0.38, 0.90],
                ]
            ),
        )
    ],
    "truegeometry-sat": [
        WrongKey(
            "a.Z",
            "the sums were not carried out",
            lambda: (
                np.array([[0.157, 0.174, 0.157, 0.168, 0.157, 0.186]])
                @ [
                    [0.2, 0.3, 0.7, 0.1, 0.4],
                    [0.5, 0.1, 0.2, 0.9, 0.6],
                    [0.9, 0.2, 0.1, 0.3, 0.5],
                    [0.3, 0.6, 0.4, 0.2, 0.1],
                    [0.2, 0.3, 0.7, 0.1, 0.4],
                    [0.7, 0.4, 0.5, 0.8, 0.2],
                ]
            ),
        )
    ],
}


@every_exercise
def test_published_answers_agree_or_are_known_to_be_wrong(file: Path) -> None:
    wrong = {notice.fault.path.partition("[")[0] for notice in check(file) if notice.exit_code}
    assert {key.step for key in WRONG.get(file.stem, [])} == wrong


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in WRONG.items() for key in keys])
def test_where_a_key_is_wrong_numpy_has_our_numbers(name: str, key: WrongKey) -> None:
    (file,) = [file for file in FILES if file.stem == name]
    ours = [[float(cell.text) for cell in row] for row in solved(file).value(key.step).decimals(12)]
    np.testing.assert_allclose(ours, key.right(), atol=1e-9)
