"""A whole exam: who sits it, whose numbers are whose, what was printed, and what changes afterwards."""
