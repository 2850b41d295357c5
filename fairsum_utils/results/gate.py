"""Sample sizes that rules need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.results.record import Run
from fairsum_utils.results.results import Results, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.svg import Drawing
    from fairsum_utils.reports.tables import Part

_NEED_COLUMNS = (
    *("rule", "expected", "outcome", "unit", "n", "n_each", "n_now"),
    *("pass_now", "fail_now", "undecided_now", "reason"),
)
"""Columns of a data frame."""


class Needs(Results):
    """Result of `fairsum_utils.power`: a dict of needs by rule, with views.

    Each has ``unit``, the counted unit: ``"sample"``, or ``"original"`` with all of its samples; ``expected``, the
    assumed true value of the rule's left side; for a p-value ``effect``, the assumed score; ``outcome``, the outcome
    with enough units, ``"pass"`` or ``"fail"``, or ``"never"`` with a ``reason``; ``n``, the required number of units,
    None for never; with a baseline ``n_each``, the required number on each side if both have the same; ``n_now``, the
    number in the results, and ``now``, the chances of ``pass``, ``fail`` and ``undecided`` with that number;
    ``method``, ``"binomial"`` or ``"normal"``, and ``deviation``, the standard deviation of one unit.

    ``by_replicates`` is None, except for measures whose inputs may have several summaries: ``now``, the mean number of
    summaries per input; ``needs``, the originals that the rule needs (``n``) for several numbers of summaries
    (``replicates``); ``undefined``, the reason if these are unknown.

    Attributes:
        power: Wanted power.
        title: Name of the scored data.
        run: Record of the run.
    """

    kind = "power"
    has_scores = False

    def __init__(self, needs: Mapping[str, Any], /, *, title: str, power: float, run: Run | None = None) -> None:
        super().__init__(needs)
        self.title, self.power, self.run = title, power, run or Run()

    @property
    def is_drawn(self) -> bool:
        """False: such results cannot be drawn."""
        return False

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row per rule.

        Returns:
            A data frame with ``rule``, ``expected``, ``outcome``, ``unit``, ``n``, ``n_each``, ``n_now``, ``pass_now``,
            ``fail_now``, ``undecided_now`` and ``reason``.
        """
        rows = []
        for rule, need in self.items():
            now = {f"{outcome}_now": chance for outcome, chance in (need["now"] or {}).items()}
            rows.append({name: {"rule": rule, **need, **now}.get(name) for name in _NEED_COLUMNS})
        return frame(rows, _NEED_COLUMNS)

    def _measures(self) -> dict[str, str]:
        return {}

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.needs import parts_of

        return parts_of({**self._titles(), "metrics": dict(self)})

    def _draw(self, labels: Sequence[str]) -> Drawing:
        raise InputError("power: there is nothing to draw; print it, or save it")

    def _title(self) -> str:
        return self.title

    def _titles(self) -> dict[str, Any]:
        return {"file": self.title, "power": self.power}
