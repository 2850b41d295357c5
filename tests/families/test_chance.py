"""Chance levels of all families: drawn from texts alone, with the error that the number of draws leaves."""

from __future__ import annotations

import json
import random
import re
import statistics
from typing import Any

import numpy as np
import pytest

from fairsum_utils.families.chance import draw_sentences, generator_of
from fairsum_utils.reports.tables import certain_digits
from tests._together import compare, score

WORDS = ["soup", "bread", "staff", "room", "table", "wine", "price", "garden", "door", "floor", "cake", "fish", "lamp"]
TONES = ["great", "awful", "nice", "terrible", "plain", "cold", "red", "wooden"]
LEXICAL = {"entailer": "lexical"}
OPTIONS: dict[str, Any] = {
    "bur": {},
    "uer": {},
    "auc": {"n_points": 5},
    "sof": {},
    "equal_coverage": LEXICAL,
    "coverage_parity": LEXICAL,
    "omission": {},
    "framing": {},
    "position_bias": {},
}
EXACT = ("framing_by_value_at_random",)  # names of groups are its keys
SCORES = {"omission": "not_found"}  # what has a chance level, where the measure has no score


def made(n: int, seed: int = 1) -> dict[str, list[Any]]:
    """Sets of six texts of two groups, one of them with a serious matter."""
    generator = random.Random(seed)

    def sentence() -> str:
        return f"The {generator.choice(TONES)} {generator.choice(WORDS)} was {generator.choice(TONES)}."

    sources = [[f"{sentence()} {sentence()}" for _ in range(6)] for _ in range(n)]
    for texts in sources:
        texts[0] += " There were mice."
    return {
        "predictions": [f"{sentence()} {sentence()}" for _ in range(n)],
        "sources": sources,
        "values": [["a", "b", "b", "a", "a", "b"]] * n,
    }


def levels(measure: str, columns: dict[str, list[Any]]) -> dict[str, Any]:
    result = score(**columns, metrics=measure, at_random=True, **OPTIONS[measure])[measure]
    return {key: each for key, each in result.items() if "at_random" in key}


@pytest.mark.parametrize("measure", OPTIONS)
@pytest.mark.parametrize("names", [("happy", "unhappy"), ("zzz", "aaa")])
def test_names_of_groups_change_nothing(measure: str, names: tuple[str, str]) -> None:
    columns, renamed = made(12), dict(zip("ab", names, strict=True))
    values = [[renamed[value] for value in of_sample] for of_sample in columns["values"]]
    found, other = levels(measure, columns), levels(measure, {**columns, "values": values})
    assert found.keys() == other.keys()
    for key, level in found.items():
        if key in EXACT:
            assert other[key] == {renamed[name]: each for name, each in level.items()}
        else:
            assert other[key] == level, key


@pytest.mark.parametrize("measure", [measure for measure in OPTIONS if measure != "position_bias"])
def test_order_of_sources_changes_nothing(measure: str) -> None:
    columns = made(12)
    turned = {**columns, **{name: [each[::-1] for each in columns[name]] for name in ("sources", "values")}}
    found, other = (json.dumps(levels(measure, each), sort_keys=True) for each in (columns, turned))
    numbers = [list(map(float, re.findall(r"-?\d+\.\d+(?:e-\d+)?", each))) for each in (found, other)]
    assert numbers[1] == pytest.approx(numbers[0], abs=1e-12)


def test_groups_of_the_same_texts() -> None:
    """No order of the groups follows from their texts, and none matters."""
    texts = ["Tasty soup.", "Cold bread."]
    for names in ("ab", "ba", "zb"):
        values = [[names[0], names[0], names[1], names[1]]] * 3
        assert levels("uer", {"predictions": ["Soup."] * 3, "sources": [texts * 2] * 3, "values": values}) == {
            "uer_at_random": 0.0,
            "uer_at_random_error": 0.0,
            "uer_at_random_range": [0.0, 0.0],
        }


@pytest.mark.parametrize("measure", OPTIONS)
def test_the_error_is_that_of_repeated_draws(measure: str) -> None:
    """Summaries of other words of the same length draw anew from the same sources."""
    columns, generator = made(12), random.Random(5)
    found = []
    for _ in range(30):
        made_up = [[f"{generator.choice('bcdfg')}{generator.choice('hjklm')}xx" for _ in range(10)] for _ in range(12)]
        again = {**columns, "predictions": [f"{' '.join(words)}." for words in made_up]}
        if measure == "position_bias":  # only summaries with matches are compared with extracts
            again["predictions"] = [
                f"{text[:-1]} {sources[1]}"
                for text, sources in zip(again["predictions"], columns["sources"], strict=True)
            ]
        given = {**OPTIONS[measure], **({"unmatched": "uniform"} if measure in ("bur", "uer", "auc", "sof") else {})}
        found.append(score(**again, metrics=measure, at_random=True, **given)[measure])
    key = f"{SCORES.get(measure, measure)}_at_random"
    spread = statistics.stdev(result[key] for result in found)
    error = statistics.mean(result[f"{key}_error"] for result in found)
    assert 0.6 * error < spread < 1.6 * error


def test_draws_follow_texts_and_not_marks() -> None:
    documents = [["One is here.", "Two!"], ["Three are here.", "--"]]
    expected = draw_sentences(documents, ["Tasty soup.", "Kind staff."])
    assert draw_sentences(documents, ["Tasty  soup", "**Kind staff**;"]) == expected
    assert {place for draw in expected for place in draw} <= {0, 1, 2}
    sentences, turned = (
        ["One is here.", "Two!", "Three are here.", "--"],
        ["Three are here.", "--", "One is here.", "Two!"],
    )
    again = draw_sentences(documents[::-1], ["Tasty soup.", "Kind staff."])
    assert [[turned[place] for place in draw] for draw in again] == [
        [sentences[place] for place in draw] for draw in expected
    ]
    assert generator_of(["a", "b"], "c").random() == generator_of(["b", "a"], "c").random()
    assert generator_of(["ab", ""], "c").random() != generator_of(["a", "b"], "c").random()


def test_no_more_digits_than_the_error_leaves() -> None:
    columns = made(20)
    results = score(**columns, metrics=["bur", "framing"], at_random=True)
    for name in ("bur", "framing"):
        level, error = (results[name][f"{name}_at_random{more}"] for more in ("", "_error"))
        digits = certain_digits(error)
        assert error * 10**digits <= 3 < error * 10 ** (digits + 1)
        assert f"  {level:.{digits}f}\n" in f"{results.report()}\n".replace(" \n", "\n")
        assert f"{level:.4f}" not in results.report()
    assert "at_random_error" in results.to_pandas().columns


def test_comparisons_have_the_error_of_each_system() -> None:
    columns = made(20)
    sources, values = columns["sources"], columns["values"]
    other = [texts[0] for texts in sources]
    result = compare(columns["predictions"], other, sources, values, metrics="bur")["bur"]["systems"]
    for system, texts in (("A", columns["predictions"]), ("B", other)):
        alone = levels("bur", {**columns, "predictions": texts})
        assert result[system]["at_random"] == alone["bur_at_random"]
        assert result[system]["at_random_error"] == alone["bur_at_random_error"]
        assert np.isfinite(alone["bur_at_random_error"])
