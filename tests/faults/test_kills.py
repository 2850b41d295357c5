"""Commands that are killed, ended and interrupted at random moments, then run again."""

from __future__ import annotations

import random
import signal

import pytest

from .cases import Case
from .conftest import BY_NAME, cases
from .harness import Bench, Scratch, killed

FEW = {
    "score lines": (signal.SIGKILL, 2),
    "score workers rows": (signal.SIGINT, 1),
    "annotate": (signal.SIGTERM, 1),
}
"""Name of a case -> signal, and how often it is sent."""


@pytest.mark.parametrize("name", FEW)
def test_some(bench: Bench, name: str) -> None:
    if not BY_NAME[name].can_run:
        pytest.skip(f"needs {', '.join(BY_NAME[name].needs)}")
    number, n = FEW[name]
    assert killed(bench, BY_NAME[name], number, random.Random(name), n).wrong == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@cases()
def test_all(bench: Bench, case: Case, number: int) -> None:
    assert killed(bench, case, number, random.Random(case.name), 2).wrong == []


def test_a_harness_that_finds_nothing_would_be_none(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is half-written, doubled, left over or said is found."""
    case = BY_NAME["annotate"]

    def spoilt(scratch: Scratch) -> dict[str, str]:
        (scratch.folder / "out/corpus.jsonl.gz").write_text("{")
        (scratch.folder / "tmp/left").touch()
        return original(scratch)

    original = Scratch.content
    bench.undisturbed(case)
    monkeypatch.setattr(Scratch, "content", spoilt)
    wrong = killed(bench, case, signal.SIGKILL, random.Random(1)).wrong
    assert wrong == ["differ: out/corpus.jsonl.gz"]
    monkeypatch.setattr(Scratch, "content", original)
    monkeypatch.setattr(
        Scratch, "place_old", lambda scratch, case: (scratch.folder / "out/corpus.jsonl.gz").write_text("{")
    )
    chance = random.Random(1)
    monkeypatch.setattr(chance, "random", lambda: 0.1)
    wrong = killed(bench, case, signal.SIGKILL, chance).wrong
    assert wrong == ["out/corpus.jsonl.gz is half-written"]
