"""Runs: order, draws, empty prompts, going on after an interruption, several processes."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.generation import Generated, discard, generate
from fairsum_utils.generation.runs import Progress

PROMPTS = ["abc", "de", "abc", " ", "fg", "abc"]
IDENTITY = {"model": "echo"}


def texts(found: list[list[Generated]]) -> list[list[str]]:
    return [[text.text for text in of_prompt] for of_prompt in found]


def test_texts_in_order_equal_prompts_with_draws_of_their_own(echo: Any) -> None:
    model = echo()
    assert texts(generate(PROMPTS, model)) == [[" cba 0"], [" ed 0"], [" cba 1"], [""], [" gf 0"], [" cba 2"]]
    assert " " not in [prompt for prompt, _ in model.asked]


def test_several_texts_a_prompt(echo: Any) -> None:
    assert texts(generate(["a", "b", "a"], echo(n=2))) == [[" a 0", " a 1"], [" b 0", " b 1"], [" a 2", " a 3"]]


def test_an_empty_prompt_is_told(echo: Any) -> None:
    assert [text.finish for [text] in generate(PROMPTS, echo())] == [*["length"] * 3, "empty_prompt", *["length"] * 2]


@given(st.lists(st.text("ab ", max_size=3), min_size=1, max_size=8), st.integers(1, 3), st.integers(0, 30))
def test_an_interrupted_run_goes_on(
    echo: Any, tmp_path_factory: pytest.TempPathFactory, prompts: list[str], n: int, torn: int
) -> None:
    partial = tmp_path_factory.mktemp("run") / "texts.partial"
    expected = generate(prompts, echo(n=n))
    first = echo(n=n, fails_at=prompts[0] if prompts[0].strip() else None)
    try:
        generate(prompts, first, partial=partial)
    except KeyboardInterrupt:
        with partial.open("ab") as file:  # a line that was being written
            file.write(b'[3, 0, "' + b"x" * torn)
    second = echo(n=n)
    assert generate(prompts, second, partial=partial) == expected
    assert sorted(first.asked + second.asked) == sorted(  # nothing twice, nothing left out
        (prompt, draw) for prompt in set(prompts) if prompt.strip() for draw in range(prompts.count(prompt) * n)
    )
    third = echo(n=n)
    assert generate(prompts, third, partial=partial) == expected
    assert third.asked == []
    discard(partial)
    assert not partial.exists()


def test_other_settings_refuse_what_is_there(echo: Any, tmp_path: Path) -> None:
    partial = tmp_path / "texts.partial"
    generate(["a", "b"], echo(), partial=partial)
    before = partial.read_bytes()
    with pytest.raises(InputError) as caught:
        generate(["a", "b"], echo(temperature=0.5), partial=partial)
    assert str(caught.value) == (
        f"generate: {partial} is from an interrupted run with other settings (temperature was 1.0 and is 0.5); delete "
        "it to start over, or use the same settings and rows to continue"
    )
    with pytest.raises(InputError, match=r"\(prompts was '\w+' and is '\w+'\)"):
        generate(["a", "c"], echo(), partial=partial)
    with pytest.raises(InputError, match=r"\(n was 1 and is 2; "):
        generate(["a", "b", "c"], echo(n=2), partial=partial)
    assert partial.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"hello\n", b"\xff\xfe\n", b"3\n[0, 1, 2, 3, 4, 5]\n", b"[" * 100_000 + b"\n", b"1" * 5000 + b"\n"]
)
def test_a_file_of_something_else_stays(content: bytes, tmp_path: Path) -> None:
    partial = tmp_path / "texts.partial"
    partial.write_bytes(content)
    with pytest.raises(InputError, match=r"exists, but is not from an interrupted run; move it"):
        Progress(partial, IDENTITY)
    assert partial.read_bytes() == content


@pytest.mark.parametrize(
    "line",
    [
        b"hello", b"[1]", b"3", b"null", b"[" * 100_000, b"1" * 5000, b"\xff\xfe",
        b'[0, 5, "stop", 0]', b'["0", "a", "stop", 0]', b'{"0": "a"}', b"",
    ],
)  # fmt: skip
def test_a_line_of_anything_else_is_named(line: bytes, tmp_path: Path) -> None:
    partial = tmp_path / "texts.partial"
    with Progress(partial, IDENTITY) as progress:
        progress.add(1, Generated("b", "length", 2))
    with partial.open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(InputError, match=f"^generate: {partial}, line 3 is damaged; delete this line"):
        Progress(partial, IDENTITY)


def test_a_line_that_is_gone_is_generated_again(echo: Any, tmp_path: Path) -> None:
    partial = tmp_path / "texts.partial"
    expected = generate(PROMPTS, echo(), partial=partial)
    lines = partial.read_bytes().splitlines(keepends=True)
    partial.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    model = echo()
    assert generate(PROMPTS, model, partial=partial) == expected
    assert len(model.asked) == 1


def test_processes_share_the_work(echo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accelerate = pytest.importorskip("accelerate")
    barrier = threading.Barrier(3, timeout=10)

    class State:
        def wait_for_everyone(self) -> None:
            barrier.wait()

    monkeypatch.setattr(accelerate, "PartialState", State)
    monkeypatch.setattr("fairsum_utils.generation.runs._PAUSE", 0.01)
    partial = tmp_path / "texts.partial"
    prompts = [*PROMPTS, "h", "ij"]
    echoes = [echo(n=2) for _ in range(3)]
    found: dict[int, list[list[Generated]]] = {}

    def work(process: int) -> None:
        found[process] = generate(prompts, echoes[process], partial=partial, process=process, n_processes=3)

    threads = [threading.Thread(target=work, args=(process,)) for process in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == {0: generate(prompts, echo(n=2)), 1: [], 2: []}
    shares = [len(one.asked) for one in echoes]
    assert sum(shares) == 14
    assert min(shares) >= 4
    alone = echo(n=2)  # one process goes on from what three have left
    assert generate(prompts, alone, partial=partial) == found[0]
    assert alone.asked == []
    discard(partial)
    assert [*tmp_path.iterdir()] == []


def test_processes_need_a_file_and_a_seed(echo: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="processes that share the work need a partial file and a seed; set both"):
        generate(["a"], echo(), n_processes=2)
    with pytest.raises(InputError, match="need a partial file and a seed"):
        generate(["a"], echo(seed=None), n_processes=2, partial=tmp_path / "p")


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


def test_a_file_that_was_cut_in_its_first_line(echo: Any, tmp_path: Path) -> None:
    partial = tmp_path / "texts.partial"
    partial.write_bytes(b'{"model": "ec')
    model = echo()
    generate(["a"], model, partial=partial)
    assert texts(generate(["a"], echo(), partial=partial)) == [[" a 0"]]
    assert model.asked == [("a", 0)]
