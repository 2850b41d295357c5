"""Settings: frozen pydantic models whose mistakes are told in one line.

A class lists its settings as fields: `setting` gives default and help, the annotation what a value may be. Checks and
their messages, signatures, help, cards and Spaces all read them from there.
"""

from __future__ import annotations

import inspect
import math
import os
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, ValidationInfo
from pydantic_core import core_schema

from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import LANGUAGES, Normalizer, check_language
from fairsum_utils.validation import (
    LARGEST,
    as_float,
    check_choice,
    check_count,
    check_fraction,
    describe,
    did_you_mean,
    unwrapped,
)

Check: TypeAlias = Callable[[str, str, Any], Any]
"""(module, name of the setting, value) -> the value to keep, such as a float for an int."""

Stage: TypeAlias = Literal["rows", "results"]


_SHOWN = 3
"""Choices that stand in a signature; an error lists all."""


@dataclass(frozen=True, repr=False)
class Checked:
    """Annotation of a setting whose values a function checks.

    Attributes:
        check: function that returns the value to keep, or raises `InputError`.
        choices: values that are known by name.
        low: smallest number.
        high: largest number.

    Example:
        >>> class Window(Settings):
        ...     size: Annotated[int, whole(1)] = setting(5, "words in a window")
        >>> Window(size=0)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: fairsum: size must be a whole number of at least 1, found int 0
    """

    check: Check
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def __repr__(self) -> str:
        known = [f"{self.low:g} or more"] if self.low is not None and self.high is None else []
        known += [f"{self.low:g} to {self.high:g}"] if self.low is not None and self.high is not None else []
        return ", ".join([*known, *self.choices][:_SHOWN]) or "checked"

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Let pydantic call the check."""
        return core_schema.with_info_plain_validator_function(self._checked)

    def _checked(self, value: Any, info: ValidationInfo) -> Any:
        kept = self.check(info.context, str(info.field_name), value)
        return tuple(kept) if isinstance(kept, list) else kept


def whole(least: int, most: int = LARGEST) -> Checked:
    """Annotate a whole number from `least` to `most`."""
    return Checked(lambda module, name, value: check_count(module, name, value, least=least, most=most), (), least)


class Setting(NamedTuple):
    """Description of a setting, from its field.

    Attributes:
        name: name in Python.
        type: annotation, for people.
        default: default value.
        help: description, in one line without a final period.
        choices: values that are known by name.
        bounds: smallest and largest number; None for no such bound.
        stage: step that it changes: texts to rows, or rows to results.
        key: key in a signature; None if it changes no number or a scorer adds it.
        unset: value in the signature for None; None omits it.
        space: choices offered by a Space: names, or the two ends of a range; empty for booleans and uploaded files;
            None to hide it.
        shared: it means the same in every family.
        flag: command-line option, without dashes; None for none.
        read: conversion of the command-line text.
        metavar: name of the value in the command-line help.
        const: value set by an option without an argument; else None.
        flag_help: help of the option, if `help` does not fit; else None.
    """

    name: str
    type: str
    default: Any
    help: str
    choices: tuple[str, ...]
    bounds: tuple[float | None, float | None]
    stage: Stage = "rows"
    key: str | None = None
    unset: str | None = None
    space: tuple[Any, ...] | None = None
    shared: bool = False
    flag: str | None = ""
    read: Callable[[str], Any] | None = None
    metavar: str | None = None
    const: Any = None
    flag_help: str | None = None


def setting(default: Any, help: str, **facts: Any) -> Any:
    """Make a field of `Settings`.

    Args:
        default: default value.
        help: description in one line without a final period.
        **facts: other attributes of `Setting`, such as ``key`` or ``stage``.

    Example:
        >>> class Window(Settings):
        ...     size: int = setting(5, "words in a window", key="size")
        >>> Window().size, Window.infos()["size"].key
        (5, 'size')
    """
    return Field(default, description=help, json_schema_extra=facts)


def override(settings: type[Settings], name: str, *, default: Any = ..., help: str = "", **facts: Any) -> Any:
    """Change some facts of a base class's setting.

    Args:
        settings: base class.
        name: name of the setting.
        default: another default value.
        help: another description.
        **facts: other attributes of `Setting`.

    Example:
        >>> class Exact(Resampling):
        ...     n_resamples: Draws = override(Resampling, "n_resamples", default=10_000)
        >>> Exact().n_resamples, Exact.infos()["n_resamples"].key
        (10000, 'resamples')
    """
    field = settings.model_fields[name]
    default = field.default if default is ... else default
    return setting(default, help or str(field.description), **{**dict(field.json_schema_extra or {}), **facts})  # type: ignore[arg-type]


def as_given(module: str, name: str, value: Any) -> Any:
    """Return any value; where it is read, it is checked."""
    return value


def _parts(annotation: Any) -> list[Any]:
    """Return the alternatives of an annotation, without None."""
    if get_origin(annotation) in (Union, UnionType):
        return [part for each in get_args(annotation) for part in _parts(each)]
    return [] if annotation is NoneType else [annotation]


def type_name(annotation: Any) -> str:
    """Describe an annotation for people.

    Example:
        >>> type_name(Literal["a", "b"] | None), type_name(Mapping[str, float])
        ('str | None', 'Mapping[str, float]')
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_name(arguments[0])
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(map(type_name, arguments)))
    if origin is Literal:
        return "str"
    if annotation is NoneType:
        return "None"
    if annotation is Ellipsis:
        return "..."
    name = getattr(origin or annotation, "__name__", str(annotation))
    if origin is None or name == "Callable":
        return str(name)
    return f"{name}[{', '.join(map(type_name, arguments))}]"


def _described(name: str, field: Any) -> Setting | None:
    """Describe a field; None for one that is no setting."""
    extra = field.json_schema_extra
    if extra is None:
        return None
    annotation = field.annotation
    checks = [part for part in field.metadata if isinstance(part, Checked)]
    choices: tuple[str, ...] = ()
    for part in _parts(annotation):
        if get_origin(part) is Literal:
            choices += get_args(part)
        elif get_origin(part) is Annotated:
            checks += [each for each in part.__metadata__ if isinstance(each, Checked)]
    bounds: tuple[float | None, float | None] = (None, None)
    for check in checks:
        choices, bounds = choices or check.choices, (check.low, check.high)
    facts = dict(extra)
    if space := facts.pop("space", None):
        facts["space"] = choices if space is True else tuple(space)
    if facts.get("read") is None:
        kinds = [kind for kind in (int, float) if kind.__name__ in type_name(annotation).split(" | ")]
        facts["read"] = kinds[0] if kinds and not isinstance(field.default, bool) else str
    return Setting(name, type_name(annotation), field.default, field.description or "", choices, bounds, **facts)


class Settings(BaseModel):
    """Base class of settings: frozen, keyword-only, checked on creation.

    Attributes:
        module: name used in messages.

    Raises:
        InputError: a setting is invalid.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        arbitrary_types_allowed=True,
        protected_namespaces=(),
        defer_build=True,
    )

    prefix: ClassVar[str] = ""
    """Comes before the names of its own settings on the command line, where several classes use the same names."""
    called: ClassVar[str] = "fairsum"
    """Name used in messages, unless another is given."""

    _module: str = PrivateAttr("fairsum")

    def __init__(self, **given: Any) -> None:
        module = given.pop("module", None) or type(self).called
        values = {name: _plain(value) for name, value in given.items()}
        for name in values:
            field = type(self).model_fields.get(name)
            if field is not None and field.annotation is NoneType:  # a base class's setting, which this one lacks
                raise unknown_setting(module, name, self.infos())
        try:
            self.__pydantic_validator__.validate_python(values, self_instance=self, context=module)
        except ValidationError as error:
            raise type(self)._in_one_line(module, error) from None
        self._module = module
        self.check_together()

    @property
    def module(self) -> str:
        """Name used in messages."""
        return self._module

    @classmethod
    def _in_one_line(cls, module: str, failed: ValidationError) -> InputError:
        """Return the first mistake as an error with one line."""
        error = failed.errors(include_url=False)[0]
        name, found = str(error["loc"][0]), error["input"]
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, InputError):
            return cause
        if error["type"] == "extra_forbidden":
            return unknown_setting(module, name, cls.infos())
        info = cls.infos().get(name)
        if info is not None and info.choices:
            try:
                check_choice(module, name, found, info.choices)
            except InputError as wrong:
                return wrong
        kind = {"bool": "True or False", "str": "a string"}.get((info.type if info else "bool").split(" | ")[0])
        return InputError(f"{module}: {name} must be {kind or error['msg']}, found {describe(found)}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return frozen(dict(self)) == frozen(dict(other))

    def __hash__(self) -> int:
        return hash((type(self), frozen(dict(self))))

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        infos = type(self).model_fields
        return [(name, value) for name, value in self if value is not infos[name].default]

    def replace(self, **changes: Any) -> Self:
        """Copy the settings with changes, and check them again.

        Args:
            **changes: setting -> value; also ``module``.

        Raises:
            InputError: a setting is invalid.

        Example:
            >>> Resampling(seed=3).replace(n_resamples=10)
            Resampling(n_resamples=10, seed=3)
        """
        return type(self)(**{"module": self.module, **self.given(), **changes})

    def given(self) -> dict[str, Any]:
        """Return the settings that were given, by name.

        Example:
            >>> Resampling(seed=0).given()
            {'seed': 0}
        """
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

    def by_name(self) -> dict[str, Any]:
        """Return all settings by name.

        Example:
            >>> Resampling(seed=3).by_name()["seed"]
            3
        """
        return {name: getattr(self, name) for name in self.infos()}

    def check_together(self) -> None:
        """Check combinations of settings; subclasses override this."""

    def only_with(self, allowed: bool, names: Iterable[str], users: str, remedy: str) -> None:
        """Check that settings without effect have their default.

        Args:
            allowed: the settings have an effect.
            names: names of the settings.
            users: choices that use them.
            remedy: advice.

        Raises:
            InputError: a setting differs from its default without effect.
        """
        if allowed:
            return
        for name in names:
            given, default = getattr(self, name), type(self).model_fields[name].default
            if given is not default and frozen(given) != frozen(default):
                raise InputError(f"{self.module}: {name} applies only to {users}, found {describe(given)}; {remedy}")

    @classmethod
    @cache
    def infos(cls, measure: str | None = None) -> Mapping[str, Setting]:
        """Return the settings by name, those of the class first.

        Args:
            measure: ignored, for a class has one measure at most.

        Example:
            >>> list(Resampling.infos())
            ['confidence_level', 'n_resamples', 'bootstrap', 'seed']
        """
        found = []
        for name, field in cls.model_fields.items():
            info = _described(name, field)
            if info is not None:
                flag = name.replace("_", "-") if info.flag == "" else info.flag
                flag = f"{cls.prefix}-{flag}" if flag is not None and cls.prefix and not info.shared else flag
                found.append(info._replace(flag=flag))
        homes = [inspect.get_annotations(kind) for kind in cls.__mro__]

        def place(info: Setting) -> tuple[bool, int]:
            home = next(n for n, names in enumerate(homes) if info.name in names)
            return info.shared, 0 if info.shared else home

        return {info.name: info for info in sorted(found, key=place)}

    @classmethod
    def make(cls, given: Mapping[str, Any], *, measure: str | None = None, **context: Any) -> Self:
        """Make settings from values by name.

        Args:
            given: setting -> value.
            measure: ignored.
            **context: `module` and fields that are not settings.

        Raises:
            InputError: a name is unknown or a value invalid.

        Example:
            >>> Resampling.make({"sed": 1}, module="bur")
            Traceback (most recent call last):
            ...
            fairsum_utils.errors.InputError: bur: unknown setting 'sed'; did you mean seed? The settings are
            confidence_level, n_resamples, bootstrap, seed
        """
        for name in given:
            if name not in cls.infos():
                raise unknown_setting(context.get("module", cls.called), name, cls.infos())
        return cls(**given, **context)

    def keyed(self, measure: str, *left_out: str) -> dict[str, object]:
        """Return the settings that change results after the rows are made, by signature key.

        Args:
            measure: measure of the settings.
            *left_out: names of settings without effect in this case.
        """
        found: dict[str, object] = {}
        for info in self.infos().values():
            if info.key is not None and info.stage == "results" and info.name not in left_out:
                value = getattr(self, info.name)
                found[info.key] = info.unset if value is None else value
        return found


def _plain(value: Any) -> Any:
    """Unwrap NumPy's scalars and arrays, and copy mappings."""
    value = unwrapped(value)
    return dict(value) if isinstance(value, Mapping) else value


def frozen(value: Any) -> Any:
    """Copy a setting into a comparable, hashable form.

    Example:
        >>> frozen({"a": [1, 2]}) == frozen({"a": (1, 2)})
        True
    """
    if isinstance(value, Mapping):
        return frozenset((key, frozen(part)) for key, part in value.items())
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0:
        return tuple(map(frozen, value))
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


RENAMED = {"classifier": "model"}
"""Former name of a setting -> its name."""


def unknown_setting(
    module: str, name: str, known: Iterable[str], what: str = "setting", columns: Iterable[str] = ()
) -> InputError:
    """Return the error for an unknown name, with the most similar known name.

    Example:
        >>> raise unknown_setting("score", "taux", ["tau", "k"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: unknown setting 'taux'; did you mean tau? The settings are tau, k
    """
    names, others = list(known), list(columns)
    if (now := RENAMED.get(name)) in names:
        return InputError(f"{module}: {name} is now called {now}; write {now}=...")
    meant = did_you_mean(name, names)
    guess = meant or did_you_mean(name, others)
    also = f"; the columns are {', '.join(others)}" if others and not meant else ""
    return InputError(
        f"{module}: unknown {what} {name!r}{guess or '.'} The {what}s are {', '.join(names) or 'none'}{also}"
    )


def describe_settings(infos: Iterable[Setting], indent: str = "") -> str:
    """Describe settings for a docstring.

    Example:
        >>> print(describe_settings(Resampling.infos().values()).splitlines()[1])
        n_resamples (int): bootstrap replicates. Default: 1000.
    """
    items = (f"{info.name} ({info.type}): {info.help}. Default: {info.default!r}." for info in infos)
    return "\n".join(
        textwrap.fill(
            item, 120, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
            break_on_hyphens=False,
        )
        for item in items
    )  # fmt: skip


def check_level(module: str, name: str, level: object) -> float:
    """Check a confidence level, in (0, 1).

    Example:
        >>> check_level("bur", "confidence_level", 0.95)
        0.95
    """
    if not 0 < check_fraction(module, name, level) < 1:
        raise InputError(f"{module}: {name} must lie between 0 and 1, found {describe(level)}")
    return float(level)  # type: ignore[arg-type]  # checked above


def check_threshold(module: str, name: str, threshold: object) -> float:
    """Check a threshold, in (0, 1]; every score reaches 0.

    Example:
        >>> check_threshold("toxicity", "threshold", 0.5)
        0.5
    """
    number = as_float(threshold)
    if not 0 < number <= 1:
        raise InputError(f"{module}: {name} must be above 0 and at most 1, found {describe(threshold)}")
    return number


_TINY = 1e-6
"""A number nearer to 0 is none to divide by, and one over it is as large as any that means something."""


def check_positive(module: str, name: str, number: object) -> float:
    """Check a number from a millionth to a million.

    Example:
        >>> check_positive("bur", "temperature", 1)
        1.0
    """
    positive = as_float(number)
    if not 0 < positive < math.inf:
        raise InputError(f"{module}: {name} must be a finite number above 0, found {describe(number)}")
    if not _TINY <= positive <= 1 / _TINY:
        raise InputError(f"{module}: {name} must lie between {_TINY} and {1 / _TINY}, found {describe(number)}")
    return positive


def check_bool(module: str, name: str, value: object) -> bool:
    """Check a truth value.

    Example:
        >>> check_bool("toxicity", "multi_label", True)
        True
    """
    if not isinstance(value, bool):
        raise InputError(f"{module}: {name} must be True or False, found {describe(value)}")
    return value


def read_yes(text: str) -> bool:
    """Read yes or no from the command line.

    Example:
        >>> read_yes("yes"), read_yes("no")
        (True, False)
    """
    if text.lower() not in ("yes", "no"):
        raise ValueError(f"{text!r} is neither yes nor no")
    return text.lower() == "yes"


def _read_level(text: str) -> float | None:
    return float(text) or None


MOST_DRAWS = 1_000_000
"""Replicates and permutations: more would cost time and memory without better estimates."""

MANY = 100_000
"""From this number of samples on, the bootstrap draws buckets by default."""

USUAL_LEVEL = 0.95
"""Default confidence level of the command line."""


Fraction = Annotated[float, Checked(check_fraction, low=0.0, high=1.0)]
"""A number in [0, 1]."""
Level = Annotated[float, Checked(check_level, low=0.0, high=1.0)]
"""A confidence level, in (0, 1)."""
Threshold = Annotated[float, Checked(check_threshold, low=0.0, high=1.0)]
"""A number in (0, 1]."""
Positive = Annotated[float, Checked(check_positive, low=0.0)]
"""A number from a millionth to a million."""
Count = Annotated[int, whole(1)]
"""A whole number of at least 1."""
Draws = Annotated[int, whole(1, MOST_DRAWS)]
"""A number of replicates or permutations."""


class Resampling(Settings):
    """Settings of intervals and random draws.

    Example:
        >>> Resampling(confidence_level=0.95).seed
        0
    """

    confidence_level: Level | None = setting(
        None,
        "level of the intervals, such as 0.95; None for no interval",
        key="ci",
        stage="results",
        flag="confidence",
        read=_read_level,
        metavar="LEVEL",
        flag_help=f"confidence level of the intervals; 0 for no interval (default: {USUAL_LEVEL:g})",
        shared=True,
    )
    n_resamples: Draws = setting(
        1000,
        "bootstrap replicates",
        key="resamples",
        stage="results",
        flag="resamples",
        shared=True,
    )
    bootstrap: Literal["samples", "buckets"] | None = setting(
        None,
        "units to resample: samples (originals for news), or 4,096 buckets of them by a hash of their ids; None for "
        f"buckets if there are {MANY:,} samples or more",
        key="boot",
        stage="results",
        flag_help=f"units that the bootstrap resamples (default: samples, or 4,096 buckets from {MANY:,} samples on)",
        shared=True,
    )
    seed: Annotated[int, whole(0)] | None = setting(
        0,
        "seed of the bootstrap and of tests; None draws one, which the signature shows; random summaries depend only "
        "on the texts",
        key="seed",
        stage="results",
        flag_help="seed of the bootstrap and of tests (default: 0); random summaries depend only on the texts",
        shared=True,
    )

    def seeded(self) -> Self:
        """Copy the settings, with a fresh seed if none is given."""
        if self.seed is not None:
            return self
        import secrets

        return self.replace(seed=secrets.randbits(32))

    def sized(self, n_samples: int) -> Self:
        """Resolve ``bootstrap``: ``"buckets"``, or None to draw samples.

        Args:
            n_samples: number of scored and skipped samples.

        Example:
            >>> [Resampling().sized(n).bootstrap for n in (1500, MANY)]
            [None, 'buckets']
        """
        if "bootstrap" not in self.infos():
            return self
        chosen = self.bootstrap or ("buckets" if n_samples >= MANY else "samples")
        return self.replace(bootstrap=None if chosen == "samples" else chosen)


class ChanceSettings(Settings):
    """Chance level, for families that draw random summaries without a model."""

    at_random: bool = setting(
        False,
        "also compute the chance level: the score of random summaries of the same length",
        flag="no-at-random",
        const=False,
        flag_help="leave out the chance level, the score of random summaries of the same length",
        shared=True,
    )


Language = Annotated[str, Checked(check_language, tuple(LANGUAGES))]
"""A language by its English name or ISO code."""


def _check_location(module: str, name: str, value: object) -> Any:
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{module}: {name} must be a string or a path, found {describe(value)}")
    return value


Location = Annotated[str | os.PathLike[str], Checked(_check_location)]
"""A file, a folder or the id of a model."""


class TextSettings(Settings):
    """Language and normalizer of texts.

    Example:
        >>> TextSettings(language="de").language, TextSettings(language="de").chosen_normalizer
        ('german', 'simple')
    """

    normalizer: Normalizer | None = setting(
        None,
        "text normalizer: fairsumm (the published pipeline), nltk (the same through NLTK, slow) or simple; None for "
        "fairsumm in English, simple in other languages",
        key="norm",
        shared=True,
    )
    language: Language = setting(
        "english",
        "language of the texts: English name or ISO code, such as german or de",
        key="lang",
        shared=True,
        space=True,
    )

    @property
    def chosen_normalizer(self) -> str:
        """Chosen normalizer, by default the language's."""
        return self.normalizer or ("fairsumm" if self.language == "english" else "simple")
