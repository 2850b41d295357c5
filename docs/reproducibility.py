"""Write the tables of the reproducibility page, from the numbers of `fairsum reproduce`.

python docs/reproducibility.py --data-dir DIR           writes docs/pages/explanation/reproducibility.md
python docs/reproducibility.py --data-dir DIR --check   exits with 1 if the page is not current
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from marked_page import filled

from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction.running import reproduce
from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Table, Trusted

PAGE = Path(__file__).parent / "pages" / "explanation" / "reproducibility.md"


def page(text: str, data_dir: Path) -> str:
    """Return the page with current tables.

    Args:
        text: Page with ``<!-- NAME -->`` and ``<!-- end -->`` around each table.
        data_dir: Folder with the published files.
    """
    for paper in PAPERS:
        text = filled(text, paper, tables(reproduce(paper, data_dir)))
    return text


def tables(result: Mapping[str, Any]) -> str:
    """Return equal numbers, a table of those that differ, and counts of other verdicts.

    Args:
        result: Document of `fairsum_reproductions.reproduction.running.reproduce`.
    """
    equal: dict[str, None] = {}
    differing: list[list[str]] = []
    for row in result["items"]:
        if row["verdict"] == "equal":
            equal[row["source"]] = None
        elif row["verdict"] == "differs":
            differing.append([f"{row['what']} ({row['source']})", row["printed"], row["got"] or ""])
    counts = Counter(row["verdict"] for row in result["items"] if row["verdict"] not in ("equal", "differs"))
    cells = [[Trusted(cell) for cell in row] for row in differing]
    header = ["differs (place in the paper)", "printed", "here"]
    parts = [
        f"Equal: {'; '.join(equal)}." if equal else "",
        as_markdown([Table(header, cells, n_texts=len(header))]) if cells else "",
        f"Others: {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}." if counts else "",
    ]
    return "\n\n".join(filter(None, parts))


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
