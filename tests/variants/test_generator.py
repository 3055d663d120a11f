"""The generator of all draws against its own definition, spelled out a second time."""

import hashlib
from collections import Counter
from itertools import permutations

import pytest

from attnsolve.errors import UsageError
from attnsolve.variants import Stream, key_of_secret, key_of_seed
from attnsolve.variants.generator import ALPHABET, CODE_LENGTH

KEY = bytes(range(32))
BLOCK = 64  # bytes that SHA-256 takes at a time


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, by hand: H(key ⊕ opad, H(key ⊕ ipad, message))."""
    key = hashlib.sha256(key).digest() if len(key) > BLOCK else key
    padded = key.ljust(BLOCK, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def words(key: bytes, *labels: str, blocks: int) -> list[int]:
    """The documented stream: block n is the HMAC of the labels and n with NULs between, as 32-bit words."""
    found = []
    for n in range(blocks):
        digest = hmac_sha256(key, b"\0".join(label.encode() for label in (*labels, str(n))))
        found += [sum(digest[at + k] << 8 * (3 - k) for k in range(4)) for at in range(0, 32, 4)]
    return found


def test_the_hmac_of_this_test_is_that_of_rfc_4231() -> None:
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert expected == hmac_sha256(b"Jefe", b"what do ya want for nothing?").hex()


def test_the_seed_2026_has_the_key_that_is_documented() -> None:
    assert hashlib.sha256(b"attnsolve seed 2026").digest() == key_of_seed(2026)


@pytest.mark.parametrize("limit", [2, 7, 10, 1000])
def test_numbers_are_the_words_of_the_stream_modulo_the_limit(limit: int) -> None:
    stream = Stream(KEY, "practical-10", 1, "Ada Lovelace ß", "numbers")
    expected = words(KEY, "practical-10", "1", "Ada Lovelace ß", "numbers", blocks=5)
    fair = [word for word in expected if word < 2**32 // limit * limit]
    assert [word % limit for word in fair] == [stream.below(limit) for _ in fair]


def test_words_of_the_last_incomplete_run_are_thrown_away() -> None:
    limit = 2**31 + 1  # only one run fits, so that almost half of the words must go
    given = words(KEY, "x", blocks=10)
    kept = [word for word in given if word < limit]
    assert 0.4 < 1 - len(kept) / len(given) < 0.6
    stream = Stream(KEY, "x")
    assert kept == [stream.below(limit) for _ in kept]


@pytest.mark.parametrize("limit", [2, 3, 6, 10, 17])
def test_all_numbers_below_a_limit_are_equally_likely(limit: int) -> None:
    stream, draws = Stream(KEY, "uniform", limit), 4000
    counts = Counter(stream.below(limit) for _ in range(draws))
    assert set(range(limit)) == set(counts)
    expected = draws / limit
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    # Mean n-1 and deviation √(2(n-1)); four deviations above the mean is less than once in a thousand.
    assert chi_square < (limit - 1) + 4 * (2 * (limit - 1)) ** 0.5


def test_labels_and_key_each_change_the_stream() -> None:
    def first(*labels: object, key: bytes = KEY) -> tuple[int, ...]:
        stream = Stream(key, *labels)
        return tuple(stream.below(1000) for _ in range(6))

    others = [
        first("a", 1, "2"),
        first("a", 2, "1"),
        first("b", 1, "1"),
        first("a", 1, "11"),
        first("a", 11, "1"),
    ]
    others.append(first("a", 1, "1", key=KEY[::-1]))
    assert len({first("a", 1, "1"), *others}) == 7
    assert first("a", 1, "1") == first("a", 1, "1")


def test_a_shuffled_list_has_the_same_items() -> None:
    stream, items = Stream(KEY, "shuffle"), ["a", "b", "b", "c", "d"]
    for _ in range(50):
        assert items == sorted(stream.shuffled(items))
    assert ["a", "b", "b", "c", "d"] == items


def test_every_order_of_three_is_equally_likely() -> None:
    stream, draws = Stream(KEY, "orders"), 3000
    counts = Counter("".join(stream.shuffled("abc")) for _ in range(draws))
    assert {"".join(order) for order in permutations("abc")} == set(counts)
    assert sum((count - draws / 6) ** 2 / (draws / 6) for count in counts.values()) < 5 + 4 * 10**0.5


def test_a_shuffle_takes_the_last_place_first_as_fisher_and_yates_do() -> None:
    numbers = Stream(KEY, "by hand")
    last, middle = numbers.below(3), numbers.below(2)
    expected = ["a", "b", "c"]
    expected[2], expected[last] = expected[last], expected[2]
    expected[1], expected[middle] = expected[middle], expected[1]
    assert expected == Stream(KEY, "by hand").shuffled("abc")


def test_codes_have_no_characters_that_look_alike() -> None:
    assert not set("01IO") & set(ALPHABET)
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    codes = {Stream(KEY, number).code() for number in range(200)}
    assert {CODE_LENGTH} == {len(code) for code in codes}
    assert set("".join(codes)) <= set(ALPHABET)
    assert len(codes) > 195


def test_white_space_around_a_secret_does_not_count() -> None:
    secret = b"correct horse battery staple"
    assert hashlib.sha256(b"attnsolve key " + secret).digest() == key_of_secret(b"  " + secret + b"\r\n")
    assert key_of_secret(secret) != key_of_secret(secret.upper())


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the key has 15 characters; a secret needs at least 16"):
        key_of_secret(b"123456789012345 \n")
    assert key_of_secret(b"1234567890123456")
