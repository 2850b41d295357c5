"""Coverage family: Equal Coverage and Coverage Parity (Li et al. 2025)."""

from __future__ import annotations

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES


class CoverageFamily(Family):
    """Texts -> `CoverageScorer` -> rows -> `CoverageTable` -> results."""

    name = "coverage"
    place = 2
    columns = (
        PREDICTIONS,
        SOURCES,
        VALUES,
        Column(
            name="summary_units",
            entry="units",
            kind=list[str],
            help="the units of the summary; replaces the splitter",
            of_system=True,
        ),
        Column(
            name="coverage",
            entry="coverage",
            kind=list[list[float]],
            help="probabilities, one row per document and one column per unit; replaces entailer, predictions and "
            "sources",
            of_system=True,
            follows_texts=True,
        ),
    )
    citation = """\
@inproceedings{li-etal-2025-coverage,
  title     = {Coverage-based Fairness in Multi-document Summarization},
  author    = {Li, Haoyuan and Zhang, Yusen and Zhang, Rui and Chaturvedi, Snigdha},
  booktitle = {Proceedings of NAACL-HLT 2025},
  year      = {2025},
  url       = {https://aclanthology.org/2025.naacl-long.494}
}
"""
    returns = (
        "`by_dominant_value`, `n_by_value`, `mean_coverage`, `n_samples`, `n_skipped`, `skipped`, `n_truncated` and "
        "`settings`, `signature`; with `confidence_level` also `{name}_ci` and `{name}_ci_lost`; with `at_random` "
        "also `{name}_at_random`, the chance level, `{name}_at_random_error` and `{name}_at_random_range` (not of "
        "coverage_parity); with `return_samples` also `samples`; `undefined` explains why a score is nan."
    )
    urls = ("https://aclanthology.org/2025.naacl-long.494", "https://github.com/leehaoyuan/coverage_fairness")


FAMILY = CoverageFamily()
