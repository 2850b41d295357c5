"""Installation commands, versions of packages, and the folders that come with the package."""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Name of the distribution.
NAME = "fairsum-utils"

# Distributions whose name on the package index is ours; no other is installed by its bare name. After a change run
# ``tools/build_documents.py``.
REGISTERED: frozenset[str] = frozenset()

_ROOT = Path(__file__).parents[2]


def folders() -> Path:
    """Return the folder that contains ``metrics/`` and ``datasets/``."""
    shipped = _ROOT / "fairsum_utils" / "_folders"
    return shipped if shipped.is_dir() else _ROOT


_REQUIREMENT = re.compile(r"""([\w.-]+)(?:\[[^]]*\])?[^;]*(?:;.*\bextra == ["']([\w-]+)["'])?""")


def install_command(*extras: str, again: bool = False) -> str:
    """Return the command that adds extras, from the original source.

    Example:
        >>> install_command("llm").startswith("pip install ") and "[llm]" in install_command("llm")
        True
    """
    wanted = f"[{','.join(extras)}]" if extras else ""
    install = "pip install --force-reinstall --no-deps" if again else "pip install"
    kind, place = origin()
    where = "" if place or NAME in REGISTERED else "  # in a checkout of fairsum"
    if kind == "editable":
        return f'{install} -e "{place}{wanted}"'
    if kind == "folder":
        return f'{install} "{place}{wanted}"'
    return f'{install} "{requirement(wanted, place)}"{where}'


def requirement(extras: str = "", address: str | None = None) -> str:
    """Return the requirement for pip: an address, name or checkout.

    Example:
        >>> requirement("[llm]", "https://example.org/fairsum_utils-0.1.0-py3-none-any.whl")
        'fairsum-utils[llm] @ https://example.org/fairsum_utils-0.1.0-py3-none-any.whl'
    """
    if address:
        return f"{NAME}{extras} @ {address}"
    return f"{NAME if NAME in REGISTERED else '.'}{extras}"


_WRITTEN = re.compile(rf'(^|pip install "|# From: )(?:\.|{NAME})(\[[\w,-]+\])?(?="|$)', re.MULTILINE)


def with_requirements(text: str, address: str | None = None) -> str:
    """Update requirements, install hints and ``# From:`` comments in a text.

    Example:
        >>> with_requirements("import fairsum_utils.modules  # From: .", "https://example.org/fairsum.whl")
        'import fairsum_utils.modules  # From: https://example.org/fairsum.whl'
    """

    def replaced(match: re.Match[str]) -> str:
        before, extras = match.groups("")
        bare = address if before == "# From: " else None  # it is unquoted in a command
        return before + (bare or requirement(extras, address))

    return _WRITTEN.sub(replaced, text)


def origin() -> tuple[str, str]:
    """Return the origin of the running package.

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
    """Return packages and versions by extra; the base has an empty name.

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
