"""Checked samples: a summary with the turns of a meeting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.reading import SourcesSample
from fairsum_utils.validation import as_label, check_sample, describe, is_missing


@dataclass(frozen=True, slots=True)
class Sample(SourcesSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: turns.
        values: speaker of each turn.
        aliases: speaker -> further names.
        groups: attribute -> speaker -> group.
        speakers: speakers with a turn that is not blank, in the order of their first turns.
    """

    sources: tuple[str, ...]
    values: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, Mapping[str, str]]
    speakers: tuple[str, ...]

    @property
    def given(self) -> tuple[str, ...]:
        """Further texts that identify the sample for every system."""
        named = [text for speaker, names in sorted(self.aliases.items()) for text in (speaker, *names)]
        grouped = [text for name, of in sorted(self.groups.items()) for pair in sorted(of.items()) for text in pair]
        return (*named, *grouped)


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check the summary, turns, speakers, names and groups of a sample."""
    prediction, sources = row["predictions"], row["sources"]
    names = check_sample(module, index, prediction, sources, row["values"])
    where = f"{module}: sample {index}"
    aliases = _checked_aliases(where, row.get("aliases"))
    groups = _checked_groups(where, row.get("speaker_groups"))
    speakers = tuple(dict.fromkeys(name for name, turn in zip(names, sources, strict=True) if turn.strip()))
    return Sample(index, prediction, tuple(sources), tuple(names), aliases, groups, speakers)


def _mapping(where: str, name: str, given: object, example: str) -> Mapping[Any, Any]:
    if is_missing(given):
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: {name} must be a mapping such as {example}, found {describe(given)}")
    return given


def _checked_aliases(where: str, aliases: object) -> dict[str, tuple[str, ...]]:
    """Check a mapping from speakers to further names."""
    example = '{"Ms Smith": ["the chair"]}'
    checked = {}
    for speaker, names in _mapping(where, "aliases", aliases, example).items():
        is_list = isinstance(names, (list, tuple, np.ndarray)) and all(isinstance(name, str) for name in names)
        if not isinstance(speaker, str) or not is_list:
            raise InputError(
                f"{where}: aliases[{speaker!r}] must be a list of names, as in {example}, found {describe(names)}"
            )
        checked[as_label(speaker) or speaker] = tuple(map(str, names))
    return checked


def _checked_groups(where: str, groups: object) -> dict[str, dict[str, str]]:
    """Check a mapping from attributes to mappings from speakers to groups."""
    example = '{"party": {"Ms Smith": "Labour"}}'
    checked: dict[str, dict[str, str]] = {}
    for attribute, of_speaker in _mapping(where, "speaker_groups", groups, example).items():
        if not isinstance(attribute, str) or not isinstance(of_speaker, Mapping):
            raise InputError(
                f"{where}: speaker_groups[{attribute!r}] must map speakers to groups, as in {example}, found "
                f"{describe(of_speaker)}"
            )
        checked[attribute] = {}
        for speaker, group in of_speaker.items():
            label = as_label(group)
            if is_missing(group):  # a speaker without a group
                continue
            if not isinstance(speaker, str) or label is None:
                raise InputError(
                    f"{where}: speaker_groups[{attribute!r}][{speaker!r}] must be a group name, found {describe(group)}"
                )
            checked[attribute][as_label(speaker) or speaker] = label
    return checked
