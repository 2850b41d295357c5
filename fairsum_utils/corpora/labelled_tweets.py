"""Tweets labelled with the ideology (MITweet) or the stance (SemEval-2016 task 6) of what they say.

Source: Liu et al. 2023 (github.com/LST1836/MITweet) and Mohammad et al. 2016; values as in papers/coverage-fairness,
appendix A.3.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from fairsum_utils.corpora.document_sets import LabelledText, Table, by_similarity
from fairsum_utils.corpora.parsing import labelled
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.tables import iter_lines, read_table

logger = logging.getLogger(__name__)

IDEOLOGIES = ("left", "center", "right")
STANCES = ("support", "against")

_FACETS = tuple(f"I{number}" for number in range(1, 13))
_OF_LABEL = {"0": "left", "1": "center", "2": "right", "-1": None}
_OLD = " Early versions of the files use 3 as well and mean other things by it; fetch the current ones."
_SEMEVAL_HEADER = ["ID", "Target", "Tweet", "Stance"]
_SEMEVAL_STANCES = {"FAVOR": "support", "AGAINST": "against", "NONE": None}
_NO_GOLD = " Test files without stances cannot be used; fetch those with gold labels."


def read_mitweet(files: Sequence[Path]) -> Table:
    """Read MITweet: comma-separated with ``topic``, ``tweet`` and the ideology of twelve facets, ``I1`` to ``I12``.

    Args:
        files: MITweet.csv, or the parts of a split.

    Returns:
        The tweets, which are clustered by similarity.

    Raises:
        DataSourceError: a file is not in that format; names file and line.
    """
    table = Table(group=by_similarity)
    unrelated = 0
    for path in files:
        tweets = read_table(path, ("topic", "tweet", *_FACETS), what="a file of MITweet")
        for index, (where, record) in enumerate(tweets):
            labels = (record[facet].strip() for facet in _FACETS)
            facets = [labelled(label, _OF_LABEL, where, what="an ideology", hint=_OLD) for label in labels]
            ideologies = [ideology for ideology in facets if ideology]
            unrelated += not ideologies
            ideology = overall_ideology(ideologies)
            table.add(LabelledText(record["tweet"], ideology, record["topic"], f"{path.name}:{index}"), where)
    logger.info("mitweet: %d tweets are related to no facet, and so count as center", unrelated)
    return table


def overall_ideology(facets: Sequence[str]) -> str:
    """Return the ideology of a tweet: left or right if most of its facets are, else center.

    "Most" is more than half of the facets it is related to. A tweet related to none is center.

    Args:
        facets: the ideology of each facet it is related to.

    Source: papers/coverage-fairness, appendix A.3 ("otherwise neutral", which its table 1 calls center).

    Example:
        >>> overall_ideology(["left", "left", "center"]), overall_ideology(["left", "right"]), overall_ideology([])
        ('left', 'center', 'center')
    """
    for side in ("left", "right"):
        if 2 * facets.count(side) > len(facets):
            return side
    return "center"


def read_semeval(files: Sequence[Path]) -> Table:
    """Read SemEval-2016 task 6: tab-separated with the header ``ID Target Tweet Stance`` and perhaps more columns.

    The topic is the target. Tweets that take no stance are left out. Lines that are not UTF-8 are read as Windows-1252.

    Args:
        files: training and test files with stances.

    Returns:
        The tweets, which are clustered by similarity.

    Raises:
        DataSourceError: a file is not in that format; names file and line.
    """
    table = Table(group=by_similarity)
    for path in files:
        for number, line, _ in iter_lines(path):
            where = f"{path}, line {number}"
            fields = _decoded(line, where).split("\t")
            if number == 1:
                if fields[:4] != _SEMEVAL_HEADER:
                    raise DataSourceError(
                        f"{where}: the header begins with {fields[:4]}, expected {_SEMEVAL_HEADER}, tab-separated."
                    )
                width = len(fields)
                continue
            if len(fields) != width:
                raise DataSourceError(f"{where}: {len(fields)} fields, but the header has {width}. Fetch it again.")
            tweet_id, target, text, stance = (part.strip() for part in fields[:4])
            value = labelled(stance, _SEMEVAL_STANCES, where, hint=_NO_GOLD)
            if value is None and target and text:
                table.dropped["without a stance"] += 1
            else:
                table.add(LabelledText(text, value or "", target, tweet_id), where, what="target")
    return table


def _decoded(line: bytes, where: str) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise DataSourceError(f"{where}: neither UTF-8 nor Windows-1252 text. Fetch the file again.")
