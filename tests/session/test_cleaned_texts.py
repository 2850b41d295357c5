"""Every way to score reads the same cleaned texts, labels and ids, and says what was notable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import BUR, UER, EqualCoverage, compare, score
from fairsum_utils.cli import main
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families import families
from fairsum_utils.integrations.judging import Judge
from fairsum_utils.training import fairness_reward

from .._results import INPUTS, SUMMARIES, TEXTS, A, B, bits, of_family

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

WITHOUT_MODEL = [name for name in families() if name != "framing"]
HM = "<think>\nCold bread? She hated slow service, and costs rose, said Tom.\n</think>\n"
LOOSE, ONE = "ne\N{COMBINING ACUTE ACCENT}g", "n\N{LATIN SMALL LETTER E WITH ACUTE}g"


def given_to(family: str) -> dict[str, Any]:
    """The inputs of a family in `of_family`."""
    inputs = INPUTS.get(family) or {"predictions": A, **SUMMARIES}
    return {name: entries for name, entries in inputs.items() if isinstance(entries, list) and name != "metrics"}


def without_notes(results: Any) -> Any:
    return bits(
        {
            label: {k: v for k, v in result.items() if k not in ("signature", "settings", "warnings")}
            for label, result in results.items()
        }
    )


def codes(result: Any) -> list[str]:
    return [warning["code"] for warning in result["warnings"]]


@pytest.mark.parametrize("family", WITHOUT_MODEL)
def test_reasoning_changes_no_number_of_any_measure(family: str) -> None:
    columns = given_to(family)
    plain = of_family(family)
    thought = of_family(family, predictions=[f"{HM}{text}" for text in columns["predictions"]])
    assert without_notes(thought) == without_notes(plain)
    for label, result in thought.items():
        assert "reasoning" in codes(result)
        assert result["settings"] == {**plain[label]["settings"], "reasoning": "remove"}
        *settings, version = plain[label]["signature"].split("|")
        assert result["signature"] == "|".join([*settings, "reasoning:remove", version])
        assert "reasoning" not in plain[label]["settings"]
    kept = of_family(family, reasoning="keep")
    assert without_notes(kept) == without_notes(plain)
    assert all(result["settings"]["reasoning"] == "keep" for result in kept.values())


@pytest.mark.parametrize("family", WITHOUT_MODEL)
def test_other_code_points_change_no_number_of_any_measure(family: str) -> None:
    def hidden(entry: Any) -> Any:
        """Put a soft hyphen into each word, label and id of four letters or more."""
        if isinstance(entry, str):
            return " ".join(
                f"{word[:2]}\N{SOFT HYPHEN}{word[2:]}" if len(word) > 3 else word for word in entry.split(" ")
            )
        if isinstance(entry, list):
            return list(map(hidden, entry))
        return {name: hidden(item) for name, item in entry.items()} if isinstance(entry, dict) else entry

    others = {name: hidden(entries) for name, entries in given_to(family).items() if name != "entities"}
    assert others != given_to(family)
    assert bits(dict(of_family(family, **others))) == bits(dict(of_family(family)))


def test_reasoning_that_is_kept_counts() -> None:
    """Of tasty, soup and cold, bread: the summary has the first two, and its reasoning one of the others."""
    columns = {"sources": [["Tasty soup.", "Cold bread."]], "values": [["pos", "neg"]]}
    thought = ["<think>Cold, bread</think>Tasty soup"]
    assert score(thought, **columns, metrics=["uer"])["uer"]["uer"] == 0.25
    assert score(thought, **columns, metrics=UER(reasoning="keep"))["uer"]["uer"] < 0.25


def test_reasoning_without_an_answer_is_an_empty_summary() -> None:
    columns = {"sources": SUMMARIES["sources"][:2], "values": SUMMARIES["values"][:2]}
    result = score(["<think>Great soup", "Great soup."], **columns, metrics=["bur"])["bur"]
    assert (result["n_samples"], result["skipped"]) == (1, {"empty_prediction": 1})
    [record] = [warning for warning in result["warnings"] if warning["code"] == "unfinished_reasoning"]
    assert (record["count"], record["share"]) == (1, 0.5)
    with pytest.raises(InputError, match="sample 0: the prediction is empty"):
        score(["<think>Great soup", "Great soup."], **columns, metrics=BUR(empty="error"))


def test_labels_that_look_alike_are_one_group() -> None:
    values = [["pos", "pos", LOOSE], ["pos", "pos", ONE]]
    target = {"pos": 0.5, LOOSE: 0.5}
    result = score(A[:2], SUMMARIES["sources"][:2], values, metrics=BUR(target=target))["bur"]
    assert list(result["bur_by_value"]) == [ONE, "pos"]


def test_ids_that_look_alike_are_refused() -> None:
    columns = (A, SUMMARIES["sources"], SUMMARIES["values"])
    rows = [
        dict(zip(("id", "prediction", "sources", "values"), row, strict=True))
        for row in zip([LOOSE, ONE], *columns, strict=False)
    ]
    with pytest.raises(InputError, match=f"id '{ONE}' was used before"):
        score(rows, metrics=["bur"])


def test_rows_and_predictions_meet_under_ids_that_look_alike() -> None:
    rows = [
        {"id": name, "sources": text, "values": value}
        for name, text, value in [(LOOSE, "Tasty.", "a"), (ONE, "Cold.", "b")]
    ]
    result = score(rows, group_by="id", predictions={ONE: "Tasty."}, metrics=["uer"])["uer"]
    assert (result["n_samples"], result["uer"]) == (1, 0.25)


@pytest.mark.usefixtures("undrawn")
def test_a_samples_file_keeps_the_texts_and_a_page_shows_what_was_read(tmp_path: Path) -> None:
    file, samples, page = (tmp_path / name for name in ("rows.jsonl", "samples.jsonl", "page.html"))
    row = {
        "prediction": f"{HM}Gre\N{SOFT HYPHEN}at soup.",
        "sources": ["Great soup.", "Cold bread."],
        "values": ["a", "b"],
    }
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    options = ["--metrics", "bur", "--samples", str(samples), "--with-texts", "--report", str(page)]
    assert main(["score", str(file), *options]) == 0
    [record] = map(json.loads, samples.read_text(encoding="utf-8").splitlines())
    assert record["sample"]["predictions"] == row["prediction"]
    text = page.read_text(encoding="utf-8")
    assert "Great" in text
    assert "She hated" not in text
    assert "\N{SOFT HYPHEN}" not in text


def test_markup_and_dashes_are_noted_by_system() -> None:
    columns = {"sources": [["Great soup &amp; bread.", "Cold soup."]] * 2, "values": [["a", "b"]] * 2}
    found = compare({"x": ["Soup—cold.", "Soup."], "y": ["Soup.", "Soup."]}, **columns, metrics=["bur"])
    record = {warning["code"]: warning["message"] for warning in found["bur"]["warnings"]}
    assert record["html"].startswith("2 of 2 (100%) samples have HTML tags or entities in sources")
    assert record["joined_by_dash"].startswith("x: 1 of 2 (50%) samples have words in predictions that a dash joins")
    plain = score(["Soup—cold."] * 2, **columns, metrics=BUR(normalizer="simple"))["bur"]
    assert "joined_by_dash" not in codes(plain)


def test_lengths_of_systems_are_those_of_answers() -> None:
    found = compare({"x": [f"{HM}{text}" for text in A], "y": A, "z": B}, **SUMMARIES, metrics=["bur"])
    assert found.systems["x"] == found.systems["y"]
    assert [pair["difference"] for pair in found["bur"]["differences"] if pair["system"] == "y"] == [0]


def test_rewards_and_hosts_judge_the_answer() -> None:
    sources, values = [["Tasty soup.", "Awful bread."]] * 3, [["pos", "neg"]] * 3
    texts = ["Tasty.", "<think>Awful?</think>Tasty.", "<think>Tasty, awful"]
    reward = fairness_reward("uer")
    assert reward(completions=texts, sources=sources, values=values) == [0.75, 0.75, 0.0]
    messages = [[{"role": "assistant", "content": text}] for text in texts]
    assert reward(completions=messages, sources=sources, values=values) == [0.75, 0.75, 0.0]
    verdicts = [Judge("uer").verdict(predictions=text, sources=sources[0], values=values[0]) for text in texts[:2]]
    assert verdicts[0][:4] == verdicts[1][:4]
    assert codes(Judge("uer").result([verdicts[1].record])) == ["reasoning", "few_samples"]


def test_python_warns() -> None:
    with pytest.warns(ScoreWarning, match=r"4 of 4 \(100%\) samples have a model's reasoning in predictions"):
        score([f"{HM}{text}" for text in TEXTS["predictions"]], groups=TEXTS["groups"], metrics=["sentiment"])


def test_the_command_names_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    row = {"prediction": f"{HM}Soup—cold.", "sources": ["Great soup.", "Cold bread."], "values": ["a", "b"]}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["score", str(file), "--metrics", "bur", "--verbose"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "which was removed; --set reasoning=keep scores it" in shown
    assert "--set normalizer=simple separates them" in shown


def test_dashes_are_noted_where_words_decide() -> None:
    columns = {
        "predictions": ["Soup—cold."] * 2,
        "sources": SUMMARIES["sources"][:2],
        "values": SUMMARIES["values"][:2],
    }

    def judge(premises: list[str], hypotheses: list[str]) -> list[float]:
        return [0.5 for _ in hypotheses]

    for entailer, is_noted in (("lexical", True), (judge, False)):
        result = score(**columns, metrics=EqualCoverage(entailer=entailer))["equal_coverage"]
        assert ("joined_by_dash" in codes(result)) is is_noted
