"""Run the commands and calls of the safety net, and bring what they give into a form that can be compared.

What a case gives has two parts. *Numbers* are exit statuses, JSON, rows and states; *words* are what people read. Both
are normalized for time, path and version.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import html
import importlib.metadata
import io
import json
import logging
import math
import os
import re
import shlex
import sys
import tomllib
import warnings
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from click.testing import CliRunner

import fairsum_utils
from fairsum_utils.reports import figures
from tests.golden.calls import CALLS
from tests.golden.inputs import write_inputs
from tests.golden.models import Models

HERE = Path(__file__).parent
OUTPUTS = HERE / "outputs"
COMMANDS: dict[str, dict[str, str | list[str]]] = tomllib.loads((HERE / "commands.toml").read_text(encoding="utf-8"))

RELATIVE_TOLERANCE = {"models": 1e-3}
"""Group of cases -> how far a number may be off; 1e-9 for all others, so that another processor gives the same."""

PASSING = {"started", "seconds", "version", "versions", "time", "date", "created"}
"""JSON keys whose entries change from run to run."""

PROSE = {"message", "reason", "sentence", "sentences", "note", "notes", "about", "help"}
"""JSON keys whose entries are words."""

MOST_ROWS = 40
"""Rows of a file that are recorded; of longer files also the number and a digest of all rows."""

TEXT_FILES = {".md", ".tex", ".csv", ".svg", ".html", ".xml", ".txt", ".tsv", ".yaml", ".py", ".css"}


class Recorded(NamedTuple):
    """What a case gave."""

    numbers: Any
    words: str


def case_names() -> list[str]:
    """Every case, as `group/name`."""
    names = [f"{group}/{name}" for group, cases in COMMANDS.items() for name in cases]
    return [*names, *(f"python/{name}" for name in CALLS)]


class Net:
    """The inputs and tiny models of all cases, made once.

    Args:
        folder: an empty folder to work in.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._work = self._folder / "work"
        write_inputs(self._work)
        self._models = Models(self._folder / "models")
        [entry] = importlib.metadata.entry_points(group="console_scripts", name="fairsum")
        self._main = entry.load()

    def run(self, name: str) -> Recorded:
        """Run a case beside the inputs, and remove what it writes."""
        group, _, case = name.partition("/")
        with self._surroundings(), _swept():
            if group == "python":
                given = set(Path().rglob("*"))
                numbers, words = _called(CALLS[case])
                _add_files(given, numbers, words)
            else:
                lines = COMMANDS[group][case]
                numbers, words = self._commands([lines] if isinstance(lines, str) else lines)
        prose: list[str] = []
        plain = _plain(numbers, prose)
        text = self._normalized("\n".join([*words, *prose]))
        return Recorded(json.loads(self._normalized(json.dumps(plain))), _rounded(text))

    def close(self) -> None:
        """Stop what was started."""
        self._models.close()

    @contextlib.contextmanager
    def _surroundings(self) -> Iterator[None]:
        """The same folder, variables and width of the terminal for every case."""
        settings = {
            "COLUMNS": "100",
            "LINES": "40",
            "NO_COLOR": "1",
            "FAIRSUM_CACHE": str(self._folder / "cache"),
            "HF_HOME": str(self._folder / "huggingface"),
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_VERBOSITY": "error",
            "SOURCE_DATE_EPOCH": "0",
            "TMPDIR": str(self._folder),
            **self._models.environment,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("FAIRSUM_", "OPENAI_"))}
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, {**kept, **settings}, clear=True))
            stack.enter_context(mock.patch.object(figures, "for_page", _undrawn))
            stack.enter_context(contextlib.chdir(self._work))
            yield

    def _commands(self, lines: list[str]) -> tuple[dict[str, Any], list[str]]:
        """Run command lines one after the other in this process; of files, only those of the last are recorded."""
        numbers: dict[str, Any] = {"commands": []}
        words = []
        for place, line in enumerate(lines, 1):
            given = set(Path().rglob("*"))
            arguments = shlex.split(line.format(**self._models.names(line)))
            text = ""
            if "<" in arguments:
                sign = arguments.index("<")
                text = Path(arguments[sign + 1]).read_text(encoding="utf-8")
                del arguments[sign : sign + 2]
            status, out, err = self._command(arguments, text)
            done: dict[str, Any] = {"command": line, "status": status}
            numbers["commands"].append(done)
            words.append(f"$ fairsum {line}")
            if (document := _as_json(out)) is not None:
                is_dict = isinstance(document, dict)  # `run` is recorded where a file has it
                done["output"] = {key: document[key] for key in document if key != "run"} if is_dict else document
            elif place == len(lines) or "--quiet" not in arguments:
                words.append(out.rstrip("\n"))
            words += [f"! {each}" for each in err.splitlines()]
        _add_files(given, numbers, words)
        return numbers, words

    def _command(self, arguments: list[str], text: str) -> tuple[int, str, str]:
        """Run `fairsum` with these arguments: status, standard output, standard error."""
        isolation = CliRunner().isolation(text)
        with mock.patch.object(sys, "argv", ["fairsum", *arguments]), isolation as (out, err, _), _as_in_a_process():
            try:
                status = self._main()
            except SystemExit as stopped:
                status = stopped.code
            sys.stdout.flush()
            sys.stderr.flush()
        return status, out.getvalue().decode(), err.getvalue().decode()

    def _normalized(self, text: str) -> str:
        """Replace what differs from machine to machine and from day to day."""
        text = text.replace(f"{self._work}{os.sep}", "").replace(str(self._folder), "<folder>")
        text = text.replace(str(Path(fairsum_utils.__file__).parents[1]), "<package>")
        for address in self._models.addresses:
            text = text.replace(address, "<address>")
        version = re.escape(fairsum_utils.__version__)
        text = re.sub(rf"(?<=\bv:){version}|(?<=fairsum-utils ){version}", "<version>", text)
        text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+00:00| UTC)?", "<time>", text)
        text = re.sub(r"(?<=@)[0-9a-f]{12}\b", "<digest>", text)
        text = re.sub(r"(?<=run/)[0-9a-f]{16}\b", "<run>", text)
        return re.sub(r"\b\d+(\.\d+)? s\b", "<seconds>", text)


def compare(name: str, found: Recorded) -> str:
    """Name what differs from what is recorded, as a diff; empty if nothing does."""
    parts = []
    for kind in ("numbers", "words"):
        path = path_of(name, kind)
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if not same(name, kind, found):
            actual = written(found, kind)
            parts += difflib.unified_diff(
                expected.splitlines(), actual.splitlines(), f"recorded {kind} of {name}", "now", lineterm="", n=2
            )
    return "\n".join(parts)


def same(name: str, kind: str, found: Recorded) -> bool:
    """Tell whether one part of a case is as it is recorded."""
    path = path_of(name, kind)
    if not path.exists():
        return written(found, kind) == ""
    recorded = path.read_text(encoding="utf-8")
    if kind == "words":
        return recorded == written(found, kind)
    return _close(json.loads(recorded), found.numbers, RELATIVE_TOLERANCE.get(name.partition("/")[0], 1e-9))


def path_of(name: str, kind: str) -> Path:
    """Name the file that holds one part of a case."""
    return OUTPUTS / kind / f"{name}.{'json' if kind == 'numbers' else 'txt'}"


def written(found: Recorded, kind: str) -> str:
    """Render one part of a case as its file holds it."""
    if kind == "words":
        return found.words.strip("\n") + "\n" if found.words.strip() else ""
    return _pretty(found.numbers) + "\n"


@contextlib.contextmanager
def _as_in_a_process() -> Iterator[None]:
    """Show warnings and log records as Python does by default, whatever the test runner has set."""

    def show(*warning: Any, **more: Any) -> None:
        sys.stderr.write(warnings.formatwarning(*warning[:4]))

    with warnings.catch_warnings(), mock.patch.object(logging.root, "handlers", []):
        warnings.simplefilter("default")
        for silent in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", silent)
        warnings.showwarning = show
        yield


@contextlib.contextmanager
def _swept() -> Iterator[None]:
    """Remove the files that are new in the working folder."""
    given = set(Path().rglob("*"))
    yield
    for path in sorted(set(Path().rglob("*")) - given, reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def _undrawn(panels: Sequence[Any], prefix: str, title: str, below: Sequence[str] = ()) -> str:
    """Write the numbers of charts instead of drawing them, which takes most of the time of a page."""
    return f"<pre>{html.escape(repr((title, *panels, *below)))}</pre>" if panels else ""


def _called(call: Any) -> tuple[dict[str, Any], list[str]]:
    """Call a function: what it returns, and what it prints and warns of."""
    printed = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            returned = call()
        except Exception as error:
            if not isinstance(error, ValueError | TypeError):
                raise
            returned = {"error": type(error).__name__}
            print(error)
    ours = [each for each in caught if "fairsum" in type(each.message).__module__]
    words = [printed.getvalue().rstrip("\n"), *(f"! {type(each.message).__name__}: {each.message}" for each in ours)]
    return {"returned": returned}, words


def _add_files(given: set[Path], numbers: dict[str, Any], words: list[str]) -> None:
    """Record the files of the working folder that were not there before."""
    for path in sorted(set(Path().rglob("*")) - given):
        if path.is_file():
            _add_file(path, path.as_posix(), numbers, words)


def _add_file(path: Path, name: str, numbers: dict[str, Any], words: list[str]) -> None:
    files = numbers.setdefault("files", {})
    if path.suffix in (".jsonl", ".ndjson"):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        files[name] = rows[:MOST_ROWS]
        if len(rows) > MOST_ROWS:
            digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
            files[f"{name}, all rows"] = {"rows": len(rows), "sha256": digest}
    elif path.suffix in (".json", ".ipynb"):
        files[name] = json.loads(path.read_text(encoding="utf-8"))
    elif path.suffix == ".parquet":
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(path)
        schema = {field.name: str(field.type) for field in table.schema}
        files[name] = {"columns": schema, "rows": table.to_pylist()}
    elif path.suffix in TEXT_FILES:
        text = path.read_text(encoding="utf-8")
        words += [f"= {name}", outline(text) if path.suffix in (".html", ".svg") else text.rstrip("\n")]
    else:
        files[name] = "written"


def _as_json(text: str) -> Any:
    """Parse JSON or JSON lines; None if the text is neither."""
    if text.lstrip().startswith(("{", "[")):
        for parts in ([text], text.splitlines()):
            with contextlib.suppress(ValueError):
                found = list(map(json.loads, parts))
                return found if len(parts) > 1 else found[0]
    return None


def _plain(item: Any, words: list[str], place: str = "") -> Any:
    """Turn results into JSON; what is prose goes to the words, and what passes with the run is left out."""
    if isinstance(item, dict):
        if "contentSize" in item:  # a Parquet file, which differs between versions of pyarrow
            item = {**item, "contentSize": "<size>", "sha256": "<digest>"}
        if str(item.get("path")).endswith(".json") and "sha256" in item:  # results, with the time they were made at
            item = {**item, "bytes": "<passing>", "sha256": "<passing>"}
        made = {}
        for key, entry in item.items():
            where = f"{place}.{key}"
            if key in PROSE and isinstance(entry, str):
                words.append(f"{where}: {entry}")
            else:
                made[str(key)] = "<passing>" if key in PASSING else _plain(entry, words, where)
        return made
    if isinstance(item, list | tuple):
        return [_plain(entry, words, f"{place}[{number}]") for number, entry in enumerate(item)]
    if isinstance(item, float) and not math.isfinite(item):
        return str(item)
    if item is None or isinstance(item, bool | int | float | str):
        return item
    if hasattr(item, "item") and not hasattr(item, "__len__"):
        return _plain(item.item(), words, place)
    if hasattr(item, "tolist"):
        return _plain(item.tolist(), words, place)
    return repr(item)


def _rounded(text: str) -> str:
    """Round long fractions, whose last digits differ from processor to processor."""
    return re.sub(r"-?\d+\.\d{9,}(e-?\d+)?", lambda number: f"{float(number[0]):.8g}", text)


def _close(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance * 1e-3)
    if type(one) is not type(other):
        return isinstance(other, float) and isinstance(one, int) and _close(float(one), other, tolerance)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_close(one[key], other[key], tolerance) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(_close(*pair, tolerance) for pair in zip(one, other, strict=True))
    return bool(one == other)


def _pretty(item: Any, indent: str = "") -> str:
    """JSON with sorted keys, and what fits a line on one line."""
    flat = json.dumps(item, sort_keys=True, ensure_ascii=False)
    if len(flat) + len(indent) <= 110 or not isinstance(item, dict | list) or not item:
        return flat
    more = indent + " "
    if isinstance(item, dict):
        parts = [f"{more}{json.dumps(key, ensure_ascii=False)}: {_pretty(item[key], more)}" for key in sorted(item)]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(more + _pretty(entry, more) for entry in item) + f"\n{indent}]"


class _Outline(HTMLParser):
    """Tags with what names them, and texts, a line each."""

    NAMING = ("id", "class", "href", "type", "title", "aria-label", "role", "data-value")
    VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "col", "wbr", "source"})

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._depth = 0
        self._skipped = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped = tag in ("style", "script") and ("type", "application/json") not in attrs
        shown = "".join(f' {name}="{entry}"' for name, entry in attrs if name in self.NAMING)
        self.lines.append(f"{' ' * self._depth}<{tag}{shown}>")
        self._depth += tag not in self.VOID

    def handle_endtag(self, tag: str) -> None:
        self._skipped = False
        self._depth -= tag not in self.VOID

    def handle_data(self, data: str) -> None:
        if self._skipped or not data.strip():
            return
        document = _as_json(data)
        text = " ".join(data.split()) if document is None else _pretty(document)
        self.lines += [" " * self._depth + line for line in text.splitlines()]


_VERSIONS = r"( *<tr>\n *<td>\n *[\w-]+\n *<td>\n *(?:\d+\.\d+\.\d+\S*|\d{8})\n)+"
_SECONDS = r"(?<=seconds\n)( *<td>\n) *[\d.]+"


def outline(markup: str) -> str:
    """List the elements and texts of a page, a line each, and of a figure its texts."""
    parser = _Outline()
    parser.feed(re.sub(r"<svg\b.*?</svg>", lambda figure: re.sub(r"<[^>]*>", " ", figure[0]), markup, flags=re.DOTALL))
    text = re.sub(_VERSIONS, "<versions>\n", "\n".join(parser.lines))
    return re.sub(_SECONDS, r"\1<seconds>", text)
