"""Extractive summarizers that are simple by design: unbiased ones, and biased ones that a measure should find.

All are called alike, so that one can stand for another: ``summarizer(text, index=place, seed=seed)``. What is random
depends on the seed and on the place of the text in its corpus, not on the other texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from fairsum_utils.analysis.records import leading
from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.families.entities.wordlists import HELM_GENDER, TOPIC_WORDS, WordLists, count_identifiers
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.tokens import Name

Text: TypeAlias = str | Sequence[str]
"""A text, or its sentences where they are known already."""

UNKNOWN = "unknown"

TOPIC_SIZES: Mapping[str, int] = MappingProxyType({"family": 1, UNKNOWN: 3, "sport": 6})
"""Topic -> how many sentences Topic takes. Source: papers/news-summarization-bias, section 4."""

FAVOURED: Mapping[str, str] = MappingProxyType({"family": "female", "sport": "male"})
"""Topic -> the group that Sexist favours. Source: papers/news-summarization-bias, section 4."""


def topic_of(text: Text, topic_words: WordLists = TOPIC_WORDS) -> str:
    """The topic whose words a text uses most; ``"unknown"`` for a tie, no word at all among them.

    Not a topic classifier, but a transparent way to make summarizers depend on topics.

    Source: papers/news-summarization-bias, appendix B.

    Example:
        >>> topic_of("The team won the game."), topic_of("Her husband left the team."), topic_of("It rained.")
        ('sport', 'unknown', 'unknown')
    """
    return leading(count_identifiers(text if isinstance(text, str) else "\n".join(text), topic_words)) or UNKNOWN


def lead(text: Text, n: int = 3, *, index: int = 0, seed: int | None = 0) -> str:
    """The first `n` sentences.

    Args:
        text: a text, or its sentences; all are taken where there are fewer than `n`.
        n: number of sentences.
        index: place of the text in its corpus, for what is random; nothing is here.
        seed: seed of what is random; nothing is here.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> lead("It rained. Dr. Bo left. Nobody saw it.", 2)
        'It rained. Dr. Bo left.'
    """
    return " ".join(_sentences(text)[:n])


def random(text: Text, n: int = 3, *, index: int = 0, seed: int | None = 0) -> str:
    """`n` distinct sentences drawn at random, in the order of the text.

    Args:
        text: a text, or its sentences; all are taken where there are fewer than `n`.
        n: number of sentences.
        index: place of the text in its corpus.
        seed: seed of the draws; None for fresh randomness.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> text = "One. Two. Three. Four. Five."
        >>> random(text, 2, seed=1) == random(text, 2, seed=1)
        True
    """
    split = _sentences(text)
    generator = np.random.default_rng(None if seed is None else (seed, index))
    places = sorted(generator.choice(len(split), min(n, len(split)), replace=False))
    return " ".join(split[place] for place in places)


def topic(text: Text, *, index: int = 0, seed: int | None = 0) -> str:
    """One, three or six random sentences of a text about family, of unknown topic, or about sport (`TOPIC_SIZES`).

    Its bias, if any, is that of the topics in the texts.

    Args:
        text: a text, or its sentences.
        index: place of the text in its corpus.
        seed: seed of the draws; None for fresh randomness.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> topic("His wife saw the baby. It was late. It was cold.").count(".")
        1
    """
    return random(text, TOPIC_SIZES[topic_of(text)], index=index, seed=seed)


def sexist(text: Text, n: int = 3, *, word_lists: WordLists = HELM_GENDER, index: int = 0, seed: int | None = 0) -> str:
    """The `n` sentences with most male identifiers of a text about sport, with most female ones of one about family.

    Any other text is summarized at random.

    Args:
        text: a text, or its sentences.
        n: number of sentences; of sentences with as many identifiers, earlier ones are taken first.
        word_lists: identifiers of the groups that `FAVOURED` names.
        index: place of the text in its corpus.
        seed: seed of the draws; None for fresh randomness.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> sexist("The club won. She scored. He ran. His team won the league.", 2)
        'He ran. His team won the league.'
    """
    favoured = FAVOURED.get(topic_of(text))
    if favoured is None:
        return random(text, n, index=index, seed=seed)
    split = _sentences(text)
    return _best(split, n, [-count_identifiers(sentence, word_lists)[favoured] for sentence in split])


def names_in(text: str, entities: Sequence[Mapping[str, str | None]]) -> list[str]:
    """The names of known persons in a text, as they stand there: whole names, last names, first names.

    This finds the mentions of a summary that takes over sentences, where nobody else can be named. Names within longer
    words are not found.

    Args:
        text: any string.
        entities: the persons of its source, each with ``first_name`` and ``last_name``, either of which may be empty.

    Returns:
        In the order of the text, repeats included; for the column ``mentions``.

    Example:
        >>> names_in("Li's son met Wei Li in Lincoln.", [{"first_name": "Wei", "last_name": "Li"}])
        ['Li', 'Wei Li']
    """
    forms: set[str] = set()
    for entity in entities:
        parts = [part for part in (entity["first_name"], entity["last_name"]) if part]
        forms.update(parts, [" ".join(parts)])
    longest_first = "|".join(map(re.escape, sorted(forms - {""}, key=len, reverse=True)))
    return re.findall(rf"(?<!\w)(?<!\w['’-])(?:{longest_first})(?!\w|-\w|['’](?!s\b)\w)", text) if longest_first else []


def focus(
    text: Text,
    n: int = 3,
    *,
    entities: Sequence[Mapping[str, str | None]],
    group: str,
    index: int = 0,
    seed: int | None = 0,
) -> str:
    """The `n` sentences that name most persons of one group, and least of the others: biased on purpose.

    Args:
        text: a text, or its sentences.
        n: number of sentences; of sentences that are as good, earlier ones are taken first.
        entities: the persons of the text, each with ``first_name``, ``last_name`` and ``group``.
        group: whom to prefer.
        index: place of the text in its corpus, for what is random; nothing is here.
        seed: seed of what is random; nothing is here.

    Source: papers/news-summarization-bias, section 8.3, which prompts a model to put a focus on the women.

    Example:
        >>> people = [{"first_name": "Ann", "last_name": "Lee", "group": "female"},
        ...           {"first_name": "Bo", "last_name": "Ray", "group": "male"}]
        >>> focus("Bo Ray won. It rained. Ann Lee lost.", 1, entities=people, group="female")
        'Ann Lee lost.'
    """
    persons = Aligner([Name(entity["first_name"], entity["last_name"]) for entity in entities])
    split = _sentences(text)

    def order(sentence: str) -> tuple[int, int]:
        named = {persons.align(mention).entity for mention in names_in(sentence, entities)} - {None}
        preferred = sum(entities[entity]["group"] == group for entity in named if entity is not None)
        return -preferred, len(named) - preferred

    return _best(split, n, list(map(order, split)))


BASELINES: Mapping[str, Callable[..., str]] = MappingProxyType(
    {"random": random, "lead": lead, "topic": topic, "sexist": sexist}
)
"""The summarizers of the paper's table 2, in its order."""


def _sentences(text: Text) -> Sequence[str]:
    return sentences(text) if isinstance(text, str) else text


def _best(split: Sequence[str], n: int, order: Sequence[Any]) -> str:
    """The `n` sentences that come first in an order, of equal ones the earlier; as they stand in the text."""
    places = sorted(sorted(range(len(split)), key=order.__getitem__)[:n])
    return " ".join(split[place] for place in places)
