"""What FairSumm prints: human summaries of Yelp, against NLTK 3.8.1 and plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_reproductions.reproduction.fairsumm import references


def test_human_summaries_of_yelp(shared_data: Path) -> None:
    outcome = references(shared_data)
    # BUR and UER of each set's first, second and third summary, computed without this package.
    got = [number.got for number in outcome.numbers]
    assert got == pytest.approx([26, 3.0411, 33, 3.3859, 24, 2.9248], abs=5e-5)
    assert [number.printed for number in outcome.numbers] == [68.0, 26.43] * 3
    assert outcome.verdict == "differs"
    assert "of 100 sets 70 have several groups" in outcome.got
    assert "match nothing (65.00%; UER 10.47%)" in outcome.got
