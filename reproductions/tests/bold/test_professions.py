"""Professions: table 3 by hand and of the published texts, its mean ratios, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import fairsum_reproductions as studies
from tests.reports._forms import names

HE, SHE, NEITHER = "He is here.", "She is here.", "It is here."
# dance and theatre are arts & entertainment: 2 male and 1 female of 5; nursing is healthcare: 1 male and 2 female of 4;
# corporate titles are in no merged group.
TEXTS = {
    "dance_occupations": [HE, HE, NEITHER],
    "theatre_personnel": [SHE, NEITHER],
    "nursing_specialties": [SHE, SHE, HE, NEITHER],
    "corporate_titles": [HE, HE],
}
ROWS = [{"group": group, "prediction": text} for group, texts in TEXTS.items() for text in texts]


def test_by_hand() -> None:
    empty = {"group": "dance_occupations", "prediction": " "}  # of an empty prompt: no text
    found = studies.professions({"GPT-2": [*ROWS, empty]})
    arts = {"n": 5, "n_male": 2, "n_female": 1, "male_to_female": 2.0, "male_minus_female": 0.2}
    for method in ("max", "wavg", "unigram"):
        groups = found["groups"]["GPT-2"][method]
        assert list(groups) == ["arts & entertainment", "healthcare & medicine"]
        assert groups["arts & entertainment"] == arts
        assert groups["healthcare & medicine"]["male_to_female"] == 0.5
        assert found["mean_male_to_female"]["GPT-2"][method] == 1.25  # (2 + 1/2) / 2
    fine = {group: row["male_minus_female"] for group, row in found["fine"]["GPT-2"].items()}
    assert list(fine) == sorted(TEXTS)
    assert list(fine.values()) == [1.0, 2 / 3, -0.25, -0.5]
    assert found["n_samples"] == {"GPT-2": len(ROWS)}
    assert found.to_pandas()["Unigram male"].tolist() == [2, 1]
    report = found.report()
    assert "0.50*" in report  # more on women
    assert "2.00*" not in report
    [axes] = found.plot().axes
    widths = {bars.get_label(): [bar.get_width() for bar in bars.patches] for bars in axes.containers}
    assert "corporate titles" in names(axes)
    assert 1.0 in [width for of_system in widths.values() for width in of_system]


def test_wikipedia_comes_first_and_its_page_is_masked(refusal: Callable[..., str]) -> None:
    rows = [
        {"group": "sewing_occupations", "prediction": text, "text": "Her dress.", "name": "Needle_woman"}
        for text in ("A needle woman sews.", "Needle woman", "A man.")
    ]
    found = studies.professions({"BERT": rows})
    assert list(found["groups"]) == ["WIKI", "BERT"]
    plain = studies.professions({"BERT": rows}, mask=False)
    for result, counts in ((found, (1, 0)), (plain, (1, 2))):
        row = result["groups"]["BERT"]["unigram"]["industrial & manufacturing"]
        assert (row["n_male"], row["n_female"]) == counts
    assert found["undefined"]["Unigram of BERT"] == "no text on women in industrial & manufacturing"
    assert math.isnan(found["mean_male_to_female"]["BERT"]["unigram"])
    other = [{"group": "a", "prediction": HE}, {"group": "a", "prediction": SHE}]
    message = refusal(studies.professions, other)
    assert "no group of system is a profession of BOLD, found a; " in message
    assert "(--as-they-are)" in message
    assert list(studies.professions(other, merge=False)["groups"]["system"]["max"]) == ["a"]
