"""What must hold of whatever is drawn: errors that are documented, and results that agree with each other."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from fairsum_utils.errors import FairSumError
from fairsum_utils.measures import get_measure

_CLOSE = 1e-9


class Found(Exception):
    """A fault, and the oracle that found it."""

    def __init__(self, oracle: str, message: str, file: tuple[str, bytes] | None = None) -> None:
        super().__init__(f"{oracle}: {message}")
        self.oracle, self.file = oracle, file


def quietly(call: Callable[[], Any]) -> Any:
    """Call; arithmetic that warns is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings(
            "error", category=RuntimeWarning, message=".*(encountered|divide|overflow|invalid|NaN|empty slice).*"
        )
        return call()


def outcome(call: Callable[[], Any], *, module: str | None = None) -> Any:
    """What a call gives, or its documented error."""
    try:
        return quietly(call)
    except FairSumError as error:
        check_message(error, module)
        return error
    except Found:
        raise
    except Exception as error:
        raise Found("traceback", f"{type(error).__name__}: {error}"[:500]) from error


def check_message(error: FairSumError, module: str | None = None) -> None:
    """One line that says who speaks, without anything that a terminal obeys."""
    message = str(error)
    if not message.strip():
        raise Found("message", f"{type(error).__name__} without a message") from error
    if sign := control(message):
        raise Found("message", f"{sign!r} in {message!r}") from error
    if module is not None and not message.startswith(f"{module}: "):
        raise Found("message", f"does not begin with {module}: {message!r}") from error
    if len(message) > 3000:
        raise Found("message", f"{len(message)} characters: {message[:200]!r}") from error


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def control(text: str, *, in_lines: bool = False) -> str | None:
    """Find the first character that steers a terminal, or ends a line; where a text has lines, these ends are none."""
    match = _CONTROL.search(re.sub("[\\n\\r]", "", text) if in_lines else text)
    return match and match[0]


def check_shown(results: Any) -> None:
    """Refuse results that show a character that steers a terminal."""
    for shown in (str(results), results.to_markdown(), results.to_csv(), results._repr_html_(), results.to_latex()):
        if sign := control(shown, in_lines=True):
            raise Found("shown", f"{sign!r} in {shown!r:.200}")


def alike(found: Any, expected: Any, *, close: float = 0.0) -> bool:
    """Whether two are the same; floats to within `close`, NaN is NaN."""
    if isinstance(expected, Mapping):
        return (
            isinstance(found, Mapping)
            and list(found) == list(expected)
            and all(alike(found[key], expected[key], close=close) for key in expected)
        )
    if isinstance(expected, (list, tuple)):
        return (
            isinstance(found, (list, tuple))
            and len(found) == len(expected)
            and all(alike(a, b, close=close) for a, b in zip(found, expected, strict=True))
        )
    if isinstance(expected, float) and isinstance(found, float):
        if math.isnan(expected) or math.isnan(found):
            return math.isnan(expected) and math.isnan(found)
        return found == expected or abs(found - expected) <= close * max(1.0, abs(expected))
    return type(found) is type(expected) and bool(found == expected)


def differences(found: Any, expected: Any, where: str = "", close: float = 0.0) -> str:
    """Where two differ, for a message."""
    if isinstance(found, Mapping) and isinstance(expected, Mapping) and list(found) == list(expected):
        return "; ".join(
            filter(None, (differences(found[key], expected[key], f"{where}/{key}", close) for key in expected))
        )[:600]
    return "" if alike(found, expected, close=close) else f"{where}: {found!r:.200} and {expected!r:.200}"


def require(oracle: str, found: Any, expected: Any, *, close: float = 0.0) -> None:
    """Refuse what is not alike."""
    if not alike(found, expected, close=close):
        raise Found(oracle, differences(found, expected, close=close) or f"{found!r:.300} and {expected!r:.300}")


def check_result(measure: str, result: Mapping[str, Any], n: int, settings: Mapping[str, Any] = {}) -> None:
    """What any result must be: plain, in range, and in agreement with itself."""
    try:
        text = json.dumps(result)
    except (TypeError, ValueError) as error:
        raise Found("json", str(error)) from error
    if not alike(json.loads(text), _plain(result)):
        raise Found("json", differences(json.loads(text), _plain(result)))
    score, known = result[measure], get_measure(measure)
    low, high = known.low, known.high
    if measure == "uer" and settings.get("unmatched") == "unfair":
        high = 1.0  # see its card
    if math.isnan(score) and not result.get("undefined"):
        raise Found("range", f"{score} and undefined {result.get('undefined')!r}")
    if not math.isnan(score) and not low - _CLOSE <= score <= high + _CLOSE:
        raise Found("range", f"{score} is not in [{low}, {high}]")
    _check_ends(measure, result, low, high)
    if result["n_samples"] + result["n_skipped"] != n or sum(result["skipped"].values()) != result["n_skipped"]:
        raise Found("counts", f"{result['n_samples']} and {result['n_skipped']} of {n}, {result['skipped']}")
    if settings.get("return_samples") is True:
        _check_samples(measure, result, n)


def _plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {key: _plain(value) for key, value in item.items()}
    return [_plain(value) for value in item] if isinstance(item, (list, tuple)) else item


def _check_ends(measure: str, item: Any, low: float, high: float, where: str = "") -> None:
    """Ends of intervals in their order, those of the score in its range; probabilities in [0, 1]."""
    if isinstance(item, list):
        for place, part in enumerate(item):
            _check_ends(measure, part, low, high, f"{where}/{place}")
    for key, value in item.items() if isinstance(item, Mapping) else ():
        at = f"{where}/{key}"
        is_interval = ("_ci" in at or key == "ci" or "interval" in at or key.startswith("ci_")) and _are_ends(value)
        if is_interval:
            least, most = {f"/{measure}_ci": (low, high)}.get(at, (0, 1) if "interval" in at else (-math.inf, math.inf))
            if not (least - _CLOSE <= value[0] <= value[1] <= most + _CLOSE or all(map(math.isnan, value))):
                raise Found("range", f"{at}: {value} is not in [{least}, {most}]")
        elif isinstance(value, float):
            is_share = key.startswith("p_value") or key.endswith(("_lost", "share"))
            if is_share and not (math.isnan(value) or -_CLOSE <= value <= 1 + _CLOSE):
                raise Found("range", f"{at}: {value} is not in [0, 1]")
        elif key != "samples":
            _check_ends(measure, value, low, high, at)


def _are_ends(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, float) for end in value)


def _check_samples(measure: str, result: Mapping[str, Any], n: int) -> None:
    samples = result["samples"]
    if [record["index"] for record in samples] != list(range(n)):
        raise Found("samples", f"records of {[record['index'] for record in samples]}, of {n} samples")
    scored = [record for record in samples if record["skipped"] is None]
    if len(scored) != result["n_samples"]:
        raise Found("samples", f"{len(scored)} records with a score, n_samples {result['n_samples']}")
    scores = [record.get(measure) for record in scored]
    if scores and not math.isnan(result[measure]) and all(isinstance(score, float) for score in scores):
        require("samples", math.fsum(scores) / len(scores), result[measure], close=_CLOSE)
