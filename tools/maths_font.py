"""Makes the font of formulas in web pages: Latin Modern Math with the signs that a formula may have.

    python -m tools.maths_font /usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf

It needs fontTools and brotli (`pip install fonttools brotli`), which nothing else here needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import unescape

from attnsolve.bundled import data
from attnsolve.maths.commands import ACCENTS, ARGUMENTS, BRACKETS, ENVIRONMENTS, SYMBOLS
from attnsolve.rendering.dialects import mathml

FONT = data("templates") / "web" / "maths.woff2"
# Bold letters, those in italics, and those in both; other alphabets are rare, and other fonts have them.
ALPHABETS = (0x1D400, 0x1D434, 0x1D468)
CAPITALS = (0x1D49C, 0x1D538)  # calligraphic, double-struck
GREEK_IN_ITALICS = 0x1D6E2
OTHERS = "ıȷℎℬℰℱℋℐℒℳℛℂℍℕℙℚℝℤ√∛∜′″‴…⋯⋮⋱\u2061\u2062\u2063⏞⏟‾_¯ˆ˜˙¨→"


def signs() -> Iterator[str]:
    """Every sign that the converter writes for a command, letters as formulas have them, and ASCII."""
    yield from map(chr, range(0x20, 0x7F))
    yield from OTHERS
    yield from (chr(first + i) for first in ALPHABETS for i in range(52))
    yield from (chr(first + i) for first in CAPITALS for i in range(26))
    yield from (chr(GREEK_IN_ITALICS + i) for i in range(58))
    sources = [rf"a \{name} b" for name in SYMBOLS]
    sources += [rf"\{name}{'{A}' * len(arguments)}" for name, arguments in ARGUMENTS.items()]
    sources += [rf"\left{bracket} x \right{bracket}" for bracket in BRACKETS.split()]
    sources += [rf"\begin{{{name}}} a \\ b \end{{{name}}}" for name in ENVIRONMENTS]
    sources += [rf"\{accent}{{xyz}}" for accent in ACCENTS]
    for source in sources:
        yield from unescape(mathml(source))


def main(path: str) -> None:
    """The font, beside the looks of the pages."""
    from fontTools.subset import Options, Subsetter, load_font, save_font  # type: ignore[import-not-found]

    options = Options(flavor="woff2", layout_features=[], hinting=False, desubroutinize=False)
    font = load_font(path, options)
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(set(signs()))))
    subsetter.subset(font)
    save_font(font, str(FONT), options)
    print(f"{FONT}: {FONT.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
