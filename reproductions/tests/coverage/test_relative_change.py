"""Relative changes: by hand, a plain loop over the same draws, and scores of both families."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_utils.stats.intervals import Moments, mean_interval

ROLES = ("before", "after", "baseline_before", "baseline_after")
Column = list[float | None]


def runs(where: str, *columns: Column, baseline: str = "uer") -> dict[str, list[dict[str, Any]]]:
    """Records in each role: EC before and after, the baseline before and after."""
    names = ("equal_coverage", "equal_coverage", baseline, baseline)
    return {
        f"{role}{where}": [{"index": index, name: score} for index, score in enumerate(column)]
        for role, name, column in zip(ROLES, names, columns, strict=True)
    }


def compared(*columns: Column, baseline: str = "uer", **options: Any) -> dict[str, Any]:
    """The only cell of the study, with the reason for what is undefined."""
    found = studies.relative_change(runs("", *columns, baseline=baseline), baseline=baseline, **options)
    return {**found["systems"][""][""], "undefined": found["undefined"].get("difference", "")}


def test_by_hand() -> None:
    found = compared(
        [0.5, 0.25, 0.0, 0.5, None, 1e-17],
        [0.25, 0.25, 0.5, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5, 0.0, 0.5, 0.5],
        [0.5, 0.75, 0.5, 0.5, 0.5, 0.5],
    )
    # Samples 0 and 1: EC -1/2 and 0; UER 0 and 1/2. Samples 2 and 5: EC 0 before; 3: UER 0 before; 4: no EC.
    assert found["relative_change"] == {"equal_coverage": -0.25, "uer": 0.25}
    assert found["difference"] == 0.5
    # In both 1/2: EC falls as much more everywhere. Nothing limits a relative change, nor tells how far it spreads.
    assert all(map(math.isnan, found["difference_ci"]))
    assert found["undefined"].startswith("difference_ci: ")
    assert found["p_value"] == 1 / 1001
    assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (2, 1, {"equal_coverage": 2, "uer": 1})


def test_equals_a_plain_bootstrap(replicates: Callable[..., list[list[int]]]) -> None:
    generator = random.Random(2)
    columns: list[Column] = [[generator.uniform(0.1, 1) for _ in range(20)] for _ in range(4)]
    found = compared(*columns, baseline="auc", n_resamples=200, seed=5, confidence_level=0.8)
    a, b, c, d = columns
    differences = [(d[i] - c[i]) / c[i] - (b[i] - a[i]) / a[i] for i in range(20)]  # type: ignore[operator]
    own = sum(differences) / 20
    means = [float(np.dot(counts, differences)) / 20 for counts in replicates(20, 200, 5)]
    assert found["difference"] == pytest.approx(own, abs=1e-12)
    ends = mean_interval(Moments.of(np.array(differences)), 0.8, (-math.inf, math.inf))
    assert found["difference_ci"] == pytest.approx(ends, abs=1e-12)
    low, high = np.quantile(means, [0.1, 0.9])  # too narrow of 20 samples
    assert ends[0] < low < high < ends[1]
    middle = sum(means) / 200
    assert found["p_value"] == (1 + sum(abs(mean - middle) >= abs(own) for mean in means)) / 201


def test_too_few_samples() -> None:
    found = compared([0.5], [0.5], [0.0], [0.5], baseline="bur")
    numbers = [found["difference"], *found["difference_ci"], found["p_value"], *found["relative_change"].values()]
    assert all(map(math.isnan, numbers))
    assert found["undefined"] == "no sample left to compare"
    found = compared([0.5], [0.5], [0.5], [0.25])
    assert found["difference"] == -0.5
    assert found["undefined"] == "difference_ci and p_value: a bootstrap needs at least two samples"


def test_of_both_families() -> None:
    sources, values = [["Tasty soup.", "Awful bread."]] * 2, [["pos", "neg"]] * 2
    given = {}
    for role, first in (("before", "Tasty."), ("after", "Tasty bread.")):
        for name, metric, options in (("", "equal_coverage", {"entailer": "lexical"}), ("baseline_", "uer", {})):
            given[f"{name}{role}"] = fairsum_utils.score(
                [first, "Bread."], sources, values, metrics=[metric], return_samples=True, **options
            )
    # Of sample 0 both fall to 0, in sample 1 nothing changes.
    [cell] = studies.relative_change(given)["systems"][""].values()
    assert cell["relative_change"] == {"equal_coverage": -0.5, "uer": -0.5}


def test_the_papers_table() -> None:
    cells = {
        "/GPT-3.5/Amazon": (0.5, 0.25, 0.4, 0.3),
        "/GPT-3.5/SemEval": (0.5, 0.5, 0.4, 0.2),
        "/Gemma/Amazon": (0.0, 0.5, 0.4, 0.2),
    }
    given = {}
    for where, scores in cells.items():
        given |= runs(where, *([score, score] for score in scores))
    found = studies.relative_change(given)
    # -1/4 - (-1/2) = 1/4;  -1/2 - 0 = -1/2;  EC 0 before.
    of_gpt = {name: cell["difference"] for name, cell in found["systems"]["GPT-3.5"].items()}
    assert of_gpt == pytest.approx({"Amazon": 0.25, "SemEval": -0.5}, abs=1e-12)
    # Both samples of each cell change alike, which gives no interval.
    assert found["undefined"].pop("Gemma on Amazon") == "no sample left to compare"
    assert set(found["undefined"]) == {"GPT-3.5 on Amazon", "GPT-3.5 on SemEval"}
    assert found.to_pandas().columns.tolist() == ["system", "Amazon", "Amazon mark", "SemEval", "SemEval mark"]
    assert "GPT-3.5      0.250*  -0.500*\nGemma    undefined\n" in found.report()


def test_refused(refusal: Callable[..., str]) -> None:
    given = runs("/a", [0.5], [0.25], [0.4], [0.3])
    rest = {name: records for name, records in given.items() if name != "baseline_before/a"}
    for changed, options, message in (
        (given, {"baseline": "sof"}, "baseline must be one of uer, auc, bur, found str 'sof'"),
        (given, {"confidence_level": 1.0}, "confidence_level must lie between 0 and 1"),
        (given, {"baseline": "auc"}, "baseline_before/a[0] has no 'auc', found index, uer; "),
        (
            {**given, "baseline_after/a": [{"index": 7, "uer": 0.5}]},
            {},
            "before/a[0] is of sample 0 but baseline_after/a[0] of sample 7",
        ),
        ({**given, "after/a": [{"index": 0, "equal_coverage": "x"}]}, {}, "after/a[0] must be a finite number"),
        (rest, {}, "there is no baseline_before of a; found before, after, baseline_after"),
        (
            {"first": given["before/a"]},
            {},
            "samples 'first' must be named before, after, baseline_before or baseline_after, with "
            "/SYSTEM and /DATA_SET behind it where there are several; name it, as in before/gpt4/amazon=FILE",
        ),
    ):
        assert refusal(studies.relative_change, changed, **options).startswith(f"relative_change: {message}")
