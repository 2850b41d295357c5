"""Scorer: counts the words of summaries and sources by group."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Scorer
from fairsum_utils.families.reading import EMPTY
from fairsum_utils.families.representation.rows import DistributionRow
from fairsum_utils.families.representation.samples import Sample
from fairsum_utils.families.representation.words import (
    Gram,
    Pool,
    check_weights,
    deciding_words,
    gram_text,
    ngram_matches,
    ngrams,
    pool_of,
    softmax_weights,
)
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.signature import render_callable, render_shares
from fairsum_utils.text.languages import check_script, check_sources
from fairsum_utils.text.normalize import get_normalizer

if TYPE_CHECKING:
    from fairsum_utils.families.representation.neural import BARTScore, BERTScore

# Where stop words are a larger share of the words, what decides may be among them, as in "The food was good.".
STOPPED = 0.6
# Joins the texts of one value before they are tokenized, as in the published code.
SEPARATOR = " || "


class _Waiting(NamedTuple):
    """Sample for a model: incomplete row, summary and joined texts of each group."""

    row: DistributionRow
    summary: str
    texts: list[str]


class _Sources(NamedTuple):
    """Word counts of a sample's sources."""

    n_texts: int
    # Value -> its texts.
    joined: dict[str, str]
    # Value -> the tokens of its texts.
    tokens: dict[str, list[str]]
    # Value -> its k-grams, each once.
    known: dict[str, set[Gram]]
    # Value -> the words of its texts, marks between texts included.
    words: dict[str, list[str]]
    # Words to draw random summaries from; None if none are drawn.
    pool: Pool | None


class DistributionScorer(Scorer):
    """Scorer of the representation family.

    A model is loaded when the first sample needs it, and serves all samples until `close`.

    Example:
        >>> scorer = DistributionScorer(("bur",), RepresentationMeasure())
        >>> columns = {"predictions": ["Tasty soup."], "sources": [["Tasty soup!", "Cold soup, slow service."]]}
        >>> [row] = scorer.score(list(scorer.read({**columns, "values": [["pos", "neg"]]})))
        >>> row.values, row.source_tokens, row.target_weights
        (('neg', 'pos'), (4, 2), (1.0, 2.0))
    """

    window = 256
    leaves_out = False

    def __init__(self, measures: Sequence[str], settings: RepresentationMeasure) -> None:
        super().__init__(measures, settings)
        self.settings: RepresentationMeasure = settings
        self.normalizer = get_normalizer(settings)
        self._counted = lru_cache(1)(self._count_sources)  # compared systems share the sources

    @property
    def neural(self) -> BERTScore | BARTScore:
        """Model of a neural matcher, loaded on first use."""
        from fairsum_utils.families.representation.neural import load_matcher

        return self.held("neural", lambda: load_matcher(self.settings))

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the distributions; `tau` and `points` are added later."""
        settings = self.settings
        matched = "target_distributions" not in given
        name: object = settings.matcher
        if callable(name):
            name = render_callable(name)
        is_neural = settings.is_neural and matched
        norm, _, language = self.normalizer.signature.removeprefix("norm:").partition("|lang:")
        target = settings.target
        return {
            "matcher": name if matched else "given",
            **dict.fromkeys(("model", "layers", "rescale", "temp")),
            **({**self.neural.signature, "temp": settings.temperature} if is_neural else {}),
            "k": settings.k if name == "ngram" and matched else None,
            "norm": norm,
            "lang": language or None,
            **dict.fromkeys(("tau", "points")),
            "target": target if isinstance(target, str) else f"custom({render_shares(dict(target))})",
            "empty": settings.empty,
            "unmatched": settings.unmatched,
            "single": None if settings.single_value == "keep" else settings.single_value,
        }

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a sample."""
        sample: Sample = super().checked(index, row)
        self._check_target(index, sample.values)
        unread = check_sources(self.module, index, sample.sources, self.settings.language)
        if self.settings.matcher == "ngram" and sample.weights is None:
            check_script(self.module, index, "the summary", row["predictions"], self.settings.language)
        return replace(sample, unread=True) if unread else sample

    def is_empty(self, sample: Sample) -> bool:
        """Check whether the summary is blank."""
        return sample.prediction is not None and not sample.prediction.strip()

    def why_not(self, sample: Sample) -> None:
        """Return nothing: an empty summary may count, and words decide otherwise."""

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary if it is read as English."""
        return (sample.prediction,) if self.settings.language == "english" and sample.prediction is not None else ()

    def _check_target(self, index: int, values: Sequence[str]) -> None:
        target = self.settings.target
        if not isinstance(target, str) and not target.keys() >= set(values):
            unknown = sorted(set(values) - target.keys())
            raise InputError(
                f"{self.module}: sample {index}: the group {unknown[0]!r} is not in target "
                f"({', '.join(sorted(target))}); give every group a desired share, which may be 0"
            )

    def scored(self, samples: Sequence[Sample]) -> list[DistributionRow]:
        """Return the rows of samples, in time linear in the texts.

        A model gets the texts of all samples in batches of like length, and a text that occurs in several once.
        """
        rows = list(map(self._count, samples))
        if not self.settings.is_neural:
            return rows
        scored = self._score_texts([row for row in rows if isinstance(row, _Waiting)])
        return [next(scored) if isinstance(row, _Waiting) else row for row in rows]

    def _count(self, sample: Sample) -> Any:
        """Return the row of a sample, or the input for the model."""
        counted = self._counted(tuple(sample.sources), tuple(sample.values))
        joined, tokens = counted.joined, counted.tokens
        present = list(filter(tokens.__getitem__, joined))
        is_neural = self.settings.is_neural and sample.weights is None
        row: dict[str, Any] = {"index": sample.index, "scores": () if is_neural else None}
        if skipped := self._skip_reason(sample, present):
            return DistributionRow(**row, skipped=skipped)
        lengths = tuple(map(len, filter(None, tokens.values())))
        row |= {
            "values": tuple(present),
            "source_tokens": lengths,
            "unread": sample.unread,
        }
        if sample.weights is not None:
            return self._matched(row, [sample.weights[value] for value in present])
        if self.is_empty(sample):
            drawn = () if counted.pool is None else counted.pool.draw(0, present, "")
            return self._matched({**row, "empty": True}, [0.0] * len(present), drawn)
        if callable(self.settings.matcher):
            answer = self.settings.matcher([joined[value] for value in present], sample.prediction)
            return self._matched(row, check_weights(self.module, sample.index, answer, len(present)))
        assert sample.prediction is not None  # or the column would have been refused
        if is_neural:
            return _Waiting(DistributionRow(**row), sample.prediction, [joined[value] for value in present])
        return self._match(counted, present, sample.prediction, row)

    def _count_sources(self, sources: Sequence[str], values: Sequence[str]) -> _Sources:
        """Count the sources of a sample."""
        joined: dict[str, str] = {}
        tokens: dict[str, list[str]] = {}
        grams: dict[str, list[Gram]] = {}
        words: dict[str, list[str]] = {}
        for value, places in places_by_value(values).items():
            joined[value] = SEPARATOR.join(map(sources.__getitem__, places))
            tokens[value], words[value] = self.normalizer.counted(joined[value])
            grams[value] = list(ngrams(tokens[value], self.settings.k))
        known = {value: set(of_value) for value, of_value in grams.items()}
        draws = self.settings.at_random and self.settings.matcher == "ngram"
        pool = pool_of(grams, known, sources, values) if draws else None
        return _Sources(len(sources), joined, tokens, known, words, pool)

    def _match(
        self, sources: _Sources, present: Sequence[str], prediction: str, row: dict[str, Any]
    ) -> DistributionRow:
        """Return the row of a sample matched by n-grams."""
        k, (summary, words) = self.settings.k, self.normalizer.counted(prediction)
        n_marks = sources.n_texts - len(sources.joined)  # between texts; they are no words
        n_words = sum(map(len, sources.words.values())) - n_marks
        row["stopped"] = _is_stopped(len(summary), len(words)) or _is_stopped(sum(row["source_tokens"]), n_words)
        drawn = () if sources.pool is None else sources.pool.draw(max(len(summary) - k + 1, 0), present, prediction)
        matches = ngram_matches([sources.known[value] for value in present], list(ngrams(summary, k)))
        weights = [float(len(of_value)) for of_value in matches]
        if self.evidence:
            row["matched"] = tuple(tuple(map(gram_text, of_value)) for of_value in matches)
        if k == 1 and len(sources.joined) > 1 and self.settings.chosen_normalizer != "simple":
            tokens = {value: len(of_value) for value, of_value in sources.tokens.items()}
            given = dict(zip(present, weights, strict=True))
            row["opinions"] = deciding_words(words, sources.words, tokens, given, self.settings)
        return self._matched(row, weights, drawn)

    def _matched(
        self, row: Mapping[str, Any], weights: Sequence[float], at_random: tuple[int, ...] = ()
    ) -> DistributionRow:
        unmatched = not any(weights)
        if unmatched and self.settings.unmatched == "skip":
            return DistributionRow(row["index"], skipped="unmatched")
        return DistributionRow(**row, target_weights=tuple(weights), unmatched=unmatched, at_random=at_random)

    def _score_texts(self, waiting: Sequence[_Waiting]) -> Iterator[DistributionRow]:
        """Score samples with the model in one run."""
        outcome = self.neural.run([(text, sample.summary) for sample in waiting for text in sample.texts])
        places = iter(zip(outcome.values[:, 0].tolist(), outcome.cut.tolist(), strict=True))
        for row, _, texts in waiting:
            scores, cut = zip(*islice(places, len(texts)), strict=True)
            for value, score in zip(row.values, scores, strict=True):
                if not math.isfinite(score):
                    raise InputError(
                        f"{self.module}: sample {row.index}: {self.settings.matcher} of the group {value!r} is {score} "
                        'with this model; use dtype="float32" to avoid overflow'
                    )
            yield replace(
                row,
                target_weights=tuple(softmax_weights(scores, self.settings.temperature)),
                scores=scores,
                truncated=sum(map(bool, cut)),
            )

    def _skip_reason(self, sample: Sample, present: Sequence[str]) -> str | None:
        if self.is_empty(sample) and self.settings.empty == "skip":
            return EMPTY
        if not present:
            return "no_source_tokens"
        target = self.settings.target
        if not isinstance(target, str) and not any(target[value] for value in present):
            return "no_target_share"
        if len(present) == 1 and self.settings.single_value == "skip":
            return "single_value"
        return None


def places_by_value(values: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of each group's texts, groups sorted.

    Example:
        >>> places_by_value(["pos", "neg", "pos"])
        {'neg': [1], 'pos': [0, 2]}
    """
    places: dict[str, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    return dict(sorted(places.items()))


def _is_stopped(n_tokens: int, n_words: int) -> bool:
    """Check whether more than `STOPPED` of the words are stop words."""
    return n_words - n_tokens > STOPPED * n_words


make_scorer = DistributionScorer
