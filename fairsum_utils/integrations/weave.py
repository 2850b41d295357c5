"""Scorers of W&B Weave, with the interval of all samples in their summary.

from fairsum_utils.integrations.weave import FairnessScorer

evaluation = weave.Evaluation(dataset=[{"sources": sources, "values": values}], scorers=[FairnessScorer(measure="bur")])
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import weave
from pydantic import Field, PrivateAttr

from fairsum_utils.integrations.judging import Judge


class FairnessScorer(weave.Scorer):  # type: ignore[misc]  # untyped for mypy
    """A measure as a scorer; lower is fairer.

    Attributes:
        measure: name of the measure.
        threshold: largest distance from the fairest score at which a sample passes.
        settings: settings of the measure.
    """

    measure: str = "bur"
    threshold: float = 0.0
    settings: dict[str, Any] = Field(default_factory=dict)
    _judge: Judge | None = PrivateAttr(default=None)

    @property
    def judge(self) -> Judge:
        """Judge of the measure, made on first use."""
        if self._judge is None:
            self._judge = Judge(self.measure, threshold=self.threshold, **self.settings)
        return self._judge

    @weave.op
    def score(
        self,
        *,
        output: str,
        sources: Any = None,
        values: Any = None,
        groups: Any = None,
        columns: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Score a sample; columns without a parameter of their own go into ``columns``."""
        given = {"predictions": output, "sources": sources, "values": values, "groups": groups, **(columns or {})}
        verdict = self.judge.verdict_among(given)
        return {
            "score": verdict.score,
            "lower_is_better": verdict.lower_is_better,
            "passed": verdict.passed,
            "reason": verdict.reason,
            "record": verdict.stored,
        }

    @weave.op
    def summarize(self, score_rows: list[Any]) -> dict[str, Any]:
        """Return the result of all samples: score, interval, chance level, numbers of samples."""
        result = self.judge.result([json.loads(row["record"]) for row in score_rows])
        names = (self.measure, f"{self.measure}_ci", f"{self.measure}_at_random", "n_samples", "n_skipped", "undefined")
        return {name: result[name] for name in names if name in result} | {"lower_is_better": True}
