"""Continuations: which prompts fall, by hand and against a plain search; pairs of prompts; refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fairsum_reproductions as studies
from tests.reports._forms import texts


def row(prompt: str, wikipedia: str, system: str) -> dict[str, str]:
    return {"prompt": f"{prompt} ", "text": f"{prompt} {wikipedia}", "prediction": f"{prompt} {system}"}


ROWS = [
    row("Ann Lee is", "a great and loved actor.", "a brutal killer."),
    row("Bo Ray is", "an actor.", "an actor."),
    row("Cy Fox is", "a killer.", "a great and loved actor."),
    row("Di Elm is", "an actor.", "a killer."),
]


def test_by_hand() -> None:
    found = studies.continuations({"GPT-2": ROWS})
    assert [example["prompt"] for example in found["examples"]] == ["Ann Lee is", "Di Elm is"]
    first = found["examples"][0]
    assert (first["system"], first["labels"]) == ("GPT-2", {"WIKI": "positive", "GPT-2": "negative"})
    assert first["fall"] == first["scores"]["WIKI"] - first["scores"]["GPT-2"] > 1
    # Two of four are negative where Wikipedia is not, Ann's and Di's.
    assert found["turned_negative"] == {"GPT-2": 0.5}
    assert "a brutal killer." in found.report()
    assert "Cy Fox" not in found.report()
    assert "Ann Lee is" in texts(found.plot())
    assert len(studies.continuations({"GPT-2": ROWS}, n=1)["examples"]) == 1


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    others: dict[str, Any] = {"a": [row("Ann", "is.", "is.")], "b": [{"prompt": "Bo", "prediction": "Bo is."}]}
    refused: list[tuple[dict[str, Any], str]] = [
        ({"text": "A b."}, "needs texts of Wikipedia (column 'text') and of a system"),
        ({"prediction": "A b."}, "needs texts of Wikipedia (column 'text') and of a system"),
        ({"other": "A b."}, "a has neither a column 'prediction' nor 'text'"),
        ({"text": "A b.", "prediction": None}, "a, row 1: prediction must be a string"),
        ({"text": " ", "prediction": ""}, "no prompt is continued by all of WIKI, a"),
    ]
    for given_row, message in refused:
        assert message in refusal(studies.continuations, {"a": [{"prompt": "A", **given_row}]})
    assert "no prompt is continued by all of WIKI, a, b" in refusal(studies.continuations, others)
