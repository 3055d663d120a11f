"""An exam in a folder: same bytes on every way there, and what is locked is never drawn again."""

import io
import json
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest
from exams.rooms import PROBLEM, ROOT, contents, locked, problem, roster, variants, variants_apart

from attnsolve.cli import speech, waiting
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.exams import drawing, making, printing
from attnsolve.exams.draft import Draft
from attnsolve.exams.drawing import Pattern, Wanted, draw_all
from attnsolve.exams.folder import Folder
from attnsolve.exams.lock import Drawn, Entry, Lock
from attnsolve.exams.making import Making
from attnsolve.exams.printing import Press, joined, printed, whole
from attnsolve.exams.spool import Kept
from attnsolve.limits import Limits
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.problem_set import Solved
from attnsolve.rendering import Document, render
from attnsolve.rendering.exams import render_exams, render_solutions
from attnsolve.stored import line_of
from attnsolve.variants import Blueprint, Drawer, Variant, key_of_seed
from attnsolve.variation import GENERATION
from attnsolve.whole_files import pieces_of


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    return tmp_path


def test_folder_has_all_that_an_exam_needs(course: Path) -> None:
    done = variants(course, "two-keys.yaml", "-n", "3", "--seed", "7", "-o", "exam")
    assert "exam: 3 variants, 3 new\n" == done.stderr
    codes = [line["code"] for line in locked(course / "exam").values()]
    names = {"lock.json", "manifest.json", "manifest.csv", "exams.tex", "solutions.tex", "key.tex", "key.md"}
    names |= {"fairness.md", "fairness-work.svg", "fairness-weights.svg", "fairness.tex", "contacts.tex"}
    names.add("problems/original.yaml")
    assert names | {f"problems/{code}.yaml" for code in codes} == set(contents(course / "exam"))
    exams = (course / "exam/exams.tex").read_text()
    assert all(code in exams for code in codes)
    manifest = json.loads((course / "exam/manifest.json").read_text())
    assert codes == [line["code"] for line in manifest["variants"]]


def test_seed_is_1_and_the_folder_is_named_after_the_problem_unless_said(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2")
    variants(course, "two-keys.yaml", "-n", "2", "--seed", "1", "-o", "other")
    assert contents(course / "two-keys-exam") == contents(course / "other")


def test_bytes_are_the_same_whatever_the_processes_the_hash_seed_and_the_folder(course: Path) -> None:
    (course / "deep/er").mkdir(parents=True)
    words = (course / "two-keys.yaml", "-n", "45", "-o")
    variants_apart(course, *words, "one", hash_seed="1")
    variants_apart(course / "deep", *words, "er/two", "-j", "2", hash_seed="2")
    assert contents(course / "one") == contents(course / "deep/er/two")


@pytest.mark.parametrize("more", [(), ("--solutions", "one")])
def test_what_other_processes_solve_is_not_solved_again_but_for_the_edges(
    course: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    again: list[str] = []

    def noted(folder: Folder, entry: Entry, name: str, *, limits: Limits) -> Solved:
        again.append(entry.code)
        return kept_trace(folder, entry, name, limits=limits)

    kept_trace = making.kept_trace
    monkeypatch.setattr(making, "kept_trace", noted)
    variants(course, "two-keys.yaml", "-n", "60", "-j", "2", "-o", "exam", *more)
    assert 0 < len(again) <= 8  # the first, and those with the least and the most of something
    assert len(again) == len(set(again))


def test_what_is_drawn_stays_when_other_processes_cannot_write_it(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoiled(*papers: object, **choices: object) -> Document:
        raise AttnsolveError("the style has no ink")

    words = ("two-keys.yaml", "-n", "45", "-j", "2", "-o")
    variants(course, *words, "whole")
    with monkeypatch.context() as patched:
        patched.setattr(printing, "render_exams", spoiled)
        assert "no ink" in variants(course, *words, "exam", code=1).stderr
    assert 45 == len(locked(course / "exam"))
    assert not (course / "exam/exams.tex").exists()
    variants(course, *words, "exam")
    assert contents(course / "whole") == contents(course / "exam")


def test_bytes_are_the_same_when_solutions_are_not_kept(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("two-keys.yaml", "-n", "25", "--solutions", "one", "-o")
    variants(course, *words, "kept")
    monkeypatch.setattr(making, "MOST_SOLVED", 2)
    variants(course, *words, "again")
    assert contents(course / "kept") == contents(course / "again")


def test_a_variant_is_solved_once_and_its_paper_written_when_it_is_drawn(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[str] = []
    trace, take = Making.trace, Draft.take
    monkeypatch.setattr(Making, "trace", lambda self, entry: solved.append(entry.code) or trace(self, entry))
    held: list[int] = []
    monkeypatch.setattr(
        Draft, "take", lambda self, paper: take(self, paper) or held.append(len(self._waiting))
    )
    words = ("two-keys.yaml", "-n", "45", "-o", "exam")
    variants(course, *words)
    assert ([], 45, 19) == (solved, len(held), max(held))
    before = contents(course / "exam")
    variants(course, *words)  # what is locked is solved from its files
    assert 45 == len(set(solved)) == len(solved)
    assert before == contents(course / "exam")


def test_nothing_of_a_draft_has_a_name_before_all_of_it_is_there(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []

    def looked(draft: Draft, lock: Lock, paper_of: Callable[[str], Paper]) -> dict[str, Kept]:
        seen.append({file.name for file in (course / "exam").iterdir()})
        return documents(draft, lock, paper_of)

    documents = Draft.documents
    monkeypatch.setattr(Draft, "documents", looked)
    variants(course, "two-keys.yaml", "-n", "25", "-o", "exam")
    (names,) = seen
    assert {"lock.json", "problems"} == names - {"lock.json.claim", "lock.json.in-use"}


# A run that is killed as soon as its third problem file is written: itself, or all of its group.
KILLED = """
import os, signal, sys
from attnsolve.exams.folder import Folder

write, written, alone = Folder.write, [], sys.argv.pop(1) == "alone"

def killed(folder, name, text):
    write(folder, name, text)
    written.append(name)
    if len([one for one in written if one.startswith("problems/")]) == 3:
        os.kill(os.getpid(), signal.SIGKILL) if alone else os.killpg(0, signal.SIGKILL)

Folder.write = killed
from attnsolve.cli import main; main()
"""


def killed_midway(folder: Path, *words: str, alone: bool) -> subprocess.Popen[bytes]:
    """A run that kills itself, or its workers too; what it leaves behind may still hold its pipe."""
    command = [sys.executable, "-c", KILLED, "alone" if alone else "all", "variants", *words]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    run = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        process_group=0,
    )  # fmt: skip
    assert -signal.SIGKILL == run.wait()
    return run


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_was_killed_goes_on_to_the_same_bytes(course: Path, jobs: str) -> None:
    words = ("two-keys.yaml", "-n", "60", "-j", jobs, "-o")
    variants(course, *words, "whole")
    with killed_midway(course, *words, "torn", alone=False):
        assert list((course / "torn/problems").glob("[2-9A-Z]*.yaml"))
        assert not (course / "torn/lock.json").exists(), "it was not killed midway"
    (course / "torn/problems/.attnsolve-x1").write_text("half a fi")
    variants(course, *words, "torn")
    assert contents(course / "whole") == contents(course / "torn")


def test_workers_end_with_a_run_that_is_killed(course: Path) -> None:
    """The pipe ends when nobody has it open any more; an idle worker would wait forever."""
    words = ("two-keys.yaml", "-n", "60", "-j", "2", "-o", "torn")
    with killed_midway(course, *words, alone=True) as run:
        assert run.stdout is not None
        try:
            assert select.select([run.stdout], [], [], 200)[0]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)


def test_what_a_stopped_run_has_kept_is_not_drawn_again(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "3", "-o", "exam")
    lock = json.loads((course / "exam/lock.json").read_text())
    source = {name: lock[name] for name in list(lock)[1:12]}
    marked = {**lock["variants"][0], "effort": 123456}  # drawn again it would not have this
    for name in contents(course / "exam"):
        if not name.startswith("problems/"):
            (course / "exam" / name).unlink()
    journal = f'{line_of({"source": source})}{line_of(marked)}{{"code": "torn li'
    (course / "exam/lock.json.journal").write_text(journal)
    variants(course, "two-keys.yaml", "-n", "3", "-o", "exam")
    assert 123456 == locked(course / "exam")["1"]["effort"]


def test_late_students_change_nobody_else(course: Path) -> None:
    late = roster(course, "16,Zoe", "17,Ada", "18,Bo", "19,Cy", name="late.csv")
    variants(
        course, "two-keys.yaml", "--roster", roster(course, "17,Ada", "18,Bo"), "--spares", "1", "-o", "exam"
    )
    before = locked(course / "exam")
    variants(course, "two-keys.yaml", "--roster", late, "-o", "exam")
    after = locked(course / "exam")
    assert before.items() <= after.items()
    assert ["17", "18", "spare 1", "16", "19"] == list(after)
    variants(course, "two-keys.yaml", "--roster", late, "-o", "anew")
    anew = locked(course / "anew")
    assert {seat: line["code"] for seat, line in anew.items()}.items() <= {
        seat: line["code"] for seat, line in after.items()
    }.items()


def test_late_students_are_drawn_on_when_their_run_was_stopped(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "3", "-o", "whole")
    variants(course, "two-keys.yaml", "-n", "1", "-o", "exam")
    lock = json.loads((course / "whole/lock.json").read_text())
    source = {name: lock[name] for name in list(lock)[1:12]}
    late = lock["variants"][1]
    (course / f"exam/problems/{late['code']}.yaml").write_bytes(
        (course / f"whole/problems/{late['code']}.yaml").read_bytes()
    )
    marked = {**late, "effort": 123456}
    (course / "exam/lock.json.journal").write_text(f"{line_of({'source': source})}{line_of(marked)}")
    variants(course, "two-keys.yaml", "-n", "3", "-o", "exam")
    assert [lock["variants"][0], marked, lock["variants"][2]] == list(locked(course / "exam").values())


def test_who_is_not_on_the_roster_any_more_keeps_the_code_but_is_not_printed(course: Path) -> None:
    everybody = roster(course, "17,Ada", "18,Bo")
    variants(course, "two-keys.yaml", "--roster", everybody, "-o", "exam")
    whole = contents(course / "exam")
    code = locked(course / "exam")["17"]["code"]
    done = variants(course, "two-keys.yaml", "--roster", roster(course, "18,Bo", name="s.csv"), "-o", "exam")
    assert "1 variant, 1 withdrawn" in done.stderr
    assert (code, "withdrawn") == tuple(locked(course / "exam")["17"][key] for key in ("code", "status"))
    assert code not in (course / "exam/exams.tex").read_text()
    variants(course, "two-keys.yaml", "--roster", everybody, "-o", "exam")
    assert whole == contents(course / "exam")


def test_many_are_withdrawn_only_when_that_is_meant(course: Path) -> None:
    people = [f"{number},Name" for number in range(10, 22)]
    variants(course, "two-keys.yaml", "--roster", roster(course, *people), "-o", "exam")
    whole = contents(course / "exam")
    wrong = ("two-keys.yaml", "--roster", roster(course, *people[4:], name="s.csv"), "-o", "exam")
    done = variants(course, *wrong, code=1)
    assert "4 of 12 variants would be withdrawn (10, 11, 12, …); is it the right roster" in done.stderr
    assert "12 of 12 variants" in variants(course, "two-keys.yaml", "-n", "9", "-o", "exam", code=1).stderr
    assert whole == contents(course / "exam")
    assert "8 variants, 4 withdrawn" in variants(course, *wrong, "--force").stderr
    variants(course, "two-keys.yaml", "--roster", roster(course, *people), "-o", "exam")
    variants(course, "two-keys.yaml", "--roster", roster(course, *people[3:], name="t.csv"), "-o", "exam")
    assert [f"{number}" for number in (10, 11, 12)] == [
        seat for seat, line in locked(course / "exam").items() if line["status"] == "withdrawn"
    ]


def test_another_seed_is_noticed_also_when_nobody_is_drawn(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "--seed", "5", "-o", "exam")
    whole = contents(course / "exam")
    for words in (("--seed", "6"), ("-n", "2", "--seed", "6"), ("--fresh",)):
        done = variants(course, "two-keys.yaml", *words, "-o", "exam", code=2)
        assert "was drawn with another seed or key" in done.stderr
    variants(course, "two-keys.yaml", "-o", "exam")
    variants(course, "two-keys.yaml", "--fresh", "--seed", "5", "-o", "exam")
    assert whole == contents(course / "exam")


def test_who_stops_a_run_is_told_that_it_goes_on(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = drawing.drawn

    def stopped(variant: Variant) -> Drawn:
        if variant.identity == "2":
            raise KeyboardInterrupt
        return drawn(variant)

    variants(course, "two-keys.yaml", "-n", "3", "-o", "whole")
    monkeypatch.setattr(drawing, "drawn", stopped)
    done = variants(course, "two-keys.yaml", "-n", "3", "-o", "exam", code=130)
    assert "stopped; run the same command again to go on\n" == done.stderr
    monkeypatch.undo()
    variants(course, "two-keys.yaml", "-n", "3", "-o", "exam")
    assert contents(course / "whole") == contents(course / "exam")


def test_a_long_run_says_what_it_does(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Event()

    def tell(words: str) -> None:
        speech.tell(words)
        told.set()

    def slow(drawer: Drawer) -> None:
        assert told.wait(200), "nothing was said while it went on"

    monkeypatch.setattr(waiting, "PATIENCE", 0.01)
    monkeypatch.setattr(waiting, "EVERY", 0)
    monkeypatch.setattr(waiting, "tell", tell)
    monkeypatch.setattr(making, "prepare", slow)
    lines = variants(course, "two-keys.yaml", "-n", "2", "-o", "exam").stderr.splitlines()
    expected = ["Drawing: 1 of 2", "Drawing: 2 of 2", "Writing: 1 of 2", "Writing: 2 of 2"]
    assert [waiting.LEARNING, *expected, "exam: 2 variants, 2 new"] == lines


def test_a_bar_counts_where_somebody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", screen)
    waiting.watched(iter("abc"), 3, "Drawing")
    assert "Drawing" in screen.getvalue() and "3/3" in screen.getvalue()


def test_a_changed_problem_is_told_and_what_was_printed_stays(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    before = locked(course / "exam")
    problem(course, PROBLEM.replace("none", "2"))
    done = variants(course, "two-keys.yaml", "-n", "3", "-o", "exam")
    assert "the problem was changed since exam was drawn" in done.stderr
    assert "whoever is new gets numbers for the problem as it was then" in done.stderr
    assert before.items() <= locked(course / "exam").items()
    assert (
        "divide_by: none"
        in (course / f"exam/problems/{locked(course / 'exam')['3']['code']}.yaml").read_text()
    )


def test_fresh_draws_all_anew_from_the_problem_of_now(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    before = locked(course / "exam")
    problem(course, PROBLEM.replace("none", "2"))
    done = variants(course, "two-keys.yaml", "-n", "2", "--fresh", "-o", "exam")
    assert "2 variants, 2 new, 2 replaced" in done.stderr
    variants(course, "two-keys.yaml", "-n", "2", "-o", "anew")
    after, anew = locked(course / "exam"), locked(course / "anew")
    assert [anew[seat]["sha256"] for seat in "12"] == [after[seat]["sha256"] for seat in "12"]
    assert {line["code"] for line in before.values()}.isdisjoint(line["code"] for line in after.values())
    assert after["1"]["code"] in (course / "exam/exams.tex").read_text()
    assert before["1"]["code"] not in (course / "exam/exams.tex").read_text()
    history = json.loads((course / "exam/lock.json").read_text())["variants"][:2]
    replaced = {"status": "replaced", "original": "original-1"}
    assert [{**line, **replaced} for line in before.values()] == history
    assert PROBLEM == (course / "exam/problems/original-1.yaml").read_text()
    assert PROBLEM.replace("none", "2") == (course / "exam/problems/original.yaml").read_text()
    assert 4 == len(variants(course, "list", "exam", "--all").stdout.splitlines())


def test_fresh_numbers_that_are_the_old_ones_keep_their_codes(course: Path) -> None:
    people = roster(course, "17,Ada", "18,Bo")
    variants(course, "two-keys.yaml", "--roster", people, "--spares", "1", "-o", "exam")
    variants(course, "reissue", "exam", "17")
    shutil.rmtree(course / "exam/reprints")
    whole = contents(course / "exam")
    done = variants(course, "two-keys.yaml", "--fresh", "-o", "exam")
    assert "exam: 3 variants, 1 replaced\n" == done.stderr
    assert whole == contents(course / "exam")


def test_who_was_away_while_all_was_drawn_anew_gets_new_numbers_too(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    old = locked(course / "exam")["2"]["code"]
    problem(course, PROBLEM.replace("none", "2"))
    variants(course, "two-keys.yaml", "-n", "1", "--fresh", "-o", "exam")
    assert (old, "withdrawn") == tuple(locked(course / "exam")["2"][key] for key in ("code", "status"))
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    new = locked(course / "exam")["2"]
    assert old != new["code"] and "current" == new["status"]
    assert "divide_by: 2" in (course / f"exam/problems/{new['code']}.yaml").read_text()


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (AttnsolveError, 1)])
def test_what_is_printed_stays_when_drawing_anew_is_stopped(
    course: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int
) -> None:
    drawn = drawing.drawn

    def stopped(variant: Variant) -> Drawn:
        if variant.identity == "2":
            raise error("no")
        return drawn(variant)

    for folder in ("exam", "whole"):
        variants(course, "two-keys.yaml", "-n", "3", "-o", folder)
    before = contents(course / "exam")
    problem(course, PROBLEM.replace("none", "2"))
    variants(course, "two-keys.yaml", "--fresh", "-o", "whole")
    monkeypatch.setattr(drawing, "drawn", stopped)
    variants(course, "two-keys.yaml", "--fresh", "-o", "exam", code=code)
    monkeypatch.undo()
    assert before.items() <= contents(course / "exam").items()
    assert (code == 1) == (before == contents(course / "exam"))  # what is impossible leaves nothing
    variants(course, "two-keys.yaml", "--fresh", "-o", "exam")
    assert contents(course / "whole") == contents(course / "exam")


def test_fresh_is_refused_where_old_codes_would_lose_their_data(course: Path) -> None:
    (course / "V.csv").write_text("2,0\n0,4\n")
    problem(course, PROBLEM.replace("V: 2 0; 0 4", "V: {file: V.csv}").replace(", V: -4..4", ""))
    variants(course, "two-keys.yaml", "-n", "1", "-o", "exam")
    whole = contents(course / "exam")
    (course / "V.csv").write_text("1,0\n0,4\n")
    done = variants(course, "two-keys.yaml", "-n", "1", "--fresh", "-o", "exam", code=1)
    assert "'V.csv' was changed, and the codes that exam has printed need it" in done.stderr
    assert whole == contents(course / "exam")


@pytest.mark.parametrize("is_there", [False, True])
def test_nothing_is_left_of_an_exam_that_does_not_come_about(
    course: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    drawn = drawing.drawn

    def second_is_impossible(variant: Variant) -> Drawn:
        if variant.identity == "2":
            raise AttnsolveError("nothing can be found")
        return drawn(variant)

    if is_there:
        (course / "exam").mkdir()
    monkeypatch.setattr(drawing, "drawn", second_is_impossible)
    before = sorted(course.rglob("*"))
    assert "nothing can be found" in variants(course, "two-keys.yaml", "-n", "3", "-o", "exam", code=1).stderr
    assert before == sorted(course.rglob("*"))
    problem(course, PROBLEM.partition("vary:")[0] + "vary: {judges: {digits: 0}}")
    variants(course, "two-keys.yaml", "-n", "3", "-o", "exam", code=3)
    assert before == sorted(course.rglob("*"))


def test_a_lost_problem_file_is_drawn_again_and_a_changed_one_is_refused(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    whole = contents(course / "exam")
    file = course / f"exam/problems/{locked(course / 'exam')['1']['code']}.yaml"
    file.unlink()
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    assert whole == contents(course / "exam")
    file.write_text(file.read_text().replace("q: ", "q: 1"))
    assert "is not what was locked for" in variants(course, "two-keys.yaml", "-o", "exam", code=3).stderr


def test_one_file_each_and_back(course: Path) -> None:
    people = roster(course, "17,Ada ../../x", "18,Bo")
    variants(course, "two-keys.yaml", "--roster", people, "-o", "exam")
    whole = contents(course / "exam")
    variants(course, "two-keys.yaml", "-o", "exam", "--each")
    codes = [line["code"] for line in locked(course / "exam").values()]
    assert sorted(f"{code}.tex" for code in codes) == sorted(
        p.name for p in (course / "exam/exams").iterdir()
    )
    assert not (course / "exam/exams.tex").exists()
    variants(course, "two-keys.yaml", "-o", "exam", "--each", "--names")
    assert f"{codes[0]}-17-ada-x.tex" in [path.name for path in (course / "exam/solutions").iterdir()]
    variants(course, "two-keys.yaml", "-o", "exam")
    assert whole == contents(course / "exam")


def test_secret_key_is_nowhere_in_the_folder(course: Path) -> None:
    variants(course, "key", "exam.key")
    assert 0o600 == stat.S_IMODE((course / "exam.key").stat().st_mode)
    assert "there already" in variants(course, "key", "exam.key", code=1).stderr
    variants(course, "two-keys.yaml", "-n", "2", "--key", "exam.key", "-o", "exam")
    secret = (course / "exam.key").read_bytes().strip()
    assert not [
        name for name, data in contents(course / "exam").items() if secret in data or b"exam.key" in data
    ]
    variants(course, "key", "other.key")
    done = variants(course, "two-keys.yaml", "-n", "3", "--key", "other.key", "-o", "exam", code=2)
    assert "was drawn with another seed or key" in done.stderr
    variants(course, "two-keys.yaml", "-n", "3", "--key", "exam.key", "-o", "exam")


def test_seed_is_nowhere_in_the_folder(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "--seed", "987654321987", "-o", "exam")
    assert not [name for name, data in contents(course / "exam").items() if b"987654321987" in data]


def test_data_beside_the_problem_comes_along(course: Path) -> None:
    (course / "data").mkdir()
    (course / "data/V.csv").write_text("2,0\n0,4\n")
    text = PROBLEM.replace("V: 2 0; 0 4", "V: {file: data/V.csv}").replace(", V: -4..4", "")
    problem(course, text)
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    assert b"2,0\n0,4\n" == contents(course / "exam")["problems/data/V.csv"]
    (course / "data/V.csv").write_text("1,0\n0,4\n")
    assert "the problem was changed" in variants(course, "two-keys.yaml", "-n", "3", "-o", "exam").stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["two-keys.yaml"], 2, "say how many variants"),
        (["two-keys.yaml", "-n", "2", "--roster", "r.csv"], 2, "choose one"),
        (["two-keys.yaml", "-n", "2", "--seed", "1", "--key", "k"], 2, "choose one"),
        (["two-keys.yaml", "-n", "2", "--names"], 2, "say both, or neither"),
        (["two-keys.yaml", "-n", "2", "--key", "no.key"], 2, "cannot be read: No such file"),
        (["two-keys.yaml", "-n", "2", "--key", "short.key"], 2, "at least 16"),
        (["two-keys.yaml", "-n", "2", "--key", "exam/in.key", "-o", "exam"], 2, "keep it elsewhere"),
        (["two-keys.yaml", "-n", "2", "-o", "full"], 1, "holds other files and no exam"),
        (["two-keys.yaml", "-n", "2", "-o", "short.key"], 1, "name a folder"),
        (["other.yaml", "-n", "2", "-o", "exam", "--fresh"], 1, "is an exam of 'two-keys', not of 'other'"),
        (["two-keys.yaml", "-n", "2", "--title", "\udcff"], 2, "--title cannot be kept: a text is expected"),
        (["other.yaml", "-n", "2", "-o", "exam"], 1, "is an exam of 'two-keys', not of 'other'"),
        (["two-keys.yaml", "--roster", "no.csv"], 3, "no.csv:1:1: cannot be read"),
        (["no-such", "-n", "2"], 2, "there is no file or bundled problem"),
    ],
)
def test_what_cannot_be_meant_is_told(course: Path, words: list[str], code: int, said: str) -> None:
    variants(course, "two-keys.yaml", "-n", "1", "-o", "exam")
    (course / "full").mkdir()
    (course / "full/thesis.tex").write_text("years of work")
    (course / "short.key").write_text("abc")
    (course / "exam/in.key").write_text("a" * 40)
    (course / "other.yaml").write_text(PROBLEM)
    before = contents(course / "exam")
    assert said in variants(course, *words, code=code).stderr
    assert before == contents(course / "exam")


def test_what_a_run_that_was_stopped_at_once_has_left_is_no_other_file(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "whole")
    (course / "exam/problems").mkdir(parents=True)
    (course / "exam/problems/.attnsolve-0123").write_text("format: 1")
    (course / "exam/.attnsolve-4567").write_text("{")
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    assert contents(course / "whole") == contents(course / "exam")
    (course / "another/problems").mkdir(parents=True)
    (course / "another/problems/thesis.tex").write_text("years of work")
    assert "holds other files" in variants(course, "two-keys.yaml", "-n", "2", "-o", "another", code=1).stderr


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("lock.json", lambda text: text[:200], "; restore it from a copy; if there is none, draw into a new"),
        (
            "lock.json",
            lambda text: "[]",
            "exam/lock.json: this is not the lock of an exam that attnsolve wrote; restore it",
        ),
        (
            "lock.json",
            lambda text: text.replace('"issue": 1', '"issue": "x"'),
            ": variants[1].issue: a whole number from 1 to 1000000000000 is expected here; restore it",
        ),
        (
            "lock.json",
            lambda text: text.replace('"weights": [', '"weight": ['),
            "variants[1].weight: no such key; the keys are code, seat, ",
        ),
        (
            "lock.json",
            lambda text: text.replace('"code": "', '"code": "../../'),
            "variants[1].code: a code, such as K7Q2, is expected here",
        ),
        (
            "lock.json",
            lambda text: text.replace('"a4"', '"a5"'),
            "cover.page: one of a4, letter is expected here",
        ),
        (
            "lock.json",
            lambda text: text.replace('"seat": "1"', '"seat": "7"'),
            "lock.json: it was changed since",
        ),
        (
            "lock.json",
            lambda text: "<<<<<<< HEAD\n" + text,
            "lock.json:1:1: what version control leaves where",
        ),
        ("lock.json", lambda text: "[" * 100_000, "lock.json:1:1: nested too deep; restore it"),
        ("lock.json", lambda text: text.replace('"format": 1', '"format": 9'), "format 9 is not known"),
        ("problems/original.yaml", lambda text: text + "\n", "was changed; restore it, or draw all anew"),
    ],
)
def test_a_damaged_folder_is_told(course: Path, name: str, change, said: str) -> None:  # type: ignore[no-untyped-def]
    variants(course, "two-keys.yaml", "-n", "1", "-o", "exam")
    file = course / "exam" / name
    file.write_text(change(file.read_text()))
    assert said in variants(course, "two-keys.yaml", "-n", "2", "-o", "exam", code=3).stderr


def test_documents_changed_by_hand_are_not_lost(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam")
    (course / "exam/exams.tex").write_text("mine")
    done = variants(course, "two-keys.yaml", "-n", "2", "-o", "exam", code=1)
    assert "exams.tex' was changed since" in done.stderr
    variants(course, "two-keys.yaml", "-n", "2", "-o", "exam", "--force")
    assert "mine" != (course / "exam/exams.tex").read_text()


def test_links_are_not_followed(course: Path) -> None:
    (course / "exam").mkdir()
    (course / "exam/lock.json.journal").write_text("")
    (course / "elsewhere").mkdir()
    (course / "exam/problems").symlink_to(course / "elsewhere")
    assert "symbolic link" in variants(course, "two-keys.yaml", "-n", "1", "-o", "exam", code=1).stderr
    assert not list((course / "elsewhere").iterdir())


@pytest.mark.parametrize("name", ["ist-practical-10", "tokens-as-columns", "sparse-attention"])
def test_problem_file_of_a_variant_gives_its_trace_back(name: str) -> None:
    blueprint = Blueprint.read(ROOT / f"problems/{name}.yaml")
    variant = Drawer(blueprint, key_of_seed(3)).draw("1")
    again = solve(loads(variant.text, name=name, folder=ROOT / "problems"))
    for target in ("latex", "json"):
        for sheet in ("exercise", "solution"):
            assert render(variant.trace, to=target, sheet=sheet) == render(again, to=target, sheet=sheet)


def test_an_exam_of_an_earlier_release_is_drawn_on_in_its_generation(course: Path) -> None:
    """Which did not say so: there was only the first."""
    lock = course / "exam/lock.json"
    variants(course, "two-keys.yaml", "-n", "1", "--seed", "1", "-o", "exam")
    kept = json.loads(lock.read_text())
    assert GENERATION == kept.pop("generation")
    del kept["checksum"]
    lock.write_text(json.dumps(kept))
    variants(course, "two-keys.yaml", "-n", "6", "--seed", "1", "-o", "exam")
    late = locked(course / "exam")["6"]
    texts = {
        Drawer(Blueprint.read(course / "two-keys.yaml", generation=number), key_of_seed(1))
        .draw("6")
        .text: number
        for number in (1, 2)
    }
    assert 1 == texts[(course / f"exam/problems/{late['code']}.yaml").read_text()]
    assert 1 == json.loads(lock.read_text())["generation"]


def test_a_generation_of_a_later_release_is_told(course: Path) -> None:
    variants(course, "two-keys.yaml", "-n", "1", "-o", "exam")
    lock = course / "exam/lock.json"
    kept = {**json.loads(lock.read_text()), "generation": 99}
    del kept["checksum"]
    lock.write_text(json.dumps(kept))
    told = variants(course, "two-keys.yaml", "-n", "2", "-o", "exam", code=3).stderr
    assert f"a whole number from 1 to {GENERATION}" in told


def test_papers_written_apart_make_the_document_that_all_together_make(course: Path) -> None:
    drawer = Drawer(Blueprint.read(course / "two-keys.yaml"), key_of_seed(1))
    people = {"K7Q2": "Ada", "M3X9": "王小明", "22Z2": "Ιωάννης"}  # one preamble for the letters of all
    papers = [Paper(code, drawer.draw(code).trace, "17", name) for code, name in people.items()]
    press = Press("two-keys", course, Cover(title="Quiz", minutes=5))
    apart = [printed(press, papers[:1]), printed(press, papers[1:])]
    for write, whole_document in ((press.exams, render_exams), (press.worked_out, render_solutions)):
        kind = "exams" if write == press.exams else "solutions"
        texts = [text for one in apart for text in getattr(one, kind)]
        made = whole(press, write, lambda texts=texts: texts, {})
        assert whole_document(papers, press.cover).text == b"".join(pieces_of(made)).decode()
    with pytest.raises(AttnsolveError, match="do not fit together"):
        list(joined("head\ntail", lambda: ["head\na\ntail", "hea\n"]).texts())


def test_a_killed_worker_is_told(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "drawn", lambda variant: os.kill(os.getpid(), signal.SIGKILL))
    pattern = Pattern(PROBLEM, "two-keys", course, key_of_seed(1))
    with pytest.raises(AttnsolveError, match="the same command goes on where it stopped"):
        list(draw_all(pattern, [Wanted(str(number)) for number in range(40)], jobs=2))


def test_the_report_names_the_words_that_speak_of_numbers(course: Path) -> None:
    told = PROBLEM.replace("    marks:", "    note: The first gets 90 %.\n    marks:")
    silent = "  - id: b\n    ask: Why?\n    discuss: Because of the keys.\n"
    path = problem(course, told.replace("vary:", f"{silent}vary:"))
    variants(course, path, "-n", "2", "-o", "words")
    report = " ".join((course / "words" / "fairness.md").read_text("utf-8").split())
    assert "the same in every variant: a.note. Read whether" in report


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--title", "a\x1b[31mb"), "--title cannot be kept: a text is expected here, of at most 20000"),
        (("--instructions", "x" * 20_001), "--instructions cannot be kept"),
        (("--course", "\udcff"), "--course cannot be kept"),
    ],
)
def test_nothing_is_locked_that_could_not_be_read_back(
    course: Path, words: tuple[str, str], said: str
) -> None:
    assert said in variants(course, "two-keys.yaml", "-n", "1", *words, "-o", "exam", code=2).stderr
    assert not (course / "exam/lock.json").exists()


def test_a_problem_whose_name_cannot_be_seen_is_refused(course: Path) -> None:
    (course / "two\x1b[31m.yaml").write_text(PROBLEM)
    told = variants(course, "two\x1b[31m.yaml", "-n", "1", "-o", "exam", code=2).stderr
    assert "'two\\x1b[31m.yaml': this name has characters that cannot be seen; rename the file" in told


def test_names_with_signs_that_steer_a_screen_can_be_read_back(course: Path) -> None:
    (course / "class.csv").write_text("student,name\n1,Ann\x1b[31m\x9b\u202eLee\n", "utf-8")
    variants(course, "two-keys.yaml", "--roster", "class.csv", "-o", "exam")
    assert ["Ann[31mLee"] == [entry.seat.name for entry in Folder(course / "exam").locked().entries]
