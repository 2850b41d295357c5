"""Speed of the normalizer of each language, against the English `simple` in the same run.

    python benchmarks/bench_languages.py [--output results.json]

Texts are the ten goldens of each language, many times over. Seen: every word has been met before, as nearly all words
of a long run have. New: every text meets a normalizer that knows no word yet. Rounds of all languages alternate; the
ratio is the median over rounds of time a word, divided by that of English in the same round.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from harness import finish, make_parser

from fairsum_utils.text.normalize import SimpleNormalizer

GOLDENS = Path(__file__).resolve().parents[1] / "tests/text/golden_languages.json"


def read_texts() -> dict[str, list[str]]:
    """Code of each language -> its texts."""
    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))
    return {
        code: [("" if code in ("zh", "ja") else " ").join(text["sentences"]) for text in entry["texts"]]
        for code, entry in goldens.items()
    }


def seconds_a_word(normalizers: list[SimpleNormalizer], texts: list[str]) -> float:
    """Time of each normalizer on each text, divided by the words."""
    start = time.perf_counter()
    n_words = sum(normalizer.counted(text)[1] for normalizer in normalizers for text in texts)
    return (time.perf_counter() - start) / n_words


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Print a line a language; returns what it prints."""
    parser = make_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=300, help="how often the texts are read in a round")
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args(arguments)
    texts = read_texts()
    for code in texts:  # dictionaries are opened once a process
        SimpleNormalizer(code).tokens(texts[code][0])
    times: dict[str, dict[str, list[float]]] = {code: {"seen": [], "new": []} for code in texts}
    for _ in range(chosen.rounds):
        for code in texts:
            seen = SimpleNormalizer(code)
            seconds_a_word([seen], texts[code])
            times[code]["seen"].append(seconds_a_word([seen] * chosen.repeats, texts[code]))
            new = [SimpleNormalizer(code) for _ in range(max(1, chosen.repeats // 20))]
            times[code]["new"].append(seconds_a_word(new, texts[code]))
    report: dict[str, Any] = {"languages": {}}
    languages = report["languages"]
    for code, kinds in times.items():
        languages[code] = {
            kind: {
                "microseconds": round(1e6 * statistics.median(of_kind), 3),
                "times_english": round(
                    statistics.median(one / english for one, english in zip(of_kind, times["en"][kind], strict=True)), 2
                ),
            }
            for kind, of_kind in kinds.items()
        }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
