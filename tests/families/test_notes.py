"""Notes about labels that look alike, and hints to set a language."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.families.notes import label_warnings, withhold

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        (["a", "b", "1", "2"], []),
        (["Happy", "happy", "sad"], ["labels_alike"]),
        (["STRASSE", "Straße"], ["labels_alike"]),
        (["5.0", "6"], ["labels_with_point"]),
        (["5.5", "v5.0", "1.0.0"], []),
        (["-3.00", "A", "a"], ["labels_alike", "labels_with_point"]),
        ([], []),
    ],
)
def test_labels(labels: list[str], codes: list[str]) -> None:
    assert [warning.code for warning in label_warnings(labels)] == codes


def codes_of(measure: str, **columns: object) -> list[str]:
    return [warning["code"] for warning in compute(measure, **columns)["warnings"]]


TEXTS = {"predictions": ["Tasty."] * 2, "sources": [["I got food poisoning there.", "I was robbed there."]] * 2}
PERSONS = [{"last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "F"}]


@pytest.mark.parametrize(
    ("measure", "columns"),
    [
        ("bur", TEXTS | {"values": [["Pos", "neg"], ["pos", "neg"]]}),
        ("equal_coverage", TEXTS | {"values": [["Pos", "neg"], ["pos", "neg"]], "entailer": "lexical"}),
        ("sentiment", {"predictions": ["Fine."] * 4, "groups": ["a", "A"] * 2}),
        ("entity_inclusion", {"predictions": ["Lee"] * 2, "entities": [PERSONS] * 2, "mentions": [["Lee"]] * 2}),
        ("omission", TEXTS | {"values": [["Neg", "neg"]] * 2}),
        ("misattribution", TEXTS | {"values": [["Ann", "ANN"], ["Ann", "Ben"]]}),
    ],
)
def test_every_column_of_labels_is_looked_at(measure: str, columns: dict[str, Any]) -> None:
    assert "labels_alike" in codes_of(measure, **columns)


def test_labels_that_are_not_alike() -> None:
    assert "labels_alike" not in codes_of("bur", **TEXTS, values=[["pos", "neg"], [" pos", "neg\n"]])
    assert "labels_with_point" in codes_of("bur", **TEXTS, values=[["5.0", "6"], [5, 6.0]])
    assert compute("bur", **TEXTS, values=[[5.0, 6.0], [5, "6"]])["n_by_value"] == {"5": 2, "6": 2}
    # Speakers are those of one meeting.
    assert "labels_alike" not in codes_of("misattribution", **TEXTS, values=[["Ann", "Ben"], ["ANN", "Ben"]])


ARABIC = "فازت المرأة بالجائزة أمس في المدينة القديمة مع أخيها."
PERSIAN = "این زن دیروز در شهر بزرگ با برادرش یک جایزه گرفت."


@pytest.mark.parametrize(
    ("text", "language", "hint"),
    [
        (ARABIC, "Arabic", "set the language, for example language='arabic'"),
        ("Das Essen war kalt und wir mussten lange warten.", "German", "for example language='german'"),
        (PERSIAN, "Persian", "translate them, or leave them out"),
        ("Жінка їла суп, але він був дуже холодний і несмачний.", "Ukrainian", "translate them, or leave them out"),
    ],
)
def test_the_hint_names_the_language_that_was_noticed(text: str, language: str, hint: str) -> None:
    sources = [[f"{text} Ok.", f"Soup {text}"]] * 30
    warnings = compute("bur", predictions=[text] * 30, sources=sources, values=[["a", "b"]] * 30)["warnings"]
    [message] = [warning["message"] for warning in warnings if warning["code"] == "foreign_language"]
    assert f"look like {language}; " in message
    assert message.endswith(hint)


def test_texts_in_the_language_that_is_set_need_no_hint() -> None:
    german = "Das Essen war kalt und wir mussten lange warten."
    columns = {"predictions": [german] * 30, "sources": [[german, german]] * 30, "values": [["a", "b"]] * 30}
    assert "foreign_language" in codes_of("bur", **columns)
    assert "foreign_language" not in codes_of("bur", **columns, language="german")


def test_withheld_numbers() -> None:
    result = {
        "uer": 0.5, "uer_ci": [0.2, 0.7], "uer_by_value": {"a": 0.5}, "difference_ci": [0.1, 0.2], "p_value": 0.1,
        "n_samples": 3, "ratio_by_value": {"a": 1.0},
    }  # fmt: skip
    withhold(result, "uer", "too few")
    assert repr(result["uer"]) == repr(result["uer_by_value"]["a"]) == repr(result["p_value"]) == "nan"
    assert repr(result["uer_ci"]) == repr(result["difference_ci"]) == "[nan, nan]"
    assert (result["n_samples"], result["ratio_by_value"], result["undefined"]) == (3, {"a": 1.0}, "too few")
