"""Groups and names of persons: the paper's."""

from typing import Any

import pytest

from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import bbq_names, popular_first_names


def test_names_of_the_paper() -> None:
    gender = make_setting("gender", "local")
    assert gender.groups["female"].first == {"female": popular_first_names("female")}
    assert (gender.names, make_setting("race", "local").names) == ("first", "both")
    assert set(gender.groups["male"].last) == {
        name for race in ("arab", "asian", "black", "latino", "white") for name in bbq_names(race, "last")
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attribute": "age"}, "attribute must be one of gender, race, black_male_white_female, .*, found str 'age'"),
        ({"attribute": "gender", "layout": "all"}, "layout must be one of local, global, found str 'all'"),
        ({"attribute": "gender", "names": "last"}, "names must be one of first, both, found str 'last'"),
    ],
)
def test_bad_settings(arguments: dict[str, Any], message: str) -> None:
    options = {"layout": "local", **arguments}
    with pytest.raises(InputError, match=f"^make_setting: .*{message}"):
        make_setting(options.pop("attribute"), options.pop("layout"), **options)
