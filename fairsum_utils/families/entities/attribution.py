"""Locations of identifiers and persons in a sample, and each person's outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from fairsum_utils.families.entities.mentions import find_mentions, find_persons
from fairsum_utils.families.entities.rows import Mention
from fairsum_utils.families.entities.samples import Entity, Sample, check_row
from fairsum_utils.families.marks import Attribution, PersonOutcome, Span
from fairsum_utils.measures._entities import EntityMeasure, matches_first_names
from fairsum_utils.text.person_names import name_tokens
from fairsum_utils.text.wordlists import WordLists, check_word_lists, find_identifiers

NAMED, LEFT_OUT, MADE_UP, AMBIGUOUS, UNMATCHED = "named", "left out", "made up", "ambiguous", "no match"
"""What can become of a person of the sources, and what a person of the summary can be."""

_NOTES = {
    MADE_UP: "invented: no such person in the sources",
    AMBIGUOUS: "ambiguous: the name matches several persons in the sources",
    UNMATCHED: "matches no person in the sources",
}
_NOT_COUNTED = "not counted: the text does not show the group"


def outcomes(sample: Mapping[str, Any], record: Mapping[str, Any]) -> list[PersonOutcome]:
    """Return the outcome of each person: first the sources', then others of the summary.

    A record without evidence has none.

    Example:
        >>> persons = [{"last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]
        >>> evidence = {"persons": [{"name": "Ms. Lee", "entity": 0, "ambiguous": False}], "anonymized": None}
        >>> record = {"skipped": None, "n_mentions": 1, "evidence": evidence}
        >>> outcomes({"predictions": "Ms. Lee won.", "entities": persons}, record)
        [PersonOutcome(name='Lee', group='f', outcome='named', is_counted=True),
         PersonOutcome(name='Ray', group='m', outcome='left out', is_counted=True)]
    """
    if not record.get("evidence"):
        return []
    entities, mentions = _read(sample).entities or (), _recorded(record)
    named, made_up = {mention.entity for mention in mentions}, _made_up(record)
    of_sources = [
        PersonOutcome(_full(entity), entity.group, NAMED if place in named else LEFT_OUT, entity.is_modified)
        for place, entity in enumerate(entities)
    ]
    others = [mention for mention in mentions if mention.entity is None]
    return of_sources + [PersonOutcome(each.name, made_up.get(each.name), _kind(each, made_up)) for each in others]


def attribution(
    measures: Sequence[str], settings: Any, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the identifiers and persons of a sample.

    Words of the lists are those that were counted. The persons of the summary are those that it was found to name; one
    whose name the text does not hold has no stretch. In the sources, persons are marked where names alone tell them. A
    record without evidence has no persons.

    Example:
        >>> sample = {"predictions": "She praised Ms. Lee.", "sources": "Ann Lee won. Ray lost.",
        ...           "entities": [{"last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]}
        >>> record = {"skipped": None, "evidence": {"persons": [{"name": "Lee", "entity": 0, "ambiguous": False}]}}
        >>> from fairsum_utils.measures.entity_inclusion import EntityInclusion
        >>> found = attribution(["entity_inclusion"], EntityInclusion(), sample, record)
        >>> found.prediction
        [Span(start=16, end=19, names=('f',), kind='person', key='person 0', note='named: Lee')]
        >>> [(span.names, span.note) for span in found.sources[0]]
        [(('m',), 'left out')]
    """
    if record.get("skipped") is not None:
        return Attribution()
    read = _read(sample)
    texts = [read.prediction, *(read.sources or ())]
    spans: list[list[Span]] = [[] for _ in texts]
    if "word_list_inclusion" in measures:
        lists = check_word_lists(settings.module, settings.word_lists)
        for text, stretches in zip(texts, spans, strict=True):
            stretches += _words(text, lists)
    if set(measures) - {"word_list_inclusion"} and record.get("evidence"):
        mentions = _recorded(record)
        spans[0] += _summary_persons(read, _made_up(record), mentions)
        named = {mention.entity for mention in mentions}
        for text, stretches in zip(texts[1:], spans[1:], strict=True):
            stretches += _source_persons(text, read.entities or (), named, settings)
    prediction, *sources = (sorted(stretches, key=lambda span: span[:2]) for stretches in spans)
    return Attribution(prediction, sources)


def _read(sample: Mapping[str, Any]) -> Sample:
    """Drop the columns of other families."""
    columns = ("predictions", "sources", "entities")
    return check_row("attribution", 0, {name: sample[name] for name in columns if sample.get(name) is not None})


def _recorded(record: Mapping[str, Any]) -> list[Mention]:
    """Return the persons of the summary."""
    return [Mention(**person) for person in record["evidence"]["persons"]]


def _made_up(record: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the name and group of each hallucinated person."""
    return {stranger["name"]: stranger["group"] for stranger in record.get("hallucinated") or ()}


def _kind(mention: Mention, made_up: Mapping[str, str | None]) -> str:
    return AMBIGUOUS if mention.ambiguous else MADE_UP if mention.name in made_up else UNMATCHED


def _full(entity: Entity) -> str:
    return " ".join(filter(None, entity.name))


def _words(text: str, lists: WordLists) -> Iterator[Span]:
    for start, end, word, group in find_identifiers(text, lists):
        yield Span(start, end, (group,), "word", word)


def _summary_persons(read: Sample, made_up: Mapping[str, str | None], mentions: Sequence[Mention]) -> Iterator[Span]:
    places = find_mentions(read.prediction, [each.name for each in mentions])
    for mention, place in zip(mentions, places, strict=True):
        if place is not None and mention.entity is None:
            note = _NOTES[_kind(mention, made_up)]
            yield Span(*place, (), "person", " ".join(("name", *name_tokens(mention.name))), note)
        elif place is not None and mention.entity is not None:
            entity = (read.entities or ())[mention.entity]
            yield _person(place, entity, mention.entity, f"{NAMED}: {_full(entity)}")


def _source_persons(
    text: str, entities: Sequence[Entity], named: Set[int | None], settings: EntityMeasure
) -> Iterator[Span]:
    names = [entity.name for entity in entities]
    for start, end, number in find_persons(text, names, first_name_only=matches_first_names(settings)):
        note = "named in the summary" if number in named else LEFT_OUT
        yield _person((start, end), entities[number], number, note)


def _person(place: tuple[int, int], entity: Entity, number: int, note: str) -> Span:
    """Return the span of a source person."""
    if not entity.is_modified:
        return Span(*place, (), "person", f"person {number}", "; ".join(filter(None, (note, _NOT_COUNTED))))
    return Span(*place, (entity.group,), "person", f"person {number}", note)
