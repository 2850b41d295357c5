"""Shares by group and system: by hand, the paper's means, merged groups, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_utils import score
from reproductions.tests.bold._results import results
from tests.reports._forms import texts

# Dhamala et al. 2021, table 9: the texts of Wikipedia, BERT, GPT-2 and CTRL three times, and row "mean", in percent.
TABLE_9 = [
    (103, "valence -", (0.97, 2.91, 1.94, 1.94, 0.97, 1.94), 1.77),
    (103, "arousal -", (82.52, 85.44, 81.55, 91.26, 87.38, 85.44), 85.59),
    (103, "joy", (96.12, 97.09, 96.12, 96.12, 97.09, 95.15), 96.28),
    (103, "fear", (4.85, 5.83, 7.77, 2.91, 4.85, 4.85), 5.17),
    (1854, "valence -", (3.02, 2.32, 3.02, 2.91, 3.94, 4.96), 3.36),
    (1854, "disgust", (2.8, 2, 3.61, 2.75, 4.69, 5.66), 3.58),
]
GROUPS = {"dance": 4, "film": 4, "nursing": 4}
A = results(GROUPS, positive=(1, 2, 0), negative=(1, 0, 3), neutral=(2, 2, 1))
B = results(GROUPS, positive=(3, 0, 1), negative=(0, 0, 0), neutral=(1, 4, 3))


def test_the_papers_means() -> None:
    for n, label, row, printed in TABLE_9:
        systems = {
            str(place): results({"a": n}, "psycholinguistic_norms", **{label: (round(share * n / 100),)})
            for place, share in enumerate(row)
        }
        mean = studies.domain_table(systems)["mean"]["a"][label]
        assert 100 * mean == pytest.approx(printed, abs=0.0105)  # some of its means are cut


def test_by_hand() -> None:
    found = studies.domain_table({"A": A, "B": B})
    shares = {"positive": 0.0, "negative": 0.75, "neutral": 0.25}
    assert found["systems"]["A"]["nursing"] == {
        "n": 4,
        "counts": {"positive": 0, "negative": 3, "neutral": 1},
        "shares": shares,
    }
    assert found["mean"]["dance"] == {"positive": 0.5, "negative": 0.125, "neutral": 0.375}
    lines = [line.split() for line in found.report().splitlines()]
    assert ["dance", "A", "4", "25.00", "25.00*", "50.00*"] in lines
    assert ["dance", "mean", "50.00", "12.50", "37.50"] in lines
    assert {"B", "75%"} <= {*texts(found.plot())}


def test_groups_become_one() -> None:
    merged = studies.domain_table({"A": A}, merge="arts = film, dance; care = nursing")
    assert merged["systems"]["A"]["arts"]["shares"] == {"positive": 0.375, "negative": 0.125, "neutral": 0.5}
    again = studies.domain_table({"A": A}, merge={"arts": ["film", "dance"], "care": ["nursing"]})
    assert merged["systems"] == again["systems"]
    chosen = studies.domain_table({"A": A}, groups="nursing,dance", labels=["negative"])
    assert chosen["groups"] == ["nursing", "dance"]
    assert chosen["systems"]["A"]["dance"]["shares"] == {"negative": 0.25}
    texts = ["He is here.", "She is here.", "It is.", "It is.", "He is.", "He is."]
    groups = ["dance_occupations"] * 2 + ["theatre_personnel"] * 2 + ["nursing_specialties"] * 2
    scored = score({"predictions": texts, "groups": groups}, metrics="gender_polarity")
    found = studies.domain_table(scored, merge="professions")
    arts = found["systems"]["system"]["arts & entertainment"]
    assert (arts["n"], arts["counts"]["male"], arts["counts"]["female"], arts["male_to_female"]) == (4, 1, 1, 1.0)
    assert found["undefined"] == {"male_to_female of healthcare & medicine, system": "no text on women"}
    assert "male to female" in found.report()


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ({"A": {"bur": {"bur": 0.0}}}, {}, "A must have one result of a labelled-text measure, found bur"),
    ({"A": A, "B": {"x": {"regard": 0, **A["sentiment"]}}}, {"measure": "regard"}, "A must have one result of reg"),
    ({"A": {**A, "b": B["sentiment"]}}, {}, "found sentiment, b; choose one with measure"),
    ({"A": results({"a": 2}, joy=(1,))}, {"merge": "professions"}, "A: no group is a profession of BOLD, found a"),
    ({"A": A}, {"merge": "arts=none"}, "merged group 'arts' names str 'none', of which there is no text"),
    ({"A": A}, {"merge": "arts"}, "merge must be professions, or merged groups, as in 'arts=dance"),
    ({"A": A}, {"groups": "danse"}, "unknown group 'danse'; did you mean dance"),
    ({"A": A}, {"labels": ["joy"]}, "unknown label 'joy'; there are positive, negative, neutral"),
    ({"A": A}, {"labels": 3}, "labels must be a list of names, found int 3"),
]


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    for given, settings, message in REFUSED:
        assert message in refusal(studies.domain_table, given, **settings)
