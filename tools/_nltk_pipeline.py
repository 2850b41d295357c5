"""The published normalization by NLTK with local files, an oracle for tests.

It uses NLTK's classes and methods; only the reading of data files is done here, because NLTK's own readers want the
data downloaded in one exact layout.
"""

from __future__ import annotations

import io
import pickle
import string
import zipfile
from pathlib import Path

from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.stem import PorterStemmer
from nltk.tag.perceptron import PerceptronTagger
from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TAG_CLASSES = {"NN": "n", "JJ": "a", "VB": "v", "RB": "r"}


class _PlainUnpickler(pickle.Unpickler):
    """Reads pickles of plain containers only."""

    def find_class(self, module: str, name: str) -> type:
        """Allow sets, nothing else."""
        if name == "set":
            return set
        raise pickle.UnpicklingError(f"refused {module}.{name}")


class Pipeline:
    """NLTK's tokenizers, stop words, tagger, lemmatizer and Porter stemmer."""

    def __init__(self, tagger_zip: str | Path, wordnet: str | Path, stopwords_zip: str | Path | None = None) -> None:
        self.tagger = PerceptronTagger(load=False)
        with zipfile.ZipFile(tagger_zip) as archive:
            data = archive.read("averaged_perceptron_tagger/averaged_perceptron_tagger.pickle")
        weights, self.tagger.tagdict, classes = _PlainUnpickler(io.BytesIO(data)).load()
        self.tagger.model.weights, self.tagger.classes = weights, classes
        self.tagger.model.classes = classes
        self.porter = PorterStemmer()
        self.lemmas = {pos: _index(Path(wordnet) / f"index.{name}") for pos, name in FILES.items()}
        self.exceptions = {pos: _exceptions(Path(wordnet) / f"{name}.exc") for pos, name in FILES.items()}
        # The reader's method does the work; it only looks these two tables up.
        self._reader = WordNetCorpusReader.__new__(WordNetCorpusReader)
        self._reader._exception_map = self.exceptions
        self._reader._lemma_pos_offset_map = {}
        for pos, lemmas in self.lemmas.items():
            for lemma in lemmas:
                self._reader._lemma_pos_offset_map.setdefault(lemma, {})[pos] = [0]
        self.stop_words = self._stop_list(stopwords_zip) if stopwords_zip else []
        self.sentences = _punkt()
        self.words = NLTKWordTokenizer()

    @staticmethod
    def _stop_list(path: str | Path) -> list[str]:
        """Return the stop words as a list, read from all files as one text."""
        with zipfile.ZipFile(path) as archive:
            names = [name for name in sorted(archive.namelist()) if not name.endswith(("/", "README"))]
            text = "".join(archive.read(name).decode("utf-8") for name in names)
        words = [line for line in text.splitlines() if line.rstrip()]
        return [*string.punctuation, *words, "||", "people", "''", "``", "...", ".."]

    def word_tokenize(self, text: str) -> list[str]:
        """Return the result of nltk.word_tokenize."""
        return [token for sentence in self.sentences.tokenize(text) for token in self.words.tokenize(sentence)]

    def lemma(self, token: str) -> str:
        """Tag the lone token and lemmatize it by its tag or as a noun."""
        tag = self.tagger.tag([token])[0][1]
        found = self._reader._morphy(token, TAG_CLASSES.get(tag[:2], "n"))
        return min(found, key=len) if found else token

    def stem(self, token: str) -> str:
        """Lemma, then Porter stem."""
        return str(self.porter.stem(self.lemma(token)))

    def tokens(self, text: str) -> list[str]:
        """Return the published normalization of one text."""
        return [self.stem(token) for token in self.word_tokenize(text.lower()) if token not in self.stop_words]


def _index(path: Path) -> set[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.split(" ", 1)[0] for line in lines if not line.startswith(" ")}


def _exceptions(path: Path) -> dict[str, list[str]]:
    entries = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {form: lemmas for form, *lemmas in entries}


def _punkt() -> PunktSentenceTokenizer:
    from punkt.data import english

    parameters = PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context.update(english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(parameters)
