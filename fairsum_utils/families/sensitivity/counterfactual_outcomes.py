"""Counterfactual outcomes: paired differences within originals, the test of their variants, and what controls move."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations, islice
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.counterfactual_gap import CounterfactualGap
from fairsum_utils.families.sensitivity.extractors import Texts, extract, signature
from fairsum_utils.families.sensitivity.outcomes import GatheredOutcomes, Pair
from fairsum_utils.families.sensitivity.samples import Originals, Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import MODEL_OUTCOMES, SensitivitySettings
from fairsum_utils.families.sensitivity.tally import FLOORS, Tally, named, too_many
from fairsum_utils.families.sensitivity.texts import count_unread, statements_of, without_changed, without_counterpart
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.counterfactual_outcomes import counterfactual_outcomes, spreads, standardized
from fairsum_utils.stats.arrays import Floats, quotient, scalar
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm
from fairsum_utils.text.splitting import sentence_units

_ROUNDING = 1e-12
"""Largest share of an outcome that is rounding, and no distance."""
_ENGLISH = frozenset({"sentiment", "reading_level", "hedges", "modals", "toxicity", "regard"})
"""Outcomes that know English only."""
_ONE_VARIANT = "{} originals have one variant only, and no difference"


class _Tested(NamedTuple):
    """An outcome in two variants."""

    outcome: str
    pair: Pair

    @property
    def key(self) -> tuple[str, ...]:
        return self.outcome, *self.pair


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
        rows = zip(CounterfactualGap.read(scorer, samples), outcomes, strict=True)
        return [{**row, "outcomes": found} for row, found in rows]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Name the outcomes, and the models that read them."""
        neutral = CounterfactualGap.signature(scorer, given)["neutral"]
        return {**signature(scorer), "neutral": neutral}

    @cached_property
    def outcomes(self) -> list[str]:  # noqa: D102
        return [name for name in self.settings.outcomes if self.total("inputs", name)]

    @cached_property
    def pairs(self) -> list[Pair]:  # noqa: D102
        # Of parts of the data, each may have few enough variants, and all together too many.
        some = () if too_many(self.variants) else combinations(self.variants, 2)
        return [pair for pair in some if self.total("pairs", *pair)]

    @cached_property
    def tests(self) -> list[_Tested]:  # noqa: D102
        every = (_Tested(outcome, pair) for outcome in self.outcomes for pair in self.pairs)
        return [test for test in every if self.total("originals", *test.key)]

    @cached_property
    def unit_pairs(self) -> list[Pair]:  # noqa: D102
        return [pair for pair in self.pairs if self.total("units", *pair)]

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the differences of each original, the spread of each outcome, and what other edits move."""
        texts = [text for text in originals.column("text") if text is not None]
        outcomes = scorer.settings.outcomes
        count_unread(sums, cls.name, texts, () if _ENGLISH.isdisjoint(outcomes) else texts)
        rows = originals.entries("outcomes", cls.measure)
        gathered = GatheredOutcomes(cls, originals, sums, outcomes, rows)
        if "units" in outcomes:
            gathered.add_units(CounterfactualGap.compared_texts(originals))
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
        found: list[dict[str, Any]] = [{"units_only_here": None} for _ in range(len(originals))]
        if "units" not in scorer.settings.outcomes:
            return found
        written = originals.entries("text", cls.measure)
        statements = list(map(statements_of, CounterfactualGap.compared_texts(originals)))
        members = originals.members()
        for _, inputs in originals.parts():
            by_variant: defaultdict[int, list[int]] = defaultdict(list)
            for place in inputs.tolist():
                by_variant[int(originals.input_variant[place])] += members[place].tolist()
            for variant, samples in by_variant.items() if len(by_variant) > 1 else ():
                others = [those for other, those in by_variant.items() if other != variant]
                theirs = [each for sample in chain.from_iterable(others) for each in statements[sample]]
                own = chain.from_iterable(statements[sample] for sample in samples)
                alone = iter(without_counterpart(own, theirs))
                for sample in samples:
                    units = zip(
                        sentence_units(written[sample]), list(islice(alone, len(statements[sample]))), strict=False
                    )
                    found[sample] = {"units_only_here": [unit for unit, is_alone in units if is_alone]}
        return found

    def _keys(self) -> list[Key]:
        tests = [(self.name(kind), *test.key) for kind in ("difference", "originals") for test in self.tests]
        outcomes = [(self.name(kind), name) for kind in ("total", "squares", "inputs") for name in self.outcomes]
        units = [(self.name(kind), *pair) for kind in ("lost", "added", "units") for pair in self.unit_pairs]
        return [*tests, *outcomes, *units]

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return len(self.tests)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``; of each test ``difference`` and ``standardized``; of pairs of variants what units did."""
        differences, n, totals, squares, inputs, lost, added, pairs = self._parts(sums)
        places = [self.outcomes.index(test.outcome) for test in self.tests]
        deviations = spreads(totals, squares, inputs)[..., places]
        return {
            "score": counterfactual_outcomes(differences, n, deviations),
            "difference": quotient(differences, n),
            "standardized": standardized(differences, n, deviations),
            "units_lost": quotient(lost, pairs),
            "units_added": quotient(added, pairs),
        }

    def _parts(self, sums: Floats) -> list[Floats]:
        """Split sums of the columns by kind."""
        sizes = [len(self.tests)] * 2 + [len(self.outcomes)] * 3 + [len(self.unit_pairs)] * 3
        return np.split(sums, np.cumsum(sizes)[:-1], axis=-1)

    def sizes(self) -> Mapping[str, Floats]:
        """Originals that have both variants of a pair, and the outcome of each of their inputs."""
        _, n, *_, pairs = self._parts(self.totals)
        return {"difference": n, "standardized": n, "units_lost": pairs, "units_added": pairs}

    @property
    def n_articles_scored(self) -> int:
        """Originals that have two variants."""
        return self.count("paired")

    @cached_property
    def floor(self) -> str | None:
        """The floor of moves: control edits, where any original has them."""
        there = (floor for floor in FLOORS if any(self.total("still", floor, *test.key) for test in self.tests))
        return next(there, None)

    def details(self, figures: Figures) -> dict[str, Any]:
        """Outcomes, units and tests."""
        found = [
            self.test(self.total("difference", *test.key), self.total("originals", *test.key), *test.key)
            for test in self.tests
        ]
        corrected = holm([test.p_value for test in found])
        outcomes = [
            self._outcome(test, place, figures) | found[place]._asdict() | {"p_value_corrected": corrected[place]}
            for place, test in enumerate(self.tests)
        ]
        sizes = [abs(each["standardized"]) for each in outcomes]
        largest = outcomes[int(np.argmax(sizes))] if outcomes and max(sizes) > 0 else None
        return {
            "largest": largest and {key: largest[key] for key in ("outcome", "variant_a", "variant_b")},
            "p_value": min(corrected, default=math.nan),
            "floor": self.floor,
            "outcomes": outcomes,
            "units": [
                {
                    **named(pair),
                    **figures.across().entry("units_lost", place, "lost", "lost_"),
                    **figures.across().entry("units_added", place, "added", "added_"),
                    "by_floor": self._mean("units_still", "units_still_n", self.floor or "", *pair),
                }
                for place, pair in enumerate(self.unit_pairs)
            ],
            "n_articles_scored": self.n_articles_scored,
        }

    def _outcome(self, test: _Tested, place: int, figures: Figures) -> dict[str, Any]:
        kinds = {"mean_a": "first", "mean_b": "second"}
        means = {key: self._mean(kind, "originals", *test.key) for key, kind in kinds.items()}
        floor = self.floor or ""
        distances = self._mean("moved", "originals", *test.key), self._mean("moved_still", "still", floor, *test.key)
        rounding = _ROUNDING * max(map(abs, means.values()))
        moved, still = (0.0 if distance <= rounding else distance for distance in distances)
        return {
            "outcome": test.outcome,
            **named(test.pair),
            **means,
            **figures.entry("difference", place, "difference", "difference_"),
            "standardized": scalar(figures.statistics["standardized"][place]),
            "moved": moved,
            "moved_by_floor": still,
            "ratio": scalar(quotient(moved, still)),
            "n_articles": int(self.total("originals", *test.key)),
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
