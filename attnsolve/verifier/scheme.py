"""The mark scheme, where the verifier looks for it."""

from attnsolve.scheme import EACH, Scheme, Worth, worth

__all__ = ["EACH", "Scheme", "Worth", "worth"]
