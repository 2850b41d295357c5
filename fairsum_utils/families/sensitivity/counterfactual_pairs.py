"""Counterfactual pairs: the metrics of langfair over pairs of summaries, whose inputs differ in their variant only."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from importlib.metadata import version
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.langfair import Tokenizer, neutralized, nltk_tokenizer, rouge_tokens
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.sensitivity.tally import Tally, named, too_many
from fairsum_utils.families.sensitivity.texts import count_unread
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.counterfactual_pairs import (
    bleu,
    counterfactual_pairs,
    rouge_l,
    strict_parity,
    weak_parity,
)
from fairsum_utils.stats.arrays import Floats, quotient
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.text.punkt import word_tokenize
from fairsum_utils.text.vader import analyzer

_PARITIES = ("strict", "weak")
_STEPS = 1000
"""Parts of one to which VADER rounds its scores."""
_ALONE = "{} scored summaries have no counterpart in another variant, and are left out"
_OFFLINE = "mode='rouge_l'"

_Pair = tuple[str, str]


class _Matched(NamedTuple):
    """Summaries of two variants of an original that belong together.

    Attributes:
        original: its place.
        pair: the variants, in alphabetical order.
        first: the sample of the first.
        second: the sample of the other.
    """

    original: int
    pair: _Pair
    first: int
    second: int


class CounterfactualPairs(Tally):
    """The similarity of pairs, or the parity of their sentiment, of each two variants."""

    measure = "counterfactual_pairs"
    interval = "corrected"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"langfair": (-1.0, 1.0)}
    compared_types: ClassVar[Mapping[str, Any]] = {"dissimilarity": float | None}
    recorded = tuple(compared_types)
    wordless = "{} scored summaries hold no letter and no digit, of which ROUGE and VADER read nothing"
    foreign = "ROUGE reads the letters a to z only, VADER and the words of a gender English only"

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Tell whether embeddings are compared."""
        return settings.mode == "cosine"

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Name what the mode depends on; other keys are None."""
        settings = scorer.settings
        of_words, of_sentiment = settings.mode in ("rouge_l", "bleu"), settings.mode in _PARITIES
        is_cut = settings.mode == "bleu" or (of_words and settings.masked)
        return {
            "mode": f"cosine({scorer.embedder(_OFFLINE).name})" if settings.mode == "cosine" else settings.mode,
            "masked": settings.masked if of_words else None,
            "tokenizer": _tokenizer(scorer)[1] if is_cut else None,
            "vader": version("vaderSentiment") if of_sentiment else None,
            "sentiment": settings.sentiment_score if of_sentiment else None,
            "threshold": settings.threshold if settings.mode == "weak" else None,
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the dissimilarities of pairs, or the sentiment of their texts."""
        matched, n_alone = _matched(originals)
        sums.counts[(cls.name("alone"),)] = n_alone
        settings = scorer.settings
        if settings.mode != "cosine":
            texts: list[str] = originals.entries("text", cls.measure)
            count_unread(sums, cls.name, texts, texts)
        sums.counts[(cls.name("paired"),)] = len({each.original for each in matched})
        found: defaultdict[Key, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
        scores = cls._scores(originals, matched, scorer)
        for each, (first, second) in zip(matched, scores, strict=True):
            numbers: dict[Key, float] = {("pairs", *each.pair): 1.0}
            if settings.mode == "strict":
                if first != second:
                    for score, sign in ((first, 1.0), (second, -1.0)):
                        key: Key = ("scores", *each.pair, str(round(score * _STEPS)))
                        numbers[key] = numbers.get(key, 0.0) + sign
            elif settings.mode == "weak":
                numbers["above", *each.pair] = float(first > settings.threshold)
                numbers["others", *each.pair] = float(second > settings.threshold)
            else:
                numbers["total", *each.pair] = first - second
            for (kind, *of), number in numbers.items():
                found[cls.name(kind), *of][each.original] += number
        for key, by_original in found.items():
            sums.put(key, list(by_original.values()), np.array(list(by_original), dtype=np.int64))
        return {}

    @classmethod
    def _scores(
        cls, originals: Originals, matched: Sequence[_Matched], scorer: SensitivityScorer
    ) -> list[tuple[float, float]]:
        """Give the sentiment of both texts of each pair; or 1 and their similarity."""
        texts: list[str] = originals.entries("text", cls.measure)
        settings = scorer.settings
        if settings.mode in _PARITIES:
            score = {
                text: float(analyzer().polarity_scores(text)[settings.sentiment_score]) for text in dict.fromkeys(texts)
            }
            return [(score[texts[each.first]], score[texts[each.second]]) for each in matched]
        if settings.mode == "cosine":
            vectors = scorer.embedder(_OFFLINE).embed(texts).astype(np.float64) if texts else np.empty((0, 1))
            lengths = np.linalg.norm(vectors, axis=1)
            places = np.array([(each.first, each.second) for each in matched], dtype=np.intp).reshape(-1, 2).T
            dots = np.einsum("pd,pd->p", vectors[places[0]], vectors[places[1]])
            return [(1.0, cosine) for cosine in quotient(dots, lengths[places[0]] * lengths[places[1]]).tolist()]
        alike = _likeness(scorer)
        return [(1.0, alike(texts[each.first], texts[each.second])) for each in matched]

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn also of summaries without a counterpart."""
        alone = WarningRecord.of("alone", sums.counts[(cls.name("alone"),)], sums.n_samples, _ALONE)
        return alone + super().warnings_of(sums)

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Average how unlike its counterparts each summary is: 1 - similarity, or the distance of sentiment."""
        matched, _ = _matched(originals)
        found: list[list[float]] = [[] for _ in range(len(originals))]
        for each, (first, second) in zip(matched, cls._scores(originals, matched, scorer), strict=True):
            for sample in (each.first, each.second):
                found[sample].append(abs(first - second))
        return [{"dissimilarity": math.fsum(own) / len(own) if own else None} for own in found]

    @cached_property
    def pairs(self) -> list[_Pair]:  # noqa: D102
        return [pair for pair in combinations(self.variants, 2) if self.total("pairs", *pair)]

    @cached_property
    def scores(self) -> dict[_Pair, list[int]]:
        """The sentiments that texts of each pair have, in parts of one; of strict parity."""
        own = [key for key in self.sums.columns if key[0] == self.name("scores")]
        return {pair: sorted(int(key[3]) for key in own if key[1:3] == pair) for pair in self.pairs}

    @property
    def n_articles_scored(self) -> int:
        """Originals that have a pair."""
        return self.count("paired")

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return len(self.pairs)

    @property
    def within(self) -> bool:
        """False: each summary is held against one of another input, and cannot be drawn singly."""
        return False

    def _keys(self) -> list[Key]:
        kinds = {"strict": (), "weak": ("above", "others")}.get(self.settings.mode, ("total",))
        scores = [
            (self.name("scores"), *pair, str(score))
            for pair, of_pair in self.scores.items()
            for score in (of_pair if self.settings.mode == "strict" else ())
        ]
        return [*((self.name(kind), *pair) for kind in ("pairs", *kinds) for pair in self.pairs), *scores]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``, the largest over pairs of variants; ``by_pair``; and ``langfair``, with langfair's own sign."""
        n_pairs = len(self.pairs)
        n, rest = sums[..., :n_pairs], sums[..., n_pairs:]
        if self.settings.mode == "strict":
            bounds = np.cumsum([len(of_pair) for of_pair in self.scores.values()])[:-1]
            parts = zip(np.split(rest, bounds, axis=-1), self.scores.values(), strict=True) if n_pairs else ()
            totals = [strict_parity(part, np.array(of_pair) / _STEPS) for part, of_pair in parts]
            langfair = by_pair = counterfactual_pairs(np.stack(totals, axis=-1) if totals else rest, n)
        elif self.settings.mode == "weak":
            langfair = quotient(weak_parity(*np.split(rest, 2, axis=-1)), n)
            by_pair = np.abs(langfair)
        else:
            by_pair = counterfactual_pairs(rest, n)
            langfair = 1 - by_pair
        largest = by_pair.max(-1) if n_pairs else np.full(sums.shape[:-1], np.nan)
        return {"score": largest, "by_pair": by_pair, "langfair": langfair}

    def sizes(self) -> Mapping[str, Sequence[float]]:
        """Originals that have summaries of both variants of a pair."""
        n = [int(np.count_nonzero(self.sums.by_unit((self.name("pairs"), *pair)))) for pair in self.pairs]
        return {"by_pair": n, "langfair": n}

    def details(self, figures: Figures) -> dict[str, Any]:
        """The pairs of variants, and which of them decides."""
        pairs = [
            {
                **named(pair),
                **figures.entry("by_pair", place, "dissimilarity", "dissimilarity_"),
                **figures.entry("langfair", place, "langfair", "langfair_"),
                "n_pairs": int(self.total("pairs", *pair)),
            }
            for place, pair in enumerate(self.pairs)
        ]
        worst = int(figures.statistics["by_pair"].argmax()) if pairs else None
        return {
            "langfair": math.nan if worst is None else pairs[worst]["langfair"],
            "pairs": pairs,
            "n_pairs": sum(pair["n_pairs"] for pair in pairs),
            "n_without_counterpart": self.count("alone"),
        }

    def _undefined(self) -> str:
        """Explain why there is no score."""
        missing = "no original has summaries of two variants with the same control edit and replicate"
        return self.lacks_variants() or missing


def _matched(originals: Originals) -> tuple[list[_Matched], int]:
    """The pairs of samples, and how many samples have no counterpart in any other variant.

    A sample's counterpart has the same original, control edit and replicate; without replicates, the same place among
    the summaries of its input.
    """
    names, n = originals.variants, len(originals)
    controls, replicates = originals.column("control"), originals.column("replicate")
    place_of: dict[int, int] = {}
    known: dict[tuple[int, str, str | int], dict[int, int]] = {}
    for sample in range(n):
        own = int(originals.inputs[sample])
        place = place_of[own] = place_of.get(own, -1) + 1
        replicate = replicates[sample]
        key = int(originals.clusters[sample]), controls[sample], place if replicate is None else replicate
        known.setdefault(key, {}).setdefault(int(originals.input_variant[own]), sample)
    if too_many(names):
        return [], n
    matched = [
        _Matched(key[0], (names[a], names[b]), by_variant[a], by_variant[b])
        for key, by_variant in known.items()
        for a, b in combinations(sorted(by_variant), 2)
    ]
    return matched, n - len({sample for each in matched for sample in (each.first, each.second)})


def _tokenizer(scorer: SensitivityScorer) -> tuple[Tokenizer, str]:
    """Find the tokenizer, and its name in signatures."""
    if scorer.settings.tokenizer == "own":
        return word_tokenize, "own"
    tokenizer, number = scorer.held("tokenizer", lambda: nltk_tokenizer(scorer.module))
    return tokenizer, f"nltk@{number}"


def _likeness(scorer: SensitivityScorer) -> Callable[[str, str], float]:
    """ROUGE-L or BLEU of two texts."""
    settings = scorer.settings
    by_bleu = settings.mode == "bleu"
    tokenizer = _tokenizer(scorer)[0] if by_bleu or settings.masked else word_tokenize
    mask = partial(neutralized, tokenizer=tokenizer) if settings.masked else str
    compare = bleu if by_bleu else rouge_l
    kept: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        if text not in kept:
            masked = mask(text)
            kept[text] = tokenizer(masked.lower()) if by_bleu else rouge_tokens(masked)
        return kept[text]

    return lambda first, second: compare(tokens(first), tokens(second))


TALLY = CounterfactualPairs
