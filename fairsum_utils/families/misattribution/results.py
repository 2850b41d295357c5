"""Results of misattribution: sums, shares of claims and speakers, warnings, and records of samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypedDict

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.misattribution.rows import MisattributionRow, MisattributionTable
from fairsum_utils.families.warnings import MOSTLY, CountWarning
from fairsum_utils.measures.misattribution import Misattribution
from fairsum_utils.stats.intervals import Estimate
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


class MisattributionScore(SampleScore):
    """A share of the claims of all samples, which vary in their number."""

    @cached_property
    def estimate(self) -> Estimate:
        """Score; the samples with claims are behind the score."""
        n = self.sums.n_samples - self.sums.counts["silent",]
        totals, sizes = self.sums.by_unit(("misattribution",)), self.sums.by_unit(("n",))
        return Estimate(self.score(), "two-point", n, totals=totals, sizes=sizes)

    def means(self) -> Sequence[Mean]:
        """List the shares, each with its interval."""
        return (
            Mean("misattribution_of_supported", "misattribution", "reached", averages="scores"),
            Mean("inclusion", "named", "people", averages="scores"),
            Mean("inclusion_by_third", "third_named", "third_people", by=THIRDS, averages="scores"),
            Mean("inclusion_by_group", "named", "speakers", by="speakers", averages="scores"),
            Mean("misattribution_by_group", "misattributed", "claims", by="speakers", averages="scores"),
        )

    def counts(self) -> dict[str, Any]:
        """Count claims, speakers, and what is left out."""
        counts, totals = self.sums.counts, {"n_claims": "n", "n_misattributed": "misattribution"}
        totals |= {"n_speakers": "people", "n_named": "named"}
        return {
            **{key: int(self.sums.total(name)) for key, name in totals.items()},
            **{name: counts[name,] for name in ("n_unsupported", *LEFT_OUT)},
            "n_claims_by_group": self.by("speakers", "claims"),
            "n_speakers_by_group": self.by("speakers"),
            "n_by_group": self.sums.counted("group"),
            "n_truncated": counts["truncated",],
            "n_pairs": counts["n_pairs",],
        }

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        return "no summary attributes a claim to a speaker" if self.sums.n_samples else super().undefined()

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warn about missing, skipped and unsupported claims, and speakers without group."""
        unsupported = "{} claims are supported by no speaker"
        if self.settings.entailer == "lexical":
            unsupported += "; the lexical entailer does not see paraphrases, and a model may find more support"
        left_out = (
            "{} sentences or claims are left out: their subject is not one named speaker, or no claim can be read"
        )
        alike = "{} samples have speakers whose names differ in capitals only and who count as different speakers"
        ungrouped = "{} samples have speakers without a group in speaker_groups, who count for no group"
        return (
            CountWarning("no_claims", "{} scored summaries attribute no claim to a speaker", "silent"),
            CountWarning("left_out", left_out, "left_out", "found", MOSTLY),
            CountWarning("unsupported", unsupported, "n_unsupported", "n", MOSTLY),
            CountWarning("ungrouped", ungrouped, "ungrouped"),
            CountWarning("labels_alike", alike, "alike"),
        )


def quality(sums: Sums) -> dict[str, float]:
    """Return the shares of named speakers and of supported claims."""
    n_people, n_claims = sums.total("people"), sums.total("n")
    return {
        "inclusion": sums.total("named") / n_people if n_people else math.nan,
        "supported": sums.total("reached") / n_claims if n_claims else math.nan,
    }


class Share(TypedDict):
    """Score of a sample.

    Attributes:
        misattributed_share: share of the claims that are misattributed; None without a claim.
    """

    misattributed_share: float | None


def recorded(measures: Sequence[str], settings: Misattribution) -> Recorded:
    """Return the keys of a record: counts of claims and speakers, and evidence."""
    claims = ("n_claims", "n_misattributed", "n_unsupported", *LEFT_OUT, "n_speakers", "n_named", "n_truncated")
    return Recorded(("index", "skipped", *claims, "named", "claims"), [Share], _computed)


def _computed(rows: Sequence[MisattributionRow]) -> Iterator[Share]:
    for row in rows:
        yield {"misattributed_share": row.n_misattributed / row.n_claims if row.n_claims else None}


ENGINE = Engine(sums_of, {"misattribution": MisattributionScore})
