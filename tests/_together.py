"""Settings of several measures, as a pass makes them of what each was given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairsum_utils.measures import get_measure
from fairsum_utils.measures._agreed import agreed


def together(measures: Iterable[str], **given: Any) -> Any:
    """Give each measure what it takes; a setting that none takes is refused by the last."""
    kinds = [get_measure(name) for name in measures]
    known = {name for kind in kinds for name in (*kind.infos(), "module")}
    own = [{name: value for name, value in given.items() if name in kind.infos() or name == "module"} for kind in kinds]
    own[-1] |= {name: value for name, value in given.items() if name not in known}
    return agreed([kind(**settings) for kind, settings in zip(kinds, own, strict=True)])
