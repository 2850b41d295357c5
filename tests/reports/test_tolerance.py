"""BUR over tau by hand, and beside the scores that the same samples have."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.charts import bur_over_tau, ratios_of, sample_ratios
from fairsum_utils.reports.panels import Curves
from fairsum_utils.stats.intervals import share_interval
from tests._together import score
from tests.reports._forms import check, made


def record(**shares: tuple[float, float]) -> dict[str, Any]:
    """What `return_samples` says of a sample: value -> share in the summary, desired share."""
    given, desired = zip(*shares.values(), strict=True)
    return {
        "skipped": None,
        "values": list(shares),
        "summary_share": list(given),
        "desired_share": list(desired),
        "ratio": [one / other for one, other in shares.values()],
    }


RECORDS = [
    record(a=(0.25, 0.5), b=(0.75, 0.5)),  # below tau from 0.5 on
    record(a=(0.6, 0.4), b=(0.4, 0.6)),  # from 2/3 on
    record(a=(1.0, 1.0)),  # never
    {"skipped": "empty_prediction", "values": ["a"], "summary_share": [], "desired_share": [], "ratio": []},
]


def at(panel: Curves, name: str, tau: float) -> float:
    [curve] = (curve for curve in panel.curves if curve.name == name)
    [point] = (point for point in curve.points if point.x == tau)
    return point.y


def test_curves_by_hand() -> None:
    panel = bur_over_tau(RECORDS, None)
    assert [curve.name for curve in panel.curves] == ["any group", "a", "b"]
    # Strictly below: at 0.5 itself nobody is.
    for tau, any_value, a, b in ((0.0, 0, 0, 0), (0.5, 0, 0, 0), (0.525, 1, 1, 0), (0.7, 2, 1, 1), (1.0, 2, 1, 1)):
        assert at(panel, "any group", tau) == pytest.approx(any_value / 3)
        assert at(panel, "a", tau) == pytest.approx(a / 3)
        assert at(panel, "b", tau) == pytest.approx(b / 2)
    assert not panel.notes
    check(made(panel))


def test_the_band_holds_intervals_of_proportions() -> None:
    panel = bur_over_tau(RECORDS, 0.9, 0.8)
    assert panel.curves[0].points[-1].ends == share_interval(2, 3, 0.9)
    assert panel.curves[1].points[-1].ends is None
    assert panel.notes == ["Band: 90% intervals, for each tau by itself."]
    assert [line.text for line in panel.lines] == ["tau = 0.8"]


def test_ratios_by_value() -> None:
    panel = ratios_of(sample_ratios(RECORDS), 0.8)
    assert {group.name: group.numbers for group in panel.groups} == {"a": [0.5, 0.6 / 0.4, 1.0], "b": [1.5, 0.4 / 0.6]}
    assert [line.number for line in panel.lines] == [0.8, 1.0]
    check(made(panel, width=3.4))


def test_nothing_is_scored() -> None:
    assert all(math.isnan(point.y) for point in bur_over_tau(RECORDS[-1:], 0.95).curves[0].points)
    check(made(bur_over_tau(RECORDS[-1:], 0.95), ratios_of(sample_ratios(RECORDS[-1:]))))


@pytest.mark.parametrize("settings", [{}, {"unmatched": "unfair"}, {"target": "equal"}])
def test_the_curve_goes_through_the_scores(settings: dict[str, Any], examples: ModuleType) -> None:
    given: dict[str, Any] = {**examples.SUMMARIES, **settings, "return_samples": True}
    predictions = [*examples.A[:3], "Nothing of this."]
    given["unmatched"] = settings.get("unmatched", "uniform")
    samples: Any = None
    for tau in (0.25, 0.5, 0.8, 1.0):
        result = score(predictions, **given, metrics=["bur"], tau=tau)["bur"]
        samples = result["samples"]
        panel = bur_over_tau(samples, None)
        assert at(panel, "any group", tau) == pytest.approx(result["bur"])
        for value, rate in result["bur_by_value"].items():
            assert at(panel, value, tau) == pytest.approx(rate)


SHARES = st.tuples(st.floats(0, 1), st.floats(0.01, 1))


@given(st.lists(st.fixed_dictionaries({"a": SHARES}, optional={"b": SHARES, "c": SHARES}), min_size=1, max_size=6))
def test_curves_rise(samples: list[dict[str, tuple[float, float]]]) -> None:
    panel = bur_over_tau([record(**shares) for shares in samples], None)
    for curve in panel.curves:
        rates = [point.y for point in curve.points]
        assert rates == sorted(rates)
        assert 0 <= rates[0] <= rates[-1] <= 1
    assert all(max(point.y for point in curve.points) <= 1 for curve in panel.curves)
