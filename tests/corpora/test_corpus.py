"""Tests."""

from __future__ import annotations

import dataclasses

import pytest

from fairsum_utils.corpora.corpus import Corpus, Sample, make_row
from fairsum_utils.corpora.loading import corpora
from fairsum_utils.errors import DataSourceError, InputError


def test_a_row_without_sources_is_an_error() -> None:
    with pytest.raises(DataSourceError, match="a-0: the sample has no source text"):
        make_row(Sample("0", [], {}), config="a", attribute="t", prompt="")


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


def test_a_configuration_that_is_not_there() -> None:
    corpus = dataclasses.replace(corpora()["bold"], name="mine", configurations={})
    with pytest.raises(InputError, match="mine has no configuration 'race'"):
        corpus.open("race")
