"""Settings of the measures: for each the values that it may have, and those that it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from fairsum_utils.errors import FairSumError
from fairsum_utils.families import all_measures
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import Setting
from tests.fuzz import odd, resources
from tests.fuzz.oracles import Found

Options = dict[str, Any]


def _candidates(info: Setting) -> list[Any]:
    found: list[Any] = [info.default, *info.choices, list(info.choices[:2]), *odd.objects()]
    if info.space:
        found += [each for each in info.space if not isinstance(each, bool)]
    return found + resources.fitting().get(info.name, [])


# Parts of a message that tell that a value is right, but not beside the others.
_TOGETHER = (" applies only to ", " needs ", ", found language=")


@cache
def sorted_out(measure: str, name: str) -> tuple[list[Any], list[Any]]:
    """Return the values that a setting may have, and those that it refuses."""
    good, bad = [], []
    for value in _candidates(get_measure(measure).infos()[name]):
        try:
            get_measure(measure)(**{name: value})
        except FairSumError as error:
            if not str(error).startswith(f"{measure}: "):
                raise Found("message", f"{name}={value!r}: {error} does not begin with the module") from error
            (good if any(part in str(error) for part in _TOGETHER) else bad).append(value)
        except Exception as error:
            raise Found("traceback", f"check of {name}: {type(error).__name__}: {error} for {value!r}") from error
        else:
            good.append(value)
    return good, bad


def _is_dear(value: Any) -> bool:
    """Whether a number is so large that a call takes seconds, as it may."""
    return isinstance(value, (int, np.integer)) and value > 200


def valid(rng: Random, measure: str) -> Options:
    """Draw settings which go together."""
    taken = get_measure(measure).infos()
    chosen: Options = {}
    for name, info in taken.items():
        if name in resources.always() and rng.random() < 0.97:
            chosen[name] = resources.always()[name]
        elif rng.random() < 0.2:
            known = resources.fitting().get(name)
            good = sorted_out(measure, name)[0] if known is None else known + list(info.choices)
            good = [value for value in good if not _is_dear(value)]
            if good:
                chosen[name] = rng.choice(good)
    for name in ("n_resamples", "n_permutations", "n_points"):
        if name in taken and name not in chosen:
            chosen[name] = rng.randrange(1, 30)
    while not _go_together(measure, chosen):
        del chosen[rng.choice(list(chosen))]
        chosen |= {name: value for name, value in resources.always().items() if name in taken}
    return chosen


def _go_together(measure: str, chosen: Mapping[str, Any]) -> bool:
    try:
        get_measure(measure)(**chosen)
    except FairSumError:
        return False
    return True


def invalid(rng: Random, measure: str) -> Options:
    """Draw settings of which one is wrong: a value that its check refuses, or a name that is none."""
    taken = get_measure(measure).infos()
    chosen = valid(rng, measure)
    kind = rng.random()
    if kind < 0.8:
        name = rng.choice(list(taken))
        good, bad = sorted_out(measure, name)
        chosen[name] = rng.choice(bad or good)
        if _is_dear(chosen[name]) and chosen[name] < 10**9:
            chosen[name] = -1
    elif kind < 0.9:
        of_others = {name for other in all_measures() for name in get_measure(other).infos()} - taken.keys()
        chosen[rng.choice([*Shape.infos(), *sorted(of_others)])] = rng.choice(odd.objects())
    else:
        chosen[rng.choice(("sede", "metrics", "module", "", "self", "name", "x\ny", "measure", "__class__"))] = 1
    return chosen
