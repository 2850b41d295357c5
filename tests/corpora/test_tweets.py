from __future__ import annotations

import json
import logging
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.tweets import CLARITIN_LABELS, ELECTION_LABELS, ShuffledPasses, parse_tweets
from fairsum_utils.errors import DataSourceError, InputError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
RAW = SHARED / "perspectivesumm"
needs_raw = pytest.mark.skipif(not RAW.is_dir(), reason="the raw tweets are not here")


def write(folder: Path, content: bytes) -> Path:
    path = folder / "claritin_raw.txt"
    path.write_bytes(content)
    return path


def parse(folder: Path, content: bytes) -> list[tuple[str, str, str]]:
    return [(t.id, t.value, t.text) for t in parse_tweets(write(folder, content), CLARITIN_LABELS)]


def test_reads_fields_and_keeps_separators_of_the_text(tmp_path: Path) -> None:
    assert parse(tmp_path, b"1<||>male<||> a <||> b\r\n2<||>female<||>c\n\n") == [
        ("1", "male", "a <||> b"),
        ("2", "female", "c"),
    ]


@given(size=st.integers(1, 20), counts=st.lists(st.integers(0, 20), max_size=30), seed=st.integers(0, 2**40))
def test_passes_draw_different_items_and_evenly(size: int, counts: list[int], seed: int) -> None:
    passes = ShuffledPasses(range(size), random.Random(seed), key=lambda item: str(item // 2))
    used = Counter(dict.fromkeys(range(size), 0))
    for count in counts:
        drawn = passes.draw(min(count, size))
        assert len(set(drawn)) == len(drawn) == min(count, size)
        used.update(drawn)
        assert max(used.values()) - min(used.values()) <= 1


def test_equal_texts_are_kept_apart(tmp_path: Path) -> None:
    texts = [f"{i}<||>male<||>same words" for i in range(3)] + [f"x{i}<||>male<||>other {i}" for i in range(30)]
    texts += ["f<||>female<||>same words", *(f"f{i}<||>female<||>hers {i}" for i in range(30))]
    write(tmp_path, "\n".join(texts).encode() + b"\n")
    options = {"sizes": [10], "ratios": [0.5], "samples_per_cell": 60, "min_tokens": 1}
    rows = list(iter_rows("perspectivesumm", "claritin", data_dir=tmp_path, **options))
    repeats = sum(len(set(row["sources"])) < 10 for row in rows)
    assert repeats <= 3  # only where the end of a pass leaves no choice


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    size=st.integers(1, 12),
    share=st.fractions(0, 1, max_denominator=100),
    seed=st.integers(0, 2**32),
    repeats=st.integers(1, 4),
)
def test_sizes_and_ratios_are_exact(tweets: Path, size: int, share: Fraction, seed: int, repeats: int) -> None:
    male = round(size * Fraction(str(float(share))))
    options = {"sizes": [size], "ratios": [float(share)], "samples_per_cell": repeats, "min_tokens": 1, "seed": seed}
    rows = list(iter_rows("perspectivesumm", "claritin", data_dir=tweets, **options))
    assert len(rows) == len({row["id"] for row in rows}) == repeats
    for row in rows:
        assert len(row["sources"]) == len(set(row["sources"])) == len(row["values"]) == size
        assert row["values"].count("male") == male
        assert all(text.startswith(value) for text, value in zip(row["sources"], row["values"], strict=True))
        assert json.loads(row["metadata"])["counts"] == {"male": male, "female": size - male}
        assert " || ".join(row["sources"]) in row["prompt"]


def test_token_limits(tmp_path: Path) -> None:
    texts = {"one": "a", "two": "a b", "three": "a b c", "four": "a b c d"}
    write(tmp_path, "".join(f"{s}-{k}<||>{s}<||>{t}\n" for s in ("male", "female") for k, t in texts.items()).encode())
    options = {"sizes": [4], "ratios": [0.5], "samples_per_cell": 1, "min_tokens": 2, "max_tokens": 3}
    [row] = iter_rows("perspectivesumm", "claritin", data_dir=tmp_path, **options)
    ids = sorted(json.loads(row["metadata"])["source_ids"])
    assert ids == ["female-three", "female-two", "male-three", "male-two"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "claritin: seed must be a whole number of at least 0, found int -1"),
        ({"sizes": []}, "sizes must be a list"),
        ({"sizes": [0]}, "each of sizes must be a whole number of at least 1, found int 0"),
        ({"ratios": 0.5}, "ratios must be a list"),
        ({"ratios": [1.2]}, r"must be in \[0, 1\]"),
        ({"ratios": [[0.2, 0.2]]}, "needs 1 number"),
        ({"ratios": ["half"]}, "must hold numbers"),
        ({"ratios": [float("nan")]}, "must hold numbers"),
        ({"sizes": [4, 4]}, "occurs twice"),
        ({"samples_per_cell": 0}, "samples_per_cell must be a whole number of at least 1, found int 0"),
        ({"min_tokens": 9, "max_tokens": 8}, "no tweet can have both"),
        ({"sizes": [50]}, r"n50-male0.5 needs 25 tweets of 'male', but only 12 of 12 have 1 to 70 tokens"),
        ({"max_tokens": 3}, "needs 2 tweets of 'male', but only 0 of 12 have 1 to 3"),
    ],
)
def test_options_out_of_range(tweets: Path, options: dict[str, object], message: str) -> None:
    options = {"sizes": [4], "ratios": [0.5], "min_tokens": 1, **options}
    with pytest.raises((InputError, DataSourceError), match=message):
        list(iter_rows("perspectivesumm", "claritin", data_dir=tweets, **options))


def test_three_values_and_their_rounding(tmp_path: Path) -> None:
    lines = [f"{label}{i}<||>{label}<||>{label} {i}" for label in ELECTION_LABELS for i in range(10)]
    (tmp_path / "us_election_raw.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = {"sizes": [10], "samples_per_cell": 1}
    rows = list(iter_rows("perspectivesumm", "us_election", data_dir=tmp_path, **options))
    counts = [{v: row["values"].count(v) for v in ("repu", "demo", "neutral")} for row in rows]
    assert [tuple(c.values()) for c in counts] == [(2, 6, 2), (4, 4, 2), (6, 2, 2)]
    with pytest.raises(InputError, match="round to more than 3 tweets"):
        list(iter_rows("perspectivesumm", "us_election", data_dir=tmp_path, sizes=[3], ratios=[[0.5, 0.5]]))


def test_seeds(tweets: Path) -> None:
    options = {"data_dir": tweets, "sizes": [6], "samples_per_cell": 5, "min_tokens": 1}

    def drawn(**seed: int) -> list[Any]:
        return list(iter_rows("perspectivesumm", "claritin", **seed, **options))

    assert drawn(seed=0) == drawn(seed=0) != drawn(seed=1)
    assert drawn() == drawn(seed=42)


def test_ratios_are_counted_exactly(tmp_path: Path) -> None:
    # int(100 * 0.29) is 28, because the nearest float to 0.29 is a little less
    lines = [f"{s}{i}<||>{s}<||>{s} {i}" for s in ("male", "female") for i in range(80)]
    write(tmp_path, "\n".join(lines).encode() + b"\n")
    options = {"sizes": [100], "ratios": [0.29], "samples_per_cell": 1, "min_tokens": 1}
    [row] = iter_rows("perspectivesumm", "claritin", data_dir=tmp_path, **options)
    assert row["values"].count("male") == 29


@needs_raw
@pytest.mark.parametrize(("config", "value_count"), [("claritin", 2), ("us_election", 3)])
def test_the_real_files_give_the_papers_cells(config: str, value_count: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        rows = list(iter_rows("perspectivesumm", config, data_dir=RAW))
    assert len(rows) == len({row["id"] for row in rows}) == 1350
    cells = Counter(json.loads(row["metadata"])["cell"] for row in rows)
    assert sorted(cells.values()) == [150] * 9
    assert Counter(len(row["sources"]) for row in rows) == {10: 450, 30: 450, 50: 450}
    assert {len(set(row["values"])) for row in rows} == {value_count}
    assert all(len(set(row["sources"])) == len(row["sources"]) for row in rows)
    for row in rows:
        about = json.loads(row["metadata"])
        for value, ratio in about["ratios"].items():
            assert row["values"].count(value) == about["counts"][value] == round(about["size"] * ratio)
    if config == "claritin":
        # table 1's average is 572.2, in tokens summed over the sources
        from fairsum_utils.text.punkt import word_tokenize

        length = {text: len(word_tokenize(text)) for text in {text for row in rows for text in row["sources"]}}
        assert sum(length[text] for row in rows for text in row["sources"]) / 1350 == pytest.approx(572.2, abs=1)
        assert {10 <= n <= 70 for n in length.values()} == {True}
