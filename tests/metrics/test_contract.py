"""What every folder of metrics/ must keep; a new folder is held to it without being listed anywhere."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import io
import json
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest

from fairsum_utils import compute
from fairsum_utils._util.installation import requirement
from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import family_of
from fairsum_utils.measures import measure_names

from .conftest import GIVEN

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


def test_every_measure_has_a_folder() -> None:
    folders = {path.name for path in FOLDERS.iterdir() if path.is_dir()}
    assert folders == set(measure_names())


def test_folder_has_a_module_and_a_card(name: str) -> None:
    files = {path.name for path in (FOLDERS / name).iterdir() if path.name != "__pycache__"}
    assert files == {f"{name}.py", "README.md"}
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


@pytest.mark.parametrize("name", ["bur", "sentiment"])
def test_fresh_process_from_another_folder_gives_the_bits_of_the_library(
    name: str, family: Any, columns: dict[str, Any], tmp_path: Path, forked: Any
) -> None:
    inputs = {**columns, **family.offline, "confidence_level": 0.9, "return_samples": True}
    command = ["-c", LOAD_IN_FRESH_PROCESS, FOLDERS / name]
    done = forked.start(command, tmp_path, text=json.dumps(inputs)).wait()
    assert done.returncode == 0, done.stderr
    assert same_bits(json.loads(done.stdout), [name, json.loads(json.dumps(compute(name, **inputs)))])


def test_every_undefined_interval_has_a_reason(name: str, family: Any, columns: dict[str, Any]) -> None:
    """Of all samples, of each alone, and of thirty like it."""
    if name == "misattribution":
        columns["speaker_groups"] = GIVEN["speaker_groups"]
    n = len(columns["predictions"])
    n_missing = 0
    for chosen in [range(n), *([place] for place in range(n)), *([place] * 30 for place in range(min(n, 3)))]:
        data = {key: [column[place] for place in chosen] for key, column in columns.items()}
        with contextlib.suppress(InputError):  # too few groups, or originals
            result = compute(name, **data, **family.offline, confidence_level=0.9, n_resamples=20)
            intervals = [key for key in result if key.endswith(("_ci", "_ci_within"))]
            missing = [key for key in intervals if "nan" in repr(result[key])]
            n_missing += len(missing)
            explained = {*result.get("reasons", ()), *[f"{name}_ci", f"{name}_ci_within"] * ("undefined" in result)}
            assert result["n_samples"] == 0 or {*missing} <= explained, chosen
            assert {*result.get("reasons", ())} <= {*missing}
            assert not missing or result["n_samples"] or result["undefined"]
    assert n_missing or family_of(name).name == "polarity"  # whose shares of a group are never undefined


def test_card_of_the_module_is_filled(name: str, load: Callable[..., Any]) -> None:
    info = load(name).info
    assert info.homepage.startswith("https://")
    assert info.homepage in info.reference_urls
    assert info.license == "Apache-2.0"


@pytest.mark.usefixtures("as_published")
def test_documentation_runs(name: str, load: Callable[..., Any]) -> None:
    module = importlib.import_module(type(load(name)).__module__)
    outcome = doctest.testmod(module, raise_on_error=True)
    assert outcome.failed == 0
    assert outcome.attempted >= 2
