"""Growth of time and memory with unusual inputs, for every measure and text format.

    python benchmarks/bench_growth.py [--only sof ".csv"] [--shapes "values in all"] [--output results.json]

Each shape of data is made for n, 4n, 16n ... of one thing, such as values, groups or the words of a text, until a run
takes long enough; the slope of a line through the logarithms of sizes and of seconds (or bytes) is the exponent: 1
where cost is in proportion, 2 where it grows with the square. Each run is a process of its own, forked from one that
has loaded everything; seconds are the processor's, and what n = 1 costs is taken off.
"""

from __future__ import annotations

import contextlib
import csv
import gc
import gzip
import io
import json
import os
import pickle
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from bench_nli import make_model
from harness import environment, make_parser, write_report

from fairsum_utils._util.secrets import masked
from fairsum_utils.api import compute
from fairsum_utils.errors import FairSumError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.polarity.norms import COLUMNS
from fairsum_utils.io.names import TABLES
from fairsum_utils.io.reading import read_rows
from fairsum_utils.measures import get_measure

WANTED = 1.15  # exponent that still counts as linear: sorting, caches and a busy machine take some
FEWEST = 4  # sizes that give an exponent
FIRST, STEP = 64, 4  # smallest size, and the factor between sizes
NOISE_SECONDS, NOISE_BYTES = 1e-2, 8e6  # costs below these are noise
MOST_BYTES = 8 << 30  # a run that needs more has failed

Columns = dict[str, Any]
Work = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """A measure or format with growing input, sizes and the allowed exponent."""

    of: str
    shape: str
    make: Callable[[int], Work]
    most: int = 1 << 16
    first: int = FIRST
    wanted: float = WANTED


# Data of measures


def name_of(number: int) -> str:
    """Return a unique word of letters for a number."""
    letters = "Q"
    while True:
        number, rest = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest]
        if not number:
            return letters


def columns_of(n: int = 4, **given: Any) -> Columns:
    """Make the columns of n small samples; given columns replace the defaults."""
    listed = [
        {"first_name": "Ann", "last_name": "Lee", "group": "a"},
        {"first_name": "Bob", "last_name": "Ray", "group": "b"},
    ]
    places = range(n)
    return {
        "predictions": ["Tasty soup. Ann Lee said he was a happy man."] * n,
        "sources": [["Tasty soup.", "Slow service for Bob Ray."]] * n,
        "values": [["p", "q"]] * n,
        "groups": ["ab"[place % 2] for place in places],
        "entities": [listed] * n,
        "mentions": [["Ann Lee"]] * n,
        "article_ids": [str(place // 4) for place in places],
        "variants": ["fm"[place % 2] for place in places],
        "controls": ["ab"[place // 2 % 2] for place in places],
        "changed": [["Ann", "Bob"]] * n,
    } | given


def in_two_orders(columns: Columns) -> Columns:
    """Reverse the sources of every second sample."""
    for name in ("sources", "values"):
        columns[name] = [entry[:: (-1) ** place] for place, entry in enumerate(columns[name])]
    return columns


def sentences(n: int) -> str:
    return " ".join(f"The {name_of(place)} is good." for place in range(n))


def persons(n: int, first: Callable[[int], str | None], last: Callable[[int], str | None], **given: Any) -> Columns:
    """Make four samples with n numbered persons."""
    listed = [{"first_name": first(k), "last_name": last(k), "group": "ab"[k % 2]} for k in range(n)]
    names = [" ".join(filter(None, (person["first_name"], person["last_name"]))) for person in listed]
    text = " and ".join(names) + " met."
    usual = {"predictions": [text] * 4, "sources": [[text, "Slow."]] * 4}
    return columns_of(**usual | {"entities": [listed] * 4, "mentions": [names] * 4} | given)


def samples_of_an_original(n: int, *, inputs: bool) -> Columns:
    """Make samples of one original, from one input or two of each."""
    given = {"controls": [str(k // 2) for k in range(4 * n)]} if inputs else {}
    texts = [f"Soup {name_of(k)}." for k in range(4 * n)]
    return columns_of(4 * n, article_ids=["0"] * (4 * n), predictions=texts, **given)


def variants(n: int) -> Columns:
    places = range(4 * n)
    return columns_of(4 * n, variants=[f"v{k // 4}" for k in places], article_ids=[str(k % 4) for k in places])


def groups_of_two(n: int) -> Columns:
    groups = [f"g{place % (n + 1)}" for place in range(2 * n + 2)]
    entities = [[{"last_name": "Lee", "group": group}] for group in groups]
    return columns_of(len(groups), groups=groups, entities=entities)


def namesakes_with_titles(n: int) -> Columns:
    titles = ("Mr", "Dr", "Sir", "Lord", "Prof", "Sen", "Gov", "Gen", "Col", "Maj", "Capt", "Rev")
    calls = [f"{' '.join(some)} Ann Lee" for _, some in zip(range(n), product(titles, repeat=5), strict=False)]
    return persons(n, lambda k: f"Ann {name_of(k)}", lambda k: "Lee", mentions=[calls] * 4)


def names_of_many_words(n: int) -> Columns:
    name = "van " * n + "Lee"
    listed = [{"first_name": "Ann", "last_name": name, "group": group} for group in "ab"]
    return columns_of(entities=[listed] * 4, mentions=[[f"Mr {name}"]] * 4)


# Repeated in a summary
REPEATED = {
    "words": "A great and lovely day for her brother but a bad one. ",
    "rated words": "not so good but very bad ",
    "one long word": "a",
    "commas": "a, ",
    "periods": "a. ",
    "blanks after a period": " ",
    "line breaks": "\n",
    "brackets": "(",
    "quotes": "'s",
    "hyphens": "a-",
    "dots": ".",
    "digits": "1,",
    "emojis": "😀",
    "initials": "J. ",
    "titles": "Mr. ",
    "Chinese": " 天",
}

SHAPES: dict[str, Callable[[int], Columns]] = {
    # A word before and after, so that what looks for an end has to go all the way.
    **{name: lambda n, unit=unit: columns_of(predictions=[f"a.{unit * n}b"] * 4) for name, unit in REPEATED.items()},
    "distinct words": lambda n: columns_of(predictions=[" ".join(map(name_of, range(n))) + "."] * 4),
    "sentences": lambda n: columns_of(predictions=[sentences(n)] * 4),
    "sentences of a source": lambda n: columns_of(sources=[[sentences(n), "Slow service."]] * 4),
    "words of a source": lambda n: columns_of(sources=[["soup " * n, "Slow service."]] * 4),
    "samples": lambda n: columns_of(4 * n),
    "empty summaries": lambda n: columns_of(4 + n, predictions=["Tasty soup."] * 4 + [""] * n),
    "samples of an original": lambda n: samples_of_an_original(n, inputs=False),
    "inputs of an original": lambda n: samples_of_an_original(n, inputs=True),
    "variants": variants,
    "changed words": lambda n: columns_of(changed=[[*map(name_of, range(n))]] * 4),
    "sources": lambda n: columns_of(sources=[["Tasty soup.", "Slow service."] * n] * 4, values=[["p", "q"] * n] * 4),
    "values of a sample": lambda n: columns_of(
        sources=[["Tasty soup."] * n] * 4, values=[[f"v{place}" for place in range(n)]] * 4
    ),
    "values in all": lambda n: columns_of(
        4 * n, values=[[f"v{k // 4}", f"v{(k // 4 + 1) % (n + 1)}"] for k in range(4 * n)]
    ),
    "groups of two": groups_of_two,
    "persons": lambda n: persons(n, lambda k: None, name_of),
    "namesakes": lambda n: persons(n, name_of, lambda k: "Lee"),
    "namesakes with titles": namesakes_with_titles,
    "first names": lambda n: persons(n, name_of, lambda k: None),
    "strangers": lambda n: columns_of(mentions=[[f"{name_of(k)} {name_of(k + 1)}" for k in range(n)]] * 4),
    "names of many words": names_of_many_words,
}

# The family of sensitivity compares each two summaries here, so its costs may grow with the square.
COMPARED = ("samples of an original", "inputs of an original", "variants")

MEANINGS = {
    "toxicity": {"label_map": {"entailment": "toxic"}},
    "regard": {"label_map": {"entailment": "positive", "neutral": "neutral", "contradiction": "negative"}},
}


def write_norms(folder: Path) -> Path:
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join([word, *["3.0"] * (len(COLUMNS) - 1)]) for word in ("soup", "good", "bad", "day")]
    (folder / "norms.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "norms.tsv"


def measure_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """Every measure with every shape in which its columns differ."""
    values = {"entailer": "lexical", "lexicon": write_norms(folder), "confidence_level": 0.95, "return_samples": True}
    for measure in all_measures():
        if chosen and measure not in chosen:
            continue
        family = family_of(measure)
        taken = get_measure(measure).infos()
        settings = {name: value for name, value in values.items() if name in taken} | MEANINGS.get(measure, {})
        if slow := measure in MEANINGS:
            settings["model"] = make_model(folder / measure, "tiny", ["Tasty soup and slow service."] * 9)
        names = [column.name for column in family.columns_of(measure)]

        def make(n: int, of: Any, measure: str = measure, names: Any = names, settings: Any = settings) -> Work:
            columns = in_two_orders(of(n)) if "variants" in names else of(n)
            given = {name: columns[name] for name in names if name in columns}
            return lambda: compute(measure, **given, **settings)

        for name, of in SHAPES.items():
            small, large = of(3), of(5)
            if all(small[column] == large[column] for column in names if column in small):
                continue
            sizes: dict[str, Any] = {"first": 4, "most": 256} if slow else {}
            if "variants" in names and name in COMPARED:
                sizes = {"first": 7, "most": 500, "wanted": 1 + WANTED}
            yield Case(measure, name, lambda n, of=of, make=make: make(n, of), **sizes)


# Files

ROW = {"id": "1", "prediction": "Tasty soup", "sources": ["Tasty", "slow"], "values": ["p", "q"]}
TEXT_FORMATS = (".json", ".jsonl", ".jsonl.gz", *TABLES)

# Growing part -> function of n -> rows, and text after them
FILES: dict[str, Callable[[int], tuple[list[dict[str, Any]], str]]] = {
    "rows": lambda n: ([ROW] * n, ""),
    "characters of a cell": lambda n: ([{**ROW, "prediction": "a" * 64 * n}] * 2, ""),
    "escapes of a cell": lambda n: ([{**ROW, "prediction": '\\"\u00e9\n' * 16 * n}] * 2, ""),
    "half characters of a cell": lambda n: ([{**ROW, "prediction": "\U0001f600" * 16 * n}] * 2, ""),
    "sources of a row": lambda n: ([{**ROW, "sources": ["Soup."] * 8 * n, "values": ["p"] * 8 * n}] * 2, ""),
    "columns": lambda n: ([{**ROW, **{f"c{place}": "x" for place in range(n)}}] * 2, ""),
    "blank lines": lambda n: ([ROW] * 2, "\n" * 16 * n),
    "blanks": lambda n: ([ROW] * 2, " " * 64 * n + "\n"),
}


def as_text(rows: list[dict[str, Any]], format: str) -> str:
    """Write rows as the text of a file."""
    if format == ".json":
        return json.dumps(rows, indent=1)
    if format.startswith(".jsonl"):
        return "".join(json.dumps(row) + "\n" for row in rows)
    file = io.StringIO()
    writer = csv.writer(file, delimiter=TABLES[format])
    writer.writerow(rows[0])
    writer.writerows([cell if isinstance(cell, str) else json.dumps(cell) for cell in row.values()] for row in rows)
    return file.getvalue()


def file_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """Every text format, and one packing."""
    for format in TEXT_FORMATS:
        if chosen and format not in chosen:
            continue

        def make(n: int, of: Any, path: Path = folder / f"rows{format}", format: str = format) -> Work:
            rows, after = of(n)
            content = (as_text(rows, format) + after).encode()
            path.write_bytes(gzip.compress(content, 1) if format.endswith(".gz") else content)

            def work() -> None:
                with contextlib.suppress(FairSumError):  # a line of blanks is no row of some formats
                    for _ in read_rows(path, dict.fromkeys(ROW, "--x"), lists=("sources", "values")):
                        pass

            return work

        for name, of in FILES.items():
            yield Case(format, name, lambda n, of=of, make=make: make(n, of), 1 << 13 if name == "columns" else 1 << 16)


# Texts of people and models that are parsed: parser, name, n -> text
PARSED: list[tuple[str, Callable[[str], object], Callable[[int], str]]] = [
    ("secrets", masked, lambda n: "a" * 4 * n + " see http://x/y"),
    ("secrets", masked, lambda n: "eyJ-" * n),
    ("secrets", masked, lambda n: "sk-" * n),
]


def other_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """Other parsers of text."""
    for of, call, text in PARSED:

        def make(n: int, call: Any = call, text: Any = text) -> Work:
            given = text(n)
            return lambda: call(given)

        if not chosen or of in chosen:
            yield Case(of, repr(text(2)), make)


# Measuring


def measured(make: Callable[[int], Work], n: int) -> tuple[float, float] | str:
    """Measure processor seconds and peak bytes in a separate process."""
    work = make(n)
    gc.collect()
    gc.freeze()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        answer: Any
        try:
            warnings.simplefilter("ignore")
            sys.stderr = sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
            before, start = status("VmRSS"), time.process_time()
            work()
            answer = (time.process_time() - start, max(0, status("VmHWM") - before))
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"[:200]
        os.write(writing, pickle.dumps(answer))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        content = file.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else "the process was killed"


def status(name: str) -> int:
    """Read bytes from a line of this process's status (Linux only)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:"))


def exponent(sizes: Sequence[int], costs: Sequence[float], noise: float) -> float:
    """Compute the slope of the last sizes; 0 if the cost is noise.

    A cost within the noise counts as the noise, so that a sudden rise is seen and a slow one is not made steeper.
    """
    if len(sizes) < 2 or costs[-1] <= noise:
        return 0.0
    y = np.log(np.maximum(costs, noise))[-FEWEST:]
    return float(np.polyfit(np.log(sizes)[-FEWEST:], y, 1)[0])


def bench(case: Case, seconds: float) -> dict[str, Any]:
    """Measure growing sizes until a run is slow; the faster of two counts."""
    row: dict[str, Any] = {"of": case.of, "shape": case.shape, "wanted": case.wanted}
    row |= {"sizes": [], "seconds": [], "bytes": []}
    fixed = measured(case.make, 1)
    n = case.first
    while n <= case.most and "failed" not in row:
        found = fixed if isinstance(fixed, str) else measured(case.make, n)
        again = found if row["seconds"][-1:] < [seconds / 10] else measured(case.make, n)
        if isinstance(found, str) or isinstance(again, str):
            row["failed"] = f"n = {n}: {found}"
            break
        row["sizes"].append(n)
        for key, cost, other, once in zip(("seconds", "bytes"), found, again, fixed, strict=True):
            row[key].append(max(0.0, min(cost, other) - once))
        enough = row["seconds"][-1] > seconds and len(row["sizes"]) >= FEWEST
        if enough or row["seconds"][-1] > 20 * seconds:
            break
        n *= STEP
    row["exponent"] = exponent(row["sizes"], row["seconds"], NOISE_SECONDS)
    row["exponent_bytes"] = exponent(row["sizes"], row["bytes"], NOISE_BYTES)
    return row


def is_above(row: Mapping[str, Any]) -> bool:
    """Return whether a case exceeds its allowed growth or has no result.

    Where only the slope over all is steep, cost has taken a step, such as from all assignments to random ones.
    """
    kinds = (("exponent", "seconds", NOISE_SECONDS), ("exponent_bytes", "bytes", NOISE_BYTES))
    return "failed" in row or any(
        row[name] > row["wanted"] and exponent(row["sizes"][-2:], row[costs][-2:], noise) > row["wanted"]
        for name, costs, noise in kinds
    )


def print_row(row: Mapping[str, Any]) -> None:
    if not row["sizes"]:
        print(f"{row['of']:24} {row['shape']:32} {row.get('failed')}", flush=True)
        return
    verdict = row.get("failed") or ("above" if is_above(row) else "")
    print(
        f"{row['of']:24} {row['shape']:32} {row['sizes'][-1]:>8,} {row['seconds'][-1]:>9.3f} {row['exponent']:>9.2f} "
        f"{row['bytes'][-1] / 1e6:>9.1f} {row['exponent_bytes']:>9.2f}  {verdict}",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--only", nargs="+", default=[], help="measures and formats (default: all)")
    parser.add_argument("--shapes", nargs="+", default=[], help="what grows (default: everything)")
    parser.add_argument("--seconds", type=float, default=0.1, help="a run that takes longer is the last (default: 0.1)")
    parser.add_argument("--above", action="store_true", help="print only what grows faster than wanted")
    chosen = parser.parse_args(arguments)
    report: dict[str, Any] = {"environment": environment(), "cases": []}
    print(f"{'':24} {'what grows':32} {'largest n':>9} {'seconds':>8} {'exponent':>9} {'peak MB':>9} {'exponent':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for cases in (measure_cases, file_cases, other_cases):
            for case in cases(chosen.only, Path(folder)):
                if chosen.shapes and case.shape not in chosen.shapes:
                    continue
                row = bench(case, chosen.seconds)
                report["cases"].append(row)
                if is_above(row) or not chosen.above:
                    print_row(row)
    above = sum(map(is_above, report["cases"]))
    print(f"{len(report['cases'])} cases, {above} above the exponent that is wanted, mostly {WANTED}")
    write_report(report, chosen.output)
    return report


if __name__ == "__main__":
    main()
