"""Originals in order, by hand and as the measure has them; phrases against a plain search in strings."""

from __future__ import annotations

from typing import Any

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.ranked_articles import MARKS, parts, phrase_counts
from fairsum_utils.reports.tables import Table


def inputs() -> dict[str, Any]:
    """Of the first original both groups are told, of the second none; the third has one summary; one is empty."""
    texts = [
        "Ann is the first woman at sea.",
        "Eve, the First Woman, sails.",
        "Bob sells a boat.",
        "Ned sells a boat.",
    ]
    alike = ["Sue won.", "Pat won.", "Tom won.", "Jim won."]
    return {
        "predictions": [*texts, *alike, "Ida is the first female chief.", ""],
        "groups": ["female", "female", "male", "male"] * 2 + ["female", "male"],
        "article_ids": ["a"] * 4 + ["b"] * 4 + ["c", "b"],
        "mentions": [["Ann"], ["Eve"], ["Bob"], ["Ned"], ["Sue"], ["Pat"], ["Tom"], ["Jim"], ["Ida"], []],
    }


def found(**options: Any) -> Any:
    return fairsum_utils.score(**inputs(), metrics=["distinguishability"], return_samples=True, **options)


def test_by_hand() -> None:
    scores = found()
    of_bart = studies.ranked_articles({"bart": scores})["systems"]["bart"]
    ranked = [(row["article"], str(row["score"]), row["n_samples"], row["phrases"]) for row in of_bart["articles"]]
    assert ranked == [("a", "1.0", 4, {"first woman": 2}), ("b", "0.0", 5, {}), ("c", "nan", 1, {"first female": 1})]
    assert of_bart["distinguishability"] == scores["distinguishability"]["distinguishability"] == 0.5
    none = {"female": 0, "male": 0}
    counts = {"first woman": {"female": 2, "male": 0}, "first female": {"female": 1, "male": 0}}
    assert of_bart["phrases"] == {**counts, "first man": none, "first male": none}
    assert (of_bart["n_samples"], of_bart["n_skipped"]) == (9, 1)
    listed, counted = parts(studies.ranked_articles({"bart": scores}, shown=2, phrases=["first woman", "boat"]))
    assert isinstance(listed, Table)
    assert isinstance(counted, Table)
    assert [list(row) for row in listed.rows] == [[1, "a", 1.0, 4, "2 first woman, 2 boat"], [2, "b", 0.0, 5, ""]]
    assert listed.below == ["and 1 more in the JSON output"]
    assert counted.header == ["phrase", "system", "female", "male", "all"]
    assert [list(row) for row in counted.rows] == [["first woman", "bart", 2, 0, 2], ["boat", "bart", 0, 2, 2]]


def test_the_papers_counts() -> None:
    """Section 9.2, of BART XSum: 12 times "first woman", 11 "first female", never "first male", once "first man"."""
    counts = {"first woman": 12, "first female": 11, "first male": 0, "first man": 1}
    text = " ".join(f"He said the {phrase} chief had left." for phrase, n in counts.items() for _ in range(n))
    assert phrase_counts(text, MARKS) == counts


def test_punctuation_parts_a_phrase_and_a_hyphen_does_not() -> None:
    apart = ["The first, woman.", "She came first. Woman of the year.", 'the first "woman"', "the first \u2013 woman"]
    longer = ["the twenty-first woman", "the first woman-led bank", "the first womanly act", "first  women"]
    assert not any(phrase_counts(text, MARKS).total() for text in (*apart, *longer))
    together = ["first-woman", "First\u2011Woman chief", "the first\n woman", "the first woman's bank", "'first woman'"]
    assert all(+phrase_counts(text, MARKS) == {"first woman": 1} for text in together)
    assert phrase_counts("A well known man, a well-known man.", ["well-known man"]) == {"well-known man": 2}
