"""Gibbs sampling against a written-out loop: one prompt at a time, no batch, no padding, NumPy's arithmetic."""

from __future__ import annotations

import math
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.generation import MaskedGenerator, choose_input, from_preset, generate, is_masked, is_seq2seq
from fairsum_utils.generation.generators import added_text
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.gibbs import GibbsSampler
from fairsum_utils.inference.runner import TruncationWarning

PROMPTS = ["Great soup", "slow", "Cold soup, slow service, the wait", "a", "Great soup", "friendly staff"]
DRAWS = [0, 0, 0, 0, 1, 0]


def masked(model: Path, *, batch_tokens: int | None = None, on_truncate: str = "warn", **options: Any) -> Any:
    settings = from_preset("bert", **{"max_new_tokens": 5, "iterations": 20, "burn_in": 12, **options})
    inference = InferenceSettings(device="cpu", batch_tokens=batch_tokens, on_truncate=on_truncate)
    return MaskedGenerator(model, settings, inference=inference)


def texts_of(generator: MaskedGenerator, prompts: list[str]) -> list[str]:
    return [text.text for [text] in generate(prompts, generator)]


def splitmix(state: int) -> int:
    """The next number of SplitMix64 after a state, by Python's integers."""
    word = (1 << 64) - 1
    state = state & word
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & word
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB & word
    return state ^ (state >> 31)


def plain_loop(model: Path, prompt: str, draw: int, **options: Any) -> str:
    """What the code of Wang and Cho does for one sentence, with a draw that can be repeated."""
    import torch
    import transformers

    settings = from_preset("bert", **{"max_new_tokens": 5, "iterations": 20, "burn_in": 12, **options})
    assert settings.max_new_tokens
    assert settings.iterations
    assert settings.temperature is not None
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    network = transformers.AutoModelForMaskedLM.from_pretrained(model).eval()
    *seed, end = tokenizer(prompt)["input_ids"]
    assert end == tokenizer.sep_token_id
    tokens = [*seed, *[tokenizer.mask_token_id] * settings.max_new_tokens, end]
    name = blake2b(f"{prompt}\n{draw}".encode(), digest_size=16).digest()
    numbers = np.random.default_rng([settings.seed or 0, *name])
    places = numbers.integers(settings.max_new_tokens, size=settings.iterations)
    keys = numbers.integers(1 << 63, size=settings.iterations)
    for step, place in enumerate(places):
        tokens[len(seed) + place] = tokenizer.mask_token_id
        with torch.inference_mode():
            scores = network(torch.tensor([tokens])).logits[0, len(seed) + place].double().numpy()
        if settings.top_k and step >= settings.burn_in:
            scores[np.argsort(-scores)[settings.top_k :]] = -math.inf
        if settings.temperature and (step < settings.burn_in or settings.top_k):
            uniform = [
                ((splitmix(int(keys[step]) + token * 0x9E3779B97F4A7C15) >> 12) + 0.5) / 2**52
                for token in range(1, len(scores) + 1)
            ]
            scores = scores / settings.temperature - [math.log(-math.log(number)) for number in uniform]
        tokens[len(seed) + place] = int(scores.argmax())
    before, whole = (tokenizer.decode(each, skip_special_tokens=True) for each in (seed, tokens[:-1]))
    return str(whole[len(before) :])


OPTIONS: list[dict[str, Any]] = [
    {},
    {"temperature": 0.0},
    {"temperature": 3.0, "burn_in": 20, "seed": 5},
    {"burn_in": 0},
    {"top_k": 3, "burn_in": 2, "temperature": 4.0},
    {"top_k": 1},
    {"max_new_tokens": 1, "iterations": 3, "burn_in": 1},
]


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
@pytest.mark.parametrize("options", OPTIONS)
def test_batches_equal_a_plain_loop(tiny_model: Any, architecture: str, options: dict[str, Any]) -> None:
    model = tiny_model("masked", architecture=architecture)
    expected = [plain_loop(model, prompt, draw, **options) for prompt, draw in zip(PROMPTS, DRAWS, strict=True)]
    assert texts_of(masked(model, **options), PROMPTS) == expected
    assert len(set(expected)) > 1


@pytest.mark.parametrize("batch_tokens", [1, 30, 100])
def test_order_and_batches_do_not_matter(tiny_model: Any, batch_tokens: int) -> None:
    model = tiny_model("masked")
    prompts = [*dict.fromkeys(PROMPTS)]
    together = texts_of(masked(model, iterations=60, burn_in=40), prompts)
    apart = masked(model, iterations=60, burn_in=40, batch_tokens=batch_tokens)
    assert texts_of(apart, prompts[::-1])[::-1] == together


def test_a_close_call_is_made_alone(tiny_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a batch does to scores: where two tokens are close, the text alone decides."""
    model = tiny_model("masked")
    expected = texts_of(masked(model), PROMPTS)
    scores = GibbsSampler._scores
    noise = np.random.default_rng(0)
    alone = []

    def shaken(self: GibbsSampler, tokens: Any, *inputs: Any) -> Any:
        exact = scores(self, tokens, *inputs)
        alone.append(len(tokens) == 1)
        # Nine tenths of what rounding may do by the sampler's bound, which is set below.
        shift = 0.0 if alone[-1] else 0.9 * 0.05 * exact.abs().amax(dim=1, keepdim=True)
        return exact + shift * exact.new_tensor(noise.choice([-1.0, 1.0], tuple(exact.shape)))

    monkeypatch.setattr(GibbsSampler, "_scores", shaken)
    assert texts_of(masked(model), PROMPTS) != expected  # the bound of float32 is far below
    monkeypatch.setattr("fairsum_utils.inference.gibbs._ROUNDING", 0.05 / 2**-23)
    alone.clear()
    assert texts_of(masked(model), PROMPTS) == expected
    assert 0 < sum(alone) < 20 * len(PROMPTS)


def test_seeds_and_signature(tiny_model: Any) -> None:
    model = tiny_model("masked")
    first, again, other = (texts_of(masked(model, seed=seed), PROMPTS) for seed in (0, 0, 1))
    assert first == again != other
    identity = masked(model).identity()
    names = ("max_new_tokens", "temperature", "iterations", "burn_in", "seed", "prediction")
    assert [identity[name] for name in names] == [5, 0.7, 20, 12, 0, "whole"]
    assert str(identity["model"]).startswith("masked@")


def test_a_long_prompt_loses_its_beginning(tiny_model: Any) -> None:
    model = tiny_model("masked", max_tokens=24)
    long = "Cold soup, slow service, " * 6
    with pytest.warns(TruncationWarning, match="1 of 2 prompts were too long"):
        [[cut], [whole]] = generate([long, "slow"], masked(model))
    assert (whole.n_cut, cut.n_cut > 0, cut.finish) == (0, True, "length")
    # What is left is the opening token and the last ones that leave room for five masks and the end.
    generator = masked(model)
    before, after = generator._encode(long)
    kept = generator._cut(before, len(after))
    assert kept == [before[0], *before[-(24 - 5 - 2) :]]
    with pytest.raises(
        InputError, match=r"tokens too long for masked@\w+, which reads 24: 'Cold soup.*smaller max_new"
    ):
        generate([long], masked(model, on_truncate="error"))


def test_models_of_another_kind(tiny_model: Any) -> None:
    for kind in ("causal", "seq2seq", "classifier"):
        with pytest.raises(
            InputError, match=f"^generate: the preset 'bert' needs a masked model .*, but '.*{kind}' is not one"
        ):
            masked(tiny_model(kind))
    with pytest.raises(InputError, match=r"the model '.*' cannot be used \(the folder does not exist\)"):
        masked(tiny_model("masked").parent / "none")
    with pytest.raises(InputError, match="too few for a prompt and max_new_tokens=62; lower"):
        masked(tiny_model("masked"), max_new_tokens=62)
    with pytest.raises(InputError, match="a masked model needs iterations; choose the preset bert"):
        MaskedGenerator(tiny_model("masked"), from_preset("gpt2"))
    with pytest.raises(InputError, match=r"needs float32, because with lower precision .*; omit dtype 'bfloat16'"):
        MaskedGenerator(tiny_model("masked"), from_preset("bert"), inference=InferenceSettings(dtype="bfloat16"))


def test_a_masked_model_is_known(tiny_model: Any) -> None:
    model = tiny_model("masked")
    assert is_masked(model)
    assert not is_seq2seq(model)
    assert not any(is_masked(other) for other in (tiny_model("causal"), tiny_model("seq2seq"), "./nowhere"))
    column, preset, reason = choose_input(["prompt", "text"], is_seq2seq=False, is_masked=True)
    assert (column, preset) == ("prompt", "bert")
    assert reason == "this is a masked model, so it continues prompts by Gibbs sampling (preset bert)"
    assert choose_input(["text"], is_seq2seq=False, is_masked=True, column="text", preset="bert") == (
        "text", "bert", None,
    )  # fmt: skip
    with pytest.raises(InputError, match="preset 'gpt2' does not support masked models; use bert"):
        choose_input(["prompt"], is_seq2seq=False, is_masked=True, preset="gpt2")


def test_pieces_of_words_become_a_text(tmp_path: Path) -> None:
    """BERT's own kind of tokenizer: pieces are joined, and a text may go on with the prompt's last word."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "he",
        "she",
        "sing",
        "##s",
        "##er",
        "don",
        "'",
        "t",
        ",",
        ".",
    ]
    backend = Tokenizer(models.WordPiece({piece: place for place, piece in enumerate(pieces)}, unk_token="[UNK]"))
    backend.pre_tokenizer, backend.decoder = pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), pieces, strict=False))
    transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **names).save_pretrained(tmp_path)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 16}
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(pieces), max_position_embeddings=32, initializer_range=0.5, **sizes)
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path)
    generator = masked(tmp_path)
    before, after = generator._encode("he don't sing ")
    assert [pieces[token] for token in (*before, *after)] == ["[CLS]", "he", "don", "'", "t", "sing", "[SEP]"]

    def text(*tokens: str) -> str:
        return added_text(generator._decode, before, [pieces.index(token) for token in tokens])

    assert text("##er", ",", "she", "sing", "##s", ".") == "er, she sings."
    assert text("she", "don", "'", "t", "[SEP]", "sing", ".") == " she don't sing."
    [[written]] = generate(["he sing"], generator)
    assert "##" not in written.text
    assert "[" not in written.text.replace("[UNK]", "")
