"""Text from a model by transformers: batches, memory, errors, chat templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings, decoding
from fairsum_utils.inference.decoding import Written, decoding_options, encode_prompt, write_texts
from fairsum_utils.inference.models import LoadedModel, load_model

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

PROMPTS = ["Great soup", "slow", "Cold soup, slow service, the wait"]


@pytest.fixture(scope="module", params=["causal", "seq2seq"])
def loaded(request: pytest.FixtureRequest, tiny_model: Any) -> LoadedModel:
    return load_model(
        request.param, Path(tiny_model(request.param)), settings=InferenceSettings(device="cpu"), offline=""
    )


def written(loaded: LoadedModel, order: list[int], *, batch_tokens: int = 1000, **how: Any) -> dict[int, Written]:
    """Place of each prompt -> its text."""
    inputs = [encode_prompt(loaded.tokenizer, PROMPTS[place]) for place in order]
    options = decoding_options(loaded.model, **how)
    texts = write_texts(loaded, inputs, max_new_tokens=6, batch_tokens=batch_tokens, module="generate", **options)
    return {order[number]: text for number, text in texts}


def test_order_and_batches_do_not_change_likeliest_tokens(loaded: LoadedModel) -> None:
    together = written(loaded, [0, 1, 2])
    assert sorted(together) == [0, 1, 2]
    assert written(loaded, [2, 1, 0], batch_tokens=1) == together
    # A model that is forced to end writes a token less, and has not ended of itself.
    least = 5 if loaded.model.generation_config.forced_eos_token_id is not None else 6
    assert all(len(text.tokens) <= 6 and (text.ended or len(text.tokens) >= least) for text in together.values())


def test_padding_adds_no_token_to_penalize(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    generate, given = loaded.model.generate, {}

    def seen(**options: Any) -> Any:
        given.update(options)
        return generate(**options)

    monkeypatch.setattr(loaded.model, "generate", seen)
    written(loaded, [0, 1, 2])
    inputs = sorted((encode_prompt(loaded.tokenizer, prompt) for prompt in PROMPTS), key=len, reverse=True)
    for row, mask, ids in zip(given["input_ids"], given["attention_mask"], inputs, strict=True):
        assert row[mask == 1].tolist() == ids
        assert set(row.tolist()) == set(ids)
        assert mask.tolist() == sorted(mask.tolist(), reverse=loaded.model.config.is_encoder_decoder)


def test_a_batch_is_halved_where_memory_is_full(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    together, generate = written(loaded, [0, 1, 2]), decoding._generate
    sizes = []

    def little(loaded: LoadedModel, inputs: list[list[int]], *more: Any) -> list[Written]:
        sizes.append(len(inputs))
        if len(inputs) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return generate(loaded, inputs, *more)

    monkeypatch.setattr(decoding, "_generate", little)
    assert written(loaded, [0, 1, 2]) == together
    assert sizes[0] == 3
    assert sizes.count(1) == 3


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(decoding, "_generate", fail)


def test_a_prompt_that_fits_no_memory(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, torch.OutOfMemoryError("CUDA out of memory."))
    with pytest.raises(InputError) as caught:
        written(loaded, [0, 1])
    message = str(caught.value)
    assert message.startswith(f"generate: {loaded.name} leaves too little memory on cpu for one prompt; free memory")
    assert message.endswith('choose a smaller model, shorter prompts or dtype="bfloat16"')


def test_an_error_of_the_model_is_no_full_memory(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, RuntimeError("the device is gone"))
    with pytest.raises(RuntimeError, match="the device is gone"):
        written(loaded, [0, 1])


def test_prompts_go_through_the_template_if_there_is_one(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = loaded.tokenizer
    assert encode_prompt(tokenizer, "Why?") == tokenizer("Why?")["input_ids"]
    assert encode_prompt(tokenizer, "Why?", "Be brief.") == tokenizer("Be brief.\n\nWhy?")["input_ids"]
    template = "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }} {% endfor %}[answer]"
    monkeypatch.setattr(tokenizer, "chat_template", template)
    text = "[system] Be brief. [user] Why? [answer]"
    assert encode_prompt(tokenizer, "Why?", "Be brief.") == tokenizer(text, add_special_tokens=False)["input_ids"]
