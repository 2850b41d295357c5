"""How the package was installed: what installs an extra into the same place, and what is there of each extra."""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["NAME", "install_command", "origin", "packages"]

NAME = "fairsum-utils"
"""Of the distribution."""

_ROOT = Path(__file__).parents[1]

_REQUIREMENT = re.compile(r"""([\w.-]+)(?:\[[^]]*\])?[^;]*(?:;.*\bextra == ["']([\w-]+)["'])?""")


def install_command(*extras: str) -> str:
    """The command that adds extras to this installation: from the checkout, the file or the index that it came from.

    Args:
        *extras: names.

    Example:
        >>> install_command("hub").startswith("pip install ") and "[hub]" in install_command("hub")
        True
    """
    wanted = f"[{','.join(extras)}]" if extras else ""
    kind, place = origin()
    if kind == "editable":
        return f'pip install -e "{place}{wanted}"'
    if kind == "folder":
        return f'pip install "{place}{wanted}"'
    return f'pip install "{NAME}{wanted}{f" @ {place}" if place else ""}"'


def origin() -> tuple[str, str]:
    """Where the package that runs came from.

    Returns:
        ``editable`` or ``folder`` and its path; ``url`` and the address of a file or a repository; or ``index`` and
        nothing.
    """
    if (_ROOT / "setup.py").is_file():
        return "editable", str(_ROOT)  # a checkout runs as it lies there
    try:
        recorded = metadata.distribution(NAME).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        recorded = None
    try:
        direct = json.loads(recorded or "{}")
    except ValueError:
        direct = {}
    url = direct.get("url", "")
    if "dir_info" in direct:
        return "folder", unquote(urlsplit(url).path)
    if "vcs_info" in direct:
        return "url", f"{direct['vcs_info'].get('vcs', 'git')}+{url}"
    return ("url", url) if url else ("index", "")


def packages() -> dict[str, dict[str, str | None]]:
    """What each extra needs: extra -> package -> its version here, or None; the base is under an empty name.

    Empty where the package was not installed.
    """
    try:
        requirements = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        requirements = []
    needed: dict[str, dict[str, str | None]] = {}
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        if match is not None:
            needed.setdefault(match[2] or "", {})[match[1]] = _version(match[1])
    return needed


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
