"""Sets of sources in several orders, for the measure of order sensitivity."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.validation import check_choice, check_count, check_seed, describe

# Columns of every row.
_ADDED = ("article_id", "variant", "control", "order")


@dataclass
class Orders:
    """The rows of sets in several orders, each set on demand.

    Example:
        >>> sets = [{"id": "a", "sources": ["x", "y", "z"], "values": ["pro", "con", "pro"]}]
        >>> for row in Orders(sets, n_orders=2, mode="by_value").rows():
        ...     print(row["id"], row["variant"], row["control"], row["sources"], row["values"], row["order"])
        a-con-1 con 1 ['y', 'x', 'z'] ['con', 'pro', 'pro'] ['1', '0', '2']
        a-pro-1 pro 1 ['x', 'z', 'y'] ['pro', 'pro', 'con'] ['0', '2', '1']
    """

    sets: Iterable[Mapping[str, Any]]
    _: KW_ONLY
    n_orders: int = 6
    mode: str = "random"
    seed: int | None = 42
    where: str = "orders"
    n_sets: int = field(default=0, init=False)
    n_fixed: int = field(default=0, init=False)
    n_fewer: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        check_count(self.where, "orders", self.n_orders, least=2)
        check_choice(self.where, "mode", self.mode, tuple(MODES))
        check_seed(self.where, self.seed)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Make the rows, set by set."""
        known: set[str] = set()
        for number, row in enumerate(self.sets):
            where = f"{self.where}, row {number + 1}"
            sources, values = _checked(where, row, needs_values=self.mode == "by_value")
            name = str(number if row.get("id") is None else row["id"])
            if name in known:
                raise InputError(f"{where}: an earlier row has the id {name!r}; give every set its own id")
            known.add(name)
            self.n_sets += 1
            generator = random.Random() if self.seed is None else random.Random(f"{self.seed}\0{name}")
            orders = MODES[self.mode](values or sources, self.n_orders, generator)
            if len(orders) < 2:
                self.n_fixed += 1
                continue
            self.n_fewer += len(orders) < self.n_orders
            for variant, control, order in orders:
                made = {
                    **row,
                    "id": f"{name}-{variant}" + (f"-{control}" if control else ""),
                    "article_id": name,
                    "variant": variant,
                    "control": control,
                    "sources": [sources[place] for place in order],
                    "order": [str(place) for place in order],
                }
                if values is not None:
                    made["values"] = [values[place] for place in order]
                if row.get("prompt") is not None:
                    made["prompt"] = reordered_prompt(where, row["prompt"], sources, order)
                yield made


def _checked(where: str, row: Mapping[str, Any], *, needs_values: bool) -> tuple[list[str], list[str] | None]:
    sources, values = row.get("sources"), row.get("values")
    if not _are_texts(sources) or not sources:
        raise InputError(f"{where}: sources must be a list of texts, found {describe(sources)}")
    if values is None and needs_values:
        raise InputError(
            f"{where}: mode by_value needs the sources' groups; give them in the values column, or choose another mode"
        )
    if values is not None and not (_are_texts(values) and len(values) == len(sources)):
        raise InputError(
            f"{where}: values must be a list of {len(sources)} strings, as sources, found {describe(values)}"
        )
    if taken := [name for name in _ADDED if name in row]:
        raise InputError(f"{where}: the column {taken[0]!r} exists already; rename it")
    return sources, values


def _are_texts(entries: object) -> bool:
    return isinstance(entries, list) and all(isinstance(entry, str) for entry in entries)


def reordered_prompt(where: str, prompt: Any, sources: Sequence[str], order: Sequence[int]) -> str:
    """Reorder the sources in a prompt and keep the text around and between them.

    Example:
        >>> reordered_prompt("a", "Reviews: 1. good 2. bad Summary:", ["good", "bad"], [1, 0])
        'Reviews: 1. bad 2. good Summary:'
    """
    remedy = "drop the column prompt and let the model read sources (`fairsum generate --text-column sources`)"
    if not isinstance(prompt, str):
        raise InputError(f"{where}: prompt must be a string, found {describe(prompt)}; {remedy}")
    found = [
        (sum(map(len, pieces[1:-1])), len(_distinct_separators(pieces)) > 1, forms, pieces)
        for forms in (list(sources), [" ".join(text.split()) for text in sources])
        for pieces in (_around(prompt, forms), _around(prompt, forms, from_end=True))
        if pieces is not None
    ]
    if not found:
        raise InputError(f"{where}: the prompt does not contain the sources in their order; {remedy}")
    _, differs, forms, pieces = min(found, key=lambda each: (each[1], each[0]))
    if differs:
        shown = ", ".join(map(repr, _distinct_separators(pieces)[:3]))
        raise InputError(
            f"{where}: the text between the sources in the prompt differs ({shown}), so it may refer to one of them; "
            f"{remedy}"
        )
    texts = [forms[place] for place in order]
    return pieces[0] + "".join(text + piece for text, piece in zip(texts, pieces[1:], strict=True))


def _distinct_separators(pieces: Sequence[str]) -> list[str]:
    """Separator of sources, without numbers."""
    return sorted({"".join(letter for letter in piece if not letter.isdigit()) for piece in pieces[1:-1]})


def _around(prompt: str, sources: Sequence[str], *, from_end: bool = False) -> list[str] | None:
    """Return the text before, between and after the sources, or None.

    A source may be a word of the instruction, too, before or after the sources; so they are looked for from the
    beginning, or from the end.
    """
    if from_end:
        reverse = _around(prompt[::-1], [text[::-1] for text in reversed(sources)])
        return None if reverse is None else [piece[::-1] for piece in reversed(reverse)]
    pieces: list[str] = []
    end = 0
    for text in sources:
        start = prompt.find(text, end)
        if start < 0:
            return None
        pieces.append(prompt[end:start])
        end = start + len(text)
    return [*pieces, prompt[end:]]


# Variant, control, and the places of the sources.
_Order = tuple[str, str, tuple[int, ...]]


def _random(units: Sequence[str], n: int, generator: random.Random) -> list[_Order]:
    """Draw different orders at random."""
    drawn = _distinct([range(len(units))], n, generator)
    return [(str(number), "", order) for number, order in enumerate(drawn)]


def _rotate(units: Sequence[str], n: int, generator: random.Random) -> list[_Order]:
    """Rotate the given order by evenly spaced offsets."""
    length = len(units)
    starts = [place * length // min(n, length) for place in range(min(n, length))]
    return [
        (str(number), "", tuple((start + place) % length for place in range(length)))
        for number, start in enumerate(starts)
    ]


def _by_value(values: Sequence[str], n: int, generator: random.Random) -> list[_Order]:
    """Put each group's sources first in turn, shuffled within each part."""
    kinds = sorted(set(values))
    orders: list[_Order] = []
    for value in kinds if len(kinds) > 1 else ():
        first = [place for place, of in enumerate(values) if of == value]
        others = [place for place, of in enumerate(values) if of != value]
        drawn = _distinct([first, others], max(1, n // len(kinds)), generator)
        orders += [(value, str(number), order) for number, order in enumerate(drawn, start=1)]
    return orders


def _distinct(parts: Sequence[Sequence[int]], n: int, generator: random.Random) -> list[tuple[int, ...]]:
    """Draw different orders part by part; all orders if there are fewer."""
    possible = math.prod(math.factorial(min(len(part), 20)) for part in parts)
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(n, possible):
        drawn[tuple(place for part in parts for place in shuffled(part, generator))] = None
    return list(drawn)


#: Mode -> what draws the orders of a set.
MODES: Mapping[str, Callable[[Sequence[str], int, random.Random], list[_Order]]] = {
    "random": _random,
    "by_value": _by_value,
    "rotate": _rotate,
}
