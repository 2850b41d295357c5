"""Groups and names of persons: the paper's, and refused inventories."""

from typing import Any

import pytest

from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import bbq_names, popular_first_names

TWO = {
    "m": {"first": ["Ao", "Bo"], "gender": "male", "last": ["Ason", "Bson"]},
    "f": {"first": ["Qa", "Ra"], "gender": "female", "last": ["Qmo", "Rmo"]},
}


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
        ({"attribute": None}, "give either an attribute or an inventory of names"),
        ({"attribute": "gender", "inventory": TWO}, "give either an attribute or an inventory of names"),
        ({"inventory": {"m": TWO["m"]}}, "must map at least two groups to their names, found 1"),
        ({"inventory": [1, 2]}, r"must map at least two groups to their names, found list \[1, 2\]"),
        ({"inventory": {**TWO, "x": {"last": []}}}, "group 'x' must be a mapping with first, gender and maybe last"),
        ({"inventory": {**TWO, "x": {"first": ["A"], "gander": 1}}}, "group 'x' must be a mapping with first, gender"),
        ({"inventory": {**TWO, "x": {"first": ["A"]}}}, "group 'x': gender must be one of male, female, found None"),
        ({"inventory": {**TWO, "x": {"first": {"x": ["A"]}}}}, "group 'x': gender must be one of male, female, found"),
        ({"inventory": {**TWO, "x": {"first": {}}}}, "group 'x': gender must be one of male, female, found None"),
        ({"inventory": {**TWO, "x": {"first": "Al", "gender": "male"}}}, "first must be a list of names, found str"),
        ({"inventory": {**TWO, "x": {"first": ["Al", 3], "gender": "male"}}}, "first must be a list of names, found"),
        ({"inventory": {**TWO, "x": {"first": ["Al"], "gender": "male"}}}, "group 'x': last must be a list of names"),
    ],
)
def test_bad_settings(arguments: dict[str, Any], message: str) -> None:
    options = {"attribute": None, "layout": "local", **arguments}
    with pytest.raises(InputError, match=f"^make_setting: .*{message}"):
        make_setting(options.pop("attribute"), options.pop("layout"), **options)
