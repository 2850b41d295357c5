"""How time and memory grow with inputs that are far from usual: every measure, every format of files.

    python benchmarks/bench_growth.py [--only sof ".csv"] [--shapes "values in all"] [--output results.json]

Each shape of data is made for n, 2n, 4n ... of one thing, such as values, groups or the words of a text, until a run
takes long enough; the slope of a line through the logarithms of sizes and of seconds (or bytes) is the exponent: 1
where cost is in proportion, 2 where it grows with the square. Each run is a process of its own, forked from one that
has loaded everything; seconds are the processor's, and what n = 1 costs is taken off.
"""

from __future__ import annotations

import contextlib
import gc
import gzip
import io
import json
import os
import pickle
import resource
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from harness import environment, make_parser, write_report

from fairsum_utils.api import compute
from fairsum_utils.errors import FairSumError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.io.names import EXCEL, FORMATS, PACKINGS, TABLES
from fairsum_utils.io.reading import read_rows

WANTED = 1.15
"""Exponent that is still called linear: sorting, caches and a busy machine take some."""
FEWEST = 4
"""Sizes that an exponent is told from."""
FIRST, STEP = 64, 4
"""The smallest size, and how many times as large the next one is: a span that a busy machine does not blur."""
NOISE_SECONDS, NOISE_BYTES = 1e-2, 8e6
"""Below it a number says nothing of growth."""
MOST_BYTES = 8 << 30
"""A run that needs more has failed."""

Columns = dict[str, Any]
Work = Callable[[], object]


# What is measured


@dataclass(frozen=True)
class Case:
    """What grows: who does the work, and of what there is ever more.

    Attributes:
        of: a measure or a format.
        shape: what grows.
        make: n -> the work; making it is not measured.
        most: the largest n to try.
        first: the smallest.
        wanted: the exponent that it may have.
    """

    of: str
    shape: str
    make: Callable[[int], Work]
    most: int = 1 << 16
    first: int = FIRST
    wanted: float = WANTED


# Data of measures


def name_of(number: int) -> str:
    """A word of letters for a number; no two have the same."""
    letters = "Q"
    while True:
        number, rest = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest]
        if not number:
            return letters


def columns_of(n: int = 4, **given: Any) -> Columns:
    """The columns of n small samples; those that are given take the place of theirs."""
    persons = [
        {"first_name": "Ann", "last_name": "Lee", "group": "a"},
        {"first_name": "Bob", "last_name": "Ray", "group": "b"},
    ]
    return {
        "predictions": ["Tasty soup. Ann Lee said he was a happy man."] * n,
        "sources": [["Tasty soup.", "Slow service for Bob Ray."]] * n,
        "values": [["p", "q"]] * n,
        "groups": [("a", "b")[place % 2] for place in range(n)],
        "entities": [persons] * n,
        "mentions": [["Ann Lee"]] * n,
        "article_ids": [str(place // 4) for place in range(n)],
        "variants": ["fm"[place % 2] for place in range(n)],
        "controls": ["ab"[place // 2 % 2] for place in range(n)],
        "changed": [["Ann", "Bob"]] * n,
    } | given


def in_two_orders(columns: Columns) -> Columns:
    """The same columns, in which the sources of each second sample stand the other way round."""
    return columns | {
        name: [entry[:: (-1) ** place] for place, entry in enumerate(columns[name])]
        for name in ("sources", "values")
        if name in columns
    }


def text_of(text: str) -> Columns:
    """The columns of four samples with one summary."""
    return columns_of(predictions=[text] * 4)


def sentences(n: int) -> str:
    return " ".join(f"The {name_of(place)} is good." for place in range(n))


def summaries(n: int) -> list[str]:
    return [f"Soup {name_of(k)}." for k in range(n)]


def persons(n: int, first: Callable[[int], str | None], last: Callable[[int], str | None], **given: Any) -> Columns:
    """The columns of four samples with n persons, whose names are made by functions of their number."""
    listed = [{"first_name": first(k), "last_name": last(k), "group": "ab"[k % 2]} for k in range(n)]
    names = [" ".join(filter(None, (person["first_name"], person["last_name"]))) for person in listed]
    usual = {
        "predictions": [" and ".join(names) + " met."] * 4,
        "sources": [[" and ".join(names) + " met.", "Slow."]] * 4,
        "entities": [listed] * 4,
        "mentions": [names] * 4,
    }
    return columns_of(**usual | given)


def empty_summaries(n: int) -> Columns:
    usual = columns_of(4 + n)
    return usual | {"predictions": usual["predictions"][:4] + [""] * n}


def inputs_of_an_original(n: int) -> Columns:
    controls = [str(k // 2) for k in range(4 * n)]
    return columns_of(4 * n, article_ids=["0"] * (4 * n), controls=controls, predictions=summaries(4 * n))


def variants(n: int) -> Columns:
    places = range(4 * n)
    return columns_of(4 * n, variants=[f"v{k // 4}" for k in places], article_ids=[str(k % 4) for k in places])


def values_of_one_original(n: int) -> Columns:
    usual = columns_of(4 * n)
    sources, values = ["Tasty soup."] * n, [f"v{place}" for place in range(n)]
    return usual | {"sources": [sources] * 4 + usual["sources"][4:], "values": [values] * 4 + usual["values"][4:]}


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
    "marks": "e\u0301",
    "Chinese": " 天",
}
"""What is repeated in a summary."""

SHAPES: dict[str, Callable[[int], Columns]] = {
    # A word before and after, so that what looks for an end has to go all the way.
    **{name: lambda n, unit=unit: text_of(f"a.{unit * n}b") for name, unit in REPEATED.items()},
    "distinct words": lambda n: text_of(" ".join(map(name_of, range(n))) + "."),
    "sentences": lambda n: text_of(sentences(n)),
    "sentences of a source": lambda n: columns_of(sources=[[sentences(n), "Slow service."]] * 4),
    "words of a source": lambda n: columns_of(sources=[["soup " * n, "Slow service."]] * 4),
    "samples": lambda n: columns_of(4 * n),
    "empty summaries": empty_summaries,
    "samples of an original": lambda n: columns_of(4 * n, article_ids=["0"] * (4 * n), predictions=summaries(4 * n)),
    "inputs of an original": inputs_of_an_original,
    "variants": variants,
    "changed words": lambda n: columns_of(changed=[[*map(name_of, range(n))]] * 4),
    "sources": lambda n: columns_of(sources=[["Tasty soup.", "Slow service."] * n] * 4, values=[["p", "q"] * n] * 4),
    "values of a sample": lambda n: columns_of(
        sources=[["Tasty soup."] * n] * 4, values=[[f"v{place}" for place in range(n)]] * 4
    ),
    "values in all": lambda n: columns_of(
        4 * n, values=[[f"v{k // 4}", f"v{(k // 4 + 1) % (n + 1)}"] for k in range(4 * n)]
    ),
    "values of one original among many": values_of_one_original,
    "groups of two": groups_of_two,
    "persons": lambda n: persons(n, lambda k: None, name_of),
    "namesakes": lambda n: persons(n, name_of, lambda k: "Lee"),
    "namesakes with titles": namesakes_with_titles,
    "first names": lambda n: persons(n, name_of, lambda k: None),
    "the same person": lambda n: persons(n, lambda k: "Ann", lambda k: "Lee"),
    "strangers": lambda n: columns_of(mentions=[[f"{name_of(k)} {name_of(k + 1)}" for k in range(n)]] * 4),
    "names of many words": names_of_many_words,
    "words of a long name": lambda n: columns_of(mentions=[["Lee " * n + "Ray"]] * 4),
}
"""What grows -> n -> the columns of all families."""


def setting_values(folder: Path) -> dict[str, Callable[[], Any]]:
    """Setting -> what it is set to, so that nothing is downloaded."""

    def classifier() -> Path:
        from bench_nli import make_model

        return make_model(folder / "classifier", "tiny", ["Tasty soup and slow service."] * 9)

    def norms() -> Path:
        from fairsum_utils.families.polarity.norms import COLUMNS

        lines = ["\t".join(COLUMNS)]
        lines += ["\t".join([word, *["3.0"] * (len(COLUMNS) - 1)]) for word in ("soup", "good", "bad", "day")]
        (folder / "norms.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder / "norms.tsv"

    return {"entailer": lambda: "lexical", "lexicon": norms, "model": classifier} | {
        "confidence_level": lambda: 0.95,
        "return_samples": lambda: True,
    }


MEANINGS = {
    "toxicity": {"label_map": {"entailment": "toxic"}},
    "regard": {"label_map": {"entailment": "positive", "neutral": "neutral", "contradiction": "negative"}},
}
"""What the labels of the model that is made here stand for."""


def settings_of(measure: str, values: Mapping[str, Callable[[], Any]]) -> dict[str, Any] | None:
    """The settings of a measure; None if what makes its model is not installed."""
    family = family_of(measure)
    taken = family.taken(measure)
    chosen = {name: value for name, value in values.items() if name in taken}
    settings = family.settings(measure)()
    if not family.uses_model([measure], settings, ()) or "entailer" in chosen:
        chosen.pop("model", None)
    elif "model" in chosen and not _is_installed("torch"):
        return None
    return {name: value() for name, value in chosen.items()} | MEANINGS.get(measure, {})


COMPARED = ("samples of an original", "inputs of an original", "variants")
"""Shapes in which the family of sensitivity compares each two summaries, which is what it is for: with so many of them
at most, and time and memory that grow with the square."""


def measure_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """Every measure with every shape that its columns differ in."""
    values, kept = setting_values(folder), dict[str, Path]()

    def once(name: str) -> Callable[[], Any]:
        return lambda: kept.setdefault(name, None) or kept.update({name: values[name]()}) or kept[name]

    for measure in all_measures():
        if chosen and measure not in chosen:
            continue
        settings = settings_of(measure, {name: once(name) for name in values})
        if settings is None:
            print(f"{measure}: left out, for it needs a model and torch is not installed", file=sys.stderr)
            continue
        family = family_of(measure)
        names = [column.name for column in family.columns_of(measure)]

        def make(n: int, of: Any, measure: str = measure, names: Any = names, settings: Any = settings) -> Work:
            columns = in_two_orders(of(n)) if "variants" in names else of(n)
            given = {name: columns[name] for name in names if name in columns}
            return lambda: compute(measure, **given, **settings)

        for name, of in SHAPES.items():
            small, large = of(3), of(5)
            if any(small[column] != large[column] for column in names if column in small):
                slow = family.uses_model([measure], family.settings(measure)(), ()) and "label_map" in settings
                sizes: dict[str, Any] = {"first": 4, "most": 256} if slow else {}
                if "variants" in names and name in COMPARED:
                    sizes = {"first": 7, "most": 500, "wanted": 1 + WANTED}
                yield Case(measure, name, lambda n, of=of, make=make: make(n, of), **sizes)


# Files

FILES: dict[str, Callable[[int], tuple[list[dict[str, Any]], Callable[[str], str] | None]]] = {
    "rows": lambda n: ([ROW] * n, None),
    "characters of a cell": lambda n: ([{**ROW, "prediction": "a" * 64 * n}] * 2, None),
    "escapes of a cell": lambda n: ([{**ROW, "prediction": '\\"\u00e9\n' * 16 * n}] * 2, None),
    "half characters of a cell": lambda n: ([{**ROW, "prediction": "\U0001f600" * 16 * n}] * 2, None),
    "sources of a row": lambda n: ([{**ROW, "sources": ["Soup."] * 8 * n, "values": ["p"] * 8 * n}] * 2, None),
    "columns": lambda n: ([{**ROW, **{f"c{place}": "x" for place in range(n)}}] * 2, None),
    "blank lines": lambda n: ([ROW] * 2, lambda text: text + "\n" * 16 * n + text.splitlines()[-1] + "\n"),
    "blanks": lambda n: ([ROW] * 2, lambda text: text + " " * 64 * n + "\n"),
}
"""What grows -> n -> rows, and what is done to the text of a file of them."""

BINARY = (".parquet", ".arrow", ".feather", "save_to_disk")

ROW = {"id": "1", "prediction": "Tasty soup", "sources": ["Tasty", "slow"], "values": ["p", "q"]}


def write_file(path: Path, rows: list[dict[str, Any]], change: Callable[[str], str] | None) -> bool:
    """Write rows in the format that a name tells; False if a text is to be changed and there is none."""
    import pyarrow
    import pyarrow.feather
    import pyarrow.ipc
    import pyarrow.parquet

    packing = path.suffix if path.suffix in PACKINGS else ""
    format = path.with_suffix("").suffix if packing else path.suffix
    if format in (".jsonl", ".ndjson"):
        text = "".join(json.dumps(row) + "\n" for row in rows)
    elif format == ".json":
        text = json.dumps(rows, indent=1)
    elif format in TABLES:
        import csv

        file = io.StringIO()
        writer = csv.writer(file, delimiter=TABLES[format])
        writer.writerow(rows[0])
        writer.writerows([cell if isinstance(cell, str) else json.dumps(cell) for cell in row.values()] for row in rows)
        text = file.getvalue()
    else:
        if change:
            return False
        table = pyarrow.Table.from_pylist(rows)
        if format == ".parquet":
            pyarrow.parquet.write_table(table, path)
        elif format == ".feather":
            pyarrow.feather.write_feather(table, path)
        elif format == ".arrow":
            with pyarrow.ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table)
        else:  # a folder of save_to_disk
            import datasets

            datasets.disable_progress_bars()
            datasets.Dataset(table).save_to_disk(path)
        return True
    content = (change(text) if change else text).encode()
    if packing == ".zst":
        content = pyarrow.compress(content, codec="zstd", asbytes=True)
    path.write_bytes(gzip.compress(content, 1) if packing == ".gz" else content)
    return True


def file_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """Every format but Excel's, one packing of each kind, a folder of save_to_disk and standard input."""
    saved = ["save_to_disk"] if _is_installed("datasets") else []
    for format in [*sorted({*FORMATS} - {EXCEL}), *(f".jsonl{packing}" for packing in PACKINGS), *saved, "-"]:
        if chosen and format not in chosen:
            continue

        def make(n: int, of: Any, format: str = format) -> Work:
            path = folder / ("saved" if format == "save_to_disk" else f"rows{'.jsonl' if format == '-' else format}")
            if path.is_dir():
                shutil.rmtree(path)
            if not write_file(path, *of(n)):
                return lambda: None

            def work() -> None:
                if format == "-":
                    sys.stdin = path.open(encoding="utf-8")
                lists = ("sources", "values")
                with contextlib.suppress(FairSumError):  # a line of blanks is no row of some formats
                    for _ in read_rows("-" if format == "-" else path, dict.fromkeys(ROW, "--x"), lists=lists):
                        pass

            return work

        for name, of in FILES.items():
            if of(1)[1] and format in BINARY:
                continue
            yield Case(format, name, lambda n, of=of, make=make: make(n, of), 1 << 13 if name == "columns" else 1 << 16)


def other_cases(chosen: Sequence[str], folder: Path) -> Iterator[Case]:
    """What else reads what people and models write."""
    from fairsum_utils._util.secrets import masked
    from fairsum_utils.analysis.relevance import parse_rating
    from fairsum_utils.counterfactual.chains import find_persons
    from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity
    from fairsum_utils.counterfactual.swapping.plain import annotate
    from fairsum_utils.families.entities.people import pronoun_counts, read_people
    from fairsum_utils.families.polarity.norms import read_lexicon

    def written(name: str, text: str) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    def people(n: int) -> Work:
        path = written("people.tsv", "title\tmale\tfemale\n" + "".join(f"{name_of(k)}\t1\t2\n" for k in range(n)))
        return lambda: read_people(path)

    def lexicon(n: int) -> Work:
        head, *_ = setting_values(folder)["lexicon"]().read_text(encoding="utf-8").splitlines()
        path = written("many.tsv", head + "\n" + "".join(f"{name_of(k)}" + "\t3.0" * 8 + "\n" for k in range(n)))
        return lambda: read_lexicon(path)

    def rating(text: Callable[[int], str]) -> Callable[[int], Work]:
        def make(n: int) -> Work:
            answer = text(n)
            return lambda: parse_rating(answer)

        return make

    def named(n: int) -> tuple[str, list[tuple[int, int]]]:
        """A text with n persons, and the places of their names."""
        names = [f"Mary{name_of(k)} Smith{name_of(k)}" for k in range(n)]
        starts = np.cumsum([0, *(len(name) + len(" won the race. ") for name in names)]).tolist()
        spans = [(start, start + len(name)) for start, name in zip(starts, names, strict=False)]
        return "".join(f"{name} won the race. " for name in names), spans

    def annotated(n: int) -> Work:
        text, spans = named(n)
        entities = tuple(NamedEntity(*span, "PERSON") for span in spans)
        document = Document("x", text, entities, tuple((Mention(*span),) for span in spans))
        return lambda: find_persons(document)

    def plain(n: int) -> Work:
        text, spans = named(n)
        found = [SimpleNamespace(start_char=start, end_char=end, label_="PERSON") for start, end in spans]
        return lambda: annotate("x", text, lambda _: SimpleNamespace(ents=found))

    def scored(n: int, same: bool) -> Work:
        texts = [" ".join(f"The {name_of(k if same else k * 4 + i)} is good." for k in range(n)) for i in range(4)]
        columns = {"predictions": texts, "article_ids": ["1"] * 4, "variants": [*"fmfm"], "controls": [*"aabb"]}
        return lambda: compute("counterfactual_outcomes", **columns, outcomes=["units"], return_samples=True)

    def applied(call: Callable[[str], object], text: Callable[[int], str]) -> Callable[[int], Work]:
        def make(n: int) -> Work:
            given = text(n)
            return lambda: call(given)

        return make

    cases = {
        ("secrets", "letters before ://"): applied(masked, lambda n: "a" * 4 * n + " see http://x/y"),
        ("secrets", "eyJ-"): applied(masked, lambda n: "eyJ-" * n),
        ("secrets", "sk-"): applied(masked, lambda n: "sk-" * n),
        ("pronouns of an article", "<!--"): applied(pronoun_counts, lambda n: "<!--" * n),
        ("pronouns of an article", "<ref>"): applied(pronoun_counts, lambda n: "<ref>" * n),
        ("pronouns of an article", "{{"): applied(pronoun_counts, lambda n: "{{" * n + "}}" * n),
        ("pronouns of an article", "[["): applied(pronoun_counts, lambda n: "[[" * n + "]]" * n),
        ("annotated documents", "persons"): annotated,
        ("plain texts", "persons"): plain,
        ("units", "sentences of all"): lambda n: scored(n, same=True),
        ("units", "sentences of each"): lambda n: scored(n, same=False),
        ("known people", "persons"): people,
        ("norms", "words"): lexicon,
        ("a judge's answer", "line breaks"): rating(lambda n: "x" + "\n" * n + "y"),
        ("a judge's answer", "scores"): rating(lambda n: "score: " * n),
        ("a judge's answer", "numbers"): rating(lambda n: "4 " * n),
        ("a judge's answer", "words"): rating(lambda n: "the score of this is " * n),
        ("a judge's answer", "one word"): rating(lambda n: "rate" * n),
    }
    for (of, name), make in cases.items():
        if not chosen or of in chosen:
            yield Case(of, name, make)


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


# Measuring


def measured(make: Callable[[int], Work], n: int) -> tuple[float, float] | str:
    """Processor seconds and bytes of peak memory of work, in a process of its own; or why there are none."""
    work = make(n)
    gc.collect()
    gc.freeze()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        said: Any
        try:
            warnings.simplefilter("ignore")
            sys.stderr = sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
            before, start = status("VmRSS"), time.process_time()
            work()
            said = (time.process_time() - start, max(0, status("VmHWM") - before))
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"[:200]
        os.write(writing, pickle.dumps(said))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        content = file.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else "the process was killed"


def status(name: str) -> int:
    """Bytes of a line of this process's status; Linux alone has it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:"))


def exponent(sizes: Sequence[int], costs: Sequence[float], noise: float) -> float:
    """The slope of the last sizes; 0 where what they cost does not grow out of the noise.

    A cost within the noise counts as the noise, so that a sudden rise is seen and a slow one is not made steeper.
    """
    if len(sizes) < 2 or costs[-1] <= noise:
        return 0.0
    y = np.log(np.maximum(costs, noise))[-FEWEST:]
    return float(np.polyfit(np.log(sizes)[-FEWEST:], y, 1)[0])


def bench(case: Case, seconds: float) -> dict[str, Any]:
    """Ever larger sizes until a run takes long, their costs and the exponents of these.

    What seems to grow too fast is measured again, for another process may have been in the way; the lower costs count.
    """
    row = _growth(case, seconds)
    if is_above(row) and "failed" not in row:
        again = _growth(case, seconds, row["sizes"])
        for key in ("seconds", "bytes"):
            row[key] = [min(pair) for pair in zip(row[key], again[key], strict=False)]
        row |= _exponents(row)
    return row


def _growth(case: Case, seconds: float, sizes: Sequence[int] = ()) -> dict[str, Any]:
    row: dict[str, Any] = {
        "of": case.of,
        "shape": case.shape,
        "wanted": case.wanted,
        "sizes": [],
        "seconds": [],
        "bytes": [],
    }
    fixed = measured(case.make, 1)
    if isinstance(fixed, str):
        return row | {"failed": fixed, **_exponents(row)}
    for n in sizes or (case.first * STEP**k for k in range(64)):
        if n > case.most:
            break
        found = measured(case.make, n)
        if isinstance(found, str):
            return row | {"failed": f"n = {n}: {found}", **_exponents(row)}
        row["sizes"].append(n)
        for key, cost, once in zip(("seconds", "bytes"), found, fixed, strict=True):
            row[key].append(max(0.0, cost - once))
        enough = row["seconds"][-1] > seconds and len(row["sizes"]) >= FEWEST
        if not sizes and (enough or row["seconds"][-1] > 20 * seconds):
            break
    return row | _exponents(row)


def _exponents(row: Mapping[str, Any]) -> dict[str, float]:
    return {
        "exponent": exponent(row["sizes"], row["seconds"], NOISE_SECONDS),
        "exponent_bytes": exponent(row["sizes"], row["bytes"], NOISE_BYTES),
    }


def is_above(row: Mapping[str, Any]) -> bool:
    """Whether a case grows faster than it may, over all sizes and still between the last two, or says nothing.

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
    said = row.get("failed") or ("above" if is_above(row) else "")
    print(
        f"{row['of']:24} {row['shape']:32} {row['sizes'][-1]:>8,} {row['seconds'][-1]:>9.3f} {row['exponent']:>9.2f} "
        f"{row['bytes'][-1] / 1e6:>9.1f} {row['exponent_bytes']:>9.2f}  {said}",
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
