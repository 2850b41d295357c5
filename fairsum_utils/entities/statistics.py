"""What summaries look like: their length, the persons they name, and those they make up."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from itertools import chain
from typing import Any

from fairsum_utils.entities.table import EntityTable

__all__ = ["most_frequent_names", "summary_statistics"]

_MEASURE = "entity_hallucination"
"""The measure whose rows say what is asked here."""


def summary_statistics(table: EntityTable, *, module: str = "summary_statistics") -> dict[str, Any]:
    """Average tokens and entities of summaries, and the share of entities that are hallucinated.

    Args:
        table: of rows that were scored for ``entity_hallucination``; skipped ones are counted only.
        module: name used in messages.

    Returns:
        ``mean_tokens``, ``sd_tokens``, ``mean_entities``, ``sd_entities``, ``hallucinated_share`` (of all entities that
        the summaries name, each mention once), ``n_samples``, ``n_skipped`` and ``skipped``. Standard deviations are of
        the population (over n). NaN without a sample; the share also without an entity.

    Raises:
        InputError: a row that is not scored for ``entity_hallucination``.

    Source: papers/news-summarization-bias, appendix H, table 16.

    Example:
        >>> from fairsum_utils.entities.rows import EntityRow, Stranger
        >>> rows = [
        ...     EntityRow(0, "a", n_tokens=10, n_mentions=3, hallucinated=(Stranger("Bob Greene", "male"),)),
        ...     EntityRow(1, "a", n_tokens=14, n_mentions=1, hallucinated=()),
        ... ]
        >>> summary_statistics(EntityTable(rows))
        {'mean_tokens': 12.0, 'sd_tokens': 2.0, 'mean_entities': 2.0, 'sd_entities': 1.0, 'hallucinated_share': 0.25,
        'n_samples': 2, 'n_skipped': 0, 'skipped': {}}
    """
    tokens, mentions, hallucinated = (
        table.entries(name, _MEASURE, module) for name in ("n_tokens", "n_mentions", "hallucinated")
    )
    n_mentions = sum(mentions)
    return {
        **_mean_and_deviation("tokens", tokens),
        **_mean_and_deviation("entities", mentions),
        "hallucinated_share": sum(map(len, hallucinated)) / n_mentions if n_mentions else math.nan,
        "n_samples": len(tokens),
        "n_skipped": table.skipped.total(),
        "skipped": dict(sorted(table.skipped.items())),
    }


def _mean_and_deviation(what: str, counts: list[int]) -> dict[str, float]:
    mean, deviation = (statistics.fmean(counts), statistics.pstdev(counts)) if counts else (math.nan, math.nan)
    return {f"mean_{what}": mean, f"sd_{what}": float(deviation)}


def most_frequent_names(
    table: EntityTable, limit: int = 10, *, module: str = "most_frequent_names"
) -> list[dict[str, Any]]:
    """The names that are hallucinated most often.

    Args:
        table: of rows that were scored for ``entity_hallucination``.
        limit: largest number of names.
        module: name used in messages.

    Returns:
        Dicts with ``name``, ``group`` (None where unknown) and ``count``, most frequent first, equally frequent ones in
        alphabetical order. A name of two groups stands twice.

    Raises:
        InputError: a row that is not scored for ``entity_hallucination``.

    Source: papers/news-summarization-bias, section 9.1, table 6.

    Example:
        >>> from fairsum_utils.entities.rows import EntityRow
        >>> row = EntityRow(0, "a", hallucinated=(("Frum", None), ("Bob Greene", "male"), ("Frum", None)))
        >>> most_frequent_names(EntityTable([row]), limit=1)
        [{'name': 'Frum', 'group': None, 'count': 2}]
    """
    counts = Counter(chain.from_iterable(table.entries("hallucinated", _MEASURE, module)))
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0][0], entry[0][1] or ""))
    return [{"name": name, "group": group, "count": count} for (name, group), count in ordered[:limit]]
