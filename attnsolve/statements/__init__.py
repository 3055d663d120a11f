"""What is stated with symbols: formulas, assumptions and claims as trees, read by a safe grammar."""
