"""Counterfactual gap: the distances between the summaries of an original, and the test of its variants."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.cautions import Caution
from fairsum_utils.families.sensitivity.comparing import get_distances
from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.families.sensitivity.fisco import FiscoTests, fisco_pairs, fisco_tests
from fairsum_utils.families.sensitivity.gathering import FLOORS, Alike, Gathered, Pair, alike_originals, too_many
from fairsum_utils.families.sensitivity.neutral import neutral_form, without_changed
from fairsum_utils.families.sensitivity.originals import GRAIN, Originals
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import MODEL_DISTANCES, SensitivitySettings
from fairsum_utils.families.sensitivity.tally import Intervals, Tally
from fairsum_utils.families.sensitivity.unread import count_foreign, foreign_cautions, is_wordless
from fairsum_utils.measures.counterfactual_gap import counterfactual_gap
from fairsum_utils.stats.arrays import Floats, quotient
from fairsum_utils.stats.permutation import null_sd, permutation_p_value
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm
from fairsum_utils.text.languages import check_script
from fairsum_utils.validation import count

__all__ = ["TALLY", "CounterfactualGap"]

_NO_TEST = "no original has two inputs of one variant; add inputs with control edits, among which to hand variants out"
"""Why there is no p-value."""
_NAMED = 5
"""So many originals are named as examples."""


class CounterfactualGap(Tally):
    """The gap of each original above its floor, of all its inputs and of those of two variants."""

    measure = "counterfactual_gap"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"rejected": (0.0, 1.0), "rejected_apart": (0.0, 1.0)}
    is_tested = True
    compares = True
    recorded = (
        "to_others", "to_own", "neutral_text", "opposite", "opposite_variant", "only_here", "only_there", "welch_t",
        "welch_p",
    )  # fmt: skip
    compared_types: ClassVar[Mapping[str, Any]] = {
        "to_others": float | None,
        "to_own": float | None,
        "neutral_text": str | None,
        "opposite": str | None,
        "opposite_variant": str | None,
        "only_here": tuple[str, ...] | None,
        "only_there": tuple[str, ...] | None,
        "welch_t": Mapping[str, float] | None,
        "welch_p": Mapping[str, float] | None,
    }

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Whether a model says how far apart summaries are."""
        return settings.distance in MODEL_DISTANCES

    @classmethod
    def check(cls, settings: SensitivitySettings, sample: Sample) -> None:
        """Refuse a summary whose words nobody can cut, where words are compared."""
        if settings.distance not in MODEL_DISTANCES:
            check_script(settings.module, sample.index, "the summary", sample.prediction)

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """The summaries, and the words that are to be neutralized."""
        return [{"text": sample.prediction, "changed": sample.changed} for sample in samples]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Of a distance also its model, and what is neutralized."""
        distance = scorer.settings.distance
        model = get_distances(scorer).model
        neutral = "pronouns+changed" if "changed" in given else "pronouns"
        return {
            "distance": f"{distance}({model})" if model else distance,
            "neutral": neutral if scorer.settings.neutral else "no",
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the gaps of originals above either floor, by pair of variants too, and why others have none."""
        found = Gathered(cls.name, originals)
        fisco = FiscoTests(cls.name, originals, sums) if originals.settings.test == "welch" else None
        compared = cls.compared_texts(originals)
        between = get_distances(scorer).between
        for alike in alike_originals(originals):
            distances = between([[compared[place] for place in samples] for samples in alike.samples.tolist()])
            found.add(alike, distances)
            if fisco:
                fisco.add(alike, distances)
        if fisco:
            fisco.put()
        found.remark_controls()
        if originals.settings.neutral:
            count_foreign(sums, cls.name, originals.entries("text", cls.measure))
        return found.put(sums, n_wordless=sum(map(is_wordless, compared)))

    @classmethod
    def compared_texts(cls, originals: Originals) -> list[str]:
        """Of each sample the summary as it is compared: without the words of variants, unless they are to be kept."""
        texts: list[str] = originals.entries("text", cls.measure)
        if not originals.settings.neutral:
            return texts
        changed: list[set[str]] = [set() for _ in originals.names]
        for place, own in zip(originals.clusters.tolist(), originals.column("changed"), strict=True):
            changed[place].update(own or ())
        return [
            without_changed(neutral_form(text), changed[place])
            for place, text in zip(originals.clusters.tolist(), texts, strict=True)
        ]

    @classmethod
    def cautions(cls, sums: AnySums) -> list[Caution]:
        """Summaries without a word or not English, originals without a gap or with inputs that do not match."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        tally = cls(sums, SensitivitySettings())
        n = sums.n_distinct("articles")
        found = Caution.of("wordless", sums.counts[(cls.name("wordless"),)], sums.n_samples, _WORDLESS)
        found += foreign_cautions(sums, cls.name, _FOREIGN)
        for told in (*tally._told("left_out", tally.floor), *tally._told("remarks")):
            more = ", ..." * (told["n_articles"] > len(told["examples"]))
            said = f"{{}} originals {_REASONS[told['reason']]}: {', '.join(told['examples'])}{more}"
            found += Caution.of(told["reason"], told["n_articles"], n, said)
        return found

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Of each sample how far its summary is from those of other variants and of its own, on average.

        ``to_own`` is that to the inputs of its variant with other control edits, or else to the other summaries of its
        input. ``opposite`` is the farthest summary of another variant, ``only_here`` the words that it lacks and
        ``only_there`` those that only it has, both in the neutral form. ``welch_t`` and ``welch_p`` are FiSCo's test of
        its variant and another one, by the name of that, if they are asked for, without a t that is infinite. Where
        there is nothing to compare with is None.
        """
        texts, compared = originals.entries("text", cls.measure), cls.compared_texts(originals)
        found: list[dict[str, Any]] = [{"neutral_text": text} for text in compared]
        between = get_distances(scorer).between
        for alike in alike_originals(originals):
            distances = between([[compared[place] for place in samples] for samples in alike.samples.tolist()])
            variants, inputs = np.array(alike.variants)[list(alike.inputs)], np.array(alike.inputs)
            others = variants[:, None] != variants
            own = ~others & (inputs[:, None] != inputs)
            own = own if own.any() else ~others & ~np.eye(len(inputs), dtype=np.bool_)
            averages = (quotient((distances * chosen).sum(-1), chosen.sum(-1)) for chosen in (others, own))
            farthest = np.where(others, distances, -1.0).argmax(-1)
            for at, samples in enumerate(zip(alike.samples.tolist(), *map(np.ndarray.tolist, averages), strict=True)):
                for column, (place, to_others, to_own) in enumerate(zip(*samples, strict=True)):
                    found[place] |= {
                        "to_others": None if math.isnan(to_others) else to_others,
                        "to_own": None if math.isnan(to_own) else to_own,
                    }
                    far = int(farthest[at, column])
                    if others[column, far]:
                        # Each word once, in the order of the text.
                        here, there = (dict.fromkeys(words(compared[each])) for each in (place, samples[0][far]))
                        found[place] |= {
                            "opposite": texts[samples[0][far]],
                            "opposite_variant": originals.variants[variants[far]],
                            "only_here": tuple(word for word in here if word not in there),
                            "only_there": tuple(word for word in there if word not in here),
                        }
            if originals.settings.test == "welch":
                cls._record_tests(found, originals, alike, distances)
        return found

    @classmethod
    def _record_tests(
        cls, found: Sequence[dict[str, Any]], originals: Originals, alike: Alike, distances: Floats
    ) -> None:
        """Put FiSCo's tests of originals down for each of their samples."""
        codes = np.array(alike.variants)[list(alike.inputs)].tolist()
        for pair, (t, p_value) in fisco_tests(alike, distances).items():
            for at in np.flatnonzero(~np.isnan(p_value)).tolist():
                for place, code in zip(alike.samples[at].tolist(), codes, strict=True):
                    if code in pair:
                        other = originals.variants[pair[1 - pair.index(code)]]
                        found[place].setdefault("welch_p", {})[other] = float(p_value[at])
                        if np.isfinite(t[at]):
                            found[place].setdefault("welch_t", {})[other] = float(t[at])

    @property
    def floor(self) -> str:
        """What is held against: control edits, where any original has them."""
        n = [self.sums.total(self.name("originals"), floor) for floor in FLOORS]
        return FLOORS[0] if n[0] or not n[1] else FLOORS[1]

    @property
    def pairs(self) -> list[Pair]:
        """All variants, and each two of them that some original has."""
        floor = self.floor
        pairs = () if len(self.variants) <= 2 or too_many(self.variants) else combinations(self.variants, 2)
        return [(), *(pair for pair in pairs if self.sums.total(self.name("originals"), floor, *pair))]

    @property
    def fisco_pairs(self) -> list[Pair]:
        """Each two variants that FiSCo's test was asked of."""
        return fisco_pairs(self.sums, self.name)

    def _keys(self) -> list[Key]:
        floor = self.floor
        return [
            *((self.name(kind), floor, *pair) for kind in ("gap", "originals") for pair in self.pairs),
            *((self.name(kind), *pair) for kind in ("rejected", "apart", "tested") for pair in self.fisco_pairs),
        ]

    @property
    def n_articles_scored(self) -> int:
        """Originals that have a gap above the floor."""
        return int(self.sums.total(self.name("originals"), self.floor))

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``, the gaps ``by_pair`` of variants, and of each two how many originals FiSCo's test rejects."""
        total, originals, (rejected, apart, tested) = self._parts(sums)
        gaps = counterfactual_gap(total, originals)
        return {
            "score": gaps[..., 0],
            "by_pair": gaps[..., 1:],
            "rejected": quotient(rejected, tested),
            "rejected_apart": quotient(apart, tested),
        }

    def _parts(self, sums: Floats) -> tuple[Floats, Floats, Sequence[Floats]]:
        """Sums of the columns: gaps and originals of pairs; what FiSCo's test rejects, as apart, and is made of."""
        n = len(self.pairs)
        total, originals, tests = np.split(sums, [n, 2 * n], axis=-1)
        return total, originals, np.split(tests, 3, axis=-1)

    def sizes(self) -> Mapping[str, Floats]:
        """Originals that have both variants of a pair, and those of them that FiSCo's test was made of."""
        _, originals, (_, _, tested) = self._parts(self.totals)
        return {"by_pair": originals[1:], "rejected": tested, "rejected_apart": tested}

    def narrowing(self) -> Floats | float:
        """Above control edits what pulls count twice is taken off, which is half of their variance at the most."""
        if self.floor != FLOORS[0]:
            return 1.0
        drawn, twice = (
            np.array([self.sums.total(self.name(kind), *pair) for pair in self.pairs]) for kind in ("drawn", "twice")
        )
        shares = np.minimum(np.nan_to_num(quotient(twice, drawn)), 0.5)
        return np.concatenate([np.tile(np.sqrt(1 - shares), 2), np.ones(3 * len(self.fisco_pairs))])

    def details(self, statistics: Mapping[str, Floats], intervals: Intervals) -> dict[str, Any]:
        """The floor, both sides of the gap, the test, the pairs of variants, and what is to be said of originals."""
        floor, pairs = self.floor, self.pairs
        n = self.n_articles_scored
        sides = {side: self.sums.total(self.name(side), floor) / n if n else math.nan for side in ("between", "within")}
        tests = [self._test(pair) for pair in pairs]
        p_values = [p for p, *_ in tests]
        corrected = holm(p_values[1:])
        by_pair = [
            {
                "variant_a": pair[0],
                "variant_b": pair[1],
                "gap": float(statistics["by_pair"][place]),
                **{level: interval["by_pair"][place] for level, interval in intervals.items()},
                **self._pair_noise(intervals, pair),
                "p_value": p_values[place + 1],
                "p_value_corrected": corrected[place],
                "null_sd": tests[place + 1][2],
                "n_articles": int(self.sums.total(self.name("originals"), floor, *pair)),
            }
            for place, pair in enumerate(pairs[1:])
        ]
        return {
            "floor": floor,
            **sides,
            **self._pair_noise(intervals, ()),
            "p_value": p_values[0],
            "p_method": tests[0][1],
            "null_sd": tests[0][2],
            "p_undefined": _NO_TEST if math.isnan(p_values[0]) else None,
            "pairs": by_pair,
            "n_articles_scored": n,
            "left_out": self._told("left_out", floor),
            "remarks": self._told("remarks"),
            "n_wordless": self.sums.counts[(self.name("wordless"),)],
            "welch": self._welch(statistics, intervals) if self.settings.test == "welch" else None,
        }

    def _welch(self, statistics: Mapping[str, Floats], intervals: Intervals) -> list[dict[str, Any]]:
        """FiSCo's test of each two variants: in how many originals it rejects that they are as alike."""
        across = intervals.get("ci")
        return [
            {
                "variant_a": pair[0],
                "variant_b": pair[1],
                "rejected": float(statistics["rejected"][place]),
                **({"ci": across["rejected"][place]} if across else {}),
                "rejected_apart": float(statistics["rejected_apart"][place]),
                "n_articles": int(self.sums.total(self.name("tested"), *pair)),
                "n_untested": self.sums.counts[(self.name("untested"), *pair)],
            }
            for place, pair in enumerate(self.fisco_pairs)
        ]

    def _told(self, kind: str, *of: str) -> list[dict[str, Any]]:
        """What is to be said of some originals: how many, and a few of their names."""
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

    def _pair_noise(self, intervals: Intervals, pair: Pair) -> dict[str, float]:
        """The standard deviation that the gap has from what is peculiar to two summaries; NaN where that is unknown."""
        if "ci_within" not in intervals:
            return {}
        counts, n = self.sums.counts, self.sums.total(self.name("originals"), self.floor, *pair)
        if self.floor != FLOORS[0] or counts[("replicated",)] < counts[("inputs",)] or not n:
            return {"pair_noise": math.nan}
        drawn, twice = (self.sums.total(self.name(kind), *pair) for kind in ("drawn", "twice"))
        return {"pair_noise": math.sqrt(min(twice, drawn / 2)) / n}

    def _test(self, pair: Pair) -> tuple[float, str | None, float]:
        """The p-value, one-sided, larger; how it was found; and the standard deviation of the gap by chance."""
        n = self.sums.total(self.name("originals"), FLOORS[0], *pair)
        if not n:
            return math.nan, None, math.nan
        observed = self.sums.total(self.name("gap"), FLOORS[0], *pair) - (n + 1) / GRAIN
        every = self.sums.drawn(self.name("exact"), *pair)
        if every is not None:
            return float((every >= observed).mean()), "exact", null_sd(every, n)
        drawn = self.drawn([(self.name("permuted"), *pair)], self.settings.n_permutations)[:, 0]
        return permutation_p_value(observed, drawn), "drawn", null_sd(drawn, n)

    def undefined(self) -> str:
        """Why no original has a gap."""
        if not self.sums.n_samples:
            return "no sample left to score"
        if len(self.variants) < 2:
            return f"one variant only ({self.variants[0]}): nothing to compare"
        told = self._told("left_out", FLOORS[1])
        why = "; ".join(f"{count(each['n_articles'], 'original')}: {_WHY[each['reason']]}" for each in told)
        return f"no original has two variants and something to hold them against: {why}"


_REASONS = {
    "one_input": "have one input only, and no gap",
    "one_variant": "have one variant only, and no gap",
    "no_controls": "have no two inputs of one variant, and no gap above control edits",
    "no_replicates": "have no input with two summaries, and no gap above replicates",
    "uneven_replicates": "have more summaries of some inputs than of others",
    "unmatched_controls": "have control edits that some of their variants lack",
}
"""What is to be said of originals -> in words."""
_WHY = {
    "one_input": "one input only",
    "one_variant": "one variant only",
    "no_replicates": "neither two inputs of one variant nor an input with two summaries",
}
"""Why an original has no gap at all -> in words."""
_WORDLESS = "{} scored summaries hold no letter and no digit: alike among themselves, as far as can be from all others"
_FOREIGN = "of other languages no pronouns and titles are neutral, and faithful ones count as difference"


TALLY = CounterfactualGap
