"""Models that generate: run here by transformers, or behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from fairsum_utils.errors import InputError, require
from fairsum_utils.generation.settings import PROMPT, GenerationSettings
from fairsum_utils.inference.chat import ChatEndpoint
from fairsum_utils.inference.decoding import (
    BATCH_TOKENS,
    Decoder,
    Decoding,
    SuggestedDecoding,
    encode_prompt,
    suggested_decoding,
)
from fairsum_utils.inference.models import LoadedModel, load_model
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.io.stores import as_path, is_folder

# What a model's configuration may have options of its own for.
_TASK = "summarization"


#: Why a text ends; see `Generated`.
Finish: TypeAlias = Literal["stop", "length", "empty_prompt"]


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
    """Whatever generates."""

    settings: GenerationSettings

    def identity(self) -> dict[str, object]:
        """Return all settings that change a text, without the prompt."""

    def write(self, prompts: Sequence[str], draws: Sequence[int]) -> Generator[tuple[int, Generated]]:
        """Yield each prompt's position and text; repeated prompts draw separately."""


class LocalGenerator:
    """A causal or sequence-to-sequence model of transformers; needs the extra ``neural``.

    A prompt that is too long loses its beginning (but for a control code or the token that opens every text), or, for a
    sequence-to-sequence model, its end, unless `cut_from` says else; what was cut is counted.

    Args:
        model: id on the Hub, or a folder; loaded at once.
        settings: Generation settings.
        revision: branch, tag or commit on the Hub.
        inference: device, dtype, batch_tokens and on_truncate are used.

    Raises:
        InputError: the model cannot be had, has no room for `max_new_tokens`; or, where the settings leave decoding to
            it, draws in a way that is not done here, or takes the likeliest tokens though several texts are wanted.
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
        self._inference = inference or InferenceSettings(module=settings.module)
        kind = "seq2seq" if is_seq2seq(model, revision, module=settings.module) else "causal"
        offline = "an endpoint (--url)"
        self._loaded: LoadedModel = load_model(
            kind, model, revision=revision, settings=self._inference, offline=offline
        )
        suggested = suggested_decoding(self._loaded.model, _TASK)
        # Before an instruction the model's prefix would be a second one.
        task_prefix = "" if settings.input == PROMPT else suggested.prefix
        self._code = task_prefix if settings.prefix is None else settings.prefix
        self._decoding = self._resolved(suggested)
        self._decoder = Decoder(
            self._loaded,
            self._decoding,
            seed=self._seed,
            batch_tokens=self._inference.batch_tokens or BATCH_TOKENS,
            module=settings.module,
            options=suggested.options if settings.leaves_to_model else None,
        )
        if settings.system is not None and self._decoder.is_seq2seq:
            raise InputError(f"{settings.module}: {self._loaded.name} accepts no system message; omit system")
        limit = self._loaded.max_tokens
        room = 0 if self._decoder.is_seq2seq else 1 + len(self._prefix())
        if limit is not None and self._decoding.max_new_tokens + room > limit:
            raise InputError(
                f"{settings.module}: {self._loaded.name} reads and writes {limit} tokens, too few for a prompt and "
                f"max_new_tokens={self._decoding.max_new_tokens}; lower max_new_tokens"
            )

    def _resolved(self, suggested: SuggestedDecoding) -> Decoding:
        """Return the settings, with gaps filled from the model's configuration."""
        settings, loaded = self.settings, self._loaded
        sampling = suggested.sampling if settings.temperature is None else None
        n_beams = suggested.n_beams if settings.temperature is None else 1
        if sampling is not None and (others := [*sampling.others, *(["num_beams"] if n_beams > 1 else [])]):
            raise InputError(
                f"{settings.module}: the configuration of {loaded.name} samples with {', '.join(others)}, which is "
                "not supported; set temperature, and optionally top_k and top_p"
            )
        if sampling is None and not settings.temperature and settings.n > 1:
            raise InputError(
                f"{settings.module}: {loaded.name} uses greedy decoding by default, so all n={settings.n} texts would "
                "be equal; set a temperature"
            )
        longest = suggested.max_new_tokens if settings.max_new_tokens is None else settings.max_new_tokens
        if longest is None:
            usual = GenerationSettings.max_new_tokens
            assert usual is not None
            longest = usual if loaded.max_tokens is None else min(usual, loaded.max_tokens)
        decoding = Decoding(
            longest,
            settings.temperature or 0.0,
            settings.top_k,
            settings.top_p,
            settings.repetition_penalty,
            n_beams=n_beams,
        )
        if sampling is None:
            return decoding
        return decoding._replace(
            temperature=sampling.temperature,
            top_k=settings.top_k or sampling.top_k,
            top_p=settings.top_p if settings.top_p < 1 else sampling.top_p,
        )

    def identity(self) -> dict[str, object]:
        """Return weights, unusual precision and settings."""
        loaded = self._loaded
        name = loaded.name if loaded.dtype == "float32" else f"{loaded.name} {loaded.dtype}"
        settings, decoding = self.settings, self._decoding
        if settings.temperature is None and decoding.temperature:  # drawn as the model says
            settings = replace(settings, temperature=decoding.temperature, top_k=decoding.top_k, top_p=decoding.top_p)
        chat = None if self._decoder.is_seq2seq else settings.chat
        identity = settings.identity(name, self._seed, chat=chat)
        resolved = {"max_new_tokens": decoding.max_new_tokens, "prefix": self._code.strip() or None}
        resolved["cut_from"] = settings.cut_from
        if not self.settings.leaves_to_model:
            return {**identity, **resolved}
        return {**identity, **resolved, "decoding": "own", "beams": decoding.n_beams}

    def write(self, prompts: Sequence[str], draws: Sequence[int]) -> Generator[tuple[int, Generated]]:
        """Generate batch by batch, prompts of like length together."""
        inputs, cuts = [], []
        for prompt in prompts:
            tokens = self._encode(prompt)
            kept = self._cut(tokens)
            inputs.append(kept)
            cuts.append(len(tokens) - len(kept))
            if cuts[-1] and self._inference.on_truncate == "error":
                options = "" if self._decoder.is_seq2seq else "a smaller max_new_tokens, "
                raise too_long(self.settings.module, self._loaded, prompt, cuts[-1], options)
        names = [f"{prompt}\n{draw}" for prompt, draw in zip(prompts, draws, strict=True)]
        for place, (tokens, ended) in self._decoder.run(inputs, names):
            text = self._text(inputs[place], tokens)
            yield place, Generated(text, "stop" if ended else "length", cuts[place])

    def _prefix(self) -> list[int]:
        """Return the control code's tokens, without special tokens."""
        if not self._code:
            return []
        return list(self._loaded.tokenizer(self._code, add_special_tokens=False)["input_ids"])

    def _encode(self, prompt: str) -> list[int]:
        settings, tokenizer = self.settings, self._loaded.tokenizer
        if settings.chat and not self._decoder.is_seq2seq:
            return encode_prompt(tokenizer, prompt, settings.system)
        # A blank at the end would be a token of its own, after which no model knows how to go on.
        text = f"{self._code.rstrip()} {prompt}".strip() if self._code else prompt.rstrip()
        tokens = list(tokenizer(text)["input_ids"])
        # A token that ends texts would end the prompt before it is continued.
        if not self._decoder.is_seq2seq and len(tokens) > 1 and tokens[-1] == tokenizer.eos_token_id:
            del tokens[-1]
        return tokens

    def _cut(self, tokens: list[int]) -> list[int]:
        """Cut the start or end of a prompt that is too long."""
        limit, cut_from = self._loaded.max_tokens, self.settings.cut_from
        if limit is None:
            return tokens
        is_seq2seq = self._decoder.is_seq2seq
        room = limit if is_seq2seq else limit - self._decoding.max_new_tokens
        if len(tokens) <= room:
            return tokens
        head, tail = (min(n, room - 1) for n in self._around(tokens))
        if cut_from == "end" or (cut_from is None and is_seq2seq):
            return tokens[: room - tail] + tokens[len(tokens) - tail :]
        return tokens[:head] + tokens[head - room :]

    def _around(self, tokens: list[int]) -> tuple[int, int]:
        """Number of tokens before and after a prompt that are never cut."""
        settings, tokenizer = self.settings, self._loaded.tokenizer
        if settings.cut_from is not None and settings.chat and not self._decoder.is_seq2seq:
            alike = [tokens, *(encode_prompt(tokenizer, prompt, settings.system) for prompt in ("a", "b"))]
            return _n_alike(alike), _n_alike([each[::-1] for each in alike])
        opens = tokenizer.bos_token_id is not None and tokens[0] == tokenizer.bos_token_id
        # The last token ends the input of a sequence-to-sequence model.
        return len(self._prefix()) + opens, int(self._decoder.is_seq2seq)

    def _text(self, prompt: list[int], tokens: list[int]) -> str:
        """Return the new tokens as text, with the space before a first word."""
        if self._decoder.is_seq2seq or self.settings.chat:
            return self._decode(tokens).strip()
        return added_text(self._decode, prompt, tokens)

    def _decode(self, tokens: list[int]) -> str:
        text = self._loaded.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return str(text)


def added_text(decode: Callable[[list[int]], str], prompt: list[int], tokens: list[int]) -> str:
    """Return the text that tokens add to a prompt."""
    before, whole = decode(prompt), decode(prompt + tokens)
    return whole[len(before) :] if whole.startswith(before) else decode(tokens)


def _n_alike(texts: Sequence[Sequence[int]]) -> int:
    """Length of the common beginning of all texts."""
    alike = (len(set(tokens)) == 1 for tokens in zip(*texts, strict=False))
    return next((place for place, is_alike in enumerate(alike) if not is_alike), min(map(len, texts)))


def too_long(module: str, loaded: LoadedModel, prompt: str, n_cut: int, options: str) -> InputError:
    """Return the error for a prompt that a model cannot read."""
    return InputError(
        f"{module}: a prompt is {n_cut} tokens too long for {loaded.name}, which reads {loaded.max_tokens}: "
        f'{prompt[:60]!r}; use {options}a shorter prompt, or on_truncate="warn"'
    )


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
        settings: Generation settings; endpoints take no top-k, repetition penalty or control code.
        base_url: address of the endpoint, such as ``"http://localhost:8000/v1"``.
        concurrency: prompts that are asked at the same time.
        **options: Options of `ChatEndpoint`, such as `timeout` and `max_retries`.

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
        return self.settings.identity(self._chat.name, self._seed, base_url=where["base_url"])

    def write(self, prompts: Sequence[str], draws: Sequence[int]) -> Generator[tuple[int, Generated]]:
        """Ask for several prompts at a time; each answer as it comes."""
        seeds = [_endpoint_seed(self._seed, draw) for draw in draws] if self.settings.temperature else None
        with closing(self._chat.answers(list(prompts), seeds)) as answers:
            for place, (text, cut) in answers:
                yield place, Generated(text, "length" if cut else "stop")


def _endpoint_seed(seed: int, draw: int) -> int:
    """Return a 31-bit seed; for a prompt's first text, the seed itself."""
    if draw == 0:
        return seed
    return int.from_bytes(blake2b(f"{seed} {draw}".encode(), digest_size=4).digest(), "big") >> 1
