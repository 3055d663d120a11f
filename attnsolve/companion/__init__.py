"""The same exercise in PyTorch and NumPy: does it agree, scripts that run without us, trained layers."""
