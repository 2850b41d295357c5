"""What summaries look like: their length, the persons they name, and those they make up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from decimal import Context
from itertools import chain
from typing import Any

from fairsum_utils.families.entities.rows import EntityTable
from fairsum_utils.stats.sums import Key

__all__ = ["described", "most_frequent_names", "name_counts", "ranked_names", "summary_statistics", "text_counts"]

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
        >>> from fairsum_utils.families.entities.rows import EntityRow, Stranger
        >>> rows = [
        ...     EntityRow(0, "a", n_tokens=10, n_mentions=3, hallucinated=(Stranger("Bob Greene", "male"),)),
        ...     EntityRow(1, "a", n_tokens=14, n_mentions=1, hallucinated=()),
        ... ]
        >>> summary_statistics(EntityTable(rows))
        {'mean_tokens': 12.0, 'sd_tokens': 2.0, 'mean_entities': 2.0, 'sd_entities': 1.0, 'hallucinated_share': 0.25,
        'n_samples': 2, 'n_skipped': 0, 'skipped': {}}
    """
    return {
        **described(text_counts(table, module=module), len(table)),
        "n_samples": len(table),
        "n_skipped": table.skipped.total(),
        "skipped": dict(sorted(table.skipped.items())),
    }


def text_counts(table: EntityTable, *, module: str) -> dict[str, int]:
    """What `described` needs of a table: sums over the samples, which add up with those of other tables.

    Args:
        table: of rows that were scored for ``entity_hallucination``.
        module: name used in messages.

    Raises:
        InputError: a row that is not scored for ``entity_hallucination``.
    """
    tokens, mentions, hallucinated = (
        table.entries(name, _MEASURE, module) for name in ("n_tokens", "n_mentions", "hallucinated")
    )
    return {
        "tokens": sum(tokens),
        "tokens_squared": sum(n * n for n in tokens),
        "entities": sum(mentions),
        "entities_squared": sum(n * n for n in mentions),
        "hallucinated": sum(map(len, hallucinated)),
    }


def described(counts: Mapping[str, int], n_samples: int) -> dict[str, float]:
    """Means and deviations over the samples, and the share of hallucinated entities.

    Args:
        counts: of `text_counts`.
        n_samples: that have a score.
    """
    found: dict[str, float] = {}
    for what in ("tokens", "entities"):
        mean, deviation = _mean_and_deviation(n_samples, counts[what], counts[f"{what}_squared"])
        found |= {f"mean_{what}": mean, f"sd_{what}": deviation}
    n_mentions = counts["entities"]
    return {**found, "hallucinated_share": counts["hallucinated"] / n_mentions if n_mentions else math.nan}


_PRECISE = Context(prec=60)
"""More digits than a float has, so that a deviation is rounded once."""


def _mean_and_deviation(n: int, total: int, squares: int) -> tuple[float, float]:
    if not n:
        return math.nan, math.nan
    root = _PRECISE.sqrt(_PRECISE.create_decimal(n * squares - total**2))
    return total / n, float(_PRECISE.divide(root, n))


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
        >>> from fairsum_utils.families.entities.rows import EntityRow
        >>> row = EntityRow(0, "a", hallucinated=(("Frum", None), ("Bob Greene", "male"), ("Frum", None)))
        >>> most_frequent_names(EntityTable([row]), limit=1)
        [{'name': 'Frum', 'group': None, 'count': 2}]
    """
    return ranked_names(name_counts(table, module=module), limit)


def name_counts(table: EntityTable, *, module: str) -> Counter[Key]:
    """How often each name is hallucinated: a name and its group, or the name alone where that is unknown -> count.

    Args:
        table: of rows that were scored for ``entity_hallucination``.
        module: name used in messages.

    Raises:
        InputError: a row that is not scored for ``entity_hallucination``.
    """
    strangers = chain.from_iterable(table.entries("hallucinated", _MEASURE, module))
    return Counter((name,) if group is None else (name, group) for name, group in strangers)


def ranked_names(counts: Mapping[Key, int], limit: int = 10) -> list[dict[str, Any]]:
    """The most frequent names, as of `most_frequent_names`.

    Args:
        counts: of `name_counts`.
        limit: largest number of names.
    """
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [
        {"name": name, "group": group[0] if group else None, "count": count}
        for (name, *group), count in ordered[:limit]
    ]
