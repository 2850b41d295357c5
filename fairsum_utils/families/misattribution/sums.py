"""Sums of the misattribution family: claims and speakers, also by group and third."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsum_utils.families.misattribution.rows import MisattributionTable
from fairsum_utils.stats.sums import Sums

LEFT_OUT = ("n_ambiguous", "n_several", "n_pronoun", "n_wordless", "n_claimless")
"""Counts of what cannot be judged."""
THIRDS = ("first", "second", "last")
"""Thirds of a meeting."""


def sums_of(table: MisattributionTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (claims), ``misattribution`` (misattributed ones), ``reached`` (supported by some speaker),
        ``people`` and ``named`` (speakers), the latter two also by third, and all by group; counts.

    Example:
        >>> from fairsum_utils.families.misattribution.rows import MisattributionRow
        >>> from fairsum_utils.measures.misattribution import Misattribution
        >>> rows = [MisattributionRow(0, n_claims=4, n_misattributed=1), MisattributionRow(1, n_claims=4)]
        >>> sums = sums_of(MisattributionTable(rows), ["misattribution"], Misattribution())
        >>> sums.total("misattribution"), sums.total("n")
        (1.0, 8.0)
    """
    sums, counts = Sums(len(table), skipped=table.skipped), {}
    claims = table.scored("n_claims")
    sums.put(("n",), claims)
    sums.put(("misattribution",), table.scored("n_misattributed"))
    sums.put(("reached",), claims - table.scored("n_unsupported"))
    sums.put(("people",), table.scored("n_speakers"))
    sums.put(("named",), table.scored("n_named"))
    for kind, column in (("people", "third_speakers"), ("named", "third_named")):
        for third, numbers in zip(THIRDS, table.thirds(column), strict=True):
            sums.put((f"third_{kind}", third), numbers)
    for (kind, group), places, numbers in table.by_group():
        sums.put((kind, group), numbers, places)
        if kind == "speakers":
            sums.counts["group", group] = len(places)
    for name in ("n_unsupported", *LEFT_OUT, "n_pairs"):
        counts[name] = table.scored(name).sum()
    counts["left_out"] = sum(counts[name] for name in LEFT_OUT)
    counts["found"] = counts["left_out"] + claims.sum()
    counts["truncated"] = (table.scored("n_truncated") > 0).sum()
    counts["silent"] = (claims == 0).sum()
    counts["ungrouped"] = (table.scored("n_ungrouped") > 0).sum()
    counts["alike"] = (table.scored("n_alike") > 0).sum()
    sums.counts.update({(name,): int(count) for name, count in counts.items()})
    return sums
