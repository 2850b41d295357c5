"""Running a study, as a call of the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from inspect import Parameter, Signature
from typing import Any

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.inputs import read_inputs
from fairsum_reproductions.studied import Studied
from fairsum_utils._util.secrets import masked
from fairsum_utils.results.record import Clock, Run, describe_input, plain, whole_record
from fairsum_utils.settings import describe_settings
from fairsum_utils.signature import render_signature


def run_study(
    study: Study,
    given: Sequence[Any],
    settings: Mapping[str, Any],
    *,
    columns: Mapping[str, str] | None = None,
    shape: Mapping[str, Any] | None = None,
    reading: Mapping[str, Any] | None = None,
) -> Studied:
    """Run a study; `given`, `columns`, `shape` and `reading` are those of `read_inputs`."""
    clock = Clock.start()
    made = study.settings.make(settings, module=study.name)
    read = read_inputs(study, given, columns=columns or {}, shape=shape or {}, reading=reading or {})
    # Rows are checked one by one; what scoring wrote is not, and may have been changed by hand.
    relied_on = any(each.kind != "rows" for each in study.inputs)
    with whole_record(f"{study.name}: {read.title}") if relied_on else nullcontext():
        result = study.compute(*read.inputs, settings=made)
        study.parts(result)  # a number that is none may show up only here
    keyed = {info.key: getattr(made, info.name) for info in made.infos().values() if info.key is not None}
    result["signature"] = render_signature({"study": study.name, **keyed})
    run = Run(
        inputs=[describe_input(path, n_rows) for path, n_rows in read.files.items()],
        columns=[],
        began=clock.began,
        seconds=clock.seconds(),
    )
    effective = {info.name: plain(getattr(made, info.name)) for info in made.infos().values()}
    recorded = {study.name: {"study": study.name, "given": plain(dict(settings)), "effective": effective}}
    return Studied(result, study=study.name, title=masked(read.title), settings=recorded, run=run)


def as_call(study: Study) -> Callable[..., Studied]:
    """Make a function of a study, with its signature and documentation.

    Example:
        >>> from fairsum_reproductions import find_study
        >>> as_call(find_study("overall")).__signature__
        <Signature (results) -> 'Studied'>
    """
    inputs = Signature([Parameter(each.name, Parameter.POSITIONAL_OR_KEYWORD) for each in study.inputs])
    names = list(inputs.parameters)

    def call(*given: Any, **arguments: Any) -> Studied:
        # Python words the errors on inputs that are missing, repeated or superfluous; settings have our messages.
        inputs.bind(*given, **{name: arguments[name] for name in names if name in arguments})
        given = (*given, *(arguments.pop(name) for name in names[len(given) :]))
        columns = arguments.pop("columns", None)
        shape = {name: arguments.pop(name) for name in study.shape if name in arguments}
        return run_study(study, given, arguments, columns=columns, shape=shape)

    columns = Parameter("columns", Parameter.KEYWORD_ONLY, default=None, annotation="Mapping[str, str] | None")
    parameters = [*inputs.parameters.values(), *[columns] * any(each.all_columns for each in study.inputs)]
    parameters += [
        Parameter(info.name, Parameter.KEYWORD_ONLY, default=info.default, annotation=info.type)
        for info in (*study.shape.values(), *study.settings.infos().values())
    ]
    call.__name__ = call.__qualname__ = study.name
    call.__module__ = "fairsum_reproductions"
    call.__doc__ = _documented(study)
    call.__signature__ = Signature(parameters, return_annotation="Studied")  # type: ignore[attr-defined]
    return call


_KINDS = {
    "rows": "rows: a file, a table of any library, or a list of dicts",
    "samples": "records of samples: a file of `fairsum score --samples`, or results with return_samples=True",
    "results": "results, or a file of `fairsum score --output`",
}


def _documented(study: Study) -> str:
    """Write the docstring of the call."""
    lines = [study.question, "", "Args:"]
    lines += [f"    {each.name}: {_input_help(each)}." for each in study.inputs]
    if any(each.all_columns for each in study.inputs):
        columns = {name: what for each in study.inputs for name, what in each.all_columns.items()}
        listed = ", ".join(f"``{name}`` ({what})" for name, what in columns.items())
        lines.append(f"    columns: name -> different name in the table. The columns are {listed}.")
    settings = describe_settings([*study.shape.values(), *study.settings.infos().values()], indent="    ")
    lines += [settings] if settings else []
    lines += ["", "Returns:", "    A dict with methods to show, draw and save.", "", "Raises:"]
    lines += ["    InputError: an input or a setting is invalid.", "", f"Source: {study.cited}."]
    lines += ["", "Chosen:", *(f"    {choice}." for choice in study.choices)] if study.choices else []
    return "\n".join(lines)


def _input_help(each: Input) -> str:
    several = "; several as a mapping from name, or as a list of files" if each.systems else ""
    return f"{each.help} ({_KINDS[each.kind]}{several})"
