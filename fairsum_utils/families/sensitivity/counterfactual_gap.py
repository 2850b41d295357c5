"""Counterfactual gap: distances within originals and their permutation test."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.families.sensitivity.samples import Alike, Originals, Sample, grains
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import (
    FLOORS,
    MOST_LISTED,
    TOGETHER,
    Pair,
    Relabelled,
    Tally,
    Test,
    label_ways,
    named,
    too_many,
)
from fairsum_utils.families.sensitivity.texts import compared_texts, count_wordless, neutralized_name, read_texts
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import counterfactual_gap as formulas
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.arrays import Floats, Integers, quotient
from fairsum_utils.stats.permutation import n_label_assignments
from fairsum_utils.stats.sums import Column, Key, Sums
from fairsum_utils.stats.tests import holm
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


class CounterfactualGap(Tally):
    """Gap of each original above its floor, overall and by pair of variants."""

    measure = "counterfactual_gap"
    is_tested = True
    salt = 2
    two_sided = False
    compared_types: ClassVar[Mapping[str, Any]] = {
        "to_others": float | None,
        "to_own": float | None,
        "neutral_text": str | None,
        "opposite": str | None,
        "opposite_variant": str | None,
        "only_here": tuple[str, ...] | None,
        "only_there": tuple[str, ...] | None,
    }
    recorded = tuple(compared_types)
    wordless = (
        "{} scored summaries contain no letter or digit; they count as identical to each other and different from all "
        "others"
    )

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the summaries and the words to neutralize."""
        return read_texts(samples)

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return the distance with its model, and the neutralization."""
        distance, (_, model) = scorer.settings.distance, scorer.distances()
        return {
            "distance": f"{distance}({model})" if model else distance,
            "neutral": neutralized_name(scorer.settings, given),
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add gaps above both floors, overall and by pair of variants, and remarks."""
        found = _Gaps(cls, originals, sums)
        texts = compared_texts(originals, cls.measure)
        count_wordless(sums, cls.name, texts)
        for alike, distances in cls._compared(originals, scorer, texts):
            found.add(alike, distances)
        return found.put()

    @staticmethod
    def _compared(
        originals: Originals, scorer: SensitivityScorer, texts: Sequence[str]
    ) -> Iterator[tuple[Alike, Floats]]:
        """Yield groups of similar originals with their distances, shape (K, n, n)."""
        between, _ = scorer.distances()
        for alike in originals.alike():
            yield alike, between([[texts[place] for place in samples] for samples in alike.samples.tolist()])

    @classmethod
    def warnings_of(cls, sums: Sums) -> list[WarningRecord]:
        """Warn also about originals without a gap or with mismatched inputs."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        found = super().warnings_of(sums)
        tally = cls(sums, SensitivityMeasure())
        for remark in (*tally._remarks("left_out", tally.floor), *tally._remarks("remarks")):
            more = ", ..." * (remark["n_articles"] > len(remark["examples"]))
            message = f"{{}} originals {_REASONS[remark['reason']]}: {', '.join(remark['examples'])}{more}"
            found += WarningRecord.of(remark["reason"], remark["n_articles"], tally.n_articles, message)
        return found

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Compare each summary with those of other variants and of its own.

        ``to_own`` is the distance to the inputs of its variant with other control edits, or else to the other summaries
        of its input. ``opposite`` is the farthest summary of another variant.
        """
        texts = compared_texts(originals, cls.measure)
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
        n = [self.total("originals", floor) for floor in FLOORS]
        return FLOORS[0] if n[0] or not n[1] else FLOORS[1]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Return all variants and all pairs of them that some original has."""
        return [(), *(self.pairs_with("originals", self.floor) if len(self.variants) > 2 else ())]

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the columns of gaps and originals by pair of variants."""
        gaps = [(self.floor, *pair) for pair in self.pairs]
        return {"gap": gaps, "originals": gaps}

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with a gap above the floor."""
        return int(self.total("originals", self.floor))

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute ``score`` and the gaps ``by_pair``."""
        found = self.split(sums)
        gaps = formulas.counterfactual_gap(found["gap"], found["originals"])
        return {"score": gaps[..., 0], "by_pair": gaps}

    def sizes(self) -> Mapping[str, Floats]:
        """Return the originals with each pair of variants."""
        return {"by_pair": self.split(self.totals)["originals"]}

    def narrowing(self) -> Floats | float:
        """Correct for pulls counted twice above control edits, at most half their variance."""
        if self.floor != FLOORS[0]:
            return 1.0
        drawn, twice = (np.array([self.total(kind, *pair) for pair in self.pairs]) for kind in ("drawn", "twice"))
        shares = np.minimum(np.nan_to_num(quotient(twice, drawn)), 0.5)
        return np.tile(np.sqrt(1 - shares), 2)

    def details(self, figures: Figures) -> dict[str, Any]:
        """Return floor, both sides of the gap, test, pairs of variants and remarks."""
        n = self.n_articles_scored
        sides = {side: self.total(side, self.floor) / n if n else math.nan for side in ("between", "within")}
        tests = [self._test(pair) for pair in self.pairs]
        corrected = holm([test.p_value for test in tests[1:]])
        by_pair = [
            {
                **named(pair),
                **figures.entry("by_pair", place, "gap"),
                **self._pair_noise(figures, pair),
                "p_value": tests[place].p_value,
                "p_value_corrected": corrected[place - 1],
                "null_sd": tests[place].null_sd,
                "n_articles": int(self.total("originals", self.floor, *pair)),
            }
            for place, pair in enumerate(self.pairs)
            if pair
        ]
        return {
            "floor": self.floor,
            **sides,
            **self._pair_noise(figures, ()),
            **tests[0]._asdict(),
            "p_undefined": _NO_TEST if math.isnan(tests[0].p_value) else None,
            "pairs": by_pair,
            "n_articles_scored": n,
            "left_out": self._remarks("left_out", self.floor),
            "remarks": self._remarks("remarks"),
            "n_wordless": self.count("wordless"),
        }

    def _test(self, pair: Pair) -> Test:
        gap, n = (self.total(kind, FLOORS[0], *pair) for kind in ("gap", "originals"))
        return self.test(gap, n, *pair)

    def _remarks(self, kind: str, *of: str) -> list[dict[str, Any]]:
        """Return remarks on some originals: their number and a few names."""
        counts = {key[-1]: n for key, n in sorted(self.sums.counts.items()) if key[:-1] == (self.name(kind), *of)}
        names = self.sums.named.get(self.name(kind)) or Counter[Key]()
        return [
            {
                "reason": reason,
                "n_articles": n,
                "examples": sorted(key[-1] for key in names if key[:-1] == (*of, reason))[:_NAMED],
            }
            for reason, n in counts.items()
        ]

    def _pair_noise(self, figures: Figures, pair: Pair) -> dict[str, float]:
        """Return the gap's standard deviation from two single summaries; NaN if unknown."""
        if "ci_within" not in figures.intervals:
            return {}
        counts, n = self.sums.counts, self.total("originals", self.floor, *pair)
        if self.floor != FLOORS[0] or counts[("replicated",)] < counts[("inputs",)] or not n:
            return {"pair_noise": math.nan}
        return {"pair_noise": math.sqrt(min(self.total("twice", *pair), self.total("drawn", *pair) / 2)) / n}

    def _undefined(self) -> str:
        if reason := self.lacks_variants(by_pair=False):
            return reason
        remarks = self._remarks("left_out", FLOORS[1])
        why = "; ".join(f"{count(each['n_articles'], 'original')}: {_WHY[each['reason']]}" for each in remarks)
        return f"no original has both two variants and repeated inputs or summaries to compare them with: {why}"


class _Gaps:
    """Gaps of originals and their tests, collected for the sums."""

    def __init__(self, tally: type[Tally], originals: Originals, sums: Sums) -> None:
        self.tally, self.name, self.originals, self.sums = tally, tally.name, originals, sums
        self.columns, self.pulls = Gathering(), Gathering()
        self.tested: defaultdict[Pair, list[Relabelled]] = defaultdict(list)
        self.named: dict[str, Counter[Key]] = {"left_out": Counter(), "remarks": Counter()}
        self.by_pair = not too_many(originals.variants)

    def add(self, alike: Alike, distances: Floats) -> None:
        """Add originals with the distances of their summaries, shape (K, n, n)."""
        if len(set(Counter(alike.inputs).values())) > 1:
            self._remark("remarks", alike.originals, "uneven_replicates")
        unmatched = [
            place for place, own in zip(alike.originals, alike.samples, strict=True) if self._differ(alike, own)
        ]
        self._remark("remarks", unmatched, "unmatched_controls")
        if len(set(alike.variants)) < 2:
            reason = "one_input" if len(alike.variants) < 2 else "one_variant"
            for floor in FLOORS:
                self._remark("left_out", alike.originals, floor, reason)
            return
        self._add(alike, distances, ())
        for a, b in alike.pairs() if self.by_pair else ():
            self._add(*alike.only(distances, (a, b)), (self.originals.variants[a], self.originals.variants[b]))

    def _add(self, alike: Alike, distances: Floats, pair: Pair) -> None:
        pairs, alone = formulas.mean_distances(distances, alike.inputs)
        between, controls = formulas.mean_of_pairs(pairs, alike.variants)
        several = ~np.isnan(alone[0])
        replicates = alone[:, several].mean(1) if several.any() else np.full(len(alone), np.nan)
        pulled = formulas.pulls(distances, alike.inputs, alike.variants)
        for floor, within, pull in zip(FLOORS, (controls, replicates), pulled, strict=True):
            if np.isnan(within[0]):
                if not pair:
                    self._remark("left_out", alike.originals, floor, f"no_{floor}")
                continue
            columns = {"gap": between - within, "between": between, "within": within, "originals": np.ones(len(within))}
            for kind, numbers in columns.items():
                self.columns.add((self.name(kind), floor, *pair), alike.originals, numbers)
            if several.any():
                self.pulls.add((self.name("gap"), floor, *pair), alike.samples.ravel(), pull.ravel())
        if np.isnan(controls[0]):
            return
        if several.any():
            spread = formulas.spreads(distances, alike.inputs, alike.variants)
            for kind, numbers in zip(("drawn", "twice"), spread, strict=True):
                self.columns.add((self.name(kind), *pair), alike.originals, numbers)
        counts = tuple(np.unique(alike.variants, return_counts=True)[1].tolist())
        for place, own in zip(alike.originals.tolist(), pairs, strict=True):
            seed = "\0".join((self.originals.names[place], *pair))
            self.tested[pair].append(_relabelled(seed, own, counts))

    def _differ(self, alike: Alike, samples: Integers) -> bool:
        """Check whether variants of an original have different control edits."""
        controls: defaultdict[int, set[str]] = defaultdict(set)
        for code, place in zip(alike.codes.tolist(), self.originals.inputs[samples].tolist(), strict=True):
            controls[code].add(self.originals.input_control[place])
        return len(set(map(frozenset, controls.values()))) > 1

    def _remark(self, kind: str, originals: Sequence[int] | Integers, *of: str) -> None:
        self.named[kind].update((*of, self.originals.names[place]) for place in originals)
        if len(originals):
            self.sums.counts[(self.name(kind), *of)] += len(originals)

    def put(self) -> dict[Key, Column]:
        """Add everything to the sums and return the pulls."""
        self.columns.put(self.sums, self.name("drawn"), self.name("twice"))
        self.sums.named.update({self.name(kind): names for kind, names in self.named.items()})
        for pair, tested in self.tested.items():
            self.tally.relabel_later(self.sums, [pair], self.originals, tested)
        return self.pulls.columns()


def _relabelled(seed: str, pairs: Floats, counts: tuple[int, ...]) -> Relabelled:
    """Relabel the inputs of an original."""
    ways, labels = all_ways(counts), np.repeat(np.arange(len(counts)), counts)
    return Relabelled(
        seed,
        labels,
        statistics=lambda labels: grains(gaps_of(pairs, counts, labels))[:, None],
        n_ways=math.inf if ways is None else len(ways),
        ways=lambda: ways,
        is_drawn=ways is None,
    )


@lru_cache(maxsize=1 << 10)
def all_ways(counts: tuple[int, ...]) -> Integers | None:
    """List relabellings that differ beyond the names of variants; None if too many.

    Example:
        >>> len(all_ways((2, 2)))
        3
    """
    n = n_label_assignments(counts)
    if n > MOST_LISTED or n * math.comb(sum(counts), 2) > TOGETHER:
        return None
    labels = label_ways(counts)
    first, second = formulas.input_pairs(sum(counts))
    _, kept = np.unique(labels[:, first] == labels[:, second], axis=0, return_index=True)
    return np.asarray(labels[kept])


def gaps_of(pairs: Floats, counts: Sequence[int], labels: Integers) -> Floats:
    """Compute the gaps of an original under labels of shape (ways, inputs).

    Example:
        >>> gaps_of(np.array([0.1, 0.5, 0.7]), (2, 1), np.array([[0, 0, 1]])).round(9).tolist()
        [0.5]
    """
    k = labels.shape[1]
    table = np.zeros((k, k))
    first, second = formulas.input_pairs(k)
    table[first, second] = table[second, first] = pairs
    chosen = ((labels == variant).astype(np.float64) for variant in range(len(counts)))
    same = sum(((has @ table) * has).sum(-1) for has in chosen) / 2
    n_same = sum(math.comb(each, 2) for each in counts)
    return np.asarray((pairs.sum() - same) / (math.comb(k, 2) - n_same) - same / n_same)


TALLY = CounterfactualGap
