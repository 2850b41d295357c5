"""Running a study, as a call of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.inputs import read_inputs
from fairsum_reproductions.studied import Studied
from fairsum_utils._util.secrets import masked
from fairsum_utils.families.routing import describe_infos, parameters_of
from fairsum_utils.results.record import Clock, Run, describe_input, plain, whole_record
from fairsum_utils.signature import render_signature


def run_study(
    name: str,
    study: Study,
    given: Sequence[Any],
    settings: Mapping[str, Any],
    *,
    columns: Mapping[str, str] | None = None,
    shape: Mapping[str, Any] | None = None,
    reading: Mapping[str, Any] | None = None,
) -> Studied:
    """Run a study.

    Args:
        name: of the study.
        study: itself.
        given: its inputs, see `fairsum_reproductions.inputs.read_inputs`.
        settings: name -> value.
        columns: of rows, name -> its name in the table.
        shape: of sets, see `Study.shape`: name -> value.
        reading: how files are read.

    Raises:
        InputError: a setting or an input is not as described.
    """
    clock = Clock.start()
    made = study.settings.make(settings, module=name)
    read = read_inputs(name, study, given, columns=columns or {}, shape=shape or {}, reading=reading or {})
    # Rows are checked one by one; what scoring wrote is relied on, whatever somebody has made of it since.
    relied_on = any(each.kind != "rows" for each in study.inputs)
    with whole_record(f"{name}: {read.title}") if relied_on else nullcontext():
        result = study.compute(*read.inputs, settings=made)
        study.parts(result)  # a number that is none may show up only here
    keyed = {info.key: getattr(made, info.name) for info in made.infos().values() if info.key is not None}
    result["signature"] = render_signature({"study": name, **keyed})
    run = Run(
        inputs=[describe_input(path, n_rows) for path, n_rows in read.files.items()],
        columns=[],
        began=clock.began,
        seconds=clock.seconds(),
    )
    effective = {info.name: plain(getattr(made, info.name)) for info in made.infos().values()}
    told = {name: {"study": name, "given": plain(dict(settings)), "effective": effective}}
    return Studied(result, study=name, title=masked(read.title), settings=told, run=run)


class _Call:
    """A study as a function of the library."""

    def __init__(self, name: str, study: Study) -> None:
        from inspect import Parameter, Signature

        inputs = [Parameter(each.name, Parameter.POSITIONAL_OR_KEYWORD) for each in study.inputs]
        has_columns = any(each.all_columns for each in study.inputs)
        columns = Parameter("columns", Parameter.KEYWORD_ONLY, default=None, annotation="Mapping[str, str] | None")
        self.study, self._inputs = study, Signature(inputs)
        self.__name__ = self.__qualname__ = name
        self.__module__ = "fairsum_reproductions"
        self.__doc__ = _documented(study)
        self.__signature__ = Signature(
            [
                *inputs,
                *[columns] * has_columns,
                *parameters_of([*study.shape.values(), *study.settings.infos().values()]),
            ],
            return_annotation="Studied",
        )

    def __call__(self, *inputs: Any, **arguments: Any) -> Studied:
        named = [each.name for each in self.study.inputs]
        # Python's own words for what is missing, twice there, or too much; settings have ours.
        self._inputs.bind(*inputs, **{name: arguments[name] for name in named if name in arguments})
        given = [*inputs, *(arguments.pop(name) for name in named[len(inputs) :])]
        columns = arguments.pop("columns", None)
        shape = {name: arguments.pop(name) for name in self.study.shape if name in arguments}
        return run_study(self.__name__, self.study, given, arguments, columns=columns, shape=shape)

    def __repr__(self) -> str:
        return f"<study {self.__name__}{self.__signature__}>"


def as_call(name: str, study: Study) -> _Call:
    """A study as a function with its signature and its documentation.

    Args:
        name: of the study.
        study: itself.

    Example:
        >>> from fairsum_reproductions import find_study
        >>> as_call("overall", find_study("overall"))
        <study overall(results) -> 'Studied'>
    """
    return _Call(name, study)


_KINDS = {
    "rows": "rows: a file, a table of any library, or a list of dicts",
    "samples": "records of samples: a file of `fairsum score --samples`, or results with return_samples=True",
    "results": "results, or a file of `fairsum score --output`",
}


def _documented(study: Study) -> str:
    """The documentation of the call."""
    lines = [study.question, "", "Args:"]
    lines += [f"    {each.name}: {_input_help(each)}." for each in study.inputs]
    if any(each.all_columns for each in study.inputs):
        columns = {name: what for each in study.inputs for name, what in each.all_columns.items()}
        told = ", ".join(f"``{name}`` ({what})" for name, what in columns.items())
        lines.append(f"    columns: name -> its name in the table, where it has another. The columns are {told}.")
    settings = describe_infos([*study.shape.values(), *study.settings.infos().values()], indent="    ")
    lines += [settings] if settings else []
    lines += ["", "Returns:", "    A dict that shows, draws and saves itself.", "", "Raises:"]
    lines += ["    InputError: an input or a setting is not as described.", "", f"Source: {study.cited}."]
    lines += ["", "Chosen:", *(f"    {choice}." for choice in study.choices)] if study.choices else []
    return "\n".join(lines)


def _input_help(each: Input) -> str:
    several = "; several as a mapping from name, or as a list of files" if each.systems else ""
    return f"{each.help} ({_KINDS[each.kind]}{several})"
