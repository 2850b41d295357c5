"""A forked process is like any other: its command line, folder, variables, standard streams and end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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


def test_what_takes_too_long_is_killed(forked: Any, tmp_path: Path) -> None:
    process = forked.start(["-c", "import time; print('on', flush=True); time.sleep(60)"], tmp_path)
    while not process.lines():
        pass
    assert process.wait(0).returncode == -signal.SIGKILL


@pytest.mark.parametrize("way", ["-c", "-m", "script"])
def test_it_finds_modules_where_a_new_process_would(way: str, light: Any, tmp_path: Path) -> None:
    code = "import sys; print(sys.path)"
    (tmp_path / "path.py").write_text(code, encoding="utf-8")
    words = {"-c": ["-c", code], "-m": ["-m", "path"]}.get(way, [str(tmp_path / "path.py")])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(["a", str(tmp_path / "b")])}
    new = subprocess.run([sys.executable, *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert light.start(words, tmp_path, env=env).wait().stdout == new.stdout


def test_a_light_one_has_no_library_of_the_hub(light: Any, tmp_path: Path) -> None:
    code = "import sys; print({'fairsum_utils', 'huggingface_hub', 'datasets', 'evaluate', 'torch'} & {*sys.modules})"
    assert light.start(["-c", code], tmp_path).wait().stdout == "set()\n"


def test_who_forks_shares_a_process(request: pytest.FixtureRequest, repository: Path) -> None:
    conftest = request.config.pluginmanager.get_plugin(str(repository / "conftest.py"))
    forking = {
        item.nodeid.split("::")[0]
        for item in request.session.items
        if {"forked", "light"} & {*getattr(item, "fixturenames", ())}
    }
    assert "tests/test_forked.py" in forking
    assert {path: conftest.group(path) for path in forking} == dict.fromkeys(forking, "forked")
