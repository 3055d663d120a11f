"""The fairness report and the contact sheet: what a lecturer reads before an exam."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rendering.programs import Needs, nodes, pdflatex, pdftotext, tree, words
from rendering.samples import BUNDLED, problem, trace_of
from rendering.test_keys import VARIANT
from rendering.test_views import oddities

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Fairness, Paper
from attnsolve.reasons import as_typed
from attnsolve.rendering.contacts import Contacts
from attnsolve.rendering.exams import Overview, render_contacts, render_fairness
from attnsolve.rendering.fairness import fairness_view
from attnsolve.rendering.keys import Key

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))
NASTY = r"Ana & <b> | _x_ $%#{}~^\ " + "y" * 300

# -- fairness -------------------------------------------------------------------------------------------

FAIRNESS = Fairness(
    title="Attention & $x$",
    usual=200,
    band=Fraction(1, 10),
    efforts={"A": 190, "B": 181, "C": 219, "D": 204},
    original=187,
    refused={"ties": 3, "small_weights": 13},
    complaints={"ties": "two scores of a row are equal", "small_weights": "a weight is too small"},
    accepted=4,
    weights=(1, 0, 0, 8, 2, 0, 0, 0, 0, 1),
    allowed={"b": ("ties",)},
    inseparable=(as_typed("Part (c): <unscaled> & half_scaled give the same."),),
    variety={"b.A": (3, 4), "b.Z": (4, 4)},
)


def test_the_report_says_how_alike_the_variants_are() -> None:
    text = render_fairness(FAIRNESS).text
    expected = (
        "A usual variant is 200 units",
        "within 10\u00a0% of the usual: from 180 to 220",
        "least 181, median 197, most 219",
        "The most is about 21\u00a0% more than the least",
        "as it was typed: 187.",
        "The 4 variants have only 3 different answers for b.A: neighbours may share one.",
        "| b.Z | 4 of 4 |",
        "4 of 20 candidates were accepted (20\u00a0%)",
        "Part (b) lets pass: ties.",
    )
    assert [] == [said for said in expected if said not in text]
    assert "Outside the band" not in text
    assert "answers for b.Z" not in text


@pytest.mark.parametrize(("original", "said"), [(221, "more work"), (179, "less work"), (180, "")])
def test_a_typed_problem_outside_the_band_is_said_to_be(original: int, said: str) -> None:
    text = render_fairness(replace(FAIRNESS, original=original)).text
    line = (
        f", which is outside the band: its own numbers are {said} than any variant may be." if said else "."
    )
    assert f"The problem as it was typed: {original}{line}" in text


@pytest.mark.parametrize(("different", "is_said"), [(89, True), (90, False)])
def test_answers_that_neighbours_may_share_are_said_below_90_percent(different: int, is_said: bool) -> None:
    text = render_fairness(replace(FAIRNESS, variety={"a.A": (different, 100)})).text
    assert is_said == ("neighbours may share one" in text)
    assert f"{different} of 100" in text


def test_texts_with_numbers_that_all_share_are_pointed_at() -> None:
    shared = render_fairness(replace(FAIRNESS, words=("b.note", "d.discuss"))).text
    assert "the same in every variant: b.note, d.discuss." in " ".join(shared.split())
    assert "the same in every variant" not in render_fairness(FAIRNESS).text


def test_a_variant_outside_the_band_is_named() -> None:
    outside = replace(FAIRNESS, efforts={"A": 200, "X9": 221})
    assert "Outside the band: X9." in render_fairness(outside).text


def test_judges_are_listed_with_the_busiest_first(needs: Needs) -> None:
    tables = [
        words(content)
        for kind, content in nodes(tree(render_fairness(FAIRNESS).text, needs))
        if kind == "Table"
    ]
    (judges,) = [table for table in tables if "judge" in table]
    assert "judgerefusedsmall_weights: a weight is too small13ties: two scores of a row are equal3" == judges


def test_every_variant_is_in_one_bar() -> None:
    view = fairness_view(FAIRNESS)
    assert view.efforts is not None
    assert [] == list(oddities(view, "report"))
    found = {}
    for bar in view.efforts.bars:
        low, _, high = bar.label.partition("–")
        inside = [code for code, effort in FAIRNESS.efforts.items() if int(low) <= effort <= int(high or low)]
        assert bar.number == len(inside)
        found |= dict.fromkeys(inside, bar.label)
    assert {"A", "B", "C", "D"} == set(found)
    assert len(view.efforts.bars) <= 12


def test_the_plots_are_pictures_that_say_what_they_show() -> None:
    made = render_fairness(FAIRNESS)
    assert ["fairness-work.svg", "fairness-weights.svg"] == [name for name, _ in made.figures]
    for name, svg in made.figures:
        assert f"]({name})" in made.text
        root = ElementTree.fromstring(svg)
        bars = root.findall("{http://www.w3.org/2000/svg}rect")[1:]
        longest = max(float(bar.attrib["width"]) for bar in bars)
        assert longest <= 320 < float(root.attrib["width"])
        assert root.findtext("{http://www.w3.org/2000/svg}desc")
    weights = ElementTree.fromstring(made.figures[1][1]).findall("{http://www.w3.org/2000/svg}rect")[1:]
    assert [40, 0, 0, 320, 80, 0, 0, 0, 0, 40] == [int(bar.attrib["width"]) for bar in weights]


def test_the_report_is_readable_without_its_pictures() -> None:
    assert "| 0.3–0.4 | 8 | ██████████████████████████████ |" in render_fairness(FAIRNESS).text


def test_the_report_compiles(tmp_path: Path, needs: Needs) -> None:
    made = render_fairness(FAIRNESS, to="latex")
    assert () == made.figures
    done = pdflatex(made.text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    printed = pdftotext(done.pdf, needs)
    assert "<unscaled> & half" in printed
    assert "0.3–0.4" in printed


def test_a_report_on_nothing_is_short() -> None:
    text = render_fairness(Fairness("Nothing", 10, Fraction(1, 10), {})).text
    assert "Refused" not in text
    assert "![" not in text


# -- contacts -------------------------------------------------------------------------------------------


def drawn(code: str, q: str, effort: int) -> Paper:
    return Paper(code, solve(loads(problem(VARIANT.format(q=q)))), effort=effort)


PAPERS = [
    drawn("MILD", "0.5 0.25", 20),
    drawn("EVEN", "1 1", 30),
    drawn("SHARP", "1 4", 25),
    drawn("DARK", "-1 -2", 26),
]


def test_extremes_are_found() -> None:
    """By hand: q = (1, 4) scores 1, 8, 5, so that the first weight is e⁻⁷ / (1 + e⁻³ + e⁻⁷) = 0.00087."""
    why = {
        "".join(view.code[0]): ["".join(piece for _, piece in said) for said in view.why]
        for view in Contacts(PAPERS).views()
    }
    assert any("least work: 20" == said for said in why["MILD"])
    assert any("most work: 30" == said for said in why["EVEN"])
    assert any(said.startswith("smallest weight: ") and said.endswith("0.0009") for said in why["SHARP"])
    assert any(said.startswith("largest weight: ") and "0.9517" in said for said in why["SHARP"])
    assert any("most negative numbers among the givens: 2" == said for said in why["DARK"])
    assert any("most fractions among the givens: 2" == said for said in why["MILD"])


def test_only_what_varies_is_shown() -> None:
    views = Contacts(PAPERS).views()
    assert [] == list(oddities(views, "contacts"))
    assert {1} == {len(view.givens) for view in views}
    assert {3} == {len(view.givens) for view in Contacts(PAPERS[:1]).views()}


def test_contacts_of_a_real_problem_fit_a_page(tmp_path: Path, needs: Needs) -> None:
    papers = [Paper(f"C{i}_&", trace_of("ist-practical-10"), effort=i + 1) for i in range(9)]
    done = pdflatex(render_contacts(papers).text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    printed = pdftotext(done.pdf, needs)
    assert "C0" in printed
    assert "C8" in printed
    assert 1 == printed.count("\f")


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_problem_has_contacts(name: str) -> None:
    assert "K7Q2" in render_contacts([Paper("K7Q2", trace_of(name), effort=3)], to="markdown").text


def test_contacts_are_the_same_however_many_papers_are_measured_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = [replace(paper, effort=paper.effort + n % 3) for n, paper in enumerate(3 * PAPERS)]
    at_once = Contacts(many).views()
    monkeypatch.setattr("attnsolve.rendering.contacts.MOST_MEASURED", 1)
    assert at_once == Contacts(many).views()


@pytest.mark.parametrize("size", [1, 3, 5])
def test_key_and_contacts_are_the_same_when_papers_went_by_in_other_processes(size: int) -> None:
    many = [replace(one, code=f"C{n}", effort=one.effort + n % 3) for n, one in enumerate(3 * PAPERS)]
    here, joined = Overview(many), Overview()
    for start in range(0, len(many), size):
        there = Overview(many[start : start + size])
        there.forget_solutions()
        joined.join(there)
    joined.recall({one.code: one for one in many}.__getitem__)
    assert here.render_key().text == joined.render_key().text
    assert here.render_contacts().text == joined.render_contacts().text


def test_letters_are_listed_from_the_first_paper_that_has_some_whoever_wrote_it() -> None:
    plain, quiz = (Paper(name, trace_of(name)) for name in ("ist-practical-10", "attention-quiz"))
    many = [replace(one, code=f"C{n}") for n, one in enumerate((plain, quiz, plain))]
    joined = Key()
    for one in many:
        joined.join(Key([one]))
    (table,) = joined.letters()
    assert ["C1", "C2"] == ["".join(text for _, text in row[0]) for row in table.rows]
    assert Key(many).letters() == joined.letters()
