"""The drawing of BUR, UER, AUC and SOF: scores, and by value how often and how far it falls short."""

from __future__ import annotations

import math

from fairsum_utils.families.effective import settings_of
from fairsum_utils.reports.base import Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.parts import by_value, figures_panel, score_panels, worst_first
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.tolerance import bur_over_tau, ratios
from fairsum_utils.reports.tables import figures_of


def panels(results: Results) -> list[Form]:
    """Scores, the figures of the first measure by value, and the ratio of shares; with samples also BUR over tau."""
    name, result = next(iter(results.items()))
    figures = figures_of(name)
    axis = figures.axis.format(**settings_of(result))
    order = worst_first(result[figures.columns[0][1]])
    return [
        *score_panels(results),
        figures_panel(
            figures._replace(axis=f"{axis}; lower is fairer"), result, order=order, counts=result[figures.counts]
        ),
        by_value(
            "Share in the summary over desired share",
            result["ratio_by_value"],
            "Ratio, mean of a value's samples; left of 1: less than desired, right of 1: more",
            order=order,
            base=1.0,
            lines=[Line(1.0, "desired share")],
        ),
        *_of_samples(results),
    ]


def _of_samples(results: Results) -> list[Form]:
    """How ratios spread over samples, and what hangs on tau; nothing without samples or without a score."""
    kept = [result for name, result in results.items() if result.get("samples") and not math.isnan(result[name])]
    if not kept:
        return []
    chosen = [settings_of(result) for result in kept]
    taus = {settings["tau"] for settings in chosen if "tau" in settings}
    tau = taus.pop() if len(taus) == 1 else None
    made: list[Form] = [ratios(kept[0]["samples"], tau)]
    if not {"auc", "bur"}.isdisjoint(results):
        made.append(bur_over_tau(kept[0]["samples"], chosen[0].get("confidence_level"), tau))
    return made
