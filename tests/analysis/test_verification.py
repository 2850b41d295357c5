"""Our tokens beside NLTK's: what is counted, where differences are, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.analysis import verification
from fairsum_utils.analysis.verification import verify
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import published_stop_words

ROWS = [
    {"id": "a", "prediction": "Tasty soup.", "sources": ["Cold soup, lemon cake, soup", "Bread"], "values": ["x", "y"]},
    {"prediction": "", "sources": "Cake"},
]
TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


class Other:
    """Says "broth" for "soup", makes two tokens of "lemon" and none of "cake"."""

    version, signature = "9.9", "norm:nltk-9.9"
    stop_words = published_stop_words() - {"yang", "the"} | {"soup"}

    def __init__(self, *, module: str) -> None:
        self._said = {"soup": ["broth"], "lemon": ["lem", "on"], "cake": []}

    def tokens(self, text: str) -> list[str]:
        return [said for token in FairsummNormalizer().tokens(text) for said in self._said.get(token, [token])]


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "NltkNormalizer", Other)


def test_by_hand(other: None) -> None:
    result = verify(ROWS)
    assert (result["nltk_version"], result["published_version"]) == ("9.9", "3.8.1")
    # tasti broth | cold broth lem on broth | bread | nothing | nothing
    assert (result["n_samples"], result["n_texts"], result["n_tokens"], result["n_differing"]) == (2, 5, 8, 3)
    assert result["stop_words"] == {"only_ours": ["the"], "only_nltk": ["soup"]}
    assert result["signature"] == "norm:fairsumm|reference:nltk-9.9|v:0.1.0"
    first, second = {"id": "a", "column": "prediction", "place": None}, {"id": "a", "column": "sources", "place": 0}
    assert result["differences"] == [
        {**first, "position": 1, "ours": ["soup"], "nltk": ["broth"]},
        {**second, "position": 1, "ours": ["soup", "lemon", "cake", "soup"], "nltk": ["broth", "lem", "on", "broth"]},
        {"id": "1", "column": "sources", "place": None, "position": 0, "ours": ["cake"], "nltk": []},
    ]


def test_columns_and_ids_of_other_names(other: None) -> None:
    rows = [{"key": 7, "id": "a", "text": "Soup"}, {"key": 8, "id": "b", "text": "Bread"}]
    result = verify(iter(rows), columns=["text"], id_column="key")
    assert (result["n_texts"], result["n_differing"]) == (2, 1)
    assert [each["id"] for each in result["differences"]] == ["7"]


@given(ours=TOKENS, theirs=TOKENS)
def test_the_differences_make_one_list_of_the_other(ours: list[str], theirs: list[str]) -> None:
    found = verification._differences(ours, theirs)
    assert (found == []) == (ours == theirs)
    changed = list(theirs)
    for each in reversed(found):
        start, end = each["position"], each["position"] + len(each["nltk"])
        assert changed[start:end] == each["nltk"]
        changed[start:end] = each["ours"]
    assert changed == ours


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "verify: there are no rows; give at least one"),
        ([{"prediction": "a"}], "verify: sample 0: no column 'sources'; found prediction"),
        (
            [ROWS[0], {"prediction": None, "sources": []}],
            "verify: sample 1: prediction must be a string or a list of strings, found None; fill it in or remove "
            "the sample",
        ),
        (
            [{"prediction": "a", "sources": ["b", 3]}],
            "verify: sample 0: sources[1] must be a string, found int 3; convert it to a string, for example with "
            "str()",
        ),
    ],
)
def test_what_is_refused(rows: list[Any], message: str, other: None, refusal: Callable[..., str]) -> None:
    assert refusal(verify, rows) == message


def test_with_nltk_itself(nltk_data: Path) -> None:
    rows = [{"text": "The soups were cold. We didn't go back!"}, {"text": "Yin and yang: “so”, ‘so’ -- so-so."}]
    result = verify(rows, columns=["text"])
    assert (result["n_texts"], result["n_differing"], result["differences"]) == (2, 0, [])
    # soup cold n't back | yin yang so-so, and the marks that are no stop words: “ ” ‘so ’ --
    assert result["n_tokens"] == 4 + 8
    assert result["stop_words"] == {"only_ours": [], "only_nltk": []}
    assert result["nltk_version"] == "3.8.1"
