"""Bars: on a terminal only, with a total where there is one, none where quiet is asked for."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import pytest

from fairsum_utils._util.terminal import QUIET, bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, *, hidden: bool = False) -> str:
    """What a bar over two samples writes to a stream."""
    with redirect_stderr(stream):
        assert list(bar([1, 2], unit="samples", total=2, leave=True, hidden=hidden)) == [1, 2]
    return stream.getvalue()


def test_a_bar_with_a_total_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(QUIET, raising=False)
    assert "2/2" in shown(Terminal())
    assert " samples" in shown(Terminal())
    assert shown(Terminal(), hidden=True) == ""
    assert shown(io.StringIO()) == ""


def test_quiet_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(QUIET, "1")
    assert shown(Terminal()) == ""
