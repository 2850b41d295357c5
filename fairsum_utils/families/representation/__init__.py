"""Representation family: BUR, UER, AUC and SOF (Zhang et al. 2024)."""

from __future__ import annotations

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES


class RepresentationFamily(Family):
    """Texts -> `DistributionScorer` -> rows -> `DistributionTable` -> results."""

    name = "representation"
    place = 1
    columns = (
        PREDICTIONS,
        SOURCES,
        VALUES,
        Column(
            name="target_distributions",
            entry="distribution",
            kind=dict[str, float],
            help="group -> its share of the summary, or its count, for example from annotators; replaces the matcher",
            of_system=True,
        ),
    )
    citation = """\
@inproceedings{zhang-etal-2024-fair,
  title     = {Fair Abstractive Summarization of Diverse Perspectives},
  author    = {Zhang, Yusen and Zhang, Nan and Liu, Yixin and Fabbri, Alexander and Liu, Junru and Kamoi, Ryo and
               Lu, Xiaoxin and Xiong, Caiming and Zhao, Jieyu and Radev, Dragomir and McKeown, Kathleen and Zhang, Rui},
  booktitle = {Proceedings of NAACL-HLT 2024},
  year      = {2024},
  url       = {https://aclanthology.org/2024.naacl-long.187}
}
"""
    returns = (
        "`{name}_multi_value`, `n_multi_value`, `n_by_value`, `ratio_by_value`, `n_samples`, `n_skipped`, `skipped`, "
        "`n_unmatched`, `settings`, `signature` and `warnings`; with a neural matcher also `n_truncated`; with "
        "`confidence_level` also `{name}_ci` and `{name}_ci_lost`; with `at_random` also `{name}_at_random`, the "
        "chance level, `{name}_at_random_error` and `{name}_at_random_range` (not of sof); with `return_samples` also "
        "`samples`; `undefined` explains why a score is nan."
    )
    urls = ("https://aclanthology.org/2024.naacl-long.187", "https://github.com/psunlpgroup/FairSumm")


FAMILY = RepresentationFamily()
