"""The published numbers (Zhang et al. 2024, table 10, Yelp, GPT-4, n-gram matching) on the published summaries."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import compare
from fairsum_utils.families.representation import FAMILY
from fairsum_utils.families.representation.rows import DistributionTable
from fairsum_utils.measures import DEFAULT_METRICS
from tests._together import together
from tests.conftest import takes_long

METRICS = DEFAULT_METRICS


@pytest.fixture(scope="module")
def rows(yelp: Any) -> list[Any]:
    scorer = FAMILY.scorer(METRICS, together(METRICS))
    return list(scorer.rows(scorer.read(yelp._asdict())))


def published(table: DistributionTable, **options: Any) -> dict[str, dict[str, Any]]:
    settings = together(METRICS, **options)
    scorer = FAMILY.scorer(METRICS, settings)
    return FAMILY.results(FAMILY.sums(table, METRICS, settings, scorer), METRICS, settings, scorer, yelp_columns)


yelp_columns = ("predictions", "sources", "values")


def test_the_yelp_row(rows: list[Any]) -> None:
    found = published(DistributionTable(rows))
    percents = {name: 100 * found[name][name] for name in METRICS}
    # The paper's table prints the first two with two digits; the others come from the published code's distributions.
    assert f"{percents['bur']:.2f}" == "20.27"
    assert f"{percents['uer']:.2f}" == "2.50"
    assert f"{percents['sof']:.4f}" == "0.5428"
    assert f"{percents['auc']:.4f}" == "13.6510"
    ten_points = published(DistributionTable(rows), n_points=10)["auc"]
    assert f"{100 * ten_points['auc']:.4f}" == "16.9733"
    for result in found.values():
        assert (result["n_samples"], result["n_skipped"], result["n_unmatched"]) == (1500, 0, 0)


@takes_long
def test_a_leading_half_of_the_reviews_is_told_from_the_summary(yelp: Any) -> None:
    found = compare(yelp.predictions, [texts[0] for texts in yelp.sources], yelp.sources, yelp.values)
    for name in ("bur", "uer", "auc"):
        assert found[name]["difference"] > 0
        assert found[name]["p_value"] == pytest.approx(1 / 1001, rel=0.05)
