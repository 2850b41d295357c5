"""A Python assertion of promptfoo; higher is better, so it is 1 - score.

    tests:
      - vars: {sources: [...], values: [...]}
        assert:
          - type: python
            value: file:///path/to/fairsum_utils/integrations/promptfoo.py
            config: {measure: bur}

``python -m fairsum_utils.integrations.promptfoo`` prints the path. promptfoo has no result of all tests; it keeps each
record in the metadata of its JSON, and ``fairsum check results.json --rules 'bur.ci_high < 0.5'`` computes the result
with its interval.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from fairsum_utils.integrations.judging import Judge, check_invertible, higher_is_better, read_list


@cache
def _judge(config: str) -> Judge:
    """Make the judge of an assertion's config."""
    given = json.loads(config)
    judge = Judge(given.pop("measure", "bur"), **given)
    check_invertible(judge, "promptfoo")
    return judge


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Judge an output, as promptfoo calls it.

    Args:
        output: the summary.
        context: ``vars`` with the columns, such as ``sources`` and ``values``, and ``config`` with ``measure``,
            ``threshold`` and settings.

    Returns:
        promptfoo's grading result.
    """
    judge = _judge(json.dumps(context.get("config") or {}, sort_keys=True))
    # promptfoo expands lists of vars into tests, so they are written as JSON.
    columns = {name: read_list(var) for name, var in context["vars"].items()}
    verdict = judge.verdict_among({"predictions": output, **columns})
    return {
        "pass": verdict.passed is not False,
        "score": 1.0 if verdict.score is None else higher_is_better(verdict),
        "reason": verdict.reason,
        "namedScores": {} if verdict.score is None else {f"{judge.measure.name}_lower_is_fairer": verdict.score},
        "metadata": {"fairsum": verdict.stored},
    }


if __name__ == "__main__":
    print(__file__)
