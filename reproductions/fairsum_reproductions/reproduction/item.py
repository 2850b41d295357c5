"""Printed numbers, recomputed numbers, and the resulting verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

Verdict: TypeAlias = Literal["equal", "near", "differs", "passed", "failed", "no file", "not reproduced"]

# Verdict -> what it means.
VERDICTS: Mapping[Verdict, str] = {
    "equal": "the printed digits, computed from published inputs",
    "near": "close to the printed number, computed from published inputs; the row explains the difference",
    "differs": "another number, computed from printed or published inputs",
    "passed": "a check against an unprinted constant, hash or model agrees",
    "failed": "such a check disagrees",
    "no file": "the published file is not in the folder",
    "not reproduced": "the inputs are not published or need a licence",
}

_FROM_WORST: tuple[Verdict, ...] = ("differs", "near", "equal")


class Number(NamedTuple):
    """A number with its printed counterpart.

    Attributes:
        got: computed number, unrounded.
        printed: the printed number, as the paper rounds it.
        within: largest distance at which it is still near.
        digits: printed digits behind the point; None for those of the shortest form.
    """

    got: float
    printed: float
    within: float = 0.0
    digits: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Compare with the printed digits.

        Example:
            >>> Number(0.20266, 0.2027).verdict, Number(0.21, 0.2027, 0.01).verdict, Number(0.3, 0.2027, 0.01).verdict
            ('equal', 'near', 'differs')
        """
        digits = len(repr(self.printed).partition(".")[2]) if self.digits is None else self.digits
        if round(self.got, digits) == self.printed:
            return "equal"
        return "near" if abs(self.got - self.printed) <= self.within else "differs"


class Below(NamedTuple):
    """A number with its printed upper bound."""

    got: float
    bound: float

    @property
    def verdict(self) -> Verdict:
        """Compare with the bound."""
        return "equal" if self.got < self.bound else "differs"


class Outcome(NamedTuple):
    """Result of computing an item.

    Attributes:
        got: text for the page, such as ``"20.27%"``.
        numbers: numbers that the verdict follows from.
        parts: the paper's table as far as the files allow it, where there is one.
        at_best: ``"near"`` where the paper prints no number to be equal to.
    """

    got: str
    numbers: Sequence[Number | Below]
    parts: Sequence[Part] = ()
    at_best: Verdict = "equal"

    @property
    def verdict(self) -> Verdict:
        """Worst verdict of its numbers."""
        return min([self.at_best, *(number.verdict for number in self.numbers)], key=_FROM_WORST.index)


class Item(NamedTuple):
    """One or several numbers that a paper prints, or a check.

    Attributes:
        what: its description, such as ``"BUR, GPT-4 on Yelp, n-grams"``.
        source: place in the paper.
        printed: the printed text, such as ``"20.27%"``.
        compute: function of the folder of published files; None where the inputs cannot be had.
        needs: paths of the files in that folder; none where printed figures are enough. Without `compute`, a
            description of the inputs.
        command: command that shows the number by itself; empty where only this one does.
        known: expected verdict; another one is reported as a change.
        check: True if it compares with something other than a printed number.
    """

    what: str
    source: str
    printed: str
    compute: Callable[[Path], Outcome] | None = None
    needs: Sequence[str] = ()
    command: str = ""
    known: Verdict = "equal"
    check: bool = False

    def verdict(self, outcome: Outcome | None) -> Verdict:
        """Judge an outcome; None where it was not computed."""
        if outcome is None:
            return "no file" if self.compute else "not reproduced"
        if self.check:
            return "failed" if outcome.verdict == "differs" else "passed"
        return outcome.verdict


def n_equal(numbers: Sequence[Number | Below]) -> int:
    """Count the numbers that come out as printed."""
    return sum(number.verdict == "equal" for number in numbers)


def percent(share: float, digits: int = 2) -> str:
    """Print a share as the papers do.

    Example:
        >>> percent(0.20266)
        '20.27%'
    """
    return f"{100 * share:.{digits}f}%"
