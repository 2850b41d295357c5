"""What settings name: files, functions and models, made here, small, and without the network."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock
from zlib import crc32

LEXICON = """\
word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust
soup\t8\t6\t7\t4\t1\t1\t1\t1
awful\t2\t7\t4\t1\t4\t3\t4\t2
table\t5\t5\t5\t1\t1\t1\t1\t1
he\t9\t9\t9\t5\t5\t5\t5\t5
"""
PEOPLE = "title\tmale\tfemale\nAnn Lee\t0\t3\nJohn Kim\t4\t1\nPat Fox\t1\t1\n"


def entails(premises: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
    """A probability that only the texts decide."""
    pairs = zip(premises, hypotheses, strict=True)
    return [crc32(f"{premise}|{hypothesis}".encode("utf-8", "replace")) % 5 / 4 for premise, hypothesis in pairs]


def split(summary: str) -> list[str]:
    """Units: lines."""
    return [line for line in summary.split("\n") if line.strip()]


def match(documents: Sequence[str], summary: str | None) -> list[float]:
    """Weight of each value; the summary is None if no predictions are given."""
    return [float(len(set(document.split()) & set((summary or "").split()))) for document in documents]


class Classifier:
    """Stands for a model: probabilities that only the texts decide."""

    name = "fake@0"
    multi_label = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = list(labels)

    def settle(self, *, independent: bool | None, remedy: str = "") -> None:
        """Accept the labels, whatever they mean."""

    def run(self, inputs: Sequence[tuple[str]]) -> tuple[Any, Any]:
        """Probabilities and numbers of tokens cut off."""
        import numpy as np

        seeds = [crc32(text.encode("utf-8", "replace")) for (text,) in inputs]
        values = np.array([[(seed >> place) % 11 / 10 for place in range(len(self.labels))] for seed in seeds])
        return values, np.array([seed % 2 for seed in seeds])

    def close(self) -> None:
        """Nothing to let go of."""


@contextlib.contextmanager
def fakes() -> Iterator[None]:
    """Classifiers without a model."""
    from fairsum_utils.families.polarity.classifiers import ClassifierScorer

    made = property(lambda scorer: Classifier([*(scorer.settings.label_map or scorer.settings.known)]))
    with mock.patch.object(ClassifierScorer, "classifier", made), mock.patch.object(ClassifierScorer, "close"):
        yield


_KEPT: list[Any] = []


@cache
def folder() -> Path:
    """A folder of files that settings name; gone with the process."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="fairsum-fuzz-"))
    path = Path(_KEPT[-1].name)
    (path / "norms.tsv").write_text(LEXICON, encoding="utf-8")
    (path / "people.tsv").write_text(PEOPLE, encoding="utf-8")
    (path / "binary").write_bytes(bytes(range(256)))
    (path / "empty").write_bytes(b"")
    return path


@cache
def always() -> dict[str, Any]:
    """Setting -> value, of those whose default asks for a model."""
    return {"entailer": "lexical", "lexicon": folder() / "norms.tsv", "ner": None}


@cache
def fitting() -> dict[str, list[Any]]:
    """Setting -> values that nobody could guess from its type."""
    files = folder()
    return {
        "entailer": ["lexical", entails],
        "splitter": ["sentence", split],
        "matcher": ["ngram", match],
        "lexicon": [files / "norms.tsv", str(files / "norms.tsv")],
        "people": [None, files / "people.tsv", {"Ann Lee": "female", "Pat Fox": None}],
        "first_names": [None, {"ann": "x", "john": "y", "Zoë": "x"}],
        "word_lists": [
            "helm",
            "extended",
            {"soups": ["soup"], "staff": ["staff", "waiter"]},
            {"a": ["İstanbul", "ß"], "b": ["nan"]},
        ],
        "target": ["ratio", "equal"],
        "label_map": [None],
        "ner": [None],
        "cache": ["none", None],
        "device": [None, "cpu"],
        "chat_url": [None],
        "chat_model": [None],
        "model": [],
        "revision": [None],
        "entailment_label": [None],
    }
