"""The command `verify`: files, columns, reports, exit statuses."""

import json

import pytest

from fairsum_utils.analysis import verification
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import published_stop_words


class Other:
    """Drops "soup" too."""

    version, signature = "9.9", "norm:nltk-9.9"
    stop_words = published_stop_words() | {"soup"}

    def __init__(self, *, module):
        """Take no data."""

    def tokens(self, text):
        return [token for token in FairsummNormalizer().tokens(text) if token != "soup"]


@pytest.fixture(autouse=True)
def other(monkeypatch):
    monkeypatch.setattr(verification, "NltkNormalizer", Other)


@pytest.fixture
def file(write_jsonl):
    return write_jsonl(
        [
            {"id": "a", "prediction": "Tasty soup.", "sources": ["Bread", "Cold soup, soup"], "n": 3},
            {"id": "b", "prediction": "Bread.", "sources": ["Bread"], "n": 4},
        ]
    )


def test_report(fairsum, file):
    status, printed, _ = fairsum("analyse", "verify", file, "--verbose")
    assert status == 1
    assert printed == (
        f"{file}: 2 samples, 5 texts, 5 tokens of NLTK 9.9\n"
        "2 of 5 texts differ\n"
        "The published numbers come from NLTK 3.8.1, and other versions treat some words differently.\n"
        "1 stop word of NLTK alone: soup\n"
        "\n"
        "id        text  position       ours  NLTK's\n"
        "a   prediction         1       soup\n"
        "a   sources[1]         1  soup soup\n"
        "\n"
        "signature: norm:fairsumm|reference:nltk-9.9|v:0.1.0\n"
    )


def test_the_first_differences(fairsum, file):
    printed = fairsum("analyse", "verify", file, "--show", 1, "--format", "markdown")[1]
    assert printed.count("| a  |") == 1
    assert "\n1 more difference; --output FILE.json has all\n" in printed
    assert "1 more" not in fairsum("analyse", "verify", file, "--show", 2)[1]
    assert "\n\n2 more differences;" in fairsum("analyse", "verify", file, "--show", 0)[1]


def test_equal_tokens(fairsum, write_jsonl):
    status, printed, _ = fairsum("analyse", "verify", write_jsonl([{"prediction": "Bread.", "sources": ["Cake"]}]))
    assert status == 0
    assert printed.splitlines()[1] == "no text differs: all tokens are NLTK's"


def test_json_has_all(fairsum, file, tmp_path):
    output = tmp_path / "result.json"
    _, printed, _ = fairsum("analyse", "verify", file, "--show", 0, "--format", "json", "--output", output)
    written = json.loads(output.read_text(encoding="utf-8"))
    assert json.loads(printed) == {name: written[name] for name in json.loads(printed)}
    assert [each["position"] for each in written["differences"]] == [1, 1]
    assert written["file"] == str(file)


def test_columns(fairsum, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('name,text,docs\nx,Soup,"[""Cake"", ""Soup""]"\ny,Bread,Soup\n', encoding="utf-8")
    assert fairsum("analyse", "verify", path, "--prediction-column", "text", "--sources-column", "none")[0] == 1
    chosen = ("--prediction-column", "none", "--sources-column", "docs", "--id-column", "name", "--format", "json")
    result = json.loads(fairsum("analyse", "verify", path, *chosen)[1])
    assert [(each["id"], each["column"], each["place"]) for each in result["differences"]] == [
        ("x", "docs", 1),
        ("y", "docs", None),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sources-column", "docs"), "--sources-column (or leave it out with --sources-column none)"),
        (
            ("--prediction-column", "none", "--sources-column", "none"),
            "verify: error: no column is left; name one with --prediction-column or",
        ),
        (("--show", "-1"), "verify: error: --show must be a whole number of at least 0"),
        (
            ("--prediction-column", "n"),
            "rows.jsonl: sample 0: n must be a string or a list of strings",
        ),
        (("--output", "result.txt"), "result.txt: unknown format; the name must end in .json"),
    ],
)
def test_bad_options(fairsum, file, arguments, message):
    status, _, said = fairsum("analyse", "verify", file, *arguments)
    assert (status, message in said) == (2, True), said
