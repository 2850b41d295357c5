"""Options that come from settings and columns: which there are, what they mean, and what is said of those in vain."""

import json

import click
import pytest

from fairsum_utils.cli.compare import compare
from fairsum_utils.cli.options import (
    chosen_measures,
    chosen_settings,
    given_settings,
    layout_of,
)
from fairsum_utils.cli.score import score
from fairsum_utils.cli.spelling import as_options, in_plain_words, spelled_reasons
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Table

DEFAULTS = {
    "empty": "skip", "drop-unlabelled": "error", "reasoning": "remove",
    "language": "english", "resamples": 1000, "seed": 0, "matcher":
    "ngram", "temperature": 0.1, "k": 1, "tau": 0.8, "target": "ratio", "entailer": "FacebookAI/roberta-large-mnli",
    "splitter": "sentence", "chunk": "words", "chunk-words": 100, "protocol": "paper", "significance":
    "permutation", "alpha": 0.05,
    "max-exact": 20000, "permutations": 5000, "sentiment-threshold": 0.5, "toxicity-model": "unitary/toxic-bert",
    "regard-model": "sasha/regardv3", "toxicity-threshold": 0.5, "gender-method": "unigram", "gender-threshold":
    0.25, "norms-threshold": 0.25, "fisher-tables": 10000, "word-lists": "helm", "reference": "source",
    "resampling": "rescaled",
    "group-permutations": 1000, "ner": "en_core_web_sm", "embedding": "count", "embedding-model":
    "sentence-transformers/all-MiniLM-L6-v2", "dtype": "auto", "cache": "default", "on-truncate": "warn",
    "single-value": "keep", "name-lookup": "first", "distance": "words", "keep-changed-words": True,
    "variant-permutations": 1000, "order-matcher": "lexical",
    "outcomes": ("sentiment", "length", "reading_level", "units", "hedges", "modals"), "outcome-ner": "en_core_web_sm",
    "outcome-toxicity-model": "unitary/toxic-bert", "outcome-regard-model": "sasha/regardv3",
    "omission-entailer": "lexical", "omission-finder": "list", "omission-finder-threshold": 0.5,
    "framing-model": "vader", "framing-threshold": 0.05, "position-min-overlap": 0.2,
    "misattribution-entailer": "lexical", "misattribution-threshold": 0.6, "misattribution-margin": 0.2,
}  # fmt: skip
"""Option of a setting -> its default, as people have them in their scripts."""
WITHOUT = """
    normalizer
    unmatched
    toxicity-multi-label
    model revision num-layers auc-points entailment-label entailer-revision chat-model url toxicity-revision
    toxicity-labels regard-revision regard-labels norms-lexicon continuity people first-names
    embedding-revision device batch-tokens bootstrap distance-model distance-revision distance-entailment-label
    sentence-model omission-entailment-label omission-entailer-revision omission-sentence-model
    omission-entail-threshold
    omission-finder-label framing-labels framing-revision
    misattribution-entailment-label misattribution-entailer-revision misattribution-sentence-model
"""
"""Options of settings that mean something else where they are not given."""
COLUMNS = {
    "entities": "entities", "mentions": None, "article": "article_id", "sources": "sources", "values": "values",
    "prediction": "prediction", "distribution": None, "units": None, "coverage": None, "group": "group",
    "pair": "pair_id", "variant": "variant", "replicate": "replicate", "control": "control", "changed": "changed",
    "serious": "serious", "serious-spans": "serious_spans", "aliases": "aliases", "speaker-groups": "speaker_groups",
}  # fmt: skip
"""What an option with ``-column`` after it names -> where the column is if nobody says."""


def parse(*arguments):
    return score.parsed(score.make_context("score", ["rows.jsonl", *arguments]))


def settings(*arguments, measures=("bur",)):
    return {name: each.given() for name, each in chosen(*arguments, measures=measures).items()}


def chosen(*arguments, measures=("bur",)):
    return chosen_settings(parse(*arguments), "score", measures)


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_has_its_option(name):
    """Given, an option reaches the setting, which checks it; not given, it leaves no trace."""
    infos = get_measure(name).infos()
    assert settings(measures=[name]) == {name: {}}

    def given(*arguments):
        return given_settings(parse(*arguments), "score", infos.values())

    for info in infos.values():
        if info.flag is None:
            assert info.name == "return_samples"
        elif info.const is not None:
            assert given(f"--{info.flag}") == {info.name: info.const}
        elif info.read in (int, float):
            assert given(f"--{info.flag}", "1") == {info.name: 1}
        elif "Mapping[" in info.type:
            assert info.flag in MAPPINGS
        elif info.read is str:
            assert given(f"--{info.flag}", "x") == {info.name: "x"}


MAPPINGS = {
    "target": ("bur", "pos=0.25, neg=.75", {"pos": 0.25, "neg": 0.75}),
    "toxicity-labels": ("toxicity", "LABEL_0=toxic,a=b=insult", {"LABEL_0": "toxic", "a=b": "insult"}),
    "regard-labels": ("regard", " NEG = negative ,POS=positive", {"NEG": "negative", "POS": "positive"}),
    "framing-labels": ("framing", "NEG=negative,POS=positive", {"NEG": "negative", "POS": "positive"}),
    "word-lists": ("word_list_inclusion", "map.json", {"a": ("he", "him"), "b": ("she",)}),
    "first-names": ("entity_hallucination", "map.json", {"Ann": "a", "Bob": "b"}),
    "people": ("entity_hallucination", "people.tsv", "people.tsv"),
}
"""Option of a mapping -> a measure, how the option is written, and what the setting is then."""


@pytest.mark.parametrize("flag", MAPPINGS)
def test_mappings_on_the_command_line(flag, tmp_path, monkeypatch):
    measure, text, expected = MAPPINGS[flag]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "map.json").write_text(json.dumps(expected))
    more = ["--framing-model", "some/model"] if flag == "framing-labels" else []
    [name] = [name for name, info in get_measure(measure).infos().items() if info.flag == flag]
    assert settings(f"--{flag}", text, *more, measures=[measure])[measure][name] == expected


def test_names_in_place_of_mappings_and_any_name_of_a_file(tmp_path):
    assert settings("--target", "equal") == {"bur": {"target": "equal"}}
    lists = settings("--word-lists", "extended", measures=["word_list_inclusion"])
    assert lists == {"word_list_inclusion": {"word_lists": "extended"}}
    (tmp_path / "names").write_text('{"Ann": "a"}')
    names = settings("--first-names", str(tmp_path / "names"), measures=["entity_hallucination"])
    assert names == {"entity_hallucination": {"first_names": {"Ann": "a"}}}


_LABELS = "does not have the form LABEL=MEANING; write"


@pytest.mark.parametrize(
    ("measure", "flag", "text", "message"),
    [
        (
            "bur",
            "target",
            "pos",
            "target must be one of ratio, equal or a mapping from group to share, found str 'pos'",
        ),
        ("bur", "target", "pos=", "--target: 'pos=' does not have the form GROUP=SHARE; write --target male=0.5,fem"),
        ("bur", "target", "pos=1,neg", "--target: 'neg' does not have the form GROUP=SHARE; write --target male=0.5,"),
        ("bur", "target", "pos=nan,neg=1", "the share of 'pos' must be a finite number of at least 0"),
        ("bur", "target", "pos=0.5,neg=0.4", "the shares of target must have a sum of 1, found 0.9"),
        ("toxicity", "toxicity-labels", "x", f"--toxicity-labels: 'x' {_LABELS} --toxicity-labels LABEL_0=neutral"),
        ("toxicity", "toxicity-labels", "x=bad", "label_map must be one of toxic, severe_toxic, obscene, threat, "),
        ("regard", "regard-labels", "NEG=negative,", f"--regard-labels: '' {_LABELS} --regard-labels LABEL_0=neutral"),
        ("regard", "regard-labels", "x=good", "must be one of positive, negative, neutral, other"),
        ("framing", "framing-labels", "x", f"--framing-labels: 'x' {_LABELS} --framing-labels LABEL_0=neutral"),
        ("framing", "framing-labels", "x=good", "must be one of negative, neutral, positive"),
        ("word_list_inclusion", "word-lists", "hlem", "word_lists must be one of helm, extended or a mapping from"),
        ("word_list_inclusion", "word-lists", "none.json", "--word-lists: none.json cannot be read as JSON ("),
        ("word_list_inclusion", "word-lists", "list.json", "--word-lists: list.json must contain one JSON object, "),
        ("word_list_inclusion", "word-lists", "broken.json", "--word-lists: broken.json cannot be read as JSON ("),
        ("word_list_inclusion", "word-lists", "twice.json", "--word-lists: twice.json cannot be read as JSON ("),
        ("entity_hallucination", "first-names", "none", "--first-names: none cannot be read as JSON ("),
        ("entity_hallucination", "first-names", "list.json", "--first-names: list.json must contain one JSON object"),
    ],
)
def test_mappings_that_cannot_be_read(measure, flag, text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (("list", "[1]"), ("broken", '{"a": '), ("twice", '{"a": ["he"], "a": ["she"]}')):
        (tmp_path / f"{name}.json").write_text(content)
    with pytest.raises(InputError) as caught:
        settings(f"--{flag}", text, measures=[measure])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_and_defaults_stay():
    infos = {}
    for name in all_measures():
        for info in get_measure(name).infos().values():
            infos.setdefault(info.flag, set()).add(info.default)
    assert infos.pop("first-name-only") == infos.pop("no-at-random") == {False}
    assert infos.pop("no-rescale") == infos.pop("confidence") - {0.95} == {None}
    assert infos.pop(None) == {False}
    assert infos == {flag: {default} for flag, default in (DEFAULTS | dict.fromkeys(WITHOUT.split())).items()}
    columns = all_columns(all_measures()).values()
    assert {column.flag: column.in_file for column in columns} == {f"{name}-column": of for name, of in COLUMNS.items()}


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        ("--confidence LEVEL", "confidence level of the intervals; 0 for no interval (default: 0.95)"),
        ("--tau X", "a group is underrepresented below tau times its desired share, in [0, 1] (default: 0.8)"),
        ("--model ID", "for bertscore or bartscore: id or folder of the model (default: the paper's model)"),
        ("--matcher NAME", "way to attribute a summary to groups: ngram; or a model, bertscore or bartscore "
         "(default: ngram)"),
        ("--drop-unlabelled", 'leave out and count texts without a label (empty, missing or "nan") instead of refusing '
         "them"),
        ("--mentions-column NAME", "the names of people in the summary, as written; replaces --ner"),
    ],
)  # fmt: skip
def test_help_speaks_of_options(option, shown):
    records = (param.get_help_record(click.Context(score)) for param in score.params if isinstance(param, click.Option))
    assert (option, shown) in records


def test_the_default_measures():
    assert chosen_measures(parse(), "score") == ("bur", "uer", "auc", "sof")
    assert chosen_measures(parse("--metrics", "sof, regard"), "score") == ("sof", "regard")


def test_options_of_polarity_are_none_of_a_comparison():
    with pytest.raises(click.NoSuchOption):
        compare.make_context("compare", ["a.jsonl", "b.jsonl", "--toxicity-threshold", "0.5"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("choose language='zh' or language=\"ja\"", "choose --language zh or --language ja"),
        ("tau must be a number", "--tau must be a number"),
        ("one of word_lists", "one of --word-lists"),
        ("needs `sources`, see `empty`", "needs --sources-column, see --empty"),
        # Names of measures, columns of files and words are left alone.
        ("entity_inclusion: no column 'word_lists'; the sources must differ", None),
        ("revision='x'", None),  # of several options
        ("unmatched='uniform', 'skip' or 'unfair'", "--unmatched uniform, skip or unfair"),
    ],
)
def test_messages_name_options_as_they_are_typed(text, shown):
    assert as_options(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    ("text", "measures", "given", "shown"),
    [
        ("matcher must be one of a, b", ["order_sensitivity"], [], "--order-matcher must be one of a, b"),
        ("model applies only to x", ["regard"], [], "--regard-model applies only to x"),
        ("model='x'", ["bur", "regard"], [], "--model or --regard-model x"),
        ("revision='x'", ["equal_coverage"], [], "--entailer-revision x"),
        ("revision='x'", ["bur", "equal_coverage"], ["revision"], "--revision x"),
        ("choose rescale=False", ["bur"], [], "choose --no-rescale"),
        ("rescale applies only to bertscore", ["bur"], ["no-rescale"], "--no-rescale applies only to bertscore"),
        ("n_resamples must be", ["toxicity", "sentiment"], [], "--fisher-tables must be"),
        ("`at_random` needs", ["bur"], ["no-at-random"], "--no-at-random needs"),
        ("needs entailment_label", ["order_sensitivity"], [], "needs --distance-entailment-label"),
        ("needs n_permutations", ["entity_inclusion"], [], "needs --group-permutations"),
        ("threshold must be", ["sentiment", "toxicity"], ["toxicity-threshold"], "--toxicity-threshold must be"),
        ("needs label_map", ["toxicity"], [], "needs --toxicity-labels"),
        ("multi_label=False", ["toxicity"], [], "--toxicity-multi-label no"),
        ("choose unlabelled='drop' to", ["bur"], [], "choose --drop-unlabelled to"),
        ("first_name_only=True", ["entity_inclusion"], [], "--first-name-only"),
        ("neutral=False", ["counterfactual_gap"], [], "--keep-changed-words"),
    ],
)
def test_messages_name_the_options_of_the_measures(text, measures, given, shown):
    assert as_options(text, measures, given) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("must be one of a, b, found str 'main'", "must be one of a, b, found 'main'"),
        ("must be a number, found float 3.0; leave it out", "must be a number, found the number 3.0; leave it out"),
        ("must be a string, found None; fill it in", "must be a string, found nothing; fill it in"),
        ("found list ['a']", "found the list ['a']"),
        ("--no-rescale applies only to x, found bool False; leave", "--no-rescale applies only to x; leave"),
        ("found int 3; make it a text, for example with str() (row)", "found the number 3; make it a text (row)"),
        ("found string and interval", None),
    ],
)  # fmt: skip
def test_messages_hold_no_types_of_python(text, shown):
    assert in_plain_words(text) == (text if shown is None else shown)


def test_warnings_of_reports_name_options():
    warning = "choose how to count them: unmatched='uniform' or 'skip'"
    document = {"metrics": {"bur": {"warnings": [{"message": warning}], "undefined": {"bur": "see `tau`"}}}}
    document["metrics"]["uer"] = {"undefined": "give unmatched='skip'", "pairs": [{"undefined": "no `k`"}]}
    table = Table(["a"], [["unmatched='uniform'"]], below=["undefined: give unmatched='skip'", "k='x'"])
    parts = spelled_reasons(
        [[f"! {warning}", "undefined: bur (see `tau`)", "tau='x'", "A - B: no `k`"], table], document
    )
    assert parts == [
        [
            "! choose how to count them: --unmatched uniform or skip",
            "undefined: bur (see --tau)",
            "tau='x'",
            "A - B: no --k",
        ],
        table._replace(below=["undefined: give --unmatched skip", "k='x'"]),
    ]


def test_one_option_for_all_that_take_it():
    given = settings("--seed", "3", "--tau", "0.5", measures=["bur", "uer", "sentiment"])
    assert given == {"bur": {"seed": 3, "tau": 0.5}, "uer": {"seed": 3}, "sentiment": {"seed": 3}}


@pytest.mark.parametrize(
    ("arguments", "measures", "message"),
    [
        (["--tau", "1"], ["uer"], "score: --tau applies only to bur, but uer is requested; leave it out"),
        (
            ["--alpha", "1"],
            ["coverage_parity"],
            "score: --alpha applies only to equal_coverage, but coverage_parity is",
        ),
        (
            ["--toxicity-threshold", "1"],
            ["bur", "regard"],
            "score: --toxicity-threshold applies only to toxicity, but bur",
        ),
        (["--confidence", "high"], ["bur"], "score: --confidence: could not convert string to float: 'high'"),
    ],
)
def test_options_in_vain(arguments, measures, message):
    with pytest.raises(InputError) as error:
        settings(*arguments, measures=measures)
    assert str(error.value).startswith(message)


def test_intervals_are_the_command_s_default():
    levels = [
        chosen(*arguments)["bur"].completed(confidence_level=0.95).confidence_level
        for arguments in ([], ["--confidence", "0"], ["--confidence", "0.9"])
    ]
    assert levels == [0.95, None, 0.9]


def test_settings_that_are_wanted():
    infos = get_measure("bur").infos()
    options = parse("--tau", "0.5", "--confidence", "0", "--k", "2")
    assert given_settings(options, "score", [infos[name] for name in ("tau", "confidence_level", "seed")]) == {
        "tau": 0.5, "confidence_level": None,
    }  # fmt: skip


def test_an_option_of_another_measure_is_refused():
    with pytest.raises(InputError, match=r"score: --revision applies only to bur, .*, but equal_coverage is"):
        chosen_settings(parse("--revision", "main"), "score", ["equal_coverage"])


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
    assert layout("--coverage-column", "m", measures=["equal_coverage"]) == {"values": "values", "coverage": "m"}


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
            ["--group-column", "none", "--article-column", "none"],
            ["distinguishability"],
            "score: distinguishability needs the column article_ids; name it with --article-column, distinguishability "
            "needs the column groups; name it with --group-column",
        ),
    ],
)
def test_columns_in_vain(arguments, measures, message):
    with pytest.raises(InputError) as error:
        layout(*arguments, measures=measures)
    assert str(error.value).startswith(message)
