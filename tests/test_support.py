"""The oldest supported versions: what is promised in setup.py is what `nox -s oldest` runs."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

TORCH = "torch"  # only one build of it runs in CI


def floors(setup: Path) -> dict[str, str]:
    """Package -> least version, of the base and of the extras that the oldest versions are run with."""
    found: list[str] = []
    for node in ast.walk(ast.parse(setup.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "NEURAL":
                found += ast.literal_eval(node.value)
            elif node.targets[0].id == "OTHERS":
                others = ast.literal_eval(node.value)
                found += [*others["llm"], *others["sampling"]]
        elif isinstance(node, ast.keyword) and node.arg == "install_requires":
            found += ast.literal_eval(node.value)
    pairs = [re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement) for requirement in found]
    assert None not in pairs, found
    return {pair[1]: pair[2] for pair in pairs if pair and pair[1] != TORCH}


def without_zeros(versions: dict[str, str]) -> dict[str, str]:
    return {name: re.sub(r"(\.0)+$", "", version) for name, version in versions.items()}


def test_the_floors_are_what_is_run(repository: Path) -> None:
    lines = (repository / "tests" / "constraints-oldest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    promised = floors(repository / "setup.py")
    assert len(promised) > 10
    assert without_zeros(pinned) == without_zeros(promised)


def test_the_page_on_installing_names_what_the_base_needs_and_every_extra_for_users(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record: dict[str, Any] = {}
    monkeypatch.setattr("setuptools.setup", lambda **metadata: record.update(metadata))
    names = runpy.run_path(str(repository / "setup.py"))
    page = (repository / "docs" / "pages" / "how-to" / "install.md").read_text(encoding="utf-8")
    base = page.split("The base install needs ")[1].split(". `")[0].lower()
    for requirement in record["install_requires"]:
        assert re.split("[>=]", requirement)[0].lower() in base
    users = set(record["extras_require"]) - set(names["NOT_FOR_USERS"]) - {"all"}
    assert users
    assert {extra for extra in users if f"[{extra}]`" not in page} == set()
