"""News articles labelled with the political ideology of what they say.

Source: Baly et al. 2020 (github.com/ramybaly/Article-Bias-Prediction); events as in papers/coverage-fairness,
appendix A.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from fairsum_utils.corpora.clustering import group_events
from fairsum_utils.corpora.document_sets import LabelledText, Table
from fairsum_utils.corpora.labelled_tweets import IDEOLOGIES
from fairsum_utils.corpora.parsing import labelled
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.tables import read_json
from fairsum_utils.text.splitting import ENDS, cut_text

_EXPECTED = "expected an article of Article-Bias-Prediction"
_IDEOLOGIES = {ideology: ideology for ideology in IDEOLOGIES}


def read_article_bias(
    files: Sequence[Path], *, window_days: int, similarity: float, cut_words: int | None, cut_from: str
) -> Table:
    """Read articles, one JSON object a file with ``topic``, ``bias_text``, ``date``, ``content_original`` and ``ID``.

    Articles without text or date are left out; the others of a topic come in events (`clustering.group_events`).

    Args:
        files: the files of data/jsons.
        window_days: most days between two articles of an event, at least 0.
        similarity: two articles of an event have a TF-IDF cosine similarity above this, in [0, 1).
        cut_words: most words of an article in a set; None for whole articles.
        cut_from: a longer one loses its ``"beginning"`` or its ``"end"``, see `cut_text`.

    Returns:
        The articles.

    Raises:
        DataSourceError: a file is not in that format; names the file.
        InputError: an end to cut without a number of words.
    """
    if cut_words is None and cut_from != ENDS[0]:
        raise InputError(
            f"article_bias: cut_from={cut_from} is for articles that are cut; give cut_words, or leave it out"
        )
    cut = None if cut_words is None else partial(cut_text, words=cut_words, cut_from=cut_from)
    table = Table(group=partial(_events, window=window_days, similarity=similarity), cut=cut)
    for path in files:
        article = _article(path)
        text, published = article["content_original"].strip(), (article.get("date") or "").strip()
        if not text or not published:
            table.dropped["without a date" if text else "without text"] += 1
            continue
        ideology = labelled(article["bias_text"], _IDEOLOGIES, path, what="bias_text")
        try:
            day = date.fromisoformat(published)
        except ValueError:
            raise DataSourceError(f"{path}: date is {published!r}, expected one such as 2016-09-20.") from None
        table.add(LabelledText(text, ideology, article["topic"], article["ID"], day), path)
    return table


def _events(articles: Sequence[LabelledText], set_size: int, seed: int, *, window: int, similarity: float) -> list[int]:
    # neither the size nor the seed plays a part: an event is what it is
    days = [article.day.toordinal() for article in articles if article.day]
    return group_events([article.text for article in articles], days, window=window, similarity=similarity)


def _article(path: Path) -> dict[str, Any]:
    article = read_json(path)
    if not isinstance(article, dict):
        raise DataSourceError(f"{path}: {_EXPECTED}, found {type(article).__name__}.")
    for key in ("topic", "bias_text", "content_original", "ID"):
        if not isinstance(article.get(key), str):
            raise DataSourceError(f"{path}: {_EXPECTED}, but the text {key!r} is missing.")
    return article
