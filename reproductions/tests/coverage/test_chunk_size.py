"""Chunks of several lengths: by hand, readings of "identified", a plain loop, a tiny model, and the paper's layout."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.coverage.chunk_size import documents_found
from fairsum_utils.families.coverage.chunks import chunks
from fairsum_utils.inference.entailers import CallableEntailer, LexicalEntailer

SOUP = "Hot soup today. Cold bread. Nice staff. Slow bill."
SIZES = "sizes must be different whole numbers of at least 1, or 'sentence'"
ROW = {"prediction": "Hot bread. Slow bill. Free parking.", "sources": [SOUP, "Hot bread."]}
LEXICAL: dict[str, Any] = {"entailer": "lexical", "normalizer": "simple"}


def run(*rows: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return dict(studies.chunk_size({"gpt4/amazon": [*rows]}, **{**LEXICAL, **settings}))  # type: ignore[arg-type]


def test_by_hand() -> None:
    # Words of the units: hot, bread | slow, bill | free, parking. Sentences of the first document: hot soup today |
    # cold bread | nice staff | slow bill; of the second: hot bread.
    # Each sentence: hot+bread stands in the second document, slow+bill in the first; 2 of 3.
    # Five words: "Hot soup today. Cold bread." holds hot+bread as well. Nobody speaks of parking.
    found = run(ROW, sizes="sentence,5")
    [cell] = found["systems"]["gpt4"].values()
    assert cell["identified"] == {"sentence": 2 / 3, "5": 2 / 3}
    assert (cell["n_units"], cell["n_samples"], cell["n_skipped"]) == (3, 1, 0)
    # In one document alone: each sentence hot+bread (second) and slow+bill (first); with five words the first two of
    # both documents hold hot+bread, so that only slow+bill is left.
    assert run(ROW, sizes=["sentence", 5], identified="one")["mean"] == {"sentence": 2 / 3, "5": 1 / 3}
    # Half of the words of free parking stand nowhere, half of the others somewhere: above 0.4 there is hot in both.
    assert run(ROW, sizes=5, identified="threshold", threshold=1.0)["mean"] == {"5": 0.0}
    assert run(ROW, sizes=5, identified="threshold", threshold=0.4)["mean"] == {"5": 2 / 3}


def test_best_and_means() -> None:
    apart = {"prediction": "Hot bill.", "sources": [SOUP]}  # 8 words hold both, no sentence does
    rows = {"a/x": [apart], "a/y": [ROW], "b/x": [apart]}
    found = studies.chunk_size(rows, **LEXICAL, sizes="sentence,9")
    assert found["mean_by_system"]["a"] == pytest.approx({"sentence": (0 + 2 / 3) / 2, "9": (1 + 2 / 3) / 2})
    assert found["mean_by_system"]["b"] == {"sentence": 0.0, "9": 1.0}
    assert found["mean"] == pytest.approx({"sentence": 1 / 6, "9": 11 / 12})
    assert found["best"] == ["9"]
    assert found.to_markdown().count("| mean") == 1
    assert "1.000*" in found.report()
    assert "Sent." in found.to_csv()
    assert ">each sentence<" in found.plot().svg


def test_given_and_empty_units() -> None:
    given = {**ROW, "units": ["Hot bread.", "Slow bill."]}
    found = run(given, {**ROW, "prediction": " "}, sizes=5)
    [cell] = found["systems"]["gpt4"].values()
    assert (cell["identified"], cell["n_units"]) == ({"5": 1.0}, 2)
    assert (cell["n_samples"], cell["n_skipped"]) == (1, 1)
    # A statement of stop words alone says nothing and does not count; nor does an empty document find anything.
    fairsumm = {"entailer": "lexical", "normalizer": "fairsumm"}
    [cell] = run({"prediction": "It was. Soup.", "sources": ["Soup", ""]}, sizes=5, **fairsumm)["systems"][
        "gpt4"
    ].values()
    assert (cell["identified"], cell["n_units"]) == ({"5": 1.0}, 1)


def test_nothing_to_judge() -> None:
    found = run({"prediction": "", "sources": ["Soup."]}, sizes=5)
    assert math.isnan(found["mean"]["5"])
    assert found["best"] == []
    assert found["undefined"] == {"gpt4 on amazon": "no summary with a statement to judge"}


def test_equals_a_plain_loop() -> None:
    generator = random.Random(7)
    words = ["hot", "cold", "soup", "bread", "slow", "nice", "bill", "staff"]

    def text(n: int) -> str:
        parts = (" ".join(generator.choices(words, k=generator.randint(1, 4))) for _ in range(n))
        return " ".join(f"{part.capitalize()}." for part in parts)

    samples = [
        ([text(1) for _ in range(generator.randint(0, 3))], [text(generator.randint(1, 5)) for _ in range(3)])
        for _ in range(20)
    ]

    def probability(premise: str, hypothesis: str) -> float:
        return (sum(map(ord, premise)) * len(hypothesis) % 10) / 9

    entailer = CallableEntailer(lambda a, b: list(map(probability, a, b)))
    for longest, threshold in ((None, None), (6, None), (6, 0.8)):
        found, cut = documents_found(entailer, samples, longest, threshold=threshold)
        expected = [
            sum(any(probability(chunk, unit) > (threshold or 0.5) for chunk in chunks(text, longest)) for text in texts)
            for units, texts in samples
            for unit in units
        ]
        assert found.tolist() == expected
        assert cut == 0
    assert documents_found(LexicalEntailer(), [([], ["Soup."])], 5)[0].tolist() == []


def test_a_model_by_its_likeliest_class(nli_model: Path) -> None:
    from fairsum_utils.inference import InferenceSettings
    from fairsum_utils.inference.entailers import NLIEntailer

    rows = [{"prediction": f"The soup was {word}.", "sources": [SOUP, "Cold bread."]} for word in ("hot", "cold")]
    found = run(*rows, entailer=nli_model, normalizer=None, cache="none", sizes="sentence,100")
    entailer = NLIEntailer(nli_model, settings=InferenceSettings(cache="none"))
    for size, longest in (("sentence", None), ("100", 100)):
        identified = [
            any(
                entailer.judge([(chunk, row["prediction"])]).likeliest[0]
                for text in row["sources"]
                for chunk in chunks(text, longest)
            )
            for row in rows
        ]
        assert found["mean"][size] == sum(identified) / 2
    assert found["entailer"] == entailer.name


def test_refused(refusal: Callable[..., str]) -> None:
    threshold = "threshold is for identified='threshold', found float 0.6; leave it out, or choose that"
    cases: list[tuple[dict[str, Any], str]] = [
        *(({"sizes": sizes}, f"{SIZES}, found str {sizes!r}") for sizes in ("50,0", "50,x")),
        *(({"sizes": sizes}, f"{SIZES}, found list {sizes!r}") for sizes in ([5, "5"], [5, "05"], [1.5], [])),
        ({"threshold": 0.6}, threshold),
        ({"identified": "all"}, "identified must be one of likeliest, threshold, one, found str 'all'"),
    ]
    for settings, message in cases:
        assert refusal(run, ROW, **settings) == f"chunk_size: {message}"
    rows: list[tuple[dict[str, Any], str]] = [
        ({"sources": "Soup."}, "sources must be a list of strings, found str 'Soup.'"),
        ({"sources": []}, "sources is an empty list; give at least one source text"),
        ({"sources": ["Soup.", None]}, "sources[1] must be a string, found None"),
        ({"prediction": 3}, "prediction must be a string, found int 3"),
        ({"units": ["a", " "]}, "units[1] is blank"),
    ]
    for row, message in rows:
        assert refusal(run, {**ROW, **row}).startswith(f"chunk_size: sample 0: {message}")
