"""Names in the scripts of the world: each engine prints what it can, and says what it cannot."""

import json
import re
import subprocess
import unicodedata
from pathlib import Path

import pytest
from rendering.programs import Needs, lualatex, pdflatex, pdftotext
from rendering.samples import trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.pdf_engines import Engine
from attnsolve.rendering import render
from attnsolve.rendering.engines import warning, warning_about
from attnsolve.rendering.escaping import tex
from attnsolve.rendering.exams import render_exams
from attnsolve.rendering.scripts import PLAIN, SCRIPTS, Script, scripts_in

# Name, script, and whether pdflatex has an encoding for it.
PEOPLE = {
    "Đorđe Đinđić": ("", True),
    "Łukasz Żółć": ("", True),
    "Ștefan Țepeș": ("", True),
    "Nguyễn Thị Ngọc": ("vietnamese", True),
    "Ιωάννης Παπαδόπουλος": ("greek", True),
    "Владимир Щукин": ("cyrillic", True),
    "王小明": ("han", False),
    "さくら田中": ("japanese", False),
    "김철수": ("hangul", False),
    "محمد العربية": ("arabic", False),
    "מרים כהן": ("hebrew", False),
    "प्रिया शर्मा": ("devanagari", False),
    "สมชาย ใจดี": ("thai", False),
    "தமிழ்செல்வன்": ("tamil", False),
    "Ħal ẹ́kọ́": ("wide", False),
    "ნინო": ("georgian", False),
    "Արամ": ("armenian", False),
    "😀 Smile": ("symbols", False),
    "علی\u200cرضا": ("arabic", False),
}
BY_PDFLATEX = [name for name, (_, printed) in PEOPLE.items() if printed]
ONLY_BY_LUALATEX = [name for name, (_, printed) in PEOPLE.items() if not printed]


def exam(names: list[str]) -> str:
    """A paper for each name, which stands on the title page and in the title of the exam."""
    papers = [Paper(f"C{i}", trace_of("plan"), str(i), name) for i, name in enumerate(names)]
    return render_exams(papers, Cover(title=f"Exam of {names[0]}")).text


def letters(text: str) -> str:
    """Text as it can be compared: letters alone, joined forms as the letters they are forms of."""
    kept = (c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c)[0] in "LMS")
    # The Đ of these fonts is called Eth.
    return unicodedata.normalize("NFC", "".join(kept)).replace("Ð", "Đ")


@pytest.mark.parametrize("name", PEOPLE)
def test_each_name_is_marked_with_its_script(name: str) -> None:
    script, printed = PEOPLE[name]
    assert {script} - {""} == {found.name for found in scripts_in(tex(name))}
    assert re.sub(r"\\inscript\{\w+\}\{([^{}]*)\}", r"\1", tex(name)) == unicodedata.normalize("NFC", name)
    assert printed == (warning_about([name], Engine.PDFLATEX) is None)
    assert warning_about([name], Engine.LUALATEX) is None


def test_lualatex_prints_every_name(tmp_path: Path, needs: Needs) -> None:
    done = lualatex(exam(list(PEOPLE)), tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    printed = letters(pdftotext(done.pdf, needs))
    assert [] == [name for name in PEOPLE if letters(name) not in printed]


def test_pdflatex_prints_what_it_has_encodings_for(tmp_path: Path, needs: Needs) -> None:
    for what in ("T5", "LGR", "T2A", "lmodern", "cm-super"):
        needs(what)
    done = pdflatex(exam(BY_PDFLATEX), tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    printed = letters(pdftotext(done.pdf, needs))
    # A comma below is a sign of its own in the text of the page.
    assert [] == [name for name in BY_PDFLATEX if letters(name) not in printed and "Ș" not in name]


def test_pdflatex_says_at_once_what_it_cannot_print(tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(exam(["Ana", "王小明", "מרים"]), tmp_path, needs)
    assert 1 == done.code
    assert "attnsolve Error: pdflatex cannot print Hebrew, Chinese letters: run lualatex" in done.log


@pytest.mark.parametrize(
    ("name", "file", "package"),
    [
        ("Nguyễn", "t5enc.def", "texlive-lang-other"),
        ("Ιωάννης", "lgrenc.def", "texlive-lang-greek"),
        ("Владимир", "t2aenc.def", "texlive-lang-cyrillic"),
    ],
)
def test_a_missing_encoding_is_told_with_its_package(
    name: str, file: str, package: str, tmp_path: Path, needs: Needs
) -> None:
    source = exam([name])
    assert f"IfFileExists{{{file}}}" in source
    done = pdflatex(source.replace(f"{{{file}}}", "{nowhere.def}"), tmp_path, needs)
    assert 1 == done.code
    assert f"attnsolve Error: pdflatex needs {package} for" in done.log


def test_a_letter_that_no_font_has_is_an_error_and_not_a_gap(tmp_path: Path, needs: Needs) -> None:
    done = lualatex(exam(["\ue123"]), tmp_path, needs)
    assert 0 != done.code
    assert "Missing character" in done.log
    assert "no font has it" in (warning_about(["\ue123"], Engine.LUALATEX) or "")


def test_a_document_asks_only_for_what_it_needs() -> None:
    plain = exam(["Ana Sousa"])
    assert plain.isascii()
    assert r"\usepackage[utf8]{inputenc}" in plain
    assert not re.search(r"fontenc|fontspec|lmodern|TeX program", plain)
    accents = exam(["Müller"])
    assert r"\usepackage[T1]{fontenc}" in accents
    assert not re.search(r"T5|LGR|T2A|fontsof\{|TeX program", accents)
    assert "[LGR]{fontenc}" in exam(["Ιωάννης"])
    assert exam(["王"]).startswith("% !TeX program = lualatex\n")


def test_the_same_names_give_the_same_bytes_and_the_same_pdf(tmp_path: Path, needs: Needs) -> None:
    made = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        made.append(lualatex(exam(["王小明", "מרים כהן"]), folder, needs).pdf.read_bytes())
    assert made[0] == made[1]


def plain_letters() -> list[str]:
    found = re.findall(f"[{PLAIN}]", "".join(map(chr, range(0xA1, 0x2200))))
    return [letter for letter in found if letter not in "\u00ad"]


@pytest.mark.parametrize("engine", [pdflatex, lualatex])
def test_every_plain_letter_can_be_printed(engine: object, tmp_path: Path, needs: Needs) -> None:
    """Names of people: what stands in a document as it is must be in the fonts of LaTeX itself."""
    assert callable(engine)
    needs("lmodern")
    body = "\n\n".join(f"QK{tex(letter)}KQ" for letter in plain_letters())
    source = re.sub(r"(?s)(\\begin\{document\}).*", r"\1", exam(["é"]))
    done = engine(f"{source}\n{body}\n\\end{{document}}\n", tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    shown = re.findall(r"(?s)QK(.*?)KQ", pdftotext(done.pdf, needs))
    assert len(plain_letters()) == len(shown)
    assert [] == [c for c, found in zip(plain_letters(), shown, strict=True) if not found.strip()]


@pytest.mark.parametrize("script", [script for script in SCRIPTS if script.encoding], ids=lambda s: s.name)
def test_every_letter_of_an_encoding_can_be_printed(script: Script, tmp_path: Path, needs: Needs) -> None:
    assert script.encoding is not None
    needs(script.encoding.name)
    pattern = re.compile(f"[{script.encoding.letters}]")
    known = [chr(code) for code in range(0x41, 0x2000) if pattern.match(chr(code))]
    words = [tex(letter * 3) for letter in known]
    marked = [word for word in words if rf"\inscript{{{script.name}}}" in word]
    assert len(marked) > 60
    source = re.sub(r"(?s)(\\begin\{document\}).*", r"\1", exam([marked[0][-4:-1]]))
    body = "\n\n".join(marked)
    done = pdflatex(f"{source}\n{body}\n\\end{{document}}\n", tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())


def test_titles_and_labels_too_are_printed(tmp_path: Path, needs: Needs) -> None:
    sheet = {
        "format": "1",
        "title": "注意力",
        "labels": ["我", "爱"],
        "given": {"X": "1 2; 3 4"},
        "parts": [{"ask": "Τι είναι α;", "self_attention": {"input": "X"}, "plot": "weights"}],
    }
    text = render(solve(loads(json.dumps(sheet, ensure_ascii=False))), to="latex").text
    said = str(warning([text], Engine.PDFLATEX))
    assert "注意力 (Chinese), 我 (Chinese), 爱 (Chinese); run lualatex" in said
    done = lualatex(text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    printed = letters(pdftotext(done.pdf, needs))
    assert "注意力" in printed
    assert "Τιείναια" in printed
    assert 2 <= printed.count("我")


RUNS = [
    ("α and ω", r"$\alpha$ and $\omega$"),
    ("αβ", r"$\alpha \beta$"),
    ("Δ = x₁² → ℝ", r"$\Delta$ = x$_{1}$$^{2}$ $\to$ $\mathbb{R}$"),
    ("x Ωmega", r"x $\Omega$mega"),
    ("e\u0301", "é"),
    ("و ـ", r"\inscript{arabic}{و ـ}"),
    ("אב-גד x", r"\inscript{hebrew}{אב-גד} x"),
    ("می\u200cخواهم", "\\inscript{arabic}{می\u200cخواهم}"),
    ("علی\u200cرضا کریمی\u200cنژاد", "\\inscript{arabic}{علی\u200cرضا کریمی\u200cنژاد}"),
    ("क्\u200dष", "\\inscript{devanagari}{क्\u200dष}"),
    ("A\u200cda \u200d", "Ada "),  # where they mean nothing
    ("{王}", r"\{\inscript{han}{王}\}"),
    ("注意力机制，很长。", r"\inscript{han}{注 意 力 机 制， 很 长。}"),
    ("a -- b, c,, d ''x ?`y", r"a -\/- b, c,\/, d {'}\/{'}x ?\/{`}y"),
    ("a – b -- c", r"a -- b -\/- c"),
]


@pytest.mark.parametrize(("typed", "expected"), RUNS)
def test_letters_are_words_or_signs(typed: str, expected: str) -> None:
    assert expected == tex(typed)


def test_a_hostile_word_takes_no_time() -> None:
    """20,000 letters with one that is rare at the end, or marks without letters."""
    for text in ("a" * 20_000 + "ŧ", "a\u0301" * 10_000, "\u0301" * 20_000, "א " * 10_000, "王" * 20_000):
        assert r"\inscript" in tex(text) or "á" in tex(text)


def test_fonts_that_are_tried_are_named_once() -> None:
    for script in SCRIPTS:
        assert len(script.fonts) == len(set(script.fonts)), script.name
        assert script.fonts or script.encoding, script.name


def test_a_font_that_is_not_installed_is_told(tmp_path: Path, needs: Needs) -> None:
    source = re.sub(r"(\\fontsof\{han\}\{.*\})\{.*\}", r"\1{No Such Font}", exam(["王"]))
    done = lualatex(source, tmp_path, needs)
    assert 1 == done.code
    assert "attnsolve Error: no font for han letters is installed" in done.log


def test_fonts_are_embedded(tmp_path: Path, needs: Needs) -> None:
    done = lualatex(exam(["王小明", "Владимир"]), tmp_path, needs)
    program = needs("pdftotext").replace("pdftotext", "pdffonts")
    told = subprocess.run([program, str(done.pdf)], capture_output=True, text=True, check=True).stdout
    assert all(" yes " in line for line in told.splitlines()[2:])
