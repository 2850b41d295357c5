"""Self-describing settings: default, help, check and names in one place.

Everything that needs to know a setting reads it from here: the checks and their messages, the signatures and
documentation of the library's calls and of the `evaluate` modules, the flags of the command, the tables in the cards.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import LANGUAGES, NORMALIZERS, check_language
from fairsum_utils.validation import (
    LARGEST,
    as_float,
    check_choice,
    check_count,
    check_fraction,
    check_seed,
    describe,
    did_you_mean,
)

Check: TypeAlias = Callable[[str, str, Any], Any]
"""(module, name of the setting, value) -> the value to keep, such as a float for an int."""

Stage: TypeAlias = Literal["rows", "results"]


class Setting(NamedTuple):
    """Description of a setting.

    Attributes:
        name: name in Python.
        type: annotation.
        default: default value.
        help: description, in one line without a final period.
        check: function that rejects invalid values; None accepts all.
        choices: possible names; empty for open sets.
        only: measures that take it; empty for the whole family.
        key: key in a signature; None if it changes no number or a scorer adds it.
        unset: value in the signature for None; None omits it.
        stage: step that it changes: texts to rows, or rows to results.
        flag: command-line option, without dashes; None for none.
        read: conversion of the command-line text.
        metavar: name of the value in the command-line help.
        const: value set by an option without an argument; else None.
        flag_help: help of the option, if `help` does not fit; else None.
        shared: it means the same in every family.
        space: choices offered by a Space: names, or the two ends of a range; empty for booleans and uploaded files;
            None to hide it.
    """

    default: Any
    help: str
    read: Callable[[str], Any]
    check: Check | None = None
    choices: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    key: str | None = None
    unset: str | None = None
    stage: Stage = "rows"
    flag: str | None = ""
    metavar: str | None = None
    const: Any = None
    flag_help: str | None = None
    shared: bool = False
    space: tuple[Any, ...] | None = None
    name: str = ""
    type: str = ""

    def takes(self, measure: str) -> bool:
        """Check whether a measure of the family takes it."""
        return not self.only or measure in self.only


def setting(
    default: Any,
    help: str,
    *,
    choices: Sequence[str] = (),
    least: int | None = None,
    most: int = LARGEST,
    check: Check | None = None,
    read: Callable[[str], Any] | None = None,
    space: Sequence[Any] | bool = False,
    **fields: Any,
) -> Any:
    """Make a field of `Settings`.

    An annotation that ends with None allows None whatever the check.

    Args:
        default: default value.
        help: description in one line without a final period.
        choices: possible names.
        least: smallest whole number.
        most: largest whole number.
        check: additional check; see `Check`.
        read: conversion of the command-line text; None for the type of the default.
        space: choices offered by a Space: names, or the two ends of a range; True for all choices, booleans and
            uploaded files; False to hide it.
        **fields: other fields of `Setting`, such as ``key`` or ``flag`` (empty for the setting's name, None for none).

    Example:
        >>> class Window(Settings):
        ...     size: int = setting(5, "words in a window", least=1, key="size")
        >>> Window(size=0, module="example")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: example: size must be a whole number of at least 1, found int 0
    """
    if choices:
        check = _among(tuple(choices))
    elif least is not None:
        check = _between(least, most)
    elif isinstance(default, bool):
        check = check_bool
    if read is None:
        read = type(default) if isinstance(default, (int, float)) else str
    offered = tuple(choices if space is True else space) if space else None
    return Setting(default, help, read, check, tuple(choices), space=offered, **fields)


def override(settings: type[Settings], name: str, **changes: Any) -> Any:
    """Change some properties of a base class's setting.

    Args:
        settings: base class.
        name: name of the setting.
        **changes: changed attributes of `Setting`, such as ``default``, ``help`` or ``flag``.

    Example:
        >>> class Strict(MeasureSettings):
        ...     empty: str = override(MeasureSettings, "empty", default="error")
        >>> Strict().empty, Strict.infos()["empty"].choices
        ('error', ('skip', 'error'))
    """
    return settings.infos()[name]._replace(**changes)


def _is_same(value: object, other: object) -> bool:
    """Compare two values; an array never equals a default."""
    same = value == other
    return getattr(same, "shape", ()) == () and bool(same)


class Settings:
    """Base class of settings: frozen, keyword-only, checked on creation.

    They behave as a frozen dataclass, without the cost of one to every start of the command. What a class annotates and
    sets to a `setting` is one; what it sets to a plain value says what a run is like and plays no part in comparisons,
    and if it is a setting of a base class, it is none of this one.

    Attributes:
        module: name used in messages.

    Raises:
        InputError: a setting is invalid.
    """

    module: str = "fairsum"

    prefix: ClassVar[str] = ""
    """Comes before the names of its own settings on the command line, where several classes use the same names."""
    narrowed: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Setting of a base class -> the measures that take it here."""

    _own: ClassVar[Mapping[str, Setting]] = {}
    """Settings that the class itself declares, as it declares them."""
    _infos: ClassVar[Mapping[str, Setting]] = {}
    """All its settings, as `infos` gives them."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        annotations = vars(cls).get("__annotations__", {})
        cls._own = {
            name: info._replace(name=name, type=annotations[name])
            for name, info in vars(cls).items()
            if isinstance(info, Setting)
        }
        for name, info in cls._own.items():
            setattr(cls, name, info.default)
        declared: dict[str, Setting] = {}
        for base in reversed(cls.__mro__):
            own = vars(base).get("_own", {})
            declared = {name: info for name, info in declared.items() if name in own or name not in vars(base)} | own
        infos = sorted(map(cls._as_taken, declared.values()), key=lambda info: info.shared)
        cls._infos = {info.name: info for info in infos}

    @classmethod
    def _as_taken(cls, info: Setting) -> Setting:
        """Add the flag and measures of this class to a setting."""
        flag = info.name.replace("_", "-") if info.flag == "" else info.flag
        if flag is not None and cls.prefix and not info.shared:
            flag = f"{cls.prefix}-{flag}"
        return info._replace(flag=flag, only=cls.narrowed.get(info.name, info.only))

    def __init__(self, **given: Any) -> None:
        for name in given:
            if name not in self._infos and (name.startswith("_") or not hasattr(type(self), name)):
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {name!r}")
        values = vars(self)
        values.update(given)
        for name, info in self._infos.items():
            value = getattr(self, name)
            if value is info.default:
                continue
            if info.check is not None and not (value is None and info.type.endswith("None")):
                values[name] = info.check(self.module, name, value)
            elif info.check is None:
                _check_text(self.module, info, value)
        self.check_together()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; replace({name}=...) makes a copy with another {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._infos)

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self._infos)
        return f"{type(self).__name__}({', '.join(values)})"

    def replace(self, **changes: Any) -> Self:
        """Copy the settings with changes, and check them again.

        Args:
            **changes: setting -> value.

        Raises:
            InputError: a setting is invalid.

        Example:
            >>> Resampling(seed=3).replace(n_resamples=10)
            Resampling(confidence_level=None, n_resamples=10, bootstrap=None, seed=3)
        """
        return type(self)(**{**vars(self), **changes})

    def by_name(self) -> dict[str, Any]:
        """Return all settings by name.

        Example:
            >>> Resampling(seed=3).by_name()["seed"]
            3
        """
        return {name: getattr(self, name) for name in self._infos}

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
            given, default = getattr(self, name), self._infos[name].default
            if given is not default and not _is_same(given, default):
                raise InputError(f"{self.module}: {name} applies only to {users}, found {describe(given)}; {remedy}")

    @classmethod
    @cache
    def infos(cls, measure: str | None = None) -> Mapping[str, Setting]:
        """Return the settings by name, those of the class first.

        Args:
            measure: measure to restrict to; None for all.

        Example:
            >>> list(Resampling.infos())
            ['confidence_level', 'n_resamples', 'bootstrap', 'seed']
        """
        return {name: info for name, info in cls._infos.items() if measure is None or info.takes(measure)}

    @classmethod
    def make(cls, given: Mapping[str, Any], *, measure: str | None = None, **context: Any) -> Self:
        """Make settings from values by name.

        Args:
            given: setting -> value.
            measure: measure of the settings; None for any.
            **context: `module` and other arguments that are not settings.

        Raises:
            InputError: a name is unknown or a value invalid.

        Example:
            >>> Resampling.make({"sed": 1}, module="bur")
            Traceback (most recent call last):
            ...
            fairsum_utils.errors.InputError: bur: unknown setting 'sed'; did you mean seed? The settings are
            confidence_level, n_resamples, bootstrap, seed
        """
        known = cls.infos(measure)
        for name in given:
            if name not in known:
                raise unknown_setting(context.get("module", "fairsum"), name, known)
        return cls(**given, **context)

    def keyed(self, measure: str, *left_out: str) -> dict[str, object]:
        """Return the settings that change results after the rows are made, by signature key.

        Args:
            measure: measure of the settings.
            *left_out: names of settings without effect in this case.
        """
        found: dict[str, object] = {}
        for info in self.infos(measure).values():
            if info.key is not None and info.stage == "results" and info.name not in left_out:
                value = getattr(self, info.name)
                found[info.key] = info.unset if value is None else value
        return found


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


def _among(choices: tuple[str, ...]) -> Check:
    return lambda module, name, value: check_choice(module, name, value, choices)


def _between(least: int, most: int) -> Check:
    return lambda module, name, value: check_count(module, name, value, least=least, most=most)


_TEXTS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str,),
    "str | Path": (str, os.PathLike),
    "str | Path | None": (str, os.PathLike),
    "str | os.PathLike[str] | None": (str, os.PathLike),
}
"""What settings of texts and paths may be that have no check of their own, by their annotation."""


def _check_text(module: str, info: Setting, value: object) -> None:
    """Check that a value is a text or path."""
    kinds = _TEXTS.get(info.type)
    if kinds is not None and value is not None and not isinstance(value, kinds):
        path = " or a path" if os.PathLike in kinds else ""
        raise InputError(f"{module}: {info.name} must be a string{path}, found {describe(value)}")


def _read_level(text: str) -> float | None:
    return float(text) or None


MOST_DRAWS = 1_000_000
"""Replicates and permutations: more would cost time and memory without better estimates."""

MANY = 100_000
"""From this number of samples on, the bootstrap draws buckets by default."""

USUAL_LEVEL = 0.95
"""Default confidence level of the command line."""


class Resampling(Settings):
    """Settings of intervals and random draws.

    Example:
        >>> Resampling(confidence_level=0.95).seed
        0
    """

    confidence_level: float | None = setting(
        None,
        "level of the intervals, such as 0.95; None for no interval",
        check=check_level,
        key="ci",
        stage="results",
        flag="confidence",
        read=_read_level,
        metavar="LEVEL",
        flag_help=f"confidence level of the intervals; 0 for no interval (default: {USUAL_LEVEL:g})",
        shared=True,
    )
    n_resamples: int = setting(
        1000,
        "bootstrap replicates",
        least=1,
        most=MOST_DRAWS,
        key="resamples",
        stage="results",
        flag="resamples",
        shared=True,
    )
    bootstrap: str | None = setting(
        None,
        "units to resample: samples (originals for news), or 4,096 buckets of them by a hash of their ids; None for "
        f"buckets if there are {MANY:,} samples or more",
        choices=("samples", "buckets"),
        key="boot",
        stage="results",
        flag_help=f"units that the bootstrap resamples (default: samples, or 4,096 buckets from {MANY:,} samples on)",
        shared=True,
    )
    seed: int | None = setting(
        0,
        "seed of the bootstrap and of tests; None draws one, which the signature shows; random summaries depend only "
        "on the texts",
        check=lambda module, _, seed: check_seed(module, seed),
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
        chosen = self.bootstrap or ("buckets" if n_samples >= MANY else "samples")
        return self.replace(bootstrap=None if chosen == "samples" else chosen)


class MeasureSettings(Resampling):
    """Settings of all measures; families add their own."""

    empty: str = setting(
        "skip",
        'action for an empty prediction: "skip" and count it, or "error"',
        choices=("skip", "error"),
        shared=True,
    )
    reasoning: str = setting(
        "remove",
        "action for a model's reasoning in a prediction, such as between think tags: remove and count it, or keep it",
        choices=("remove", "keep"),
        key="reasoning",
        shared=True,
    )
    unlabelled: str = setting(
        "error",
        'action for a text without a label (empty, missing or "nan"): "error", or "drop" it and count it',
        choices=("error", "drop"),
        flag="drop-unlabelled",
        const="drop",
        flag_help='leave out and count texts without a label (empty, missing or "nan") instead of refusing them',
        shared=True,
    )
    return_samples: bool = setting(
        False, "also return one record per sample, with its evidence", stage="results", flag=None, shared=True
    )

    def keyed(self, measure: str, *left_out: str) -> dict[str, object]:
        """Return what `Settings.keyed` does, and whether texts without a label are dropped."""
        return {**super().keyed(measure, *left_out), "unlabelled": "drop" if self.unlabelled == "drop" else None}


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


class TextSettings(Settings):
    """Language and normalizer of texts.

    Example:
        >>> TextSettings(language="de").language, TextSettings(language="de").chosen_normalizer
        ('german', 'simple')
    """

    normalizer: str | None = setting(
        None,
        "text normalizer: fairsumm (the published pipeline), nltk (the same through NLTK, slow) or simple; None for "
        "fairsumm in English, simple in other languages",
        choices=NORMALIZERS,
        key="norm",
        shared=True,
    )
    language: str = setting(
        "english",
        "language of the texts: English name or ISO code, such as german or de",
        check=check_language,
        key="lang",
        shared=True,
        space=tuple(LANGUAGES),
    )

    @property
    def chosen_normalizer(self) -> str:
        """Chosen normalizer, by default the language's."""
        return self.normalizer or ("fairsumm" if self.language == "english" else "simple")
