"""Which column of a file holds what of a sample."""

import pytest

from fairsum_utils.cli.reading import Columns, Sample, read_samples
from fairsum_utils.errors import InputError


def test_other_column_names_and_missing_ids(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"summary": "s", "docs": ["d"], "groups": ["g"], "acu": {"g": 1}}\n', encoding="utf-8")
    columns = Columns(sources="docs", values="groups", prediction="summary", distribution="acu")
    assert list(read_samples(path, columns)) == [Sample("0", "s", ["d"], ["g"], {"g": 1})]


def test_what_csv_holds(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('id,prediction,text,group,units\n7,s,"one, text","[g]","[""u""]"\n', encoding="utf-8")
    columns = Columns(sources="text", values=None, group="group", units="units")
    assert list(read_samples(path, columns)) == [Sample("7", "s", "one, text", group="[g]", units=["u"])]


def test_columns_that_may_be_switched_off(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prediction": "s"}\n', encoding="utf-8")
    message = r"no column 'sources', 'group'; found prediction\. .* with --sources-column, --group-column, or compare "
    with pytest.raises(InputError, match=message + "nothing with --group-column none"):
        list(read_samples(path, Columns(values=None, group="group")))
