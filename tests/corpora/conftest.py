"""Hand-made inputs in every format, small enough to be read here."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def tweets(tmp_path: Path) -> Path:
    """A folder with 12 male and 16 female tweets of 4 tokens each."""
    lines = [
        f"{sex}{i}<||>{sex}<||>{sex} tweet number {i}" for sex, n in (("male", 12), ("female", 16)) for i in range(n)
    ]
    folder = tmp_path / "tweets"
    folder.mkdir()
    (folder / "claritin_raw.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """A FewSum folder with two Yelp groups; the first has a quoted field with a quote and a tab in it."""
    folder = tmp_path / "fewsum"
    (folder / "yelp/reviews/val").mkdir(parents=True)
    header = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev\n"
    (folder / "yelp/reviews/val/b_2.csv").write_text(
        header + "b\tWe sat outside .\t3.0\tbusiness\t0\t0\t0\t0\nb\tTerrible .\t1.0\tbusiness\t0\t0\t0\t0\n",
        encoding="utf-8",
    )
    (folder / "yelp/reviews/val/a_1.csv").write_text(
        header + 'a\t"A ""great""\tplace ."\t5.0\tbusiness\t0\t0\t0\t0\na\tgood 6" pizza\t4.0\tbusiness\t0\t0\t0\t0\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture(autouse=True)
def _own_cache(own_cache: Path) -> None:
    """No test of a data set touches the user's downloads."""
