"""The study of sets that different values dominate: the paper's table, and a message."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_utils.measures import measures_of
from tests.reports._forms import texts

score = partial(fairsum_utils.score, metrics=measures_of("coverage"))


def record(dominant: str | None, p_value: float = 1.0, **differences: float) -> dict[str, Any]:
    return {"dominant": dominant, "p_value": p_value, "difference_by_value": differences, "skipped": None}


def test_a_message_names_the_run(refusal: Callable[..., str]) -> None:
    unscored = {"GPT-4/Amazon": [record("a")], "Gemma/Amazon": [record("a"), {"dominant": "a"}]}
    assert refusal(studies.dominance, unscored).startswith(
        "dominance: Gemma/Amazon[1] has no 'skipped', found dominant;"
    )


def test_the_papers_table() -> None:
    # EC: shares of unfair samples 1 and 0, or 1/2 and 1/2. CP: C_a is 1/2 in the sets of a and -1/2 in those of b, or
    # 1/4 in all.
    apart = [record(name, p, a=c, b=-c) for name, p, c in [("a", 0.01, 0.5), ("b", 0.9, -0.5)] * 20]
    even = [record(name, p, a=0.25, b=-0.25) for name in "ab" for p in [0.01, 0.9] * 10]
    runs = {"GPT-4/Amazon": apart, "GPT-4/SemEval": even, "Gemma/SemEval": even}
    found = studies.dominance(runs, n_resamples=99)
    assert [found["equal_coverage"]["GPT-4"][name]["difference"] for name in ("Amazon", "SemEval")] == [1.0, 0.0]
    assert [found["coverage_parity"]["GPT-4"][name]["difference"] for name in ("Amazon", "SemEval")] == [1.0, 0.0]
    assert [row["SemEval"]["is_significant"] for row in found["equal_coverage"].values()] == [False, False]
    report = found.report()
    assert report.count("GPT-4   1.000*    0.000") == 2
    assert report.count("Gemma             0.000") == 2
    assert found.to_pandas()["Amazon mark"].tolist()[0] == "*"
    assert found["undefined"] == {}
    assert {"GPT-4", "Gemma"} <= {*texts(found.plot())}
