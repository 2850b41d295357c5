"""Every file that is read: written as it should be, damaged, and read; the right rows come back, or one line."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import fairsum_utils
from fairsum_utils.errors import FairSumError, MissingDependencyError
from fairsum_utils.measures import DEFAULT_METRICS, get_measure
from tests.fuzz import resources
from tests.fuzz.files import content_of
from tests.fuzz.mutations import mutated
from tests.fuzz.oracles import Found, alike, check_message, check_shown, control, quietly

_NAMES = ("id", "prediction", "sources", "values", "group", "article_id", "mentions")
ROWS: list[dict[str, Any]] = [
    dict(zip(_NAMES, cells, strict=True))
    for cells in (
        ("a", "Tasty soup.", ["Tasty soup!", "Cold, slow."], ["pos", "neg"], "x", "1", ["Ann Lee"]),
        ("b", "", ['Good; "great" é.', "寿司 😀"], ["pos", "neg"], "x", "1", []),
        ("c", "He said, she said.", ["One\nline.", "Two", "3"], ["neg", "pos", "neg"], "y", "2", ["John"]),
        ("d", "NaN", ["null"], ["pos"], "y", "2", ["x"]),
    )
]
_COLUMNS = {
    "predictions": [row["prediction"] for row in ROWS],
    "sources": [row["sources"] for row in ROWS],
    "values": [row["values"] for row in ROWS],
}
_METRICS = ["bur", "word_list_inclusion"]


class Reader(NamedTuple):
    """A file, or a folder of files, and its reader.

    Attributes:
        make: Function that writes it into a folder; returns its path and the files that may be damaged.
        read: Function that reads it all.
        names: Whether errors name the file.
        right: Function (path, what was read) -> whether that is right; None where nothing else can tell.
        intact: Whether damage must be found, or change nothing.
    """

    make: Callable[[Path], tuple[Path, list[Path]]]
    read: Callable[[Path], Any]
    names: bool = True
    right: Callable[[Path, Any], bool] | None = None
    intact: bool = False


def _one(name: str, content: Callable[[], bytes], *, rows: bool = False) -> Callable[[Path], tuple[Path, list[Path]]]:
    """Make a file, if need be beside a file of rows."""
    made = cache(content)

    def make(folder: Path) -> tuple[Path, list[Path]]:
        path = folder / name
        path.write_bytes(made())
        if rows:
            (folder / "rows.jsonl").write_bytes(content_of(ROWS, ".jsonl"))
        return path, [path]

    return make


def _tree(name: str, write: Callable[[Path], Any]) -> Callable[[Path], tuple[Path, list[Path]]]:
    """Make a folder, of which a copy is kept."""

    @cache
    def made() -> Path:
        with contextlib.redirect_stderr(io.StringIO()):
            write(resources.folder() / f"kept-{name}")
        return resources.folder() / f"kept-{name}"

    def make(folder: Path) -> tuple[Path, list[Path]]:
        shutil.copytree(made(), folder / name)
        return folder / name, sorted(each for each in (folder / name).rglob("*") if each.is_file())

    return make


def _read_rows(path: Path) -> list[dict[str, Any]]:
    from fairsum_utils.io.reading import read_rows

    return list(read_rows(path, {"prediction": "--prediction-column"}, lists=()))


def _right_rows(path: Path, rows: list[dict[str, Any]]) -> bool:
    """Compare rows with those of other readers."""
    import pyarrow.ipc
    import pyarrow.parquet

    if path.suffix == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        return len(rows) == file.metadata.num_rows and alike(rows, file.read().to_pylist())
    if path.suffix in (".arrow", ".feather"):
        content = path.read_bytes()
        opened = pyarrow.ipc.open_file(content) if content.startswith(b"ARROW1") else pyarrow.ipc.open_stream(content)
        return alike(rows, opened.read_all().to_pylist())
    if path.suffix == ".jsonl":
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
        return alike(rows, [json.loads(line) for line in lines if line.strip("\r \t")])
    return path.suffix != ".json" or alike(rows, json.loads(path.read_bytes().decode("utf-8-sig")))


def _command(*words: str) -> Callable[[Path], tuple[int, str]]:
    """Run the command in this process."""

    def read(path: Path) -> tuple[int, str]:
        from fairsum_utils.cli import main

        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        before = Path.cwd()
        os.chdir(path.parent)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main([word.replace("FILE", str(path)) for word in words])
        except SystemExit as stopped:  # by the parser of options
            status = int(stopped.code or 0)
        finally:
            os.chdir(before)
        printed, errors = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        lines = [line for line in errors.splitlines() if "error:" in line]
        if "Traceback" in errors or "should not happen" in errors:
            raise Found("traceback", errors[-500:])
        if status not in (0, 1, 2, 3) or (status == 2 and len(lines) != 1):
            raise Found("command", f"status {status}: {errors[-400:]!r}")
        if sign := control(printed + errors, in_lines=True):
            raise Found("command", f"{sign!r} printed: {errors!r:.300}")
        return status, printed

    return read


def _save(path: Path, *, splits: bool = False) -> None:
    import datasets

    data = datasets.Dataset.from_list(ROWS)
    (datasets.DatasetDict({"test": data}) if splits else data).save_to_disk(path)


@cache
def _results(kind: str) -> bytes:
    """A file of results."""
    own, others = _COLUMNS["predictions"], {name: _COLUMNS[name] for name in ("sources", "values")}
    few = [get_measure(name)(n_resamples=5) for name in DEFAULT_METRICS]
    if kind == "compare":
        results: Any = fairsum_utils.compare(own, own[::-1], **others, metrics=few)
    elif kind == "systems":
        results = fairsum_utils.compare({"x": own, "y": own[::-1], "z": own}, **others, metrics=few)
    else:
        results = fairsum_utils.score(own, **others, metrics=few, confidence_level=0.9)
    path = resources.folder() / f"{kind}.json"
    results.save(path)
    return path.read_bytes()


def _read_results(path: Path) -> Any:
    results = fairsum_utils.read_results(path)
    check_shown(results)
    return results


def _samples_file() -> bytes:
    folder = resources.folder()
    (folder / "rows.jsonl").write_bytes(content_of(ROWS, ".jsonl"))
    output = str(folder / "samples.jsonl")
    _command("score", "FILE", "--samples", output, "--with-texts", "--confidence", "none")(folder / "rows.jsonl")
    return (folder / "samples.jsonl").read_bytes()


def _read_samples(path: Path) -> Any:
    """Make a page of a file of samples, beside its results."""
    results = path.with_name("results.json")
    results.write_bytes(_results("score"))
    return _command("report", str(results), "FILE", "-o", "page.html")(path)


def _score_with_rows(path: Path) -> Any:
    from fairsum_utils.run import score

    rows = [{**row, "id": f"{row['id']}{copy}"} for copy in range(3) for row in ROWS]
    return quietly(lambda: dict(score(rows, ["bur"], rows=path)["bur"]))


def _read_run(path: Path) -> Any:
    """Make results of the only run in a folder."""
    from fairsum_utils.run import from_rows

    [run] = path.iterdir()
    return quietly(lambda: dict(from_rows(run)["bur"]))


def _command_of_run(path: Path) -> tuple[int, str]:
    [run] = path.iterdir()
    return _command("score", "FILE", "--format", "json")(run)


def _score_file(path: Path) -> Any:
    from fairsum_utils.run import score

    return score(str(path), _METRICS)


_TOML = b"""\
# always the same
[score]
metrics = ["bur", "uer"]
confidence = "none"
samples = "out.jsonl"

[compare]
format = "json"

[measures]
normalizer = "simple"

[bur]
tau = 0.7
target = {pos = 0.5, neg = 0.5}

[framing]
model = "vader"
"""


def _setting(measure: str, setting: str, **columns: Any) -> Callable[[Path], Any]:
    return lambda path: dict(fairsum_utils.compute(measure, **columns, **{setting: path}))


_PERSONS = {
    "predictions": ["Ann came.", "The soup."],
    "sources": ["Ann Lee and a waiter.", "A soup."],
    "mentions": [["Ann Lee"], []],
}
_HALLUCINATION = ("entity_hallucination", "--column", "mentions=mentions", "--column", "entities=none")

# Name of a file -> its content, and the options of `fairsum score` that name it.
_NAMED: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "words.json": (
        b'{"soups": ["soup"], "staff": ["cook"]}',
        ("--metrics", "word_list_inclusion", "--set", "word_lists=@words.json"),
    ),
    "names.json": (b'{"Ann": "x", "John": "y"}', ("--metrics", *_HALLUCINATION, "--set", "first_names=@names.json")),
    "apart.csv": (b"id,prediction\na,Soup.\nb,Staff.\nc,x\nd,y\n", ("--predictions", "apart.csv")),
}


@cache
def readers() -> dict[str, Reader]:
    """Return every reader by name; those of rows from the registry of formats."""
    from fairsum_utils.io.names import ENDINGS

    found: dict[str, Reader] = {}
    for ending in ENDINGS:
        make = _one(f"rows{ending}", lambda ending=ending: content_of(ROWS, ending))
        found[f"rows{ending}"] = Reader(make, _read_rows, right=_right_rows)
        if ending in (".jsonl", ".csv", ".json", ".parquet"):
            words = ("score", "FILE", "--confidence", "none", "--metrics", "bur,auc")
            found[f"score{ending}"] = Reader(make, _command(*words))
            found[f"library{ending}"] = Reader(make, _score_file, names=False)
    found["inspect.jsonl"] = Reader(found["rows.jsonl"].make, _command("inspect", "FILE"))
    found["saved"] = Reader(_tree("saved", _save), _read_rows, names=False)
    found["splits"] = Reader(_tree("splits", lambda path: _save(path, splits=True)), _read_rows, names=False)
    for kind in ("score", "compare", "systems"):
        make = _one(f"{kind}.json", lambda kind=kind: _results(kind))
        found[f"results {kind}"] = Reader(make, _read_results, names=False)
        found[f"report {kind}"] = Reader(make, _command("report", "FILE", "-o", "page.html"))
    found["samples"] = Reader(_one("samples.jsonl", _samples_file), _read_samples)
    runs = _tree("runs", _score_with_rows)
    found["run"] = Reader(runs, _score_with_rows, names=False, intact=True)
    found["results of rows"] = Reader(runs, _read_run, names=False, intact=True)
    found["score run"] = Reader(runs, _command_of_run, names=False, intact=True)
    found["toml"] = Reader(_one("fairsum.toml", lambda: _TOML, rows=True), _command("score", "rows.jsonl"), names=False)
    lexicon = _setting("psycholinguistic_norms", "lexicon", predictions=["soup"])
    found["lexicon"] = Reader(_one("norms.tsv", resources.LEXICON.encode), lexicon)
    people = _setting("entity_hallucination", "people", **_PERSONS)
    found["people"] = Reader(_one("people.tsv", resources.PEOPLE.encode), people)
    packed = gzip.compress(resources.PEOPLE.encode(), mtime=0)
    found["people.gz"] = Reader(_one("people.tsv.gz", lambda: packed), people)
    for name, (content, words) in _NAMED.items():
        make = _one(name, lambda content=content: content, rows=True)
        found[name] = Reader(make, _command("score", "rows.jsonl", *words), names=False)
    return found


READERS = tuple(readers())


def run(name: str, rng: Random) -> bool:
    """Write a file, damage it and read it; return whether it was read, rather than refused."""
    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-", dir=_fast()) as made:
        path, files = reader.make(Path(made))
        file = rng.choice(files)
        damaged = _damaged(rng, file.read_bytes(), file.name)
        file.write_bytes(damaged)
        try:
            return _check(reader, path, name)
        except Found as found:
            found.file = file.name, damaged
            raise
        except Exception as error:
            raise Found("traceback", f"{type(error).__name__}: {error}"[:500], (file.name, damaged)) from error


def _fast() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _damaged(rng: Random, content: bytes, name: str) -> bytes:
    """Damage a file; of a packed one mostly what is in it."""
    if name.endswith(".gz") and rng.random() < 0.5:
        return gzip.compress(mutated(rng, gzip.decompress(content)), mtime=0)
    if name.endswith(".zst") and rng.random() < 0.5:
        import pyarrow

        stream = pyarrow.CompressedInputStream(pyarrow.py_buffer(content), "zstd")
        return pyarrow.compress(mutated(rng, stream.read()), codec="zstd", asbytes=True)
    return mutated(rng, content)


@cache
def _undamaged(name: str) -> str:
    """What the reader gives of an undamaged file."""
    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-", dir=_fast()) as made:
        return repr(read(reader, reader.make(Path(made))[0]))


def read(reader: Reader, path: Path) -> Any:
    """Read without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.read(path)


def _check(reader: Reader, path: Path, name: str) -> bool:
    try:
        found = read(reader, path)
    except FairSumError as error:
        check_message(error)
        if reader.names and path.name not in str(error) and not isinstance(error, MissingDependencyError):
            raise Found("message", f"does not name {path.name}: {str(error)!r:.400}") from error
        return False
    if reader.intact and not is_refusal(found) and repr(found) != _undamaged(name):
        raise Found("wrong", f"{found!r:.300} and not {_undamaged(name)!r:.300}")
    if reader.right is not None and not reader.right(path, found):
        raise Found("wrong", f"other rows: {found!r:.400}")
    return not is_refusal(found)


def is_refusal(found: Any) -> bool:
    """Whether the command ended with status 2."""
    return isinstance(found, tuple) and len(found) == 2 and found[0] == 2
