"""Fairness of single summaries, for TRL rewards, preferences and reranking."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of, summary_measures
from fairsum_utils.families.asked import refuse_settings
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.measures.equal_coverage import sample_equal_coverage
from fairsum_utils.training.metrics import open_session
from fairsum_utils.validation import as_label, check_choice, check_columns, describe, is_unlabelled


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
        """Return the reward of each completion."""
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
        """Release a loaded model; it is loaded again when needed."""
        self._judge.close()


def fairness_reward(
    metric: str | Measure = "uer", *, sources_column: str = "sources", values_column: str = "values", **settings: Any
) -> FairnessReward:
    """Return a TRL reward function for the fairness of completions.

    The reward is the fairness of `FairnessJudge`: 1 - score, and 0 for a completion that is empty or has nothing to do
    with its sources; in [0, 1], that of ``uer`` of other completions in [0.5, 1]. It is None, which TRL leaves out,
    where the sources give nothing to compare, such as a single value. It says nothing about quality, and one word that
    every value uses is as even-handed as a good summary: give TRL a second reward for quality, and weigh the two with
    ``reward_weights``.

    Args:
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``, or one with settings, such as
            ``UER(k=2)``. A model is loaded once. Its answers are kept in memory, unless ``cache`` names a folder,
            because completions of a policy in training hardly ever come again.
        sources_column: column of the training data with the source texts of each prompt.
        values_column: column with the value of each source text.
        **settings: refused, with the line to write instead.

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
    judge = FairnessJudge("fairness_reward", metric, settings, cache="none")
    return FairnessReward(judge, sources_column=sources_column, values_column=values_column)


# Options that the judge itself decides.
_NOT_HERE = ("empty", "unmatched")


class Verdict(NamedTuple):
    """Fairness of a summary.

    Attributes:
        fairness: number in [0, 1], higher is fairer; None if the sample gives nothing to compare.
        reason: why the summary was not measured, None if it was. With fairness 0: ``empty_prediction``, ``unmatched``
            (it shares nothing with the sources), ``uncovered`` or ``no_units`` and ``no_covered_unit``, see
            `CoverageScorer`. With None: ``single_value``, or a reason of `DistributionScorer`.
    """

    fairness: float | None
    reason: str | None = None


class FairnessJudge:
    """Judge of single summaries, with a measure of one summary.

    Fairness is 1 - score, so that 1 is the fairest. It is made for optimizers, which find every way to a high number:

    - A summary that is empty or shares nothing with its sources gets 0, the lowest there is. The measures leave it out,
      or find it even-handed.
    - Of ``equal_coverage`` fairness is (1 - score) times the support: the mean, over the units of the summary, of the
      probability that the best document covers the unit. A summary that no document covers is covered equally.

    It still says nothing about quality: one word that all values use is even-handed. Train with a measure of quality
    beside it, such as ROUGE.

    Args:
        module: name used in messages.
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``, or one with settings; not ``empty``.
        settings: keywords of the caller that are settings, and refused.
        **usual: settings unless the measure says otherwise.

    Raises:
        InputError: no such measure, one of a whole data set, or an option that it does not take.

    Example:
        >>> judge = FairnessJudge("example", "uer")
        >>> judge.verdicts(["Tasty.", "", "Hm."], [["Tasty.", "Awful."]] * 3, [["pos", "neg"]] * 3)
        [Verdict(fairness=0.75, reason=None), Verdict(fairness=0.0, reason='empty_prediction'),
        Verdict(fairness=0.0, reason='unmatched')]
    """

    def __init__(
        self, module: str, metric: str | Measure, settings: Mapping[str, Any] = MappingProxyType({}), **usual: Any
    ) -> None:
        names = [name for name in summary_measures() if _has_sample_score(name)]
        name = metric.name if isinstance(metric, Measure) else metric
        if name in summary_measures() and name not in names:
            raise InputError(
                f"{module}: {name} is defined for a whole data set, not for one summary; choose one of "
                f"{', '.join(names)}"
            )
        self.metric = check_choice(module, "metric", name, names)
        chosen = metric if isinstance(metric, Measure) else get_measure(self.metric)()
        refuse_settings(module, {self.metric: chosen}, settings, "metric")
        for name in _NOT_HERE:
            if name in chosen.given():
                raise InputError(
                    f"{module}: a summary that is unrelated to its sources always has fairness 0 here; omit the "
                    f"option {name!r}"
                )
        # Rows of empty summaries are wanted where the scorer makes any: they tell whether there is much to compare.
        makes_any = "uniform" in chosen.infos()["empty"].choices
        self._session = open_session(module, [chosen.completed(**usual)], evidence=not makes_any)
        # The permutation test of equal coverage is of no use here.
        self._verdict = _representation_verdict if makes_any else _coverage_verdict
        self._recorded: tuple[str, ...] = (self.metric,) if makes_any else ()

    def verdicts(self, predictions: Sequence[str], sources: Any, values: Any) -> list[Verdict]:
        """Judge one summary per sample from source texts and values."""
        [rows] = self._session.rows({"predictions": predictions, "sources": sources, "values": values})
        [scored] = self._session.passes
        records = scored.family.records(rows, self._recorded, scored.calls[0][0])
        return [
            self._verdict(self.metric, record, row, labels)
            for record, row, labels in zip(records, rows, values, strict=True)
        ]

    def close(self) -> None:
        """Release a loaded model; it is loaded again when needed."""
        self._session.close()


def _has_sample_score(name: str) -> bool:
    return name in family_of(name).record_types((name,), get_measure(name)())


def _representation_verdict(name: str, record: Mapping[str, Any], row: Any, values: Sequence[str]) -> Verdict:
    if record["skipped"] is not None:
        return Verdict(None, record["skipped"])
    if len(record["values"]) < 2:
        return Verdict(None, "single_value")
    if record["unmatched"]:
        return Verdict(0.0, "empty_prediction" if row.empty else "unmatched")
    return Verdict(1 - record[name])


def _coverage_verdict(name: str, record: Mapping[str, Any], row: Any, values: Sequence[str]) -> Verdict:
    if len({as_label(value) for value in values if not is_unlabelled(value)}) < 2:
        return Verdict(None, "single_value")
    if record["skipped"] is not None:
        return Verdict(0.0, record["skipped"])
    best = [unit["probability"] for unit in record["evidence"]]
    support = math.fsum(best) / len(best)
    unequal = float(sample_equal_coverage(np.array([*record["difference_by_value"].values()])))
    return Verdict(support * (1 - unequal), None if support else "uncovered")


def completion_text(module: str, place: int, completion: object) -> str:
    """Return a completion's text; for messages, the assistant's last one.

    Example:
        >>> completion_text("example", 0, [{"role": "assistant", "content": "Tasty."}])
        'Tasty.'
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, list) or not all(
        isinstance(message, Mapping) and {"role", "content"} <= message.keys() for message in completion
    ):
        raise InputError(
            f"{module}: completion {place} must be a text or a list of messages with role and content, found "
            f"{describe(completion)}"
        )
    contents = [message["content"] for message in completion if message["role"] == "assistant"]
    content = contents[-1] if contents else None
    if isinstance(content, list):
        return "".join(str(block["text"]) for block in content if block.get("type") == "text")
    return str(content or "")


def in_form_of(prompt: object, completion: Any) -> Any:
    """Return a completion in its prompt's form: text or messages.

    Example:
        >>> in_form_of([{"role": "user", "content": "Summarize."}], "Tasty.")
        [{'role': 'assistant', 'content': 'Tasty.'}]
    """
    if isinstance(prompt, str):
        return completion_text("completion", 0, completion)
    return [{"role": "assistant", "content": completion}] if isinstance(completion, str) else completion
