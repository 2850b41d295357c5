"""Originals in order, by hand and as the measure has them; phrases against a plain search in strings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.ranked_articles import MARKS, parts, phrase_counts, ranked_originals
from fairsum_utils.cli import main
from fairsum_utils.reports.tables import Table


def inputs() -> dict[str, Any]:
    """Of the first original both groups are told, of the second none; the third has one summary; one is empty."""
    told = ["Ann is the first woman at sea.", "Eve, the First Woman, sails.", "Bob sells a boat.", "Ned sells a boat."]
    alike = ["Sue won.", "Pat won.", "Tom won.", "Jim won."]
    return {
        "predictions": [*told, *alike, "Ida is the first female chief.", ""],
        "groups": ["female", "female", "male", "male"] * 2 + ["female", "male"],
        "article_ids": ["a"] * 4 + ["b"] * 4 + ["c", "b"],
        "mentions": [["Ann"], ["Eve"], ["Bob"], ["Ned"], ["Sue"], ["Pat"], ["Tom"], ["Jim"], ["Ida"], []],
    }


def found(**options: Any) -> Any:
    return fairsum_utils.score(**inputs(), metrics=["distinguishability"], return_samples=True, **options)


def test_by_hand() -> None:
    scores = found()
    result = studies.ranked_articles({"bart": scores})
    of_bart = result["systems"]["bart"]
    assert [(row["article"], row["score"], row["n_samples"]) for row in of_bart["articles"][:2]] == [
        ("a", 1.0, 4),
        ("b", 0.0, 5),
    ]
    assert of_bart["articles"][2]["article"] == "c"
    assert math.isnan(of_bart["articles"][2]["score"])
    assert [row["phrases"] for row in of_bart["articles"]] == [{"first woman": 2}, {}, {"first female": 1}]
    assert of_bart["distinguishability"] == scores["distinguishability"]["distinguishability"] == 0.5
    assert of_bart["phrases"] == {
        "first woman": {"female": 2, "male": 0},
        "first female": {"female": 1, "male": 0},
        "first man": {"female": 0, "male": 0},
        "first male": {"female": 0, "male": 0},
    }
    assert (of_bart["n_samples"], of_bart["n_skipped"]) == (9, 1)


def test_layout() -> None:
    ranked, counted = parts(studies.ranked_articles({"bart": found()}, shown=2, phrases=["first woman", "boat"]))
    assert isinstance(ranked, Table)
    assert isinstance(counted, Table)
    assert [list(row) for row in ranked.rows] == [[1, "a", 1.0, 4, "2 first woman, 2 boat"], [2, "b", 0.0, 5, ""]]
    assert ranked.below == ["and 1 more, in JSON"]
    assert counted.header == ["phrase", "system", "female", "male", "all"]
    assert [list(row) for row in counted.rows] == [["first woman", "bart", 2, 0, 2], ["boat", "bart", 0, 2, 2]]


def test_the_papers_counts() -> None:
    """Section 9.2, of BART XSum: 12 times "first woman", 11 "first female", never "first male", once "first man"."""
    counts = {"first woman": 12, "first female": 11, "first male": 0, "first man": 1}
    texts = [f"He said the {phrase} chief had left." for phrase, n in counts.items() for _ in range(n)]
    assert phrase_counts(texts, MARKS) == counts


def test_punctuation_parts_a_phrase_and_a_hyphen_does_not() -> None:
    apart = ["The first, woman.", "She came first. Woman of the year.", 'the first "woman"', "the first \u2013 woman"]
    longer = ["the twenty-first woman", "the first woman-led bank", "the first womanly act", "first  women"]
    assert phrase_counts([*apart, *longer], MARKS) == dict.fromkeys(MARKS, 0)
    together = ["first-woman", "First\u2011Woman chief", "the first\n woman", "the first woman's bank", "'first woman'"]
    assert phrase_counts(together, MARKS) == dict.fromkeys(MARKS, 0) | {"first woman": 5}
    assert phrase_counts(["A well known man, a well-known man."], ["well-known man"]) == {"well-known man": 2}


@given(st.lists(st.lists(st.sampled_from(["first", "woman", "man", "womanly", "FIRST"]), max_size=8), max_size=4))
def test_phrases_against_a_plain_search(texts: list[list[str]]) -> None:
    joined = [" ".join(text) for text in texts]
    counts = phrase_counts(joined, ["first woman", "first first"])
    assert counts["first woman"] == sum(len(re.findall(r"\bfirst woman\b", text.lower())) for text in joined)
    # Phrases may overlap.
    assert counts["first first"] == sum(len(re.findall(r"\bfirst(?= first\b)", text.lower())) for text in joined)


@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.lists(st.one_of(st.none(), st.integers(-4, 4)), min_size=1, max_size=1),
        min_size=1,
    )
)
def test_order(scores: dict[str, list[int | None]]) -> None:
    samples = [{"article": name, "article_score": None if s is None else s / 4} for name, (s,) in scores.items()]
    ranked = ranked_originals(samples)
    assert sorted(row["article"] for row in ranked) == sorted(scores)
    known = [row["score"] for row in ranked if not math.isnan(row["score"])]
    assert known == sorted(known, reverse=True)
    assert all(math.isnan(row["score"]) for row in ranked[len(known) :])


def test_the_command(tmp_path: Path, capsys: Any) -> None:
    """From a file of summaries to the table, with the texts in the file of samples and without."""
    columns = inputs()
    names = {"predictions": "prediction", "groups": "group", "article_ids": "article_id", "mentions": "mentions"}
    rows = [
        {names[column]: entry for column, entry in zip(columns, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    data, samples = tmp_path / "data.jsonl", tmp_path / "bart.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    told = []
    for texts in ([], ["--with-texts"]):
        scoring = ["score", str(data), "--metrics", "distinguishability", "--mentions-column", "mentions"]
        assert main([*scoring, "--entities-column", "none", *texts, "--samples", str(samples)]) == 0
        capsys.readouterr()
        picture = tmp_path / "ranks.svg"
        arguments = ["study", "ranked_articles", str(samples), "--plot", str(picture), "--format", "json"]
        assert main([*arguments, "--phrases", "first woman,ann"]) == 0
        told.append(json.loads(capsys.readouterr().out)["metrics"]["ranked_articles"]["systems"]["bart"])
        assert "Which originals tell the group?" in picture.read_text()
    without, with_texts = told
    assert without["phrases"].pop("ann") == {"female": 0, "male": 0}  # names are hidden where texts are not at hand
    assert with_texts["phrases"].pop("ann") == {"female": 1, "male": 0}
    assert without["phrases"] == with_texts["phrases"] == {"first woman": {"female": 2, "male": 0}}
    assert [row["article"] for row in without["articles"]] == ["a", "b", "c"]


def test_nothing_to_compare() -> None:
    columns = {name: entries[8:9] for name, entries in inputs().items()}
    scores = fairsum_utils.score(**columns, metrics=["distinguishability"], return_samples=True)
    result = studies.ranked_articles({"bart": scores})
    assert result["undefined"] == {"distinguishability of bart": "no original has a score"}
    assert math.isnan(result["systems"]["bart"]["distinguishability"])
    result.plot()


def test_refused(refusal: Callable[..., str]) -> None:
    assert refusal(studies.ranked_articles, {"a": [{"index": 0, "article": "x"}]}).startswith(
        "ranked_articles: a[0] has no 'article_score', found index, article;"
    )
    for phrases, message in (
        ("first,,", "phrases must be phrases of words, found str ''"),
        ([], "phrases must be phrases with commas between them, found list []"),
        (["ok", 3], "phrases must be phrases of words, found int 3"),
    ):
        assert message in refusal(studies.ranked_articles, {"a": found()}, phrases=phrases)
