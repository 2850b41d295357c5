"""Chance levels of all families: drawn from texts alone, with the error that the number of draws leaves."""

from __future__ import annotations

import random
import re
import statistics
from typing import Any

import numpy as np
import pytest

from fairsum_utils.families.chance import N_DRAWS, draw_sentences, generator_of
from fairsum_utils.reports.tables import certain_digits
from tests._together import compare, score

WORDS = ["soup", "bread", "staff", "room", "table", "wine", "price", "garden", "door", "floor", "cake", "fish", "lamp"]
TONES = ["great", "awful", "nice", "terrible", "plain", "cold", "red", "wooden"]
SCORES = {"omission": "not_found"}  # what has a chance level, where the measure has no score
MEASURES = ("bur", "uer", "auc", "sof", "equal_coverage", "coverage_parity", "omission", "framing", "position_bias")


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


def levels(columns: dict[str, list[Any]]) -> dict[str, dict[str, Any]]:
    """Chance levels of each measure."""
    results = score(**columns, metrics=MEASURES, at_random=True, entailer="lexical", n_points=5)
    return {name: {key: each for key, each in of.items() if "at_random" in key} for name, of in results.items()}


def test_neither_names_of_groups_nor_the_order_of_sources_matters() -> None:
    columns = made(12)
    found = levels(columns)
    for names in (("happy", "unhappy"), ("zzz", "aaa")):
        renamed = dict(zip("ab", names, strict=True))
        values = [[renamed[value] for value in of_sample] for of_sample in columns["values"]]
        other = levels({**columns, "values": values})
        by_value = other["framing"].pop("framing_by_value_at_random")
        assert by_value == {
            renamed[name]: each for name, each in found["framing"]["framing_by_value_at_random"].items()
        }
        assert other == {
            name: {key: each for key, each in of_measure.items() if key != "framing_by_value_at_random"}
            for name, of_measure in found.items()
        }
    turned = {**columns, **{name: [each[::-1] for each in columns[name]] for name in ("sources", "values")}}
    again = levels(turned)
    for name in MEASURES[:-1]:  # but for positions
        numbers = [list(map(float, re.findall(r"-?\d+\.\d+(?:e-\d+)?", str(each[name])))) for each in (found, again)]
        assert numbers[1] == pytest.approx(numbers[0], abs=1e-12)


def test_groups_of_the_same_texts() -> None:
    """No order of the groups follows from their texts, and none matters."""
    texts = ["Tasty soup.", "Cold bread."]
    for names in ("ab", "ba", "zb"):
        values = [[names[0], names[0], names[1], names[1]]] * 3
        found = levels({"predictions": ["Soup."] * 3, "sources": [texts * 2] * 3, "values": values})["uer"]
        assert found == {"uer_at_random": 0.0, "uer_at_random_error": 0.0, "uer_at_random_range": [0.0, 0.0]}


def test_the_error_is_that_of_repeated_draws() -> None:
    """Summaries of other words of the same length draw anew from the same sources."""
    columns, generator = made(8), random.Random(5)
    found = []
    for _ in range(20):
        made_up = [[f"{generator.choice('bcdfg')}{generator.choice('hjklm')}xx" for _ in range(10)] for _ in range(8)]
        summaries = [f"{' '.join(words)} {texts[1]}" for words, texts in zip(made_up, columns["sources"], strict=True)]
        found.append(levels({**columns, "predictions": summaries}))
    for measure in MEASURES:
        key = f"{SCORES.get(measure, measure)}_at_random"
        spread = statistics.stdev(result[measure][key] for result in found)
        error = statistics.mean(result[measure][f"{key}_error"] for result in found)
        assert 0.6 * error < spread < 1.6 * error, measure


def test_draws_follow_texts_and_not_marks() -> None:
    documents = [["One is here.", "Two!"], ["Three are here.", "--"]]
    expected = draw_sentences(documents, ["Tasty soup.", "Kind staff."])
    assert draw_sentences(documents, ["Tasty  soup", "**Kind staff**;"]) == expected
    assert {place for draw in expected for place in draw} <= {0, 1, 2}
    turned = draw_sentences(documents[::-1], ["Tasty soup.", "Kind staff."])
    assert [[(place + 2) % 4 for place in draw] for draw in turned] == [list(draw) for draw in expected]
    assert generator_of(["a", "b"], "c").random() == generator_of(["b", "a"], "c").random()
    assert generator_of(["ab", ""], "c").random() != generator_of(["a", "b"], "c").random()


def test_draws_are_as_long_as_the_summary_and_none_is_drawn_twice() -> None:
    for drawn in draw_sentences([["One is here.", "Two!"], ["Three are here.", "--"]], ["x" * 10**6]):
        assert sorted(drawn) == [0, 1, 2]  # only with letters
    for length, n in ((1, 1), (10, 1), (14, 1), (16, 2), (100, 10)):  # with the period
        assert [len(drawn) for drawn in draw_sentences([["a" * 10] * 50], ["x" * (length - 1)])] == [n] * N_DRAWS


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
        alone = levels({**columns, "predictions": texts})["bur"]
        assert result[system]["at_random"] == alone["bur_at_random"]
        assert result[system]["at_random_error"] == alone["bur_at_random_error"]
        assert np.isfinite(alone["bur_at_random_error"])
