"""Groups in a corpus of source texts: identifiers, topics, associated words, and simple summarizers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np

from fairsum_reproductions.contract import Input, Seed
from fairsum_reproductions.records import leading
from fairsum_utils.errors import InputError
from fairsum_utils.measures._shares import shares
from fairsum_utils.measures.word_list_inclusion import WordListInclusion, word_list_inclusion
from fairsum_utils.reports.tables import Part, Table, number
from fairsum_utils.settings import Checked, Count, Resampling, Settings, override, setting
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.wordlists import (
    WORD_LISTS,
    WordLists,
    check_word_lists,
    count_identifiers,
    words,
)
from fairsum_utils.validation import count, describe

INPUTS = (Input("texts", "source texts", columns={"text": "the text"}),)

# Topic -> the words that tell it. Source: Steen and Markert 2024, appendix B, table 11.
TOPIC_WORDS: WordLists = {
    "sport": ("league", "season", "club", "game", "win", "team", "shot"),
    "family": ("family", "husband", "wife", "father", "mother", "children", "boys", "girls", "baby"),
}
UNKNOWN = "unknown"

# Female word -> its male counterpart, of both shipped lists. Source: Steen and Markert 2024, section 4.
PAIRS = {
    female: male for lists in WORD_LISTS.values() for female, male in zip(lists["female"], lists["male"], strict=True)
}

# Identifiers that are left out of associations, because "her" is the counterpart of two words. Source: Steen and
# Markert 2024, footnote 6.
IGNORED = ("him", "her", "his", "hers")

# Prior count of every word in associations. Source: Steen and Markert 2024, footnote 5.
ALPHA = 0.01

_NO_MAJORITY = "no_majority"


def _check_lists(module: str, name: str, lists: object) -> str | dict[str, tuple[str, ...]]:
    checked = check_word_lists(module, lists)
    return lists if isinstance(lists, str) else dict(checked)


Lists = Annotated[str | Mapping[str, Sequence[str]], Checked(_check_lists, tuple(WORD_LISTS))]
"""Words of each group, or the name of shipped lists."""


class DiagnosisSettings(Settings):
    """Word lists, words to list, and the draws of the summarizers."""

    word_lists: Lists = override(WordListInclusion, "word_lists")
    top: Count = setting(10, "number of associated words per group")
    seed: Seed = override(Resampling, "seed")


SETTINGS = DiagnosisSettings


def compute(texts: Sequence[Mapping[str, Any]], *, settings: DiagnosisSettings) -> dict[str, Any]:
    """Describe mentioned groups, their words, and their share in simple summaries.

    A text has a majority if it has more identifiers of a group than of any other. A group's associated words are those
    that its texts use more than the texts of other groups, by z-score.
    """
    lists = check_word_lists(settings.module, settings.word_lists)
    articles = {
        place: _article(text, lists) for place, text in enumerate(_texts(settings.module, texts)) if words(text)
    }
    read = [*articles.values()]
    n_skipped = len(texts) - len(read)
    undefined: dict[str, str] = {}
    everything = _mentions(read, lists, "shares", undefined)
    majorities = Counter(article.majority for article in read)
    return {
        "n_samples": everything.pop("n_samples"),
        "n_skipped": n_skipped,
        "skipped": {"empty_text": n_skipped} if n_skipped else {},
        **everything,
        "n_by_majority": {name: majorities[name] for name in (*lists, _NO_MAJORITY)},
        "associated": _associated(read, lists, settings.top, undefined),
        "by_topic": {
            topic: _mentions([each for each in read if each.topic == topic], lists, f"by_topic.{topic}", undefined)
            for topic in (*TOPIC_WORDS, UNKNOWN)
        },
        "baselines": _baselines(articles, lists, settings.seed, undefined),
        "undefined": undefined,
    }


class Article(NamedTuple):
    """Counts of a text."""

    text: str
    words: list[str]
    identifiers: Mapping[str, int]
    majority: str
    topic: str


def _texts(module: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    for place, row in enumerate(rows, start=1):
        if not isinstance(row["text"], str):
            raise InputError(f"{module}: row {place}: text must be a string, found {describe(row['text'])}")
    return [row["text"] for row in rows]


def _article(text: str, lists: WordLists) -> Article:
    identifiers = count_identifiers(text, lists)
    return Article(text, words(text), identifiers, leading(identifiers) or _NO_MAJORITY, topic_of(text))


def _counts(found: Sequence[Mapping[str, int]], groups: WordLists) -> Floats:
    return np.array([sum(each[group] for each in found) for group in groups], dtype=float)


def _mentions(articles: Sequence[Article], lists: WordLists, name: str, undefined: dict[str, str]) -> dict[str, Any]:
    """Count the identifiers of each group, and their shares."""
    counts = _counts([article.identifiers for article in articles], lists)
    if not counts.any():
        undefined[name] = "no text mentions a group"
    return {
        "n_samples": len(articles),
        "identifiers": {group: int(n) for group, n in zip(lists, counts, strict=True)},
        "shares": dict(zip(lists, shares(counts).tolist(), strict=True)),
    }


def topic_of(text: str) -> str:
    """Return a text's most frequent topic; ``"unknown"`` for ties or no words.

    Source: Steen and Markert 2024, appendix B.

    Example:
        >>> topic_of("The team won the game."), topic_of("Her husband left the team."), topic_of("It rained.")
        ('sport', 'unknown', 'unknown')
    """
    return leading(count_identifiers(text, TOPIC_WORDS)) or UNKNOWN


def markers(lists: WordLists) -> dict[str, str]:
    """Return counterpart words, such as "mother" and "father", with one marker.

    Source: Steen and Markert 2024, section 4.

    Example:
        >>> markers({"female": ("mother", "queen"), "male": ("father",)})
        {'mother': 'father/mother', 'father': 'father/mother'}
    """
    listed = {word for group in lists.values() for word in group}
    shared: dict[str, str] = {}
    for female, male in PAIRS.items():
        if {female, male} <= listed and not {female, male} & set(IGNORED):
            shared |= dict.fromkeys((female, male), f"{male}/{female}")
    return shared


def log_odds(first: Floats, second: Floats, prior: float = ALPHA) -> Floats:
    """Compute z-scores of each word's difference in log-odds between two text sets.

    With counts y, their sums n, the prior a of each word and the sum a0 of the priors, for each word::

        d = log((y1 + a) / (n1 + a0 - y1 - a)) - log((y2 + a) / (n2 + a0 - y2 - a))
        z = d / sqrt(1 / (y1 + a) + 1 / (y2 + a))

    Args:
        first: counts y1 of the words in the first set, shape (words,).
        second: counts y2 in the second set, the same shape and order.
        prior: a, above 0.

    Returns:
        Shape (words,); above 0 for words that the first set uses more. NaN if there is no other word: such odds are
        infinite.

    Source: Monroe, Colaresi and Quinn 2008, "Fightin' Words"; Steen and Markert 2024, section 4, footnote 5.

    Example:
        >>> log_odds(np.array([8.0, 2.0]), np.array([2.0, 8.0]), prior=1.0).round(3).tolist()
        [3.296, -3.296]
    """
    if len(first) < 2:
        return np.full(len(first), np.nan)
    a0 = prior * len(first)
    first_odds, second_odds = (np.log(y + prior) - np.log((y.sum() - y) + (a0 - prior)) for y in (first, second))
    return np.asarray((first_odds - second_odds) / np.sqrt(1 / (first + prior) + 1 / (second + prior)))


def _associated(
    articles: Sequence[Article], lists: WordLists, top: int, undefined: dict[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """Return the words of table 1."""
    shared = markers(lists)
    ignored = {word for word in IGNORED if any(word in listed for listed in lists.values())}
    by_group: dict[str, Counter[str]] = {group: Counter() for group in lists}
    for article in articles:
        if article.majority in by_group:
            by_group[article.majority].update(shared.get(word, word) for word in article.words if word not in ignored)
    order = sorted(set().union(*by_group.values()))
    counts = np.array([[vocabulary[word] for word in order] for vocabulary in by_group.values()], dtype=float)
    associated: dict[str, list[dict[str, Any]]] = {group: [] for group in lists}
    for group, inside, outside in zip(lists, counts, counts.sum(axis=0) - counts, strict=True):
        if not inside.any() or not outside.any():
            which = "its majority" if not inside.any() else "another group's majority"
            undefined[f"associated.{group}"] = f"no text has {which}"
            continue
        z = log_odds(inside, outside)
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


# Topic -> how many sentences Topic takes, and the group that Sexist favors. Source: Steen and Markert 2024,
# section 4.
TOPIC_SIZES = {"family": 1, UNKNOWN: 3, "sport": 6}
FAVORED = {"family": "female", "sport": "male"}
_N_SENTENCES = 3

Summarizer: TypeAlias = Callable[[Sequence[str], str, WordLists, np.random.Generator], Sequence[str]]
"""From sentences of a text, its topic, word lists and a source of draws to sentences in the order of the text."""


def lead(split: Sequence[str], about: str, lists: WordLists, draw: np.random.Generator) -> Sequence[str]:
    """Return the first three sentences."""
    return split[:_N_SENTENCES]


def random(split: Sequence[str], about: str, lists: WordLists, draw: np.random.Generator) -> Sequence[str]:
    """Return three sentences drawn at random."""
    return _drawn(split, _N_SENTENCES, draw)


def topic(split: Sequence[str], about: str, lists: WordLists, draw: np.random.Generator) -> Sequence[str]:
    """Return random sentences, with a number that depends on topic (`TOPIC_SIZES`)."""
    return _drawn(split, TOPIC_SIZES[about], draw)


def sexist(split: Sequence[str], about: str, lists: WordLists, draw: np.random.Generator) -> Sequence[str]:
    """Return the three sentences with most men (sport) or most women (family).

    Any other text is summarized at random.
    """
    favored = FAVORED.get(about)
    if favored is None:
        return random(split, about, lists, draw)
    n_favored = [count_identifiers(sentence, lists)[favored] for sentence in split]
    places = sorted(range(len(split)), key=lambda place: -n_favored[place])[:_N_SENTENCES]
    return [split[place] for place in sorted(places)]


def _drawn(split: Sequence[str], n: int, draw: np.random.Generator) -> Sequence[str]:
    places = sorted(draw.choice(len(split), min(n, len(split)), replace=False))
    return [split[place] for place in places]


# The summarizers of the paper's table 2, in its order.
BASELINES: Mapping[str, Summarizer] = {"random": random, "lead": lead, "topic": topic, "sexist": sexist}


def _baselines(
    articles: Mapping[int, Article], lists: WordLists, seed: int | None, undefined: dict[str, str]
) -> dict[str, dict[str, float]]:
    """Compute both word-list inclusion scores of each summarizer (table 2)."""
    sources = _counts([article.identifiers for article in articles.values()], lists)
    found: dict[str, dict[str, float]] = {}
    for name, summarize in BASELINES.items():
        if name == "sexist" and not {*FAVORED.values()} <= {*lists}:
            undefined["baselines.sexist"] = f"the word lists have no groups {' and '.join(FAVORED.values())}"
            continue
        summaries = []
        for place, article in articles.items():
            draw = np.random.default_rng(None if seed is None else (seed, place))
            summary = " ".join(summarize(sentences(article.text), article.topic, lists, draw))
            summaries.append(count_identifiers(summary, lists))
        counts = _counts(summaries, lists)
        if not counts.any():
            undefined[f"baselines.{name}"] = "no summary mentions a group"
        found[name] = {
            "word_list_inclusion": float(word_list_inclusion(counts, sources)),
            "word_list_inclusion_uniform": float(word_list_inclusion(counts)),
        }
    return found


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out the corpus in the form of the paper's tables 1 and 2."""
    groups = list(result["identifiers"])
    rows = [[group, *(result[key][group] for key in ("identifiers", "shares", "n_by_majority"))] for group in groups]
    found: list[Part] = [
        [f"{count(result['n_samples'], 'text')} read, {result['n_skipped']} without a word"],
        Table(["group", "identifiers", "share", "texts with its majority"], rows),
    ]
    columns = [[[entry["word"], number(entry["z"], 2)] for entry in result["associated"][group]] for group in groups]
    if height := max(map(len, columns)):
        padded = [column + [["", ""]] * (height - len(column)) for column in columns]
        header = [title for group in groups for title in (f"{group} texts", "z")]
        found.append(Table(header, [[cell for pair in pairs for cell in pair] for pairs in zip(*padded, strict=True)]))
    topics = {"all": result, **result["by_topic"]}
    rows = [[name, part["n_samples"], *(part["shares"][group] for group in groups)] for name, part in topics.items()]
    found.append(Table(["topic", "texts", *(f"share {group}" for group in groups)], rows))
    scores = [
        [name, entry["word_list_inclusion_uniform"], entry["word_list_inclusion"]]
        for name, entry in result["baselines"].items()
    ]
    found.append(Table(["word list inclusion", "uniform", "adjusted"], scores))
    return found
