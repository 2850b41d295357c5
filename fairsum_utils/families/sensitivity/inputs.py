"""Inputs of each original: variants, control edits and replicates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.sensitivity.relabelling import GRAIN, grains
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.texts import neutral_form, without_changed
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.bootstrap import resample_each
from fairsum_utils.stats.sums import Column, Sums, digest_of

# Every two summaries of an original are compared, so that time and memory grow with the square of their number.
_MOST_SUMMARIES = 2_000
# Distances to work on at a time.
_TOGETHER = 1 << 22


class Alike(NamedTuple):
    """Originals with the same variants and the same numbers of summaries.

    Attributes:
        originals: positions of the originals, shape (K,).
        samples: positions of their summaries, shape (K, n), by input.
        inputs: input of each summary, shape (n,): 0 ... k-1.
        variants: variant of each input, shape (k,), ascending.
    """

    originals: Integers
    samples: Integers
    inputs: tuple[int, ...]
    variants: tuple[int, ...]

    @property
    def codes(self) -> Integers:
        """Variant of each summary, shape (n,)."""
        return np.array(self.variants)[list(self.inputs)]

    @property
    def firsts(self) -> Integers:
        """Position of the first summary of each input, shape (K, k)."""
        return self.samples[:, np.unique(self.inputs, return_index=True)[1]]

    def pairs(self) -> list[tuple[int, int]]:
        """List all pairs of variants."""
        return list(combinations(sorted(set(self.variants)), 2))

    def only(self, distances: Floats, variants: Sequence[int]) -> tuple[Alike, Floats]:
        """Select inputs by variant, with their distances."""
        kept: Bools = np.isin(self.variants, variants)
        of_kept = np.flatnonzero(kept[list(self.inputs)])
        numbers = np.cumsum(kept) - 1
        inputs = tuple(numbers[[self.inputs[place] for place in of_kept]].tolist())
        some = tuple(variant for variant, keep in zip(self.variants, kept, strict=True) if keep)
        return Alike(self.originals, self.samples[:, of_kept], inputs, some), distances[:, of_kept[:, None], of_kept]


class Originals(ScoredOriginals):
    """Scored samples of a table with their inputs and originals.

    An input is an original in one variant, with one control edit or none; its samples are its replicates. The bootstrap
    draws originals, and a permutation test hands variants to whole inputs: permuting replicates singly would call any
    effect of an input bias.

    Attributes:
        variants: variants, in alphabetical order.
        inputs: number of the input of each sample, shape (n,); inputs are sorted by original, in order of appearance.
        input_original: position of the original of each input, shape (inputs,), ascending.
        input_variant: position of the variant of each input, shape (inputs,).
        input_control: control edit of each input, empty for none.
        input_size: number of samples of each input, shape (inputs,).
    """

    def __init__(self, table: SensitivityTable, settings: Any) -> None:
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
                f"{self.settings.module}: the original {self.names[largest]!r} has {sizes[largest]} summaries, but at "
                f"most {_MOST_SUMMARIES} can be compared in pairs; check that each original has its own article id"
            )

    def sums(self) -> Sums:
        """Make the sums that all measures share."""
        found = super().sums()
        for code, variant in enumerate(self.variants):
            originals, n = np.unique(self.input_original[self.input_variant == code], return_counts=True)
            found.put(("inputs", variant), n, originals)
        replicates = [key for key in zip(self.inputs.tolist(), self.column("replicate"), strict=True) if key[1]]
        texts = set(zip(self.clusters.tolist(), self.column("digest"), strict=True))
        of_originals = Counter(text for _, text in texts if text is not None)
        found.counts = Counter(
            {
                ("articles",): len(self.names),
                ("inputs",): len(self.input_size),
                ("controls",): sum(map(bool, self.input_control)),
                ("replicated",): int((self.input_size > 1).sum()),
                ("repeated",): len(replicates) - len(set(replicates)),
                ("changed",): sum(words is not None for words in self.column("changed")),
                ("copies",): sum(self.column("is_copy")),
                ("distinct_summaries",): of_originals.total(),
                ("same_summaries",): sum(n for n in of_originals.values() if n > 1),
            }
        )
        return found

    def compared_texts(self, measure: str) -> list[str]:
        """Return each summary without the edited words, unless the settings keep them."""
        texts: list[str] = self.entries("text", measure)
        if not self.settings.neutral:
            return texts
        clusters = self.clusters.tolist()
        changed: list[set[str]] = [set() for _ in self.names]
        for place, own in zip(clusters, self.column("changed"), strict=True):
            changed[place].update(own or ())
        pairs = zip(clusters, texts, strict=True)
        return [without_changed(neutral_form(text), changed[place]) for place, text in pairs]

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Sum columns with samples redrawn within each input, shape (B, m).

        From k samples, k - 1 are drawn, each with weight k / (k - 1): with k draws, sums would vary too little if there
        are few samples. Each input has its own draws.
        """
        originals, variants = self.input_original.tolist(), self.input_variant.tolist()
        names = [
            f"{self.names[original]}\0{self.variants[variant]}\0{control}"
            for original, variant, control in zip(originals, variants, self.input_control, strict=True)
        ]
        n, digests = self.settings.n_resamples, list(map(digest_of, names))
        columns_in_grains = grains(self._spread(columns))
        return resample_each(columns_in_grains, self.inputs, digests, n_resamples=n, seed=self.seed) / GRAIN

    def parts(self) -> list[tuple[int, Integers]]:
        """List the position of each original with those of its inputs."""
        starts = np.flatnonzero(np.diff(self.input_original, prepend=-1))
        bounds = pairwise([*starts.tolist(), len(self.input_original)])
        return [(int(self.input_original[start]), np.arange(start, end)) for start, end in bounds]

    def members(self) -> list[Integers]:
        """List the positions of each input's samples."""
        order = np.argsort(self.inputs, kind="stable")
        return np.split(order, np.cumsum(self.input_size)[:-1])

    def alike(self) -> list[Alike]:
        """Group originals with the same variants and input sizes."""
        members = self.members()
        groups: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, Integers]]] = defaultdict(list)
        for original, inputs in self.parts():
            variants = self.input_variant[inputs]
            order = np.lexsort((self.input_size[inputs], variants))
            own = [members[place] for place in inputs[order].tolist()]
            groups[tuple(variants[order].tolist()), tuple(map(len, own))].append((original, np.concatenate(own)))
        found = []
        for (variants_of, sizes), together in groups.items():
            step = max(1, _TOGETHER // (1000 * sum(sizes)))
            inputs_of = tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())
            for start in range(0, len(together), step):
                places, samples = zip(*together[start : start + step], strict=True)
                found.append(Alike(np.array(places), np.stack(samples), inputs_of, variants_of))
        return found
