"""Fairness and bias measures for summaries and generated text."""

from fairsum_utils._version import __version__

__all__ = ["__version__"]
