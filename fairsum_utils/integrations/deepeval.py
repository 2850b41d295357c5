"""A metric of DeepEval; higher is better, so it is 1 - score.

    from deepeval import evaluate
    from deepeval.test_case import LLMTestCase
    from fairsum_utils.integrations.deepeval import FairnessMetric

    case = LLMTestCase(input="Summarize.", actual_output=summary, context=sources, metadata={"values": values})
    evaluate([case], [FairnessMetric("bur")])

DeepEval has no result of all test cases. It stores each record in `verbose_logs` of its saved test run, and
``fairsum check .deepeval/.latest_test_run.json --rules 'bur.ci_high < 0.5'`` computes the result with its interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from fairsum_utils.integrations.judging import Judge, check_invertible, higher_is_better, invert


class FairnessMetric(BaseMetric):  # type: ignore[misc]  # untyped for mypy
    """A measure as a metric of DeepEval.

    Args:
        name: name of the measure; it needs a score in [0, 1] for each sample.
        threshold: lowest passing score, in [0, 1]; 1 for the fairest score only.
        settings: settings of the measure.

    Raises:
        InputError: the measure has no score of single samples in [0, 1], or a setting is invalid.
    """

    def __init__(self, name: str = "bur", threshold: float = 1.0, settings: Mapping[str, Any] | None = None) -> None:
        self.name, self.threshold, self.settings = name, threshold, settings
        self._judge = Judge(name, threshold=invert(threshold), **(settings or {}))
        check_invertible(self._judge, "DeepEval")
        self.async_mode, self.include_reason = False, True

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float | None:
        """Score a test case: `actual_output`, `context` as sources, and other columns from its metadata."""
        given = {"predictions": test_case.actual_output, "sources": test_case.context, **(test_case.metadata or {})}
        verdict = self._judge.verdict_among(given)
        self.score, self.reason, self.success = higher_is_better(verdict), verdict.reason, verdict.passed
        self.skipped = verdict.score is None
        self.verbose_logs = verdict.stored
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float | None:
        """Score a test case; nothing is awaited."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the last test case passed."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return f"1 - {self._judge.title}"
