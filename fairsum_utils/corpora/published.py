"""Reader of the authors' published PerspectiveSumm JSON, one sample at a time.

Source: the format of github.com/psunlpgroup/FairSumm (Apache-2.0), preprocessing/preprocessed_datasets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.corpora.corpus import Sample
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.tables import as_place, iter_array


def published_samples(path: Path, *, attribute: str, values: Sequence[str] | None, separator: str) -> Iterator[Sample]:
    """Read samples from a published JSON file.

    The units of the tweet files are sorted by value; what the paper's models read is ``model_input``. The order of
    the sources is that of ``model_input`` wherever it is made of exactly the units, else that of the units
    (``metadata["order"]`` says which).
    """
    seen: Counter[str] = Counter()
    for index, (_, sample) in enumerate(iter_array(as_place(path))):
        where = f"{path}, sample {index}"
        if not isinstance(sample, dict) or not isinstance(sample.get("units"), list) or not sample["units"]:
            raise DataSourceError(
                f"{where}: expected an object with a non-empty list 'units', as psunlpgroup/FairSumm publishes it."
            )
        meta = sample.get("meta") or {}
        references = sample.get("gold_summary") or []
        if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
            raise DataSourceError(f"{where}: gold_summary must be a list of strings.")
        pairs = [_pair(unit, attribute, values, f"{where}, unit {i}") for i, unit in enumerate(sample["units"])]
        # "seperator" is their spelling
        order = source_order([text for text, _ in pairs], sample.get("model_input"), meta.get("seperator", separator))
        cell = _cell(meta, Counter(value for _, value in pairs), values)
        group = cell or Path(str(meta.get("id", ""))).stem
        # a review file of its own names its sample; in every other case samples are numbered within their group
        number = f"{seen[group]:04d}" if cell or references or not group or seen[group] else ""
        seen[group] += 1
        yield Sample(
            "-".join(part for part in (group, number) if part),
            pairs if order is None else [pairs[i] for i in order],
            _metadata(meta, index, "units" if order is None else "model_input", cell),
            references,
        )
    if not seen:
        raise DataSourceError(f"{path} holds no sample. If the file is cut short, fetch it again.")


def source_order(texts: Sequence[str], model_input: object, separator: str) -> list[int] | None:
    """Return the order in which the texts stand in the joined input, or None if it is not made of exactly them.

    A text may hold the separator itself, so the longest text that fits is taken at each place. Of equal texts the
    first unused one is taken.

    Example:
        >>> source_order(["b", "a || c", "b"], "a || c || b || b", " || ")
        [1, 0, 2]
        >>> source_order(["a"], "b", " || ") is None
        True
    """
    if not isinstance(model_input, str):
        return None
    if separator.join(texts) == model_input:
        return list(range(len(texts)))
    unused: dict[str, list[int]] = defaultdict(list)
    for index, text in reversed(list(enumerate(texts))):
        unused[text].append(index)
    pieces = model_input.split(separator)
    widths = sorted({text.count(separator) + 1 for text in texts}, reverse=True) if separator else []
    order: list[int] = []
    place = 0
    while place < len(pieces):
        for width in widths:
            text = separator.join(pieces[place : place + width])
            if place + width <= len(pieces) and unused.get(text):
                order.append(unused[text].pop())
                place += width
                break
        else:
            return None
    return order if len(order) == len(texts) else None


def value_name(value: object) -> str | None:
    """Return a published value as the string the rows hold, or None if it is neither text nor a whole rating.

    Example:
        >>> value_name(4.0), value_name("pos"), value_name(None)
        ('4', 'pos', None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value))
    return None


def _pair(unit: object, attribute: str, values: Sequence[str] | None, where: str) -> tuple[str, str]:
    """Return (text, value) of one unit."""
    if not isinstance(unit, dict) or not isinstance(unit.get("text"), str) or not isinstance(unit.get("value"), dict):
        raise DataSourceError(f'{where}: expected {{"text": ..., "value": {{"{attribute}": ...}}}}.')
    if attribute not in unit["value"]:
        raise DataSourceError(
            f"{where}: has no {attribute!r}; its attributes are {', '.join(unit['value']) or 'none'}."
        )
    value = value_name(unit["value"][attribute])
    if value is None or (values is not None and value not in values):
        raise DataSourceError(
            f"{where}: {attribute} is {unit['value'][attribute]!r}, expected {'a name' if values is None else values}."
        )
    return unit["text"], value


def _cell(meta: Mapping[str, Any], counts: Mapping[str, int], values: Sequence[str] | None) -> str | None:
    """Return the name of a tweet sample's cell, made from what it holds; None for any other kind of sample."""
    if "num_tweets" not in meta or values is None:
        return None
    total = sum(counts.values())
    return f"n{total}-" + "-".join(f"{value}{counts.get(value, 0) / total:.3g}" for value in values[:-1])


def _metadata(meta: Mapping[str, Any], index: int, order: str, cell: str | None) -> dict[str, Any]:
    """Return what the published sample says of itself, under this package's names."""
    known: dict[str, Any] = {"origin": "published", "sample": index, "order": order}
    if cell is not None:
        known["cell"] = cell
        known["size"] = meta["num_tweets"]
        known["ratios"] = {key.removesuffix("_ratio"): meta[key] for key in meta if key.endswith("_ratio")}
    # the yelp_gold file has the category in group_id too
    for name, key in (("file", "id"), ("category", "category"), ("group_id", "group_id")):
        if key in meta and meta[key] != known.get("category"):
            known[name] = meta[key]
    return known
