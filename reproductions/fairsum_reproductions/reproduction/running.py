"""From a folder of published files to the numbers and tables that they allow."""

from __future__ import annotations

import importlib
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction.item import VERDICTS, Item, Outcome
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.validation import check_choice

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_MODULE = "reproduce"


def items_of(paper: str) -> Sequence[Item]:
    """What a paper prints, as far as it is known here.

    Args:
        paper: ``"fairsumm"``, ``"coverage"``, ``"bold"`` or ``"news"``.
    """
    check_choice(_MODULE, "paper", paper, tuple(PAPERS))
    items: Sequence[Item] = importlib.import_module(f"{__package__}.{paper}").ITEMS
    return items


def reproduce(paper: str, data_dir: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Compute what a paper prints from the files that are published.

    Args:
        paper: ``"fairsumm"``, ``"coverage"``, ``"bold"`` or ``"news"``.
        data_dir: folder with the files; None for what follows from printed figures alone.

    Returns:
        ``paper``; ``items``, each with ``what``, ``source``, ``printed``, ``got`` (None where it is not computed),
        ``verdict``, ``known`` (the verdict that is expected), ``needs``, ``command`` and ``tables``; ``verdicts``, how
        often each was given; ``inputs``, path and SHA-256 of each file that was read; ``changed``, what came out
        otherwise than expected.

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
            raise InputError(f"{_MODULE}: there is no folder {folder}; give the one with the published files")
        if wanted and not any((folder / path).exists() for path in wanted):
            raise InputError(f"{_MODULE}: {folder} has none of the published files {', '.join(wanted)}")
    there = [path for path in wanted if folder is not None and (folder / path).exists()]
    rows = [_row(item, folder, there) for item in items]
    read = [path for path in there if any(row["got"] is not None and path in row["needs"] for row in rows)]
    given = [row["verdict"] for row in rows]
    return {
        "paper": paper,
        "items": rows,
        "verdicts": {verdict: given.count(verdict) for verdict in VERDICTS if verdict in given},
        "inputs": [describe_input(folder / path) for path in read if folder is not None],
        "changed": [row["what"] for row in rows if row["got"] is not None and row["verdict"] != row["known"]],
    }


@contextmanager
def _as_published(folder: Path, needs: Sequence[str]) -> Iterator[None]:
    """Say in one line of files that they are not those that were published; without files a fault is ours."""
    try:
        yield
    except FairSumError:
        raise
    except (
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        OSError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        if not needs:
            raise
        files = " or ".join(str(folder / path) for path in needs)
        said = " ".join(str(error).split())
        raise InputError(
            f"{_MODULE}: {files} is not as it was published ({type(error).__name__}: {said}); fetch it again"
        ) from error


def _row(item: Item, folder: Path | None, there: Sequence[str]) -> dict[str, Any]:
    outcome: Outcome | None = None
    if item.compute is not None and all(path in there for path in item.needs):
        with _as_published(folder or Path(), item.needs):
            outcome = item.compute(folder or Path())
    missing = "not reproduced" if item.compute is None else "no file"
    return {
        "what": item.what,
        "source": item.source,
        "printed": item.printed,
        "got": None if outcome is None else outcome.got,
        "verdict": missing if outcome is None else outcome.verdict,
        "known": item.known if item.compute else "not reproduced",
        "needs": [*item.needs],
        "command": item.command,
        "tables": [] if outcome is None else [*outcome.parts],
    }


def parts_of(result: Mapping[str, Any]) -> list[Part]:
    """What a person wants to see of it: each number beside the printed one, then the tables.

    Args:
        result: of `reproduce`.
    """
    from fairsum_utils.reports.tables import Table

    computed = [row for row in result["items"] if row["got"] is not None]
    others = [row for row in result["items"] if row["got"] is None]
    parts: list[Part] = [
        [f"{PAPERS[result['paper']]}: " + ", ".join(f"{n} {verdict}" for verdict, n in result["verdicts"].items())],
        Table(
            ["number", "in the paper", "printed", "here", "verdict"],
            [[row[key] for key in ("what", "source", "printed", "got", "verdict")] for row in computed],
            n_texts=5,
        ),
    ]
    if others:
        rows = [[row["what"], row["source"], row["verdict"], "; ".join(row["needs"])] for row in others]
        parts.append(Table(["number", "in the paper", "verdict", "what it needs"], rows, n_texts=4))
    parts += [part for row in computed for part in row["tables"]]
    parts.append([f"came out otherwise than before: {what}" for what in result["changed"]])
    parts.append([f"read: {each['path']} (SHA-256 {each['sha256']})" for each in result["inputs"]])
    return parts
