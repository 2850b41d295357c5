"""Yelp and Amazon reviews of FewSum, with ratings or VADER sentiment as attribute.

Source: Brazinskas et al. 2020 (github.com/abrazinskas/FewSum, MIT); sentiment as in Zhang et al. 2024, appendix A.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from fairsum_utils.corpora.corpus import Sample
from fairsum_utils.errors import DataSourceError, require
from fairsum_utils.io.tables import read_table
from fairsum_utils.text.vader import analyzer as vader_analyzer
from fairsum_utils.validation import check_choice

SENTIMENTS = ("pos", "neu", "neg")
RATINGS = ("1", "2", "3", "4", "5")
#: Which implementation of VADER gives the sentiment.
Vader = Literal["vaderSentiment", "nltk"]

_WHAT = "a tab-separated file of FewSum"
_DIALECT: Mapping[str, Any] = {"delimiter": "\t", "strict": False}
_REVIEW_COLUMNS = ("group_id", "review_text", "rating", "category")


def review_samples(
    files: Sequence[Path], *, attribute: str, max_groups: int | None = None, vader: Vader = "vaderSentiment"
) -> Iterator[Sample]:
    """Read one sample from each file of reviews.

    A file is one group, tab separated with the header ``group_id review_text rating category ...``. The published
    preprocessing takes the first 1,500 files as the file system lists them, an order that no other machine repeats;
    here they are taken by name, so with all of FewSum's files the 1,500 are others than the published ones.

    Source: Zhang et al. 2024, section 4 and appendix A.
    """
    value_of, known = _labels(attribute, vader)
    for path in files[:max_groups]:
        pairs, groups, categories = [], {}, {}
        for where, record in read_table(path, _REVIEW_COLUMNS, what=_WHAT, **_DIALECT):
            text = record["review_text"]
            pairs.append((text, value_of(text, record["rating"], where)))
            groups[record["group_id"]] = categories[record["category"]] = True
        about = {"file": path.name, "group_id": ", ".join(groups), "category": ", ".join(categories)}
        yield Sample(path.stem, pairs, {**known, **about})


def gold_samples(files: Sequence[Path], *, attribute: str, vader: Vader = "vaderSentiment") -> Iterator[Sample]:
    """Read the groups with human summaries, one per TSV line.

    Source: Zhang et al. 2024, section 6.2 and appendix A.
    """
    value_of, known = _labels(attribute, vader)
    for path in files:
        groups = read_table(path, ("cat", "group_id", "rev1", "summ1"), what=_WHAT, **_DIALECT)
        for index, (where, record) in enumerate(groups):
            pairs = []
            for key in _numbered(record, "rev"):
                rating = key.replace("rev", "rating")
                if attribute == "rating" and rating not in record:
                    raise DataSourceError(f"{where}: there is no column {rating!r}.")
                pairs.append((record[key], value_of(record[key], record.get(rating, ""), where)))
            about = {"file": path.name, "group_id": record["group_id"], "category": record["cat"]}
            references = [record[key] for key in _numbered(record, "summ")]
            yield Sample(f"{path.stem}-{index:04d}", pairs, {**known, **about}, references)


def _labels(attribute: str, vader: Vader) -> tuple[Callable[[str, str, str], str], dict[str, str]]:
    """Return the function that labels a review, and its metadata."""
    if attribute == "rating":
        return lambda _, rating, where: rating_name(rating, where), {"origin": "raw"}
    label = _sentiment_of(vader)
    return lambda text, _, __: label(text), {"origin": "raw", "vader": vader}


def rating_name(text: str, where: str) -> str:
    """Return a published rating such as ``4.0`` as ``"4"``.

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
    """Return a text's sentiment: the larger of VADER's positive and negative proportions.

    Equal proportions are "neg", and "neu" if both are zero; the compound score plays no part.

    ``vader="vaderSentiment"`` is the package of VADER's author, which needs no download. ``vader="nltk"`` is NLTK's
    older port, which made the published labels; it needs ``nltk`` and its ``vader_lexicon``. On the 800 reviews of
    the published yelp_gold.json NLTK's agrees with all 800 labels and the package with 788 (98.5%); on 13,500 reviews
    of the Yelp configuration with 13,500 and 13,368 (99.0%). They differ because the package has since changed its
    rules for negation ("no", "never"), its idioms and boosters, and four words of its lexicon.

    Source: Zhang et al. 2024, appendix A.

    Example:
        >>> sentiment("A great place, lovely staff."), sentiment("Terrible."), sentiment("We sat outside.")
        ('pos', 'neg', 'neu')
    """
    return _sentiment_of(vader)(text)


@functools.cache
def _sentiment_of(vader: Vader) -> Callable[[str], str]:
    """Load an implementation once and return text -> sentiment."""
    check_choice("sentiment", "vader", vader, get_args(Vader))
    if vader == "nltk":
        module = require("nltk.sentiment.vader", extra="nltk", purpose="label sentiment with vader='nltk'")
        try:
            analyzer = module.SentimentIntensityAnalyzer()
        except LookupError as error:
            raise DataSourceError(
                "vader='nltk' needs NLTK's lexicon: python -m nltk.downloader vader_lexicon. "
                "vader='vaderSentiment' needs no download."
            ) from error
    else:
        analyzer = vader_analyzer()

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
