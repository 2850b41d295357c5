"""Fairness in training loops: logged by a Trainer, rewarded, preferred, and chosen among candidates.

`metrics` and `callback` tell a Trainer how fair its summaries are; `rewards` and `preferences` let TRL train on it;
`rerank` needs no training. All score by a session (`scoring`), so that a model that matches or entails is loaded once.
"""

from fairsum_utils.training.callback import fairness_callback
from fairsum_utils.training.metrics import ComputeMetrics, make_compute_metrics
from fairsum_utils.training.preferences import PreferencePairs, preference_pairs
from fairsum_utils.training.rerank import Ranking, rerank
from fairsum_utils.training.rewards import FairnessReward, fairness_reward
from fairsum_utils.training.verdicts import Verdict

__all__ = [
    "ComputeMetrics",
    "FairnessReward",
    "PreferencePairs",
    "Ranking",
    "Verdict",
    "fairness_callback",
    "fairness_reward",
    "make_compute_metrics",
    "preference_pairs",
    "rerank",
]
