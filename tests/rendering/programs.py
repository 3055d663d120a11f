"""What readers of our documents use: pdflatex, pdftotext, pandoc and parsers of CommonMark."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
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


class Compiled(NamedTuple):
    """What pdflatex made of a document."""

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


def pdflatex(source: str, folder: Path, needs: Needs) -> Compiled:
    """Compile a document in an empty folder, as a careful lecturer does."""
    assert not list(folder.iterdir())
    file = folder / "sheet.tex"
    file.write_text(source.replace(r"\resizebox", SPY), encoding="utf-8")
    command = [needs("pdflatex"), *FLAGS, file.name]
    done = subprocess.run(command, cwd=folder, env=os.environ | CAREFUL, capture_output=True, timeout=30)
    log = folder / "sheet.log"
    text = (
        log.read_text(encoding="utf-8", errors="replace")
        if log.exists()
        else done.stdout.decode(errors="replace")
    )
    return Compiled(done.returncode, text, folder / "sheet.pdf")


def pdftotext(pdf: Path, needs: Needs) -> str:
    """The words on the pages, in reading order."""
    command = [needs("pdftotext"), "-enc", "UTF-8", "-raw", str(pdf), "-"]
    return subprocess.run(command, capture_output=True, check=True, timeout=30).stdout.decode()


def pandoc(source: str, to: str, needs: Needs, *, reader: str = "markdown") -> str:
    """Markdown through pandoc."""
    command = [needs("pandoc"), "-f", reader, "-t", to, "--wrap=none"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=True, timeout=60)
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
