"""The schema of results: comparisons have it, and it refuses what is damaged; see test_cards.py for every measure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.results.record import FORMAT_VERSION
from tests._results import of_comparison, of_family, of_systems

from .conftest import errors_of_schema, saved, schema


def test_the_schema_is_valid_and_of_this_format() -> None:
    pytest.importorskip("jsonschema").Draft202012Validator.check_schema(schema())
    assert schema()["properties"]["format_version"]["const"] == FORMAT_VERSION


def test_systems_have_the_schema(tmp_path: Path) -> None:
    assert errors_of_schema(saved(of_systems(), tmp_path)) == []


@pytest.mark.parametrize("make", [lambda: of_family("representation"), of_comparison])
def test_damaged_results_are_refused(make: Any, tmp_path: Path) -> None:
    document = saved(make(), tmp_path)
    assert errors_of_schema(document) == []
    for key in ("n_samples", "signature", "warnings"):
        del document["metrics"]["bur"][key]
    del document["run"]
    keys = ("n_samples", "run", "signature", "warnings")
    assert sorted(errors_of_schema(document)) == [f"{key!r} is a required property" for key in keys]
