"""Columns to results: hand-worked texts, the same by any call, settings where they belong, two systems compared."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities import FAMILY
from fairsum_utils.measures import distinguishability as formulas
from fairsum_utils.settings.models import InferenceSettings
from tests._together import score

METRICS = FAMILY.measures

ANN = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
BOB = {"first_name": "Bob", "last_name": "Ray", "group": "male"}
TOM = {"first_name": "Tom", "last_name": "Lee", "group": "male"}
EVE = {"first_name": "Eve", "last_name": "Ray", "group": "female"}

NEWS = {
    "predictions": ["Mr. Ray won.", "Tom Lee beat Eve Ray.", "Bob Ray and John Cox spoke to her.", "It rained."],
    "sources": ["Ann Lee and Bob Ray met; she won.", "He is Tom Lee. Eve Ray won.", "He and she met.", "She and she."],
    "entities": [[ANN, BOB], [TOM, EVE], [ANN, BOB], [TOM, EVE]],
    "mentions": [["Ray"], ["Tom Lee", "Eve Ray"], ["Bob Ray", "John Cox"], []],
    "article_ids": ["1", "1", "2", "2"],
    "groups": ["a", "b", "a", "b"],
    "pair_ids": ["p", None, "p", "q"],
}


def news(name, **changes):
    """The columns that a measure can use."""
    given = {**NEWS, **changes}
    return {column.name: given[column.name] for column in FAMILY.columns_of(name)}


def test_every_measure_by_hand():
    results = score(**NEWS, metrics=METRICS)
    # One identifier in the summaries: her. In the sources four female (she x 4) and two male: 1 - 4/6.
    assert results["word_list_inclusion"]["word_list_inclusion"] == pytest.approx(1 / 3)
    # Of four men three are mentioned, of four women one: odds of 3 and 1/3.
    assert results["entity_inclusion"]["entity_inclusion"] == pytest.approx(8)
    assert results["entity_inclusion"]["log_odds_ratios"][0]["log_odds_ratio"] == pytest.approx(-2 * math.log(3))
    # John Cox, a man by his first name, is the only one made up: |1 - 1/2|.
    hallucination = results["entity_hallucination"]
    assert hallucination["entity_hallucination"] == 0.5
    assert (hallucination["n_mentions"], hallucination["hallucinated_share"]) == (5, 0.2)
    # Words: 3 and 5, 8 and 2: mean 4.5, variance (2.25 + 0.25 + 12.25 + 6.25) / 4; persons 1, 2, 2, 0.
    assert (hallucination["mean_tokens"], hallucination["sd_tokens"]) == (4.5, pytest.approx(math.sqrt(5.25)))
    assert (hallucination["mean_entities"], hallucination["sd_entities"]) == (1.25, pytest.approx(math.sqrt(11) / 4))
    # Every summary is the only one of its group in its original.
    assert results["distinguishability"]["undefined_summaries"] == {"alone_in_group": 4}
    assert math.isnan(results["distinguishability"]["distinguishability"])


def test_distinguishability_of_texts_by_hand():
    texts = ["Ann won the cup.", "Eve won a cup.", "Bob won his cup again.", "The end."]
    names = [["Ann"], ["Eve"], ["Bob"], []]
    result = compute("distinguishability", predictions=texts, groups=[*"xxyy"], article_ids=[1] * 4, mentions=names)
    # Without stop words: last_name won cup, twice; last_name won cup ("again" is one); end.
    # The three are alike: 1 with the own group against (1 + 0) / 2 for x; 0 against 1 for Bob's; 0 against 0, a tie.
    assert result["distinguishability"] == 2 * (1 + 1 + 0 + 0.5) / 4 - 1


def test_a_first_name_alone():
    """Ray is Bob in the first text and Eve in the second; Ann is somebody only where her first name does."""
    columns = {"predictions": ["Ann beat Ray."] * 2, "mentions": [["Ann", "Ray"]] * 2}
    columns |= {"entities": [[ANN, BOB], [TOM, EVE]]}
    strict, loose = (compute("entity_inclusion", **columns, first_name_only=only) for only in (False, True))
    assert strict["entity_inclusion_by_group"] == {"female": 0.5, "male": 0.5}
    assert loose["entity_inclusion_by_group"] == {"female": 1.0, "male": 0.5}
    assert "first_name_only" not in strict["signature"]
    assert "|first_name_only:True|" in loose["signature"]
    made_up = {**columns, "sources": ["Ray won."] * 2}
    strict, loose = (compute("entity_hallucination", **made_up, first_name_only=only) for only in (False, True))
    assert [result["counts_by_group"]["female"]["hallucinated"] for result in (strict, loose)] == [2, 1]
    # Without persons of the source the setting changes nothing.
    del made_up["entities"]
    assert "first_name_only" not in compute("entity_hallucination", **made_up, first_name_only=True)["signature"]


def test_settings_reach_the_measures(tmp_path):
    lists = {"nouns": ["cup"], "verbs": ["won", "beat"]}
    counts = compute("word_list_inclusion", **news("word_list_inclusion"), word_lists=lists)["counts_by_group"]
    assert counts["verbs"] == {"summaries": 2, "sources": 2}
    people = tmp_path / "people.tsv"
    people.write_text("title\tmale\tfemale\nJohn Cox\t1\t5\n", encoding="utf-8")
    made_up = news("entity_hallucination", mentions=[[], [], ["John Mary"], []])
    for columns, settings, group in (
        *((news("entity_hallucination"), {"people": table}, "female") for table in (people, {"John Cox": "female"})),
        (made_up, {}, "male"),
        (made_up, {"lookup": "every"}, None),
        (made_up, {"first_names": {"John": "x", "Bob": "y"}}, "x"),
    ):
        counts = compute("entity_hallucination", **columns, **settings)["counts_by_group"]
        assert [name for name, count in counts.items() if count["hallucinated"]] == ([group] if group else [])


def test_dense_vectors_come_from_the_model(tiny_model, tmp_path):
    texts = ["Ann won the cup.", "Eve won a cup.", "Bob sang.", "Tom sang."]
    columns = {"predictions": texts, "groups": [*"xxyy"], "article_ids": [1] * 4}
    columns["mentions"] = [[name] for name in ("Ann", "Eve", "Bob", "Tom")]
    run = {"embedding": "dense", "model": tiny_model("encoder"), "device": "cpu", "dtype": "float32"}
    result = compute("distinguishability", **columns, **run, cache=str(tmp_path))
    from fairsum_utils.inference.sentences import SentenceEmbedder

    embedder = SentenceEmbedder(run["model"], settings=InferenceSettings(device="cpu", dtype="float32", cache="none"))
    anonymized = ["LAST_NAME won the cup.", "LAST_NAME won a cup.", "LAST_NAME sang.", "LAST_NAME sang."]
    credits, _ = formulas.summary_credits(embedder.embed(anonymized), np.array([0, 0, 1, 1]), np.zeros(4, dtype=int))
    embedder.close()
    assert result["distinguishability"] == formulas.mean_scores(credits, np.zeros(4, dtype=int), 1)[0]
    assert "embedding:" in result["signature"]
    assert list(tmp_path.iterdir())


def test_all_rows_are_checked_before_anything_is_loaded():
    name = "entity_inclusion"
    columns = news(name, mentions=None, entities=[*NEWS["entities"][:3], [{"group": "x"}]])
    with pytest.raises(InputError, match=r"^entity_inclusion: sample 3: entities\[0\] has no name"):
        compute(name, **columns, ner="no_such_pipeline")
    with pytest.raises(
        InputError, match=r"^entity_inclusion: the names of people in the summaries are missing; give them as mentions"
    ):
        compute(name, **news(name, mentions=None), ner=None)
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match=r"^entity_inclusion: spaCy has no pipeline 'no_such_pipeline'"):
        compute(name, **news(name, mentions=None), ner="no_such_pipeline")
