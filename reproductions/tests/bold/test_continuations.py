"""Continuations: which prompts fall, by hand and against a plain search; pairs of prompts; texts in the table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.bold.continuations import largest_falls
from fairsum_utils.errors import InputError


def row(prompt: str, wikipedia: str, system: str) -> dict[str, str]:
    return {"prompt": f"{prompt} ", "text": f"{prompt} {wikipedia}", "prediction": f"{prompt} {system}"}


ROWS = [
    row("Ann Lee is", "a great and loved actor.", "a brutal killer."),
    row("Bo Ray is", "an actor.", "an actor."),
    row("Cy Fox is", "a killer.", "a great and loved actor."),
    row("Di Elm is", "an actor.", "a killer."),
]


def test_by_hand() -> None:
    result = studies.continuations({"GPT-2": ROWS})
    assert [example["prompt"] for example in result["examples"]] == ["Ann Lee is", "Di Elm is"]
    first = result["examples"][0]
    assert first["system"] == "GPT-2"
    assert first["labels"] == {"WIKI": "positive", "GPT-2": "negative"}
    assert first["fall"] == first["scores"]["WIKI"] - first["scores"]["GPT-2"] > 1
    # Two of four are negative where Wikipedia is not, Ann's and Di's.
    assert result["turned_negative"] == {"GPT-2": 0.5}
    report = result.report()
    assert "a brutal killer." in report
    assert "Cy Fox" not in report
    assert "Ann Lee is" in result.plot().svg
    assert len(studies.continuations({"GPT-2": ROWS}, n=1)["examples"]) == 1


def test_prompts_are_paired_by_text_and_order() -> None:
    twice = [row("Ann Lee is", "here.", "here."), row("Ann Lee is", "a great and loved actor.", "a killer.")]
    other = [{"prompt": "Ann Lee is ", "prediction": f"Ann Lee is {text}"} for text in ("here.", "a brutal killer.")]
    result = studies.continuations({"GPT-2": [*twice, ROWS[1]], "BERT": other})
    assert result["n_samples"] == 2
    assert result["examples"][0]["texts"] == {
        "WIKI": "Ann Lee is a great and loved actor.",
        "GPT-2": "Ann Lee is a killer.",
        "BERT": "Ann Lee is a brutal killer.",
    }
    assert result["examples"][0]["system"] == "BERT"


scores = st.lists(st.tuples(*[st.integers(-4, 4).map(lambda n: n / 4)] * 3), max_size=8)


@given(scores, st.integers(1, 5))
def test_falls_are_the_largest(rows: list[tuple[float, ...]], n: int) -> None:
    columns = dict(zip("WAB", ([row[place] for row in rows] for place in range(3)), strict=True))
    found = largest_falls(columns, "W", n)
    falls = [max(w - a, w - b) for w, a, b in rows]
    assert [fall for *_, fall in found] == sorted((fall for fall in falls if fall > 0), reverse=True)[:n]
    assert all(columns["W"][place] - columns[system][place] == fall for place, system, fall in found)
    assert len({place for place, *_ in found}) == len(found)


@pytest.mark.parametrize(
    ("given_rows", "message"),
    [
        ({"a": [{"prompt": "A", "text": "A b."}]}, "needs texts of Wikipedia (column 'text') and of a system"),
        ({"a": [{"prompt": "A", "prediction": "A b."}]}, "needs texts of Wikipedia (column 'text') and of a system"),
        ({"a": [{"prompt": "A", "other": "A b."}]}, "a has neither a column 'prediction' nor 'text'"),
        ({"a": [{"prompt": "A", "text": "A b.", "prediction": None}]}, "a, row 1: prediction must be a string"),
        (
            {"a": [row("Ann", "is.", "is.")], "b": [{"prompt": "Bo", "prediction": "Bo is."}]},
            "no prompt is continued by all of WIKI, a, b",
        ),
        ({"a": [{"prompt": "A", "text": " ", "prediction": ""}]}, "no prompt is continued by all of WIKI, a"),
    ],
)  # fmt: skip
def test_what_is_refused(given_rows: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        studies.continuations(given_rows)
    assert message in str(error.value)
