"""Attention with symbols, derived line by line: scores, weights, outputs, limits, thresholds, tables."""
