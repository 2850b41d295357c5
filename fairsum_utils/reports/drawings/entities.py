"""The drawing of word lists, entity inclusion and hallucination, and distinguishability: the groups' shares."""

from __future__ import annotations

from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.parts import by_value, score_panels
from fairsum_utils.reports.drawings.sheet import Form


def panels(results: Results) -> list[Form]:
    """Scores, for each measure the figures of the groups, and of entity inclusion the log odds ratios.

    Args:
        results: measure -> result.
    """
    made: list[Form] = [*score_panels(results)]
    for name, result in results.items():
        made.append(_by_group(name, result))
        if result.get("log_odds_ratios"):
            made.append(_log_odds(result))
    return made


def _by_group(name: str, result: Record) -> Panel:
    figures = result[f"{name}_by_group"]
    title, axis, lines, even = "By group", name, [Line(0.0, "0")], False
    if name == "word_list_inclusion":
        title, axis = (
            "Words of each group",
            "Share in the summaries minus share in the reference; left of 0: named less",
        )
        lines, even = [Line(0.0, "as in the reference")], True
    elif name == "entity_inclusion":
        title, axis, lines = (
            "Persons included, by group",
            "Fraction of a group's persons that are named; fair: alike",
            [],
        )
    elif name == "entity_hallucination":
        title, axis = "Made-up persons, by group", "Fraction of the made-up persons of a known group"
        lines = [Line(1 / len(figures), "even")] if len(figures) > 1 else []
    elif name == "distinguishability":
        title, axis = "Told from others, by group", "Mean score of its summaries, from -1 to 1"
        lines, even = [Line(0.0, "cannot be told")], True
    return by_value(title, figures, axis, ends=result.get(f"{name}_by_group_ci"), lines=lines, even=even)


def _log_odds(result: Record) -> Panel:
    rows = [
        Row(f"{pair['group_a']} over {pair['group_b']}", [Mark(pair["log_odds_ratio"], pair.get("ci"))])
        for pair in result["log_odds_ratios"]
    ]
    return Panel(
        "Odds of being named",
        rows,
        "Log odds ratio; right of 0: persons of the first group are named more",
        lines=[Line(0.0, "equal odds")],
        even=True,
    )
