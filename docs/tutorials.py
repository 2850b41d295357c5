"""Tutorials: notebooks with stored outputs, and their pages.

python docs/tutorials.py           runs every notebook and stores its outputs
python docs/tutorials.py --check   runs them; fails if one fails, prints other numbers than those that are stored, has
                                   numbers in its prose that no output has, or stores a path of a machine
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "pages" / "tutorials"
TUTORIALS = ("reviews", "hidden", "news", "meetings", "systems", "training")  # in the order of the navigation

_OFFLINE = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def pages() -> Iterator[tuple[str, str | bytes]]:
    """Yield path and content of each tutorial's page and pictures."""
    import nbformat

    for name in TUTORIALS:
        page, pictures = as_page(nbformat.read(FOLDER / f"{name}.ipynb", as_version=4))
        download = f"[Download the notebook]({name}.ipynb){{ download }}"
        for picture in pictures:
            page = page.replace(f"({picture})", f"({name}-{picture})")
        yield f"tutorials/{name}.md", page.replace("\n", f"\n\n{download}\n", 1)
        for picture, content in pictures.items():
            yield f"tutorials/{name}-{picture}", content


def run(name: str) -> Any:
    """Run a copy of a notebook and return it with outputs."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    os.environ.update(_OFFLINE)
    with tempfile.TemporaryDirectory() as copy:
        for path in FOLDER.iterdir():
            shutil.copy(path, copy)
        client = NotebookClient(notebook, timeout=600, coalesce_streams=True, resources={"metadata": {"path": copy}})
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which differ each time
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr":
                output["text"] = without_places(output["text"])
    return notebook


# Where a warning was raised: a cell, an installed package, this checkout.
_PLACE = re.compile(rf"\S*/ipykernel_\d+/\d+\.py:\d+: |\S*/site-packages/|{re.escape(str(FOLDER.parents[2]))}/")
_PATH = re.compile(r"(?<![\w:/.<])(?:/[\w.-]+){2,}|\b[A-Z]:\\\\\S+")


def without_places(text: str) -> str:
    """Remove the places of this machine from a warning.

    Example:
        >>> without_places("/tmp/ipykernel_7/12.py:2: ScoreWarning: few samples")
        'ScoreWarning: few samples'
    """
    return _PLACE.sub("", text)


def texts_of(notebook: Mapping[str, Any], *, warnings: bool = False) -> Iterator[tuple[int, str]]:
    """Yield place and text of each cell's outputs, without pictures and, by default, warnings."""
    for place, cell in enumerate(notebook["cells"]):
        shown = [each for each in cell.get("outputs", ()) if warnings or each.get("name") != "stderr"]
        texts = (each.get("text") or each.get("data", {}).get("text/plain", "") for each in shown)
        yield place, "\n".join(map("".join, texts))


def machine_paths(notebook: Mapping[str, Any]) -> list[str]:
    """List absolute paths in the outputs of a notebook."""
    return [path for _, text in texts_of(notebook, warnings=True) for path in _PATH.findall(text)]


# Numbers that differ between runs, as the Trainer prints them.
_TIMES = re.compile(r"'\w*(?:runtime|per_second)': '[^']*'")
_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?%?(?![\w])")
_NEAR = 0.01


def numbers_in(text: str) -> list[float]:
    """List the numbers of a text; a percentage is a share.

    Example:
        >>> numbers_in("1,500 summaries, 78% of them below 0.05")
        [1500.0, 0.78, 0.05]
    """
    found = _NUMBER.findall(_TIMES.sub("", text))
    return [float(number.rstrip("%").replace(",", "")) / (100 if number.endswith("%") else 1) for number in found]


def changed_outputs(stored: Mapping[str, Any], fresh: Mapping[str, Any]) -> list[str]:
    """List the cells whose outputs have other numbers than the stored ones."""
    faults = []
    for (place, before), (_, after) in zip(texts_of(stored), texts_of(fresh), strict=True):
        pairs = zip_longest(numbers_in(before), numbers_in(after), fillvalue=math.nan)
        other = next((pair for pair in pairs if not math.isclose(*pair, rel_tol=_NEAR, abs_tol=1e-6)), None)
        if other is not None:
            faults.append(f"cell {place}: {other[0]:g} is stored, {other[1]:g} is printed")
    return faults


def unfounded_numbers(notebook: Mapping[str, Any]) -> list[str]:
    """List the fractions and percentages of the prose that no output has."""
    printed = [number for _, text in texts_of(notebook) for number in numbers_in(text)]
    faults = []
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "markdown":
            continue
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", "".join(cell["source"]))
        for written in _NUMBER.findall(prose):
            digits = len(written.rstrip("%").partition(".")[2]) + 2 * written.endswith("%")
            [number] = numbers_in(written)
            if digits and not any(round(each, digits) == round(number, digits) for each in printed):
                faults.append(f"cell {place}: the prose has {written}, but no output")
    return faults


def faults_of(name: str, fresh: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a stored notebook, given a fresh run."""
    stored = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    faults = [f"the outputs have the path {path} of a machine" for path in machine_paths(stored)]
    return [f"{name}: {fault}" for fault in (*faults, *changed_outputs(stored, fresh), *unfounded_numbers(fresh))]


def as_page(notebook: Any) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a notebook and its pictures."""
    from nbconvert import MarkdownExporter

    for cell in notebook.cells:
        # Progress and warnings are left out.
        outputs = [output for output in cell.get("outputs", ()) if output.get("name") != "stderr"]
        if cell.cell_type == "code":
            cell.outputs = outputs
        for output in outputs:
            data = output.get("data", {})
            if "text/html" in data:  # a blank line would end it for Markdown
                data["text/html"] = re.sub(r"\n\s*\n", "\n", data["text/html"])
                data.pop("image/svg+xml", None)
    exporter = MarkdownExporter()
    body, resources = exporter.from_notebook_node(notebook)
    return body, resources.get("outputs", {})


def main() -> int:
    """Run all tutorials; store or check their outputs."""
    import nbformat

    faults = []
    for name in TUTORIALS:
        fresh = run(name)
        if "--check" in sys.argv:
            faults += faults_of(name, fresh)
        else:
            nbformat.write(fresh, FOLDER / f"{name}.ipynb")
            faults += [f"{name}: {fault}" for fault in unfounded_numbers(fresh)]
    print("\n".join(faults), end="\n" * bool(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
