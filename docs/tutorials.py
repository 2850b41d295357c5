"""The tutorials: notebooks that are run when the site is built, so that a page shows what its code gives today."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

__all__ = ["TUTORIALS", "run_all"]

TUTORIALS = ("reviews", "meetings", "systems", "training")
"""Files of docs/pages/tutorials, in the order of the navigation."""

_OFFLINE = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def run_all(folder: Path) -> Iterator[tuple[str, str | bytes]]:
    """Place and content of each tutorial's page, and of its pictures.

    Args:
        folder: of the notebooks and of the files that they read.

    Raises:
        CellExecutionError: the code of a notebook fails.
    """
    for name in TUTORIALS:
        page, pictures = as_page(run(folder, name))
        download = f"[Download the notebook]({name}.ipynb){{ download }}"
        yield f"tutorials/{name}.md", page.replace("\n", f"\n\n{download}\n", 1)
        for picture, content in pictures.items():
            yield f"tutorials/{name}-{picture}", content


def run(folder: Path, name: str) -> Any:
    """A notebook with its outputs; it is run in a copy of the folder, so that nothing stays behind."""
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    os.environ.update(_OFFLINE)
    with tempfile.TemporaryDirectory() as copy:
        for path in folder.iterdir():
            shutil.copy(path, copy)
        client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": copy}})
        return client.execute()


def as_page(notebook: Any) -> tuple[str, dict[str, bytes]]:
    """The Markdown of a notebook that was run, and its pictures."""
    for cell in notebook.cells:
        # What a program says of its progress is nothing to read.
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
