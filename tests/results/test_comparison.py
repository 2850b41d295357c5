"""Comparisons as dicts, data frames, pictures and files."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from types import ModuleType

import pytest

from fairsum_utils import BUR, compare, compare_systems, read_results
from fairsum_utils.errors import InputError
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results import Comparison
from fairsum_utils.results.record import complete


@pytest.fixture(scope="module")
def systems(examples: ModuleType) -> Comparison:
    """Three systems by two measures; A is the baseline."""
    texts = {"A": examples.A, "B": examples.B, "same": examples.A}
    return compare(texts, **examples.SUMMARIES, metrics=["bur", "uer"], n_resamples=99)


def test_a_row_a_measure_and_system(systems: Comparison) -> None:
    frame = systems.to_pandas()
    assert list(frame.columns) == [
        "measure", "system", "score", "low", "high", "at_random", "at_random_error", "rank",
        "difference", "difference_low", "difference_high", "p_value", "p_value_corrected",
    ]  # fmt: skip
    assert list(zip(frame["measure"], frame["system"], strict=True)) == [
        (measure, system) for measure in ("bur", "uer") for system in ("A", "B", "same")
    ]
    of_b, found = frame.iloc[4], systems["uer"]
    assert [of_b["score"], of_b["low"], of_b["high"]] == [found["systems"]["B"]["score"], *found["systems"]["B"]["ci"]]
    (pair,) = (pair for pair in found["differences"] if pair["system"] == "B")
    assert pair["baseline"] == "A"
    assert list(of_b["difference":"p_value_corrected"]) == [
        pair["difference"], *pair["difference_ci"], pair["p_value"], pair["p_value_corrected"],
    ]  # fmt: skip
    assert frame[frame["system"] == "A"].loc[:, "difference":].isna().all(axis=None)
    assert list(frame[frame["system"] == "same"]["difference"]) == [0.0, 0.0]
    assert list(systems["uer"].to_pandas()["measure"]) == ["uer"] * 3


def test_the_one_difference_of_two_systems(examples: ModuleType, systems: Comparison) -> None:
    two = examples.of_comparison()["uer"]
    [pair] = two["differences"]
    assert {key: two[key] for key in pair} == pair
    assert pair["difference"] == two["systems"]["B"]["score"] - two["systems"]["A"]["score"]
    assert pair["p_value_corrected"] == pair["p_value"]
    with pytest.raises(KeyError, match="difference: there are 2 differences; read one, such as"):
        systems["uer"]["difference"]
    with pytest.raises(KeyError, match=r"^'a'$"):
        two["a"]


def test_systems_are_drawn(systems: Comparison) -> None:
    assert [axes.get_title("left") for axes in systems.plot("uer").axes] == ["UER", "UER: difference from A"]
    with pytest.raises(InputError, match="plot: there is no 'systems' among the results; found bur, uer"):
        systems.plot("systems")


def test_a_measure_under_two_labels(examples: ModuleType) -> None:
    asked = {"strict": BUR(tau=0.9), "lenient": BUR(tau=0.5)}
    found = compare({"A": examples.A, "B": examples.B}, **examples.SUMMARIES, metrics=asked, n_resamples=99)
    text = found.report()
    assert "2 systems (strict); baseline: A" in text
    assert "2 systems (lenient); baseline: A" in text
    assert [axes.get_title("left") for axes in found.plot("strict").axes] == ["strict", "strict: difference from A"]
    assert list(found.to_pandas()["measure"]) == ["strict", "strict", "lenient", "lenient"]


def test_printed_and_saved_comparisons_are_read(systems: Comparison, tmp_path: Path) -> None:
    """Print has null for NaN, as differences without an interval have it."""
    lost = compare(["Tasty."] * 3, ["Awful."] * 3, [["Tasty.", "Awful."]] * 3, [["p", "n"]] * 3, metrics=["sof", "uer"])
    assert math.isnan(lost["sof"]["p_value"])
    for found in (systems, lost):
        path = tmp_path / "printed.json"
        path.write_text(to_json(complete({**found._titles(), "metrics": found})), encoding="utf-8")
        for again in (read_results(path), pickle.loads(pickle.dumps(found))):
            assert isinstance(again, Comparison)
            assert repr(again) == repr(found)
            assert again.report() == found.report()


def test_the_call_of_earlier_versions_names_the_new_one(examples: ModuleType) -> None:
    with pytest.raises(InputError, match=r"compare_systems is now compare, with the same arguments: compare\("):
        compare_systems({"A": examples.A, "B": examples.B}, **examples.SUMMARIES, baseline="A")
