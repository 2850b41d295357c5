"""The package that Spaces install: a wheel of this version, or an address.

`publish` uploads the wheel into one repository of the namespace, as spaCy does with its pipelines, and everything else
refers to it. Once the package index has the package (`installation.REGISTERED`), its name is enough.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from fairsum_utils._util.installation import NAME, origin
from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError

_ADDRESS = re.compile(r"(?:git\+)?https://[\w.-]+(?::\d+)?/[\w./%@+~-]+")
_DISTRIBUTION = NAME.replace("-", "_")
_START = f"{_DISTRIBUTION}-{__version__}-"


def is_address(package: str) -> bool:
    """Check whether pip can install the package from an address.

    Raises:
        InputError: it is neither an address nor a wheel of this version.
    """
    if _ADDRESS.fullmatch(package):
        return True
    path = Path(package)
    if path.name.startswith(_START) and path.suffix == ".whl" and path.is_file():
        return False
    raise InputError(
        f"publish: --package must be a file {_START}py3-none-any.whl or an address such as https://<host>/<wheel> or "
        "git+https://<host>/<repository>@<commit>, without user, password or query"
    )


def own_address() -> str | None:
    """Return the https address of the installed wheel, or None."""
    kind, place = origin()
    return place if kind == "url" and place.endswith(".whl") and _ADDRESS.fullmatch(place) else None


def is_wheel(path: str) -> bool:
    """Check whether a file is a wheel of the package, of any version."""
    return path.startswith(f"{_DISTRIBUTION}-") and path.endswith(".whl")


def read_wheel(package: str | None) -> tuple[str, bytes]:
    """Return name and contents of a wheel; None builds it from the checkout."""
    if package is not None:
        return Path(package).name, Path(package).read_bytes()
    kind, place = origin()
    if kind not in ("editable", "folder"):
        raise InputError(f"publish: {NAME} was not installed from a checkout; set --package to its wheel or address")
    with temporary_folder() as folder:
        # Files of earlier builds stay out, and the same files make the same wheel.
        (folder / "build.cfg").write_text(f"[build]\nbuild_base = {folder / 'build'}\n", encoding="utf-8")
        settings = {"DIST_EXTRA_CONFIG": str(folder / "build.cfg"), "SOURCE_DATE_EPOCH": "315532800"}
        done = subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, place],
            env={**os.environ, **settings}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        wheels = [*folder.glob(f"{_START}*.whl")]
        if done.returncode or not wheels:
            reason = " ".join(done.stderr.split())[-300:]
            raise FairSumError(
                f"publish: pip could not build a wheel from {place} ({reason}); build one with another tool, such as "
                "`python -m build --wheel`, and set --package to the file"
            )
        return wheels[0].name, wheels[0].read_bytes()


def wheel_card(address: str) -> str:
    """Write the README.md of the repository with the wheels."""
    return f"""\
---
license: apache-2.0
tags:
- evaluate
- fairness
- summarization
---

# {NAME}

Wheels of fairsum: measures of fairness and bias for summaries and generated text. The Spaces of this owner install the
package from here.

```bash
pip install "{NAME} @ {address}"
pip install "{NAME}[neural] @ {address}"   # with models
```
"""
