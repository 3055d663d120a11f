"""The command line: what each command prints and writes, and how it ends."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml
from click.testing import CliRunner

from attnsolve import __version__, batch
from attnsolve.bundled import problem_files
from attnsolve.cli import cli, main, sheets
from attnsolve.cli import options as command_line
from attnsolve.cli.commands import COMMANDS, Elsewhere
from attnsolve.ops import OPS
from attnsolve.rendering import settings
from attnsolve.rendering.dialects import TARGETS

ROOT = Path(__file__).parents[1]
GOOD = """\
format: 1
title: Two tokens
given:
  X: 1 2.5; 3 4
parts:
  - ask: Find the output.
    self_attention: {input: X}
    plot: weights
"""
BAD = """\
format: 1
title: Two tokens
given:
  X: 1 2; 3 zwei
parts:
  - ask: Find the output.
    self_attention: {inptu: X}
"""
# sin 2 = 2 sin 1 cos 1, which no proof of ours finds: that the two are equal stays undecided.
UNDECIDED = """\
format: 1
title: A tie that nobody can prove
given:
  S: sin(2) 2*sin(1)*cos(1)
parts:
  - ask: Which score is the largest?
    attend: {scores: S, weights: argmax}
"""
UNDEFINED = """\
format: 1
title: No positive score
given:
  q: 1 1
  K: -1 -1; -2 -1
parts:
  - ask: Divide nothing by nothing.
    attend: {queries: q, keys: K, weights: relu}
"""


class Ended(NamedTuple):
    """How a command ended, and what it said where."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """`attnsolve ARGUMENTS` in an empty folder, through the door that a shell uses."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", ["attnsolve", *map(str, arguments)])
        with pytest.raises(SystemExit) as ending:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Ended(int(ending.value.code or 0), out, err)

    return command


def written(folder: Path, **texts: str) -> list[Path]:
    """Problem files in a folder."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{name}.yaml" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_letters_that_an_engine_lacks_are_told(run: Run, tmp_path: Path) -> None:
    (path,) = written(tmp_path, title=GOOD.replace("title: ", "title: 注意 "))
    said = f"{path}: pdflatex cannot print 注意 (Chinese); run lualatex on the .tex files"
    assert run("render", path, "-o", "sheet.tex").err.startswith(said)
    assert "cannot print" not in run("render", path, "--engine", "lualatex", "-o", "other.tex").err
    assert "cannot print" not in run("render", path, "--to", "markdown").err


def test_a_style_is_made_checked_and_used(run: Run, tmp_path: Path) -> None:
    (path,) = written(tmp_path, sheet=GOOD)
    assert run("style", "new", "house").err == "house/style.yaml\nhouse/preamble.tex\n"
    assert run("style", "check", "house").out == "house/style.yaml\nhouse/preamble.tex\n"
    plain, styled = (
        run("render", path, "--to", "latex").out,
        run("render", path, "--to", "latex", "--style", "house").out,
    )
    assert r"\pagestyle{house}" not in plain
    assert r"\pagestyle{house}" in styled
    body = run("render", path, "--to", "latex", "--fragment").out
    assert body.startswith("% The body of a document")
    (tmp_path / "house" / "style.yaml").write_text("format: 1\nclas: x\n", encoding="utf-8")
    ended = run("render", path, "--style", "house")
    assert (3, "house/style.yaml:2:1: unknown key 'clas'; did you mean 'class'?\n") == (ended.code, ended.err)
    assert 1 == run("style", "new", "house").code, "nothing is lost without --force"
    assert 3 == run("render", path, "--style", "nowhere").code


# -- choices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["TARGETS", "SHEETS", "DETAILS", "NUMBERS", "FLAVOURS", "WORKING"])
def test_choices_are_those_of_the_renderer(name: str) -> None:
    """They are written out twice so that --help stays quick."""
    assert getattr(settings, name) == getattr(command_line, name)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_overview_says_what_the_command_says(command: Elsewhere) -> None:
    """The sentences are written out twice so that --help loads no command."""
    for room in (30, 60, 90, 200):
        assert command.get_short_help_str(room) == command.loaded().get_short_help_str(room)


@pytest.mark.parametrize("columns", [40, 70, 80, 200])
def test_the_overview_has_every_command_and_fits_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.argv", ["attnsolve", "--help"])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= max(52, min(columns, 80))
    for command in COMMANDS:
        assert f"{command.name} {command.help}" in " ".join(said.split())
    assert said.strip() == CliRunner().invoke(cli, ["--help"]).output.strip()


def test_options_offer_these_choices_and_defaults() -> None:
    options = {option.name: option for option in sheets.render.params}
    pairs = {
        "to": "TARGETS",
        "sheet": "SHEETS",
        "detail": "DETAILS",
        "numbers": "NUMBERS",
        "flavour": "FLAVOURS",
    }
    for option, choices in (pairs | {"working": "WORKING"}).items():
        kind = options[option].type
        assert isinstance(kind, click.Choice)
        assert tuple(getattr(settings, choices)) == tuple(kind.choices)
    chosen = settings.Settings()
    for option in ("sheet", "detail", "working", "flavour"):
        assert getattr(chosen, option) == options[option].default


# -- render: options ------------------------------------------------------------------------------------


def rendered(*options: str) -> str:
    done = CliRunner().invoke(cli, ["render", "ist-practical-10", *options])
    assert 0 == done.exit_code
    assert "" == done.stderr
    return done.stdout


def test_markdown_is_printed_when_nothing_is_asked_for() -> None:
    text = rendered()
    assert text.startswith("# Self-attention by hand")
    assert r"\approx \begin{bmatrix} -1.6634 & 0.8961 & 0.0346 \end{bmatrix}" in text
    assert text.endswith("$$\n")


def test_to_sets_the_format() -> None:
    assert rendered("--to", "markdown") == rendered()
    assert rendered("--to", "latex").lstrip().startswith("\\documentclass")
    assert "ist-practical-10" == json.loads(rendered("--to", "json"))["problem"]


def test_sheet_sets_what_is_told() -> None:
    assert "**Answer.**" in rendered("--sheet", "solution")
    assert "**Answer.**" not in rendered("--sheet", "exercise")


def test_detail_sets_how_much_working_is_shown() -> None:
    products, sums = "(-2)(-2) + (1)(1) + (-1)(0.5)", "= 4 + 1 - 0.5 ="
    shown = {detail: rendered("--detail", detail) for detail in settings.DETAILS}
    assert [False, False, True, True] == [products in text for text in shown.values()]
    assert [False, False, False, True] == [sums in text for text in shown.values()]
    assert [False, True, True, True] == ["Step 1" in text for text in shown.values()]
    assert [True] * 4 == ["-1.6634" in text for text in shown.values()]


def test_working_fades_unless_all_of_it_is_asked_for() -> None:
    """By hand: the second token's query is (1, 1.5, -0.5) W_Q, and 1·(-1.5) + 1.5·2 + (-0.5)(-1) = 2."""
    line = "Q_{2,2} &= (1)(-1.5) + (1.5)(2) + (-0.5)(-1)"
    assert line not in rendered("--working", "fade")
    assert line in rendered("--working", "all")
    assert "in the same way" not in rendered("--working", "all")


def test_numbers_print_as_asked() -> None:
    fraction, decimal = r"-\tfrac{99}{16}", "-6.1875"
    assert fraction in rendered("--numbers", "fractions")
    assert fraction not in rendered("--numbers", "decimals")
    assert decimal in rendered("--numbers", "decimals")
    assert "-2 & 1 & 0.5" in rendered("--numbers", "source")
    assert r"-2 & 1 & \tfrac{1}{2}" in rendered("--numbers", "fractions")


def test_places_are_counted() -> None:
    """30 digits of the golden file: 0.465368832609288333959127549475."""
    assert "0.465368832609288333959127549475" in rendered("--places", "30")
    assert r"\alpha \approx (0.5,\ 3.46 \cdot 10^{-2},\ 0.5" in rendered("--places", "1")


def test_flavours_differ_in_their_delimiters() -> None:
    assert "```math" in rendered("--flavour", "github")
    assert "$`q`$" in rendered("--flavour", "github")
    for flavour in ("pandoc", "myst", "jupyter"):
        assert "\n$$\n" in rendered("--flavour", flavour)
        assert "```" not in rendered("--flavour", flavour)


@pytest.mark.parametrize(
    "arguments",
    [
        ("render",),
        ("render", "ist-practical-10", "--detail", "some"),
        ("render", "ist-practical-10", "--places", "31"),
        ("render", "ist-practical-10", "--places", "-1"),
        ("render", "ist-practical-10", "--to", "docx"),
        ("render", "ist-practical-10", "--nosuch"),
        ("solve",),
    ],
)
def test_a_wrong_call_is_exit_code_2_with_a_word_on_how_it_goes(run: Run, arguments: tuple[str, ...]) -> None:
    ended = run(*arguments)
    assert 2 == ended.code
    assert "" == ended.out
    assert "Error: " in ended.err
    assert "--help" in ended.err


def test_a_mistyped_command_is_guessed(run: Run) -> None:
    assert "Did you mean 'render'?" in run("rendr").err


# -- render: which problems -----------------------------------------------------------------------------


def test_a_bundled_name_works_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "attnsolve", "render", "ist-practical-10", "--detail", "result"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert done.stdout.startswith(b"# Self-attention by hand")
    assert b"" == done.stderr
    assert set() == names(tmp_path)


def test_a_file_wins_over_a_bundled_name(run: Run, tmp_path: Path) -> None:
    written(tmp_path, **{"ist-practical-10": GOOD})
    assert "# Two tokens" in run("render", "ist-practical-10.yaml").out
    assert "# Self-attention by hand" in run("render", "ist-practical-10").out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ist-practical-1", "did you mean 'ist-practical-10'?"),
        ("ist-practical10", "did you mean 'ist-practical-10'?"),
        ("something-else", "'attnsolve problems' lists the bundled ones"),
        ("nosuch.yaml", "nosuch.yaml"),
        ("no/such.yaml", "no/such.yaml"),
        ("no/such/", "no/such"),
        ("", "''"),
    ],
)
def test_an_unknown_name_gets_a_hint(run: Run, name: str, said: str) -> None:
    ended = run("render", name)
    assert ended.code in (1, 2, 3)
    assert said in ended.err
    assert 1 == ended.err.count("\n")
    assert "" == ended.out


def test_several_files_are_printed_in_their_order(run: Run, tmp_path: Path) -> None:
    first, second = written(tmp_path, one=GOOD, two=GOOD.replace("Two tokens", "Two more"))
    ended = run("render", second, first, "--sheet", "exercise")
    assert 0 == ended.code
    assert ["# Two more", "# Two tokens"] == re.findall(r"^# .*$", ended.out, re.M)


def test_a_folder_means_all_problem_files_in_it(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "in", one=GOOD, two=GOOD)
    (tmp_path / "in" / "three.yml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "in" / "notes.txt").write_text("not a problem", encoding="utf-8")
    ended = run("render", "in", "-o", "out")
    assert 0 == ended.code
    assert {"one.md", "two.md", "three.md"} == {
        name for name in names(tmp_path / "out") if name.endswith(".md")
    }
    assert ["out/one.md", "out/three.md", "out/two.md"] == sorted(ended.err.split())


def test_one_bad_file_stops_no_other(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "in", a=GOOD, b=BAD, c=GOOD)
    ended = run("render", "in", "-o", "out", "--sheet", "exercise")
    assert 3 == ended.code
    assert {"a-exercise.md", "c-exercise.md"} == names(tmp_path / "out")
    complaints = [line for line in ended.err.splitlines() if line.startswith("in/b.yaml")]
    # X: 1 2; 3 zwei stands in line 4, its last number in column 13; the misspelt key in line 7, column 22
    assert ["in/b.yaml:4:13", "in/b.yaml:7:22"] == [
        re.match(r"in/b.yaml:\d+:\d+", line)[0] for line in complaints
    ]
    assert "zwei" in complaints[0]
    assert "did you mean 'input'?" in complaints[1]


def test_one_bad_file_stops_no_other_when_printing(run: Run, tmp_path: Path) -> None:
    a, b, c = written(tmp_path, a=GOOD, b=BAD, c=GOOD)
    ended = run("render", a, b, c, "--sheet", "exercise")
    assert 3 == ended.code
    assert 2 == ended.out.count("# Two tokens")
    assert 2 == ended.err.count("b.yaml:")


def test_the_worst_ending_counts(run: Run, tmp_path: Path) -> None:
    bad, undecided, undefined = written(tmp_path, bad=BAD, undecided=UNDECIDED, undefined=UNDEFINED)
    assert 4 == run("render", undecided, bad).code
    assert 3 == run("render", bad, undefined).code


# -- render: where to ----------------------------------------------------------------------------------------


def test_the_ending_of_the_output_says_the_format(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    for name, start in (("a.md", "# Two"), ("a.tex", "\\documentclass"), ("a.json", "{")):
        assert 0 == run("render", file, "-o", name).code
        assert (tmp_path / name).read_text(encoding="utf-8").lstrip().startswith(start)
    assert 0 == run("render", file, "-o", "b.tex", "--to", "json").code
    assert "{" == (tmp_path / "b.tex").read_text(encoding="utf-8")[0]


def test_a_pdf_is_written_by_its_name(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    (file,) = written(tmp_path, one=GOOD)
    assert 0 == run("render", file, "-o", "a.pdf").code
    assert 0 == run("render", file, "-o", "out/", "--to", "pdf").code
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "out" / "one.pdf").read_bytes()
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    assert 0 == run("render", file, "-o", "a.typ").code
    assert (tmp_path / "a.typ").read_text(encoding="utf-8").startswith("#set document(")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "a.tex", "--engine", "typst"], "--engine typst makes PDFs"),
        (["-o", "a.pdf", "--fragment"], "a PDF is whole"),
    ],
)
def test_what_a_pdf_cannot_be_is_refused(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (file,) = written(tmp_path, one=GOOD)
    ended = run("render", file, *arguments)
    assert 2 == ended.code and said in ended.err
    assert {"one.yaml"} == names(tmp_path)


def test_no_format_is_guessed_for_an_ending_that_is_none(run: Run, tmp_path: Path) -> None:
    """Markdown in a file called solution.docx would only open as an error."""
    (file,) = written(tmp_path, one=GOOD)
    ended = run("render", file, "-o", "solution.docx")
    assert 0 != ended.code
    assert "pdf" in ended.err
    assert {"one.yaml"} == names(tmp_path)


@pytest.mark.parametrize("folder", ["out", "out/"])
def test_a_folder_gets_a_file_named_after_the_problem(run: Run, tmp_path: Path, folder: str) -> None:
    (file,) = written(tmp_path, one=GOOD)
    if not folder.endswith("/"):
        (tmp_path / folder).mkdir()
    assert 0 == run("render", file, "-o", folder, "--to", "latex").code
    assert 0 == run("render", file, "-o", folder, "--sheet", "exercise").code
    assert 0 == run("render", file, "-o", folder).code
    assert {"one.tex", "one-exercise.md", "one.md", "one-a-A.svg"} == names(tmp_path / "out")


def test_the_figure_stands_beside_the_text_that_shows_it(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    run("render", file, "-o", "deep/er/text.md")
    assert {"text.md", "one-a-A.svg"} == names(tmp_path / "deep" / "er")
    assert "](one-a-A.svg)" in (tmp_path / "deep" / "er" / "text.md").read_text(encoding="utf-8")


def test_several_files_become_one_document_in_one_file(run: Run, tmp_path: Path) -> None:
    files = written(tmp_path, one=GOOD, two=GOOD.replace("Two tokens", "Two more"))
    assert 0 == run("render", *files, "-o", "both.tex").code
    text = (tmp_path / "both.tex").read_text(encoding="utf-8")
    assert 1 == text.count(r"\documentclass")
    assert ["1: Two tokens", "2: Two more"] == re.findall(r"\\section\*\{Exercise (.*?)\}", text)
    assert 0 == run("render", *files, "-o", "both.md").code
    assert {"both-1-a-A.svg", "both-2-a-A.svg"} <= names(tmp_path)


def test_several_files_are_printed_as_one_document_where_two_cannot_follow(run: Run, tmp_path: Path) -> None:
    files = written(tmp_path, one=GOOD, two=GOOD)
    assert 1 == run("render", *files, "--to", "latex").out.count(r"\documentclass")
    assert 2 == len(json.loads(run("render", *files, "--to", "json").out)["exercises"])


def test_one_document_is_not_made_of_bad_files(run: Run, tmp_path: Path) -> None:
    files = written(tmp_path, a=BAD, b=GOOD, c=BAD)
    ended = run("render", *files, "-o", "all.tex")
    assert 3 == ended.code
    assert ["a.yaml", "a.yaml", "c.yaml", "c.yaml"] == re.findall(r"(\w\.yaml):\d", ended.err)
    assert not (tmp_path / "all.tex").exists()


def test_one_document_does_not_overwrite_what_it_is_made_of(run: Run, tmp_path: Path) -> None:
    (first,) = written(tmp_path, a=GOOD)
    second = tmp_path / "b.tex"
    second.write_text(GOOD, encoding="utf-8")
    ended = run("render", first, "b.tex", "-o", "b.tex", "--force")
    assert 2 == ended.code
    assert GOOD == second.read_text(encoding="utf-8")


def test_lint_looks_into_the_files_of_a_sheet(run: Run, tmp_path: Path) -> None:
    written(tmp_path, a=GOOD, b=UNDEFINED)
    written(tmp_path, sheet="format: 1\ntitle: S\nexercises: [a.yaml, b.yaml]\n")
    ended = run("lint", "sheet.yaml")
    assert 1 == ended.code
    assert re.match(r"b\.yaml:\d+:\d+: ", ended.err)
    assert "exercise 2 (b.yaml): step" in run("render", "sheet.yaml").err


def test_the_schema_of_sheets_is_told(run: Run) -> None:
    assert {"format", "title", "exercises"} == set(json.loads(run("schema", "--sheet").out)["required"])


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_two_files_of_one_name_do_not_overwrite_each_other(
    run: Run, tmp_path: Path, force: tuple[str, ...]
) -> None:
    (first,) = written(tmp_path / "monday", sheet=GOOD)
    (second,) = written(tmp_path / "tuesday", sheet=GOOD.replace("Two tokens", "Two more"))
    ended = run("render", first, second, "-o", "out", *force)
    assert 0 != ended.code
    assert "sheet.md" in ended.err
    assert not (tmp_path / "out").exists(), "nothing is written before every document has a place of its own"


def test_nothing_is_overwritten_without_force(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    (tmp_path / "one.md").write_text("my own notes", encoding="utf-8")
    ended = run("render", file, "-o", "one.md")
    assert 0 != ended.code
    assert "one.md" in ended.err
    assert "--force" in ended.err
    assert "my own notes" == (tmp_path / "one.md").read_text(encoding="utf-8")
    assert {"one.yaml", "one.md"} == names(tmp_path)
    assert 0 == run("render", file, "-o", "one.md", "--force").code
    assert (tmp_path / "one.md").read_text(encoding="utf-8").startswith("# Two tokens")


def test_a_figure_that_is_in_the_way_stops_the_text_too(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    (tmp_path / "one-a-A.svg").write_text("my own drawing", encoding="utf-8")
    assert 0 != run("render", file, "-o", "one.md").code
    assert {"one.yaml", "one-a-A.svg"} == names(tmp_path)
    assert "my own drawing" == (tmp_path / "one-a-A.svg").read_text(encoding="utf-8")


def test_the_same_document_again_is_no_conflict(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    for _ in range(2):
        assert 0 == run("render", file, "-o", "one.md").code


def test_a_link_is_not_followed(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, one=GOOD)
    (tmp_path / "elsewhere.md").write_text("precious", encoding="utf-8")
    (tmp_path / "one.md").symlink_to(tmp_path / "elsewhere.md")
    ended = run("render", file, "-o", "one.md", "--force")
    assert 0 != ended.code
    assert "link" in ended.err
    assert "precious" == (tmp_path / "elsewhere.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("output", ["one.yaml/out.md", "/proc/nosuch/out.md"])
def test_a_place_where_nothing_can_be_written_is_one_sentence(run: Run, tmp_path: Path, output: str) -> None:
    (file,) = written(tmp_path, one=GOOD)
    ended = run("render", file, "-o", output)
    assert ended.code in (1, 2)
    assert 1 == ended.err.count("\n")
    assert output.rpartition("/")[0].split("/")[-1] in ended.err


def test_the_problem_itself_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    """Even with --force: nobody means that."""
    (file,) = written(tmp_path, one=GOOD)
    ended = run("render", file, "-o", "one.yaml", "--force")
    assert 0 != ended.code
    assert GOOD == file.read_text(encoding="utf-8")


# -- limits -------------------------------------------------------------------------------------------------


def test_limits_are_raised_by_who_runs_it(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, long=GOOD.replace("1 2.5; 3 4", "; ".join(["1"] * 65)))
    ended = run("render", file)
    assert 3 == ended.code
    assert re.search(r"long\.yaml:4:6: .*65 .*limit is 64", ended.err)
    assert 0 == run("render", file, "--limit", "tokens=128", "--detail", "result").code
    assert 0 == run("lint", file, "--limit", "tokens=128").code


def test_limits_are_listed(run: Run) -> None:
    told = dict(line.split() for line in run("limits").out.splitlines())
    assert ("64", "64", "16") == (told["tokens"], told["dimension"], told["heads"])
    told = dict(
        line.split() for line in run("limits", "--limit", "tokens=128", "--limit", "heads=2").out.splitlines()
    )
    assert ("128", "64", "2") == (told["tokens"], told["dimension"], told["heads"])


def test_limits_come_from_the_environment_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTNSOLVE_LIMIT_TOKENS", "100")
    assert re.search(r"^tokens +100$", run("limits").out, re.M)


@pytest.mark.parametrize(
    "setting", ["tokns=128", "tokens", "tokens=", "tokens=many", "tokens=-1", "tokens=1e9", "=5"]
)
def test_a_wrong_limit_is_one_sentence(run: Run, setting: str) -> None:
    ended = run("limits", "--limit", setting)
    assert ended.code in (1, 2)
    assert 1 == ended.err.count("\n")
    assert "tokens" in ended.err


# -- the other commands ----------------------------------------------------------------------------


def test_lint_is_content_with_what_is_right(run: Run) -> None:
    assert Ended(0, "no faults found\n", "") == run("lint", "ist-practical-10", "lab-5-self-attention")


def test_lint_tells_every_fault_of_every_file(run: Run, tmp_path: Path) -> None:
    files = written(tmp_path, one=BAD, two=GOOD, three=BAD)
    ended = run("lint", *files)
    assert 3 == ended.code
    found = [re.match(r".*/(\w+\.yaml:\d+:\d+): ", line)[1] for line in ended.err.splitlines()]
    assert ["one.yaml:4:13", "one.yaml:7:22", "three.yaml:4:13", "three.yaml:7:22"] == found


def test_lint_for_programs(run: Run, tmp_path: Path) -> None:
    bad, good = written(tmp_path, bad=BAD, good=GOOD)
    ended = run("lint", bad, good, "--json")
    assert 3 == ended.code
    told = json.loads(ended.out)
    assert (1, False) == (told["schema"], told["ok"])
    assert [(str(bad), 4, 13), (str(bad), 7, 22)] == [
        (e["file"], e["line"], e["column"]) for e in told["errors"]
    ]
    assert {"file", "line", "column", "path", "message", "code"} == set(told["errors"][0])
    assert {"schema": 1, "ok": True, "errors": []} == json.loads(run("lint", good, "--json").out)


def test_a_new_problem_renders_at_once(run: Run, tmp_path: Path) -> None:
    ended = run("new", "week-3")
    assert 0 == ended.code
    assert "week-3.yaml" in ended.err
    assert {"week-3.yaml"} == names(tmp_path)
    assert Ended(0, "no faults found\n", "") == run("lint", "week-3.yaml")
    for to in TARGETS:
        for sheet in ("solution", "exercise"):
            assert 0 == run("render", "week-3.yaml", "--to", to, "--sheet", sheet, "-o", "made/").code


def test_a_new_problem_explains_itself(run: Run, tmp_path: Path) -> None:
    run("new", "week-3.yaml")
    text = (tmp_path / "week-3.yaml").read_text(encoding="utf-8")
    assert 5 <= len(re.findall(r"#", text))
    assert "1" == str(yaml.safe_load(text)["format"])


def test_new_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    written(tmp_path, mine=GOOD)
    ended = run("new", "mine")
    assert 0 != ended.code
    assert "--force" in ended.err
    assert GOOD == (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert 0 == run("new", "mine", "--force").code
    assert GOOD != (tmp_path / "mine.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["../evil", "a/b", "a b", "", ".", "con", "ü", "x" * 200])
def test_new_takes_only_names_that_are_safe_everywhere(run: Run, tmp_path: Path, name: str) -> None:
    ended = run("new", name)
    assert 0 != ended.code
    assert 1 == ended.err.count("\n")
    assert set() == names(tmp_path)
    assert not (tmp_path.parent / "evil.yaml").exists()


def test_problems_are_listed_with_their_titles(run: Run) -> None:
    ended = run("problems")
    assert 0 == ended.code
    folders = (ROOT / "problems", ROOT / "problems/symbols")
    stems = [path.stem for folder in folders for path in sorted(folder.glob("*.yaml"))]
    assert stems == re.findall(r"^(\S+)", ended.out, re.M)
    assert re.search(r"^ist-practical-10 +Self-attention by hand", ended.out, re.M)
    assert "Deep Learning (IST, 2021-22), Practical 10, Question 1" in ended.out


def test_every_op_is_listed_with_its_matrices_and_settings(run: Run) -> None:
    said = run("ops").out
    assert len(OPS) == len(re.findall(r"^\w+\(.*\)$", said, re.M))
    for line in (
        "project(X, W[, b])",
        "    Project the tokens.",
        "    X W + b, the bias added to every row.",
        "softmax(S[, temperature])",
        "    temperature: what the scores are divided by first",
        "divide(S, by)",
        "concatenate(H, …)",
        "    ties: what happens when several scores are the largest (first, split, refuse)",
    ):
        assert line in said.splitlines()


class WithTextKeys(yaml.SafeLoader):
    """YAML as editors hold it against a schema: `true:` is a key like any other."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, object]:
        made = super().construct_mapping(node, deep=deep)
        return {key.value: value for (key, _), value in zip(node.value, made.values(), strict=True)}


def test_the_schema_accepts_what_we_accept(run: Run) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(run("schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in problem_files().values():
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=WithTextKeys)
        assert [] == [error.message for error in validator.iter_errors(document)]
    assert [] != list(validator.iter_errors(yaml.safe_load(BAD)))
    assert [] != list(validator.iter_errors({"format": 1}))


def test_the_version_is_told(run: Run) -> None:
    assert Ended(0, f"attnsolve, version {__version__}\n", "") == run("--version")


@pytest.mark.parametrize("command", ["", "render", "lint", "new", "problems", "schema", "ops", "limits"])
def test_every_command_explains_itself(run: Run, command: str) -> None:
    ended = run(*filter(None, (command, "-h")))
    assert 0 == ended.code
    assert ended.out.startswith(f"Usage: attnsolve {command}".rstrip())
    assert 79 >= max(map(len, ended.out.splitlines()))


# -- endings ---------------------------------------------------------------------------------------


def test_a_step_without_a_value_is_exit_code_1(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, undefined=UNDEFINED)
    ended = run("render", file)
    assert 1 == ended.code
    assert "undefined.yaml" in ended.err
    assert "no score is above 0" in ended.err


def test_what_cannot_be_decided_is_exit_code_4(run: Run, tmp_path: Path) -> None:
    (file,) = written(tmp_path, undecided=UNDECIDED)
    ended = run("render", file)
    assert 4 == ended.code
    assert "a.A" in ended.err


def test_a_bug_is_one_sentence_and_a_report(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object, **choices: object) -> None:
        raise ZeroDivisionError("the secret reason")

    monkeypatch.setattr(batch, "render", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = run("render", "ist-practical-10")
    assert 5 == ended.code
    assert "" == ended.out
    assert 1 == ended.err.count("\n")
    assert "secret" not in ended.err
    (report,) = tmp_path.glob("attnsolve-error-*.txt")
    assert str(report) in ended.err
    text = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError: the secret reason" in text
    assert __version__ in text


def test_a_bug_in_one_file_stops_no_other(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class's worth of sheets is not lost because one of them meets a bug of ours."""
    real = batch.load_asked

    def broken(path: Path, **choices: object) -> object:
        if path.stem == "b":
            raise ZeroDivisionError
        return real(path, **choices)

    monkeypatch.setattr(batch, "load_asked", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    written(tmp_path / "in", a=GOOD, b=GOOD, c=GOOD)
    ended = run("render", "in", "-o", "out", "--sheet", "exercise")
    assert 5 == ended.code
    assert "b.yaml" in ended.err
    assert {"a-exercise.md", "c-exercise.md"} == names(tmp_path / "out")


@pytest.mark.parametrize("arguments", [("--help",), ("render", "ist-practical-10", "--to", "json")])
def test_a_reader_who_has_seen_enough_is_no_fault(arguments: tuple[str, ...]) -> None:
    """`attnsolve render … | head -1` ends in silence."""
    command = [sys.executable, "-m", "attnsolve", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        if arguments != ("--help",):  # which is written at once, perhaps before anybody has gone
            assert b"{\n" == process.stdout.read(2)
        process.stdout.close()
        said = process.stderr.read()
        code = process.wait()
    assert b"" == said
    assert code in (0, 1, 141)


def test_an_interruption_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **choices: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "render", interrupted)
    ended = run("render", "ist-practical-10")
    assert 130 == ended.code
    assert 1 == len(ended.err.strip().splitlines())
