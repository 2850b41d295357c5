"""Options of measures and columns: what they mean, and what is said of those in vain."""

import json

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


def settings(*arguments, measures=("bur",)):
    """Return the settings that a command line gives to each measure; arguments with "=" are of ``--set``."""
    words = arguments if arguments[:1] in (("--seed",), ("--confidence",), ("--device",), ("--language",)) else None
    words = words or [word for item in arguments for word in ("--set", item)]
    chosen = chosen_settings(parse(*words), "score", measures)
    return {name: each.given() for name, each in chosen.items()}


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_can_be_set(name):
    """What is typed reads as the default itself, and as it is for this measure alone."""
    assert settings(measures=[name]) == {name: {}}
    for info in get_measure(name).infos().values():
        default = info.default
        if info.name in INSTEAD or default == "" or (default is None and "None" not in info.type.split(" | ")):
            continue
        text = {None: "none", True: "true", False: "false"}.get(default) if default in (None, True, False) else None
        text = ",".join(default) if isinstance(default, tuple) else text or str(default)
        expected = list(default) if isinstance(default, tuple) else default
        assert read_value("score", info, text) == expected, info.name


@pytest.mark.parametrize(
    ("items", "measures", "expected"),
    [
        (["tau=0.5"], ["bur", "uer"], {"bur": {"tau": 0.5}, "uer": {}}),
        (["tau=.5"], ["bur"], {"bur": {"tau": 0.5}}),
        (["k=2"], ["bur", "uer"], {"bur": {"k": 2}, "uer": {"k": 2}}),
        (["uer.k=2"], ["bur", "uer"], {"bur": {}, "uer": {"k": 2}}),
        (["n-resamples=7"], ["bur"], {"bur": {"n_resamples": 7}}),
        (["bootstrap=none"], ["bur"], {"bur": {"bootstrap": None}}),
        (["at_random=false"], ["bur"], {"bur": {"at_random": False}}),
        (["target=equal"], ["bur"], {"bur": {"target": "equal"}}),
        (["target={pos = 0.25, 'a b' = 0.75}"], ["bur"], {"bur": {"target": {"pos": 0.25, "a b": 0.75}}}),
        (["matcher=bertscore", "model=7"], ["bur"], {"bur": {"matcher": "bertscore", "model": "7"}}),
        (["matcher=bertscore", "model=2020-01-01"], ["bur"], {"bur": {"matcher": "bertscore", "model": "2020-01-01"}}),
        (["ner=none"], ["entity_inclusion"], {"entity_inclusion": {"ner": None}}),
        (
            ["outcomes=length, units"],
            ["counterfactual_outcomes"],
            {"counterfactual_outcomes": {"outcomes": ("length", "units")}},
        ),
        (
            ["threshold=0.3"],
            ["toxicity", "sentiment"],
            {"toxicity": {"threshold": 0.3}, "sentiment": {"threshold": 0.3}},
        ),
        (["--seed", "3"], ["bur", "sentiment"], {"bur": {"seed": 3}, "sentiment": {"seed": 3}}),
        (["--seed", "none"], ["bur"], {"bur": {"seed": None}}),
        (["--confidence", "none"], ["bur"], {"bur": {"confidence_level": None}}),
    ],
)
def test_settings_on_the_command_line(items, measures, expected):
    assert settings(*items, measures=measures) == expected


def test_a_setting_from_a_file(tmp_path):
    names = {"Ann": "a", "Bob": "b"}
    (tmp_path / "names").write_text(json.dumps(names))
    given = settings(f"first_names=@{tmp_path / 'names'}", measures=["entity_hallucination"])
    assert given == {"entity_hallucination": {"first_names": names}}


@pytest.mark.parametrize(
    ("items", "measures", "message"),
    [
        (["tau=1"], ["uer"], "score: tau applies only to bur, but uer is requested; leave it out"),
        (["taus=1"], ["bur"], "score: unknown setting 'taus'; did you mean tau?"),
        (["--device", "cpu"], ["omission"], None),
        (["--language", "de"], ["sentiment"], "score: language applies only to bur, uer, auc, sof, "),
        (["toxicity.threshold=1"], ["bur"], "score: --set toxicity.threshold applies only to toxicity, but bur is"),
        (["toxicty.threshold=1"], ["bur"], "score: the measure must be one of bur, "),
        (["tau"], ["bur"], "score: --set tau has no value; write --set NAME=VALUE, such as --set tau=0.9"),
        (["=1"], ["bur"], "score: --set =1 has no value"),
        (["tau=1", "bur.tau=1"], ["bur"], "score: the setting tau of bur is given twice; leave one out"),
        (["return_samples=true"], ["bur"], "score: return_samples is for Python; write --samples FILE"),
        (["tau=high"], ["bur"], "score: tau must be a number in [0, 1], found str 'high'"),
        (["target=pos"], ["bur"], "score: target must be one of ratio, equal or a mapping from group to share"),
        (["target={pos=0.5,neg=0.4}"], ["bur"], "score: the shares of target must have a sum of 1, found 0.9"),
        (["word_lists=@none.json"], ["word_list_inclusion"], "score: word_lists: none.json cannot be read as JSON ("),
        (
            ["word_lists=@broken.json"],
            ["word_list_inclusion"],
            "score: word_lists: broken.json cannot be read as JSON (",
        ),
        (["word_lists=@twice.json"], ["word_list_inclusion"], "score: word_lists: twice.json cannot be read as JSON ("),
        (["word_lists=@list.json"], ["word_list_inclusion"], "score: word_lists must be one of helm, extended or a "),
        (
            ["label_map={x = 'good'}"],
            ["regard"],
            "score: the meanings in label_map must be one of positive, negative, neutral, other",
        ),
        (["--confidence", "high"], ["bur"], "score: confidence_level must be a number"),
    ],
)
def test_settings_in_vain(items, measures, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (("list", "[1]"), ("broken", '{"a": '), ("twice", '{"a": ["he"], "a": ["she"]}')):
        (tmp_path / f"{name}.json").write_text(content)
    if message is None:
        assert settings(*items, measures=measures) == {measures[0]: {"device": "cpu"}}
        return
    with pytest.raises(InputError) as caught:
        settings(*items, measures=measures)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_the_default_measures():
    assert chosen_measures(parse(), "score") == ("bur", "uer", "auc", "sof")
    assert chosen_measures(parse("--metrics", "sof, regard"), "score") == ("sof", "regard")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("choose language='zh' or language=\"ja\"", "choose --language zh or --language ja"),
        ("tau must be a number", None),
        ("seed must be a number", "--seed must be a number"),
        ("one of word_lists", None),
        ("needs `sources`, see `empty`", "needs --sources-column, see empty"),
        ("give `pair_ids`", "give --column pair_id=NAME"),
        # Names of measures, columns of files and words are left alone.
        ("entity_inclusion: no column 'word_lists'; the sources must differ", None),
        ("unmatched='uniform', 'skip' or 'unfair'", "--set unmatched=uniform, skip or unfair"),
        ("choose rescale=False", "choose --set rescale=false"),
        ("frame='x'", None),
    ],
)
def test_messages_name_options_as_they_are_typed(text, shown):
    assert as_options(text) == (text if shown is None else shown)


def test_messages_name_the_options_of_the_command():
    assert as_options("name group_by and tau_max; workers must be 1", score) == (
        "name --group-by and tau_max; workers must be 1"
    )
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
        ("found string and interval", None),
    ],
)  # fmt: skip
def test_messages_hold_no_types_of_python(text, shown):
    assert in_plain_words(text) == (text if shown is None else shown)


def test_warnings_of_reports_name_options():
    warning = "choose how to count them: unmatched='uniform' or 'skip'"
    document = {"metrics": {"bur": {"warnings": [{"message": warning}], "undefined": {"bur": "see `sources`"}}}}
    document["metrics"]["uer"] = {"undefined": "give unmatched='skip'", "pairs": [{"undefined": "no `values`"}]}
    table = Table(["a"], [["unmatched='uniform'"]], below=["undefined: give unmatched='skip'", "k='x'"])
    parts = spelled_reasons(
        [
            [f"! {warning}", f"C{warning[1:]}.", "undefined: bur (see `sources`)", "tau='x'", "A - B: no `values`"],
            table,
        ],
        document,
    )
    assert parts == [
        [
            "! choose how to count them: --set unmatched=uniform or skip",
            "Choose how to count them: --set unmatched=uniform or skip.",
            "undefined: bur (see --sources-column)",
            "tau='x'",
            "A - B: no --values-column",
        ],
        table._replace(below=["undefined: give --set unmatched=skip", "k='x'"]),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["article_idd=x"], "score: the column must be one of prediction, sources, values, "),
        (["article_id"], "score: --column article_id has no name; write --column COLUMN=NAME, such as article_id=doc"),
        (["article_id=a", "article_id=b"], "score: the column article_id is named twice; leave one out"),
        (["units=u"], "score: --column units=NAME applies only to equal_coverage, coverage_parity, but "),
    ],
)
def test_columns_that_cannot_be_named(words, message):
    with pytest.raises(InputError) as caught:
        layout_of(parse(*(each for word in words for each in ("--column", word))), "score", ["entity_inclusion"])
    assert str(caught.value).startswith(message)


def layout(*arguments, measures):
    return {column.name: name for column, name in layout_of(parse(*arguments), "score", measures).columns}


@pytest.mark.parametrize(
    "measures", [["bur", "word_list_inclusion", "sentiment"], ["sentiment", "word_list_inclusion", "bur"]]
)
def test_columns_that_families_share_suit_all_of_them(measures):
    layout = layout_of(parse(), "score", measures)
    kinds = {column.name: column.kind for column, _ in layout.columns}
    assert kinds == {
        "predictions": str,
        "sources": list[str],
        "values": list[str],
        "article_ids": str,
        "groups": str,
        "pair_ids": str,
    }
    assert layout.by_id
    [(sources, _)] = [
        pair for pair in layout_of(parse(), "score", ["word_list_inclusion"]).columns if pair[1] == "sources"
    ]
    assert sources.kind == str | list[str]


def test_columns_of_the_measures():
    texts = {"predictions": "prediction", "sources": "sources", "values": "values"}
    assert layout(measures=["bur"]) == texts
    assert layout(measures=["bur", "sentiment"]) == {**texts, "groups": "group"}
    assert layout("--group-column", "none", "--sources-column", "docs", measures=["bur", "sentiment"]) == {
        **texts, "sources": "docs",
    }  # fmt: skip
    # One command line serves all measures of a family.
    assert "sources" not in layout("--sources-column", "text", measures=["distinguishability"])
    # A matrix needs no texts.
    assert layout("--column", "coverage=m", measures=["equal_coverage"]) == {"values": "values", "coverage": "m"}


@pytest.mark.parametrize(
    ("arguments", "measures", "message"),
    [
        (["--group-column", "g"], ["bur"], "score: --group-column applies only to sentiment, "),
        (
            ["--group-column", "none"],
            ["distinguishability"],
            "score: distinguishability needs the column groups; name it with --group-column",
        ),
        (
            ["--group-column", "none", "--column", "article_id=none"],
            ["distinguishability"],
            "score: distinguishability needs the column article_ids; name it with --column article_id=NAME, "
            "distinguishability needs the column groups; name it with --group-column",
        ),
    ],
)
def test_columns_in_vain(arguments, measures, message):
    with pytest.raises(InputError) as error:
        layout(*arguments, measures=measures)
    assert str(error.value).startswith(message)
