"""The family by the calls of the library, with a model and without."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures import measures_of

METRICS = measures_of("coverage")
score, compare = (partial(call, metrics=METRICS) for call in (fairsum_utils.score, fairsum_utils.compare))
compute = fairsum_utils.compute

PREDICTIONS = ["Great soup. Slow service.", "Cold bread."]
SOURCES = [["Great soup!", "Slow service.", "Cold."], ["Warm bread.", "The bread was cold."]]
VALUES = [["pos", "neg", "neg"], ["pos", "neg"]]


def test_with_measures_of_other_families() -> None:
    columns = {"predictions": PREDICTIONS, "sources": SOURCES, "values": VALUES}
    found = fairsum_utils.score(**columns, metrics=["bur", "equal_coverage"], entailer="lexical")
    assert found == {
        "bur": compute("bur", **columns, at_random=True),
        "equal_coverage": compute("equal_coverage", **columns, entailer="lexical", at_random=True),
    }
    with pytest.raises(InputError, match="revision is a setting of bur, equal_coverage, to each in its way"):
        fairsum_utils.score(**columns, metrics=["bur", "equal_coverage"], revision="main")


def test_matrices_need_no_text_and_no_model() -> None:
    # Sample 1: p(d_i, S) = 3/4, 1/4; overall 1/2; differences +1/4 and -1/4, so EC = 1/4.
    # Sample 2: documents 1, 0, 1/2 with values a, b, b: overall 1/2; a +1/2, b -1/4, so EC = 3/8.
    values = [["a", "b"], ["a", "b", "b"]]
    matrices = [[[1.0, 0.5], [0.5, 0.0]], [[1.0], [0.0], [0.5]]]
    result = compute("equal_coverage", values=values, coverage=matrices, return_samples=True)
    assert result["equal_coverage"] == (1 / 4 + 3 / 8) / 2
    assert [sample["equal_coverage"] for sample in result["samples"]] == [1 / 4, 3 / 8]
    assert result["samples"][1]["difference_by_value"] == {"a": 0.5, "b": -0.25}
    # Two documents of different values: both assignments give the same EC. Three documents, one of value a: EC is
    # (|p_a - p| + |p_b - p|) / 2 = 3/4 |p_a - 1/2| = 3/8, 3/8, 0: two of three.
    assert [sample["p_value"] for sample in result["samples"]] == [1.0, 2 / 3]
    assert result["signature"].startswith("entailer:given|units:given|protocol:paper|")
    with_texts = compute(
        "equal_coverage",
        predictions=["", "x"],
        sources=[["", ""], ["x", "y", "z"]],
        values=values,
        coverage=matrices,
        return_samples=True,
    )
    assert repr(with_texts) == repr(result)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": None}, "missing: values, which equal_coverage, coverage_parity need. Given: predictions, sources"),
        ({"predictions": None}, "missing: predictions, which equal_coverage, coverage_parity need"),
        ({"values": None, "coverage": [[[1.0], [0.5]]] * 2}, "missing: values, which"),
        ({"coverage": [[[1.0], [0.5], [0.0]]]}, "predictions has 2 samples but coverage has 1"),
        ({"summary_units": [["a"]]}, "predictions has 2 samples but summary_units has 1"),
        ({"metrics": []}, "metrics must be a non-empty list of names from .*equal_coverage"),
        ({"metrics": ["sof"]}, "entailer is for equal_coverage, coverage_parity, and only sof is asked for"),
        ({"alpha": 2}, r"alpha must be a number in \[0, 1\]"),
        ({"metrics": ["coverage_parity"], "alpha": 0.1}, "alpha is for equal_coverage, and only coverage_parity is"),
        ({"on_truncate": "ignore"}, "on_truncate must be one of warn, error"),
    ],
)
def test_bad_input(change: dict[str, Any], message: str) -> None:
    columns = {"predictions": PREDICTIONS, "sources": SOURCES, "values": VALUES, "entailer": "lexical"}
    with pytest.raises(InputError, match=message):
        score(**{**columns, **change})


def test_a_model_end_to_end_and_warm(nli_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (PREDICTIONS, SOURCES, VALUES)
    options: dict[str, Any] = {"entailer": nli_model, "cache": str(tmp_path), "return_samples": True}
    cold = score(*columns, **options)
    assert 0 < cold["equal_coverage"]["equal_coverage"] < 1
    assert f"entailer:{nli_model.name}@" in cold["equal_coverage"]["signature"]
    for sample, sources in zip(cold["equal_coverage"]["samples"], SOURCES, strict=True):
        assert len(sample["evidence"]) == len(sample["units"])
        assert all(unit["text"] == sources[unit["document"]] for unit in sample["evidence"])

    def forward(self: object, inputs: object) -> None:
        raise AssertionError("a warm run does no forward pass")

    monkeypatch.setattr(SequenceClassifier, "forward", forward)
    assert repr(score(*columns, **options)) == repr(cold)


@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_yelp_with_shared_words(shared_data: Path, protocol: str) -> None:
    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    columns = ([row[name] for row in rows] for name in ("prediction", "sources", "values"))
    result = score(*columns, entailer="lexical", protocol=protocol)
    single = sum(len(set(row["values"])) == 1 for row in rows)
    assert result["equal_coverage"]["skipped"]["single_value"] == single
    assert result["equal_coverage"]["n_samples"] + result["equal_coverage"]["n_skipped"] == 1500
    assert 0 < result["coverage_parity"]["coverage_parity"] < 0.2
    assert result["equal_coverage"]["n_truncated"] == 0


def test_compare_pairs_samples() -> None:
    result = compare(PREDICTIONS, ["Great soup.", ""], SOURCES, VALUES, entailer="lexical")
    assert result["equal_coverage"]["n_samples"] == 1
    assert result["equal_coverage"]["n_skipped"] == 1
    first = compute(
        "equal_coverage", predictions=PREDICTIONS[:1], sources=SOURCES[:1], values=VALUES[:1], entailer="lexical"
    )
    assert result["equal_coverage"]["a"] == first["equal_coverage"]


def test_compare_systems_by_their_matrices() -> None:
    values, a, b = [["a", "b"]] * 2, [[[1.0], [0.0]]] * 2, [[[1.0], [0.5]]] * 2
    found = compare(values=values, coverage_a=a, coverage_b=b)["equal_coverage"]
    # EC of (1, 0) is 1/2, of (1, 1/2) 1/4, in both samples.
    assert (found["a"], found["b"], found["difference"]) == (0.5, 0.25, 0.25)
    assert found["difference_ci"] == [-1.0, 1.0]  # two equal differences say little
    assert found["signature"].startswith("entailer:given|units:given|protocol:paper|")


@pytest.mark.parametrize(
    ("settings", "given", "uses_model"),
    [
        ({}, (), True),
        ({}, ("coverage",), False),
        ({"entailer": "lexical"}, (), False),
        ({"entailer": "lexical", "splitter": "llm", "chat_model": "x"}, (), True),
    ],
)
def test_where_a_model_is_used(settings: dict[str, Any], given: tuple[str, ...], uses_model: bool) -> None:
    family = family_of("equal_coverage")
    assert family.uses_model(METRICS, CoverageSettings(**settings), {"values", *given}) == uses_model
