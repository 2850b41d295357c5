"""What every folder of metrics/ must keep; a new folder is held to it without being listed anywhere."""

from __future__ import annotations

import ast
import copy
import doctest
import importlib
import inspect
import io
import json
import pickle
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dill
import evaluate
import pytest

from fairsum_utils import compute
from fairsum_utils._util.installation import requirement
from fairsum_utils.families.contract import family_of
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results import MeasureResult

ROOT = Path(__file__).parents[2]
FOLDERS = ROOT / "metrics"

LOAD_IN_FRESH_PROCESS = """
import json, socket, sys, warnings
warnings.simplefilter("error")
def refuse(*_, **__):
    raise AssertionError("a module tried to reach the network")
socket.socket.connect = socket.getaddrinfo = refuse
import evaluate
module = evaluate.load(sys.argv[1])
from fairsum_utils.errors import ScoreWarning
warnings.simplefilter("ignore", ScoreWarning)
print(json.dumps([module.name, module.compute(**json.load(sys.stdin))]))
"""


def script(name: str) -> Path:
    return FOLDERS / name / f"{name}.py"


def same_bits(one: Any, other: Any) -> bool:
    """Equal, NaN included, and of the same types: `repr` of a float is exact."""
    return repr(one) == repr(other)


def test_one_stem_four_homes(name: str) -> None:
    homes = [
        ROOT / "fairsum_utils" / "measures" / f"{name}.py",
        script(name),
        FOLDERS / name / "README.md",
        ROOT / "tests" / "measures" / f"test_{name}.py",
    ]
    assert [str(home) for home in homes if not home.is_file()] == []


def test_every_measure_has_a_folder() -> None:
    folders = {path.name for path in FOLDERS.iterdir() if path.is_dir()}
    assert folders == set(measure_names())


def test_folder_is_ready_to_upload(name: str, family: Any) -> None:
    files = {path.name for path in (FOLDERS / name).iterdir() if path.name != "__pycache__"}
    assert files == {f"{name}.py", "README.md", "app.py", "requirements.txt"}
    assert (FOLDERS / name / "requirements.txt").read_text(encoding="utf-8") == f"{family.requirements}\n"
    assert not (FOLDERS / "__init__.py").exists()


def test_script_is_thin_and_its_imports_can_be_scanned(name: str) -> None:
    text = script(name).read_text(encoding="utf-8")
    code_lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER)
        for line in range(token.start[0], token.end[0] + 1)
    }
    assert len(code_lines) <= 80
    assert len(text.splitlines()) <= 100
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert all(isinstance(node, ast.Import) and len(node.names) == 1 and node.col_offset == 0 for node in imports)
    assert evaluate.loading.get_imports(str(script(name))) == [
        ("library", "evaluate", "evaluate", None),
        ("library", "fairsum_utils", requirement(), None),  # what `evaluate` says to install where it is missing
    ]


def test_fresh_process_from_another_folder_gives_the_bits_of_the_library(
    name: str, family: Any, columns: dict[str, Any], tmp_path: Path, forked: Any
) -> None:
    inputs = {**columns, **family.offline, "confidence_level": 0.9, "return_samples": True}
    command = ["-c", LOAD_IN_FRESH_PROCESS, FOLDERS / name]
    done = forked.start(command, tmp_path, text=json.dumps(inputs)).wait()
    assert done.returncode == 0, done.stderr
    assert same_bits(json.loads(done.stdout), [name, json.loads(json.dumps(compute(name, **inputs)))])


def test_result_is_the_library_s(name: str, family: Any, load: Callable[..., Any], columns: dict[str, Any]) -> None:
    result = load(name).compute(**columns, **family.changed)
    assert same_bits(result, compute(name, **columns, **family.changed))
    assert not same_bits(result, load(name).compute(**columns, **family.offline))
    assert get_measure(name).low <= result[name] <= get_measure(name).high


def test_settings_and_defaults_are_the_library_s(name: str, family: Any, load: Callable[..., Any]) -> None:
    parameters = dict(inspect.signature(load(name)._compute).parameters)
    assert all(known.kind is not inspect.Parameter.VAR_KEYWORD for known in parameters.values())
    assert list(parameters)[: len(family.columns)] == list(family.columns)
    given = {setting: known.default for setting, known in list(parameters.items())[len(family.columns) :]}
    whole = {column.name: None for column in family_of(name).columns_of(name) if not column.stored}
    defaults = family_of(name).settings(name)
    assert given == whole | {setting: getattr(defaults, setting) for setting in family_of(name).taken(name)}


@pytest.mark.usefixtures("as_published")
def test_documentation_runs(name: str, load: Callable[..., Any]) -> None:
    module = importlib.import_module(type(load(name)).__module__)
    outcome = doctest.testmod(module, raise_on_error=True)
    assert outcome.failed == 0
    assert outcome.attempted >= 2


def test_module_describes_itself(name: str, family: Any, load: Callable[..., Any]) -> None:
    module = load(name)
    assert module.name == name
    assert module.module_type == "metric"
    assert list(module.features) == list(family.columns)
    assert get_measure(name).title in module.description
    assert family.paper in module.citation
    assert any(family.paper in url for url in module.reference_urls)
    for setting in inspect.signature(module._compute).parameters:
        assert f"\n    {setting} (" in module.inputs_description, setting
    for method in (module.compute, module.add, module.add_batch):
        assert module.inputs_description in method.__doc__


@pytest.mark.parametrize("pickler", ["pickle", "dill", "cloudpickle", "deepcopy"])
def test_pickling(name: str, pickler: str, family: Any, load: Callable[..., Any], columns: dict[str, Any]) -> None:
    module = load(name)
    inputs = {**columns, **family.offline}
    expected = module.compute(**inputs)
    if pickler == "deepcopy":
        copied = copy.deepcopy(module)
    elif pickler == "cloudpickle":
        copied = pickle.loads(pytest.importorskip("cloudpickle").dumps(module))
    else:
        library = {"pickle": pickle, "dill": dill}[pickler]
        copied = library.loads(library.dumps(module))
    assert same_bits(copied.compute(**inputs), expected)


def test_inputs_are_not_changed(name: str, family: Any, load: Callable[..., Any], columns: dict[str, Any]) -> None:
    mutable = copy.deepcopy(family.mutable)
    before = copy.deepcopy(columns)
    module = load(name)
    module.compute(**columns, **family.offline, **mutable)
    module.add_batch(**columns)
    prediction, *others = (column[0] for column in columns.values())
    module.add(prediction=prediction, **dict(zip(list(columns)[1:], others, strict=True)))
    module.compute(**family.offline)
    assert columns == before
    assert mutable == family.mutable


def test_result_is_plain_and_serializable(
    name: str, family: Any, load: Callable[..., Any], columns: dict[str, Any]
) -> None:
    result = load(name).compute(**columns, **family.offline, confidence_level=0.95, return_samples=True)

    def check(item: object) -> None:
        assert type(item) in (dict, MeasureResult, list, str, int, float, bool, type(None))
        for child in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
            check(child)

    check(result)
    assert same_bits(json.loads(json.dumps(result)), result)  # NaN among it
