"""Sessions of nox, which CI runs.

nox -s newest                      the README's two commands with the newest versions, ruff, mypy and tools/prose.py;
                                   then `fairsum publish` and its users: evaluate, datasets and huggingface_hub
nox -s oldest                      the same two commands with the oldest supported versions
nox -s oldest -- tests/metrics     the same with a part of the tests
nox -s newer                       the tests that need no model, with a newer Python, if this machine has one
nox -s docs                        the documentation site, into build/site
nox -s stacks                      other evaluation stacks, each in an environment of its own
nox -s nightly                     long tests of clusters and accidents, killed commands, fuzzing, tutorials
nox -s wheel -- dist/*.whl         the README's two commands with a built wheel, as before a release

All but `newest` install with uv, which is several times faster than pip and keeps packages for the next run.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
nox.options.envdir = "build/nox"
nox.options.sessions = ["newest", "oldest", "docs"]

# Sessions must not depend on the current contents of the Hub.
OFFLINE = {"HF_HUB_OFFLINE": "1"}
TESTS = ("pytest", "pytest-xdist", "hypothesis")


def commands() -> list[tuple[str, str]]:
    """Return the README's two commands: lines to install and to run."""
    blocks = re.findall(r"```bash\n(.*?)\n(.*?)\n```", Path("README.md").read_text(encoding="utf-8"))
    return blocks[:2]


def bash(session: nox.Session, command: str) -> None:
    """Run a command as a reader of the README would, in the session's environment."""
    session.run("bash", "-euxc", command, external=True, env=OFFLINE)


def newer_python() -> str:
    """Return a Python above the oldest supported one, also one that pyenv keeps."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob("3.1[2-9]*/bin/python")
    return str(max(kept, default=">=3.12"))


@nox.session(venv_backend="virtualenv")
def newest(session: nox.Session) -> None:
    """Run the README's commands, linters, and the newest packages of users."""
    (install, run), (install_tests, tests) = commands()
    for command in (install, run, install_tests):
        bash(session, command)

    def lint() -> None:
        session.run("ruff", "check")
        session.run("ruff", "format", "--check")
        session.run("mypy")
        session.run("python", "tools/prose.py")

    with ThreadPoolExecutor(1) as beside:
        linted = beside.submit(lint)
        bash(session, " ".join([tests, *session.posargs]))
        linted.result()
    if not session.posargs:
        bash(session, "FAIRSUM_LONG=1 python -m pytest tests/integrations/test_publish_end_to_end.py")


@nox.session
def oldest(session: nox.Session) -> None:
    """Run the README's commands with the oldest supported versions.

    The extra `test-oldest` leaves out packages without a version that fits the others.
    """
    constraints = dict.fromkeys(
        ("PIP_CONSTRAINT", "UV_CONSTRAINT"), str(Path("tests/constraints-oldest.txt").resolve())
    )
    for (install, run), more in zip(commands(), ([], session.posargs), strict=True):
        packages = install.removeprefix("python -m pip install ").replace("[test]", "[test-oldest]")
        session.install(*shlex.split(packages), env=constraints)
        bash(session, " ".join([run, *more]))


@nox.session(python=newer_python())
def newer(session: nox.Session) -> None:
    """Run the tests that need no model, with few examples of each property."""
    session.install("-e", ".", "-e", "./reproductions", "setuptools", *TESTS)
    session.run("python", "-m", "pytest", *session.posargs, env={**OFFLINE, "HYPOTHESIS_PROFILE": "few"})


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site without a warning, and test it."""
    session.install("-e", ".[docs]", "-e", "./reproductions", *TESTS)
    session.run("mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("python", "-m", "pytest", "tests/test_docs.py", env={"FAIRSUM_SITE": "build/site"})


# Evaluation stack -> what to install for it, and the tests against its real package.
STACKS = {
    "tasks": ([".[lm-eval,inspect]"], ["benchmarks", "inspect_ai", "lm_eval"]),
    "deepeval": ([".", "deepeval>=4.3"], ["hosts"]),
    "mlflow": ([".", "mlflow>=3.17"], ["hosts"]),
    "weave": ([".", "weave>=0.54"], ["hosts"]),
    "phoenix": ([".", "arize-phoenix-evals>=3.9"], ["hosts"]),
    "evidently": ([".", "evidently>=0.7.23", "pandas<3"], ["hosts"]),  # which imports what pandas 3 removed
}


@nox.session
@nox.parametrize("stack", [nox.param(name, id=name) for name in STACKS])
def stacks(session: nox.Session, stack: str) -> None:
    """Run measures inside other evaluation stacks, each installed alone."""
    (ours, *theirs), names = STACKS[stack]
    session.install("torch==2.13.0", "-e", ours, *theirs, *TESTS)
    session.run("python", "-m", "pytest", *(f"tests/integrations/test_{name}.py" for name in names), env=OFFLINE)


@nox.session
def nightly(session: nox.Session) -> None:
    """Run all tests, also long ones, kill commands, fuzz, and run the tutorials."""
    store = ("moto[s3]>=5", "flask>=3", "flask-cors>=4")  # speaks S3 on this machine
    more = ("polars>=1", "pandas>=2.2.3", "pyspark>=4", "rouge-score>=0.1.2")
    session.install("torch==2.13.0", "-e", ".[all]", "-e", "./reproductions", *store, *more, *TESTS)
    session.run("python", "-m", "pytest", "-n", "2", env={**OFFLINE, "FAIRSUM_LONG": "1"})
    session.install("-e", ".[docs]")
    session.run("python", "docs/tutorials.py", "--check")


@nox.session(venv_backend="virtualenv")
def wheel(session: nox.Session) -> None:
    """Run the README's commands with a wheel in place of the checkout's files."""
    built, *tests_only = session.posargs or session.error("name the wheel: nox -s wheel -- dist/*.whl")
    built = str(Path(built).resolve())
    tree = Path(session.create_tmp()).resolve() / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(".", tree, ignore=shutil.ignore_patterns(".git", "build", "dist", "*.egg-info", "fairsum_utils"))
    with zipfile.ZipFile(built) as files:
        files.extractall(tree)
    shutil.rmtree(tree / "fairsum_utils" / "_folders")  # tests of these folders build their own wheel
    (_, run), (_, tests) = commands()
    session.install(built)
    with session.chdir(session.create_tmp()):  # outside the checkout
        bash(session, run)
    session.install(f"{built}[test]", "-e", str(tree / "reproductions"))
    with session.chdir(tree):
        bash(session, " ".join([tests, *tests_only]))
