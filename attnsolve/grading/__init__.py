"""A whole class: what was handed in, marked in workers that can be killed, and what is written about it."""
