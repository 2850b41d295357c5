"""Comparison of the shipped tables with NLTK on your own texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.signature import render_signature
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import published_stop_words
from fairsum_utils.text.nltk_reference import PUBLISHED, NltkNormalizer
from fairsum_utils.validation import check_text, describe


def verify(
    rows: Iterable[Mapping[str, Any]],
    *,
    columns: Sequence[str] = ("prediction", "sources"),
    id_column: str = "id",
    module: str = "verify",
) -> dict[str, Any]:
    """Compare the tokens of ``normalizer="fairsumm"`` with those of NLTK, text by text.

    It needs NLTK and its data, see `NltkNormalizer`, and takes NLTK's time. Rows are read once, one by one; memory
    holds the differences only.

    Args:
        rows: Rows of a data set, one per sample.
        columns: Columns of `rows` that contain a text or a list of texts.
        id_column: the one that names a sample, which rows need not have; its place does then.
        module: name used in messages.

    Returns:
        A dict with

        - ``nltk_version`` and ``published_version``: what was compared with, and what the published numbers come from.
          Later versions treat some words differently;
        - ``n_samples``, ``n_texts``, ``n_tokens`` (NLTK's) and ``n_differing`` (texts);
        - ``stop_words``: "only_ours" and "only_nltk", the words that only one of the two drops, whether or not a text
          has them. NLTK's lists grow from one release of its data to the next;
        - ``differences``: each with the ``id`` of its sample, ``column``, ``place`` in a list of texts (None in a
          column of single ones), ``position`` (of the first of NLTK's tokens concerned, from 0), and the tokens that
          are there: ``ours`` and ``nltk``;
        - ``signature``.

    Raises:
        InputError: no row, a row without one of the columns, or something that is no text.
        MissingDependencyError: NLTK is not installed.
        DataSourceError: data of NLTK is not there; the message has the command that gets it.

    Example:
        >>> result = verify([{"text": "The soups were cold. We didn't go back!"}], columns=["text"])  # doctest: +SKIP
        >>> result["n_tokens"], result["n_differing"], result["differences"]  # doctest: +SKIP
        (4, 0, [])
    """
    ours, reference = FairsummNormalizer(), NltkNormalizer(module=module)
    n_samples = n_texts = n_tokens = n_differing = 0
    differences: list[dict[str, Any]] = []
    for index, row in enumerate(rows):
        n_samples += 1
        name = row.get(id_column)
        for column, place, text in _texts(module, index, row, columns):
            expected = reference.tokens(text)
            found = _differences(ours.tokens(text), expected)
            where = {"id": str(index if name is None else name), "column": column, "place": place}
            differences += [{**where, **difference} for difference in found]
            n_texts, n_tokens, n_differing = n_texts + 1, n_tokens + len(expected), n_differing + bool(found)
    if not n_samples:
        raise InputError(f"{module}: there are no rows; give at least one")
    return {
        "nltk_version": reference.version,
        "published_version": PUBLISHED,
        "n_samples": n_samples,
        "n_texts": n_texts,
        "n_tokens": n_tokens,
        "n_differing": n_differing,
        "stop_words": {
            "only_ours": sorted(published_stop_words() - reference.stop_words),
            "only_nltk": sorted(reference.stop_words - published_stop_words()),
        },
        "differences": differences,
        "signature": render_signature({"norm": "fairsumm", "reference": reference.signature.removeprefix("norm:")}),
    }


def _texts(
    module: str, index: int, row: Mapping[str, Any], columns: Sequence[str]
) -> Iterator[tuple[str, int | None, str]]:
    """Return a sample's texts, each with column and list position."""
    for column in columns:
        if column not in row:
            raise InputError(f"{module}: sample {index}: no column {column!r}; found {', '.join(row) or 'none'}")
        cell = row[column]
        if not isinstance(cell, (list, tuple)):
            if not isinstance(cell, str):
                raise InputError(
                    f"{module}: sample {index}: {column} must be a string or a list of strings, found "
                    f"{describe(cell)}; fill it in or remove the sample"
                )
            yield column, None, cell
            continue
        for place, text in enumerate(cell):
            check_text(module, index, f"{column}[{place}]", text)
            yield column, place, text


def _differences(ours: list[str], theirs: list[str]) -> list[dict[str, Any]]:
    """Find the shortest runs of tokens in which two lists differ."""
    if ours == theirs:
        return []
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return [
        {"position": there, "ours": ours[start:end], "nltk": theirs[there:until]}
        for step, start, end, there, until in steps
        if step != "equal"
    ]
