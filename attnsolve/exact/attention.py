"""Attention rows: Σ N/D, where N and D map exponents to coefficients.

Softmax keeps one exponent per cell (`Exponentials`); as soon as values are mixed in, each row is a
few terms over shared denominators (`Mixtures`), and heads are never multiplied out.
"""

from attnsolve.exact.exponentials import Exponentials, exponentials
from attnsolve.exact.mixtures import Mixtures, Term
from attnsolve.exact.totals import Scale, Total

__all__ = ["Exponentials", "Mixtures", "Scale", "Term", "Total", "exponentials"]
