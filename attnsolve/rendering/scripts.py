"""The scripts that people write their names in, and how each engine of LaTeX prints them.

pdflatex has fonts for a few, by their encodings; lualatex takes any font of the system.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from attnsolve.languages.joiners import JOINERS


class Encoding(NamedTuple):
    """How pdflatex prints a script: a font encoding, and the Debian package that has it."""

    name: str
    package: str
    letters: str  # those that it has, as ranges of a regular expression
    family: str = ""  # the fonts that have this encoding, where the usual ones have not


class Script(NamedTuple):
    """A script, by the name that LaTeX knows it by: `\\inscript{greek}{…}`."""

    name: str
    title: str
    ranges: str  # of a regular expression
    fonts: tuple[str, ...] = ()  # for lualatex: the first that is installed; none where the usual one will do
    opentype: str = ""  # what fontspec calls it, where letters are joined or stacked
    encoding: Encoding | None = None
    is_leftward: bool = False  # written from right to left

    @property
    def is_unbroken(self) -> bool:
        """Whether it has no spaces, so that lines may end after any sign."""
        return self.name in ("han", "japanese")

    @property
    def has_cases(self) -> bool:
        """Whether its small letters should be as high as those beside them."""
        return self.fonts == WIDE

    @property
    def needs_lualatex(self) -> bool:
        """Whether pdflatex cannot print it at all."""
        return self.encoding is None


SPARE = ("FreeSerif", "DejaVu Sans")
WIDE = ("Noto Serif", "DejaVu Serif", *SPARE)
HAN = (
    r"\u2e80-\u2fdf\u3000-\u303f\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    r"\U00020000-\U000323af"
)
KANA = r"\u3040-\u30ff\u31f0-\u31ff"
MARKS = r"\u0300-\u036f"  # accents that stand on the letter before them
LATIN = (
    rf"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af{MARKS}\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff"
)


def noto(name: str) -> tuple[str, ...]:
    """The Noto fonts of a script, and what has it otherwise."""
    return (f"Noto Serif {name}", f"Noto Sans {name}", *SPARE)


T5 = Encoding(
    "T5",
    "texlive-lang-other",
    r"A-ZÀ-ÃÈ-ÊÌÍÒ-ÕÙÚÝa-zà-ãè-êìíò-õùúýĂăĐđĨĩŨũƠơƯưẠ-ỹ",
)
LGR = Encoding(
    "LGR",
    "texlive-lang-greek",
    r"\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u1f00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d"
    r"\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3"
    r"\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc",
    family="cmr",
)
T2A = Encoding(
    "T2A",
    "texlive-lang-cyrillic",
    r"\u0400-\u045f\u0490-\u0493\u0496-\u049d\u04a0-\u04a5\u04aa\u04ab\u04ae-\u04b3\u04b6-\u04bb\u04c0-\u04c2"
    r"\u04d0-\u04df\u04e2-\u04e9\u04ec-\u04f5\u04f8\u04f9",
    family="cmr",
)

# The first whose ranges a letter is in; what no other has is in the last.
SCRIPTS: tuple[Script, ...] = (
    Script("vietnamese", "Vietnamese", LATIN, encoding=T5),
    Script("greek", "Greek", rf"\u0370-\u03ff\u1f00-\u1fff{MARKS}", WIDE, "Greek", LGR),
    Script("cyrillic", "Cyrillic", rf"\u0400-\u052f\u1c80-\u1c8f{MARKS}", WIDE, "Cyrillic", T2A),
    # Letters of those three that no encoding has.
    Script("wide", "rare Latin, Greek or Cyrillic", LATIN, WIDE),
    Script("armenian", "Armenian", r"\u0530-\u058f", noto("Armenian"), "Armenian"),
    Script("georgian", "Georgian", r"\u10a0-\u10ff\u1c90-\u1cbf", noto("Georgian"), "Georgian"),
    Script("hebrew", "Hebrew", r"\u0590-\u05ff\ufb1d-\ufb4f", noto("Hebrew"), "Hebrew", is_leftward=True),
    Script(
        "arabic",
        "Arabic",
        r"\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
        ("Noto Naskh Arabic", "Noto Sans Arabic", "Amiri", *SPARE),
        "Arabic",
        is_leftward=True,
    ),
    Script("syriac", "Syriac", r"\u0700-\u074f", noto("Syriac"), "Syriac", is_leftward=True),
    Script("thaana", "Thaana", r"\u0780-\u07bf", noto("Thaana"), "Thaana", is_leftward=True),
    Script("devanagari", "Devanagari", r"\u0900-\u097f\ua8e0-\ua8ff", noto("Devanagari"), "Devanagari"),
    Script("bengali", "Bengali", r"\u0980-\u09ff", noto("Bengali"), "Bengali"),
    Script("gurmukhi", "Gurmukhi", r"\u0a00-\u0a7f", noto("Gurmukhi"), "Gurmukhi"),
    Script("gujarati", "Gujarati", r"\u0a80-\u0aff", noto("Gujarati"), "Gujarati"),
    Script("oriya", "Odia", r"\u0b00-\u0b7f", noto("Oriya"), "Oriya"),
    Script("tamil", "Tamil", r"\u0b80-\u0bff", noto("Tamil"), "Tamil"),
    Script("telugu", "Telugu", r"\u0c00-\u0c7f", noto("Telugu"), "Telugu"),
    Script("kannada", "Kannada", r"\u0c80-\u0cff", noto("Kannada"), "Kannada"),
    Script("malayalam", "Malayalam", r"\u0d00-\u0d7f", noto("Malayalam"), "Malayalam"),
    Script("sinhala", "Sinhala", r"\u0d80-\u0dff", noto("Sinhala"), "Sinhala"),
    Script("thai", "Thai", r"\u0e00-\u0e7f", noto("Thai"), "Thai"),
    Script("lao", "Lao", r"\u0e80-\u0eff", noto("Lao"), "Lao"),
    Script("tibetan", "Tibetan", r"\u0f00-\u0fff", noto("Tibetan"), "Tibetan"),
    Script("myanmar", "Burmese", r"\u1000-\u109f\uaa60-\uaa7f", noto("Myanmar"), "Myanmar"),
    Script("khmer", "Khmer", r"\u1780-\u17ff\u19e0-\u19ff", noto("Khmer"), "Khmer"),
    Script("ethiopic", "Ethiopic", r"\u1200-\u139f\u2d80-\u2ddf", noto("Ethiopic"), "Ethiopic"),
    Script(
        "hangul",
        "Korean",
        r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff",
        ("Noto Serif CJK KR", "Noto Sans CJK KR", "UnBatang", "WenQuanYi Micro Hei", "Droid Sans Fallback"),
    ),
    Script(
        "japanese",
        "Japanese",
        KANA + HAN,
        ("Noto Serif CJK JP", "Noto Sans CJK JP", "IPAexMincho", "IPAMincho", "WenQuanYi Micro Hei"),
    ),
    Script(
        "han",
        "Chinese",
        HAN,
        ("Noto Serif CJK SC", "Noto Sans CJK SC", "WenQuanYi Micro Hei", "AR PL UMing CN"),
    ),
    Script(
        "symbols",
        "unusual",
        "",
        ("DejaVu Sans", "Noto Sans Symbols2", "Noto Sans Symbols", "Noto Sans Math", "Symbola", "FreeSerif"),
    ),
)  # fmt: skip
BY_NAME = {script.name: script for script in SCRIPTS}
VIETNAMESE, GREEK, CYRILLIC, OTHER = (BY_NAME[name] for name in ("vietnamese", "greek", "cyrillic", "wide"))
MOST_UNBROKEN = 6
# What opens keeps the next sign beside it, what closes stays beside the one before.
OPENS, CLOSES = "（「『【〈《［｛〔“‘", "，。、；：？！）」』】〉》］｝〕…ー々"

# What LaTeX prints with the fonts of its own base, under every engine.
PLAIN = (
    r"\x20-\x7e\u00a1-\u00ac\u00ae-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e"
    r"\u01cd-\u01d4\u01e6\u01e7\u01ea\u01eb\u01f0\u01f4\u01f5\u0218-\u021b\u1e0d\u1e25\u1e37\u1e43\u1e45\u1e47\u1e5b"
    r"\u1e63\u1e6d\u1ef2\u1ef3\u2018\u201a\u201e\u2020-\u2022\u2030\u2039\u203a\u20ac\u2116\u2122"
)
MARKED = re.compile(r"\\inscript\{(\w+)\}\{([^{}]*)\}")


@lru_cache(maxsize=1)
def patterns() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, re.Pattern[str]]]:
    """Runs of one script, a group for each; what is plain; and the letters of each encoding."""
    runs = []
    for script in SCRIPTS[1:-1]:
        if script.name == OTHER.name:  # a word with a letter that LaTeX's own fonts do not have
            runs.append(rf"(?P<wide>(?<![{LATIN}])[{LATIN}]*(?![{PLAIN}])[{LATIN}][{LATIN}]*)")
        elif script.name == "japanese":
            runs.append(rf"(?P<japanese>[{HAN}]*[{KANA}][{script.ranges}]*)")
        else:
            # Words that are read from the right stay together, or the first would stand on the left.
            more = rf"(?:[ -]+[{script.ranges}{JOINERS}]+)*" if script.is_leftward else ""
            first = script.ranges.replace(MARKS, "")
            runs.append(rf"(?P<{script.name}>[{first}][{script.ranges}{JOINERS}]*{more})")
    encodings = [script.encoding for script in SCRIPTS if script.encoding is not None]
    letters = {encoding.name: re.compile(f"[{encoding.letters}]+") for encoding in encodings}
    return re.compile("|".join([*runs, rf"(?P<symbols>[^{PLAIN}]+)"])), re.compile(f"[{PLAIN}]*"), letters


def script_of(name: str, run: str) -> Script:
    """The script of a run that was found: one with an encoding only if that has all its letters."""
    letters = patterns()[2]
    found = VIETNAMESE if name == OTHER.name else BY_NAME[name]
    if found.encoding is None or letters[found.encoding.name].fullmatch(run):
        return found
    return OTHER


def marked(match: re.Match[str]) -> str:
    """A run for LaTeX, in the script it is written in."""
    run, name = match[0], match.lastgroup or OTHER.name
    if BY_NAME[name].is_unbroken and len(run) > MOST_UNBROKEN:
        run = re.sub(rf"(?<=[^{OPENS}])(?=[^{CLOSES}])", " ", run)
    return rf"\inscript{{{script_of(name, run).name}}}{{{run}}}"


def scripts_in(source: str) -> tuple[Script, ...]:
    """The scripts that a LaTeX document is written in, besides the Latin of LaTeX's own fonts."""
    used = {match[1] for match in MARKED.finditer(source)}
    return tuple(script for script in SCRIPTS if script.name in used)


def beyond_pdflatex(source: str) -> dict[str, Script]:
    """The words in some LaTeX that pdflatex cannot print, each with its script."""
    found = {match[2]: BY_NAME[match[1]] for match in MARKED.finditer(source)}
    return {words: script for words, script in found.items() if script.needs_lualatex}
