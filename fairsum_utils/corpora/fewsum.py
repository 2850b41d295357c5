"""Yelp and Amazon reviews of FewSum, with ratings or VADER sentiment as the attribute.

Source: Brazinskas et al. 2020 (github.com/abrazinskas/FewSum, MIT); sentiment as in fairsumm-v2, appendix A.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from fairsum_utils.corpora.prompts import UNIT_SEPARATOR
from fairsum_utils.corpora.rows import Row, make_row
from fairsum_utils.errors import DataSourceError, InputError, require
from fairsum_utils.files.reading import read_table
from fairsum_utils.validation import check_count

__all__ = ["RATINGS", "SENTIMENTS", "Vader", "gold_rows", "rating_name", "review_rows", "sentiment"]

SENTIMENTS = ("pos", "neu", "neg")
RATINGS = ("1", "2", "3", "4", "5")
#: Which implementation of VADER gives the sentiment.
Vader = Literal["vaderSentiment", "nltk"]

_WHAT = "a tab-separated file of FewSum"
_DIALECT: Mapping[str, Any] = {"delimiter": "\t", "strict": False}
_REVIEW_COLUMNS = ("group_id", "review_text", "rating", "category")


def review_rows(
    files: Sequence[Path],
    *,
    config: str,
    attribute: str,
    template: str,
    max_groups: int | None = None,
    vader: Vader = "vaderSentiment",
) -> Iterator[Row]:
    """Read one row from each file of reviews.

    A file is one group, tab separated with the header ``group_id review_text rating category ...``. The published
    preprocessing takes the first 1,500 files as the file system lists them, an order that no other machine repeats;
    here they are taken by name, so with all of FewSum's files the 1,500 are others than the published ones.

    Args:
        files: the files, in the order in which they are used.
        config: name that the row ids begin with.
        attribute: "rating" or "sentiment".
        template: prompt with ``{SOURCE}``.
        max_groups: use the first so many files; None for all.
        vader: implementation of VADER, for the sentiment.

    Yields:
        The rows.

    Raises:
        DataSourceError: a file is not in that format, or a rating is not 1 to 5; names file and line.

    Source: fairsumm-v2, section 4 and appendix A.
    """
    value_of = _sentiment_of(vader) if attribute == "sentiment" else None
    last = None if max_groups is None else check_count(config, "max_groups", max_groups)
    for path in files[:last]:
        pairs, groups, categories = [], {}, {}
        for where, record in read_table(path, _REVIEW_COLUMNS, what=_WHAT, **_DIALECT):
            text = record["review_text"]
            pairs.append((text, value_of(text) if value_of else rating_name(record["rating"], where)))
            groups[record["group_id"]] = categories[record["category"]] = True
        yield make_row(
            f"{config}-{path.stem}",
            pairs,
            attribute=attribute,
            template=template,
            separator=UNIT_SEPARATOR,
            metadata={
                "origin": "raw",
                "file": path.name,
                "group_id": ", ".join(groups),
                "category": ", ".join(categories),
                **({"vader": vader} if value_of else {}),
            },
        )


def gold_rows(
    files: Sequence[Path], *, config: str, attribute: str, template: str, vader: Vader = "vaderSentiment"
) -> Iterator[Row]:
    """Read the groups with human summaries, one a line: ``cat group_id rev1.. summ1..`` and, for Amazon, ``rating1..``.

    Args:
        files: train.csv, val.csv and test.csv, whichever are there.
        config: name that the row ids begin with.
        attribute: "rating" or "sentiment".
        template: prompt with ``{SOURCE}``.
        vader: implementation of VADER, for the sentiment.

    Yields:
        The rows, with references.

    Raises:
        DataSourceError: a file is not in that format; names file and line.

    Source: fairsumm-v2, section 6.2 and appendix A.
    """
    value_of = _sentiment_of(vader) if attribute == "sentiment" else None
    for path in files:
        for index, (where, record) in enumerate(
            read_table(path, ("cat", "group_id", "rev1", "summ1"), what=_WHAT, **_DIALECT)
        ):
            pairs = []
            for key in _numbered(record, "rev"):
                text = record[key]
                rating = record.get(key.replace("rev", "rating"))
                if value_of is None and rating is None:
                    raise DataSourceError(f"{where}: there is no column {key.replace('rev', 'rating')!r}.")
                pairs.append((text, value_of(text) if value_of else rating_name(rating or "", where)))
            yield make_row(
                f"{config}-{path.stem}-{index:04d}",
                pairs,
                attribute=attribute,
                template=template,
                separator=UNIT_SEPARATOR,
                references=[record[key] for key in _numbered(record, "summ")],
                metadata={
                    "origin": "raw",
                    "file": path.name,
                    "group_id": record["group_id"],
                    "category": record["cat"],
                    **({"vader": vader} if value_of else {}),
                },
            )


def rating_name(text: str, where: str) -> str:
    """Return a published rating such as ``4.0`` as ``"4"``.

    Raises:
        DataSourceError: not a whole number from 1 to 5.

    Example:
        >>> rating_name("4.0", "line 1")
        '4'
    """
    try:
        name = f"{float(text):g}"
    except ValueError:
        name = ""
    if name not in RATINGS:
        raise DataSourceError(f"{where}: the rating is {text!r}, expected one of {', '.join(RATINGS)}.")
    return name


def sentiment(text: str, *, vader: Vader = "vaderSentiment") -> str:
    """Return the sentiment of a text: the larger of VADER's positive and negative proportions.

    Equal proportions are "neg", and "neu" if both are zero; the compound score plays no part.

    ``vader="vaderSentiment"`` is the package of VADER's author, which needs no download. ``vader="nltk"`` is NLTK's
    older port, which made the published labels; it needs ``nltk`` and its ``vader_lexicon``. On the 800 reviews of
    the published yelp_gold.json NLTK's agrees with all 800 labels and the package with 788 (98.5%); on 13,500 reviews
    of the Yelp configuration with 13,500 and 13,368 (99.0%). They differ because the package has since changed its
    rules for negation ("no", "never"), its idioms and boosters, and four words of its lexicon.

    Args:
        text: what to judge.
        vader: the implementation.

    Returns:
        "pos", "neu" or "neg".

    Raises:
        InputError: an unknown implementation.
        DataSourceError: NLTK's lexicon is not installed.

    Source: fairsumm-v2, appendix A.

    Example:
        >>> sentiment("A great place, lovely staff."), sentiment("Terrible."), sentiment("We sat outside.")
        ('pos', 'neg', 'neu')
    """
    return _sentiment_of(vader)(text)


@functools.cache
def _sentiment_of(vader: Vader) -> Callable[[str], str]:
    """Load an implementation once and return text -> sentiment."""
    if vader not in get_args(Vader):
        raise InputError(f"vader must be one of {', '.join(get_args(Vader))}, but is {vader!r}.")
    if vader == "nltk":
        module = require("nltk.sentiment.vader", extra="test", purpose="label sentiment with vader='nltk'")
        try:
            analyzer = module.SentimentIntensityAnalyzer()
        except LookupError as error:
            raise DataSourceError(
                "vader='nltk' needs NLTK's lexicon: python -m nltk.downloader vader_lexicon. "
                "vader='vaderSentiment' needs no download."
            ) from error
    else:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        analyzer = SentimentIntensityAnalyzer()

    def label(text: str) -> str:
        scores = analyzer.polarity_scores(text)
        if scores["pos"] == scores["neg"] == 0:
            return "neu"
        return "pos" if scores["pos"] > scores["neg"] else "neg"

    return label


def _numbered(record: dict[str, str], prefix: str) -> list[str]:
    """Return the columns prefix1, prefix2, ... by number."""
    return sorted(
        (name for name in record if name.startswith(prefix) and name[len(prefix) :].isdigit()),
        key=lambda name: int(name[len(prefix) :]),
    )
