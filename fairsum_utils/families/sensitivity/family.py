"""Sensitivity family: changes of a summary with the person or the order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.reading import Reads
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.measures.counterfactual_outcomes import ENGLISH_OUTCOMES

_ORDER = ("order_sensitivity",)


class SensitivityFamilyFamily(Family):
    """Texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> results."""

    name = "sensitivity"
    by_sample = False
    place = 5
    columns = (
        PREDICTIONS._replace(needed=True),
        ARTICLE_IDS._replace(
            needed=True,
            help="id of the original: string or whole number",
            without=None,
        ),
        Column(
            name="variants",
            entry="variant",
            kind=str,
            help="variant of the input: a group, or an order of the sources",
            needed=True,
            in_file="variant",
            labels=True,
        ),
        Column(
            name="replicates",
            entry="replicate",
            kind=str,
            help="id of the summary among the summaries of one input; None if unknown",
            in_file="replicate",
            without="number the summaries of each input",
            sparse=True,
        ),
        Column(
            name="controls",
            entry="control",
            kind=str,
            help="id of the control (an edit that should not matter, such as another city); None for no control",
            in_file="control",
            without="use no controls",
            sparse=True,
        ),
        Column(
            name="changed",
            entry="changed",
            kind=list[str],
            help="words that the edit inserted into the input, such as names and places; they do not count as "
            "differences",
            taken=("counterfactual_gap", "counterfactual_outcomes"),
            in_file="changed",
            label="word that the edit inserted",
            without="count all words",
            sparse=True,
        ),
        SOURCES._replace(
            help="the source texts in the order of the input, at least one",
            needed=_ORDER,
            taken=(*_ORDER, "counterfactual_gap", "counterfactual_outcomes"),
            without="show no inputs in reports",
            sparse=True,
        ),
        VALUES._replace(needed=_ORDER, taken=_ORDER),
    )
    returns = (
        "`variants` (variant -> its inputs), `n_samples`, `n_articles` (originals), `n_inputs`, `n_controls`, "
        "`n_replicated`, `n_repeated`, `n_skipped`, `skipped`, `settings` and `signature`; with `confidence_level` "
        "also intervals of `{name}`, `_ci` by resampling originals, widened for small numbers, and `_ci_within` "
        "by resampling the summaries of each input, and their `_lost`; with `return_samples` also `samples`; "
        "`undefined` explains why the score or an interval is nan."
    )
    urls = ("https://arxiv.org/abs/2506.19028",)
    citation = """\
@inproceedings{xu-etal-2025-quantifying,
  title     = {Quantifying Fairness in {LLM}s Beyond Tokens: A Semantic and Statistical Perspective},
  author    = {Xu, Weijie and Wang, Yiwen and Xue, Chi and Hu, Xiangkun and Fang, Xi and Dong, Guimin and
               Reddy, Chandan K.},
  booktitle = {Second Conference on Language Modeling (COLM)},
  year      = {2025},
  url       = {https://arxiv.org/abs/2506.19028}
}
"""

    def uses_model(self, measures: Collection[str], settings: SensitivityMeasure, given: Collection[str]) -> bool:
        """Check whether a neural model scores or compares the summaries."""
        from fairsum_utils.families.sensitivity.tally import tally_of

        return any(tally_of(measure).asks_model(settings) for measure in measures)

    def reads(self, measure: str, settings: Mapping[str, Any]) -> Reads:
        """Return whether English words, or words between spaces, are read."""
        if measure == _ORDER[0]:
            return Reads(words=True, sources=True)
        if measure == "counterfactual_outcomes":
            return Reads(words=True, english=not ENGLISH_OUTCOMES.isdisjoint(settings["outcomes"]))
        return Reads(words=settings["distance"] != "embedding", english=settings["neutral"])

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Check whether summaries are compared with those of other samples."""
        return True


FAMILY = SensitivityFamilyFamily()
