"""Table of omission on Yelp's reviews with GPT-4's summaries, and on tweets.

    python benchmarks/real_omission.py FOLDER [--sentence-model MODEL] [--output results.json]

The tweets have no summaries. Each file is shuffled with a fixed seed and cut into sets of 30, and the first three
tweets of a set are its summary. Ten omitted matters of Yelp are drawn with the same seed, to be read.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

from harness import finish, make_parser, read_rows

from fairsum_utils.api import compute

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
    result = compute("omission", **columns, return_samples=True, at_random=True, **settings)
    low, high = result["not_found_at_random_range"]
    chance = f"{result['not_found_at_random']:.3f} [{low:.3f}, {high:.3f}]"
    cells = [name, result["n_samples"], result["n_matters"], f"{result['not_found']:.3f}", chance]
    print(" | ".join(map(str, cells)), flush=True)
    return result


def main() -> None:
    """Print the table and ten matters that were not found."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, help="folder of the files")
    parser.add_argument("--sentence-model", help="model of the entailer embeddings; without it: leave out its row")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = read_rows(options.folder / "yelp_gpt4.jsonl.gz")
    yelp = {"predictions": [each["prediction"] for each in rows], "sources": [each["sources"] for each in rows]}
    found = {"Yelp, lexical": row("Yelp, lexical", yelp)}
    if options.sentence_model:
        settings = {"entailer": "embeddings", "sentence_model": options.sentence_model}
        found["Yelp, embeddings"] = row("Yelp, embeddings", yelp, **settings)
    for name, file in TWEETS.items():
        found[name] = row(name, tweets(options.folder / file))
    first = found["Yelp, lexical"]
    not_found = [
        (sample["index"], matter["entry"], matter["sentences"])
        for sample in first["samples"]
        for matter in sample.get("matters") or []
        if matter["is_omitted"] is None
    ]
    for index, entry, sentences in sorted(random.Random(SEED).sample(not_found, 10)):
        print(f"set {index}: {entry}: {sentences}\n    summary: {rows[index]['prediction']}")
    finish(
        {name: {key: result[key] for key in ("not_found", "n_matters")} for name, result in found.items()},
        options.output,
    )


if __name__ == "__main__":
    main()
