"""Errors: one tree, one line each, whatever they quote."""

from __future__ import annotations

import pickle
import tempfile

import pytest

from fairsum_utils.errors import DataSourceError, FairSumError, FileError, InputError, MissingDependencyError, require


def test_every_error_is_of_one_tree_and_also_a_builtin() -> None:
    for kind in (InputError, DataSourceError, FileError, MissingDependencyError):
        assert issubclass(kind, FairSumError)
    assert issubclass(FairSumError, ValueError)
    assert issubclass(MissingDependencyError, ImportError)


@pytest.mark.parametrize("kind", [FairSumError, InputError, FileError, MissingDependencyError])
def test_a_message_is_one_line_that_no_terminal_obeys(kind: type[FairSumError]) -> None:
    error = kind("bur: found 'a\nb\u2028c' \x1b[31m \u202e \ud800 é 日本")
    assert str(error) == "bur: found 'a b c' \\x1b[31m \\u202e \\ud800 é 日本"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (kind, str(error))


def test_what_is_too_long_to_read_loses_its_middle() -> None:
    message = str(InputError("bur: group " + "x" * 100_000 + " has only one text"))
    assert message.startswith("bur: group xxx")
    assert message.endswith("xxx has only one text")
    assert len(message) < 2010
    assert str(InputError("x" * 2000)) == "x" * 2000


def test_without_a_temporary_folder_torch_is_not_imported_halfway(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    assert require("json", extra="excel", purpose="read")
    with pytest.raises(FileNotFoundError, match="No usable"):
        require("json", extra="neural", purpose="read")
