"""The command `people`: dumps and exports to a table that the classifier reads."""

import json

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.people import read_people

DUMP = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">
  <page><title>Ann Lee</title><ns>0</ns>
    <revision><text>She and her brother. [[Category:Living people]]</text></revision></page>
  <page><title>Ann B. Lee</title><ns>0</ns><redirect title="Ann Lee" />
    <revision><text>#REDIRECT [[Ann Lee]]</text></revision></page>
</mediawiki>
"""


@pytest.fixture
def run(alone):
    """Run the command: what it printed, as JSON."""
    return lambda *arguments: json.loads(alone("data", "people", *arguments))


def test_wikipedia(run, tmp_path):
    dump, table = tmp_path / "dump.xml", tmp_path / "people.tsv"
    dump.write_text(DUMP)
    assert run(dump, "--output", table) == {"from": "wikipedia", "people": 2, "to": str(table)}
    assert table.read_text() == "title\tmale\tfemale\nAnn Lee\t0\t2\nAnn B. Lee\t0\t2\n"


def test_a_key_in_the_name_of_the_output_is_not_printed(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "a-secret-0123456789")
    dump, table = tmp_path / "dump.xml", tmp_path / "a-secret-0123456789.tsv"
    dump.write_text(DUMP)
    assert run(dump, "--output", table)["to"] == str(tmp_path / "***.tsv")
    assert table.exists()


def test_wikidata(run, tmp_path):
    export, table = tmp_path / "export.csv", tmp_path / "people.tsv.gz"
    export.write_text("name,P21\nAnn Lee,female\nBo Lee,male\n")
    columns = ("--label-column", "name", "--gender-column", "P21")
    assert run(export, "--from", "wikidata", *columns, "--output", table)["people"] == 2
    assert read_people(table) == {"Ann Lee": "female", "Bo Lee": "male"}


def test_nothing_is_left_of_a_broken_dump(run, tmp_path):
    dump = tmp_path / "dump.xml"
    dump.write_text(DUMP.removesuffix("</mediawiki>\n"))
    with pytest.raises(InputError, match="after page 2: the XML is invalid"):
        run(dump, "--output", tmp_path / "people.tsv")
    assert list(tmp_path.iterdir()) == [dump]


def test_bad_outputs(run, tmp_path):
    dump = tmp_path / "dump.xml"
    dump.write_text(DUMP)
    with pytest.raises(InputError, match=r"the folder .* does not exist; create it first"):
        run(dump, "--output", tmp_path / "none" / "people.tsv")
    with pytest.raises(InputError, match=r"people.csv: .* must end in \.tsv \(\.gz or \.zst may follow\)"):
        run(dump, "--output", tmp_path / "people.csv")
