"""What all data sets share: rows, options, mistakes, and the guess at a language."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora.catalog import corpora
from fairsum_utils.corpora.corpus import Corpus, Sample, looks_english, make_row
from fairsum_utils.errors import DataSourceError, InputError


def test_a_row_without_sources_is_an_error() -> None:
    with pytest.raises(DataSourceError, match="a-0: the sample has no source text"):
        make_row(Sample("0", [], {}), config="a", attribute="t", prompt="")


@pytest.mark.parametrize("corpus", corpora().values(), ids=corpora())
def test_options_are_described_and_defaults_in_their_ranges(corpus: Corpus) -> None:
    for name, configuration in corpus.configurations.items():
        for key, value in configuration.options.items():
            check = corpus.options[key].check
            assert value is None or check is None or check(name, key, value) == value
    assert all(option.help and not option.help.endswith(".") for option in corpus.options.values())


@pytest.mark.parametrize(
    ("name", "config", "options", "message"),
    [
        ("perspectivesumm", "x", {}, "perspectivesumm has no configuration 'x'; choose one of claritin, "),
        ("perspectivesumm", "yelp", {"attribute": "age"}, "yelp has no attribute 'age'; choose one of sentiment, r"),
        ("perspectivesumm", "yelp", {"seed": 1, "sise": 2}, "yelp has no option seed, sise; it has origin, attribute"),
        ("perspectivesumm", "yelp", {"origin": "new"}, "yelp: origin must be one of auto, published, raw, found str"),
        ("perspectivesumm", "yelp", {"data_dir": "nowhere"}, "data_dir must be a folder, but 'nowhere' does not exist"),
        ("perspectivesumm", "yelp", {"data_dir": __file__}, "data_dir must be a folder, but .* is a file"),
        ("coverage_sets", "semeval", {}, "semeval needs data_dir, a folder with trainingdata-all-annotations"),
    ],
)
def test_mistakes(name: str, config: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        corpora()[name].open(config, **options)


@pytest.mark.parametrize(
    "text",
    [
        "This is a card reader that does everything I needed it to .",
        "No problems!",  # "no" is a stop word of four of the languages
        "Don't buy it",
        "Great",
        "Café is très chic but the coffee was not",
    ],
)
def test_english(text: str) -> None:
    assert looks_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Muy buen servicio, amables y atentos.",
        "La nourriture est toujours de très bonne qualité.",
        "Eine wirklich tolle Show von einer wirklich guten Sängerin.",
        "Il prodotto è arrivato in tempo",
        "Não gostei do produto",
        "Отличный товар",
        "とても良い",
        "5/5 !!!",
        "",
    ],
)
def test_not_english(text: str) -> None:
    assert not looks_english(text)


def test_the_measured_share(shared_data: Path) -> None:
    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [text for line in lines for text in json.loads(line)["sources"]]
    assert (sum(not looks_english(text) for text in texts), len(texts)) == (55, 13_500)
