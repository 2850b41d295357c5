"""The command as a whole: help, what it imports, exit statuses."""

import subprocess
import sys

import pytest

import fairsum_utils
from fairsum_utils.cli import main


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "fairsum_utils", *arguments], capture_output=True, text=True, **options
    )


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (["--help"], []),
        (["publish", "--help"], []),
        (["score", "--help"], ["numpy"]),  # measures stand beside their formulas
    ],
)
def test_help_loads_nothing_heavy_and_answers_at_once(arguments, loaded, tmp_path):
    code = (
        "import contextlib, io, sys, time\n"
        "before = time.process_time()\n"
        "from fairsum_utils.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    main({arguments})\n"
        "heavy = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas', 'numpy', 'pyarrow'}\n"
        "print(sorted(heavy & sys.modules.keys()), time.process_time() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    names, _, seconds = done.stdout.strip().rpartition(" ")
    assert names == str(loaded)
    assert float(seconds) < 2  # about 0.15 where nothing else runs


def test_a_command_imports_no_other(tmp_path):
    code = (
        "import sys\n"
        "from fairsum_utils.cli import main\n"
        "main(['env', '--quiet'])\n"
        "found = {name.rpartition('.')[2] for name in sys.modules if name.startswith('fairsum_utils.cli.')}\n"
        "print(sorted(found), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr.strip() == str(["app", "command", "config", "env", "names", "outputs", "spelling", "terminal"])


def test_scoring_loads_no_hugging_face_library(tmp_path):
    code = (
        "import sys\n"
        "from fairsum_utils.cli import main\n"
        "main(['demo'])\n"
        "heavy = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas'}\n"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["scor"], "fairsum: error: unknown command 'scor'; did you mean score?"),
        (["--verison"], "fairsum: error: unknown option --verison; did you mean --version?"),
        (["score", "x", "--metrcs", "bur"], "fairsum score: error: unknown option --metrcs; did you mean --metrics?"),
        (["score", "x", "--taux=9"], "fairsum score: error: unknown option --taux; did you mean --set tau=VALUE?"),
        (["score", "x", "--metrics", "burr"], "fairsum score: error: unknown measure 'burr'; did you mean bur?"),
        (["score", "x", "--format", "txt"], "fairsum score: error: --format: unknown choice 'txt'; did you mean text?"),
        (["score", "x", "--set", "tau=a"], "fairsum score: error: tau must be a number in [0, 1], found 'a'\n"),
        (["env", "x"], "fairsum env: error: unexpected argument 'x'; see fairsum env --help"),
        (["demo", "--save", "--redact"], "fairsum demo: error: --save: a value is missing before --redact"),
        (["demo", "--save"], "fairsum demo: error: Option '--save' requires an argument\n"),
        (["data"], "fairsum data: error: missing: COMMAND; see fairsum data --help"),
        (["score"], "fairsum score: error: missing: FILE; see fairsum score --help"),
        (["data", "buidl"], "fairsum data: error: unknown command 'buidl'; did you mean build?"),
        (["data", "build", "x"], "fairsum data build: error: missing: --output; see fairsum data build --h"),
        (["score", "x", "--\x1b]0;y"], "fairsum score: error: unknown option --\\x1b]0;y; see fairsum score --help"),
    ],
)
def test_a_mistake_gets_one_line(words, said, capsys):
    status, captured = main(words), capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert captured.err.startswith(said)
    assert captured.err.count("\n") == 1


def test_the_command_alone_helps(fairsum):
    assert fairsum() == fairsum("--help")


def test_a_reader_that_leaves_is_no_error(tmp_path):
    path = tmp_path / "empty"
    path.write_text("")
    command = f"{sys.executable} -m fairsum_utils demo | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "System A: 8 samples scored, 0 skipped\n"
    assert "Traceback" not in done.stderr


def test_version(tmp_path):
    assert run("--version", cwd=tmp_path).stdout.strip() == f"fairsum-utils {fairsum_utils.__version__}"


def test_readme_python_example_runs(repository, forked):
    """The README's Python block, from the repository's root, as a reader would run it."""
    pytest.importorskip("evaluate")
    import re

    block = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(encoding="utf-8"), re.S)
    assert block is not None
    done = forked.start(["-c", block[1]], repository).wait()
    assert done.returncode == 0, done.stderr
    # Worked by hand: the summary's tokens all come from the positive text, and "soup" from both.
    assert done.stdout.splitlines()[0] == "1.0 {'negative': 1.0, 'positive': 0.0}"


@pytest.mark.parametrize("words", [["study", "list"], ["reproduce", "bold"]])
def test_the_papers_scripts_are_a_distribution_of_their_own(fairsum, monkeypatch, words):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    assert fairsum(*words) == (
        2,
        "",
        f"fairsum {words[0]}: error: the papers' scripts are missing; install them with: pip install ./reproductions "
        "(in a checkout)\n",
    )
