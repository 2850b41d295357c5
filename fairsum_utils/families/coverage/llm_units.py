"""Units from a language model: the paper's prompt, parsing and retries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from fairsum_utils.cleaning import without_reasoning
from fairsum_utils.errors import InputError
from fairsum_utils.inference.chat import CachedChat, Chat
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.validation import check_count, count

_PLACE = "{summary}"
_ITEM = re.compile(r"(?:[-*•]\s+)?\**(?:\((\d{1,4})\)|(\d{1,4})[.)](?=\s|\*|$))\**(.*)")
# Characters of an answer or a summary that a message quotes.
_START = 120


@cache
def _template() -> str:
    text = files("fairsum_utils._util.resources").joinpath("acu_prompt.txt").read_text(encoding="utf-8")
    return text.removesuffix("\n")


def split_prompt(summary: str) -> str:
    """Return the prompt that asks for the units of a summary.

    Source: Li et al. 2025, appendix A.1, figure 2: the prompt for the Article Bias corpus, whose
    demonstration is printed. The published code has one prompt a corpus.

    Example:
        >>> print(split_prompt("It was good.")[-53:])
        Summary: It was good.
        Extracted Atomic Content Units:
    """
    return _template().replace(_PLACE, " ".join(summary.split()))


def parse_units(answer: str) -> list[str]:
    """Parse the numbered list of an answer.

    Items begin with ``(1)``, ``1.`` or ``1)``, possibly in bold or after a bullet, and go on in the lines below until a
    blank one. Text before the list, text after a blank line between or behind its items, and the reasoning of the model
    are ignored.

    Returns:
        The units in order, without their numbers.

    Example:
        >>> parse_units("Here they are:\\n(1) It was good.\\n(2) It was\\n    cheap.\\n\\nAnything else?")
        ['It was good.', 'It was cheap.']
    """
    units: list[list[str]] = []
    within = False
    for line in without_reasoning(answer).text.splitlines():
        text = line.strip()
        if item := _ITEM.match(text):
            number = int(item[1] or item[2])
            if number != len(units) + 1:
                raise _unreadable(f"item {len(units) + 1} was expected, found item {number}", answer)
            units.append([item[3]])
            within = True
        elif not any(map(str.isalnum, text)):  # blank, a rule or a code fence
            within = False
        elif within:
            units[-1].append(text)
    if not units:
        raise _unreadable("it has no numbered line", answer)
    joined = [" ".join(" ".join(parts).replace("**", "").split()) for parts in units]
    for number, unit in enumerate(joined, start=1):
        if not any(map(str.isalnum, unit)):
            raise _unreadable(f"item {number} is empty", answer)
    return joined


def _unreadable(problem: str, answer: str) -> InputError:
    return InputError(
        f"the answer is not a numbered list of units ({problem}); it begins with {answer.strip()[:_START]!r}"
    )


class LLMSplitter:
    """Splitter that asks a chat model; pass it as ``splitter``.

    An answer that cannot be read is asked for again, with a reminder of the form.

    Source: Li et al. 2025, section 4.1 and appendix A.1, which ask GPT-3.5.

    Example:
        >>> class Parrot:
        ...     signature = "parrot"
        ...
        ...     def complete(self, prompts):
        ...         return ["(1) It was good." for prompt in prompts]
        >>> splitter = LLMSplitter(Parrot())
        >>> splitter("It was good."), splitter.signature
        (['It was good.'], 'llm(parrot)')
    """

    def __init__(self, chat: Chat, *, attempts: int = 3, module: str = "coverage") -> None:
        self._chat = chat
        self._attempts = check_count(module, "attempts", attempts)
        self._module = module

    @property
    def signature(self) -> str:
        """Name of the chat model."""
        return f"llm({self._chat.signature})"

    def __call__(self, summary: str) -> list[str]:
        """Split one summary; a blank summary has no units."""
        return self.split_many([summary])[0]

    def split_many(self, summaries: Sequence[str], indices: Sequence[int] | None = None) -> list[list[str]]:
        """Split summaries; the model does not see blank ones."""
        units: list[list[str]] = [[] for _ in summaries]
        waiting = [place for place, summary in enumerate(summaries) if summary.strip()]
        problems: dict[int, InputError] = {}
        for attempt in range(1, self._attempts + 1):
            answers = self._chat.complete([_prompt(summaries[place], attempt) for place in waiting])
            problems = {}
            for place, answer in zip(waiting, answers, strict=True):
                try:
                    units[place] = parse_units(answer)
                except InputError as error:
                    problems[place] = error
            waiting = [*problems]
            if not waiting:
                break
        for place, problem in problems.items():
            index = place if indices is None else indices[place]
            raise InputError(
                f"{self._module}: sample {index}: {self._chat.signature} gave no readable list of units for "
                f"{summaries[place].strip()[:_START]!r} in {count(self._attempts, 'attempt')}. Last problem: "
                f'{problem}. Give units in summary_units, use splitter="sentence", or try another model'
            ) from problem
        return units


def _prompt(summary: str, attempt: int) -> str:
    """Return the paper's prompt, varied from the second attempt on."""
    prompt = split_prompt(summary)
    if attempt == 1:
        return prompt
    reminder = "Answer with nothing but the numbered list, one unit a line: (1), (2), (3) and so on."
    return f"{prompt}\n\n{reminder} This is attempt {attempt}."


def get_chat(settings: CoverageMeasure) -> CachedChat:
    """Return the chat model of the settings, loaded on first use.

    Example:
        >>> chosen = CoverageMeasure(splitter="llm", chat_model="tiny", chat_url="http://localhost:8000/v1")
        >>> LLMSplitter(get_chat(chosen)).signature
        'llm(tiny)'
    """
    from fairsum_utils.inference.chat import ChatEndpoint, LocalChat

    model: Any = settings.chat_model
    shared: dict[str, Any] = {"cache": settings.cache, "module": settings.module}
    if settings.chat_url is not None:
        return ChatEndpoint(model, settings.chat_url, **shared)
    return LocalChat(model, device=settings.device, dtype=settings.dtype, **shared)
