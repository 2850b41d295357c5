"""tools/prose.py: a good and a bad example of each rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import load_script


def function(doc: str) -> str:
    return f'def f():\n    """{doc}"""\n'


def argument(text: str) -> str:
    return f'def f(x):\n    """Read x.\n\n    Args:\n        x: {text}\n    """\n'


@pytest.mark.parametrize(
    ("good", "bad", "line", "fault"),
    [
        (function("Read rows, " + "word " * 12), function("Read rows, " + "word " * 13), 2, "15 words"),
        (function("Read `a b c d`, " + "word " * 12), '"""A b ' + "word " * 13 + '"""', 1, "15 words"),
        ('"""Rows of a table."""', '"""What a table has."""', 1, "'What'"),
        ('class A:\n    """Groups of texts."""', 'class A:\n    """Of the groups."""', 2, "'Of'"),
        (function("Return whether rows are sorted."), function("Whether rows are sorted."), 2, "'Whether'"),
        (function("Return the rows."), function("The rows."), 2, "'The'"),
        (function("Return the rows."), function("Returns the rows."), 2, "'Returns'"),
        ('class A:\n    """A row."""', 'class A:\n    def f(self):\n        """A row."""', 3, "'A'"),
        (argument("seed of the draws."), argument("of the draws."), 5, "'of'"),
        (argument("True if sorted."), argument("whether sorted."), 5, "'whether'"),
        (function("Read.\n\n    Returns:\n        Rows."), function("Read.\n\n    Returns: Rows."), 4, "'Returns:'"),
        (function("Read.\n\n    Source: A."), function("Read.\n\n    All rows. Source: A."), 4, "'Source:'"),
        (argument("rows."), function("Read x.\n\n    Args: x: rows."), 4, "'Args:'"),
        (argument("rows, as y: z."), argument("rows. x: more."), 5, "'x:'"),
        (argument("rows."), argument("rows.").replace("Args:", "Args:\n    Args:"), 5, "'Args:' stands twice"),
        (function("Read what the user chose."), function("Read what the user said."), 2, "'said'"),
        (function('Replace "said" by "say".'), function("Replace whoever is named."), 2, "'whoever'"),
        ('raise ValueError("no person is named")', 'raise ValueError("nobody is named")', 1, "'nobody'"),
        ('x = f"{a} is named by its user"', 'x = f"{a} is the same, but for rounding"', 1, "'the same, but'"),
        ('x = "told"', 'x = "as it is told"', 1, "'told'"),
        ('Option("--seed", help="Seed of the draws")', 'Option("--seed", help="of the draws")', 1, "'of'"),
        ('Argument("x", "X", "Seed")', 'Argument("x", "X", "seed")', 1, "small letter"),
        ('_DESCRIPTION = "BUR: share of a group."', '_DESCRIPTION = "BUR: how much a group has."', 1, "'how'"),
        ("x = 1  # rows of the table", "x = 1  # what a table has", 1, "'what'"),
        ("# Rows of a sample\n# that is whole", "# Rows of a sample\n# that is whole, nobody knows.", 1, "'nobody'"),
        ("message = 1", "said = 1", 1, "'said'"),
        ("def test_rows_are_sorted(): ...", "def test_what_is_sorted(): ...", 1, "'what'"),
        ("def f(kind): ...", "def f(kin): ...", 1, "'kin'"),
        ('x = "A row is sorted."', 'x = "What is sorted is a row."', 1, "clause"),
        ('x = "Which rows are sorted? Some are."', 'x = "Some. Sorted are rows; Scored are none."', 1, "inverted"),
    ],
)
def test_rules(repository: Path, good: str, bad: str, line: int, fault: str) -> None:
    prose = load_script(repository / "tools" / "prose.py")
    assert list(prose.faults(good)) == []
    found = list(prose.faults(bad))
    assert any(place == line and fault in text for place, _, text in found), found


def test_pages_are_read_without_their_code(repository: Path) -> None:
    prose = load_script(repository / "tools" / "prose.py")
    page = "# Title\n\nA row.\n\n```python\nsaid = 'told'\n```\n\nThe rows were told apart.\n"
    assert [(line, kind) for line, kind, _ in prose.page_faults(page)] == [(9, "page")]
