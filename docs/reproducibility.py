"""Write the tables of the reproducibility page, from the numbers of `fairsum reproduce`.

python docs/reproducibility.py --data-dir DIR           writes docs/pages/explanation/reproducibility.md
python docs/reproducibility.py --data-dir DIR --check   exits with 1 if the page is not current
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
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


def page(text: str, data_dir: Path) -> str:
    """Return the page with current tables.

    Args:
        text: Page with ``<!-- NAME -->`` and ``<!-- end -->`` around each table.
        data_dir: Folder with the published files.
    """
    text = filled(text, "verdicts", as_markdown([Table(["verdict", "meaning"], [*VERDICTS.items()], n_texts=2)]))
    for paper in PAPERS:
        text = filled(text, paper, tables(reproduce(paper, data_dir), data_dir))
    return text


def tables(result: Mapping[str, Any], data_dir: Path) -> str:
    """Return a paper's equal numbers, a table of the others, missing inputs and files.

    Args:
        result: Document of `fairsum_reproductions.reproduction.running.reproduce`.
        data_dir: Folder with the published files.
    """
    equal: list[str] = []
    others: list[list[str]] = []
    missing: dict[str, list[str]] = {}
    for row in result["items"]:
        number, printed, got = f"{row['what']} ({row['source']})", row["printed"], row["got"] or ""
        if row["verdict"] == "not reproduced":
            needed, *further = row["needs"]
            places = "; ".join([row["source"], *(f"also needs {other}" for other in further)])
            missing.setdefault(needed, []).append(f"{row['what']} ({places})")
        elif row["verdict"] == "equal":
            equal.append(f"{number}: {got if got.startswith(printed) else f'{printed}; here {got}'}")
        else:
            others.append([number, printed, "the same" if got == printed else got, f"**{row['verdict']}**"])
    header = ["number (place in the paper)", "printed", "here", "verdict"]
    cells = [[Trusted(cell) for cell in row] for row in others]
    lines = [
        *_list("Equal numbers:", equal),
        as_markdown([Table(header, cells, n_texts=len(header))]),
        *_list(
            "Not reproduced, by missing input:", (f"{needed}: {'; '.join(all_)}" for needed, all_ in missing.items())
        ),
    ]
    if result["inputs"]:
        files = (f"`{Path(each['path']).relative_to(data_dir).as_posix()}`" for each in result["inputs"])
        lines.append(f"Files read: {', '.join(files)}.")
    return "\n\n".join(lines)


def _list(title: str, entries: Iterable[str]) -> list[str]:
    """Return a title and a Markdown list, or nothing without entries."""
    listed = "\n".join(f"- {entry}" for entry in entries)
    return [title, listed] if listed else []


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
