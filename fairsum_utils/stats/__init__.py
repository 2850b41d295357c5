"""Resampling and tests in plain NumPy."""
