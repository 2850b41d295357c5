"""Text from a model, token by token: the same whatever stands beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.decoding import Decoded, Decoder, Decoding, encode_prompt
from fairsum_utils.inference.models import LoadedModel, load_model

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

PROMPTS = ["Great soup", "slow", "Cold soup, slow service, the wait", "a"]


@pytest.fixture(params=["causal", "seq2seq"])
def loaded(request: pytest.FixtureRequest, tiny_model: Any) -> LoadedModel:
    return load_model(
        request.param, Path(tiny_model(request.param)), settings=InferenceSettings(device="cpu"), offline=""
    )


def decoded(
    loaded: LoadedModel, order: list[int], *, seed: int = 0, batch_tokens: int = 1000, **how: Any
) -> dict[int, Decoded]:
    """Place of each prompt -> its text."""
    decoder = Decoder(loaded, Decoding(6, **how), seed=seed, batch_tokens=batch_tokens, module="generate")
    inputs = [encode_prompt(loaded.tokenizer, PROMPTS[place]) for place in order]
    texts = decoder.run(inputs, [PROMPTS[place] for place in order])
    return {order[number]: text for number, text in texts}


@pytest.mark.parametrize(
    "how", [{}, {"temperature": 1.0, "top_p": 0.9}, {"temperature": 1.0, "top_k": 9, "repetition_penalty": 1.3}]
)
def test_order_and_batches_do_not_matter(loaded: LoadedModel, how: dict[str, Any]) -> None:
    together = decoded(loaded, [0, 1, 2, 3], **how)
    assert sorted(together) == [0, 1, 2, 3]
    assert decoded(loaded, [3, 1, 0, 2], batch_tokens=1, **how) == together
    assert decoded(loaded, [2], **how)[2] == together[2]
    # A model that is forced to end writes a token less, and has not ended of itself.
    least = 5 if loaded.model.generation_config.forced_eos_token_id is not None else 6
    assert all(len(text.tokens) <= 6 and (text.ended or len(text.tokens) >= least) for text in together.values())


def test_a_seed_and_a_prompt_decide_a_sample(loaded: LoadedModel) -> None:
    first, second, again = (decoded(loaded, [0, 1, 2, 3], seed=seed, temperature=1.0) for seed in (0, 1, 0))
    assert first == again
    assert first != second


def test_a_prompt_that_fits_no_memory(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(Decoder, "_decode", full)
    with pytest.raises(InputError) as caught:
        decoded(loaded, [0, 1])
    message = str(caught.value)
    assert message.startswith(f"generate: {loaded.name} leaves too little memory on cpu for one prompt; free memory")
    assert message.endswith('choose a smaller model, shorter prompts or dtype="bfloat16"')


def test_an_error_of_the_model_is_no_full_memory(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the device is gone")

    monkeypatch.setattr(Decoder, "_decode", broken)
    with pytest.raises(RuntimeError, match="the device is gone"):
        decoded(loaded, [0, 1])


def test_prompts_go_through_the_template_if_there_is_one(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = loaded.tokenizer
    assert encode_prompt(tokenizer, "Why?") == tokenizer("Why?")["input_ids"]
    assert encode_prompt(tokenizer, "Why?", "Be brief.") == tokenizer("Be brief.\n\nWhy?")["input_ids"]
    template = "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }} {% endfor %}[answer]"
    monkeypatch.setattr(tokenizer, "chat_template", template)
    text = "[system] Be brief. [user] Why? [answer]"
    assert encode_prompt(tokenizer, "Why?", "Be brief.") == tokenizer(text, add_special_tokens=False)["input_ids"]
