"""Token-by-token text generation, greedy or with repeatable sampling.

Random numbers depend only on input and step, so that order, batches and interruptions do not change a text beyond
floating point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import require
from fairsum_utils.inference.batching import Batch, run_batches
from fairsum_utils.inference.models import LoadedModel, free, is_out_of_memory

Text = TypeVar("Text")

BATCH_TOKENS = 1 << 14
"""Tokens of prompts and answers that a model works on at once."""

_PROBE = 8
"""Padding tokens for testing whether they change a model's output."""


class Decoding(NamedTuple):
    """Settings of choosing tokens, which override the model's own.

    Attributes:
        max_new_tokens: maximum tokens of a text.
        temperature: 0 for the likeliest tokens.
        top_k: number of likeliest tokens to sample from; 0 for all.
        top_p: sample from the likeliest tokens with this total probability.
        repetition_penalty: Divisor for scores of tokens already in prompt or text; 1 for none, None for what the
            model suggests.
        n_beams: beams of the search for the likeliest text; with temperature 0.
    """

    max_new_tokens: int
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    repetition_penalty: float | None = 1.0
    n_beams: int = 1


class Decoded(NamedTuple):
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


def numbers_of(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of an input, a function of it alone.

    Example:
        >>> numbers_of(0, "a").random() == numbers_of(0, "a").random() != numbers_of(0, "b").random()
        True
    """
    return np.random.default_rng([seed, *blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()])


class Sampling(NamedTuple):
    """Sampling that a model's configuration suggests.

    Attributes:
        temperature: divides the scores.
        top_k: number of likeliest tokens to sample from; 0 for all.
        top_p: sample from the likeliest tokens with this total probability.
        others: Other sampling options in its configuration, such as ``"min_p"``; usually empty.
    """

    temperature: float
    top_k: int
    top_p: float
    others: tuple[str, ...]


class SuggestedDecoding(NamedTuple):
    """Decoding that a model's configuration suggests.

    Attributes:
        max_new_tokens: maximum tokens of a text; None if not given.
        n_beams: beams of the search.
        sampling: Sampling settings; None for greedy decoding.
        prefix: Required prefix of its input; usually empty.
        options: Options of the ``generate`` of transformers that belong to the task alone.
    """

    max_new_tokens: int | None
    n_beams: int
    sampling: Sampling | None
    prefix: str
    options: Mapping[str, Any]


_USUAL_TOP_K = 50
"""Default top-k of transformers if a configuration samples without one."""

_OTHER_DRAWS: Mapping[str, tuple[object, ...]] = {
    "min_p": (None,),
    "top_h": (None,),
    "typical_p": (None, 1.0),
    "epsilon_cutoff": (None, 0.0),
    "eta_cutoff": (None, 0.0),
}
"""Unsupported sampling options -> values that turn them off."""


def suggested_decoding(model: Any, task: str) -> SuggestedDecoding:
    """Read the ``GenerationConfig`` of a model, overridden by its ``task_specific_params``."""
    options = dict((getattr(model.config, "task_specific_params", None) or {}).get(task) or {})
    prefix = str(options.pop("prefix", ""))
    config = deepcopy(model.generation_config)
    unknown = config.update(**options)
    options = {name: option for name, option in options.items() if name not in unknown}
    longest = config.max_new_tokens
    unset = (None, type(config)().max_length)  # always 20 with transformers 4
    # Without an encoder it also counts the prompt; with one, the decoder's first token.
    if longest is None and model.config.is_encoder_decoder and config.max_length not in unset:
        longest = config.max_length - 1
    return SuggestedDecoding(longest, config.num_beams or 1, _sampling(config), prefix, options)


def _sampling(config: Any) -> Sampling | None:
    """Sampling of a configuration, if any."""
    if not config.do_sample or config.temperature == 0:
        return None
    return Sampling(
        1.0 if config.temperature is None else float(config.temperature),
        _USUAL_TOP_K if config.top_k is None else int(config.top_k),
        1.0 if config.top_p is None else float(config.top_p),
        tuple(name for name, off in _OTHER_DRAWS.items() if getattr(config, name, None) not in off),
    )


class Decoder:
    """Runs a causal or sequence-to-sequence model on inputs of like length together.

    Args:
        loaded: model of kind ``"causal"`` or ``"seq2seq"``.
        decoding: Decoding settings.
        seed: seed of sampling.
        batch_tokens: maximum tokens in a batch, inputs and longest texts; halved when the device's memory is full.
        module: name used in messages.
        options: Options of the ``generate`` of transformers, over what the model suggests; `decoding` goes before them.
    """

    def __init__(
        self,
        loaded: LoadedModel,
        decoding: Decoding,
        *,
        seed: int,
        batch_tokens: int,
        module: str,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._loaded = loaded
        self._decoding = decoding
        self._seed = seed
        self._batch_tokens = batch_tokens
        self._module = module
        self._options = dict(options or {})
        config = loaded.model.config
        self.is_seq2seq = bool(config.is_encoder_decoder)
        """Whether the input is read apart from the text, not as its beginning."""
        self._padding = loaded.tokenizer.pad_token_id or config.pad_token_id or 0  # masked, so any token works
        ends = np.atleast_1d(loaded.model.generation_config.eos_token_id).tolist()  # one, several, or None
        self._ends = {token for token in ends if token is not None}

    def run(self, inputs: Sequence[list[int]], names: Sequence[str]) -> Iterator[tuple[int, Decoded]]:
        """Write a text for each input.

        Args:
            inputs: tokens of each input, at least one and at most the model's limit.
            names: Identifiers that set the random numbers of each input, together with the seed.

        Returns:
            Position of an input and its text, in order of completion.

        Raises:
            InputError: not even one input fits the device.
        """
        groups: list[Sequence[int]] = [range(len(inputs))] if self._may_pad(inputs) else _by_length(inputs)

        def decode(group: Sequence[int], batch: Batch) -> list[Decoded]:
            places = [group[place] for place in batch]
            return self._decode([inputs[place] for place in places], [names[place] for place in places])

        for group in groups:
            costs = [self._cost(len(inputs[place])) for place in group]
            texts = run_prompts(self._loaded, costs, self._batch_tokens, partial(decode, group), module=self._module)
            yield from ((group[place], text) for place, text in texts)

    def _cost(self, n_tokens: int) -> int:
        """Return the number of tokens that an input needs."""
        return (n_tokens + self._decoding.max_new_tokens) * self._decoding.n_beams

    def _decode(self, inputs: list[list[int]], names: list[str]) -> list[Decoded]:
        width = max(map(len, inputs))
        tokens, mask = self._padded(inputs, width)
        start = 1 if self.is_seq2seq else width  # after the decoder's first token, or the input
        written = self._generate(
            tokens,
            mask,
            max_length=start + self._decoding.max_new_tokens,
            max_new_tokens=None,  # otherwise transformers warns in every batch
            logits_processor=self._processors(names, (mask == 0).sum(1)),
        )
        return [self._decoded(row) for row in written[:, start:].tolist()]

    def _padded(self, inputs: Sequence[list[int]], width: int) -> tuple[Any, Any]:
        """Return tokens and mask on the device, each (inputs, width)."""
        torch = require("torch", extra="neural", purpose=f"run the model {self._loaded.name}")
        tokens = torch.full((len(inputs), width), self._padding)
        mask = torch.zeros((len(inputs), width), dtype=torch.long)
        for row, ids in enumerate(inputs):
            # A text that continues its input is padded at the left; positions of an encoder count from 0.
            place = slice(len(ids)) if self.is_seq2seq else slice(width - len(ids), None)
            tokens[row, place], mask[row, place] = torch.tensor(ids), 1
        return tokens.to(self._loaded.device), mask.to(self._loaded.device)

    def _generate(self, tokens: Any, mask: Any, **options: Any) -> Any:
        options = {
            **self._options,
            "do_sample": False,
            "num_beams": self._decoding.n_beams,
            "temperature": None,
            "top_p": None,
            "top_k": None,
            "pad_token_id": self._padding,
            **options,
        }
        if self._decoding.repetition_penalty is not None:
            options["repetition_penalty"] = 1.0  # our own logits processor applies it
        return self._loaded.model.generate(input_ids=tokens, attention_mask=mask, **options)

    def _may_pad(self, inputs: Sequence[list[int]]) -> bool:
        """Return whether left padding leaves the model's answer unchanged.

        Some architectures drop the mask or the positions when they generate: with transformers 4, CTRL and OpenAI GPT.
        """
        sizes = sorted({len(ids) for ids in inputs})
        if self.is_seq2seq or len(sizes) < 2:
            return True
        torch = require("torch", extra="neural", purpose=f"run the model {self._loaded.name}")
        shortest = next(ids for ids in inputs if len(ids) == sizes[0])
        asked = {"max_new_tokens": 1, "return_dict_in_generate": True, "output_logits": True}
        with torch.inference_mode():
            plain, padded = (
                torch.softmax(self._generate(*self._padded([shortest], width), **asked).logits[0].float(), dim=-1)
                for width in (sizes[0], min(sizes[-1], sizes[0] + _PROBE))
            )
        rounding = max(1e-3, 16 * torch.finfo(self._loaded.model.dtype).eps)
        return bool((plain - padded).abs().sum() < rounding)

    def _decoded(self, tokens: list[int]) -> Decoded:
        stop = next((place for place, token in enumerate(tokens) if token in self._ends), None)
        last = self._decoding.max_new_tokens - 1
        is_forced = stop == last and self._loaded.model.generation_config.forced_eos_token_id is not None
        return Decoded(tokens[:stop], stop is not None and not is_forced)

    def _processors(self, names: list[str], padding: Any) -> list[Any]:
        """Processors of the scores at each step, in the order of transformers."""
        transformers = require("transformers", extra="neural", purpose=f"run the model {self._loaded.name}")
        decoding = self._decoding
        processors: list[Any] = []
        if decoding.repetition_penalty not in (1, None):
            ignored = (padding * 0 if self.is_seq2seq else padding).repeat_interleave(decoding.n_beams)
            processors.append(_RepetitionPenalty(decoding.repetition_penalty, ignored))
        if decoding.temperature:
            processors.append(transformers.TemperatureLogitsWarper(float(decoding.temperature)))
            if decoding.top_k:
                processors.append(transformers.TopKLogitsWarper(decoding.top_k))
            if decoding.top_p < 1:
                processors.append(transformers.TopPLogitsWarper(float(decoding.top_p)))
            processors.append(_Sampling(names, self._seed, decoding.max_new_tokens))
        return processors


def run_prompts(
    loaded: LoadedModel, costs: Sequence[int], budget: int, write: Callable[[Batch], Sequence[Text]], *, module: str
) -> Iterator[tuple[int, Text]]:
    """Run prompts in batches; yield each position and text when ready."""
    torch = require("torch", extra="neural", purpose=f"run the model {loaded.name}")
    write = torch.inference_mode()(write)
    release = partial(free, loaded.device)
    try:
        for batch, texts in run_batches(costs, budget, write, is_out_of_memory=is_out_of_memory, release=release):
            yield from zip(batch.tolist(), texts, strict=True)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise loaded.too_large(module, "prompt", "shorter prompts") from error


def _by_length(inputs: Sequence[list[int]]) -> list[Sequence[int]]:
    """Return the positions of inputs by length, longest first."""
    places: dict[int, list[int]] = {}
    for place, ids in enumerate(inputs):
        places.setdefault(len(ids), []).append(place)
    return [places[length] for length in sorted(places, reverse=True)]


class _RepetitionPenalty:
    """Repetition penalty (Keskar et al. 2019, section 4.1) that ignores padding."""

    def __init__(self, penalty: float, padding: Any) -> None:
        self._penalty = penalty
        self._padding = padding

    def __call__(self, tokens: Any, scores: Any) -> Any:
        torch = require("torch", extra="neural", purpose="generate text")
        penalized = torch.where(scores < 0, scores * self._penalty, scores / self._penalty)
        held = torch.zeros((*scores.shape[:-1], scores.shape[-1] + 1), dtype=torch.bool, device=scores.device)
        is_padding = torch.arange(tokens.shape[1], device=tokens.device) < self._padding[:, None]
        held.scatter_(1, tokens.masked_fill(is_padding, scores.shape[-1]), True)
        return torch.where(held[:, :-1], penalized, scores)


class _Sampling:
    """Sampling filter that keeps one token, chosen by a fixed random number."""

    def __init__(self, names: list[str], seed: int, n_steps: int) -> None:
        self._numbers: npt.NDArray[np.float32] = np.stack(
            [numbers_of(seed, name).random(n_steps, dtype=np.float32) for name in names]
        )
        self._step = 0

    def __call__(self, _: Any, scores: Any) -> Any:
        torch = require("torch", extra="neural", purpose="generate text")
        shares = torch.softmax(scores.float(), dim=-1).cumsum(dim=-1)
        # Below the sum, which may differ from 1 by rounding.
        number = torch.from_numpy(self._numbers[:, self._step, None].copy()).to(scores.device) * shares[:, -1:]
        number = torch.minimum(number, torch.nextafter(shares[:, -1:], torch.zeros_like(number)))
        self._step += 1
        chosen = torch.searchsorted(shares, number, right=True)
        return torch.full_like(scores, float("-inf")).scatter_(1, chosen, 0.0)
