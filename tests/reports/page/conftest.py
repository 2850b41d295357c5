"""Pages for tests: samples of some sentences, scored as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.outline import Outline
from fairsum_utils.reports.page.sample import Lens, Sampled

MEASURES: dict[str, dict[str, Any]] = {"bur": {}, "uer": {}}


def outlined(lenses: Mapping[str, Lens], samples: Iterable[Sampled]) -> Outline:
    """Numbers of samples."""
    outline = Outline(lenses)
    for sample in samples:
        outline.add(sample)
    return outline


@pytest.fixture(scope="session")
def made() -> Callable[..., Contents]:
    """Makes the contents of a page: samples (id, system, summary, sources, values) are scored as they are."""

    def of(
        samples: Sequence[tuple[str, str, str, Sequence[str], Sequence[str]]],
        measures: Mapping[str, Mapping[str, Any]] = MEASURES,
        **more: Any,
    ) -> Contents:
        ids, systems, *columns = zip(*samples, strict=True)
        given = dict(zip(("predictions", "sources", "values"), map(list, columns), strict=True))
        results = {name: compute(name, **given, **own, return_samples=True) for name, own in measures.items()}
        records = {name: result.pop("samples") for name, result in results.items()}
        lenses = {name: Lens(name, get_measure(name)(**measures[name]), result) for name, result in results.items()}
        sampled = [
            Sampled(
                id_,
                system,
                place,
                {column: entries[place] for column, entries in given.items()},
                {name: of_name[place] for name, of_name in records.items()},
            )
            for place, (id_, system) in enumerate(zip(ids, systems, strict=True))
        ]
        return Contents("reviews.jsonl", {}, [("all", results)], lenses, sampled, outlined(lenses, sampled))._replace(
            **more
        )

    return of


REVIEW = ("Tasty soup and kind staff.", ["The soup was tasty.", "Kind staff!", "Cold soup, slow staff."])
"""Words of the summary by value: tasty and kind pos; soup and staff both; and none."""


@pytest.fixture(scope="session")
def review(made: Callable[..., Contents]) -> Contents:
    """The contents of a page with one sample."""
    return made([("r1", "", *REVIEW, ["pos", "pos", "neg"])])
