"""Pages for tests: samples whose words are marked by a rule that the eye can follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.family import family_of
from fairsum_utils.family.attribution import Attribution, Span
from fairsum_utils.reports.page.contents import Contents, Lens, Sampled
from fairsum_utils.reports.representation import RepresentationReport

MEASURES = ("bur", "uer")


def words_in(text: str, names: Mapping[str, set[str]], value: str | None = None) -> list[Span]:
    """The words of a text that stand in the summary too."""
    found = ((word, names.get(word[0].lower(), set())) for word in re.finditer(r"[a-z]+", text, re.IGNORECASE))
    return [
        Span(word.start(), word.end(), tuple(sorted(values)), key=word[0].lower())
        for word, values in found
        if values and (value is None or value in values)
    ]


def shared_words(self: Any, measures: Sequence[str], settings: Any, sample: Any, record: Any) -> Attribution:
    """A word of the summary counts for each value of whose texts it is a word."""
    names: dict[str, set[str]] = {}
    summary = set(re.findall(r"[a-z]+", sample["predictions"].lower()))
    for text, value in zip(sample["sources"], sample["values"], strict=True):
        for word in summary & set(re.findall(r"[a-z]+", text.lower())):
            names.setdefault(word, set()).add(value)
    sources = [words_in(*pair) for pair in zip(sample["sources"], [names] * 99, sample["values"], strict=False)]
    return Attribution(words_in(sample["predictions"], names), sources)


def lacking(self: Any, name: str, record: Mapping[str, Any]) -> dict[str, float]:
    """What each value lacks of its desired share."""
    shares = zip(record["values"], record["desired_share"], record["summary_share"], strict=True)
    return {value: desired - share for value, desired, share in shares} if record["skipped"] is None else {}


@pytest.fixture(scope="session")
def made() -> Iterator[Callable[..., Contents]]:
    """Makes the contents of a page: samples (id, system, summary, sources, values) are scored as they are."""
    with pytest.MonkeyPatch.context() as patch:
        family = family_of("bur")
        patch.setattr(type(family), "attribution", shared_words)
        patch.setattr(RepresentationReport, "spread", lacking)
        patch.setattr(RepresentationReport, "spread_axis", "Lacking of the desired share; left of 0: more than that")

        def of(samples: Sequence[tuple[str, str, str, Sequence[str], Sequence[str]]], **more: Any) -> Contents:
            ids, systems, *columns = zip(*samples, strict=True)
            given = dict(zip(("predictions", "sources", "values"), map(list, columns), strict=True))
            results = {name: compute(name, **given, return_samples=True) for name in MEASURES}
            records = {name: result.pop("samples") for name, result in results.items()}
            lenses = {name: Lens(name, family.settings(name)(), result) for name, result in results.items()}
            sampled = (
                Sampled(
                    id_,
                    system,
                    place,
                    {column: entries[place] for column, entries in given.items()},
                    {name: records[name][place] for name in MEASURES},
                )
                for place, (id_, system) in enumerate(zip(ids, systems, strict=True))
            )
            return Contents(
                **{
                    "title": "reviews.jsonl",
                    "document": {},
                    "views": [("all", results)],
                    "lenses": lenses,
                    "samples": sampled,
                }
                | more
            )

        yield of


REVIEW = ("Tasty soup and kind staff.", ["The soup was tasty.", "Kind staff!", "Cold soup, slow staff."])
"""Words of the summary by value: tasty and kind pos; soup and staff both; and none."""


@pytest.fixture(scope="session")
def review(made: Callable[..., Contents]) -> Callable[..., Contents]:
    """Makes the contents of a page with one sample."""
    summary, sources = REVIEW

    def of(**more: Any) -> Contents:
        return made([("r1", "", summary, sources, ["pos", "pos", "neg"])], **more)

    return of
