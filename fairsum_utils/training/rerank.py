"""Fairest candidate summaries, and preference pairs for TRL's DPO."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.measures import Measure
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.training.rewards import FairnessJudge, Verdict, completion_text, in_form_of
from fairsum_utils.validation import check_columns, check_fraction, check_sample, describe


class Ranking(NamedTuple):
    """The candidates of a sample, compared.

    Attributes:
        best: position of the fairest one; of equal ones the first, as where there is nothing to compare.
        fairness: fairness of each candidate, in [0, 1], higher is fairer, see `FairnessJudge`; None if incomparable.
    """

    best: int
    fairness: list[float | None]


def _rank(verdicts: Sequence[Verdict]) -> Ranking:
    """Rank the candidates of a sample by their verdicts."""
    fairness = [verdict.fairness for verdict in verdicts]
    best = max(range(len(fairness)), key=lambda place: -1.0 if (score := fairness[place]) is None else score)
    return Ranking(best, fairness)


def rerank(
    candidates: Sequence[Sequence[Any]],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
    *,
    metric: str | Measure = "uer",
    **settings: Any,
) -> list[Ranking]:
    """Find the fairest candidate of each sample.

    Args:
        candidates: summaries of each sample, at least one; texts, or lists of messages.
        sources: the source texts of each sample.
        values: the value of each source text.
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``, or one with settings.
        **settings: refused, with the line to write instead.

    Returns:
        One a sample.

    Raises:
        InputError: a sample, the measure or an option is not as described.

    Example:
        >>> rerank([["Tasty.", "Tasty, awful.", ""]], [["Tasty soup.", "Awful soup."]], [["pos", "neg"]])
        [Ranking(best=1, fairness=[0.75, 1.0, 0.0])]
    """
    with closing(FairnessJudge("rerank", metric, settings)) as judge:
        return [_rank(verdicts) for verdicts in _judge_candidates("rerank", judge, candidates, sources, values)]


def _judge_candidates(
    module: str,
    judge: FairnessJudge,
    candidates: Sequence[Sequence[Any]],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
) -> list[list[Verdict]]:
    """Return a verdict on each candidate of each sample."""
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


class PreferencePairs(NamedTuple):
    """Pairs and what gave none.

    Attributes:
        rows: dicts with ``prompt``, ``chosen`` and ``rejected``, and the fairness of the two as ``fairness_chosen`` and
            ``fairness_rejected`` (higher is fairer); ``datasets.Dataset.from_list`` makes training data of them.
        n_ties: number of prompts with candidates within the margin.
        n_undefined: prompts with fewer than two candidates that could be measured: the others are empty or have nothing
            to do with the sources, or the sources give nothing to compare.
    """

    rows: list[dict[str, Any]]
    n_ties: int
    n_undefined: int


def preference_pairs(
    prompts: Sequence[Any],
    candidates: Sequence[Sequence[Any]],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
    *,
    metric: str | Measure = "uer",
    margin: float = 0.0,
    **settings: Any,
) -> PreferencePairs:
    """Return `DPOTrainer` data: each prompt's fairest and least fair candidates.

    A candidate that is empty or has nothing to do with the sources is neither: a pair with it would not teach fairness.

    Args:
        prompts: texts, or lists of messages; the pairs have the same form.
        candidates: summaries of each prompt, such as samples of the model; texts, or lists of messages.
        sources: the source texts of each prompt.
        values: the value of each source text.
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``, or one with settings.
        margin: the two must differ in fairness by more than this.
        **settings: refused, with the line to write instead.

    Raises:
        InputError: a sample, the measure or an option is not as described.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]], [["pos", "neg"]]
        >>> preference_pairs(["Summarize."], [["Tasty.", "", "Tasty, awful."]], sources, values).rows
        [{'prompt': 'Summarize.', 'chosen': 'Tasty, awful.', 'rejected': 'Tasty.', 'fairness_chosen': 1.0,
        'fairness_rejected': 0.75}]
    """
    module = "preference_pairs"
    check_fraction(module, "margin", margin)
    check_columns(module, prompts=prompts, candidates=candidates)
    with closing(FairnessJudge(module, metric, settings)) as judge:
        verdicts = _judge_candidates(module, judge, candidates, sources, values)
    return _pairs_of(prompts, candidates, verdicts, margin=margin)


def _pairs_of(
    prompts: Sequence[Any], candidates: Sequence[Sequence[Any]], verdicts: Sequence[Sequence[Verdict]], *, margin: float
) -> PreferencePairs:
    """Make pairs of judged candidates, see `preference_pairs`."""
    rows: list[dict[str, Any]] = []
    n_ties = n_undefined = 0
    for index, (prompt, of_prompt, found) in enumerate(zip(prompts, candidates, verdicts, strict=True)):
        if not isinstance(prompt, (str, list)):
            raise InputError(
                f"preference_pairs: sample {index}: the prompt must be a text or a list of messages, found "
                f"{describe(prompt)}"
            )
        measured = [
            (verdict.fairness, place)
            for place, verdict in enumerate(found)
            if verdict.fairness is not None and verdict.reason is None
        ]
        if len(measured) < 2:
            n_undefined += 1
            continue
        # The first of equally fair, or of equally unfair, candidates.
        fairness_chosen, chosen = max(measured, key=lambda one: one[0])
        fairness_rejected, rejected = min(measured, key=lambda one: one[0])
        if fairness_chosen - fairness_rejected <= margin + TOLERANCE:
            n_ties += 1
            continue
        rows.append(
            {
                "prompt": prompt,
                "chosen": in_form_of(prompt, of_prompt[chosen]),
                "rejected": in_form_of(prompt, of_prompt[rejected]),
                "fairness_chosen": fairness_chosen,
                "fairness_rejected": fairness_rejected,
            }
        )
    return PreferencePairs(rows, n_ties, n_undefined)
