"""What a run gets: every number once, by name; no text of a sample; names that files can have."""

from __future__ import annotations

import math
import posixpath
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compare
from fairsum_utils._version import __version__
from fairsum_utils.reports.tables import Table
from fairsum_utils.tracking.track import contents_of, plain_names
from tests.tracking.conftest import SOURCES, TEXTS, VALUES


def test_numbers_are_those_of_the_results(results: dict[str, Any]) -> None:
    numbers = contents_of(results).numbers
    assert numbers["fairness/uer"] == results["uer"]["uer"]
    assert (numbers["fairness/uer_ci/low"], numbers["fairness/uer_ci/high"]) == tuple(results["uer"]["uer_ci"])
    assert numbers["fairness/bur_by_value/C#"] == results["bur"]["bur_by_value"]["C#"]
    assert numbers["fairness/uer_n_by_value/neg/a b"] == numbers["fairness/uer_n_samples"] == 3
    assert numbers["fairness/uer_warnings"] == len(results["uer"]["warnings"]) > 0
    assert all(map(math.isfinite, numbers.values()))


def test_what_decided_the_numbers_is_text(results: dict[str, Any]) -> None:
    config = contents_of(results).config
    assert config["bur_signature"] == results["bur"]["signature"]
    assert config["fairsum"] == __version__
    shown = contents_of(results).tables["warnings"]
    assert shown.header == ["measure", "code", "count", "share", "message"]
    assert len(shown.rows) == sum(len(result["warnings"]) for result in results.values())


def test_what_is_undefined_has_a_reason_and_no_number() -> None:
    found = contents_of({"uer": {"uer": math.nan, "uer_ci": [math.nan, math.nan], "undefined": "no sample left"}})
    assert (found.numbers, found.config["uer_undefined"]) == ({}, "no sample left")


def test_no_sample_is_told_unless_it_is_in_a_table(results: dict[str, Any]) -> None:
    assert set(contents_of(results).tables) == {"warnings"}
    with_table = contents_of(results, tables={"some": Table(["id"], [["a"]]), "none": Table(["id"], [])})
    assert set(with_table.tables) == {"warnings", "some"}


def test_a_comparison() -> None:
    columns = ([SOURCES] * 3, [VALUES] * 3)
    found = compare(TEXTS, TEXTS[::-1], *columns, metrics=["uer"], n_resamples=99)
    numbers = contents_of(found).numbers
    assert numbers["fairness/uer_a"] == found["uer"]["a"]
    assert numbers["fairness/uer_p_value"] == found["uer"]["p_value"]
    assert numbers["fairness/uer_difference_ci/low"] == found["uer"]["difference_ci"][0]


@given(st.sets(st.text(min_size=1)))
def test_plain_names_differ_and_are_paths(names: set[str]) -> None:
    plain = plain_names(names)
    assert plain.keys() == names
    assert len({name.casefold() for name in plain.values()}) == len(names)
    for name in (f"fairness/{plain}" for plain in plain.values()):
        # What MLflow asks of a name.
        assert re.fullmatch(r"[/\w.\- ]*", name)
        assert posixpath.normpath(name) == name
        assert len(name) <= 250


def test_plain_names_stay() -> None:
    assert plain_names(["fairness/bur_by_value/neg", "fairness/bur"]) == {
        "fairness/bur_by_value/neg": "fairness/bur_by_value/neg",
        "fairness/bur": "fairness/bur",
    }
