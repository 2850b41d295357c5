"""Every command and call gives what is recorded in `outputs/`; see `tools/record_outputs.py`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("evaluate")
pytest.importorskip("transformers")

from tests.golden.net import OUTPUTS, Net, case_names, compare


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Net]:
    made = Net(tmp_path_factory.mktemp("golden"))
    yield made
    made.close()


@pytest.mark.parametrize("name", case_names())
def test_it_gives_what_is_recorded(net: Net, name: str) -> None:
    if name.startswith("help/") and sys.version_info[:2] != (3, 11):
        pytest.skip("recorded with Python 3.11")
    if difference := compare(name, net.run(name)):
        pytest.fail(f"{difference}\n\nIf this is intended: python tools/record_outputs.py {name}", pytrace=False)


def test_every_record_has_a_case() -> None:
    recorded = {Path(*path.relative_to(OUTPUTS).parts[1:]).with_suffix("") for path in OUTPUTS.rglob("*.*")}
    assert {path.as_posix() for path in recorded} == set(case_names())
