"""Correlation of entailers: by hand, and beside the rank correlation of the scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.correlation import rank_correlation
from fairsum_reproductions.coverage.entailers import EntailerSettings, entailer_correlation
from fairsum_utils.measures import measures_of

score = partial(fairsum_utils.score, metrics=measures_of("coverage"))


class TestEntailers:
    VALUES: list[list[str]] = [["a", "b"]] * 4 + [["a", "a"]]

    def records(self, *gaps: float) -> list[dict[str, Any]]:
        coverage = [[[0.5 + gap / 2], [0.5 - gap / 2]] for gap in (*gaps, 0.0)]
        return score(values=self.VALUES, coverage=coverage, return_samples=True)["equal_coverage"]["samples"]  # type: ignore[no-any-return]

    def test_from_scoring(self) -> None:
        # EC is half the gap: ranks 1, 2, 3, 4 and 2, 1, 3, 4: rho = 1 - 6 * (1 + 1) / (4 * 15).
        one, other = self.records(0.1, 0.2, 0.3, 0.4), self.records(0.6, -0.5, 0.7, -0.8)
        found = entailer_correlation([{"one": one, "other": other}])
        assert found["rho"] == pytest.approx(0.8, abs=1e-15)
        assert (found["n_samples"], found["n_skipped"]) == (4, 1)

    def test_is_the_rank_correlation_of_the_scores(self) -> None:
        one, other = self.records(0.1, 0.5, 0.3, 0.4), self.records(0.5, 0.1, 0.6, 0.2)
        scores = [[record["equal_coverage"] for record in records] for records in (one, other)]
        found = entailer_correlation([{"one": one, "other": other}], EntailerSettings(module="entailers", seed=3))
        assert found == rank_correlation(*scores, seed=3)

    def test_other_samples(self, refusal: Callable[..., str]) -> None:
        records = self.records(0.1, 0.2, 0.3, 0.4)
        assert refusal(studies.entailers, {"one": records, "other": records[::-1]}) == (
            "entailers: one[0] is of sample 0 but other[0] of sample 4; "
            "give the records of the same samples in the same order"
        )
        assert refusal(studies.entailers, {"one": records, "other": records[1:]}) == (
            "entailers: one has 5 samples but other has 4; give the records of the same samples in the same order"
        )

    def test_records_of_another_measure(self, refusal: Callable[..., str]) -> None:
        records = score(values=[["a", "b"]], coverage=[[[1], [0]]], return_samples=True)["coverage_parity"]["samples"]
        assert refusal(studies.entailers, {"one": records, "other": records}).startswith(
            "entailers: one[0] has no 'equal_coverage', found index, "
        )


class TestStudy:
    """EC is half the gap between two documents, and CP half the size of the mean gap."""

    def runs(self, entailer: str, **gaps: list[float]) -> dict[str, list[dict[str, Any]]]:
        found = {}
        for system, own in gaps.items():
            coverage = [[[0.5 + gap / 2], [0.5 - gap / 2]] for gap in own]
            scored = score(values=[["a", "b"]] * len(own), coverage=coverage, return_samples=True, max_exact=1)
            found[f"{entailer}/{system}/news"] = scored["equal_coverage"]["samples"]
        return found

    def test_both_halves_of_the_table(self) -> None:
        one = self.runs("Ro.", x=[0.1, 0.2], y=[0.4, 0.5], z=[0.3, -0.9])
        other = self.runs("De.", x=[0.2, 0.1], y=[0.6, 0.5], z=[0.3, -0.4])
        found = studies.entailers({**one, **other})
        # Sizes of gaps 1, 2, 4, 5, 3, 9 tenths: ranks 1 2 4 5 3 6; 2, 1, 6, 5, 3, 4 tenths: ranks 2 1 6 5 3 4.
        # Squared differences 1 + 1 + 4 + 0 + 0 + 4 = 10; rho = 1 - 60 / 210.
        [of_samples] = found["equal_coverage"]
        assert of_samples["rho"] == pytest.approx(1 - 60 / 210, abs=1e-12)
        assert (of_samples["n_samples"], of_samples["systems"]) == (6, ["x", "y", "z"])
        # Mean gaps 0.15, 0.45, -0.3 and 0.15, 0.55, -0.05: sizes in ranks 1 3 2 and 2 3 1: rho = 1 - 6 * 2 / 24.
        [of_systems] = found["coverage_parity"]
        assert of_systems["rho"] == pytest.approx(0.5, abs=1e-12)
        assert of_systems["n_samples"] == 3
        header, row = found.to_csv().splitlines()[:2]
        assert (header, row.split(",")[0]) == ("data set,Ro. and De.", "news")
        assert "Coverage Parity over systems" in found.report()

    def test_coverage_parity_is_that_of_the_results(self) -> None:
        from fairsum_reproductions.coverage._extremes import parity_of

        values, coverage = (
            [["a", "b", "c"]] * 4,
            [[[0.1], [0.5], [0.9]], [[1], [0.5], [0]], [[0], [1], [1]], [[0.2]] * 3],
        )
        scored = score(values=values, coverage=coverage, return_samples=True)
        samples = scored["equal_coverage"]["samples"]
        assert parity_of("entailers", "samples", samples) == pytest.approx(
            scored["coverage_parity"]["coverage_parity"], abs=1e-12
        )

    def test_only_what_both_have_is_compared(self) -> None:
        one, other = self.runs("a", x=[0.1, 0.2, 0.3], y=[0.3, 0.1, 0.2]), self.runs("b", x=[0.3, 0.5, 0.9])
        found = studies.entailers({**one, **other})
        assert [(each["systems"], each["rho"]) for each in found["equal_coverage"]] == [(["x"], 1.0)]
        assert list(found["undefined"]) == ["coverage_parity of a and b on news"]

    def test_other_samples(self, refusal: Callable[..., str]) -> None:
        one, other = self.runs("a", x=[0.1, 0.2]), self.runs("b", x=[0.3])
        assert refusal(studies.entailers, {**one, **other}).startswith(
            "entailers: a/x/news has 2 samples but b/x/news has 1"
        )
        assert refusal(studies.entailers, one) == "entailers: needs runs with at least two entailers, found a"
