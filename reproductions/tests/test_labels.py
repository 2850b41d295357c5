"""What studies of labelled texts share: settings that name groups, professions, percents."""

from __future__ import annotations

import pytest

from fairsum_reproductions.labels import LabelSettings, professions
from fairsum_utils.corpora.bold import MERGED_PROFESSIONS, PROFESSION_GROUPS
from fairsum_utils.errors import InputError


def test_groups_that_become_one() -> None:
    assert LabelSettings(merge="professions").merge == "professions"
    assert LabelSettings(merge=" a=b , c;d = e; ").merge == {"a": ["b", "c"], "d": ["e"]}
    assert LabelSettings(merge={"a": ["b"]}).merge == {"a": ["b"]}
    assert LabelSettings().merge is None


@pytest.mark.parametrize("merge", ["", "arts", "arts=", "=dance", "arts=dance;x", 3, "profession"])
def test_what_does_not_say_which_groups(merge: object) -> None:
    with pytest.raises(InputError, match="label_shares: merge must be professions, or merged groups"):
        LabelSettings(merge=merge, module="label_shares")


def test_professions_are_the_papers() -> None:
    assert professions(PROFESSION_GROUPS) == {name: list(groups) for name, groups in MERGED_PROFESSIONS.items()}
    assert sorted(group for groups in MERGED_PROFESSIONS.values() for group in groups) == sorted(PROFESSION_GROUPS)
    assert next(iter(MERGED_PROFESSIONS)) == "arts & entertainment"  # the first of table 3
    assert professions(["a"]) == {}
