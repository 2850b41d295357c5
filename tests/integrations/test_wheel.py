"""The source distribution and the wheel hold the folders, and an installed wheel loads from them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..conftest import takes_long

pytestmark = takes_long

ROOT = Path(__file__).parents[2]
BUILD_SDIST = "import sys, setuptools.build_meta; setuptools.build_meta.build_sdist(sys.argv[1])"
LOAD = """
import json, socket, sys
def refuse(*_, **__):
    raise AssertionError("something tried to reach the network")
socket.socket.connect = socket.getaddrinfo = refuse
sys.modules["transformers"] = None  # evaluate would import it, which takes long
import evaluate
del sys.modules["transformers"]
import datasets, fairsum_utils
from fairsum_utils.integrations.modules import metric_folder, metric_names
bur = fairsum_utils.load("bur", keep_in_memory=True)
result = bur.compute(predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])
places = [datasets.__file__, fairsum_utils.__file__, str(metric_folder("bur"))]
print(json.dumps([result["bur"], metric_names(), places]))
"""


class Built(NamedTuple):
    sdist: Path
    wheel: Path


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a process of this Python without a package index."""
    process = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A source distribution of a copy of the repository, where building leaves its traces, and a wheel made from it."""
    folder = tmp_path_factory.mktemp("build")
    copy, output = folder / "copy", folder / "dist"
    for part in ("fairsum_utils", "metrics", "datasets"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / part, copy)
    for junk in ("metrics/bur/__pycache__", "datasets/__pycache__"):
        (copy / junk).mkdir()
        (copy / junk / "junk.py").touch()
    (copy / "metrics/bur/bur.pyc").touch()
    output.mkdir()
    run("-c", BUILD_SDIST, output, cwd=copy)
    [sdist] = output.glob("*.tar.gz")
    run("-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", output, sdist, cwd=folder)
    [wheel] = output.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def folders() -> set[str]:
    """The files of the repository that are to be shipped."""
    kinds = (ROOT / kind for kind in ("metrics", "datasets"))
    files = (path for kind in kinds for path in kind.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in files}


def test_source_distribution_holds_the_folders(built: Built, folders: set[str]) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    assert {name for name in names if name.startswith(("metrics/", "datasets/"))} == folders
    assert {"metrics/bur/bur.py", "metrics/bur/README.md", "datasets/bold/bold.py"} <= folders


def test_wheel_holds_the_folders_as_data(built: Built, folders: set[str]) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        names = archive.namelist()
        packages = archive.read(next(name for name in names if name.endswith("/top_level.txt"))).decode().split()
        same = archive.read("fairsum_utils/_folders/metrics/bur/bur.py") == (ROOT / "metrics/bur/bur.py").read_bytes()
    shipped = "fairsum_utils/_folders/"
    assert {name.removeprefix(shipped) for name in names if name.startswith(shipped)} == folders
    assert same
    assert packages == ["fairsum_utils"]
    assert {name.split("/")[0].split("-")[0] for name in names} == {"fairsum_utils"}
    assert {"fairsum_utils/__init__.py", "fairsum_utils/py.typed"} <= {*names}


def test_installed_wheel_loads_from_any_folder(built: Built, folders: set[str], light: Any, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run("-m", "pip", "install", "--no-deps", "--no-compile", "--set", f"target={site}", built.wheel, cwd=elsewhere)
    places = {"PYTHONPATH": str(site), "HF_HOME": str(tmp_path / "huggingface")}
    done = light.start(["-c", LOAD], elsewhere, **places).wait()
    assert done.returncode == 0, done.stderr
    bur, names, (library, *places) = json.loads(done.stdout)
    assert bur == 1.0
    scripts = (name.split("/")[1:] for name in folders if name.startswith("metrics"))
    assert names == sorted(folder for folder, file in scripts if file == f"{folder}.py")
    assert not Path(library).is_relative_to(site)
    # Hints name the wheel that is installed.
    hint = "from fairsum_utils._util import installation; print(installation.install_command('neural'))"
    message = run("-c", hint, cwd=elsewhere, PYTHONPATH=str(site)).strip()
    assert message == f'pip install "fairsum-utils[neural] @ {built.wheel.as_uri()}"'
    package = site / "fairsum_utils"
    assert [Path(place).relative_to(package).as_posix() for place in places] == [
        "__init__.py",
        "_folders/metrics/bur",
    ]
