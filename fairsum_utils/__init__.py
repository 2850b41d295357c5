"""Fairness and bias measures for summaries and generated text.

The names below are imported when they are first used, so that ``import fairsum_utils`` costs nothing.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING

from fairsum_utils._version import __version__

if TYPE_CHECKING:
    from fairsum_utils.api import compare, compare_systems, compute, score
    from fairsum_utils.combining import combine
    from fairsum_utils.corpora.loading import export_dataset, load_dataset
    from fairsum_utils.errors import CheckFailed, FairSumError, InputError
    from fairsum_utils.gate import check
    from fairsum_utils.integrations.modules import load
    from fairsum_utils.measures import Measure
    from fairsum_utils.measures.auc import AUC
    from fairsum_utils.measures.bur import BUR
    from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
    from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes
    from fairsum_utils.measures.coverage_parity import CoverageParity
    from fairsum_utils.measures.distinguishability import Distinguishability
    from fairsum_utils.measures.entity_hallucination import EntityHallucination
    from fairsum_utils.measures.entity_inclusion import EntityInclusion
    from fairsum_utils.measures.equal_coverage import EqualCoverage
    from fairsum_utils.measures.framing import Framing
    from fairsum_utils.measures.gender_polarity import GenderPolarity
    from fairsum_utils.measures.misattribution import Misattribution
    from fairsum_utils.measures.omission import Omission
    from fairsum_utils.measures.order_sensitivity import OrderSensitivity
    from fairsum_utils.measures.position_bias import PositionBias
    from fairsum_utils.measures.psycholinguistic_norms import PsycholinguisticNorms
    from fairsum_utils.measures.regard import Regard
    from fairsum_utils.measures.sentiment import Sentiment
    from fairsum_utils.measures.sof import SOF
    from fairsum_utils.measures.toxicity import Toxicity
    from fairsum_utils.measures.uer import UER
    from fairsum_utils.measures.word_list_inclusion import WordListInclusion
    from fairsum_utils.results import read_results

__all__ = [
    "AUC",
    "BUR",
    "SOF",
    "UER",
    "CheckFailed",
    "CounterfactualGap",
    "CounterfactualOutcomes",
    "CoverageParity",
    "Distinguishability",
    "EntityHallucination",
    "EntityInclusion",
    "EqualCoverage",
    "FairSumError",
    "Framing",
    "GenderPolarity",
    "InputError",
    "Measure",
    "Misattribution",
    "Omission",
    "OrderSensitivity",
    "PositionBias",
    "PsycholinguisticNorms",
    "Regard",
    "Sentiment",
    "Toxicity",
    "WordListInclusion",
    "__version__",
    "check",
    "combine",
    "compare",
    "compare_systems",
    "compute",
    "export_dataset",
    "load",
    "load_dataset",
    "read_results",
    "score",
]

# Modules of what is no measure; that of a measure follows from the name of its class.
_HOMES = {
    "CheckFailed": "fairsum_utils.errors",
    "FairSumError": "fairsum_utils.errors",
    "InputError": "fairsum_utils.errors",
    "Measure": "fairsum_utils.measures",
    "check": "fairsum_utils.gate",
    "combine": "fairsum_utils.combining",
    "compare": "fairsum_utils.api",
    "compare_systems": "fairsum_utils.api",
    "compute": "fairsum_utils.api",
    "export_dataset": "fairsum_utils.corpora.loading",
    "load": "fairsum_utils.integrations.modules",
    "load_dataset": "fairsum_utils.corpora.loading",
    "read_results": "fairsum_utils.results",
    "score": "fairsum_utils.api",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    file = re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return getattr(importlib.import_module(_HOMES.get(name, f"{__name__}.measures.{file}")), name)


def __dir__() -> list[str]:
    return __all__
