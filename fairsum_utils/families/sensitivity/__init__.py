"""Sensitivity family: changes of a summary with the person or the order."""

from __future__ import annotations

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES

_ORDER = ("order_sensitivity",)


class SensitivityFamily(Family):
    """Texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> results."""

    name = "sensitivity"
    by_sample = False
    place = 5
    columns = (
        PREDICTIONS,
        ARTICLE_IDS._replace(without=None),
        Column(
            name="variants",
            entry="variant",
            kind=str,
            help="variant of the input: a group, or an order of the sources",
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
            in_file="changed",
            label="word that the edit inserted",
            without="count all words",
            sparse=True,
        ),
        SOURCES._replace(
            help="the source texts in the order of the input, at least one",
            without="show no inputs in reports",
            sparse=True,
        ),
        VALUES,
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


FAMILY = SensitivityFamily()
