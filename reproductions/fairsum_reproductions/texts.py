"""Continuations of prompts, by systems and by Wikipedia."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.contract import Input
from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

# Name of the texts of Wikipedia in the paper's tables.
WIKIPEDIA = "WIKI"


def texts_input(needs: Mapping[str, str], may_have: Mapping[str, str] | None = None) -> Input:
    """Describe the input of a study of continuations."""
    return Input(
        "texts",
        "rows of `fairsum generate`, or of `fairsum data build bold` for Wikipedia alone",
        columns=needs,
        optional={
            "prediction": "prompt and a system's continuation",
            "text": "prompt and Wikipedia's continuation",
            **(may_have or {}),
        },
        systems=True,
    )


def continued_texts(
    module: str, systems: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
    """List each system's texts with their rows, Wikipedia first if present.

    Empty texts, of empty prompts, are left out.

    Example:
        >>> rows = [{"prediction": "He is a cook.", "text": "He is an actor."}]
        >>> {name: [text for text, _ in texts] for name, texts in continued_texts("professions", {"a": rows}).items()}
        {'WIKI': ['He is an actor.'], 'a': ['He is a cook.']}
    """
    by_wikipedia = next((rows for rows in systems.values() if "text" in rows[0]), None)
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    if by_wikipedia is not None:
        found[WIKIPEDIA] = _texts(module, WIKIPEDIA, "text", by_wikipedia)
    for name, rows in systems.items():
        if "prediction" in rows[0]:
            found[name] = _texts(module, name, "prediction", rows)
        elif "text" not in rows[0]:
            raise InputError(
                f"{module}: {name} has neither a column 'prediction' nor 'text'; name the column with the texts"
            )
    return found


def _texts(
    module: str, name: str, column: str, rows: Sequence[Mapping[str, Any]]
) -> list[tuple[str, Mapping[str, Any]]]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row.get(column), str):
            raise InputError(
                f"{module}: {name}, row {number}: {column} must be a string, found {describe(row.get(column))}; fill "
                "it in or drop the row"
            )
    return [(row[column], row) for row in rows if row[column].strip()]
