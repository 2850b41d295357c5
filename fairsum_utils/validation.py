"""Checks of inputs: all rows and all columns.

A message names the module, the sample, what was found, what was expected and the remedy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, Sized
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, Self

from fairsum_utils._util.characters import unified
from fairsum_utils.errors import InputError

_LONGEST = 60


def count(n: int, noun: str) -> str:
    """Return a number with its noun; the plural adds an s.

    Example:
        >>> count(1, "sample"), count(2, "sample")
        ('1 sample', '2 samples')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"


def describe(item: object) -> str:
    """Describe an unexpected object in a few words, for an error message.

    Example:
        >>> describe(None), describe(3.5), describe(float("nan")), describe(b"ok")
        ('None', 'float 3.5', 'NaN', "bytes b'ok'")
    """
    if item is None:
        return "None"
    if is_missing(item):
        return "NaN"
    try:
        text = repr(item).replace("\n", " ")  # a message is one line
    except ValueError:  # a whole number too long to print
        text = "of thousands of digits"
    except Exception:  # lists in lists without end, or an object whose repr fails
        text = "that cannot be shown"
    return f"{type(item).__name__} {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}"


def is_function(item: object) -> bool:
    """Return whether an item is a function or the like; a class is not.

    Example:
        >>> is_function(len), is_function(object)
        (True, False)
    """
    return callable(item) and not isinstance(item, type)


def is_missing(item: object) -> bool:
    """Return whether an optional entry is missing: None or NaN.

    Example:
        >>> is_missing(None), is_missing(float("nan")), is_missing("")
        (True, True, False)
    """
    return item is None or (isinstance(item, float) and math.isnan(item))


def _remedy(item: object) -> str:
    if isinstance(item, bytes):
        return 'decode it, for example with .decode("utf-8")'
    if isinstance(item, float) and item.is_integer():
        return "use whole numbers; pandas turns them into floats if one is missing, and astype('Int64') prevents it"
    if isinstance(item, Real) and item == item:  # NaN is not
        return "convert it to a string, for example with str()"
    return "fill it in or remove the sample"


def check_text(module: str, index: int, field: str, item: object) -> None:
    """Check one text of a sample.

    Example:
        >>> check_text("bur", 4, "prediction", None)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 4: prediction must be a string, found None; fill it in or remove
        the sample
    """
    if not isinstance(item, str):
        raise InputError(f"{module}: sample {index}: {field} must be a string, found {describe(item)}; {_remedy(item)}")


def check_strings(where: str, items: object, each: str, remedy: str) -> list[str]:
    """Check a list of strings that are not blank.

    Args:
        where: sample and name of the list, for messages.
        items: the list.
        each: description of the strings.
        remedy: advice about a blank one.

    Example:
        >>> check_strings("bur: sample 0: words", ["a", " "], "words", "remove it")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 0: words[1] must be a non-blank string, found str ' '; remove it
    """
    listed = unwrapped(items)
    if not isinstance(listed, (list, tuple)):
        raise InputError(f"{where} must be a list of strings ({each}), found {describe(items)}")
    for position, item in enumerate(listed):
        if not isinstance(item, str) or not item.strip():
            raise InputError(f"{where}[{position}] must be a non-blank string, found {describe(item)}; {remedy}")
    return list(map(str, listed))


LABEL = "a string, whole number or boolean"
"""Types of labels of values and groups, for messages."""

_EXACT = 2**53
"""Below it, every whole number is a float."""

_MISSING = frozenset({"", "nan", "NaN", "NAN", "<NA>"})
"""Texts that libraries write where a label is missing."""


class NoLabel(str):
    """Empty label of a table that knows its row.

    Attributes:
        where: row and column of the table, for messages.
    """

    where: str

    def __new__(cls, where: str) -> Self:
        """Make the label of a row and column."""
        label = super().__new__(cls)
        label.where = where
        return label


@lru_cache(maxsize=1 << 14)
def _text_label(text: str) -> str | None:
    """Normalize a label that is a text; None if it is missing.

    Nothing else changes the texts of labels.
    """
    label = unified(text).strip()
    return None if label in _MISSING else label


def as_label(item: object) -> str | None:
    """Return a value or group as text; None if it is missing or invalid.

    Labels are compared as texts, and results have them as keys: 1, 1.0 (which pandas makes of 1 where another is
    missing), a tensor of 1 and " 1" are one label, "1", and so are True and "True". The text "1.0" is another. Other
    floats are not labels, nor are None, NaN, blank texts and the text "nan".

    Example:
        >>> as_label(" pos "), as_label(1), as_label(True), as_label(1.0), as_label("1.0")
        ('pos', '1', 'True', '1', '1.0')
        >>> as_label(1.5), as_label(None), as_label(" "), as_label("nan")
        (None, None, None, None)
    """
    if isinstance(item, str):
        return _text_label(str(item))  # NumPy's strings are a type of their own
    item = unwrapped(item)
    if isinstance(item, bool):
        return str(item)
    if isinstance(item, Real) and not isinstance(item, Integral):
        number = as_float(item)
        return str(int(number)) if number.is_integer() and abs(number) < _EXACT else None
    if isinstance(item, Integral):
        try:
            return str(int(item))
        except ValueError:  # too many digits
            return None
    return None


def unwrapped(item: Any) -> Any:
    """Return a scalar or array of NumPy or torch as plain Python.

    Anything else is returned unchanged.

    Example:
        >>> import numpy
        >>> unwrapped(numpy.array([1.0, 2.0])), unwrapped(numpy.True_), unwrapped("a")
        ([1.0, 2.0], True, 'a')
    """
    return item.tolist() if hasattr(type(item), "tolist") else item


def is_unlabelled(item: object) -> bool:
    """Return whether a label is missing, so that `unlabelled` decides about it.

    Example:
        >>> is_unlabelled(None), is_unlabelled(" "), is_unlabelled("nan"), is_unlabelled(1.5), is_unlabelled("a")
        (True, True, True, False, False)
    """
    if isinstance(item, str):
        return _text_label(str(item)) is None
    return is_missing(unwrapped(item)) or type(item).__name__ == "NAType"  # pandas


def labels_of(items: Iterable[object]) -> list[str]:
    """Return the texts of checked labels.

    Example:
        >>> labels_of(["pos ", 1])
        ['pos', '1']
    """
    return [str(as_label(item)) for item in items]


def check_id(where: str, what: str, given: object, remedy: str) -> str:
    """Return an id as text; the other arguments are for the message.

    Example:
        >>> check_id("bur: sample 3", "article", 7, "")
        '7'
    """
    if isinstance(given, str) and given:
        return str(given)  # NumPy's strings are a type of their own
    if not isinstance(given, bool) and isinstance(given, Integral):
        return str(int(given))
    raise InputError(f"{where}: the {what} id must be a string or a whole number, found {describe(given)}; {remedy}")


def check_group(where: str, what: str, group: object, dropped: str = "sample") -> str:
    """Return a group label; the other arguments are for the message.

    Example:
        >>> check_group("sentiment: sample 3", "group", None)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: sentiment: sample 3: the group must be a non-empty string, whole number or
        boolean, found None; name the group or remove the sample, or choose unlabelled='drop'
    """
    label = as_label(group)
    if label is None:
        way_on = ", or choose unlabelled='drop'" if is_unlabelled(group) else ""
        raise InputError(
            f"{where}: the {what} must be {LABEL.replace('string', 'non-empty string')}, found "
            f"{describe(group)}; name the group or remove the {dropped}{way_on}"
        )
    return label


def check_list(module: str, index: int, field: str, items: object) -> Sequence[Any]:
    """Return a list, tuple or array of a sample; refuse anything else.

    Example:
        >>> check_list("bur", 4, "values", "pos")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 4: values must be a list of strings, found str 'pos'; put it in a
        list
    """
    items = unwrapped(items)
    if isinstance(items, (list, tuple)):
        return items
    hint = "give a list of strings"
    if isinstance(items, str):
        hint = "put it in a list"
        if items.lstrip().startswith("["):
            hint = "this looks like a list from a CSV file: use the command, or save the data as JSON or Parquet"
    raise InputError(f"{module}: sample {index}: {field} must be a list of strings, found {describe(items)}; {hint}")


def check_values(module: str, index: int, values: object) -> list[str]:
    """Return the labels of a sample's source texts.

    Example:
        >>> check_values("bur", 4, ["pos", ""])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 4: values[1] is empty; name the group, or choose unlabelled='drop'
        to leave out texts without a label
    """
    labels = []
    for position, item in enumerate(check_list(module, index, "values", values)):
        label = as_label(item)
        if label is None:
            what = f"values[{position}]"
            if is_unlabelled(item):
                raise InputError(f"{module}: sample {index}: {without_label(what, item)}")
            raise InputError(
                f"{module}: sample {index}: {what} must be {LABEL}, found {describe(item)}; {_remedy(item)}"
            )
        labels.append(label)
    return labels


def without_label(what: str, item: object) -> str:
    """Say that a source text has no label, in which row if known."""
    found = "empty" if isinstance(item, str) and not item.strip() else describe(item)
    where = item.where if isinstance(item, NoLabel) else what
    return f"{where} is {found}; name the group, or choose unlabelled='drop' to leave out texts without a label"


def check_texts(module: str, index: int, prediction: object, sources: object) -> Sequence[str]:
    """Check the summary and source texts of a sample; return the source texts.

    Example:
        >>> check_texts("bur", 4, "Good.", [])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 4: sources is an empty list; give at least one source text
    """
    texts = _texts(module, index, prediction, sources)
    _check_some(module, index, texts)
    return texts


def _check_some(module: str, index: int, texts: Sequence[str]) -> None:
    if not texts:
        raise InputError(f"{module}: sample {index}: sources is an empty list; give at least one source text")


def _texts(module: str, index: int, prediction: object, sources: object) -> Sequence[str]:
    check_text(module, index, "prediction", prediction)
    texts = check_list(module, index, "sources", sources)
    for position, text in enumerate(texts):
        if type(text) is not str:
            check_text(module, index, f"sources[{position}]", text)
    return texts


def check_sample(module: str, index: int, prediction: object, sources: object, values: object) -> list[str]:
    """Check summary, source texts and one value per text; return the labels.

    Example:
        >>> check_sample("bur", 4, "Good.", ["Tasty!", "Cold."], ["pos"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 4: sources has 2 texts but values has 1 label;
        give one group for each source text
    """
    texts = _texts(module, index, prediction, sources)
    labels = check_values(module, index, values)
    if len(texts) != len(labels):
        raise InputError(
            f"{module}: sample {index}: sources has {count(len(texts), 'text')} but values has "
            f"{count(len(labels), 'label')}; give one group for each source text"
        )
    _check_some(module, index, texts)
    return labels


def check_columns(module: str, /, **columns: object) -> None:
    """Check that columns are lists of the same length and not empty.

    Example:
        >>> check_columns("bur", predictions=["a"], sources=[["a"], ["b"]])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: predictions has 1 sample but sources has 2; every column needs one
        entry per sample
    """
    first: tuple[str, int] | None = None
    for name, column in columns.items():
        # A data frame has a length, but iterating it gives its header.
        unordered = isinstance(column, (str, bytes, Mapping, Set)) or hasattr(type(column), "columns")
        unordered |= getattr(column, "ndim", 1) == 0
        if unordered or not isinstance(column, Sized) or not isinstance(column, Iterable):
            remedy = "; convert it to a list" if isinstance(column, Iterator) else ""
            raise InputError(
                f"{module}: {name} must be a list with one entry per sample, found {describe(column)}{remedy}"
            )
        if first is None:
            first = (name, len(column))
        if len(column) != first[1]:
            raise InputError(
                f"{module}: {first[0]} has {count(first[1], 'sample')} but {name} has {len(column)}; every column "
                "needs one entry per sample"
            )
    if first is not None and first[1] == 0:
        raise InputError(f"{module}: {first[0]} is an empty list; give at least one sample")


def check_fraction(module: str, name: str, number: object) -> float:
    """Return a real number in [0, 1] as a float.

    Example:
        >>> check_fraction("bur", "tau", 1)
        1.0
    """
    fraction = as_float(number)
    if not 0 <= fraction <= 1:
        raise InputError(f"{module}: {name} must be a number in [0, 1], found {describe(number)}")
    return fraction


def as_float(number: object) -> float:
    """Return a real number as float; NaN for anything else.

    Example:
        >>> as_float(3), as_float("3")
        (3.0, nan)
    """
    if isinstance(number, bool) or not isinstance(number, Real):
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf  # type: ignore[operator]  # an int, or a Fraction


LARGEST = 2**63 - 1
"""Largest whole number that every library takes."""


def check_returned(
    where: str,
    returned: object,
    texts: Sequence[str],
    what: str,
    advice: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> list[float]:
    """Check the numbers that a function of the caller's returned, one for each text.

    Example:
        >>> check_returned("omission: the finder", [0.5, 1], ["Nice.", "Bad."], "numbers", "return a number")
        [0.5, 1.0]
    """
    given = unwrapped(returned)
    if not isinstance(given, Sequence) or len(given) != len(texts):
        raise InputError(f"{where} must return {len(texts)} {what}, found {describe(returned)}")
    numbers = list(map(as_float, given))
    for text, number, item in zip(texts, numbers, given, strict=True):
        if not limits[0] <= number <= limits[1]:
            raise InputError(f"{where} returned {describe(item)} for the text {text[:_LONGEST]!r}; {advice}")
    return numbers


def check_count(module: str, name: str, number: object, least: int = 1, most: int = LARGEST) -> int:
    """Return a whole number from `least` to `most`.

    Example:
        >>> check_count("bur", "k", 0)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: k must be a whole number of at least 1, found int 0
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or number < least:
        raise InputError(f"{module}: {name} must be a whole number of at least {least}, found {describe(number)}")
    if int(number) > most:
        limit = "2**63 - 1" if most == LARGEST else f"{most:,}"
        raise InputError(f"{module}: {name} must be at most {limit}, found {describe(number)}")
    return int(number)


def check_seed(module: str, seed: object) -> int | None:
    """Return a non-negative whole number, or None for fresh randomness.

    Example:
        >>> check_seed("bur", 0)
        0
    """
    return None if seed is None else check_count(module, "seed", seed, least=0)


def check_choice(module: str, name: str, choice: object, choices: Sequence[str]) -> str:
    """Return one of a closed set of names.

    Example:
        >>> check_choice("bur", "empty", "skip", ("skip", "uniform", "error"))
        'skip'
    """
    if not isinstance(choice, str) or choice not in choices:
        guess = did_you_mean(choice, choices) if isinstance(choice, str) else ""
        raise InputError(f"{module}: {name} must be one of {', '.join(choices)}, found {describe(choice)}{guess}")
    return choice


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the closest known name for a message; empty without one.

    Example:
        >>> did_you_mean("burr", ["bur", "uer"]), did_you_mean("x", ["bur", "uer"])
        ('; did you mean bur?', '')
    """
    from difflib import get_close_matches

    names = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), names, n=1)
    return f"; did you mean {names[close[0]]}?" if close else ""


def check_metrics(module: str, metrics: object, known: Sequence[str]) -> tuple[str, ...]:
    """Return names of measures from a list, tuple or comma-separated text.

    Example:
        >>> check_metrics("score", ["bur", "sof"], ("bur", "uer", "auc", "sof"))
        ('bur', 'sof')
        >>> check_metrics("score", "bur, sof", ("bur", "uer", "auc", "sof"))
        ('bur', 'sof')
    """
    if isinstance(metrics, str):
        metrics = [name.strip() for name in metrics.split(",")]
    if not isinstance(metrics, (list, tuple)) or not metrics:
        raise InputError(
            f"{module}: metrics must be a non-empty list of names from {', '.join(known)}, found {describe(metrics)}"
        )
    for name in metrics:
        if isinstance(name, str) and name not in known and (guess := did_you_mean(name, known)):
            raise InputError(f"{module}: unknown measure {name!r}{guess}")
        check_choice(module, "metrics", name, known)
    if len(set(metrics)) < len(metrics):
        raise InputError(f"{module}: metrics contains a name twice: {', '.join(metrics)}; name each measure once")
    return tuple(metrics)


def check_distribution(where: str, shares: object) -> dict[str, float]:
    """Return a mapping from labels to finite, nonnegative numbers.

    Example:
        >>> check_distribution("bur: target", {"male": 0.5, "female": 0.5})
        {'male': 0.5, 'female': 0.5}
    """
    if not isinstance(shares, Mapping) or not shares:
        raise InputError(f"{where} must be a non-empty mapping from group to share, found {describe(shares)}")
    checked: dict[str, float] = {}
    for value, share in shares.items():
        label = as_label(value)
        if label is None:
            raise InputError(f"{where}: groups must be {LABEL}, found {describe(value)}; use str()")
        if label in checked:
            raise InputError(f"{where}: {label!r} appears twice, as a string and as another type; keep one")
        number = as_float(share)
        if not 0 <= number < math.inf:
            raise InputError(
                f"{where}: the share of {value!r} must be a finite number of at least 0, found {describe(share)}"
            )
        checked[label] = number
    if math.isinf(sum(checked.values())):
        raise InputError(f"{where}: the sum of the numbers overflows; scale them down")
    return checked
