"""Verdicts on what a paper prints, from a folder of published files."""

from __future__ import annotations

import importlib
import os
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.printed import read_toml
from fairsum_reproductions.reproduction.item import VERDICTS, Item, Outcome
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.validation import check_choice

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_MODULE = "reproduce"
# Errors of files that are not those that were published.
_UNREADABLE = (ArithmeticError, AttributeError, EOFError, LookupError, OSError, TypeError, ValueError, zlib.error)


def items_of(paper: str) -> list[Item]:
    """Read the items of a paper, each with its function."""
    check_choice(_MODULE, "paper", paper, tuple(PAPERS))
    functions = vars(importlib.import_module(f"{__package__}.{paper}"))
    items = []
    for declared in read_toml("reproduction", f"{paper}.toml")["items"]:
        entry = {key: each for key, each in declared.items() if key not in ("compute", "of")}
        if name := declared.get("compute"):
            options = {key: declared[key] for key in ("of",) if key in declared}
            entry = {"known": "passed" if entry.get("check") else "equal", **entry}
            items.append(Item(**entry, compute=partial(functions[name], **options)))
        else:
            items.append(Item(**entry, known="not reproduced"))
    return items


def reproduce(paper: str, data_dir: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Compute what a paper prints from the files that are published.

    Args:
        paper: ``"fairsumm"``, ``"coverage"``, ``"bold"`` or ``"news"``.
        data_dir: folder with the files; None for what follows from printed figures alone.

    Returns:
        ``paper``; ``items``, each with ``kind`` (``"reproduction"``, or ``"check"`` where the paper prints no such
        number), ``what``, ``source``, ``printed``, ``got`` (None where it is not computed), ``verdict``, ``known`` (the
        expected verdict), ``needs``, ``command`` and ``tables``; ``verdicts`` and ``checks``, how often each verdict
        was given; ``inputs``, path and SHA-256 of each file that was read; ``changed``, the items with another verdict
        than the expected one.

    Raises:
        InputError: no such paper or folder, or a folder with none of the files or with others
            of their names.

    Example:
        >>> result = reproduce("coverage")
        >>> result["changed"]
        []
    """
    from fairsum_utils.results.record import describe_input

    items = items_of(paper)
    folder = None if data_dir is None else Path(data_dir)
    wanted = sorted({path for item in items if item.compute for path in item.needs})
    if folder is not None:
        if not folder.is_dir():
            raise InputError(f"{_MODULE}: the folder {folder} does not exist; give the folder with the published files")
        if wanted and not any((folder / path).exists() for path in wanted):
            raise InputError(f"{_MODULE}: {folder} has none of the published files {', '.join(wanted)}")
    there = [path for path in wanted if folder is not None and (folder / path).exists()]
    rows = [_row(item, folder or Path(), there) for item in items]
    read = [path for path in there if any(row["got"] is not None and path in row["needs"] for row in rows)]
    counts = {kind: [row["verdict"] for row in rows if row["kind"] == kind] for kind in ("reproduction", "check")}
    verdicts, checks = (
        {verdict: given.count(verdict) for verdict in VERDICTS if verdict in given} for given in counts.values()
    )
    return {
        "paper": paper,
        "items": rows,
        "verdicts": verdicts,
        "checks": checks,
        "inputs": [describe_input(folder / path) for path in read if folder is not None],
        "changed": [row["what"] for row in rows if row["got"] is not None and row["verdict"] != row["known"]],
    }


def _row(item: Item, folder: Path, there: Sequence[str]) -> dict[str, Any]:
    """Compute and judge an item if its files are there."""
    outcome = None
    if item.compute is not None and all(path in there for path in item.needs):
        outcome = _computed(item, folder)
    return {
        "kind": "check" if item.check else "reproduction",
        "what": item.what,
        "source": item.source,
        "printed": item.printed,
        "got": None if outcome is None else outcome.got,
        "verdict": item.verdict(outcome),
        "known": item.known,
        "needs": [*item.needs],
        "command": item.command,
        "tables": [] if outcome is None else [*outcome.parts],
    }


def _computed(item: Item, folder: Path) -> Outcome:
    """Compute an item, and refuse files that are not as published."""
    assert item.compute is not None
    try:
        return item.compute(folder)
    except FairSumError:
        raise
    except _UNREADABLE as error:
        if not item.needs:  # the fault is ours
            raise
        needed = " or ".join(str(folder / path) for path in item.needs)
        reason = " ".join(str(error).split())
        raise InputError(
            f"{_MODULE}: {needed} differs from the published file ({type(error).__name__}: {reason}); fetch it again"
        ) from error


def parts_of(result: Mapping[str, Any]) -> list[Part]:
    """Lay out a result: numbers with printed ones, checks and tables."""
    from fairsum_utils.reports.tables import Table

    computed = [row for row in result["items"] if row["got"] is not None]
    others = [row for row in result["items"] if row["got"] is None]
    keys = ("what", "source", "printed", "got", "verdict")
    numbers = [[row[key] for key in keys] for row in computed if row["kind"] == "reproduction"]
    checks = [[row[key] for key in keys] for row in computed if row["kind"] == "check"]
    counts = ", ".join(f"{n} {verdict}" for verdict, n in result["verdicts"].items())
    if result["checks"]:
        counts += "; checks: " + ", ".join(f"{n} {verdict}" for verdict, n in result["checks"].items())
    header = ["in the paper", "printed", "here", "verdict"]
    parts: list[Part] = [[f"{PAPERS[result['paper']]}: {counts}"], Table(["number", *header], numbers, n_texts=5)]
    if checks:
        parts.append(Table(["check", *header], checks, n_texts=5))
    if others:
        rows = [[row["what"], row["source"], row["verdict"], "; ".join(row["needs"])] for row in others]
        parts.append(Table(["number", "in the paper", "verdict", "needs"], rows, n_texts=4))
    parts += [part for row in computed for part in row["tables"]]
    parts.append([f"different verdict than before: {what}" for what in result["changed"]])
    parts.append([f"read: {each['path']} (SHA-256 {each['sha256']})" for each in result["inputs"]])
    return parts
