"""The coverage paper's document sets: five data sets, and the one place that says who reads which.

Source: papers/coverage-fairness, section 5.1, table 1 and appendix A.3.
"""

from __future__ import annotations

import importlib.metadata
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from fairsum_utils.corpora.corpus import Configuration, Row, Source, describe_configuration, describe_corpus
from fairsum_utils.corpora.coverage_sources import (
    IDEOLOGIES,
    SENTIMENTS,
    STANCES,
    read_amazon,
    read_article_bias,
    read_mitweet,
    read_news_stance,
    read_semeval,
)
from fairsum_utils.corpora.document_sets import Sampling, document_set_rows
from fairsum_utils.corpora.prompts import COVERAGE
from fairsum_utils.corpora.sources import find_input
from fairsum_utils.errors import InputError
from fairsum_utils.text.splitting import ENDS
from fairsum_utils.validation import check_choice, check_count, check_fraction

logger = logging.getLogger(__name__)

_SAMPLING: Mapping[str, Any] = {"seed": 42, "n_sets": 300, "keep_single_value": False, "prompt": "plain"}
_configuration = partial(describe_configuration, "coverage_sets")

# In the order of the paper's table 1.
_CONFIGURATIONS: Mapping[str, Configuration] = {
    "amazon": _configuration(
        "amazon",
        attributes={"sentiment": SENTIMENTS},
        read=read_amazon,
        options={**_SAMPLING, "size": 8, "max_reviews": 1_000_000},
    ),
    "mitweet": _configuration(
        "mitweet", attributes={"ideology": IDEOLOGIES}, read=read_mitweet, options={**_SAMPLING, "size": 20}
    ),
    "article_bias": _configuration(
        "article_bias",
        attributes={"ideology": IDEOLOGIES},
        read=read_article_bias,
        options={
            **_SAMPLING,
            "size": (4, 8),
            "window_days": 3,
            "similarity": 0.2,
            "cut_words": None,
            "cut_from": ENDS[0],
        },
    ),
    # Table 1 has 30 tweets a set, appendix A.3 20.
    "semeval": _configuration(
        "semeval", attributes={"stance": STANCES}, read=read_semeval, options={**_SAMPLING, "size": 30}
    ),
    "news_stance": _configuration(
        "news_stance",
        attributes={"stance": STANCES},
        read=read_news_stance,
        options={**_SAMPLING, "size": (4, 8), "min_words": 75, "max_words": 600},
    ),
}


def _open(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, *, attribute: str, **given: Any
) -> Source:
    """Find the data set that sets are made of, which is never downloaded; see `Corpus.open`."""
    if data_dir is None:
        raise InputError(f"{config} needs data_dir, a folder with {' or '.join(configuration.raw)}; see the card.")
    folder, files = find_input(data_dir, config, configuration.raw, published=False)
    logger.info("%s: using %d file(s), %s first", config, len(files), files[0])
    settled = {**configuration.options, **given}
    options = dict(settled)
    template = COVERAGE[options.pop("prompt")][config]
    sampling = Sampling(**{field.name: options.pop(field.name) for field in fields(Sampling)})

    def rows() -> Iterator[Row]:
        values = configuration.attributes[attribute]
        assert configuration.read is not None
        assert values is not None
        table = configuration.read(files, **options)
        return document_set_rows(table, sampling, values=values, attribute=attribute, template=template, name=config)

    return Source("raw", files, {"scikit-learn": _version("scikit-learn"), **settled}, rows, folder)


def _version(package: str) -> str | None:
    """Return the version of a package on which the clusters depend; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


COVERAGE_SETS = describe_corpus(
    "coverage_sets",
    {
        "prompt": partial(check_choice, choices=tuple(COVERAGE)),
        "max_reviews": check_count,
        "window_days": partial(check_count, least=0),
        "similarity": check_fraction,
        "cut_words": check_count,
        "cut_from": partial(check_choice, choices=ENDS),
        "min_words": check_count,
        "max_words": check_count,
    },
    configurations=_CONFIGURATIONS,
    opener=_open,
)
