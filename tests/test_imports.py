"""The package stays light to import, and its folders form floors: nothing is imported from the floor above."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import fairsum_utils

PACKAGE = Path(__file__).parents[1] / "fairsum_utils"
FAMILIES = {f"families.{path.parent.name}" for path in PACKAGE.glob("families/*/__init__.py")}
# What families build on; it knows none of them.
GROUND = {
    "_util", "cleaning", "families", "inference", "io", "measures", "stats", "text",
    "_version", "errors", "settings", "signature", "validation",
}  # fmt: skip

HEAVY = (
    "torch", "datasets", "evaluate", "transformers", "accelerate", "bert_score", "openai", "nltk", "pandas", "sklearn",
)  # fmt: skip

USE = """
import socket
def refuse(*_, **__): raise SystemExit("the network was used")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import fairsum_utils.inference.tasks, fairsum_utils.inference.chat, fairsum_utils.corpora.document_sets
import fairsum_utils.generation
from fairsum_utils import CoverageParity, EqualCoverage, score
columns = (["Tasty soup. Dr. Who left!"] * 2, [["Tasty soup!", "Cold soupsss, 'slow' service..."]] * 2)
score(
    *columns, [["pos", "neg"]] * 2, return_samples=True,
    metrics=["bur", "uer", "auc", "sof", EqualCoverage(entailer="lexical"), CoverageParity(entailer="lexical")],
)
score(["he"] * 4, groups=["a", "b"] * 2, metrics=["sentiment", "gender_polarity"])
"""


STATEMENT = re.compile(r"^[ \t]*((?:from \S+ )?import (?:\([^)]*\)|.+))$", re.MULTILINE)


@cache
def imported() -> list[tuple[Path, str]]:
    """Each file of the package with each name that it imports, wherever in it."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for statement in STATEMENT.findall(path.read_text(encoding="utf-8")):
            [node] = ast.parse(statement).body
            prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            found += [(path, prefix + alias.name) for alias in node.names]  # type: ignore[attr-defined]
    return found


def test_no_heavy_import_and_no_network(repository: Path) -> None:
    promise = "Importing the package and scoring without models use no network."
    assert promise in " ".join((repository / "SECURITY.md").read_text(encoding="utf-8").split())
    code = f"{USE}\nimport sys\nprint(*sorted(set(sys.modules) & set({HEAVY})))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


def needed(base: list[str]) -> set[str]:
    """Distributions that requirements bring with them, with the extras that these ask for."""
    found: set[tuple[str, str]] = set()
    waiting = named(base, "")
    while waiting:
        found.add(taken := waiting.pop())
        waiting |= named(requires(taken[0]) or [], taken[1]) - found
    return {name for name, _ in found}


def named(requirements: list[str], extra: str) -> set[tuple[str, str]]:
    """Names of required distributions, each with every extra that is asked for."""
    return {
        (canonicalize_name(requirement.name), one)
        for requirement in map(Requirement, requirements)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra})
        for one in ("", *requirement.extras)
    }


def modules_of(name: str) -> set[str]:
    """Names that a distribution is imported by."""
    try:
        listed = distribution(name).read_text("top_level.txt")
    except PackageNotFoundError:
        listed = None
    return {name.replace("-", "_"), *(listed or "").split()}


def test_what_is_imported_without_a_check_comes_with_the_package(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a file for one tool imports that tool so; others go by `require`. setup.py says what comes with it."""
    declared: dict[str, Any] = {}
    monkeypatch.setattr("setuptools.setup", lambda **metadata: declared.update(metadata))
    runpy.run_path(str(repository / "setup.py"))
    of_extras = {"gradio", "inspect-ai", "openai", "pytest"}
    of_extras |= {"arize-phoenix-evals", "deepeval", "evidently", "mlflow", "phoenix", "weave"}
    base = needed(declared["install_requires"])
    known = {module for name in base | of_extras for module in modules_of(name)}
    known |= {*sys.stdlib_module_names, PACKAGE.name}
    missing = {(name, file.name) for file, path in imported() if (name := path.partition(".")[0]) not in known}
    assert {"numpy", "jinja2", "datasets"} <= base
    assert missing == set()


def test_public_names() -> None:
    assert all(getattr(fairsum_utils, name) for name in fairsum_utils.__all__)
    with pytest.raises(AttributeError, match="module 'fairsum_utils' has no attribute 'fairness'"):
        _ = fairsum_utils.fairness


def room(names: tuple[str, ...]) -> str:
    """The part of the package that a module belongs to: a family, or what stands at the top."""
    family = ".".join(names[:2])
    return family if family in FAMILIES else names[0]


def part_of(file: Path) -> str:
    return room(file.relative_to(PACKAGE).with_suffix("").parts)


@cache
def imports() -> list[tuple[Path, str, str]]:
    """Each import of one part of the package by another: the file and the names of both parts."""
    ours = [(file, tuple(name.split(".")[1:])) for file, name in imported() if name.startswith(f"{PACKAGE.name}.")]
    return [(file, part_of(file), room(inside)) for file, inside in ours if room(inside) != part_of(file)]


def test_no_floor_imports_the_one_above() -> None:
    upward = [
        f"{file.relative_to(PACKAGE)} imports {target}"
        for file, part, target in imports()
        if (part in GROUND or part in FAMILIES)
        and target not in GROUND
        and target in {each for _, each, _ in imports()}
    ]
    assert upward == []
    assert {part for _, part, _ in imports()} >= FAMILIES  # or the test looks at nothing


def test_folders_form_no_circle_and_few_floors() -> None:
    reach: dict[str, set[str]] = {}
    for _, part, target in imports():
        if not {part, target} & {"__init__", "errors"} and not target.startswith("__"):
            reach.setdefault(part, set()).add(target)
    reach = {part: targets & reach.keys() for part, targets in reach.items()}
    floors = 0
    while reach:
        floors += 1
        done = [part for part in reach if not reach[part] & reach.keys()]
        assert done, f"folders import each other: {reach}"
        for part in done:
            del reach[part]
    assert floors <= 14, "without the entry point and what imports nothing"
