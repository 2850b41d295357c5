import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import DataSourceError, InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three products with three reviews each, of which a sentiment of its own has two; and what is left out."""
    ratings = {"P1": [5.0, 4.0, 1.0], "P2": [3.0, 3.0, 5.0], "P3": [1.0, 2.0, 3.0]}
    reviews: list[dict[str, Any]] = [
        {"overall": rating, "asin": product, "reviewText": f" This is review {i} of {product}.\n", "verified": True}
        for product, given in ratings.items()
        for i, rating in enumerate(given)
    ]
    reviews += [
        {"overall": 5.0, "asin": "P1"},
        {"overall": 5.0, "asin": "P1", "reviewText": " "},
        {"asin": "P1", "reviewText": "No rating here"},
        {"overall": 5.0, "asin": "P1", "reviewText": "Muy bueno, me encanta"},
    ]
    lines = "".join(json.dumps(review) + "\n" for review in reviews)
    (tmp_path / "Gadgets_5.json.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def test_rows(folder: Path, build: Any) -> None:
    rows = build("amazon", folder, size=3, n_sets=3)
    assert rows.texts == {
        "This is review 0 of P1.": "positive",
        "This is review 1 of P1.": "positive",
        "This is review 2 of P1.": "negative",
        "This is review 0 of P2.": "neutral",
        "This is review 1 of P2.": "neutral",
        "This is review 2 of P2.": "positive",
        "This is review 0 of P3.": "negative",
        "This is review 1 of P3.": "negative",
        "This is review 2 of P3.": "neutral",
    }
    assert rows.dominant == {
        "P1": "positive",
        "P2": "neutral",
        "P3": "negative",
    }
    assert [row["id"] for row in rows] == ["amazon-0000", "amazon-0001", "amazon-0002"]
    assert {row["attribute"] for row in rows} == {"sentiment"}
    assert rows.left_out == {"without text": 2, "without a rating": 1, "does not look English": 1}
    first = next(row for row in rows if json.loads(row["metadata"])["topic"] == "P1")
    ids = dict(zip(first["sources"], json.loads(first["metadata"])["source_ids"], strict=True))
    assert ids["This is review 2 of P1."] == "Gadgets_5.json.gz:3"
    assert rows[0]["prompt"].startswith("Below is a list of product reviews:\n1. This is review")


def test_the_fair_prompt(folder: Path, build: Any) -> None:
    plain = build("amazon", folder, size=3, n_sets=3)
    fair = build("amazon", folder, size=3, n_sets=3, prompt="fair")
    assert [row["sources"] for row in fair] == [row["sources"] for row in plain]
    assert f"(in bracket):\n1. ({fair[0]['values'][0]}) {fair[0]['sources'][0]}\n2. (" in fair[0]["prompt"]
    with pytest.raises(InputError, match="amazon: prompt must be one of plain, fair, found str 'x'"):
        build("amazon", folder, prompt="x")


def test_the_first_reviews_only(folder: Path, caplog: pytest.LogCaptureFixture, build: Any) -> None:
    with pytest.raises(InputError, match="there are: negative 0, neutral 1, positive 1"):
        build("amazon", folder, size=3, n_sets=3, max_reviews=6)
    assert "read the first 6 reviews only; a larger max_reviews reads more" in caplog.text
    caplog.clear()
    assert len(build("amazon", folder, size=3, n_sets=3, max_reviews=13)) == 3  # all there are
    assert caplog.text == ""
    with pytest.raises(InputError, match="amazon: max_reviews must be a whole number of at least 1, found int 0"):
        build("amazon", folder, max_reviews=0)


def test_a_file_that_is_cut_short(folder: Path, build: Any) -> None:
    path = folder / "Gadgets_5.json.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataSourceError, match=r"Gadgets_5\.json\.gz.*: cannot be unpacked .*cut short"):
        build("amazon", folder)
    path.write_bytes(b"not packed")
    with pytest.raises(DataSourceError, match="cannot be unpacked"):
        build("amazon", folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"overall": 5.0, "asin": "P", "reviewText": "go', "line 2: not valid JSON .*has no line end"),
        ("[1]\n", "line 2: expected a JSON object, found a list"),
        (
            '{"asin": "P", "title": "x", "reviewText": 1}\n',
            "line 2: expected texts reviewText and asin, found the fie",
        ),
        ('{"overall": 5, "reviewText": "x"}\n', "found the fields overall, reviewText. Is this a file of reviews"),
        (
            '{"overall": 6.0, "asin": "P", "reviewText": "x"}\n',
            "line 2: overall is 6.0, expected one of 1, 2, 3, 4, 5",
        ),
        ('{"overall": [5], "asin": "P", "reviewText": "x"}\n', r"line 2: overall is \[5\]"),
        ('{"overall": true, "asin": "P", "reviewText": "x"}\n', "line 2: overall is True"),
        (b'{"overall": 5, "asin": "P", "reviewText": "\xff"}\n', "line 2: not UTF-8"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, line: str | bytes, message: str, build: Any) -> None:
    good = json.dumps({"overall": 5.0, "asin": "P1", "reviewText": "good"}).encode() + b"\n"
    (tmp_path / "a.json").write_bytes(good + (line.encode() if isinstance(line, str) else line))
    with pytest.raises(DataSourceError, match=message):
        build("amazon", tmp_path)
