"""Pages in other languages: their words come from the catalogues, and their maths is the English maths."""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex, pdftotext
from rendering.test_exams_reports import FAIRNESS

import attnsolve
import attnsolve.rendering
from attnsolve import batch
from attnsolve.causes import Slip, SlipKind
from attnsolve.class_statistics import class_statistics
from attnsolve.errors import Undecided
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.languages import LANGUAGES
from attnsolve.notes import Note, NoteKind
from attnsolve.ops import OPS
from attnsolve.papers import Cover, Paper
from attnsolve.reasons import as_typed, in_exercise, reason
from attnsolve.recipes import RECIPES
from attnsolve.rendering import render
from attnsolve.rendering.class_report import render_class_report
from attnsolve.rendering.exams import (
    render_contacts,
    render_exams,
    render_fairness,
    render_key,
    render_solutions,
)
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import hints_record
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.submissions import understood
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.trace import Trace
from attnsolve.variants.lineups import RIGHT
from attnsolve.variants.separation import Clash
from attnsolve.variation import JUDGES
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

OTHERS = [language.code for language in LANGUAGES[1:]]
SAMPLES = ("ist-practical-10", "lab-5-costs", "sparse-attention")
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)
WORDS_IN_MATHS = re.compile(r"\\text\{([^{}]*)\}")
# What is no word of a language: code, addresses of pictures, the names of steps and of people's inventions.
NAMES = re.compile(r"`[^`\n]*`|\]\([^)]*\)|\b\w{1,2}\.(?:\w+\.)?[A-Z]\w*|\bGRU\b")
MISTAKES = {mistake.name for op in OPS for mistake in op.mistakes}
MISTAKES |= {mistake.name for recipe in RECIPES for mistake in recipe.mistakes}

# -- nothing is printed outside the catalogues ------------------------------------------------------------

LETTER = "ẋ"
# What is typed, whatever the language.
OWN_WORDS = ("mark", "pi", "inf", "bmatrix", "begin", "end", "frac", "log", "exp")


class Pseudo:
    """A language that writes every letter alike, so that a word from elsewhere shows."""

    def gettext(self, text: str) -> str:
        if r"\text{" in text:
            return WORDS_IN_MATHS.sub(lambda found: rf"\text{{{self.disguised(found[1])}}}", text)
        pieces = re.split(r"(\{\w+\})", text)
        return "".join(piece if piece.startswith("{") else self.disguised(piece) for piece in pieces)

    def ngettext(self, one: str, many: str, count: int) -> str:
        return self.gettext(one if count == 1 else many)

    def disguised(self, text: str) -> str:
        return re.sub(r"[^\W\d_]", LETTER, text)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """French speaks the pseudo-language."""
    monkeypatch.setattr("attnsolve.languages.catalogue", lambda code: Pseudo())


@cache
def solved(name: str) -> Trace:
    return batch.solved(batch.find(name))


@cache
def without_words(name: str) -> Trace:
    """A bundled problem without any words of its lecturer, solved."""
    problem = solved(name).problem
    silent = {"title": "", "ask": "1", "discuss": "", "explain": "", "note": ""}
    parts = tuple(part._replace(**silent) for part in problem.parts)  # type: ignore[arg-type]
    silenced = problem._replace(title="1", source="", intro="", parts=parts, labels={})
    return solved(name)._replace(problem=silenced)


def strangers(text: str) -> list[str]:
    """The words of a page in Markdown that are not of the pseudo-language."""
    inside = " ".join(word for maths in MATHS.findall(text) for word in WORDS_IN_MATHS.findall(maths))
    outside = NAMES.sub(" ", MATHS.sub(" ", text))
    words = re.findall(r"[A-Za-z]+(?:[-_][a-z]+)*", f"{outside} {inside}")
    return [word for word in words if len(word) > 1 and word not in MISTAKES]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("sheet", ["solution", "exercise", "markscheme"])
@pytest.mark.parametrize("name", SAMPLES)
def test_sheets_have_no_words_of_their_own(name: str, sheet: str) -> None:
    text = render(without_words(name), to="markdown", sheet=sheet, lang="fr").text
    assert LETTER in text
    assert [] == strangers(text)


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", SAMPLES)
def test_exams_have_no_words_of_their_own(name: str) -> None:
    papers = [Paper("1", without_words(name)), Paper("2", without_words(name))]
    cover = Cover(lang="fr", minutes=90)
    for make in (render_exams, render_key, render_contacts):
        assert [] == strangers(make(papers, cover, to="markdown").text)
    assert [] == strangers(render_solutions(papers, cover, settings=Settings(to="markdown")).text)


ALIKE = (
    Clash("a", RIGHT, "unscaled").reason,
    in_exercise(2, Clash("b", "scaled-by-n", "without-root").reason),
)


@pytest.mark.usefixtures("pseudo")
def test_the_fairness_report_has_no_words_of_its_own() -> None:
    """The judges have names as mistakes have."""
    refused = dict.fromkeys(JUDGES, 3)
    report = replace(FAIRNESS, title="1", complaints=JUDGES, refused=refused, inseparable=ALIKE)
    text = render_fairness(report, Cover(lang="fr")).text.replace("\\", "")
    assert [] == [word for word in strangers(text) if word not in JUDGES]


def steps() -> tuple[StepReport, ...]:
    """A step of each verdict, with everything that can be said about it."""
    trace = without_words("ist-practical-10")
    call = trace.step("b.S").call
    notes = tuple(Note(kind, "1", "2", number=1, total=3, place=2) for kind in NoteKind)
    slips = tuple(Slip(kind, 1) for kind in SlipKind)
    one = StepReport(call.out, call.op.title, Verdict.RIGHT, Fraction(1), Fraction(2), (0, 1), "1", "2")
    return tuple(
        replace(one, verdict=verdict, notes=notes, slips=slips)
        for verdict in Verdict
        if verdict is not Verdict.NOT_JUDGED
    )


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("to", ["text", "markdown"])
@pytest.mark.parametrize("hints", [None, 1, 4])
def test_feedback_has_no_words_of_its_own(to: str, hints: int | None) -> None:
    report = Report("1", "2", steps=steps(), unread=(as_typed("3"),), remarks=("4",))
    text = feedback(without_words("ist-practical-10"), report, to=to, hints=hints, lang="fr").text
    assert [] == strangers(text)


# What cannot be read, each for a reason of its own; words of its writer would look like ours.
UNREAD = [
    *(
        "S 1 2 x",
        "S 1 2 3 (1+",
        "S 1 2 3 1/0",
        "S 1 2 3 1/2√3",
        "S 1 2 3 ln4/3",
        "S 1 2 3 4·5",
        "S 1 2 3 1,500",
    ),
    *(
        "S 1 2 3 4½3",
        "S 1 2 3 9^99",
        "S 1 2 3 2^π",
        "S 1 2 3 1e9999",
        "S 1 2 3 √(-1)",
        "S 1 2 3 ln0",
        "S 1 2 3 2π3",
    ),
    *(
        "S 1 2 3 0.5=0.7",
        "S 1 2 3 1/3…",
        "S 1 2 3 = ",
        "S 1 2 3 \\frac{1}",
        "S 1 2 3 \\frac x",
        "S 1 2 3 \\q",
        "S 1 2 3 f(1)",
    ),
    *(
        "S 1 2 3 ((1)",
        "S 1 2 3 " + "(" * 99,
        "S 1 2 3 " + "-" * 20 + "1",
        "S 1 2 3 1" + "+1" * 999,
        "S 1 2 3 " + "9" * 999,
    ),
    *(
        "S 1 2 3",
        "S[9] 1",
        "S 1 2; 3 4",
        "S[1] 1 2",
        "X 1",
        "A 1",
        "A_1 1",
        "(z)\nS 1",
        "mark S 9/x",
        "mark X 1",
        "mark",
    ),
    *(
        "!!!",
        "@\nS 1 2 3 4",
        "@ 1 2 3\nS 1 2 3 4",
        "S 2*[1 2]*[3 4]",
        "S -1*[1 -inf 0 0]",
        "S 1,2,3,4,5",
        "S 1,5 2,3,4",
    ),
    *(
        "S \\begin{bmatrix} 1",
        "S 1 2 3 0.5\u202e7",
        "S 1 2 3 log(1,5)",
        "S 1 2 3 4 \\frac12",
        "S 1 2 3 e^1,500",
        "S 1 2 3 1 2/3",
    ),
]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("typed", UNREAD, ids=lambda typed: typed[:30])
@pytest.mark.parametrize("hints", [None, 2])
def test_why_something_was_not_read_has_no_words_of_its_own(typed: str, hints: int | None) -> None:
    submission = read_submission(typed, source="1")
    report = Verifier(solved("ist-practical-10")).verify(submission)
    silent = replace(report, problem="1", steps=tuple(replace(step, title="") for step in report.steps))
    text = feedback(without_words("ist-practical-10"), silent, hints=hints, lang="fr").text
    text += understood(submission, lang="fr")
    assert [] == [word for word in strangers(text) if word not in (*FUNCTIONS, *OWN_WORDS)]


@pytest.mark.usefixtures("pseudo")
def test_why_a_step_is_undecided_has_no_words_of_its_own() -> None:
    why = (
        Undecided(reason("cannot decide whether {typed} equals the exact value", typed="1")).reason,
        as_typed("2"),
    )
    notes = tuple(Note(NoteKind.UNDECIDED, meant=one) for one in why)
    step = StepReport("b.S", "", Verdict.UNDECIDED, notes=notes)
    text = feedback(without_words("ist-practical-10"), Report("1", "2", steps=(step,)), lang="fr").text
    assert [] == strangers(text)


RAISED = {
    "AttnsolveError",
    "ExpressionError",
    "UnclearComma",
    "Undecided",
    "UndefinedStep",
    "_fault",
    "fault",
}


@pytest.mark.parametrize("room", ["verifier", "expressions"])
def test_no_reason_is_raised_as_a_text(room: str) -> None:
    """A text could not be said in another language."""
    bare = [
        f"{path.name}:{node.lineno}"
        for path in sorted((Path(attnsolve.__path__[0]) / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
        in RAISED
        and any(isinstance(one, ast.JoinedStr | ast.Constant) and is_sentence(one) for one in node.args)
    ]
    assert [] == bare


def is_sentence(node: ast.expr) -> bool:
    """Whether a text has words in it."""
    return " " in ast.unparse(node)


@pytest.mark.usefixtures("pseudo")
def test_the_report_on_a_class_has_no_words_of_its_own() -> None:
    reports = [Report("1", str(n), variant="12"[n % 2], steps=steps()[:1]) for n in range(12)]
    assert [] == strangers(render_class_report(class_statistics("1", reports), lang="fr").text)


def test_no_sentence_is_put_together_from_bare_words() -> None:
    """Words that a reader sees are said; `sentence` only joins what was."""
    bare = [
        f"{path.name}: {argument.value}"
        for path in sorted(Path(attnsolve.rendering.__path__[0]).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence"
        for argument in node.args
        if isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
        and re.search(r"[a-z]+ [a-z]+", argument.value)
    ]
    assert [] == bare


# -- the maths is the same in every language --------------------------------------------------------------


def maths_of(text: str) -> list[str]:
    """The maths of a page with decimal points and without words."""
    return [
        WORDS_IN_MATHS.sub("", piece).replace("{,}", ".").replace(r";\ ", r",\ ")
        for piece in MATHS.findall(text)
    ]


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", SAMPLES)
def test_maths_differs_by_the_decimal_sign_and_by_words_alone(code: str, name: str) -> None:
    """Sentences may have their formulas in another order."""
    english, other = (render(solved(name), to="markdown", lang=lang).text for lang in ("en", code))
    assert sorted(maths_of(english)) == sorted(maths_of(other))
    assert english != other


# -- on paper ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", OTHERS)
def test_pages_load_the_hyphenation_of_their_language_where_it_is_installed(code: str) -> None:
    trace = solved("calculator-free")
    name = next(language.hyphenation for language in LANGUAGES if language.code == code)
    assert rf"\IfFileExists{{{name}.ldf}}" in render(trace, to="latex", lang=code).text
    assert "babel" not in render(trace, to="latex", lang="en").text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "Die Scores skalieren"),
        ("pt", "Escalar as pontuações"),
        ("fr", "Mettre les scores à l’échelle"),
    ],
)
def test_pages_compile_in_every_language(code: str, said: str, needs: Needs, tmp_path: Path) -> None:
    text = render(solved("ist-practical-10"), to="latex", lang=code).text
    compiled = pdflatex(text, tmp_path, needs)
    assert said in " ".join(pdftotext(compiled.pdf, needs).split())


def test_hints_for_programs_speak_as_the_slip_does() -> None:
    """By hand: q·k of the first vector of Practical 10 is 4.5, not 9."""
    trace = batch.solved(batch.find("ist-practical-10"))
    report = attnsolve.verify(trace, "a.S 9 0 4.5 0")
    assert ["look at this again"] == [step["verdict"] for step in hints_record(trace, report, 1)["steps"]]
    (german,) = hints_record(trace, report, 1, lang="de")["steps"]
    slip = feedback(trace, report, hints=1, lang="de").text
    assert "look at" not in german["verdict"]
    assert german["title"] in slip and german["verdict"] in slip
