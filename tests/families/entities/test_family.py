"""Columns to results: hand-worked texts, the same by any call, settings where they belong, two systems compared."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compare, compute, score
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.family import FAMILY
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.session import Request, Session

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


COLUMNS = {
    "word_list_inclusion": ("predictions", "sources", "article_ids", "pair_ids"),
    "entity_inclusion": ("predictions", "entities", "mentions", "article_ids", "pair_ids"),
    "entity_hallucination": ("predictions", "sources", "entities", "mentions", "article_ids", "pair_ids"),
    "distinguishability": ("predictions", "entities", "mentions", "article_ids", "groups"),
}


def news(name, **changes):
    """The columns that a measure can use."""
    return {column: {**NEWS, **changes}[column] for column in COLUMNS[name]}


def test_columns():
    assert {name: tuple(column.name for column in FAMILY.columns_of(name)) for name in METRICS} == COLUMNS
    assert {name: FAMILY.needed(name, ()) for name in METRICS} == {
        "word_list_inclusion": ("predictions", "sources"),
        "entity_inclusion": ("predictions", "entities"),
        "entity_hallucination": ("predictions", "sources"),
        "distinguishability": ("predictions", "article_ids", "groups"),
    }


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


def test_one_call_or_several():
    run = {"confidence_level": 0.9, "n_resamples": 30, "return_samples": True}
    together = score(**NEWS, metrics=METRICS, **run)
    for name in METRICS:
        assert repr(together[name]) == repr(compute(name, **news(name), **run))
    assert repr(score(*NEWS.values(), metrics=METRICS, **run)) == repr(together)
    with pytest.raises(InputError, match="found 7 columns without a name, but only predictions, sources can be told"):
        score(*NEWS.values(), metrics=["bur", "entity_inclusion"])


def test_records_say_what_their_measure_needs():
    common = ["index", "article", "skipped", "n_tokens"]
    own = {
        "word_list_inclusion": ["summary_words", "source_words"],
        "entity_inclusion": ["n_mentions", "entities", "n_ambiguous", "evidence"],
        "entity_hallucination": ["n_mentions", "hallucinated", "evidence"],
        "distinguishability": ["group", "distinguishable", "article_score", "evidence"],
    }
    results = score(**(NEWS | {"predictions": ["", *NEWS["predictions"][1:]]}), metrics=METRICS, return_samples=True)
    for name in METRICS:
        assert [list(record) for record in results[name]["samples"]] == [common + own[name]] * 4
        assert [record["skipped"] for record in results[name]["samples"]] == ["empty_prediction", None, None, None]
        for record in results[name]["samples"][1:]:
            # Persons are anonymized for distinguishability only, whatever else was asked for.
            anonymized = record.get("evidence", {}).get("anonymized")
            assert (anonymized is not None) == (name == "distinguishability")
    assert results["entity_hallucination"]["samples"][2]["hallucinated"] == [["John Cox", "male"]]


TAKEN = {
    "word_lists": "extended",
    "reference": "uniform",
    "continuity": 0.5,
    "n_permutations": 9,
    "first_names": {"Ann": "x", "Bob": "y"},
    "people": {"John Cox": "female"},
}


def takers(setting):
    return [name for name in METRICS if setting in FAMILY.taken(name)]


def test_columns_belong_to_measures():
    for name in COLUMNS:
        assert repr(compute(name, **NEWS)) == repr(compute(name, **news(name)))
        with pytest.raises(InputError, match=f"{name}: the column values is for bur, .*, and only {name} is asked"):
            compute(name, **news(name), values=[["a"]])


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


def test_a_first_name_alone_changes_no_anonymized_text():
    columns = {name: NEWS[name] for name in ("predictions", "sources", "article_ids", "groups")}
    columns |= {"entities": [[ANN, BOB]] * 4, "mentions": [["Ann"], ["Bob", "Tom Cox"], ["Ann Lee", "Bob"], []]}
    alone = compute("distinguishability", **columns, return_samples=True)["distinguishability"]
    both = score(**columns, metrics=["entity_inclusion", "distinguishability"], first_name_only=True)
    assert repr(both["distinguishability"]["distinguishability"]) == repr(alone)
    assert "first_name_only" not in both["distinguishability"]["signature"]


@pytest.mark.parametrize("setting", TAKEN)
def test_what_changes_a_number_is_in_the_signature(setting):
    [name] = takers(setting)
    changed = compute(name, **news(name), **{setting: TAKEN[setting]})
    assert changed["signature"] != compute(name, **news(name))["signature"]


def test_settings_reach_the_measures(tmp_path):
    def result(name, **settings):
        return compute(name, **news(name), **settings)

    assert result("word_list_inclusion", reference="uniform")["word_list_inclusion"] == 0.5
    lists = {"nouns": ["cup"], "verbs": ["won", "beat"]}
    assert result("word_list_inclusion", word_lists=lists)["counts_by_group"]["verbs"] == {"summaries": 2, "sources": 2}
    # (3 + 1/2) / 5 and (1 + 1/2) / 5: odds of 7/3 and 3/7.
    assert result("entity_inclusion", continuity=0.5)["entity_inclusion"] == pytest.approx(49 / 9 - 1)
    people = tmp_path / "people.tsv"
    people.write_text("title\tmale\tfemale\nJohn Cox\t1\t5\n", encoding="utf-8")
    for table in (people, str(people), {"John Cox": "female"}):
        counts = result("entity_hallucination", people=table)["counts_by_group"]
        assert counts == {"female": {"hallucinated": 1}, "male": {"hallucinated": 0}}
    named = result("entity_hallucination", first_names={"John": "x", "Ann": "y", "Bob": "z"})
    # One of three groups has all: 1/2 (2/3 + 1/3 + 1/3).
    assert named["entity_hallucination"] == pytest.approx(2 / 3)


def test_dense_vectors_come_from_the_model(tiny_model, tmp_path):
    texts = ["Ann won the cup.", "Eve won a cup.", "Bob sang.", "Tom sang."]
    columns = {
        "predictions": texts,
        "groups": [*"xxyy"],
        "article_ids": [1] * 4,
        "mentions": [["Ann"], ["Eve"], ["Bob"], ["Tom"]],
    }
    run = {"embedding": "dense", "model": tiny_model("encoder"), "device": "cpu", "dtype": "float32"}
    result = compute("distinguishability", **columns, **run, cache=str(tmp_path))
    from fairsum_utils.inference.sentences import SentenceEmbedder

    embedder = SentenceEmbedder(run["model"], settings=InferenceSettings(device="cpu", dtype="float32", cache="none"))
    anonymized = ["LAST_NAME won the cup.", "LAST_NAME won a cup.", "LAST_NAME sang.", "LAST_NAME sang."]
    vectors = embedder.embed(anonymized)
    embedder.close()
    units = vectors / (vectors**2).sum(axis=1, keepdims=True) ** 0.5
    likeness = (units @ units.T).tolist()
    credit = 0.0
    for i, group in enumerate(columns["groups"]):
        mine = [likeness[i][j] for j in range(4) if j != i and columns["groups"][j] == group]
        others = [likeness[i][j] for j in range(4) if columns["groups"][j] != group]
        credit += sum(mine) / len(mine) > sum(others) / len(others)
    assert result["distinguishability"] == 2 * credit / 4 - 1
    assert "embedding:" in result["signature"]
    assert list(tmp_path.iterdir())


def test_all_rows_are_checked_before_anything_is_loaded():
    name = "entity_inclusion"
    columns = news(name, mentions=None, entities=[*NEWS["entities"][:3], [{"group": "x"}]])
    with pytest.raises(InputError, match=r"^entity_inclusion: sample 3: entities\[0\] has no name"):
        compute(name, **columns, ner="no_such_pipeline")
    with pytest.raises(InputError, match="predictions has 4 samples but entities has 1; give every column one entry"):
        compute(name, **news(name, entities=[[]]))
    with pytest.raises(InputError, match=r"^entity_inclusion: mentions must be given, .* or ner must name a pipeline"):
        compute(name, **news(name, mentions=None), ner=None)
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match=r"^entity_inclusion: spaCy has no pipeline 'no_such_pipeline'"):
        compute(name, **news(name, mentions=None), ner="no_such_pipeline")


@pytest.mark.parametrize("name", METRICS)
def test_a_missing_column_names_the_measure_that_needs_it(name):
    for missing in FAMILY.needed(name, ()):
        columns = {column: entries for column, entries in news(name).items() if column != missing}
        with pytest.raises(InputError, match=f"^{name}: missing: {missing}, which {name} needs. Given: "):
            compute(name, **columns)


INCLUSION = st.lists(
    st.tuples(st.lists(st.booleans(), min_size=2, max_size=2), st.booleans(), st.sampled_from("xyz")),
    min_size=1,
    max_size=8,
)


@given(INCLUSION)
def test_inclusion_equals_brute_force(samples):
    """Two persons a sample, whose groups are swapped in some: from names in texts to the score."""
    columns = {"predictions": [], "entities": [], "mentions": [], "article_ids": []}
    included, every = {"female": 0, "male": 0}, {"female": 0, "male": 0}
    for named, swapped, article in samples:
        persons = [TOM, EVE] if swapped else [ANN, BOB]
        names = [
            f"{person['first_name']} {person['last_name']}" for person, said in zip(persons, named, strict=True) if said
        ]
        for person, said in zip(persons, named, strict=True):
            every[person["group"]] += 1
            included[person["group"]] += said
        for column, entry in zip(columns.values(), (f"News: {names}", persons, names, article), strict=True):
            column.append(entry)
    result = compute("entity_inclusion", **columns, n_permutations=1)
    if any(included[group] in (0, every[group]) for group in every):
        assert math.isnan(result["entity_inclusion"])
        assert "odds" in result["undefined"]
        return
    odds = [Fraction(included[group], every[group] - included[group]) for group in every]
    assert result["entity_inclusion"] == pytest.approx(float(max(odds) / min(odds) - 1))


SYSTEMS = {
    "predictions_a": NEWS["predictions"],
    "predictions_b": ["Ann Lee and Ray won, he said.", "", "Ann Lee spoke.", "Tom Lee left."],
    "mentions_a": NEWS["mentions"],
    "mentions_b": [["Ann Lee", "Ray"], [], ["Ann Lee"], ["Tom Lee"]],
    **{name: NEWS[name] for name in ("sources", "entities", "article_ids", "groups", "pair_ids")},
}


def systems(name, **changes):
    """The columns of two systems that a measure can use."""
    both = {**SYSTEMS, **changes}
    return {key: both[key] for column in COLUMNS[name] for key in (column, f"{column}_a", f"{column}_b") if key in both}


@pytest.mark.parametrize("name", METRICS)
def test_two_systems(name):
    result = compare(**systems(name), metrics=[name], n_resamples=50)[name]
    kept = [0, 2, 3]  # B says nothing on the second sample
    for side in "ab":
        columns = {
            key: [SYSTEMS.get(f"{key}_{side}", NEWS[key])[place] for place in kept] for key in COLUMNS[name]
        }  # fmt: skip
        assert repr(result[side]) == repr(compute(name, **columns)[name])
    assert (result["n_samples"], result["n_articles"], result["n_skipped"]) == (3, 2, 1)
    same = systems(name, predictions_b=SYSTEMS["predictions_a"], mentions_b=SYSTEMS["mentions_a"])
    same = compare(**same, metrics=[name])[name]
    assert same["difference"] == 0 or math.isnan(same["a"])


def test_bad_comparisons():
    with pytest.raises(InputError, match=r"^compare: mentions must be given for both systems, or for neither"):
        compare(**(SYSTEMS | {"mentions_b": None}), metrics=METRICS)
    with pytest.raises(InputError, match="compare: predictions_a has 4 samples but predictions_b has 1"):
        compare(**(SYSTEMS | {"predictions_b": ["x"]}), metrics=METRICS)
    with pytest.raises(InputError, match=r"^compare: missing: sources, which word_list_inclusion needs"):
        compare(["a"], ["b"], metrics=METRICS[:1])
    with pytest.raises(InputError, match=r"^compare: empty must be one of"):
        compare(["a"], ["b"], ["c"], metrics=METRICS[:1], empty="drop")
    a, b = ({"predictions": ["He."] * n, "sources": ["She."] * n} for n in (2, 3))
    with Session([Request("word_list_inclusion")], module="compare") as session:
        with pytest.raises(InputError, match=r"^compare: A has 2 samples and B has 3; compare the same samples"):
            session.compare(a, b)
        with pytest.raises(InputError, match=r"^compare: the systems have different sources or values in sample 0;"):
            session.compare(a, {**a, "sources": ["He."] * 2})


def test_a_summarizer_that_prefers_men_is_told_from_one_that_does_not():
    """Two variants of each original, with the groups swapped; one system names men, the other the first person."""
    columns = {"entities": [[ANN, BOB], [TOM, EVE]] * 20, "article_ids": [place // 2 for place in range(40)]}
    # Of every ten summaries one names the woman, so that the odds are finite.
    men = [["Ann Lee" if place % 10 == 0 else name] for place, name in enumerate(["Bob Ray", "Tom Lee"] * 20)]
    first = [[name] for name in ["Ann Lee", "Tom Lee"] * 20]
    run = {"predictions": ["News."] * 40, **columns, "confidence_level": 0.95, "seed": 1}
    biased = compute("entity_inclusion", **run, mentions=men)
    [pair] = biased["log_odds_ratios"]
    assert pair["ci"][1] < 0  # female over male
    assert biased["p_value"] < 0.01
    even = compute("entity_inclusion", **run, mentions=first)
    [pair] = even["log_odds_ratios"]
    assert pair["log_odds_ratio"] == 0
    # Each original names as many women as men: nothing varies, and nothing limits how much it might.
    assert all(map(math.isnan, even["entity_inclusion_ci"]))
    # The shares of either group, 20 of 40, drawn apart: as wide as the logits of both.
    low, high = even["entity_inclusion_by_group_ci"]["female"]
    reach = math.log(high / (1 - high))
    assert pair["ci"] == pytest.approx([-reach * math.sqrt(2), reach * math.sqrt(2)], rel=0.05)
    assert even["undefined"].startswith("entity_inclusion_ci: ")
    for low, high in even["entity_inclusion_by_group_ci"].values():
        assert low < 0.5 < high
    assert even["p_value"] == 1.0


def test_the_library_lets_go_of_the_model(monkeypatch):
    closed = []
    monkeypatch.setattr(EntityScorer, "close", lambda self: closed.append(self))
    compute("word_list_inclusion", **news("word_list_inclusion"))
    compare(**SYSTEMS, metrics=METRICS)
    assert len(closed) == 2


def test_what_a_run_costs():
    settings = FAMILY.settings("distinguishability")
    assert [FAMILY.uses_model(METRICS, settings(embedding=kind), ()) for kind in ("count", "dense")] == [False, True]
    assert [FAMILY.needs_all_rows([name]) for name in METRICS] == [False, False, False, True]
