"""Help: what fits a screen, and the topics that lead to the rest."""

import argparse

import pytest

from fairsum_utils.cli import COMMANDS, build_parser
from fairsum_utils.cli.commands import Command
from fairsum_utils.cli.help import COLUMNS, LINES, on_topic, short, topics
from fairsum_utils.families import all_measures, family_of


def everything(command):
    yield command
    command.fill()
    for below in command.actions_of().values():
        yield from everything(below)


PARSERS = {parser.prog: parser for parser in everything(build_parser())}


@pytest.mark.parametrize("prog", PARSERS)
def test_help_fits_a_screen(prog):
    shown = PARSERS[prog].format_help().splitlines()
    assert sum(max(1, -(-len(line) // COLUMNS)) for line in shown) <= LINES  # long lines take several


@pytest.mark.parametrize("prog", PARSERS)
def test_every_value_is_told_by_a_word_or_its_choices(prog):
    """No ``--empty EMPTY``, as argparse makes up where nobody says."""
    made_up = [
        action.option_strings
        for action in PARSERS[prog]._actions
        if action.option_strings and action.nargs != 0 and action.metavar is None and action.choices is None
    ]
    assert made_up == []


def test_help_names_every_command_and_group():
    shown = build_parser().format_help()
    assert all(f" {name}" in shown for name in COMMANDS)
    groups = ("measures", "representation", "coverage", "polarity", "entities", "models", "input", "output", "options")
    shown = PARSERS["fairsum score"].format_help()
    assert all(f"\n  {group} " in shown for group in groups)
    # Commands that are not asked for have no options yet, and are not filled for the list.
    assert "usage: fairsum [OPTIONS] COMMAND ...\n" in build_parser().format_help()


@pytest.mark.parametrize("name", all_measures())
def test_a_measure_has_a_page_with_all_its_options(name):
    shown = on_topic(PARSERS["fairsum score"], name)
    wanted = {info.flag for info in family_of(name).taken(name).values() if info.flag}
    wanted |= {column.flag for column in family_of(name).columns_of(name)}
    told = {word.lstrip("-") for word in shown.split() if word.startswith("--")}
    assert wanted <= told
    of_others = {"tau": "bur", "alpha": "equal_coverage", "ner": "entity_inclusion", "regard-model": "regard"}
    for flag, owner in of_others.items():
        assert (f"  --{flag} " in shown) == (flag in wanted), owner


@pytest.mark.parametrize(
    ("topic", "first"),
    [
        ("tau", "  --tau X  a value is underrepresented below tau"),
        ("--tau", "  --tau X  a value is underrepresented below tau"),
        ("coverage", "coverage: equal_coverage, coverage_parity:"),
        ("models", "models, where a measure runs one:"),
        ("uer", "options of Unfair Error Rate (uer); what it is: fairsum explain uer"),
        ("examples", "The file holds one sample a row"),
    ],
)
def test_topics(topic, first):
    assert on_topic(PARSERS["fairsum score"], topic).strip().startswith(first.strip())


def test_topics_of_the_command():
    assert topics(PARSERS["fairsum score"])[:3] == ["measures", "representation", "coverage"]
    assert on_topic(PARSERS["fairsum"], "score") == PARSERS["fairsum score"].format_help()
    assert on_topic(PARSERS["fairsum"], "scor") is None


def test_an_unknown_topic_gets_the_likeliest_one(capsys):
    for words, said in (
        (["score", "--help", "burr"], "fairsum score: error: no help on 'burr'; did you mean bur?\n"),
        (["--help", "comparee"], "fairsum: error: no help on 'comparee'; did you mean compare?\n"),
    ):
        with pytest.raises(SystemExit) as left:
            build_parser().parse_args(words)
        assert (left.value.code, capsys.readouterr().err) == (2, said)


def test_options_that_a_command_adds_are_in_a_group_without_more():
    command = Command(prog="fairsum new", description="A command.")
    group = command.add_argument_group("trees, if there are any")
    for name in ("oak", "ash", "elm", *map(str, range(30))):
        group.add_argument(f"--{name}", metavar="N")
    assert "\n  trees          --oak, --ash, --elm, --0, --1" in short(command)
    assert "... (33)\n" in short(command)
    assert "--elm N" in on_topic(command, "trees")


def test_many_commands_share_lines_at_the_end():
    parser = Command(prog="fairsum", description="Many.")
    below = parser.add_subparsers(metavar="COMMAND", parser_class=Command)
    for place in range(40):
        below.add_parser(f"command{place}", help="of many")
    shown = short(parser).splitlines()
    assert len(shown) <= LINES
    assert "  command0   of many" in shown
    assert "command39" in " ".join(shown)


def test_an_action_without_choices_is_no_command():
    assert Command(prog="x").actions_of() == {}
    assert isinstance(Command(prog="x"), argparse.ArgumentParser)


def test_a_long_line_of_a_list_of_commands_ends_with_a_word():
    cut = [line for line in PARSERS["fairsum study"].format_help().splitlines() if line.endswith("...")]
    full = {
        action.dest: action.help for action in PARSERS["fairsum study"]._subparsers._group_actions[0]._choices_actions
    }
    assert cut
    for line in cut:
        name, begun = line.removesuffix(" ...").split(maxsplit=1)
        assert name == "usage:" or full[name].startswith(f"{begun} ")
