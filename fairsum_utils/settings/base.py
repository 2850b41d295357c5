"""Settings: frozen pydantic models whose mistakes are one line.

A class lists its settings as fields: `setting` gives default and help, the annotation what a value may be. Checks and
their messages, signatures, help, cards and Spaces all read them from there.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, ValidationInfo
from pydantic_core import core_schema

from fairsum_utils.errors import InputError
from fairsum_utils.validation import (
    check_choice,
    describe,
    did_you_mean,
    unwrapped,
)

Check: TypeAlias = Callable[[str, str, Any], Any]
"""(module, name of the setting, value) -> the value to keep, such as a float for an int."""

Stage: TypeAlias = Literal["rows", "results"]


@dataclass(frozen=True)
class Checked:
    """Annotation of a setting whose values a function checks.

    Attributes:
        check: function that returns the value to keep, or raises `InputError`.
        choices: values that are known by name.
        low: smallest number.
        high: largest number.

    Example:
        >>> from fairsum_utils.settings import whole
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

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Let pydantic call the check."""
        return core_schema.with_info_plain_validator_function(self._checked)

    def _checked(self, value: Any, info: ValidationInfo) -> Any:
        kept = self.check(str(info.context), str(info.field_name), value)
        return tuple(kept) if isinstance(kept, list) else kept


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
        key: key in every signature; None if it changes no number, or a scorer or `changed_key` adds it.
        changed_key: key in a signature where the value is not the default; for new settings, so that stored signatures
            stay as they are.
        unset: value in the signature for None; None omits it.
        space: choices offered by a Space: names, or the two ends of a range; empty for booleans and uploaded files;
            None to hide it.
        shared: it means the same in every family.
    """

    name: str
    type: str
    default: Any
    help: str
    choices: tuple[str, ...]
    bounds: tuple[float | None, float | None]
    stage: Stage = "rows"
    key: str | None = None
    changed_key: str | None = None
    unset: str | None = None
    space: tuple[Any, ...] | None = None
    shared: bool = False


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
        >>> from fairsum_utils.settings import Draws, Resampling
        >>> class Exact(Resampling):
        ...     n_resamples: Draws = override(Resampling, "n_resamples", default=10_000)
        >>> Exact().n_resamples, Exact.infos()["n_resamples"].key
        (10000, 'resamples')
    """
    field = settings.model_fields[name]
    default = field.default if default is ... else default
    return setting(default, help or str(field.description), **{**dict(field.json_schema_extra or {}), **facts})  # type: ignore[arg-type]


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
    return Setting(name, type_name(annotation), field.default, field.description or "", choices, bounds, **facts)


class _Computed:
    """Class attribute that is computed when it is read."""

    def __init__(self, compute: Callable[[type[Settings]], Any]) -> None:
        self._compute = compute

    def __get__(self, instance: object, owner: type[Settings]) -> Any:
        return self._compute(owner)


def _signature(kind: type[Settings]) -> inspect.Signature:
    """Return the signature of a class, whose own settings come first."""
    only = inspect.Parameter.KEYWORD_ONLY
    infos = kind.infos().values()
    return inspect.Signature(
        [inspect.Parameter(each.name, only, default=each.default, annotation=each.type) for each in infos]
    )


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

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.__signature__ = _Computed(_signature)  # type: ignore[assignment]

    @classmethod
    def __pydantic_on_complete__(cls) -> None:
        cls.__signature__ = _Computed(_signature)  # type: ignore[assignment]  # in place of pydantic's

    def __setattr__(self, name: str, value: object) -> None:
        if name in type(self).model_fields:
            kind = type(self).__name__
            raise AttributeError(f"{kind} is frozen; replace({name}=...) makes a copy with another {name}")
        super().__setattr__(name, value)

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
        return bool(frozen(dict(self)) == frozen(dict(other)))

    def __hash__(self) -> int:
        return hash((type(self), frozen(dict(self))))

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        infos = type(self).model_fields
        return [(name, value) for name, value in self if frozen(value) != frozen(infos[name].default)]

    def replace(self, **changes: Any) -> Self:
        """Copy the settings with changes, and check them again.

        Args:
            **changes: setting -> value; also ``module``.

        Raises:
            InputError: a setting is invalid.

        Example:
            >>> from fairsum_utils.settings import Resampling
            >>> Resampling(seed=3).replace(n_resamples=10)
            Resampling(n_resamples=10, seed=3)
        """
        given = {"module": self.module, **self.given()}
        if all(name in given and given[name] is value for name, value in changes.items()):
            return self
        return type(self)(**given | changes)

    def given(self) -> dict[str, Any]:
        """Return the settings that were given, by name.

        Example:
            >>> from fairsum_utils.settings import Resampling
            >>> Resampling(seed=0).given()
            {'seed': 0}
        """
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

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
    def infos(cls) -> Mapping[str, Setting]:
        """Describe the settings by name, those of the class first.

        Example:
            >>> from fairsum_utils.settings import Resampling
            >>> list(Resampling.infos())
            ['confidence_level', 'n_resamples', 'bootstrap', 'seed']
        """
        found = []
        for name, field in cls.model_fields.items():
            info = _described(name, field)
            if info is not None:
                found.append(info)
        homes = [inspect.get_annotations(kind) for kind in cls.__mro__]

        def place(info: Setting) -> tuple[bool, int]:
            home = next(n for n, names in enumerate(homes) if info.name in names)
            return info.shared, 0 if info.shared else home

        return {info.name: info for info in sorted(found, key=place)}

    @classmethod
    def make(cls, given: Mapping[str, Any], **context: Any) -> Self:
        """Make settings from values by name.

        Args:
            given: setting -> value.
            **context: `module` and fields that are not settings.

        Raises:
            InputError: a name is unknown or a value invalid.

        Example:
            >>> from fairsum_utils.settings import Resampling
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
        >>> from fairsum_utils.settings import Resampling
        >>> print(describe_settings(Resampling.infos().values()).splitlines()[1])
        n_resamples (int): bootstrap replicates. Default: 1000.
    """
    return "\n".join(
        wrapped_item(f"{info.name} ({info.type}): {info.help}. Default: {info.default!r}.", indent) for info in infos
    )


@cache
def wrapped_item(item: str, indent: str) -> str:
    """Wrap an item of a docstring's list; measures share most of them."""
    return textwrap.fill(
        item, 120, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
