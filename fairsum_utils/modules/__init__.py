"""Base of the `evaluate` modules, for the scripts in ``metrics/`` alone.

The library needs neither `evaluate` nor `datasets`. A script reaches the base through this package, because the loader
of `evaluate` takes the first class of its kind that it meets in a script.
"""

from fairsum_utils.modules.base import Metric, describe

__all__ = ["Metric", "describe"]
