"""Pictures of README and gallery (`make pictures`): by TeX, poppler, librsvg, Chromium and ImageMagick."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
ATTNSOLVE = (sys.executable, "-m", "attnsolve")
# (picture, problem, its first page): two pages side by side.
SOLUTIONS = (("solution", "ist-practical-10", 1), ("encoder", "encoder-block", 3))
# The gallery: a problem and the page of its solution that is shown from the top.
GALLERY = {
    "rotary-positions": 1,
    "shared-keys-and-masks": 7,
    "other-normalisers": 2,
    "kv-cache-step": 4,
    "softmax-in-tiles": 3,
    "llama-layer": 5,
    "decoder-block": 4,
    "tiny-gpt": 3,
    "tiny-translator": 3,
    "recurrent-cells": 2,
    "seq2seq-attention": 2,
    "attention-inside-a-gru": 5,
    "backward-one-head": 3,
    "backward-several-heads": 10,
    "backward-through-time": 3,
    "gradient-step": 3,
}
SHEET = DOCS.parent / "examples" / "weekly-sheet" / "de" / "sheet.yaml"
TITLE_PAGE = ("--course", "Deep Learning", "--date", "16 November 2026", "--minutes", "60")
EXAM = ("calculator-free", "--seed", "2026", "-n", "1", *TITLE_PAGE)
DOTS_PER_INCH = "76"


def main() -> None:
    """All pictures, in the folder of this file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for picture, problem, first in SOLUTIONS:
            run(folder, *ATTNSOLVE, "render", problem, "-o", f"{problem}.tex", "--force")
            two_pages(folder, f"{problem}.tex", first, DOCS / f"{picture}.png")
        gallery(folder)
        run(folder, *ATTNSOLVE, "render", str(SHEET), "--sheet", "exercise", "-o", "sheet.tex")
        two_pages(folder, "sheet.tex", 1, DOCS / "sheet.png")
        run(folder, *ATTNSOLVE, "variants", "draw", *EXAM, "-o", "exam")
        two_pages(folder / "exam", "exams.tex", 1, DOCS / "exam.png")
        run(folder, *ATTNSOLVE, "render", "ist-practical-10", "-o", "page.html")
        web_page(folder, folder / "page.html", DOCS / "page.png")
        run(folder, *ATTNSOLVE, "site", "ist-practical-10", "-o", "site")
        practice(folder, DOCS / "practice.png")
        run(folder, *ATTNSOLVE, "render", "causal-self-attention", "-o", "causal.md")
        (first_map, *_) = sorted(folder.glob("causal*.svg"))
        run(folder, "rsvg-convert", first_map.name, "-o", "map.png")
        flat = ("-background", "white", "-flatten", "-colors", "32", "-strip")
        run(folder, "convert", "map.png", *flat, f"PNG8:{DOCS / 'map.png'}")


def web_page(folder: Path, page: Path, picture: Path) -> None:
    """A page on a desk with the mouse over a number, and on a phone in the dark."""
    sys.path.insert(0, str(DOCS.parent / "tests"))
    from rendering.browser import Browser

    browser = Browser(str(shutil.which("chromium")), folder / "chromium")
    browser.show((1280, 800))
    browser.open(page, "#b.Q")
    browser.point_at(
        "document.getElementById('b.Q').querySelectorAll('mtable')[2].querySelectorAll('mtd')[2]"
    )
    browser.picture(folder / "desk.png")
    browser.show((375, 800), dark=True)
    browser.open(page, "#b.A")
    browser.picture(folder / "phone.png")
    browser.close()
    framed = ("-bordercolor", "gray70", "-border", "4", "+append", "-resize", "1100x", "+dither")
    run(folder, "convert", "desk.png", "phone.png", *framed, "-colors", "96", "-strip", f"PNG8:{picture}")


TYPED = """
for (const [name, typed] of Object.entries({
  "a.S": "4.5 0 4.5 0", "a.T": "4.5 0 4.5 0", "b.A": "0.01 0.45 .33 1/5 .2 .6 .1 .1 .05 .1 .8 .05 .4 .3"
})) {
  const value = document.querySelector(`[data-name="${name}"]`);
  typed.split(" ").forEach((text, place) => (value.querySelectorAll("input")[place].value = text));
  value.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
  if (name !== "b.A") value.querySelector("[data-wish=answer]").click();
}
"""


def practice(folder: Path, picture: Path) -> None:
    """An exercise of a practice site on a phone and on a desk, when something was typed."""
    sys.path.insert(0, str(DOCS.parent / "tests"))
    from threading import Thread

    from rendering.browser import Browser

    from attnsolve.site.serving import server

    serving = server(folder / "site", 0)
    Thread(target=serving.serve_forever, daemon=True).start()
    browser = Browser(str(shutil.which("chromium")), folder / "chromium-site")
    browser.show((375, 800))
    browser.visit(f"http://127.0.0.1:{serving.server_address[1]}/ist-practical-10.html")
    browser.wait("document.body.dataset.ready !== undefined", seconds=120)
    browser.evaluate(TYPED)
    browser.wait("document.querySelector('[data-name=\"a.T\"]').dataset.stand === 'wrong'")
    browser.wait("document.querySelectorAll('[data-name=\"b.A\"] .fills .empty').length === 2")
    for size, dark, name, file in (((375, 800), False, "a.S", "phone"), ((1000, 800), True, "b.T", "desk")):
        browser.show(size, dark=dark)
        browser.evaluate(f"document.querySelector('[data-name=\"{name}\"]').scrollIntoView()")
        browser.picture(folder / f"site-{file}.png")
    browser.close()
    serving.shutdown()
    framed = ("-bordercolor", "gray70", "-border", "4", "+append", "-resize", "1100x", "+dither")
    run(
        folder,
        "convert",
        "site-phone.png",
        "site-desk.png",
        *framed,
        "-colors",
        "96",
        "-strip",
        f"PNG8:{picture}",
    )


def two_pages(folder: Path, source: str, first: int, picture: Path) -> None:
    """Two pages of a LaTeX file, grey and small."""
    for _ in range(2):  # the second time it knows how many pages there are
        run(folder, "pdflatex", "-interaction=batchmode", source)
    stem = Path(source).stem
    pages = ("-f", str(first), "-l", str(first + 1))
    run(folder, "pdftoppm", "-r", DOTS_PER_INCH, *pages, "-png", f"{stem}.pdf", f"page-{stem}")
    shown = [path.name for path in sorted(folder.glob(f"page-{stem}*.png"))]
    framed = ("-bordercolor", "gray70", "-border", "5", "+append")
    run(folder, "convert", *shown, *framed, "-colorspace", "gray", "-depth", "4", "-strip", str(picture))


def gallery(folder: Path) -> None:
    """The upper part of one page of each topic, grey and small; the PDF is made without TeX."""
    (DOCS / "gallery").mkdir(exist_ok=True)
    part = ("-x", "42", "-y", "34", "-W", "432", "-H", "400")
    for problem, page in GALLERY.items():
        run(folder, *ATTNSOLVE, "render", problem, "-o", f"{problem}.pdf", "--engine", "typst", "--force")
        shown = ("-gray", "-png", "-singlefile", "-f", str(page), "-l", str(page))
        target = str(DOCS / "gallery" / problem)
        run(folder, "pdftoppm", "-r", "62", *part, *shown, f"{problem}.pdf", target)


def run(folder: Path, *command: str) -> None:
    """A command in a folder; its complaints are shown."""
    ours = {**os.environ, "PYTHONPATH": str(DOCS.parent)}
    subprocess.run(command, cwd=folder, env=ours, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
