"""Professions: table 3 by hand, its mean ratios, figure 2's numbers, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.bold._printed import MEAN_RATIOS, table_3
from fairsum_reproductions.bold.professions import mean_ratio
from fairsum_utils.errors import InputError

HE, SHE, NOBODY = "He is here.", "She is here.", "It is here."
# dance and theatre are arts & entertainment: 2 male and 1 female of 5; nursing is healthcare: 1 male and 2 female of 4;
# corporate titles are in no merged group.
TEXTS = {
    "dance_occupations": [HE, HE, NOBODY],
    "theatre_personnel": [SHE, NOBODY],
    "nursing_specialties": [SHE, SHE, HE, NOBODY],
    "corporate_titles": [HE, HE],
}
ROWS = [{"group": group, "prediction": text} for group, texts in TEXTS.items() for text in texts]


def test_by_hand() -> None:
    result = studies.professions({"GPT-2": ROWS})
    for method in ("max", "wavg", "unigram"):
        groups = result["groups"]["GPT-2"][method]
        assert list(groups) == ["arts & entertainment", "healthcare & medicine"]
        assert groups["arts & entertainment"] == {
            "n": 5, "n_male": 2, "n_female": 1, "male_to_female": 2.0, "male_minus_female": 0.2,
        }  # fmt: skip
        assert groups["healthcare & medicine"]["male_to_female"] == 0.5
        assert result["mean_male_to_female"]["GPT-2"][method] == 1.25  # (2 + 1/2) / 2
    fine = result["fine"]["GPT-2"]
    assert {group: row["male_minus_female"] for group, row in fine.items()} == {
        "corporate_titles": 1.0,
        "dance_occupations": 2 / 3,
        "nursing_specialties": -0.25,
        "theatre_personnel": -0.5,
    }
    table = result.to_csv().splitlines()
    assert "healthcare & medicine,GPT-2,4,1,2,0.5" in next(line for line in table if line.startswith("healthcare"))
    frame = result.to_pandas()
    assert frame["Unigram male"].tolist() == [2, 1]
    assert frame["Gender-Max ratio"].tolist() == [2.0, 0.5]
    report = result.report()
    assert "0.50*" in report  # more on women
    assert "2.00*" not in report
    assert "male minus female" not in report.lower()
    assert "corporate titles: GPT-2 1.000" in result.plot().svg


def test_wikipedia_comes_first_and_its_page_is_masked() -> None:
    rows = [
        {"group": "sewing_occupations", "prediction": text, "text": "Her dress.", "name": "Needle_woman"}
        for text in ("A needle woman sews.", "Needle woman", "A man.")
    ]
    result = studies.professions({"BERT": rows})
    assert list(result["groups"]) == ["WIKI", "BERT"]
    counts = result["groups"]["BERT"]["unigram"]["industrial & manufacturing"]
    assert (counts["n_male"], counts["n_female"]) == (1, 0)
    assert result["undefined"]["Unigram of BERT"] == "no text on women in industrial & manufacturing"
    assert math.isnan(result["mean_male_to_female"]["BERT"]["unigram"])
    assert result["groups"]["WIKI"]["unigram"]["industrial & manufacturing"]["n_female"] == 3
    plain = studies.professions({"BERT": rows}, mask=False)["groups"]["BERT"]["unigram"]["industrial & manufacturing"]
    assert (plain["n_male"], plain["n_female"]) == (1, 2)


def test_other_groups() -> None:
    rows = [{"group": "a", "prediction": HE}, {"group": "a", "prediction": SHE}]
    with pytest.raises(InputError, match=r"no group of system is a profession of BOLD, found a; .*\(--as-they-are\)"):
        studies.professions(rows)
    assert list(studies.professions(rows, merge=False)["groups"]["system"]["max"]) == ["a"]


def test_an_empty_prompt_has_no_text() -> None:
    result = studies.professions({"a": [*ROWS, {"group": "dance_occupations", "prediction": " "}]})
    assert result["n_samples"] == {"a": len(ROWS)}


@pytest.mark.parametrize("system", MEAN_RATIOS)
def test_the_papers_means(system: str) -> None:
    """Of the ratios that table 3 prints, which are cut, the means are the paper's, some cut too; of its counts more."""
    rows = table_3()[system].values()
    of_cut = sum(Fraction(row.max.ratio) for row in rows) / 4
    assert -0.005 <= float(of_cut) - MEAN_RATIOS[system] < 0.01
    found = mean_ratio([row.max.male for row in rows], [row.max.female for row in rows])
    assert -0.0005 < found - MEAN_RATIOS[system] < 0.01


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 1000)), min_size=1, max_size=9))
def test_means_are_exact(counts: list[tuple[int, int]]) -> None:
    male, female = zip(*counts, strict=True)
    exact = sum(Fraction(m, f) for m, f in counts) / len(counts)
    assert mean_ratio(male, female) == pytest.approx(float(exact), rel=1e-12)
    assert math.isnan(mean_ratio([*male, 1], [*female, 0]))


def test_the_published_texts(shared_data: Any) -> None:
    """Wikipedia's unigram counts of table 3, from the rows of the data set."""
    from fairsum_utils.corpora import iter_rows

    rows = [dict(row) for row in iter_rows("bold", "profession", data_dir=shared_data / "bold")]
    result = studies.professions(rows)
    there = {group: (row.unigram.male, row.unigram.female) for group, row in table_3()["WIKI"].items()}
    here = result["groups"]["WIKI"]["unigram"]
    assert {group: (row["n_male"], row["n_female"]) for group, row in here.items()} == there
    assert {group: row["n"] for group, row in here.items()} == {
        group: row.total for group, row in table_3()["WIKI"].items()
    }
    assert len(result["fine"]["WIKI"]) == 18
