"""Entity hallucination: persons of summaries without a match in the sources."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Context
from itertools import chain
from typing import Any

import numpy as np

from fairsum_utils.families.entities.classifier import groups_of_names
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally, put_counts
from fairsum_utils.measures._shares import shares
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import Column, Key, Sums

# More digits than a float has.
_PRECISE = Context(prec=60)
# Most hallucinated names that a result lists.
_MOST_NAMED = 10


class Hallucination(Tally):
    """Persons in the summaries without a match in the sources."""

    measure = "entity_hallucination"
    recorded = ("n_mentions", "hallucinated")
    kinds = ("hallucinated",)

    @property
    def fair(self) -> float:
        """Return the even share of a group."""
        return 1 / len(self.groups)

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add hallucinated persons by group, name counts and summary lengths."""
        names = originals.entries("hallucinated", cls.measure)
        strangers = list(chain.from_iterable(names))
        for kind, column in (("tokens", "n_tokens"), ("entities", "n_mentions")):
            numbers = originals.entries(column, cls.measure)
            sums.counts[(cls.name(kind),)] = sum(numbers)
            sums.counts[(cls.name(f"{kind}_squared"),)] = sum(n * n for n in numbers)
        sums.counts[(cls.name("hallucinated"),)] = len(strangers)
        sums.named[cls.measure] = Counter((name,) if group is None else (name, group) for name, group in strangers)
        known = ((place, group, 1) for place, own in enumerate(names) for _, group in own if group is not None)
        for group in groups_of_names(originals.settings.first_names):  # also those that no one has
            sums.put((cls.name("hallucinated"), group), np.zeros(0), np.zeros(0, dtype=np.int64))
        return put_counts(sums, originals, cls.name("hallucinated"), known)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compare the shares of hallucinated persons."""
        return {"score": entity_hallucination(sums), "by_group": shares(sums)}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Return hallucinated persons by group and in total, by original."""
        [by_group] = self.by_original().values()
        return {"by_group": [(numbers, by_group.sum(axis=0)) for numbers in by_group]}

    def more(self) -> dict[str, Any]:
        """Add counts of persons, the most frequent names, and the lengths of summaries."""
        n, n_mentions = self.count("hallucinated"), self.count("entities")
        return {
            "n_mentions": n_mentions,
            "n_hallucinated": n,
            "n_unclassified": n - int(self.totals.sum()),
            "hallucinated_share": n / n_mentions if n_mentions else math.nan,
            "most_frequent": _ranked(self.sums.named.get(self.measure) or {}),
            **self._described("tokens"),
            **self._described("entities"),
        }

    def _described(self, what: str) -> dict[str, float]:
        """Return mean and standard deviation over the samples."""
        n, total, squares = self.sums.n_samples, self.count(what), self.count(f"{what}_squared")
        if not n:
            return {f"mean_{what}": math.nan, f"sd_{what}": math.nan}
        root = _PRECISE.sqrt(_PRECISE.create_decimal(n * squares - total**2))
        return {f"mean_{what}": total / n, f"sd_{what}": float(_PRECISE.divide(root, n))}

    def _lacking(self) -> str:
        n = self.count("hallucinated")
        return f"none of {n} invented persons has a known group" if n else "the summaries invent no person"


def _ranked(counts: Mapping[Key, int]) -> list[dict[str, Any]]:
    """List the most frequent names, ties in alphabetical order."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_NAMED]
    return [{"name": name, "group": group[0] if group else None, "count": n} for (name, *group), n in ordered]
