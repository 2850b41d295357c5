"""Base class of the sensitivity measures: means over originals, and their tests."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.relabelling import (
    GRAIN,
    Relabelled,
    Ways,
    all_sums,
    drawn_sums,
    has_few_ways,
    share_reaching,
)
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import only_one
from fairsum_utils.measures import get_formula
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.arrays import Floats, Integers, quotient, scalar
from fairsum_utils.stats.permutation import null_sd
from fairsum_utils.stats.sums import Column, Key, Sums
from fairsum_utils.stats.tests import holm

# Two variants; empty for all of them.
Pair = tuple[str, ...]
# Key of a column -> positions of originals or samples, and their numbers, part by part.
_Parts: TypeAlias = defaultdict[Key, list[tuple[Sequence[int] | Integers, Sequence[float] | Floats]]]
# Summaries that the variants are held against: those of inputs of one variant with other control edits, where any
# original has such inputs, or else those of one input.
FLOORS = ("controls", "replicates")
TESTED = ("p_value", "null_sd", "p_value_corrected")
"""Keys of a test in the entry of a figure."""
_MOST_VARIANTS = 20


def too_many(variants: Sequence[str]) -> str:
    """Explain why variants are not compared in pairs; empty if they are.

    Example:
        >>> too_many(["f", "m"]), too_many("abcdefghijklmnopqrstu")
        ('', 'there are 21 variants, but at most 20 are compared in pairs')
    """
    n = len(variants)
    return f"there are {n} variants, but at most {_MOST_VARIANTS} are compared in pairs" if n > _MOST_VARIANTS else ""


def named(pair: Sequence[str]) -> dict[str, str]:
    """Name a pair of variants, as in results."""
    return {"variant_a": pair[0], "variant_b": pair[1]}


class Collected:
    """Figures of originals, collected for the sums of one measure.

    Attributes:
        originals: scored samples by original.
        relabelled: first of the figures tested together -> originals with them.
    """

    def __init__(self, tally: type[Tally], originals: Originals) -> None:
        self.tally, self.originals = tally, originals
        self.relabelled: defaultdict[Key, list[Relabelled]] = defaultdict(list)
        self._columns: _Parts = defaultdict(list)
        self._effects: _Parts = defaultdict(list)

    def add(
        self,
        key: Key,
        originals: Sequence[int] | Integers,
        numbers: Sequence[float] | Floats,
        n: Sequence[float] | Floats | None = None,
    ) -> None:
        """Add the numbers of some originals to a figure.

        Args:
            key: key of the figure.
            originals: positions of the originals.
            numbers: number of each.
            n: weight of each in the mean; 1 if None.
        """
        counts = np.ones(len(originals)) if n is None else n
        for kind, column in (("sum", numbers), ("n", counts)):
            self._columns[self.tally.name(kind), *key].append((originals, column))

    def affect(self, key: Key, samples: Integers, numbers: Floats) -> None:
        """Add the effects of samples on the sum of a figure.

        The effect of a sample is what it adds beyond its input, to a first order; effects sum to 0 over the samples of
        an input.
        """
        self._effects[self.tally.name("sum"), *key].append((samples, numbers))

    def relabel(
        self,
        place: int,
        pair: Pair,
        keys: Sequence[Key],
        counts: tuple[int, ...],
        figures: Callable[[Integers], Floats],
    ) -> None:
        """Test figures of an original by relabelling its inputs, see `Relabelled`."""
        seed = "\0".join((self.originals.names[place], *pair))
        self.relabelled[keys[0]].append(Relabelled(self.tally.ways, seed, keys, counts, figures))

    def put(self, sums: Sums) -> Mapping[Key, Column]:
        """Add everything to the sums and return the effects of samples."""
        for key, column in _joined(self._columns).items():
            sums.put(key, column.numbers, column.places)
        settings, name = self.originals.settings, self.tally.name
        for each in self.relabelled.values():
            keys = sorted({key for one in each for key in one.keys})
            kind, draw = "exact", partial(all_sums, each, keys)
            if not has_few_ways(each):
                seeds = self.originals.seed, self.tally.salt
                kind, draw = "permuted", partial(drawn_sums, each, keys, settings.n_permutations, *seeds)
            sums.draw_later([(name(kind), *key) for key in keys], draw)
        return _joined(self._effects)


def _joined(parts: _Parts) -> dict[Key, Column]:
    """Join the parts of each column."""
    return {key: Column(*map(np.concatenate, zip(*own, strict=True))) for key, own in parts.items()}


class Tally(OriginalsTally):
    """Figures of one measure: means over originals, tested by relabelling inputs.

    Attributes:
        two_sided: large negative figures count in tests.
        ways: kind of relabelling in tests.
        salt: number that makes the draws of different measures independent.
        variants: variants of the inputs, in alphabetical order.
    """

    is_tested = True
    two_sided: ClassVar[bool] = True
    ways: ClassVar[Ways] = "variants"
    salt: ClassVar[int]
    settings: SensitivityMeasure

    @classmethod
    def check(cls, settings: SensitivityMeasure, sample: Sample) -> None:
        """Reject samples that the measure cannot score."""

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the row fields of non-empty samples."""
        return [{"text": sample.prediction, "changed": sample.changed} for sample in samples]

    @classmethod
    @abstractmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return settings beyond, or instead of, the usual keys; may load a model."""

    @classmethod
    def used(cls, given: Collection[str], *systems: Sums) -> Collection[str]:
        """Drop the column `changed` if it has no entry."""
        return {name for name in given if name != "changed" or any(sums.counts[("changed",)] for sums in systems)}

    @classmethod
    @abstractmethod
    def collect(cls, found: Collected, sums: Sums, scorer: SensitivityScorer) -> None:
        """Add the figures of all originals, and counts to the sums."""

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the measure's columns to the sums; return the effects of samples on them."""
        texts = [text for text in originals.column("text") if text is not None]
        sums.counts[(cls.name("wordless"),)] = sum(not any(map(str.isalnum, text)) for text in texts)
        found = Collected(cls, originals)
        cls.collect(found, sums, scorer)
        return found.put(sums)

    @cached_property
    def variants(self) -> list[str]:  # noqa: D102 (see the class)
        return self.sums.of("inputs")

    @property
    @abstractmethod
    def averaged(self) -> Sequence[Key]:
        """Keys of the figures with intervals."""

    def columns(self) -> dict[str, Sequence[Key]]:
        """Return sum and number of originals of each figure."""
        return dict.fromkeys(("sum", "n"), self.averaged)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Average over originals; the first figure is the score."""
        means = get_formula(self.measure)(*self.split(sums).values())
        return {"score": means[..., 0], "means": means}

    def sizes(self) -> Mapping[str, Floats]:
        """Return the number of originals of each figure."""
        return {"means": self.split(self.totals)["n"][: len(self.averaged)]}

    def n(self, *key: str) -> int:
        """Return the number of originals with a figure."""
        return int(self.total("n", *key))

    def mean(self, *key: str) -> float:
        """Average a figure over originals; NaN without originals."""
        return scalar(quotient(self.total("sum", *key), self.total("n", *key)))

    def pairs_with(self, *key: str) -> list[Pair]:
        """List the pairs of variants with a figure, if there are not too many."""
        every = () if too_many(self.variants) else combinations(self.variants, 2)
        return [pair for pair in every if self.n(*key, *pair)]

    def lacks_variants(self, *, by_pair: bool = True) -> str:
        """Explain why variants cannot be compared; empty if they can."""
        if len(self.variants) < 2:
            return only_one("variant", self.variants)
        return too_many(self.variants) if by_pair else ""

    @property
    def within(self) -> bool:
        """Check whether redrawing samples within inputs has an effect."""
        return self.sums.counts[("replicated",)] > 0

    def replicates_within(self) -> Floats:
        """Sum the columns with samples redrawn within their inputs, shape (B, m)."""
        return self.totals + self.narrowing() * super().replicates_within()

    def narrowing(self) -> Floats | float:
        """Return factors for the draws within inputs, shape (m,); 1 without correction."""
        return 1.0

    def by_chance(self, keys: Sequence[Key]) -> tuple[Floats, str]:
        """Sum figures over originals under relabelling, shape (ways, keys); "exact" or "drawn"."""
        every = [sums for key in keys if (sums := self.sums.drawn(self.name("exact"), *key)) is not None]
        if len(every) == len(keys):
            return np.stack(every, axis=1), "exact"
        return self.drawn([(self.name("permuted"), *key) for key in keys], self.settings.n_permutations), "drawn"

    def test(self, *key: str) -> dict[str, Any]:
        """Test a figure against relabelling; NaN without an original."""
        n = self.n(*key)
        if not n:
            return {"p_value": np.nan, "p_method": None, "null_sd": np.nan}
        by_chance, method = self.by_chance([key])
        observed, statistic = self.total("sum", *key), by_chance[:, 0]
        if self.two_sided:
            observed, statistic = abs(observed), np.abs(statistic)
        p_value = share_reaching(observed - (n + 1) / GRAIN, statistic, method)  # rounding is no difference
        return {"p_value": p_value, "p_method": method, "null_sd": null_sd(by_chance[:, 0], n)}

    def tested(self, keys: Sequence[Key], name: str, *fields: str, prefix: str = "") -> list[dict[str, Any]]:
        """Return figures with intervals and tests, corrected by Holm.

        Args:
            keys: keys of the figures, among `averaged`.
            name: key of a figure in its entry.
            *fields: keys of a test in the entry; `TESTED` if empty.
            prefix: beginning of the keys of its intervals.
        """
        tests = [self.test(*key) for key in keys]
        corrected = holm([test["p_value"] for test in tests])
        return [
            {
                **self.figure("means", self.averaged.index(key), name, prefix),
                **{field: (test | {"p_value_corrected": p_value})[field] for field in fields or TESTED},
                "n_articles": self.n(*key),
            }
            for key, test, p_value in zip(keys, tests, corrected, strict=True)
        ]

    def numbers(self) -> dict[str, Any]:
        """Count also inputs, control edits and replicates."""
        counts = {f"n_{name}": self.sums.counts[(name,)] for name in ("inputs", "controls", "replicated", "repeated")}
        variants = {variant: int(self.sums.total("inputs", variant)) for variant in self.variants}
        return {"variants": variants, **super().numbers(), **counts}
