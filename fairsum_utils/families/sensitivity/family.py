"""Sensitivity family: changes of a summary with the person or the order."""

from __future__ import annotations

from collections.abc import Collection

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.sensitivity.settings import SensitivitySettings

_ORDER = ("order_sensitivity",)


class Sensitivity(Family):
    """Texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> results."""

    name = "sensitivity"
    by_sample = False
    place = 5
    columns = (
        PREDICTIONS._replace(needed=True),
        ARTICLE_IDS._replace(
            needed=True,
            help="the original that the input of a summary was made from, a string or a whole number",
            without=None,
        ),
        Column(
            name="variants",
            entry="variant",
            kind=str,
            help="the group, or the order, that the input of the summary had",
            needed=True,
            in_file="variant",
        ),
        Column(
            name="replicates",
            entry="replicate",
            kind=str,
            help="which of the summaries of one input this is: a string or a whole number, None if that is not known",
            in_file="replicate",
            without="tell the summaries of an input apart by their place",
            sparse=True,
        ),
        Column(
            name="controls",
            entry="control",
            kind=str,
            help="an edit of the input that should not matter, such as another place or date, by its id: a string or a "
            "whole number, None for an input without one",
            in_file="control",
            without="take each input for one without such an edit",
            sparse=True,
        ),
        Column(
            name="changed",
            entry="changed",
            kind=list[str],
            help="the words that stand in the input because of its variant or its control edit, such as names, titles, "
            "places and dates: they are no difference",
            taken=("counterfactual_gap", "counterfactual_outcomes"),
            in_file="changed",
            label="word that the variant or the control edit put in",
            without="know of no such words",
            sparse=True,
        ),
        SOURCES._replace(
            help="the source texts of an input, in its order, at least one",
            needed=_ORDER,
            taken=(*_ORDER, "counterfactual_gap", "counterfactual_outcomes"),
            without="show no inputs beside the summaries",
            sparse=True,
        ),
        VALUES._replace(needed=_ORDER, taken=_ORDER),
    )
    returns = (
        "`variants` (variant -> its inputs), `n_samples`, `n_articles` (originals), `n_inputs`, `n_controls`, "
        "`n_replicated`, `n_repeated`, `n_skipped`, `skipped`, `settings` and `signature`; with `confidence_level` "
        "also intervals of `{name}`, `_ci` by resampling originals, expanded for how few they are, and `_ci_within` "
        "by resampling the summaries of each input, and their `_lost`; with `return_samples` also `samples`; "
        "`undefined` says why the score or an interval is nan."
    )
    urls = ("https://arxiv.org/abs/2506.19028",)
    citation = """\
@inproceedings{xu-etal-2025-fisco,
  title     = {Quantifying Fairness in {LLM}s Beyond Tokens: A Semantic and Statistical Perspective},
  author    = {Xu, Weijie and Wang, Yiwen and Xue, Chi and Hu, Xiangkun and Fang, Xi and Dong, Guimin and
               Reddy, Chandan K.},
  booktitle = {Second Conference on Language Modeling (COLM)},
  year      = {2025},
  url       = {https://arxiv.org/abs/2506.19028}
}
"""
    settings_class = SensitivitySettings

    def uses_model(self, measures: Collection[str], settings: SensitivitySettings, given: Collection[str]) -> bool:
        """Check whether a neural model scores or compares the summaries."""
        from fairsum_utils.families.sensitivity.tally import tally_of

        return any(tally_of(measure).asks_model(settings) for measure in measures)

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Check whether summaries are compared with those of other samples."""
        from fairsum_utils.families.sensitivity.tally import tally_of

        return any(tally_of(measure).compared_types for measure in measures)


FAMILY = Sensitivity()
