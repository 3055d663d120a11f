"""Why numbers are wrong: known mistakes, slips, and what speaks for them."""
