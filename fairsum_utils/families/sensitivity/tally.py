"""What each measure of the family says of itself: what it takes from texts, and what it makes of sums of that."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from fairsum_utils.families.sensitivity.originals import Originals
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.tally import Intervals, OriginalsTally
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums

if TYPE_CHECKING:
    from fairsum_utils.families.cautions import Caution
    from fairsum_utils.families.sensitivity.samples import Sample
    from fairsum_utils.families.sensitivity.scorer import SensitivityScorer

__all__ = ["Intervals", "Tally", "tally_of"]


def tally_of(measure: str) -> type[Tally]:
    """The class of a measure, which is the ``TALLY`` of the file of its name.

    Args:
        measure: of the family.

    Example:
        >>> tally_of("counterfactual_gap").measure
        'counterfactual_gap'
    """
    tally: type[Tally] = importlib.import_module(f"fairsum_utils.families.sensitivity.{measure}").TALLY
    return tally


class Tally(OriginalsTally[SensitivitySettings]):
    """What one measure takes from the rows, and what it makes of the sums of that.

    Args:
        sums: of the rows, see `put`.
        settings: of the measure.

    Attributes:
        measure: its name.
        recorded: what the record of a sample says for it, besides what all say; keys of a row, or of `compared`.
        compares: whether the record of a sample needs the other samples of its original.
        compared_types: key of `compared` -> its type.
        is_tested: whether it draws at random even without intervals.
        variants: the variants of the inputs, in alphabetical order.
        keys: of the columns; what has intervals is a function of their sums.
        totals: the sums over all originals, shape (m,).
    """

    compares: ClassVar[bool] = False
    compared_types: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, sums: AnySums, settings: SensitivitySettings) -> None:
        self.variants = sums.of("inputs")
        super().__init__(sums, settings)

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Whether a neural model scores or compares the summaries."""
        return False

    @classmethod
    def check(cls, settings: SensitivitySettings, sample: Sample) -> None:
        """Refuse a sample that the measure cannot score.

        Raises:
            InputError: it is so.
        """
        return

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """What the rows of samples are to hold for the measure: field -> entry, of each sample.

        Args:
            scorer: that asks, which keeps what is heavy.
            samples: none of them empty.
        """
        return [{}] * len(samples)

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """What changes the rows of the measure, besides its settings' keys, or in place of them: key -> value.

        Args:
            scorer: which may load a model to name it.
            given: the columns that were given.
        """
        return {}

    @classmethod
    @abstractmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add what the measure needs to the sums of a table.

        Args:
            sums: whose units are the originals.
            originals: of the table.
            scorer: that made the rows.

        Returns:
            By the key of a column of `sums` what each sample adds to its total beyond what its input does, to a first
            order: they sum to 0 over the samples of an input, and are drawn anew within inputs for ``ci_within``.

        Raises:
            InputError: a row that lacks what the measure needs.
        """

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """What the record of each sample says that depends on the others, see `recorded`."""
        return [{}] * len(originals)

    @classmethod
    def cautions(cls, sums: AnySums) -> list[Caution]:
        """What the rows have against the score, besides what any result shows; nothing where it was not asked for."""
        return []

    @abstractmethod
    def details(self, statistics: Mapping[str, Floats], intervals: Intervals) -> dict[str, Any]:
        """What the result says besides the score and its intervals.

        Args:
            statistics: of all data.
            intervals: of them; empty without a confidence level.
        """

    @property
    def within(self) -> bool:
        """Whether something comes out otherwise when samples are drawn anew within their inputs."""
        return self.sums.counts[("replicated",)] > 0

    def replicates_within(self) -> Floats:
        """Sums of the columns when samples are drawn anew within their inputs, shape (B, m)."""
        return self.totals + self.narrowing() * super().replicates_within()

    def narrowing(self) -> Floats | float:
        """What the draws within inputs are multiplied by, shape (m,); 1 where what samples add is all that there is."""
        return 1.0
