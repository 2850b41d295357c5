"""Which column of a file holds what of a sample."""

import pytest

from fairsum_utils.cli.reading import Chunk, Layout, choose_columns, read_chunks
from fairsum_utils.errors import InputError
from fairsum_utils.family.columns import ARTICLE_IDS, GROUPS, PREDICTIONS, SOURCES, VALUES


@pytest.fixture
def read(tmp_path):
    def read(name, content, columns, *, size=10, by_id=False):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return list(read_chunks(path, Layout("id", columns, by_id), size))

    return read


def test_other_column_names_and_missing_ids(read):
    columns = ((PREDICTIONS, "summary"), (SOURCES, "docs"), (VALUES, "groups"))
    lines = '{"summary": "s", "docs": ["d"], "groups": ["g"]}\n{"id": 7, "summary": "", "docs": [], "groups": []}\n'
    expected = Chunk(0, ["0", "7"], {"predictions": ["s", ""], "sources": [["d"], []], "values": [["g"], []]})
    assert read("rows.jsonl", lines, columns) == [expected]
    assert read("rows.jsonl", lines, columns, size=1) == [expected.only(0), expected.only(1)]


def test_samples_that_are_originals_by_themselves(read):
    [chunk] = read("rows.jsonl", '{"id": "x", "text": "s"}\n', ((PREDICTIONS, "text"),), by_id=True)
    assert chunk.columns == {"predictions": ["s"], "article_ids": ["x"]}


def test_what_csv_holds(read):
    columns = ((PREDICTIONS, "prediction"), (SOURCES, "text"), (GROUPS, "group"))
    [chunk] = read("rows.csv", 'id,prediction,text,group\n7,s,"one, text","[g]"\n', columns)
    assert (chunk.ids, chunk.columns) == (["7"], {"predictions": ["s"], "sources": ["one, text"], "groups": ["[g]"]})
    with_values = (*columns, (VALUES, "values"))
    [chunk] = read("rows.csv", 'prediction,text,group,values\ns,"[""t""]",g,"[""v""]"\n', with_values)
    assert (chunk.columns["sources"], chunk.columns["values"]) == ([["t"]], [["v"]])
    with pytest.raises(InputError, match=r"row 1: column 'text' must hold a JSON list such as .*, found 'one, text'"):
        read("rows.csv", 'prediction,text,group,values\ns,"one, text",g,"[""v""]"\n', with_values)


def test_columns_that_may_be_switched_off(read):
    named = {"groups": None, "article_ids": "none", "sources": "docs"}
    columns = choose_columns([PREDICTIONS, SOURCES, GROUPS, ARTICLE_IDS], {**named, "groups": "group"})
    assert columns == ((PREDICTIONS, "prediction"), (SOURCES, "docs"), (GROUPS, "group"))
    assert choose_columns([GROUPS], named) == ()
    message = r"no column 'docs', 'group'; found prediction\. .* with --sources-column, --group-column \(or compare"
    with pytest.raises(InputError, match=message + r" nothing with --group-column none\)"):
        read("rows.jsonl", '{"prediction": "s"}\n', columns)
