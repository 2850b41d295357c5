"""Runs: order, several texts, empty prompts, and the file that a second run completes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.generation import generate, write_file

PROMPTS = ["abc", "de", "abc", " ", "fg", "abc"]


def rows_of(prompts: list[str]) -> list[dict[str, Any]]:
    return [{"id": f"r{number}", "prompt": prompt} for number, prompt in enumerate(prompts)]


def write(path: Path, prompts: list[str], model: Any, **options: Any) -> list[dict[str, Any]]:
    return write_file(path, rows_of(prompts), prompts, model, **options)


def test_texts_are_in_order(echo: Any) -> None:
    found = [text.text for [text] in generate(PROMPTS, echo())]
    assert found == [" cba 0", " ed 1", " cba 2", "", " gf 3", " cba 4"]


def test_several_texts_a_prompt(echo: Any) -> None:
    found = [[text.text for text in texts] for texts in generate(["a", " ", "b"], echo(n=2))]
    assert found == [[" a 0", " a 1"], ["", ""], [" b 2", " b 3"]]


def test_an_empty_prompt_is_told(echo: Any) -> None:
    assert [text.finish for [text] in generate(PROMPTS, echo())] == [*["length"] * 3, "empty_prompt", *["length"] * 2]


def test_a_file_has_rows_with_texts(echo: Any, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    found = write(path, ["ab", " "], echo(prediction="whole"), column="text")
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == found
    signature = found[0]["generation"]
    assert signature.startswith("model:echo|temperature:1.0|v:")
    about = {"prompt_tokens_cut": 0, "generation": signature}
    assert found == [
        {"id": "r0", "prompt": "ab", "text": "ab ba 0", "finish": "length", **about},
        {"id": "r1", "prompt": " ", "text": "", "finish": "empty_prompt", **about},
    ]


@given(st.lists(st.text("ab ", max_size=3), min_size=1, max_size=8), st.integers(1, 3), st.integers(0, 200))
def test_an_interrupted_file_is_completed(
    echo: Any, tmp_path_factory: pytest.TempPathFactory, prompts: list[str], n: int, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    expected = write(folder / "whole.jsonl", prompts, echo(n=n))
    whole, path = (folder / "whole.jsonl").read_bytes(), folder / "texts.jsonl"
    first = echo(n=n, stops_at=prompts[0])
    try:
        write(path, prompts, first)
    except KeyboardInterrupt:
        path.write_bytes(path.read_bytes()[: -cut or None])  # lines that were lost, and one that was cut off
    kept = [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
    n_kept = sum(row["finish"] != "empty_prompt" for row in kept)
    n_texts = sum(bool(prompt.strip()) for prompt in prompts) * n
    second = echo(n=n)
    assert write(path, prompts, second) == expected
    assert path.read_bytes() == whole
    assert len(second.asked) == n_texts - n_kept
    third = echo(n=n)
    assert write(path, prompts, third) == expected
    assert third.asked == []
    assert path.read_bytes() == whole


def test_equal_prompts_of_other_rows_are_told_apart(echo: Any, tmp_path: Path) -> None:
    """Without ids, what was written for one row does not count for another with the same prompt."""
    rows, prompts = [{"prompt": "a", "group": group} for group in "xyx"], ["a"] * 3
    path, model = tmp_path / "texts.jsonl", echo()
    whole = write_file(path, rows, prompts, model)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[1])
    again = echo()
    assert write_file(path, rows, prompts, again) == whole
    assert again.asked == [2, 0]


def test_other_settings_or_rows_are_refused(echo: Any, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    write(path, ["a", "b"], echo())
    before = path.read_bytes()
    for prompts, model, message in (
        (["a", "b"], echo(temperature=0.5), "line 1 has a text of other settings: model:echo|temperature:1.0|v:"),
        (["a"], echo(), "line 2 is a row that the input does not have; name another output"),
        (["a", "c"], echo(), "line 2 is a row that the input does not have"),
        (["a", "b"], echo(n=2), "line 1 is a row that the input does not have"),
    ):
        with pytest.raises(InputError) as caught:
            write(path, prompts, model)
        assert str(caught.value).startswith(f"generate: {path}, {message}")
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"hello\n", b"\xff\xfe\n", b"3\n", b"[" * 100_000 + b"\n", b"\n", b'{"id": "r0", "prompt": "a"}\n', b"hello",
        b'{"metrics": {}}', b'{"id": "r0", "prompt": "a", "generation": null}\n',
    ],
)  # fmt: skip
def test_a_file_of_something_else_stays(echo: Any, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"not a (row|file) that fairsum generate wrote; name another output"):
        write(path, ["a"], echo())
    assert path.read_bytes() == content


def test_a_first_line_that_was_cut_off_is_made_again(echo: Any, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    expected = write(path, ["a"], echo())
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert write(path, ["a"], echo()) == expected
        assert path.read_bytes() == whole


def test_a_row_that_is_no_json(echo: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"generate: a row cannot be written as JSON .*; change or drop its column"):
        write_file(tmp_path / "texts.jsonl", [{"prompt": "a", "day": object()}], ["a"], echo())


@pytest.mark.parametrize(
    ("prompts", "message"),
    [
        ([], "prompts is an empty list"),
        ("abc", "prompts must be a list with one entry per sample"),
        (["a", None], "generate: sample 1: prompt must be a string, found None; fill it in or remove the sample"),
        (["a\ud83d"], "a text contains half a character"),
    ],
)
def test_prompts_that_cannot_be(echo: Any, prompts: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        generate(prompts, echo())
    assert message in str(caught.value)
