"""What was found, as small as it gets, and as a file that shows it again."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.fuzz import measures, resources
from tests.fuzz.oracles import Found

if TYPE_CHECKING:
    from tests.fuzz.running import Failure

_SECONDS = 10


def smaller(failure: Failure) -> Failure:
    """The same failure by fewer samples, settings and characters; and as text, so that it can be sent and saved."""
    case = failure.case
    if isinstance(case, measures.Case):
        return failure._replace(case=_text(_shrunk(case, failure.oracle, _kind(failure.message))))
    return failure


def _kind(message: str) -> str:
    """The error that a message tells, if it tells one."""
    match = re.search(r"\w+(?:Error|Warning|Exception)\b", message)
    return match[0] if match else ""


def _shrunk(case: measures.Case, oracle: str, kind: str) -> measures.Case:
    until = time.monotonic() + _SECONDS
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for simpler in _simpler(case):
            if time.monotonic() > until:
                break
            if _fails(simpler, oracle, kind):
                case, changed = simpler, True
                break
    return case


def _fails(case: measures.Case, oracle: str, kind: str) -> bool:
    for seed in range(3):
        try:
            with resources.fakes():
                measures.check(case, Random(seed))
        except Found as found:
            if found.oracle == oracle and _kind(found.message) == kind:
                return True
        except Exception as error:
            if oracle in ("traceback", "refused") and type(error).__name__ == kind:
                return True
    return False


def _simpler(case: measures.Case) -> Iterator[measures.Case]:
    """Cases with a little less."""
    for name in case.settings:
        yield case._replace(settings={key: value for key, value in case.settings.items() if key != name})
    columns = case.columns
    plain = {name: column for name, column in columns.items() if isinstance(column, list)}
    n = min(map(len, plain.values()), default=0)
    if case.sample is None:
        for place in range(n) if n > 1 else ():
            yield case._replace(
                columns={
                    name: column[:place] + column[place + 1 :] if name in plain else column
                    for name, column in columns.items()
                }
            )
    for name in columns:
        yield case._replace(columns={key: column for key, column in columns.items() if key != name})
    for place in range(n):
        together = [
            name for name in ("sources", "values", "coverage") if name in plain and isinstance(plain[name][place], list)
        ]
        sizes = {len(plain[name][place]) for name in together}
        for at in range(sizes.pop()) if len(sizes) == 1 else ():
            if len(plain[together[0]][place]) > 1:
                fewer = {
                    name: [
                        *plain[name][:place],
                        plain[name][place][:at] + plain[name][place][at + 1 :],
                        *plain[name][place + 1 :],
                    ]
                    for name in together
                }
                yield case._replace(columns={**columns, **fewer})
    for name, column in plain.items():
        for place, entry in enumerate(column):
            for less in _less(entry):
                yield case._replace(columns={**columns, name: [*column[:place], less, *column[place + 1 :]]})


def _less(entry: Any) -> Iterator[Any]:
    if isinstance(entry, str) and len(entry) > 1:
        half = len(entry) // 2
        yield entry[:half]
        yield entry[half:]
        if len(entry) < 20:
            yield from (entry[:at] + entry[at + 1 :] for at in range(len(entry)))
    elif isinstance(entry, list):
        for at, part in enumerate(entry):
            for less in _less(part):
                yield [*entry[:at], less, *entry[at + 1 :]]


def _text(case: measures.Case) -> str:
    """A script that makes the call."""
    columns = ",\n    ".join(f"{name}={_shown(column)}" for name, column in case.columns.items() if name.isidentifier())
    settings = ", ".join(f"{name}={_shown(value)}" for name, value in case.settings.items() if name.isidentifier())
    return f"""\
# held to: {case.oracle}; of sample {case.sample}
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PosixPath
from random import Random

import numpy as np
from numpy import array

from tests.fuzz import measures, resources

nan, inf = float("nan"), float("inf")
case = measures.Case(
    {case.measure!r},
    dict({columns}),
    dict({settings}),
    {case.oracle!r},
    {case.sample!r},
)
with resources.fakes():
    for seed in range(5):
        measures.check(case, Random(seed))
"""


def _shown(item: Any) -> str:
    try:
        text = ascii(item)
    except Exception:
        text = f"...  # {type(item).__name__}"
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"resources.\1", text)


def save(failure: Failure, folder: Path) -> tuple[Path, bool]:
    """Write what shows a failure again; one file for what is alike. Also whether this is the first of its kind."""
    alike = f"{failure.target} {failure.oracle} {failure.where} {re.sub('[^a-z ]', '', failure.message.lower())[:60]}"
    digest = hashlib.sha256(alike.encode("utf-8", "replace")).hexdigest()[:8]
    stem = re.sub(r"[^A-Za-z0-9_]+", "-", f"{failure.target} {failure.oracle} {digest}")
    head = (
        f"# {failure.target}, seed {failure.seed}, case {failure.number}: {failure.oracle}\n"
        f"# {failure.message!a}\n# {failure.where}\n"
        f"# again: python -m tests.fuzz --seed {failure.seed} --only {failure.target!r} --case {failure.number}\n"
    )
    path = folder / f"{stem}.py"
    is_new = not path.exists()
    with path.open("a", encoding="ascii", errors="backslashreplace") as file:
        file.write(head)
        if isinstance(failure.case, str):
            file.write(failure.case)
        elif isinstance(failure.case, tuple) and not isinstance(failure.case, Mapping):
            _, name, content = failure.case
            damaged = folder / f"{stem}-{failure.number}{Path(name).suffix}"
            damaged.write_bytes(content)
            file.write(f"# the file {name} as it is in {damaged.name}\n")
        file.write("\n")
    return path, is_new
