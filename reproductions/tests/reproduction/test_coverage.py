"""What Coverage-based Fairness prints: the chances behind its numbers of people, by hand."""

from __future__ import annotations

import pytest

from fairsum_reproductions.reproduction.coverage import _at_least


def test_chances_by_hand() -> None:
    # 0.68 ** 25; and all but 0.32 ** 25 - 25 * 0.68 * 0.32 ** 24.
    assert _at_least(25) == pytest.approx(0.68**25, rel=1e-12)
    assert 1 - _at_least(2) == pytest.approx(0.32**25 + 25 * 0.68 * 0.32**24, abs=1e-15)
    assert _at_least(0) == 1.0
