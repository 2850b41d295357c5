"""Fairness in training: logging, rewards, preferences and reranking.

`metrics` and `callback` log the fairness of a Trainer's summaries; `rewards` and `rerank` let TRL train on it, and
choose the fairest candidates. A model that matches or entails is loaded once.
"""

from fairsum_utils.training.callback import fairness_callback
from fairsum_utils.training.metrics import ComputeMetrics, make_compute_metrics
from fairsum_utils.training.rerank import PreferencePairs, Ranking, preference_pairs, rerank
from fairsum_utils.training.rewards import FairnessReward, Verdict, fairness_reward

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
