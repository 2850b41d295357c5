"""Framing family: changed sentiment and preferred positions of summaries."""

from __future__ import annotations

from fairsum_utils.families import Family
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES


class FramingFamily(Family):
    """Texts -> a scorer for each measure -> rows -> `FramingTable` -> results."""

    name = "framing"
    place = 7
    columns = (
        PREDICTIONS,
        SOURCES._replace(help="the source texts in the order of the input, at least one"),
        VALUES._replace(without="report no groups"),
    )
    citation = """\
@inproceedings{alessa-etal-2025-quantifying,
  title     = {Quantifying Cognitive Bias Induction in {LLM}-Generated Content},
  author    = {Alessa, Abeer and Somane, Param and Lakshminarasimhan, Akshaya Thenkarai and Skirzynski, Julian and
               McAuley, Julian and Echterhoff, Jessica Maria},
  booktitle = {Proceedings of IJCNLP-AACL 2025},
  pages     = {2890--2910},
  year      = {2025},
  url       = {https://aclanthology.org/2025.ijcnlp-long.155/}
}
"""
    returns = (
        "figures of the measure, see its card; `n_samples`, `n_skipped`, `skipped`, `settings`, `signature` and "
        "`warnings`; with `confidence_level` also `{name}_ci` and `{name}_ci_lost`; with `at_random` also "
        "`{name}_at_random`, the chance level, and `{name}_at_random_error`; with `return_samples` also `samples`; "
        "`undefined` says why a score is nan."
    )
    urls = ("https://arxiv.org/abs/2507.03194",)


FAMILY = FramingFamily()
