"""Counterfactual pairs: LangFair's metrics on pairs of summaries of different variants."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib.metadata import version
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.sensitivity.langfair import Tokenizer, neutralized, nltk_tokenizer, rouge_tokens
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.sensitivity.tally import Pair, Tally, named, too_many
from fairsum_utils.families.sensitivity.texts import count_unread
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import counterfactual_pairs as formulas
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.text.punkt import word_tokenize
from fairsum_utils.text.vader import analyzer

_PARITIES = ("strict", "weak")
# Parts of one to which VADER rounds its scores.
_STEPS = 1000
_ALONE = "{} scored summaries have no counterpart in another variant and were left out"
_OFFLINE = "mode='rouge_l'"

# Mode of parity -> kinds of its columns besides the pairs; other modes have "total".
_COLUMNS = {"strict": (), "weak": ("above", "others")}


def _matched(originals: Originals) -> dict[Pair, Integers]:
    """Pair the summaries of each two variants: positions of the samples, shape (n, 2).

    A sample's counterpart has the same original, control edit and replicate; without replicates, the same place among
    the summaries of its input.
    """
    names, replicates, places = originals.variants, originals.column("replicate"), Counter[int]()
    if too_many(names):
        return {}
    known: dict[tuple[int, str, str | int], dict[int, int]] = {}
    for sample, own in enumerate(originals.inputs.tolist()):
        replicate = places[own] if replicates[sample] is None else replicates[sample]
        places[own] += 1
        key = int(originals.clusters[sample]), originals.input_control[own], replicate
        known.setdefault(key, {}).setdefault(int(originals.input_variant[own]), sample)
    found: defaultdict[Pair, list[tuple[int, int]]] = defaultdict(list)
    for by_variant in known.values():
        for a, b in combinations(sorted(by_variant), 2):
            found[names[a], names[b]].append((by_variant[a], by_variant[b]))
    return {pair: np.array(matched, dtype=np.int64) for pair, matched in found.items()}


class CounterfactualPairs(Tally):
    """Similarity or sentiment parity of summary pairs, by pair of variants."""

    measure = "counterfactual_pairs"
    interval = "corrected"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"langfair": (-1.0, 1.0)}
    compared_types: ClassVar[Mapping[str, Any]] = {"dissimilarity": float | None}
    recorded = tuple(compared_types)
    wordless = "{} scored summaries contain no letter or digit, so ROUGE and VADER cannot score them"
    foreign = "ROUGE reads only the letters a to z, and VADER and the gendered words are English"

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Check whether embeddings are compared."""
        return settings.mode == "cosine"

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return the settings of the mode; other keys are None."""
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
        """Add the dissimilarity or the sentiment of pairs to the sums."""
        matched, settings = _matched(originals), scorer.settings
        places = np.concatenate([np.empty((0, 2), dtype=np.int64), *matched.values()])
        sums.counts[(cls.name("alone"),)] = len(originals) - len(np.unique(places))
        if settings.mode != "cosine":
            texts: list[str] = originals.entries("text", cls.measure)
            count_unread(sums, cls.name, texts, texts)
        sums.counts[(cls.name("paired"),)] = len(np.unique(originals.clusters[places[:, 0]]))
        score = cls._scores(originals, scorer)
        for pair, of_pair in matched.items():
            owners = originals.clusters[of_pair[:, 0]]
            for (kind, *of), there, numbers in _numbers(settings, *score(of_pair)):
                known, inverse = np.unique(owners[there], return_inverse=True)
                sums.put((cls.name(kind), *pair, *of), np.bincount(inverse, numbers), known)
        return {}

    @classmethod
    def _scores(cls, originals: Originals, scorer: SensitivityScorer) -> Callable[[Integers], tuple[Floats, Floats]]:
        """Compute the sentiment of both texts of pairs; or 1 and their similarity."""
        texts: list[str] = originals.entries("text", cls.measure)
        settings = scorer.settings
        if settings.mode in _PARITIES:
            score = {
                text: float(analyzer().polarity_scores(text)[settings.sentiment_score]) for text in dict.fromkeys(texts)
            }
            sentiments = np.array([score[text] for text in texts])
            return lambda places: (sentiments[places[:, 0]], sentiments[places[:, 1]])
        if settings.mode == "cosine":
            vectors = scorer.embedder(_OFFLINE).embed(texts).astype(np.float64) if texts else np.empty((0, 1))
            lengths = np.linalg.norm(vectors, axis=1)

            def cosines(places: Integers) -> tuple[Floats, Floats]:
                first, second = places.T
                dots = np.einsum("pd,pd->p", vectors[first], vectors[second])
                return np.ones(len(places)), quotient(dots, lengths[first] * lengths[second])

            return cosines
        alike = _likeness(scorer)
        return lambda places: (
            np.ones(len(places)),
            np.array([alike(texts[first], texts[second]) for first, second in places.tolist()]),
        )

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn also about summaries without a counterpart."""
        alone = WarningRecord.of("alone", sums.counts[(cls.name("alone"),)], sums.n_samples, _ALONE)
        return alone + super().warnings_of(sums)

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """Average the dissimilarity of each summary and its counterparts."""
        score = cls._scores(originals, scorer)
        found: list[list[float]] = [[] for _ in range(len(originals))]
        for places in _matched(originals).values():
            first, second = score(places)
            for samples, apart in zip(places.tolist(), np.abs(first - second).tolist(), strict=True):
                for sample in samples:
                    found[sample].append(apart)
        return [{"dissimilarity": math.fsum(own) / len(own) if own else None} for own in found]

    @cached_property
    def pairs(self) -> list[Pair]:  # noqa: D102
        return self.pairs_with("pairs")

    @cached_property
    def scores(self) -> list[list[tuple[str, ...]]]:
        """Return the sentiment columns of each pair, for strict parity."""
        own = [key[1:] for key in self.sums.columns if key[0] == self.name("scores")]
        return [sorted((of for of in own if of[:2] == pair), key=lambda of: int(of[2])) for pair in self.pairs]

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with a pair."""
        return self.count("paired")

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return len(self.pairs)

    @property
    def within(self) -> bool:
        """Return False: a summary is compared with another input's and cannot be redrawn alone."""
        return False

    def columns(self) -> dict[str, Sequence[tuple[str, ...]]]:
        """Return the columns: pairs of texts, and the sums of the mode."""
        found = dict.fromkeys(("pairs", *_COLUMNS.get(self.settings.mode, ("total",))), self.pairs)
        return {**found, "scores": list(chain(*self.scores)) if self.settings.mode == "strict" else []}

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute ``score``, the maximum over pairs; ``by_pair``; and ``langfair`` with LangFair's sign."""
        found = self.split(sums)
        n = found["pairs"]
        if self.settings.mode == "weak":
            langfair = quotient(formulas.weak_parity(found["above"], found["others"]), n)
            by_pair = np.abs(langfair)
        elif self.settings.mode == "strict":
            langfair = by_pair = formulas.counterfactual_pairs(self._strict_parities(found["scores"]), n)
        else:
            by_pair = formulas.counterfactual_pairs(found["total"], n)
            langfair = 1 - by_pair
        largest = by_pair.max(-1) if self.pairs else np.full(sums.shape[:-1], np.nan)
        return {"score": largest, "by_pair": by_pair, "langfair": langfair}

    def _strict_parities(self, sums: Floats) -> Floats:
        if not self.pairs:
            return sums
        parts = np.split(sums, np.cumsum(list(map(len, self.scores)))[:-1], axis=-1)
        values = [np.array([int(of[2]) for of in own]) / _STEPS for own in self.scores]
        return np.stack(list(map(formulas.strict_parity, parts, values)), axis=-1)

    def sizes(self) -> Mapping[str, Sequence[float]]:
        """Return the originals with summaries of both variants of a pair."""
        n = [int(np.count_nonzero(self.sums.by_unit((self.name("pairs"), *pair)))) for pair in self.pairs]
        return {"by_pair": n, "langfair": n}

    def details(self, figures: Figures) -> dict[str, Any]:
        """Return the pairs of variants and the decisive one."""
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
        missing = "no original has summaries of two variants with the same control edit and replicate"
        return self.lacks_variants() or missing


def _numbers(
    settings: SensitivitySettings, first: Floats, second: Floats
) -> Iterator[tuple[tuple[str, ...], Bools, Floats]]:
    """Yield the columns of a pair of variants: key, mask and numbers."""
    every = np.ones(len(first), dtype=np.bool_)
    yield ("pairs",), every, np.ones(len(first))
    if settings.mode == "weak":
        for kind, scores in (("above", first), ("others", second)):
            yield (kind,), every, (scores > settings.threshold).astype(np.float64)
    elif settings.mode != "strict":
        yield ("total",), every, first - second
    else:
        steps = np.rint(np.stack([first, second]) * _STEPS).astype(np.int64)
        for score in np.unique(steps[:, first != second]).tolist():
            one, other = (steps == score) & (first != second)
            yield ("scores", str(score)), one | other, (one.astype(np.float64) - other)[one | other]


def _tokenizer(scorer: SensitivityScorer) -> tuple[Tokenizer, str]:
    """Return the tokenizer and its name in signatures."""
    if scorer.settings.tokenizer == "own":
        return word_tokenize, "own"
    tokenizer, number = scorer.held("tokenizer", lambda: nltk_tokenizer(scorer.module))
    return tokenizer, f"nltk@{number}"


def _likeness(scorer: SensitivityScorer) -> Callable[[str, str], float]:
    """Compute ROUGE-L or BLEU of two texts."""
    settings = scorer.settings
    by_bleu = settings.mode == "bleu"
    tokenizer = _tokenizer(scorer)[0] if by_bleu or settings.masked else word_tokenize
    mask = partial(neutralized, tokenizer=tokenizer) if settings.masked else str
    compare = formulas.bleu if by_bleu else formulas.rouge_l
    kept: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        if text not in kept:
            masked = mask(text)
            kept[text] = tokenizer(masked.lower()) if by_bleu else rouge_tokens(masked)
        return kept[text]

    return lambda first, second: compare(tokens(first), tokens(second))


TALLY = CounterfactualPairs
