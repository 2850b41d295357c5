"""What a person wants to see of the comparison of two systems."""

from __future__ import annotations

from typing import Any

from fairsum_utils.reports.tables import number, render, short_name

__all__ = ["report"]


def report(document: dict[str, Any], *, markdown: bool = False) -> str:
    """The comparison for a person."""
    results = document["metrics"]
    rows = []
    for name, result in results.items():
        low, high = result["difference_ci"]
        rows.append(
            [
                short_name(name),
                number(result["a"]),
                number(result["b"]),
                number(result["difference"]),
                f"[{number(low)}, {number(high)}]",
                number(result["p_value"]),
            ]
        )
    counts: dict[tuple[int, int], list[str]] = {}
    for name, result in results.items():
        counts.setdefault((result["n_samples"], result["n_skipped"]), []).append(name)
    return "\n".join(
        [
            f"A: {document['a']}",
            f"B: {document['b']}",
            *(
                f"{n_samples} samples compared, {n_skipped} skipped"
                + (f" ({', '.join(names)})" if len(counts) > 1 else "")
                for (n_samples, n_skipped), names in counts.items()
            ),
            "",
            render(["measure", "A", "B", "A - B", "interval", "p"], rows, markdown=markdown),
            "",
            "Lower is fairer: a difference below 0 speaks for A.",
        ]
    )
