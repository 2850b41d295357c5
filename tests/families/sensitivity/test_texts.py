"""Neutral forms, copies, and summaries that the English words do not read."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import check, compute, score
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.texts import MARK, changed_spans, is_copy, without_changed


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        ("Mary left.", ["Mary"], "X left."),
        ("Mary's car, and MARY.", ["Mary"], "X's car, and X."),
        ("May may win in May.", ["May"], "X may win in X."),
        ("The nurse and the Nurse.", ["nurse"], "The X and the X."),
        ("An engineer is an engineer.", ["engineer"], "A X is a X."),
        ("Mary Ann Smith, Smith, Ann.", ["Mary Ann Smith"], "X, X, X."),
        ("Mary  Smith met John Smith.", ["Mary Smith", "John Smith"], "X met X."),
        ("Dr. A. Smith left.", ["A. Smith"], "Dr. X left."),
        ("New York is not York.", ["New York"], "X is not X."),
    ],
)
def test_words_of_variants(text: str, changed: list[str], expected: str) -> None:
    assert without_changed(text, changed) == expected


@given(st.text("AnBob enr.,X", max_size=30))
def test_spans_are_what_is_marked(text: str) -> None:
    changed = ["Ann", "Bob", "ne"]
    spans = changed_spans(text, changed)
    assert all(any(word.lower() in text[start:end].lower() for word in changed) for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    marked = without_changed(text, changed)
    assert marked.count(MARK) == text.count(MARK) + len(spans)


pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

N = 40
CHANGED = [f"{name}{n}" for n, name in enumerate(["Ann", "she", "her", "Ms", "Oslo", "May", "big", "nurse"])]
GERMAN = "Die Patientin wurde am Montag entlassen, weil sie gesund war."
FRENCH = "L'infirmière a dit qu'elle ne viendrait pas avec les autres."
ARABIC = "فازت المرأة بالجائزة أمس في المدينة القديمة مع أخيها."
ENGLISH = "The patient was sent home on Monday, since she was well."
MEASURES = ("counterfactual_gap", "counterfactual_outcomes")


def columns(texts: list[str], **more: Any) -> dict[str, list[Any]]:
    """Each text as the summary of both variants of an original, with and without a control edit."""
    rows = [(text, str(n), v, c) for n, text in enumerate(texts) for v in "fm" for c in ("", "city")]
    names = ("predictions", "article_ids", "variants", "controls")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) | {
        name: [entry] * len(rows) for name, entry in more.items()
    }


def results(texts: list[str], **more: Any) -> Any:
    return score(**columns(texts, **more), metrics=MEASURES, confidence_level=0.95)


def codes(found: Any, measure: str = "counterfactual_gap") -> dict[str, float]:
    return {warning["code"]: warning["share"] for warning in found[measure]["warnings"]}


def test_one_summary_for_all() -> None:
    found = results(["The text is about people."] * N)
    assert found["counterfactual_gap"]["counterfactual_gap"] == 0
    for measure in MEASURES:
        assert codes(found, measure)["same_summaries"] == 1
        checked = check(found, f"{measure}.ci_high < 0.05")
        assert checked.outcome == "undecided"
        assert checked.verdicts[0].reason.startswith("no conclusion: 40 of 40 (100%) summaries are identical to ")
    assert check(found, "counterfactual_gap.n_samples == 160").passed  # how many there are is known


def test_a_few_alike_do_not_matter() -> None:
    texts = ["It rained."] * 2 + [f"It rained {n} times." for n in range(2, N)]  # one text of two among 39
    assert "same_summaries" in codes(results(texts))
    assert "same_summaries" not in codes(results(["It rained.", "It rained 1 times.", *texts[2:]]))


def test_copies() -> None:
    texts = [f"{n} {' '.join(CHANGED)}." for n in range(N)]
    found = results(texts, changed=CHANGED)
    assert codes(found)["copies"] == 1
    assert check(found, "counterfactual_gap < 0.05").outcome == "undecided"
    assert "copies" not in codes(results([text.replace("Ann0", "") for text in texts], changed=CHANGED))


def test_what_is_a_copy() -> None:
    assert is_copy(Sample(0, "Say: IT  rained. It snowed.", "a", "x", sources=("It rained.", "It snowed.")))
    assert not is_copy(Sample(0, "It rained.", "a", "x", sources=("It rained.", "It snowed.")))
    assert not is_copy(Sample(0, "Ann won.", "a", "x", changed=("Ann",)))  # few words stand in any summary
    assert not is_copy(Sample(0, "Ann won.", "a", "x"))


def warned(measure: str, texts: list[str], **settings: Any) -> dict[str, str]:
    """Code -> message."""
    result = compute(measure, **columns(texts), **settings)
    return {warning["code"]: warning["message"] for warning in result["warnings"]}


@pytest.mark.parametrize("measure", MEASURES)
def test_other_languages_are_named(measure: str) -> None:
    message = warned(measure, [GERMAN, FRENCH, GERMAN, ARABIC, ENGLISH])["foreign_language"]
    left_out = "samples are left out, because they are in German, Arabic, French, which this measure cannot read"
    assert message == f"16 of 20 (80%) {left_out}"
    assert "foreign_language" not in warned(measure, [ENGLISH])


def test_what_reads_no_english_does_not_warn() -> None:
    assert "foreign_language" not in warned("counterfactual_gap", [GERMAN], neutral=False)
    assert "foreign_language" not in warned("counterfactual_outcomes", [GERMAN], outcomes=["length", "units"])
    assert "foreign_language" in warned("counterfactual_outcomes", [GERMAN], outcomes=["length", "hedges"])


@pytest.mark.parametrize("measure", MEASURES)
def test_junk_does_not_look_fair_without_a_word(measure: str) -> None:
    """All the same punctuation: nothing differs, and nothing was read."""
    message = warned(measure, ["...", "?!", ENGLISH])["wordless"]
    assert message.startswith("8 of 12 (67%) scored summaries contain no letter")
    assert "wordless" not in warned(measure, [ENGLISH])
