"""Settings from the registry: for each the values that its check takes, and those that it refuses."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fairsum_utils.errors import FairSumError
from fairsum_utils.families import Setting, all_measures, family_of
from fairsum_utils.io.shapes import Shape
from tests.fuzz import resources
from tests.fuzz.oracles import Found

Options = dict[str, Any]


class Odd:
    """Something whose text is more than a line."""

    def __repr__(self) -> str:
        return "Odd(\n\x1b[31m)"


def _pool() -> list[Any]:
    """Anything that somebody could give for a setting."""
    numbers: list[Any] = [
        0,
        1,
        2,
        3,
        5,
        17,
        40,
        -1,
        -7,
        0.0,
        0.25,
        0.5,
        0.9,
        1.0,
        -0.5,
        1.5,
        1e-300,
        1e308,
        float("nan"),
        float("inf"),
        -float("inf"),
    ]
    numbers += [
        10**12,
        10**20,
        10**400,
        -(10**400),
        Fraction(1, 3),
        Fraction(7, 1),
        Fraction(10**400, 3),
        Decimal("0.5"),
        1j,
    ]
    numbers += [
        np.int64(2),
        np.int32(0),
        np.uint8(200),
        np.float64(0.3),
        np.float32(0.5),
        np.bool_(True),
        np.float64("nan"),
    ]
    arrays: list[Any] = [
        np.array(1),
        np.array("x"),
        np.array([1, 2]),
        np.array([]),
        np.array([["a"]]),
        np.array([0.5], dtype=object),
    ]
    strings: list[Any] = [
        "",
        " ",
        "nan",
        "0.5",
        "1",
        "skip",
        "error",
        "x" * 300,
        "\ud800",
        "a\0b",
        "../..",
        "a\nb",
        "\x1b[31m",
        "none",
        "None",
        "ratio",
        "de",
        "日本",
        np.str_("skip"),
        b"skip",
    ]
    wholes: list[Any] = [
        None,
        True,
        False,
        [],
        [1],
        ["a", "b"],
        (),
        ("skip",),
        {},
        {"a": 1},
        {"a": "b"},
        {"pos": 0.5, "neg": 0.5},
        {"a": ["b"]},
        {1: 2},
        {None: None},
        set(),
        {"skip"},
    ]
    wholes += [
        {"a": float("nan")},
        {"a": 10**400},
        {"\ud800": 1},
        {"a": {"b": {"c": []}}},
        [[[]]],
        range(3),
        iter(()),
        object(),
        Odd(),
        Odd,
        len,
        print,
    ]
    wholes += [
        lambda *_: None,
        lambda *_: [],
        lambda *_: 1,
        lambda *_: [0.5],
        Path("nowhere"),
        resources.folder(),
        resources.folder() / "empty",
        resources.folder() / "binary",
    ]
    wholes += [datetime.date(2024, 1, 1), NotImplemented, ...]
    return numbers + arrays + strings + wholes


@cache
def pool() -> list[Any]:
    """See `_pool`; one, for the same objects come again."""
    return _pool()


def _candidates(info: Setting) -> list[Any]:
    """What a setting may be given."""
    found: list[Any] = [info.default, info.const, *info.choices, *pool()]
    if info.space:
        found += [each for each in info.space if not isinstance(each, bool)]
    return found + resources.fitting().get(info.name, [])


@cache
def sorted_out(measure: str, name: str) -> tuple[list[Any], list[Any]]:
    """The values that the check of a setting takes, and those that it refuses.

    Raises:
        Found: it does neither.
    """
    info = family_of(measure).taken(measure)[name]
    good, bad = [], []
    for value in _candidates(info):
        if info.check is None or (value is None and info.type.endswith("None")):
            good.append(value)
            continue
        try:
            info.check(measure, name, value)
        except FairSumError as error:
            if not str(error).startswith(f"{measure}: "):
                raise Found("message", f"{name}={value!r}: {error} does not begin with the module") from error
            bad.append(value)
        except Exception as error:
            raise Found(
                "traceback", f"the check of {name} raises {type(error).__name__}: {error} for {value!r}"
            ) from error
        else:
            good.append(value)
    return good, bad


def _is_dear(value: Any) -> bool:
    """Whether a number is so large that a call takes seconds, as it may."""
    return isinstance(value, (int, np.integer)) and value > 200


def valid(rng: Random, measure: str) -> Options:
    """Some settings, each of which its check takes, and which go together."""
    taken = family_of(measure).taken(measure)
    chosen: Options = {}
    for name, info in taken.items():
        if name in resources.always() and rng.random() < 0.97:
            chosen[name] = resources.always()[name]
        elif rng.random() < 0.2:
            known = resources.fitting().get(name)
            good = sorted_out(measure, name)[0]
            if known is not None:
                good = known + list(info.choices)
            good = [value for value in good if not _is_dear(value)]
            if good:
                chosen[name] = rng.choice(good)
            elif info.default is not None:
                chosen[name] = info.default
    for name in ("n_resamples", "n_permutations", "n_points"):
        if name in taken and name not in chosen:
            chosen[name] = rng.randrange(1, 30)
    while not _go_together(measure, chosen):
        del chosen[rng.choice(list(chosen))]
        chosen |= {name: value for name, value in resources.always().items() if name in taken}
    return chosen


def _go_together(measure: str, chosen: Mapping[str, Any]) -> bool:
    try:
        family_of(measure).settings(measure).make(chosen, measure=measure, module=measure)
    except FairSumError:
        return False
    return True


def invalid(rng: Random, measure: str) -> Options:
    """Settings of which one is wrong: a value that its check refuses or may refuse later, or a name that is none."""
    taken = family_of(measure).taken(measure)
    chosen = valid(rng, measure)
    kind = rng.random()
    if kind < 0.8:
        name = rng.choice(list(taken))
        good, bad = sorted_out(measure, name)
        chosen[name] = rng.choice(bad or good)
        if _is_dear(chosen[name]) and chosen[name] < 10**9:
            chosen[name] = -1
    elif kind < 0.9:
        others = (
            list(Shape.infos())
            if rng.random() < 0.5
            else [name for other in all_measures() for name in family_of(other).taken(other) if name not in taken]
        )
        chosen[rng.choice(others)] = rng.choice(pool())
    else:
        chosen[rng.choice(("sede", "metrics", "module", "", "self", "name", "x\ny", "measure", "__class__"))] = 1
    return chosen
