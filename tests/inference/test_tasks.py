"""Probabilities are those of a plain loop over transformers, whatever the order, the batches and the repetitions."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.batching import Encodings, Key, encode
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.inference.tasks import (
    SequenceClassifier,
    SequenceLikelihood,
    TokenEmbedder,
)

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")

WORDS = st.lists(st.sampled_from(["Great", "soup", "cold", "🍜", "ö", "<pad>", "</s>", "z" * 30, "\n"]), max_size=8)
TEXTS = WORDS.map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8)
INDEPENDENT, UNDECIDED = {"multi_label": True}, {"multi_label": None}
ARCHITECTURES = ["roberta", "bert", "gpt2", "deberta-v2"]


def classifier(model: Any, labels: dict[str, Any] | None = None, **options: Any) -> SequenceClassifier:
    chosen = InferenceSettings(**{"device": "cpu", "cache": "none", "module": "equal_coverage"} | options)
    return SequenceClassifier(model, settings=chosen, **labels or {})


def values(model: Any, pairs: list[tuple[str, ...]], **options: Any) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TruncationWarning)
        return classifier(model, **options).run(pairs).values


@pytest.fixture(scope="module")
def plain(tiny_model: Any) -> Any:
    """One pair at a time, nothing but transformers; answers are kept, as Hypothesis asks for the same ones often."""

    @cache
    def model_of(architecture: str) -> Any:
        folder = tiny_model("classifier", architecture=architecture)
        network = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
        return network, transformers.AutoTokenizer.from_pretrained(folder)

    @cache
    def answer(architecture: str, pair: tuple[str, str]) -> np.ndarray:
        network, tokenizer = model_of(architecture)
        inputs = tokenizer([pair[0]], [pair[1]], truncation=True, return_tensors="pt")
        with torch.no_grad():
            return np.asarray(network(**inputs).logits[0].softmax(-1))

    return answer


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=PAIRS, batch_tokens=st.sampled_from([1, 64, 100_000]))
def test_equal_to_a_plain_loop(
    architecture: str, tiny_model: Any, plain: Any, pairs: list[tuple[str, str]], batch_tokens: int
) -> None:
    found = values(tiny_model("classifier", architecture=architecture), pairs, batch_tokens=batch_tokens)
    np.testing.assert_allclose(found, [plain(architecture, pair) for pair in pairs], rtol=0, atol=1e-5)


def test_without_a_padding_token_nothing_is_padded(tiny_model: Any) -> None:
    one_by_one = classifier(tiny_model("classifier", architecture="gpt2"))
    one_by_one.run([("Great", "soup"), ("cold", "soup"), ("Great", "")])
    assert one_by_one.counts.batches == 3


def test_single_texts(tiny_model: Any) -> None:
    model = tiny_model("classifier")
    network = transformers.AutoModelForSequenceClassification.from_pretrained(model)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    with torch.no_grad():
        expected = network(**tokenizer(["Great soup"], return_tensors="pt")).logits.softmax(-1)
    np.testing.assert_allclose(values(model, [("Great soup",)]), expected, rtol=0, atol=1e-6)


def test_independent_labels(tiny_model: Any) -> None:
    model, pairs = tiny_model("classifier"), [("Great soup", "cold")]
    exclusive, independent = values(model, pairs)[0], values(model, pairs, labels=INDEPENDENT)[0]
    # A sigmoid is s = 1 / (1 + exp(-x)), so s / (1 - s) = exp(x), which softmax shares out.
    odds = independent / (1 - independent)
    np.testing.assert_allclose(odds / odds.sum(), exclusive, rtol=1e-4)


def test_the_cache_tells_the_two_apart(tiny_model: Any, tmp_path: Any) -> None:
    model, pairs = tiny_model("classifier"), [("Great soup", "cold")]
    exclusive = values(model, pairs, cache=tmp_path)
    assert np.abs(values(model, pairs, cache=tmp_path, labels=INDEPENDENT) - exclusive).max() > 1e-3


def test_one_label_excludes_no_other(tiny_model: Any) -> None:
    model = tiny_model("classifier", labels=("toxic",))
    with pytest.raises(
        InputError, match=r"has only one label, 'toxic', so its share is always 1; use multi_label=True"
    ):
        classifier(model)
    assert 0 < values(model, [("cold soup",)], labels=INDEPENDENT).item() < 1


@pytest.mark.parametrize("kind", ["multi", "single"])
def test_independence_may_be_in_the_configuration(kind: str, copy_of: Any) -> None:
    folder = copy_of("classifier")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["problem_type"] = f"{kind}_label_classification"
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert classifier(folder, UNDECIDED).multi_label is (kind == "multi")


def test_independence_is_settled_where_the_configuration_does_not_say(tiny_model: Any) -> None:
    for independent in (True, False):
        model = classifier(tiny_model("classifier"), UNDECIDED)
        model.settle(independent=independent)
        assert model.multi_label is independent
    undecided = classifier(tiny_model("classifier"), UNDECIDED)
    with pytest.raises(InputError, match=r"does not say \(problem_type\) .*; choose another model"):
        undecided.settle(independent=None)


def test_nan_is_refused_and_not_kept(tiny_model: Any, tmp_path: Any) -> None:
    damaged = classifier(tiny_model("classifier"), cache=tmp_path)
    with torch.no_grad():
        damaged.loaded.model.classifier.out_proj.weight[0, 0] = float("nan")
    with pytest.raises(InputError, match=r'returns NaN in float32: .*; try dtype="float32"'):
        damaged.run([("Great", "soup")])
    [kept] = tmp_path.glob("*/fingerprint.txt")
    assert kept.read_text().startswith("facts|")


TEXTS_EMBEDDINGS = ["Tasty soup, slow service.", "Cold.", "The wait was long and the room was loud.", "Slow"]


class Embedder(TokenEmbedder):
    """The base, with what it leaves open."""

    task = "embed"

    def encode(self, keys: Sequence[Key]) -> Encodings:
        return encode(self.loaded.tokenizer, keys, self.loaded.max_tokens)

    def forward(self, inputs: Any) -> Any:
        raise NotImplementedError


def embedder(folder: Path, num_layers: int | None = None, **options: Any) -> Embedder:
    settings = InferenceSettings(**{"device": "cpu", "cache": "none", "module": "bur", **options})
    return Embedder(folder, num_layers=num_layers, settings=settings)


def check(folder: Path, found: TokenEmbedder, reference: Any, layer: int) -> None:
    """Compare with a model that runs texts one by one and gives the states of all layers."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer(text)["input_ids"] for text in TEXTS_EMBEDDINGS]
    embeddings = found.embed(ids)
    assert [tuple(states.shape) for states in embeddings] == [(len(tokens), 32) for tokens in ids]
    for tokens, states in zip(ids, embeddings, strict=True):
        with torch.no_grad():
            expected = reference(input_ids=torch.tensor([tokens]), output_hidden_states=True).hidden_states[layer][0]
        torch.testing.assert_close(states, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("layer", "batch_tokens"), [(0, 1), (1, 40), (2, None)])
def test_the_states_of_a_layer(tiny_model: Any, layer: int, batch_tokens: int | None) -> None:
    folder = tiny_model("encoder")
    found = embedder(folder, layer, batch_tokens=batch_tokens)
    check(folder, found, transformers.AutoModel.from_pretrained(folder).eval(), layer)
    assert len(found.loaded.model.encoder.layer) == layer  # what stands above is gone
    assert found.counts.computed == len(TEXTS_EMBEDDINGS)


def test_the_encoder_of_an_encoder_decoder(tiny_model: Any) -> None:
    folder = tiny_model("seq2seq")
    found = embedder(folder, 1)
    check(folder, found, transformers.AutoModel.from_pretrained(folder).eval().get_encoder(), 1)
    assert len(found.loaded.model.encoder.layers) == 1


def test_an_architecture_whose_layers_cannot_be_dropped(tiny_model: Any, tmp_path: Path) -> None:
    """ALBERT runs one layer several times."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_model("encoder"))
    config = transformers.AlbertConfig(
        vocab_size=len(tokenizer), embedding_size=16, hidden_size=32, num_hidden_layers=3, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=64, pad_token_id=1, initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.AlbertModel(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    for layer in (1, 3):
        check(tmp_path, embedder(tmp_path, layer), model, layer)


def test_too_many_layers(tiny_model: Any) -> None:
    with pytest.raises(InputError) as error:
        embedder(tiny_model("encoder"), 3)
    message = str(error.value)
    assert message.startswith("bur: num_layers is 3, but encoder@")
    assert message.endswith(" has 2 layers; choose one from 0 to 2")


def test_the_layer_is_part_of_the_address_in_the_cache(tiny_model: Any) -> None:
    folder = tiny_model("encoder")
    one, two = embedder(folder, 1).fingerprint(), embedder(folder, 2).fingerprint()
    assert one != two
    assert one.replace("layers:1", "layers:2") == two


PAIRS_LIKELIHOOD = [
    ("Tasty soup, slow service.", "Tasty soup."),
    ("Tasty soup.", "Tasty soup, slow service."),
    ("Cold", "The wait was long and the room was loud."),
    ("Tasty soup, slow service.", "Cold."),
    ("", "Cold."),
    ("Cold.", ""),
]


@pytest.fixture(scope="module")
def folder(tiny_model: Any) -> Path:
    return Path(tiny_model("seq2seq"))


def runner(folder: Path, **options: Any) -> SequenceLikelihood:
    return SequenceLikelihood(folder, settings=InferenceSettings(**{"device": "cpu", "cache": "none", **options}))


@pytest.fixture(scope="module")
def shared(folder: Path) -> SequenceLikelihood:
    return runner(folder)


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[float]:
    """Of each pair, token by token."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    likelihoods = []
    for source, target in PAIRS_LIKELIHOOD:
        source_ids = torch.tensor([tokenizer(source)["input_ids"]])
        target_ids = tokenizer(target)["input_ids"]
        assert (target_ids[0], target_ids[-1]) == (0, 2)  # <s> and </s> count, as in BARTScore
        prefix, total = [model.config.decoder_start_token_id], 0.0
        for token in target_ids:
            with torch.no_grad():
                logits = model(input_ids=source_ids, decoder_input_ids=torch.tensor([prefix])).logits
            total += float(logits[0, -1].double().log_softmax(dim=-1)[token])
            prefix.append(token)
        likelihoods.append(total / len(target_ids))
    return likelihoods


def test_token_by_token(shared: SequenceLikelihood, expected: list[float]) -> None:
    found = shared.run(PAIRS_LIKELIHOOD)
    assert found.values.shape == (len(PAIRS_LIKELIHOOD), 1)
    np.testing.assert_allclose(found.values[:, 0], expected, rtol=0, atol=1e-5)
    assert found.values.max() < 0
    assert not found.cut.any()


def test_both_sides_are_cut_and_counted(folder: Path, shared: SequenceLikelihood) -> None:
    tokenizer, limit = shared.loaded.tokenizer, shared.loaded.max_tokens
    assert limit == 64
    long = "x" * 100  # a token a letter, and <s> and </s>
    excess = len(tokenizer(long)["input_ids"]) - limit
    assert excess == 102 - 64
    with pytest.warns(TruncationWarning, match="3 of 4 texts exceed the 64 tokens"):
        found = shared.run([("a", "b"), (long, "b"), ("a", long), (long, long)])
    assert found.cut.tolist() == [0, excess, excess, 2 * excess]
    # What is left are <s>, 62 letters and </s>.
    whole = shared.run([("x" * 62, "b"), ("a", "x" * 62)]).values
    np.testing.assert_allclose(found.values[1:3], whole, rtol=0, atol=1e-5)
    with pytest.raises(InputError, match="a text is 38 tokens longer than the 64"):
        runner(folder, on_truncate="error").run([("a", long)])
