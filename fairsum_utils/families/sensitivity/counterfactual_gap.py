"""Counterfactual gap: the distances between the summaries of an original, and the test of its variants."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.families.sensitivity.gaps import Alike, GatheredGaps, alike_originals, fisco_tests
from fairsum_utils.families.sensitivity.samples import Originals, Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer, get_distances
from fairsum_utils.families.sensitivity.settings import MODEL_DISTANCES, SensitivitySettings
from fairsum_utils.families.sensitivity.tally import FLOORS, Pair, Tally, Test, named, too_many
from fairsum_utils.families.sensitivity.texts import compared_texts, count_unread, neutralized_name, read_texts
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.counterfactual_gap import counterfactual_gap
from fairsum_utils.stats.arrays import Floats, quotient
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm
from fairsum_utils.validation import count

_NO_TEST = "no original has two inputs of one variant; add inputs with control edits, among which to hand variants out"
"""Why there is no p-value."""
_NAMED = 5
"""Most originals that are named as examples."""
_REASONS = {
    "one_input": "have one input only, and no gap",
    "one_variant": "have one variant only, and no gap",
    "no_controls": "have no two inputs of one variant, and no gap above control edits",
    "no_replicates": "have no input with two summaries, and no gap above replicates",
    "uneven_replicates": "have more summaries of some inputs than of others",
    "unmatched_controls": "have control edits that some of their variants lack",
}
"""Remark on originals -> its warning."""
_WHY = {
    "one_input": "one input only",
    "one_variant": "one variant only",
    "no_replicates": "neither two inputs of one variant nor an input with two summaries",
}
"""Remark on originals -> the reason why they have no gap at all."""


class CounterfactualGap(Tally):
    """The gap of each original above its floor, of all its inputs and of those of two variants."""

    measure = "counterfactual_gap"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"rejected": (0.0, 1.0), "rejected_apart": (0.0, 1.0)}
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
        "welch_t": Mapping[str, float] | None,
        "welch_p": Mapping[str, float] | None,
    }
    recorded = tuple(compared_types)
    wordless = (
        "{} scored summaries hold no letter and no digit: alike among themselves, as far as can be from all others"
    )
    foreign = "of other languages no pronouns and titles are neutral, and faithful ones count as difference"

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Tell whether a model compares summaries."""
        return settings.distance in MODEL_DISTANCES

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the summaries, and the words that are to be neutralized."""
        return read_texts(samples)

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Name the distance with its model, and what is neutralized."""
        distance, model = scorer.settings.distance, get_distances(scorer).model
        return {
            "distance": f"{distance}({model})" if model else distance,
            "neutral": neutralized_name(scorer.settings, given),
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the gaps of originals above either floor, by pair of variants too, and remarks."""
        found = GatheredGaps(cls, originals, sums)
        texts = compared_texts(originals, cls.measure)
        english = originals.entries("text", cls.measure) if originals.settings.neutral else ()
        count_unread(sums, cls.name, texts, english)
        for alike, distances in cls._compared(originals, scorer, texts):
            found.add(alike, distances)
        return found.put()

    @staticmethod
    def _compared(
        originals: Originals, scorer: SensitivityScorer, texts: Sequence[str]
    ) -> Iterator[tuple[Alike, Floats]]:
        """Groups of originals, and the distances of their summaries, shape (K, n, n)."""
        between = get_distances(scorer).between
        for alike in alike_originals(originals):
            yield alike, between([[texts[place] for place in samples] for samples in alike.samples.tolist()])

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn also of originals without a gap or with inputs that do not match."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        found = super().warnings_of(sums)
        tally = cls(sums, SensitivitySettings())
        for remark in (*tally._remarks("left_out", tally.floor), *tally._remarks("remarks")):
            more = ", ..." * (remark["n_articles"] > len(remark["examples"]))
            message = f"{{}} originals {_REASONS[remark['reason']]}: {', '.join(remark['examples'])}{more}"
            found += WarningRecord.of(remark["reason"], remark["n_articles"], tally.n_articles, message)
        return found

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Compare each summary with those of other variants and of its own, on average.

        ``to_own`` is the distance to the inputs of its variant with other control edits, or else to the other summaries
        of its input. ``opposite`` is the farthest summary of another variant; FiSCo's tests stand by the name of the
        other variant, without a t that is infinite.
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
            if originals.settings.test == "welch":
                cls._record_tests(found, originals, alike, distances)
        return found

    @classmethod
    def _record_opposites(
        cls, found: list[dict[str, Any]], originals: Originals, alike: Alike, farthest: np.typing.NDArray[np.intp]
    ) -> None:
        """Record the farthest summary of another variant, and the words that differ."""
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

    @classmethod
    def _record_tests(
        cls, found: Sequence[dict[str, Any]], originals: Originals, alike: Alike, distances: Floats
    ) -> None:
        """Record FiSCo's tests of originals for each of their samples."""
        codes = alike.codes.tolist()
        for pair, (t, p_value) in fisco_tests(alike, distances).items():
            for at in np.flatnonzero(~np.isnan(p_value)).tolist():
                for place, code in zip(alike.samples[at].tolist(), codes, strict=True):
                    if code in pair:
                        other = originals.variants[pair[1 - pair.index(code)]]
                        found[place].setdefault("welch_p", {})[other] = float(p_value[at])
                        if np.isfinite(t[at]):
                            found[place].setdefault("welch_t", {})[other] = float(t[at])

    @cached_property
    def floor(self) -> str:
        """The floor of the gap: control edits, where any original has them."""
        n = [self.total("originals", floor) for floor in FLOORS]
        return FLOORS[0] if n[0] or not n[1] else FLOORS[1]

    @cached_property
    def pairs(self) -> list[Pair]:
        """All variants, and each two of them that some original has."""
        return [(), *(self.pairs_with("originals", self.floor) if len(self.variants) > 2 else ())]

    @cached_property
    def fisco_pairs(self) -> list[Pair]:
        """Each two variants that FiSCo's test was asked of, in alphabetical order."""
        if too_many(self.variants):
            return []
        return sorted({key[1:] for key in self.sums.counts if key[0] == self.name("untested")})

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Gaps and originals of pairs of variants, and FiSCo's tests: rejected, apart, made."""
        gaps = [(self.floor, *pair) for pair in self.pairs]
        return {"gap": gaps, "originals": gaps} | dict.fromkeys(("rejected", "apart", "tested"), self.fisco_pairs)

    @property
    def n_articles_scored(self) -> int:
        """Originals that have a gap above the floor."""
        return int(self.total("originals", self.floor))

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``, the gaps ``by_pair`` of variants, and of each two the share that FiSCo's test rejects."""
        found = self.split(sums)
        gaps = counterfactual_gap(found["gap"], found["originals"])
        return {
            "score": gaps[..., 0],
            "by_pair": gaps,
            "rejected": quotient(found["rejected"], found["tested"]),
            "rejected_apart": quotient(found["apart"], found["tested"]),
        }

    def sizes(self) -> Mapping[str, Floats]:
        """Originals that have both variants of a pair, and those of them with FiSCo's test."""
        found = self.split(self.totals)
        return {"by_pair": found["originals"]} | dict.fromkeys(("rejected", "rejected_apart"), found["tested"])

    def narrowing(self) -> Floats | float:
        """Take off what pulls count twice above control edits, which is half of their variance at the most."""
        if self.floor != FLOORS[0]:
            return 1.0
        drawn, twice = (np.array([self.total(kind, *pair) for pair in self.pairs]) for kind in ("drawn", "twice"))
        shares = np.minimum(np.nan_to_num(quotient(twice, drawn)), 0.5)
        return np.concatenate([np.tile(np.sqrt(1 - shares), 2), np.ones(3 * len(self.fisco_pairs))])

    def details(self, figures: Figures) -> dict[str, Any]:
        """The floor, both sides of the gap, the test, the pairs of variants, and remarks on originals."""
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
            "welch": self._welch(figures.across()) if self.settings.test == "welch" else None,
        }

    def _test(self, pair: Pair) -> Test:
        gap, n = (self.total(kind, FLOORS[0], *pair) for kind in ("gap", "originals"))
        return self.test(gap, n, *pair)

    def _welch(self, figures: Figures) -> list[dict[str, Any]]:
        """FiSCo's test of each two variants: the share of originals in which it rejects that they are as alike."""
        return [
            {
                **named(pair),
                **figures.entry("rejected", place, "rejected"),
                "rejected_apart": float(figures.statistics["rejected_apart"][place]),
                "n_articles": int(self.total("tested", *pair)),
                "n_untested": self.count("untested", *pair),
            }
            for place, pair in enumerate(self.fisco_pairs)
        ]

    def _remarks(self, kind: str, *of: str) -> list[dict[str, Any]]:
        """Remarks on some originals: their number, and a few of their names."""
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
        """The standard deviation that the gap has from what is peculiar to two summaries; NaN if unknown."""
        if "ci_within" not in figures.intervals:
            return {}
        counts, n = self.sums.counts, self.total("originals", self.floor, *pair)
        if self.floor != FLOORS[0] or counts[("replicated",)] < counts[("inputs",)] or not n:
            return {"pair_noise": math.nan}
        return {"pair_noise": math.sqrt(min(self.total("twice", *pair), self.total("drawn", *pair) / 2)) / n}

    def _undefined(self) -> str:
        """Explain why no original has a gap."""
        if reason := self.lacks_variants(by_pair=False):
            return reason
        remarks = self._remarks("left_out", FLOORS[1])
        why = "; ".join(f"{count(each['n_articles'], 'original')}: {_WHY[each['reason']]}" for each in remarks)
        return f"no original has two variants and something to hold them against: {why}"


TALLY = CounterfactualGap
