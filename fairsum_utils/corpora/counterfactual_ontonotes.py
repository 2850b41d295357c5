"""Counterfactual news: annotated articles, such as OntoNotes 5.0 or CoNLL-2012, with other persons.

OntoNotes is licensed by the LDC; nothing of it is here, and nothing is downloaded.

Source: Steen and Markert 2024, sections 5.1, 8.3 and 10, appendices D, G and K.
"""

from __future__ import annotations

import itertools
import logging
import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Annotated, Any, TypedDict, cast

from fairsum_utils.corpora.corpus import Configuration, Source, check_folder, describe_corpus
from fairsum_utils.corpora.prompts import REQUESTS, focus_instruction
from fairsum_utils.counterfactual.assignment import (
    GROUPS,
    AssignedEntity,
    Refill,
    Setting,
    Skipped,
    check_n_inputs,
    default_names,
    make_setting,
    refill,
)
from fairsum_utils.counterfactual.conll2012 import conll, find_reader, is_conll
from fairsum_utils.counterfactual.documents import ENDINGS, Document, read_documents
from fairsum_utils.counterfactual.templates import Template, make_template
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.stores import as_path
from fairsum_utils.validation import check_count

logger = logging.getLogger(__name__)

_NAME = "counterfactual_ontonotes"

#: Ours; the paper does not say how prompt and article are joined.
PROMPT_SEPARATOR = ":\n\n"

_LAYERS = (".coref", ".name", ".parse")  # OntoNotes sections in use
_FILES = tuple(f"*{ending}" for ending in ENDINGS)
_RAW = (*_FILES, "*.parquet", "**/annotations/nw/**/*.coref", "**/*_conll")


class CounterfactualEntity(TypedDict):
    """A person that a text names."""

    id: str
    first_name: str | None
    last_name: str | None
    group: str
    is_modified: bool


class CounterfactualRow(TypedDict):
    """One input."""

    id: Annotated[str, "name of the row"]
    text: Annotated[str, "the article with other persons"]
    article_id: Annotated[str, "original of the input"]
    sample_id: Annotated[str, "the same as `id`"]
    pair_id: Annotated[str, "inputs that share lists of names and exchange groups; empty in `original`"]
    text_group: Annotated[str, "group of all persons (`_global`); empty otherwise"]
    entities: Annotated[
        list[CounterfactualEntity], "persons named in the text: id, first_name, last_name, group, is_modified"
    ]
    prompt: Annotated[str, "one of the paper's ten prompts at random, the focus if given, and the text"]


@dataclass
class CounterfactualCorpus:
    """Inputs made from documents, each on demand.

    Args:
        documents: annotated texts with different ids.
        setting: groups, names and layout (`groups.make_setting`); None yields the originals, one row each.
        name: prefix of row ids.
        n_inputs: inputs per original; a multiple of the number of groups.
        seed: seed of names, groups and prompts; an original's rows depend only on it and the original. None draws
            afresh.
        focus: group that prompts ask to focus on, such as ``"women"``, to induce a bias; None for no group.

    Attributes:
        n_documents: originals seen so far, including left-out ones.
        skipped: left-out originals with reasons.
        notes: counts of unchanged text that may reveal a gender (`templates.Template`), in the other documents.

    Raises:
        InputError: ``n_inputs`` does not fit the groups, or ``focus`` is not one line of words.

    Example:
        >>> from fairsum_utils.counterfactual.documents import NamedEntity
        >>> document = Document("a", "Ann Lee won.", (NamedEntity(0, 7, "PERSON"),), ())
        >>> corpus = CounterfactualCorpus([document], make_setting("gender", "global"), name="gender", n_inputs=2)
        >>> [(row["id"], row["pair_id"], row["text_group"]) for row in corpus.rows()]
        [('gender-a-00', 'gender-a-p00', 'male'), ('gender-a-01', 'gender-a-p00', 'female')]
    """

    documents: Iterable[Document]
    setting: Setting | None
    _: KW_ONLY
    name: str
    n_inputs: int = 20
    seed: int | None = 42
    focus: str | None = None
    n_documents: int = field(default=0, init=False)
    skipped: list[Skipped] = field(default_factory=list, init=False)
    notes: Counter[str] = field(default_factory=Counter, init=False)

    def __post_init__(self) -> None:
        if self.setting is not None:
            check_n_inputs(self.setting, self.n_inputs)
        self._focus = "" if self.focus is None else f". {focus_instruction(self.focus)}"

    def rows(self) -> Iterator[CounterfactualRow]:
        """Make the rows, and log at the end what was left out."""
        known: set[str] = set()
        for document in self.documents:
            if document.id in known:
                raise InputError(f"{_NAME}: two documents have the id {document.id!r}; give every document its own id")
            known.add(document.id)
            self.n_documents += 1
            template = make_template(document)
            made = (
                _original(template)
                if self.setting is None
                else refill(template, self.setting, n_inputs=self.n_inputs, seed=self.seed)
            )
            if isinstance(made, Skipped):
                self.skipped.append(made)
                continue
            self.notes.update(template.notes)
            for number, refilled in enumerate(made):
                yield self._row(template.id, number, refilled)
        self._report()

    def _row(self, article: str, number: int, made: Refill) -> CounterfactualRow:
        article_name = f"{self.name}-{article}"
        sample = article_name if self.setting is None else f"{article_name}-{number:02d}"
        generator = random.Random() if self.seed is None else random.Random(f"{self.seed}\0{sample}")
        prompt = REQUESTS[int(generator.random() * len(REQUESTS))]
        return CounterfactualRow(
            id=sample,
            text=made.text,
            article_id=article,
            sample_id=sample,
            pair_id="" if self.setting is None else f"{article_name}-p{made.pair:02d}",
            text_group=made.group or "",
            entities=[
                cast(CounterfactualEntity, entity._asdict())
                for entity in made.entities
                if entity.first_name is not None or entity.last_name is not None
            ],
            prompt=f"{prompt}{self._focus}{PROMPT_SEPARATOR}{made.text}",
        )

    def _report(self) -> None:
        if self.skipped:
            reasons = Counter(skipped.reason for skipped in self.skipped)
            logger.warning(
                "%s: %d of %d articles are left out: %s. The first one: %s: %s",
                *(self.name, len(self.skipped), self.n_documents),
                ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())),
                *(self.skipped[0].article, self.skipped[0].detail),
            )
        if self.notes:
            stays = ", ".join(f"{count} {note}" for note, count in sorted(self.notes.items()))
            logger.info("%s: unchanged words that may reveal a gender: %s", self.name, stays)


def _original(template: Template) -> tuple[Refill, ...] | Skipped:
    """Return the unchanged text that inputs are made from."""
    if not template.usable:
        return Skipped(template.id, "no_person", "no person has a first name, a gendered pronoun or a title")
    entities = (AssignedEntity(entity.id, entity.first, entity.last, "", False) for entity in template.entities)
    return (Refill(template.text, None, 0, tuple(entities)),)


def _check_focus(config: str, name: str, persons: Any) -> str:
    focus_instruction(persons)
    return str(persons)


#: Configuration -> attribute and layout of its setting; `original` has none.
_SETTINGS = {f"{attribute}_{layout}": (attribute, layout) for attribute in GROUPS for layout in ("local", "global")}


def _configuration(attribute: str, layout: str) -> Configuration:
    groups = " and ".join(group.replace("_", " ") for group in GROUPS[attribute])
    return Configuration(
        about=f"{groups} persons in each article" if layout == "local" else f"{groups} persons in turn",
        attributes={"group": tuple(GROUPS[attribute])},
        raw=_RAW,
        options={"seed": 42, "n_inputs": 20, "names": default_names(attribute)},
        rows={"gender": 13_660, "race": 12_240}.get(attribute),
    )


def _open(config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, **given: Any) -> Source:
    """Find OntoNotes 5.0, CoNLL-2012 or annotated documents in a folder; see `Corpus.open`."""
    settled = {**configuration.options, **given}
    inputs = settled.get("n_inputs", 20)
    setting = None
    if config in _SETTINGS:
        setting = make_setting(*_SETTINGS[config], names=settled["names"])
        check_n_inputs(setting, inputs)
    if data_dir is None:
        raise DataSourceError(
            f"{_NAME} cannot be downloaded: OntoNotes 5.0 is licensed. Get it from the LDC "
            "(https://catalog.ldc.upenn.edu/LDC2013T19) and give its folder as data_dir, or a folder of CoNLL-2012, or "
            "a file of JSON Lines with your own documents"
        )
    path = as_path(data_dir, "data_dir", expands=True)
    root = None if path.is_file() else check_folder(path)
    files = (path,) if root is None else tuple(file for kind in _FILES for file in sorted(root.glob(kind)))
    reader = find_reader(path) if not files else conll(files) if is_conll(files[0]) else None
    logger.info("%s: reading %s", config, ", ".join(map(str, files)) or f"the newswire in {path}")

    def rows() -> Iterator[CounterfactualRow]:
        documents = reader.documents() if reader else itertools.chain.from_iterable(map(read_documents, files))
        made = CounterfactualCorpus(
            documents, setting, name=config, n_inputs=inputs, seed=settled["seed"], focus=settled.get("focus")
        )
        yield from made.rows()
        if not made.n_documents:
            skipped = reader.skipped if reader else []
            why = f". The first of {len(skipped)}: {skipped[0].document}: {skipped[0].reason}" if skipped else ""
            raise DataSourceError(f"{path}: no document could be read{why}")

    if reader and reader.files:
        files = reader.files
    elif reader:
        files = tuple(sorted(file for suffix in _LAYERS for file in path.rglob(f"*{suffix}")))
    return Source("raw", files, {"config": config, **settled}, rows, root)


COUNTERFACTUAL_ONTONOTES = describe_corpus(
    _NAME,
    {"seed": partial(check_count, least=0), "focus": _check_focus},
    configurations={
        **{name: _configuration(*setting) for name, setting in _SETTINGS.items()},
        "original": Configuration(
            about="unchanged articles", attributes={"group": ()}, raw=_RAW, options={"seed": 42}, rows=683
        ),
    },
    opener=_open,
    row=CounterfactualRow,
)
