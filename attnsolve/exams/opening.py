"""Opening the folder of an exam for a run: is it ours, is the key the right one, has the problem changed?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.exams import lockfile
from attnsolve.exams.folder import Folder
from attnsolve.exams.keys import chosen_key, fingerprint, is_open_to_others
from attnsolve.exams.lock import WITHDRAWN, Entry, Lock, Seat, Source
from attnsolve.exams.making import Making
from attnsolve.exams.originals import Original, kept_original, read_original
from attnsolve.exams.seating import Plan, planned, reissued
from attnsolve.exams.tables import shortened
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.papers import Cover
from attnsolve.pdf_engines import Engine
from attnsolve.rendering import printed, render
from attnsolve.rendering.engines import warning, warning_about
from attnsolve.stored import Damaged, Unsuitable
from attnsolve.stored.kinds import LONGEST, UNPRINTABLE

# So many may be withdrawn at once, or such a share of all, without a question.
FEW, SHARE = 2, Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Exam:
    """A folder that is ready for a run, and the key for it."""

    making: Making
    key: bytes
    fresh: bool = False

    @property
    def lock(self) -> Lock | None:
        """What is locked so far."""
        return self.making.lock

    @property
    def is_public(self) -> bool:
        """Whether whoever knows the seed of this run knows the numbers: they were drawn from it."""
        return fingerprint(self.key) == self.making.source().fingerprint

    def plan(
        self, seats: Sequence[Seat] | None, spare: Sequence[Seat] | None, *, force: bool = False
    ) -> Plan:
        """Who keeps what and who needs numbers; the key is looked at only if somebody does."""
        entries = () if self.lock is None else self.lock.entries
        if seats is None and spare is None and not entries:
            raise UsageError("say how many variants you want (-n 200), or for whom (--roster students.csv)")
        source = self.making.source()
        plan = planned(
            entries,
            seats,
            spare,
            key=self.key,
            problem=source.problem,
            version=source.version,
            fresh=self.fresh,
        )
        if not force:
            check_withdrawn(entries, plan)
        self._check_key(plan)
        return plan

    def reissue(self, wanted: str) -> Plan:
        """New numbers for one student; a pinned variant stays."""
        assert self.lock is not None
        entry = found(self.lock, wanted)
        if entry.pinned or not entry.is_printed:
            cures = {WITHDRAWN: f"put {entry.who} on the roster again first"}
            cure = cures.get(entry.status, "name the student instead")
            if entry.pinned:
                cure = "'attnsolve variants pin --undo' lets it go"
            raise AttnsolveError(f"{entry.code} is {entry.standing}; {cure}")
        source = self.lock.source
        made = reissued(
            self.lock.entries, entry, key=self.key, problem=source.problem, version=source.version
        )
        plan = Plan(made)
        self._check_key(plan)
        return plan

    def _check_key(self, plan: Plan) -> None:
        if plan.wishes:
            check_key(self.key, self.making.folder, self.making.source())

    def cover(self, choices: Mapping[str, Any]) -> Cover:
        """The title page: what is said now, and what was said before for the rest."""
        before = Cover(lang=self.making.original.lang) if self.lock is None else self.lock.cover
        made = replace(before, **{name: value for name, value in choices.items() if value is not None})
        try:
            lockfile.COVER.read(asdict(made))  # what could not be read back is not locked
        except Unsuitable as error:
            said = f"cannot be kept: {error.said}, of at most {LONGEST} characters that can all be seen"
            raise UsageError(f"--{error.way[0]} {said}") from None
        return made

    def unprintable(self, plan: Plan, cover: Cover, engine: Engine) -> str | None:
        """What an engine cannot print of names, title page and questions, before any is drawn."""
        people = (text for entry in plan.entries for text in (entry.seat.name, entry.seat.student))
        said = warning_about([*people, cover.title, cover.course, cover.date, cover.instructions], engine)
        original = self.making.original.text
        if not original.isascii():  # what is printed of it is known from its worked solution
            making = self.making
            home, limits = making.pattern.folder, making.limits
            asked = loads_asked(original, name=making.original.name, folder=home, limits=limits)
            made = render(solve_asked(asked), to=engine.source)
            about_problem = warning([made.text], engine) if engine.source == "latex" else None
            if engine is Engine.TYPST:
                printed(made)  # what cannot be printed is said before anything is drawn
            said = "\n".join(filter(None, (said, about_problem))) or None
        return said

    def summary(self, plan: Plan) -> str:
        """`200 variants, 195 new, 2 withdrawn`."""
        assert self.lock is not None
        entries = self.lock.entries
        printed = sum(entry.is_printed for entry in entries)
        counts = {
            "variant" if printed == 1 else "variants": printed,
            "new": len({wish.code for wish in plan.wishes} & {entry.code for entry in entries}),
            **{word: sum(entry.status == word for entry in entries) for word in ("withdrawn", "replaced")},
        }
        first, *rest = (
            f"{count} {word}" for word, count in counts.items() if count or word.startswith("variant")
        )
        return ", ".join([first, *rest])


def found(lock: Lock, wanted: str) -> Entry:
    """The entry that a code, a student or a number means; what is replaced only by its code."""
    text = wanted.strip().casefold()
    by_code = [entry for entry in lock.entries if entry.code.casefold() == text]
    current = [
        entry
        for entry in lock.entries
        if entry.is_printed and text in (entry.seat.student.casefold(), entry.seat.identity.casefold())
    ]
    meant = by_code or current
    gone = [entry for entry in lock.entries if entry.status == WITHDRAWN and text == entry.who.casefold()]
    if not meant and gone:
        raise UsageError(
            f"{gone[-1].who} was withdrawn and had {gone[-1].code}; "
            "put the student on the roster again, or name the code"
        )
    if not meant:
        raise UsageError(
            f"there is no code and no student '{shortened(wanted)}' in this exam; 'variants list' has them"
        )
    return meant[0]


def pinned(lock: Lock, entry: Entry, is_pinned: bool) -> Lock:
    """The lock with a variant pinned, or let go."""
    kept = [replace(one, pinned=is_pinned) if one is entry else one for one in lock.entries]
    return replace(lock, entries=tuple(kept))


def opened(
    problem: Path | None,
    target: Path,
    seed: int | None,
    secret: Path | None,
    *,
    release: str,
    fresh: bool = False,
    limits: Limits = LIMITS,
    say: Callable[[str], None],
) -> Exam:
    """An exam's folder, new or known; without a problem the one that is kept there is meant."""
    key = chosen_key(seed, secret)
    if secret is not None:
        check_secret(secret, target, say)
    folder = Folder(target)
    folder.check_free()
    lock = folder.lock() if problem is not None else folder.locked()
    given = None if problem is None else read_original(problem, limits=limits)
    if given is not None and UNPRINTABLE.search(given.name):
        raise UsageError(f"'{problem}': this name has characters that cannot be seen; rename the file")
    if given is not None and lock is not None and given.name != lock.source.problem:
        raise AttnsolveError(
            f"'{target}' is an exam of '{lock.source.problem}', not of '{given.name}'; name another folder"
        )
    is_chosen = seed is not None or secret is not None
    if lock is not None and is_chosen != fresh:  # a new one is for what is drawn anew, and only for that
        check_key(key, folder, lock.source)
    if given is not None and (lock is None or fresh):
        making = Making(folder, given, key, release=release, limits=limits)
        making.renew()
        return Exam(making, key, fresh)
    assert lock is not None
    original = known(folder, lock, given, say)
    if lock.source.release != release:
        say(f"{target} was drawn with attnsolve {lock.source.release}; what it has locked stays as it is")
    return Exam(Making(folder, original, key, release=release, limits=limits), key)


def known(folder: Folder, lock: Lock, given: Original | None, say: Callable[[str], None]) -> Original:
    """The problem as it was printed; one that was changed since is told."""
    kept = kept_original(folder, lock)
    if kept.sha256 != lock.source.sha256:
        raise Damaged(
            f"{folder.path}/problems/original.yaml, or the data beside it, was changed; "
            "restore it, or draw all anew with --fresh"
        )
    if given is not None and given.sha256 != lock.source.sha256:
        say(
            f"the problem was changed since {folder.path} was drawn; what was printed stays the truth, "
            "and whoever is new gets numbers for the problem as it was then "
            f"('attnsolve variants affected {folder.path} PROBLEM' says whom it concerns, "
            "and --fresh draws all anew)"
        )
    return kept


def check_key(key: bytes, folder: Folder, source: Source) -> None:
    """Another seed or key than that of the lock decides other numbers, so it must be a slip."""
    if fingerprint(key) != source.fingerprint:
        raise UsageError(
            f"'{folder.path}' was drawn with another seed or key; say the --seed or --key of then "
            "(or --fresh with a new one, and all is drawn anew)"
        )


def check_withdrawn(entries: Sequence[Entry], plan: Plan) -> None:
    """A roster or a number that takes the variants of many away is more likely a wrong one."""
    before = {entry.code for entry in entries if entry.is_printed and not entry.seat.is_spare}
    gone = [e for e in plan.entries if isinstance(e, Entry) and e.status == WITHDRAWN and e.code in before]
    if len(gone) > FEW and len(gone) > SHARE * len(before):
        some = ", ".join(entry.who for entry in gone[:3])
        raise AttnsolveError(
            f"{len(gone)} of {len(before)} variants would be withdrawn ({some}{', …' if gone[3:] else ''}); "
            "is it the right roster, or number (-n)? --force withdraws them"
        )


def check_secret(secret: Path, target: Path, say: Callable[[str], None]) -> None:
    """A secret must not lie where exams are handed out from, and others should not read it."""
    if secret.resolve().is_relative_to(target.resolve()):
        raise UsageError(f"the key '{secret}' lies in '{target}', which is handed out; keep it elsewhere")
    if is_open_to_others(secret):
        say(f"others can read {secret}; 'chmod 600 {secret}' changes that")
