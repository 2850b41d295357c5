"""Results of the representation family: figures, warnings, and reasons to withhold a score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from fairsum_utils.families.chance import N_DRAWS
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.representation.sums import sums_of
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import SINGLE_VALUE, CountWarning
from fairsum_utils.measures import measures_of
from fairsum_utils.stats.sums import Sums
from fairsum_utils.text.languages import stop_words_of

MOST_UNMATCHED = 0.2
"""Larger shares of unmatched summaries withhold the score, unless the settings say what these count as."""
MOST_APART = 0.05
"""Systems whose shares of unmatched summaries differ by more are not compared under the same condition."""
_BY_NAME = "unmatched='uniform', 'skip' or 'unfair'"


class RepresentationScore(SampleScore):
    """A mean over samples of the shares of groups in summaries."""

    def means(self) -> Sequence[Mean]:
        """List the means by group."""
        return (
            Mean(f"{self.measure}_by_value", self.measure, "value_n", by="value_n"),
            Mean("ratio_by_value", "ratio", "ratio_n", by="value_n"),
        )

    def details(self) -> dict[str, Any]:
        """Score the samples of several groups."""
        return {f"{self.measure}_multi_value": self.score("multi_")}

    def counts(self) -> dict[str, Any]:
        """Count groups, unmatched summaries and truncated texts."""
        truncated = {"n_truncated": self.sums.counts["truncated",]} if self.settings.is_neural else {}
        return {
            "n_by_value": self.by("value_n"),
            "n_multi_value": int(self.sums.total("multi_n")),
            "n_unmatched": self.sums.counts["unmatched",],
            **truncated,
        }

    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result, see `Score.result`; given distributions need no model, which could truncate texts."""
        result = super().result(made)
        if made["model"] is None:
            result.pop("n_truncated", None)
        return result

    @cached_property
    def withheld(self) -> str:
        """Too many unmatched summaries."""
        if self.settings.unmatched is not None or share_unmatched(self.sums) <= MOST_UNMATCHED:
            return ""
        return (
            f"{self.sums.counts['unmatched',]} of {self.sums.n_samples} scored summaries have no words in common with "
            "their sources; check that each summary is paired with its own sources and that the language is right, or "
            f"choose how to count these summaries: {_BY_NAME}"
        )

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        if self.withheld or not self.sums.n_samples:
            return super().undefined()
        n_groups = len(self.sums.of("value_n"))
        return f"{self.measure} compares groups, but the scored samples contain only {n_groups}"

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random summaries."""
        if "target_distributions" in given:
            return "distributions were given instead of texts"
        return "" if self.settings.matcher == "ngram" else "it needs matcher='ngram' (--set matcher=ngram)"

    def incomparable(self, other: Any, names: tuple[str, str]) -> str:
        """Explain why a system only looks fairer: more of its summaries match nothing."""
        systems = sorted(
            (score.estimate.score, share_unmatched(score.sums), name)
            for score, name in zip((self, other), names, strict=True)
        )
        (fairer, share, name), (less_fair, others, _) = systems
        if self.settings.unmatched is not None or fairer == less_fair or share - others <= MOST_APART:
            return ""
        return (
            f"{name} looks fairer, but {share:.0%} of its summaries have no words in common with their sources and "
            f"count as uniform ({others:.0%} for the other system); choose how to count them: {_BY_NAME}"
        )

    @property
    def warned(self) -> Sequence[CountWarning]:
        """List the warnings about what was matched."""
        count_as = "unfair" if self.settings.unmatched == "unfair" else "uniform"
        return (
            CountWarning(
                "unmatched",
                f"{{}} scored summaries have no words in common with their sources and count as {count_as}",
                "unmatched",
            ),
            CountWarning(
                "unreadable_script",
                "in {} scored samples, a source has no spaces between words, so its words cannot be counted",
                "unread",
            ),
            CountWarning(
                "stop_words_dominate",
                "in {} scored samples, more than 60% of the words are stop words, which are not counted",
                "stopped",
            ),
            CountWarning("stop_words_decide", _deciding(self.sums), "opinions"),
            CountWarning(
                SINGLE_VALUE,
                "{} scored samples have sources of one group only and cannot be unfair; multi-value scores leave them "
                "out",
                "single_value",
            ),
        )


class SecondOrderScore(SpreadScore, RepresentationScore):
    """SOF, the spread of the mean shortfalls of groups."""

    over = ("sof", "value_n")
    is_halved = True
    n_draws = N_DRAWS


def share_unmatched(sums: Sums) -> float:
    """Return the share of scored samples with an unmatched summary; 0 without samples."""
    return sums.counts["alien",] / sums.n_samples if sums.n_samples else 0.0


def quality(sums: Sums) -> dict[str, float]:
    """Return the share of scored summaries that match their sources."""
    return {"share_matched": 1 - share_unmatched(sums)}


def _deciding(sums: Sums) -> str:
    """Name the stop words that carry opinion; empty without any."""
    if not (words := sums.counted("opinions")):
        return ""
    kept = [word for word in words if word not in stop_words_of("english")[0]]
    return (
        f"in {{}} scored samples, ignored stop words that carry opinion ({', '.join(words)}) decide whether a group is "
        f'underrepresented; normalizer="simple" counts {", ".join(kept) or "none of them"}'
    )


ENGINE = Engine(
    sums_of,
    {**dict.fromkeys(measures_of("representation"), RepresentationScore), "sof": SecondOrderScore},
)
