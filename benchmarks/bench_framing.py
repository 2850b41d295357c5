"""Speed of framing and position bias against BUR, and growth with the texts.

    python benchmarks/bench_framing.py yelp_gpt4.jsonl.gz [--output results.json]

All are scored with interval and chance level, after one run to fill the caches of words. The growth joins the sources
of several samples. The adversarial growth has one sample whose summary is its sources, with a word in every sentence.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from bench_omission import GROWTH, columns_of, longer, seconds
from harness import finish, make_parser

MEASURES = ("framing", "position_bias")
SENTENCES = [2_000, 4_000, 8_000]


def adversarial(n: int) -> dict[str, Any]:
    """Return two copies of a sample with `n` different sentences of common words."""
    text = " ".join(f"The great staff of room{place} was awful at desk{place % 150}." for place in range(n))
    return {"predictions": [text] * 2, "sources": [[text]] * 2}


def main() -> None:
    """Run the benchmark."""
    parser = make_parser(__doc__)
    parser.add_argument("reviews", type=Path, help="file of reviews with summaries")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = columns_of(options.reviews)
    without = {name: columns[name] for name in ("predictions", "sources")}
    given = {"bur": columns, "framing": columns, "position_bias": without}
    found: dict[str, Any] = {measure: seconds(measure, given[measure]) for measure in given}
    for measure in MEASURES:
        found[f"{measure}_ratio"] = found[measure] / found["bur"]
        parts = {times: longer(columns, times) for times in GROWTH}
        growth = {times: {name: part[name] for name in without} for times, part in parts.items()}
        found[f"{measure}_growth"] = {times: seconds(measure, part) for times, part in growth.items()}
        found[f"{measure}_adversarial"] = {n: seconds(measure, adversarial(n)) for n in SENTENCES}
        print(f"BUR {found['bur']:.2f} s, {measure} {found[measure]:.2f} s: {found[f'{measure}_ratio']:.2f} times")
        print("same texts in samples of 1, 2 and 4 times the size:", found[f"{measure}_growth"])
        print("one text that is its own summary, by number of sentences:", found[f"{measure}_adversarial"])
    finish(found, options.output)


if __name__ == "__main__":
    main()
