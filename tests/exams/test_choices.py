"""Exams with questions of choice: papers, key, lock, errata and grading have the same letters."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

from exams.rooms import ROOT, locked, roster, variants

from attnsolve.choice_options import options_of, right_letters
from attnsolve.engine import solve
from attnsolve.loader import loads

PROBLEM = """\
format: 1
title: Two keys
places: 3
given: {q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}
parts:
  - id: a
    ask: Which output?
    attend: {queries: q, keys: K, values: V}
    choice: {of: Z, options: 3}
    marks: 2
  - id: b
    ask: Which holds?
    choice:
      right: Weights sum to one.
      wrong: [Scores sum to one., Keys sum to one.]
    marks: 1
vary: {q: -2..2, K: -2..2, V: -4..4}
"""
PEOPLE = tuple(f"{number},Student {number}" for number in range(11, 19))


def exam(folder: Path) -> dict[str, dict[str, str]]:
    """An exam for eight, and the letters of each by the codes: from the kept files, solved anew."""
    (folder / "two-keys.yaml").write_text(PROBLEM, encoding="utf-8")
    variants(folder, "two-keys.yaml", "--roster", roster(folder, *PEOPLE), "-o", "exam")
    made = {}
    for line in locked(folder / "exam").values():
        trace = solve(loads((folder / f"exam/problems/{line['code']}.yaml").read_text("utf-8")))
        made[line["code"]] = {part.id: right_letters(options_of(trace, part)) for part in trace.problem.parts}
    return made


def test_key_and_lock_have_the_letters_of_everybody(tmp_path: Path) -> None:
    letters = exam(tmp_path)
    assert 8 == len(letters)
    assert 1 < len({tuple(own.values()) for own in letters.values()})
    key = (tmp_path / "exam/key.md").read_text("utf-8")
    assert "| code | student | (a) | (b) |" in key
    for seat, line in locked(tmp_path / "exam").items():
        own = letters[line["code"]]
        assert f"| {line['code']} | {seat} Student {seat} | {own['a']} | {own['b']} |" in key
        assert [[own["a"]]] == line["answers"]["a.choice"]
    assert "To be ticked" in (tmp_path / "exam/key.tex").read_text("utf-8")


def test_papers_print_the_options_and_solutions_tick_them(tmp_path: Path) -> None:
    letters = exam(tmp_path)
    papers = (tmp_path / "exam/exams.tex").read_text("utf-8")
    assert len(letters) * 6 == papers.count(r"$\square$")
    assert r"\boxtimes" not in papers
    assert r"\answerbox{" not in papers.partition(r"\begin{document}")[2], "nothing is written into boxes"
    assert "Show your working" not in papers
    solutions = (tmp_path / "exam/solutions.tex").read_text("utf-8")
    for sheet, (code, own) in zip(
        re.split(r"\\startpaper", solutions)[-len(letters) :],
        ((line["code"], letters[line["code"]]) for line in locked(tmp_path / "exam").values()),
        strict=True,
    ):
        assert code in sheet
        assert [own["a"], own["b"]] == re.findall(r"boxtimes\$\}~\\textbf\{(.)\}", sheet)


def test_everybody_is_graded_by_the_letters_of_their_paper(tmp_path: Path) -> None:
    letters = exam(tmp_path)
    pile = ""
    for seat, line in locked(tmp_path / "exam").items():
        own = letters[line["code"]]
        pile += f"@ {seat} {line['code']}\na {own['a']}\n(b) {own['b'].lower()}\n"
    (tmp_path / "pile.txt").write_text(pile, encoding="utf-8")
    command = [sys.executable, "-m", "attnsolve", "grade", "exam", "pile.txt", "-o", "marks.csv"]
    subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
    rows = list(csv.DictReader((tmp_path / "marks.csv").read_text("utf-8").splitlines()))
    assert [("2", "1")] * 8 == [(row["a"], row["b"]) for row in rows]


def test_a_correction_moves_no_letter(tmp_path: Path) -> None:
    exam(tmp_path)
    fixed = PROBLEM.replace("Keys sum to one.", "Keys sum to 1.").replace("title: Two keys", "title: 2 keys")
    (tmp_path / "renamed.yaml").write_text(fixed, encoding="utf-8")
    done = variants(tmp_path, "affected", "exam", "renamed.yaml")
    assert "0 of 8 codes" in done.stderr
    moved = fixed.replace("places: 3\n", "").replace("title: 2 keys", "title: 2 keys\nplaces: 2")
    (tmp_path / "renamed.yaml").write_text(moved, encoding="utf-8")
    assert ".choice" not in variants(tmp_path, "affected", "exam", "renamed.yaml").stdout


SHEET = """\
format: 1
title: Two exercises
exercises:
  - two-keys.yaml
  - problem:
      format: 1
      title: Words
      parts:
        - {ask: Which holds?, choice: {right: Weights sum to one., wrong: [u, v, w]}, marks: 1}
"""


def test_exercises_in_which_nothing_varies_have_their_options_shuffled_too(tmp_path: Path) -> None:
    (tmp_path / "two-keys.yaml").write_text(PROBLEM, encoding="utf-8")
    (tmp_path / "sheet.yaml").write_text(SHEET, encoding="utf-8")
    variants(tmp_path, "sheet.yaml", "--roster", roster(tmp_path, *PEOPLE), "-o", "exam")
    lines = locked(tmp_path / "exam").values()
    letters = {
        line["code"]: [line["answers"][name][0][0] for name in ("1a.choice", "1b.choice", "2.choice")]
        for line in lines
    }
    assert 2 < len({own[2] for own in letters.values()}), "of four"
    key = (tmp_path / "exam/key.md").read_text("utf-8")
    assert "| code | student | 1a | 1b | 2 |" in key
    for code, own in letters.items():
        assert re.search(rf"\| {code} \| [^|]* \| {' . '.join(own)} \|".replace(" . ", r" \| "), key)
