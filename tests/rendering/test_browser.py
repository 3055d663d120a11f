"""Web pages in Chromium: on desk, phone and paper, light and dark, by mouse, by keyboard, and read aloud."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rendering.browser import DESKTOP, PHONE, Browser, axe
from rendering.programs import Needs, pdftotext
from rendering.samples import BUNDLED, WITH_SYMBOLS, trace_of

from attnsolve.papers import Cover, Paper
from attnsolve.rendering import Settings, render
from attnsolve.rendering.exams import render_exams, render_key, render_solutions
from attnsolve.rendering.sites import render_index

# Maps and masks; wide tables; ledgers and fractions: all that a page may have.
PAGES = ("causal-self-attention", "lab-5-costs", "sparse-attention")
SMALL = "ist-practical-10-decoder"
# Formulas are most of a page, and axe looks into none of them: it is quicker where each is a letter.
SHORT_FORMULAS = """
document.querySelectorAll("math").forEach(one => {
  one.innerHTML = "<mi>x</mi>";
}), true
"""
Opened = Callable[..., Path]


@pytest.fixture(scope="module")
def browser(needs: Needs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(needs("chromium"), tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def axe_source(needs: Needs) -> str:
    return (Path(needs("axe-core")) / "axe.min.js").read_text("utf-8")


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Opened:
    """A page in a window, at a place of it."""

    def open_page(text: str, place: str = "", **window: object) -> Path:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        browser.show(**{"size": DESKTOP, **window})  # type: ignore[arg-type]
        browser.open(file, place)
        return file

    return open_page


def solution(name: str) -> str:
    return render(trace_of(name), to="html").text


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_and_are_quiet(
    name: str, size: tuple[int, int], dark: bool, browser: Browser, opened: Opened
) -> None:
    opened(solution(name), size=size, dark=dark)
    assert [] == browser.complaints()
    assert size[0] == browser.evaluate("document.documentElement.scrollWidth")
    paper, ink = browser.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    assert (sum_of(paper) < sum_of(ink)) is dark
    assert browser.evaluate("document.fonts.check('16px Formulas')")


def sum_of(colour: str) -> int:
    """How light `rgb(1, 2, 3)` is."""
    return sum(int(number) for number in colour.strip("rgb()").split(","))


@pytest.mark.parametrize("name", [*BUNDLED, *WITH_SYMBOLS])
def test_axe_finds_nothing_wrong(name: str, browser: Browser, opened: Opened, axe_source: str) -> None:
    opened(solution(name), size=PHONE)
    assert PHONE[0] == browser.evaluate("document.documentElement.scrollWidth")
    browser.evaluate(SHORT_FORMULAS)
    assert [] == axe(browser, axe_source)
    assert [] == browser.complaints()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_wrong_among_formulas(
    dark: bool, browser: Browser, opened: Opened, axe_source: str
) -> None:
    opened(solution(SMALL), size=PHONE, dark=dark)
    assert [] == axe(browser, axe_source)


@pytest.mark.parametrize("kind", ["exams", "solutions", "key", "markscheme", "exercise"])
def test_axe_finds_nothing_wrong_on_other_sheets(
    kind: str, browser: Browser, opened: Opened, axe_source: str
) -> None:
    papers = [Paper(code, trace_of("plan"), "1", "علي Ana") for code in ("K7Q2", "M3X9")]
    made = {
        "exams": lambda: render_exams(papers, Cover(title="Midterm", minutes=60), to="html"),
        "solutions": lambda: render_solutions(papers, Cover(), settings=Settings(to="html")),
        "key": lambda: render_key(papers, Cover(), to="html"),
        "markscheme": lambda: render(trace_of("ist-practical-10"), to="html", sheet="markscheme"),
        "exercise": lambda: render(trace_of("ist-practical-10"), to="html", sheet="exercise"),
    }[kind]()
    opened(made.text, size=PHONE, dark=True)
    assert PHONE[0] == browser.evaluate("document.documentElement.scrollWidth")
    browser.evaluate(SHORT_FORMULAS)
    assert [] == axe(browser, axe_source)
    assert [] == browser.complaints()


IS_OPEN = "document.getElementById('{}').open"


def test_steps_fold_and_a_link_opens_its_step(browser: Browser, opened: Opened) -> None:
    opened(solution("ist-practical-10"), "#b.A")
    assert 0 <= browser.evaluate("document.getElementById('b.A').getBoundingClientRect().top") < 200
    assert browser.evaluate(IS_OPEN.format("b.A"))
    browser.evaluate("document.querySelector('.tools button').click()")
    assert 0 == browser.evaluate("document.querySelectorAll('.step > details[open]').length")
    browser.evaluate("(location.hash = '#b.Z', new Promise(done => setTimeout(done, 50)))")
    assert [True, False] == [browser.evaluate(IS_OPEN.format(name)) for name in ("b.Z", "b.A")]
    browser.evaluate("document.querySelector('.tools button[data-open]').click()")
    assert browser.evaluate("document.querySelectorAll('.step > details:not([open])').length") == 0


def test_paper_has_all_steps_and_no_tools(
    browser: Browser, opened: Opened, tmp_path: Path, needs: Needs
) -> None:
    opened(solution(SMALL), dark=True)
    browser.evaluate("document.querySelector('.tools button').click()")
    file = tmp_path / "page.pdf"
    file.write_bytes(browser.pdf())
    printed = pdftotext(file, needs)
    assert "Contents" not in printed and "Fold all" not in printed
    steps = browser.evaluate("document.querySelectorAll('.step > details').length")
    assert steps == browser.evaluate("document.querySelectorAll('.step > details:not([open])').length")
    words = browser.evaluate("[...document.querySelectorAll('.step p')].map(one => one.textContent)")
    plain = [said for said in words if said.startswith(("Check", "These"))]
    assert plain and all(said.split()[0] in printed for said in plain)


def test_without_its_script_a_page_is_complete(browser: Browser, opened: Opened) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        opened(solution(SMALL))
        assert [] == browser.complaints()
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.evaluate("document.querySelectorAll('.step > details:not([open])').length") == 0
    assert browser.evaluate("document.querySelector('.tools').hidden")


MATRICES = "[...document.getElementById('b.Q').querySelectorAll('mtable')]"
LIT = "[...document.querySelectorAll('.{}')].map(one => one.textContent)"


def test_a_number_shows_the_row_and_the_column_it_came_from(browser: Browser, opened: Opened) -> None:
    """Row 2 of X times column 1 of W_Q: 1·1 + 1.5·0 − 0.5·(−0.5) = 1.25."""
    opened(solution("ist-practical-10"))
    browser.point_at(f"{MATRICES}[2].querySelectorAll('mtd')[2]")
    assert ["1.25"] == browser.evaluate(LIT.format("here"))
    assert ["1", "1.5", "−0.5", "1", "0", "−0.5"] == browser.evaluate(LIT.format("lit"))
    browser.point_at("document.querySelector('h1')")
    assert [] == browser.evaluate(LIT.format("lit"))


def test_arrow_keys_go_from_number_to_number(browser: Browser, opened: Opened) -> None:
    opened(solution("ist-practical-10"))
    browser.evaluate(f"{MATRICES}[2].closest('.formula').focus()")
    for key in ("ArrowDown", "ArrowDown"):
        browser.press(key)
    assert ["1.25"] == browser.evaluate(LIT.format("here"))
    assert 6 == len(browser.evaluate(LIT.format("lit")))
    browser.press("Escape")
    assert [] == browser.evaluate(LIT.format("here"))


def test_a_map_shows_its_row_and_its_column(browser: Browser, opened: Opened) -> None:
    opened(solution("causal-self-attention"))
    browser.point_at("document.querySelectorAll('.map rect[stroke]')[4]")
    assert 1 == browser.evaluate("document.querySelectorAll('rect.here').length")
    assert 5 == browser.evaluate("document.querySelectorAll('rect.lit').length")  # a cross in 3 × 3


def test_titles_of_a_folder_can_be_searched(browser: Browser, opened: Opened, axe_source: str) -> None:
    pages = [("Attention à la carte", "1.html"), ("Masks", "2.html"), ("Masks and a carte", "3.html")]
    opened(render_index(pages, Settings(to="html")).text, size=PHONE)
    browser.evaluate("document.querySelector('.search input').focus()")
    browser.call("Input.insertText", text="CARTE a")
    shown = "[...document.querySelectorAll('.pages li')].map(one => one.checkVisibility())"
    assert [True, False, True] == browser.evaluate(shown)
    assert "2 / 3" == browser.evaluate("document.querySelector('[role=status]').textContent")
    assert [] == axe(browser, axe_source)
    assert [] == browser.complaints()
