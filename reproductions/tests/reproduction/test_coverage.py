"""What Coverage-based Fairness prints: the chances behind its numbers of people, by hand."""

from __future__ import annotations

import math
import random

import pytest

from fairsum_reproductions.reproduction.coverage import _at_least
from fairsum_reproductions.reproduction.running import reproduce


def test_chances_by_hand() -> None:
    # 0.68 ** 25; and all but 0.32 ** 25 - 25 * 0.68 * 0.32 ** 24.
    assert _at_least(25) == pytest.approx(0.68**25, rel=1e-12)
    assert 1 - _at_least(2) == pytest.approx(0.32**25 + 25 * 0.68 * 0.32**24, abs=1e-15)
    assert _at_least(0) == 1.0


def test_chances_by_drawing() -> None:
    generator = random.Random(3)
    drawn = [sum(generator.randrange(25) < 17 for _ in range(25)) for _ in range(20_000)]
    for successes in (13, 17, 22):
        share = sum(x >= successes for x in drawn) / len(drawn)
        assert share == pytest.approx(_at_least(successes), abs=4 * math.sqrt(0.25 / 20_000))


def test_the_rows() -> None:
    rows = {row["what"]: row for row in reproduce("coverage")["items"]}
    assert rows["agreement with people in 5,000 groups"]["got"].startswith("97.0 % and 3.0 %")
    assert rows["agreement with people, 17 of 25 summaries"]["got"].startswith("p = 0.030 one-sided")
    assert [row["verdict"] for row in rows.values()].count("not reproduced") == 6
    tables = [part for row in rows.values() for part in row["tables"]]
    assert len(tables) == 2
