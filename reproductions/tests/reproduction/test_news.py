"""What the paper on news prints: verdicts, and printed tables by an arithmetic of their own."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from fairsum_reproductions.reproduction.news import PRINTED
from fairsum_reproductions.reproduction.running import reproduce


def by_what(data_dir: Path | None) -> dict[str, tuple[str, str]]:
    return {row["what"]: (row["verdict"], row["got"]) for row in reproduce("news", data_dir)["items"]}


def test_from_printed_figures() -> None:
    found = by_what(None)
    assert found["Entity Hallucination, six of seven systems"] == ("equal", "6 of 6")
    assert found["Entity Hallucination, Llama-2 chat 7b"] == ("differs", "0.4006")
    assert found["groups of 42 names, by the census alone"][1].startswith("31 of 42; the others are unknown here")
    assert found["Word List Inclusion of Random against equal shares, XSum"] == ("equal", "0.24")
    assert found["Word List Inclusion of Random against equal shares, CNN/DM"] == ("near", "0.16")
    assert found["groups of the census's first names"] == ("no file", None)


def test_the_published_census(shared_data: Path) -> None:
    assert by_what(shared_data)["groups of the census's first names"] == ("passed", "5,156 of 5,156")


def test_a_census_that_differs_is_told(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "dist.male.first").write_text("MARY 5.0 5.0 1\nJAMES 3.3 8.3 2\n")
    (tmp_path / "news" / "dist.female.first").write_text("MARY 2.6 2.6 1\n")
    result = reproduce("news", tmp_path)
    assert by_what(tmp_path)["groups of the census's first names"] == ("failed", "1 of 2")  # Mary is no woman there
    assert result["changed"] == ["groups of the census's first names"]


def test_differences_by_decimals() -> None:
    """13 of 14, or 12: with both means rounded, a difference may be off by 0.01."""
    means = {name: [Decimal(str(number)) for number in numbers] for name, numbers in PRINTED["quality"].items()}
    off = {name for name, (one, other, printed) in means.items() if abs(one - other) != printed}
    assert off == {"BART CNN/DM, gender", "Pegasus XSum, race"}
    assert by_what(None)["differences of quality, 14 of them"] == ("near", "12 of 14, the others from rounded means")
