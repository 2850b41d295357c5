"""Common settings of measures that are computed together."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any

from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import Setting, frozen


class Agreed:
    """Settings of several measures, which agree in all that they share.

    It reads like one of them: a setting or property is that of the first measure that has it.

    Args:
        measures: measures with different names.

    Example:
        >>> from fairsum_utils.measures import get_measure
        >>> both = Agreed([get_measure("uer")(k=2), get_measure("bur")(k=2, tau=0.9)])
        >>> both.k, both.tau, both.keyed("bur")["tau"]
        (2, 0.9, 0.9)
    """

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.measures = tuple(measures)

    def __getattr__(self, name: str) -> Any:
        if name == "measures":
            raise AttributeError(name)
        for measure in self.measures:
            if hasattr(measure, name):
                self.__dict__[name] = getattr(measure, name)  # measures are frozen, and rows ask often
                return self.__dict__[name]
        raise AttributeError(f"none of {', '.join(self.names)} has {name}")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(each.name for each in self.measures)

    def of(self, measure: str) -> Measure:
        """Return one of the measures by name."""
        return next(each for each in self.measures if each.name == measure)

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model scores samples with the given columns."""
        return any(each.uses_model(given) for each in self.measures)

    @property
    def needs_all_rows(self) -> bool:
        """True if a record depends on the rows of other samples."""
        return any(each.needs_all_rows for each in self.measures)

    def keyed(self, measure: str, *left_out: str) -> dict[str, object]:
        """Return the settings of a measure by signature key, see `Measure.keyed`."""
        return self.of(measure).keyed(measure, *left_out)

    def infos(self) -> dict[str, Setting]:
        """Describe the settings of all."""
        return {name: info for each in reversed(self.measures) for name, info in each.infos().items()}

    def replace(self, **changes: Any) -> Agreed:
        """Copy with changes, each made where a measure has the field."""
        copies = []
        for each in self.measures:
            known = {"module", *type(each).model_fields}
            copies.append(each.replace(**{name: value for name, value in changes.items() if name in known}))
        return Agreed(copies)

    def seeded(self) -> Agreed:
        """Copy with a fresh seed if none is given."""
        return self if self.seed is not None else self.replace(seed=secrets.randbits(32))

    def sized(self, n_samples: int) -> Agreed:
        """Copy with the units of the bootstrap, see `Resampling.sized`."""
        return Agreed([each.sized(n_samples) for each in self.measures])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agreed) and self.measures == other.measures

    def __hash__(self) -> int:
        return hash(self.measures)


def agreed(measures: Sequence[Measure]) -> Any:
    """Return what measures have in common: the one itself, or `Agreed`."""
    return measures[0] if len(measures) == 1 else Agreed(measures)


def agree(one: Measure, other: Measure, stage: str) -> bool:
    """Check whether two measures of a reader agree in the settings that they share.

    Example:
        >>> from fairsum_utils.measures import get_measure
        >>> agree(get_measure("bur")(k=1), get_measure("uer")(k=2), "rows")
        False
    """
    theirs = other.infos()
    names = (name for name, info in one.infos().items() if info.stage == stage and name in theirs)
    return one.reader == other.reader and all(
        frozen(getattr(one, name)) == frozen(getattr(other, name)) for name in names
    )
