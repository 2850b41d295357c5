"""Sums of the omission family: omitted matters by category, group and number of texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.families.chance import draws_of, put_draws
from fairsum_utils.families.omission.rows import Matter, OmissionTable
from fairsum_utils.families.omission.scorer import NOT_ENGLISH
from fairsum_utils.measures.omission import sample_omission
from fairsum_utils.stats.sums import Sums

# Numbers of texts behind a matter that results tell apart.
_MANY_TEXTS = 4


def sums_of(table: OmissionTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``omission``, ``ordinary_n``, ``ordinary`` and ``difference`` (samples with
        ordinary sentences) and, by category, ``matters``; totals by group and category; counts.

    Example:
        >>> from fairsum_utils.families.omission.rows import OmissionRow
        >>> from fairsum_utils.measures.omission import Omission
        >>> table = OmissionTable([OmissionRow(0, (Matter("violence", "threat", True, 1, ("a",)),))])
        >>> sums_of(table, ["omission"], Omission()).total("omission")
        1.0
    """
    of_samples = list(table.matters())
    sums = Sums(len(of_samples), skipped=table.skipped)
    shares = np.array([_omission(matters) for matters in of_samples])
    sums.put(("n",), np.ones(sums.n_units))
    sums.put(("omission",), shares)
    n_ordinary, n_omitted = table.scored("n_ordinary"), table.scored("n_ordinary_omitted")
    has_some = n_ordinary > 0
    ordinary = n_omitted[has_some] / n_ordinary[has_some]
    sums.put(("ordinary_n",), has_some)
    sums.put(("ordinary",), ordinary, np.flatnonzero(has_some))
    sums.put(("difference",), shares[has_some] - ordinary, np.flatnonzero(has_some))
    _put_matters(sums, of_samples)
    for name in ("n_ordinary", "n_pairs"):
        sums.counts[name,] = int(table.scored(name).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    sums.counts["not_english",], sums.counts["rows",] = sums.skipped[NOT_ENGLISH], sums.n_samples + sums.skipped.total()
    if settings.at_random:
        _put_at_random(sums, table)
    return sums


def _omission(matters: Sequence[Matter]) -> float:
    return sample_omission(np.array([matter.is_omitted for matter in matters]))


def _put_matters(sums: Sums, of_samples: Sequence[Sequence[Matter]]) -> None:
    """Add figures by category, by group and by number of texts."""
    by_category: defaultdict[str, dict[int, int]] = defaultdict(dict)
    shares: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for place, matters in enumerate(of_samples):
        parts: defaultdict[tuple[str, str], list[Matter]] = defaultdict(list)
        for matter in matters:
            parts["category", matter.category].append(matter)
            for value in matter.values:
                parts["value", value].append(matter)
            sums.counts["by_n_texts", _n_texts(matter)] += 1
            sums.counts["omitted_by_n_texts", _n_texts(matter)] += matter.is_omitted
        for part, members in parts.items():
            shares[part].append(_omission(members))
            sums.counts["matters_by", *part] += len(members)
            if part[0] == "category":
                by_category[part[1]][place] = len(members)
        sums.counts["matters",] += len(matters)
        sums.counts["omitted",] += sum(matter.is_omitted for matter in matters)
        for matter in matters:
            if matter.to_read:
                sums.counts["to_read", matter.entry or matter.category, matter.to_read] += matter.n_texts
    for category, numbers in by_category.items():
        sums.put(("matters", category), list(numbers.values()), np.array(list(numbers)))
    for (what, name), of_part in shares.items():
        sums.put_total((f"omission_by_{what}", name), of_part)
        sums.counts[what, name] = len(of_part)


def _n_texts(matter: Matter) -> str:
    return str(matter.n_texts) if matter.n_texts < _MANY_TEXTS else f"{_MANY_TEXTS} or more"


def _put_at_random(sums: Sums, table: OmissionTable) -> None:
    """Add the scores of random extracts to the sums of a table."""
    if (drawn := draws_of(sums, table)) is not None:
        put_draws(sums, "omission", drawn.reshape(sums.n_units, -1))
