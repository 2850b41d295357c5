"""What a model is given to read: a prompt, or the text that is to be summarized."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.generation.settings import MASKED, PRESETS, PROMPT
from fairsum_utils.validation import check_choice, describe

TEXT_SEPARATOR = "\n"
"""Between source texts that are given as one."""

_TEXTS = ("text", "sources")
"""Columns that hold what is to be summarized, in the data sets of this package; the first that is there."""


class Choice(NamedTuple):
    """What a model reads and how it decodes.

    Attributes:
        column: that it reads.
        preset: a key of `PRESETS`.
        reason: of the choice, a sentence; None where all is as named, or as usual.
    """

    column: str
    preset: str
    reason: str | None = None


def choose_input(
    columns: Collection[str],
    *,
    is_seq2seq: bool,
    is_masked: bool = False,
    column: str | None = None,
    preset: str | None = None,
    module: str = "generate",
) -> Choice:
    """Choose column and preset by the kind of model, unless they are named.

    A model that continues or answers reads the prompt. One that maps a sequence to a sequence was trained on texts and
    their summaries: an instruction would be summarized along with the text. So it reads the text, and decodes in its
    own way; so do those that also follow instructions (Flan-T5), unless the column with the prompt is named. With a
    preset that continues prompts every model reads prompts. A model that fills in masks continues prompts by the preset
    ``"bert"``, the only one that it has use for.

    Args:
        columns: that the rows have.
        is_seq2seq: kind of the model, see `is_seq2seq`.
        is_masked: the same, see `is_masked`.
        column: name of the column to read; None chooses.
        preset: a key of `PRESETS`; None chooses.
        module: name used in messages.

    Raises:
        InputError: no such preset, or one that is not for a model that fills in masks.

    Example:
        >>> choice = choose_input(["id", "text", "prompt"], is_seq2seq=True)
        >>> choice.column, choice.preset
        ('text', 'own')
        >>> choose_input(["id", "text", "prompt"], is_seq2seq=False)
        Choice(column='prompt', preset='summary', reason=None)
    """
    usual = "own" if is_seq2seq else MASKED if is_masked else "summary"
    chosen_preset = check_choice(module, "preset", preset or usual, tuple(PRESETS))
    if is_masked and chosen_preset != MASKED:
        raise InputError(
            f"{module}: the model fills in masks and does not write token by token; preset {chosen_preset!r} is not "
            f"for it: choose {MASKED}"
        )
    if is_masked and preset is None:
        reason = f"the model fills in masks: it continues prompts by Gibbs sampling, as the preset {MASKED} says"
        return Choice(column or PROMPT, chosen_preset, reason)
    continues = PRESETS[chosen_preset].get("prediction") == "whole"
    if not is_seq2seq or continues or (column and preset):
        return Choice(column or PROMPT, chosen_preset)
    chosen_column = column or next((name for name in _TEXTS if name in columns), PROMPT)
    taken = f"it reads the column {chosen_column!r}"
    if column is None:
        named = " or ".join(map(repr, _TEXTS))
        taken += f" (there is no {named})" if chosen_column == PROMPT else f" and not {PROMPT!r}"
    decoding = "" if preset else ", and decodes in its own way"
    return Choice(
        chosen_column, chosen_preset, f"the model maps a sequence to a sequence, as for summaries: {taken}{decoding}"
    )


def input_text(entry: Any, where: str, remedy: str) -> str:
    """What a model reads of a row.

    Args:
        entry: of the column; a list is read as one text, a line an item.
        where: the file, row and column, for messages.
        remedy: what to do, for messages.

    Raises:
        InputError: neither a string nor a list of strings.

    Example:
        >>> input_text(["Tasty soup.", "Slow service."], "reviews.jsonl, row 1", "drop the row")
        'Tasty soup.\\nSlow service.'
    """
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list) and all(isinstance(text, str) for text in entry):
        return TEXT_SEPARATOR.join(entry)
    raise InputError(f"{where} must hold a string, found {describe(entry)}; {remedy}")
