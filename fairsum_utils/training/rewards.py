"""Fairness as a reward for TRL: reinforcement learning on how fairly a completion treats the values of its sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.training.messages import completion_text
from fairsum_utils.training.verdicts import FairnessJudge
from fairsum_utils.validation import check_columns

__all__ = ["FairnessReward", "fairness_reward"]


class FairnessReward:
    """A reward function for TRL's `GRPOTrainer` and `RLOOTrainer`; see `fairness_reward`.

    Attributes:
        __name__: under which TRL logs it, as ``uer_fairness``.
    """

    def __init__(self, judge: FairnessJudge, *, sources_column: str, values_column: str) -> None:
        self.__name__ = f"{judge.metric}_fairness"
        self._judge = judge
        self._columns = (sources_column, values_column)

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """The reward of each completion.

        Args:
            completions: texts, or lists of messages, of which the assistant's last one counts.
            **columns: of the data set, one entry a completion; others than those of sources and values are passed over,
                and so is all else that a trainer hands over.

        Returns:
            In [0, 1], higher is fairer; None where sources give nothing to compare.

        Raises:
            InputError: a column is missing, or a sample is not as described.
        """
        name = self.__name__
        for column in self._columns:
            if columns.get(column) is None:
                raise InputError(
                    f"{name}: the data set has no column {column!r}, found {', '.join(columns) or 'none'}; add it, or "
                    "name the right one with sources_column or values_column, and keep remove_unused_columns=False"
                )
        sources, values = (columns[column] for column in self._columns)
        check_columns(name, completions=completions, **dict(zip(self._columns, (sources, values), strict=True)))
        texts = [completion_text(name, place, one) for place, one in enumerate(completions)]
        return [verdict.fairness for verdict in self._judge.verdicts(texts, sources, values)]

    def close(self) -> None:
        """Let go of a model, if one was loaded; it is loaded again when it is needed."""
        self._judge.close()


def fairness_reward(
    metric: str = "uer", *, sources_column: str = "sources", values_column: str = "values", **options: Any
) -> FairnessReward:
    """A reward function for TRL: how fairly a completion treats the values of its sources.

    The reward is the fairness of `FairnessJudge`: 1 - score, and 0 for a completion that is empty or has nothing to do
    with its sources; in [0, 1], that of ``uer`` of other completions in [0.5, 1]. It is None, which TRL leaves out,
    where the sources give nothing to compare, such as a single value. It says nothing about quality, and one word that
    every value uses is as even-handed as a good summary: give TRL a reward of quality beside it, and weigh the two with
    ``reward_weights``.

    Args:
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``.
        sources_column: column of the training data with the source texts of each prompt.
        values_column: column with the value of each source text.
        **options: settings of the measure, as `fairsum_utils.score` takes them, such as
            ``matcher``, ``entailer`` or ``device``. A model is loaded once. What it says is kept in memory only, unless
            ``cache`` names a folder, because completions of a policy in training hardly ever come again.

    Raises:
        InputError: no such measure, one of a whole data set, or an option that it does not take.

    Example:
        >>> reward = fairness_reward("uer")
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 3, [["pos", "neg"]] * 3
        >>> reward(prompts=["..."] * 3, completions=["Tasty, awful.", "Tasty.", ""], sources=sources, values=values)
        [1.0, 0.75, 0.0]
        >>> reward.__name__
        'uer_fairness'
    """
    judge = FairnessJudge("fairness_reward", metric, {"cache": "none", **options})
    return FairnessReward(judge, sources_column=sources_column, values_column=values_column)
