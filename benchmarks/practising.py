"""What a practice page asks of Python, and how long it takes; for CPython and the Python of browsers."""

import json
import sys
import time
from collections.abc import Callable

from attnsolve.practice.browser import Desk

VERDICTS, VARIANTS = 20, 5


def times(text: str, clock: Callable[[], float]) -> dict[str, float]:
    """Processor seconds by name, from the start of the process."""
    desk = Desk()

    def send(**message: object) -> None:
        assert "faults" not in json.loads(desk.handle(json.dumps(message)))

    def each(work: Callable[[int], None], number: int) -> float:
        begun = clock()
        for place in range(number):
            work(place)
        return (clock() - begun) / number

    send(kind="open", text=text, name="exercise")
    started = clock()

    def judge(place: int) -> None:
        send(kind="wish", wish="answer", name="a.S", cells=[[f"4.{place}", "0", "4.5", "0"]])

    judge(5)
    verdict = each(judge, VERDICTS)
    first = each(lambda place: send(kind="wish", wish="new"), 1)
    later = each(lambda place: send(kind="wish", wish="new"), VARIANTS)
    return {"start": started, "verdict": verdict, "first new variant": first, "another variant": later}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(json.dumps(times(file.read(), time.process_time)))
