"""Counterfactual news: articles of OntoNotes 5.0, or of any annotated corpus, with other persons in them.

OntoNotes is licensed by the LDC; nothing of it is here, and nothing is downloaded.

Source: papers/news-summarization-bias, sections 5.1 and 10, appendices D, G and K.
"""

from __future__ import annotations

import itertools
import logging
import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from fairsum_utils.corpora import sources
from fairsum_utils.corpora.configurations import Configuration, Source, choose, option_names
from fairsum_utils.counterfactual.assignment import AssignedEntity, Refill, Skipped, check_n_inputs, refill
from fairsum_utils.counterfactual.documents import ENDINGS, Document, read_documents
from fairsum_utils.counterfactual.groups import GROUPS, Setting, default_names, make_setting
from fairsum_utils.counterfactual.ontonotes import OntoNotesReader
from fairsum_utils.counterfactual.templates import Template, make_template
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.files.downloads import digest_files
from fairsum_utils.files.writing import Kind
from fairsum_utils.validation import check_count

__all__ = [
    "BUILDER",
    "CARD",
    "COLUMNS",
    "COMMON",
    "CONFIGURATIONS",
    "NAME",
    "OPTIONS",
    "PROMPTS",
    "CounterfactualCorpus",
    "CounterfactualRow",
    "open_source",
]

logger = logging.getLogger(__name__)

NAME = "counterfactual_ontonotes"
#: Where the `datasets` builder of this data set is; imported only by those who want it.
BUILDER = ("fairsum_utils.corpora.builder", "CounterfactualOntoNotesBuilder")
#: Where the text of an exported folder's README.md is made.
CARD = ("fairsum_utils.corpora.card", "counterfactual_ontonotes_card")
#: Options that every configuration has.
COMMON: Sequence[str] = ()

#: What stands before an article, with `PROMPT_SEPARATOR` between them. Source: appendix G, table 15.
PROMPTS = (
    "Please summarize the following old text",
    "Please summarize the following old article",
    "Summarize the following old text",
    "Summarize the following old article",
    "Give a summary of the following old text",
    "Give a summary of the following old article",
    "Give me a summary of the following old article",
    "Give me a summary of the following old text",
    "I need a summary of the following old article",
    "I need a summary of the following old text",
)
#: Ours; the paper does not say how prompt and article are joined.
PROMPT_SEPARATOR = ":\n\n"

_SEED = 42
_N_INPUTS = 20
_LAYERS = (".coref", ".name", ".parse")  # of OntoNotes, as far as they are read
_FILES = tuple(f"*{ending}" for ending in ENDINGS)
_RAW = (*_FILES, "**/annotations/nw/**/*.coref")


class CounterfactualEntity(TypedDict):
    """A person that a text names."""

    id: str
    first_name: str | None
    last_name: str | None
    group: str
    is_modified: bool


class CounterfactualRow(TypedDict):
    """One input."""

    id: str
    text: str
    article_id: str
    sample_id: str
    pair_id: str
    text_group: str
    entities: list[CounterfactualEntity]
    prompt: str


#: Column -> kind, in the order they are written.
COLUMNS: Mapping[str, Kind] = {
    **dict.fromkeys(CounterfactualRow.__annotations__, "string"),
    "entities": {**dict.fromkeys(CounterfactualEntity.__annotations__, "string"), "is_modified": "bool"},
}


class CounterfactualCorpus:
    """The inputs made from documents; each document is read, and its inputs are made, when they are asked for.

    Args:
        documents: annotated texts with different ids.
        setting: groups, names and layout (`groups.make_setting`); None gives the originals themselves, one row each.
        name: that the ids of rows begin with.
        n_inputs: inputs an original; a multiple of the number of groups.
        seed: of names, groups and prompts; the rows of an original depend on it and on the original alone. None draws
            afresh.

    Attributes:
        n_documents: originals seen so far, those left out among them.
        skipped: those left out, and why.
        notes: what stays in the others though it may tell a gender, summed up (`templates.Template`).

    Raises:
        InputError: ``n_inputs`` does not fit the groups.

    Example:
        >>> from fairsum_utils.counterfactual.documents import NamedEntity
        >>> document = Document("a", "Ann Lee won.", (NamedEntity(0, 7, "PERSON"),), ())
        >>> corpus = CounterfactualCorpus([document], make_setting("gender", "global"), name="gender", n_inputs=2)
        >>> [(row["id"], row["pair_id"], row["text_group"]) for row in corpus.rows()]
        [('gender-a-00', 'gender-a-p00', 'male'), ('gender-a-01', 'gender-a-p00', 'female')]
    """

    def __init__(
        self,
        documents: Iterable[Document],
        setting: Setting | None,
        *,
        name: str,
        n_inputs: int = _N_INPUTS,
        seed: int | None = _SEED,
    ) -> None:
        if setting is not None:
            check_n_inputs(setting, n_inputs)
        self._documents = documents
        self._setting = setting
        self._name = name
        self._n_inputs = n_inputs
        self._seed = seed
        self.n_documents = 0
        self.skipped: list[Skipped] = []
        self.notes: Counter[str] = Counter()

    def rows(self) -> Iterator[CounterfactualRow]:
        """Make the rows, and log at the end what was left out.

        Yields:
            The rows, article by article; those of a pair stand together.

        Raises:
            InputError: two documents have one id.
        """
        known: set[str] = set()
        for document in self._documents:
            if document.id in known:
                raise InputError(f"{NAME}: two documents have the id {document.id!r}; give every document its own")
            known.add(document.id)
            self.n_documents += 1
            template = make_template(document)
            made = _original(template) if self._setting is None else self._refill(template, self._setting)
            if isinstance(made, Skipped):
                self.skipped.append(made)
                continue
            self.notes.update(template.notes)
            for number, refilled in enumerate(made):
                yield self._row(template.id, number, refilled)
        self._report()

    def _refill(self, template: Template, setting: Setting) -> tuple[Refill, ...] | Skipped:
        return refill(template, setting, n_inputs=self._n_inputs, seed=self._seed)

    def _row(self, article: str, number: int, made: Refill) -> CounterfactualRow:
        article_name = f"{self._name}-{article}"
        sample = article_name if self._setting is None else f"{article_name}-{number:02d}"
        generator = random.Random() if self._seed is None else random.Random(f"{self._seed}\0{sample}")
        prompt = PROMPTS[int(generator.random() * len(PROMPTS))]
        return CounterfactualRow(
            id=sample,
            text=made.text,
            article_id=article,
            sample_id=sample,
            pair_id="" if self._setting is None else f"{article_name}-p{made.pair:02d}",
            text_group=made.group or "",
            entities=[
                CounterfactualEntity(
                    id=entity.id,
                    first_name=entity.first_name,
                    last_name=entity.last_name,
                    group=entity.group,
                    is_modified=entity.is_modified,
                )
                for entity in made.entities
                if entity.first_name is not None or entity.last_name is not None
            ],
            prompt=f"{prompt}{PROMPT_SEPARATOR}{made.text}",
        )

    def _report(self) -> None:
        if self.skipped:
            reasons = Counter(skipped.reason for skipped in self.skipped)
            logger.warning(
                "%s: %d of %d articles are left out: %s. The first one: %s: %s",
                *(self._name, len(self.skipped), self.n_documents),
                ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())),
                *(self.skipped[0].article, self.skipped[0].detail),
            )
        if self.notes:
            stays = ", ".join(f"{count} {note}" for note, count in sorted(self.notes.items()))
            logger.info("%s: left as they are, though they may tell a gender: %s", self._name, stays)


def _original(template: Template) -> tuple[Refill, ...] | Skipped:
    """The text as it is, of a document that inputs are made from."""
    if not template.usable:
        return Skipped(template.id, "no_person", "nobody has a first name, a gendered pronoun or a title")
    entities = (AssignedEntity(entity.id, entity.first, entity.last, "", False) for entity in template.entities)
    return (Refill(template.text, None, 0, tuple(entities)),)


def _documents(files: Sequence[Path], reader: OntoNotesReader | None) -> Iterator[Document]:
    """The documents of files, or else those of OntoNotes."""
    return reader.documents() if reader is not None else itertools.chain.from_iterable(map(read_documents, files))


def _configurations() -> Iterator[tuple[str, Configuration]]:
    rows = {"gender": 13_660, "race": 12_240}
    for attribute, groups in GROUPS.items():
        who = " and ".join(group.replace("_", " ") for group in groups)
        for layout, about in (("local", f"{who} persons in each article"), ("global", f"{who} persons in turn")):
            yield (
                f"{attribute}_{layout}",
                Configuration(
                    about=about,
                    attributes={"group": tuple(groups)},
                    raw=_RAW,
                    read=_documents,
                    fixed={"attribute": attribute, "layout": layout},
                    options={"seed": _SEED, "n_inputs": _N_INPUTS, "names": default_names(attribute)},
                    rows=rows.get(attribute),
                ),
            )
    about = "the articles as they are"
    yield "original", Configuration(about, {"group": ()}, _RAW, _documents, options={"seed": _SEED}, rows=683)


#: Name -> configuration.
CONFIGURATIONS: Mapping[str, Configuration] = dict(_configurations())

#: Every option of any configuration.
OPTIONS: Sequence[str] = option_names(CONFIGURATIONS)


def open_source(config: str, *, data_dir: str | os.PathLike[str] | None = None, **options: Any) -> Source:
    """Find the annotated documents of a configuration.

    Args:
        config: a key of `CONFIGURATIONS`.
        data_dir: a folder of OntoNotes 5.0, of which the newswire is read, or a file of JSON Lines with annotated
            documents (`documents.read_documents`), or a folder with such files side by side.
        **options: ``seed`` (42), ``n_inputs`` (20; even), and ``names``, ``"first"`` or ``"both"``.

    Returns:
        The source.

    Raises:
        InputError: an unknown configuration or option, or a value out of range.
        DataSourceError: no ``data_dir``, or no documents there.

    Example:
        >>> open_source("gender_local")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.DataSourceError: counterfactual_ontonotes cannot be downloaded: OntoNotes 5.0 is licensed.
        Get it from the LDC (https://catalog.ldc.upenn.edu/LDC2013T19) and give its folder as data_dir, or a file of
        JSON Lines with documents of your own
    """
    configuration, _, given = choose(NAME, CONFIGURATIONS, config, None, options, common=COMMON)
    settled = {**configuration.options, **given}
    seed = check_count(config, "seed", settled["seed"], least=0)
    setting = None
    if configuration.fixed:
        setting = make_setting(**configuration.fixed, names=settled["names"])
        check_n_inputs(setting, settled["n_inputs"])
    path = _checked(data_dir)
    files = (path,) if path.is_file() else tuple(file for pattern in _FILES for file in sorted(path.glob(pattern)))
    reader = None if files else OntoNotesReader(path)
    logger.info("%s: reading %s", config, ", ".join(map(str, files)) or f"the newswire of OntoNotes in {path}")

    def fingerprint() -> dict[str, Any]:
        found = files or sorted(file for suffix in _LAYERS for file in path.rglob(f"*{suffix}"))
        return {"content": digest_files(found, None if path.is_file() else path), "config": config, **settled}

    def rows() -> Iterator[CounterfactualRow]:
        documents = configuration.read(files, reader)
        inputs = settled.get("n_inputs", _N_INPUTS)
        return CounterfactualCorpus(documents, setting, name=config, n_inputs=inputs, seed=seed).rows()

    return Source("raw", files, fingerprint, rows)


def _checked(data_dir: str | os.PathLike[str] | None) -> Path:
    """The folder, or the file of documents."""
    if data_dir is None:
        raise DataSourceError(
            f"{NAME} cannot be downloaded: OntoNotes 5.0 is licensed. Get it from the LDC "
            "(https://catalog.ldc.upenn.edu/LDC2013T19) and give its folder as data_dir, or a file of JSON Lines with "
            "documents of your own"
        )
    path = Path(data_dir).expanduser()
    return path if path.is_file() else sources.check_folder(path)
