"""FairSumm's items: what follows from printed figures alone, by hand; and what is said of the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_reproductions.reproduction import fairsumm
from fairsum_reproductions.reproduction.running import reproduce


def rows(result: dict[str, object]) -> dict[str, dict[str, str]]:
    return {row["what"]: row for row in result["items"]}  # type: ignore[attr-defined]


def test_from_printed_figures() -> None:
    found = rows(reproduce("fairsumm"))
    assert found["averages of three scores, all systems and domains"]["got"] == "96 of 96 from the printed scores"
    assert found["the same averages"]["got"] == "9 of 12 numbers of Alpaca are others in table 10"
    # (7.28 + 7.08) / 2, and 0.1 from it on either side; the paper prints 7.18 and 0.98.
    assert found["UER with the instruction, Claritin"]["got"].startswith("7.18 %, the mean of 7.28 % (male)")
    assert found["SOF with the instruction, Claritin"]["got"].startswith("0.10 % from")
    of_both = "samples in which male, and in which female is underrepresented, gpt-turbo-3.5 on Claritin"
    assert found[of_both]["got"].startswith("25.6 % on average")
    assert found["correlation of SOF and UER over samples, Claritin (two values)"]["got"].startswith("1.00, ")


def test_lengths_of_made_up_samples() -> None:
    draws = [[["one two", "three"], ["four"]], [["one two"], ["five six"]]]
    found = [fairsumm._lengths(*case, mean=2.0) for case in ((draws, 3), (draws[:1], 3), (draws[:1], 300))]
    assert [outcome.verdict for outcome in found] == ["near", "equal", "differs"]
    assert [outcome.got for outcome in found[:2]] == ["2 to 3 and 2.0 tokens, 2 seeds", "3 and 2.0 tokens"]


def test_tokens_of_other_texts_are_not_the_published_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairsumm, "_texts", lambda folder: iter(["Green soup.", "The and of."]))
    outcome = fairsumm.tokens(tmp_path)
    assert (outcome.got, outcome.verdict) == ("2 tokens; not all are NLTK 3.8.1's", "differs")
