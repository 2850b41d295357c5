"""What no measure of the family reads is told: texts without a word, and in other languages."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.session import Request, Session
from fairsum_utils.session.state import State

GERMAN = "Die Patientin wurde am Montag entlassen, weil sie gesund war."
FRENCH = "L'infirmière a dit qu'elle ne viendrait pas avec les autres."
ARABIC = "فازت المرأة بالجائزة أمس."
ENGLISH = "The patient was sent home on Monday, since she was well."
MEASURES = ("counterfactual_gap", "counterfactual_outcomes", "counterfactual_pairs")

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")


def columns(texts: list[str]) -> dict[str, list[Any]]:
    """Each text as the summary of both variants of an original, with and without a control edit."""
    rows = [(text, str(n), v, c) for n, text in enumerate(texts) for v in "fm" for c in ("", "city")]
    return dict(
        zip(("predictions", "article_ids", "variants", "controls"), map(list, zip(*rows, strict=True)), strict=True)
    )


def warned(measure: str, texts: list[str], **settings: Any) -> dict[str, str]:
    """Code -> message."""
    result = compute(measure, **columns(texts), **settings)
    return {warning["code"]: warning["message"] for warning in result["warnings"]}


@pytest.mark.parametrize("measure", MEASURES)
def test_other_languages_are_named(measure: str) -> None:
    message = warned(measure, [GERMAN, FRENCH, GERMAN, ARABIC, ENGLISH])["foreign"]
    assert message.startswith(
        "16 of 20 (80 %) scored summaries are not English but German, French, a script that is not Latin: "
    )
    assert "foreign" not in warned(measure, [ENGLISH])


def test_what_reads_no_english_does_not_warn() -> None:
    assert "foreign" not in warned("counterfactual_gap", [GERMAN], neutral=False)
    assert "foreign" not in warned("counterfactual_outcomes", [GERMAN], outcomes=["length", "units"])
    assert "foreign" in warned("counterfactual_outcomes", [GERMAN], outcomes=["length", "hedges"])


@pytest.mark.parametrize("measure", MEASURES)
def test_junk_does_not_look_fair_without_a_word(measure: str) -> None:
    """All the same punctuation: nothing differs, and nothing was read."""
    assert warned(measure, ["...", "?!", ENGLISH])["wordless"].startswith(
        "8 of 12 (67 %) scored summaries hold no letter"
    )
    assert "wordless" not in warned(measure, [ENGLISH])


def test_originals_and_summaries_without_a_counterpart_are_told() -> None:
    found = columns([ENGLISH] * 3)
    found["variants"][-2:] = ["f", "f"]
    told = {
        measure: {warning["code"]: warning["message"] for warning in compute(measure, **found)["warnings"]}
        for measure in MEASURES
    }
    assert (
        told["counterfactual_outcomes"]["one_variant"]
        == "1 of 3 (33 %) originals have one variant only, and no difference"
    )
    assert told["counterfactual_pairs"]["alone"] == (
        "4 of 12 (33 %) scored summaries have no counterpart in another variant, and are left out"
    )


@pytest.mark.parametrize("measure", MEASURES)
def test_parts_count_as_the_whole(measure: str) -> None:
    texts = [GERMAN, "...", ARABIC, ENGLISH]
    request = [Request(measure, settings={"bootstrap": "buckets"})]
    states = []
    for part in ([0], [1, 2, 3]):
        with Session(request) as session:
            for place in part:
                own = columns([texts[place]]) | {"article_ids": [str(place)] * 4}
                session.add(own, start=4 * place)
            states.append(State.from_bytes(session.state().to_bytes()))
    states[0].merge(states[1])
    with Session(request) as session:
        merged = session.results(states[0])[measure]
    assert merged["warnings"] == compute(measure, **columns(texts), bootstrap="buckets")["warnings"]
