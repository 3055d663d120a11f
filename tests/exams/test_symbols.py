"""Exams of problems with symbols: papers, key and lock agree, and each hand-in is judged by its own paper."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from exams.rooms import locked, roster, variants

PROBLEM = """\
format: 1
title: One key
assume: {m: integer >= 3, c: positive, k: 'orthonormal, m vectors', v: m vectors}
let: {r: 2}
given: {q: <r>*c*k_a}
parts:
  - id: a
    ask: Let $q = <r> c\\,k_a$. Find the weights.
    attend: {queries: q, keys: k, values: v}
    marks: {scores: 1, weights: 2, output: 1}
  - id: b
    ask: Which hold?
    claims: [q*k_a = <r>*c, alpha_a = 1, alpha_a > 1/m]
    marks: 2
vary: {r: 2..5, claims: {b: {true: 1, false: 1}}}
"""
PEOPLE = tuple(f"{number},Student {number}" for number in range(11, 15))


def exam(folder: Path, name: str = "exam") -> Path:
    """An exam for four."""
    (folder / "one-key.yaml").write_text(PROBLEM, encoding="utf-8")
    variants(folder, "one-key.yaml", "--roster", roster(folder, *PEOPLE), "--seed", "3", "-o", name)
    return folder / name


def number_of(folder: Path, code: str) -> int:
    """The number that a paper has in its own file."""
    found = re.search(r"let: \{r: (\d)\}", (folder / f"problems/{code}.yaml").read_text("utf-8"))
    assert found is not None
    return int(found[1])


def paper(text: str, code: str) -> str:
    """The LaTeX of one paper."""
    return text.split(rf"\startpaper{{{code}}}")[1].split(r"\closepaper")[0]


def graded(folder: Path) -> dict[str, dict[str, str]]:
    """The marks of all answers in a folder, by the code of the paper."""
    done = subprocess.run(
        [sys.executable, "-m", "attnsolve", "grade", "exam/manifest.json", "answers", "-o", "marks.csv"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    with (folder / "marks.csv").open(encoding="utf-8", newline="") as stream:
        return {row["variant"]: row for row in csv.DictReader(stream) if row["source"]}


def test_papers_key_and_lock_have_the_numbers_of_everybody(tmp_path: Path) -> None:
    made = exam(tmp_path)
    papers, key = (made / "exams.tex").read_text("utf-8"), (made / "key.md").read_text("utf-8")
    assert 1 < len({number_of(made, line["code"]) for line in locked(made).values()})
    for line in locked(made).values():
        code = line["code"]
        r = number_of(made, code)
        assert f"$q = {r} c\\,k_a$" in paper(papers, code)
        own = key.split(f"## {code}")[1].split("## ")[0]
        assert rf"\alpha_a = \frac{{e^{{{r} c}}}}{{e^{{{r} c}} + m - 1}}" in own
        assert 2 == own.count("- Claim ")
        assert 1 == own.count(": false.")
        assert any(f"e^{{{r} c}}" in cell for row in line["answers"]["a.weights"] for cell in row)
        assert {"true", "false"} == {line["answers"][f"b.claim{n}"][0][1] for n in (1, 2)}
    assert "Every value that a part asks for" not in key  # nothing here has decimals
    assert "formulas of" in (made / "fairness.md").read_text("utf-8")


def test_the_same_seed_makes_the_same_bytes(tmp_path: Path) -> None:
    first, again = exam(tmp_path), exam(tmp_path, "again")
    for path in sorted(first.rglob("*.*")):
        if path.is_file() and path.suffix in (".tex", ".md", ".yaml"):
            assert path.read_bytes() == (again / path.relative_to(first)).read_bytes()


def test_each_is_judged_by_the_numbers_of_the_own_paper(tmp_path: Path) -> None:
    made = exam(tmp_path)
    lines = list(locked(made).values())
    first = lines[0]["code"]
    other = next(one["code"] for one in lines if number_of(made, one["code"]) != number_of(made, first))
    r = number_of(made, first)
    text = (
        f"part a:\nq*k_a = {r}c\nq*k_i = 0 for i != a\nalpha_a = 1/(1 + (m-1)*e^{{-{r}c}})\n"
        f"alpha_i = 1/(e^{{{r}c}} + m - 1) for i != a\n"
    )
    (tmp_path / "answers").mkdir()
    for code in (first, other):
        (tmp_path / f"answers/{code}.txt").write_text(text, encoding="utf-8")
    marks = graded(tmp_path)
    assert "3" == marks[first]["a"]  # scores and weights, without the output
    assert "a.scores wrong" == marks[other]["first wrong"]


SHEET = """\
format: 1
title: Mixed
order: shuffled
exercises:
  - one-key.yaml
  - problem:
      format: 1
      title: Scores
      given: {q: 1 2, K: 1 0; 0 1}
      parts: [{id: a, ask: Q, plan: [{S: 'dot(q, K)'}], marks: 1}]
"""


@pytest.mark.parametrize("named_by", ["head", "file", "line"])
def test_on_papers_in_another_order_formulas_are_read_where_they_belong(
    tmp_path: Path, named_by: str
) -> None:
    (tmp_path / "one-key.yaml").write_text(PROBLEM, encoding="utf-8")
    (tmp_path / "sheet.yaml").write_text(SHEET, encoding="utf-8")
    variants(tmp_path, "sheet.yaml", "-n", "6", "--seed", "3", "-o", "exam")
    orders = {line["code"]: line["exercises"] for line in locked(tmp_path / "exam").values()}
    assert {(1, 2), (2, 1)} == set(map(tuple, orders.values()))
    (tmp_path / "answers").mkdir()
    for number, (code, order) in enumerate(orders.items()):
        own = (tmp_path / f"exam/problems/{code}.yaml").read_text("utf-8")
        found = re.search(r"let: \{r: (\d)\}", own)
        assert found is not None
        claims = f"Exercise {order.index(1) + 1}\npart a:\nq*k_a = {found[1]}c\nq*k_i = 0 for i != a\n"
        numbers = f"{order.index(2) + 1}.S 1 2\n"
        head = {"head": f"@ {code}\n", "line": f"Code: {code}\n"}.get(named_by, "")
        file = code if named_by == "file" else f"scan-{number}"
        (tmp_path / f"answers/{file}.txt").write_text(head + claims + numbers, encoding="utf-8")
    marks = graded(tmp_path)
    assert orders.keys() == marks.keys()
    assert {("1", "1", "")} == {(row["1a"], row["2"], row["look at"]) for row in marks.values()}


def test_stress_says_how_many_differ(tmp_path: Path) -> None:
    (tmp_path / "one-key.yaml").write_text(PROBLEM, encoding="utf-8")
    said = variants(tmp_path, "stress", "one-key.yaml", "-n", "6").stdout
    assert "one-key: 6 variants" in said
    assert "different answers: a.scores" in said
    assert "failed" not in said
