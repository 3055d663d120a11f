"""Commands on an exam that is there already: who has what, what an erratum changes, one paper again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from attnsolve import __version__
from attnsolve.cli.options import FORCE, LIMIT
from attnsolve.cli.speech import print_line, progress, tell
from attnsolve.cli.styles import in_style
from attnsolve.cli.variants import KEY, SEED
from attnsolve.cli.waiting import learning, resumable, watched
from attnsolve.errors import UsageError

EXAM = click.argument("exam", type=click.Path(path_type=Path))


@click.command()
@EXAM
@click.option("--all", "everything", is_flag=True, help="Also who was withdrawn and what was replaced.")
def list(exam: Path, everything: bool) -> None:
    """List the codes of an exam and whose they are."""
    from attnsolve.exams.comparing import aligned
    from attnsolve.exams.folder import Folder

    rows = [
        (
            entry.code,
            entry.who,
            entry.seat.name,
            str(entry.effort),
            entry.standing,
            entry.selection,
            f"exercises {' '.join(map(str, entry.lineup))}" if entry.lineup else "",
        )
        for entry in Folder(exam).locked().entries
        if entry.is_printed or everything
    ]
    for line in aligned(rows):
        print_line(line)


@click.command()
@EXAM
@click.argument("corrected", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write every changed number as CSV.")
@FORCE
@LIMIT
def affected(
    exam: Path, corrected: str | None, output: Path | None, force: bool, raises: tuple[str, ...]
) -> None:
    """Say whose key changes with a corrected problem, or with this release.

    Each code's own numbers are put into the CORRECTED problem; without one, the kept problem files
    are solved again.
    """
    from attnsolve import batch
    from attnsolve.exams.errata import Erratum, as_table, told
    from attnsolve.exams.folder import Folder
    from attnsolve.limits import raised
    from attnsolve.rendering import Document

    fixed = None if corrected is None else batch.find(corrected)
    erratum = Erratum(Folder(exam), fixed, limits=raised(raises))
    count = len(erratum.lock.entries)
    with progress(erratum.concerns(), count, printing=False, label="Comparing") as (work, _):
        concerns = [concern for concern in work if concern is not None]
    if output is not None:
        batch.write(Document(as_table(concerns)), output, force=force, say=tell)
    for concern in concerns:
        for line in told(concern):
            print_line(line)
    for words in erratum.notes():
        tell(words)
    some = "code gets" if count == 1 else "codes get"
    tell(f"{exam}: {len(concerns)} of {count} {some} another key than was printed")


@click.command()
@EXAM
@click.argument("student")
@SEED
@KEY
@LIMIT
def reissue(exam: Path, student: str, seed: int | None, secret: Path | None, raises: tuple[str, ...]) -> None:
    """Give one student new numbers; nobody else is touched.

    STUDENT is a student's number, or the code or the number of a variant. The old code stays known.
    """
    from attnsolve.exams.claim import claimed
    from attnsolve.exams.folder import Folder
    from attnsolve.exams.kept_style import kept_place
    from attnsolve.exams.opening import found, opened
    from attnsolve.exams.papers import reprinted
    from attnsolve.limits import raised

    folder, limits = Folder(exam), raised(raises)
    saves_ink = folder.locked().layout.saves_ink
    dressed = in_style(kept_place(folder), limits, saves_ink=saves_ink)
    with resumable(), claimed(folder), dressed:
        opening = opened(None, exam, seed, secret, release=__version__, limits=limits, say=tell)
        making = opening.making
        assert making.lock is not None
        old = found(making.lock, student)
        plan = opening.reissue(student)
        with learning():
            making.learn(plan)
        with closing(making.draft(making.lock.cover, making.lock.layout)) as draft:
            watched(making.run(plan, draft), len(plan.entries), "Drawing")
            watched(making.write(draft), making.printed, "Writing")
        new = making.lock.entries[-1]
        for name, text in reprinted(new, draft.press, making.trace(new)):
            making.folder.write(name, text)
            tell(str(exam / name))
    print_line(f"{old.who}: {old.code} is replaced by {new.code}")


@click.command()
@EXAM
@click.argument("code")
@LIMIT
def reprint(exam: Path, code: str, raises: tuple[str, ...]) -> None:
    """Write the exam and the solution of one code again.

    CODE may also be a student's number.
    """
    from attnsolve.exams.claim import claimed
    from attnsolve.exams.folder import Folder
    from attnsolve.exams.kept_style import kept_place
    from attnsolve.exams.opening import found
    from attnsolve.exams.originals import kept_trace
    from attnsolve.exams.papers import reprinted
    from attnsolve.exams.printing import Press
    from attnsolve.limits import raised

    folder, limits = Folder(exam), raised(raises)
    lock = folder.locked()
    with claimed(folder), in_style(kept_place(folder), limits, saves_ink=lock.layout.saves_ink):
        entry = found(lock, code)
        trace = kept_trace(folder, entry, lock.source.problem, limits=limits)
        press = Press(lock.source.problem, folder.path / "problems", lock.cover, lock.layout)
        for name, text in reprinted(entry, press, trace):
            folder.write(name, text)
            print_line(str(exam / name))


@click.command()
@EXAM
@click.argument("code")
@click.option("--undo", is_flag=True, help="Let it go again.")
def pin(exam: Path, code: str, undo: bool) -> None:
    """Keep a variant, whatever is drawn anew.

    `--fresh` and `reissue` leave a pinned variant alone.
    """
    from attnsolve.exams.claim import claimed
    from attnsolve.exams.folder import Folder
    from attnsolve.exams.opening import found, pinned

    folder = Folder(exam)
    with claimed(folder):
        lock = folder.locked()
        entry = found(lock, code)
        folder.write_lock(pinned(lock, entry, not undo))
    print_line(f"{entry.code} ({entry.who}) is {'not pinned any more' if undo else 'pinned'}")


@click.command()
@click.argument("places", nargs=-1, metavar="EXAM CODE CODE | FILE FILE")
@LIMIT
def diff(places: tuple[str, ...], raises: tuple[str, ...]) -> None:
    """Compare two variants, or two problem files: givens and answers that differ."""
    from attnsolve import batch
    from attnsolve.exams.comparing import compared
    from attnsolve.exams.folder import Folder
    from attnsolve.exams.opening import found
    from attnsolve.exams.originals import kept_trace
    from attnsolve.limits import raised

    limits = raised(raises)
    if places and len(places) < 3 and Folder(Path(places[0])).is_exam:
        raise UsageError(f"name two codes of {places[0]}: one is compared with the other; 'list' has them")
    if len(places) == 2:
        first, second = (batch.find(place) for place in places)
        names = (first.name, second.name)
        traces = (batch.solved_asked(first, limits=limits), batch.solved_asked(second, limits=limits))
    elif len(places) == 3:
        folder = Folder(Path(places[0]))
        lock = folder.locked()
        one, other = (found(lock, code) for code in places[1:])
        names = (one.code, other.code)
        traces = (
            kept_trace(folder, one, lock.source.problem, limits=limits),
            kept_trace(folder, other, lock.source.problem, limits=limits),
        )
    else:
        raise UsageError("name an exam and two codes, or two problem files")
    for line in compared(names, traces):
        print_line(line)
