"""Scorer: claims of summaries, their support by turns, and named speakers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from fairsum_utils.families import Scorer
from fairsum_utils.families.misattribution.claims import AMBIGUOUS, PRONOUN, SEVERAL, Claim, Extracted, extract_claims
from fairsum_utils.families.misattribution.names import Roster
from fairsum_utils.families.misattribution.premises import premises, without_contradictions
from fairsum_utils.families.misattribution.rows import (
    MISATTRIBUTED,
    SUPPORTED,
    UNSUPPORTED,
    ClaimEvidence,
    GroupCount,
    MisattributionRow,
)
from fairsum_utils.families.misattribution.samples import Sample
from fairsum_utils.inference.entailers import Entailer, get_entailer
from fairsum_utils.measures.misattribution import Misattribution, is_misattributed, is_supported

_ROSTERS = 256
"""Meetings whose names are kept, as the summaries of several systems share them."""


class _Best(NamedTuple):
    """Turn that supports a claim best, and the numbers of pairs judged and truncated."""

    turn: int | None
    probability: float
    n_pairs: int
    n_cut: int


class MisattributionScorer(Scorer):
    """Scorer of misattribution.

    Claims are first judged by the turns of the named speaker, then, unless these support them, by all other turns.

    Example:
        >>> scorer = MisattributionScorer(("misattribution",), Misattribution())
        >>> columns = {"predictions": ["Lee said costs rose."], "sources": [["Costs rose.", "Rents fell."]]}
        >>> [row] = scorer.score(list(scorer.read({**columns, "values": [["Park", "Lee"]]})))
        >>> row.n_claims, row.n_misattributed
        (1, 1)
    """

    window = 64
    settings: Misattribution

    def __init__(self, measures: Sequence[str], settings: Misattribution) -> None:
        super().__init__(measures, settings)
        self._roster = lru_cache(_ROSTERS)(lambda speakers, aliases: Roster(speakers, dict(aliases)))

    @property
    def entailer(self) -> Entailer:
        """Entailer, loaded on first use."""
        return self.held("entailer", lambda: get_entailer(self.settings))

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the claims' outcomes; loads the entailer."""
        return {
            "entailer": self.entailer.name,
            "lang": self.settings.language,
            "threshold": self.settings.threshold,
            "margin": self.settings.margin,
            "aliases": "given" if "aliases" in given else None,
            "empty": self.settings.empty,
        }

    def why_not(self, sample: Sample) -> str | None:
        """Return why a sample has no score: no summary, or no two speakers."""
        return super().why_not(sample) or ("single_speaker" if len(sample.speakers) < 2 else None)

    def spaced_texts(self, sample: Sample) -> Sequence[str]:
        """Return the turns, whose words are compared."""
        return (" ".join(sample.sources),)

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary, whose reporting verbs are English."""
        return (sample.prediction,)

    def scored(self, samples: Sequence[Sample]) -> Iterator[MisattributionRow]:
        """Yield the rows of samples, with one judgement per claim and turn."""
        rosters = [self._roster(sample.speakers, tuple(sorted(sample.aliases.items()))) for sample in samples]
        found = [extract_claims(sample.prediction, roster) for sample, roster in zip(samples, rosters, strict=True)]
        claims = [claim for each in found for claim in each.claims]
        meetings = [
            (sample.sources, sample.values, roster, claim.speaker)
            for sample, roster, each in zip(samples, rosters, found, strict=True)
            for claim in each.claims
        ]
        own = [premises(*meeting, of_speaker=True) for meeting in meetings]
        by_own = self._best(claims, own)
        named = np.array([best.probability for best in by_own])
        is_open = (~is_supported(named, self.settings.threshold) & ~np.isnan(named)).tolist()
        others = [
            premises(*meeting, of_speaker=False) if is_wanted and not claim.is_shared else {}
            for meeting, claim, is_wanted in zip(meetings, claims, is_open, strict=True)
        ]
        by_others = self._best(claims, others)
        if self.settings.entailer == "lexical":
            by_own = list(map(self._undenied, claims, own, by_own))
            by_others = list(map(self._undenied, claims, others, by_others))
        judged = zip(by_own, by_others, strict=True)
        for sample, each in zip(samples, found, strict=True):
            yield self._row(sample, each, list(islice(judged, len(each.claims))))

    def _best(self, claims: Sequence[Claim], turns: Sequence[Mapping[int, str]]) -> list[_Best]:
        """Return the best of some turns for each claim."""
        judgement = self.entailer.judge_many(
            (text, claim.statement) for claim, texts in zip(claims, turns, strict=True) for text in texts.values()
        )
        found = []
        for texts, stop in zip(turns, accumulate(map(len, turns)), strict=True):
            part = judgement.part(stop - len(texts), stop)
            pairs = zip(texts, part.probability.tolist(), strict=True)
            turn, probability = max(pairs, key=itemgetter(1), default=(None, 0.0))
            found.append(_Best(turn, probability, len(texts), int(np.count_nonzero(part.cut))))
        return found

    def _undenied(self, claim: Claim, texts: Mapping[int, str], best: _Best) -> _Best:
        """Judge a supported claim again without the sentences that deny it."""
        if not best.probability >= self.settings.threshold:
            return best
        kept = {turn: without_contradictions(text, claim.statement) for turn, text in texts.items()}
        return best if kept == texts else self._best([claim], [kept])[0]

    def _row(self, sample: Sample, found: Extracted, judged: Sequence[tuple[_Best, _Best]]) -> MisattributionRow:
        speakers = sample.speakers
        evidence = [
            self._evidence(sample, claim, own, other)
            for claim, (own, other) in zip(found.claims, judged, strict=True)
            if not np.isnan(own.probability)
        ]
        outcomes = Counter(claim.outcome for claim in evidence)
        is_named = {speaker: place in found.named for place, speaker in enumerate(speakers)}
        third_speakers, third_named = _thirds(sample, is_named)
        groups, n_ungrouped = _groups(sample, is_named, evidence)
        return MisattributionRow(
            index=sample.index,
            n_claims=len(evidence),
            n_misattributed=outcomes[MISATTRIBUTED],
            n_unsupported=outcomes[UNSUPPORTED],
            n_ambiguous=found.left_out[AMBIGUOUS],
            n_several=found.left_out[SEVERAL],
            n_pronoun=found.left_out[PRONOUN],
            n_wordless=len(found.claims) - len(evidence),
            n_claimless=found.n_claimless,
            n_speakers=len(speakers),
            n_named=sum(is_named.values()),
            third_speakers=third_speakers,
            third_named=third_named,
            groups=groups,
            n_ungrouped=n_ungrouped,
            n_alike=len(speakers) - len(set(map(str.casefold, speakers))),
            n_truncated=sum(best.n_cut for pair in judged for best in pair),
            n_pairs=sum(best.n_pairs for pair in judged for best in pair),
            named=tuple(speaker for speaker, is_there in is_named.items() if is_there) if self.evidence else None,
            claims=tuple(evidence) if self.evidence else None,
        )

    def _evidence(self, sample: Sample, claim: Claim, own: _Best, other: _Best) -> ClaimEvidence:
        named, others = np.array([own.probability]), np.array([other.probability])
        threshold, margin = self.settings.threshold, self.settings.margin
        is_moved = is_misattributed(named, others, threshold, margin)[0]
        outcome = SUPPORTED if is_supported(named, threshold)[0] else MISATTRIBUTED if is_moved else UNSUPPORTED
        turn = other.turn if other.probability else None
        assert own.turn is not None
        return ClaimEvidence(
            statement=claim.statement,
            spans=claim.spans,
            speaker=sample.speakers[claim.speaker],
            outcome=outcome,
            turn=own.turn,
            probability=own.probability,
            other=None if turn is None else sample.values[turn],
            other_turn=turn,
            other_probability=None if turn is None else other.probability,
        )


def _thirds(sample: Sample, is_named: Mapping[str, bool]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Count all and named speakers with a turn in each third.

    A turn belongs to the third that holds its middle word.
    """
    sizes = [len(turn.split()) for turn in sample.sources]
    total = sum(sizes)
    spoke: list[dict[str, None]] = [{}, {}, {}]
    for speaker, size, stop in zip(sample.values, sizes, accumulate(sizes), strict=True):
        if size:
            spoke[min(2, int(3 * (stop - size / 2) / total))][speaker] = None
    first, second, last = ((len(names), sum(map(is_named.__getitem__, names))) for names in spoke)
    return (first[0], second[0], last[0]), (first[1], second[1], last[1])


def _groups(
    sample: Sample, is_named: Mapping[str, bool], claims: Sequence[ClaimEvidence]
) -> tuple[tuple[GroupCount, ...], int]:
    """Count speakers and claims by group, and the speakers without a group."""
    counts: dict[str, list[int]] = {}
    ungrouped = set()
    for attribute, of_speaker in sample.groups.items():
        for speaker, named in is_named.items():
            if speaker not in of_speaker:
                ungrouped.add(speaker)
                continue
            count = counts.setdefault(f"{attribute}: {of_speaker[speaker]}", [0, 0, 0, 0])
            own = [claim.outcome for claim in claims if claim.speaker == speaker]
            for place, number in enumerate((1, named, len(own), own.count(MISATTRIBUTED))):
                count[place] += number
    return tuple(GroupCount(group, *numbers) for group, numbers in sorted(counts.items())), len(ungrouped)


make_scorer = MisattributionScorer
