"""Keys of records that had another name before: the former name still reads, with a warning, for one version.

What is written has the new name only: a file cannot warn, and two columns of the same numbers would outlive the change.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

FORMER: Mapping[str, str] = {
    "target_share": "summary_share",
    "score_chosen": "fairness_chosen",
    "score_rejected": "fairness_rejected",
}
"""Former name -> name of an entry of a record."""


def tell_renamed(former: str, name: str, stacklevel: int = 3) -> None:
    """Warn that something was asked for by its former name."""
    message = f"{former!r} is now called {name!r}; the former name goes with the next version"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)


class RenamedKeys(dict[str, Any]):
    """A record that can be read by the former names of its keys, which warns. It holds, lists and writes the new ones.

    Example:
        >>> record = RenamedKeys(summary_share=[1.0])
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     record["target_share"], record.get("target_share"), list(record)
        ([1.0], [1.0], ['summary_share'])
        >>> str(caught[0].message)
        "'target_share' is now called 'summary_share'; the former name goes with the next version"
    """

    def __missing__(self, key: str) -> Any:
        name = FORMER.get(key, key)
        if name not in self:
            raise KeyError(key)
        tell_renamed(key, name)
        return self[name]

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of a key, by its name or a former one."""
        name = FORMER.get(key, key)
        if key in self or name not in self:
            return super().get(key, default)
        tell_renamed(key, name)
        return self[name]


def under_new_names(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record of today or of the version before, such as a row of a file that was written then.

    Returns:
        The record itself, or where it has a former name, which warns, a copy with the new one.

    Example:
        >>> with warnings.catch_warnings(action="ignore"):
        ...     under_new_names({"index": 0, "target_share": [1.0]})
        {'index': 0, 'summary_share': [1.0]}
    """
    former = [key for key in FORMER if key in record and FORMER[key] not in record]
    for key in former:
        tell_renamed(key, FORMER[key], stacklevel=4)
    return {FORMER.get(key, key): entry for key, entry in record.items()} if former else record
