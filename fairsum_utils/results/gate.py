"""Results of monitoring, and sample sizes that rules need."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.results.record import Run
from fairsum_utils.results.results import Results, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.svg import Drawing
    from fairsum_utils.reports.tables import Part

ALARM, QUIET, UNDECIDED = "alarm", "quiet", "undecided"
"""Statuses of a monitor."""

EXIT_STATUS = {QUIET: 0, ALARM: 1, UNDECIDED: 3}
"""Status -> exit status of the command; 2 means bad input."""

_WINDOW_COLUMNS = ("measure", "window", "score", "low", "high", "n_samples", "evidence", "alarm")
"""Columns of a data frame."""


class Monitored(Results):
    """Result of `Monitor.results`: a dict of findings by label, with views.

    Each has ``status`` (``"alarm"``, ``"quiet"`` or ``"undecided"``), ``alarm`` (the window at which the evidence first
    reached the bar, or None), ``since`` (the window with which the change most likely began), ``baseline``,
    ``evidence`` (the maximum so far) and ``bar``, ``visible`` (the smallest shift since the first window that these
    windows would have detected in about four of five streams) and ``windows``, each with ``name``, ``score``, ``ci``,
    ``n_samples``, ``evidence`` and ``alarm``.

    Attributes:
        status: Any alarm, else any undecided, else quiet.
        about: Status and settings of the monitor.
        title: Name of the baseline.
        run: Record of the run.
    """

    kind = "monitor"
    has_scores = False

    def __init__(
        self, results: Mapping[str, Any], /, *, title: str, about: Mapping[str, Any], run: Run | None = None
    ) -> None:
        super().__init__(results)
        self.title, self.about, self.run = title, dict(about), run or Run()

    @property
    def status(self) -> str:
        """Any alarm, else any undecided, else quiet."""
        return str(self.about["status"])

    @property
    def exit_status(self) -> int:
        """Exit status of ``fairsum monitor``: 0 quiet, 1 alarm, 3 undecided."""
        return EXIT_STATUS[self.status]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row per measure and window.

        Returns:
            A data frame with ``measure``, ``window``, ``score``, ``low`` and ``high`` (its interval, NaN without one),
            ``n_samples``, ``evidence`` and ``alarm``.
        """
        rows = []
        for label, result in self.items():
            for window in result["windows"]:
                low, high = window["ci"] or (math.nan, math.nan)
                score = math.nan if window["score"] is None else window["score"]
                numbers = (label, window["name"], score, low, high)
                told = (window["n_samples"], window["evidence"], window["alarm"])
                rows.append(dict(zip(_WINDOW_COLUMNS, (*numbers, *told), strict=True)))
        return frame(rows, _WINDOW_COLUMNS)

    def _measures(self) -> dict[str, str]:
        return {label: result["measure"] for label, result in self.items()}

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.monitoring import parts_of

        return parts_of({**self._titles(), "metrics": dict(self)})

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.figures import draw_monitored

        return draw_monitored(self.title, {label: self[label] for label in labels})

    def _title(self) -> str:
        return self.title

    def _titles(self) -> dict[str, Any]:
        return {"baseline": self.title, **self.about}


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
