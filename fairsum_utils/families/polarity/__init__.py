"""Polarity family: differences in tone between groups of generated texts (Dhamala et al. 2021)."""

from __future__ import annotations

from fairsum_utils.families import Family
from fairsum_utils.families.columns import GROUPS, PREDICTIONS


class PolarityFamily(Family):
    """Texts -> a `PolarityScorer` for each measure -> rows -> `PolarityTable` -> results."""

    name = "polarity"
    place = 3
    columns = (PREDICTIONS._replace(label="text"), GROUPS)
    urls = ("https://doi.org/10.1145/3442188.3445924", "https://github.com/amazon-science/bold")
    citation = """\
@inproceedings{dhamala-etal-2021-bold,
  title     = {{BOLD}: Dataset and Metrics for Measuring Biases in Open-Ended Language Generation},
  author    = {Dhamala, Jwala and Sun, Tony and Kumar, Varun and Krishna, Satyapriya and Pruksachatkun, Yada and
               Chang, Kai-Wei and Gupta, Rahul},
  booktitle = {Proceedings of the 2021 ACM Conference on Fairness, Accountability, and Transparency (FAccT)},
  year      = {2021},
  url       = {https://doi.org/10.1145/3442188.3445924}
}
"""
    returns = (
        "`proportions` and `intervals` by label; `proportions_by_group`, `intervals_by_group`, `counts_by_group` and "
        "`n_by_group`; `differences` and ratios of proportions between groups; `tests` by label, with p-values "
        "corrected by Holm; `n_samples`, `n_skipped`, `skipped`, `settings` and `signature`; with `return_samples` "
        "also `samples`; `undefined` explains why the score or its interval is nan."
    )
    task = "text-generation"
    comparable = False


FAMILY = PolarityFamily()
