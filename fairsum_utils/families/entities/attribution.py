"""Locations of identifiers and persons in a sample, and each person's outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.families.entities.mentions import find_mentions, find_persons
from fairsum_utils.families.entities.rows import Mention
from fairsum_utils.families.entities.samples import Entity, Sample, check_sample
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

    Example:
        >>> persons = [{"last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]
        >>> evidence = {"persons": [{"name": "Ms. Lee", "entity": 0, "ambiguous": False}], "anonymized": None}
        >>> record = {"skipped": None, "n_mentions": 1, "evidence": evidence}
        >>> outcomes({"predictions": "Ms. Lee won.", "entities": persons}, record)
        [PersonOutcome(name='Lee', group='f', outcome='named', is_counted=True),
         PersonOutcome(name='Ray', group='m', outcome='left out', is_counted=True)]
    """
    read = _read(sample)
    mentions = _recorded(record)
    strangers = _made_up(record)
    made_up = dict(strangers)
    entities = read.entities or ()
    named = _named(entities, record, mentions)
    of_sources = [
        PersonOutcome(_full(entity), entity.group, "" if is_named is None else NAMED if is_named else LEFT_OUT, counted)
        for entity, is_named in zip(entities, named, strict=True)
        for counted in [entity.is_modified]
    ]
    if mentions is None:
        return of_sources + [PersonOutcome(name, group, MADE_UP) for name, group in strangers]
    others = [mention for mention in mentions if mention.entity is None]
    return of_sources + [PersonOutcome(each.name, made_up.get(each.name), _kind(each, made_up)) for each in others]


def attribution(
    measures: Sequence[str], settings: Any, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the identifiers and persons of a sample.

    Words of the lists are those that were counted. The persons of the summary are those that it was found to name; one
    whose name the text does not hold has no stretch. In the sources, persons are marked where names alone tell them.
    Where no evidence was kept and the sample does not say whom its summary names, only those who are made up are known.

    Example:
        >>> sample = {"predictions": "She praised Ms. Lee.", "sources": "Ann Lee won. Ray lost.", "mentions": ["Lee"],
        ...           "entities": [{"last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]}
        >>> from fairsum_utils.measures.entity_inclusion import EntityInclusion
        >>> found = attribution(["entity_inclusion"], EntityInclusion(), sample, {"skipped": None})
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
    if set(measures) - {"word_list_inclusion"}:
        mentions = _recorded(record)
        if mentions is None and read.mentions is not None:
            names = [entity.name for entity in read.entities or ()]
            aligner = Aligner(names, first_name_only=matches_first_names(settings))
            mentions = [Mention(name, *aligner.align(name)) for name in read.mentions]
        named = _named(read.entities or (), record, mentions)
        spans[0] += _summary_persons(read, record, mentions)
        for text, stretches in zip(texts[1:], spans[1:], strict=True):
            stretches += _source_persons(text, read.entities or (), named, settings)
    prediction, *sources = (sorted(stretches, key=lambda span: span[:2]) for stretches in spans)
    return Attribution(prediction, sources)


def _read(sample: Mapping[str, Any]) -> Sample:
    """Drop the columns of other families."""
    columns = ("predictions", "sources", "entities", "mentions")
    return check_sample("attribution", 0, *(sample.get(column) for column in columns))


def _recorded(record: Mapping[str, Any]) -> list[Mention] | None:
    """Return the persons of the summary; None if not recorded."""
    evidence = record.get("evidence")
    if not evidence or evidence.get("persons") is None:
        return None
    mentions = [Mention(**person) for person in evidence["persons"]]
    n_mentions = record.get("n_mentions")
    return mentions if n_mentions is None or len(mentions) == n_mentions else None


def _named(
    entities: Sequence[Entity], record: Mapping[str, Any], mentions: Sequence[Mention] | None
) -> list[bool | None]:
    """Return whether the summary names each source person; None if unknown."""
    if mentions is not None:
        named = {mention.entity for mention in mentions}
        return [place in named for place in range(len(entities))]
    included = (person["included"] for person in record.get("entities") or ())
    return [next(included, None) if entity.is_modified else None for entity in entities]


def _made_up(record: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Return the name and group of each hallucinated person."""
    return [(stranger["name"], stranger["group"]) for stranger in record.get("hallucinated") or ()]


def _kind(mention: Mention, made_up: Mapping[str, str | None]) -> str:
    return AMBIGUOUS if mention.ambiguous else MADE_UP if mention.name in made_up else UNMATCHED


def _full(entity: Entity) -> str:
    return " ".join(filter(None, entity.name))


def _words(text: str, lists: WordLists) -> Iterator[Span]:
    for start, end, word, group in find_identifiers(text, lists):
        yield Span(start, end, (group,), "word", word)


def _summary_persons(read: Sample, record: Mapping[str, Any], mentions: Sequence[Mention] | None) -> Iterator[Span]:
    strangers = _made_up(record)
    made_up = dict(strangers)
    known = [Mention(name, None, False) for name, _ in strangers] if mentions is None else mentions
    entities = read.entities or ()
    for mention, place in zip(known, find_mentions(read.prediction, [each.name for each in known]), strict=True):
        if place is None:
            continue
        if mention.entity is None:
            kind = _kind(mention, made_up)
            yield Span(*place, (), "person", " ".join(("name", *name_tokens(mention.name))), _NOTES[kind])
        else:
            entity = entities[mention.entity]
            yield _person(place, entity, mention.entity, f"{NAMED}: {_full(entity)}")


def _source_persons(
    text: str, entities: Sequence[Entity], named: Sequence[bool | None], settings: EntityMeasure
) -> Iterator[Span]:
    names = [entity.name for entity in entities]
    for start, end, number in find_persons(text, names, first_name_only=matches_first_names(settings)):
        note = {True: "named in the summary", False: LEFT_OUT, None: ""}[named[number]]
        yield _person((start, end), entities[number], number, note)


def _person(place: tuple[int, int], entity: Entity, number: int, note: str) -> Span:
    """Return the span of a source person."""
    if not entity.is_modified:
        return Span(*place, (), "person", f"person {number}", "; ".join(filter(None, (note, _NOT_COUNTED))))
    return Span(*place, (entity.group,), "person", f"person {number}", note)
