"""Former names of keys: they read, they warn, and nothing writes them."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from fairsum_utils import score
from fairsum_utils.families.renamed import FORMER, RenamedKeys, under_new_names

NOW = r"'target_share' is now called 'summary_share'; the former name goes with the next version"


def test_a_former_name_reads_and_warns() -> None:
    record = RenamedKeys(summary_share=[0.5, 0.5], index=0)
    with pytest.warns(DeprecationWarning, match=NOW) as caught:
        assert record["target_share"] == [0.5, 0.5]
    with pytest.warns(DeprecationWarning, match=NOW):
        assert record.get("target_share") == [0.5, 0.5]
    assert caught[0].filename == __file__  # the line that uses it


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_todays_names_and_unknown_ones_do_not_warn() -> None:
    record = RenamedKeys(summary_share=[1.0])
    assert (record["summary_share"], record.get("ratio", 3)) == ([1.0], 3)
    assert "target_share" not in record
    for absent in ("ratio", "score_chosen"):
        with pytest.raises(KeyError, match=absent):
            record[absent]


def test_a_record_that_holds_the_former_name_itself_gives_what_it_holds() -> None:
    record = RenamedKeys(target_share=1, summary_share=2)
    assert (record["target_share"], record.get("target_share")) == (1, 1)


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_what_is_copied_or_written_has_the_new_name_only() -> None:
    record = RenamedKeys(summary_share=[1.0])
    assert record == {"summary_share": [1.0]}
    assert json.dumps(record) == '{"summary_share": [1.0]}'
    for same in (copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert (type(same), same) == (RenamedKeys, record)


def test_records_of_scoring_answer_to_both() -> None:
    [sample] = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"], return_samples=True)["uer"][
        "samples"
    ]
    assert sample["summary_share"] == [0.0, 1.0]
    assert not FORMER.keys() & sample.keys()
    with pytest.warns(DeprecationWarning, match=NOW):
        assert sample["target_share"] == [0.0, 1.0]


def test_a_row_of_an_older_file_is_read_under_the_new_name() -> None:
    with pytest.warns(DeprecationWarning, match=NOW):
        assert under_new_names({"index": 3, "target_share": [1.0]}) == {"index": 3, "summary_share": [1.0]}
    today = {"index": 3, "summary_share": [1.0], "target_share": [0.0]}  # a column of the user's
    assert under_new_names(today) is today
