"""What a corpus says about groups before anybody summarizes it: who is mentioned, where, and beside which words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairsum_utils.analysis.baselines import BASELINES, FAVOURED, UNKNOWN, topic_of
from fairsum_utils.analysis.records import leading
from fairsum_utils.errors import InputError
from fairsum_utils.families import Resampling
from fairsum_utils.families.entities.wordlists import (
    PAIRS,
    TOPIC_WORDS,
    WordLists,
    check_word_lists,
    count_identifiers,
    lists_name,
    words,
)
from fairsum_utils.measures._divergence import shares
from fairsum_utils.measures.word_list_inclusion import word_list_inclusion
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.tests import ALPHA, log_odds
from fairsum_utils.text.punkt import sentences
from fairsum_utils.validation import check_count, describe

IGNORED = ("him", "her", "his", "hers")
"""Identifiers that are left out of associations, because "her" is the counterpart of two words.

Source: papers/news-summarization-bias, footnote 6.
"""

_NO_MAJORITY = "no_majority"


def markers(word_lists: WordLists) -> dict[str, str]:
    """Marker that a word and its counterpart share, so that "mother" and "father" are compared as one word.

    Args:
        word_lists: pairs of which both words are listed get a marker.

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
    """Describe the groups that texts mention, the words beside them, and what simple summarizers make of both.

    Texts are read once, one by one; memory holds counts of words only.

    Args:
        texts: texts of the corpus, the sources of summaries. Those without a word are skipped and counted.
        word_lists: name of shipped lists or a mapping from group to its words, see `check_word_lists`.
        baselines: also summarize each text by the four baselines of `BASELINES`. Sexist needs lists of the groups
            "female" and "male"; it is left out, with the reason, where there are others.
        top: how many associated words to give a group.
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
        raise InputError(f"{module}: there is no text; give at least one")
    settings = {"words": lists_name(lists), "alpha": alpha, "seed": seed if baselines else None}
    return {**tally.result(top, alpha), "signature": render_signature(settings)}


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
                self.undefined[name] = "no text names a group"
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
            self.undefined[f"baselines.{name}"] = "no summary names a group"
        return {
            "word_list_inclusion": float(word_list_inclusion(observed, self.all.array())),
            "word_list_inclusion_uniform": float(word_list_inclusion(observed)),
        }

    def _associated(self, top: int, alpha: float) -> dict[str, list[dict[str, Any]]]:
        """The words of table 1."""
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
        """The words of each group's texts, with counterparts put together."""
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
            raise InputError(f"{module}: text {index} must be a string, found {describe(text)}; fill it in or drop it")
        yield text
