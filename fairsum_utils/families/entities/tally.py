"""Base class of the entities measures: figures by group."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import only_one
from fairsum_utils.measures._entities import PUBLISHED
from fairsum_utils.measures._shares import total_variation
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Method
from fairsum_utils.stats.sums import Column, Key, Sums


class Tally(OriginalsTally):
    """Sums of one measure and its figures by group.

    Attributes:
        can_redraw: samples can be redrawn within their originals.
        kinds: names of the counts by group.
    """

    can_redraw: ClassVar[bool] = True
    interval: ClassVar[Method] = "corrected"
    folds: ClassVar[str] = "by_group"
    settings: Any
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (0.0, 1.0)}
    kinds: ClassVar[tuple[str, ...]]

    @classmethod
    def counted_kinds(cls, settings: Any) -> tuple[str, ...]:
        """Return the counts the settings require."""
        return cls.kinds

    @cached_property
    def groups(self) -> list[str]:
        """Compared groups, in alphabetical order."""
        return sorted(set().union(*(self.sums.of(self.name(kind)) for kind in self.counted_kinds(self.settings))))

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the groups of each count."""
        return {kind: [(group,) for group in self.groups] for kind in self.counted_kinds(self.settings)}

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return len(self.groups) * (len(self.groups) - 1) // 2

    @property
    def within(self) -> bool:
        """Check whether redrawing samples within originals has an effect."""
        n_alone = self.sums.n_samples - self.sums.counts[("paired",)]
        return self.can_redraw and n_alone + self.sums.counts["pairs",] > self.n_articles

    def result(self, scored: Mapping[str, object]) -> dict[str, Any]:
        """Make the result and its signature."""
        if self.within and self.settings.confidence_level is not None:
            drawn = PUBLISHED if self.settings.resampling == PUBLISHED else "pairs"
            scored = {**scored, "within": drawn if self.sums.counts[("paired",)] else None}
        return super().result(scored)

    def details(self) -> dict[str, Any]:
        """Return figures and counts by group."""
        kinds = self.counted_kinds(self.settings)
        counts = {group: {kind: int(self.total(kind, group)) for kind in kinds} for group in self.groups}
        name = f"{self.measure}_by_group"
        figures = {name: self.observed["by_group"].tolist()}
        figures |= {f"{name}_{level}": ends["by_group"] for level, ends in self.intervals.items()}
        return {
            **{key: dict(zip(self.groups, entries, strict=True)) for key, entries in figures.items()},
            "counts_by_group": counts,
            **self.more(),
            **({"n_unpaired": self.sums.counts[("unpaired",)]} if "ci_within" in self.intervals else {}),
        }

    def more(self) -> dict[str, Any]:
        """Add figures of a single measure; none by default."""
        return {}

    def _undefined(self) -> str:
        if len(self.groups) < 2:
            return only_one("group", self.groups) if self.groups else "no group was found"
        return self._lacking()

    def spread_of(self, signed: Floats) -> Floats:
        """Compute the distance of two distributions from their differences by group."""
        return total_variation(signed)

    @abstractmethod
    def _lacking(self) -> str:
        """Explain why the score is NaN or infinite despite samples of several groups."""


def put_counts(
    sums: Sums, originals: Originals, kind: str, counts: Iterable[tuple[int, str, int]]
) -> dict[Key, Column]:
    """Add counts by group; return those of samples.

    Args:
        sums: sums of the originals.
        originals: scored samples by original.
        kind: name of the counts.
        counts: position of a sample, group and count; a group of a sample may come several times.
    """
    found: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for place, group, n in counts:
        found[group][place] += n
    columns: dict[Key, Column] = {
        (kind, group): Column(np.array(list(own)), np.array(list(own.values()), dtype=np.float64))
        for group, own in found.items()
    }
    originals.put(sums, columns)
    return columns
