"""The command as a whole: what it imports, exit statuses, mistakes."""

import ast
import contextlib
import io
import re
import subprocess
import sys

import pytest

import fairsum_utils

IMPORTED = """
import contextlib, io, sys, time
from fairsum_utils.cli import main
HEAVY = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas', 'numpy', 'pyarrow'}
for words in (['--help'], ['env', '--help'], ['score', '--help'], ['demo']):
    before = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        main(words)
    seconds = time.process_time() - before
    own = [name.rpartition('.')[2] for name in sys.modules if name.startswith('fairsum_utils.cli.')]
    print([' '.join(words), seconds, sorted(HEAVY & sys.modules.keys()), sorted(own)])
"""


def test_commands_import_nothing_heavy_and_no_other_command(tmp_path):
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, cwd=tmp_path, check=True)
    ran, seconds, heavy, own = zip(*map(ast.literal_eval, done.stdout.splitlines()), strict=True)
    assert dict(zip(ran, heavy, strict=True)) == {
        "--help": [],
        "env --help": [],
        "score --help": ["numpy"],  # measures stand beside their formulas
        "demo": ["numpy", "pyarrow"],
    }
    assert max(seconds[:3]) < 2  # about 0.15 where nothing else runs
    assert own[1] == ["app", "command", "config", "env", "names", "outputs", "spelling", "terminal"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--verison"], "fairsum: error: unknown option --verison; did you mean --version?"),
        (["score", "x", "--metrcs", "bur"], "fairsum score: error: unknown option --metrcs; did you mean --metrics?"),
        (["score", "x", "--taux=9"], "fairsum score: error: unknown option --taux; did you mean --set tau=VALUE?"),
        (["env", "x"], "fairsum env: error: unexpected argument 'x'; see fairsum env --help"),
        (["demo", "--save", "--redact"], "fairsum demo: error: --save: a value is missing before --redact"),
        (["demo", "--save"], "fairsum demo: error: Option '--save' requires an argument\n"),
        (["data"], "fairsum data: error: missing: COMMAND; see fairsum data --help"),
        (["data", "buidl"], "fairsum data: error: unknown command 'buidl'; did you mean build?"),
        (["data", "build", "x"], "fairsum data build: error: missing: --output; see fairsum data build --h"),
        (["data", "export", "x"], "fairsum data export: error: missing: --output; see fairsum data export --h"),
        (["score", "x", "--\x1b]0;y"], "fairsum score: error: unknown option --\\x1b]0;y; see fairsum score --help"),
    ],
)
def test_a_mistake_gets_one_line(fairsum, words, message):
    status, printed, err = fairsum(*words)
    assert (status, printed) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_the_command_alone_helps(fairsum):
    assert fairsum() == fairsum("--help")


def test_version(fairsum):
    assert fairsum("--version") == (0, f"fairsum-utils {fairsum_utils.__version__}\n", "")


def test_a_reader_that_has_left_is_no_error(tmp_path):
    command = [sys.executable, "-m", "fairsum_utils", "explain", "tau"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)


def test_readme_python_example_runs(repository, monkeypatch):
    """The README's Python block, from the repository's root, as a reader would run it."""
    block = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(encoding="utf-8"), re.S)
    assert block is not None
    monkeypatch.chdir(repository)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(block[1], {})
    # Worked by hand: the summary's tokens all come from the positive text, and "soup" from both.
    assert printed.getvalue().splitlines()[0] == "1.0 {'negative': 1.0, 'positive': 0.0}"


@pytest.mark.parametrize("words", [["study", "list"], ["reproduce", "bold"]])
def test_the_papers_scripts_are_a_distribution_of_their_own(fairsum, monkeypatch, words):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    assert fairsum(*words) == (
        2,
        "",
        f"fairsum {words[0]}: error: the papers' scripts are missing; install them with: pip install ./reproductions "
        "(in a checkout)\n",
    )
