"""Entailers: shared words by hand, a function's answers checked, and the labels of a model."""

from __future__ import annotations

import tracemalloc
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings, entailers
from fairsum_utils.inference.entailers import CallableEntailer, LexicalEntailer, NLIEntailer, get_entailer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.settings import TextSettings
from fairsum_utils.settings.models import EntailerSettings
from fairsum_utils.text.normalize import get_normalizer

NO_CACHE = InferenceSettings(cache="none", module="equal_coverage")
WORDS = st.lists(st.sampled_from(["soup", "bread", "cold", "great", "the", "slow"]), max_size=8).map(" ".join)


def test_share_of_content_tokens_by_hand() -> None:
    judgement = LexicalEntailer().judge(
        [
            ("Cold soup and bread.", "Soup, soup and salad."),  # content tokens soup, soup, salad: 2 of 3
            ("Cold soup and bread.", "Cold bread!"),  # 2 of 2
            ("Cold soup and bread.", "The and of it."),  # no content token
        ]
    )
    np.testing.assert_array_equal(judgement.probability, [2 / 3, 1.0, np.nan])
    assert judgement.likeliest.tolist() == [True, True, False]
    assert judgement.cut.tolist() == [0, 0, 0]


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_lexical_agrees_with_counting(pairs: list[tuple[str, str]]) -> None:
    normalizer = get_normalizer(TextSettings(normalizer="simple"))
    tokens = normalizer.tokens
    found = LexicalEntailer(normalizer).judge(pairs).probability
    for (premise, hypothesis), share in zip(pairs, found, strict=True):
        of_unit = tokens(hypothesis)
        if of_unit:
            assert share == [token in tokens(premise) for token in of_unit].count(True) / len(of_unit)
        else:
            assert np.isnan(share)


def test_names_for_signatures() -> None:
    german = LexicalEntailer(get_normalizer(TextSettings(language="de")))
    assert german.name == f"lexical(simple german(snowballstemmer {version('snowballstemmer')}))"
    assert CallableEntailer(my_entailer).name == "callable(my_entailer)"


def my_entailer(premises: list[str], hypotheses: list[str]) -> list[float]:
    return [0.75 if hypothesis in premise else 0.25 for premise, hypothesis in zip(premises, hypotheses, strict=True)]


def test_a_function() -> None:
    judgement = CallableEntailer(my_entailer).judge([("a b", "b"), ("a b", "c")])
    assert judgement.probability.tolist() == [0.75, 0.25]
    assert judgement.likeliest.tolist() == [True, False]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5], "must return 2 probabilities, one per pair, found list"),
        (0.5, "must return 2 probabilities"),
        ([0.5, 1.5], r"returned float 1.5 for the text 'second'; probabilities of entailment lie in \[0, 1\]"),
        ([0.5, float("nan")], "returned NaN for the text 'second'"),
        ([0.5, "0.5"], "returned str '0.5'"),
        ([None, 0.5], "returned None for the text 'first'"),
    ],
)
def test_a_function_that_answers_badly(answer: object, message: str) -> None:
    entailer = CallableEntailer(lambda premises, hypotheses: answer, module=("equal_coverage"))  # type: ignore[arg-type,return-value]
    with pytest.raises(InputError, match=message) as caught:
        entailer.judge([("first", "x"), ("second", "x")])
    assert str(caught.value).startswith("equal_coverage: ")


def test_model_equals_transformers_one_by_one(nli_model: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    pairs = [("Great soup, friendly staff.", "The soup was great."), ("Cold.", "Warm and friendly staff."), ("", "x")]
    judgement = NLIEntailer(nli_model, settings=NO_CACHE).judge(pairs)
    tokenizer = AutoTokenizer.from_pretrained(nli_model)
    model = AutoModelForSequenceClassification.from_pretrained(nli_model).eval()
    for number, (premise, hypothesis) in enumerate(pairs):
        with torch.no_grad():
            probabilities = model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits.softmax(-1)[0]
        assert judgement.probability[number] == pytest.approx(float(probabilities[2]), abs=1e-5)
        assert judgement.likeliest[number] == bool(probabilities.argmax() == 2)


def test_label_is_read_and_never_assumed(tiny_model, nli_model: Path) -> None:  # type: ignore[no-untyped-def]
    unnamed = tiny_model("classifier", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(InputError, match="has the labels 'LABEL_0', 'LABEL_1', 'LABEL_2', but no label 'entailment'"):
        NLIEntailer(unnamed, settings=NO_CACHE)
    with pytest.raises(InputError, match="but no label 'yes'"):
        NLIEntailer(nli_model, label="yes", settings=NO_CACHE)
    assert NLIEntailer(nli_model, label="Entailment", settings=NO_CACHE).judge([("a", "b")]).probability.shape == (1,)


def test_model_that_denies_the_identity_is_refused(tiny_model) -> None:  # type: ignore[no-untyped-def]
    # Three models of the same weights, of which each calls another class entailment: at most one can pass.
    outcomes = []
    for place in range(3):
        labels = ["a", "b", "c"]
        labels[place] = "entailment"
        folder = tiny_model("classifier", labels=tuple(labels))
        try:
            NLIEntailer(folder, settings=NO_CACHE)
            outcomes.append("fine")
        except InputError as error:
            outcomes.append(str(error))
            with pytest.warns(UserWarning, match="check entailment_label"):
                NLIEntailer(folder, label="entailment", settings=NO_CACHE)
    assert outcomes.count("fine") == 1
    refused = [outcome for outcome in outcomes if outcome != "fine"]
    assert all("gives a sentence that entails itself a probability of" in outcome for outcome in refused)


def test_model_that_is_not_there_names_the_lexical_option(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(InputError, match='entailer="lexical"'):
        NLIEntailer(tmp_path / "nothing", settings=NO_CACHE)


@given(st.lists(st.tuples(st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4)), max_size=5))
def test_grids_are_judged_as_their_pairs(grids: list[tuple[list[str], list[str]]]) -> None:
    words = LexicalEntailer()

    def share(premises: list[str], hypotheses: list[str]) -> list[float]:
        assert 0 < len(premises) <= 3  # no call has more pairs than are allowed together
        return np.nan_to_num(words.judge(list(zip(premises, hypotheses, strict=True))).probability).tolist()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entailers, "_TOGETHER", 3)
        by_function = list(CallableEntailer(share).judge_grids(iter(grids)))
    by_words = list(words.judge_grids(iter(grids)))
    for (premises, hypotheses), one, other in zip(grids, by_words, by_function, strict=True):
        expected = words.judge(list(product(premises, hypotheses))).arranged(len(premises), len(hypotheses))
        assert one.probability.shape == other.probability.shape == (len(premises), len(hypotheses))
        np.testing.assert_array_equal(one.probability, expected.probability)
        np.testing.assert_array_equal(one.likeliest, expected.likeliest)
        np.testing.assert_array_equal(other.probability, np.nan_to_num(expected.probability))


@pytest.mark.parametrize(
    "entailer", [LexicalEntailer(), CallableEntailer(lambda premises, hypotheses: np.zeros(len(premises)))]
)
def test_memory_does_not_grow_with_the_number_of_grids(entailer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entailers, "_TOGETHER", 1000)
    texts = [f"word{number} soup" for number in range(60)]
    peaks = []
    for n_grids in (1, 8):
        tracemalloc.start()
        for _ in entailer.judge_grids((texts, texts) for _ in range(n_grids)):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


def test_similarity_of_embeddings_equals_a_plain_product(tiny_model) -> None:  # type: ignore[no-untyped-def]
    folder = tiny_model("encoder")
    chosen = EntailerSettings(entailer="embeddings", sentence_model=str(folder), cache="none", device="cpu")
    entailer = get_entailer(chosen)
    texts = ["Great soup.", "Cold.", "The wait was long.", "z" * 100]  # the last one is cut
    pairs = list(product(texts, texts))
    with pytest.warns(UserWarning, match="1 of 4 texts exceed"):
        judgement = entailer.judge(pairs)
    embedder = SentenceEmbedder(folder, settings=NO_CACHE)
    with pytest.warns(UserWarning, match="exceed"):
        vectors, cut = embedder.run([(text,) for text in texts])
    similarity = np.clip(vectors @ vectors.T, 0, 1).ravel()
    np.testing.assert_allclose(judgement.probability, similarity, atol=1e-6)
    assert judgement.likeliest.tolist() == (similarity > 0.5).tolist()
    assert {True, False} == {*judgement.likeliest.tolist()}
    assert judgement.cut.tolist() == np.add.outer(cut, cut).ravel().tolist()
    assert entailer.name == f"embeddings({embedder.name})"
    assert len(entailer.judge([]).cut) == 0
