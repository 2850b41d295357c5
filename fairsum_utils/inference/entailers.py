"""Entailers: a model, your own function, or shared words."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product, tee
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.settings.models import NLI_MODEL, SENTENCE_MODEL, EntailerSettings, InferenceSettings
from fairsum_utils.signature import render_callable
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.text.normalize import Normalizer, get_normalizer
from fairsum_utils.validation import check_returned, describe

EntailmentFunction: TypeAlias = Callable[[list[str], list[str]], Sequence[float]]
"""(premises, hypotheses) -> one probability of entailment in [0, 1] for each pair."""

Pair = tuple[str, str]
Grid: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""Premises and hypotheses that are all judged with each other."""

# Pairs that are in memory at a time
_TOGETHER = 1 << 15

# A multilingual model, for messages.
MULTILINGUAL_MODEL = "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli"

_IDENTITY = "The staff was friendly and the soup was hot."


class Judgement(NamedTuple):
    """Judgement of an entailer on pairs of a premise and a hypothesis.

    Attributes:
        probability: probability of entailment, shape (n,), in [0, 1]; NaN if the hypothesis has no content.
        likeliest: shape (n,), True if entailment is the likeliest of the entailer's classes.
        cut: shape (n,), tokens of each pair that the entailer did not read.
    """

    probability: Floats
    likeliest: Bools
    cut: Integers

    def part(self, start: int, stop: int) -> Judgement:
        """Return the judgements of some pairs."""
        return Judgement(self.probability[start:stop], self.likeliest[start:stop], self.cut[start:stop])

    def arranged(self, n_premises: int, n_hypotheses: int) -> Judgement:
        """Arrange the judgements of a grid, shape (premises, hypotheses)."""
        shape = n_premises, n_hypotheses
        return Judgement(self.probability.reshape(shape), self.likeliest.reshape(shape), self.cut.reshape(shape))


def joined(parts: Sequence[Judgement]) -> Judgement:
    """Join judgements in order."""
    probability, likeliest, cut = map(np.concatenate, zip(*parts, strict=True))
    return Judgement(probability, likeliest, cut)


NOTHING = Judgement(np.empty(0), np.empty(0, dtype=np.bool_), np.empty(0, dtype=np.int64))


class Entailer(ABC):
    """Interface of entailers."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return a name for the signature that identifies this entailer."""

    @abstractmethod
    def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Judge pairs of (premise, hypothesis)."""

    def judge_many(self, pairs: Iterable[Pair]) -> Judgement:
        """Judge any number of pairs in blocks of `_TOGETHER`."""
        return joined([NOTHING, *self._blocks(iter(pairs))])

    def _blocks(self, pairs: Iterator[Pair]) -> Iterator[Judgement]:
        while block := list(islice(pairs, _TOGETHER)):
            yield self.judge(block)

    def judge_grids(self, grids: Iterable[Grid]) -> Iterator[Judgement]:
        """Judge each premise of a grid with each of its hypotheses.

        Only `_TOGETHER` pairs and the judgements of one grid are in memory at a time.

        Args:
            grids: distinct premises and hypotheses of each grid.

        Yields:
            The judgements of each grid, shape (premises, hypotheses).
        """
        first, second = tee(grids)
        blocks = self._blocks(chain.from_iterable(product(*grid) for grid in first))
        waiting = NOTHING
        for premises, hypotheses in second:
            n = len(premises) * len(hypotheses)
            parts, n_waiting = [waiting], len(waiting.cut)
            while n_waiting < n:
                parts.append(next(blocks))
                n_waiting += len(parts[-1].cut)
            together = joined(parts)
            waiting = together.part(n, n_waiting)
            yield together.part(0, n).arranged(len(premises), len(hypotheses))

    def close(self) -> None:  # noqa: B027 (most have nothing)
        """Release models and memory."""


class LexicalEntailer(Entailer):
    """Share of the hypothesis' content tokens found in the premise.

    It compares words, not meaning: a negation entails the denied statement. A hypothesis without content tokens gets
    NaN.

    Args:
        normalizer: normalizer of both texts; None for the published one, for English.

    Example:
        >>> LexicalEntailer().judge([("Great soup, cold bread.", "The soup was hot.")]).probability.tolist()
        [0.5]
    """

    def __init__(self, normalizer: Normalizer | None = None) -> None:
        self._normalizer = normalizer or get_normalizer()

    @property
    def name(self) -> str:
        """Description such as ``lexical(fairsumm)``."""
        return f"lexical({self._normalizer.signature.removeprefix('norm:').replace('|lang:', ' ')})"

    def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Judge pairs; each distinct text is tokenized once."""
        premises, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        tokens = {hypothesis: self._normalizer.tokens(hypothesis) for hypothesis in set(hypotheses)}
        known = {premise: frozenset(self._normalizer.tokens(premise)) for premise in set(premises)}
        shares = np.array(
            list(map(_share_known, map(tokens.__getitem__, hypotheses), map(known.__getitem__, premises)))
        )
        return Judgement(shares, shares > 0.5, np.zeros(len(pairs), dtype=np.int64))

    def judge_grids(self, grids: Iterable[Grid]) -> Iterator[Judgement]:
        """Judge grids by counting the tokens that premises and hypotheses share."""
        for premises, hypotheses in grids:
            tokens = list(map(self._normalizer.tokens, hypotheses))
            numbers = {token: number for number, token in enumerate(dict.fromkeys(chain.from_iterable(tokens)))}
            held = [numbers.keys() & self._normalizer.tokens(premise) for premise in premises]
            counts = _counted(tokens, numbers).T
            with np.errstate(invalid="ignore"):  # kernels of BLAS read beside the counts, which are finite
                shares = (_counted(held, numbers) @ counts).astype(np.float64)
            shares /= np.array([len(each) or np.nan for each in tokens])
            yield Judgement(shares, shares > 0.5, np.zeros(shares.shape, dtype=np.int64))


def _counted(tokens: Sequence[Collection[str]], numbers: Mapping[str, int]) -> npt.NDArray[np.float32]:
    """Count the tokens of each text, shape (texts, distinct tokens)."""
    rows = np.repeat(np.arange(len(tokens)), list(map(len, tokens)))
    columns = np.fromiter(map(numbers.__getitem__, chain.from_iterable(tokens)), dtype=np.int64)
    cells = np.bincount(rows * len(numbers) + columns, minlength=len(tokens) * len(numbers))
    return cells.reshape(len(tokens), len(numbers)).astype(np.float32)


def _share_known(tokens: list[str], known: frozenset[str]) -> float:
    return sum(map(known.__contains__, tokens)) / len(tokens) if tokens else np.nan


class CallableEntailer(Entailer):
    """A function of the caller's.

    Args:
        function: see `EntailmentFunction`.
        module: name used in messages.
    """

    def __init__(self, function: EntailmentFunction, *, module: str = "coverage") -> None:
        self._function = function
        self._module = module

    @property
    def name(self) -> str:
        """Description such as ``callable(my_entailer)``."""
        return render_callable(self._function)

    def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Judge pairs.

        Raises:
            InputError: the function did not return one number in [0, 1] for each pair.
        """
        premises, hypotheses = [premise for premise, _ in pairs], [hypothesis for _, hypothesis in pairs]
        returned = self._function(premises, hypotheses)
        where, advice = f"{self._module}: the entailer {self.name}", "probabilities of entailment lie in [0, 1]"
        what = "probabilities, one per pair"
        probability = np.array(check_returned(where, returned, premises, what, advice, limits=(0, 1)))
        return Judgement(probability, probability > 0.5, np.zeros(len(pairs), dtype=np.int64))


class EmbeddingEntailer(Entailer):
    """Cosine similarity of sentence embeddings, at least 0.

    It sees topic and wording, not logic: a sentence and its negation are similar.

    Args:
        model: id on the Hub, or a folder.
        revision: branch, tag or commit on the Hub.
        settings: options of the run.
    """

    def __init__(
        self, model: str | Path = SENTENCE_MODEL, *, revision: str | None, settings: InferenceSettings
    ) -> None:
        from fairsum_utils.inference.sentences import SentenceEmbedder

        self.embedder = SentenceEmbedder(model, revision=revision, settings=settings, offline='entailer="lexical"')

    @property
    def name(self) -> str:
        """Description such as ``embeddings(sentence-transformers/all-MiniLM-L6-v2@c9745ed1d9f2)``."""
        return f"embeddings({self.embedder.name})"

    def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Judge pairs; each distinct text is embedded once."""
        if not len(pairs):
            return NOTHING
        places = {text: place for place, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
        vectors, cut = self.embedder.run([(text,) for text in places])
        lengths = np.linalg.norm(vectors, axis=1)
        vectors = vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
        premises, hypotheses = (np.array([places[pair[side]] for pair in pairs]) for side in (0, 1))
        blocks = (slice(start, start + _TOGETHER) for start in range(0, len(pairs), _TOGETHER))
        products = [(vectors[premises[block]] * vectors[hypotheses[block]]).sum(axis=1) for block in blocks]
        similarity = np.clip(np.concatenate(products), 0.0, 1.0)
        return Judgement(similarity, similarity > 0.5, cut[premises] + cut[hypotheses])

    def close(self) -> None:
        """Release the model."""
        self.embedder.close()


class NLIEntailer(Entailer):
    """A sequence-classification model of natural language inference.

    Args:
        model: id on the Hub, or a folder.
        revision: branch, tag or commit on the Hub.
        label: the model's label that means entailment; None reads it from the model's configuration.
        settings: options of the run.
        offline: alternative without a model, for the message when this one is unavailable.

    Raises:
        InputError: the model cannot be had, no label of it is called entailment, or it does not find that a sentence
            entails itself, which fails for a model with wrong labels.
    """

    def __init__(
        self,
        model: str | Path = NLI_MODEL,
        *,
        revision: str | None = None,
        label: str | None = None,
        settings: InferenceSettings | None = None,
        offline: str = 'entailer="lexical"',
    ) -> None:
        from fairsum_utils.inference.tasks import SequenceClassifier

        self._settings = settings or InferenceSettings.make({}, module="coverage")
        self.classifier = SequenceClassifier(model, revision=revision, settings=self._settings, offline=offline)
        self._column = self.classifier.column_of(label or "entailment", "entailment_label")
        self._check_identity(given=label is not None)

    @property
    def name(self) -> str:
        """Description such as ``FacebookAI/roberta-large-mnli@2a8f12d27941``."""
        return self.classifier.name

    def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Judge pairs, computing and caching each distinct pair once."""
        values, cut = self.classifier.run(pairs)
        if not len(pairs):
            return NOTHING
        probability = values[:, self._column]
        others = np.delete(values, self._column, axis=1)
        return Judgement(probability, probability > others.max(axis=1, initial=-np.inf), cut)

    def close(self) -> None:
        """Release the model."""
        self.classifier.close()

    def _check_identity(self, *, given: bool) -> None:
        judgement = self.judge([(_IDENTITY, _IDENTITY)])
        if judgement.likeliest[0]:
            return
        problem = (
            f"{self._settings.module}: {self.name} gives a sentence that entails itself a probability of only "
            f"{judgement.probability[0]:.3f}, and prefers another label"
        )
        if given:
            warnings.warn(f"{problem}; check entailment_label", stacklevel=4)
            return
        raise InputError(
            f"{problem}: it is not a natural language inference model, or its labels are wrong "
            f"({', '.join(self.classifier.labels)}). If the labels are right, name one with entailment_label"
        )


def get_entailer(settings: EntailerSettings) -> Entailer:
    """Return the entailer of the settings with its model loaded.

    Example:
        >>> get_entailer(EntailerSettings(entailer="lexical")).name
        'lexical(fairsumm)'
    """
    entailer = settings.entailer
    if callable(entailer):
        return CallableEntailer(entailer, module=settings.module)
    if entailer == "lexical":
        return LexicalEntailer(get_normalizer(settings))
    if entailer == "embeddings":
        model = settings.sentence_model or SENTENCE_MODEL
        return EmbeddingEntailer(model, revision=settings.revision, settings=settings)
    if entailer == NLI_MODEL and settings.language != "english":
        raise InputError(
            f"{settings.module}: the entailer {NLI_MODEL} supports only English, found language "
            f"{describe(settings.language)}; name a model that was trained on it, such as {MULTILINGUAL_MODEL}, or "
            "choose entailer='lexical'"
        )
    return NLIEntailer(entailer, revision=settings.revision, label=settings.entailment_label, settings=settings)
