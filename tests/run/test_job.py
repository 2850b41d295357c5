"""Jobs as JSON: whoever makes results of rows has the job of the command line."""

from __future__ import annotations

import json
import linecache
from pathlib import Path
from types import ModuleType

import pytest

from fairsum_utils.cli.options import chosen_measures, layout_of, reading
from fairsum_utils.cli.score import score
from fairsum_utils.cli.settings import chosen_settings
from fairsum_utils.run.job import Job, facts_of, job_from_json, job_to_json
from fairsum_utils.session import Request
from fairsum_utils.settings import USUAL_LEVEL

from .conftest import job_on, rows_of, write_rows

LINES = [
    "",
    "--metrics bur,uer --set tau=0.7 --set k=2 --set target=equal --confidence none --seed 4 --split train",
    "--set target={good=0.5,bad=0.5} --encoding cp1252 --input-format csv --set bootstrap=buckets --set n_resamples=99",
    "--group-by meeting --sources-column text --values-column speaker --predictions p.csv --id-column key",
    "--transcript --metrics equal_coverage,coverage_parity --set entailer=lexical --language de",
    "--metrics sentiment,gender_polarity --group-column profession --set sentiment.threshold=0.2",
    "--metrics word_list_inclusion,entity_hallucination --sources-column text --column article_id=none "
    "--set word_lists=L",
    "--metrics toxicity,regard --cache none --device cpu --set batch_tokens=512",
    "--metrics psycholinguistic_norms --set psycholinguistic_norms.lexicon=lexicon.tsv",
]


def job_of(tmp_path: Path, line: str) -> Job:
    """Return the job of a command line of score."""
    lists = tmp_path / "lists.json"
    lists.write_text('{"f": ["she"], "m": ["he"]}')
    words = line.replace("word_lists=L", f"word_lists=@{lists}").split()
    options = score.parsed(score.make_context("score", ["a.jsonl", "b.jsonl", *words]))
    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(each.completed(confidence_level=USUAL_LEVEL)) for each in settings.values())
    layout = layout_of(options, "score", measures, options.predictions)
    return Job(options.file, layout, reading(options), requests, "score", evidence=True)


@pytest.mark.parametrize("line", LINES)
def test_a_job_of_a_command_line_is_read_as_it_was_written(tmp_path: Path, line: str) -> None:
    job = job_of(tmp_path, line)
    document = job_to_json(job)
    assert document is not None
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
    assert again.digest == job.digest


def test_what_only_python_has_is_not_written(rows_file: Path) -> None:
    assert job_to_json(job_on(rows_file, ("bur",), matcher=print)) is None


def test_no_password_is_written(rows_file: Path) -> None:
    job = job_on("https://user:secret@example.org/rows.jsonl")
    assert "secret" not in json.dumps(job_to_json(job))


def test_facts_are_not_of_names(tmp_path: Path) -> None:
    """The data count by what is read, wherever a folder is mounted; see `Store`."""
    one, two = (write_rows(tmp_path / name, rows_of(5)) for name in ("one.jsonl", "two.jsonl"))
    assert job_on(one).digest == job_on(two).digest


def test_settings_of_python_are_told_apart(tmp_path: Path, rows_file: Path, matchers: ModuleType) -> None:
    """Objects by their state, functions by their names and code; the same ones are the same."""
    given = [matchers.Counting(tmp_path / "a"), matchers.Counting(tmp_path / "b"), matchers.Slow(tmp_path / "a")]
    digests = [job_on(rows_file, ("bur",), matcher=each).digest for each in [*given, matchers.good]]
    assert len(set(digests)) == 4
    assert job_on(rows_file, ("bur",), matcher=matchers.Counting(tmp_path / "a")).digest == digests[0]
    source = tmp_path / "mine.py"
    found = []
    for number in (1.0, 2.0):
        source.write_text(f"def weigh(texts, summary):\n    return [{number}] * len(texts)\n")
        names: dict[str, object] = {"__name__": "matchers_of_mine"}
        exec(compile(source.read_text(), str(source), "exec"), names)
        linecache.checkcache(str(source))
        found.append(job_on(rows_file, ("bur",), matcher=names["weigh"]).digest)
    assert found[0] != found[1]


def test_a_word_list_that_has_changed_is_another(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{"id": 1, "prediction": "She won.", "sources": "She won."}])
    lists = {"f": ["she", *map(str, range(500))], "m": ["he"]}
    jobs = [
        job_on(path, ("word_list_inclusion",), word_lists={**lists, "f": [word, *lists["f"][1:]]})
        for word in ("she", "her")
    ]
    assert jobs[0].digest != jobs[1].digest


def test_a_file_of_a_setting_that_has_changed_is_another(tmp_path: Path) -> None:
    lexicon = tmp_path / "lexicon.tsv"
    digests = []
    for words in ("Word\nsoup\n", "Word\nbread\n"):
        lexicon.write_text(words)
        digests.append(
            job_of(tmp_path, f"--metrics psycholinguistic_norms --set psycholinguistic_norms.lexicon={lexicon}").digest
        )
    assert digests[0] != digests[1]


def test_a_text_that_is_too_long_for_a_name_is_no_file(rows_file: Path) -> None:
    job = job_on(rows_file, ("bur",), matcher="bertscore", revision="x" * 400)
    [[_, _, settings]] = facts_of(job)["measures"]
    assert len(settings["revision"]) == 64  # a digest
