"""How fair one summary is, as a number to push up: what rewards, preferences and reranking have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils import coverage, representation
from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import sample_equal_coverage
from fairsum_utils.signature import render_signature
from fairsum_utils.training.kept import METRICS, KeptScorer
from fairsum_utils.validation import check_choice

__all__ = ["FairnessJudge", "Verdict"]

_WHOLE = {
    "sof": "compares the mean shortfalls of values over a whole data set",
    "coverage_parity": "compares which values a whole data set favours",
}
_OF_ONE = tuple(name for name in METRICS if name not in _WHOLE)
_NOT_HERE = "empty"
"""Option that the judge itself decides."""


class Verdict(NamedTuple):
    """How fair a summary is.

    Attributes:
        fairness: in [0, 1], higher is fairer; None where the sample gives nothing to compare, whatever the summary.
        reason: why the summary was not measured, None if it was. With fairness 0: ``empty_prediction``, ``unmatched``
            (it shares nothing with the sources), ``uncovered`` or ``no_units`` and ``no_covered_unit``, see
            `CoverageScorer`. With None: ``single_value``, or a reason of `DistributionScorer`.
    """

    fairness: float | None
    reason: str | None = None


class FairnessJudge:
    """Judges summaries one by one, by a measure whose score is of one summary.

    Fairness is 1 - score, so that 1 is the fairest. It is made for optimizers, which find every way to a high number:

    - A summary that is empty or shares nothing with its sources gets 0, the lowest there is. The measures leave it out,
      or find it even-handed.
    - Of ``equal_coverage`` fairness is (1 - score) times the support: the mean, over the units of the summary, of the
      probability that the best document covers the unit. A summary that no document covers is covered equally.

    It still says nothing about quality: one word that all values use is even-handed. Train with a measure of quality
    beside it, such as ROUGE.

    Args:
        module: name used in messages.
        metric: ``"uer"``, ``"auc"``, ``"bur"`` (0 or 1) or ``"equal_coverage"``.
        options: of the measure, see `KeptScorer`; not ``empty``.

    Raises:
        InputError: no such measure, one of a whole data set, or an option that it does not take.

    Example:
        >>> judge = FairnessJudge("example", "uer", {})
        >>> judge.verdicts(["Tasty.", "", "Hm."], [["Tasty.", "Awful."]] * 3, [["pos", "neg"]] * 3)
        [Verdict(fairness=0.75, reason=None), Verdict(fairness=0.0, reason='empty_prediction'),
        Verdict(fairness=0.0, reason='unmatched')]
    """

    def __init__(self, module: str, metric: str, options: Mapping[str, Any]) -> None:
        if metric in _WHOLE:
            raise InputError(
                f"{module}: {metric} {_WHOLE[metric]}, so that one summary has none; choose one of {', '.join(_OF_ONE)}"
            )
        self.metric = check_choice(module, "metric", metric, _OF_ONE)
        if _NOT_HERE in options:
            raise InputError(f"{module}: an empty summary has fairness 0 here; leave the option {_NOT_HERE!r} out")
        is_coverage = metric in coverage.METRICS
        # Rows of empty summaries are wanted where the scorer makes any: they tell whether there is much to compare.
        own = {} if is_coverage else {"empty": "uniform"}
        self._kept = KeptScorer(module, [metric], {**options, **own}, evidence=is_coverage)

    def verdicts(self, predictions: Sequence[str], sources: Any, values: Any) -> list[Verdict]:
        """Judge summaries.

        Args:
            predictions: one a sample.
            sources: its source texts.
            values: the value of each source text.

        Raises:
            InputError: a sample is not as described, or there is none.
        """
        rows = self._kept.rows(predictions, sources, values)
        if self._kept.is_coverage:
            return list(self._of_coverage(rows, values))
        return list(self._of_representation(rows, predictions))

    def _of_representation(
        self, rows: Sequence[representation.DistributionRow], predictions: Sequence[str]
    ) -> Iterator[Verdict]:
        kept = self._kept
        records = representation.sample_records(rows, kept.metrics, target=kept.scorer.target, options=kept.measures)
        for row, record, prediction in zip(rows, records, predictions, strict=True):
            if row.skipped is not None:
                yield Verdict(None, row.skipped)
            elif len(row.values) < 2:
                yield Verdict(None, "single_value")
            elif row.unmatched:
                yield Verdict(0.0, "unmatched" if prediction.strip() else "empty_prediction")
            else:
                yield Verdict(1 - record[self.metric])

    def _of_coverage(self, rows: Sequence[coverage.CoverageRow], values: Any) -> Iterator[Verdict]:
        kept = self._kept
        settings = {"protocol": kept.scorer.protocol}
        records = coverage.sample_records(rows, (), settings=settings, options=kept.measures)
        for row, record, labels in zip(rows, records, values, strict=True):
            if len(set(labels)) < 2:
                yield Verdict(None, "single_value")
            elif row.skipped is not None:
                yield Verdict(0.0, row.skipped)
            else:
                best = [of_unit["probability"] for of_unit in record["evidence"]]
                support = math.fsum(best) / len(best)
                unequal = float(sample_equal_coverage(np.array([*record["difference_by_value"].values()])))
                yield Verdict(support * (1 - unequal), None if support else "uncovered")

    @property
    def signature(self) -> str:
        """Everything that changes a verdict; loads the model, if there is one."""
        settings = {name: entry for name, entry in self._kept.scorer.settings().items() if name != _NOT_HERE}
        own = {"bur": {"tau": "tau"}, "auc": {"points": "n_points"}}.get(self.metric, {})
        measures = {name: getattr(self._kept.measures, option) for name, option in own.items()}
        return render_signature({"fairness": self.metric, **settings, **measures})

    def close(self) -> None:
        """Let go of a model, if one was loaded; it is loaded again when it is needed."""
        self._kept.close()
