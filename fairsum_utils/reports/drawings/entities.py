"""The drawing of word lists, entity inclusion and hallucination, and distinguishability: the groups' shares."""

from __future__ import annotations

from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.parts import figures_panel, score_panels
from fairsum_utils.reports.drawings.sheet import Form


def panels(results: Results) -> list[Form]:
    """Scores, for each measure the figures of the groups, and of entity inclusion the log odds ratios."""
    made: list[Form] = [*score_panels(results)]
    for name, result in results.items():
        figures = get_measure(name).figures or Figures(((name, f"{name}_by_group"),), "By group", name)
        made.append(figures_panel(figures, result, ends=result.get(f"{name}_by_group_ci")))
        if result.get("log_odds_ratios"):
            made.append(_log_odds(result))
    return made


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
