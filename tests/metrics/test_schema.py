"""The schema of results: every measure and comparison has it, and it refuses what is damaged."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.results.record import FORMAT_VERSION
from tests._results import of_comparison, of_family, of_systems
from tests.metrics.conftest import METRICS, Family

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(files("fairsum_utils.results").joinpath("schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def saved(results: Any, folder: Path) -> dict[str, Any]:
    results.save(folder / "results.json")
    document: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize("name", METRICS)
def test_every_measure_has_the_schema(name: str, family: Family, tmp_path: Path) -> None:
    settings = {"confidence_level": 0.9, "n_resamples": 20, "return_samples": True}
    result = compute(name, **family.columns, **family.offline, **settings)
    document = saved(result, tmp_path)
    assert {name, f"{name}_ci"} <= document["metrics"][name].keys()
    assert list(VALIDATOR.iter_errors(document)) == []


@pytest.mark.parametrize("make", [of_comparison, of_systems])
def test_comparisons_have_the_schema(make: Any, tmp_path: Path) -> None:
    assert list(VALIDATOR.iter_errors(saved(make(), tmp_path))) == []


def test_the_schema_is_valid_and_of_this_format() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["format_version"]["const"] == FORMAT_VERSION


@pytest.mark.parametrize("key", ["n_samples", "warnings", "signature"])
def test_damaged_results_are_refused(key: str, tmp_path: Path) -> None:
    for document in (saved(of_family("representation"), tmp_path), saved(of_comparison(), tmp_path)):
        del document["metrics"]["bur"][key]
        assert [error.message for error in VALIDATOR.iter_errors(document)] == [f"{key!r} is a required property"]
        del document["run"]
        assert len([*VALIDATOR.iter_errors(document)]) == 2
