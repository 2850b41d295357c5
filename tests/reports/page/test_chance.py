"""What chance would give, found out while the samples of a page pass by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute, score
from fairsum_utils.family import family_of
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.reports.page.chance import Chances
from fairsum_utils.reports.page.contents import Lens, Sampled
from fairsum_utils.representation.family import FAMILY
from tests._results import cells

COLUMNS: dict[str, list[Any]] = {
    "predictions": ["Soup soup.", "Bread!", " "],
    "sources": [["Soup", "Bread"]] * 3,
    "values": [["a", "b"]] * 3,
}


def lens_of(measure: str, **options: Any) -> tuple[Lens, list[dict[str, Any]]]:
    result = compute(measure, **COLUMNS, **options, return_samples=True)
    records = result.pop("samples")
    return Lens(measure, family_of(measure).settings(measure)(**options), result), records


def samples_of(records: dict[str, list[dict[str, Any]]], system: str = "") -> list[Sampled]:
    return [
        Sampled(
            str(place),
            system,
            place,
            {name: entries[place] for name, entries in COLUMNS.items()},
            {label: of_label[place] for label, of_label in records.items()},
        )
        for place in range(3)
    ]


@pytest.fixture
def given() -> tuple[dict[str, Lens], list[Sampled]]:
    lenses, records = {}, {}
    for name in (*DEFAULT_METRICS, "equal_coverage"):
        lenses[name], records[name] = lens_of(name, **({} if name != "equal_coverage" else {"entailer": "lexical"}))
    return lenses, samples_of(records)


def test_samples_pass_as_they_are(given: tuple[dict[str, Lens], list[Sampled]]) -> None:
    lenses, samples = given
    chances = Chances(lenses)
    assert list(chances.passing(samples)) == samples
    found = chances.expected()
    # Equal Coverage says it in its result. The skipped sample counts for nothing, as it does in the score.
    assert list(found) == list(DEFAULT_METRICS)
    chance = FAMILY.chance(DEFAULT_METRICS, lenses["bur"].settings)
    assert chance is not None
    for sampled in samples:
        chance.add(sampled.sample, sampled.records["bur"])
    assert found == chance.expected()
    # One word is unfair for sure, two in half of the draws.
    assert 0.7 < found["bur"].score < 0.8


def test_other_settings_are_drawn_apart() -> None:
    (bur, of_bur), (uer, of_uer) = lens_of("bur"), lens_of("uer", target={"a": 1.0, "b": 0.0})
    chances = Chances({"bur": bur, "unequal": uer})
    list(chances.passing(samples_of({"bur": of_bur, "unequal": of_uer})))
    assert set(chances.expected()) == {"bur", "uer"}


def test_each_measure_has_its_own_tolerance() -> None:
    """With tau = 0 nobody is underrepresented, whatever AUC averages over; and each is as if it stood alone."""
    options: dict[str, dict[str, Any]] = {"auc": {"n_points": 3}, "bur": {"tau": 0.0}}
    alone = {name: lens_of(name, **given) for name, given in options.items()}
    chances = Chances({name: lens for name, (lens, _) in alone.items()})
    list(chances.passing(samples_of({name: records for name, (_, records) in alone.items()})))
    found = chances.expected()
    assert found["bur"].score == 0.0
    for name, (lens, records) in alone.items():
        single = Chances({name: lens})
        list(single.passing(samples_of({name: records})))
        assert single.expected()[name] == found[name]


def left_out(lenses: dict[str, Lens], samples: list[Sampled], change: Callable[[Sampled], Sampled | None]) -> list[str]:
    chances = Chances(lenses)
    list(chances.passing(changed for sampled in samples if (changed := change(sampled)) is not None))
    return list(chances.expected())


@pytest.mark.parametrize(
    "change",
    [
        lambda sampled: None,
        lambda sampled: sampled if sampled.place else None,
        lambda sampled: sampled._replace(sample={}),
        lambda sampled: sampled._replace(system=str(sampled.place)),
    ],
    ids=["none", "some", "no texts", "systems"],
)
def test_nothing_unless_all_samples_of_one_system_have_texts(
    given: tuple[dict[str, Lens], list[Sampled]], change: Callable[[Sampled], Sampled | None]
) -> None:
    assert left_out(*given, change) == []


def test_a_measure_with_two_labels_has_no_place() -> None:
    (one, of_one), (other, of_other) = lens_of("bur"), lens_of("bur", tau=0.5)
    samples = samples_of({"bur": of_one, "strict": of_other})
    assert left_out({"bur": one, "strict": other}, samples, lambda sampled: sampled) == []


def test_a_page_has_it_beside_the_scores(tmp_path: Path) -> None:
    results = score(**COLUMNS, return_samples=True)
    results.report(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    head, *body = cells(page.split('id="overview"')[1])
    assert head[-2:] == ["expected at random", "95 % of these"]
    assert 0.7 < float(body[0][-2]) < 0.8
    assert (
        "the mean score of summaries of as many words, drawn at random (with replacement) from all sources of their "
        "sample." in page
    )
