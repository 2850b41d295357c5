"""What every chat model shares: a prompt is answered once, and its answer is kept.

Answers go to the cache as they come, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import closing
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder
from fairsum_utils.validation import as_float, check_count, describe


class Chat(Protocol):
    """Whatever answers prompts."""

    @property
    def signature(self) -> str:
        """What changes the answers besides the prompt, in a few words."""

    def complete(self, prompts: Sequence[str]) -> list[str]:
        """One answer a prompt, in order."""


class Answer(NamedTuple):
    """What a model said.

    Attributes:
        text: the answer, without white space around it.
        cut: whether the limit of tokens ended it.
    """

    text: str
    cut: bool


def messages(system: str | None, prompt: str) -> list[dict[str, str]]:
    """The conversation that a prompt begins."""
    first = [] if system is None else [{"role": "system", "content": system}]
    return [*first, {"role": "user", "content": prompt}]


class CachedChat(ABC):
    """Base of all chat models: each distinct prompt is answered once, and its answer kept as soon as it is there."""

    def __init__(
        self,
        *,
        temperature: float,
        max_tokens: int | None,
        system: str | None,
        cache: str | os.PathLike[str] | None,
        module: str,
    ) -> None:
        self.module = module
        self.temperature = as_float(temperature)
        if not 0 <= self.temperature < float("inf"):
            raise InputError(f"{module}: temperature must be a number of at least 0, found {describe(temperature)}")
        self.max_tokens = None if max_tokens is None else check_count(module, "max_tokens", max_tokens)
        if system is not None and not isinstance(system, str):
            raise InputError(f"{module}: system must be a string or None, found {describe(system)}")
        self.system = system
        self._cache_option = cache
        self._cache: ResultCache | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """The model's name."""

    @abstractmethod
    def identity(self) -> dict[str, object]:
        """What changes an answer besides the prompt, the system message, the temperature and the longest answer."""

    @abstractmethod
    def answers(self, prompts: list[str]) -> Generator[tuple[int, Answer]]:
        """The position of each prompt with its answer, in any order."""

    @property
    def signature(self) -> str:
        """The model; the temperature if it is not 0; a hash of the system message if there is one."""
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
        """Answer prompts; one that was answered before, in this run or an earlier one, is looked up.

        Args:
            prompts: what to ask, one string an answer.

        Returns:
            One answer a prompt, in order, without white space around it.

        Raises:
            InputError: a prompt is not a string.
            FairSumError: the model cannot answer; answers that came before are kept.

        Warns:
            RuntimeWarning: answers were cut off at `max_tokens`.
        """
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
                f"max_tokens={self.max_tokens}; give a larger max_tokens",
                RuntimeWarning,
                stacklevel=2,
            )
        return [answer.text for answer in answers]

    def _answer(self, prompts: list[str], cache: ResultCache) -> dict[str, Answer]:
        new = {}
        with (
            closing(self.answers(prompts)) as answers,  # if the cache cannot be written no more answers are asked for
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
