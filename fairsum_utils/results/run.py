"""How results came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.measures import measure_names

__all__ = ["Asked", "Run", "whole_record"]


@contextmanager
def whole_record(where: str) -> Iterator[None]:
    """Say in one line of a record of results that it is none, whatever somebody has made of it.

    Args:
        where: opens the message.

    Raises:
        InputError: in place of what a record raises that lacks something, or holds something else.
    """
    try:
        yield
    except FairSumError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError) as error:
        raise InputError(
            f"{where} cannot be read as results ({type(error).__name__}: {error}); if it was changed by hand, give "
            "what fairsum score or fairsum compare wrote"
        ) from error


class Asked(NamedTuple):
    """What was asked for under a label.

    Attributes:
        measure: its name.
        given: setting -> value, see `fairsum_utils.results.run_record.plain`.
        used: the same with what the caller added to it.
    """

    measure: str
    given: Mapping[str, Any]
    used: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """How results came about.

    Attributes:
        asked: label -> what was asked for under it.
        inputs: see `fairsum_utils.results.run_record.describe_input`; empty for what was in memory.
        columns: that were scored.
        began: seconds since the epoch.
        seconds: that it took.
        read: all of this as a file has it, where the results were read from one.
        data: column -> its entries, that were scored: no copies, and only where records of the samples were asked for.
            It is in no file, and gets lost when results are pickled.
    """

    asked: Mapping[str, Asked] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()
    columns: Sequence[str] = ()
    began: float = 0.0
    seconds: float = 0.0
    read: Mapping[str, Any] | None = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "data": {}}

    def measure(self, label: str, result: Mapping[str, Any]) -> str:
        """The measure that a label stands for.

        Raises:
            InputError: it is that of no measure.
        """
        read = self.read.get("settings", {}).get(label, {}).get("measure") if self.read else None
        names = (self.asked[label].measure if label in self.asked else read, *result, label)
        found = next((name for name in names if name in measure_names()), None)
        if found is None:
            raise InputError(f"{label!r} is no result of a measure, as fairsum_utils.score has it")
        return str(found)

    def described(self, n_rows: int | None) -> dict[str, Any]:
        """As a file has it.

        Args:
            n_rows: that were scored in memory.
        """
        from fairsum_utils.results.run_record import describe_settings, record

        if self.read is not None:
            return dict(self.read)
        in_memory = {"path": None, "columns": list(self.columns), "rows": n_rows}
        settings = {label: describe_settings(*asked) for label, asked in self.asked.items()}
        return record(self.inputs or [in_memory], settings, self.began, self.seconds)
