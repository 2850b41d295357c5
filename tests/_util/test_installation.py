"""Hints that work however the package was installed."""

import json
from importlib import metadata

import pytest

from fairsum_utils._util import installation
from fairsum_utils._util.installation import install_command, packages, with_requirements


class Recorded:
    def __init__(self, direct: object) -> None:
        self.direct = direct

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.direct is None else json.dumps(self.direct)


WHEEL = "file:///tmp/fairsum_utils-0.1.0-py3-none-any.whl"


@pytest.mark.parametrize(
    ("direct", "command"),
    [
        (None, 'pip install ".[neural]"  # in a checkout of fairsum'),
        ({"url": WHEEL, "archive_info": {}}, f'pip install "fairsum-utils[neural] @ {WHEEL}"'),
        ({"url": "file:///home/a%20b/fairsum", "dir_info": {}}, 'pip install "/home/a b/fairsum[neural]"'),
        (
            {"url": "https://example.org/f.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            'pip install "fairsum-utils[neural] @ git+https://example.org/f.git"',
        ),
    ],
)
def test_where_it_came_from(direct, command, monkeypatch, tmp_path):
    monkeypatch.setattr(installation, "_ROOT", tmp_path)  # site-packages: no setup.py beside the package
    monkeypatch.setattr(metadata, "distribution", lambda name: Recorded(direct))
    assert install_command("neural") == command


def test_packages_of_extras(monkeypatch):
    requirements = [
        "numpy>=1.26",
        'no-such-package>=2; extra == "neural"',
        'lm-eval[hf]>=0.4.13; extra == "lm-eval"',
        'trl>=1.0; python_version >= "3.11" and extra == "train"',
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: requirements)
    found = packages()
    assert {extra: [*needed] for extra, needed in found.items()} == {
        "": ["numpy"], "neural": ["no-such-package"], "lm-eval": ["lm-eval"], "train": ["trl"],
    }  # fmt: skip
    assert found["neural"]["no-such-package"] is None
    assert found[""]["numpy"] == metadata.version("numpy")


WRITTEN = """\
.[llm]
import fairsum_utils.modules  # From: .
A model needs `pip install ".[neural]"`.
Anything else, such as . or fairsum-utils[llm] in a sentence, stays.
"""


@pytest.mark.parametrize(
    ("registered", "address", "lines"),
    [
        ([], None, [".[llm]", ".", ".[neural]"]),
        (["fairsum-utils"], None, ["fairsum-utils[llm]", "fairsum-utils", "fairsum-utils[neural]"]),
        (["another"], WHEEL, [f"fairsum-utils[llm] @ {WHEEL}", WHEEL, f"fairsum-utils[neural] @ {WHEEL}"]),
    ],
)
def test_one_constant_says_what_all_files_install(registered, address, lines, monkeypatch):
    monkeypatch.setattr(installation, "REGISTERED", frozenset(registered))
    required, imported, hint = lines
    expected = WRITTEN.replace('".[neural]"', f'"{hint}"').replace("From: .", f"From: {imported}")
    expected = expected.replace(".[llm]", required, 1)
    written = with_requirements(WRITTEN, address)
    assert written == expected
    if address is None:
        monkeypatch.setattr(installation, "REGISTERED", frozenset())
        assert with_requirements(written) == WRITTEN
