"""Best of n: the fairest of the candidate summaries of each sample."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families.renamed import tell_renamed
from fairsum_utils.training.messages import completion_text
from fairsum_utils.training.verdicts import FairnessJudge, Verdict
from fairsum_utils.validation import check_columns, check_sample, describe

__all__ = ["Ranking", "judge_candidates", "rank", "rerank"]


class Ranking(NamedTuple):
    """The candidates of a sample, compared.

    Attributes:
        best: position of the fairest one; of equal ones the first, as where there is nothing to compare.
        fairness: of each candidate, in [0, 1], higher is fairer, see `FairnessJudge`; None where there is nothing to
            compare.
    """

    best: int
    fairness: list[float | None]

    @property
    def scores(self) -> list[float | None]:
        """Former name of ``fairness``; it warns."""
        tell_renamed("scores", "fairness")
        return self.fairness


def rank(verdicts: Sequence[Verdict]) -> Ranking:
    """The candidates of a sample by what was found of each.

    Example:
        >>> rank([Verdict(0.5), Verdict(0.75), Verdict(0.0, "empty_prediction")])
        Ranking(best=1, fairness=[0.5, 0.75, 0.0])
    """
    fairness = [verdict.fairness for verdict in verdicts]
    best = max(range(len(fairness)), key=lambda place: -1.0 if (score := fairness[place]) is None else score)
    return Ranking(best, fairness)


def rerank(
    candidates: Sequence[Sequence[Any]],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
    *,
    metric: str = "uer",
    **options: Any,
) -> list[Ranking]:
    """Find the fairest candidate of each sample.

    Args:
        candidates: of each sample its summaries, at least one; texts, or lists of messages.
        sources: the source texts of each sample.
        values: the value of each source text.
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``.
        **options: of the measure, see `fairness_reward`.

    Returns:
        One a sample.

    Raises:
        InputError: a sample, the measure or an option is not as described.

    Example:
        >>> rerank([["Tasty.", "Tasty, awful.", ""]], [["Tasty soup.", "Awful soup."]], [["pos", "neg"]])
        [Ranking(best=1, fairness=[0.75, 1.0, 0.0])]
    """
    with closing(FairnessJudge("rerank", metric, options)) as judge:
        return [rank(verdicts) for verdicts in judge_candidates("rerank", judge, candidates, sources, values)]


def judge_candidates(
    module: str,
    judge: FairnessJudge,
    candidates: Sequence[Sequence[Any]],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
) -> list[list[Verdict]]:
    """Judge all candidates of all samples together.

    Args:
        module: name used in messages.
        judge: of summaries.
        candidates: as in `rerank`.
        sources: as in `rerank`.
        values: as in `rerank`.

    Returns:
        For each sample one verdict a candidate.

    Raises:
        InputError: a sample is not as described.
    """
    check_columns(module, candidates=candidates, sources=sources, values=values)
    samples = []
    for index, (of_sample, texts, labels) in enumerate(zip(candidates, sources, values, strict=True)):
        if not isinstance(of_sample, (list, tuple)) or not of_sample:
            raise InputError(
                f"{module}: sample {index}: candidates must be a list of at least one summary, found "
                f"{describe(of_sample)}"
            )
        for place, candidate in enumerate(of_sample):
            summary = completion_text(f"{module}: sample {index}", place, candidate)
            check_sample(module, index, summary, texts, labels)
            samples.append((summary, texts, labels))
    verdicts = iter(judge.verdicts(*zip(*samples, strict=True)))
    return [[next(verdicts) for _ in of_sample] for of_sample in candidates]
