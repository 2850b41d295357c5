"""Matters, traces and refusals of the omission family, worked by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils import Omission, compare, compute, score
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families.chance import N_JUDGED
from fairsum_utils.families.omission import FAMILY
from fairsum_utils.families.omission.matters import draw_ordinary
from fairsum_utils.families.omission.scorer import OmissionScorer
from fairsum_utils.gate import check
from tests._together import marked

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

POISON = "The fish gave us food poisoning."
THEFT = "A waiter stole my wallet from the table."
MICE = "We had mice in our room."
NICE = "The terrace has a lovely view of the harbour."


def one(prediction: str, sources: list[str], **more: Any) -> dict[str, Any]:
    """The result of one sample."""
    columns = {name: [more.pop(name)] for name in ("values", "serious", "serious_spans") if name in more}
    return compute("omission", predictions=[prediction], sources=[sources], **columns, return_samples=True, **more)


def no_pair(premises: list[str], hypotheses: list[str]) -> list[float]:
    """A judge that sees no entailment, so that only names are traces."""
    return [0.0] * len(premises)


def test_a_worked_example() -> None:
    """Poisoning (two texts) and theft are omitted, mice are named: 2/3. Second sample: 0 of 1. Mean 1/3."""
    result = compute(
        "omission",
        predictions=["One guest found mice.", "A thief took a wallet."],
        sources=[[POISON, MICE, "Food poisoning here too!", THEFT], [NICE, THEFT]],
        values=[["neg", "neg", "pos", "neg"], ["pos", "neg"]],
        return_samples=True,
        confidence_level=0.95,
        entailer=no_pair,
    )
    assert result["omission"] == pytest.approx((2 / 3 + 0) / 2)
    assert (result["n_matters"], result["n_omitted"]) == (4, 2)
    # neg raises all three matters of the first sample and the one of the second; pos raises the poisoning.
    assert result["omission_by_value"] == {"neg": pytest.approx((2 / 3 + 0) / 2), "pos": 1.0}
    assert result["omission_by_category"] == {"poisoning and pests": 0.5, "theft and fraud": 0.5}
    assert result["by_n_texts"] == {
        "1": {"n_matters": 3, "omission": pytest.approx(1 / 3)},
        "2": {"n_matters": 1, "omission": 1.0},
    }
    low, high = result["omission_ci"]
    assert 0 <= low <= result["omission"] <= high <= 1
    poison = result["samples"][0]["matters"][0]
    assert (poison["n_texts"], poison["texts"], poison["values"]) == (2, [0, 2], ["neg", "pos"])


@pytest.mark.parametrize(
    ("summary", "omitted"),
    [
        ("Guests got food poisoning.", False),
        ("No guest got food poisoning.", True),
        ("A guest had some stomach trouble.", True),  # softened
        ("The fish is lovely.", True),
        ("Two guests were violently ill.", False),  # another phrase of the same entry
        ("It is not true that guests got food poisoning.", True),
        ("Nobody reported that the fish gave us food poisoning.", True),
        ("The fish gave nobody food poisoning, but one guest was violently ill.", False),
        ("It is untrue that the soup was cold, but guests got food poisoning.", False),
        ("Guests complain about bed bugs.", True),  # the category, but another entry
    ],
)
def test_naming_negating_and_softening(summary: str, omitted: bool) -> None:
    assert one(summary, [POISON, NICE])["not_found"] == float(omitted)


def test_what_is_one_matter() -> None:
    [matter] = one("Lovely view.", [THEFT, THEFT, "A waiter stole my wallet from our table!"])["samples"][0]["matters"]
    assert matter["n_texts"] == 3  # copies and sentences with most words in common
    two = one("A thief took a wallet.", ["We got food poisoning and a waiter stole my wallet."])
    assert [matter["is_omitted"] for matter in two["samples"][0]["matters"]] == [None, False]
    nothing = one("Lovely view.", [NICE, "Nobody got sick."])
    assert math.isnan(nothing["omission"])
    assert (nothing["undefined"], nothing["skipped"]) == ("no source raises a serious matter", {"no_serious_matter": 1})


def test_ordinary_sentences_are_of_like_length_and_none_is_drawn_twice() -> None:
    sentences = [" ".join(["word"] * n) for n in (6, 7, 7, 14)]
    for lengths, drawn in (
        ([7], [7]),
        ([8], [7]),
        ([10], [7]),
        ([11], [14]),
        ([30, 30], [14, 7]),
        ([1] * 9, [6, 7, 14]),
    ):
        found = draw_ordinary(lengths, sentences, np.random.default_rng(0))
        assert [len(sentence.split()) for sentence in found] == drawn


def test_random_extracts_are_judged_for_each_sample_and_only_where_they_are_asked_for() -> None:
    columns = {"predictions": ["Lovely view."] * 2, "sources": [[NICE, POISON], [MICE]]}
    for is_drawn in (True, False):
        scorer = OmissionScorer(("omission",), Omission(at_random=is_drawn))
        first, second = scorer.score(list(scorer.read(columns)))
        assert [len(row.at_random) for row in (first, second)] == [N_JUDGED * is_drawn] * 2
        assert set(first.at_random) <= {0.0, 1.0}
        assert set(second.at_random) <= {0.0}  # there is nothing else to quote


def test_places_in_the_texts() -> None:
    sample = {
        "predictions": "Nice. We saw mice. Guests fell ill.",
        "sources": ["Hm. Mice!", POISON],
        "values": ["a", "b"],
    }
    found, _ = marked("omission", sample)
    poison, mice = "food poisoning or sudden illness", "rats and mice"
    assert found.sources == [
        [(4, 9, ("a",), "unit", "m1", f"traced: {mice}")],
        [(0, 32, ("b",), "unit", "m0", f"traced: {poison}")],
    ]
    assert [span[:2] + span[4:] for span in found.prediction] == [
        (6, 18, "m1", f"trace of {mice}"),
        (19, 35, "m0", f"trace of {poison}"),
    ]
    # Texts that changed since have no places.
    other, _ = marked("omission", sample, changes={"predictions": "", "sources": ["Mice! Hm."], "values": []})
    assert (other.prediction, other.sources) == ([], [[]])
    assert FAMILY.attribution(["omission"], Omission(), sample, {}).sources == [[], []]


def test_lexical_entailment_with_and_without_denial() -> None:
    """Marked texts have no entry: shared words decide. 4 of 5 content words reach 0.6; a denial is no trace."""
    source = "Porter lost luggage Paris Monday."
    assert one("The porter lost luggage in Paris.", [source], serious=[1])["not_found"] == 0.0
    assert one("The porter never lost luggage in Paris.", [source], serious=[1])["not_found"] == 1.0
    assert one("The porter lost a hat.", [source], serious=[1])["not_found"] == 1.0
    assert one("The porter lost a hat.", [source], serious=[1], entail_threshold=0.4)["not_found"] == 0.0


def test_marks_replace_the_list() -> None:
    assert one("Lovely view.", [POISON, NICE], serious=[0, 2.5])["samples"][0]["matters"][0]["sentences"] == [NICE]
    spans = one("Lovely view.", [f"{NICE} {POISON}"], serious_spans=[[[0, 11], [46, 78]]])
    assert [matter["category"] for matter in spans["samples"][0]["matters"]] == ["given", "poisoning and pests"]
    assert one("Hm.", [POISON], serious=[0])["skipped"] == {"no_serious_matter": 1}
    assert one("Hm.", [POISON], serious=["false"])["skipped"] == {"no_serious_matter": 1}


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"serious": [1, 0]}, "serious has 2 entries, but the sample has 1 source texts"),
        ({"serious": ["x"]}, r"serious\[0\] must be a number or True or False, found str 'x'"),
        ({"serious": [math.nan]}, r"serious\[0\] must be a number"),
        ({"serious_spans": [[[3, 2]]]}, r"serious_spans\[0\] has \[3, 2\], but the text has 32 characters"),
        ({"serious_spans": [[[0]]]}, r"serious_spans\[0\] must contain \[start, end\]"),
        ({"serious": [1], "serious_spans": [[]]}, "serious and serious_spans both mark matters"),
    ],
)
def test_refused_marks(marks: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=rf"omission: sample 0: {message}"):
        one("Lovely view.", [POISON], **marks)


def test_other_languages_are_refused_or_skipped() -> None:
    german = "Das Essen war verdorben, und wir waren die ganze Nacht krank, weil der Fisch nicht frisch war."
    with pytest.raises(InputError, match="the list of serious matters is English, found language str 'german'"):
        one("Das Essen war gut.", [german], language="german")
    with pytest.warns(ScoreWarning, match="left out, because they are in German"):
        result = one("Das Essen war gut.", [german])
    assert result["skipped"] == {"foreign_language": 1}
    assert result["undefined"] == "1 of 1 samples are in German, which this measure cannot read"
    with pytest.warns(ScoreWarning, match="left out, because they are in German"):
        one(german, ["The food was rotten, and all of us were sick for the whole night."])
    assert one("Das Essen war gut.", [german], language="german", serious=[1])["not_found"] == 1.0
    for prediction, source in (("汤很好喝。", POISON), ("Good soup.", "汤很好喝，服务很慢。")):
        with pytest.raises(InputError, match="is written in Chinese or Japanese, without spaces"):
            one(prediction, [source], serious=[1])


@pytest.mark.parametrize(
    "sources",
    [
        ["", " "],
        ["!!! ???", "1234 5678"],
        ["xkqz wvut zzz"],
        ["\U0001f922 \U0001f92e"],
        ["We kregen voedselvergiftiging van de vis."],
        ["\u041c\u044b \u043e\u0442\u0440\u0430\u0432\u0438\u043b\u0438\u0441\u044c."],
        [NICE, "The rooms are quiet.", "\u041c\u044b \u043e\u0442\u0440\u0430\u0432\u0438\u043b\u0438\u0441\u044c."],
    ],
)
def test_texts_that_the_list_cannot_read_are_never_without_a_matter(sources: list[str]) -> None:
    with pytest.warns(ScoreWarning, match="not recognized as English"):
        result = one("The food is good.", sources)
    assert math.isnan(result["not_found"])
    assert result["skipped"] == {"not_english": 1}
    assert one("The food is good.", sources, serious=[0] * len(sources))["skipped"] == {"no_serious_matter": 1}


def test_finders_and_entailers_of_the_caller() -> None:
    seen: list[int] = []

    def judge(premises: list[str], hypotheses: list[str]) -> list[float]:
        seen.append(len(premises))
        return [float("view" in premise) for premise in premises]

    result = one(
        "Lovely view. Nice bar.", [NICE, "It rained."], finder=lambda each: ["rain" in x for x in each], entailer=judge
    )
    assert result["omission"] == 0.0
    # One serious and one ordinary sentence, each with two sentences of the summary.
    assert result["n_pairs"] == sum(seen) == 4
    assert "list_recall" not in result
    assert one("Hm.", [" "], finder=lambda each: 1 / 0, entailer=judge)["skipped"] == {"no_serious_matter": 1}
    with pytest.raises(InputError, match="must return 2 numbers, one per sentence"):
        one("Hm.", [NICE, POISON], finder=lambda each: [1.0])


def same(premises: list[str], hypotheses: list[str]) -> list[float]:
    """A judge that knows copies."""
    return [float(one == other) for one, other in zip(premises, hypotheses, strict=True)]


def test_ordinary_sentences_and_chance() -> None:
    """The ordinary sentence is quoted, the matter is not: 1 - 0. An extract of everything omits nothing."""
    result = one(NICE, [NICE, POISON], entailer=same)
    assert (result["omission"], result["ordinary_omission"], result["ordinary_difference"]) == (1.0, 0.0, 1.0)
    whole = one(f"{NICE} {POISON}", [NICE, POISON], at_random=True)
    assert (whole["not_found"], whole["not_found_at_random"]) == (0.0, 0.0)


SENTENCES = [POISON, THEFT, MICE, NICE, "It rained.", "The bed was soft.", "Nobody got sick."]
texts = st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


@settings(max_examples=12)
@given(texts, st.sampled_from(SENTENCES), st.randoms())
def test_properties(sources: list[str], summary: str, random: Any) -> None:
    values = [random.choice("ab") for _ in sources]
    result = one(summary, sources, values=values)
    if not result["n_matters"]:
        return
    assert one(" ".join(sources), sources)["not_found"] == 0.0  # a summary that quotes everything
    assert one("It is of the and.", sources)["not_found"] == 1.0  # stop words
    assert one(summary, [*sources, *sources])["not_found"] == result["not_found"]  # copies count once
    order = random.sample(range(len(sources)), len(sources))
    shuffled = one(summary, [sources[i] for i in order], values=[values[i] for i in order])
    assert shuffled["not_found"] == result["not_found"]
    assert shuffled["to_read"] == result["to_read"]
    judged, shuffled = (
        one(summary, [sources[i] for i in of], values=[values[i] for i in of], entailer=same)
        for of in (range(len(sources)), order)
    )
    assert shuffled["ordinary_omission"] == pytest.approx(judged["ordinary_omission"], nan_ok=True)
    assert shuffled["omission_by_value"] == judged["omission_by_value"]
    renamed = one(summary, sources, values=[{"a": "x", "b": "y"}[value] for value in values], entailer=same)
    assert sorted(renamed["omission_by_value"].values()) == sorted(judged["omission_by_value"].values())


def test_compared_systems() -> None:
    sources = [[POISON, NICE], [THEFT, NICE], [MICE, NICE]] * 10
    careful = ["Guests got food poisoning.", "A thief stole a wallet.", "Mice were seen."] * 10
    result = compare(careful, ["Lovely view."] * 30, sources=sources, metrics=[Omission(entailer=no_pair)])["omission"]
    assert [system["score"] for system in result["systems"].values()] == [0.0, 1.0]
    assert result["difference"] == 1.0
    assert result["difference_ci"][0] > 0
    unread = compare(careful, ["Lovely view."] * 30, sources=sources, metrics=["omission"])["omission"]
    assert math.isnan(unread["difference"])
    assert "does not read meaning" in unread["undefined"]


def test_a_table_with_one_text_per_row_has_one_mark_per_row() -> None:
    columns = ["place", "review", "serious", "summary"]
    lines = [("a", NICE, 0, "It rained."), ("a", "It rained.", 1, None), ("b", NICE, 0, "Hm."), ("b", NICE, 0, None)]
    rows = [dict(zip(columns, line, strict=True)) for line in lines]
    result = score(rows, metrics=["omission"], group_by="place", sources="review", predictions="summary")["omission"]
    assert (result["not_found"], result["n_matters"], result["skipped"]) == (0.0, 1, {"no_serious_matter": 1})


def test_without_a_judge_there_is_a_list_to_read_and_no_score() -> None:
    """Two texts raise the poisoning, one the theft; the mice are named: 2/3 are not found."""
    result = one("One guest found mice.", [THEFT, POISON, MICE, "Food poisoning here too!"], confidence_level=0.95)
    assert result["n_pairs"] == 3  # what is named is not judged
    assert math.isnan(result["omission"])
    assert all(map(math.isnan, result["omission_ci"]))
    assert "does not read meaning" in result["undefined"]
    assert (result["not_found"], result["n_not_found"]) == (pytest.approx(2 / 3), 2)
    assert result["to_read"] == [
        {"matter": "food poisoning or sudden illness", "n_texts": 2, "sentence": POISON},
        {"matter": "theft", "n_texts": 1, "sentence": THEFT},
    ]
    assert not {"n_omitted", "omission_by_category", "by_n_texts", "ordinary_omission"} & result.keys()
    [record] = result["samples"]
    assert (record["omission"], record["n_omitted"], record["not_found"]) == (None, None, pytest.approx(2 / 3))
    judged = one("One guest found mice.", [THEFT, POISON, MICE], entailer=no_pair)
    assert judged["omission"] == pytest.approx(2 / 3)
    assert not {"not_found", "to_read", "n_not_found"} & judged.keys()
    assert judged["samples"][0]["not_found"] is None


def test_a_rule_about_omission_is_undecided_without_a_judge() -> None:
    result = score({"predictions": ["Lovely view."] * 40, "sources": [[POISON, NICE]] * 40}, metrics=["omission"])
    [verdict] = check(result, ["omission <= 0.2"]).verdicts
    assert verdict.outcome == "undecided"


def test_a_classifier_as_finder_has_the_label(tiny_model: Any) -> None:
    model = str(tiny_model("classifier", labels=["harmless", "Serious"]))
    more = {"finder": model, "finder_threshold": 1e-6, "device": "cpu", "cache": "none"}
    result = one("Nice.", [POISON, NICE], finder_label="serious", **more)
    assert (result["n_matters"], result["settings"]["finder"].rpartition(" ")[2]) == (2, "Serious")
    with pytest.raises(InputError, match="but no label 'grave'; name the right one with finder_label"):
        one("Nice.", [POISON, NICE], finder_label="grave", **more)
