"""Options of measures and columns: what they mean, and how those in vain are refused."""

from contextlib import nullcontext

import pytest

from fairsum_utils.cli.options import chosen_measures, layout_of
from fairsum_utils.cli.score import score
from fairsum_utils.cli.settings import INSTEAD, chosen_settings, read_value
from fairsum_utils.cli.spelling import as_options, in_plain_words, spelled_reasons
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Table


def parse(*arguments):
    return score.parsed(score.make_context("score", ["rows.jsonl", *arguments]))


def settings(given, measures):
    """Return the settings that a command line gives to each measure; words with "=" are of ``--set``."""
    words = [word for item in given for word in (["--set", item] if "=" in item else [item])]
    chosen = chosen_settings(parse(*words), "score", measures)
    return {name: each.given() for name, each in chosen.items()}


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_can_be_set(name):
    """What is typed reads as the default itself, and as it is for this measure alone."""
    assert settings([], [name]) == {name: {}}
    for info in get_measure(name).infos().values():
        default = info.default
        if info.name in INSTEAD or default == "" or (default is None and "None" not in info.type.split(" | ")):
            continue
        text = {None: "none", True: "true", False: "false"}.get(default) if default in (None, True, False) else None
        text = ",".join(default) if isinstance(default, tuple) else text or str(default)
        expected = list(default) if isinstance(default, tuple) else default
        assert read_value("score", info, text) == expected, info.name


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["tau=.5"], {"bur": {"tau": 0.5}, "uer": {}}),
        (["k=2"], {"bur": {"k": 2}, "uer": {"k": 2}}),
        (["uer.k=2"], {"bur": {}, "uer": {"k": 2}}),
        (["n-resamples=7"], {"bur": {"n_resamples": 7}}),
        (["bootstrap=none"], {"bur": {"bootstrap": None}}),
        (["at_random=false"], {"bur": {"at_random": False}}),
        (["target={pos = 0.25, 'a b' = 0.75}"], {"bur": {"target": {"pos": 0.25, "a b": 0.75}}}),
        (["matcher=bertscore", "model=7"], {"bur": {"matcher": "bertscore", "model": "7"}}),
        (["matcher=bertscore", "model=2020-01-01"], {"bur": {"matcher": "bertscore", "model": "2020-01-01"}}),
        (["outcomes=length, units"], {"counterfactual_outcomes": {"outcomes": ("length", "units")}}),
        (["first_names=@names"], {"entity_hallucination": {"first_names": {"Ann": "a"}}}),
        (["--device", "cpu"], {"omission": {"device": "cpu"}}),
        (["--seed", "3"], {"bur": {"seed": 3}, "sentiment": {"seed": 3}}),
        (["--seed", "none"], {"bur": {"seed": None}}),
        (["--confidence", "none"], {"bur": {"confidence_level": None}}),
    ],
)
def test_settings_on_the_command_line(given, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text('{"Ann": "a"}')
    assert settings(given, [*expected]) == expected


@pytest.mark.parametrize(
    ("given", "measure", "message"),
    [
        (["tau=1"], "uer", "tau applies only to bur, but uer is requested; leave it out"),
        (["taus=1"], "bur", "unknown setting 'taus'; did you mean tau?"),
        (["--language", "de"], "sentiment", "language applies only to bur, uer, auc, sof, "),
        (["toxicity.threshold=1"], "bur", "--set toxicity.threshold applies only to toxicity, but bur is"),
        (["toxicty.threshold=1"], "bur", "the measure must be one of bur, "),
        (["--set", "tau"], "bur", "--set tau has no value; write --set NAME=VALUE, such as --set tau=0.9"),
        (["=1"], "bur", "--set =1 has no value"),
        (["tau=1", "bur.tau=1"], "bur", "the setting tau of bur is given twice; leave one out"),
        (["return_samples=true"], "bur", "return_samples is for Python; write --samples FILE"),
        (["tau=high"], "bur", "tau must be a number in [0, 1], found str 'high'"),
        (["word_lists=@none.json"], "word_list_inclusion", "word_lists: none.json cannot be read as JSON ("),
        (["word_lists=@twice.json"], "word_list_inclusion", "word_lists: twice.json cannot be read as JSON ("),
    ],
)
def test_settings_in_vain(given, measure, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.json").write_text('{"a": ["he"], "a": ["she"]}')
    with pytest.raises(InputError) as caught:
        settings(given, [measure])
    assert str(caught.value).startswith(f"score: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("largest", "is_read"), [(10, False), (11, True)])
def test_a_file_of_a_setting_may_be_so_large(largest, is_read, tmp_path, monkeypatch):
    monkeypatch.setattr("fairsum_utils.cli.settings._LARGEST", largest)
    (tmp_path / "names").write_text('{"Ann":"a"}')
    given = [f"first_names=@{tmp_path / 'names'}"]
    with nullcontext() if is_read else pytest.raises(InputError, match="more than 10 bytes"):
        assert settings(given, ["entity_hallucination"])


def test_the_default_measures():
    assert chosen_measures(parse(), "score") == ("bur", "uer", "auc", "sof")
    assert chosen_measures(parse("--metrics", "sof, regard"), "score") == ("sof", "regard")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("choose language='zh' or language=\"ja\"", "choose --language zh or --language ja"),
        ("tau must be a number", None),
        ("seed must be a number", "--seed must be a number"),
        ("needs `sources`, see `empty`", "needs --sources-column, see empty"),
        ("give `pair_ids`", "give --column pair_id=NAME"),
        # Names of measures, columns of files and words are left alone.
        ("entity_inclusion: no column 'word_lists'; one of word_lists; the sources must differ", None),
        ("unmatched='uniform', 'skip' or 'unfair'", "--set unmatched=uniform, skip or unfair"),
        ("choose rescale=False", "choose --set rescale=false"),
        ("frame='x'", None),
    ],
)
def test_messages_name_options_as_they_are_typed(text, shown):
    assert as_options(text) == (text if shown is None else shown)


def test_messages_name_the_options_of_the_command():
    text = "name group_by and tau_max; workers must be 1"
    assert as_options(text, score) == text.replace("group_by", "--group-by")
    assert as_options("workers must be 1", score) == "--workers must be 1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("must be one of a, b, found str 'main'", "must be one of a, b, found 'main'"),
        ("must be a number, found float 3.0; leave it out", "must be a number, found the number 3.0; leave it out"),
        ("must be a string, found None; fill it in", "must be a string, found nothing; fill it in"),
        ("found list ['a']", "found the list ['a']"),
        ("rescale applies only to x, found bool False; leave", "rescale applies only to x; leave"),
        ("found int 3; make it a text, for example with str() (row)", "found the number 3; make it a text (row)"),
        ("found string and interval", "found string and interval"),
    ],
)
def test_messages_hold_no_types_of_python(text, shown):
    assert in_plain_words(text) == shown


def test_warnings_of_reports_name_options():
    warning = "choose how to count them: unmatched='uniform' or 'skip'"
    document = {"metrics": {"bur": {"warnings": [{"message": warning}], "undefined": {"bur": "see `sources`"}}}}
    document["metrics"]["uer"] = {"undefined": "give unmatched='skip'", "pairs": [{"undefined": "no `values`"}]}
    table = Table(["a"], [["unmatched='uniform'"]], below=["undefined: give unmatched='skip'", "k='x'"])
    lines = [f"! {warning}", f"C{warning[1:]}.", "undefined: bur (see `sources`)", "tau='x'", "A - B: no `values`"]
    assert spelled_reasons([lines, table], document) == [
        [
            "! choose how to count them: --set unmatched=uniform or skip",
            "Choose how to count them: --set unmatched=uniform or skip.",
            "undefined: bur (see --sources-column)",
            "tau='x'",
            "A - B: no --values-column",
        ],
        table._replace(below=["undefined: give --set unmatched=skip", "k='x'"]),
    ]


def layout(*arguments, measures):
    return {column.name: name for column, name in layout_of(parse(*arguments), "score", measures).columns}


@pytest.mark.parametrize(
    "measures", [["bur", "word_list_inclusion", "sentiment"], ["sentiment", "word_list_inclusion", "bur"]]
)
def test_columns_that_families_share_suit_all_of_them(measures):
    layout = layout_of(parse(), "score", measures)
    kinds = {column.name: column.kind for column, _ in layout.columns}
    texts = dict.fromkeys(("predictions", "article_ids", "groups", "pair_ids"), str)
    assert kinds == {**texts, "sources": list[str], "values": list[str]}
    assert layout.by_id
    alone = layout_of(parse(), "score", ["word_list_inclusion"]).columns
    assert [column.kind for column, name in alone if name == "sources"] == [str | list[str]]


def test_columns_of_the_measures():
    texts = {"predictions": "prediction", "sources": "sources", "values": "values"}
    both = ["bur", "sentiment"]
    assert layout(measures=["bur"]) == texts
    assert layout(measures=both) == {**texts, "groups": "group"}
    named = layout("--group-column", "none", "--sources-column", "docs", measures=both)
    assert named == {**texts, "sources": "docs"}
    # One command line serves all measures of a family.
    assert "sources" not in layout("--sources-column", "text", measures=["distinguishability"])
    # A matrix needs no texts.
    assert layout("--column", "coverage=m", measures=["equal_coverage"]) == {"values": "values", "coverage": "m"}


GROUPS = "distinguishability needs the column groups; name it with --group-column"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--column", "article_idd=x"], "the column must be one of prediction, sources, values, "),
        (["--column", "article_id"], "--column article_id has no name; write --column COLUMN=NAME, such as article_id"),
        (["--column", "article_id=a", "--column", "article_id=b"], "the column article_id is named twice; leave one"),
        (["--column", "units=u"], "--column units=NAME applies only to equal_coverage, coverage_parity, but "),
        (["--values-column", "v"], "--values-column applies only to bur, "),
        (["--group-column", "none"], GROUPS),
        (
            ["--group-column", "none", "--column", "article_id=none"],
            "distinguishability needs the column article_ids; name it with --column article_id=NAME, " + GROUPS,
        ),
    ],
)
def test_columns_in_vain(arguments, message):
    with pytest.raises(InputError) as error:
        layout(*arguments, measures=["distinguishability"])
    assert str(error.value).startswith(f"score: {message}")
