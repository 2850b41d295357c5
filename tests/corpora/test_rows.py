import json

import pytest

from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualRow
from fairsum_utils.corpora.rows import COLUMNS, Row, Sample, column_kinds, column_meanings, make_row
from fairsum_utils.errors import DataSourceError


def test_a_row() -> None:
    row = make_row(Sample("0", [("x", "v")], {"b": 1, "a": "é"}), config="a", attribute="t", prompt="<x>")
    assert list(row) == list(COLUMNS) == list(column_meanings(Row))
    assert (row["id"], row["prompt"], row["references"]) == ("a-0", "<x>", [])
    assert row["metadata"] == '{"a": "é", "b": 1}'
    assert json.loads(row["metadata"])["b"] == 1


def test_a_row_without_sources_is_an_error() -> None:
    with pytest.raises(DataSourceError, match="a-0: the sample holds no source text"):
        make_row(Sample("0", [], {}), config="a", attribute="t", prompt="")


def test_kinds_of_columns() -> None:
    assert column_kinds(Row) == {
        **dict.fromkeys(["id", "attribute", "prompt", "metadata"], "string"),
        **dict.fromkeys(["sources", "values", "references"], "strings"),
    }
    entities = {**dict.fromkeys(["id", "first_name", "last_name", "group"], "string"), "is_modified": "bool"}
    assert column_kinds(CounterfactualRow)["entities"] == entities
