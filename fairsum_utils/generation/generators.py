"""Models that generate: run here by transformers, or behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from fairsum_utils.errors import InputError, require
from fairsum_utils.generation.settings import PROMPT, GenerationSettings
from fairsum_utils.inference.chat import ChatEndpoint
from fairsum_utils.inference.decoding import BATCH_TOKENS, decoding_options, encode_prompt, write_texts
from fairsum_utils.inference.models import LoadedModel, load_model
from fairsum_utils.io.stores import as_path, is_folder
from fairsum_utils.settings.models import InferenceSettings

# Tasks that a model's configuration may have options for.
_TASK = "summarization"

_TOGETHER = 64
"""Prompts that are drawn with one seed."""


class Generated(NamedTuple):
    """Output of a model.

    Attributes:
        text: without the prompt.
        finish: ``"stop"`` where the model ended it, ``"length"`` where the limit did, ``"empty_prompt"`` where nothing
            was asked.
        n_cut: tokens of the prompt that the model could not read.
    """

    text: str
    finish: str
    n_cut: int = 0


class TextGenerator(Protocol):
    """Anything that generates texts."""

    settings: GenerationSettings

    def identity(self) -> dict[str, object]:
        """Return all settings that change a text, without the prompt."""

    def write(self, prompts: Sequence[str], done: Container[int] = ()) -> Iterator[tuple[int, Generated]]:
        """Yield position and text of each missing prompt; repeated prompts draw separately.

        Args:
            prompts: model inputs, not empty.
            done: positions to leave out.
        """


class LocalGenerator:
    """A causal or sequence-to-sequence model of transformers; needs the extra ``neural``.

    A prompt that is too long loses its beginning or, for a sequence-to-sequence model, its end, unless `cut_from` says
    else; what was cut is counted. A chat template and a control code stay whole.

    Sampled texts are drawn for 64 consecutive prompts at a time, which share a seed. If some of them are done, all are
    drawn again, so that the rest get the same texts as without an interruption.

    Args:
        model: id on the Hub, or a folder; loaded at once.
        settings: generation settings.
        revision: branch, tag or commit on the Hub.
        inference: device, dtype, batch_tokens and on_truncate are used.

    Raises:
        InputError: the model cannot be had, or has no room for `max_new_tokens`; or the settings leave decoding to it,
            and it takes the likeliest tokens though several texts are wanted.
    """

    def __init__(
        self,
        model: str | Path,
        settings: GenerationSettings,
        *,
        revision: str | None = None,
        inference: InferenceSettings | None = None,
    ) -> None:
        self.settings = settings
        self._seed = secrets.randbits(32) if settings.seed is None else settings.seed
        self._inference = inference or InferenceSettings.make({}, module=settings.module)
        self._is_seq2seq = is_seq2seq(model, revision, module=settings.module)
        kind, offline = "seq2seq" if self._is_seq2seq else "causal", "an endpoint (--url)"
        self._loaded: LoadedModel = load_model(
            kind, model, revision=revision, settings=self._inference, offline=offline
        )
        network = self._loaded.model
        task = dict((getattr(network.config, "task_specific_params", None) or {}).get(_TASK) or {})
        prefix = str(task.pop("prefix", ""))
        # Before an instruction the model's prefix would be a second one.
        task_prefix = "" if settings.input == PROMPT else prefix
        self._code = task_prefix if settings.prefix is None else settings.prefix
        self._options = self._decoding_options(task)
        if settings.system is not None and self._is_seq2seq:
            raise InputError(f"{settings.module}: {self._loaded.name} accepts no system message; omit system")
        self._check_room()

    def _decoding_options(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of `generate` and set what the model decides."""
        settings, network = self.settings, self._loaded.model
        options: dict[str, Any] = {}
        suggested = deepcopy(network.generation_config)
        if settings.leaves_to_model:
            unknown = suggested.update(**task)
            options = {name: option for name, option in task.items() if name not in unknown}
        if settings.temperature is not None:
            options |= decoding_options(
                network,
                settings.temperature,
                top_k=settings.top_k,
                top_p=settings.top_p,
                repetition_penalty=settings.repetition_penalty,
            )
        else:
            given = {"top_k": settings.top_k or None, "top_p": None if settings.top_p == 1 else settings.top_p}
            given["repetition_penalty"] = settings.repetition_penalty
            options |= {name: option for name, option in given.items() if option is not None}
        self._is_sampled = bool(suggested.do_sample if settings.temperature is None else settings.temperature)
        if settings.n > 1 and not self._is_sampled:
            raise InputError(
                f"{settings.module}: {self._loaded.name} uses greedy decoding by default, so all n={settings.n} texts "
                "would be equal; set a temperature"
            )
        self._max_new_tokens = settings.max_new_tokens or self._suggested_length(suggested)
        for name in ("max_new_tokens", "max_length"):
            options.pop(name, None)
        return options

    def _suggested_length(self, suggested: Any) -> int:
        """Return the model's own limit of a text, or else ours."""
        if suggested.max_new_tokens is not None:
            return int(suggested.max_new_tokens)
        unset = (None, type(suggested)().max_length)  # always 20 with transformers 4
        # Without an encoder it also counts the prompt; with one, the decoder's first token.
        if self._is_seq2seq and suggested.max_length not in unset:
            return int(suggested.max_length) - 1
        usual = int(GenerationSettings.infos()["max_new_tokens"].default)
        return min(usual, self._loaded.max_tokens or usual)

    def _check_room(self) -> None:
        """Refuse a model that has no room for the new tokens."""
        limit, n_new = self._loaded.max_tokens, self._max_new_tokens
        needed = n_new if self._is_seq2seq else n_new + len(self._encode("a"))
        if limit is not None and needed > limit:
            raise InputError(
                f"{self.settings.module}: {self._loaded.name} reads and writes {limit} tokens, too few for a prompt "
                f"and max_new_tokens={n_new}; lower max_new_tokens"
            )

    def identity(self) -> dict[str, object]:
        """Return weights, unusual precision and settings."""
        loaded, settings = self._loaded, self.settings
        name = loaded.name if loaded.dtype == "float32" else f"{loaded.name} {loaded.dtype}"
        more: dict[str, object] = {
            "batch_tokens": self._inference.batch_tokens if self._is_sampled else None,
            "chat": None if self._is_seq2seq else settings.chat,
            "max_new_tokens": self._max_new_tokens,
            "prefix": self._code.strip() or None,
            "cut_from": settings.cut_from,
            "decoding": "own" if settings.leaves_to_model else None,
        }
        return settings.identity(name, self._seed if self._is_sampled else None, **more)

    def write(self, prompts: Sequence[str], done: Container[int] = ()) -> Iterator[tuple[int, Generated]]:
        """Generate 64 prompts at a time, those of like length together."""
        for start in range(0, len(prompts), _TOGETHER):
            places = range(start, min(start + _TOGETHER, len(prompts)))
            missing = [place for place in places if place not in done]
            if not missing:
                continue
            asked = list(places) if self._is_sampled else missing
            encoded = [self._fitted(prompts[place]) for place in asked]
            texts = write_texts(
                self._loaded,
                [tokens for tokens, _ in encoded],
                max_new_tokens=self._max_new_tokens,
                batch_tokens=self._inference.batch_tokens or BATCH_TOKENS,
                module=self.settings.module,
                seed=(self._seed, start),
                **self._options,
            )
            for number, (tokens, ended) in texts:
                if asked[number] in missing:
                    prompt, n_cut = encoded[number]
                    finish = "stop" if ended else "length"
                    yield asked[number], Generated(self._text(prompt, tokens), finish, n_cut)

    def _encode(self, prompt: str) -> list[int]:
        settings, tokenizer = self.settings, self._loaded.tokenizer
        if settings.chat and not self._is_seq2seq:
            return encode_prompt(tokenizer, prompt, settings.system)
        # A blank at the end would be a token of its own, after which no model knows how to go on.
        text = f"{self._code.rstrip()} {prompt}".strip() if self._code else prompt.rstrip()
        tokens = list(tokenizer(text)["input_ids"])
        # A token that ends texts would end the prompt before it is continued.
        if not self._is_seq2seq and len(tokens) > 1 and tokens[-1] == tokenizer.eos_token_id:
            del tokens[-1]
        return tokens

    def _fitted(self, prompt: str) -> tuple[list[int], int]:
        """Return a prompt's tokens, as many as the model reads, and the number cut."""
        loaded, tokens = self._loaded, self._encode(prompt)
        if loaded.max_tokens is None:
            return tokens, 0
        room = loaded.max_tokens - (0 if self._is_seq2seq else self._max_new_tokens)
        if len(tokens) > room and self._inference.on_truncate == "error":
            options = "" if self._is_seq2seq else "a smaller max_new_tokens, "
            raise InputError(
                f"{self.settings.module}: a prompt is {len(tokens) - room} tokens too long for {loaded.name}, which "
                f"reads {loaded.max_tokens}: {prompt[:60]!r}; use {options}a shorter prompt, or "
                'on_truncate="warn"'
            )
        if len(tokens) <= room:
            return tokens, 0
        cut_from = self.settings.cut_from or ("end" if self._is_seq2seq else "beginning")

        def shortened(n_cut: int) -> list[int]:
            return self._encode(prompt[n_cut:] if cut_from == "beginning" else prompt[: len(prompt) - n_cut])

        n_characters = bisect_left(range(len(prompt)), True, key=lambda n_cut: len(shortened(n_cut)) <= room)
        kept = shortened(n_characters)
        return kept, len(tokens) - len(kept)

    def _text(self, prompt: list[int], tokens: list[int]) -> str:
        """Return the new tokens as text, with the space before a first word."""
        if self._is_seq2seq or self.settings.chat:
            return self._decode(tokens).strip()
        return added_text(self._decode, prompt, tokens)

    def _decode(self, tokens: list[int]) -> str:
        text = self._loaded.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return str(text)


def added_text(decode: Callable[[list[int]], str], prompt: list[int], tokens: list[int]) -> str:
    """Return the text that tokens add to a prompt."""
    before, whole = decode(prompt), decode(prompt + tokens)
    return whole[len(before) :] if whole.startswith(before) else decode(tokens)


def is_seq2seq(model: str | Path, revision: str | None = None, *, module: str = "generate") -> bool:
    """Return whether a model is an encoder-decoder; needs ``neural``.

    Args:
        model: id on the Hub, or a folder; only its configuration is read.
        revision: branch, tag or commit on the Hub.
        module: name used in messages.

    Returns:
        False also where there is no such model, which loading it then says.

    Raises:
        InputError: the model only fills in masks, like BERT.
    """
    config = _config(model, revision)
    if any(name.endswith("ForMaskedLM") for name in getattr(config, "architectures", None) or ()):
        raise InputError(
            f"{module}: the model {str(model)!r} only fills in masks and continues no text; choose a model that writes "
            "(python -m fairsum_reproductions.gibbs makes BERT's texts for BOLD)"
        )
    return config is not None and bool(config.is_encoder_decoder)


def _config(model: str | Path, revision: str | None) -> Any:
    """Return a model's configuration; None if unavailable."""
    transformers = require("transformers", extra="neural", purpose=f"run the model {model}")
    is_here = is_folder(model)
    place = str(as_path(model, expands=True)) if is_here else str(model)
    try:
        return transformers.AutoConfig.from_pretrained(
            place, trust_remote_code=False, revision=None if is_here else revision
        )
    except Exception:  # whatever is wrong with it
        return None


class EndpointGenerator:
    """A chat model behind an OpenAI-compatible endpoint; needs the extra ``llm``.

    Args:
        model: its name at the endpoint.
        settings: generation settings; endpoints take no top-k, repetition penalty or control code.
        base_url: address of the endpoint, such as ``"http://localhost:8000/v1"``.
        concurrency: prompts that are asked at the same time.
        **options: options of `ChatEndpoint`, such as `timeout` and `max_retries`.

    Raises:
        InputError: a setting that endpoints do not take, or an option that is not as described.
    """

    def __init__(
        self,
        model: str,
        settings: GenerationSettings,
        *,
        base_url: str | None = None,
        concurrency: int = 8,
        **options: Any,
    ) -> None:
        unknown = {
            "top_k": settings.top_k != 0,
            "repetition_penalty": settings.repetition_penalty not in (1, None),
            "decoding of its own": settings.leaves_to_model,
            "prefix": bool(settings.prefix),
            "cut_from": settings.cut_from is not None,
            "chat=False": not settings.chat,
        }
        if refused := [name for name, is_set in unknown.items() if is_set]:
            raise InputError(
                f"{settings.module}: a chat endpoint does not support {', '.join(refused)}; use the preset summary, "
                "or run the model locally"
            )
        assert settings.temperature is not None
        assert settings.max_new_tokens is not None
        self.settings = settings
        self._seed = secrets.randbits(31) if settings.seed is None else settings.seed
        self._chat = ChatEndpoint(
            model,
            base_url,
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_tokens=settings.max_new_tokens,
            concurrency=concurrency,
            system=settings.system,
            empty="keep",
            cache="none",
            module=settings.module,
            **options,
        )

    def identity(self) -> dict[str, object]:
        """Return the model, its endpoint and the settings."""
        where = self._chat.identity()
        seed = self._seed if self.settings.temperature else None
        return self.settings.identity(self._chat.name, seed, base_url=where["base_url"])

    def write(self, prompts: Sequence[str], done: Container[int] = ()) -> Iterator[tuple[int, Generated]]:
        """Ask for several prompts at a time; each answer as it comes."""
        seen: Counter[str] = Counter()
        seeds = []
        for prompt in prompts:
            seeds.append(_endpoint_seed(self._seed, seen[prompt]))
            seen[prompt] += 1
        asked = [place for place in range(len(prompts)) if place not in done]
        if not asked:
            return
        given = [seeds[place] for place in asked] if self.settings.temperature else None
        with closing(self._chat.answers([prompts[place] for place in asked], given)) as answers:
            for number, (text, cut) in answers:
                yield asked[number], Generated(text, "length" if cut else "stop")


def _endpoint_seed(seed: int, draw: int) -> int:
    """Return a 31-bit seed; for a prompt's first text, the seed itself."""
    if draw == 0:
        return seed
    return int.from_bytes(blake2b(f"{seed} {draw}".encode(), digest_size=4).digest(), "big") >> 1
