"""Rows that belong together: grouped into samples, and joined by ids."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from fairsum_utils._util.characters import unified
from fairsum_utils.errors import InputError
from fairsum_utils.io.cells import as_cell
from fairsum_utils.io.objects import shortened
from fairsum_utils.validation import NoLabel, describe, is_missing, is_unlabelled


def match_ids(module: str, first: tuple[str, Sequence[str]], other: tuple[str, Sequence[str]]) -> list[int]:
    """Return the positions of the samples of one system in another.

    Args:
        module: name used in messages.
        first: name of a system, and ids of its samples.
        other: the same of the other system.

    Example:
        >>> match_ids("compare", ("gpt4", ["x", "y"]), ("lead", ["y", "x"]))
        [1, 0]
    """
    places = {name: place for place, name in enumerate(other[1])}
    for (label, mine), (theirs, there) in ((first, other), (other, first)):
        known = set(there)
        if (alone := next((name for name in mine if name not in known), None)) is not None:
            refuse_alone(module, alone, label, theirs)
    return [places[name] for name in first[1]]


def check_unique(ids: Iterable[str], where: Callable[[int], str], seen: set[str], start: int = 0) -> None:
    """Add ids to those seen before; refuse repeated ones.

    Example:
        >>> check_unique(["a", "b", "a"], "row {}".format, set())
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: row 2: id 'a' was used before. Give every sample its own, or name another
        column with `id_column` ('none': row numbers); several systems can be compared
    """
    for index, name in enumerate(ids, start):
        if name in seen:
            raise InputError(
                f"{where(index)}: id {name!r} was used before. Give every sample its own, or name another column with "
                "`id_column` ('none': row numbers); several systems can be compared"
            )
        seen.add(name)


def refuse_alone(module: str, name: str, system: str, other: str) -> NoReturn:
    """Refuse a sample that one system has and another has not."""
    raise InputError(
        f"{module}: the sample with id {name!r} of {system} is missing from {other}; compare systems on the same "
        "samples"
    )


Row: TypeAlias = Mapping[str, Any]


def sample_id(where: str, column: str, entry: object) -> str:
    """Normalize a sample id: 7, 7.0 and "7" are equal.

    So are texts that look the same, see `fairsum_utils.cleaning.unified`.

    Example:
        >>> sample_id("row 1", "meeting_id", 7.0), sample_id("row 2", "meeting_id", " 7")
        ('7', ' 7')
    """
    if _is_empty(entry):
        raise InputError(f"{where}: {column!r} is empty, but identifies the sample; fill it in or remove the row")
    if isinstance(entry, (Mapping, list, tuple)):
        raise InputError(f"{where}: {column!r} must identify the sample, found {describe(entry)}")
    return unified(str(int(entry) if isinstance(entry, float) and entry.is_integer() else entry))


def _is_empty(entry: object) -> bool:
    return is_missing(entry) or (isinstance(entry, str) and not entry)


def group_rows(
    rows: Iterable[Row],
    by: str,
    *,
    texts: str,
    values: str | None,
    others: Collection[str],
    sizes: Mapping[str, int],
    where: Callable[[int], str] = "row {}".format,
    by_text: Collection[str] = (),
) -> Iterator[dict[str, Any]]:
    """Group rows into samples, in order of first appearance.

    Optional columns `by_text` become lists with an entry for each row, or None without any entry.

    `sizes` are the numbers of rows by id: a sample is yielded as soon as it and all samples before it are complete. If
    the rows of each sample are adjacent, memory holds one sample.

    Example:
        >>> rows = [{"id": 1, "text": "Yes.", "who": "Anna", "summary": ""}, {"id": 2, "text": "Hm.", "who": "Cem"},
        ...         {"id": 1, "text": "No.", "who": "Ben", "summary": "Undecided."}]
        >>> sizes = {"1": 2, "2": 1}
        >>> for sample in group_rows(rows, "id", texts="text", values="who", others=["summary"], sizes=sizes):
        ...     print(sample)
        {'id': '1', 'text': ['Yes.', 'No.'], 'who': ['Anna', 'Ben'], 'summary': 'Undecided.'}
        {'id': '2', 'text': ['Hm.'], 'who': ['Cem'], 'summary': None}
    """
    columns = [name for name in (texts, values) if name is not None]
    groups: OrderedDict[str, tuple[dict[str, Any], dict[str, int]]] = OrderedDict()
    left = Counter(sizes)
    for number, row in enumerate(rows):
        name = row[by]
        if type(name) is not str or not name or not name.isascii():
            name = sample_id(where(number), by, name)
        if name not in groups:
            groups[name] = {by: name, **{column: [] for column in (*columns, *by_text)}, **dict.fromkeys(others)}, {}
        sample, origins = groups[name]
        for column in columns:
            entry = row[column]
            if column == values and is_unlabelled(entry):
                # The measures refuse or drop it.
                entry = NoLabel(f"{where(number)} ({by} {name!r}): {column!r}")
            elif type(entry) is not str or not entry:
                _check_one(f"{where(number)} ({by} {name!r}): {column!r}", entry, is_text=column == texts)
            sample[column].append(entry)
        for column in by_text:
            sample[column].append(row.get(column))
        for column in others:
            entry, before = row.get(column), sample[column]
            if is_missing(entry) or (before is not None and entry in ("", before)):
                continue
            if before is not None and before != "":
                raise InputError(
                    f"{where(number)} ({by} {name!r}): {column!r} is {shortened(entry)}, but {shortened(before)} in "
                    f"{where(origins[column])}; use the same entry in all rows of a sample, or fill in only one"
                )
            sample[column], origins[column] = entry, number
        left[name] -= 1
        while groups and not left[next(iter(groups))]:
            complete, _ = groups.popitem(last=False)[1]
            yield complete | {column: None for column in by_text if all(map(_is_empty, complete[column]))}


def _check_one(where: str, entry: object, *, is_text: bool) -> None:
    """Refuse a cell of one text or label that is empty or holds several."""
    if _is_empty(entry):
        raise InputError(f"{where} is empty; fill it in or remove the row")
    if isinstance(entry, (list, tuple, bytes)) or (isinstance(entry, Mapping) and not is_text):
        what = "one source text" if is_text else "the value of one text"
        raise InputError(f"{where} must contain {what}, found {describe(entry)}; put each text in its own row")


def read_predictions(
    rows: Iterable[Row], *, ids: Collection[str], column: str, where: Callable[[int], str] = "row {}".format
) -> dict[str, Any]:
    """Return predictions by sample id from a separate table.

    Example:
        >>> read_predictions([{"id": 1, "summary": "Fine."}], ids=["id"], column="prediction")
        {'1': 'Fine.'}
    """
    predictions: dict[str, Any] = {}
    for number, row in enumerate(rows):
        by = next((name for name in ids if name in row), None)
        others = [name for name in row if name != by]
        texts = column if column in row else others[0] if len(others) == 1 else None
        if by is None or texts is None:
            what = f"ids, {' or '.join(map(repr, ids))}" if by is None else f"predictions, {column!r}"
            raise InputError(f"{where(number)}: no column of {what}; found {', '.join(map(str, row)) or 'nothing'}")
        name = sample_id(where(number), by, row[by])
        if name in predictions:
            raise InputError(f"{where(number)}: {by} {name!r} has two rows; give each sample one prediction")
        predictions[name] = as_cell(row[texts]) if isinstance(row[texts], str) else row[texts]
    return predictions


def join_predictions(
    samples: Iterable[dict[str, Any]],
    predictions: Mapping[str, Any],
    *,
    by: str,
    column: str,
    where: str,
    source: str,
    module: str = "",
) -> Iterator[dict[str, Any]]:
    """Give each sample its prediction.

    Example:
        >>> samples = [{"id": 1}, {"id": 2}]
        >>> list(join_predictions(samples, {"1": "Fine."}, by="id", column="summary", where="a.csv", source="b.csv"))
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: a.csv: id '2' has no prediction in b.csv; add it or remove the sample
    """
    seen: set[str] = set()
    for sample in samples:
        name = sample_id(where, by, sample.get(by))
        if name not in predictions:
            there = source.removeprefix(f"{module}: ")
            raise InputError(f"{where}: {by} {name!r} has no prediction in {there}; add it or remove the sample")
        seen.add(name)
        yield {**sample, column: predictions[name]}
    if surplus := [name for name in predictions if name not in seen]:
        raise InputError(
            f"{source}: {len(surplus)} of {len(predictions)} predictions belong to no sample in "
            f"{where.removeprefix(f'{module}: ')}, such as {by} {surplus[0]!r}; remove them or add their sources"
        )
