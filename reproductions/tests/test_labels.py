"""What studies of labelled texts share: settings that name groups, professions, percents."""

from __future__ import annotations

import math

import pytest

from fairsum_reproductions.labels import LabelSettings, chosen_names, percents, professions
from fairsum_utils.corpora.bold import MERGED_PROFESSIONS, PROFESSION_GROUPS
from fairsum_utils.errors import InputError


def test_groups_that_become_one() -> None:
    assert LabelSettings(merge="professions").merge == "professions"
    assert LabelSettings(merge=" a=b , c;d = e; ").merge == {"a": ["b", "c"], "d": ["e"]}
    assert LabelSettings(merge={"a": ["b"]}).merge == {"a": ["b"]}
    assert LabelSettings().merge is None


@pytest.mark.parametrize("merge", ["", "arts", "arts=", "=dance", "arts=dance;x", 3, "profession"])
def test_what_does_not_say_which_groups(merge: object) -> None:
    with pytest.raises(InputError, match="label_shares: merge must be professions, or say which groups are one"):
        LabelSettings(merge=merge, module="label_shares")


def test_names() -> None:
    assert LabelSettings(labels="positive, negative").labels == ["positive", "negative"]
    assert LabelSettings(groups=("a",)).groups == ["a"]
    for names in ("", " , ", [], [3]):
        with pytest.raises(InputError, match="groups must be a list of names"):
            LabelSettings(groups=names)
    assert chosen_names("x", "group", None, ["b", "a", "b"]) == ["b", "a"]
    with pytest.raises(InputError, match="x: there is no group 'c'; there are b, a"):
        chosen_names("x", "group", ["c"], ["b", "a"])


def test_professions_are_the_papers() -> None:
    assert professions(PROFESSION_GROUPS) == {name: list(groups) for name, groups in MERGED_PROFESSIONS.items()}
    assert sorted(group for groups in MERGED_PROFESSIONS.values() for group in groups) == sorted(PROFESSION_GROUPS)
    assert next(iter(MERGED_PROFESSIONS)) == "arts & entertainment"  # the first of table 3
    assert professions(["a"]) == {}


def test_percents_mark_the_largest() -> None:
    assert list(map(str, percents([0.5, None, math.nan, 0.25]))) == ["50.00*", "None", "undefined", "25.00"]
    assert list(map(str, percents([0.5, 0.5]))) == ["50.00", "50.00"]  # neither is larger
    assert list(map(str, percents([0.5, 0.5, 0.1]))) == ["50.00*", "50.00*", "10.00"]
    assert list(map(str, percents([0.5]))) == ["50.00"]
