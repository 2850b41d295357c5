"""Charts of results and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fairsum_utils.families import by_family
from fairsum_utils.families.warnings import notes_of
from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports import tables, wording
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.panels import Bars, Curve, Curves, Drawing, Heat, Line, Mark, Panel, Part, Point, Points, Row
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.sample_charts import bur_over_tau, ratios_of, sample_ratios, spreads
from fairsum_utils.reports.tables import ALL
from fairsum_utils.reports.theme import colors_of
from fairsum_utils.reports.wording import fairer, has_number, short_name

# Titles of the charts of several scores, of one, and of one with an axis of its own
SCORES = ("Scores", "Score", "Score without an upper bound")
# Key of a result -> beginning of the text of this chance level
_CHANCE = {"{}_at_random": "random summaries of this length", "expected_{}": "expected with random labels"}


def draw(views: Sequence[tuple[str, Results]]) -> Drawing:
    """Draw results of measures of one family or several."""
    panels: list[Panel] = []
    lines: list[str] = []
    for title, view in views:
        for family, chosen in by_family(view):
            panels += [*panels_of(chosen), *spreads(chosen)]
            lines.append(report_of(family.name).opening(title, chosen))
    results = [result for _, view in views for result in view.values()]
    names = list(dict.fromkeys(name for _, view in views for name in view))
    grouped = [panel for panel in panels if panel.title not in SCORES]
    main = grouped[0] if len(results) == 1 and grouped else panels[0] if panels else None
    title = get_measure(names[0]).title if len(names) == 1 else ", ".join(map(short_name, names))
    below = [*dict.fromkeys(lines), *levels_of(panels, results), *notes_of(results)]
    return Drawing(title or "Nothing to draw", panels, below, main)


def draw_systems(document: Record, measures: Mapping[str, str] = {}) -> Drawing:
    """Draw the scores of systems and the tested differences.

    Args:
        document: comparison, see `fairsum_utils.reports.comparison.parts_of`.
        measures: label -> measure; labels that are missing are measures.
    """
    panels, results = system_panels(document, measures), document["metrics"]
    lines = [*wording.compared_counts(results), *levels_of(panels, [*results.values()])]
    title = f"{len(document['systems'])} systems compared"
    main = panels[-1] if len(results) == 1 else None
    return Drawing(title, panels, [*lines, *notes_of([*results.values(), document])], main)


def system_panels(document: Record, measures: Mapping[str, str] = {}) -> list[Panel]:
    """Return the charts of `draw_systems`."""
    return [
        panel
        for label, result in document["metrics"].items()
        for panel in _of_systems(label, measures.get(label, label), result, document["baseline"])
    ]


def _of_systems(label: str, name: str, result: Record, baseline: str | None) -> Iterator[Panel]:
    short, measure = short_name(name) if label == name else label, get_measure(name)
    systems = result["systems"]
    scores = {system: measure.unfairness(found["score"]) for system, found in systems.items()}
    # The fairest first; systems without a score last.
    order = sorted(scores, key=lambda system: (math.isnan(scores[system]), scores[system]))
    notes = {system: f"rank {found['rank']}" for system, found in systems.items() if found["rank"] is not None}
    rows = [
        Row(system, [Mark(systems[system]["score"], systems[system]["ci"])], notes.get(system, "")) for system in order
    ]
    yield Points(short, rows, f"Score; {fairer(name)}")
    rows = [
        Row(
            pair["system"] if baseline else f"{pair['system']} − {pair['baseline']}",
            [Mark(pair["difference"], pair["difference_ci"])],
            _p_of(pair["p_value_corrected"]),
        )
        for pair in result["differences"]
    ]
    other = baseline or "the other"
    sides = "" if measure.is_signed else f"; left of 0: fairer than {other}"
    yield Points(
        f"{short}: difference from {baseline}" if baseline else f"{short}: differences",
        rows,
        f"Score minus that of {other}{sides}. p is corrected by Holm's method",
        lines=[Line(0.0, "no difference")],
        even=True,
    )


def _p_of(value: float) -> str:
    return "" if math.isnan(value) else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def levels_of(panels: Iterable[Panel], results: Sequence[Record]) -> list[str]:
    """Describe the whiskers, if any are drawn."""
    rows = (row for panel in panels if isinstance(panel, Points) for row in panel.rows)
    if not any(mark.ends is not None for row in rows for mark in row.marks):
        return []
    levels = [result.get("settings", {}).get("confidence_level") for result in results]
    return [f"Whiskers: {100 * float(level):g}% intervals" for level in dict.fromkeys(levels) if level]


def panels_of(results: Results) -> list[Panel]:
    """Draw scores and declared figures of measures of one family, each title once."""
    report = report_of(get_measure(next(iter(results))).family)
    figures = tables.figures_of(report.completed(results))
    declared = (panel for name, each, columns in figures for panel in _declared(name, each, columns, results[name]))
    panels: dict[str, Panel] = {}
    for panel in (*score_panels(results), *declared):
        panels.setdefault(panel.title, panel)
    return [*panels.values()]


def _declared(name: str, figures: Figures, columns: Record, result: Record) -> Iterator[Panel]:
    """Draw declared figures, and what they draw of samples."""
    if figures.kind:
        yield from _KINDS[figures.kind](figures, columns, result)
    if figures.over and result.get("samples") and not math.isnan(result[name]):
        settings = result.get("settings", {})
        tau = settings.get("tau")
        if figures.over == "tau":
            yield bur_over_tau(result["samples"], settings.get("confidence_level"), tau)
        else:
            yield ratios_of(sample_ratios(result["samples"]), tau)


def score_panels(results: Results) -> list[Panel]:
    """Draw scores with intervals and chance; unbounded measures get their own axis."""
    bounded = [name for name in results if math.isfinite(get_measure(name).high)]
    panels: list[Panel] = []
    for names in (bounded, *([name] for name in results if name not in bounded)):
        rows = []
        for name in names:
            marks = [Mark(results[name][name], results[name].get(f"{name}_ci"))]
            levels = ((key.format(name), text) for key, text in _CHANCE.items())
            chance = [
                Mark(results[name][key], shape="tick", text=text)
                for key, text in levels
                if has_number(results[name], key)
            ]
            rows.append(Row(short_name(name), marks + chance[:1]))
        unit = "a fraction" if names is bounded else get_measure(names[0]).unit
        title = SCORES[0 if len(rows) > 1 else 1 if names is bounded else 2]
        if rows:
            panels.append(Points(title, rows, f"Score ({unit}); {fairer(*names)}"))
    return panels


def by_group(figures: Figures, columns: Record, result: Record) -> Iterator[Points]:
    """Draw figures by group as a measure declares them."""
    numbers, ends = columns[figures.key], columns.get(f"{figures.key}_ci", {})
    sign = {"": 0, "largest": -1, "smallest": 1}[figures.first]
    order = sorted(numbers, key=lambda group: (math.isnan(numbers[group]), sign * numbers[group], group))
    colors = _colors(numbers) if figures.heading == "group" else dict.fromkeys(numbers, "accent")
    rows = [
        Row(group, [Mark(numbers[group], ends.get(group), colors[group], "bar")], _n_of(figures, columns, group))
        for group in (order if sign else numbers)
    ]
    fair = 1 / len(numbers) if figures.are_shares else figures.base
    has_line = bool(figures.fair) and not (figures.are_shares and len(numbers) < 2)
    lines = [Line(fair, figures.fair)] * has_line
    axis = figures.axis.format(**result.get("settings", {}))
    yield Points(figures.title, rows, axis, figures.base, lines, even=has_line and fair == 0)


def _colors(groups: Iterable[str]) -> dict[str, str]:
    """Return the colors of groups; all samples together have none of these."""
    return {**colors_of(group for group in groups if group != ALL), ALL: "ink"}


def _n_of(figures: Figures, columns: Record, group: str) -> str:
    n = columns.get(figures.counts[0][1], {}).get(group) if figures.counts else None
    return f"n = {n}" if isinstance(n, int) else ""


def by_label(figures: Figures, columns: Record, result: Record) -> Iterator[Panel]:
    """Draw the share of each label by group.

    Labels that exclude each other are also parts of a bar.
    """
    shares, ends = columns[figures.key], columns.get(f"{figures.key}_ci", {})
    notes = {group: _n_of(figures, columns, group) for group in shares}
    colors = _colors(shares)
    if len(shares) > 1 and (parts := exclusive([*shares.values()])):
        stacks = [Row(group, [Mark(of[part.name]) for part in parts], notes[group]) for group, of in shares.items()]
        yield Bars(f"{figures.title}: what the texts are", parts, stacks, "Fraction of texts; fair: all groups alike")
    heads = {
        label: [
            Row(group, [Mark(of[label], ends.get(group, {}).get(label), colors[group], "bar")], notes[group])
            for group, of in shares.items()
        ]
        for label in next(iter(shares.values()))
    }
    yield Points(figures.title, headed(heads), figures.axis)


def by_cell(figures: Figures, columns: Record, result: Record) -> Iterator[Panel]:
    """Draw counts by row and column as shares of all."""
    counts = columns[figures.key]
    n = max(sum(count for row in counts.values() for count in row.values()), 1)
    numbers = [[count / n for count in row.values()] for row in counts.values()]
    yield Heat(figures.title, [*counts], [*next(iter(counts.values()))], numbers, figures.axis)


def along(figures: Figures, columns: Record, result: Record) -> Iterator[Panel]:
    """Draw numbers along the sources, those of random summaries last."""
    curves = [
        Curve(label, [Point((place + 0.5) / len(columns[key]), y) for place, y in enumerate(columns[key])], color)
        for (label, key), color in zip(figures.columns, ("accent", "muted"), strict=False)
        if key in columns
    ]
    yield Curves(figures.title, curves, figures.axis, "Share of the content, by tenth")


# Kind of figures -> function that draws them
_KINDS: Mapping[str, Callable[[Figures, Record, Record], Iterator[Panel]]] = {
    "bars": by_group,
    "labels": by_label,
    "heat": by_cell,
    "curve": along,
}


def headed(heads: Mapping[str, Iterable[Row]]) -> list[Row]:
    """Return rows below headings.

    Example:
        >>> [row.label for row in headed({"women": [Row("A"), Row("B")], "men": [Row("A")]})]
        ['women', 'A', 'B', 'men', 'A']
    """
    return [row for head, rows in heads.items() for row in (Row(head), *rows)]


_NEUTRAL = "neutral"
# Color and hatching of labels that exclude each other; groups have the first colors of the palette
_PARTS = (("v3", ""), ("v4", "///"), ("v6", "---"), ("v7", "\\\\\\"), ("v8", "|||"))


def exclusive(shares: Sequence[Mapping[str, float]]) -> list[Part]:
    """Return labels that exclude each other as parts; empty if texts have several.

    A text that is neither one nor the other is neutral: labels such as "toxic" and "insult" go together.

    Args:
        shares: label -> share of the texts of a group, for each group.
    """
    known = list(shares[0]) if shares else []
    others = [label for label in known if label != _NEUTRAL]
    is_whole = all(math.isclose(sum(of.values()), 1) for of in shares)
    if _NEUTRAL not in known or len(others) > len(_PARTS) or not is_whole:
        return []
    parts = [Part(label, *shape) for label, shape in zip(others, _PARTS, strict=False)]
    parts.insert(1, Part(_NEUTRAL, "grid"))
    return parts
