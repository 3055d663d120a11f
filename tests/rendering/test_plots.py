"""Pictures by themselves: maps side by side, weights against temperature, as SVG and as PNG."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mpmath
import pytest
from rendering.samples import BUNDLED, problem, trace_of

from attnsolve.engine import solve
from attnsolve.errors import UsageError
from attnsolve.loader import loads
from attnsolve.ops import Family
from attnsolve.rendering import raster
from attnsolve.rendering.curves import plot_temperatures
from attnsolve.rendering.plots import plot_maps

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
COLD_AND_HOT = problem(
    """
labels: {K: [the, cat]}
given: {q: 1 2, K: 1 0; 0 1, V: 1 0; 0 1}
parts:
  - ask: How do the weights change?
    attend: {queries: q, keys: K, values: V, divide_by: none}
    cases:
      - weights: {softmax: {temperature: 4}}
      - weights: {softmax: {temperature: 1/2}}
      - weights: softmax
"""
)


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_problem_with_weights_can_be_drawn(name: str) -> None:
    trace = trace_of(name)
    if not any(step.call.op.family is Family.NORMALISER for step in trace.steps):
        with pytest.raises(UsageError, match="no attention weights"):
            plot_maps(trace)
        return
    made = plot_maps(trace)
    root = ElementTree.fromstring(made.svg)
    assert trace.problem.title == root.findtext(f"{SVG}title")
    assert made.alt == root.findtext(f"{SVG}desc")
    width, height = int(root.get("width", 0)), int(root.get("height", 0))
    for text in root.iter(f"{SVG}text"):
        assert text.text
    assert 0 < width < 4000 and 0 < height
    assert made == plot_maps(trace)


def test_heads_stand_side_by_side() -> None:
    made = plot_maps(trace_of("two-heads-as-torch-has-them"))
    places = re.findall(r'<g transform="translate\((\d+) (\d+)\)">\n<text[^>]*>(Att[^<]*)', made.svg)
    assert ["Attention map of A of head 1, part (a)", "Attention map of A of head 2, part (a)"] == [
        p[2] for p in places
    ]
    (left, top, _), (right, same, _) = places
    assert int(left) < int(right) and top == same


def test_what_a_mask_hides_is_no_zero() -> None:
    made = plot_maps(trace_of("causal-self-attention"), ["a.A"])
    assert 3 == texts(made.svg).count("–")
    assert "– is hidden by a mask." in " ".join(texts(made.svg))
    assert "0.00" not in texts(made.svg)


def test_a_name_that_is_none_is_told_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no value 'a\.B'; its weights are a\.A, b\.A"):
        plot_maps(trace_of("causal-self-attention"), ["a.B"])


def test_weights_against_temperature_are_those_of_the_softmax() -> None:
    """By mpmath: 1 and 2 over τ for τ = 1/2, 1, 4, in this order whatever that of the file."""
    made = plot_temperatures(solve(loads(COLD_AND_HOT)))
    expected = []
    for score in (1, 2):
        weights = [
            mpmath.exp(score / t) / (mpmath.exp(1 / t) + mpmath.exp(2 / t))
            for t in map(mpmath.mpf, ("0.5", 1, 4))
        ]
        expected.append(", ".join(mpmath.nstr(weight, 2) for weight in weights))
    assert f"the has {expected[0]} at temperatures 1/2, 1, 4." in made.alt
    assert f"cat has {expected[1]} at temperatures 1/2, 1, 4." in made.alt
    lines = [
        line.get("points", "").split() for line in ElementTree.fromstring(made.svg).iter(f"{SVG}polyline")
    ]
    for line, score in zip(lines, (1, 2), strict=True):
        xs, ys = ([int(point.split(",")[place]) for point in line] for place in (0, 1))
        assert (
            2 * (xs[1] - xs[0]) - 1 <= xs[2] - xs[1] <= 2 * (xs[1] - xs[0]) + 1
        )  # 1/2 to 1 is half as far as 1 to 4
        assert sorted(ys, reverse=score == 1) == ys  # the larger weight falls, and the axis points upwards


def test_lines_are_told_apart_without_colour() -> None:
    made = plot_temperatures(solve(loads(COLD_AND_HOT)))
    root = ElementTree.fromstring(made.svg)
    dashes = [line.get("stroke-dasharray") for line in root.iter(f"{SVG}polyline")]
    assert len(dashes) == len(set(dashes))
    assert 3 == len([*root.iter(f"{SVG}circle")])
    assert any(text.startswith("the  ") for text in texts(made.svg))


def test_without_such_cases_there_is_nothing_to_draw() -> None:
    with pytest.raises(UsageError, match="differ in their temperature"):
        plot_temperatures(trace_of("causal-self-attention"))


def size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def test_a_png_is_as_large_as_it_should_be() -> None:
    pytest.importorskip("typst")
    made = plot_maps(trace_of("causal-self-attention"), ["a.A"])
    width, height = (int(found) for found in re.findall(r'(?:width|height)="(\d+)"', made.svg)[:2])
    assert (2 * width, 2 * height) == size(raster.png(made.svg))
    assert raster.png(made.svg) == raster.png(made.svg)


def test_without_typst_another_program_does_it(monkeypatch: pytest.MonkeyPatch, needs: Any) -> None:
    needs("rsvg-convert")
    monkeypatch.setitem(sys.modules, "typst", None)
    made = plot_maps(trace_of("causal-self-attention"), ["a.A"])
    width, height = (int(found) for found in re.findall(r'(?:width|height)="(\d+)"', made.svg)[:2])
    assert (3 * width, 3 * height) == size(raster.png(made.svg, scale=3))


def test_without_either_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Exception, match=r"pip install 'attnsolve\[pdf\]'"):
        raster.png("<svg/>")


def test_the_command_writes_either_and_overwrites_neither(tmp_path: Path) -> None:
    pytest.importorskip("typst")

    def plot(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "attnsolve", "plot", *words]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}
        )

    (tmp_path / "hot.yaml").write_text(COLD_AND_HOT, "utf-8")
    assert 0 == plot("causal-self-attention", "a.A", "-o", "map.svg").returncode
    assert (tmp_path / "map.svg").read_text("utf-8") == plot_maps(
        trace_of("causal-self-attention"), ["a.A"]
    ).svg
    assert 0 == plot("hot.yaml", "--against", "temperature", "-o", "hot.png").returncode
    assert size((tmp_path / "hot.png").read_bytes())
    assert "--force" in plot("causal-self-attention", "b.A", "-o", "map.svg").stderr
    assert "ends in .svg or .png" in plot("causal-self-attention", "-o", "map.jpg").stderr
