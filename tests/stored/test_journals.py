"""Lines that are kept as they are made: what was torn or changed is known."""

import pytest

from attnsolve.stored import line_of, records_in

RECORDS = [{"piece": "a", "marks": [1, "½"]}, {"piece": "b"}]
TEXT = "".join(map(line_of, RECORDS))


def test_lines_are_read_as_they_were_written() -> None:
    assert RECORDS == list(records_in(f"\n{TEXT}\n\n"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TEXT[:-5], [RECORDS[0], None]),
        (TEXT.replace('"b"', '"c"'), [RECORDS[0], None]),
        (TEXT.replace("[1,", "[2,"), [None, RECORDS[1]]),
        ('{"piece": "a"}\n' + TEXT, [None, *RECORDS]),
        ("<<<<<<< HEAD\n" + TEXT, [None, *RECORDS]),
        ("[" * 100_000, [None]),
        (f"{TEXT[:20]}\n{TEXT}", [None, *RECORDS]),
    ],
)
def test_a_line_that_was_torn_or_changed_is_none(text: str, found: list[object]) -> None:
    assert found == list(records_in(text))
