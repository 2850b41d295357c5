"""The published normalization through NLTK: slow, the reference for the shipped tables.

It shares only the published stop words with `fairsum_utils.text.fairsumm`. It uses the installed NLTK and its data.
Versions after `PUBLISHED` treat some words differently, and NLTK's stop words have grown since.

Source: Zhang et al. 2024, section 3.2 and the released code.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from fairsum_utils.errors import DataSourceError, require
from fairsum_utils.text.languages import ADDED_STOP_WORDS
from fairsum_utils.text.locations import Located, located_in, lowered_origins
from fairsum_utils.text.punkt import word_spans

#: The version of NLTK that the published numbers come from.
PUBLISHED = "3.8.1"

# Tag prefix -> WordNet's part of speech; all other tags mean noun.
_CLASSES = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}

# NLTK's message about missing data; data names depend on its version.
_PACKAGE = re.compile(r"nltk\.download\('([\w.-]+)'\)")


class NltkNormalizer:
    """Normalizer of English text with the NLTK calls of the published FairSumm code.

    It needs NLTK's data, which it never downloads: Punkt, stop words, the averaged perceptron tagger and WordNet.
    `FairsummNormalizer` gives the same tokens many times faster.
    """

    def __init__(self, module: str = "normalizer") -> None:
        nltk = require("nltk", extra="nltk", purpose="normalize with normalizer='nltk'")
        self.version = str(nltk.__version__)
        self.signature = f"norm:nltk-{self.version}"
        self._word_tokenize = nltk.word_tokenize
        self._lemmatizer = nltk.stem.WordNetLemmatizer()
        self._stemmer = nltk.stem.PorterStemmer()
        self._stem = lru_cache(1 << 16)(self._stemmed)
        # Cached here; the published code reads it from disk for each token.
        self._tagger, stop_words, *_ = _with_data(
            module,
            lambda: nltk.tag.PerceptronTagger(),
            lambda: nltk.corpus.stopwords.words(),
            lambda: self._word_tokenize(""),
            lambda: self._lemmatizer.lemmatize("dogs"),
        )
        self.stop_words = frozenset([*string.punctuation, *stop_words, *ADDED_STOP_WORDS])

    def tokens(self, text: str) -> list[str]:
        """Return the normalized tokens of `text`, in order."""
        words = self._word_tokenize(text.lower())
        return [self._stem(word) for word in words if word not in self.stop_words]

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        """Return the tokens of `text`, and all words between white space."""
        return self.tokens(text), text.lower().split()

    def located(self, text: str) -> list[Located]:
        """Return the tokens of `text` with their spans."""
        lowered = text.lower()
        spans = word_spans(lowered, self._word_tokenize(lowered))
        kept = ((self._stem(word), start, end) for word, start, end in spans if word not in self.stop_words)
        return located_in(kept, lowered_origins(text))

    def _stemmed(self, word: str) -> str:
        """Tag the lone word, lemmatize it by its tag, and stem the lemma."""
        [(_, tag)] = self._tagger.tag([word])
        return str(self._stemmer.stem(self._lemmatizer.lemmatize(word, _CLASSES.get(tag[:2], "n"))))


def _with_data(module: str, *steps: Callable[[], Any]) -> list[Any]:
    """Run all steps; raise if NLTK data is missing."""
    given, missing = [], []
    for step in steps:
        try:
            given.append(step())
        except LookupError as error:
            package = _PACKAGE.search(str(error))
            if package is None:
                raise
            missing.append(package[1])
    if missing:
        raise DataSourceError(
            f"{module}: normalizer 'nltk' needs NLTK data that is not installed: {', '.join(missing)}. Get it with: "
            f"python -m nltk.downloader {' '.join(missing)}; or set NLTK_DATA to the folder with the data"
        )
    return given
