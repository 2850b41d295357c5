"""Texts without a label, and texts in another language: what every measure leaves out."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas
import pytest

import fairsum_utils
from fairsum_utils import compute
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families.columns import GROUPS, SOURCES, VALUES, Column
from fairsum_utils.families.reading import drop_unlabelled
from fairsum_utils.integrations.judging import Judge
from fairsum_utils.measures.auc import AUC
from fairsum_utils.training import fairness_reward
from tests._together import compare, score

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

SERIOUS = Column("serious", "serious", list[float], "", follows_texts=True)
PERSONS = Column("entities", "entities", list[dict], "")


@pytest.mark.parametrize(
    ("columns", "row", "kept"),
    [
        ([SOURCES, VALUES], {"sources": ["a", "b"], "values": ["x", "y"]}, ({}, 0)),
        ([SOURCES, VALUES], {"sources": ["a", "b"], "values": ["x", None]}, ({"sources": ["a"], "values": ["x"]}, 1)),
        (
            [SOURCES, VALUES, SERIOUS],
            {"sources": ["a", "b", "c"], "values": ["nan", "y", ""], "serious": [1, 0, 1]},
            ({"sources": ["b"], "values": ["y"], "serious": [0]}, 2),
        ),
        ([SOURCES, VALUES], {"sources": ["a"], "values": [" "]}, None),
        # Columns of other lengths, and labels that are wrong rather than missing, are for the measure to refuse.
        ([SOURCES, VALUES], {"sources": ["a"], "values": ["x", ""]}, ({"values": ["x"]}, 1)),
        ([SOURCES, VALUES], {"sources": ["a"], "values": [1.5]}, ({}, 0)),
        ([SOURCES, VALUES], {"sources": ["a"], "values": None}, ({}, 0)),
        ([GROUPS], {"groups": float("nan")}, None),
        ([GROUPS], {"groups": 0}, ({}, 0)),
        (
            [PERSONS],
            {"entities": [{"last_name": "Lee", "group": ""}, {"last_name": "Ray", "group": "f"}, "?"]},
            ({"entities": [{"last_name": "Ray", "group": "f"}, "?"]}, 1),
        ),
    ],
)
def test_what_is_dropped(columns: list[Column], row: dict[str, Any], kept: tuple[dict[str, Any], int] | None) -> None:
    before = json.dumps(row, default=str)
    assert drop_unlabelled(columns, row) == (kept if kept is None else (row | kept[0], kept[1]))
    assert json.dumps(row, default=str) == before


# "Tasty." is all of the summary, so that "neg" is underrepresented: BUR is 1 with both groups.
TEXTS, SUMMARY = ["Tasty soup.", "Awful soup.", "Nice view."], "Tasty."
ONE = {"predictions": [SUMMARY], "sources": [TEXTS], "values": [["pos", "neg", "view"]]}
WITHOUT = {"predictions": [SUMMARY], "sources": [TEXTS[:2]], "values": [["pos", "neg"]]}
UNLABELLED = ONE | {"values": [["pos", "neg", "nan"]]}
LINES = [
    {"id": "a", "text": text, "who": who, "prediction": SUMMARY}
    for text, who in zip(TEXTS, ["pos", "neg", None], strict=True)
]


def by_table(make: Callable[[list[dict[str, Any]]], Any], **settings: Any) -> float:
    return score(make(LINES), sources="text", values="who", group_by="id", metrics=["auc"], **settings)["auc"]["auc"]


def by_single_samples(**settings: Any) -> float:
    module = fairsum_utils.load("auc", experiment_id=f"{len(settings)} settings")  # another would wait for its file
    module.add(prediction=SUMMARY, sources=TEXTS, values=["pos", "neg", None])
    return module.compute(**settings)["auc"]


def by_reward(**settings: Any) -> float:
    columns = {"sources": UNLABELLED["sources"], "values": UNLABELLED["values"]}
    return 1 - fairness_reward(AUC(**settings))(completions=[SUMMARY], **columns)[0]


FRONTS: dict[str, Callable[..., float]] = {
    "columns": lambda **settings: compute("auc", **UNLABELLED, **settings)["auc"],
    "table": partial(by_table, list),
    "frame": partial(by_table, pandas.DataFrame),
    "module": lambda **settings: fairsum_utils.load("auc").compute(**UNLABELLED, **settings)["auc"],
    "add": by_single_samples,
    "judge": lambda **settings: (
        Judge("auc", **settings).verdict(**{name: e[0] for name, e in UNLABELLED.items()}).score
    ),
    "reward": by_reward,
}


@pytest.mark.parametrize("front", FRONTS)
def test_every_front_refuses_and_drops(front: str) -> None:
    with pytest.raises(InputError, match=r"sample 0: .* is .*; name the group, or choose unlabelled='drop'"):
        FRONTS[front]()
    assert FRONTS[front](unlabelled="drop") == pytest.approx(compute("auc", **WITHOUT)["auc"], abs=1e-12)


def test_tensors_of_labels_in_every_front() -> None:
    torch = pytest.importorskip("torch")
    columns = WITHOUT | {"values": torch.tensor([[5.0, 6.0]])}
    given = {name: columns[name] for name in ("sources", "values")}
    found = [
        compute("auc", **columns)["auc"],
        fairsum_utils.load("auc").compute(**columns)["auc"],
        1 - fairness_reward("auc")(completions=[SUMMARY], **given)[0],
        Judge("auc").verdict(predictions=SUMMARY, **{name: column[0] for name, column in given.items()}).score,
    ]
    assert found == pytest.approx([compute("auc", **WITHOUT)["auc"]] * 4)
    assert compute("bur", **columns)["n_by_value"] == {"5": 1, "6": 1}


def test_labels_are_stripped_after_invisible_characters_are_gone() -> None:
    result = compute("bur", **WITHOUT | {"values": [["pos\u200b ", "\ufeff neg"]]})
    assert result["n_by_value"] == {"neg": 1, "pos": 1}
    with pytest.raises(InputError, match=r"values\[1\] is empty"):
        compute("bur", **WITHOUT | {"values": [["pos", "\u200b"]]})


def test_what_is_dropped_is_counted_and_signed() -> None:
    columns = {name: column * 2 for name, column in UNLABELLED.items()}
    columns["values"] = [["pos", "neg", ""], ["", None, "nan"]]
    result = compute("bur", **columns, unlabelled="drop", return_samples=True)
    assert (result["bur"], result["n_samples"], result["skipped"]) == (1.0, 1, {"unlabelled": 1})
    assert [sample["skipped"] for sample in result["samples"]] == [None, "unlabelled"]
    messages = {warning["code"]: warning["message"] for warning in result["warnings"]}
    assert messages["dropped"] == "1 source text or person without a label was left out"
    assert "|unlabelled:drop|" in result["signature"]
    assert "unlabelled" not in compute("bur", **ONE, unlabelled="drop")["signature"].replace("unlabelled:drop", "")
    assert "unlabelled" not in compute("bur", **ONE)["signature"]


def test_groups_and_variants_without_a_label() -> None:
    texts = {"predictions": ["Lovely day.", "Awful day."] * 3, "groups": ["a", "b", "a", "b", "", float("nan")]}
    with pytest.raises(InputError, match=r"sentiment: sample 4: the group .* found str ''; .* unlabelled='drop'"):
        compute("sentiment", **texts)
    result = compute("sentiment", **texts, unlabelled="drop")
    assert (result["sentiment"], result["n_by_group"], result["skipped"]) == (1.0, {"a": 2, "b": 2}, {"unlabelled": 2})
    variants = {"predictions": ["Ann won."] * 3, "article_ids": ["1"] * 3, "variants": ["f", "m", " "]}
    result = compute("counterfactual_gap", **variants, unlabelled="drop")
    assert (result["n_samples"], result["skipped"]) == (2, {"unlabelled": 1})
    assert list(result["variants"]) == ["f", "m"]


def test_systems_are_compared_on_what_is_left() -> None:
    a = UNLABELLED | {"predictions": ["Tasty awful."]}
    columns = a["sources"], a["values"]
    found = compare(a["predictions"], [SUMMARY], *columns, metrics=["auc"], unlabelled="drop")["auc"]
    assert found["systems"]["B"]["score"] == pytest.approx(compute("auc", **WITHOUT)["auc"], abs=1e-12)


GERMAN = "Die Ärztin wurde am Montag entlassen, weil sie nicht pünktlich war."
FRENCH = "Le comité a décidé de ne pas engager de nouvelles personnes cette année."
CHINESE = "这家餐厅的菜很好吃，我们都很喜欢。"
ENGLISH = "The doctor was praised on Monday, since she was kind and on time."
SHORT = "Sie ist eine wunderbare Frau."  # five words


MEETING = ["We should praise the doctor who was kind.", "There is no money for that."]
REVIEWS = [ENGLISH, "I got food poisoning and it was awful."]
# Measure -> the columns beside the summaries, of two samples.
READ: dict[str, dict[str, list[Any]]] = {
    "sentiment": {"groups": ["a", "b"]},
    "gender_polarity": {"groups": ["a", "b"]},
    "framing": {"sources": [REVIEWS] * 2},
    "omission": {"sources": [REVIEWS] * 2},
    "misattribution": {"sources": [MEETING] * 2, "values": [["Ann", "Ben"]] * 2},
    "counterfactual_gap": {"variants": ["x", "y"]},
    "counterfactual_outcomes": {"variants": ["x", "y"]},
    "word_list_inclusion": {"sources": [["She met him, and he met her."]] * 2},
    "order_sensitivity": {"variants": ["x", "y"], "sources": [MEETING] * 2, "values": [["Ann", "Ben"]] * 2},
}


def columns_of(measure: str, texts: list[str]) -> dict[str, Any]:
    columns = {name: two * (len(texts) // 2) for name, two in READ[measure].items()}
    originals = {"article_ids": [str(k // 2) for k in range(len(texts))]} if "variants" in columns else {}
    return {"predictions": texts, **columns, **originals}


ENGLISH_ONLY = pytest.mark.parametrize("measure", [name for name in READ if name != "order_sensitivity"])


@ENGLISH_ONLY
@pytest.mark.parametrize(("text", "language"), [(GERMAN, "German"), (FRENCH, "French"), (CHINESE, "Chinese")])
def test_one_row_in_another_language_stops_nothing(measure: str, text: str, language: str) -> None:
    result = compute(measure, **columns_of(measure, [*[ENGLISH] * 9, text]))
    assert (result["n_samples"], result["skipped"]) == (9, {"foreign_language": 1})
    [message] = [warning["message"] for warning in result["warnings"] if warning["code"] == "foreign_language"]
    assert message.startswith(f"1 of 10 (10%) samples are left out, because they are in {language}, ")


@ENGLISH_ONLY
def test_most_rows_in_another_language_withhold_the_score(measure: str) -> None:
    for n, is_withheld in ((20, False), (22, True)):
        texts = [GERMAN] * n + [ENGLISH] * (40 - n)
        result = compute(measure, **columns_of(measure, texts), confidence_level=0.95)
        reason = f"{n} of 40 samples are in German, which this measure cannot read"
        assert (result.get("undefined") == reason) is is_withheld
        assert all(map(math.isnan, [result[measure], *result.get(f"{measure}_ci", [])])) or not is_withheld


@ENGLISH_ONLY
def test_short_texts_are_scored(measure: str) -> None:
    for n, is_noted in ((40, True), (20, False)):
        result = compute(measure, **columns_of(measure, [SHORT] * n + [ENGLISH] * (40 - n)))
        assert (result["n_samples"], result["skipped"]) == (40, {})
        assert ("short_foreign" in [warning["code"] for warning in result["warnings"]]) is is_noted


@pytest.mark.parametrize("name", ["predictions", "sources"])
def test_a_script_without_spaces_stops_no_order_sensitivity(name: str) -> None:
    columns = columns_of("order_sensitivity", [ENGLISH] * 10)
    columns[name] = [*columns[name][1:], CHINESE if name == "predictions" else [CHINESE, "There is no money."]]
    result = compute("order_sensitivity", **columns)
    assert (result["n_samples"], result["skipped"]) == (9, {"foreign_language": 1})


def test_measures_that_read_otherwise_share_no_rows() -> None:
    columns = columns_of("order_sensitivity", [ENGLISH] * 30 + [GERMAN] * 10)
    together = score(**columns, metrics=["order_sensitivity", "counterfactual_outcomes"])
    # The first reads words between spaces only, the other a list of English words.
    assert [result["n_samples"] for result in together.values()] == [40, 30]
    plain = compute(
        "counterfactual_outcomes", **columns_of("counterfactual_outcomes", [GERMAN] * 40), outcomes=["length"]
    )
    assert plain["skipped"] == {}


def test_a_comparison_is_withheld_like_a_score() -> None:
    columns = columns_of("framing", [ENGLISH] * 40)
    other = [GERMAN] * 22 + [ENGLISH] * 18
    found = compare(columns["predictions"], other, columns["sources"], metrics=["framing"])["framing"]
    assert math.isnan(found["difference"])
    assert math.isnan(found["systems"]["B"]["score"])
    assert found["undefined"] == "B: 22 of 40 samples are in German, which this measure cannot read"


def test_norms_of_another_language(tmp_path: Any) -> None:
    lexicon = tmp_path / "norms.tsv"
    ratings = "\t".join(["9", "5", "5", "5", "1", "1", "1", "1"])
    names = ["word", "valence", "arousal", "dominance", "joy", "anger", "sadness", "fear", "disgust"]
    lexicon.write_text("\t".join(names) + f"\npünktlich\t{ratings}\nkind\t{ratings}\n", encoding="utf-8")
    columns = columns_of("sentiment", [GERMAN] * 4)
    assert compute("psycholinguistic_norms", **columns, lexicon=lexicon)["skipped"] == {"foreign_language": 4}
    result = compute("psycholinguistic_norms", **columns, lexicon=lexicon, language="de")
    assert (result["skipped"], result["proportions"]["valence_positive"]) == ({}, 1.0)
    assert "lang:german" in result["signature"]


def test_the_note_reaches_the_user() -> None:
    with pytest.warns(ScoreWarning, match="1 of 4 .* samples are left out, because they are in French"):
        score(**columns_of("sentiment", [ENGLISH, FRENCH, ENGLISH, ENGLISH]), metrics=["sentiment"])
