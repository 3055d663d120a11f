"""How fast attnsolve is beside SymPy, numpy and a bare interpreter: `python -m benchmarks`."""
