"""Jobs as JSON: whoever merges a run has the job of its command line."""

import json

import pytest
from fairsum_utils.cluster.job import Job, facts_of, job_from_json, job_to_json

from fairsum_utils.cli.options import chosen_measures, chosen_settings, layout_of, reading
from fairsum_utils.cli.score import score
from fairsum_utils.session import Request
from fairsum_utils.settings import USUAL_LEVEL

from .conftest import job_on, rows_of, write_rows

LINES = [
    "",
    "--metrics bur,uer --tau 0.7 --k 2 --target equal --confidence 0 --seed 4 --split train",
    "--target good=0.5,bad=0.5 --encoding cp1252 --input-format csv --bootstrap buckets --resamples 99",
    "--group-by meeting --sources-column text --values-column speaker --predictions p.csv --id-column key",
    "--transcript --metrics equal_coverage,coverage_parity --entailer lexical --language de",
    "--metrics sentiment,gender_polarity --group-column profession --sentiment-threshold 0.2",
    "--metrics word_list_inclusion,entity_hallucination --sources-column text --article-column none --word-lists L",
    "--metrics toxicity,regard --cache none --device cpu --batch-tokens 512",
    "--metrics psycholinguistic_norms --norms-lexicon lexicon.tsv --text-key said --value-key who",
]


def job_of(tmp_path, line):
    """The job of a command line of score."""
    lists = tmp_path / "lists.json"
    lists.write_text('{"f": ["she"], "m": ["he"]}')
    words = [str(lists) if word == "L" else word for word in line.split()]
    options = score.parsed(score.make_context("score", ["a.jsonl", "b.jsonl", *words]))
    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(each.completed(confidence_level=USUAL_LEVEL)) for each in settings.values())
    layout = layout_of(options, "score", measures, options.predictions)
    return Job(options.file, layout, reading(options), requests, "score", evidence=True)


@pytest.mark.parametrize("line", LINES)
def test_a_job_of_a_command_line_is_read_as_it_was_written(tmp_path, line):
    if "--text-key" in line:
        line = line.replace(" --text-key said --value-key who", "")
    job = job_of(tmp_path, line)
    document = job_to_json(job)
    assert document == json.loads(json.dumps(document))
    again = job_from_json(document)
    assert again.requests == job.requests
    assert again.layout.columns == job.layout.columns
    assert again.layout._replace(columns=(), shape=None, predictions=None) == job.layout._replace(
        columns=(), shape=None, predictions=None
    )
    assert again.layout.shape == job.layout.shape
    assert str(again.layout.predictions) == str(job.layout.predictions)
    assert again._replace(layout=None, requests=(), path=None) == job._replace(layout=None, requests=(), path=None)
    assert (again.path, str(again.path)) == (job.path, str(job.path)) == (("a.jsonl", "b.jsonl"), "a.jsonl, b.jsonl")


def test_what_only_python_has_is_not_written(rows_file):
    assert job_to_json(job_on(rows_file, settings={"matcher": print})) is None


def test_facts_are_of_contents_and_not_of_names(tmp_path):
    one = write_rows(tmp_path / "one.jsonl", rows_of(5))
    two = write_rows(tmp_path / "two.jsonl", rows_of(5))
    assert facts_of(job_on(one)) == facts_of(job_on(two))  # a folder that is mounted elsewhere
    write_rows(two, rows_of(6))
    assert facts_of(job_on(one)) != facts_of(job_on(two))


def test_a_text_that_is_too_long_for_a_name_is_no_file(rows_file):
    job = job_on(rows_file, settings={"matcher": "bertscore", "revision": "x" * 400})
    [_, [_, _, settings]] = facts_of(job)["measures"]
    assert len(settings["revision"]) == 64  # a digest
