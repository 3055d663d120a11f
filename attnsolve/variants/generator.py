"""The generator of all draws: HMAC-SHA256 in counter mode, the same on every machine and in every release.

A stream belongs to a key and some labels (problem, version, identity, what is drawn). Block n of it is
HMAC-SHA256(key, label_1 NUL label_2 NUL … NUL n), read as eight big-endian words of 32 bits. A number below
m is word mod m; words from the last, incomplete run of m are thrown away, so that all are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import TypeVar

from attnsolve.errors import UsageError

Item = TypeVar("Item")

WORDS = 2**32
BLOCK = Struct(">8I")
HASHED = 64  # bytes that SHA-256 takes at a time
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
# Letters and digits that cannot be mistaken for one another on paper.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH = 4
SHORTEST_KEY = 16
# Everybody learns the same: what is usual belongs to the problem, not to the key of one exam.
CALIBRATION = b"attnsolve calibration"


class Stream:
    """An endless row of numbers that only the key and the labels decide."""

    def __init__(self, key: bytes, *labels: object) -> None:
        blocks = _blocks(key, "\0".join(map(str, labels)))
        self._word: Callable[[], int] = chain.from_iterable(map(BLOCK.unpack, blocks)).__next__

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, not including, `limit`."""
        return self.choose(range(limit))

    def choose(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        limit = len(items)
        while True:
            word = self._word()
            if word < WORDS - limit or word < WORDS - WORDS % limit:  # mostly the first says so
                return items[word % limit]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """All of the items in some order (Fisher and Yates)."""
        kept = list(items)
        for last in range(len(kept) - 1, 0, -1):
            other = self.below(last + 1)
            kept[last], kept[other] = kept[other], kept[last]
        return kept

    def code(self) -> str:
        """A short code for the top of a page, such as K7Q2."""
        return "".join(self.choose(ALPHABET) for _ in range(CODE_LENGTH))


def _blocks(key: bytes, label: str) -> Iterator[bytes]:
    # HMAC as RFC 2104 has it; what all blocks begin with is hashed once, which `hmac` would do for each.
    key = (sha256(key).digest() if len(key) > HASHED else key).ljust(HASHED, b"\0")
    labelled = f"{label}\0".encode(errors="surrogatepass")  # the name of a file need not be text
    inner, outer = sha256(key.translate(INNER) + labelled), sha256(key.translate(OUTER))
    for block in count():
        message, whole = inner.copy(), outer.copy()
        message.update(b"%d" % block)
        whole.update(message.digest())
        yield whole.digest()


def key_of_seed(seed: int) -> bytes:
    """The key of a seed that anybody may know."""
    return sha256(f"attnsolve seed {seed}".encode()).digest()


def key_of_secret(secret: bytes) -> bytes:
    """The key of a secret, such as the bytes of a key file; white space around it does not count."""
    kept = secret.strip()
    if len(kept) < SHORTEST_KEY:
        raise UsageError(
            f"the key has {len(kept)} characters; a secret needs at least {SHORTEST_KEY}, "
            "such as 'attnsolve variants key exam.key' writes"
        )
    return sha256(b"attnsolve key " + kept).digest()
