"""Groups in source texts: persons, topics and associated words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import Resampling
from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.families.entities.wordlists import (
    HELM_GENDER,
    PAIRS,
    TOPIC_WORDS,
    WordLists,
    check_word_lists,
    count_identifiers,
    lists_name,
    words,
)
from fairsum_utils.measures._divergence import shares
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.measures.word_list_inclusion import word_list_inclusion
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.tests import ALPHA, log_odds
from fairsum_utils.text.person_names import Name
from fairsum_utils.text.punkt import sentences
from fairsum_utils.validation import check_count, describe

# Identifiers that are left out of associations, because "her" is the counterpart of two words. Source: papers/news-
# summarization-bias, footnote 6.
IGNORED = ("him", "her", "his", "hers")

_NO_MAJORITY = "no_majority"


def markers(word_lists: WordLists) -> dict[str, str]:
    """Return counterpart words, such as "mother" and "father", with one marker.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> markers({"female": ("mother", "queen"), "male": ("father",)})
        {'mother': 'father/mother', 'father': 'father/mother'}
    """
    listed = {word for group in word_lists.values() for word in group}
    shared: dict[str, str] = {}
    for female, male in PAIRS.items():
        if {female, male} <= listed and not {female, male} & set(IGNORED):
            shared |= dict.fromkeys((female, male), f"{male}/{female}")
    return shared


def diagnose(
    texts: Iterable[str],
    *,
    word_lists: object = "helm",
    baselines: bool = True,
    top: int = 10,
    alpha: float = ALPHA,
    seed: int | None = 0,
    module: str = "diagnose",
) -> dict[str, Any]:
    """Describe mentioned groups, their words, and their share in simple summaries.

    Texts are read once, one by one; only word counts stay in memory.

    Args:
        texts: texts of the corpus, the sources of summaries. Those without a word are skipped and counted.
        word_lists: name of shipped lists or a mapping from group to its words, see `check_word_lists`.
        baselines: also summarize each text by the four baselines of `BASELINES`. Sexist needs lists of the groups
            "female" and "male"; it is left out, with the reason, where there are others.
        top: Number of associated words per group.
        alpha: prior count of every word, above 0.
        seed: seed of the baselines' draws; None for fresh randomness, which the signature tells.
        module: name used in messages.

    Returns:
        A dict with

        - ``n_samples``, ``n_skipped``, ``skipped`` (reason -> texts), ``signature``;
        - ``identifiers`` and ``shares``: group -> count, and share of all identifiers;
        - ``n_by_majority``: group -> texts with more identifiers of it than of any other; ``no_majority`` counts ties;
        - ``associated``: group -> the words that go with it most, by z-score: how much more the texts with its majority
          use the word than those with another group's. Counterparts count as one word (`markers`) and `IGNORED` ones
          as none. Each word has its ``word``, ``z``, ``count`` in the one and ``count_elsewhere`` in the others;
        - ``by_topic``: "sport", "family" and "unknown" -> ``n_samples``, ``identifiers`` and ``shares``;
        - ``baselines``: name -> ``word_list_inclusion`` of its summaries against the texts (adjusted) and
          ``word_list_inclusion_uniform`` against equal shares;
        - ``undefined``: what is NaN or empty -> the reason.

    Raises:
        InputError: an option that is not as described, a text that is not a string, or no text.

    Source: papers/news-summarization-bias, section 4 (tables 1 and 2), footnotes 5 and 6, appendix B. Its tokenizer
    also gives punctuation marks, which are no words here.

    Example:
        >>> texts = ["She has a baby.", "The league saw him. He won.", "His club."]
        >>> result = diagnose(texts, baselines=False)
        >>> result["identifiers"], result["n_by_majority"]
        ({'female': 1, 'male': 3}, {'female': 1, 'male': 2, 'no_majority': 0})
        >>> result["by_topic"]["sport"]["n_samples"]
        2
    """
    lists = check_word_lists(module, word_lists)
    check_count(module, "top", top)
    seed = Resampling(seed=seed, module=module).seeded().seed
    tally = _Tally(lists, BASELINES if baselines else (), seed)
    for index, text in enumerate(_texts(module, texts)):
        tally.add(index, text)
    if not tally.all.n_samples + tally.n_skipped:
        raise InputError(f"{module}: there are no texts; give at least one")
    settings = {"words": lists_name(lists), "alpha": alpha, "seed": seed if baselines else None}
    return {**tally.result(top, alpha), "signature": render_signature(settings)}


def leading(numbers: Mapping[str, float]) -> str | None:
    """Return the name with the largest number; None for ties (1e-12).

    Example:
        >>> leading({"neg": 2, "pos": 1}), leading({"neg": 0.25, "pos": 0.25})
        ('neg', None)
    """
    most = max(numbers.values())
    names = [name for name, number in numbers.items() if number >= most - TOLERANCE]
    return names[0] if len(names) == 1 else None


@dataclass
class _Mentions:
    """Texts, and identifiers of each group in them."""

    groups: Sequence[str]
    identifiers: Counter[str] = field(default_factory=Counter)
    n_samples: int = 0

    def add(self, counts: Mapping[str, int]) -> None:
        self.n_samples += 1
        self.identifiers.update(counts)

    def array(self) -> Floats:
        return np.array([self.identifiers[group] for group in self.groups], dtype=float)

    def summary(self) -> dict[str, Any]:
        return {
            "n_samples": self.n_samples,
            "identifiers": {group: self.identifiers[group] for group in self.groups},
            "shares": dict(zip(self.groups, shares(self.array()).tolist(), strict=True)),
        }


class _Tally:
    """Everything that is counted of texts, which need not be kept."""

    def __init__(self, lists: WordLists, baselines: Iterable[str], seed: int | None) -> None:
        self.lists, self.seed = lists, seed
        self.n_skipped = 0
        groups = tuple(lists)
        self.all = _Mentions(groups)
        self.topics = {name: _Mentions(groups) for name in (*TOPIC_WORDS, UNKNOWN)}
        self.majorities = Counter(dict.fromkeys((*lists, _NO_MAJORITY), 0))
        self.vocabulary: dict[str, Counter[str]] = {group: Counter() for group in lists}
        self.baselines = {name: _Mentions(groups) for name in baselines}
        self.undefined: dict[str, str] = {}
        if "sexist" in self.baselines and not set(FAVOURED.values()) <= set(lists):
            del self.baselines["sexist"]
            self.undefined["baselines.sexist"] = f"the word lists have no groups {' and '.join(FAVOURED.values())}"

    def add(self, index: int, text: str) -> None:
        listed = words(text)
        if not listed:
            self.n_skipped += 1
            return
        counts = count_identifiers(text, self.lists)
        self.all.add(counts)
        self.topics[topic_of(text)].add(counts)
        majority = leading(counts)
        self.majorities[majority or _NO_MAJORITY] += 1
        if majority is not None:
            self.vocabulary[majority].update(listed)
        split = sentences(text) if self.baselines else ()
        for name, summaries in self.baselines.items():
            options = {"word_lists": self.lists} if name == "sexist" else {}
            summary = BASELINES[name](split, index=index, seed=self.seed, **options)
            summaries.add(count_identifiers(summary, self.lists))

    def result(self, top: int, alpha: float) -> dict[str, Any]:
        described = self.all.summary()
        by_topic = {name: mentions.summary() for name, mentions in self.topics.items()}
        parts = {"shares": described, **{f"by_topic.{name}": part for name, part in by_topic.items()}}
        for name, part in parts.items():
            if not any(part["identifiers"].values()):
                self.undefined[name] = "no text mentions a group"
        return {
            "n_samples": described.pop("n_samples"),
            "n_skipped": self.n_skipped,
            "skipped": {"empty_text": self.n_skipped} if self.n_skipped else {},
            **described,
            "n_by_majority": dict(self.majorities),
            "associated": self._associated(top, alpha),
            "by_topic": by_topic,
            "baselines": {name: self._biases(name, summaries.array()) for name, summaries in self.baselines.items()},
            "undefined": self.undefined,
        }

    def _biases(self, name: str, observed: Floats) -> dict[str, float]:
        """Both word-list inclusion scores of a baseline (table 2)."""
        if not observed.any():
            self.undefined[f"baselines.{name}"] = "no summary mentions a group"
        return {
            "word_list_inclusion": float(word_list_inclusion(observed, self.all.array())),
            "word_list_inclusion_uniform": float(word_list_inclusion(observed)),
        }

    def _associated(self, top: int, alpha: float) -> dict[str, list[dict[str, Any]]]:
        """Return the words of table 1."""
        by_group = self._marked()
        order = sorted(set().union(*by_group.values()))
        counts = np.array([[vocabulary[word] for word in order] for vocabulary in by_group.values()], dtype=float)
        total = counts.sum(axis=0)
        associated: dict[str, list[dict[str, Any]]] = {group: [] for group in by_group}
        for group, inside in zip(by_group, counts, strict=True):
            outside = total - inside
            if not inside.any() or not outside.any():
                which = "its majority" if not inside.any() else "another group's majority"
                self.undefined[f"associated.{group}"] = f"no text has {which}"
                continue
            z = log_odds(inside, outside, alpha)
            associated[group] = [
                {
                    "word": order[place],
                    "z": float(z[place]),
                    "count": int(inside[place]),
                    "count_elsewhere": int(outside[place]),
                }
                for place in np.argsort(-z, kind="stable")[:top]  # words with the same z stand in alphabetical order
                if z[place] > 0
            ]
        return associated

    def _marked(self) -> dict[str, Counter[str]]:
        """Return the words of each group's texts, with counterparts merged."""
        shared = markers(self.lists)
        ignored = {word for word in IGNORED if any(word in listed for listed in self.lists.values())}
        marked: dict[str, Counter[str]] = {group: Counter() for group in self.vocabulary}
        for group, counts in self.vocabulary.items():
            for word, count in counts.items():
                if word not in ignored:
                    marked[group][shared.get(word, word)] += count
        return marked


def _texts(module: str, texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, (str, bytes, Mapping)) or not isinstance(texts, Iterable):
        raise InputError(f"{module}: texts must be a list of strings, found {describe(texts)}; put a text in a list")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(
                f"{module}: text {index} must be a string, found {describe(text)}; fill it in or remove it"
            )
        yield text


# A text, or its sentences where they are known already.
Text: TypeAlias = str | Sequence[str]

UNKNOWN = "unknown"

# Topic -> how many sentences Topic takes. Source: papers/news-summarization-bias, section 4.
TOPIC_SIZES: Mapping[str, int] = MappingProxyType({"family": 1, UNKNOWN: 3, "sport": 6})

# Topic -> the group that Sexist favours. Source: papers/news-summarization-bias, section 4.
FAVOURED: Mapping[str, str] = MappingProxyType({"family": "female", "sport": "male"})


def topic_of(text: Text, topic_words: WordLists = TOPIC_WORDS) -> str:
    """Return a text's most frequent topic; ``"unknown"`` for ties or no words.

    Not a topic classifier, but a transparent way to make summarizers depend on topics.

    Source: papers/news-summarization-bias, appendix B.

    Example:
        >>> topic_of("The team won the game."), topic_of("Her husband left the team."), topic_of("It rained.")
        ('sport', 'unknown', 'unknown')
    """
    return leading(count_identifiers(text if isinstance(text, str) else "\n".join(text), topic_words)) or UNKNOWN


def lead(text: Text, n: int = 3, *, index: int = 0, seed: int | None = 0) -> str:
    """Return the first `n` sentences.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> lead("It rained. Dr. Bo left. Nobody saw it.", 2)
        'It rained. Dr. Bo left.'
    """
    return " ".join(_sentences(text)[:n])


def random(text: Text, n: int = 3, *, index: int = 0, seed: int | None = 0) -> str:
    """`n` distinct sentences drawn at random, in the order of the text.

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
    """Return random sentences, with a number that depends on topic (`TOPIC_SIZES`).

    Its bias, if any, is that of the topics in the texts.

    Source: papers/news-summarization-bias, section 4.

    Example:
        >>> topic("His wife saw the baby. It was late. It was cold.").count(".")
        1
    """
    return random(text, TOPIC_SIZES[topic_of(text)], index=index, seed=seed)


def sexist(text: Text, n: int = 3, *, word_lists: WordLists = HELM_GENDER, index: int = 0, seed: int | None = 0) -> str:
    """Return `n` sentences biased to men in sport, women in family texts.

    Any other text is summarized at random.

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
    """Return known persons' names in a text: whole, last or first.

    This finds the mentions in a summary of copied sentences, which can name no other persons. Names within longer words
    are not found.

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
    """Return `n` sentences biased to one group's persons.

    Args:
        text: a text, or its sentences.
        n: number of sentences; of sentences that are as good, earlier ones are taken first.
        entities: the persons of the text, each with ``first_name``, ``last_name`` and ``group``.
        group: Preferred group.
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


# The summarizers of the paper's table 2, in its order.
BASELINES: Mapping[str, Callable[..., str]] = MappingProxyType(
    {"random": random, "lead": lead, "topic": topic, "sexist": sexist}
)


def _sentences(text: Text) -> Sequence[str]:
    return sentences(text) if isinstance(text, str) else text


def _best(split: Sequence[str], n: int, order: Sequence[Any]) -> str:
    """Return the `n` best sentences in text order; ties take earlier ones."""
    places = sorted(sorted(range(len(split)), key=order.__getitem__)[:n])
    return " ".join(split[place] for place in places)
