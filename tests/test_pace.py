"""Who waits for a page is told what is slow."""

from itertools import count
from pathlib import Path
from threading import Event

import pytest

from attnsolve.cli import cli, waiting
from attnsolve.cli.waiting import Repeated, called, in_the_end, so_far
from attnsolve.pace import WHOLE, Pace, Work

SCORES, WEIGHTS = ("a.S", "dot"), ("a.A", "softmax")


class Clock:
    """A clock that goes on when it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def paced(*work: tuple[Work, tuple[str, str], float]) -> Pace:
    """What is known after pieces of work that took so many seconds."""
    clock = Clock()
    with Pace(clock) as pace:
        for kind, piece, seconds in work:
            Pace.begin(kind, piece)
            clock.now += seconds
    return pace


def test_pieces_of_work_are_added_up_and_the_longest_named() -> None:
    pace = paced(
        (Work.SOLVING, SCORES, 1.0),
        (Work.SOLVING, WEIGHTS, 6.0),
        (Work.WRITING, SCORES, 3.0),
        (Work.WRITING, WEIGHTS, 0.5),
        (Work.WRITING, SCORES, 1.5),
    )
    expected = "took 12 s; slow: solving a.A (softmax) 6 s, writing a.S (dot) 4 s"
    assert expected == in_the_end(pace)


def test_where_nothing_stands_out_that_is_said() -> None:
    pace = paced(*((Work.SOLVING, (f"a.S{place}", "dot"), 1.0) for place in range(20)))
    assert "took 20 s, on 20 pieces of work that are alike" == in_the_end(pace)


def test_what_is_done_just_now_is_told() -> None:
    clock = Clock()
    with Pace(clock) as pace:
        clock.now = 7.0
        assert "7 s so far" == so_far(pace)
        Pace.begin(Work.SOLVING, WEIGHTS)
        assert "7 s so far, solving a.A (softmax)" == so_far(pace)
        Pace.begin(Work.PRINTING)
        assert "7 s so far, printing the page" == so_far(pace)
    assert "the page" == called(WHOLE)


def test_work_that_nobody_waits_for_is_not_noted() -> None:
    pace = paced((Work.SOLVING, SCORES, 1.0))
    Pace.begin(Work.SOLVING, WEIGHTS)
    assert [(Work.SOLVING, SCORES)] == list(pace.took)


def test_something_is_said_again_and_again_until_the_work_is_done() -> None:
    numbers, third = count(1), Event()
    again = Repeated(0.001, lambda: third.set() if next(numbers) == 3 else None)
    again.start()
    assert third.wait(60)
    again.stop()


@pytest.mark.parametrize(
    ("command", "about"),
    [
        (("render", "tiny-gpt", "-o", "page.md"), "tiny-gpt.yaml"),
        (("render", "tiny-gpt", "one-key", "-o", "page.html"), "page"),
        (("show", "tiny-gpt"), "tiny-gpt.yaml"),
        (("lint", "tiny-gpt"), "tiny-gpt.yaml"),
        (("plot", "tiny-gpt"), "tiny-gpt"),
    ],
)
def test_a_page_that_takes_long_says_what_is_slow(
    command: tuple[str, ...],
    about: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A clock that goes on by a minute when weights are made; the page itself is as ever."""
    clock, begin = Clock(), Pace.begin

    def begun(work: Work, piece: tuple[str, str] = WHOLE) -> None:
        begin(work, piece)
        clock.now += 60 * (work is Work.SOLVING and piece == ("b.layer1.A", "softmax"))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Pace, "begin", begun)
    monkeypatch.setattr(waiting, "Pace", lambda: Pace(clock))
    cli.main(list(command), standalone_mode=False)
    said = [line for line in capsys.readouterr().err.splitlines() if "slow" in line]
    assert 1 == len(said)
    assert f"{about}: took " in said[0]
    assert "; slow: solving b.layer1.A (softmax) " in said[0]


def test_a_page_that_is_made_soon_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "Pace", lambda: Pace(Clock()))
    cli.main(["render", "one-key", "-o", str(tmp_path / "page.md")], standalone_mode=False)
    assert [str(tmp_path / "page.md")] == capsys.readouterr().err.splitlines()
