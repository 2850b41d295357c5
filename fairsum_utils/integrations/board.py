"""A board of systems: ranks with ties, intervals, chance levels and pages.

Ranks come from saved results, without the samples, so they are careful: a system ranks below another only if their
intervals do not overlap. `fairsum compare` on the samples themselves separates more systems.
"""

from __future__ import annotations

import html
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.tables import Table, has_number, interval, short_name
from fairsum_utils.results import ScoreResults, read_results

if TYPE_CHECKING:
    import gradio  # type: ignore[import-not-found, unused-ignore]

BOARD_FILES = ("*.json", "*.html")
"""Results and pages of the systems."""

_READING = (
    "Lower is fairer. A system ranks below another only if their intervals do not overlap; systems with overlapping "
    "intervals may share a rank. At random: the score of random summaries of the same length."
)


class Row(NamedTuple):
    """A system's result of one measure.

    Attributes:
        system: name of the system: its file without the ending.
        result: result of the measure.
        page: name of the system's page, a file next to the results; empty without one.
    """

    system: str
    result: Mapping[str, Any]
    page: str = ""


def ranks(measure: str, rows: list[Row]) -> list[int | None]:
    """Rank systems; those with overlapping intervals may tie.

    A rank is 1 plus the number of systems whose interval ends before this one begins.

    Returns:
        One rank per row; None without an interval.

    Example:
        >>> ends = ([0.1, 0.3], [0.2, 0.4], [0.5, 0.6], [float("nan"), float("nan")])
        >>> ranks("uer", [Row(str(place), {"uer_ci": pair}) for place, pair in enumerate(ends)])
        [1, 1, 3, None]
    """
    found = []
    for row in rows:
        low, high = row.result.get(f"{measure}_ci") or (math.nan, math.nan)
        if get_measure(measure).is_signed and low <= 0 <= high:
            low, high = 0.0, max(-low, high)
        elif get_measure(measure).is_signed:
            low, high = sorted((abs(low), abs(high)))
        found.append((low, high))
    return [None if math.isnan(low) else 1 + sum(other_high < low for _, other_high in found) for low, _ in found]


def read_board(place: str | os.PathLike[str]) -> dict[tuple[str, str], list[Row]]:
    """Read the results of all systems.

    Args:
        place: folder with one file of `fairsum score --output` per system, and its page of the same name if there is
            one; or the id of a data set on the Hub with these files.

    Returns:
        (measure, signature) -> rows. Results with other settings are another table, so that nothing unlike is ranked.

    Raises:
        InputError: there are no results, or a file has no results of one system.
    """
    folder = Path(place)
    if not folder.is_dir():
        library = require("huggingface_hub", extra="hub", purpose="read results from the Hub")
        try:
            folder = Path(library.snapshot_download(str(place), repo_type="dataset", allow_patterns=list(BOARD_FILES)))
        except Exception as error:
            raise InputError(
                f"board: {place} is neither a folder nor a readable data set on the Hub ({error})"
            ) from error
    found: dict[tuple[str, str], list[Row]] = {}
    for path in sorted(folder.glob("*.json")):
        results = read_results(path)
        if not isinstance(results, ScoreResults):
            raise InputError(f"board: {path.name} has no scores of one system; remove it")
        page = path.with_suffix(".html").name if path.with_suffix(".html").exists() else ""
        for label, result in results.items():
            measure = results.run.measure(label, result)
            found.setdefault((measure, result.get("signature", "")), []).append(Row(path.stem, result, page))
    if not found:
        raise InputError(
            f"board: {place} has no results; write one file per system: fairsum score ... --output NAME.json"
        )
    return found


def board_html(place: str | os.PathLike[str], *, pages: str = "") -> str:
    """Write the board as HTML: one table per measure and settings.

    Args:
        place: see `read_board`.
        pages: address of the folder with the pages, before their names; empty for the folder itself.

    Raises:
        InputError: see `read_board`.
    """
    shown = []
    for (measure, signature), rows in read_board(place).items():
        placed = sorted(
            zip(ranks(measure, rows), rows, strict=True),
            key=lambda pair: (pair[0] is None, pair[0] or 0, abs(pair[1].result[measure])),
        )
        counts = {row.result["n_samples"] + row.result["n_skipped"] for row in rows}
        notes = [_READING, f"Settings: {signature}"]
        if len(counts) > 1:
            notes.insert(0, "The systems have different numbers of samples, so their data differ: do not compare them.")
        table = Table(
            ["rank", "system", "score", "95% CI", "at random", "samples"],
            [
                [
                    rank,
                    row.system,
                    row.result[measure],
                    interval(row.result.get(f"{measure}_ci")),
                    row.result[f"{measure}_at_random"] if has_number(row.result, f"{measure}_at_random") else None,
                    row.result["n_samples"],
                ]
                for rank, row in placed
            ],
            f"{short_name(measure)}: {get_measure(measure).title}",
        )
        shown.append(as_html([table, notes]))
        links = [
            f'<a href="{html.escape(pages + row.page, quote=True)}">{html.escape(row.system)}</a>'
            for _, row in placed
            if row.page
        ]
        shown += [f"<p>Pages: {', '.join(links)}</p>"] if links else []
    return "\n".join(shown)


def build_board(place: str | os.PathLike[str]) -> gradio.Blocks:
    """Build the Space that shows the board; it reads the results at each visit.

    Args:
        place: see `read_board`.

    Raises:
        MissingDependencyError: gradio is not installed.
    """
    library = require("gradio", extra="space", purpose="show the board")
    is_folder = Path(place).is_dir()
    pages = (
        "/gradio_api/file=" + f"{Path(place)}/" if is_folder else f"https://huggingface.co/datasets/{place}/blob/main/"
    )

    def shown() -> str:
        try:
            return board_html(place, pages=pages)
        except FairSumError as error:
            return f"<p>{html.escape(str(error))}</p>"

    blocks: gradio.Blocks = library.Blocks(title="fairsum board")
    with blocks:
        library.Markdown("# Systems by fairness")
        blocks.load(shown, outputs=library.HTML())
    if is_folder:
        library.set_static_paths([Path(place)])
    return blocks
