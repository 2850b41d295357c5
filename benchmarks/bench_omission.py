"""Speed of lexical omission against BUR, and growth with the texts.

    python benchmarks/bench_omission.py yelp_gpt4.jsonl.gz [--output results.json]

Omission must take at most three times as long as BUR. Both are scored with interval and chance level, after one run to
fill the caches of words. The growth doubles the source texts of each sample.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from harness import finish, make_parser, read_rows, timed

from fairsum_utils.api import compute

LIMIT = 3
GROWTH = [1, 2, 4]


def seconds(measure: str, columns: dict[str, Any]) -> float:
    """Return the shorter time of two runs."""
    return min(timed(lambda: compute(measure, **columns, confidence_level=0.95, at_random=True))[0] for _ in range(2))


def columns_of(path: Path) -> dict[str, Any]:
    """Read the columns of a file of reviews."""
    rows = read_rows(path)
    return {
        "predictions": [row["prediction"] for row in rows],
        "sources": [row["sources"] for row in rows],
        "values": [row["values"] for row in rows],
    }


def longer(columns: dict[str, Any], times: int) -> dict[str, Any]:
    """Join the sources of several samples."""
    n = len(columns["sources"]) // times
    joined = {
        name: [[text for entry in columns[name][i::n] for text in entry] for i in range(n)]
        for name in ("sources", "values")
    }
    return {"predictions": columns["predictions"][:n], **joined}


def main() -> None:
    """Run the benchmark."""
    parser = make_parser(__doc__)
    parser.add_argument("reviews", type=Path, help="file of reviews with summaries")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = columns_of(options.reviews)
    found: dict[str, Any] = {measure: seconds(measure, columns) for measure in ("bur", "omission")}
    found["ratio"] = found["omission"] / found["bur"]
    found["growth"] = {times: seconds("omission", longer(columns, times)) for times in GROWTH}
    print(f"BUR {found['bur']:.2f} s, omission {found['omission']:.2f} s: {found['ratio']:.2f} times (limit {LIMIT})")
    print("same texts in samples of 1, 2 and 4 times the size:", found["growth"])
    finish(found, options.output)


if __name__ == "__main__":
    main()
