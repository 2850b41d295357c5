"""Shared parts of the measures of changed summaries."""

from __future__ import annotations

from typing import ClassVar

from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import Draws, setting
from fairsum_utils.settings.models import InferenceSettings


class SensitivityMeasure(InferenceSettings, Measure):
    """Measures that compare and test the summaries of an original.

    Example:
        >>> SensitivityMeasure(n_permutations=0, module="counterfactual_gap")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: counterfactual_gap: n_permutations must be a whole number of at least 1, found
        int 0
    """

    family = "sensitivity"
    needs: ClassVar[tuple[str, ...]] = ("predictions", "article_ids", "variants")
    takes: ClassVar[tuple[str, ...]] = ("replicates", "controls")
    needs_all_rows = True

    n_permutations: Draws = setting(
        1000,
        "number of random assignments in the permutation test if there are too many to enumerate",
        key="perms",
        stage="results",
    )


class MaskedMeasure(SensitivityMeasure):
    """Measures that compare summaries without the words that the edit changed."""

    takes = ("replicates", "controls", "changed", "sources")

    neutral: bool = setting(
        True,
        "before comparing summaries, mask the `changed` words of the original and make pronouns and titles neutral",
        key="neutral",
        space=True,
    )
