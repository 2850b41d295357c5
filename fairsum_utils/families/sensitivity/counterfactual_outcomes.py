"""Counterfactual outcomes: paired differences within originals, the test of their variants, and what controls move."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.sensitivity.extractors import Texts, extract, signature
from fairsum_utils.families.sensitivity.outcomes import GatheredOutcomes
from fairsum_utils.families.sensitivity.samples import Originals, Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import MODEL_OUTCOMES, SensitivitySettings
from fairsum_utils.families.sensitivity.statements import put_units, units_only_here
from fairsum_utils.families.sensitivity.tally import FLOORS, Pair, Tally, named
from fairsum_utils.families.sensitivity.texts import (
    compared_texts,
    count_unread,
    neutralized_name,
    read_texts,
    without_changed,
)
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.counterfactual_outcomes import counterfactual_outcomes, spreads, standardized
from fairsum_utils.stats.arrays import Floats, quotient, scalar
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm

_ROUNDING = 1e-12
"""Largest share of an outcome that is rounding, and no distance."""
_ENGLISH = frozenset({"sentiment", "reading_level", "hedges", "modals", "toxicity", "regard"})
"""Outcomes that know English only."""
_ONE_VARIANT = "{} originals have one variant only, and no difference"


class CounterfactualOutcomes(Tally):
    """The difference of each outcome between each two variants, in every original that has both."""

    measure = "counterfactual_outcomes"
    interval = "corrected"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {
        "difference": (-math.inf, math.inf),
        "standardized": (-math.inf, math.inf),
        "units_lost": (0.0, 1.0),
        "units_added": (0.0, 1.0),
    }
    recorded = ("outcomes", "units_only_here")
    compared_types: ClassVar[Mapping[str, Any]] = {"units_only_here": list[str] | None}
    is_tested = True
    salt = 3
    cuts_words = True
    wordless = (
        "{} scored summaries hold no letter and no digit: of such a text the length is 0, and the rest says nothing"
    )
    foreign = "sentiment, reading level, hedges, modal verbs and models read English, and tell nothing of them"

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Tell whether a model reads an outcome."""
        return not set(MODEL_OUTCOMES).isdisjoint(settings.outcomes)

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the outcomes, and the texts whose statements are compared."""
        written = [sample.prediction for sample in samples]
        neutral = [without_changed(sample.prediction, sample.changed or ()) for sample in samples]
        outcomes = extract(scorer, Texts(written, neutral if scorer.settings.neutral else written))
        rows = zip(read_texts(samples), outcomes, strict=True)
        return [{**row, "outcomes": found} for row, found in rows]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Name the outcomes, and the models that read them."""
        return {**signature(scorer), "neutral": neutralized_name(scorer.settings, given)}

    @cached_property
    def outcomes(self) -> list[str]:  # noqa: D102
        return [name for name in self.settings.outcomes if self.total("inputs", name)]

    @cached_property
    def tests(self) -> list[tuple[str, ...]]:
        """Outcomes, each with two variants."""
        pairs = self.pairs_with("pairs")
        every = ((outcome, *pair) for outcome in self.outcomes for pair in pairs)
        return [test for test in every if self.total("originals", *test)]

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Differences of tests, spreads of outcomes, and what units did of pairs of variants."""
        outcomes: list[tuple[str, ...]] = [(name,) for name in self.outcomes]
        return {
            **dict.fromkeys(("difference", "originals"), self.tests),
            **dict.fromkeys(("total", "squares", "inputs"), outcomes),
            **dict.fromkeys(("lost", "added", "units"), self.pairs_with("units")),
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the differences of each original, the spread of each outcome, and what other edits move."""
        texts = [text for text in originals.column("text") if text is not None]
        outcomes = scorer.settings.outcomes
        count_unread(sums, cls.name, texts, () if _ENGLISH.isdisjoint(outcomes) else texts)
        rows = originals.entries("outcomes", cls.measure)
        gathered = GatheredOutcomes(cls, originals, sums, outcomes, rows)
        if "units" in outcomes:
            put_units(cls, sums, originals, compared_texts(originals, cls.measure), gathered.pairs)
        return gathered.pulls.columns()

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn also of originals without a difference."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        n, paired = sums.n_distinct("articles"), sums.counts[(cls.name("paired"),)]
        return super().warnings_of(sums) + WarningRecord.of("one_variant", n - paired, n, _ONE_VARIANT)

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """List the statements of each summary that no summary of another variant of its original makes."""
        if "units" not in scorer.settings.outcomes:
            return [{"units_only_here": None}] * len(originals)
        written, texts = originals.entries("text", cls.measure), compared_texts(originals, cls.measure)
        return [{"units_only_here": units} for units in units_only_here(originals, written, texts)]

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return len(self.tests)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``; of each test ``difference`` and ``standardized``; of pairs of variants what units did."""
        found = self.split(sums)
        places = [self.outcomes.index(outcome) for outcome, *_ in self.tests]
        deviations = spreads(found["total"], found["squares"], found["inputs"])[..., places]
        tested = found["difference"], found["originals"]
        return {
            "score": counterfactual_outcomes(*tested, deviations),
            "difference": quotient(*tested),
            "standardized": standardized(*tested, deviations),
            "units_lost": quotient(found["lost"], found["units"]),
            "units_added": quotient(found["added"], found["units"]),
        }

    def sizes(self) -> Mapping[str, Floats]:
        """Originals that have both variants of a pair, and the outcome of each of their inputs."""
        found = self.split(self.totals)
        return {
            **dict.fromkeys(("difference", "standardized"), found["originals"]),
            **dict.fromkeys(("units_lost", "units_added"), found["units"]),
        }

    @property
    def n_articles_scored(self) -> int:
        """Originals that have two variants."""
        return self.count("paired")

    @cached_property
    def floor(self) -> str | None:
        """The floor of moves: control edits, where any original has them."""
        there = (floor for floor in FLOORS if any(self.total("still", floor, *test) for test in self.tests))
        return next(there, None)

    def details(self, figures: Figures) -> dict[str, Any]:
        """Outcomes, units and tests."""
        tests = [self.test(self.total("difference", *key), self.total("originals", *key), *key) for key in self.tests]
        corrected = holm([test.p_value for test in tests])
        outcomes = [
            {**self._outcome(key, place, figures), **tests[place]._asdict(), "p_value_corrected": corrected[place]}
            for place, key in enumerate(self.tests)
        ]
        sizes = [abs(each["standardized"]) for each in outcomes]
        largest = outcomes[int(np.argmax(sizes))] if outcomes and max(sizes) > 0 else None
        return {
            "largest": largest and {key: largest[key] for key in ("outcome", "variant_a", "variant_b")},
            "p_value": min(corrected, default=math.nan),
            "floor": self.floor,
            "outcomes": outcomes,
            "units": [self._units(pair, place, figures.across()) for place, pair in enumerate(self.entries["units"])],
            "n_articles_scored": self.n_articles_scored,
        }

    def _outcome(self, key: Sequence[str], place: int, figures: Figures) -> dict[str, Any]:
        means = {
            name: self._mean(kind, "originals", *key) for name, kind in (("mean_a", "first"), ("mean_b", "second"))
        }
        moved = self._mean("moved", "originals", *key), self._mean("moved_still", "still", self.floor or "", *key)
        rounding = _ROUNDING * max(map(abs, means.values()))
        moved_by_variants, moved_by_floor = (0.0 if distance <= rounding else distance for distance in moved)
        return {
            "outcome": key[0],
            **named(key[1:]),
            **means,
            **figures.entry("difference", place, "difference", "difference_"),
            "standardized": scalar(figures.statistics["standardized"][place]),
            "moved": moved_by_variants,
            "moved_by_floor": moved_by_floor,
            "ratio": scalar(quotient(moved_by_variants, moved_by_floor)),
            "n_articles": int(self.total("originals", *key)),
        }

    def _units(self, pair: Pair, place: int, figures: Figures) -> dict[str, Any]:
        return {
            **named(pair),
            **figures.entry("units_lost", place, "lost", "lost_"),
            **figures.entry("units_added", place, "added", "added_"),
            "by_floor": self._mean("units_still", "units_still_n", self.floor or "", *pair),
        }

    def _mean(self, kind: str, number: str, *of: str) -> float:
        return scalar(quotient(self.total(kind, *of), self.total(number, *of)))

    def _undefined(self) -> str:
        """Explain why there is no score."""
        if reason := self.lacks_variants():
            return reason
        if not self.n_articles_scored:
            return "no original has inputs of two variants"
        return "no outcome is known of both variants of an original"


TALLY = CounterfactualOutcomes
