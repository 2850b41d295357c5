"""Base class of the sensitivity measures, with permutation tests within originals.

A permutation test hands the labels of each original out anew among its inputs: variants, or orders. Where there are few
ways in all, it takes all of them.

Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any populations", 1937.
"""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.samples import GRAIN, Originals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import WarningRecord, only_one
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.permutation import TOLERANCE, label_assignments, null_sd, permutation_p_value
from fairsum_utils.stats.sums import AnySums, Sums, digest_of

if TYPE_CHECKING:
    from fairsum_utils.families.sensitivity.samples import Sample
    from fairsum_utils.families.sensitivity.scorer import SensitivityScorer

# Two variants; empty for all of them.
Pair = tuple[str, ...]
# Summaries that the variants are held against: those of inputs of one variant with other control edits, where any
# original has such inputs, or else those of one input.
FLOORS = ("controls", "replicates")
# Most ways to hand out the labels of all originals, and of one of them, that are all taken; of more, some are drawn.
MOST_EXACT = 1 << 14
MOST_LISTED = 5_040
# Labels, or numbers of distances, to work on at a time.
TOGETHER = 1 << 22
_MOST_VARIANTS = 20


def tally_of(measure: str) -> type[Tally]:
    """Return a measure's class: ``TALLY`` in its file."""
    tally: type[Tally] = importlib.import_module(f"fairsum_utils.families.sensitivity.{measure}").TALLY
    return tally


def too_many(variants: Sequence[str]) -> str:
    """Explain why variants are not compared in pairs; empty if they are.

    Example:
        >>> too_many(["f", "m"]), too_many("abcdefghijklmnopqrstu")
        ('', 'there are 21 variants, but at most 20 are compared in pairs')
    """
    n = len(variants)
    return f"there are {n} variants, but at most {_MOST_VARIANTS} are compared in pairs" if n > _MOST_VARIANTS else ""


@lru_cache(maxsize=64)
def label_ways(counts: tuple[int, ...]) -> Integers:
    """List all assignments of labels with these counts, shape (ways, inputs).

    Example:
        >>> label_ways((1, 2)).tolist()
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    table = label_assignments(counts)
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    labels[np.arange(len(labels))[:, None], table.T] = np.repeat(np.arange(len(counts) - 1), counts[:-1])
    return labels


class Relabelled(NamedTuple):
    """Statistics of one original under relabelling.

    Attributes:
        seed: name that seeds its draws, so that parts of the data add up exactly.
        labels: observed labels, shape (k,).
        statistics: function of labels (ways, k) that returns multiples of 1 / `GRAIN`, shape (ways, keys).
        n_ways: number of possible relabellings.
        ways: function that returns all relabellings, shape (ways, k).
        is_drawn: random relabellings are permutations; otherwise they are chosen from all.
    """

    seed: str
    labels: Integers | Bools
    statistics: Callable[[Any], Floats]
    n_ways: float
    ways: Callable[[], Any]
    is_drawn: bool

    def listed(self) -> Floats:
        """Compute the statistics of all relabellings, shape (ways, keys)."""
        return self.statistics(self.ways())

    def drawn(self, n: int, generator: np.random.Generator) -> Floats:
        """Compute the statistics of n random relabellings, shape (n, keys)."""
        if not self.is_drawn:
            listed = self.listed()
            return np.asarray(listed[generator.integers(len(listed), size=n)])
        parts, step = [], TOGETHER // len(self.labels) + 1
        for start in range(0, n, step):
            labels = np.tile(self.labels, (min(n - start, step), 1))
            parts.append(self.statistics(generator.permuted(labels, axis=1)))
        return np.concatenate(parts)


class Test(NamedTuple):
    """Permutation test; without an original, `p_value` is NaN and `method` None."""

    p_value: float
    p_method: str | None
    null_sd: float


class Tally(OriginalsTally):
    """Sums of one measure and its figures.

    Its columns for ``ci_within`` are what each sample adds to a total beyond what its input does, to a first order:
    they sum to 0 over the samples of an input.

    Attributes:
        two_sided: large negative statistics count in tests.
        salt: number that makes the draws of different measures independent.
        wordless: warning about summaries without words; empty for none.
        variants: variants of the inputs, in alphabetical order.
    """

    two_sided: ClassVar[bool] = True
    salt: ClassVar[int]
    wordless: ClassVar[str] = ""
    settings: SensitivityMeasure

    @cached_property
    def variants(self) -> list[str]:  # noqa: D102 (see the class)
        return self.sums.of("inputs")

    @classmethod
    def check(cls, settings: SensitivityMeasure, sample: Sample) -> None:
        """Reject samples that the measure cannot score."""

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the row fields of non-empty samples."""
        return [{"text": sample.prediction} for sample in samples]

    @classmethod
    @abstractmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return settings beyond, or instead of, the usual keys; may load a model."""

    @classmethod
    def used(cls, given: Collection[str], *systems: AnySums) -> Collection[str]:
        """Drop the column `changed` if it has no entry."""
        return {name for name in given if name != "changed" or any(sums.counts[("changed",)] for sums in systems)}

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Return warnings about the rows; none if the measure was not requested."""
        return WarningRecord.of("wordless", sums.counts[(cls.name("wordless"),)], sums.n_samples, cls.wordless)

    def numbers(self) -> dict[str, Any]:
        """Count also inputs, control edits and replicates."""
        counts = {f"n_{name}": self.sums.counts[(name,)] for name in ("inputs", "controls", "replicated", "repeated")}
        variants = {variant: int(self.sums.total("inputs", variant)) for variant in self.variants}
        return {"variants": variants, **super().numbers(), **counts}

    def pairs_with(self, kind: str, *of: str) -> list[Pair]:
        """List the pairs of variants with a column, if there are not too many.

        Of parts of the data, each may have few enough variants, and all together too many.
        """
        every = () if too_many(self.variants) else combinations(self.variants, 2)
        return [pair for pair in every if self.total(kind, *of, *pair)]

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

    @classmethod
    def relabel_later(
        cls, sums: Sums, keys: Sequence[tuple[str, ...]], originals: Originals, each: Sequence[Relabelled]
    ) -> None:
        """Register relabelled sums over originals, drawn on demand.

        All ways are taken where there are few; otherwise each original draws by itself.
        """
        settings = originals.settings
        n_ways: float = 1  # a number of ways is a whole number of any size, or infinite
        for one in each:
            n_ways = min(n_ways * one.n_ways, 2 * MOST_EXACT)

        def exact() -> Floats:
            total = np.zeros((1, len(keys)))
            for one in each:
                total = (total[:, None] + one.listed()).reshape(-1, len(keys))
            return total / GRAIN

        def permuted() -> Floats:
            total = np.zeros((settings.n_permutations, len(keys)))
            for one in each:
                generator = np.random.default_rng([originals.seed, digest_of(one.seed), cls.salt])
                total += one.drawn(len(total), generator)
            return total / GRAIN

        kind, draw = ("exact", exact) if settings.bootstrap is None and n_ways <= MOST_EXACT else ("permuted", permuted)
        sums.draw_later([(cls.name(kind), *key) for key in keys], draw)

    def by_chance(self, keys: Sequence[tuple[str, ...]]) -> tuple[Floats, str]:
        """Sum over originals under relabelling, shape (ways, keys); "exact" or "drawn"."""
        every = [sums for key in keys if (sums := self.sums.drawn(self.name("exact"), *key)) is not None]
        if len(every) == len(keys):
            return np.stack(every, axis=1), "exact"
        return self.drawn([(self.name("permuted"), *key) for key in keys], self.settings.n_permutations), "drawn"

    def test(self, observed: float, n: float, *key: str) -> Test:
        """Test a sum over n originals against relabelling, tolerant of rounding."""
        if not n:
            return Test(np.nan, None, np.nan)
        by_chance, method = self.by_chance([key])
        statistic = by_chance[:, 0]
        if self.two_sided:
            observed, statistic = abs(observed), np.abs(statistic)
        p_value = share_reaching(observed - (n + 1) / GRAIN, statistic, method)
        return Test(p_value, method, null_sd(by_chance[:, 0], n))


def share_reaching(observed: float, by_chance: Floats, method: str) -> float:
    """Compute the p-value of a statistic from all or random relabellings."""
    if method == "exact":
        return float((by_chance >= observed - TOLERANCE).mean())
    return permutation_p_value(observed, by_chance)


def named(pair: Sequence[str]) -> dict[str, str]:
    """Name a pair of variants, as in results."""
    return {"variant_a": pair[0], "variant_b": pair[1]}
