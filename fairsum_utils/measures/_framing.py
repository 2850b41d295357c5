"""Shared parts of framing and position bias."""

from __future__ import annotations

from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import ChanceSettings, TextSettings


class SourceMeasure(TextSettings, ChanceSettings, Measure):
    """Measures that compare a summary with its sources, sentence by sentence."""

    family = "framing"
