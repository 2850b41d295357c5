"""Agreement with people over the temperature: by hand, by other implementations, what is left out and refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t

import fairsum_reproductions
from fairsum_reproductions.agreement import krippendorff_alpha

# At temperature 1 the shares are 3/4 and 1/4, at 1/2 they are 9/10 and 1/10.
LOG_3 = [math.log(3), 0.0]


def scored(index: int, scores: list[float], **entries: Any) -> dict[str, Any]:
    values = ["female", "male", "other"][: len(scores)]
    return {"index": index, "skipped": None, "values": values, "scores": scores, **entries}


def found(records: list[dict[str, Any]], facts: list[Any], **settings: Any) -> Any:
    return fairsum_reproductions.softmax_temperature(records, [{"facts": each} for each in facts], **settings)


def column(result: Any, name: str) -> list[Any]:
    return [point[name] for point in result["points"]]


SAMPLES = [scored(0, LOG_3), scored(1, [0.0, 0.0])]
FACTS = [{"female": 3, "male": 1}, {"female": 1, "male": 3}]


def test_by_hand() -> None:
    result = found(SAMPLES, FACTS, n_points=2)
    assert column(result, "temperature") == [0.5, 1.0]
    # People: 3/4, 1/4, 1/4, 3/4; the matcher at 1: 3/4, 1/4, 1/2, 1/2. All means are 1/2, so that
    # r = (1/8) / sqrt(1/4 * 1/8), and at 1/2 it is (1/5) / sqrt(1/4 * 8/25).
    assert column(result, "pearson") == pytest.approx([math.sqrt(1 / 2)] * 2)
    # alpha = 1 - 7/8 * (1/8) / (3/8), and at 1/2 1 - 7/8 * (17/100) / (57/100).
    assert column(result, "alpha") == pytest.approx([337 / 456, 17 / 24])
    assert (result["n_samples"], result["n_skipped"], result["undefined"]) == (
        2,
        0,
        {"intervals": "they need at least 20 summaries"},
    )
    lines = result.report().splitlines()
    assert any(line.split()[:2] == ["1", "0.71"] for line in lines)
    assert any("Printed: around 0.91 at 0.1 (figure 3)." in line for line in lines)
    [panel] = result._draw([]).panels
    assert [(curve.name, curve.points[0].y) for curve in panel.curves] == [
        ("Pearson's r", column(result, "pearson")[0]),
        ("Krippendorff's alpha", column(result, "alpha")[0]),
    ]


def test_as_other_implementations_say(replicates: Callable[[int, int, int], list[list[int]]]) -> None:
    generator = np.random.default_rng(50)
    records, facts = [], []
    for index in range(24):
        values = 2 + index % 2
        records.append(scored(index, generator.normal(size=values).tolist()))
        facts.append(
            {name: int(n) for name, n in zip(records[-1]["values"], generator.integers(1, 9, values), strict=True)}
        )
    result = found(records, facts, highest=0.3, n_points=1, n_resamples=40, seed=3)
    points = []
    for record, counts in zip(records, facts, strict=True):
        weights = np.exp(np.array(record["scores"]) / 0.3)
        points.append(np.stack([np.array([*counts.values()]) / sum(counts.values()), weights / weights.sum()]))
    x, y = np.concatenate(points, axis=1)
    assert column(result, "pearson") == pytest.approx([np.corrcoef(x, y)[0, 1]])
    assert column(result, "alpha") == pytest.approx(
        [krippendorff_alpha([*zip(x, y, strict=True)], "interval")["alpha"]]
    )
    drawn = [np.repeat(range(24), times) for times in replicates(24, 40, 3)]
    resampled = [np.concatenate([points[place] for place in places], axis=1) for places in drawn]
    # Hesterberg's expanded percentiles, for 24 summaries.
    tail = norm.cdf(t.ppf(0.025, 23) * math.sqrt(24 / 23))
    for name, numbers in (
        ("pearson", [np.corrcoef(*each)[0, 1] for each in resampled]),
        ("alpha", [krippendorff_alpha([*zip(*each, strict=True)], "interval")["alpha"] for each in resampled]),
    ):
        assert column(result, f"{name}_ci")[0] == pytest.approx(np.quantile(numbers, [tail, 1 - tail]))


def test_what_is_left_out() -> None:
    records = [
        *SAMPLES,
        scored(2, [], skipped="empty_prediction"),
        scored(3, [1.0]),
        scored(4, LOG_3),
        scored(5, LOG_3),
    ]
    result = found(records, [*FACTS, None, {"female": 2}, None, {"female": 0, "male": 0}], n_points=2)
    assert (result["n_samples"], result["n_skipped"]) == (2, 4)
    assert column(result, "alpha") == column(found(SAMPLES, FACTS, n_points=2), "alpha")


def test_undefined() -> None:
    none = found(SAMPLES, [None, {}])
    assert np.isnan(column(none, "pearson")).all()
    assert none["undefined"] == dict.fromkeys(("pearson", "alpha"), "no sample left to score")
    even = found(SAMPLES, [{"female": 1, "male": 1}] * 2, n_points=2)
    assert np.isnan(column(even, "pearson")).all()
    # People: 1/2 always. alpha at 1: 1 - 7/8 * (1/8) / (1/8).
    assert column(even, "alpha")[1] == pytest.approx(1 / 8)
    assert [*even["undefined"]] == ["pearson", "intervals"]
    one = found(SAMPLES[:1], FACTS[:1], n_points=1)
    assert column(one, "alpha") == [1.0]  # 3/4 and 1/4 twice
    assert np.isnan(column(one, "alpha_ci")).all()
    assert one["undefined"] == {"intervals": "they need at least 20 summaries"}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([FACTS[0]], "softmax_temperature: samples has 2 samples but people has 1;"),
        ([FACTS[0], [1, 3]], "softmax_temperature: people[1]: facts must be a dict from group to number, found list"),
        ([FACTS[0], {"male": -1}], "people[1]: facts of 'male' must be a number of at least 0, found int -1"),
        ([FACTS[0], {"Male": 1}], "people[1]: facts name the group 'Male', but the summary's groups are female, male;"),
    ],
)
def test_what_people_cannot_count(refusal: Callable[..., str], facts: list[Any], message: str) -> None:
    assert message in refusal(found, SAMPLES, facts)


def test_other_matchers_have_no_temperature(refusal: Callable[..., str]) -> None:
    records = [{key: each[key] for key in each if key != "scores"} for each in SAMPLES]
    assert "score with --set matcher=bartscore or bertscore" in refusal(found, records, FACTS)
