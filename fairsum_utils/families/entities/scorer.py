"""Texts to rows: identifiers, source persons that a summary includes, persons that it makes up, and its vector."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.alignment import Aligner, hallucinated
from fairsum_utils.families.entities.names import NameClassifier
from fairsum_utils.families.entities.people import read_people
from fairsum_utils.families.entities.rows import EntityRow, Mention, SourcePerson, Stranger, count_vector
from fairsum_utils.families.entities.samples import Sample, check_row
from fairsum_utils.families.entities.settings import EntitySettings
from fairsum_utils.families.entities.wordlists import check_word_lists, count_identifiers, lists_name, words
from fairsum_utils.families.originals import OriginalsScorer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.text.anonymize import anonymize
from fairsum_utils.text.languages import check_script
from fairsum_utils.text.recognition import PersonRecognizer
from fairsum_utils.text.tokens import text_tokens

_KEPT = 1 << 14
"""Sources whose words are kept, for the summaries of several systems share them."""


class EntityScorer(OriginalsScorer):
    """Scores samples for the measures that were asked for, and nothing else.

    Persons in a summary are those that `mentions` names, or else those that a spaCy pipeline finds. A person of the
    summary that fits none of the source's persons is hallucinated if a token of the name is not in the sources either.
    Before summaries are compared, the names of the source's persons and of those in the summary are anonymized. Nothing
    heavy is loaded before the first sample needs it.

    Args:
        measures: names of the measures.
        settings: settings of these measures.

    Raises:
        InputError: first names or known people that are not as described.

    Source: papers/news-summarization-bias, sections 3, 5.2 and 5.3.

    Example:
        >>> scorer = EntityScorer(("entity_inclusion",), EntitySettings())
        >>> persons = [{"first_name": "Ann", "last_name": "Lee", "group": "a"}, {"last_name": "Ray", "group": "b"}]
        >>> columns = {"predictions": ["Ms. Lee won."], "entities": [persons], "mentions": [["Lee"]]}
        >>> [row] = scorer.score(list(scorer.read(columns)))
        >>> [person.included for person in row.entities], row.n_mentions
        ([True, False], 1)
    """

    settings: EntitySettings

    def __init__(self, measures: Sequence[str], settings: EntitySettings) -> None:
        super().__init__(measures, settings)
        self.word_lists = check_word_lists(self.module, settings.word_lists)
        self._classifier: NameClassifier | None = None
        if self._makes("entity_hallucination"):
            people = settings.people
            try:
                known = read_people(people) if isinstance(people, (str, Path)) else people
            except InputError as error:
                raise InputError(f"{self.module}: people: {error}") from error
            self._classifier = NameClassifier(
                settings.first_names, known, self.module, every_word=settings.lookup == "every"
            )
        self._source_words = lru_cache(_KEPT)(self._identifiers)
        self._source_tokens = lru_cache(_KEPT)(text_tokens)

    def _makes(self, *measures: str) -> bool:
        return not set(measures).isdisjoint(self.measures)

    @cached_property
    def recognizer(self) -> PersonRecognizer:
        """The pipeline, loaded when it is first needed."""
        assert self.settings.ner is not None
        return PersonRecognizer(self.settings.ner, module=self.module)

    @property
    def embedder(self) -> SentenceEmbedder:
        """The model of dense embeddings, loaded when it is first needed."""
        chosen, offline = self.settings, "embedding='count', which needs no model"
        return self.held(
            "embedder",
            lambda: SentenceEmbedder(chosen.model, revision=chosen.revision, settings=chosen, offline=offline),
        )

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """List the settings that change the rows of a measure; others are None."""
        is_of_words = measure == "word_list_inclusion"
        classifier = self._classifier if measure == "entity_hallucination" else None
        return {
            "words": lists_name(self.word_lists) if is_of_words else None,
            "persons": None if is_of_words else self._persons_name(given),
            "first_name_only": self._aligns_first_names(measure, given) or None,
            "names": None if classifier is None else classifier.signature(),
            "embedding": self._embedding_name() if measure == "distinguishability" else None,
            "empty": self.settings.empty,
            "groups": ",".join(self.groups(measure)) or None,
        }

    def _aligns_first_names(self, measure: str, given: Collection[str]) -> bool:
        info = self.settings.infos()["first_name_only"]
        return self.settings.first_name_only and info.takes(measure) and "entities" in given

    def _persons_name(self, given: Collection[str]) -> str:
        if "mentions" in given:
            return "given"
        return "none" if self.settings.ner is None else self.recognizer.signature()

    def _embedding_name(self) -> str:
        return "count" if self.settings.embedding == "count" else self.embedder.name

    def groups(self, measure: str) -> tuple[str, ...]:
        """The groups that rows need not name: those that the names of hallucinated persons can have."""
        return self._classifier.groups if measure == "entity_hallucination" and self._classifier is not None else ()

    def read(self, columns: Mapping[str, Iterable[Any]], *, start: int = 0) -> Iterator[Sample]:
        """Check samples, see `Scorer.read`."""
        searched = self._makes("entity_inclusion", "entity_hallucination") and "mentions" not in columns
        if searched and self.settings.ner is None:
            raise InputError(
                f"{self.module}: mentions must be given, the names of persons in each summary, or ner must name a "
                "pipeline that finds them"
            )
        yield from super().read(columns, start=start)

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check one sample, and that the words of its summary can be cut where they are counted."""
        sample = check_row(self.module, index, row)
        if self._makes("word_list_inclusion"):
            check_script(self.module, index, "the summary", sample.prediction)
        return sample

    def scored(self, samples: Sequence[Sample]) -> Iterator[EntityRow]:
        """Rows of samples whose summary is not blank; pipeline and model get all texts together."""
        readings = list(map(self._read, samples, self._persons(samples)))
        vectors = self._vectors([reading.anonymized or "" for reading in readings])
        return map(self._row, samples, readings, vectors)

    def skipped(self, sample: Sample) -> EntityRow:
        """Row of a sample whose summary is blank."""
        return EntityRow(sample.index, sample.article, "empty_prediction", sample.group)

    def _persons(self, samples: Sequence[Sample]) -> Iterable[Sequence[str]]:
        """The names of persons in each summary: given, found, or none if no measure asks for them."""
        if self.measures == ("word_list_inclusion",) or self.settings.ner is None:
            return (sample.mentions or () for sample in samples)
        unread = [sample.prediction for sample in samples if sample.mentions is None]
        found = iter(self.recognizer.find(unread) if unread else ())
        return (next(found) if sample.mentions is None else sample.mentions for sample in samples)

    def _read(self, sample: Sample, persons: Sequence[str]) -> _Reading:
        """Align the persons of the summary with those of the source, and anonymize it."""
        names = [entity.name for entity in sample.entities or ()]
        aligner = Aligner(names, first_name_only=self.settings.first_name_only)
        mentions = tuple(Mention(person, *aligner.align(person)) for person in persons)
        strangers = [person.name for person in mentions if person.entity is None and not person.ambiguous]
        anonymized = anonymize(sample.prediction, names, strangers) if self._makes("distinguishability") else None
        return _Reading(mentions, strangers, anonymized)

    def _vectors(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        """The vectors of anonymized summaries, each as the part of a row that holds it."""
        if not texts or not self._makes("distinguishability"):
            return [{}] * len(texts)
        if self.settings.embedding == "count":
            return [{"word_counts": count_vector(text)} for text in texts]
        return [{"embedding": tuple(vector)} for vector in self.embedder.embed(texts).tolist()]

    def _row(self, sample: Sample, reading: _Reading, parts: dict[str, Any]) -> EntityRow:
        parts = {"n_tokens": len(words(sample.prediction)), **parts}
        if self._makes("word_list_inclusion"):
            counts = [self._source_words(text) for text in sample.sources or ()]
            parts["summary_words"] = self._identifiers(sample.prediction)
            parts["source_words"] = {group: sum(count[group] for count in counts) for group in self.word_lists}
        if self._makes("entity_inclusion", "entity_hallucination"):
            parts["n_mentions"] = len(reading.persons)
        if self._makes("entity_inclusion"):
            included = {person.entity for person in reading.persons}
            # Of a person whose group the text does not tell, nothing can be said.
            known = [(n, entity) for n, entity in enumerate(sample.entities or ()) if entity.is_modified]
            parts["entities"] = tuple(SourcePerson(entity.group, n in included) for n, entity in known)
            parts["n_ambiguous"] = sum(person.ambiguous for person in reading.persons)
        if self._classifier is not None:
            texts = sample.sources or () if reading.strangers else ()
            tokens = frozenset[str]().union(*map(self._source_tokens, texts))
            made_up = [name for name in reading.strangers if hallucinated(name, tokens)]
            parts["hallucinated"] = tuple(Stranger(name, self._classifier.classify(name)) for name in made_up)
        if self.evidence:
            parts |= {"persons": reading.persons, "anonymized": reading.anonymized}
        return EntityRow(sample.index, sample.article, None, sample.group, sample.pair, **parts)

    def _identifiers(self, text: str) -> dict[str, int]:
        return count_identifiers(text, self.word_lists)


class _Reading(NamedTuple):
    """The persons of a summary, the names of those that fit none of the source's, and the summary anonymized."""

    persons: tuple[Mention, ...]
    strangers: list[str]
    anonymized: str | None


make_scorer = EntityScorer
