"""Tests."""

from __future__ import annotations

import dataclasses
import json

import pytest

from fairsum_utils.corpora.corpus import COLUMNS, Corpus, Row, Sample, column_kinds, make_row
from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualRow
from fairsum_utils.corpora.loading import corpora
from fairsum_utils.errors import DataSourceError, InputError


def test_a_row() -> None:
    row = make_row(Sample("0", [("x", "v")], {"b": 1, "a": "é"}), config="a", attribute="t", prompt="<x>")
    assert list(row) == list(COLUMNS)
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


every_corpus = pytest.mark.parametrize("corpus", corpora().values(), ids=corpora())


@every_corpus
def test_every_option_of_a_configuration_is_described(corpus: Corpus) -> None:
    options = {name for configuration in corpus.configurations.values() for name in configuration.options}
    assert options <= set(corpus.options)
    assert set(corpus.options) == {*corpus.common, *options}
    assert all(option.help and not option.help.endswith(".") for option in corpus.options.values())


@every_corpus
def test_defaults_are_in_their_ranges(corpus: Corpus) -> None:
    for name, configuration in corpus.configurations.items():
        for key, value in configuration.options.items():
            check = corpus.options[key].check
            assert value is None or check is None or check(name, key, value) == value


@every_corpus
def test_every_column_has_a_kind_and_a_meaning(corpus: Corpus) -> None:
    assert list(corpus.columns) == list(corpus.meanings)
    assert all(kind in ("string", "strings") or isinstance(kind, dict) for kind in corpus.columns.values())
    assert next(iter(corpus.columns)) == "id"


def test_a_configuration_that_is_not_there() -> None:
    corpus = dataclasses.replace(corpora()["bold"], name="mine", configurations={})
    with pytest.raises(InputError, match="mine has no configuration 'race'"):
        corpus.open("race")
