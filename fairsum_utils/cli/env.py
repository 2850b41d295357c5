"""`fairsum env`: versions, packages and caches for bug reports, without secrets."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Options, command
from fairsum_utils.cli.outputs import output_options, write_document

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part


# Variables that keep libraries from the network.
OFFLINE = ("HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE")

_MODULES = "modules of evaluate"

# Extras that are not for users, or that only combine others.
_HIDDEN = ("test-oldest", "test", "docs", "all")


@command(*output_options())
def env(options: Options) -> int:
    """Show versions, packages, caches and variables, without secrets.

    examples:
      fairsum env
      fairsum env --format json
    """
    document = environment()
    write_document(options, document, parts_of(document), read={})
    return 0


def environment() -> dict[str, Any]:
    """Return versions, extras, caches and variables."""
    from fairsum_utils._util.installation import install_command, origin, packages
    from fairsum_utils._version import __version__
    from fairsum_utils.integrations.modules import foreign_modules
    from fairsum_utils.io.downloads import download_folder

    home = Path(os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface")
    folders = {
        "fairsum": download_folder(),
        "models and data of the Hub": Path(os.environ.get("HF_HUB_CACHE") or home / "hub"),
        _MODULES: Path(os.environ.get("HF_MODULES_CACHE") or home / "modules"),
    }
    foreign = foreign_modules(folders[_MODULES].expanduser() / "evaluate_modules" / "metrics")
    return {
        "fairsum-utils": __version__,
        "installed": " ".join(origin()).strip(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "encoding": sys.stdout.encoding,
        "extras": {name: needed for name, needed in packages().items() if name not in _HIDDEN},
        "install": install_command("EXTRA"),
        "caches": {
            what: {"folder": str(folder.expanduser()), "bytes": _size(folder.expanduser())}
            for what, folder in folders.items()
        },
        "offline": {name: os.environ.get(name) for name in OFFLINE},
        "foreign_modules": [module._asdict() for module in foreign],
    }


def parts_of(document: dict[str, Any]) -> list[Part]:
    """Return the parts of the environment report."""

    extras = [
        [name or "(base)", ", ".join(f"{package} {version or '-'}" for package, version in needed.items())]
        for name, needed in document["extras"].items()
    ]
    caches = [f"{what}: {one['folder']} ({_readable(one['bytes'])})" for what, one in document["caches"].items()]
    offline = ", ".join(f"{name}={value}" for name, value in document["offline"].items() if value is not None)
    return [
        [
            f"fairsum-utils {document['fairsum-utils']} ({document['installed']})",
            f"{document['implementation']} {document['python']}, {document['platform']}, {document['encoding']}",
        ],
        [f"{name}: {needed}" for name, needed in extras],
        [f"- is not installed; to install an extra: {document['install']}"],
        ["caches:", *(f"  {line}" for line in caches)],
        [f"offline: {offline or 'no'}"],
        [
            f"{one['name']} in the cache of evaluate is not ours: it came from {one['origin'] or 'an unknown place'}; "
            f"remove {one['folder']}"
            for one in document["foreign_modules"]
        ],
    ]


def _size(folder: Path) -> int:
    """Count the bytes in a folder, without links and unreadable files."""
    total = 0
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            with suppress(OSError):  # it may be gone by now
                total += 0 if path.is_symlink() else path.stat().st_size
    return total


def _readable(size: int) -> str:
    """Write a number of bytes with a unit."""
    if not size:
        return "empty"
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size //= 1000
    return f"{size} GB"
