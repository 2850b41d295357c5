"""A forked process is like any other: its command line, folder, variables, standard streams and end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

CODE = """
import os, sys
print(__name__, sys.argv[1:], os.getcwd(), os.environ["COLOUR"], sys.stdin.read())
sys.exit("over")
"""


@pytest.mark.parametrize("way", ["code", "script"])
def test_code_and_scripts(way: str, forked: Any, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(CODE, encoding="utf-8")
    words = ["-c", CODE] if way == "code" else [tmp_path / "script.py"]
    done = forked.start([*words, "a", 1], tmp_path, text="in", COLOUR="red").wait()
    assert (done.returncode, done.stdout) == (1, f"__main__ ['a', '1'] {tmp_path} red in\n")
    assert done.stderr.startswith("over\n")


def test_modules(forked: Any, tmp_path: Path) -> None:
    done = forked.start(["-m", "json.tool", "--compact"], tmp_path, text='{"é":  1}').wait()
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"\\u00e9":1}\n', "")


def test_who_forks_shares_a_process(request: pytest.FixtureRequest, repository: Path) -> None:
    conftest = request.config.pluginmanager.get_plugin(str(repository / "conftest.py"))
    forking = {
        item.nodeid.split("::")[0]
        for item in request.session.items
        if {"forked", "light"} & {*getattr(item, "fixturenames", ())}
    }
    assert "tests/test_forked.py" in forking
    assert {path: conftest.group(path) for path in forking} == dict.fromkeys(forking, "forked")
