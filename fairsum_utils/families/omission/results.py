"""Results of the omission family: sums, figures, warnings and records."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.chance import ChanceLevel, draws_of, put_draws
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.omission.rows import Matter, OmissionRow, OmissionTable
from fairsum_utils.families.omission.scorer import NO_MATTER, NOT_ENGLISH
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.measures.omission import LIST, Omission, omission, sample_omission
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.intervals import METHODS, Estimate
from fairsum_utils.stats.sums import Sums
from fairsum_utils.text.serious import LIST_PRECISION, LIST_RECALL

# Numbers of texts behind a matter that results tell apart.
_MANY_TEXTS = 4


def sums_of(table: OmissionTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``omission``, ``ordinary_n``, ``ordinary`` and ``difference`` (samples with
        ordinary sentences) and, by category, ``matters``; totals by group and category; counts.

    Example:
        >>> from fairsum_utils.families.omission.rows import OmissionRow
        >>> from fairsum_utils.measures.omission import Omission
        >>> table = OmissionTable([OmissionRow(0, (Matter("violence", "threat", True, 1, ("a",)),))])
        >>> sums_of(table, ["omission"], Omission()).total("omission")
        1.0
    """
    of_samples = list(table.matters())
    sums = Sums(len(of_samples), skipped=table.skipped)
    shares = np.array([_omission(matters) for matters in of_samples])
    sums.put(("n",), np.ones(sums.n_units))
    sums.put(("omission",), shares)
    n_ordinary, n_omitted = table.scored("n_ordinary"), table.scored("n_ordinary_omitted")
    has_some = n_ordinary > 0
    ordinary = n_omitted[has_some] / n_ordinary[has_some]
    sums.put(("ordinary_n",), has_some)
    sums.put(("ordinary",), ordinary, np.flatnonzero(has_some))
    sums.put(("difference",), shares[has_some] - ordinary, np.flatnonzero(has_some))
    _put_matters(sums, of_samples)
    for name in ("n_ordinary", "n_pairs"):
        sums.counts[name,] = int(table.scored(name).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    sums.counts["not_english",], sums.counts["rows",] = sums.skipped[NOT_ENGLISH], sums.n_samples + sums.skipped.total()
    if settings.at_random:
        _put_at_random(sums, table)
    return sums


def _omission(matters: Sequence[Matter]) -> float:
    return sample_omission(np.array([matter.is_omitted for matter in matters]))


def _put_matters(sums: Sums, of_samples: Sequence[Sequence[Matter]]) -> None:
    """Add figures by category, by group and by number of texts."""
    by_category: defaultdict[str, dict[int, int]] = defaultdict(dict)
    shares: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for place, matters in enumerate(of_samples):
        parts: defaultdict[tuple[str, str], list[Matter]] = defaultdict(list)
        for matter in matters:
            parts["category", matter.category].append(matter)
            for value in matter.values:
                parts["value", value].append(matter)
            sums.counts["by_n_texts", _n_texts(matter)] += 1
            sums.counts["omitted_by_n_texts", _n_texts(matter)] += matter.is_omitted
        for part, members in parts.items():
            shares[part].append(_omission(members))
            sums.counts["matters_by", *part] += len(members)
            if part[0] == "category":
                by_category[part[1]][place] = len(members)
        sums.counts["matters",] += len(matters)
        sums.counts["omitted",] += sum(matter.is_omitted for matter in matters)
        for matter in matters:
            if matter.to_read:
                sums.counts["to_read", matter.entry or matter.category, matter.to_read] += matter.n_texts
    for category, numbers in by_category.items():
        sums.put(("matters", category), list(numbers.values()), np.array(list(numbers)))
    for (what, name), of_part in shares.items():
        sums.put_total((f"omission_by_{what}", name), of_part)
        sums.counts[what, name] = len(of_part)


def _n_texts(matter: Matter) -> str:
    return str(matter.n_texts) if matter.n_texts < _MANY_TEXTS else f"{_MANY_TEXTS} or more"


def _put_at_random(sums: Sums, table: OmissionTable) -> None:
    """Add the scores of random extracts to the sums of a table."""
    if (drawn := draws_of(sums, table)) is not None:
        put_draws(sums, "omission", drawn.reshape(sums.n_units, -1))


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


class MatterRecord(TypedDict):
    """Matter of a sample; keys of evidence are None without it.

    Attributes:
        category: category of the list, ``"given"`` or ``"found"``.
        entry: entries of the list, joined by commas.
        is_omitted: the summary has no trace of it; None if an entailer that does not read meaning found none.
        n_texts: number of source texts that raise it.
        values: groups of these texts.
        texts: position of the source text of each sentence, from 0.
        starts: position of the first character of each sentence in its text.
        sentences: the sentences that raise it.
        trace: sentence of the summary that traces it.
        named: the trace names an entry of the matter.
        probability: largest probability of entailment.
    """

    category: str
    entry: str
    is_omitted: bool | None
    n_texts: int
    values: list[str]
    texts: list[int] | None
    starts: list[int] | None
    sentences: list[str] | None
    trace: str | None
    named: bool | None
    probability: float | None


class Omitted(TypedDict):
    """Scores and matters of a sample.

    Attributes:
        omission: share of the matters that are omitted; None if the entailer does not read meaning.
        not_found: share of the matters without a trace; None if the entailer reads meaning.
        n_matters: number of serious matters.
        n_omitted: number of omitted matters; None if the entailer does not read meaning.
        matters: the matters.
    """

    omission: float | None
    not_found: float | None
    n_matters: int
    n_omitted: int | None
    matters: list[MatterRecord]


def recorded(measures: Sequence[str], settings: Omission) -> Recorded:
    """Return the keys of a record: scores, counts, matters and evidence."""
    counts = ("n_ordinary", "n_ordinary_omitted", "n_pairs", "n_truncated")
    return Recorded(("index", "skipped", *counts, "ordinary"), [Omitted], partial(_computed, settings.reads_meaning))


def _computed(is_judged: bool, rows: Sequence[OmissionRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        is_omitted = np.array([matter.is_omitted for matter in row.matters])
        share = None if row.skipped is not None else sample_omission(is_omitted)
        yield {
            "omission": share if is_judged else None,
            "not_found": None if is_judged else share,
            "n_matters": len(row.matters),
            "n_omitted": int(is_omitted.sum()) if is_judged else None,
            "matters": list(_matters(row)),
        }


def _matters(row: OmissionRow) -> Iterator[dict[str, Any]]:
    for place, matter in enumerate(row.matters):
        evidence = {} if row.evidence is None else row.evidence[place]._asdict()
        yield {**matter._asdict(), **evidence, "is_omitted": None if matter.to_read else matter.is_omitted}


ENGINE = Engine(sums_of, {"omission": OmissionScore})
