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
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import fairsum_utils
from fairsum_utils.errors import FairSumError, MissingDependencyError
from fairsum_utils.measures import DEFAULT_METRICS, get_measure
from tests.fuzz import resources
from tests.fuzz.files import content_of
from tests.fuzz.mutations import mutated
from tests.fuzz.oracles import Found, check_message, check_shown, control, quietly, same

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


class Reader(NamedTuple):
    """A file, or a folder of files, and its reader.

    Attributes:
        make: Function that writes it into a folder; returns its path and the files that may be damaged.
        read: Function that reads it all.
        names: Whether errors name the file.
        intact: Whether damage must be found, or change nothing.
    """

    make: Callable[[Path], tuple[Path, list[Path]]]
    read: Callable[[Path], Any]
    names: bool = True
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


def check_right(name: str, path: Path, found: Any) -> None:
    """Compare rows with those of other readers, and what was damaged with what was not."""
    import pyarrow.ipc
    import pyarrow.parquet

    if readers()[name].intact and not is_refusal(found):
        same("wrong", found, _undamaged(name))
    if readers()[name].read is not _read_rows:
        return
    content = path.read_bytes() if path.is_file() else b""
    if path.suffix == ".parquet":
        same("wrong", found, pyarrow.parquet.ParquetFile(path).read().to_pylist())
    elif path.suffix in (".arrow", ".feather"):
        opened = pyarrow.ipc.open_file(content) if content.startswith(b"ARROW1") else pyarrow.ipc.open_stream(content)
        same("wrong", found, opened.read_all().to_pylist())
    elif path.suffix == ".jsonl":
        lines = content.decode("utf-8-sig").split("\n")
        same("wrong", found, [json.loads(line) for line in lines if line.strip("\r \t")])
    elif path.suffix == ".json":
        same("wrong", found, json.loads(content.decode("utf-8-sig")))


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


def _save(path: Path) -> None:
    import datasets

    datasets.Dataset.from_list(ROWS).save_to_disk(path)


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


@cache
def _samples() -> bytes:
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
# Name of a file -> its content, and the options of `fairsum score` that name it.
_NAMED: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "words.json": (
        b'{"soups": ["soup"], "staff": ["cook"]}',
        ("--metrics", "word_list_inclusion", "--set", "word_lists=@words.json"),
    ),
    "apart.csv": (b"id,prediction\na,Soup.\nb,Staff.\nc,x\nd,y\n", ("--predictions", "apart.csv")),
    "fairsum.toml": (_TOML, ()),
}


@cache
def readers() -> dict[str, Reader]:
    """Return every reader by name; those of rows from the registry of formats."""
    from fairsum_utils.io.names import ENDINGS

    found: dict[str, Reader] = {}
    for ending in ENDINGS:
        found[f"rows{ending}"] = Reader(_one(f"rows{ending}", partial(content_of, ROWS, ending)), _read_rows)
    words = ("score", "FILE", "--confidence", "none", "--metrics", "bur,auc")
    for ending in (".jsonl", ".csv", ".json", ".parquet"):
        found[f"score{ending}"] = Reader(found[f"rows{ending}"].make, _command(*words))
    found["saved"] = Reader(_tree("saved", _save), _read_rows, names=False)
    for kind in ("score", "compare", "systems"):
        found[f"results {kind}"] = Reader(_one(f"{kind}.json", partial(_results, kind)), _read_results, names=False)
    found["report"] = Reader(found["results score"].make, _command("report", "FILE", "-o", "page.html"))
    found["samples"] = Reader(_one("samples.jsonl", _samples), _read_samples)
    runs = _tree("runs", _score_with_rows)
    found["run"] = Reader(runs, _score_with_rows, names=False, intact=True)
    found["results of rows"] = Reader(runs, _read_run, names=False, intact=True)
    lexicon = _setting("psycholinguistic_norms", "lexicon", predictions=["soup"])
    found["lexicon"] = Reader(_one("norms.tsv", resources.LEXICON.encode), lexicon)
    people = _setting("entity_hallucination", "people", **_PERSONS)
    found["people"] = Reader(_one("people.tsv", resources.PEOPLE.encode), people)
    for name, (content, words) in _NAMED.items():
        make = _one(name, content.strip, rows=True)
        found[name] = Reader(make, _command("score", "rows.jsonl", *words), names=False)
    return found


READERS = tuple(readers())


def run(name: str, rng: Random) -> bool:
    """Write a file, damage it and read it; return whether it was read, rather than refused."""
    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-") as made:
        path, files = reader.make(Path(made))
        file = rng.choice(files)
        file.write_bytes(_damaged(rng, file.read_bytes(), file.name))
        try:
            found = read(reader, path)
        except FairSumError as error:
            check_message(error)
            if reader.names and path.name not in str(error) and not isinstance(error, MissingDependencyError):
                raise Found("message", f"does not name {path.name}: {error}") from error
            return False
        check_right(name, path, found)
        return not is_refusal(found)


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
def _undamaged(name: str) -> Any:
    """Return what the reader gives of an undamaged file."""
    reader = readers()[name]
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-") as made:
        return read(reader, reader.make(Path(made))[0])


def read(reader: Reader, path: Path) -> Any:
    """Read without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.read(path)


def is_refusal(found: Any) -> bool:
    """Whether the command ended with status 2."""
    return isinstance(found, tuple) and len(found) == 2 and found[0] == 2
