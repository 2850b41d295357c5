"""Results of the omission family: figures, warnings, and what an entailer without meaning tells."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.omission.scorer import NO_MATTER, NOT_ENGLISH
from fairsum_utils.families.omission.sums import sums_of
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.measures.omission import LIST, omission
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.intervals import METHODS, Estimate
from fairsum_utils.stats.sums import Sums
from fairsum_utils.text.serious import LIST_PRECISION, LIST_RECALL

# Sentences to read in a result, at most.
_MOST_TO_READ = 20
_NO_JUDGE = (
    "the entailer does not read meaning, so that a paraphrase looks like an omission; choose an NLI model or a "
    "function as entailer, or read the sentences that a score lists"
)


class OmissionScore(SampleScore):
    """A mean over samples, if the entailer reads meaning; else sentences to read."""

    def means(self) -> Sequence[Mean]:
        """List the means by group and category, and those of ordinary sentences."""
        if not self.settings.reads_meaning:
            return ()
        return (
            *(Mean(f"omission_by_{what}", f"omission_by_{what}", what, by=[*self.sums.counted(what)]) for what in _BY),
            Mean("ordinary_omission", "ordinary", "ordinary_n"),
            Mean("ordinary_difference", "difference", "ordinary_n", averages="scores", limits=(-1.0, 1.0)),
        )

    def details(self) -> dict[str, Any]:
        """Return figures by number of texts, or the matters without a near-literal trace."""
        # Precision and recall of the shipped list.
        of_list = {"list_precision": LIST_PRECISION, "list_recall": LIST_RECALL} if self.settings.finder == LIST else {}
        if not self.settings.reads_meaning:
            return {**of_list, **self._not_found()}
        omitted, by_n_texts = self.sums.counted("omitted_by_n_texts"), self.sums.counted("by_n_texts")
        found: dict[str, Any] = {
            "by_n_texts": {key: {"n_matters": n, "omission": omitted[key] / n} for key, n in by_n_texts.items()}
        }
        for what in _BY:
            n_by = self.sums.counted(what)
            found[f"n_by_{what}"] = n_by
            found[f"n_matters_by_{what}"] = {name: self.sums.counts["matters_by", what, name] for name in n_by}
        return {**of_list, **found, "n_omitted": self.sums.counts["omitted",]}

    def _not_found(self) -> dict[str, Any]:
        to_read = [(-n, key[1], key[2]) for key, n in self.sums.counts.items() if key[0] == "to_read"]
        level = super().at_random(())
        return {
            "omission_by_value": {},
            "n_by_value": {},
            "not_found": scalar(omission(self.sums.total("omission"), self.sums.total("n"))),
            **({} if level is None else level.keys("not_found")),
            "n_not_found": self.sums.counts["omitted",],
            "n_to_read": len(to_read),
            "to_read": [
                {"matter": matter, "n_texts": -n, "sentence": sentence}
                for n, matter, sentence in sorted(to_read)[:_MOST_TO_READ]
            ],
        }

    def counts(self) -> dict[str, Any]:
        """Count matters, ordinary sentences and pairs of sentences."""
        counts = self.sums.counts
        return {
            "n_matters": counts["matters",],
            "n_ordinary": counts["n_ordinary",],
            "n_pairs": counts["n_pairs",],
            "n_truncated": counts["truncated",],
        }

    def __init__(self, sums: Sums, settings: Any) -> None:
        super().__init__(sums, settings)
        self.shares_draws = settings.reads_meaning

    @cached_property
    def estimate(self) -> Estimate:
        """Score, with no sample behind it if nothing is judged."""
        if self.settings.reads_meaning:
            return super().estimate
        return Estimate(math.nan, METHODS["scores"], 0, totals=np.empty(0))

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        if self.sums.n_samples:
            return _NO_JUDGE
        return "no source raises a serious matter" if self.sums.skipped.keys() == {NO_MATTER} else super().undefined()

    def at_random(self, given: Collection[str]) -> ChanceLevel | None:
        """Compute the chance level of a score."""
        return super().at_random(given) if self.settings.reads_meaning else None

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random extracts."""
        return "an entailer that reads meaning would have to judge a hundred random extracts of each sample"

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warn about texts that the list cannot read."""
        unread = (
            "{} samples have sources that are not recognized as English, in which the list finds nothing; give serious "
            "or serious_spans, or choose a finder"
        )
        return (CountWarning(NOT_ENGLISH, unread, "not_english", "rows"),)


_BY = ("value", "category")
"""What a matter has figures by."""


def quality(sums: Sums) -> dict[str, float]:
    """Return the share of ordinary sentences that the summary entails, averaged over samples."""
    n = sums.total("ordinary_n")
    return {"ordinary_traced": 1 - sums.total("ordinary") / n if n else math.nan}


ENGINE = Engine(sums_of, {"omission": OmissionScore})
