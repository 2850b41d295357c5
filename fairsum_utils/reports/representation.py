"""What a person wants to see of BUR, UER, AUC and SOF."""

from __future__ import annotations

from typing import Any

from fairsum_utils.reports.tables import number, opening, render, scores

__all__ = ["report"]


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """Scores with intervals, figures by value, counts, signatures."""
    any_result = next(iter(results.values()))
    lines = [opening(title, any_result)]
    if any_result["n_unmatched"]:
        lines.append(f"{any_result['n_unmatched']} summaries share no token with any source; they count as uniform.")
    lines += ["", scores(results, markdown=markdown)]
    lines += [f"undefined: {result['undefined']}" for result in results.values() if "undefined" in result]

    shown = [name for name in results if name != "sof" or "uer" not in results]
    titles = {"bur": "underrepresented", "uer": "mean shortfall", "auc": "AUC", "sof": "mean shortfall"}
    by_value = [
        [
            value,
            str(count),
            *(number(results[name][f"{name}_by_value"][value]) for name in shown),
            number(any_result["ratio_by_value"][value]),
        ]
        for value, count in any_result["n_by_value"].items()
    ]
    lines += ["", render(["value", "samples", *(titles[name] for name in shown), "ratio"], by_value, markdown=markdown)]
    lines += ["", "Lower is fairer; all scores are fractions. Ratio: share in the summary over desired share, mean."]
    lines += [f"{name}: {result['signature']}" for name, result in results.items()]
    return "\n".join(lines)
