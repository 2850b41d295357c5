"""Help: pages, and the topics that lead to the rest."""

import pytest

from fairsum_utils.cli import run_command
from fairsum_utils.cli.app import COMMANDS, contexts
from fairsum_utils.cli.help import on_topic, short, topics
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.measures import get_measure

PAGES = {context.command_path: context for context in contexts()}
SCORE = PAGES["fairsum score"]


def test_the_page_of_the_command_fits_a_screen_and_names_every_command():
    lines = short(PAGES["fairsum"].command, PAGES["fairsum"]).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if line} >= set(COMMANDS)
    assert len(COMMANDS) <= 17  # 15, and 2 from the second distribution


@pytest.mark.parametrize("path", PAGES)
def test_every_value_is_named_by_a_word_or_its_choices(path):
    """No ``--empty TEXT``, as click makes up."""
    params = PAGES[path].command.params
    assert [param.opts for param in params if param.metavar is None and not getattr(param, "is_flag", False)] == []


def test_a_page_names_the_groups():
    shown = short(SCORE.command, SCORE)
    groups = ("measures", "representation", "coverage", "polarity", "entities", "models", "input", "output", "options")
    assert all(f"\n  {group} " in shown for group in groups)


@pytest.mark.parametrize("name", all_measures())
def test_a_measure_has_a_page_with_all_its_options(name):
    shown = on_topic(SCORE, name)
    wanted = {info.flag for info in get_measure(name).infos().values() if info.flag}
    wanted |= {column.flag for column in family_of(name).columns_of(name)}
    assert wanted <= {word.lstrip("-") for word in shown.split() if word.startswith("--")}
    of_others = {"tau": "bur", "alpha": "equal_coverage", "ner": "entity_inclusion", "regard-model": "regard"}
    for flag, owner in of_others.items():
        assert (f"  --{flag} " in shown) == (flag in wanted), owner


@pytest.mark.parametrize(
    ("topic", "first"),
    [
        ("tau", "--tau X  a group is underrepresented below tau"),
        ("--tau", "--tau X  a group is underrepresented below tau"),
        ("coverage", "coverage: equal_coverage, coverage_parity:"),
        ("output", "output:"),
        ("--output", "--output FILE.json"),
        ("models", "models, where a measure runs one:"),
        ("uer", "options of Unfair Error Rate (uer); what it is: fairsum explain uer"),
        ("examples", "The file holds one sample a row"),
    ],
)
def test_topics(topic, first):
    assert on_topic(SCORE, topic).startswith(first)
    assert topics(SCORE)[:3] == ["measures", "representation", "coverage"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", "--help", "burr"], "fairsum score: error: no help on 'burr'; did you mean bur?\n"),
        (["--help", "comparee"], "fairsum: error: no help on 'comparee'; did you mean compare?\n"),
        (["--help", "bur"], "fairsum: error: no help on 'bur'; see fairsum explain bur, or fairsum score --help bur\n"),
    ],
)
def test_an_unknown_topic_gets_the_likeliest_one(fairsum, words, message):
    assert fairsum(*words) == (2, "", message)


def test_help_as_a_word_and_of_a_command_below(capsys):
    pages = []
    for words in (["score", "--help"], ["help", "score"], ["--help", "score"]):
        assert run_command(words) == 0
        pages.append(capsys.readouterr().out)
    assert len(set(pages)) == 1
