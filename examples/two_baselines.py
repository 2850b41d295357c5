"""Build Claritin from raw tweets, summarize it in two ways, score and compare.

    python examples/two_baselines.py --data-dir folder/with/claritin_raw.txt

System A takes the first tweets of a sample, regardless of their authors. System B takes tweets of both genders in turn,
which misses the target "ratio" if one gender wrote most of the tweets. No model is needed; replace `first_tweets` by
your own summarizer.
"""

from __future__ import annotations

import argparse
from itertools import chain, zip_longest

import fairsum_utils
from fairsum_utils.corpora import iter_rows


def first_tweets(sources: list[str], values: list[str], size: int = 3) -> str:
    """Return the first tweets."""
    return " ".join(sources[:size])


def tweets_in_turn(sources: list[str], values: list[str], size: int = 4) -> str:
    """Return tweets of each group in turn."""
    by_value: dict[str, list[str]] = {value: [] for value in sorted(values)}
    for text, value in zip(sources, values, strict=True):
        by_value[value].append(text)
    turns = [text for text in chain.from_iterable(zip_longest(*by_value.values())) if text is not None]
    return " ".join(turns[:size])


def main() -> None:
    """Build, summarize, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", required=True, help="folder with claritin_raw.txt")
    parser.add_argument("--samples-per-cell", type=int, default=50)
    options = parser.parse_args()
    rows = list(
        iter_rows("perspectivesumm", "claritin", data_dir=options.data_dir, samples_per_cell=options.samples_per_cell)
    )
    sources, values = [row["sources"] for row in rows], [row["values"] for row in rows]
    systems = {"first tweets": first_tweets, "tweets in turn": tweets_in_turn}
    texts = {name: [system(row["sources"], row["values"]) for row in rows] for name, system in systems.items()}
    print(fairsum_utils.compare(texts, sources, values).report())


if __name__ == "__main__":
    main()
