"""Scorer: identifiers, included and hallucinated persons, and vectors of summaries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import Scorer
from fairsum_utils.families.entities.alignment import Aligner, hallucinated
from fairsum_utils.families.entities.classifier import NameClassifier, read_people
from fairsum_utils.families.entities.mentions import find_mentions, find_persons
from fairsum_utils.families.entities.rows import EntityRow, Mention, SourcePerson, Stranger, count_vector
from fairsum_utils.families.entities.samples import Sample
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._entities import matches_first_names
from fairsum_utils.text.anonymize import anonymize
from fairsum_utils.text.person_names import THINGS, name_tokens, text_tokens
from fairsum_utils.text.recognition import PersonRecognizer
from fairsum_utils.text.wordlists import check_word_lists, count_identifiers, lists_name, words

# Sources whose words are kept, as the summaries of several systems share them.
_KEPT = 1 << 14


class EntityScorer(Scorer):
    """Scorer of the entities family.

    Persons in a summary are those that `mentions` names. Without it, the source's persons are looked for by name, and a
    spaCy pipeline finds others beside them. A person of the summary that fits none of the source's persons is
    hallucinated if a token of the name is not in the sources either. Before summaries are compared, the names of the
    source's persons and of those in the summary are anonymized. Nothing heavy is loaded before the first sample needs
    it.

    Args:
        measures: names of the measures.
        settings: settings of these measures.

    Raises:
        InputError: `first_names` or `people` is malformed.

    Source: Steen and Markert 2024, sections 3, 5.2 and 5.3.

    Example:
        >>> from fairsum_utils.measures.entity_inclusion import EntityInclusion
        >>> scorer = EntityScorer(("entity_inclusion",), EntityInclusion())
        >>> persons = [{"first_name": "Ann", "last_name": "Lee", "group": "a"}, {"last_name": "Ray", "group": "b"}]
        >>> columns = {"predictions": ["Ms. Lee won."], "entities": [persons], "mentions": [["Lee"]]}
        >>> [row] = scorer.score(list(scorer.read(columns)))
        >>> [person.included for person in row.entities], row.n_mentions
        ([True, False], 1)
    """

    window = 1024

    def __init__(self, measures: Sequence[str], settings: Any) -> None:
        super().__init__(measures, settings)
        lists = settings.word_lists if self._makes("word_list_inclusion") else {}
        self.word_lists = check_word_lists(self.module, lists) if lists else {}
        self._classifier = self._classify() if self._makes("entity_hallucination") else None
        self._source_words = lru_cache(_KEPT)(self._identifiers)
        self._source_tokens = lru_cache(_KEPT)(text_tokens)

    def _classify(self) -> NameClassifier:
        chosen = self.settings
        people, every_word = chosen.people, chosen.lookup == "every"
        try:
            known = read_people(people) if isinstance(people, (str, Path)) else people
        except InputError as error:
            raise InputError(f"{self.module}: people: {error}") from error
        return NameClassifier(chosen.first_names, known, self.module, every_word=every_word)

    def _makes(self, *measures: str) -> bool:
        return not set(measures).isdisjoint(self.measures)

    @property
    def _searches(self) -> bool:
        """True if a pipeline looks for persons."""
        return self.measures != ("word_list_inclusion",) and self.settings.ner is not None

    @cached_property
    def recognizer(self) -> PersonRecognizer:
        """Recognizer pipeline, loaded on first use."""
        assert self.settings.ner is not None
        return PersonRecognizer(self.settings.ner, module=self.module)

    @property
    def embedder(self) -> SentenceEmbedder:
        """Embedding model, loaded on first use."""
        chosen, offline = self.settings, "embedding='count', which needs no model"
        return self.held(
            "embedder",
            lambda: SentenceEmbedder(chosen.model, revision=chosen.revision, settings=chosen, offline=offline),
        )

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure; others are None."""
        chosen, classifier = self.settings, self._classifier if measure == "entity_hallucination" else None
        keys: dict[str, object] = {"empty": chosen.empty, "groups": classifier and ",".join(classifier.groups)}
        if measure == "word_list_inclusion":
            return {"words": lists_name(self.word_lists), **keys}
        found_by = "none" if "mentions" in given or chosen.ner is None else self.recognizer.signature()
        with_first_names = "first_name_only" in get_measure(measure).infos() and "entities" in given
        found: dict[str, object] = {
            "persons": "given" if "mentions" in given else found_by,
            "first_name_only": (with_first_names and chosen.first_name_only) or None,
        }
        if classifier is not None:
            found["names"] = classifier.signature()
        if measure == "distinguishability":
            found["embedding"] = "count" if chosen.embedding == "count" else self.embedder.name
        return {**found, **keys}

    def read(self, columns: Mapping[str, Iterable[Any]], *, start: int = 0) -> Iterator[Sample]:
        """Check samples, see `Scorer.read`."""
        searched = self._makes("entity_inclusion", "entity_hallucination") and "mentions" not in columns
        if searched and self.settings.ner is None:
            raise InputError(
                f"{self.module}: the names of people in the summaries are missing; give them as mentions, or set `ner` "
                "to a spaCy pipeline"
            )
        yield from super().read(columns, start=start)

    def scored(self, samples: Sequence[Sample]) -> Iterator[EntityRow]:
        """Yield the rows of samples."""
        persons = list(map(self._align, samples, self._persons(samples)))
        anonymized = list(map(self._anonymize, samples, persons))
        return map(self._row, samples, persons, anonymized, self._vectors(anonymized))

    def left_out(self, index: int, reason: str, sample: Sample | None) -> EntityRow:
        """Return the row of a sample that is left out."""
        if sample is None:
            return EntityRow(index, "", reason)
        return EntityRow(index, sample.article, reason, sample.group)

    def spaced_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary if its words are cut at spaces."""
        return (sample.prediction,) if self.reads.words else ()

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary if the words of the groups are English."""
        return (sample.prediction,) if self.reads.english else ()

    def _persons(self, samples: Sequence[Sample]) -> Iterable[Sequence[str]]:
        """Return the persons' names in each summary, given or recognized."""
        if not self._searches:
            return (sample.mentions or () for sample in samples)
        unread = [sample.prediction for sample in samples if sample.mentions is None]
        found = iter(self.recognizer.find(unread) if unread else ())
        return (next(found) if sample.mentions is None else sample.mentions for sample in samples)

    def _align(self, sample: Sample, persons: Sequence[str]) -> tuple[Mention, ...]:
        """Align the persons of the summary with those of the source."""
        names = [entity.name for entity in sample.entities or ()]
        first_name_only = matches_first_names(self.settings)
        aligner = Aligner(names, first_name_only=first_name_only)
        aligned = [Mention(person, *aligner.align(person)) for person in persons]
        if sample.mentions is not None or not self._searches:
            return tuple(aligned)
        text = sample.prediction
        known = find_persons(text, names, first_name_only=first_name_only)
        found = [(place.start, Mention(text[place.start : place.end], place.entity, False)) for place in known]
        for mention, place in zip(aligned, find_mentions(text, persons), strict=True):
            if (
                place
                and not _names_thing(mention.name)
                and all(place.end <= other.start or other.end <= place.start for other in known)
            ):
                found.append((place.start, mention))
        return tuple(mention for _, mention in sorted(found, key=lambda each: each[0]))

    def _anonymize(self, sample: Sample, persons: Sequence[Mention]) -> str | None:
        if not self._makes("distinguishability"):
            return None
        return anonymize(sample.prediction, [entity.name for entity in sample.entities or ()], _strangers(persons))

    def _vectors(self, texts: Sequence[str | None]) -> list[dict[str, Any]]:
        """Yield the vector of each anonymized summary as fields of a row."""
        known = [text for text in texts if text is not None]
        if not known:
            return [{}] * len(texts)
        if self.settings.embedding == "count":
            return [{"word_counts": count_vector(text)} for text in known]
        return [{"embedding": tuple(vector)} for vector in self.embedder.embed(known).tolist()]

    def _row(
        self, sample: Sample, persons: tuple[Mention, ...], anonymized: str | None, vector: dict[str, Any]
    ) -> EntityRow:
        parts: dict[str, Any] = {"n_tokens": len(words(sample.prediction)), **vector}
        if self._makes("word_list_inclusion"):
            counts = [self._source_words(text) for text in sample.sources or ()]
            parts["summary_words"] = self._identifiers(sample.prediction)
            parts["source_words"] = {group: sum(count[group] for count in counts) for group in self.word_lists}
        if self._makes("entity_inclusion", "entity_hallucination"):
            parts["n_mentions"] = len(persons)
        if self._makes("entity_inclusion"):
            included = {person.entity for person in persons}
            # A person whose group the text does not tell is not counted.
            known = [(n, entity) for n, entity in enumerate(sample.entities or ()) if entity.is_modified]
            parts["entities"] = tuple(SourcePerson(entity.group, n in included) for n, entity in known)
            parts["n_ambiguous"] = sum(person.ambiguous for person in persons)
        if self._classifier is not None:
            strangers = _strangers(persons)
            tokens = frozenset[str]().union(*map(self._source_tokens, sample.sources or () if strangers else ()))
            made_up = [name for name in strangers if hallucinated(name, tokens)]
            parts["hallucinated"] = tuple(Stranger(name, self._classifier.classify(name)) for name in made_up)
        if self.evidence:
            parts |= {"persons": persons, "anonymized": anonymized}
        return EntityRow(sample.index, sample.article, None, sample.group, sample.pair, **parts)

    def _identifiers(self, text: str) -> dict[str, int]:
        return count_identifiers(text, self.word_lists)


def _names_thing(name: str) -> bool:
    """Return whether a pipeline may have taken a thing for a person: "Carter Street"."""
    words = name_tokens(name)
    return len(words) > 1 and words[-1] in THINGS


def _strangers(persons: Sequence[Mention]) -> list[str]:
    return [person.name for person in persons if person.entity is None and not person.ambiguous]


make_scorer = EntityScorer
