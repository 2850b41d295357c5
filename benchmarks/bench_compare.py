"""Ten systems in one command against the ten files scored one after the other, whole processes in turn.

    python benchmarks/bench_compare.py --file yelp_gpt4.jsonl.gz

The systems are made from the summaries of the file: the first has them as they are, and each other one has some of
their sentences dropped or exchanged for those of the next sample. Without a file, the sets are made up.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SEED = 0


def made_up(n: int) -> list[dict[str, Any]]:
    """Review sets of made-up words, about as long as Yelp's."""
    words = [f"{first}{second}" for first in ("soup", "staff", "bread", "table", "dessert") for second in range(200)]
    generator = random.Random(SEED)

    def text(n_words: int) -> str:
        return " ".join(generator.choices(words, k=n_words)) + "."

    return [
        {
            "id": str(index),
            "sources": [text(45) for _ in range(8)],
            "values": generator.choices(["pos", "neu", "neg"], k=8),
            "prediction": " ".join(text(13) for _ in range(4)),
        }
        for index in range(n)
    ]


def perturbed(rows: list[dict[str, Any]], seed: int) -> list[str]:
    """The summaries of another system; of the first one, those there are."""
    sentences = [row["prediction"].split(". ") for row in rows]
    generator = random.Random(seed)
    summaries = []
    for place, mine in enumerate(sentences):
        others = sentences[(place + 1) % len(sentences)]
        changed = [
            generator.choice(others) if seed and generator.random() < 0.03 * seed else sentence
            for sentence in mine
            if not seed or generator.random() > 0.02 * seed
        ]
        summaries.append(". ".join(changed or mine))
    return summaries


def write_systems(rows: list[dict[str, Any]], folder: Path, n: int) -> list[Path]:
    """The files of the systems."""
    paths = []
    for seed in range(n):
        path = folder / f"system_{seed}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for row, summary in zip(rows, perturbed(rows, seed), strict=True):
                file.write(json.dumps({**row, "prediction": summary}) + "\n")
        paths.append(path)
    return paths


def seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fairsum(*arguments: object) -> None:
    command = [sys.executable, "-m", "fairsum_utils", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, help="of summaries, as for fairsum score (default: made-up sets)")
    parser.add_argument("--samples", type=int, default=1500, help="of the made-up sets")
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--metrics", default="bur,uer,auc,sof")
    parser.add_argument("--keep", type=Path, help="folder to leave the files of the systems in")
    options, others = parser.parse_known_args()
    if options.file is None:
        rows = made_up(options.samples)
    else:
        from fairsum_utils.io.reading import read_rows

        rows = list(read_rows(options.file, {}))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        paths = write_systems(rows, folder, options.systems)
        asked = ("--metrics", options.metrics, *others)

        def one_by_one() -> None:
            for path in paths:
                fairsum("score", path, *asked)

        work: dict[str, Callable[[], None]] = {
            "score, file by file": one_by_one,
            "compare": lambda: fairsum("compare", *paths, *asked),
            "compare --pairs": lambda: fairsum("compare", *paths, "--pairs", *asked),
        }
        times: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(options.runs):  # in turn, so that a busy machine is busy for all
            for name, run in work.items():
                times[name].append(seconds(run))
    base = times["score, file by file"]
    print(f"{len(rows)} samples, {options.systems} systems, {options.metrics}; {options.runs} runs in turn")
    for name, each in times.items():
        ratio = statistics.median(mine / other for mine, other in zip(each, base, strict=True))
        print(f"{name:20}  {statistics.median(each):6.2f} s  ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
