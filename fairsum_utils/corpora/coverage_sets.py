"""The coverage paper's document sets: five data sets, and the one place that says who reads which.

Source: papers/coverage-fairness, section 5.1, table 1 and appendix A.3.
"""

from __future__ import annotations

import importlib.metadata
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.corpora import sources
from fairsum_utils.corpora.amazon_reviews import SENTIMENTS, read_amazon
from fairsum_utils.corpora.article_bias import by_event, read_article_bias
from fairsum_utils.corpora.configurations import Configuration, Source, choose, option_names
from fairsum_utils.corpora.coverage_prompts import FAIR_TEMPLATES, TEMPLATES
from fairsum_utils.corpora.document_sets import by_similarity, document_set_rows
from fairsum_utils.corpora.labelled_tweets import IDEOLOGIES, STANCES, read_mitweet, read_semeval
from fairsum_utils.corpora.news_stance import read_news_stance
from fairsum_utils.corpora.rows import COLUMNS, Row
from fairsum_utils.errors import InputError
from fairsum_utils.files.downloads import digest_files
from fairsum_utils.validation import check_choice

__all__ = ["BUILDER", "CARD", "COLUMNS", "COMMON", "CONFIGURATIONS", "NAME", "OPTIONS", "open_source"]

logger = logging.getLogger(__name__)

NAME = "coverage_sets"
#: Where the `datasets` builder of this data set is; imported only by those who want it.
BUILDER = ("fairsum_utils.corpora.builder", "CoverageSetsBuilder")
#: Where the text of an exported folder's README.md is made.
CARD = ("fairsum_utils.corpora.card", "coverage_sets_card")
#: Options that every configuration has.
COMMON: Sequence[str] = ("attribute",)


def _amazon(files: Sequence[Path], *, max_reviews: int, **sampling: Any) -> Iterator[Row]:
    return document_set_rows(read_amazon(files, max_reviews=max_reviews), group=None, **sampling)


def _mitweet(files: Sequence[Path], **sampling: Any) -> Iterator[Row]:
    return document_set_rows(read_mitweet(files), group=by_similarity, **sampling)


def _semeval(files: Sequence[Path], **sampling: Any) -> Iterator[Row]:
    return document_set_rows(read_semeval(files), group=by_similarity, **sampling)


def _article_bias(files: Sequence[Path], *, window_days: int, similarity: float, **sampling: Any) -> Iterator[Row]:
    group = by_event(window_days=window_days, similarity=similarity)
    return document_set_rows(read_article_bias(files), group=group, **sampling)


def _news_stance(files: Sequence[Path], *, min_words: int, max_words: int, **sampling: Any) -> Iterator[Row]:
    table = read_news_stance(files, min_words=min_words, max_words=max_words)
    return document_set_rows(table, group=None, **sampling)


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
CONFIGURATIONS: Mapping[str, Configuration] = {
    "amazon": Configuration(
        about="product reviews",
        attributes={"sentiment": SENTIMENTS},
        prompt="amazon",
        raw=("*.json.gz", "*.json"),
        read=_amazon,
        options={**_SAMPLING, "size": 8, "max_reviews": 1_000_000},
        rows=300,
    ),
    "mitweet": Configuration(
        about="tweets about controversial topics",
        attributes={"ideology": IDEOLOGIES},
        prompt="mitweet",
        raw=("MITweet.csv", "data/MITweet.csv", _together("data/random_split/", "train.csv", "val.csv", "test.csv")),
        read=_mitweet,
        options={**_SAMPLING, "size": 20},
        rows=300,
    ),
    "article_bias": Configuration(
        about="news about an event",
        attributes={"ideology": IDEOLOGIES},
        prompt="article_bias",
        raw=("data/jsons/*.json", "jsons/*.json"),
        read=_article_bias,
        options={**_SAMPLING, "size": (4, 8), "window_days": 3, "similarity": 0.2},
        rows=300,
    ),
    # Table 1 says 30 tweets a set, appendix A.3 says 20.
    "semeval": Configuration(
        about="tweets for and against a target",
        attributes={"stance": STANCES},
        prompt="semeval",
        raw=_SEMEVAL,
        read=_semeval,
        options={**_SAMPLING, "size": 30},
        rows=300,
    ),
    "news_stance": Configuration(
        about="news for and against a claim",
        attributes={"stance": STANCES},
        prompt="news_stance",
        raw=(_NEWS_STANCE,),
        read=_news_stance,
        options={**_SAMPLING, "size": (4, 8), "min_words": 75, "max_words": 600},
        rows=300,
    ),
}

#: Every option of any configuration, besides those in `COMMON`.
OPTIONS: Sequence[str] = option_names(CONFIGURATIONS)


def open_source(
    config: str, *, data_dir: str | os.PathLike[str] | None = None, attribute: str | None = None, **options: Any
) -> Source:
    """Find the input of a configuration and settle its options.

    Args:
        config: a key of `CONFIGURATIONS`.
        data_dir: folder with the data set as it is published; nothing is downloaded.
        attribute: each configuration has one, which need not be named.
        **options: options of the configuration (`Configuration.options`); None leaves the default.

    Returns:
        The source.

    Raises:
        InputError: an unknown configuration, option or value, or no ``data_dir``.
        DataSourceError: the input is not there; says what was looked for.
    """
    configuration, chosen, given = choose(NAME, CONFIGURATIONS, config, attribute, options, common=COMMON)
    if data_dir is None:
        raise InputError(f"{config} needs data_dir, a folder with {' or '.join(configuration.raw)}; see the card.")
    folder = sources.check_folder(data_dir)
    files = sources.find_files(folder, configuration.raw)
    if not files:
        raise sources.not_found(folder, config, configuration.raw, published=False)
    logger.info("%s: using %d file(s), %s first", config, len(files), files[0])
    settled = {**configuration.options, **given}
    kind = check_choice(config, "prompt", settled.pop("prompt"), ("plain", "fair"))
    templates = TEMPLATES if kind == "plain" else FAIR_TEMPLATES

    def fingerprint() -> dict[str, Any]:
        content = digest_files(files, folder)
        return {"content": content, "prompt": kind, "scikit-learn": _version("scikit-learn"), **settled}

    def rows() -> Iterator[Row]:
        return configuration.read(
            files,
            **settled,
            values=configuration.attributes[chosen],
            attribute=chosen,
            template=templates[configuration.prompt],
            name=config,
        )

    return Source("raw", files, fingerprint, rows)


def _version(package: str) -> str | None:
    """Return the version of what clusters, which may change the clusters; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
