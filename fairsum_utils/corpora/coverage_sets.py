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

from fairsum_utils.corpora.corpus import Configuration, Corpus, Option, Row, Source
from fairsum_utils.corpora.coverage_prompts import FAIR_TEMPLATES, TEMPLATES
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
from fairsum_utils.corpora.sources import check_folder, find_files, not_found
from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.text.splitting import ENDS
from fairsum_utils.validation import check_choice, check_count, check_fraction

logger = logging.getLogger(__name__)

_TEMPLATES = {"plain": TEMPLATES, "fair": FAIR_TEMPLATES}
_SAMPLING: Mapping[str, Any] = {"seed": 42, "n_sets": 300, "keep_single_value": False, "prompt": "plain"}


def _together(folder: str, *names: str) -> str:
    """Return files that belong together, as `sources.find_files` reads it."""
    return "+".join(folder + name for name in names)


_ANNOTATED = [f"{part}-all-annotations.txt" for part in ("trainingdata", "testdata-taskA", "testdata-taskB")]
_SEMEVAL = (
    _together("", *_ANNOTATED),
    _together("data-all-annotations/", *_ANNOTATED),
    _together(
        "",
        "semeval2016-task6-trainingdata.txt",
        "SemEval2016-Task6-subtaskA-testdata-gold.txt",
        "SemEval2016-Task6-subtaskB-testdata-gold.txt",
    ),
)
_FNC = [f"{part}_{kind}.csv" for part in ("train", "competition_test") for kind in ("stances", "bodies")]
_EMERGENT = "url-versions-2015-06-14.csv"
_SNOPES = "snopes_corpus_2.csv"
_NEWS_STANCE = "|".join(
    [
        *_FNC,
        *(f"fnc-1/{name}" for name in _FNC),
        *(f"{folder}{_EMERGENT}" for folder in ("", "emergent/")),
        *(f"{folder}{_SNOPES}" for folder in ("", "ukp_snopes_corpus/datasets_raw/")),
    ]
)

#: Name -> configuration, in the order of the paper's table 1.
_CONFIGURATIONS: Mapping[str, Configuration] = {
    "amazon": Configuration(
        about="product reviews",
        attributes={"sentiment": SENTIMENTS},
        raw=("*.json.gz", "*.json"),
        read=read_amazon,
        options={**_SAMPLING, "size": 8, "max_reviews": 1_000_000},
        rows=300,
    ),
    "mitweet": Configuration(
        about="tweets about controversial topics",
        attributes={"ideology": IDEOLOGIES},
        raw=("MITweet.csv", "data/MITweet.csv", _together("data/random_split/", "train.csv", "val.csv", "test.csv")),
        read=read_mitweet,
        options={**_SAMPLING, "size": 20},
        rows=300,
    ),
    "article_bias": Configuration(
        about="news about an event",
        attributes={"ideology": IDEOLOGIES},
        raw=("data/jsons/*.json", "jsons/*.json"),
        read=read_article_bias,
        options={
            **_SAMPLING,
            "size": (4, 8),
            "window_days": 3,
            "similarity": 0.2,
            "cut_words": None,
            "cut_from": ENDS[0],
        },
        rows=300,
    ),
    # Table 1 says 30 tweets a set, appendix A.3 says 20.
    "semeval": Configuration(
        about="tweets for and against a target",
        attributes={"stance": STANCES},
        raw=_SEMEVAL,
        read=read_semeval,
        options={**_SAMPLING, "size": 30},
        rows=300,
    ),
    "news_stance": Configuration(
        about="news for and against a claim",
        attributes={"stance": STANCES},
        raw=(_NEWS_STANCE,),
        read=read_news_stance,
        options={**_SAMPLING, "size": (4, 8), "min_words": 75, "max_words": 600},
        rows=300,
    ),
}


def _open(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, *, attribute: str, **given: Any
) -> Source:
    """Find the data set that sets are made of, which is never downloaded; see `Corpus.open`."""
    if data_dir is None:
        raise InputError(f"{config} needs data_dir, a folder with {' or '.join(configuration.raw)}; see the card.")
    folder = check_folder(data_dir)
    files = find_files(folder, configuration.raw)
    if not files:
        raise not_found(folder, config, configuration.raw, published=False)
    logger.info("%s: using %d file(s), %s first", config, len(files), files[0])
    settled = {**configuration.options, **given}
    options = dict(settled)
    template = _TEMPLATES[options.pop("prompt")][config]
    sampling = Sampling(**{field.name: options.pop(field.name) for field in fields(Sampling)})

    def fingerprint() -> dict[str, Any]:
        return {"content": digest_files(files, folder), "scikit-learn": _version("scikit-learn"), **settled}

    def rows() -> Iterator[Row]:
        assert configuration.read is not None
        values = configuration.attributes[attribute]
        assert values is not None
        table = configuration.read(files, **options)
        return document_set_rows(table, sampling, values=values, attribute=attribute, template=template, name=config)

    return Source("raw", files, fingerprint, rows)


def _version(package: str) -> str | None:
    """Return the version of what clusters, which may change the clusters; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


COVERAGE_SETS = Corpus(
    name="coverage_sets",
    title="Coverage document sets",
    summary=(
        "Document sets of reviews, tweets and news, with the social attribute value of each document and as many sets "
        "dominated by each value, to measure whether a summary covers the documents of each value equally."
    ),
    homepage="https://github.com/leehaoyuan/coverage_fairness",
    licenses="each of the data sets has its own terms; none of them is part of fairsum-utils",
    citation="""\
@inproceedings{li-etal-2025-coverage,
  title     = {Coverage-based Fairness in Multi-document Summarization},
  author    = {Li, Haoyuan and Zhang, Yusen and Zhang, Rui and Chaturvedi, Snigdha},
  booktitle = {Proceedings of NAACL 2025},
  year      = {2025}
}
""",
    configurations=_CONFIGURATIONS,
    options={
        "attribute": Option("attribute the values are of; each configuration has one, which need not be named"),
        "seed": Option("seed of what is drawn"),
        "n_sets": Option("document sets, a multiple of the number of values"),
        "size": Option("texts in a set: a number, or the fewest and the most"),
        "keep_single_value": Option("whether sets of one value may be drawn"),
        "prompt": Option(
            "plain, or fair for the prompt that shows the values and asks to be fair",
            partial(check_choice, choices=tuple(_TEMPLATES)),
        ),
        "max_reviews": Option("read the first so many reviews", check_count),
        "window_days": Option("most days between two articles of an event", partial(check_count, least=0)),
        "similarity": Option("two articles of an event are more similar than this, in [0, 1)", check_fraction),
        "cut_words": Option("most words of an article in a set; a longer one is cut (whole articles)", check_count),
        "cut_from": Option("where a longer article is cut", partial(check_choice, choices=ENDS)),
        "min_words": Option("fewest words of a text", check_count),
        "max_words": Option("most words of a text", check_count),
    },
    opener=_open,
)
