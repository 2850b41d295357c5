"""How fair one summary is, as a number to push up: what rewards, preferences and reranking have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, Resampling, family_of, summary_measures
from fairsum_utils.measures.equal_coverage import sample_equal_coverage
from fairsum_utils.signature import render_signature
from fairsum_utils.training.scoring import open_session
from fairsum_utils.validation import check_choice

__all__ = ["FairnessJudge", "Verdict"]

_NOT_HERE = ("empty", "unmatched")
"""Options that the judge itself decides."""


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
        options: settings of the measure, as `fairsum_utils.score` takes them; not ``empty``.

    Raises:
        InputError: no such measure, one of a whole data set, or an option that it does not take.

    Example:
        >>> judge = FairnessJudge("example", "uer", {})
        >>> judge.verdicts(["Tasty.", "", "Hm."], [["Tasty.", "Awful."]] * 3, [["pos", "neg"]] * 3)
        [Verdict(fairness=0.75, reason=None), Verdict(fairness=0.0, reason='empty_prediction'),
        Verdict(fairness=0.0, reason='unmatched')]
    """

    def __init__(self, module: str, metric: str, options: Mapping[str, Any]) -> None:
        whole = [name for name in summary_measures() if not _has_sample_score(name)]
        if metric in whole:
            alone = ", ".join(name for name in summary_measures() if name not in whole)
            raise InputError(
                f"{module}: {metric} compares values over a whole data set, so that one summary has none; choose one "
                f"of {alone}"
            )
        self.metric = check_choice(module, "metric", metric, [name for name in summary_measures() if name not in whole])
        for name in _NOT_HERE:
            if name in options:
                raise InputError(
                    f"{module}: a summary that says nothing of its sources has fairness 0 here; leave the option "
                    f"{name!r} out"
                )
        # Rows of empty summaries are wanted where the scorer makes any: they tell whether there is much to compare.
        makes_any = "uniform" in family_of(metric).taken(metric)["empty"].choices
        self._session = open_session(module, [metric], options, evidence=not makes_any)
        # The permutation test of equal coverage is of no use here.
        self._verdict = _representation_verdict if makes_any else _coverage_verdict
        self._recorded: tuple[str, ...] = (metric,) if makes_any else ()

    def verdicts(self, predictions: Sequence[str], sources: Any, values: Any) -> list[Verdict]:
        """Judge summaries.

        Args:
            predictions: one a sample.
            sources: its source texts.
            values: the value of each source text.

        Raises:
            InputError: a sample is not as described, or there is none.
        """
        [rows] = self._session.rows({"predictions": predictions, "sources": sources, "values": values})
        [scored] = self._session.passes
        records = scored.family.records(rows, self._recorded, scored.calls[0][0])
        return [
            self._verdict(self.metric, record, prediction, labels)
            for record, prediction, labels in zip(records, predictions, values, strict=True)
        ]

    @property
    def signature(self) -> str:
        """Everything that changes a verdict; loads the model, if there is one."""
        [scored] = self._session.passes
        scored.given |= {"predictions", "sources", "values"}
        matched = scored.scorer.signature(self.metric, scored.given)
        decided = scored.calls[0][0].keyed(self.metric, *Resampling.infos())
        settings = {name: entry for name, entry in matched.items() if name not in _NOT_HERE and entry is not None}
        return render_signature(
            {"fairness": self.metric, **settings, **{key: decided[key] for key in decided if key in matched}}
        )

    def close(self) -> None:
        """Let go of a model, if one was loaded; it is loaded again when it is needed."""
        self._session.close()


def _has_sample_score(name: str) -> bool:
    family = family_of(name)
    settings: MeasureSettings = family.settings(name)()
    return name in family.record_types((name,), settings)


def _representation_verdict(name: str, record: Mapping[str, Any], prediction: str, values: Sequence[str]) -> Verdict:
    if record["skipped"] is not None:
        return Verdict(None, record["skipped"])
    if len(record["values"]) < 2:
        return Verdict(None, "single_value")
    if record["unmatched"]:
        return Verdict(0.0, "unmatched" if prediction.strip() else "empty_prediction")
    return Verdict(1 - record[name])


def _coverage_verdict(name: str, record: Mapping[str, Any], prediction: str, values: Sequence[str]) -> Verdict:
    if len(set(values)) < 2:
        return Verdict(None, "single_value")
    if record["skipped"] is not None:
        return Verdict(0.0, record["skipped"])
    best = [unit["probability"] for unit in record["evidence"]]
    support = math.fsum(best) / len(best)
    unequal = float(sample_equal_coverage(np.array([*record["difference_by_value"].values()])))
    return Verdict(support * (1 - unequal), None if support else "uncovered")
