"""Runs with different settings: names, scores and changes by hand, table 7's layout, the figure, what is refused."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import fairsum_reproductions as studies
from fairsum_reproductions.fairsumm import mitigation
from fairsum_reproductions.fairsumm.mitigation import Condition, change
from fairsum_reproductions.shares import read_shares
from fairsum_utils import compare, score
from fairsum_utils.analysis.ratings import Intervals
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.errors import InputError
from fairsum_utils.stats.intervals import Moments, mean_interval


def record(index: int, got: list[float], wanted: tuple[float, ...] = (0.5, 0.5), **known: Any) -> dict[str, Any]:
    values = ["a", "b", "c"][: len(got)]
    kept = {"index": index, "skipped": None, "unmatched": False, "values": values}
    return {**kept, "summary_share": got, "desired_share": list(wanted), **known}


# Four samples of two values, each desired to have half: what a and b get.
PLAIN = [record(i, [share, 1 - share]) for i, share in enumerate((0.5, 0.3, 0.2, 0.8))]
FAIR = [record(i, [share, 1 - share]) for i, share in enumerate((0.5, 0.5, 0.4, 0.5))]


def test_names_of_runs() -> None:
    for name, data_set, setting, number, words in (
        ("claritin/definition", "claritin", "definition", math.nan, "definition"),
        ("claritin/t0.7", "claritin", "t0.7", 0.7, "t"),
        ("yelp/3 sentences", "yelp", "3 sentences", 3, "sentences"),
        ("5", "", "5", 5, ""),
        ("llama2-13b", "", "llama2-13b", math.nan, "llama2-13b"),
        ("v1.2.3", "", "v1.2.3", math.nan, "v1.2.3"),
    ):
        assert str(Condition.of(name)) == str(Condition(data_set, setting, float(number), words))


def test_scores_and_changes_by_hand() -> None:
    result = studies.mitigation({"claritin/plain": PLAIN, "claritin/definition": FAIR}, n_resamples=200)
    plain, fair = result["runs"]
    # Shortfalls of PLAIN: none, a 0.2, a 0.3, b 0.3; below 0.8 * 0.5 in three of four. UER: (0 + .1 + .15 + .15) / 4.
    # m_a = (0 + .2 + .3 + 0) / 4 = .125, m_b = .3 / 4 = .075: SOF = .025.
    assert plain["scores"]["bur"] == 0.75
    assert plain["scores"]["uer"] == pytest.approx(0.1)
    assert plain["scores"]["sof"] == pytest.approx(0.025)
    # AUC: 1 - the least ratio: 0, 1 - .6, 1 - .4, 1 - .4.
    assert plain["scores"]["auc"] == pytest.approx((0 + 0.4 + 0.6 + 0.6) / 4)
    # FAIR: a lacks .1 in the third, and 0.4 is not below 0.8 * 0.5. m_a = .025, m_b = 0: SOF = .0125.
    assert fair["scores"] == pytest.approx({"bur": 0, "uer": 0.0125, "auc": 0.05, "sof": 0.0125})
    changes = fair["change"]
    assert changes["bur"]["difference"] == -0.75
    assert changes["uer"]["difference"] == pytest.approx(-0.0875)
    assert changes["sof"]["difference"] == pytest.approx(-0.0125)
    assert changes["n_samples"] == 4
    assert (plain["is_baseline"], fair["is_baseline"], "change" in plain) == (True, False, False)
    assert result["signature"].startswith("study:mitigation|tau:0.8|ci:0.95|resamples:200|seed:0|v:")


def test_a_change_of_a_mean_is_that_of_its_samples() -> None:
    """Each sample is held against itself: the interval is that of the differences."""
    runs = [read_shares("x", "x", samples) for samples in (PLAIN, FAIR)]
    options = Intervals(confidence_level=0.95, n_resamples=400)
    result, same = change(*runs, 0.8, options), change(runs[0], runs[0], 0.8, options)
    # See above: BUR falls by 1 in three samples; UER by 0, .1, .15 - .05 and .15; AUC by 0, .4, .6 - .2 and .6.
    falls = {"bur": [0.0, 1.0, 1.0, 1.0], "uer": [0.0, 0.1, 0.1, 0.15], "auc": [0.0, 0.4, 0.4, 0.6]}
    for name, fall in falls.items():
        high = 0.5 if name == "uer" else 1.0
        ends = mean_interval(Moments.of(-np.array(fall)), 0.95, (-high, high))
        assert result[name]["difference_ci"] == pytest.approx(ends, abs=1e-9), name
        assert (same[name]["difference"], same[name]["p_value"]) == (0, 1)
        ends = mean_interval(Moments(4, 0, 0, 0), 0.95, (-high, high))
        assert same[name]["difference_ci"] == pytest.approx(ends)
    assert math.isnan(same["sof"]["difference_ci"][0])  # of four samples


@pytest.mark.parametrize("n", [199, 200])
def test_the_change_of_sof_needs_200_samples(n: int) -> None:
    lacking = np.random.default_rng(6).uniform(0, 0.5, size=(2, n)).round(3)
    runs = [
        read_shares("x", "x", [record(i, [0.5 - a, 0.5 + a]) for i, a in enumerate(row)]) for row in lacking.tolist()
    ]
    result = change(*runs, 0.8, Intervals(confidence_level=0.9, n_resamples=200, seed=3))
    low, high = result["sof"]["difference_ci"]
    if n < 200:
        assert math.isnan(low)
        assert math.isnan(high)
        return
    # b lacks nothing, so that SOF is half the mean of what a lacks.
    drawn = np.random.default_rng(3).integers(n, size=(200, n))
    replicates = (lacking[1][drawn].mean(axis=1) - lacking[0][drawn].mean(axis=1)) / 2
    tail = norm.sf(math.sqrt(n / (n - 1)) * student.ppf(0.95, n - 1))
    assert [low, high] == pytest.approx(np.quantile(replicates, [tail, 1 - tail]), abs=1e-9)


def test_values_that_not_every_sample_has() -> None:
    samples = [record(0, [1.0], (1.0,)), record(1, [0.1, 0.5, 0.4], (0.2, 0.5, 0.3)), record(2, [0.0, 1.0])]
    result = studies.mitigation({"one": samples}, n_resamples=50)
    # a lacks 0, .1 and .5 in three samples, b nothing in two, c nothing in one: means .2, 0, 0, whose mean is 1 / 15.
    assert result["runs"][0]["scores"]["sof"] == pytest.approx((2 / 15 + 1 / 15 + 1 / 15) / 3)


def test_only_samples_that_both_have_are_compared() -> None:
    left_out = {**FAIR[1], "skipped": "empty_prediction", "values": [], "summary_share": [], "desired_share": []}
    result = studies.mitigation({"plain": PLAIN, "fair": [FAIR[0], left_out, *FAIR[2:]]}, n_resamples=50)
    fair = result["runs"][1]
    assert (fair["n_samples"], fair["n_skipped"], fair["change"]["n_samples"]) == (3, 1, 3)
    assert fair["change"]["bur"]["difference"] == pytest.approx(-2 / 3)


def test_the_smallest_runs() -> None:
    result = studies.mitigation({"t0": PLAIN[:1], "t1": FAIR[:1]})
    assert set(result["undefined"]) == {"intervals of t0", "intervals of t1"}
    assert all("at least two samples" in reason for reason in result["undefined"].values())
    assert all(math.isnan(end) for end in result["runs"][1]["change"]["bur"]["difference_ci"])
    nothing = [{**PLAIN[0], "skipped": "empty_prediction"}]
    scores = studies.mitigation({"t0": nothing})["runs"][0]["scores"]
    assert all(math.isnan(score) for score in scores.values())


def test_holm_over_all_changes() -> None:
    result = studies.mitigation({"t0": PLAIN, "t0.5": FAIR, "t1": PLAIN}, n_resamples=100)
    raw = [run["change"]["uer"]["p_value"] for run in result["runs"][1:]]
    adjusted = [run["change"]["uer"]["p_adjusted"] for run in result["runs"][1:]]
    assert adjusted == [min(1, 2 * raw[0]), 1]
    again = studies.mitigation({"plain": PLAIN, "fair": FAIR}, n_resamples=50, baseline="fair")
    assert again["runs"][0]["change"]["bur"]["difference"] == 0.75
    assert "|baseline:fair|" in again["signature"]


def test_the_layout_of_table_7() -> None:
    runs = {"Claritin/plain": PLAIN, "Claritin/Definition": FAIR, "Yelp/plain": FAIR, "Yelp/Definition": PLAIN}
    result = studies.mitigation(runs, n_resamples=50)
    table = mitigation.parts(dict(result))[0]
    assert table.header[:4] == ["", "BUR", "UER", "SOF"]
    assert [row[0] for row in table.rows] == ["Claritin (plain)", "+ Definition", "Yelp (plain)", "+ Definition"]
    assert [row[1] for row in table.rows] == [0.75, 0, 0, 0.75]
    mixed = dict(itertools.chain.from_iterable(zip(list(runs.items())[::2], list(runs.items())[1::2], strict=True)))
    again = studies.mitigation(mixed, n_resamples=50)
    assert [run["name"] for run in again["runs"]] == list(runs)  # a data set's runs stand together
    assert [run["is_baseline"] for run in again["runs"]] == [True, False] * 2


def test_curves_over_numbers_and_level_lines() -> None:
    runs = {"natural": PLAIN, "5 sentences": FAIR, "1 sentences": PLAIN}
    result = studies.mitigation(runs, n_resamples=50)
    assert result["over"] == "sentences"
    drawing = mitigation.drawing(dict(result))
    panel = drawing.panels[0]
    assert [curve.name for curve in panel.curves] == ["BUR", "natural"]
    assert [(point.x, point.y) for point in panel.curves[0].points] == [(1, 0.75), (5, 0)]
    assert [(point.x, point.y) for point in panel.curves[1].points] == [(1, 0.75), (5, 0.75)]
    assert panel.curves[0].points[0].ends == result["runs"][2]["intervals"]["bur"]
    assert "Fairness over sentences" in result.plot()._repr_svg_()
    result = studies.mitigation({"plain": PLAIN, "definition": FAIR}, n_resamples=50)
    panel = mitigation.drawing(dict(result)).panels[0]
    assert [(row.label, row.marks[0].number) for row in panel.rows] == [("plain", 0.75), ("definition", 0)]


def test_sentences_are_counted_where_there_are_texts() -> None:
    texts = ["One. Two.", "One", "One. Two. Three.", "One! Two?"]
    told = [{**sample, "sample": {"predictions": text}} for sample, text in zip(PLAIN, texts, strict=True)]
    result = studies.mitigation({"natural": told, "3": FAIR}, n_resamples=50)
    assert [run["sentences"] for run in result["runs"]] == [2, None]
    table = mitigation.parts(dict(result))[0]
    assert (table.header[-1], [row[-1] for row in table.rows]) == ("sentences", [2, None])
    assert "sentences" not in mitigation.parts(dict(studies.mitigation({"3": FAIR})))[0].header


def test_changes_are_those_that_compare_gives() -> None:
    """Another way through the code, with the same draws: `fairsum_utils.compare` on the texts themselves."""
    demo = load_demo()
    columns = demo["sources"], demo["values"]
    compared = compare(demo["system_a"], demo["system_b"], *columns, metrics="bur,uer,auc,sof", confidence_level=0.95)
    runs = {
        name: score(demo[name], *columns, metrics="bur", return_samples=True, confidence_level=None)
        for name in ("system_b", "system_a")
    }
    found = studies.mitigation(runs)["runs"][1]["change"]
    for measure in ("bur", "uer", "auc", "sof"):
        for key in ("difference", "difference_ci", "p_value"):
            assert found[measure][key] == pytest.approx(compared[measure][key], abs=1e-15, nan_ok=True), (
                measure,
                key,
            )


def test_junk_that_looks_fair_is_said() -> None:
    junk = [{**sample, "unmatched": True, "summary_share": [0.5, 0.5]} for sample in PLAIN]
    table = mitigation.parts(dict(studies.mitigation({"t0": PLAIN, "t2": junk}, n_resamples=50)))[0]
    assert "t2: 100 % of the summaries have no word of their sources, which counts as fair and is not." in table.below


@pytest.mark.parametrize(
    ("runs", "settings", "message"),
    [
        ({"a/x": PLAIN, "a/y": FAIR[:2]}, {}, "mitigation: a/x has 4 samples but a/y has 2"),
        ({"x": PLAIN, "y": FAIR[::-1]}, {}, r"mitigation: x\[0\] is of sample 0 but y\[0\] of sample 3"),
        ({"a/x": PLAIN, "b/y": FAIR}, {"baseline": "x"}, "no run of b is named 'x', which is the baseline; found y"),
        ({"x": PLAIN}, {"baseline": "z"}, "no run is named 'z'"),
        ({"x": PLAIN}, {"tau": 2}, "tau"),
        ({"x": [{"index": 0, "skipped": None}]}, {}, r"mitigation: x\[0\] has no 'values'"),
        ({}, {}, "samples is empty"),
    ],
)
def test_runs_that_cannot_be_compared(runs: dict[str, Any], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        studies.mitigation(runs, **settings)
