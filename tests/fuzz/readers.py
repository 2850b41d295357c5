"""Every file that is read: written as it should be, damaged, and read; the right rows come back, or one line."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import math
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fairsum_utils.errors import FairSumError, MissingDependencyError
from fairsum_utils.families import all_measures
from tests.fuzz import resources
from tests.fuzz.mutations import mutated
from tests.fuzz.oracles import Found, check_message, control, quietly

ROWS: list[dict[str, Any]] = [
    {
        "id": "a",
        "prediction": "Tasty soup.",
        "sources": ["Tasty soup!", "Cold, slow."],
        "values": ["pos", "neg"],
        "group": "x",
        "article_id": "1",
        "mentions": ["Ann Lee"],
    },
    {
        "id": "b",
        "prediction": "",
        "sources": ['Good; "great" é.', "寿司 😀"],
        "values": ["pos", "neg"],
        "group": "x",
        "article_id": "1",
        "mentions": [],
    },
    {
        "id": "c",
        "prediction": "He said, she said.",
        "sources": ["One\nline.", "Two", "3"],
        "values": ["neg", "pos", "neg"],
        "group": "y",
        "article_id": "2",
        "mentions": ["John"],
    },
    {
        "id": "d",
        "prediction": "NaN",
        "sources": ["null"],
        "values": ["pos"],
        "group": "y",
        "article_id": "2",
        "mentions": ["x"],
    },
]


class Reader(NamedTuple):
    """A file, or a folder of files, and what reads it.

    Attributes:
        make: writes it; gives its path and the files that may be damaged.
        read: reads it all.
        names: whether errors name the file.
        right: given the path and what `read` gave, whether it is right; None where nothing else can tell.
        intact: whether damage must be found, or change nothing.
    """

    make: Callable[[Path], tuple[Path, list[Path]]]
    read: Callable[[Path], Any]
    names: bool = True
    right: Callable[[Path, Any], bool] | None = None
    intact: bool = False


def _one(name: str, content: Callable[[], bytes]) -> Callable[[Path], tuple[Path, list[Path]]]:
    def make(folder: Path) -> tuple[Path, list[Path]]:
        path = folder / name
        path.write_bytes(_once(name, content))
        return path, [path]

    return make


_MADE: dict[str, bytes] = {}


def _once(name: str, content: Callable[[], bytes]) -> bytes:
    if name not in _MADE:
        _MADE[name] = content()
    return _MADE[name]


def _written(ending: str) -> bytes:
    """Rows in a format, packed if need be, by other libraries than ours."""
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    format, _, packing = ending[1:].partition(".")
    file = io.BytesIO()
    if format in ("jsonl", "ndjson"):
        file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode())
    elif format == "json":
        file.write(json.dumps(ROWS, indent=1).encode())
    elif format in ("csv", "tsv"):
        text = io.StringIO()
        writer = csv.DictWriter(text, ROWS[0], delimiter="," if format == "csv" else "\t")
        writer.writeheader()
        for row in ROWS:
            writer.writerow({key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in row.items()})
        file.write(text.getvalue().encode())
    elif format == "parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file, row_group_size=2)
    elif format == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in [list(ROWS[0]), *(row.values() for row in ROWS)]:
            book.active.append([json.dumps(cell) if isinstance(cell, list) else cell for cell in row])
        book.save(file)
    elif format in ("arrow", "feather"):
        pyarrow.feather.write_feather(pyarrow.Table.from_pylist(ROWS), file, compression="uncompressed")
    else:
        raise NotImplementedError(f"a format that this does not write yet: {ending}")
    content = file.getvalue()
    if packing == "gz":
        return gzip.compress(content, mtime=0)
    return pyarrow.compress(content, codec="zstd", asbytes=True) if packing == "zst" else content


def _read_rows(path: Path) -> list[dict[str, Any]]:
    from fairsum_utils.io.reading import read_rows

    return list(read_rows(path, {"prediction": "--prediction-column"}, lists=()))


def _right_rows(path: Path, rows: list[dict[str, Any]]) -> bool:
    """Whether rows are what other readers read."""
    import pyarrow.ipc
    import pyarrow.parquet

    if path.suffix == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        return len(rows) == file.metadata.num_rows and _same(rows, file.read().to_pylist())
    if path.suffix in (".arrow", ".feather"):
        content = path.read_bytes()
        opened = pyarrow.ipc.open_file(content) if content.startswith(b"ARROW1") else pyarrow.ipc.open_stream(content)
        return _same(rows, opened.read_all().to_pylist())
    if path.suffix == ".jsonl":
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
        return _same(rows, [json.loads(line) for line in lines if line.strip("\r \t")])
    if path.suffix == ".json":
        return _same(rows, json.loads(path.read_bytes().decode("utf-8-sig")))
    return True


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, Mapping):
        return (
            isinstance(found, Mapping)
            and found.keys() == expected.keys()
            and all(_same(found[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(_same, found, expected))
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return bool(found == expected)


def _chunks(path: Path) -> Any:
    """What scoring reads of a file, for measures of all families, scored."""
    from fairsum_utils.cluster import score

    metrics = ["bur", "word_list_inclusion"]
    return score(str(path), metrics)


def _of_command(*words: str) -> Callable[[Path], Any]:
    """Runs the command in this process."""

    def read(path: Path) -> tuple[int, str]:
        from fairsum_utils.cli import main

        out, err = _Stream(), _Stream()
        before = Path.cwd()
        os.chdir(path.parent)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    status = main([word.replace("FILE", str(path)) for word in words])
                except SystemExit as stopped:  # by the parser of options
                    status = int(stopped.code or 0)
        finally:
            os.chdir(before)
        printed, said = out.text(), err.text()
        if "Traceback" in said or "should not happen" in said:
            raise Found("traceback", said[-500:])
        if status not in (0, 1, 2, 3):
            raise Found("command", f"status {status}: {said[-400:]!r}")
        if sign := control(printed + said, in_lines=True):
            raise Found("command", f"{sign!r} printed: {said!r:.300}")
        errors = [line for line in said.splitlines() if "error:" in line]
        if status == 2 and len(errors) != 1:
            raise Found("command", f"status 2 and {len(errors)} lines of errors: {said!r:.300}")
        return status, printed

    return read


class _Stream(io.TextIOWrapper):
    """Stands for standard output or error."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        """All that was written."""
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def _saved(folder: Path) -> tuple[Path, list[Path]]:
    """A folder of `save_to_disk`."""
    path = folder / "saved"
    kept = _kept_folder("saved", lambda path: _data_set().save_to_disk(path))
    shutil.copytree(kept, path)
    return path, sorted(each for each in path.rglob("*") if each.is_file())


def _saved_splits(folder: Path) -> tuple[Path, list[Path]]:
    path = folder / "splits"

    def make(path: str) -> None:
        import datasets

        datasets.DatasetDict({"test": _data_set()}).save_to_disk(path)

    shutil.copytree(_kept_folder("splits", make), path)
    return path, sorted(each for each in path.rglob("*") if each.is_file())


def _data_set() -> Any:
    import datasets

    return datasets.Dataset.from_list(ROWS)


_FOLDERS: dict[str, Path] = {}


def _kept_folder(name: str, make: Callable[[str], Any]) -> Path:
    if name not in _FOLDERS:
        path = resources.folder() / f"kept-{name}"
        with contextlib.redirect_stderr(io.StringIO()):
            make(str(path))
        _FOLDERS[name] = path
    return _FOLDERS[name]


def _results(kind: str) -> bytes:
    """A file of results."""
    import fairsum_utils

    columns = {
        "predictions": [row["prediction"] for row in ROWS],
        "sources": [row["sources"] for row in ROWS],
        "values": [row["values"] for row in ROWS],
    }
    own = columns.pop("predictions")
    if kind == "compare":
        results: Any = fairsum_utils.compare(own, own[::-1], columns["sources"], columns["values"], n_resamples=5)
    elif kind == "systems":
        results = fairsum_utils.compare_systems(
            {"x": own, "y": own[::-1]}, columns["sources"], columns["values"], n_resamples=5
        )
    else:
        results = fairsum_utils.score(
            own,
            columns["sources"],
            columns["values"],
            metrics=list(all_measures()[:4]),
            confidence_level=0.9,
            n_resamples=5,
        )
    path = resources.folder() / f"{kind}.json"
    results.save(path)
    return path.read_bytes()


def _read_results(path: Path) -> Any:
    import fairsum_utils

    results = fairsum_utils.read_results(path)
    for shown in (str(results), results.to_markdown(), results.to_csv(), results._repr_html_(), results.to_latex()):
        if sign := control(shown, in_lines=True):
            raise Found("shown", f"{sign!r} in {shown!r:.200}")
    return results


def _samples_file() -> bytes:
    folder = resources.folder()
    (folder / "rows.jsonl").write_bytes(_written(".jsonl"))
    _of_command("score", "FILE", "--samples", str(folder / "samples.jsonl"), "--with-texts", "--confidence", "0")(
        folder / "rows.jsonl"
    )
    return (folder / "samples.jsonl").read_bytes()


def _rows_of_a_run() -> list[dict[str, Any]]:
    """Three times the rows, each with an id of its own."""
    return [{**row, "id": f"{row['id']}{copy}"} for copy in range(3) for row in ROWS]


def _run_folder(folder: Path) -> tuple[Path, list[Path]]:
    """A folder of a run of which some shards are done."""

    def make(path: str) -> None:
        from fairsum_utils.cluster import score

        quietly(lambda: score(_rows_of_a_run(), ["bur"], folder=path, rows_per_shard=4))

    path = folder / "run"
    shutil.copytree(_kept_folder("run", make), path)
    return path, sorted(each for each in path.rglob("*") if each.is_file())


def _go_on(path: Path) -> Any:
    from fairsum_utils.cluster import score

    return dict(score(_rows_of_a_run(), ["bur"], folder=path, rows_per_shard=4)["bur"])


def _merge(path: Path) -> Any:
    return _of_command("score", "--merge", "FILE", "--format", "json")(path)


def _state() -> bytes:
    from fairsum_utils.session import Request, Session

    with Session([Request("bur"), Request("word_list_inclusion")]) as session:
        session.add(
            {
                "predictions": [row["prediction"] for row in ROWS],
                "sources": [row["sources"] for row in ROWS],
                "values": [row["values"] for row in ROWS],
            }
        )
        return session.state().to_bytes()


def _read_state(path: Path) -> Any:
    from fairsum_utils.session import Request, Session
    from fairsum_utils.session.state import State

    state = State.from_bytes(path.read_bytes())
    with Session([Request("bur"), Request("word_list_inclusion")]) as session:
        return repr(dict(session.results(state)))


_FINGERPRINT = "model: m"
_KEYS = [("premise", str(number)) for number in range(20)]


def _cache(folder: Path) -> tuple[Path, list[Path]]:
    from fairsum_utils.inference.cache import ResultCache

    def make(path: str) -> None:
        results = ResultCache(Path(path), _FINGERPRINT, module="fuzz")
        results.put((key, b"%d" % place) for place, key in enumerate(_KEYS))

    path = folder / "cache"
    shutil.copytree(_kept_folder("cache", make), path)
    return path, sorted(each for each in path.rglob("*") if each.is_file())


def _read_cache(path: Path) -> Any:
    """What is there is what was put; then more is put, and there."""
    from fairsum_utils.inference.cache import ResultCache

    results = ResultCache(path, _FINGERPRINT, module="fuzz")
    for place, payload in enumerate(results.get_many(_KEYS)):
        if payload not in (None, b"%d" % place):
            raise Found("wrong", f"{payload!r} under {_KEYS[place]}")
    results.put([(("more",), b"9")])
    if results.get_many([("more",)]) != [b"9"]:
        raise Found("wrong", "what was put is not there")
    return None


_GENERATED = {0: ("a text", "stop", 0), 1: ("é", "length", 3), 2: ("", "empty_prompt", 0)}


def _partial() -> bytes:
    from fairsum_utils.generation.generators import Generated
    from fairsum_utils.generation.runs import Progress

    path = resources.folder() / "x.partial"
    with Progress(path, {"model": "m", "n": 2}) as progress:
        progress.add({number: Generated(*text) for number, text in _GENERATED.items()})
    return path.read_bytes()


def _read_partial(path: Path) -> Any:
    """Texts that were written, or none."""
    from fairsum_utils.generation.runs import Progress

    with Progress(path, {"model": "m", "n": 2}) as progress:
        for number, text in progress.done.items():
            if type(number) is not int or _GENERATED.get(number) != text:
                raise Found("wrong", f"{number}: {text}")
        return progress.done


_TOML = b"""\
# always the same
[score]
metrics = ["bur", "uer"]
tau = 0.7
confidence = 0
samples = "out.jsonl"
normalizer = "simple"

[compare]
resamples = 10
"""


def _toml(folder: Path) -> tuple[Path, list[Path]]:
    (folder / "rows.jsonl").write_bytes(_written(".jsonl"))
    path = folder / "fairsum.toml"
    path.write_bytes(_TOML)
    return path, [path]


def _binary_vectors() -> bytes:
    import struct

    words = ["he", "she", "king", "queen", "man", "woman"]
    return b"6 3\n" + b"".join(
        word.encode() + b" " + struct.pack("<3f", place, 1, -0.5) + b"\n" for place, word in enumerate(words)
    )


def _read_vectors(path: Path) -> Any:
    from fairsum_utils.families.polarity.embeddings import iter_vectors

    return [
        (word, None if vector is None else vector.tolist())
        for word, vector in iter_vectors(path, {"he", "she", "queen"})
    ]


def _by_measure(measure: str, setting: str, **columns: Any) -> Callable[[Path], Any]:
    def read(path: Path) -> Any:
        import fairsum_utils

        return dict(fairsum_utils.compute(measure, **columns, **{setting: path}))

    return read


def _read_samples(path: Path) -> Any:
    """A page of a file of samples, beside its results."""
    return _of_command("report", str(_report_results()), "FILE", "-o", str(path.with_suffix(".html")))(path)


@cache
def _report_results() -> Path:
    path = resources.folder() / "of-report.json"
    path.write_bytes(_once("score.json", lambda: _results("score")))
    return path


_WORDS = json.dumps({"soups": ["soup", "stew"], "staff": ["waiter", "cook"]}).encode()
_NAMES = json.dumps({"Ann": "x", "John": "y"}).encode()
_DOCUMENTS = None

_TEXTS = {"predictions": ["Ann came.", "The soup."], "sources": ["Ann Lee and a waiter.", "A soup."]}


def _with(name: str, content: bytes, *words: str) -> Reader:
    """A file that an option of `fairsum score` names."""

    def make(folder: Path) -> tuple[Path, list[Path]]:
        (folder / "rows.jsonl").write_bytes(_written(".jsonl"))
        path = folder / name
        path.write_bytes(content)
        return path, [path]

    return Reader(make, _of_command("score", "rows.jsonl", *words), names=False)


@cache
def readers() -> dict[str, Reader]:
    """Every reader by name; those of rows from the registry of formats."""
    from fairsum_utils.io.names import ENDINGS

    found: dict[str, Reader] = {}
    for ending in ENDINGS:
        found[f"rows{ending}"] = Reader(
            _one(f"rows{ending}", lambda ending=ending: _written(ending)), _read_rows, right=_right_rows
        )
    for ending in (".jsonl", ".csv", ".json", ".parquet"):
        make = _one(f"rows{ending}", lambda ending=ending: _written(ending))
        found[f"score{ending}"] = Reader(
            make, _of_command("score", "FILE", "--confidence", "0", "--metrics", "bur,auc")
        )
        found[f"cluster{ending}"] = Reader(make, _chunks, names=False)
    found["inspect.jsonl"] = Reader(_one("rows.jsonl", lambda: _written(".jsonl")), _of_command("inspect", "FILE"))
    found["saved"] = Reader(_saved, _read_rows, names=False)
    found["splits"] = Reader(_saved_splits, _read_rows, names=False)
    for kind in ("score", "compare", "systems"):
        found[f"results {kind}"] = Reader(
            _one(f"{kind}.json", lambda kind=kind: _results(kind)), _read_results, names=False
        )
        found[f"report {kind}"] = Reader(
            _one(f"{kind}.json", lambda kind=kind: _results(kind)), _of_command("report", "FILE", "-o", "page.html")
        )
    found["samples"] = Reader(_one("samples.jsonl", _samples_file), _read_samples)
    found["run"] = Reader(_run_folder, _go_on, names=False, intact=True)
    found["merge"] = Reader(_run_folder, _merge, names=False, intact=True)
    found["state"] = Reader(_one("state", _state), _read_state, names=False, intact=True)
    found["cache"] = Reader(_cache, _read_cache, names=False)
    found["partial"] = Reader(_one("x.partial", _partial), _read_partial)
    found["toml"] = Reader(_toml, _of_command("score", "rows.jsonl"), names=False)
    found["lexicon"] = Reader(
        _one("norms.tsv", resources.LEXICON.encode),
        _by_measure("psycholinguistic_norms", "lexicon", predictions=["soup"]),
    )
    found["people"] = Reader(
        _one("people.tsv", resources.PEOPLE.encode),
        _by_measure("entity_hallucination", "people", **_TEXTS, mentions=[["Ann Lee"], []]),
    )
    found["people.gz"] = Reader(
        _one("people.tsv.gz", lambda: gzip.compress(resources.PEOPLE.encode(), mtime=0)),
        _by_measure("entity_hallucination", "people", **_TEXTS, mentions=[["Ann Lee"], []]),
    )
    found["vectors.txt"] = Reader(_one("vectors.txt", resources.VECTORS.encode), _read_vectors)
    found["vectors.bin"] = Reader(_one("vectors.bin", _binary_vectors), _read_vectors)
    found["gender vectors"] = _with(
        "vectors.txt",
        resources.VECTORS.encode(),
        "--metrics",
        "gender_polarity",
        "--group-column",
        "none",
        "--gender-method",
        "max",
        "--gender-embeddings",
        "vectors.txt",
    )
    found["word lists"] = _with("words.json", _WORDS, "--metrics", "word_list_inclusion", "--word-lists", "words.json")
    found["first names"] = _with(
        "names.json",
        _NAMES,
        "--metrics",
        "entity_hallucination",
        "--first-names",
        "names.json",
        "--mentions-column",
        "mentions",
        "--entities-column",
        "none",
    )
    found["predictions apart"] = _with(
        "apart.csv", b"id,prediction\na,Soup.\nb,Staff.\nc,x\nd,y\n", "--predictions", "apart.csv"
    )
    return found


READERS = tuple(readers())


def run(name: str, rng: Random) -> bool:
    """Write a file, damage it, read it.

    Returns:
        Whether it was read, rather than refused.

    Raises:
        Found: something that must not be.
    """
    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-", dir=_fast()) as made:
        folder = Path(made)
        path, files = reader.make(folder)
        file = rng.choice(files)
        before = file.read_bytes()
        damaged = _damaged(rng, before, file.name)
        file.write_bytes(damaged)
        case = (name, str(file.relative_to(folder)), damaged)
        try:
            return _check(reader, path, name)
        except Found as found:
            found.case = case
            raise
        except Exception as error:
            raw = Found("traceback", f"{type(error).__name__}: {error}"[:500])
            raw.case = case
            raise raw from error


def _fast() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _damaged(rng: Random, content: bytes, name: str) -> bytes:
    """A damaged file; of a packed one mostly what is in it."""
    if name.endswith(".gz") and rng.random() < 0.5:
        return gzip.compress(mutated(rng, gzip.decompress(content)), mtime=0)
    if name.endswith(".zst") and rng.random() < 0.5:
        import pyarrow

        stream = pyarrow.CompressedInputStream(pyarrow.py_buffer(content), "zstd")
        return pyarrow.compress(mutated(rng, stream.read()), codec="zstd", asbytes=True)
    return mutated(rng, content)


_WHOLE: dict[str, Any] = {}


def _whole(name: str, reader: Reader) -> Any:
    """What the reader gives of an undamaged file."""
    if name not in _WHOLE:
        with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-", dir=_fast()) as made:
            path, _ = reader.make(Path(made))
            _WHOLE[name] = read(reader, path)
    return _WHOLE[name]


def read(reader: Reader, path: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.read(path)


def _check(reader: Reader, path: Path, name: str) -> bool:
    whole = _whole(name, reader) if reader.intact else None
    try:
        found = read(reader, path)
    except FairSumError as error:
        check_message(error)
        if reader.names and path.name not in str(error) and not isinstance(error, MissingDependencyError):
            raise Found("message", f"does not name {path.name}: {str(error)!r:.400}") from error
        return False
    if reader.intact and not is_refusal(found) and repr(found) != repr(whole):
        raise Found("wrong", f"{found!r:.300} and not {whole!r:.300}")
    if reader.right is not None and not reader.right(path, found):
        raise Found("wrong", f"other rows: {found!r:.400}")
    return not is_refusal(found)


def is_refusal(found: Any) -> bool:
    return isinstance(found, tuple) and len(found) == 2 and found[0] == 2
