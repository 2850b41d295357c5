"""Shares by group and system: results of scoring, the paper's means, merged groups, the picture."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.bold.domain_table import mean_shares
from fairsum_utils import score
from fairsum_utils.errors import InputError

# papers/bold, table 9: the texts of Wikipedia, BERT, GPT-2 and CTRL three times, and the row "mean", in percent.
TABLE_9 = {
    "Hispanic/Latino": (
        {
            "valence -": (0.97, 2.91, 1.94, 1.94, 0.97, 1.94),
            "arousal -": (82.52, 85.44, 81.55, 91.26, 87.38, 85.44),
            "joy": (96.12, 97.09, 96.12, 96.12, 97.09, 95.15),
            "fear": (4.85, 5.83, 7.77, 2.91, 4.85, 4.85),
        },
        {"valence -": 1.77, "arousal -": 85.59, "joy": 96.28, "fear": 5.17},
    ),
    "African": (
        {"valence -": (3.02, 2.32, 3.02, 2.91, 3.94, 4.96), "disgust": (2.8, 2, 3.61, 2.75, 4.69, 5.66)},
        {"valence -": 3.36, "disgust": 3.58},
    ),
}


def results(**counts: dict[str, int]) -> dict[str, dict[str, Any]]:
    """Results of sentiment with these counts by group."""
    labels = list(next(iter(counts.values())))
    sizes = {group: sum(of_group.values()) for group, of_group in counts.items()}
    shares = {label: sum(of[label] for of in counts.values()) / sum(sizes.values()) for label in labels}
    return {"sentiment": {"sentiment": 0.0, "counts_by_group": counts, "n_by_group": sizes, "proportions": shares}}


def of(positive: int, negative: int, neutral: int) -> dict[str, int]:
    return {"positive": positive, "negative": negative, "neutral": neutral}


A = results(dance=of(1, 1, 2), film=of(2, 0, 2), nursing=of(0, 3, 1))
B = results(dance=of(3, 0, 1), film=of(0, 0, 4), nursing=of(1, 0, 3))


@pytest.mark.parametrize("group", TABLE_9)
def test_the_papers_means(group: str) -> None:
    rows, printed = TABLE_9[group]
    systems = [dict(zip(rows, column, strict=True)) for column in zip(*rows.values(), strict=True)]
    found = mean_shares(systems)
    # Printed shares are rounded, and some of its means are cut.
    assert {label: found[label] for label in printed} == pytest.approx(printed, abs=0.0105)


def test_by_hand() -> None:
    result = studies.domain_table({"A": A, "B": B})
    assert (result["measure"], result["groups"]) == ("sentiment", ["dance", "film", "nursing"])
    assert result["systems"]["A"]["nursing"] == {
        "n": 4, "counts": of(0, 3, 1), "shares": {"positive": 0.0, "negative": 0.75, "neutral": 0.25},
    }  # fmt: skip
    assert result["mean"]["dance"] == {"positive": 0.5, "negative": 0.125, "neutral": 0.375}
    lines = [line.split() for line in result.report().splitlines()]
    assert ["dance", "A", "4", "25.00", "25.00*", "50.00*"] in lines
    assert ["dance", "B", "4", "75.00*", "0.00", "25.00"] in lines
    assert ["dance", "mean", "50.00", "12.50", "37.50"] in lines


def test_groups_become_one() -> None:
    result = studies.domain_table({"system": A}, merge="arts = film, dance; care = nursing")
    assert result["systems"]["system"]["arts"] == {
        "n": 8, "counts": of(3, 1, 4), "shares": {"positive": 0.375, "negative": 0.125, "neutral": 0.5},
    }  # fmt: skip
    assert result == studies.domain_table({"system": A}, merge={"arts": ["film", "dance"], "care": ["nursing"]}) | {
        "signature": result["signature"]
    }
    chosen = studies.domain_table({"system": A}, groups="nursing,dance", labels=["negative"])
    assert chosen["groups"] == ["nursing", "dance"]
    assert chosen["systems"]["system"]["dance"]["shares"] == {"negative": 0.25}


def test_of_scores() -> None:
    texts = ["He is here.", "She is here.", "It is.", "It is.", "He is.", "He is."]
    groups = ["dance_occupations"] * 2 + ["theatre_personnel"] * 2 + ["nursing_specialties"] * 2
    result = studies.domain_table(
        score({"predictions": texts, "groups": groups}, metrics="gender_polarity"), merge="professions"
    )
    arts = result["systems"]["system"]["arts & entertainment"]
    assert (arts["n"], arts["counts"]["male"], arts["counts"]["female"]) == (4, 1, 1)
    assert (arts["male_to_female"], arts["male_minus_female"]) == (1.0, 0.0)
    assert result["undefined"] == {"male_to_female of healthcare & medicine, system": "no text on women"}
    assert "male to female" in result.report()


def test_the_picture() -> None:
    svg = studies.domain_table({"A": A, "B": B}).plot().svg
    assert "dance" in svg
    assert "B: positive 75 %" in svg


@pytest.mark.parametrize(
    ("given", "settings", "message"),
    [
        ({"A": {"bur": {"bur": 0.0}}}, {}, "A must have one result of a measure of labelled texts, found bur"),
        ({"A": A, "B": {"x": {"regard": 0, **A["sentiment"]}}}, {"measure": "regard"}, "A must have one result of reg"),
        ({"A": {**A, "b": B["sentiment"]}}, {}, "found sentiment, b; choose one with measure"),
        ({"A": results(a=of(1, 0, 1))}, {"merge": "professions"}, "A: no group is a profession of BOLD, found a"),
        ({"A": A}, {"merge": "arts=none"}, "merged group 'arts' names str 'none', of which there is no text"),
        ({"A": A}, {"merge": "arts"}, "merge must be professions, or say which groups are one, as in 'arts=dance"),
        ({"A": A}, {"groups": "danse"}, "there is no group 'danse'; did you mean dance"),
        ({"A": A}, {"labels": ["joy"]}, "there is no label 'joy'; there are positive, negative, neutral"),
        ({"A": A}, {"labels": 3}, "labels must be a list of names, found int 3"),
    ],
)  # fmt: skip
def test_what_is_refused(given: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        studies.domain_table(given, **settings)
    assert message in str(error.value)
