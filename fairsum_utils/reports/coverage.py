"""What a person wants to see of Equal Coverage and Coverage Parity."""

from __future__ import annotations

from typing import Any

from fairsum_utils.reports.tables import number, opening, render, scores

__all__ = ["report"]


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """Scores with intervals, significance, figures by value, counts, signatures."""
    any_result = next(iter(results.values()))
    equal, parity = results.get("equal_coverage"), results.get("coverage_parity")
    lines = [opening(title, any_result)]
    if any_result["n_truncated"]:
        lines.append(f"In {any_result['n_truncated']} samples the entailer did not read a text to its end.")
    lines += ["", scores(results, markdown=markdown)]
    lines += [f"undefined: {result['undefined']}" for result in results.values() if "undefined" in result]

    header, columns = (
        ["value", "samples"],
        [[*any_result["n_by_value"]], [*map(str, any_result["n_by_value"].values())]],
    )
    if equal is not None:
        header += ["mean difference", "mean |difference|"]
        columns += [[*map(number, equal[key].values())] for key in ("difference_by_value", "equal_coverage_by_value")]
    if parity is not None:
        header += ["extremes", "mean extreme", "p"]
        columns += [
            [*map(str, parity["n_extreme_by_value"].values())],
            *([*map(number, parity[key].values())] for key in ("mean_extreme_by_value", "p_value_by_value")),
        ]
    lines += ["", render(header, [[*row] for row in zip(*columns, strict=True)], markdown=markdown), ""]
    if equal is not None:
        interval = equal.get("r_ec_ci")
        shown = f" [{number(interval[0])}, {number(interval[1])}]" if interval else ""
        lines += [
            f"Expected with random labels: {number(equal['expected_equal_coverage'])}. Significantly unequal (R_EC): "
            f"{number(equal['r_ec'])}{shown}; {equal['n_can_reach_significance']} of {equal['n_samples']} samples have "
            "enough documents to become so.",
        ]
    if parity is not None and parity["most_overrepresented"] is not None:
        lines += [
            f"Most overrepresented: {parity['most_overrepresented']}; "
            f"most underrepresented: {parity['most_underrepresented']}.",
        ]
    lines += [
        "Lower is fairer; all scores are fractions. Difference: coverage of a value's documents over that of all."
    ]
    lines += [f"{name}: {result['signature']}" for name, result in results.items()]
    return "\n".join(lines)
