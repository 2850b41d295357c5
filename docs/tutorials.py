"""Tutorials: notebooks with stored outputs, and their pages.

python docs/tutorials.py           runs every notebook and stores its outputs
python docs/tutorials.py --check   runs them and fails if one fails
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

FOLDER = Path(__file__).parent / "pages" / "tutorials"
TUTORIALS = ("reviews", "hidden", "meetings", "systems", "training")  # in the order of the navigation

_OFFLINE = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def pages() -> Iterator[tuple[str, str | bytes]]:
    """Yield path and content of each tutorial's page and pictures."""
    for name in TUTORIALS:
        page, pictures = as_page(nbformat.read(FOLDER / f"{name}.ipynb", as_version=4))
        download = f"[Download the notebook]({name}.ipynb){{ download }}"
        yield f"tutorials/{name}.md", page.replace("\n", f"\n\n{download}\n", 1)
        for picture, content in pictures.items():
            yield f"tutorials/{name}-{picture}", content


def run(name: str) -> Any:
    """Run a copy of a notebook and return it with outputs."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    os.environ.update(_OFFLINE)
    with tempfile.TemporaryDirectory() as copy:
        for path in FOLDER.iterdir():
            shutil.copy(path, copy)
        client = NotebookClient(notebook, timeout=600, coalesce_streams=True, resources={"metadata": {"path": copy}})
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which differ each time
    return notebook


def as_page(notebook: Any) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a notebook and its pictures."""
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


if __name__ == "__main__":
    for each in TUTORIALS:
        done = run(each)
        if "--check" not in sys.argv:
            nbformat.write(done, FOLDER / f"{each}.ipynb")
