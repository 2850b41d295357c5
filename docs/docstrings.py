"""A griffe extension for worked examples ("Example:") and formulas (":math:") in docstrings."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Docstrings(griffe.Extension):
    """Extension that converts docstrings."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Convert the docstring of an object."""
        if obj.docstring:
            text = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.M)
            obj.docstring.value = re.sub(r":math:`(.+?)`", r"$\1$", text, flags=re.S)
