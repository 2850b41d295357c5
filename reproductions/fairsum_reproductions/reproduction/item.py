"""A number of a paper, and how it comes out here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

Verdict: TypeAlias = Literal["equal", "near", "differs", "no file", "not reproduced"]

VERDICTS: Mapping[Verdict, str] = {
    "equal": "the printed digits come out, from published inputs",
    "near": "computed from published inputs, and different by what is said",
    "differs": "computed from what is printed or published, and another number",
    "no file": "the published file is not in the folder that was given",
    "not reproduced": "the inputs are not published or need a licence, so that the number is quoted for context only",
}
"""Verdict -> what it means."""


class Outcome(NamedTuple):
    """How a number comes out.

    Attributes:
        got: in the words of the page, such as ``"20.27 %"``.
        verdict: ``"equal"``, ``"near"`` or ``"differs"``.
        parts: the paper's table as far as the files allow it, where there is one.
    """

    got: str
    verdict: Verdict
    parts: Sequence[Part] = ()


class Item(NamedTuple):
    """A number, or several of a kind, that a paper prints.

    Attributes:
        what: it is, and of what, such as ``"BUR, GPT-4 on Yelp, n-grams"``.
        source: where the paper has it.
        printed: there, in its words, such as ``"20.27 %"``.
        compute: from the folder of published files; None where what would be needed cannot be had.
        needs: paths of the files in that folder; none where printed figures are enough. Where `compute` is None, what
            would be needed, in words.
        command: that shows the number by itself; empty where only this one does.
        known: the verdict that is expected; another one is told as a change.
    """

    what: str
    source: str
    printed: str
    compute: Callable[[Path], Outcome] | None = None
    needs: tuple[str, ...] = ()
    command: str = ""
    known: Verdict = "equal"


def judged(got: float, printed: float, *, within: float) -> Verdict:
    """Whether a number is a printed one.

    Args:
        got: unrounded.
        printed: as the paper rounds it; its digits are told by its shortest form.
        within: how far off it may be and still be near.

    Example:
        >>> judged(0.20266, 0.2027, within=0.01), judged(0.21, 0.2027, within=0.01), judged(0.3, 0.2027, within=0.01)
        ('equal', 'near', 'differs')
    """
    digits = len(repr(printed).partition(".")[2])
    if round(got, digits) == printed:
        return "equal"
    return "near" if abs(got - printed) <= within else "differs"


def percent(share: float, digits: int = 2) -> str:
    """A share as the papers print it.

    Example:
        >>> percent(0.20266)
        '20.27 %'
    """
    return f"{100 * share:.{digits}f} %"
