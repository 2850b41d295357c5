"""Chat models, behind an OpenAI-compatible endpoint or run with transformers.

Each distinct prompt is sent once. Answers are cached as they arrive, so that an interrupted run continues where it
stopped.
"""

from __future__ import annotations

import json
import os
import secrets
import warnings
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from fairsum_utils._util.secrets import masked
from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder
from fairsum_utils.inference.decoding import (
    BATCH_TOKENS,
    check_temperature,
    decoding_options,
    encode_prompt,
    messages,
    write_texts,
)
from fairsum_utils.inference.facts import known_facts
from fairsum_utils.inference.models import FoundModel, LoadedModel, find_model, load_model
from fairsum_utils.io.stores import named_address
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.validation import as_float, check_choice, check_count, check_fraction, check_seed, describe


class Chat(Protocol):
    """Anything that answers prompts."""

    @property
    def signature(self) -> str:
        """Short description of everything but the prompt that changes answers."""

    def complete(self, prompts: Sequence[str]) -> list[str]:
        """Return one answer per prompt, in order."""


class Answer(NamedTuple):
    """Answer of a model.

    Attributes:
        text: the answer, without white space around it.
        cut: True if the token limit ended it.
    """

    text: str
    cut: bool


class CachedChat(ABC):
    """Base of chat models that caches the answer to each prompt.

    Args:
        temperature: sampling temperature, 0 for the likeliest tokens; sampled answers are cached, too.
        max_tokens: maximum length of an answer.
        system: system message; some templates support none.
        cache: folder of answers; ``"default"``, or ``"none"`` for memory only.
        module: name used in messages.
    """

    def __init__(
        self,
        *,
        temperature: float = 0.0,
        max_tokens: int | None = 1024,
        system: str | None = None,
        cache: str | os.PathLike[str] | None = "default",
        module: str = "chat",
    ) -> None:
        self.module = module
        self.temperature = check_temperature(module, "temperature", temperature)
        self.max_tokens = None if max_tokens is None else check_count(module, "max_tokens", max_tokens)
        if system is not None and not isinstance(system, str):
            raise InputError(f"{module}: system must be a string or None, found {describe(system)}")
        self.system = system
        self._cache_option = cache
        self._cache: ResultCache | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the model's name."""

    @abstractmethod
    def identity(self) -> dict[str, object]:
        """Everything else that changes an answer, such as the weights."""

    @abstractmethod
    def answers(self, prompts: list[str]) -> Generator[tuple[int, Answer]]:
        """Yield each prompt's position and answer, in any order."""

    @property
    def signature(self) -> str:
        """Return the model, a nonzero temperature, and the system message's hash."""
        parts = [self.name]
        if self.temperature:
            parts.append(f"temperature={self.temperature:g}")
        if self.system is not None:
            parts.append(f"system={blake2b(self.system.encode(), digest_size=4).hexdigest()}")
        return ",".join(parts)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027
        """Release the model, if one is loaded."""

    def complete(self, prompts: Sequence[str]) -> list[str]:
        """Answer prompts in order, using cached answers."""
        for position, prompt in enumerate(prompts):
            if not isinstance(prompt, str):
                raise InputError(f"{self.module}: prompts[{position}] must be a string, found {describe(prompt)}")
        cache, distinct = self._opened_cache(), list(dict.fromkeys(prompts))
        stored = zip(distinct, cache.get_many((prompt,) for prompt in distinct), strict=True)
        known = {prompt: Answer(*json.loads(payload)) for prompt, payload in stored if payload is not None}
        if new := [prompt for prompt in distinct if prompt not in known]:
            known |= self._answer(new, cache)
        answers = [known[prompt] for prompt in prompts]
        if n_cut := sum(answer.cut for answer in answers):
            warnings.warn(
                f"{self.module}: {n_cut} of {len(answers)} answers of {self.name} were cut off at "
                f"max_tokens={self.max_tokens}; raise max_tokens",
                RuntimeWarning,
                stacklevel=2,
            )
        return [answer.text for answer in answers]

    def _answer(self, prompts: list[str], cache: ResultCache) -> dict[str, Answer]:
        new = {}
        with (
            closing(self.answers(prompts)) as answers,  # if the cache cannot be written, no more prompts are sent
            bar(total=len(prompts), unit="answers") as progress,
        ):
            for place, answer in answers:
                cache.put([((prompts[place],), json.dumps(answer).encode())])
                new[prompts[place]] = answer
                progress.update()
        return new

    def _opened_cache(self) -> ResultCache:
        if self._cache is None:
            settings = {"temperature": self.temperature, "max_tokens": self.max_tokens, "system": self.system}
            fingerprint = json.dumps({"task": "chat"} | self.identity() | settings, sort_keys=True)
            folder = resolve_cache_folder(self._cache_option, module=self.module)
            self._cache = ResultCache(folder, fingerprint, module=self.module)
        return self._cache


_WITHOUT_MODEL = 'a chat endpoint (or, to split summaries, splitter="sentence")'
_OPENAI, _KEY = "https://api.openai.com/v1", "OPENAI_API_KEY"
_LONGEST_REASON = 300

_MOST, _LONGEST_WAIT = 1_000, 1_000_000
"""Prompts at a time, or tries of one; seconds to wait for an answer."""


class _EmptyAnswerError(Exception):
    """The answer is empty."""


class ChatEndpoint(CachedChat):
    """A chat model behind an OpenAI-compatible endpoint; needs the extra ``llm``.

    The key is read from ``$OPENAI_API_KEY`` when it is needed and is never stored. Key and prompts are only sent to
    this address: redirects to other servers are not followed. Endpoints other than OpenAI's are also called without a
    key, because local servers need none. A cached prompt needs neither key nor network.

    Args:
        model: name of the model at the endpoint.
        base_url: address of the endpoint, such as ``"http://localhost:8000/v1"``; None for ``$OPENAI_BASE_URL``, else
            OpenAI's. Pass http addresses of other machines here, not in the environment: key and prompts can
            be read in transit.
        top_p: sample among the likeliest tokens that together have this probability.
        timeout: seconds to wait for an answer.
        max_retries: number of retries, with growing pauses, when the endpoint is busy or fails.
        concurrency: prompts that are sent at the same time.
        empty: action for an empty answer: ``"error"`` or ``"keep"``.
        **shared: options of `CachedChat`; with a `max_tokens` of None, the endpoint limits answers.

    Example:
        >>> ChatEndpoint("gpt-4o-mini", temperature=0.5).signature
        'gpt-4o-mini,temperature=0.5'
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        top_p: float = 1.0,
        timeout: float = 60.0,
        max_retries: int = 5,
        concurrency: int = 8,
        empty: str = "error",
        **shared: Any,
    ) -> None:
        super().__init__(**shared)
        module = self.module
        if not isinstance(model, str) or not model:
            raise InputError(f"{module}: model must be the name of a model, found {describe(model)}")
        self._model = model
        self._base_url = named_address(f"{module}: base_url", base_url, "OPENAI_BASE_URL", _OPENAI)
        self._timeout = as_float(timeout)
        if not 0 < self._timeout <= _LONGEST_WAIT:
            raise InputError(
                f"{module}: timeout must be a number of seconds above 0 and at most {_LONGEST_WAIT:,}, found "
                f"{describe(timeout)}"
            )
        self._max_retries = check_count(module, "max_retries", max_retries, least=0, most=_MOST)
        self._concurrency = check_count(module, "concurrency", concurrency, most=_MOST)
        self._top_p = check_fraction(module, "top_p", top_p)
        self._keeps_empty = check_choice(module, "empty", empty, ("error", "keep")) == "keep"

    @property
    def name(self) -> str:
        """Return the model's name at the endpoint."""
        return self._model

    def identity(self) -> dict[str, object]:
        """Return the model, its endpoint and its sampling limits."""
        return {"model": self._model, "base_url": self._base_url, "top_p": self._top_p}

    def _client(self) -> Any:
        openai = require("openai", extra="llm", purpose=f"ask {self._base_url}")
        key = os.environ.get(_KEY, "").strip()
        if not key.isascii() or not key.isprintable():  # the client's own error would print it
            raise InputError(f"{self.module}: ${_KEY} contains characters that are invalid in a key; set it again")
        if not key and self._base_url == _OPENAI:
            raise InputError(
                f"{self.module}: no key for {self._base_url}: set the environment variable {_KEY}, "
                "or use the base_url of a server that needs no key"
            )
        return openai.OpenAI(
            api_key=key or "none",
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=self._max_retries,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def answers(self, prompts: list[str], seeds: list[int] | None = None) -> Generator[tuple[int, Answer]]:
        """Ask for several prompts at a time; each answer as it comes."""
        n_done = 0
        failure: BaseException | None = None
        with self._client() as client, ThreadPoolExecutor(self._concurrency) as pool:
            futures: dict[Future[Answer], int] = {}
            try:
                for place, prompt in enumerate(prompts):
                    seed = None if seeds is None else seeds[place]
                    futures[pool.submit(self._ask, client, prompt, seed)] = place
                for future in as_completed(futures):
                    if future.cancelled():
                        continue
                    error = future.exception()
                    if error is None:
                        n_done += 1
                        yield futures[future], future.result()
                    elif failure is None:  # send no more prompts, but wait for those in flight
                        failure = error
                        for other in futures:
                            other.cancel()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
        if failure is not None:
            # Not chained: the client's error may quote the key.
            raise self._explained(failure, f"{n_done} of {len(prompts)} new prompts were answered and cached") from None

    def _ask(self, client: Any, prompt: str, seed: int | None) -> Answer:
        options = {"max_tokens": self.max_tokens, "seed": seed, "top_p": self._top_p if self._top_p < 1 else None}
        completion = client.chat.completions.create(
            model=self._model,
            messages=messages(self.system, prompt),
            temperature=self.temperature,
            **{name: option for name, option in options.items() if option is not None},
        )
        try:
            choice = completion.choices[0]
            text = choice.message.content
        except (AttributeError, IndexError, TypeError):
            raise ValueError("the answer is not a chat completion") from None
        text = (text or "").strip()
        if not text and not self._keeps_empty:
            raise _EmptyAnswerError(f"the answer is empty (finish_reason: {choice.finish_reason})")
        return Answer(text, choice.finish_reason == "length")

    def _explained(self, error: BaseException, done: str) -> BaseException:
        """Return the error to raise, with cause, progress and advice."""
        import openai

        status = getattr(error, "status_code", 0)
        advice = {
            401: f"set the environment variable {_KEY} to a key that may use it",
            404: (
                f"check that the endpoint has the model {self._model!r}, and that base_url ends in a version such as "
                "/v1"
            ),
            429: "the request limit is reached; wait, lower concurrency or raise max_retries",
        }
        by_kind: dict[type[BaseException], str] = {
            _EmptyAnswerError: "raise max_tokens or check the prompt",
            ValueError: f"check that base_url is an OpenAI-compatible address with a version, such as {_OPENAI}",
            openai.APITimeoutError: f"no answer came within {self._timeout:g} s; raise timeout or lower concurrency",
            openai.APIConnectionError: "check base_url, and that the server is running and reachable",
            openai.InternalServerError: "the server failed; try again later",
            openai.APIStatusError: advice.get(
                status, ("redirects are not allowed; use the final address") if status < 400 else "see above"
            ),
        }
        by_kind[openai.APIResponseValidationError] = by_kind[ValueError]
        for kind, hint in by_kind.items():
            if isinstance(error, kind):
                reason = masked(" ".join(str(error).split()))[:_LONGEST_REASON]
                at = f"{self._base_url} ({self._model}){f', status {status}' if status else ''}"
                return FairSumError(f"{self.module}: {at}: {reason}; {hint}. {done}; run again to continue")
        return error


class LocalChat(CachedChat):
    """A chat model of transformers that runs here; needs the extra ``neural``.

    The prompt is formatted by the tokenizer's chat template, if it has one. Each step takes the likeliest token or,
    with a temperature, a random one. A random answer depends on the seed and on the prompts that are asked with it. The
    model is loaded on first use.

    Args:
        model: id on the Hub, or a folder.
        revision: branch, tag or commit on the Hub.
        seed: seed of sampling; None for fresh randomness.
        device: device of the model, such as ``"cuda:1"``; None for the best available.
        dtype: precision of the weights, see `InferenceSettings`.
        batch_tokens: maximum tokens in a batch, prompts and longest answers; halved when the device's memory is full.
        **shared: options of `CachedChat`.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        seed: int | None = 0,
        device: str | None = None,
        dtype: str = "auto",
        batch_tokens: int = BATCH_TOKENS,
        **shared: Any,
    ) -> None:
        super().__init__(**shared)
        self._longest_answer = check_count(self.module, "max_tokens", self.max_tokens)
        self._batch_tokens = check_count(self.module, "batch_tokens", batch_tokens)
        seed = check_seed(self.module, seed)
        self._seed = secrets.randbits(32) if seed is None else seed
        self._place = (model, revision)
        self._settings = InferenceSettings.make({"device": device, "dtype": dtype}, module=self.module)
        self._model: LoadedModel | None = None

    @property
    def _loaded(self) -> LoadedModel:
        if self._model is None:
            self._model = load_model("causal", self._found, settings=self._settings, offline=_WITHOUT_MODEL)
        return self._model

    @cached_property
    def _found(self) -> FoundModel:
        model, revision = self._place
        return find_model(model, revision=revision, module=self.module, offline=_WITHOUT_MODEL)

    @property
    def name(self) -> str:
        """Name and weights of the model, which need not be loaded."""
        return self._found.name

    def identity(self) -> dict[str, object]:
        """Return the model, its precision, and the seed if relevant."""
        folder = resolve_cache_folder(self._cache_option, module=self.module)
        facts = known_facts(self._found, "causal", self._settings, folder, lambda: self._loaded)
        seed = self._seed if self.temperature else None
        return {"model": self.name, "dtype": facts.dtype, "seed": seed}

    def close(self) -> None:
        """Release the model's memory; it is reloaded when needed."""
        if self._model is not None:
            self._model.unload()
            self._model = None

    def answers(self, prompts: list[str]) -> Generator[tuple[int, Answer]]:
        """Generate batch by batch, prompts of like length together."""
        loaded = self._loaded
        encoded = [encode_prompt(loaded.tokenizer, prompt, self.system) for prompt in prompts]
        limit = loaded.max_tokens
        for prompt, tokens in zip(prompts, encoded, strict=True):
            if limit is not None and len(tokens) + self._longest_answer > limit:
                raise InputError(
                    f"{self.module}: a prompt of {len(tokens)} tokens plus an answer of up to "
                    f"max_tokens={self._longest_answer} exceed the {limit} tokens that {loaded.name} reads: "
                    f"{prompt[:60]!r}; use a smaller max_tokens, a shorter text or another model"
                )
        texts = write_texts(
            loaded,
            encoded,
            max_new_tokens=self._longest_answer,
            batch_tokens=self._batch_tokens,
            module=self.module,
            seed=(self._seed,),
            **decoding_options(loaded.model, self.temperature),
        )
        for place, (tokens, ended) in texts:
            yield place, Answer(loaded.tokenizer.decode(tokens, skip_special_tokens=True).strip(), not ended)
