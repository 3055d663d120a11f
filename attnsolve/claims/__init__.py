"""Claims about an attention with symbols, judged: proofs and counter-examples decide, never samples."""
