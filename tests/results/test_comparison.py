"""Comparisons of two systems and of many, as data frames, pictures and files."""

from __future__ import annotations

from types import ModuleType

import pytest

from fairsum_utils import compare_systems
from fairsum_utils.errors import InputError
from fairsum_utils.results import SystemComparison


def test_a_row_a_comparison(examples: ModuleType) -> None:
    compared = examples.of_comparison()
    frame = compared.to_pandas()
    assert list(frame["measure"]) == ["bur", "uer", "equal_coverage"]
    for place, name in enumerate(compared):
        assert frame["difference"][place] == compared[name]["difference"] == frame["b"][place] - frame["a"][place]
        assert [frame["low"][place], frame["high"][place]] == compared[name]["difference_ci"]


@pytest.fixture(scope="module")
def systems(examples: ModuleType) -> SystemComparison:
    """Three systems by two measures; A is the baseline."""
    texts = {"A": examples.A, "B": examples.B, "same": examples.A}
    return compare_systems(texts, **examples.SUMMARIES, metrics=["bur", "uer"], n_resamples=99)


def test_a_row_a_measure_and_system(systems: SystemComparison) -> None:
    frame = systems.to_pandas()
    assert list(frame.columns) == [
        "measure", "system", "score", "low", "high", "at_random", "at_random_error", "rank",
        "difference", "difference_low", "difference_high", "p_value", "p_value_corrected",
    ]  # fmt: skip
    assert list(zip(frame["measure"], frame["system"], strict=True)) == [
        (measure, system) for measure in ("bur", "uer") for system in ("A", "B", "same")
    ]
    of_b, found = frame.iloc[4], systems["metrics"]["uer"]
    assert [of_b["score"], of_b["low"], of_b["high"]] == [found["systems"]["B"]["score"], *found["systems"]["B"]["ci"]]
    (pair,) = (pair for pair in found["differences"] if pair["b"] == "B")
    assert pair["a"] == "A"
    assert list(of_b["difference":"p_value_corrected"]) == [
        pair["difference"], *pair["difference_ci"], pair["p_value"], pair["p_value_corrected"],
    ]  # fmt: skip
    assert frame[frame["system"] == "A"].loc[:, "difference":].isna().all(axis=None)
    assert list(frame[frame["system"] == "same"]["difference"]) == [0.0, 0.0]


def test_many_systems_are_drawn(systems: SystemComparison) -> None:
    assert [panel.title for panel in systems.plot("uer").panels] == ["UER", "UER: difference from A"]
    assert len(systems.plot().panels) == 4
    with pytest.raises(InputError, match="plot: there is no 'systems' among the results; found bur, uer"):
        systems.plot("systems")
    assert "UER: difference from A" in systems._repr_html_()
