"""No command that writes goes without a case."""

from __future__ import annotations

import click

from fairsum_utils.cli.app import contexts
from fairsum_utils.cli.names import COMMANDS

from .cases import CASES, READ, SHARED, WRITTEN

NOTHING = ("data list",)
"""Commands that write nothing."""

ALIKE = ("study",)
"""Commands whose actions are all written by the same code: one case is enough."""


def case_of(name: str) -> str:
    """What the lines of the cases of a command begin with."""
    first = name.split()[0]
    return f"{first if first in ALIKE else name} "


def commands() -> dict[str, click.Command]:
    """Name -> every command that does something."""
    leaves = (context for context in contexts() if not isinstance(context.command, click.Group))
    return {context.command_path.partition(" ")[2]: context.command for context in leaves}


def test_every_command_has_a_case() -> None:
    known = commands()
    assert {name.split()[0] for name in known} == set(COMMANDS)
    lacking = [name for name in known if not any(case.line.startswith(case_of(name)) for case in CASES)]
    assert set(lacking) == set(NOTHING)


def test_every_option_that_names_a_file_is_known_and_those_that_are_written_are_in_a_case() -> None:
    lacking = []
    for name, command in commands().items():
        named = {
            param.opts[-1]
            for param in command.params
            if isinstance(param, click.Option)
            and any(word in (param.metavar or "") for word in ("FILE", "DIR", "FOLDER"))
        }
        assert named <= {*WRITTEN, *READ}, f"{name}: is {named - {*WRITTEN, *READ}} written or read?"
        of_command = [case for case in CASES if case.line.startswith(case_of(name))]
        covered = {option for case in of_command for option in case.outputs()}
        lacking += [f"{name} {option}" for option in sorted(named & {*WRITTEN} - {*SHARED} - covered)]
    assert lacking == []
    assert set(SHARED) <= {option for case in CASES for option in case.outputs()}
