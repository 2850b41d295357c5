"""Columns of valid samples: entries by their kind, and together as measures need them."""

from __future__ import annotations

import types
from random import Random
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from fairsum_utils.families import Column, family_of
from fairsum_utils.measures import get_measure
from tests.fuzz import texts

Columns = dict[str, list[Any]]

ODD = 0.25
"""Share of entries that are odd."""


class Sample:
    """What the entries of a sample have in common."""

    def __init__(self, rng: Random, world: World) -> None:
        self.rng, self.world = rng, world
        n = 1 if rng.random() < 0.1 else rng.choice((40, 150)) if rng.random() < 0.01 else rng.randrange(2, 7)
        self.sources = [texts.text(rng, odd=ODD) for _ in range(n)]
        self.values = [rng.choice(world.values) for _ in self.sources]
        self.original = rng.randrange(len(world.originals))
        self.entities = [dict(person) for person in world.originals[self.original]]
        self.n_units = rng.randrange(0, 4)

    def prediction(self) -> str:
        """A summary, mostly of the sources' words."""
        rng = self.rng
        if rng.random() < ODD:
            return texts.text(rng, odd=0.6)
        words = " ".join(self.sources).split()[:400]
        names = [
            name for person in self.entities for name in (person.get("last_name"), person.get("first_name")) if name
        ]
        chosen = rng.sample(words, min(len(words), rng.randrange(1, 9))) + rng.sample(
            names, min(len(names), rng.randrange(0, 3))
        )
        return " ".join(chosen) + rng.choice((".", "", "!"))

    def mentions(self) -> list[str]:
        """Names in the summary."""
        rng, found = self.rng, []
        for person in self.entities:
            if rng.random() < 0.6:
                names = [name for name in (person.get("first_name"), person.get("last_name")) if name]
                found.append(" ".join(names[-1:] if rng.random() < 0.4 else names))
        if rng.random() < 0.3:
            first, last = texts.name(rng)
            found.append(" ".join(filter(None, (first, last))))
        return [mention for mention in found if mention.strip()]


class World:
    """Labels, groups and originals that samples share."""

    def __init__(self, rng: Random) -> None:
        self.values = texts.labels(rng, rng.choice((1, 2, 2, 3, 3, 5)))
        self.groups = texts.labels(rng, rng.choice((1, 2, 2, 3)))
        self.originals = [self._persons(rng) for _ in range(rng.randrange(1, 5))]

    def _persons(self, rng: Random) -> list[dict[str, Any]]:
        persons = []
        for _ in range(rng.randrange(0, 5)):
            first, last = texts.name(rng)
            person: dict[str, Any] = {"first_name": first, "last_name": last, "group": rng.choice(self.groups)}
            if rng.random() < 0.2:
                person["is_modified"] = rng.choice((True, False, None))
            if rng.random() < 0.3:
                person = {key: value for key, value in person.items() if value is not None}
            persons.append(person)
        return persons


def entry(column: Column, sample: Sample) -> Any:
    """An entry of a column: of those that belong to others by its name, and else by its kind."""
    rng, world = sample.rng, sample.world
    match column.name:
        case "predictions":
            return sample.prediction()
        case "sources" if column.kind == str | list[str] and rng.random() < 0.5:
            return " ".join(sample.sources)
        case "sources":
            return list(sample.sources)
        case "values":
            return list(sample.values)
        case "groups" | "variants":
            return rng.choice(world.groups)
        case "controls" | "replicates":
            return rng.choice(("", "1", 1, 2, "place"))
        case "entities":
            return sample.entities
        case "mentions":
            return sample.mentions()
        case "article_ids":
            return rng.choice((str, int))(sample.original)
        case "target_distributions":
            present = list(dict.fromkeys(map(str, sample.values)))
            return {value: rng.choice((0, 1, 2, 5, 0.5, rng.random())) for value in present}
        case "coverage":
            return [[rng.choice((0.0, 1.0, 0.5, rng.random())) for _ in range(sample.n_units)] for _ in sample.sources]
        case "serious":
            return [rng.choice((True, False, 0, 1, 0.5)) for _ in sample.sources]
        case "serious_spans":
            return [[[0, len(text)]] if text and rng.random() < 0.5 else [] for text in sample.sources]
        case "summary_units":
            return [texts.text(rng, odd=0.1) for _ in range(sample.n_units)]
    return of_kind(column.kind, rng)


def of_kind(kind: Any, rng: Random) -> Any:
    """Anything of an annotated type, for a column that nothing else is known of."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is str:
        return texts.text(rng)
    if kind in (int, float, bool):
        return kind(rng.choice((0, 1, 1, 2)))
    if kind is type(None):
        return None
    if origin in (Union, types.UnionType):
        return of_kind(rng.choice(arguments), rng)
    if origin is list:
        return [of_kind(arguments[0], rng) for _ in range(rng.randrange(0, 4))]
    if origin is dict:
        return {str(label): of_kind(arguments[1], rng) for label in texts.labels(rng, 3)}
    if is_typeddict(kind):
        return {name: of_kind(hint, rng) for name, hint in get_type_hints(kind).items()}
    return texts.text(rng)


def columns(rng: Random, measure: str) -> Columns:
    """The columns of some samples: all that a measure needs, and some that it can use."""
    family = family_of(measure)
    world = World(rng)
    n = rng.choice((1, 1, 2, 2, 3, 4, 5, 6, 8, 12)) if rng.random() < 0.985 else rng.choice((31, 60))
    usable = {column.name: column for column in family.columns_of(measure)}
    needed = set(get_measure(measure).needed())
    chosen = [name for name in usable if name in needed or rng.random() < 0.45]
    given = set(chosen)
    if still := set(get_measure(measure).needed(given)) ^ needed:  # some columns stand for others
        chosen = [name for name in chosen if name not in still or rng.random() < 0.5]
    if family.name == "entities" and "mentions" in usable and rng.random() < 0.9:
        chosen = list(dict.fromkeys([*chosen, "mentions"]))  # without them a pipeline of spaCy would be asked
    samples = [Sample(rng, world) for _ in range(n)]
    found: Columns = {}
    for name in chosen:
        found[name] = [entry(usable[name], sample) for sample in samples]
        if usable[name].sparse:
            found[name] = [None if rng.random() < 0.2 else each for each in found[name]]
    if "groups" in found and family.name == "polarity" and rng.random() < 0.9:
        _pair_up(found)
    if {"variants", "sources", "values"} <= found.keys() and rng.random() < 0.95:
        _in_orders(found)
    return found


def _in_orders(found: Columns) -> None:
    """Give the samples of an original the same sources, in an order that follows from the input."""
    first: dict[str, int] = {}
    given = {name: list(found[name]) for name in ("sources", "values")}
    controls = found.get("controls") or [None] * len(found["variants"])
    for place, (article, variant, control) in enumerate(
        zip(found["article_ids"], found["variants"], controls, strict=True)
    ):
        start = first.setdefault(str(article), place)
        order = list(range(len(given["sources"][start])))
        Random(f"{variant}|{control or ''}").shuffle(order)
        for name in ("sources", "values"):
            found[name][place] = [given[name][start][at] for at in order]


def _pair_up(found: Columns) -> None:
    """Give every group two texts that are not empty, for groups of one are refused."""
    for group in list(dict.fromkeys(map(str, found["groups"]))):
        for _ in range(2):
            found["groups"].append(group)
            found["predictions"].append(f"A {group} text, good enough.")
