"""Amazon's product reviews of 2018, with the sentiment of their ratings.

Source: Ni et al. 2019 (nijianmo.github.io/amazon); values and filters as in papers/coverage-fairness, appendix A.3.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from pathlib import Path

from fairsum_utils.corpora.document_sets import LabelledText, Table
from fairsum_utils.corpora.language import looks_english
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.tables import iter_objects

logger = logging.getLogger(__name__)

SENTIMENTS = ("negative", "neutral", "positive")
_OF_RATING = {1: "negative", 2: "negative", 3: "neutral", 4: "positive", 5: "positive"}


def read_amazon(files: Sequence[Path], *, max_reviews: int) -> Table:
    """Read reviews, one JSON object a line with ``reviewText``, ``overall`` (1 to 5) and ``asin``, packed or not.

    The topic is the product. Reviews without text or rating are left out, and those that do not look English
    (`language.looks_english`).

    Args:
        files: the files of one or more categories.
        max_reviews: read the first so many, at least 1, since all of them are held in memory (about 1 kB each).

    Returns:
        The reviews, and how many were left out.

    Raises:
        DataSourceError: a line is not such an object, or a packed file is cut short; names file and line.

    Source: papers/coverage-fairness, appendix A.3.
    """
    table = Table()
    reviews = ((path, number, review) for path in files for number, review in iter_objects(path))
    for path, number, review in itertools.islice(reviews, max_reviews):
        where = f"{path}, line {number}"
        text = review.get("reviewText") or ""
        rating = review.get("overall")
        product = review.get("asin")
        if not isinstance(text, str) or not isinstance(product, str) or not product.strip():
            raise DataSourceError(
                f"{where}: expected texts reviewText and asin, found the fields {', '.join(review) or 'nothing'}. "
                "Is this a file of reviews (and not of products or of ratings only)?"
            )
        if rating is not None and (type(rating) not in (int, float) or rating not in _OF_RATING):
            raise DataSourceError(f"{where}: overall is {rating!r}, expected one of {', '.join(map(str, _OF_RATING))}.")
        if not text.strip():
            table.dropped["without text"] += 1
        elif rating is None:
            table.dropped["without a rating"] += 1
        elif not looks_english(text):
            table.dropped["does not look English"] += 1
        else:
            table.texts.append(LabelledText(text.strip(), _OF_RATING[rating], product, f"{path.name}:{number}"))
    if next(reviews, None) is not None:
        logger.warning("read the first %d reviews only; a larger max_reviews reads more", max_reviews)
    return table
