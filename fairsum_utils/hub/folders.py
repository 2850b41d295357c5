"""Folders of the modules and data set scripts, and loading a module from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import FairSumError, InputError

NAMESPACE = "fairsum"
"""Under which the modules and data sets are published on the Hub."""

_PACKAGE = Path(__file__).parents[1]


def metric_names() -> tuple[str, ...]:
    """The names of the `evaluate` modules.

    Example:
        >>> "bur" in metric_names()
        True
    """
    return _names("metrics")


def metric_folder(name: str) -> Path:
    """The folder of an `evaluate` module: its script, card, demo and requirements.

    Args:
        name: such as ``"bur"`` or, as on the Hub, ``"fairsum/bur"``.

    Raises:
        InputError: there is no such module.

    Example:
        >>> (metric_folder("bur") / "bur.py").is_file()
        True
    """
    return _folder("metrics", "module", name)


def dataset_names() -> tuple[str, ...]:
    """The names of the data sets that have a script.

    Example:
        >>> "bold" in dataset_names()
        True
    """
    return _names("datasets")


def dataset_folder(name: str) -> Path:
    """The folder of a data set: its script and card.

    Args:
        name: such as ``"bold"`` or, as on the Hub, ``"fairsum/bold"``.

    Raises:
        InputError: there is no such data set.

    Example:
        >>> dataset_folder("fairsum/bold") == dataset_folder("bold")
        True
    """
    return _folder("datasets", "data set", name)


def _names(kind: str) -> tuple[str, ...]:
    """The folders that hold a script named like them."""
    names = tuple(sorted(path.parent.name for path in _root().glob(f"{kind}/*/*.py") if path.stem == path.parent.name))
    if not names:
        raise FairSumError(
            f"this copy of fairsum-utils, in {_PACKAGE}, was built without its {kind}; install it again with: "
            + install_command(again=True)
        )
    return names


def _folder(kind: str, noun: str, name: str) -> Path:
    names = _names(kind)
    plain = str(name).removeprefix(f"{NAMESPACE}/")
    if plain not in names:
        raise InputError(f"there is no {noun} {name!r}; choose one of {', '.join(names)}")
    return _root() / kind / plain


def _root() -> Path:
    """Return the folder that holds ``metrics/`` and ``datasets/``."""
    shipped = _PACKAGE / "_folders"
    return shipped if shipped.is_dir() else _PACKAGE.parent


def load(name: str, **options: Any) -> Any:
    """Load a module from any folder and without a network, as `evaluate.load` loads it from the Hub.

    Args:
        name: such as ``"bur"`` or ``"fairsum/bur"``.
        **options: those of `evaluate.load`, such as ``process_id``, ``num_process``, ``experiment_id``,
            ``keep_in_memory`` or ``cache_dir``; but no ``revision``, which is that of this package.

    Returns:
        The module, an ``evaluate.EvaluationModule``.

    Raises:
        InputError: there is no such module, or a ``revision`` is given.
    """
    folder = metric_folder(name)
    if options.get("revision") is not None:
        raise InputError(
            f"load: revision {options['revision']!r} cannot be had, since {folder.name} is loaded from the installed "
            f'package; for the Hub\'s use evaluate.load("{NAMESPACE}/{folder.name}", revision=...)'
        )
    import evaluate

    return evaluate.load(str(folder), **options)
