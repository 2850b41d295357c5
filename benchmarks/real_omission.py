"""Table of omission on real texts: Yelp's reviews with GPT-4's summaries, and two files of tweets.

    python benchmarks/real_omission.py ../shared/data/perspectivesumm [--sentence-model FOLDER] [--output results.json]

The tweets have no summaries. Each file is shuffled with a fixed seed and cut into sets of 30, and the first three
tweets of a set are its summary. Ten omitted matters of Yelp are drawn with the same seed, to be read.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

from harness import finish, make_parser, read_rows

from fairsum_utils import compute

SEED = 35
SIZE = 30
TWEETS = {"Claritin": "claritin_raw.txt", "US election": "us_election_raw.txt"}


def tweets(path: Path) -> dict[str, Any]:
    """Read sets of tweets with their first three as summary."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    texts = [text for line in lines if (text := line.split("<||>")[-1].strip())]
    random.Random(SEED).shuffle(texts)
    sets = [texts[start : start + SIZE] for start in range(0, len(texts) - SIZE + 1, SIZE)]
    return {"predictions": ["\n".join(each[:3]) for each in sets], "sources": sets}


def row(name: str, columns: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """Score texts and print their row of the table."""
    result = compute("omission", **columns, confidence_level=0.95, return_samples=True, **settings)
    low, high = result["omission_ci"]
    cells = [name, result["n_samples"], result["n_matters"], f"{result['omission']:.3f}", f"[{low:.3f}, {high:.3f}]"]
    chance = result.get("omission_at_random")
    if chance is not None:
        low, high = result["omission_at_random_range"]
        cells.append(f"{chance:.3f} [{low:.3f}, {high:.3f}]")
    print(" | ".join(map(str, [*cells, f"{result['ordinary_omission']:.3f}"])), flush=True)
    return result


def main() -> None:
    """Print the table and ten omitted matters."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, help="folder of the files")
    parser.add_argument("--sentence-model", help="model of the entailer embeddings; without it: leave out its row")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = read_rows(options.folder / "yelp_gpt4.jsonl.gz")
    yelp = {"predictions": [each["prediction"] for each in rows], "sources": [each["sources"] for each in rows]}
    found = {"Yelp, lexical": row("Yelp, lexical", yelp, at_random=True)}
    if options.sentence_model:
        settings = {"entailer": "embeddings", "sentence_model": options.sentence_model}
        found["Yelp, embeddings"] = row("Yelp, embeddings", yelp, **settings)
    for name, file in TWEETS.items():
        found[name] = row(name, tweets(options.folder / file), at_random=True)
    first = found["Yelp, lexical"]
    print("difference", first["ordinary_difference"], first["ordinary_difference_ci"])
    print("by number of texts", first["by_n_texts"])
    omitted = [
        (sample["index"], matter["entry"], matter["sentences"])
        for sample in first["samples"]
        for matter in sample.get("matters") or []
        if matter["is_omitted"]
    ]
    for index, entry, sentences in sorted(random.Random(SEED).sample(omitted, 10)):
        print(f"set {index}: {entry}: {sentences}\n    summary: {rows[index]['prediction']}")
    finish(
        {name: {key: result[key] for key in ("omission", "n_matters")} for name, result in found.items()},
        options.output,
    )


if __name__ == "__main__":
    main()
