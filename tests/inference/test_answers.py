"""What every chat model does with prompts and answers, whatever the model."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.inference.answers import Answer, CachedChat, messages


class Echo(CachedChat):
    """Says the prompt again, as far as it may; the last prompt first."""

    name = "echo"

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {"temperature": 0, "max_tokens": 3, "system": None, "cache": "none"}
        super().__init__(**{**defaults, "module": "relevance", **options})
        self.asked: list[str] = []

    def identity(self) -> dict[str, object]:
        return {"model": "echo"}

    def answers(self, prompts: list[str]) -> Generator[tuple[int, Answer]]:
        for place in reversed(range(len(prompts))):
            self.asked.append(prompts[place])
            if prompts[place] == "fail":
                raise FairSumError("no answer")
            yield place, Answer(prompts[place][: self.max_tokens], len(prompts[place]) > (self.max_tokens or 99))


def test_each_distinct_prompt_is_asked_once_and_answers_come_in_order() -> None:
    chat = Echo()
    assert chat.complete(["b", "a", "b", "c"]) == ["b", "a", "b", "c"]
    assert chat.complete(["c", "d"]) == ["c", "d"]
    assert chat.asked == ["c", "a", "b", "d"]


def test_answers_outlive_a_failure_and_the_object(tmp_path: Path) -> None:
    with Echo(cache=tmp_path) as first, pytest.raises(FairSumError, match="no answer"):
        first.complete(["fail", "a", "b"])
    assert first.asked == ["b", "a", "fail"]
    second = Echo(cache=tmp_path)
    assert second.complete(["a", "b", "c"]) == ["a", "b", "c"]
    assert second.asked == ["c"]


@pytest.mark.parametrize("option", [{"temperature": 0.5}, {"max_tokens": 2}, {"system": "Be brief."}])
def test_other_settings_have_other_answers(option: dict[str, Any], tmp_path: Path) -> None:
    Echo(cache=tmp_path).complete(["a"])
    other = Echo(cache=tmp_path, **option)
    other.complete(["a"])
    assert other.asked == ["a"]


def test_cut_answers_are_counted() -> None:
    with pytest.warns(RuntimeWarning, match="relevance: 2 of 3 answers of echo were cut off at max_tokens=3; give a"):
        assert Echo().complete(["long", "a", "longer"]) == ["lon", "a", "lon"]


def test_signature() -> None:
    assert Echo().signature == "echo"
    first, second = (Echo(temperature=0.25, system=system).signature for system in ("Be brief.", "Be long."))
    assert first.startswith("echo,temperature=0.25,system=")
    assert first != second


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": -1}, "temperature must be a number of at least 0, found int -1"),
        ({"temperature": float("inf")}, "temperature must be a number of at least 0, found float inf"),
        ({"max_tokens": 0}, "max_tokens must be a whole number of at least 1, found int 0"),
        ({"system": 3}, "system must be a string or None, found int 3"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"relevance: {message}"):
        Echo(**options)


def test_prompts_must_be_strings() -> None:
    chat = Echo()
    with pytest.raises(InputError, match=r"relevance: prompts\[1\] must be a string, found None"):
        chat.complete(["a", None])  # type: ignore[list-item]
    assert chat.asked == []


def test_messages() -> None:
    user = {"role": "user", "content": "Why?"}
    assert messages(None, "Why?") == [user]
    assert messages("Be brief.", "Why?") == [{"role": "system", "content": "Be brief."}, user]
