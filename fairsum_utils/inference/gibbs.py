"""Text from a masked model by Gibbs sampling.

Places and random numbers depend only on the input, and a choice that rounding could change is made again without the
rest of the batch, so that a text does not depend on its batch. If the likeliest token is taken and nothing else has
changed since, it is the same again, and the model is not run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import require
from fairsum_utils.inference.batching import Batch
from fairsum_utils.inference.decoding import numbers_of, run_prompts
from fairsum_utils.inference.models import LoadedModel

BATCH_TOKENS = 1 << 12
"""Tokens of prompts and texts that a masked model works on at once."""

_ROUNDING = 256
"""Units in the last place of the largest score by which a score may differ between batches: about fifty times what was
measured on random weights of BERT's sizes, see benchmarks/README.md."""


class GibbsSampling(NamedTuple):
    """Settings of filling in places.

    Attributes:
        n_tokens: places after the prompt.
        n_iterations: Number of random places that are masked and filled in.
        n_free: Number of first iterations that sample from all tokens.
        temperature: Sampling temperature; 0 for the likeliest token everywhere.
        top_k: number of likeliest tokens to sample from afterwards; 0 to take the likeliest.
    """

    n_tokens: int
    n_iterations: int
    n_free: int
    temperature: float = 1.0
    top_k: int = 0


class GibbsSampler:
    """Fills in masks after prompts of like length together.

    Args:
        loaded: model of kind ``"masked"``, in float32.
        sampling: Sampling settings.
        seed: Seed of places and draws.
        batch_tokens: maximum tokens in a batch, prompts and texts; halved when the device's memory is full.
        module: name used in messages.

    Source: Wang and Cho 2019, "BERT has a Mouth, and It Must Speak", section 3, and the function
    ``parallel_sequential_generation`` of its published code, which papers/bold (A.2.1) uses.
    """

    def __init__(
        self, loaded: LoadedModel, sampling: GibbsSampling, *, seed: int, batch_tokens: int, module: str
    ) -> None:
        self._loaded = loaded
        self._sampling = sampling
        self._seed = seed
        self._batch_tokens = batch_tokens
        self._module = module
        tokenizer = loaded.tokenizer
        self._mask, self._padding = tokenizer.mask_token_id, tokenizer.pad_token_id or 0  # padding: any token works

    def run(
        self, inputs: Sequence[tuple[list[int], list[int]]], names: Sequence[str]
    ) -> Iterator[tuple[int, list[int]]]:
        """Write a text for each input.

        Args:
            inputs: tokens before the text, at least one, and after it.
            names: Identifiers that set an input's places and draws, together with the seed.

        Returns:
            Position of an input and the tokens of its text, in order of completion.

        Raises:
            InputError: not even one input fits the device.
        """

        def fill(batch: Batch) -> list[list[int]]:
            return self._fill([inputs[place] for place in batch], [names[place] for place in batch])

        n_tokens = [len(before) + self._sampling.n_tokens + len(after) for before, after in inputs]
        yield from run_prompts(self._loaded, n_tokens, self._batch_tokens, fill, module=self._module)

    def _fill(self, inputs: Sequence[tuple[list[int], list[int]]], names: Sequence[str]) -> list[list[int]]:
        torch = require("torch", extra="neural", purpose=f"run the model {self._loaded.name}")
        n, sampling, device = len(inputs), self._sampling, self._loaded.device
        whole = [before + [self._mask] * sampling.n_tokens + after for before, after in inputs]
        lengths = [len(tokens) for tokens in whole]
        padded = [tokens + [self._padding] * (max(lengths) - len(tokens)) for tokens in whole]
        tokens = torch.tensor(padded, device=device)
        mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long().to(device)
        numbers = [numbers_of(self._seed, name) for name in names]
        starts = np.array([len(before) for before, _ in inputs])
        drawn = np.stack([each.integers(sampling.n_tokens, size=sampling.n_iterations) for each in numbers])
        places = torch.from_numpy(starts[:, None] + drawn).to(device)
        keys = torch.from_numpy(np.stack([each.integers(1 << 63, size=sampling.n_iterations) for each in numbers]))
        settled: list[set[int]] = [set() for _ in inputs]  # places that already have their likeliest token
        for step in range(sampling.n_iterations):
            top_k = 0 if step < sampling.n_free else sampling.top_k or 1
            is_drawn = sampling.temperature > 0 and top_k != 1
            rows = [row for row in range(n) if is_drawn or drawn[row, step] not in settled[row]]
            if not rows:
                continue
            place = places[rows, step]
            chosen = self._chosen(tokens[rows], mask[rows], place, keys[rows, step], top_k).to(device)
            if not is_drawn:
                for row, changes in zip(rows, (chosen != tokens[rows, place]).tolist(), strict=True):
                    settled[row] = (set() if changes else settled[row]) | {int(drawn[row, step])}
            tokens[rows, place] = chosen
        return [
            row[start : start + sampling.n_tokens] for row, start in zip(tokens.tolist(), starts.tolist(), strict=True)
        ]

    def _chosen(self, tokens: Any, mask: Any, place: Any, keys: Any, top_k: int) -> Any:
        """Return one token per text, independent of the batch."""
        torch = require("torch", extra="neural", purpose=f"run the model {self._loaded.name}")
        lengths = mask.sum(dim=1).tolist()
        tokens, mask = tokens[:, : max(lengths)], mask[:, : max(lengths)]
        rows = torch.arange(len(tokens), device=tokens.device)
        tokens[rows, place] = self._mask
        chosen, is_sure = self._choose(self._scores(tokens, mask, rows, place), keys, top_k)
        for row in () if len(tokens) == 1 else (~is_sure).nonzero().flatten().tolist():
            one, long = slice(row, row + 1), lengths[row]
            scores = self._scores(tokens[one, :long], mask[one, :long], rows[:1], place[one])
            chosen[one], _ = self._choose(scores, keys[one], top_k)
        return chosen

    def _scores(self, tokens: Any, mask: Any, rows: Any, place: Any) -> Any:
        """Return double-precision scores of all tokens, shape (texts, tokens)."""
        model = self._loaded.model
        head = model.get_output_embeddings()  # widest layer: only these places
        hook = head and head.register_forward_pre_hook(lambda _, inputs: (inputs[0][rows, place][:, None],))
        try:
            scores = model(input_ids=tokens, attention_mask=mask).logits
        finally:
            if hook:
                hook.remove()
        scores = scores[:, 0] if scores.shape[1] == 1 else scores[rows, place]
        return (scores.cpu() if scores.device.type == "mps" else scores).double()  # which has no double precision

    def _choose(self, scores: Any, keys: Any, top_k: int) -> tuple[Any, Any]:
        """Draw tokens from the `top_k`; return them and whether they are stable.

        The maximum of score plus Gumbel noise is a draw from the softmax of the scores. Two of these sums are rarely
        close, even with many very unlikely tokens; in a cumulative sum, the bounds of such tokens always are.
        """
        torch = require("torch", extra="neural", purpose="generate text")
        temperature, n = self._sampling.temperature, scores.shape[1]
        # Largest effect of rounding on the difference of two scores.
        rounding = 2 * _ROUNDING * torch.finfo(self._loaded.model.dtype).eps * scores.abs().amax(dim=1, keepdim=True)
        is_drawn = temperature > 0 and top_k != 1
        sums = scores + temperature * _gumbel(keys.to(scores.device), n) if is_drawn else scores
        if top_k in (0, 1) or top_k >= n:
            values, places = sums.topk(2)
            return places[:, 0], values[:, 0] - values[:, 1] > rounding[:, 0]
        last, next_ = scores.topk(top_k + 1).values[:, -2:].split(1, dim=1)
        chosen = sums.masked_fill(scores < last, float("-inf")).argmax(dim=1)
        # Certain: it is not near the border, and no token that might be within the border is near it.
        values, places = sums.masked_fill(scores < last - rounding, float("-inf")).topk(2)
        margins = torch.cat([values[:, :1] - values[:, 1:], scores.gather(1, chosen[:, None]) - next_], dim=1)
        return chosen, (places[:, 0] == chosen) & (margins > rounding).all(dim=1)


def _gumbel(keys: Any, n: int) -> Any:
    """Return reproducible Gumbel noise, shape (texts, n).

    Source: the mixing of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
    """
    torch = require("torch", extra="neural", purpose="generate text")
    mixed = keys[:, None] + torch.arange(1, n + 1, device=keys.device) * _signed(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ _shifted(mixed, shift)) * _signed(factor)
    mixed = mixed ^ _shifted(mixed, 31)
    uniform = (_shifted(mixed, 12).double() + 0.5) * 2.0**-52  # in (0, 1)
    return -torch.log(-torch.log(uniform))


def _signed(number: int) -> int:
    """Return an unsigned 64-bit number as PyTorch's signed number."""
    return number - (1 << 64)


def _shifted(numbers: Any, n: int) -> Any:
    """Shift 64-bit numbers right as unsigned numbers."""
    return (numbers >> n) & ((1 << (64 - n)) - 1)
