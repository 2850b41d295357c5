"""What asking for power gives back: how many samples or originals rules need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.results.run import Run
from fairsum_utils.results.shown import Results, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

__all__ = ["Needs"]

_COLUMNS = (
    *("rule", "expected", "outcome", "unit", "n", "n_each", "n_now"),
    *("pass_now", "fail_now", "undecided_now", "reason"),
)
"""Of a data frame."""


class Needs(Results):
    """What `fairsum_utils.power` gives: rule -> what it needs, a dict that shows and saves itself.

    Each has ``unit``, what is counted: ``"sample"``, or ``"original"`` with all of its samples; ``expected``, what the
    rule's left side adds up to in truth; ``effect``, of a p-value, the score that makes it so; ``outcome``, ``"pass"``
    or ``"fail"``, what enough of them lead to, or ``"never"`` with a ``reason``; ``n``, how many this takes, None for
    never; ``n_each``, with a baseline, how many both sides take if they have as many; ``n_now``, those of the results,
    and ``now``, the chances of ``pass``, ``fail`` and ``undecided`` of as many; ``method``, ``"binomial"`` or
    ``"normal"``, and ``deviation``, that of one of them.

    ``by_replicates`` is None but for measures of inputs that may be summarized several times: ``now``, the summaries of
    an input, on average; ``needs``, for several numbers of them (``replicates``) the originals that the rule takes
    (``n``); ``undefined``, why that cannot be told.

    Attributes:
        power: that was wanted.
        title: what was scored.
        run: how it came about.
    """

    kind = "power"
    has_scores = False

    def __init__(self, needs: Mapping[str, Any], /, *, title: str, power: float, run: Run | None = None) -> None:
        super().__init__(needs)
        self.title, self.power, self.run = title, power, run or Run()

    @property
    def is_drawn(self) -> bool:
        """They are figures that no drawing would say better."""
        return False

    def to_pandas(self) -> pandas.DataFrame:
        """A row a rule.

        Returns:
            A data frame with ``rule``, ``expected``, ``outcome``, ``unit``, ``n``, ``n_each``, ``n_now``, ``pass_now``,
            ``fail_now``, ``undecided_now`` and ``reason``.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        rows = []
        for rule, need in self.items():
            now = {f"{outcome}_now": chance for outcome, chance in (need["now"] or {}).items()}
            rows.append({name: {"rule": rule, **need, **now}.get(name) for name in _COLUMNS})
        return frame(rows, _COLUMNS)

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

    def _document(self) -> dict[str, Any]:
        return {**self._titles(), "kind": self.kind, "metrics": dict(self), "run": self.run.described(None)}
