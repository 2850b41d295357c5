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
    """A fault, after the name of the oracle that found it."""

    def __init__(self, oracle: str, message: object) -> None:
        super().__init__(f"{oracle}: {message}"[:800])


def quietly(call: Callable[[], Any]) -> Any:
    """Call; arithmetic that warns is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings(
            "error", category=RuntimeWarning, message=".*(encountered|divide|overflow|invalid|NaN|empty slice).*"
        )
        return call()


def outcome(call: Callable[[], Any], *, module: str | None = None) -> Any:
    """Return what a call gives, or its documented error."""
    try:
        return quietly(call)
    except FairSumError as error:
        check_message(error, module)
        return error
    except Exception as error:
        raise Found("traceback", f"{type(error).__name__}: {error}") from error


def check_message(error: FairSumError, module: str | None = None) -> None:
    """Accept one line that names its module, without anything that a terminal obeys."""
    message = str(error)
    begins = message.startswith(f"{module}: ") or module is None
    if not message.strip() or control(message) or not begins or len(message) > 3000:
        raise Found("message", repr(message)) from error


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def control(text: str, *, in_lines: bool = False) -> str | None:
    """Find the first character that steers a terminal, or ends a line; where a text has lines, these ends are none."""
    match = _CONTROL.search(re.sub("[\\n\\r]", "", text) if in_lines else text)
    return match and match[0]


def check_shown(results: Any) -> None:
    """Refuse results that show a character that steers a terminal."""
    for shown in (str(results), results.to_markdown(), results.to_csv(), results._repr_html_(), results.to_latex()):
        if sign := control(shown, in_lines=True):
            raise Found("shown", f"{sign!r} in {shown!r}")


def same(oracle: str, found: Any, expected: Any) -> None:
    """Refuse what differs in any bit."""
    if repr(found) != repr(expected):
        raise Found(oracle, f"{found!r:.350} and {expected!r:.350}")


def check_result(measure: str, result: Mapping[str, Any], n: int, settings: Mapping[str, Any] = {}) -> None:
    """Check that a result is plain, in range, and in agreement with itself."""
    try:
        same("json", json.loads(json.dumps(result)), plain(result))
    except (TypeError, ValueError) as error:
        raise Found("json", error) from error
    score, known = result[measure], get_measure(measure)
    is_wider = measure == "uer" and settings.get("unmatched") == "unfair"  # see its card
    low, high = known.low, 1.0 if is_wider else known.high
    if not low - _CLOSE <= score <= high + _CLOSE and not (math.isnan(score) and result.get("undefined")):
        raise Found("range", f"{score} is not in [{low}, {high}], undefined {result.get('undefined')!r}")
    _check_ends(measure, result, low, high)
    if result["n_samples"] + result["n_skipped"] != n or sum(result["skipped"].values()) != result["n_skipped"]:
        raise Found("counts", f"{result['n_samples']} and {result['n_skipped']} of {n}, {result['skipped']}")
    if settings.get("return_samples") is True:
        _check_samples(measure, result, n)


def plain(item: Any) -> Any:
    """Return mappings as dicts and tuples as lists."""
    if isinstance(item, Mapping):
        return {key: plain(value) for key, value in item.items()}
    return [plain(value) for value in item] if isinstance(item, (list, tuple)) else item


def _check_ends(measure: str, item: Any, low: float, high: float, where: str = "") -> None:
    """Check the ends of intervals, those of the score also in its range, and that probabilities are in [0, 1]."""
    for key, value in item.items() if isinstance(item, Mapping) else enumerate(item) if isinstance(item, list) else ():
        at, least, most = f"{where}/{key}", -math.inf, math.inf
        if at == f"/{measure}_ci":
            least, most = low, high
        elif "interval" in at or str(key).startswith("p_value") or str(key).endswith(("_lost", "share")):
            least, most = 0.0, 1.0
        are_ends = isinstance(value, list) and len(value) == 2 and ("ci" in at.split("_") or "interval" in at)
        ends = value if are_ends else [value, value] if isinstance(value, float) else []
        if all(isinstance(end, float) for end in ends) and ends and not all(map(math.isnan, ends)):
            if not least - _CLOSE <= ends[0] <= ends[1] <= most + _CLOSE:
                raise Found("range", f"{at}: {value} is not in [{least}, {most}]")
        elif key != "samples":
            _check_ends(measure, value, low, high, at)


def _check_samples(measure: str, result: Mapping[str, Any], n: int) -> None:
    samples = result["samples"]
    same("samples", [record["index"] for record in samples], list(range(n)))
    scored = [record for record in samples if record["skipped"] is None]
    same("samples", len(scored), result["n_samples"])
    scores = [record.get(measure) for record in scored]
    if scores and not math.isnan(result[measure]) and all(isinstance(score, float) for score in scores):
        mean = math.fsum(scores) / len(scores)
        if abs(mean - result[measure]) > _CLOSE * max(1.0, abs(mean)):
            raise Found("samples", f"their mean is {mean}, and the score {result[measure]}")
