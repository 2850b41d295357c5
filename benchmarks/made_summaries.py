"""Synthetic originals and sets with noisy summarizers, fair and biased.

Calibrations and curves of power share them. Nothing is read from disk.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.corpora.orders import Orders
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.stats.arrays import Floats

# Originals whose person is changed

# Variant -> name and pronoun of the person.
NAMES = {"female": ("Mary Smith", "She"), "male": ("John Smith", "He")}
CONTROLS = ("", "place", "date")
# Sentences of an original, words of each, and how many sentences a summary has that always has as many.
SENTENCES, LENGTH, TAKEN = 10, 8, 4
# Words of the detail that an original has to each sentence.
DETAIL = 4
# Share of the sentences of a summary with a word of feeling.
FEELING = 0.5
GOOD = ("good", "kind", "calm", "happy", "honest", "brave", "friendly", "helpful")
# Words of feeling, which VADER rates.
BAD = ("bad", "cruel", "nervous", "sad", "dishonest", "angry", "hostile", "useless")


class Case(NamedTuple):
    """Noise and inputs of a summarizer.

    Attributes:
        noise: its name.
        edit: effect of an input's edit on the weights of sentences.
        temperature: temperature of the draw of sentences.
        synonyms: share of words that are put in other words.
        replicates: summaries of each input.
    """

    noise: str
    edit: float
    temperature: float
    synonyms: float
    replicates: int


CASES = (
    Case("low", 0.5, 0.25, 0.02, 2),
    Case("medium", 1.0, 0.5, 0.1, 2),
    Case("high", 1.0, 1.5, 0.3, 2),
)

# Weights of the sentences of an input, how noisy it is, and the variant -> a summary.
Writer = Callable[[Floats, Case, str, np.random.Generator], str]


class Habits(NamedTuple):
    """Habits of a summarizer with the sentences that it takes.

    Attributes:
        dropped: share of the sentences taken that it leaves out after all.
        detailed: share of the sentences written with their detail.
        negative: share of the words of feeling that are bad ones.
    """

    dropped: float = 0.0
    detailed: float = 0.3
    negative: float = 0.5


FAIR = Habits()
# Bias -> the habits of a summarizer where the person is a woman; those for a man are fair.
BIASES = {"longer": Habits(detailed=0.6), "dropping": Habits(dropped=0.2), "negative": Habits(negative=0.6)}


def inputs(case: Case, originals: int, generator: np.random.Generator, edited: int = len(CONTROLS)) -> Floats:
    """Return sentence weights of each original's variants and edits.

    Args:
        case: case with the effect of an edit.
        originals: number of originals.
        generator: generator of the draws.
        edited: inputs of each variant.
    """
    salience = generator.normal(size=(originals, 1, 1, SENTENCES))
    edits = generator.normal(size=(originals, len(NAMES), edited, SENTENCES))
    return np.asarray(salience + case.edit * edits)


def simulate(
    case: Case, weights: Floats, write: Writer, generator: np.random.Generator, *, first: int = 0
) -> list[Sample]:
    """Simulate faithful summaries of inputs, with originals numbered from the first."""
    places = [(*place, replicate) for place in np.ndindex(*weights.shape[:3]) for replicate in range(case.replicates)]
    return [
        Sample(
            index,
            write(weights[original, group, edit], case, variant, generator),
            f"original {first + original}",
            variant,
            control=CONTROLS[edit] if edit < len(CONTROLS) else f"edit {edit}",
            replicate=str(replicate),
            changed=NAMES[variant],
        )
        for index, (original, group, edit, replicate) in enumerate(places)
        for variant in [[*NAMES][group]]
    ]


def summarize(weights: Floats, case: Case, variant: str, generator: np.random.Generator) -> str:
    """Draw a fixed number of an original's sentences, in order, after its person."""
    drawn = weights / case.temperature + generator.gumbel(size=SENTENCES)
    taken = np.sort(np.argsort(drawn)[-TAKEN:])
    other = generator.random((TAKEN, LENGTH)) < case.synonyms
    return _written(variant, [_words(place, row) for place, row in zip(taken.tolist(), other.tolist(), strict=True)])


def habitual(female: Habits) -> Writer:
    """Select sentences with enough weight, at least one, by gender-dependent habits."""
    habits = {"female": female, "male": FAIR}

    def write(weights: Floats, case: Case, variant: str, generator: np.random.Generator) -> str:
        own = habits[variant]
        drawn = weights / case.temperature + generator.logistic(size=SENTENCES)
        chances = generator.random((SENTENCES, 4))
        drawn[chances[:, 0] < own.dropped] -= 1_000
        other = (generator.random((SENTENCES, LENGTH + DETAIL)) < case.synonyms).tolist()
        sentences = []
        for place in np.flatnonzero((drawn > 0) | (drawn == drawn.max())).tolist():
            _, detailed, feeling, kind = chances[place].tolist()
            words = _words(place, other[place] if detailed < own.detailed else other[place][:LENGTH])
            if feeling < FEELING:
                of_kind = BAD if kind < own.negative else GOOD
                words += f" {of_kind[generator.integers(len(of_kind))]}"
            sentences.append(words)
        return _written(variant, sentences)

    return write


def _words(sentence: int, other: Sequence[bool]) -> str:
    """Return the words of a sentence, some replaced by synonyms."""
    first = sentence * (LENGTH + DETAIL)
    return " ".join(f"w{number}{'s' * synonym}" for number, synonym in enumerate(other, first))


def _written(variant: str, sentences: Sequence[str]) -> str:
    name, pronoun = NAMES[variant]
    return f"{name} spoke. {pronoun} said " + ". ".join(map(str.capitalize, sentences)) + "."


# Sets whose order is changed

WORDS = [f"w{number}" for number in range(400)]
STOCK = ["the", "food", "was", "and", "service", "here"]
N_SOURCES, SOURCE_LENGTH, STOCK_SHARE, N_ORDERS = 8, 12, 0.6, 6

Row = dict[str, Any]
Columns = dict[str, list[Any]]
Summarizer = Callable[[Sequence[str]], str]
# Column -> where a row has its entry.
_KEYS = {
    "predictions": "prediction",
    "article_ids": "article_id",
    "variants": "variant",
    "replicates": "replicate",
    "sources": "sources",
    "values": "values",
}


def make_sets(n: int, rng: random.Random, *, values: Sequence[str] = ("pos", "neg"), first: int = 0) -> list[Row]:
    """Make sets of sources with shared words, alternating values and numbered ids."""

    def source() -> str:
        return " ".join(rng.choice(STOCK if rng.random() < STOCK_SHARE else WORDS) for _ in range(SOURCE_LENGTH)) + "."

    of_sources = list(islice(cycle(values), N_SOURCES))
    return [
        {"id": str(number), "sources": [source() for _ in range(N_SOURCES)], "values": of_sources}
        for number in range(first, first + n)
    ]


def by_weights(taken: int, rng: random.Random) -> Summarizer:
    """Draw sources by weights from their texts, independent of order."""

    def summarize(sources: Sequence[str]) -> str:
        weighed = sorted(sources, key=lambda text: rng.random() ** (1 + len(set(text.split())) % 4))
        chosen = set(weighed[-taken:])
        return " ".join(text for text in sources if text in chosen)

    return summarize


def lead_in(share: float, rng: random.Random) -> Summarizer:
    """Take the first three sources with this probability, else three random ones."""
    at_random = by_weights(3, rng)
    return lambda sources: " ".join(sources[:3]) if rng.random() < share else at_random(sources)


def in_orders(sets: Sequence[Row], summarize: Summarizer, rng: random.Random, *, replicates: int = 1) -> Columns:
    """Summarize sets, each in several orders and several times."""
    rows = [
        row | {"prediction": summarize(row["sources"]), "replicate": str(replicate)}
        for row in Orders(sets, n_orders=N_ORDERS, seed=rng.randrange(2**31)).rows()
        for replicate in range(replicates)
    ]
    return {column: [row[key] for row in rows] for column, key in _KEYS.items()}
