"""Evaluators of Phoenix (arize-phoenix-evals), with direction minimize.

    from phoenix.evals import evaluate_dataframe
    from fairsum_utils.integrations.phoenix import fairness_evaluator, results_of

    scored = evaluate_dataframe(frame, [fairness_evaluator("bur")])  # columns output, sources, values
    results_of(scored, "bur")["bur"]["bur_ci"]

Phoenix has no result of all rows; each score keeps its record, and `results_of` computes it.
"""

from __future__ import annotations

import json
from typing import Any

from phoenix.evals import Score, create_evaluator
from phoenix.evals.evaluators import Evaluator

from fairsum_utils.integrations.judging import Judge, results_in
from fairsum_utils.results import ScoreResults


def fairness_evaluator(measure: str = "bur", *, threshold: float = 0.0, **settings: Any) -> Evaluator:
    """Make an evaluator over the columns ``output``, ``sources``, ``values`` and ``groups``.

    Args:
        measure: name of the measure.
        threshold: largest distance from the fairest score at which a row passes.
        **settings: settings of the measure.
    """
    judge = Judge(measure, threshold=threshold, **settings)

    @create_evaluator(name=measure, direction="minimize", kind="code")
    def fairness(output: str, sources: Any = None, values: Any = None, groups: Any = None) -> Score:
        given = {"predictions": output, "sources": sources, "values": values, "groups": groups}
        verdict = judge.verdict_among(given)
        return Score(
            name=measure,
            score=verdict.score,
            label=None if verdict.passed is None else "pass" if verdict.passed else "fail",
            explanation=verdict.reason,
            metadata={"fairsum": verdict.stored},
            kind="code",
            direction="minimize",
        )

    return fairness


def results_of(scored: Any, measure: str = "bur") -> ScoreResults:
    """Compute the result with its interval from the frame that ``evaluate_dataframe`` returned.

    Args:
        scored: the frame, with a column ``<measure>_score``.
        measure: name of the measure.
    """
    cells = [json.loads(cell) if isinstance(cell, str) else cell for cell in scored[f"{measure}_score"]]
    return results_in(cells, "phoenix")
