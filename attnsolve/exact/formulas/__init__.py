"""Formulas with symbols, decided exactly: rational functions of symbols, roots and exponentials."""
