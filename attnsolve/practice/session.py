"""A practice session: a wish, and how far somebody is, give what is said and how far they are then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from attnsolve.practice.answers import empty
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.events import Event, Said, Showing, Shown, Tone, Wish, word
from attnsolve.practice.hints import hint
from attnsolve.practice.overview import helping, overview
from attnsolve.practice.progress import HIGHEST, Progress, Work
from attnsolve.practice.standing import Stand, Standing, standing
from attnsolve.practice.summary import round_of, score, summary
from attnsolve.practice.verdicts import verdict_on
from attnsolve.rendering.text import say

Speech = tuple[Said | Shown, ...]


class Reply(NamedTuple):
    """What is said to an event, and how far somebody is after it."""

    progress: Progress
    said: Speech = ()
    leaves: bool = False  # whether the session ends here


def opened(drill: Drill, progress: Progress) -> Reply:
    """How a session begins, or goes on: the question, and how far one is."""
    found = standing(drill, progress)
    known = progress.at in drill.by_name
    at = progress.at if known else next(iter(found.open), drill.names[0])
    said: list[Said | Shown] = [Shown(Showing.QUESTION, drill.by_name[at].part.id, opens=True)]
    if progress.works:
        said += [Said(Tone.NOTE, say("You go on where you left.")), Said(Tone.NOTE, score(drill, found))]
    else:
        if progress.variant:
            which = say("Variant {number}.", number=progress.variant)
            said.append(Said(Tone.NOTE, which, at_prompt=True))
        help = say("Type your numbers; {hint}, {show} and {help} help.", **commands())
        said.append(Said(Tone.NOTE, help, at_prompt=True))
    return Reply(replace(progress, at=at), (*said, Shown(Showing.VALUE, at)))


def commands() -> dict[str, str]:
    """The words that help, each by its name."""
    return {wish.value: word(wish) for wish in (Wish.HINT, Wish.SHOW, Wish.HELP)}


def reply(drill: Drill, progress: Progress, event: Event) -> Reply:
    """What is said to an event, and how far somebody is after it."""
    value = drill.by_name[event.name or progress.at]
    match event.wish:
        case Wish.ANSWER:
            return answered(drill, progress, value, event)
        case Wish.ROW:
            return with_row(drill, progress, value, event)
        case Wish.GO:
            return gone(drill, progress, value)
        case Wish.HINT:
            return hinted(drill, progress, value)
        case Wish.NEXT:
            return gone_on(drill, progress, value)
        case Wish.BACK:
            place = drill.names.index(value.name)
            return gone(drill, progress, drill.values[max(0, place - 1)])
        case Wish.SHOW:
            return shown(drill, progress, value)
        case Wish.NEW:
            return renewed(drill, progress)
        case Wish.LIST:
            return Reply(progress, tuple(overview(drill, progress, standing(drill, progress))))
        case Wish.HELP:
            return Reply(progress, tuple(helping(value)))
        case Wish.QUIT:
            return Reply(progress, tuple(summary(drill, progress, standing(drill, progress))), leaves=True)


def answered(drill: Drill, progress: Progress, value: Value, event: Event) -> Reply:
    """The verdict on an answer; whoever is right goes on."""
    was = progress.work(value.name)
    told = replace(was, cells=event.cells, hints=min(was.hints, 1))
    now = progress.with_work(value.name, told).gone_to(value.name)
    if value.kind is ValueKind.WORDS:
        compare = say("{show} has the written answer to compare with.", show=word(Wish.SHOW))
        said = on_claims(drill, value, event) or (Said(Tone.NOTE, say("Nobody judges this.")),)
        return Reply(now, (*said, Said(Tone.NOTE, compare, at_prompt=True)))
    found = standing(drill, now)
    stand = found.stands[value.name]
    now = now.with_work(value.name, counted(told, value, found, stand))
    said_now = tuple(verdict_on(drill, value, now, found))
    if not stand.is_settled:
        return Reply(now, said_now)
    on = gone_on(drill, now, value, found=found)
    return on._replace(said=(*said_now, *on.said))


def counted(work: Work, value: Value, found: Standing, stand: Stand) -> Work:
    """Work with one try more, and with the mistake that it shows; what was not read is no try."""
    if stand in (Stand.UNCLEAR, Stand.OPEN, Stand.PARTLY):
        return work
    step = found.step(value.name)
    names = [] if step is None or stand is not Stand.WRONG else [one.name for one in step.mistakes]
    return replace(work, tries=work.tries + 1, mistakes=tuple(dict.fromkeys([*work.mistakes, *names])))


def with_row(drill: Drill, progress: Progress, value: Value, event: Event) -> Reply:
    """One row more of an answer, which is judged when it has all of them or when no more come."""
    before = progress.rows if progress.at == value.name else ()
    rows = (*before, *event.cells)
    if len(rows) < value.shape[0] and event.cells:
        return Reply(replace(progress.gone_to(value.name), rows=rows))
    kept = (*rows, *empty(value.shape)[len(rows) :])
    return answered(drill, progress, value, Event(Wish.ANSWER, value.name, kept))


def on_claims(drill: Drill, value: Value, event: Event) -> Speech:
    """The verdicts on claims in an answer in words, where the question is about symbols."""
    if value.part.abstract is None or not event.cells:
        return ()
    from attnsolve.practice.claimed import claims_judged  # SymPy, which few exercises need

    return tuple(claims_judged(drill, value, event.cells[0][0]))


def gone(drill: Drill, progress: Progress, value: Value) -> Reply:
    """Another value, with the question of its part where that is another one."""
    asked = (*question(drill, progress, value), Shown(Showing.VALUE, value.name))
    return Reply(progress.gone_to(value.name), asked)


def question(drill: Drill, progress: Progress, value: Value) -> Iterator[Said | Shown]:
    """The question of a value, if it is not the one that stands above already."""
    now = drill.by_name.get(progress.at)
    if now is None or now.part.id != value.part.id:
        yield Shown(Showing.QUESTION, value.part.id)


def gone_on(drill: Drill, progress: Progress, value: Value, *, found: Standing | None = None) -> Reply:
    """The next value that there is something to do for, after this one or before it; or the end."""
    found = found or standing(drill, progress)
    place = drill.names.index(value.name)
    names = [*drill.names[place + 1 :], *drill.names[:place]]
    following = next((name for name in names if not found.stands[name].is_settled), "")
    if following:
        return gone(drill, progress, drill.by_name[following])
    if not found.stands[value.name].is_settled:
        return Reply(progress, (Said(Tone.NOTE, say("This is the last value that is open.")),))
    done = Said(Tone.GOOD, say("That was all of it."))
    return Reply(progress, (done, *summary(drill, progress, found)))


def hinted(drill: Drill, progress: Progress, value: Value) -> Reply:
    """The next hint for a value."""
    found = standing(drill, progress)
    if found.stands[value.name] in (Stand.RIGHT, Stand.FOLLOWS):
        on = say("{next} goes on.", next=word(Wish.NEXT))
        said = Said(Tone.NOTE, say("This is right already.")), Said(Tone.NOTE, on, at_prompt=True)
        return Reply(progress, said)
    work = progress.work(value.name)
    level = min(work.hints + 1, HIGHEST)
    told = replace(work, hints=level, helped=max(work.helped, level))
    told_now = [Said(Tone.HINT, words) for words in hint(drill, value, found, level)]
    if level == HIGHEST and value.kind is ValueKind.NUMBERS:
        whole = say("{show} has the whole step.", show=word(Wish.SHOW))
        told_now += [Said(Tone.NOTE, say("That was the last hint.")), Said(Tone.NOTE, whole, at_prompt=True)]
    at = progress.at
    return Reply(replace(progress.with_work(value.name, told), at=at, rows=progress.rows), tuple(told_now))


def shown(drill: Drill, progress: Progress, value: Value) -> Reply:
    """How a value is worked out; what was typed for it is forgotten: later ones start from the right one."""
    work = progress.work(value.name)
    settled = standing(drill, progress).stands[value.name] in (Stand.RIGHT, Stand.FOLLOWS)
    cells = work.cells if value.kind is ValueKind.WORDS else ()
    looked = work if settled else replace(work, cells=cells, shown=True, hints=HIGHEST)
    now = progress.with_work(value.name, looked)
    on = gone_on(drill, now, value)
    return on._replace(said=(Shown(Showing.WORKED, value.name), *on.said))


def renewed(drill: Drill, progress: Progress) -> Reply:
    """Another variant, where the problem has some; what was done is remembered in short."""
    if drill.trace.problem.vary is None and not progress.variant:
        said = say("This exercise says nothing about what may vary, so there are no other numbers for it.")
        return Reply(progress, (Said(Tone.NOTE, said),))
    rounds = progress.rounds
    if progress.works:
        rounds = (*rounds, round_of(drill, progress, standing(drill, progress)))
    return Reply(Progress(variant=progress.variant + 1, rounds=rounds))
