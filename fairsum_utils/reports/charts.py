"""Charts of results and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.families import by_family
from fairsum_utils.families.warnings import unique_messages
from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.panels import (
    Bars,
    Curve,
    Curves,
    Distribution,
    Drawing,
    Group,
    Heat,
    Histogram,
    Line,
    Mark,
    Panel,
    Part,
    Point,
    Points,
    Row,
    distinct_parts,
)
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import compared_counts, figures_of, has_number, is_significant, number, short_name
from fairsum_utils.reports.theme import VALUES, colors_of

# Titles of the panels of several scores, of one, and of one with an axis of its own
SCORES = ("Scores", "Score", "Score without an upper bound")
_NO_DIFFERENCE = Line(0.0, "no difference")


def draw(views: Sequence[tuple[str, Results]]) -> Drawing:
    """Draw results of measures of one family or several."""
    panels: list[Panel] = []
    lines: list[str] = []
    results: list[Record] = []
    for title, view in views:
        for family, chosen in by_family(view):
            panels += [*panels_of(family.name)(chosen), *spreads(chosen)]
            lines.append(report_of(family.name).opening(title, chosen))
            results += chosen.values()
    names = list(dict.fromkeys(name for _, view in views for name in view))
    by_group = [panel for panel in panels if panel.title not in SCORES]
    main = by_group[0] if len(results) == 1 and by_group else panels[0] if panels else None
    title = get_measure(names[0]).title if len(names) == 1 else ", ".join(map(short_name, names))
    said = [*dict.fromkeys(lines), *levels_of(panels, results)]
    return Drawing(title or "Nothing to draw", panels, said, notes_of(results), main)


def draw_systems(document: Record, measures: Mapping[str, str] = {}) -> Drawing:
    """Draw the scores of systems and the tested differences.

    Args:
        document: Comparison, see `fairsum_utils.reports.comparison.parts_of`.
        measures: Label -> measure; labels that are missing are measures.
    """
    panels = system_panels(document, measures)
    results = [*document["metrics"].values()]
    lines = [*compared_counts(document["metrics"]), *levels_of(panels, results)]
    title = f"{len(document['systems'])} systems compared"
    main = panels[-1] if len(results) == 1 else None
    return Drawing(title, panels, lines, notes_of([*results, document]), main)


def system_panels(document: Record, measures: Mapping[str, str] = {}) -> list[Panel]:
    """Return the charts of `draw_systems`."""
    return [
        panel
        for label, result in document["metrics"].items()
        for panel in _of_systems(label, measures.get(label, label), result, document["baseline"])
    ]


def _of_systems(label: str, name: str, result: Record, baseline: str | None) -> Iterator[Panel]:
    short, measure = short_name(name) if label == name else label, get_measure(name)
    scores = {system: found["score"] for system, found in result["systems"].items()}
    # The fairest first; systems without a score last.
    order = sorted(scores, key=lambda system: (math.isnan(scores[system]), measure.unfairness(scores[system])))
    rows = []
    for system in order:
        found = result["systems"][system]
        rank = "" if found["rank"] is None else f"rank {found['rank']}"
        rows.append(Row(system, [Mark(found["score"], found["ci"])], rank))
    yield Points(short, rows, f"Score; {best([name])}")
    if baseline is None and len(order) > 2:
        yield _matrix(short, name, result, order)
    differences = [
        Row(
            pair["system"] if baseline else f"{pair['system']} − {pair['baseline']}",
            [Mark(pair["difference"], pair["difference_ci"])],
            _p_of(pair["p_value_corrected"]),
        )
        for pair in result["differences"]
    ]
    less = baseline or "the other"
    sides = _sides([name], f"left of 0: fairer than {less}")
    yield Points(
        f"{short}: difference from {baseline}" if baseline else f"{short}: differences",
        differences,
        f"Score minus that of {less}{sides}. p is corrected by Holm's method",
        lines=[_NO_DIFFERENCE],
        even=True,
    )


def _matrix(short: str, name: str, result: Record, systems: Sequence[str]) -> Heat:
    """Return all differences as a heat map, the fairest system first."""
    places = {system: place for place, system in enumerate(systems)}
    numbers: list[list[float | None]] = [[None] * len(systems) for _ in systems]
    framed = [[False] * len(systems) for _ in systems]
    for pair in result["differences"]:
        system, other = places[pair["system"]], places[pair["baseline"]]
        numbers[system][other], numbers[other][system] = pair["difference"], -pair["difference"]
        framed[system][other] = framed[other][system] = is_significant(name, result, pair)
    fair = "closer to 0 is fairer" if get_measure(name).is_signed else "below 0: the row's is fairer"
    return Heat(
        f"{short}: row minus column",
        systems,
        systems,
        numbers,
        f"Score of the row's system minus that of the column's; {fair}",
        written=lambda number: f"{number:.3f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.2f}",
        framed=framed,
        notes=["Framed: differs significantly, by p corrected by Holm's method."] if any(map(any, framed)) else [],
    )


def _sides(measures: Iterable[str], sides: str) -> str:
    """Say which side of 0 is fairer, unless a measure is fairest at 0."""
    return "" if any(get_measure(name).is_signed for name in measures) else f"; {sides}"


def _p_of(value: float) -> str:
    return "" if math.isnan(value) else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def levels_of(panels: Iterable[Panel], results: Sequence[Record]) -> list[str]:
    """Describe the whiskers, if any are drawn."""
    rows = (row for panel in panels if isinstance(panel, Points) for row in panel.rows)
    if not any(mark.ends is not None for row in rows for mark in row.marks):
        return []
    levels = [result.get("settings", {}).get("confidence_level") for result in results]
    return [f"Whiskers: {100 * float(level):g}% intervals" for level in dict.fromkeys(levels) if level]


def notes_of(results: Sequence[Any]) -> list[str]:
    """Return the warnings of results."""
    return [f"Note: {message}." for message in unique_messages(results)]


def best(measures: Iterable[str]) -> str:
    """Describe which scores are the fairer ones.

    Example:
        >>> best(["bur", "uer"]), best(["distinguishability"])
        ('lower is fairer, 0 at best', 'closer to 0 is fairer')
    """
    signed = any(get_measure(name).is_signed for name in measures)
    return "closer to 0 is fairer" if signed else "lower is fairer, 0 at best"


def score_panels(results: Results, expected: Mapping[str, tuple[float, str]] = {}) -> list[Points]:
    """Draw scores with intervals; unbounded measures get their own axis."""
    chance = "random summaries of this length"
    at_random = {name: f"{name}_at_random" for name in results if has_number(results[name], f"{name}_at_random")}
    expected = {**expected, **{name: (results[name][key], chance) for name, key in at_random.items()}}
    bounded = [name for name in results if math.isfinite(get_measure(name).high)]
    panels = []
    for names in (bounded, *([name] for name in results if name not in bounded)):
        rows = []
        for name in names:
            marks = [Mark(results[name][name], results[name].get(f"{name}_ci"))]
            if name in expected:
                marks.append(Mark(expected[name][0], shape="tick", text=expected[name][1]))
            rows.append(Row(short_name(name), marks))
        unit = "a fraction" if names is bounded else get_measure(names[0]).unit
        title = SCORES[0 if len(rows) > 1 else 1 if names is bounded else 2]
        if rows:
            panels.append(Points(title, rows, f"Score ({unit}); {best(names)}"))
    return panels


def worst_first(figures: Mapping[str, float]) -> list[str]:
    """Sort values by their figure, the largest first and undefined ones last.

    Example:
        >>> worst_first({"a": 0.1, "b": float("nan"), "c": 0.2})
        ['c', 'a', 'b']
    """
    return sorted(figures, key=lambda value: (math.isnan(figures[value]), -figures[value], value))


def by_value(
    title: str,
    figures: Mapping[str, float],
    axis: str,
    *,
    order: Sequence[str] | None = None,
    ends: Mapping[str, Sequence[float]] | None = None,
    counts: Mapping[str, int] | None = None,
    base: float = 0.0,
    lines: Sequence[Line] = (),
    even: bool = False,
) -> Points:
    """Draw a bar for each value, in the color of the value."""
    colors = colors_of(figures)
    rows = [
        Row(
            value,
            [Mark(figures[value], (ends or {}).get(value), colors[value], "bar")],
            "" if counts is None else f"n = {counts[value]}",
        )
        for value in (figures if order is None else order)
    ]
    return Points(title, rows, axis, base, lines, even)


def figures_panel(figures: Figures, result: Record, **options: Any) -> Points:
    """Draw the figures of a measure by group; options as in `by_value`."""
    numbers = result[figures.drawn or figures.columns[0][1]]
    fair = 1 / max(len(numbers), 1) if figures.are_shares else 0.0
    has_line = bool(figures.fair) and not (figures.are_shares and len(numbers) < 2)
    lines = [Line(fair, figures.fair)] if has_line else []
    even = has_line and not figures.are_shares
    return by_value(figures.title, numbers, figures.axis, lines=lines, even=even, **options)


def spreads(results: Results) -> list[Histogram]:
    """Draw the distributions of a family's measures, equal ones once."""
    made: dict[str, Histogram] = {}
    for name, result in results.items():
        panel = spread(name, result.get("samples", ()))
        if panel is not None and all(panel.groups != other.groups for other in made.values()):
            made[name] = panel
    if len(made) == 1:
        return [panel._replace(title="Distribution over samples") for panel in made.values()]
    return [*made.values()]


def spread(name: str, records: Sequence[Record]) -> Histogram | None:
    """Draw the distribution of groups over samples; None without numbers.

    Example:
        >>> persons = [{"group": "f", "included": True}, {"group": "m", "included": False}]
        >>> records = [{"skipped": None, "entities": persons}]
        >>> [(group.name, group.numbers) for group in spread("entity_inclusion", records).groups]
        [('f', [1.0]), ('m', [0.0])]
    """
    report = report_of(get_measure(name).family)
    numbers: dict[str, list[float]] = {}
    for record in records:
        for group, value in report.spread(name, record).items():
            numbers.setdefault(group, []).append(value)
    title = f"{short_name(name)}: distribution over samples"
    return Histogram(title, distributions(numbers), report.axis(name)) if numbers else None


def distributions(numbers: Mapping[str, Sequence[float]]) -> list[Distribution]:
    """Return the numbers of values or groups, by name, in their colors."""
    colors = colors_of(numbers)
    return [Distribution(name, numbers[name], colors[name]) for name in sorted(numbers)]


def panels_of(family: str) -> Callable[[Results], list[Panel]]:
    """Return the function that draws results of a family.

    Example:
        >>> panels_of("coverage").__name__
        '_coverage'
    """
    return _BY_FAMILY.get(family, _any)


def _any(results: Results) -> list[Panel]:
    panels: list[Panel] = [*score_panels(results)]
    for name, result in results.items():
        for key in (f"{name}_by_value", f"{name}_by_group"):
            if key in result:
                panels.append(by_value(short_name(name), result[key], "Mean of its samples"))
    return panels


def _coverage(results: Results) -> list[Panel]:
    """Draw scores, the score of random labels, and differences by group."""
    text = "Equal Coverage expected with random labels"
    key = "expected_equal_coverage"
    panels: list[Panel] = [
        *score_panels(results, {name: (result[key], text) for name, result in results.items() if key in result})
    ]
    order = None
    for name, result in results.items():
        figures = figures_of(name)
        if order is None:
            drawn = result[figures.drawn or figures.columns[0][1]]
            order = worst_first({value: -figure for value, figure in drawn.items()})
        panels.append(figures_panel(figures, result, order=order, counts=result[figures.counts]))
    return panels


def _entities(results: Results) -> list[Panel]:
    """Draw scores, figures by group, and log odds ratios of entity inclusion."""
    panels: list[Panel] = [*score_panels(results)]
    for name, result in results.items():
        figures = get_measure(name).figures or Figures(((name, f"{name}_by_group"),), "By group", name)
        panels.append(figures_panel(figures, result, ends=result.get(f"{name}_by_group_ci")))
        rows = [
            Row(f"{pair['group_a']} over {pair['group_b']}", [Mark(pair["log_odds_ratio"], pair.get("ci"))])
            for pair in result.get("log_odds_ratios") or ()
        ]
        axis = "Log odds ratio; right of 0: persons of the first group are named more"
        if rows:
            panels.append(Points("Odds of being named", rows, axis, lines=[Line(0.0, "equal odds")], even=True))
    return panels


_TAUS = [place / 40 for place in range(41)]


def _representation(results: Results) -> list[Panel]:
    """Draw scores, figures and ratios by group, and BUR over tau."""
    name, result = next(iter(results.items()))
    figures = figures_of(name)
    axis = f"{figures.axis.format(**result.get('settings', {}))}; lower is fairer"
    order = worst_first(result[figures.columns[0][1]])
    ratio = by_value(
        "Share in the summary over desired share",
        result["ratio_by_value"],
        "Ratio, mean of a group's samples; left of 1: less than desired, right of 1: more",
        order=order,
        base=1.0,
        lines=[Line(1.0, "desired share")],
    )
    by = figures_panel(figures._replace(axis=axis), result, order=order, counts=result[figures.counts])
    panels: list[Panel] = [*score_panels(results), by, ratio]
    kept = [result for name, result in results.items() if result.get("samples") and not math.isnan(result[name])]
    if kept:
        chosen = [result.get("settings", {}) for result in kept]
        taus = {settings["tau"] for settings in chosen if "tau" in settings}
        tau = taus.pop() if len(taus) == 1 else None
        panels.append(ratios_of(sample_ratios(kept[0]["samples"]), tau))
        if any(figures_of(name).over_tau for name in results):
            panels.append(bur_over_tau(kept[0]["samples"], chosen[0].get("confidence_level"), tau))
    return panels


def bur_over_tau(records: Iterable[Record], level: float | None, tau: float | None = None) -> Curves:
    """Draw the share of unfair samples for every tolerance.

    Source: Zhang et al. 2024, equations 1 and 3: AUC is the area below the first line.
    """
    import numpy as np

    from fairsum_utils.measures.bur import binary_unfair, underrepresented
    from fairsum_utils.stats.arrays import padded
    from fairsum_utils.stats.intervals import share_interval

    def points(flags: Iterable[Any], level: float | None) -> Iterator[Point]:
        for at, flagged in zip(_TAUS, flags, strict=True):
            n, unfair = len(flagged), int(flagged.sum())
            ends = None if level is None else share_interval(unfair, n, level)
            yield Point(at, unfair / n if n else math.nan, ends)

    scored = [record for record in records if record["skipped"] is None]
    shares: dict[str, list[tuple[float, float]]] = {}
    for record in scored:
        for value, given, desired in zip(
            record["values"], record["summary_share"], record["desired_share"], strict=True
        ):
            shares.setdefault(value, []).append((given, desired))
    p_y, p_g = (padded([record[key] for record in scored]) for key in ("summary_share", "desired_share"))
    curves = [Curve("any group", [*points((binary_unfair(p_y, p_g, at) for at in _TAUS), level)], "ink")]
    colors = colors_of(shares)
    for value in sorted(shares) if 1 < len(shares) <= len(VALUES) else ():
        of_value = np.array(shares[value]).T
        flags = (underrepresented(of_value[0], of_value[1], at) for at in _TAUS)
        curves.append(Curve(value, [*points(flags, None)], colors[value]))
    return Curves(
        "BUR over tau",
        curves,
        "Tolerance tau: a value is underrepresented below tau times its desired share; lower is fairer",
        "Fraction of samples; of a group: of its samples",
        lines=_at(tau),
        notes=[f"Band: {100 * level:g}% intervals, for each tau by itself."] if level is not None else [],
    )


def ratios_of(
    numbers: Mapping[str, Sequence[float]],
    tau: float | None = None,
    title: str = "Share in the summary over desired share: distribution",
) -> Histogram:
    """Draw how ratios of shares spread over the samples of each value.

    Source: Zhang et al. 2024, figure 4.
    """
    axis = "Ratio; left of 1: less than desired, right of 1: more"
    return Histogram(title, distributions(numbers), axis, [*_at(tau), Line(1.0, "desired share")], most=3.0)


def _at(tau: float | None) -> list[Line]:
    return [] if tau is None else [Line(tau, f"tau = {tau:g}")]


def sample_ratios(records: Iterable[Record]) -> dict[str, list[float]]:
    """Return value -> ratio in each of its samples."""
    numbers: dict[str, list[float]] = {}
    for record in records:
        if record["skipped"] is None:
            for value, ratio in zip(record["values"], record["ratio"], strict=True):
                numbers.setdefault(value, []).append(ratio)
    return numbers


_NEUTRAL = "neutral"
# Color and hatching of labels that exclude each other; groups have the first colors of the palette
_PARTS = (("v3", ""), ("v4", "rising"), ("v6", "level"), ("v7", "falling"), ("v8", "upright"))


def _polarity(results: Results) -> list[Panel]:
    """Draw the share of each label by group."""
    panels: list[Panel] = []
    for name, result in results.items():
        groups, shares = result["n_by_group"], result["proportions_by_group"]
        parts = _exclusive(
            result["proportions"], ((sum(result["counts_by_group"][group].values()), n) for group, n in groups.items())
        )
        if parts and groups:
            bars = [
                Group(group, [shares[group][part.name] for part in parts], f"n = {n}") for group, n in groups.items()
            ]
            title = f"{get_measure(name).title}: what each group's texts are"
            panels.append(Bars(title, parts, bars, "Fraction of a group's texts; fair: all groups alike", filled=True))
        panels.append(_of_labels(name, result))
        if len(groups) > 2 and {"male", "female"} <= set(result["proportions"]):  # figure 2 of the paper
            differences = {group: shares[group]["male"] - shares[group]["female"] for group in groups}
            panels.append(
                by_value(
                    "Male minus female, by group",
                    differences,
                    "Fraction of texts on men minus that on women; right of 0: more on men",
                    order=worst_first(differences),
                    counts=groups,
                    lines=[Line(0.0, "as many")],
                    even=True,
                )
            )
    return panels


def _exclusive(labels: Iterable[str], counts: Iterable[tuple[int, int]]) -> list[Part]:
    """Return mutually exclusive labels as parts; empty if texts have several.

    A text that is neither one nor the other is neutral: labels such as "toxic" and "insult" go together.
    """
    known = [*labels]
    others = [label for label in known if label != _NEUTRAL]
    if _NEUTRAL not in known or len(others) > len(_PARTS) or any(n_labels != n for n_labels, n in counts):
        return []
    parts = [Part(label, *shape) for label, shape in zip(others, _PARTS, strict=False)]
    parts.insert(1, Part(_NEUTRAL, "grid"))
    return parts


def _of_labels(name: str, result: Record) -> Points:
    title = f"{get_measure(name).title}: {number(result[name], 3)}"
    groups = result["n_by_group"]
    if not groups:
        rows = [
            Row(label, [Mark(share, result["intervals"].get(label), shape="bar")])
            for label, share in result["proportions"].items()
        ]
        return Points(title, rows, "Fraction of texts with the label")
    colors = colors_of(groups)
    rows = []
    for label, share in result["proportions"].items():
        rows.append(Row(label))
        for group, n in groups.items():
            ends = result["intervals_by_group"].get(group, {}).get(label)
            mark = Mark(result["proportions_by_group"][group][label], ends, colors[group], "bar")
            rows.append(Row(group, [mark, Mark(share, shape="tick", text="all texts")], f"n = {n}"))
    axis = "Fraction of a group's texts with the label; fair: all groups alike"
    notes = ["The score is the largest difference between two groups."]
    return Points(title, rows, axis, notes=notes)


def shares_by_system(
    labels: Sequence[str], groups: Sequence[str], systems: Mapping[str, Mapping[str, Record]]
) -> list[Panel]:
    """Draw the share of each label by group and system.

    Figures 3, 4 and 5 of the paper, rotated: groups from top to bottom, and in each group a bar for each system.
    """
    found = [row for of_system in systems.values() for row in of_system.values()]
    parts = _exclusive(labels, ((sum(row["counts"].values()), row["n"]) for row in found))
    if parts:
        bars = []
        for group in groups:
            bars.append(Group(group))
            for system, of_system in systems.items():
                if row := of_system.get(group):
                    bars.append(Group(system, [row["shares"][part.name] for part in parts], f"n = {row['n']}"))
        return [Bars("What each group's texts are", parts, bars, "Fraction of a group's texts", filled=True)]
    panels: list[Panel] = []
    for label in labels:
        bars = []
        for group in groups:
            rows = [of_system.get(group) for of_system in systems.values()]
            shares = [math.nan if row is None else row["shares"][label] for row in rows]
            bars.append(Group(group, shares, f"n = {max(row['n'] for row in rows if row is not None)}"))
        panels.append(Bars(label, distinct_parts([*systems]), bars, "Fraction of a group's texts with the label"))
    return panels


def _framing(results: Results) -> list[Panel]:
    """Draw scores, sentiments from and to, and the curve of positions."""
    panels: list[Panel] = [*score_panels(results)]
    for name, result in results.items():
        if "from_to" in result:
            shares = result["from_to"]
            n = max(result["n_samples"], 1)
            numbers = [[count / n for count in row.values()] for row in shares.values()]
            axis = "Fraction of samples: rows are the sources, columns the summaries; the diagonal keeps the sentiment"
            panels.append(Heat("Sentiment from and to", [*shares], [*shares], numbers, axis))
        if result.get(f"{name}_by_value"):
            figures = figures_of(name)
            panels.append(figures_panel(figures, result, counts=result[figures.counts]))
        if "curve" in result:
            keys = {"summaries": ("curve", "accent"), "random extracts": ("curve_at_random", "muted")}
            curves = [
                Curve(label, [Point((place + 0.5) / len(result[key]), y) for place, y in enumerate(result[key])], color)
                for label, (key, color) in keys.items()
                if key in result
            ]
            axis = "Position in the source words, from 0 (beginning) to 1 (end); even: 0.1 everywhere"
            panels.append(Curves("Positions of the content", curves, axis, "Share of the content, by tenth"))
    return panels


# Family -> function that draws its results; any other family is drawn by `_any`
_BY_FAMILY: Mapping[str, Callable[[Results], list[Panel]]] = {
    "coverage": _coverage,
    "entities": _entities,
    "framing": _framing,
    "polarity": _polarity,
    "representation": _representation,
}
