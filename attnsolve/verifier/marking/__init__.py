"""What was written and found, as marks."""
