"""Derivations in print: formulas with symbols, lines with their reasons, tables and judged claims."""
