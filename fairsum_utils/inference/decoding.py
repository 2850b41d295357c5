"""Texts from local models, by the `generate` of transformers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError, require
from fairsum_utils.inference.batching import Batch, run_batches
from fairsum_utils.inference.models import LoadedModel, free, is_out_of_memory
from fairsum_utils.validation import as_float, describe

BATCH_TOKENS = 1 << 14
"""Tokens of prompts and answers that a model works on at once."""

_NEVER_PADDED = ("ctrl", "openai-gpt")
"""Architectures that read padding as text with transformers 4."""

_OTHER_DRAWS = ("min_p", "top_h", "typical_p", "epsilon_cutoff", "eta_cutoff")
"""Sampling options that a model's configuration may set and ours replace."""


def check_temperature(module: str, name: str, temperature: object) -> float:
    """Check a sampling temperature, a number of at least 0.

    Example:
        >>> check_temperature("generate", "temperature", 1)
        1.0
    """
    number = as_float(temperature)
    if not 0 <= number < math.inf:
        raise InputError(f"{module}: {name} must be a number of at least 0, found {describe(temperature)}")
    return number


class Written(NamedTuple):
    """Output of a model.

    Attributes:
        tokens: tokens of the text, without the token that ends a text.
        ended: True if the model wrote that token.
    """

    tokens: list[int]
    ended: bool


def messages(system: str | None, prompt: str) -> list[dict[str, str]]:
    """Return the conversation that a prompt begins."""
    first = [] if system is None else [{"role": "system", "content": system}]
    return [*first, {"role": "user", "content": prompt}]


def encode_prompt(tokenizer: Any, prompt: str, system: str | None = None) -> list[int]:
    """Tokenize a prompt with the chat template, if there is one."""
    if tokenizer.chat_template is None:
        return list(tokenizer(prompt if system is None else f"{system}\n\n{prompt}")["input_ids"])
    text = tokenizer.apply_chat_template(messages(system, prompt), tokenize=False, add_generation_prompt=True)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])  # the template contains them


def decoding_options(
    model: Any, temperature: float = 0.0, *, top_k: int = 0, top_p: float = 1.0, repetition_penalty: float | None = 1.0
) -> dict[str, Any]:
    """Return options of `generate` that replace what the model suggests.

    Args:
        model: model of transformers.
        temperature: 0 for the likeliest tokens.
        top_k: number of likeliest tokens to sample from; 0 for all.
        top_p: sample from the likeliest tokens with this total probability.
        repetition_penalty: divisor for scores of tokens already in prompt or text; None for what the model suggests.
    """
    options: dict[str, Any] = {"do_sample": temperature > 0, "num_beams": 1}
    options |= {name: None for name in _OTHER_DRAWS if hasattr(model.generation_config, name)}
    options |= dict.fromkeys(("temperature", "top_k", "top_p"))
    if temperature > 0:
        options |= {"temperature": float(temperature), "top_k": top_k, "top_p": float(top_p)}
    if repetition_penalty is not None:
        options["repetition_penalty"] = float(repetition_penalty)
    return options


def write_texts(
    loaded: LoadedModel,
    inputs: Sequence[list[int]],
    *,
    max_new_tokens: int,
    batch_tokens: int,
    module: str,
    seed: Sequence[int] = (0,),
    **options: Any,
) -> Iterator[tuple[int, Written]]:
    """Write a text for each input, in batches of similar length.

    Sampled texts depend on the seed and on the batch. The likeliest tokens differ between batches only where rounding
    decides.

    Args:
        loaded: model of kind ``"causal"`` or ``"seq2seq"``.
        inputs: tokens of each input, at least one and at most the model's limit.
        max_new_tokens: maximum tokens of a text.
        batch_tokens: maximum tokens in a batch, inputs and longest texts; halved when the device's memory is full.
        module: name used in messages.
        seed: seed of sampling.
        **options: options of the `generate` of transformers, over what the model suggests.

    Returns:
        Position of an input and its text, in order of completion.

    Raises:
        InputError: not even one input fits the device.
    """
    torch = require("torch", extra="neural", purpose=f"run the model {loaded.name}")
    config = loaded.model.generation_config
    n_beams = options.get("num_beams") or config.num_beams or 1
    costs = [(len(ids) + max_new_tokens) * n_beams for ids in inputs]
    budget = 1 if loaded.model.config.model_type in _NEVER_PADDED else batch_tokens
    numbers = itertools.count()
    devices = [loaded.device] if loaded.device.type == "cuda" else []

    def write(batch: Batch) -> list[Written]:
        own_seed = int(np.random.SeedSequence([*seed, next(numbers)]).generate_state(1)[0])
        with torch.inference_mode(), torch.random.fork_rng(devices):
            torch.manual_seed(own_seed)
            return _generate(loaded, [inputs[place] for place in batch], max_new_tokens, options)

    try:
        for batch, texts in run_batches(
            costs, budget, write, is_out_of_memory=is_out_of_memory, release=partial(free, loaded.device)
        ):
            yield from zip(batch.tolist(), texts, strict=True)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise loaded.too_large(module, "prompt", "shorter prompts") from error


def _generate(
    loaded: LoadedModel, inputs: list[list[int]], max_new_tokens: int, options: dict[str, Any]
) -> list[Written]:
    """Write the texts of one batch."""
    torch = require("torch", extra="neural", purpose=f"run the model {loaded.name}")
    model, width = loaded.model, max(map(len, inputs))
    is_seq2seq = bool(model.config.is_encoder_decoder)
    rows, masks = [], []
    for ids in inputs:
        # Padding is not read. The input's own first token leaves the repetition penalty of other tokens alone.
        padding, ones = [ids[0]] * (width - len(ids)), [1] * len(ids)
        zeros = [0] * len(padding)
        rows.append(ids + padding if is_seq2seq else padding + ids)
        masks.append(ones + zeros if is_seq2seq else zeros + ones)
    ends = np.atleast_1d(model.generation_config.eos_token_id).tolist()  # one, several, or None
    filler = next((token for token in (loaded.tokenizer.pad_token_id, *ends) if token is not None), 0)
    start = 1 if is_seq2seq else width  # after the decoder's first token, or the input
    written = model.generate(
        input_ids=torch.tensor(rows, device=loaded.device),
        attention_mask=torch.tensor(masks, device=loaded.device),
        pad_token_id=filler,
        max_length=start + max_new_tokens,
        max_new_tokens=None,  # otherwise transformers warns in every batch
        **options,
    )
    texts = []
    for tokens in written[:, start:].tolist():
        stop = next((place for place, token in enumerate(tokens) if token in ends), None)
        # A model such as BART ends every text by force, which is no end of its own.
        is_forced = stop == max_new_tokens - 1 and model.generation_config.forced_eos_token_id is not None
        texts.append(Written(tokens[:stop], stop is not None and not is_forced))
    return texts
