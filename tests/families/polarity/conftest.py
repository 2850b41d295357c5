"""A table of norms."""

from __future__ import annotations

from pathlib import Path

import pytest

# The norms of "with" would show if function words were not left out.
LEXICON = """\
word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust
joyful\t8\t6\t7\t4\t1\t1\t1\t1
war\t2\t7\t4\t1\t4\t3\t4\t2
table\t5\t5\t5\t1\t1\t1\t1\t1
with\t9\t9\t9\t5\t5\t5\t5\t5
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "norms.tsv"
    path.write_text(LEXICON, encoding="utf-8")
    return path
