"""Things that are kept in little memory come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from attnsolve.rendering.packed import Packed

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=3),
)
THINGS = st.lists(st.lists(PLAIN, max_size=4).map(tuple), max_size=6)


@given(THINGS)
def test_what_is_packed_comes_back_as_it_was(things: list[tuple[object, ...]]) -> None:
    packed = Packed()
    packed.extend(things)
    assert things == list(packed) and len(things) == len(packed)
    assert all(thing == packed[place] for place, thing in enumerate(things))


def test_of_things_that_are_alike_little_is_kept() -> None:
    packed = Packed()
    packed.extend((f"K{number}Q2", "the same words for everybody " * 20, number) for number in range(100))
    assert 40 * 99 > sum(map(len, packed._kept[1:]))
