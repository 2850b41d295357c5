"""Write the tables of the reproducibility page, from what `fairsum reproduce` computes.

python docs/reproducibility.py --data-dir DIR           writes docs/pages/explanation/reproducibility.md
python docs/reproducibility.py --data-dir DIR --check   says which tables are not current
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from marked_page import filled

from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction.item import VERDICTS
from fairsum_reproductions.reproduction.running import reproduce
from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Table, Trusted

PAGE = Path(__file__).parent / "pages" / "explanation" / "reproducibility.md"
_HASH = 12
"""Digits of a SHA-256 that the page shows."""


def page(text: str, data_dir: Path) -> str:
    """The page with its tables as they come out now.

    Args:
        text: of the page, with ``<!-- NAME -->`` and ``<!-- end -->`` around each table.
        data_dir: the folder with the published files.
    """
    text = filled(text, "verdicts", as_markdown([Table(["verdict", "what it means"], [*VERDICTS.items()], n_texts=2)]))
    for paper in PAPERS:
        text = filled(text, paper, table(reproduce(paper, data_dir), data_dir))
    return text


def table(result: Mapping[str, Any], data_dir: Path) -> str:
    """What a paper prints and what comes out, and the files that were read.

    Args:
        result: of `fairsum_reproductions.reproduction.running.reproduce`.
        data_dir: the folder with the published files.
    """
    header = ["number", "in the paper", "printed", "here", "verdict", "from", "command"]
    rows = [
        [
            row["what"],
            row["source"],
            row["printed"],
            row["got"] or "",
            f"**{row['verdict']}**",
            ", ".join(f"`{path}`" for path in row["needs"]) if row["got"] else "; ".join(row["needs"]),
            f"`{row['command']}`" if row["command"] else "",
        ]
        for row in result["items"]
    ]
    parts: list[Any] = [Table(header, _own(rows), n_texts=len(header))]
    if result["inputs"]:
        files = [
            [f"`{Path(each['path']).relative_to(data_dir).as_posix()}`", f"`{each['sha256'][:_HASH]}`"]
            for each in result["inputs"]
        ]
        parts.append(Table(["file", "SHA-256 begins with"], _own(files), n_texts=2))
    return as_markdown(parts)


def _own(rows: list[list[str]]) -> list[list[str]]:
    """Mark cells as our own, so that their Markdown stays."""
    return [[Trusted(cell) for cell in row] for row in rows]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder with the published files")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    before = PAGE.read_text(encoding="utf-8")
    now = page(before, options.data_dir)
    if options.check:
        sys.exit(None if now == before else f"{PAGE} is not current")
    PAGE.write_text(now, encoding="utf-8")
