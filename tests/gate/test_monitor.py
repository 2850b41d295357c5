"""A monitor: what it says of windows, what it refuses, and that it goes on where it stopped."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils import InputError, Monitor, compare, compute, read_results, score
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import SAMPLE
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results import Monitored, ScoreResults
from fairsum_utils.stats.sequential import Evidence, Pool

SOURCES, VALUES = ["Tasty soup.", "Awful soup."], ["pos", "neg"]


def scored(n: int, unfair: int, metrics: str = "bur,uer", **options: Any) -> ScoreResults:
    """Results of n summaries of which some leave a value out."""
    texts = ["Tasty."] * unfair + ["Tasty, awful."] * (n - unfair)
    return score(texts, [SOURCES] * n, [VALUES] * n, metrics=metrics, **{"confidence_level": 0.95, **options})


def told(n: int, unfair: int, **more: Any) -> ScoreResults:
    """Results as a file has them."""
    result = {
        "bur": unfair / n if n else math.nan,
        "n_samples": n,
        "n_skipped": 0,
        "skipped": {},
        "signature": "tau:0.8",
    }
    return ScoreResults({"bur": {**result, **more}})


@pytest.fixture(scope="module")
def baseline() -> ScoreResults:
    return scored(200, 20)


def fed(*windows: tuple[int, int], **options: Any) -> Monitor:
    monitor = Monitor(told(1000, 100), **options)
    for n, unfair in windows:
        monitor.add(told(n, unfair))
    return monitor


def test_evidence_is_that_of_the_scores(baseline: ScoreResults) -> None:
    monitor = Monitor(baseline, metrics="bur")
    assert monitor.add(scored(50, 5)) == "quiet"
    assert monitor.add(scored(50, 25)) == "alarm"
    evidence = Evidence(Pool(200, 0.1, 18.0), is_share=True)
    logs = [evidence.add(Pool(50, share, 0.0)) for share in (0.1, 0.5)]
    result = monitor.results()["bur"]
    assert [window["evidence"] for window in result["windows"]] == pytest.approx([math.exp(log) for log in logs])
    assert (result["alarm"], result["since"], result["bar"]) == ("2", "2", 20)
    assert monitor.alarm


def test_the_spread_of_a_mean_is_said_by_its_results(baseline: ScoreResults) -> None:
    monitor = Monitor(baseline, metrics=["uer"])
    window = scored(50, 8)
    monitor.add(window)
    # A share of the samples has 1/4, the others 0. Sum of squares: n times n / (n - 1) times the variance.
    assert baseline["uer"]["uer_sd"] == pytest.approx(0.25 * math.sqrt(0.1 * 0.9 * 200 / 199))
    squares = [0.25**2 * n * n / (n - 1) * p * (1 - p) for n, p in ((200, 0.1), (50, 0.16))]
    evidence = Evidence(Pool(200, 0.025, squares[0]), high=0.5)
    log = evidence.add(Pool(50, 0.04, squares[1]))
    assert monitor.results()["uer"]["evidence"] == pytest.approx(math.exp(log), rel=1e-6)


def test_the_spread_of_a_mean_is_read_from_its_interval_where_earlier_results_say_no_other(
    baseline: ScoreResults,
) -> None:
    def earlier(results: ScoreResults) -> ScoreResults:
        return ScoreResults({"uer": {key: entry for key, entry in results["uer"].items() if key != "uer_sd"}})

    monitor = Monitor(earlier(baseline), metrics=["uer"])
    window = scored(50, 8)
    monitor.add(earlier(window))
    low, high = baseline["uer"]["uer_ci"]
    squares = (200 * (high - low) / (2 * 1.959964)) ** 2  # n times the variance of a sample, n * SE^2
    evidence = Evidence(Pool(200, 0.025, squares), high=0.5)
    low, high = window["uer"]["uer_ci"]
    log = evidence.add(Pool(50, 0.04, (50 * (high - low) / (2 * 1.959964)) ** 2))
    assert monitor.results()["uer"]["evidence"] == pytest.approx(math.exp(log), rel=1e-6)


@pytest.mark.parametrize(
    "name", [name for name in measure_names() if get_measure(name).averages and family_of(name).unit is SAMPLE]
)
def test_what_is_monitored_is_a_mean_of_samples(name: str) -> None:
    texts = ["Tasty.", "Awful.", "Tasty, awful.", "Tasty, tasty, awful."]
    options = {"entailer": "lexical"} if name == "equal_coverage" else {}
    sources = [[*SOURCES, "The soup gave us food poisoning."]] * 4 if name == "omission" else [SOURCES] * 4
    values = [["pos", "neg", "neg"][: len(each)] for each in sources]
    result = compute(name, predictions=texts, sources=sources, values=values, return_samples=True, **options)
    found = [record[name] for record in result["samples"] if record["skipped"] is None]
    assert len(found) == result["n_samples"] > 1
    assert np.mean(found) == pytest.approx(result[name])
    assert set(found) <= {0, 1} or get_measure(name).averages == "scores"


def test_alpha_is_shared_and_sides_too(baseline: ScoreResults) -> None:
    assert {result["bar"] for result in Monitor(baseline).results().values()} == {40}
    assert Monitor(baseline, metrics="bur", alpha=0.01).results()["bur"]["bar"] == pytest.approx(100)
    falling = [(200, 0)] * 5
    assert fed(*falling).results().status == "quiet"
    assert fed(*falling, side="both").results().status == "alarm"


def test_an_alarm_stays() -> None:
    results = fed((200, 80), *[(200, 20)] * 20).results()
    assert (results.status, results.exit_status, results["bur"]["alarm"]) == ("alarm", 1, "1")


def test_of_few_samples_nothing_is_told() -> None:
    assert fed().results().status == "undecided"
    assert fed((29, 3)).results().exit_status == 3
    assert fed((29, 3), (1, 0)).results().exit_status == 0
    assert fed((200, 20), shift=0.05).results().status == "undecided"
    many = fed(*[(200, 20)] * 40, shift=0.05)
    assert many.results().status == "quiet"
    assert many.results()["bur"]["visible"] < 0.05
    few = Monitor(told(29, 3))
    assert few.add(told(100, 10)) == "undecided"


def test_nothing_is_told_where_nothing_varies() -> None:
    monitor = Monitor(told(1000, 0))
    assert monitor.add(told(100, 0)) == "undecided"
    assert monitor.add(told(100, 30)) == "alarm"


def test_a_window_without_a_score_says_nothing() -> None:
    monitor = fed((100, 10))
    before = monitor.results()["bur"]["evidence"]
    monitor.add(told(0, 0), "empty")
    monitor.add(told(100, 60), "full")
    windows = monitor.results()["bur"]["windows"]
    assert windows[1] | {"evidence": 0} == {
        "name": "empty", "score": None, "ci": None, "n_samples": 0, "evidence": 0, "alarm": False,
    }  # fmt: skip
    assert windows[1]["evidence"] == pytest.approx(before)
    assert monitor.results()["bur"]["since"] == "full"


@given(
    windows=st.lists(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), max_size=8),
    cut=st.integers(0, 8),
    side=st.sampled_from(["worse", "both"]),
)
@settings(deadline=None, max_examples=30)
def test_a_saved_state_goes_on_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, windows: list[tuple[int, int]], cut: int, side: str
) -> None:
    path = tmp_path_factory.mktemp("state") / "state.json"
    whole = fed(*windows, side=side)
    fed(*windows[:cut], side=side).save(path)
    again = Monitor.read(path)
    for n, unfair in windows[cut:]:
        again.add(told(n, unfair))
    assert again.results() == whole.results()
    assert again.windows == whole.windows


def test_states_that_are_damaged_or_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    fed((100, 10)).save(path)
    content = path.read_text()
    for changed, said in (
        (content.replace('"score": 0.1', '"score": 0.2', 1), "damaged or was edited; name"),
        (content[:-20], "not a monitor's state file"),
        ("[]", "not a monitor's state file"),
        ("3", "not a monitor's state file"),
        ("[" * 100_000, "not a monitor's state file"),
        (json.dumps({**json.loads(content), "kind": "score"}), "of kind 'score'"),
        (json.dumps({**json.loads(content), "format_version": 2}), "upgrade fairsum-utils"),
        (json.dumps({**json.loads(content), "windows": {}}), "damaged"),
    ):
        path.write_text(changed)
        with pytest.raises(InputError, match=said):
            Monitor.read(path)


def test_a_window_of_one_sample_has_no_interval(baseline: ScoreResults) -> None:
    monitor = Monitor(baseline)
    monitor.add(scored(1, 1))
    monitor.add(scored(60, 6))
    assert [window["ci"] is None for window in monitor.results()["uer"]["windows"]] == [True, False]
    assert monitor.results().status == "quiet"


def test_a_window_is_added_once() -> None:
    monitor = Monitor(told(1000, 100))
    monitor.add(told(100, 10), "May")
    with pytest.raises(InputError, match="the window 'May' was added before; give every window a different name"):
        monitor.add(told(100, 11), "May")
    assert monitor.has(told(100, 10), "May")
    assert not monitor.has(told(100, 10), "June")
    with pytest.raises(InputError, match=r"with 100 samples and bur 0\.1000, but now has 120 samples and 0\.1000"):
        monitor.has(told(120, 12), "May")
    assert monitor.windows == ["May"]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Monitor(told(1000, 100), metrics="uer"), "the baseline has no 'uer'; did you mean bur"),
        (lambda: Monitor(told(1000, 100), metrics=""), "can be monitored, found bur"),
        (lambda: Monitor(told(1000, 100), alpha=1.0), "alpha must lie between 0 and 1"),
        (lambda: Monitor(told(1000, 100), alpha=0), "alpha must lie between 0 and 1"),
        (lambda: Monitor(told(1000, 100), side="lower"), "side"),
        (lambda: Monitor(told(0, 0)), "no sample of the baseline has a bur"),
        (lambda: Monitor(scored(40, 4, "uer", confidence_level=None)), "has no interval to estimate variation; score"),
        (lambda: Monitor(scored(40, 4, "sof")), "be monitored, found sof; score auc or bur or "),
        (lambda: Monitor(scored(40, 4, "sof,bur"), metrics="sof"), (
            "sof cannot be monitored: it is not a mean over samples.*; choose bur"
        )),
        (lambda: Monitor(compare(["a."] * 9, ["b."] * 9, [SOURCES] * 9, [VALUES] * 9)), "found compare"),
        (lambda: Monitor({"bur": {}}), "found dict"),
        (lambda: fed().add(scored(40, 4)), "bur of the window '1' was scored with a different matcher, "),
        (lambda: fed().add(told(40, 4, signature="tau:0.9")), "scored with a different tau than the baseline"),
        (lambda: fed().add(told(40, 4, bur=1.5)), (
            "bur is 1.5 for 40 samples, but it must lie between 0 and 1; score again"
        )),
        (lambda: fed().add(told(40, 4, n_samples="x")), "the result of bur is invalid"),
        (lambda: fed().add(told(40, 4, bur_ci=3)), "the result of bur is invalid"),
        (lambda: fed().add(ScoreResults({"bur": {"bur": 0.1}})), "the result of bur is invalid"),
        (lambda: fed().add(scored(40, 4, "uer")), "the window '1' has no bur, which is monitored"),
    ],
)  # fmt: skip
def test_what_is_refused(made: Callable[[], Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        made()


def test_intervals_may_be_drawn_in_other_ways(baseline: ScoreResults) -> None:
    monitor = Monitor(baseline, metrics="bur")
    monitor.add(scored(50, 5, seed=7, confidence_level=0.9))
    monitor.add(scored(50, 5, "bur", confidence_level=None))
    assert monitor.results()["bur"]["windows"][1]["ci"] is None


def test_files_and_single_results_do(tmp_path: Path, baseline: ScoreResults) -> None:
    baseline.save(tmp_path / "april.json")
    monitor = Monitor(tmp_path / "april.json", metrics="bur")
    texts = ["Tasty, awful."] * 40
    assert monitor.add(compute("bur", predictions=texts, sources=[SOURCES] * 40, values=[VALUES] * 40)) == "quiet"
    scored(50, 5).save(tmp_path / "may.json")
    monitor.add(tmp_path / "may.json", name="May")
    assert monitor.windows == ["1", "May"]


def test_results_show_draw_and_save_themselves(tmp_path: Path) -> None:
    results = fed((100, 10), (100, 40), (100, 50)).results()
    assert isinstance(results, Monitored)
    report = results.report()
    assert "BUR: alarm at 2; it has most likely risen since 2" in report
    assert "An alarm is evidence of 20 or more. If nothing ever changes, at most 5% of streams have one" in report
    assert "no alarm; a shift of" in fed((100, 10)).results().report()
    assert "too few samples to tell" in fed((10, 1)).results().report()
    alike = Monitor(scored(40, 0, "bur"), metrics=["bur"])
    alike.add(scored(40, 0, "bur"))
    assert "BUR: undecided: all samples have the same score, so there is no difference" in alike.results().report()
    assert results.to_csv().splitlines()[0].startswith("window,samples,score,95% CI,evidence,alarm")
    svg = results.plot().svg
    assert "BUR: evidence of a change" in svg
    assert "alarm at 2" in svg
    assert results.plot("bur").svg == svg
    results.save(tmp_path / "monitored.json")
    saved = json.loads((tmp_path / "monitored.json").read_text())
    assert (saved["kind"], saved["status"], saved["metrics"]["bur"]["alarm"]) == ("monitor", "alarm", "2")
    with pytest.raises(InputError, match="a page shows scores and comparisons, found results of monitor"):
        results.report(tmp_path / "page.html")
    again = read_results(tmp_path / "monitored.json")
    assert isinstance(again, Monitored)
    assert (again, again.status, again.report()) == (results, results.status, report)


def test_windows_as_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    table = fed((100, 10), (100, 40)).results().to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert table["window"].tolist() == ["1", "2"]
    assert table["score"].tolist() == [0.1, 0.4]
    assert np.isnan(table["low"]).all()


@pytest.mark.parametrize("name", ["counterfactual_gap", "order_sensitivity", "distinguishability"])
def test_measures_of_originals_are_refused_with_the_reason(name: str) -> None:
    results = ScoreResults({name: {name: 0.1, "n_samples": 240, "n_articles": 40, "signature": ""}})
    with pytest.raises(InputError) as raised:
        Monitor(results, metrics=name)
    assert str(raised.value) == (
        f"monitor: {name} cannot be monitored: it is computed from originals, which windows of a stream would split; "
        "choose auc or bur or equal_coverage or framing or omission or uer"
    )
    with pytest.raises(InputError, match=f"no measure that can be monitored, found {name}; score auc or bur"):
        Monitor(results)
