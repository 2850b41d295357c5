"""Scorer: claims of summaries, their support by turns, and named speakers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import CheckedSample, Scorer
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
from fairsum_utils.inference.entailers import Entailer, get_entailer
from fairsum_utils.measures.misattribution import Misattribution, is_misattributed, is_supported
from fairsum_utils.validation import as_label, check_sample, describe, is_missing

_ROSTERS = 256
"""Meetings whose names are kept, as the summaries of several systems share them."""


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: turns.
        values: speaker of each turn.
        aliases: speaker -> further names.
        groups: attribute -> speaker -> group.
        speakers: speakers with a turn that is not blank, in the order of their first turns.
    """

    index: int
    prediction: str
    sources: tuple[str, ...]
    values: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, Mapping[str, str]]
    speakers: tuple[str, ...]

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        named = [text for speaker, names in sorted(self.aliases.items()) for text in (speaker, *names)]
        grouped = [text for name, of in sorted(self.groups.items()) for pair in sorted(of.items()) for text in pair]
        return (*self.sources, *self.values, *named, *grouped)


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

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a sample."""
        prediction, sources, values = row["predictions"], row["sources"], row["values"]
        names = check_sample(self.module, index, prediction, sources, values)
        where = f"{self.module}: sample {index}"
        turns = tuple(sources)
        aliases = _checked_aliases(where, row.get("aliases"))
        groups = _checked_groups(where, row.get("speaker_groups"))
        speakers = tuple(dict.fromkeys(name for name, turn in zip(names, turns, strict=True) if turn.strip()))
        return Sample(index, prediction, turns, tuple(names), aliases, groups, speakers)

    def spaced_texts(self, sample: Sample) -> Sequence[str]:
        """Return the turns, whose words are compared."""
        return (" ".join(sample.sources),)

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary, whose reporting verbs are English."""
        return (sample.prediction,)

    def score(self, samples: Sequence[Sample]) -> list[MisattributionRow]:
        """Return a row for each sample, with one judgement per claim and turn."""
        ready = [sample for sample in samples if _skipped(sample) is None]
        rosters = [self._roster(sample.speakers, tuple(sorted(sample.aliases.items()))) for sample in ready]
        found = [extract_claims(sample.prediction, roster) for sample, roster in zip(ready, rosters, strict=True)]
        claims = [claim for each in found for claim in each.claims]
        meetings = [
            (sample.sources, sample.values, roster, claim.speaker)
            for sample, roster, each in zip(ready, rosters, found, strict=True)
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
        rows = (
            self._row(sample, each, list(islice(judged, len(each.claims))))
            for sample, each in zip(ready, found, strict=True)
        )
        return [
            next(rows) if (reason := _skipped(sample)) is None else MisattributionRow(sample.index, skipped=reason)
            for sample in samples
        ]

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


def _skipped(sample: Sample) -> str | None:
    if not sample.prediction.strip():
        return "empty_prediction"
    return "single_speaker" if len(sample.speakers) < 2 else None


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


def _mapping(where: str, name: str, given: object, example: str) -> Mapping[Any, Any]:
    if is_missing(given):
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: {name} must be a mapping such as {example}, found {describe(given)}")
    return given


def _checked_aliases(where: str, aliases: object) -> dict[str, tuple[str, ...]]:
    """Check a mapping from speakers to further names."""
    example = '{"Ms Smith": ["the chair"]}'
    checked = {}
    for speaker, names in _mapping(where, "aliases", aliases, example).items():
        is_list = isinstance(names, (list, tuple, np.ndarray)) and all(isinstance(name, str) for name in names)
        if not isinstance(speaker, str) or not is_list:
            raise InputError(
                f"{where}: aliases[{speaker!r}] must be a list of names, as in {example}, found {describe(names)}"
            )
        checked[as_label(speaker) or speaker] = tuple(map(str, names))
    return checked


def _checked_groups(where: str, groups: object) -> dict[str, dict[str, str]]:
    """Check a mapping from attributes to mappings from speakers to groups."""
    example = '{"party": {"Ms Smith": "Labour"}}'
    checked: dict[str, dict[str, str]] = {}
    for attribute, of_speaker in _mapping(where, "speaker_groups", groups, example).items():
        if not isinstance(attribute, str) or not isinstance(of_speaker, Mapping):
            raise InputError(
                f"{where}: speaker_groups[{attribute!r}] must map speakers to groups, as in {example}, found "
                f"{describe(of_speaker)}"
            )
        checked[attribute] = {}
        for speaker, group in of_speaker.items():
            label = as_label(group)
            if is_missing(group):  # a speaker without a group
                continue
            if not isinstance(speaker, str) or label is None:
                raise InputError(
                    f"{where}: speaker_groups[{attribute!r}][{speaker!r}] must be a group name, found {describe(group)}"
                )
            checked[attribute][as_label(speaker) or speaker] = label
    return checked


def check_row(module: str, index: int, row: Mapping[str, Any]) -> None:
    """Check the summary, turns, speakers, names and groups of a sample."""
    check_sample(module, index, row["predictions"], row["sources"], row["values"])
    _checked_aliases(f"{module}: sample {index}", row.get("aliases"))
    _checked_groups(f"{module}: sample {index}", row.get("speaker_groups"))


make_scorer = MisattributionScorer
