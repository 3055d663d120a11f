"""The benchmarks run, print every row, and measure methods that agree; no test asserts seconds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import agreement, generations, growth, peaks, table, with_attnsolve, with_numpy, with_sympy
from benchmarks.timing import Times, race
from benchmarks.variants import draw

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("seed", range(20))
def test_ours_agrees_with_numpy(seed: int) -> None:
    assert agreement.numpy_differs(draw(seed)) < agreement.TOLERANCE


@pytest.mark.parametrize("seed", range(2))
def test_ours_agrees_with_sympy(seed: int) -> None:
    assert agreement.sympy_differs(draw(seed)) < agreement.TOLERANCE


@pytest.mark.parametrize("tokens", [32, 128])
def test_ours_agrees_with_numpy_on_many_tokens(tokens: int) -> None:
    assert agreement.numpy_differs(draw(1, tokens=tokens)) < agreement.TOLERANCE


def test_disagreement_stops_the_benchmark() -> None:
    agreement.require([0.0, 1e-12])
    for wrong in (1e-6, float("nan")):
        with pytest.raises(SystemExit, match="disagree"):
            agreement.require([wrong])


def test_difference_sees_every_cell() -> None:
    assert 0.5 == agreement.difference([[1.0, 2.0], [0.0, 0.5]], [[1.0, 2.0], [0.0, 0.0]])


def test_pages_show_the_output_in_decimals() -> None:
    variant = draw(3)
    shown = [f"{x:.4f}" for row in with_numpy.solve(variant) for x in row if abs(x) > 0.001]
    assert len(shown) > 6
    for page in (with_attnsolve.matrices_page(variant), with_attnsolve.full_page(variant)):
        assert [] == [number for number in shown if number not in page]


def test_naive_page_has_every_matrix() -> None:
    variant = draw(4)
    assert 16 == len(with_sympy.solve(variant))
    assert 16 == with_sympy.page(variant).count(r"\[")
    assert 16 == with_sympy.readable_page(variant).count(r"\[")


def test_variants_are_distinct_and_repeatable() -> None:
    drawn = [draw(seed).numbers for seed in range(50)]
    assert all(a != b for i, a in enumerate(drawn) for b in drawn[:i])
    assert drawn[7] == draw(7).numbers


def test_every_method_meets_every_case_in_every_round() -> None:
    seen: list[tuple[str, int]] = []
    methods = {"a": lambda case: seen.append(("a", case)), "b": lambda case: seen.append(("b", case))}
    times = race(methods, 0, [[1, 2], [3, 4]])
    warm_up = [("a", 0), ("b", 0)]
    first = [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    second = [("b", 3), ("b", 4), ("a", 3), ("a", 4)]
    assert warm_up + first + second == seen
    assert [2, 2] == [len(cases) for cases in times.seconds["a"]]


TIMES = Times({"ours": [[1.0, 2.0, 6.0], [2.0]], "theirs": [[8.0, 4.0, 9.0], [6.0]]})


def test_ratios_are_taken_round_by_round() -> None:
    assert [4.0, 3.0] == TIMES.ratios("theirs", "ours")
    assert 3.5 == table.faster("x", TIMES, "ours", "theirs").ratio


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (table.faster("x", TIMES, "ours", "theirs", at_least=3), True),
        (table.faster("x", TIMES, "ours", "theirs", at_least=4), False),
        (table.within("x", TIMES, "theirs", "ours", at_most=4), True),
        (table.within("x", TIMES, "theirs", "ours", at_most=3), False),
        (table.faster("x", TIMES, "ours", "theirs"), True),
    ],
)
def test_target_is_met(row: table.Row, met: bool) -> None:
    assert met == row.met


def test_quick_run_prints_each_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    heading, *lines = done.stdout.splitlines()
    assert "what ours theirs ratio in rounds target met? our peak" == " ".join(heading.split())
    assert [
        "exact solve of Q1.3",
        "exact solve of Q1.3",
        "LaTeX page, matrices",
        "LaTeX page, matrices",
        "LaTeX page, default detail",
        "8 variants of Q1.3 drawn, written",
        "8 variants of all of Q1 drawn, written",
        "8 draws of all of Q1, all judges",
        "8 complete exams of all of Q1",
        "solve with 128 tokens",
        "solve with 128 tokens",
        "3 students' calculations",
        "attnsolve --help",
        "attnsolve render ist-practical-10",
        "attnsolve render ist-practical-10 --to html",
        "attnsolve render ist-practical-10 --to pdf",
    ] == [line.partition("  ")[0] for line in lines]
    assert len(lines) == len(json.loads(file.read_text("utf-8"))["rows"])


def test_fitted_exponent_is_that_of_a_power() -> None:
    sizes = (2, 4, 8, 16)
    assert pytest.approx(1.5) == growth.exponent(sizes, [3 * size**1.5 for size in sizes])


def test_a_line_of_the_page_tells_size_time_and_power() -> None:
    one = growth.Growth("solve", "tokens", "width 8", (1, 2), lambda size: lambda: size)
    assert "| solve | tokens (width 8) | 1: 10 ms, 2: 40 ms | tokens^2.0 |" == growth.row(one, [0.01, 0.04])


def test_generations_are_told_by_what_they_accept_and_how_far_apart_the_work_is() -> None:
    drawing = generations.Drawing(judged=20, efforts=(10, 12, 13, 15, 16, 18, 19, 30), usual=15)
    assert 18 - 13 == generations.Drawing(20, (10, 12, 13, 16, 18, 18, 19, 30), 15).spread
    assert "| p | 2 | 40.0 % of 20 | 10 – 16 – 30 | 15 | 5 |" == generations.row("p", 2, drawing)


def test_both_generations_hold_variants_to_the_same_work() -> None:
    first, second = (generations.drawn("attention-quiz", generation, 3) for generation in (1, 2))
    assert first.usual * 9 <= 10 * second.usual <= first.usual * 11
    for drawing in (first, second):
        assert drawing.judged >= len(drawing.efforts) == 3
        assert all(9 * drawing.usual <= 10 * one <= 11 * drawing.usual for one in drawing.efforts)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells a process its own peak")
def test_peaks_are_those_of_a_process_of_its_own() -> None:
    usual, told = peaks.peak_of("exact solve of Q1.3"), peaks.peak_of("attnsolve --help")
    assert usual is not None and told is not None
    assert 5 < told < usual < 100
    assert peaks.peak_of("something else") is None


def test_memory_of_a_class_is_measured() -> None:
    # In a process of its own, whose only children are those that are measured.
    command = [sys.executable, "-m", "benchmarks.memory", "-n", "3"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (0, True) == (ended.returncode, "the target is 300 MB" in ended.stdout), ended.stderr
