"""Scorers for ``mlflow.genai.evaluate``.

    from fairsum_utils.integrations.mlflow import fairness_scorer

    data = [{"inputs": {"sources": sources, "values": values}, "outputs": summary}]
    mlflow.genai.evaluate(data=data, scorers=[fairness_scorer("bur")])

MLflow shows the mean over samples and lower is better, which its pages cannot say: the name of the assessment does. The
interval is in no aggregation of MLflow; each assessment keeps its record, and `results_of` computes the result.
"""

from __future__ import annotations

from typing import Any

from mlflow.entities import Feedback
from mlflow.genai.scorers import Scorer, scorer

from fairsum_utils.integrations.judging import Judge, results_in
from fairsum_utils.results import ScoreResults


def fairness_scorer(measure: str = "bur", *, threshold: float = 0.0, **settings: Any) -> Scorer:
    """Make a scorer of a measure.

    Columns are read from ``inputs`` and ``expectations``, such as ``sources`` and ``values``; the summary from
    ``outputs``.

    Args:
        measure: name of the measure.
        threshold: largest distance from the fairest score at which a sample passes.
        **settings: settings of the measure.
    """
    judge = Judge(measure, threshold=threshold, **settings)

    @scorer(name=f"{measure}_lower_is_fairer", aggregations=["mean"])  # type: ignore[untyped-decorator,unused-ignore]
    def fairness(
        inputs: dict[str, object] | None = None,
        outputs: str | None = None,
        expectations: dict[str, object] | None = None,
    ) -> Feedback:
        given = {"predictions": outputs, **(inputs or {}), **(expectations or {})}
        verdict = judge.verdict_among(given)
        return Feedback(
            name=f"{measure}_lower_is_fairer",
            value=verdict.score,
            rationale=verdict.reason,
            metadata={"passed": str(verdict.passed), "fairsum": verdict.stored},
        )

    return fairness


def results_of(evaluated: Any) -> ScoreResults:
    """Compute results with intervals from what ``mlflow.genai.evaluate`` returned.

    Args:
        evaluated: an ``EvaluationResult``.
    """
    assessments = [assessment for found in evaluated.result_df["assessments"] for assessment in found]
    return results_in(
        [found["metadata"]["fairsum"] for found in assessments if "fairsum" in found["metadata"]], "mlflow"
    )
