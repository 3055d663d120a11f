"""`4 1/2` is 4½ where it cannot be two numbers."""

from fractions import Fraction

import pytest

from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.mixed_numbers import with_mixed_numbers
from attnsolve.verifier.reading.numbers import read_number
from attnsolve.verifier.reading.tables import read_table


@pytest.mark.parametrize(
    ("typed", "width", "expected"),
    [
        ("4 1/2 0", 2, "9/2 0"),
        ("-4 1/2 0", 2, "-9/2 0"),
        ("1 1/2 2 1/3", 2, "3/2 7/3"),
        ("4 1/2 0; 1 1/2", 2, "9/2 0; 1 1/2"),  # the second row has its two numbers
        ("4 1/2 0", 3, None),  # three numbers belong there
        ("4 1/2 3 1/2 0", 4, None),  # which of the two would it be?
        ("4 3/2 0", 2, None),  # nobody writes 4 and 3/2 for 5½
        ("4 -1/2 0", 2, None),
        ("4.0 1/2 0", 2, None),
        ("4 1 0", 2, None),
    ],
)
def test_only_too_many_numbers_are_mixed_ones(typed: str, width: int, expected: str | None) -> None:
    table = with_mixed_numbers(read_table(typed, Budget()), width)
    if expected is None:
        assert table is None
    else:
        assert table is not None
        found = [[written.cell.rational() for written in row if written.cell] for row in table]
        assert [list(map(Fraction, row.split())) for row in expected.split(";")] == found


@pytest.mark.parametrize(
    ("typed", "value"),
    [("4 1/2", "9/2"), ("-4 1/2", "-9/2"), ("0 3/4", "3/4"), ("4 3/2", None), ("4 1/0", None)],
)
def test_one_place_of_a_table_holds_one_number(typed: str, value: str | None) -> None:
    cell = read_number(typed, Budget()).cell
    assert value == (None if cell is None else str(cell.rational()))
