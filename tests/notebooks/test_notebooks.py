"""Notebooks: valid, the same every time, run from top to bottom, and they judge what is typed into them."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

import attnsolve
from attnsolve.bundled import problems_with_numbers
from attnsolve.companion.libraries import NUMPY
from attnsolve.companion.script import lacking

pytest.importorskip("torch")

BUNDLED = [path.stem for path in problems_with_numbers()]


@cache
def text_of(name: str, sheet: str = "solution", lang: str | None = None) -> str:
    return attnsolve.render(name, to="notebook", sheet=sheet, lang=lang)


def notebook(name: str, sheet: str = "solution", lang: str | None = None) -> Any:
    return nbformat.reads(text_of(name, sheet, lang), as_version=4)


def run(cells: list[Any]) -> list[Any]:
    """What the code cells of a notebook leave behind, run one after the other in this process."""
    names: dict[str, Any] = {}
    shown = []
    for cell in cells:
        *before, last = cell.source.rsplit("\n\n", 1) if cell.source.startswith("check(") else (cell.source,)
        exec(compile("\n\n".join([*before, last]), cell.id, "exec"), names)  # noqa: S102 - that is the test
        if cell.id.startswith("answer-"):
            shown.append(names["check"](re.search('"""(.*)"""', cell.source, re.DOTALL)[1]).data)  # type: ignore[index]
    return shown


def code(made: Any) -> list[Any]:
    return [cell for cell in made.cells if cell.cell_type == "code"]


@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        *((name, sheet) for name in BUNDLED for sheet in ("solution", "exercise")),
        ("calculator-free", "markscheme"),
    ],
)
def test_every_notebook_is_valid(name: str, sheet: str) -> None:
    made = notebook(name, sheet)
    nbformat.validate(made)
    ids = [cell.id for cell in made.cells]
    assert len(set(ids)) == len(ids)
    assert "<!-- cell" not in text_of(name, sheet)


@pytest.mark.parametrize("sheet", ["solution", "exercise", "markscheme"])
def test_a_notebook_is_the_same_every_time(sheet: str) -> None:
    again = attnsolve.render("calculator-free", to="notebook", sheet=sheet)
    assert text_of("calculator-free", sheet) == again


@pytest.mark.parametrize("name", BUNDLED)
def test_the_cells_hold_the_whole_page(name: str) -> None:
    """All text of the Markdown page is there, in its order; only figures are in another form."""
    page = attnsolve.render(name, flavour="jupyter", maps=True)
    cells = "\n\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")
    figures = re.compile(r"!\[.*?\]\(\S+\)|<img [^>]*>")
    shown = figures.sub("FIGURE", cells.replace("## The same with PyTorch", ""))
    assert figures.sub("FIGURE", page).split() == shown.split()


@pytest.mark.parametrize("name", BUNDLED)
def test_the_code_of_every_solution_runs_and_agrees_with_the_page(name: str) -> None:
    """Its cells compare with what the page says, so that a false number would stop them."""
    made = code(notebook(name))
    run(made)
    trace = attnsolve.solve(name)
    compared = any("np.testing.assert_allclose" in cell.source for cell in made)
    assert bool(trace.steps) == (compared or bool(lacking(trace, NUMPY)))
    assert bool(trace.steps) == any("import torch" in cell.source for cell in made)


def test_a_false_number_stops_the_notebook() -> None:
    made = code(notebook("ist-practical-10"))
    for cell in made:
        cell.source = cell.source.replace("-1.6634", "-1.6636")
    with pytest.raises(AssertionError, match="Mismatched"):
        run(made)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_exercise_runs_empty_and_tells_no_answer(name: str) -> None:
    made = notebook(name, "exercise")
    answers = run(code(made))
    assert ["Nothing has been typed yet."] * len(answers) == answers
    assert not any("torch" in cell.source for cell in code(made))
    words = " ".join(cell.source for cell in made.cells)
    for part in attnsolve.load(name).parts:  # type: ignore[union-attr]
        assert not part.discuss or part.discuss[:60] not in words


def fill(made: Any, cell_id: str, old: str, new: str) -> list[Any]:
    kept = [cell for cell in code(made) if cell.id in ("check", cell_id)]
    kept[-1].source = kept[-1].source.replace(old, new)
    return kept


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("a.Z -1.6634 0.8961 0.0346", r"\$z?Z?.*right"),  # as the printed key of the sheet has it
        ("a.Z -1.7363 .9835 .0055", "look at this again"),  # not divided by the root
        ("a.Z 1 2", "not read|belong there"),
    ],
)
def test_what_is_typed_is_judged(typed: str, said: str) -> None:
    shown = run(fill(notebook("ist-practical-10", "exercise"), "answer-a", "a.Z ", typed))
    assert re.search(said, shown[0])


def test_a_letter_is_judged() -> None:
    made = notebook("attention-quiz", "exercise")
    assert "look at this again" in run(fill(made, "answer-a", "a \n", "a B\n"))[0]


def test_a_question_in_words_has_a_cell_for_them() -> None:
    made = notebook("causal-self-attention", "exercise")
    assert ["*Write your answer here.*"] == [cell.source for cell in made.cells if cell.id == "words-f"]


def test_it_speaks_the_language_of_the_sheet() -> None:
    made = notebook("causal-self-attention", "exercise", "de")
    assert "Noch nichts eingetragen." in text_of("causal-self-attention", "exercise", "de")
    assert made.cells[0].source.startswith("# ")
    assert "## Dasselbe mit PyTorch" in text_of("causal-self-attention", "solution", "de")


def test_maps_are_inside() -> None:
    cells = [cell.source for cell in notebook("causal-self-attention").cells]
    maps = [tag for cell in cells for tag in re.findall(r"<img [^>]*>", cell)]
    assert 7 == len(maps)
    assert all('src="data:image/svg+xml;base64,' in tag for tag in maps)
    assert any("of its weight on “cat” and “sat”, half on each." in tag for tag in maps)


SHEET = """\
format: 1
title: Two exercises
exercises:
  - {file: one.yaml, points: 4}
  - {file: two.yaml}
"""
ONE = """\
format: 1
title: Scores
given: {S: {file: S.csv}, V: 1 0; 0 1}
parts: [{ask: Find the output., attend: {scores: S, values: V, weights: sum}, find: [A, Z]}]
"""


def test_a_sheet_is_one_notebook(tmp_path: Path) -> None:
    """By hand: 1 and 3 over 4, 2 and 2 over 4."""
    (tmp_path / "S.csv").write_text("1,3\n2,2\n", "utf-8")
    (tmp_path / "sheet.yaml").write_text(SHEET, "utf-8")
    (tmp_path / "one.yaml").write_text(ONE, "utf-8")
    (tmp_path / "two.yaml").write_text(ONE.replace("{file: S.csv}", "1 1"), "utf-8")
    run(code(nbformat.reads(attnsolve.render(tmp_path / "sheet.yaml", to="notebook"), as_version=4)))
    exercise = attnsolve.render(tmp_path / "sheet.yaml", to="notebook", sheet="exercise")
    made = nbformat.reads(exercise, as_version=4)
    assert ["answer-1", "answer-2"] == [cell.id for cell in made.cells if cell.id.startswith("answer-")]
    shown = run(fill(made, "answer-1", "1.A ", "1.A 1/4 3/4; 0.5 0.5"))
    assert re.search(r"\$A\$.*right", shown[0])


VALUES_INSIDE = """\
format: 1
title: Inside
given: {S: 1 2 3}
parts: [{ask: Find the exponentials., attend: {scores: S}, find: [exp, A]}]
"""


def test_what_numpy_lacks_is_left_to_torch() -> None:
    made = nbformat.reads(attnsolve.render(attnsolve.loads(VALUES_INSIDE), to="notebook"), as_version=4)
    assert not [cell for cell in made.cells if cell.id.startswith("numpy")]
    run(code(made))


@pytest.mark.parametrize(
    ("name", "sheet"), [("two-heads-as-torch-has-them", "solution"), ("attention-quiz", "exercise")]
)
def test_a_kernel_runs_it_from_top_to_bottom(
    name: str, sheet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    made = notebook(name, sheet)
    nbclient.NotebookClient(made, timeout=250, kernel_name="python3").execute(cwd=str(tmp_path))
    assert [] == [out for cell in code(made) for out in cell.outputs if out.output_type == "error"]
    printed = json.dumps([out for cell in code(made) for out in cell.outputs])
    assert (
        "nn.MultiheadAttention agrees with a.Z" if sheet == "solution" else "Nothing has been typed"
    ) in printed


def test_a_notebook_for_each_variant(tmp_path: Path) -> None:
    """The problem files of an exam are problems like any other."""
    for identity in ("1", "2"):
        problem = attnsolve.draw("calculator-free", identity)
        (tmp_path / f"{identity}.yaml").write_text(problem.written.text, "utf-8")  # type: ignore[union-attr]
    one, two = (attnsolve.render(tmp_path / f"{n}.yaml", to="notebook", sheet="exercise") for n in "12")
    assert one != two
    for text in (one, two):
        run(code(nbformat.reads(text, as_version=4)))


def test_a_step_is_found_by_its_whole_name_whatever_else_the_letter_means() -> None:
    """The sums of a softmax are called D too."""
    report = attnsolve.verify("kv-cache-step", "b.D 1")
    assert [] == [said for said in map(str, report.unread) if "may be" in said]
