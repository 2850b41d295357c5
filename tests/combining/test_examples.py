"""The example that combines measures with another module, run as a user does, with caches of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def run(words: list[object], folder: Path, forked: Any) -> list[str]:
    """What a process prints that runs in the repository, with a cache of its own."""
    done = forked.start(words, ROOT, FAIRSUM_CACHE=str(folder)).wait()
    assert done.returncode == 0, done.stderr
    return [*done.stdout.splitlines()]


def test_beside_rouge(tmp_path: Path, forked: Any) -> None:
    pytest.importorskip("rouge_score")
    words = [ROOT / "examples" / "combine_with_rouge.py", "--rouge", "tests/_rouge_module/rouge.py"]
    lines = run(words, tmp_path, forked)
    assert lines[0].split() == ["combine", "evaluate.combine", "tau=1,", "stems"]
    table = {name: list(map(float, numbers)) for name, *numbers in map(str.split, lines[1:6])}
    assert list(table) == ["bur", "uer", "rouge1", "rouge2", "rougeL"]
    for ours, theirs, _ in table.values():
        assert ours == theirs
    # tau is for BUR, stems are for ROUGE.
    assert [strict != ours for ours, _, strict in table.values()] == [True, False, True, True, True]
