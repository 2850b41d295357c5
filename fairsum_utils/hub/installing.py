"""Put the modules where `evaluate` looks when the Hub does not answer, so that ``evaluate.load("fairsum/bur")`` works.

`evaluate` asks the Hub first. If the Hub cannot be reached, does not have the module or refuses it, `evaluate` takes
from its module cache the version whose script was changed last::

    <HF_MODULES_CACHE>/evaluate_modules/metrics/fairsum--bur/<64 characters>/bur.py

What is put there carries a mark, is complete before it appears under its name, and is newer than its neighbours.
Versions without the mark are those of `evaluate` or of the user, and stay as they are.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.hub.folders import NAMESPACE, metric_folder, metric_names
from fairsum_utils.validation import describe

_MARK, _MARKED = "INSTALLER", "fairsum-utils\n"
_VERSION_LENGTH = 64  # by which `evaluate` tells a version from anything else
_STAGING = "fairsum-staging"  # a version that is being written or removed


def install(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Put modules into the module cache of `evaluate`, in place of those of another version of this package.

    Args:
        names: modules; None is all of them.
        namespace: what stands before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"installed"``, ``"updated"`` or ``"unchanged"``.

    Raises:
        InputError: an unknown name, or a namespace that the Hub would not have.
        MissingDependencyError: `evaluate` is not installed.
    """
    places = _places(names, namespace)
    _make_importable(modules_folder())
    return {name: _install(script, folder) for name, (script, folder) in places.items()}


def uninstall(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Take out of the module cache what `install` put there, by any version of this package, and nothing else.

    Args:
        names: modules; None is all that are installed.
        namespace: what stands before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"removed"`` or ``"absent"``.

    Raises:
        InputError: a name that is neither known nor installed, or a namespace that the Hub would not have.
        MissingDependencyError: `evaluate` is not installed.
    """
    _check_namespace(namespace)
    paths = sorted(path for path in modules_folder().glob(f"{namespace}--*") if path.is_dir())
    folders = {path.name.removeprefix(f"{namespace}--"): path for path in paths}
    installed = [name for name, folder in folders.items() if _marked(folder)]
    chosen = installed if names is None else _chosen(names, sorted({*metric_names(), *installed}))
    for name, folder in folders.items():
        if (names is None or name in chosen) and (_marked(folder) or (folder / _STAGING).exists() or _is_shell(folder)):
            _uninstall(folder)
    return {name: "removed" if name in installed else "absent" for name in chosen}


def states(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Return the state of each module; change nothing.

    Args:
        names: modules; None is all of them.
        namespace: what stands before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"current"``, ``"outdated"`` (another version, or not the one that `evaluate` would take) or
        ``"absent"``.

    Raises:
        InputError: an unknown name, or a namespace that the Hub would not have.
        MissingDependencyError: `evaluate` is not installed.
    """
    return {name: _state(script, folder) for name, (script, folder) in _places(names, namespace).items()}


def modules_folder() -> Path:
    """Return the folder in which `evaluate` keeps modules."""
    from evaluate import config

    return Path(config.HF_MODULES_CACHE, config.MODULE_NAME_FOR_DYNAMIC_MODULES, "metrics")


def _places(names: Sequence[str] | None, namespace: str) -> dict[str, tuple[Path, Path]]:
    """Name of a module -> its script here, and its folder in the cache."""
    _check_namespace(namespace)
    scripts = {name: metric_folder(name) / f"{name}.py" for name in _chosen(names, metric_names())}
    home = modules_folder()
    return {name: (script, home / f"{namespace}--{name}") for name, script in scripts.items()}


def _check_namespace(namespace: str) -> None:
    # A dash between words only, because `evaluate` writes "--" for the slash; no dot, because it becomes an import.
    if not isinstance(namespace, str) or not re.fullmatch(r"\w+(-\w+)*", namespace, re.ASCII):
        raise InputError(
            f"namespace must be a name on the Hub, of letters, digits and single dashes, found {describe(namespace)}"
        )


def _chosen(names: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    if names is None:
        return list(known)
    if isinstance(names, str) or not names:
        raise InputError(f"names must be a list of names of modules, or None for all, found {describe(names)}")
    for name in names:
        if name not in known:
            raise InputError(f"there is no module {name!r}; choose one of {', '.join(known)}")
    return list(dict.fromkeys(names))


def _install(script: Path, folder: Path) -> str:
    """Make the version of `script` the one that `evaluate` takes, and the only one that is marked."""
    with _changing(folder):
        _make_importable(folder)
        before = _state(script, folder)
        if before != "current":
            version = _version(script, folder)
            if _is_whole(script, version):
                _make_newest(version / script.name)
            else:
                _discard(version)
                _write(script, version)
            for other in _marked(folder):
                if other != version:
                    _discard(other)
    return {"absent": "installed", "outdated": "updated", "current": "unchanged"}[before]


def _uninstall(folder: Path) -> None:
    with _changing(folder):
        for version in _marked(folder):
            _discard(version)
        if _is_shell(folder):
            with contextlib.suppress(PermissionError):  # Windows keeps a lock that is held
                _lock(folder).unlink()
            shutil.rmtree(folder)


def _state(script: Path, folder: Path) -> str:
    marked, version = _marked(folder), _version(script, folder)
    if not marked:
        return "absent"
    if marked != [version] or not _is_whole(script, version):
        return "outdated"
    changed = _last_changes(folder, script.name)
    mine = changed.pop(version)
    return "current" if all(mine > other for other in changed.values()) else "outdated"


def _version(script: Path, folder: Path) -> Path:
    """A folder that `evaluate` itself would never choose for the script, so that the two do not mix."""
    return folder / sha256(_MARKED.encode() + script.read_bytes()).hexdigest()


def _is_whole(script: Path, version: Path) -> bool:
    copy = version / script.name
    return (version / "__init__.py").is_file() and copy.is_file() and copy.read_bytes() == script.read_bytes()


def _marked(folder: Path) -> list[Path]:
    """The versions that this package put there."""
    return sorted(
        mark.parent
        for mark in folder.glob(f"*/{_MARK}")
        if len(mark.parent.name) == _VERSION_LENGTH and mark.read_text(encoding="utf-8") == _MARKED
    )


def _last_changes(folder: Path, name: str) -> dict[Path, int]:
    """When the script of each version was changed last, by which `evaluate` chooses."""
    scripts = (script for script in folder.glob(f"*/{name}") if len(script.parent.name) == _VERSION_LENGTH)
    return {script.parent: script.stat().st_mtime_ns for script in scripts}


def _is_shell(folder: Path) -> bool:
    """Does nothing remain but what makes a folder importable?"""
    return {path.name for path in folder.iterdir()} <= {"__init__.py", "__pycache__"}


@contextlib.contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """Keep `evaluate` and other runs out, under the lock that `evaluate` uses, and clear up after a killed run."""
    from evaluate.loading import FileLock

    with FileLock(str(_lock(folder))):
        if (folder / _STAGING).exists():
            shutil.rmtree(folder / _STAGING)
        yield


def _lock(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _make_importable(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "__init__.py").exists():
        (folder / "__init__.py").touch()


def _write(script: Path, version: Path) -> None:
    """Write a version under another name first, so that whatever has its name is complete."""
    staging = version.with_name(_STAGING)
    try:
        _make_importable(staging)
        (staging / _MARK).write_text(_MARKED, encoding="utf-8", newline="\n")
        shutil.copyfile(script, staging / script.name)
        _make_newest(staging / script.name)
        staging.rename(version)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _make_newest(script: Path) -> None:
    """Put the last change of a script a second after that of every other version; some file systems know no less."""
    changed = _last_changes(script.parent.parent, script.name)
    others = [at for version, at in changed.items() if version != script.parent]
    at = max([time.time_ns(), *(other + 10**9 for other in others)])
    os.utime(script, ns=(at, at))


def _discard(version: Path) -> None:
    """Remove a version, if it is there, so that at no time half of it has its name."""
    if version.exists():
        discarded = version.with_name(_STAGING)
        version.rename(discarded)
        shutil.rmtree(discarded)
