"""What readers of our documents use: pdflatex, pdftotext, pandoc, KaTeX and parsers of CommonMark."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

Needs = Callable[[str], str]
# What TeX says about a fault stays on one line of the log; nothing outside its folder is read or written.
CAREFUL = {"max_print_line": "1000", "openin_any": "p", "openout_any": "p", "SOURCE_DATE_EPOCH": "0"}
FLAGS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
# Reports how much too wide a box was before it was scaled down to the page.
SPY = r"\typeout{WIDE \the\wd\widebox}\resizebox"

# More would take TeX long, if one of them is wrong.
SHEETS_IN_ONE = 20
BEGIN, END = r"\begin{document}", r"\end{document}"
# Reads a list of [formula, is it displayed?], and writes what KaTeX says about each.
KATEX = """
const katex = require(process.argv[1]);
const said = ([source, displayMode]) => {
  try { katex.renderToString(source, {displayMode, throwOnError: true, strict: "error"}); return ""; }
  catch (error) { return String(error.message); }
};
const formulas = JSON.parse(require("fs").readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(formulas.map(said)));
"""


# The same, and writes what KaTeX makes of each.
KATEX_MATHML = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const made = ([source, displayMode]) => katex.renderToString(source, {displayMode, output: "mathml"});
process.stdout.write(JSON.stringify(formulas.map(made)));
"""

# And what Temml makes of each.
TEMML = """
const temml = require(process.argv[1] + "/dist/temml.cjs");
const formulas = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const engine = temml.default || temml;
const made = ([source, displayMode]) => engine.renderToString(source, {displayMode, throwOnError: true});
process.stdout.write(JSON.stringify(formulas.map(made)));
"""


class Compiled(NamedTuple):
    """What LaTeX made of a document."""

    code: int
    log: str
    pdf: Path

    def overfull(self) -> list[float]:
        """By how many points boxes stick out, sideways or downwards."""
        return [float(points) for points in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt too", self.log)]

    def complaints(self) -> list[str]:
        """Errors, missing glyphs, and what is undefined."""
        return re.findall(r"^!.*|.*Missing character.*|.*[Uu]ndefined.*|LaTeX Font Warning.*", self.log, re.M)

    def widest(self) -> float:
        """The widest thing that had to be scaled down, in points; 0 if nothing had to be."""
        return max(map(float, re.findall(r"^WIDE ([\d.]+)pt", self.log, re.M)), default=0.0)


Files = Iterable[tuple[str, bytes]]


def literal(text: str) -> str:
    """A text in which a lecturer has taken all signs for what they are, and none for markup."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def lualatex(source: str, folder: Path, needs: Needs) -> Compiled:
    """Compile a document with fonts of the system; what those are is looked up outside the folder."""
    for what in ("luaotfload", "Noto", "Han"):
        needs(what)
    return compiled("lualatex", source, folder, needs, flags=FLAGS)


def pdflatex(
    source: str, folder: Path, needs: Needs, *, flags: Sequence[str] = FLAGS, beside: Files = ()
) -> Compiled:
    """Compile a document in an empty folder, as a careful lecturer does; its pictures stand `beside` it."""
    return compiled("pdflatex", source, folder, needs, flags=flags, beside=beside)


def compiled(
    engine: str, source: str, folder: Path, needs: Needs, *, flags: Sequence[str], beside: Files = ()
) -> Compiled:
    """Compile a document in an empty folder."""
    assert not list(folder.iterdir())
    for name, content in beside:
        (folder / name).write_bytes(content)
    file = folder / "sheet.tex"
    file.write_text(source.replace(r"\resizebox", SPY), encoding="utf-8")
    command = [needs(engine), *flags, file.name]
    done = subprocess.run(command, cwd=folder, env=os.environ | CAREFUL, capture_output=True)
    log = folder / "sheet.log"
    text = (
        log.read_text(encoding="utf-8", errors="replace")
        if log.exists()
        else done.stdout.decode(errors="replace")
    )
    return Compiled(done.returncode, text, folder / "sheet.pdf")


def compiled_together(sheets: Mapping[str, str], folder: Path, needs: Needs) -> dict[str, Compiled]:
    """Many LaTeX documents, those with one preamble as one, which is quicker: what is said about each.

    An error in one does not hide those of the others.
    """
    made: dict[str, Compiled] = {}
    for number, alike in enumerate(with_one_preamble(sheets)):
        inner = folder / str(number)
        inner.mkdir()
        made |= compiled_as_one(alike, inner, needs)
    return made


def with_one_preamble(sheets: Mapping[str, str]) -> list[dict[str, str]]:
    """Sheets that can be one document: the letters of some need other fonts. No document is too long."""
    groups: dict[str, dict[str, str]] = {}
    for name, text in sheets.items():
        groups.setdefault(text.partition(BEGIN)[0], {})[name] = text
    return [dict(some) for group in groups.values() for some in batched(group.items(), SHEETS_IN_ONE)]


def batched(items: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    """Items in lists of this length; the last may be shorter."""
    left = iter(items)
    while some := list(islice(left, size)):
        yield some


def compiled_as_one(sheets: Mapping[str, str], folder: Path, needs: Needs) -> dict[str, Compiled]:
    """LaTeX documents with one preamble, compiled as one document: what is said about each of them."""
    (preamble,) = {text.partition(BEGIN)[0] for text in sheets.values()}
    bodies = []
    for name, text in sheets.items():
        body = text.partition(BEGIN)[2]
        bodies.append(f"\\clearpage\\typeout{{SHEET {name}}}\n{body.partition(END)[0]}")
    source = f"{preamble}{BEGIN}{''.join(bodies)}\\clearpage\n{END}"
    done = pdflatex(source, folder, needs, flags=[flag for flag in FLAGS if flag != "-halt-on-error"])
    pieces = re.split(r"^SHEET (.*)$", done.log, flags=re.M)
    logs = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return {name: Compiled(done.code, logs.get(name, "! never reached"), done.pdf) for name in sheets}


def faults(done: Compiled, *, widest: float | None = None, beyond: float = 5) -> list[str]:
    """What is wrong with a page: errors, what sticks out, and what is scaled down beyond reading."""
    wide = [f"{points} pt too wide" for points in done.overfull() if points > beyond]
    small = [f"scaled down from {done.widest()} pt"] if widest and done.widest() > widest else []
    return [*done.complaints(), *wide, *small]


def faults_of(made: Mapping[str, Compiled], *, widest: float | None = None) -> dict[str, list[str]]:
    """The pages with faults; one that failed without a word is there too."""
    found = {name: said for name, done in made.items() if (said := faults(done, widest=widest))}
    silent = {name: ["failed without a word"] for name, done in made.items() if done.code and not found}
    return found | silent


def katex(formulas: Sequence[tuple[str, bool]], needs: Needs) -> list[str]:
    """What KaTeX has to say about each (formula, is it displayed?): nothing where it prints it."""
    folder = needs("katex")
    done = subprocess.run(
        [needs("node"), "-e", KATEX, folder], input=json.dumps(formulas), capture_output=True,
        check=True, text=True,
    )  # fmt: skip
    said: list[str] = json.loads(done.stdout)
    assert len(formulas) == len(said)
    return said


def displays_and_inlines(text: str, flavour: str) -> tuple[list[str], list[str]]:
    """The displayed and the inline formulas of a Markdown text, found with nothing but their delimiters."""
    opened, closed = ("```math", "```") if flavour == "github" else ("$$", "$$")
    displayed: list[str] = []
    rest: list[str] = []
    block: list[str] | None = None
    for line in text.splitlines():
        if block is None and line == opened:
            block = []
        elif block is not None and line == closed:
            displayed.append("\n".join(block))
            block = None
        else:
            (rest if block is None else block).append(line)
    assert block is None, "a display is never closed"
    pattern = r"\$`(.+?)`\$" if flavour == "github" else r"(?<!\\)\$(.+?)(?<!\\)\$"
    return displayed, re.findall(pattern, "\n".join(rest))


def pdftotext(pdf: Path, needs: Needs) -> str:
    """The words on the pages, in reading order."""
    command = [needs("pdftotext"), "-enc", "UTF-8", "-raw", str(pdf), "-"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def pandoc(source: str, to: str, needs: Needs, *, reader: str = "markdown") -> str:
    """Markdown through pandoc."""
    command = [needs("pandoc"), "-f", reader, "-t", to, "--wrap=none"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=True)
    assert b"[WARNING]" not in done.stderr or to == "plain", done.stderr.decode()
    return done.stdout.decode()


def tree(source: str, needs: Needs, *, reader: str = "markdown") -> Any:
    """Pandoc's own view of a document."""
    return json.loads(pandoc(source, "json", needs, reader=reader))


def nodes(thing: Any) -> Iterator[tuple[str, Any]]:
    """(kind, content) of every node of pandoc's tree, in reading order."""
    if isinstance(thing, dict):
        if "t" in thing:
            yield thing["t"], thing.get("c")
        for inner in thing.values():
            yield from nodes(inner)
    elif isinstance(thing, list):
        for inner in thing:
            yield from nodes(inner)


def words(content: Any) -> str:
    """The words and formulas in a piece of pandoc's tree."""
    said = []
    for kind, inner in nodes(content):
        said.append(
            {"Str": inner, "Space": " ", "SoftBreak": " "}.get(kind, inner[1] if kind == "Math" else "")
        )
    return "".join(said)


def commonmark(flavour: str) -> MarkdownIt:
    """A parser of CommonMark with tables, and what MyST or Jupyter add to it."""
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    if flavour != "github":
        made.use(dollarmath_plugin, allow_space=True, allow_digits=True, double_inline=False)
    if flavour == "myst":
        for plugin in (
            front_matter_plugin,
            myst_block_plugin,
            myst_role_plugin,
            footnote_plugin,
            colon_fence_plugin,
        ):
            made.use(plugin)
    return made
