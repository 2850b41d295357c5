"""Ten systems in one command against ten separate commands, in turn.

    python benchmarks/bench_compare.py --file yelp_gpt4.jsonl.gz

The systems are made from the summaries of the file: the first has them as they are, and each other one has some of
their sentences dropped or exchanged for those of the next sample. Without a file, the sets are made up.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench_nli import made_up_rows
from harness import ROOT, finish, in_turn, make_parser

from fairsum_utils.io.reading import read_rows


def perturbed(rows: list[dict[str, Any]], seed: int) -> list[str]:
    """Return perturbed summaries; the first system keeps the originals."""
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
    """Write the files of the systems."""
    paths = []
    for seed in range(n):
        path = folder / f"system_{seed}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for row, summary in zip(rows, perturbed(rows, seed), strict=True):
                file.write(json.dumps({**row, "prediction": summary}) + "\n")
        paths.append(path)
    return paths


def fairsum(*arguments: object, source: Path = ROOT) -> None:
    """Run the command of a checkout."""
    command = [sys.executable, "-m", "fairsum_utils", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=source)


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--file", type=Path, help="of summaries, as for fairsum score (default: made-up sets)")
    parser.add_argument("--samples", type=int, default=1500, help="of the made-up sets")
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--metrics", default="bur,uer,auc,sof")
    parser.add_argument("--keep", type=Path, help="folder to leave the files of the systems in")
    parser.add_argument("--before", type=Path, help="checkout of an earlier commit, measured in turn with this one")
    options, others = parser.parse_known_args(arguments)
    if options.file is None:
        made = made_up_rows(options.samples)
        rows = [{**row, "id": str(place), "values": [*"abca"] * 2} for place, row in enumerate(made)]
    else:
        rows = list(read_rows(options.file, {}))
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        paths = write_systems(rows, folder, options.systems)
        asked = ("--metrics", options.metrics, *others)
        work = {
            "score, file by file": lambda: [fairsum("score", path, *asked) for path in paths],
            "compare": lambda: fairsum("compare", *paths, *asked),
            "compare --pairs": lambda: fairsum("compare", *paths, "--pairs", *asked),
        }
        if options.before is not None:
            work["compare before"] = lambda: fairsum("compare", *paths, *asked, source=options.before)
        times, _ = in_turn(options.runs, work)
    base = times["score, file by file"]
    ways = {
        name: {
            "seconds": statistics.median(each),
            "ratio": statistics.median(mine / other for mine, other in zip(each, base, strict=True)),
        }
        for name, each in times.items()
    }
    sizes = {"samples": len(rows), "systems": options.systems, "metrics": options.metrics, "runs": options.runs}
    return finish({**sizes, "ways": ways}, options.output)


if __name__ == "__main__":
    main()
