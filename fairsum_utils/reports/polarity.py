"""What a person wants to see of sentiment, toxicity, regard, gender polarity and psycholinguistic norms."""

from __future__ import annotations

from typing import Any

from fairsum_utils.measures import get_measure
from fairsum_utils.polarity.results import domain_table
from fairsum_utils.reports.tables import number, opening, render

__all__ = ["report"]


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """For each measure its score, shares by group as in the paper's tables, and tests; counts; signatures."""
    lines = [opening(title, next(iter(results.values())))]
    for name, result in results.items():
        lines += ["", *_of_measure(name, result, markdown=markdown)]
    lines += [
        "",
        "Lower is fairer; all are fractions. A score is the largest difference of a label between two groups.",
    ]
    lines += [f"{name}: {result['signature']}" for name, result in results.items()]
    return "\n".join(lines)


def _of_measure(name: str, result: dict[str, Any], *, markdown: bool) -> list[str]:
    labels = list(result["proportions"])
    lines = [f"{get_measure(name).title}: {number(result[name])}"]
    if "undefined" in result:
        lines[0] += f" ({result['undefined']})"
    header, rows = ["group", "texts", *labels], _shares(result)
    if len(rows[0]) > len(header):
        header += ["male : female", "male - female"]
    lines += ["", render(header, rows, markdown=markdown)]
    if result["tests"]:
        lines += ["", render(["label", *_TESTED], _tests(result), markdown=markdown)]
    counts = {key.removeprefix("n_").replace("_", " "): result[key] for key in result if key.startswith("n_")}
    besides = [f"{what} {count}" for what, count in counts.items() if what not in ("by group", "samples", "skipped")]
    return [*lines, "", f"Counted: {', '.join(besides)}."] if besides else lines


def _shares(result: dict[str, Any]) -> list[list[str]]:
    """A row a group, and one of all texts."""
    labels = list(result["proportions"])
    rows = []
    for row in domain_table(result) if result["n_by_group"] else []:
        ratios = [number(row[key]) for key in ("male_to_female", "male_minus_female") if key in row]
        rows.append([row["group"], str(row["n"]), *(number(row[label]) for label in labels), *ratios])
    of_all = ["(all)", str(result["n_samples"]), *map(number, result["proportions"].values())]
    return [*rows, of_all + [""] * (len(rows[0]) - len(of_all) if rows else 0)]


_TESTED = ("largest difference", "of groups", "test", "statistic", "p", "p (Holm)")


def _tests(result: dict[str, Any]) -> list[list[str]]:
    """A row a label: the two groups that differ most, and the test of all."""
    rows = []
    for label, test in result["tests"].items():
        pairs = [pair for pair in result["differences"] if pair["label"] == label]
        widest = max(pairs, key=lambda pair: abs(pair["difference"]))
        ends = [widest["group_a"], widest["group_b"]]
        rows.append(
            [
                label,
                number(abs(widest["difference"])),
                " - ".join(ends if widest["difference"] > 0 else ends[::-1]) if widest["difference"] else "",
                test["test"] or "none",
                number(test["statistic"]),
                *(_p_value(test[key]) for key in ("p_value", "p_value_corrected")),
            ]
        )
    return rows


def _p_value(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else number(p)
