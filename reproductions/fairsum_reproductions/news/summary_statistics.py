"""Length, entities and hallucinated entities of summaries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fairsum_reproductions.contract import Input, NoSettings
from fairsum_reproductions.layout import by_system
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Marked, Part, Table

INPUTS = (Input("results", "entity_hallucination results, named SYSTEM[/CORPUS]", "results", systems=True),)

_MEASURE = "entity_hallucination"
# Keys of results, in the order of the paper's table 16.
_FIGURES = ("mean_tokens", "sd_tokens", "mean_entities", "sd_entities", "hallucinated_share")


def compute(results: Mapping[str, Mapping[str, Any]], *, settings: NoSettings) -> dict[str, Any]:
    """System -> corpus -> its figures."""
    found: dict[str, dict[str, float]] = {}
    for name, labelled in results.items():
        result = next((result for result in labelled.values() if _MEASURE in result), None)
        if result is None:
            raise InputError(f"{settings.module}: {name} has no {_MEASURE}; score this measure first")
        figures = {figure: math.nan if result[figure] is None else result[figure] for figure in _FIGURES}
        found[name] = {**figures, "n_samples": result["n_samples"]}
    undefined = {
        f"hallucinated_share of {name}": "the summaries name no person"
        for name, figures in found.items()
        if math.isnan(figures["hallucinated_share"])
    }
    return {"systems": by_system(found), "undefined": undefined}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out tables 16 and 17: tokens, entities and hallucinated share."""
    corpora = list(dict.fromkeys(corpus for row in result["systems"].values() for corpus in row))
    heads = ("tokens", "sd of tokens", "entities", "sd of entities", "% hallucinated")
    header = ["system", *(f"{corpus} {head}".lstrip() for corpus in corpora for head in heads)]
    rows: list[list[Any]] = []
    for system, row in result["systems"].items():
        rows.append([system])
        for corpus in corpora:
            *figures, share = (row.get(corpus, {}).get(figure) for figure in _FIGURES)
            figures.append(None if share is None else 100 * share)
            rows[-1] += [None if number is None else Marked(number, digits=2) for number in figures]
    return [Table(header, rows, "Tokens and entities per summary, on average; share of hallucinated entities")]
