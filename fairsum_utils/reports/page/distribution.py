"""How what is told apart in samples spreads over them: a histogram a value, of which a script lets a range be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairsum_utils.reports.formats import as_html, escaped
from fairsum_utils.reports.marks import Bin, Scale, bins
from fairsum_utils.reports.page.marks import class_of, with_signs
from fairsum_utils.reports.tables import Table
from fairsum_utils.reports.worst import shortened
from fairsum_utils.validation import count

_WIDE, _HIGH = 640, 48
"""Pixels of a histogram before it is fitted to the page."""
_BINS = 32
"""Bins of a histogram, more or less: as many between any two ticks, and one around each tick."""


class _Bins(NamedTuple):
    """Bins of one width, the first around the first tick and the last around the last one.

    What is 0, and fair mostly, is so in the middle of a bin.
    """

    scale: Scale
    n: int

    @classmethod
    def over(cls, numbers: Sequence[float]) -> _Bins:
        scale = Scale.over(numbers, 0, _WIDE, apart=90)
        steps = round((scale.high - scale.low) / scale.step)
        return cls(scale, steps * max(round(_BINS / steps), 1) + 1)

    @property
    def wide(self) -> float:
        return (self.scale.high - self.scale.low) / (self.n - 1)

    def counted(self, numbers: Sequence[float]) -> list[Bin]:
        return bins(numbers, self.scale.low - self.wide / 2, self.wide, self.n)


def distribution_html(
    place: int, title: str, axis: str, values: Mapping[str, Sequence[float]], colours: Mapping[str, str]
) -> str:
    """The histograms of some values on one axis, their table, and the fields with which a range of them is chosen."""
    cut = _Bins.over([number for numbers in values.values() for number in numbers])
    counts = {value: cut.counted(numbers) for value, numbers in values.items()}
    rows = "".join(
        f'<div class="fs-spread"><div><bdi class="{class_of([colours.get(value, "accent")])}">'
        f"{with_signs(shortened(value))}</bdi> <small>{count(len(numbers), 'sample')}</small></div>"
        f"{_histogram(place, number, value, counts[value], cut.scale, colours.get(value, 'accent'))}</div>"
        for number, (value, numbers) in enumerate(values.items())
    )
    ticks = "".join(f"<span>{text}</span>" for _, text in cut.scale.ticks())
    table = Table(
        ["from", "to", *map(shortened, values)],
        [
            [alike[0].low, alike[0].high, *(of_value.n for of_value in alike)]
            for alike in zip(*counts.values(), strict=True)
            if any(of_value.n for of_value in alike)
        ],
    )
    said = axis[:1].upper() + axis[1:]
    options = "".join(
        f'<option value="{number}">{escaped(shortened(value))}</option>' for number, value in enumerate(values)
    )
    return (
        f'<div class="fs-distribution"><h3>{with_signs(title)}</h3><p class="fs-note">{with_signs(said)}</p>{rows}'
        f'<div class="fs-ticks" aria-hidden="true"><span></span><div>{ticks}</div></div>'
        f'<form class="fs-range" data-place="{place}" hidden><label>Samples whose number for '
        f'<select name="value">{options}</select></label> <label>is from <input name="low" type="number" step="any">'
        '</label> <label>to <input name="high" type="number" step="any"></label> '
        '<button type="reset">Any number</button></form>'
        f"<details><summary>Table</summary>{as_html([table])}</details></div>"
    )


def _histogram(place: int, number: int, value: str, counts: Sequence[Bin], scale: Scale, colour: str) -> str:
    most = max(each.n for each in counts)
    wide = _WIDE / len(counts)
    bars = "".join(
        f'<rect class="f-{colour}" x="{bin_ * wide + 1:g}" y="{_HIGH - high:g}" width="{wide - 2:g}" '
        f'height="{high:g}"/>'
        for bin_, (_, _, n) in enumerate(counts)
        if n
        for high in [max(round(n / most * (_HIGH - 2), 1), 2)]
    )
    low, high = counts[0].low, counts[-1].high
    lines = "".join(
        f'<line class="s-grid" x1="{x:g}" x2="{x:g}" y1="0" y2="{_HIGH}"/>'
        for tick, _ in scale.ticks()
        for x in [round((tick - low) / (high - low) * _WIDE, 2)]
    )
    said = f"{shortened(value)}: at most {count(most, 'sample')} in a bar; the table below has the numbers"
    return (
        f'<svg class="fairsum-drawing fs-histogram" role="img" aria-label="{escaped(said)}" '
        f'viewBox="0 0 {_WIDE} {_HIGH}" preserveAspectRatio="none" data-place="{place}" '
        f'data-value="{number}" data-low="{low:g}" data-high="{high:g}">{lines}{bars}'
        f'<line class="s-muted" x1="0" x2="{_WIDE}" y1="{_HIGH}" y2="{_HIGH}"/></svg>'
    )
