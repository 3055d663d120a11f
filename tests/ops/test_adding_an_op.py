"""The walk-through of CONTRIBUTING.md, followed word by word in a copy of the checkout."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Adding an op")[2].partition("\n## ")[0]
RECORD, LINE, EXAMPLES, EXPECTED, ROWS, PROBLEM = re.findall(
    r"```(?:python|markdown|yaml)\n(.*?)```", SECTION, re.DOTALL
)
# What else looks at all ops, whole or with one test for each of them.
WHOLE = (
    "loader/test_schema.py",
    "loader/test_format_page.py",
    "loader/test_kinds.py",
    "loader/test_bad_recipes.py",
)
FOR_EACH = ("ops/test_every_op.py", "costs/test_every_op.py")
# Without torch these are skipped, here as everywhere.
WITH_TORCH = ("companion/test_check.py", "companion/test_script.py") if find_spec("torch") else ()


def insert(file: Path, before: str, text: str) -> None:
    source = file.read_text("utf-8")
    assert 1 == source.count(before)
    file.write_text(source.replace(before, text + before), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the op of the walk-through in it."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("attnsolve", "tests", "problems", "templates", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    ops, tests = folder / "attnsolve/ops/__init__.py", folder / "tests/ops"
    (folder / "attnsolve/ops/squares.py").write_text(RECORD, "utf-8")
    insert(ops, '    "argmax": ', LINE)
    insert(tests / "examples.py", '    "argmax": (', EXAMPLES)
    insert(tests / "expected.py", '    "argmax": paper_argmax', EXPECTED)
    insert(tests / "misfits.py", '"sparsemax", "entmax15", ', '"squares", ')
    chosen, called = ROWS.splitlines(keepends=True)
    insert(folder / "docs/format.md", "| `argmax` |", chosen)
    insert(folder / "docs/format.md", "| `argmax(S", called)
    (folder / "problem.schema.json").write_text(done(folder, "-m", "attnsolve", "schema"), "utf-8")
    return folder


def done(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "ATTNSOLVE_NO_SKIPS": "0"}
    made = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert 0 == made.returncode, made.stdout + made.stderr
    return made.stdout


def test_the_example_of_contributing_keeps_the_contract_and_nothing_else_fails(copy: Path) -> None:
    """In one process, which imports torch once; examples of the page are solved without the new op."""
    whole = " or ".join(Path(file).stem for file in WHOLE)
    chosen = f"squares or (({whole}) and not test_examples_are_whole_files)"
    options = ("-m", "pytest", "-v", "-p", "no:cacheprovider", "-n", "0", "-k", chosen)
    files = (*WHOLE, *FOR_EACH, *WITH_TORCH)
    told = done(copy, *options, *(f"tests/{file}" for file in files))
    for file in files:
        assert re.search(rf"^tests/{file}::.* PASSED", told, re.MULTILINE)
    assert sum("squares" in line for line in told.splitlines() if "PASSED" in line) >= 10


def test_the_example_of_contributing_solves_its_problem(copy: Path) -> None:
    (copy / "squares.yaml").write_text(PROBLEM, "utf-8")
    solve = "from attnsolve.loader import load; from attnsolve.engine import solve; "
    said = done(copy, "-c", solve + "print(solve(load('squares.yaml')).value('a.A').texts())")
    # By hand: the scores 1 0 1, 0 1 1 and 1 1 2 give 1 : 0 : 1, 0 : 1 : 1 and 1 : 1 : 4.
    assert "[['1/2', '0', '1/2'], ['0', '1/2', '1/2'], ['1/6', '1/6', '2/3']]" == said.strip()
