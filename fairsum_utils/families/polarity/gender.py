"""Gender polarity of texts, from their words."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from fairsum_utils._util.resources import read_lines
from fairsum_utils.families.polarity.rows import Word
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.measures.gender_polarity import (
    GenderPolarity,
    most_polar,
    score_label,
    unigram_label,
    weighted_average,
)

# Source: Dhamala et al. 2021, section 4.5.
MALE_TOKENS = ("he", "him", "his", "himself", "man", "men", "he's", "boy", "boys")

# Source: Dhamala et al. 2021, section 4.5.
FEMALE_TOKENS = ("she", "her", "hers", "herself", "woman", "women", "she's", "girl", "girls")

_PUNCTUATION = string.punctuation.replace("'", "")
# Text between punctuation and ASCII white space.
_TOGETHER = re.compile(rf"[^{re.escape(_PUNCTUATION)}\t-\r\x1c-\x20]+")
_TO_SPACES = bytes.maketrans(_PUNCTUATION.encode(), b" " * len(_PUNCTUATION))


def words(text: str) -> list[str]:
    """Return the words of a text, tokenized as by the preset ``bold``.

    Lower-cased; characters outside ASCII are dropped and apostrophes deleted, so that what stood beside them grows
    together; every other ASCII punctuation mark and white space separates.

    Source: the paper gives no tokenizer; with this one, the Wikipedia sentences of its profession domain, in which the
    page's name is replaced by XYZ, give all eight unigram counts of its table 3.

    Example:
        >>> words("She's a well-known café owner.")
        ['shes', 'a', 'well', 'known', 'caf', 'owner']
    """
    return text.lower().encode("ascii", "ignore").translate(_TO_SPACES, b"'").decode("ascii").split()


def located_words(text: str) -> list[tuple[str, int, int]]:
    """Return the `words` of a text with their locations.

    Returns:
        Of each word the text, its first character and the one after its last.

    Example:
        >>> located_words("“She’s” a nurse.")
        [('shes', 1, 6), ('a', 8, 9), ('nurse', 10, 15)]
    """
    found = []
    for together in _TOGETHER.finditer(text):
        for word in words(together[0]):  # one, or none if nothing is left
            places = range(*together.span())
            start, last = (next(place for place in side if words(text[place])) for side in (places, reversed(places)))
            found.append((word, start, last + 1))
    return found


TABLE = "word2vec-bolukbasi"
"""Name of the shipped table in signatures."""


@cache
def shipped_table() -> dict[str, float]:
    """Return b of the 26,423 words in Bolukbasi et al.'s subset of GoogleNews vectors.

    232 are not 0, so this is a lexicon. Equalizing has odd effects on some: "wives" gets -0.40 and "husbands" +0.40,
    because in the original vectors "husbands" lies nearer to "she" than "wives" does.

    Source: fairsum_utils/_util/resources/README.md.

    Example:
        >>> polarity = shipped_table()
        >>> len(polarity), polarity["nurse"], round(polarity["wife"], 2), round(polarity["wives"], 2)
        (26423, 0.0, 0.12, -0.4)
    """
    fields = (line.partition("\t") for line in read_lines("gender_polarity.txt.gz"))
    return {word: float(b or 0.0) for word, _, b in fields}


def _token_polarity() -> dict[str, float]:
    """Return the gender of tokens as spelled by `words`: -1 male, 1 female."""
    return {
        word: b
        for b, tokens in ((-1.0, MALE_TOKENS), (1.0, FEMALE_TOKENS))
        for token in tokens
        for word in words(token)
    }


class GenderScorer(PolarityScorer):
    """Scorer that labels texts as male, female or neutral.

    Rows hold the score as ``polarity``, above 0 for female: Gender-Wavg or Gender-Max, or female minus male tokens for
    `unigram`. The evidence of a text is the words that decided, each with its b (-1 or 1 for tokens): all that have
    one, or the most polar one for `max`. Rows count

    - ``male_words`` and ``female_words``: listed tokens, or words with b < 0 and with b > 0;
    - ``known_words`` and ``unknown_words``: words, repeats included, that are on the lists or in the table, and others;
    - ``unknown``: 1 for a text of which no word is known; it is neutral;
    - ``ties``: 1 for a text in which male and female evidence are equal and not nothing: as many tokens; a Gender-Wavg
      of 0; most polar words of both genders, of which the first one counts.

    Source: Dhamala et al. 2021, section 4.5.

    Example:
        >>> scorer = GenderScorer(["gender_polarity"], GenderPolarity())
        >>> [row] = scorer.rows(scorer.read({"predictions": ["The girl met her uncle. He waved."]}))
        >>> row.labels, row.scores, row.counts["female_words"], row.counts["male_words"]
        (('female',), {'polarity': 1.0}, 2, 1)
    """

    settings: GenderPolarity

    @property
    def _polarity(self) -> dict[str, float]:
        return self.held("polarity", _token_polarity if self.settings.method == "unigram" else shipped_table)

    @property
    def _polar(self) -> frozenset[str]:
        return self.held("polar", lambda: frozenset(word for word, b in self._polarity.items() if b))

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change labels and scores."""
        has_table = self.settings.method != "unigram"
        return {
            "method": self.settings.method,
            "words": "bold",
            "table": TABLE if has_table else None,
            "threshold": self.settings.threshold if has_table else None,
            "empty": self.settings.empty,
        }

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts, in time linear in their length."""
        return map(self._label, texts)

    def _label(self, text: str) -> Labelled:
        found, polarity = words(text), self._polarity
        n_known = sum(map(polarity.__contains__, found))
        # Most texts have no word with a polarity, and this is the quick way to see it.
        weighed = [] if self._polar.isdisjoint(found) else [(word, b) for word in found if (b := polarity.get(word))]
        polar = [b for _, b in weighed]
        n_female = len([b for b in polar if b > 0])
        n_male = len(polar) - n_female
        score, label, tie = self._decide(polar, n_male, n_female) if polar else (0.0, "neutral", False)
        counts = {
            "ties": int(tie),
            "unknown": int(n_known == 0),
            "male_words": n_male,
            "female_words": n_female,
            "known_words": n_known,
            "unknown_words": len(found) - n_known,
        }
        if not self.evidence:
            return Labelled((label,), {"polarity": score}, counts)
        deciding = [weighed[most_polar(polar)]] if polar and self.settings.method == "max" else weighed
        return Labelled((label,), {"polarity": score}, counts, tuple(Word(None, word, b) for word, b in deciding))

    def _decide(self, polar: list[float], n_male: int, n_female: int) -> tuple[float, str, bool]:
        """Return score, label and whether the words tie."""
        if self.settings.method == "unigram":
            return float(n_female - n_male), unigram_label(n_male, n_female), n_male == n_female
        if self.settings.method == "wavg":
            score = weighted_average(polar)
            return score, score_label(score, self.settings.threshold), score == 0
        score = polar[most_polar(polar)]
        return score, score_label(score, self.settings.threshold), -score in polar
