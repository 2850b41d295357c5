"""Relative changes: examples by hand, and a plain loop over the same draws."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.coverage.relative_change import ChangeSettings, compare_relative_change, relative_change
from fairsum_utils.measures import measures_of
from fairsum_utils.stats.intervals import Moments, mean_interval

score = partial(fairsum_utils.score, metrics=measures_of("coverage"))


class TestRelativeChange:
    def test_by_hand(self) -> None:
        # (1/4 - 1/2) / (1/2) = -1/2;  (1 - 1/4) / (1/4) = 3;  0 before: none;  no score: none.
        found = relative_change([0.5, 0.25, 0.0, None, 0.5], [0.25, 1.0, 0.5, 0.5, math.nan])
        assert found == {
            "relative_change": 1.25,
            "mean_before": 0.375,
            "mean_after": 0.625,
            "n_samples": 2,
            "n_skipped": 2,
            "n_undefined": 1,
        }

    def test_zero_but_for_rounding(self) -> None:
        found = relative_change([1e-17, 0.5], [0.5, 0.5])
        assert (found["relative_change"], found["n_undefined"]) == (0.0, 1)

    def test_nothing_left(self) -> None:
        found = relative_change([0.0, None], [0.5, 0.5])
        assert all(math.isnan(found[key]) for key in ("relative_change", "mean_before", "mean_after"))
        assert found["undefined"] == "no sample with a score above 0 before"
        assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (0, 1, 1)

    def test_refused(self, refusal: Callable[..., str]) -> None:
        assert refusal(relative_change, [0.5], [0.5, 0.1]).startswith("relative_change: before has 1 sample but after")
        assert refusal(relative_change, [0.5], ["x"]).startswith("relative_change: after[0] must be a finite number")


def records_of(name: str, scores: list[float | None]) -> list[dict[str, Any]]:
    return [{"index": index, name: score} for index, score in enumerate(scores)]


ROLES = ("before", "after", "baseline_before", "baseline_after")


class TestCompareRelativeChange:
    @staticmethod
    def compared(*columns: list[float | None], baseline: str = "uer", **options: Any) -> dict[str, Any]:
        names = ("equal_coverage", "equal_coverage", baseline, baseline)
        records = [records_of(name, column) for name, column in zip(names, columns, strict=True)]
        runs = dict(zip(ROLES, records, strict=True))
        return compare_relative_change(runs, ChangeSettings(module="relative_change", baseline=baseline, **options))

    def test_by_hand(self) -> None:
        found = self.compared(
            [0.5, 0.25, 0.0, 0.5, None],
            [0.25, 0.25, 0.5, 0.5, 0.5],
            [0.5, 0.5, 0.5, 0.0, 0.5],
            [0.5, 0.75, 0.5, 0.5, 0.5],
        )
        # Samples 0 and 1: EC -1/2 and 0; UER 0 and 1/2. Sample 2: EC 0 before; sample 3: UER 0 before; sample 4: no EC.
        assert found["relative_change"] == {"equal_coverage": -0.25, "uer": 0.25}
        assert found["difference"] == 0.5
        # In both 1/2: EC falls as much more everywhere. Nothing limits a relative change, nor tells how far it spreads.
        assert all(map(math.isnan, found["difference_ci"]))
        assert found["undefined"].startswith("difference_ci: ")
        assert found["p_value"] == 1 / 1001
        assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (2, 1, {"equal_coverage": 1, "uer": 1})

    def test_equals_a_plain_bootstrap(self, replicates: Callable[..., list[list[int]]]) -> None:
        generator = random.Random(2)
        columns: list[list[float | None]] = [[generator.uniform(0.1, 1) for _ in range(20)] for _ in range(4)]
        found = self.compared(*columns, baseline="auc", n_resamples=200, seed=5, confidence_level=0.8)
        a, b, c, d = columns
        differences = [(d[i] - c[i]) / c[i] - (b[i] - a[i]) / a[i] for i in range(20)]  # type: ignore[operator]
        own = sum(differences) / 20
        means = [
            sum(count * one for count, one in zip(counts, differences, strict=True)) / 20
            for counts in replicates(20, 200, 5)
        ]
        assert found["difference"] == pytest.approx(own, abs=1e-12)
        ends = mean_interval(Moments.of(np.array(differences)), 0.8, (-math.inf, math.inf))
        assert found["difference_ci"] == pytest.approx(ends, abs=1e-12)
        low, high = np.quantile(means, [0.1, 0.9])  # too narrow of 20 samples
        assert ends[0] < low < high < ends[1]
        middle = sum(means) / 200
        assert found["p_value"] == (1 + sum(abs(mean - middle) >= abs(own) for mean in means)) / 201

    def test_nothing_left(self) -> None:
        found = self.compared([0.5], [0.5], [0.0], [0.5], baseline="bur")
        assert all(map(math.isnan, [found["difference"], *found["difference_ci"], found["p_value"]]))
        assert all(map(math.isnan, found["relative_change"].values()))
        assert found["undefined"] == "no sample left to compare"

    def test_one_sample(self) -> None:
        found = self.compared([0.5], [0.5], [0.5], [0.25])
        assert found["difference"] == -0.5
        assert found["undefined"] == "difference_ci and p_value: a bootstrap needs at least two samples"
        assert math.isnan(found["p_value"])

    def test_refused(self, refusal: Callable[..., str]) -> None:
        run = [[0.5]] * 4
        assert refusal(self.compared, *run, baseline="sof").startswith(
            "relative_change: baseline must be one of uer, auc, bur, found str 'sof'"
        )
        assert refusal(self.compared, *run, confidence_level=1.0).startswith(
            "relative_change: confidence_level must lie between 0 and 1"
        )
        ec = records_of("equal_coverage", [0.5])
        runs = {f"{role}/gpt4": ec for role in ROLES}
        assert refusal(studies.relative_change, runs).startswith(
            "relative_change: baseline_before/gpt4[0] has no 'uer', found index, equal_coverage; "
        )
        runs["baseline_after/gpt4"] = [{"index": 7, "uer": 0.5}]
        assert refusal(studies.relative_change, runs).startswith(
            "relative_change: before/gpt4[0] is of sample 0 but baseline_after/gpt4[0] of sample 7"
        )

    def test_of_both_families(self) -> None:
        sources, values = [["Tasty soup.", "Awful bread."]] * 2, [["pos", "neg"]] * 2

        def run(*summaries: str) -> list[list[dict[str, Any]]]:
            options = {"metrics": ["equal_coverage"], "entailer": "lexical", "return_samples": True}
            ours = score(list(summaries), sources, values, **options)["equal_coverage"]["samples"]  # type: ignore[arg-type]
            theirs = fairsum_utils.score(list(summaries), sources, values, metrics=["uer"], return_samples=True)
            return [ours, theirs["uer"]["samples"]]

        (ec_before, uer_before), (ec_after, uer_after) = run("Tasty.", "Bread."), run("Tasty bread.", "Bread.")
        runs = (ec_before, ec_after, uer_before, uer_after)
        found = compare_relative_change(dict(zip(ROLES, runs, strict=True)))
        # Of sample 0 both fall to 0, in sample 1 nothing changes.
        assert found["relative_change"] == {"equal_coverage": -0.5, "uer": -0.5}


class TestStudy:
    """The relative changes of EC and of UER are numbers of the table's cells."""

    @staticmethod
    def runs(where: str, ec: tuple[float, float], uer: tuple[float, float]) -> dict[str, list[dict[str, Any]]]:
        roles = {"before": ec[0], "after": ec[1], "baseline_before": uer[0], "baseline_after": uer[1]}
        names = ("equal_coverage", "equal_coverage", "uer", "uer")
        return {
            f"{role}{where}": records_of(name, [score, score])
            for name, (role, score) in zip(names, roles.items(), strict=True)
        }

    def test_the_papers_table(self) -> None:
        found = studies.relative_change(
            {
                **self.runs("/GPT-3.5/Amazon", (0.5, 0.25), (0.4, 0.3)),
                **self.runs("/GPT-3.5/SemEval", (0.5, 0.5), (0.4, 0.2)),
                **self.runs("/Gemma/Amazon", (0.0, 0.5), (0.4, 0.2)),
            }
        )
        # -1/4 - (-1/2) = 1/4;  -1/2 - 0 = -1/2;  EC 0 before.
        cells = found["systems"]
        assert cells["GPT-3.5"]["Amazon"]["difference"] == pytest.approx(0.25, abs=1e-12)
        assert cells["GPT-3.5"]["SemEval"]["difference"] == pytest.approx(-0.5, abs=1e-12)
        # Both samples of each cell change alike, which gives no interval.
        undefined = found["undefined"]
        assert undefined.pop("Gemma on Amazon") == "no sample left to compare"
        assert set(undefined) == {"GPT-3.5 on Amazon", "GPT-3.5 on SemEval"}
        assert all(reason.startswith("difference_ci: ") for reason in undefined.values())
        assert found.to_pandas().columns.tolist() == ["system", "Amazon", "Amazon mark", "SemEval", "SemEval mark"]
        assert "GPT-3.5      0.250*  -0.500*\nGemma    undefined\n" in found.report()

    def test_one_system(self) -> None:
        found = studies.relative_change(self.runs("", (0.5, 0.25), (0.4, 0.3)), n_resamples=99)
        assert found["systems"][""][""]["p_value"] == 1 / 100
        assert found.to_pandas()["difference mark"].tolist() == ["*"]

    def test_names(self, refusal: Callable[..., str]) -> None:
        runs = self.runs("/a", (0.5, 0.25), (0.4, 0.3))
        assert refusal(studies.relative_change, {"first": runs["before/a"]}) == (
            "relative_change: samples 'first' must be named before, after, baseline_before or baseline_after, with "
            "/SYSTEM and /DATA_SET behind it where there are several; name it, as in before/gpt4/amazon=FILE"
        )
        del runs["baseline_before/a"]
        assert refusal(studies.relative_change, runs) == (
            "relative_change: there is no baseline_before of a; found before, after, baseline_after"
        )
