"""`evaluate` modules: folders, loading, installation."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._util.installation import folders, install_command
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS
from fairsum_utils.validation import describe


def metric_names() -> tuple[str, ...]:
    """Return the names of the `evaluate` modules.

    Example:
        >>> "bur" in metric_names()
        True
    """
    names = sorted(path.stem for path in folders().glob("metrics/*/*.py") if path.stem == path.parent.name)
    if not names:
        raise FairSumError(
            f"this copy of fairsum-utils, in {folders()}, was built without its metrics; reinstall it with: "
            + install_command(again=True)
        )
    return tuple(names)


def metric_folder(name: str) -> Path:
    """Return the folder of an `evaluate` module.

    Example:
        >>> (metric_folder("bur") / "bur.py").is_file()
        True
    """
    plain = str(name).removeprefix(f"{NAMESPACE}/")
    if plain not in metric_names():
        raise InputError(f"there is no module {name!r}; choose one of {', '.join(metric_names())}")
    return folders() / "metrics" / plain


def load(name: str, **options: Any) -> Any:
    """Load a module of this package, like `evaluate.load` but never from the Hub.

    Args:
        name: module, such as ``"bur"`` or ``"fairsum/bur"``.
        **options: options of `evaluate.load`, such as ``process_id``, ``num_process``, ``experiment_id``,
            ``keep_in_memory`` or ``cache_dir``; but no ``revision``, which is that of this package.

    Returns:
        The module, an ``evaluate.EvaluationModule``.

    Raises:
        InputError: there is no such module, or a ``revision`` is given.
    """
    folder = metric_folder(name)
    if options.get("revision") is not None:
        on_hub = f'; for the Hub\'s version use evaluate.load("{NAMESPACE}/{folder.name}", revision=...)'
        raise InputError(
            f"load: revision {options['revision']!r} is unavailable, because {folder.name} comes from the installed "
            f"package{on_hub if NAMESPACE_IS_OURS else '; leave it out'}"
        )
    import evaluate

    return evaluate.load(str(folder), **options)


# Environment variables that together keep `evaluate` from asking the Hub for a module.
OFFLINE = ("HF_EVALUATE_OFFLINE", "HF_HUB_OFFLINE")

# If the Hub does not answer, `evaluate` takes from its module cache the version whose script was changed last:
# <HF_MODULES_CACHE>/evaluate_modules/metrics/fairsum--bur/<64 characters>/bur.py
# File that marks a version as ours; others are `evaluate`'s or the user's, and stay.
_MARK = "INSTALLER"


def modules_folder() -> Path:
    """Return the folder in which `evaluate` keeps modules."""
    from evaluate import config

    return Path(config.HF_MODULES_CACHE, config.MODULE_NAME_FOR_DYNAMIC_MODULES, "metrics")


class ForeignModule(NamedTuple):
    """Module of a stranger under our name in the cache of `evaluate`.

    Attributes:
        name: name by which `evaluate` loads it, such as ``"fairsum/bur"``.
        origin: address or file that it was loaded from; empty if unknown.
        folder: folder of its script.
    """

    name: str
    origin: str
    folder: str


def foreign_modules(home: Path | None = None) -> list[ForeignModule]:
    """Find foreign modules under our name in the cache of `evaluate`.

    Args:
        home: folder in which `evaluate` keeps modules; None for that of this process.

    Returns:
        Modules whose script is neither installed by `install` nor equal to that of this package.
    """
    scripts = (modules_folder() if home is None else home).glob(f"{NAMESPACE}--*/*/*.py")
    return [foreign for script in sorted(scripts) if (foreign := foreign_module(script)) is not None]


def foreign_module(script: Path) -> ForeignModule | None:
    """Describe a script in the cache of `evaluate`; None unless it is foreign."""
    namespace, _, name = script.parents[1].name.partition("--")
    if namespace != NAMESPACE or script.stem != name or not script.is_file() or (script.parent / _MARK).is_file():
        return None
    if name in metric_names() and script.read_bytes() == (metric_folder(name) / script.name).read_bytes():
        return None
    # `evaluate` notes the file that it copied, and beside a downloaded file its address.
    copied = _noted(script.with_suffix(".json"), "original file path")
    return ForeignModule(f"{namespace}/{name}", _noted(Path(f"{copied}.json"), "url") or copied, str(script.parent))


def _noted(file: Path, key: str) -> str:
    """Read an entry of a JSON file; empty if there is none."""
    try:
        noted = json.loads(file.read_text(encoding="utf-8"))[key]
    except (OSError, ValueError, LookupError, TypeError):
        return ""
    return noted if isinstance(noted, str) else ""


def states(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Return the state of each installed module.

    Args:
        names: modules; None is all of them.
        namespace: part before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"current"``, ``"outdated"`` (another version, or not the one that `evaluate` would take) or
        ``"absent"``.

    Raises:
        InputError: an unknown name, or a namespace that the Hub would not have.
    """
    return {name: _state(name, folder) for name, folder in _places(names, namespace, metric_names()).items()}


def install(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Install modules for `evaluate`, replacing those of other versions.

    Args:
        names: modules; None is all of them.
        namespace: part before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"installed"``, ``"updated"`` or ``"unchanged"``.

    Raises:
        InputError: an unknown name, or a namespace that the Hub would not have.
    """
    before = states(names, namespace=namespace)
    for name, state in before.items():
        if state != "current":
            folder = modules_folder() / f"{namespace}--{name}"
            for version in _ours(folder):
                shutil.rmtree(version)
            _write(metric_folder(name) / f"{name}.py", folder)
    became = {"absent": "installed", "outdated": "updated", "current": "unchanged"}
    return {name: became[state] for name, state in before.items()}


def uninstall(names: Sequence[str] | None = None, *, namespace: str = NAMESPACE) -> dict[str, str]:
    """Remove everything that `install` added, in any version.

    Args:
        names: modules; None is all that are installed.
        namespace: part before the slash in ``evaluate.load("fairsum/bur")``.

    Returns:
        Name -> ``"removed"`` or ``"absent"``.

    Raises:
        InputError: a name that is neither known nor installed, or a namespace that the Hub would not have.
    """
    start = f"{namespace}--"
    installed = [path.name.removeprefix(start) for path in modules_folder().glob(f"{start}*") if _ours(path)]
    known = sorted({*metric_names(), *installed})
    places = _places(sorted(installed) if names is None and installed else names, namespace, known)
    for folder in places.values():
        for version in _ours(folder):
            shutil.rmtree(version)
        if folder.is_dir() and {path.name for path in folder.iterdir()} <= {"__init__.py", "__pycache__"}:
            shutil.rmtree(folder)
    return {name: "removed" if name in installed else "absent" for name in places if names or name in installed}


def _places(names: Sequence[str] | None, namespace: str, known: Sequence[str]) -> dict[str, Path]:
    """Name of a module -> its folder in the cache."""
    # `evaluate` writes "--" for the slash, and imports the name.
    if not isinstance(namespace, str) or not re.fullmatch(r"\w+(-\w+)*", namespace, re.ASCII):
        raise InputError(
            f"namespace must be a name on the Hub, of letters, digits and single dashes, found {describe(namespace)}"
        )
    if names is not None and (isinstance(names, str) or not names):
        raise InputError(f"names must be a list of module names, or None for all, found {describe(names)}")
    for name in names or ():
        if name not in known:
            raise InputError(f"there is no module {name!r}; choose one of {', '.join(known)}")
    home = modules_folder()
    return {name: home / f"{namespace}--{name}" for name in (known if names is None else names)}


def _ours(folder: Path) -> list[Path]:
    return sorted(mark.parent for mark in folder.glob(f"*/{_MARK}"))


def _state(name: str, folder: Path) -> str:
    """Compare the installed version with the shipped script and with other versions."""
    ours = _ours(folder)
    if not ours:
        return "absent"
    script, [version, *others] = metric_folder(name) / f"{name}.py", ours
    copy = version / script.name
    is_whole = (version / "__init__.py").is_file() and copy.is_file() and copy.read_bytes() == script.read_bytes()
    if others or not is_whole:
        return "outdated"
    changes = [path.stat().st_mtime_ns for path in folder.glob(f"*/{script.name}") if path != copy]
    return "current" if copy.stat().st_mtime_ns > max(changes, default=0) else "outdated"


def _write(script: Path, folder: Path) -> None:
    """Write a version that is newer than all others."""
    # `evaluate` itself would choose another digest, so that the two do not mix.
    version = folder / sha256(_MARK.encode() + script.read_bytes()).hexdigest()
    version.mkdir(parents=True, exist_ok=True)
    for importable in (folder.parent, folder, version):
        if not (importable / "__init__.py").exists():
            (importable / "__init__.py").touch()
    newer = [path.stat().st_mtime_ns + 10**9 for path in folder.glob(f"*/{script.name}")]
    (version / _MARK).write_text("fairsum-utils\n", encoding="utf-8")
    copy = Path(shutil.copyfile(script, version / script.name))
    at = max([time.time_ns(), *newer])
    os.utime(copy, ns=(at, at))
