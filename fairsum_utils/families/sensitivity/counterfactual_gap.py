"""Counterfactual gap: distances within originals and their permutation test."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.families.sensitivity.inputs import Alike, Originals
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import FLOORS, Collected, Pair, Tally, named, too_many
from fairsum_utils.families.sensitivity.texts import neutralized_name
from fairsum_utils.families.warnings import CountWarning, WarningRecord
from fairsum_utils.measures import counterfactual_gap as formulas
from fairsum_utils.stats.arrays import Floats, Integers, quotient
from fairsum_utils.stats.sums import Key, Sums
from fairsum_utils.validation import count

_NO_TEST = "no original has two inputs of one variant; the permutation test needs them: add inputs with control edits"
# Most originals that are named as examples.
_NAMED = 5
# Remark on originals -> its warning.
_REASONS = {
    "one_input": "have only one input and therefore no gap",
    "one_variant": "have only one variant and therefore no gap",
    "no_controls": "do not have two inputs of the same variant, so control edits cannot be compared",
    "no_replicates": "do not have two summaries of one input, so replicates cannot be compared",
    "uneven_replicates": "have more summaries of some inputs than of others",
    "unmatched_controls": "have controls that are missing from some of their variants",
}
# Remark on originals -> the reason why they have no gap at all.
_WHY = {
    "one_input": "only one input",
    "one_variant": "only one variant",
    "no_replicates": "neither two inputs of one variant nor two summaries of one input",
}


class Compared(TypedDict):
    """Comparison of a summary with the others of its original.

    Attributes:
        to_others: mean distance to the summaries of other variants; None without any.
        to_own: mean distance to those of its own variant with other control edits, or else of its own input.
        neutral_text: summary in which the inserted words are neutral.
        opposite: farthest summary of another variant.
        opposite_variant: variant of that summary.
        only_here: words of the neutral summary that the opposite one lacks.
        only_there: words of the opposite one that this one lacks.
    """

    to_others: float | None
    to_own: float | None
    neutral_text: str | None
    opposite: str | None
    opposite_variant: str | None
    only_here: tuple[str, ...] | None
    only_there: tuple[str, ...] | None


class CounterfactualGap(Tally):
    """Gap of each original above its floor, overall and by pair of variants.

    Its figures are ``gap``, ``between`` and ``within``, of each floor and each pair of variants; the draws within
    inputs also need ``drawn`` and ``twice``, see `formulas.spreads`.
    """

    measure = "counterfactual_gap"
    ways = "partitions"
    salt = 2
    two_sided = False
    compared_record = Compared
    warned = (
        CountWarning(
            "wordless",
            "{} scored summaries contain no letter or digit; they count as identical to each other and different from "
            "all others",
            "counterfactual_gap.wordless",
        ),
    )

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return the distance with its model, and the neutralization."""
        distance, (_, model) = scorer.settings.distance, scorer.distances()
        return {
            "distance": f"{distance}({model})" if model else distance,
            "neutral": neutralized_name(scorer.settings, given),
        }

    @classmethod
    def collect(cls, found: Collected, sums: Sums, scorer: SensitivityScorer) -> None:
        """Add gaps above both floors, overall and by pair of variants, and remarks."""
        originals, remarks = found.originals, Counter[Key]()
        sums.named[cls.name("remarks")] = remarks
        for alike, distances in cls._compared(originals, scorer, originals.compared_texts(cls.measure)):
            kinds = [("remarks", "uneven_replicates")] if len(set(Counter(alike.inputs).values())) > 1 else []
            if len(set(alike.variants)) < 2:
                alone = "one_input" if len(alike.variants) < 2 else "one_variant"
                kinds += [(floor, alone) for floor in FLOORS]
            else:
                kinds += [(floor, f"no_{floor}") for floor in _add_gaps(found, alike, distances, ())]
            remarks.update((*kind, originals.names[place]) for kind in kinds for place in alike.originals)
            for place, own in zip(alike.originals, alike.samples, strict=True):
                if _differ(originals, alike, own):
                    remarks["remarks", "unmatched_controls", originals.names[place]] += 1
            for pair in () if too_many(originals.variants) else alike.pairs():
                _add_gaps(found, *alike.only(distances, pair), tuple(originals.variants[code] for code in pair))

    @staticmethod
    def _compared(
        originals: Originals, scorer: SensitivityScorer, texts: Sequence[str]
    ) -> Iterator[tuple[Alike, Floats]]:
        """Yield groups of similar originals with their distances, shape (K, n, n)."""
        between, _ = scorer.distances()
        for alike in originals.alike():
            yield alike, between([[texts[place] for place in samples] for samples in alike.samples.tolist()])

    def warnings(self) -> list[WarningRecord]:
        """Warn also about originals without a gap or with mismatched inputs."""
        found = super().warnings()
        for remark in (*self._remarks(self.floor), *self._remarks("remarks")):
            more = ", ..." * (remark["n_articles"] > len(remark["examples"]))
            message = f"{{}} originals {_REASONS[remark['reason']]}: {', '.join(remark['examples'])}{more}"
            found += WarningRecord.of(remark["reason"], remark["n_articles"], self.n_articles, message)
        return found

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Compare each summary with those of other variants and of its own.

        ``to_own`` is the distance to the inputs of its variant with other control edits, or else to the other summaries
        of its input. ``opposite`` is the farthest summary of another variant.
        """
        texts = originals.compared_texts(cls.measure)
        found: list[dict[str, Any]] = [{"neutral_text": text} for text in texts]
        for alike, distances in cls._compared(originals, scorer, texts):
            inputs = np.array(alike.inputs)
            others = alike.codes[:, None] != alike.codes
            own = ~others & (inputs[:, None] != inputs)
            own = own if own.any() else ~others & ~np.eye(len(inputs), dtype=np.bool_)
            averages = (quotient((distances * chosen).sum(-1), chosen.sum(-1)) for chosen in (others, own))
            for place, *means in zip(alike.samples.ravel().tolist(), *map(np.ravel, averages), strict=True):
                known = (None if math.isnan(mean) else float(mean) for mean in means)
                found[place] |= dict(zip(("to_others", "to_own"), known, strict=True))
            if others.any():
                farthest = np.where(others, distances, -1.0).argmax(-1)
                cls._record_opposites(found, originals, alike, farthest)
        return found

    @classmethod
    def _record_opposites(
        cls, found: list[dict[str, Any]], originals: Originals, alike: Alike, farthest: np.typing.NDArray[np.intp]
    ) -> None:
        """Record the most distant summary of another variant and the words that differ."""
        texts = originals.entries("text", cls.measure)
        for samples, places in zip(alike.samples.tolist(), farthest.tolist(), strict=True):
            for place, far in zip(samples, places, strict=True):
                # Each word once, in the order of the text.
                here, there = (dict.fromkeys(words(found[each]["neutral_text"])) for each in (place, samples[far]))
                found[place] |= {
                    "opposite": texts[samples[far]],
                    "opposite_variant": originals.variants[alike.codes[far]],
                    "only_here": tuple(word for word in here if word not in there),
                    "only_there": tuple(word for word in there if word not in here),
                }

    @cached_property
    def floor(self) -> str:
        """Floor of the gap: control edits, if any original has them."""
        n = [self.n("gap", floor) for floor in FLOORS]
        return FLOORS[0] if n[0] or not n[1] else FLOORS[1]

    @cached_property
    def averaged(self) -> list[Key]:
        """Gaps of all variants, and of all pairs of them that some original has."""
        pairs = self.pairs_with("gap", self.floor) if len(self.variants) > 2 else ()
        return [("gap", self.floor, *pair) for pair in ((), *pairs)]

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with a gap above the floor."""
        return self.n("gap", self.floor)

    def narrowing(self) -> Floats | float:
        """Correct for effects counted twice above control edits, at most half their variance."""
        if self.floor != FLOORS[0]:
            return 1.0
        spread = [[self.total("sum", kind, *key[2:]) for key in self.averaged] for kind in ("drawn", "twice")]
        drawn, twice = np.array(spread)
        return np.tile(np.sqrt(1 - np.minimum(np.nan_to_num(quotient(twice, drawn)), 0.5)), 2)

    def test(self, *key: str) -> dict[str, Any]:
        """Test a gap against relabelling, which needs control edits."""
        gap, _, *pair = key
        return super().test(gap, FLOORS[0], *pair)

    def details(self) -> dict[str, Any]:
        """Return floor, both sides of the gap, test, pairs of variants and remarks."""
        overall, *pairs = self.averaged
        test, tested = self.test(*overall), self.tested(pairs, "gap")
        return {
            "floor": self.floor,
            **{side: self.mean(side, self.floor) for side in ("between", "within")},
            **self._pair_noise(overall),
            **test,
            "p_undefined": _NO_TEST if math.isnan(test["p_value"]) else None,
            "pairs": [
                {**named(pair[2:]), **entry, **self._pair_noise(pair)}
                for pair, entry in zip(pairs, tested, strict=True)
            ],
            "n_articles_scored": self.n_articles_scored,
            "left_out": self._remarks(self.floor),
            "remarks": self._remarks("remarks"),
            "n_wordless": self.count("wordless"),
        }

    def _remarks(self, of: str) -> list[dict[str, Any]]:
        """Return remarks on some originals: their number and a few names."""
        names: defaultdict[str, list[str]] = defaultdict(list)
        for kind, reason, name in sorted(self.sums.named.get(self.name("remarks"), ())):
            if kind == of:
                names[reason].append(name)
        return [{"reason": reason, "n_articles": len(own), "examples": own[:_NAMED]} for reason, own in names.items()]

    def _pair_noise(self, key: Key) -> dict[str, float]:
        """Return the gap's standard deviation from two single summaries; NaN if unknown."""
        if "ci_within" not in self.intervals:
            return {}
        counts, n, pair = self.sums.counts, self.n(*key), key[2:]
        if self.floor != FLOORS[0] or counts[("replicated",)] < counts[("inputs",)] or not n:
            return {"pair_noise": math.nan}
        drawn, twice = (self.total("sum", kind, *pair) for kind in ("drawn", "twice"))
        return {"pair_noise": math.sqrt(min(twice, drawn / 2)) / n}

    def _undefined(self) -> str:
        if reason := self.lacks_variants(by_pair=False):
            return reason
        remarks = self._remarks(FLOORS[1])
        why = "; ".join(f"{count(each['n_articles'], 'original')}: {_WHY[each['reason']]}" for each in remarks)
        return f"no original has both two variants and repeated inputs or summaries to compare them with: {why}"


def _add_gaps(found: Collected, alike: Alike, distances: Floats, pair: Pair) -> list[str]:
    """Add gaps from distances, shape (K, n, n); return the lacking floors."""
    pairs, alone = formulas.mean_distances(distances, alike.inputs)
    between, controls = formulas.mean_of_pairs(pairs, alike.variants)
    several = ~np.isnan(alone[0])
    replicates = alone[:, several].mean(1) if several.any() else np.full(len(alone), np.nan)
    effects, lacking = formulas.pulls(distances, alike.inputs, alike.variants), []
    for floor, within, effect in zip(FLOORS, (controls, replicates), effects, strict=True):
        if np.isnan(within[0]):
            lacking.append(floor)
            continue
        for side, numbers in (("gap", between - within), ("between", between), ("within", within)):
            found.add((side, floor, *pair), alike.originals, numbers)
        if several.any():
            found.affect(("gap", floor, *pair), alike.samples.ravel(), effect.ravel())
    if FLOORS[0] not in lacking:
        spreads = formulas.spreads(distances, alike.inputs, alike.variants) if several.any() else ()
        for kind, numbers in zip(("drawn", "twice"), spreads, strict=False):
            found.add((kind, *pair), alike.originals, numbers)
        key = "gap", FLOORS[0], *pair
        counts = tuple(Counter(alike.variants).values())
        for place, own in zip(alike.originals.tolist(), pairs, strict=True):
            found.relabel(place, pair, [key], counts, partial(gaps_of, own, counts))
    return lacking


def _differ(originals: Originals, alike: Alike, samples: Integers) -> bool:
    """Check whether variants of an original have different control edits."""
    controls: defaultdict[int, set[str]] = defaultdict(set)
    for code, place in zip(alike.codes.tolist(), originals.inputs[samples].tolist(), strict=True):
        controls[code].add(originals.input_control[place])
    return len(set(map(frozenset, controls.values()))) > 1


def gaps_of(pairs: Floats, counts: Sequence[int], labels: Integers) -> Floats:
    """Compute an original's gaps under labels (ways, inputs), shape (ways, 1).

    Example:
        >>> gaps_of(np.array([0.1, 0.5, 0.7]), (2, 1), np.array([[0, 0, 1]])).round(9).tolist()
        [[0.5]]
    """
    k = labels.shape[1]
    table = np.zeros((k, k))
    first, second = formulas.input_pairs(k)
    table[first, second] = table[second, first] = pairs
    chosen = ((labels == variant).astype(np.float64) for variant in range(len(counts)))
    same = sum(((has @ table) * has).sum(-1) for has in chosen) / 2
    n_same = sum(math.comb(each, 2) for each in counts)
    gaps = (pairs.sum() - same) / (math.comb(k, 2) - n_same) - same / n_same
    return np.asarray(gaps)[:, None]
