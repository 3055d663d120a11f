"""The architecture as a test: imports point one way, text is never run, a quick start stays quick."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "attnsolve"

# A room may import the rooms of every layer above it in this table.
LAYERS = (
    ("records", "shelf"),
    ("reasons",),
    (
        "errors",
        "limits",
        "picture_kinds",
        "pdf_engines",
        "bundled",
        "file_names",
        "input_files",
        "whole_files",
        "maths",
        "identity",
        "found_once",
        "pace",
        "lifeline",
        "languages",
    ),
    ("prose", "statements"),
    ("assumptions",),
    ("letterhead",),
    ("exact", "stored"),
    ("expressions", "working"),
    ("ops",),
    ("variation", "choice"),
    ("problem",),
    ("graph", "inner_values"),
    (
        "recipes",
        "trace",
        "problem_set",
        "findings",
        "paper_remarks",
        "notes",
        "causes",
        "report",
        "submission",
        "papers",
        "style",
        "scheme",
        "marks",
        "costs",
        "derivations",
        "class_statistics",
        "pool_statistics",
    ),
    ("documents", "rewriting", "loader", "engine", "published"),
    ("mistakes", "claims"),
    ("choice_options",),
    ("variants", "verifier", "companion", "rendering", "terminal"),
    ("notebooks",),
    ("batch", "lint", "exams", "grading", "practice"),
    ("site",),
    ("cli",),
)
# Within a layer, only these.
NEIGHBOURS = {
    "limits": {"errors"},
    "bundled": {"errors"},
    "expressions": {"working"},
    "problem_set": {"trace"},
    "derivations": {"trace"},
    "report": {"trace", "notes", "causes"},
    "class_statistics": {"report"},
    "pool_statistics": {"class_statistics", "report", "problem_set"},
    "submission": {"notes"},
    "papers": {"problem_set"},
    "loader": {"documents", "rewriting"},
    "rewriting": {"documents"},
    "exams": {"batch"},
    "grading": {"batch", "exams"},
}
# And these rooms have a list of their own. "__init__" is the public face: it loads the rest lazily.
OWN_LISTS = {
    "documents": {"documents", "errors", "input_files", "limits", "records"},
    "__init__": {"errors"},
    "__main__": {"cli"},
}

# The only rooms that may import a library, lazily or not. Any other library needs a line here first.
LIBRARIES = {
    "click": {"cli"},
    "filelock": {"exams"},
    "flint": {"exact"},
    "jinja2": {"rendering"},
    "lark": {"expressions"},
    "markdown_it": {"prose", "terminal"},
    "markupsafe": {"rendering"},
    "math_core": {"rendering"},
    "mdit_py_plugins": {"prose", "terminal"},
    "numpy": {"companion"},
    "python_calamine": {"exams"},
    "sympy": {"exact"},
    "torch": {"companion", "ops"},
    "typst": {"rendering"},
    "yaml": {"documents"},
}
# In these rooms only inside a function: a twin's body, what makes a PDF; or for the type checker, where it is
# only shown.
LAZILY = {("ops", "torch"), ("companion", "numpy"), ("rendering", "typst")}


def allowed_rooms() -> dict[str, set[str]]:
    """For each room, the rooms it may import."""
    allowed: dict[str, set[str]] = {}
    below: set[str] = set()
    for layer in LAYERS:
        allowed |= {room: {room} | below | NEIGHBOURS.get(room, set()) for room in layer}
        below |= set(layer)
    allowed |= OWN_LISTS
    allowed["cli"].add("__init__")  # for --version
    return allowed


ALLOWED = allowed_rooms()

# The sub-rooms of the verifier, and which of them each may import beside itself. What lies between them
# (the case at hand, digits, outcomes) may be used by all; only `verification` puts them together.
VERIFIER = {
    "reading": set[str](),
    "following": set[str](),
    "blaming": {"following"},
    "marking": {"blaming", "following", "reading"},
}
ENTRANCES = {"verification", "comparison"}


class Import(NamedTuple):
    line: int
    name: str  # absolute: "attnsolve.ops.base.Op"
    lazy: bool  # in a function, or for the type checker only


def room_of(file: Path) -> str:
    """The room a file of the package belongs to: its folder there, or its own name."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def called(node: ast.AST) -> str:
    """The last word of what a call calls, or nothing."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def imports(tree: ast.AST, package: str, *, lazy: bool = False) -> Iterator[Import]:
    """Every import below `tree`, in a module of `package`, with relative names made absolute."""
    for node in ast.iter_child_nodes(tree):
        inside = lazy
        match node:
            case ast.Import(names=names):
                yield from (Import(node.lineno, alias.name, lazy) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                parents = package.split(".")[: 1 - level or None] if level else []
                base = ".".join([*parents, *([module] if module else [])])
                yield from (Import(node.lineno, f"{base}.{alias.name}", lazy) for alias in names)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                if called(node) in ("import_module", "__import__"):
                    yield Import(node.lineno, name, lazy)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inside = True
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                inside = True
        yield from imports(node, package, lazy=inside)


def forbidden_imports(source: str, file: Path) -> list[str]:
    """A sentence for each import that `file`, with this source, must not have."""
    room = room_of(file)
    package = ".".join(file.relative_to(ROOT).parent.parts)
    sentences = []
    for line, name, lazy in imports(ast.parse(source), package):
        library, _, rest = name.partition(".")
        if library == "attnsolve":
            target = rest.partition(".")[0]
            target = target if target in ALLOWED else "__init__"
            fine = target in ALLOWED.get(room, ()) or (room == "__init__" and lazy)
        else:
            fine = library in sys.stdlib_module_names or (
                room in LIBRARIES.get(library, ()) and (lazy or (room, library) not in LAZILY)
            )
        if not fine:
            sentences.append(f"{file.relative_to(ROOT)}:{line}: {room} must not import {name} here")
    return sentences


def forbidden_calls(source: str, file: Path) -> list[str]:
    """A sentence for each call in `file`, with this source, that could run text as code."""
    sentences = []
    for node in ast.walk(ast.parse(source)):
        name = called(node)
        match node:
            case ast.Call() if name in ("sympify", "parse_expr", "lambdify"):
                fine = False
            case ast.Call(func=ast.Name()) if name in ("eval", "exec"):  # not torch's layer.eval()
                fine = False
            case ast.Call(args=[ast.Constant(value=int())]) if name == "S":
                fine = True
            case ast.Call(args=[_, *_]) if name == "S":
                fine = False
            case _:
                fine = True
        if not fine:
            sentences.append(f"{file.relative_to(ROOT)}:{node.lineno}: {name}(...) can run text as code")
    return sentences


FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in FILES
}


def needed_by(source: str) -> set[str]:
    """The modules of ours that a module knows from its start, also those of its types alone."""
    needed = set()
    for node in ast.parse(source).body:
        for inner in node.body if isinstance(node, ast.If) else [node]:
            if isinstance(inner, ast.ImportFrom):
                names = [f"{inner.module}.{alias.name}" for alias in inner.names]
                needed |= {name if name in MODULES else str(inner.module) for name in names}
    return needed & set(MODULES)


def ring(sources: Mapping[str, str]) -> list[str]:
    """Modules that need each other in a ring, if there are any."""
    try:
        TopologicalSorter({name: needed_by(source) for name, source in sources.items()}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_room_is_on_the_plan() -> None:
    assert set() == {room_of(file) for file in FILES} - set(ALLOWED)


def test_imports_point_one_way() -> None:
    assert [] == [fault for file in FILES for fault in forbidden_imports(file.read_text("utf-8"), file)]


def test_no_modules_need_each_other_in_a_ring() -> None:
    sources = {name: file.read_text("utf-8") for name, file in MODULES.items()}
    assert [] == ring(sources)
    back = "if TYPE_CHECKING:\n    from attnsolve.loader.parts import PartsReader\n"
    spoilt = sources | {"attnsolve.loader.choices": sources["attnsolve.loader.choices"] + back}
    assert {"attnsolve.loader.choices", "attnsolve.loader.parts"} <= set(ring(spoilt))


def test_no_text_is_run_as_code() -> None:
    assert [] == [fault for file in FILES for fault in forbidden_calls(file.read_text("utf-8"), file)]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("trace.py", "from attnsolve.problem import Problem"),
        ("ops/softmax.py", "from . import base"),
        ("ops/softmax.py", "from ..exact import same"),
        ("ops/softmax.py", "def twin(S):\n    import torch"),
        ("ops/softmax.py", "if TYPE_CHECKING:\n    import torch"),
        ("companion/__init__.py", "import torch.nn.functional as F"),
        ("loader.py", "from attnsolve import documents, recipes"),
        ("__init__.py", "def load(path):\n    from attnsolve.loader import load"),
        ("cli.py", "from attnsolve import __version__"),
        ("exact/cells.py", "from fractions import Fraction"),
    ],
)
def test_plan_allows(file: str, source: str) -> None:
    assert [] == forbidden_imports(source, PACKAGE / file)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("trace.py", "from attnsolve.engine import solve"),
        ("trace.py", "def show(self):\n    from attnsolve.rendering import render"),
        ("verifier/reading.py", "from attnsolve.variants import draw"),
        ("verifier/reading.py", "from ..variants import draw"),
        ("verifier/reading.py", "from .. import rendering"),
        ("documents.py", "from attnsolve.problem import Problem"),
        ("engine.py", "from attnsolve import load"),
        ("engine.py", "import attnsolve"),
        ("__init__.py", "from attnsolve.loader import load"),
        ("ops/softmax.py", "import torch"),
        ("ops/softmax.py", "class Twin:\n    import torch"),
        ("ops/softmax.py", "def rule(S):\n    import sympy"),
        ("ops/softmax.py", "def rule(S):\n    return importlib.import_module('sympy')"),
        ("loader.py", "import yaml"),
        ("exact/__init__.py", "import numpy"),
        ("cellar.py", "from attnsolve.errors import AttnsolveError"),
    ],
)
def test_plan_forbids(file: str, source: str) -> None:
    assert 1 == len(forbidden_imports(source, PACKAGE / file))


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("sympy.sympify(text)", 1),
        ("parse_expr(text)", 1),
        ("lambdify(x, y)", 1),
        ("eval(text)", 1),
        ("exec(text)", 1),
        ("S('1/2')", 1),
        ("sympy.S(text)", 1),
        ("S(1)", 0),
        ("layer.eval()", 0),
    ],
)
def test_calls_that_run_text_are_seen(source: str, faults: int) -> None:
    assert faults == len(forbidden_calls(source, PACKAGE / "engine.py"))


# What only those need who compile templates or write files.
UNUSED = {"jinja2", "tempfile", "hashlib"}
SLOW = {"sympy", "numpy", "torch", "pydantic", "markdown_it", "mdit_py_plugins", "math_core", "typst"}
# The rooms of symbols, which a problem with numbers does without.
SYMBOLS = {
    f"attnsolve.{room}" for room in ("statements", "assumptions", "derivations", "claims", "exact.formulas")
}
LIST_MODULES = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))  # registered first, so it speaks last
from attnsolve.cli import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [("--help", SLOW | {"lark"}), ("render ist-practical-10", SLOW | SYMBOLS | UNUSED)],
    ids=["--help", "render"],
)
def test_quick_start_loads_nothing_slow(arguments: str, unwanted: set[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIST_MODULES, *arguments.split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):  # the first run compiles templates
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    assert set() == unwanted & set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("sub_room", VERIFIER)
def test_the_sub_rooms_of_the_verifier_keep_to_their_doors(sub_room: str) -> None:
    closed = (VERIFIER.keys() - VERIFIER[sub_room] - {sub_room}) | ENTRANCES
    found = [
        f"{file.name}:{line}: {name}"
        for file in sorted((PACKAGE / "verifier" / sub_room).rglob("*.py"))
        for line, name, _ in imports(ast.parse(file.read_text(encoding="utf-8")), "attnsolve.verifier")
        if name.startswith("attnsolve.verifier.") and name.split(".")[2] in closed
    ]
    assert [] == found


def test_the_verifier_has_no_long_function_and_no_long_list_of_parameters() -> None:
    found = []
    for file in sorted((PACKAGE / "verifier").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 40 or len([name for name in named if name != "self"]) > 6:
                    found.append(f"{file.name}:{node.lineno}: {node.name} has {lines} lines, takes {named}")
    assert [] == found


def borrowed_names(tree: ast.Module) -> Iterator[str]:
    """Names of a module that a function uses, and gives to the items of a list there as well."""
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            own |= {alias.asname or alias.name for alias in node.names}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        lists = [n for n in ast.walk(function) if isinstance(n, ast.ListComp | ast.SetComp | ast.DictComp)]
        given = {name for one in lists for each in one.generators for name in names_in(each.target)}
        for name in own & given:
            within = [one for one in lists if any(name in names_in(each.target) for each in one.generators)]
            inner = [used for one in within for used in names_in(one)]
            if within and names_in(function).count(name) > inner.count(name):
                yield f"{function.name}: {name}"


def names_in(node: ast.AST) -> list[str]:
    """Every name in a piece of code, as often as it stands there."""
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def test_no_item_of_a_list_has_the_name_of_a_function_used_beside_it() -> None:
    # Python 3.12 takes the one for the other in functions that yield.
    found = {
        str(path.relative_to(ROOT)): names
        for path in sorted([*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
        if (names := list(borrowed_names(ast.parse(path.read_text("utf-8")))))
    }
    assert {} == found
