"""The bounded cache: computes missing entries once, and clears when full."""

from __future__ import annotations

import pytest

from fairsum_utils.text import caching
from fairsum_utils.text.caching import BoundedCache


def test_computes_once_and_starts_afresh_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "_SIZE", 2)
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    cache = BoundedCache(length)
    assert [cache[word] for word in ("a", "bb", "a", "ccc")] == [1, 2, 1, 3]
    assert asked == ["a", "bb", "ccc"]
    assert list(cache) == ["ccc"]
