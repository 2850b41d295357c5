"""The scored samples of a table by the originals and inputs that they come from.

An input is an original in one variant, with one edit that should not matter or none; its samples are the summaries that
were made of it again and again, its replicates. Originals are what the bootstrap draws, inputs what a permutation
test hands variants to, with all of their replicates: permuting these singly would call any effect of an input bias.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.sensitivity import junk
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.bootstrap import resample_each
from fairsum_utils.stats.sums import Column, Sums, digest_of

__all__ = ["GRAIN", "Originals", "grains"]

GRAIN = 1 << 32
"""What is drawn is a multiple of one over it, so that sums of parts of the data are those of the whole to the bit."""

_MOST_SUMMARIES = 2_000
"""Of one original: each two of them are compared, so that time and memory grow with the square of their number."""


def grains(numbers: Floats) -> Floats:
    """Numbers as whole multiples of one over `GRAIN`: how many these are.

    Example:
        >>> grains(np.array([0.5])).tolist() == [GRAIN / 2]
        True
    """
    return np.rint(numbers * GRAIN)


class Originals(ScoredOriginals[SensitivityTable, SensitivitySettings]):
    """The samples of a table that have a score, and the inputs that they are summaries of.

    Args:
        table: the rows of a data set.
        settings: of the measures; seeded and sized.

    Attributes:
        names: of the originals, in the order in which samples name them.
        clusters: for each sample the place of its original, shape (n,).
        variants: the variants there are, in alphabetical order.
        inputs: for each sample the number of its input, shape (n,). Inputs stand by original, in the order in which
            samples name them.
        input_original: for each input the place of its original, shape (inputs,), rising.
        input_variant: for each input the place of its variant, shape (inputs,).
        input_control: for each input the edit that should not matter, empty for none.
        input_size: for each input its samples, shape (inputs,).

    Raises:
        InputError: two rows of one sample, or an original of too many summaries.

    Example:
        >>> from fairsum_utils.families.sensitivity.rows import SensitivityRow
        >>> rows = [SensitivityRow(i, "a", variant) for i, variant in enumerate("xxy")]
        >>> originals = Originals(SensitivityTable(rows), SensitivitySettings())
        >>> originals.inputs.tolist(), originals.input_variant.tolist(), originals.input_size.tolist()
        ([0, 0, 1], [0, 1], [2, 1])
    """

    def __init__(self, table: SensitivityTable, settings: SensitivitySettings) -> None:
        super().__init__(table, settings)
        self._check_sizes()
        variants, controls = self.column("variant"), self.column("control")
        self.variants = sorted(set(variants))
        codes = {variant: code for code, variant in enumerate(self.variants)}
        keys = list(zip(self.clusters.tolist(), variants, controls, strict=True))
        known = sorted(dict.fromkeys(keys), key=lambda key: key[0])  # stable: within originals as samples name them
        numbers = {key: number for number, key in enumerate(known)}
        self.inputs: Integers = np.array([numbers[key] for key in keys], dtype=np.int64)
        self.input_original: Integers = np.array([original for original, _, _ in known], dtype=np.int64)
        self.input_variant: Integers = np.array([codes[variant] for _, variant, _ in known], dtype=np.int64)
        self.input_control = [control for _, _, control in known]
        self.input_size: Integers = np.bincount(self.inputs, minlength=len(known))

    def _check_sizes(self) -> None:
        sizes = np.bincount(self.clusters, minlength=1)
        if sizes.max() > _MOST_SUMMARIES:
            largest = int(sizes.argmax())
            raise InputError(
                f"{self.settings.module}: original {self.names[largest]!r} has {sizes[largest]} summaries, of which "
                f"every two are compared; {_MOST_SUMMARIES} is the most. Check that article_ids tell originals apart"
            )

    def sums(self) -> Sums:
        """Sums that hold what all measures say, to which they add theirs.

        Returns:
            Columns ``samples`` and, of each variant, ``inputs``; counts ``inputs``, ``controls`` (inputs with an edit
            that should not matter), ``replicated`` (inputs with several samples) and ``repeated`` (samples
            that say they are the same replicate of their input as another).
        """
        found = super().sums()
        for code, variant in enumerate(self.variants):
            originals, n = np.unique(self.input_original[self.input_variant == code], return_counts=True)
            found.put(("inputs", variant), n, originals)
        replicates = [key for key in zip(self.inputs.tolist(), self.column("replicate"), strict=True) if key[1]]
        found.counts = Counter(
            {
                ("inputs",): len(self.input_size),
                ("controls",): sum(map(bool, self.input_control)),
                ("replicated",): int((self.input_size > 1).sum()),
                ("repeated",): len(replicates) - len(set(replicates)),
            }
        )
        junk.put(found, self)
        return found

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Sums of columns when the samples of each input are drawn anew, from among themselves.

        Of k samples k - 1 are drawn, each for k / (k - 1): with k draws sums would vary too little where samples are
        few.

        Args:
            columns: m of them, numbers of some samples.

        Returns:
            Shape (B, m). Each input draws by itself, so that what parts of the data give adds up.
        """
        names = [
            f"{self.names[original]}\0{self.variants[variant]}\0{control}"
            for original, variant, control in zip(
                self.input_original.tolist(), self.input_variant.tolist(), self.input_control, strict=True
            )
        ]
        whole = resample_each(
            grains(self._spread(columns)),
            self.inputs,
            np.arange(len(self)),
            list(map(digest_of, names)),
            n_spared=(self.input_size > 1).astype(np.int64),
            n_resamples=self.settings.n_resamples,
            seed=self.seed,
        )
        return whole / GRAIN

    def parts(self) -> list[tuple[int, Integers]]:
        """Each original's place, and the places of its inputs."""
        starts = np.flatnonzero(np.diff(self.input_original, prepend=-1))
        bounds = pairwise([*starts.tolist(), len(self.input_original)])
        return [(int(self.input_original[start]), np.arange(start, end)) for start, end in bounds]

    def members(self) -> list[Integers]:
        """For each input the places of its samples."""
        order = np.argsort(self.inputs, kind="stable")
        return np.split(order, np.cumsum(self.input_size)[:-1])

    def in_all(self, chosen: Bools) -> Bools:
        """Of each original whether something holds for all of its inputs.

        Args:
            chosen: of each input, shape (inputs,).
        """
        failing = np.bincount(self.input_original, ~chosen, minlength=len(self.names))
        return np.asarray(failing == 0)
