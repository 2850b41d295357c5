"""The cards of the data sets' folders say what the package does."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from fairsum_utils.corpora import corpora
from fairsum_utils.corpora.corpus import Configuration
from fairsum_utils.counterfactual.documents import parse_document

ROOT = Path(__file__).resolve().parents[2] / "datasets"


def card(name: str) -> str:
    return (ROOT / name / "README.md").read_text(encoding="utf-8")


def row_of(body: str, config: str) -> str:
    """The first row of a table that begins with the name of a configuration."""
    return next(line for line in body.splitlines() if line.startswith(f"| `{config}` |"))


@pytest.mark.parametrize("name", corpora())
def test_configurations_columns_options_and_citation(name: str) -> None:
    corpus = corpora()[name]
    front, body = card(name).removeprefix("---\n").split("\n---\n", 1)
    assert front.split("config_names:\n")[1].splitlines() == [f"- {config}" for config in corpus.configurations]
    for config in corpus.configurations:
        assert f"| `{config}` |" in body
    for column in corpus.columns:
        assert f"| `{column}` |" in body
    for option in corpus.options:
        assert re.search(rf"`{option}`|`{option}=", body) or option == "attribute"
    assert f"# {corpus.title}\n" in body
    assert corpus.citation in body
    assert corpus.homepage.removeprefix("https://github.com/") in body or name == "coverage_sets"


def test_perspectivesumm() -> None:
    body = card("perspectivesumm")
    for configuration in corpora()["perspectivesumm"].configurations.values():
        assert configuration.published in body
        if configuration.rows is not None:
            assert f"| {configuration.rows:,} |" in body


def test_coverage_sets() -> None:
    for config, configuration in corpora()["coverage_sets"].configurations.items():
        line = row_of(card("coverage_sets"), config)
        [(attribute, values)] = configuration.attributes.items()
        assert values is not None
        assert f"| {attribute} | {', '.join(values)} |" in line
        assert json.dumps(configuration.options["size"]).strip("[]").replace(", ", " to ") in line


def test_bold() -> None:
    for config, configuration in corpora()["bold"].configurations.items():
        groups = configuration.attributes["group"]
        assert groups is not None
        assert f"| `{config}` | {len(groups)} | {configuration.rows:,} |" in card("bold")


def test_counterfactual_ontonotes() -> None:
    def line(config: str, known: Configuration) -> str:
        groups = ", ".join(known.attributes["group"] or ()) or "none"
        names = {"first": "first", "both": "first and last", None: "none"}[known.options.get("names")]
        return f"| `{config}` | {groups} | {names} | {'' if known.rows is None else f'{known.rows:,} '}|"

    body = card("counterfactual_ontonotes")
    corpus = corpora()["counterfactual_ontonotes"]
    assert all(line(config, known) in body for config, known in corpus.configurations.items())
    assert all(f"| `{option}` |" in body for option in corpus.options)
    [text] = re.findall(r"```json\n(.*?)```", body, re.DOTALL)
    document = parse_document(json.loads(text), "card")
    assert [document.text[slice(*mention[:2])] for mention in document.chains[0]] == ["Mr. Lee", "he"]
    [code] = [code for code in re.findall(r"```python\n(.*?)```", body, re.DOTALL) if "inventory" in code]
    [output] = re.findall(r"```\n(480.*?)```", body, re.DOTALL)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == output
