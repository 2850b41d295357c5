"""What is checked in samples, and what is drawn within inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample, check_row
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.sums import Column

GOOD: dict[str, Any] = {"predictions": "Ann won.", "article_ids": "a", "variants": "f"}


def test_what_is_not_there() -> None:
    assert check_row("m", 2, GOOD) == Sample(2, "Ann won.", "a", "f")
    nothing = {"replicates": None, "controls": float("nan"), "changed": None}
    assert check_row("m", 2, GOOD | nothing) == Sample(2, "Ann won.", "a", "f")
    for blank in ("", " "):
        assert check_row("m", 2, GOOD | {"replicates": blank, "controls": blank}) == Sample(2, "Ann won.", "a", "f")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictions": None}, "prediction must be a string, found None"),
        ({"article_ids": None}, "article_ids is None"),
        ({"article_ids": 1.5}, "the article id must be .* found float 1.5"),
        ({"variants": None}, "variants is None"),
        ({"variants": " "}, "the variant must be .* found str ' '"),
        ({"controls": True}, "the control id must be .* found bool True"),
        ({"controls": np.False_}, "the control id must be .* found bool"),
        ({"controls": "true "}, "the control id must identify an edit, but str 'true '"),
        ({"controls": ["a"]}, "the control id must be .* found list"),
        ({"replicates": 0.5}, "the replicate id must be .* found float 0.5"),
        ({"changed": "Ann"}, "changed must be a list of strings"),
        ({"changed": ["Ann", " "]}, r"changed\[1\] must be a non-blank string, found str ' '"),
        ({"changed": [None]}, r"changed\[0\] must be a non-blank string, found None"),
        ({"sources": ["It."], "values": []}, "sources has 1 text but values has 0 labels"),
        ({"sources": "It."}, "sources must be a list"),
        ({"sources": math.nan}, "sources must be a list of strings, found NaN"),
        ({"sources": list}, "sources must be a list of strings, found type"),
    ],
)
def test_what_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"m: sample 4: {message}"):
        check_row("m", 4, GOOD | wrong)


ROWS = [
    ("b", "m", "", "1"),
    ("a", "f", "", "1"),
    ("b", "f", "c", None),
    ("a", "f", "", "1"),
    ("b", "m", "", "2"),
    ("b", "m", "", "3"),
]


def originals(**settings: object) -> Originals:
    rows = [SensitivityRow(i, a, v, control=c, replicate=r) for i, (a, v, c, r) in enumerate(ROWS)]
    rows.append(SensitivityRow(9, "b", "x", "empty_prediction"))
    return Originals(SensitivityTable(reversed(rows)), SensitivityMeasure(**settings))


def test_by_hand() -> None:
    found = originals()
    assert found.names == ["b", "a"]
    assert found.clusters.tolist() == [0, 1, 0, 1, 0, 0]
    assert found.variants == ["f", "m"]
    # Of b: m, then f with the edit; of a: f.
    assert found.inputs.tolist() == [0, 2, 1, 2, 0, 0]
    assert found.input_variant.tolist() == [1, 0, 0]
    assert found.input_control == ["", "c", ""]
    assert found.input_size.tolist() == [3, 1, 2]
    assert [(place, inputs.tolist()) for place, inputs in found.parts()] == [(0, [0, 1]), (1, [2])]
    assert [members.tolist() for members in found.members()] == [[0, 4, 5], [2], [1, 3]]


def test_what_all_measures_say() -> None:
    sums = originals().sums()
    counts = {key[0]: n for key, n in sums.counts.items()}
    # Both summaries of a say that they are the first.
    assert sums.counts["articles",] == 2
    expected = {"articles": 2, "inputs": 3, "controls": 1, "replicated": 2, "repeated": 1}
    assert {name: n for name, n in counts.items() if n} == expected
    assert {variant: sums.total("inputs", variant) for variant in sums.of("inputs")} == {"f": 2, "m": 1}
    assert sums.skipped == {"empty_prediction": 1}


def test_draws_within_inputs_vary_as_new_summaries_would() -> None:
    # What samples add beyond their input; alone one cannot vary. Of three, two are drawn, each for 3/2.
    numbers = np.array([1.0, 0.5, 0.0, -0.5, -2.0, 1.0])
    sums = originals(n_resamples=4_000).resampled([Column(None, numbers)])[:, 0]
    variance = 3 * numbers[[0, 4, 5]].var(ddof=1) + 2 * numbers[[1, 3]].var(ddof=1)
    assert sums.mean() == pytest.approx(0, abs=4 * math.sqrt(variance / 4_000))
    assert sums.var() == pytest.approx(variance, rel=0.1)
    again = originals(n_resamples=4_000).resampled([Column(np.arange(6), numbers), Column(None, numbers * 2)])
    np.testing.assert_array_equal(again[:, 0], sums)
    np.testing.assert_array_equal(again[:, 1], sums * 2)


def test_an_original_of_very_many_summaries_is_refused() -> None:
    """Mostly one id for all: every two would be compared."""
    rows = [SensitivityRow(i, "a" if i else "b", "fm"[i % 2]) for i in range(2002)]
    assert len(Originals(SensitivityTable(rows[:2001]), SensitivityMeasure())) == 2001
    with pytest.raises(InputError) as raised:
        Originals(SensitivityTable(rows), SensitivityMeasure(module="m"))
    assert str(raised.value) == (
        "m: the original 'a' has 2001 summaries, but at most 2000 can be compared in pairs; check that each original "
        "has its own article id"
    )
    assert Originals(SensitivityTable([]), SensitivityMeasure()).names == []
