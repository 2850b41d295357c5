"""Many systems: as each pair alone to the bit, corrected by Holm, ranked, and what is said of those that say less."""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student

import fairsum_utils
from fairsum_utils import BUR, UER, Distinguishability, EqualCoverage
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.session import Request, Session
from fairsum_utils.session.quality import Quality
from fairsum_utils.session.systems import ComparedSystems
from tests._together import measures
from tests.conftest import LONG

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

WORDS = ["soup", "bread", "staff", "table", "dessert", "wine", "price", "waiter", "garden", "music"]
MEASURES = ["bur", "uer", "auc", "sof", "equal_coverage", "coverage_parity"]
FAST = measures(MEASURES, entailer="lexical", n_resamples=25)


def sets(n: int, seed: int = 0) -> dict[str, list[Any]]:
    """Sources of made-up words."""
    generator = random.Random(seed)
    return {
        "sources": [[f"{' '.join(generator.choices(WORDS, k=6))}." for _ in range(4)] for _ in range(n)],
        "values": [generator.choices(["pos", "neg", "neu"], k=4) for _ in range(n)],
    }


def summaries(n: int, seed: int, n_words: int = 4) -> list[str]:
    generator = random.Random(seed)
    return [f"{' '.join(generator.choices(WORDS, k=n_words))}." for _ in range(n)]


@with_settings(max_examples=50 if LONG else 5)  # each compares all pairs, by six measures
@given(
    st.integers(3, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), min_size=n, max_size=n),
            min_size=2,
            max_size=3,
        )
    ),
    st.randoms(use_true_random=False),
)
def test_as_each_pair_alone_in_any_order(texts: list[list[str]], shuffle: random.Random) -> None:
    """Bit for bit, on the samples that all systems have a score of; the order of the systems changes nothing."""
    shared = sets(len(texts[0]), seed=len(texts))
    systems = {f"system {place}": summaries for place, summaries in enumerate(texts)}
    scored = [place for place, row in enumerate(zip(*texts, strict=True)) if all(row)]
    kept = [place for place in scored if len(set(shared["values"][place])) > 1]
    asked = FAST if kept else FAST[:4]
    if not scored:
        with pytest.raises(InputError, match="no sample has a score of all"):
            fairsum_utils.compare(systems, **shared, metrics=asked)
        return
    found = fairsum_utils.compare(systems, **shared, metrics=asked, pairs=True)
    columns = {name: [column[place] for place in scored] for name, column in shared.items()}
    for a, b in combinations(systems, 2):
        alone = fairsum_utils.compare(
            {name: [systems[name][place] for place in scored] for name in (a, b)}, **columns, metrics=asked
        )
        for measure, expected in alone.items():
            [pair] = [pair for pair in found[measure]["differences"] if (pair["baseline"], pair["system"]) == (a, b)]
            for key in ("difference", "difference_ci", "p_value", "lost"):
                assert repr(pair[key]) == repr(expected[key])
            scores = [[result["systems"][name]["score"] for name in (a, b)] for result in (found[measure], expected)]
            assert repr(scores[0]) == repr(scores[1])
            assert found[measure]["signature"] == expected["signature"]
            assert found[measure]["n_samples"] == expected["n_samples"]
    order = list(systems)
    shuffle.shuffle(order)
    shuffled = {name: systems[name] for name in order}
    again = fairsum_utils.compare(shuffled, **shared, metrics=asked, pairs=True)
    for measure in found:
        assert {name: repr(again[measure]["systems"][name]) for name in systems} == {
            name: repr(system) for name, system in found[measure]["systems"].items()
        }
        assert by_pair(again[measure]) == by_pair(found[measure])


def by_pair(result: dict[str, Any]) -> dict[frozenset[str], list[str]]:
    """Pair -> its p-values, and the size of its difference."""
    return {
        frozenset((pair["baseline"], pair["system"])): [
            repr(pair["p_value"]), repr(pair["p_value_corrected"]), repr(abs(pair["difference"]))
        ]
        for pair in result["differences"]
    }  # fmt: skip


def test_results_by_value_are_those_of_each_alone() -> None:
    shared = sets(12)
    texts = {"a": summaries(12, 1), "b": summaries(12, 2), "c": summaries(12, 3)}
    with Session([Request(measure) for measure in FAST]) as session:
        compared = ComparedSystems(session, list(texts))
        compared.score([{"predictions": predictions, **shared} for predictions in texts.values()])
        found = compared.results()
    for name, predictions in texts.items():
        alone = fairsum_utils.score(predictions, **shared, metrics=FAST)
        assert list(found[name]) == MEASURES
        for measure, result in found[name].items():
            same = result.keys() - {"n_skipped", "skipped"}  # left out for all, they are skipped for none
            assert {f"{measure}_ci", "n_by_value"} <= same
            assert repr({key: alone[measure][key] for key in same}) == repr({key: result[key] for key in same})


def test_differences_from_the_baseline_and_their_correction() -> None:
    """p is at least 1/200, expanded for 60 samples; corrected by hand: three tests from the baseline."""
    shared, texts = sets(60), summaries(60, 1)
    one_sided = [sample[values.index("pos")] if "pos" in values else sample[0] for sample, values in
                 zip(shared["sources"], shared["values"], strict=True)]  # fmt: skip
    both = [" ".join(sample) for sample in shared["sources"]]
    systems = {"whole": both, "copy": both, "lead": one_sided, "random": texts}
    document = fairsum_utils.compare(systems, **shared, metrics=["uer"], n_resamples=199)
    found = document["uer"]
    assert document.baseline == "whole"
    assert [(pair["baseline"], pair["system"]) for pair in found["differences"]] == [
        ("whole", "copy"), ("whole", "lead"), ("whole", "random"),
    ]  # fmt: skip
    least = float(2 * student.cdf(math.sqrt(59 / 60) * norm.ppf(1 / 400), 59))
    assert [pair["p_value"] for pair in found["differences"]] == pytest.approx([1.0, least, least])
    assert [pair["p_value_corrected"] for pair in found["differences"]] == pytest.approx([1.0, 3 * least, 3 * least])
    assert (found["n_tests"], found["alpha"]) == (3, 0.05)
    assert found["systems"]["whole"]["rank"] == found["systems"]["copy"]["rank"] == 1
    assert found["systems"]["lead"]["rank"] > 1
    named = fairsum_utils.compare(systems, **shared, metrics=["uer"], n_resamples=199, baseline="lead")
    first = named["uer"]["differences"][0]
    assert (first["baseline"], first["system"]) == ("lead", "whole")
    assert named["uer"]["systems"] == found["systems"]


def test_too_few_replicates_for_so_many_pairs() -> None:
    """Six pairs: a corrected p-value is at least 6/(m + 1), which is below 0.05 from m = 120 on."""
    shared = sets(10)
    systems = {name: summaries(10, seed) for seed, name in enumerate("abcd")}
    for n, is_said in ((119, True), (120, False)):
        document = fairsum_utils.compare(systems, **shared, metrics=["uer"], n_resamples=n)
        assert [warning["code"] for warning in document.warnings] == ["few_replicates"] * is_said
    message = fairsum_utils.compare(systems, **shared, metrics=["uer"], n_resamples=119).warnings[0]["message"]
    assert "6 pairs are too many for 119 bootstrap replicates" in message
    assert "use n_resamples of at least 120" in message


def test_fairer_because_emptier() -> None:
    shared = {"sources": [["Tasty soup here.", "Awful bread there."]] * 40, "values": [["pos", "neg"]] * 40}
    systems = {
        "long": ["Tasty soup, tasty soup, and some awful bread."] * 40,
        "short": ["Soup, bread."] * 40,
        "often empty": ["Tasty soup, tasty soup, awful awful bread bread."] * 36 + [""] * 4,
    }
    document = fairsum_utils.compare(systems, **shared, metrics=["bur", "uer"])
    assert document.systems["long"]["mean_words"] == 8
    assert document.systems["long"]["mean_characters"] == 45
    assert document.systems["often empty"]["share_empty"] == 0.1
    assert document["uer"]["systems"]["often empty"]["n_skipped"] == 4
    messages = [warning["message"] for warning in document.warnings]
    # long: 4 of its 6 words that count are of the first source, 2 of the other; in the others it is half and half.
    assert messages == [
        "system short has a lower bur, uer than long, but its summaries are much shorter (2.0 words, not 8.0)",
        "system often empty has a lower bur, uer than long, but more of them are empty (10%, not 0%)",
    ]
    with pytest.warns(ScoreWarning, match="System short has a lower bur, uer than long"):
        fairsum_utils.compare(systems, **shared, metrics=["bur", "uer"])


def test_less_matched() -> None:
    shared = {"sources": [["Tasty soup here.", "Awful bread there."]] * 40, "values": [["pos", "neg"]] * 40}
    junk = ["Quantum fields vibrate."] * 4
    systems = {"a": ["Tasty soup today."] * 40, "b": junk + ["Tasty soup today."] * 36}
    document = fairsum_utils.compare(systems, **shared, metrics="bur", pairs=True)
    assert document.systems["b"]["share_matched"] == 0.9
    [pair] = document["bur"]["differences"]
    assert pair["undefined"].startswith(
        "b looks fairer, but 10% of its summaries have no words in common with their sources"
    )
    assert math.isnan(pair["p_value_corrected"])
    assert document["bur"]["n_tests"] == 0
    document = fairsum_utils.compare(systems, **shared, metrics=BUR(unmatched="uniform"), pairs=True)
    assert [warning["message"] for warning in document.warnings] == [
        "system b has a lower bur than a, but fewer of them share a word with their sources (90%, not 100%)"
    ]
    systems["b"] = junk[:2] + ["Tasty soup today."] * 38  # 95% is not too few
    assert fairsum_utils.compare(systems, **shared, metrics=BUR(unmatched="uniform")).warnings == []


def test_the_sum_of_parts() -> None:
    texts, numbers = ["One two.", "", "Three"], [0.25, 0.5, 0.75]
    whole = Quality().add({"predictions": texts}, {"x": numbers}, module="m")
    parts = Quality()
    for text, number in zip(texts, numbers, strict=True):
        parts.merge(Quality().add({"predictions": [text]}, {"x": [str(number)]}, module="m"))
    assert whole == parts
    assert whole.summary() == {
        "n_samples": 3, "mean_words": 1.0, "mean_characters": 13 / 3, "share_empty": 1 / 3, "columns": {"x": 0.5},
    }  # fmt: skip


def test_without_texts_no_lengths() -> None:
    shared = {"values": [["a", "b"], ["b", "a"]]}
    systems = {name: {"coverage": [[[share], [0.5]]] * 2} for name, share in zip("xyz", (0.1, 0.5, 0.9), strict=True)}
    document = fairsum_utils.compare(systems, **shared, metrics=["equal_coverage"])
    assert document.systems["x"] == {"n_samples": 2, "columns": {}, "mean_coverage": 0.3}
    assert document["equal_coverage"]["systems"]["y"]["rank"] == 1


def test_closer_to_nothing_is_fairer_where_scores_have_a_sign() -> None:
    """Distinguishability lies in [-1, 1]: 1 where summaries of a group are alike, and -1 where they are unlike."""
    alike = ["alpha alpha", "alpha alpha", "beta beta", "beta beta"]
    unlike = ["alpha beta", "gamma delta", "alpha beta", "gamma delta"]
    shared = {"groups": ["x", "x", "y", "y"] * 3, "article_ids": [str(place // 4) for place in range(12)]}
    systems = {name: {"predictions": texts * 3, "mentions": [[]] * 12} for name, texts in
               (("alike", alike), ("unlike", unlike), ("same", ["alpha beta"] * 4))}  # fmt: skip
    found = fairsum_utils.compare(systems, **shared, metrics=Distinguishability(ner=None))
    by_name = found["distinguishability"]["systems"]
    assert [by_name[name]["score"] for name in systems] == [1.0, -1.0, 0.0]
    assert by_name["same"]["rank"] == 1


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ({"a": ["x"]}, {}, "compare: needs at least two systems, found a"),
        (["x"], {}, "needs at least two systems, found A; give a mapping of names -> predictions, or those of two"),
        ({}, {}, "needs at least two systems, found none"),
        ({"a": ["x"], 2: ["y"]}, {}, "names of systems must be texts, found int 2"),
        ({"a": ["x"], "b": ["y"]}, {"labels": ("c", "d")}, "labels name two systems without names; these have names"),
        ({"a": ["x"], "b": ["y"]}, {"predictions_a": ["z"]}, "did you mean predictions?"),
        ({"a": ["x"], "b": ["y"]}, {"baseline": "c"}, "no system is called 'c'; the systems are a, b"),
        ({"a": ["x"], "b": ["y", "z"]}, {}, "found 1 of a, 2 of b"),
        ({"a": ["x"], "b": {"predictions": ["y"], "sources": [["s"]]}}, {}, "has str 'sources', which is not a column"),
        ({"a": ["x"], "b": {"predictions": ["y"], "target_distributions": [{"p": 1}]}}, {}, "the same columns, found"),
        ({"a": ["x"], "b": ["y"]}, {"predictions": ["z"]}, "predictions belong to one system; give each system its"),
        ({"a": ["x"], "b": ["y"]}, {"quality": {"r": {"a": [1]}}}, "the quality 'r' lacks system 'b'"),
        ({"a": ["x"], "b": ["y"]}, {"quality": {"r": {"a": [1], "b": [1, 2]}}}, "has 2 numbers for 1 sample"),
        ({"a": ["x"], "b": ["y"]}, {"quality": {"r": {"a": [1], "b": ["good"]}}}, "hold numbers, found str 'good'"),
        ({"a": ["x"], "b": ["y"]}, {"quality": {"r": {"a": [True], "b": [1]}}}, "must hold numbers, found bool True"),
        ({"a": ["x"], "b": ["y"]}, {"tua": 1}, "unknown setting 'tua'; did you mean tau"),
        ({"a": ["x"], "b": ["y"]}, {"metrics": ["sentiment"]}, "compare groups of texts, not systems"),
    ],
)  # fmt: skip
def test_bad_input(systems: Any, options: dict[str, Any], message: str) -> None:
    columns = {} if "metrics" in options else {"sources": [["s"]], "values": [["p"]]}
    with pytest.raises(InputError, match="compare: ") as error:
        fairsum_utils.compare(systems, **columns, **options)
    assert message in str(error.value)


def test_sources_are_read_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of the sources is tokenized once, and an entailer judges each pair of a chunk and a unit once."""
    judged: list[tuple[str, str]] = []

    def entailer(premises: list[str], hypotheses: list[str]) -> list[float]:
        judged.extend(zip(premises, hypotheses, strict=True))
        return [0.5] * len(premises)

    shared = sets(5)
    systems = [{"predictions": summaries(5, seed), **shared} for seed in range(4)]
    requests = [Request(UER()), Request(EqualCoverage(entailer=entailer))]
    with Session(requests, module="compare") as session:
        scorer = session.passes[0].scorer
        counted: list[str] = []
        original = scorer.normalizer.counted  # type: ignore[attr-defined]
        monkeypatch.setattr(
            scorer.normalizer,
            "counted",
            lambda text: counted.append(text) or original(text),  # type: ignore[attr-defined, func-returns-value]
        )
        ComparedSystems(session, list("abcd")).score(systems)
    n_values = sum(len(set(values)) for values in shared["values"])
    assert len(counted) == n_values + 4 * 5
    several = [place for place in range(5) if len(set(shared["values"][place])) > 1]
    assert len(judged) == 4 * 4 * len(several)
