"""LangFair's metrics: what langfair 0.8.0 says of 42 pairs, written by tools/build_langfair_golden.py."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils.counterfactual.documents import mini_news
from fairsum_utils.errors import DataSourceError
from fairsum_utils.families import families
from fairsum_utils.families.sensitivity.langfair import (
    neutralized,
    nltk_tokenizer,
    put_together,
)

FILE = Path(__file__).with_name("langfair_golden.json")
GOLDEN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
PAIRS: list[list[str]] = GOLDEN["pairs"]
TOOL = Path(__file__).parents[3] / "tools" / "build_langfair_golden.py"

FAMILY = families()["sensitivity"]


def score(pairs: list[list[str]] = PAIRS, **settings: Any) -> dict[str, Any]:
    """The measure of pairs, and the similarity of each."""
    chosen = FAMILY.settings("counterfactual_pairs")(module="counterfactual_pairs", return_samples=True, **settings)
    columns: dict[str, list[Any]] = {
        "predictions": [text for pair in pairs for text in pair],
        "article_ids": [place for place in range(len(pairs)) for _ in range(2)],
        "variants": ["a", "b"] * len(pairs),
    }
    scorer = FAMILY.scorer(("counterfactual_pairs",), chosen)
    rows = list(scorer.rows(scorer.read(columns)))
    sums = FAMILY.sums(FAMILY.table(rows), ("counterfactual_pairs",), chosen, scorer)
    result = FAMILY.results(sums, ("counterfactual_pairs",), chosen, scorer, columns)["counterfactual_pairs"]
    records = FAMILY.records(rows, ("counterfactual_pairs",), chosen)
    return {**result, "by_pair": [1 - record["dissimilarity"] for record in records[::2]]}


def close(numbers: Any) -> Any:
    return pytest.approx(numbers, rel=0, abs=1e-9)


@pytest.mark.parametrize("mode", ["rouge_l", "bleu"])
@pytest.mark.parametrize("masked", [False, True])
def test_similarities_are_langfairs(mode: str, masked: bool) -> None:
    expected = GOLDEN[f"{mode}_neutral" if masked else mode]
    found = score(mode=mode, masked=masked)
    assert found["by_pair"] == close(expected)
    assert found["langfair"] == close(sum(expected) / len(expected))
    assert found["counterfactual_pairs"] == close(1 - sum(expected) / len(expected))


@pytest.mark.parametrize("sentiment", ["neg", "pos"])
def test_parities_are_langfairs(sentiment: str) -> None:
    strict = score(mode="strict", sentiment_score=sentiment)
    assert strict["counterfactual_pairs"] == strict["langfair"] == close(GOLDEN[f"strict_{sentiment}"])
    for threshold in (0.1, 0.5):
        weak = score(mode="weak", sentiment_score=sentiment, threshold=threshold)
        assert weak["langfair"] == close(GOLDEN[f"weak_{sentiment}_{threshold}"])
        assert weak["counterfactual_pairs"] == abs(weak["langfair"])


def test_neutral_texts_are_langfairs() -> None:
    assert [[neutralized(text) for text in pair] for pair in PAIRS] == GOLDEN["neutral"]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["``", "Yes", ",", "''", "she", "said", "."], "``Yes, ''she said."),
        (['"', "Yes", '"', "and", '"', "no", '"'], '"Yes" and "no"'),
        (["the", "Jones", "'", "house", "and", "'", "x", "'"], "the Jones' house and 'x'"),
        (["$", "5", "(", "10", "%", ")"], "$5 (10%)"),
        ([], ""),
    ],
)
def test_put_together(tokens: list[str], text: str) -> None:
    """By the rules of the Moses detokenizer: quotes open and close in turn, each kind of them by itself."""
    assert put_together(tokens) == text


@pytest.mark.parametrize("error", [LookupError("no punkt_tab"), PermissionError("refusing multiply-linked file")])
def test_nltk_without_its_data(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(text: str) -> list[str]:
        raise error

    nltk = ModuleType("nltk")
    nltk.word_tokenize, nltk.__version__ = refuse, "3.9.1"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nltk", nltk)
    with pytest.raises(DataSourceError, match=r"^here: tokenizer='nltk' needs data of NLTK that are not installed"):
        nltk_tokenizer("here")


def package_says(pairs: list[list[str]]) -> dict[str, Any]:
    """What langfair itself says, where it is installed; ``nox -s langfair`` has it."""
    if importlib.util.find_spec("langfair") is None:
        pytest.skip("langfair is not installed")
    spec = importlib.util.spec_from_file_location("build_langfair_golden", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    found: dict[str, Any] = tool.golden(pairs)
    return found


EDITS = [
    "she", "Her", "girlfriend", "Mrs.", '"ladies"', "he's", "can't", "--", "50%", "...", "'tis", "(him)",
    "“so”", "don’t", "café", "$3.50", "e.g.", "it?!", "@user", "#tag", "http://a.b/c", "mother-in-law", "U.S.", "a.m.",
    "Policemen",
]  # fmt: skip


def edited_news(n: int) -> list[list[str]]:
    """Pairs of a piece of the shipped news and the same with words put in, left out and changed, by a seed."""
    rng = random.Random(8)
    texts = [document.text for document in mini_news()]
    pairs = []
    for _ in range(n):
        words = rng.choice(texts).split()
        start = rng.randrange(len(words) - 8)
        first = words[start : start + rng.randint(1, 80)]
        second = list(first)
        for _ in range(rng.randint(0, 8)):
            place = rng.randrange(len(second))
            second[place : place + rng.randint(0, 1)] = rng.sample(EDITS, rng.randint(0 if len(second) > 2 else 1, 2))
        pairs.append([" ".join(first), " ".join(second)])
    return pairs


@pytest.mark.parametrize("tokenizer", ["own", "nltk"])
def test_as_many_pairs_as_one_likes(tokenizer: str) -> None:
    pairs = edited_news(300)
    expected = package_says(pairs)
    for name, settings in (
        ("rouge_l", {"masked": False}),
        ("rouge_l_neutral", {"tokenizer": tokenizer}),
        ("bleu", {"masked": False, "tokenizer": tokenizer}),
        ("bleu_neutral", {"tokenizer": tokenizer}),
    ):
        assert score(pairs, mode=name.removesuffix("_neutral"), **settings)["by_pair"] == close(expected[name])
    for sentiment in ("neg", "pos"):
        strict = score(pairs, mode="strict", sentiment_score=sentiment)
        assert strict["langfair"] == close(expected[f"strict_{sentiment}"])
        weak = score(pairs, mode="weak", sentiment_score=sentiment, threshold=0.1)
        assert weak["langfair"] == close(expected[f"weak_{sentiment}_0.1"])


def test_the_package_still_says_so() -> None:
    found = package_says(PAIRS)
    for name, numbers in found.items():
        tolerance = 1e-6 if name == "cosine" else 1e-9  # a model's numbers have 32 bits
        if name == "neutral":
            assert numbers == GOLDEN[name]
        else:
            assert numbers == pytest.approx(GOLDEN[name], rel=0, abs=tolerance), name
