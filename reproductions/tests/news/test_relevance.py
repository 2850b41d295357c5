"""Relevance by a chat model: the prompt, reading of scores, differences between groups, and the command."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student

import fairsum_reproductions as studies
from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.news import relevance
from fairsum_reproductions.news._answers import SKIPPED, Rating, parse_rating, relevance_prompt
from fairsum_reproductions.news.relevance import rate
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.stats.intervals import Moments, mean_interval
from tests.conftest import takes_long


class Judge:
    """Answers by the summary in the prompt, and keeps what it was asked."""

    signature = "judge"

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers
        self.prompts: list[str] = []

    def complete(self, prompts: Sequence[str]) -> list[str]:
        self.prompts += prompts
        return [self.answers[prompt.partition("Summary: ")[2].partition("\n")[0]] for prompt in prompts]


def test_the_prompt_is_the_papers() -> None:
    paper = Path(__file__).resolve().parents[4] / "shared" / "papers" / "news-summarization-bias.txt"
    if not paper.is_file():
        pytest.skip("no paper beside the repository")
    text = paper.read_text(encoding="utf-8")
    printed = text[text.index("Score the following Summary") :]
    printed = printed[: printed.index("final score:") + len("final score:")]
    assert relevance_prompt("{article}", "{summary}") == printed


def test_texts_may_hold_the_names_of_places() -> None:
    prompt = relevance_prompt("{summary} {article}", "{article}\nSummary: x")
    assert "\n\nArticle: {summary} {article}\n\nSummary: {article}\nSummary: x\n\nProvide" in prompt


@pytest.mark.parametrize(
    ("answer", "score", "reason"),
    [
        ("It names the winner. 4", 4, "It names the winner."),
        ("It names the winner.\n\nFinal score: 4", 4, "It names the winner."),
        ("Reason: It names the winner.\nScore: 4/5.", 4, "It names the winner."),
        ("**Reason:** It names the winner.\n\n**Final Score:** 4.5", 4.5, "It names the winner."),
        ("It names the winner, so I give it a score of 3 out of 5.", 3, "It names the winner, so I give it a score of "
         "3 out of 5."),
        ("Good. I would rate this summary a 4 with respect to relevance.", 4, "Good."),
        ("Good. I would give this summary a 4.", 4, "Good."),
        ("It omits 2 of the dead. It deserves a three", 3, "It omits 2 of the dead."),
        ("Final score (1-5): Four", 4, "Final score (1-5): Four"),
        ("On a scale from one to five, the score is 2.", 2, "On a scale from one to five, the score is 2."),
        ("Relevance: 4", 4, "Relevance: 4"),
        ("Score: 4. It names the winner.", 4, "It names the winner."),
        ("A first score would be 2. But it names the winner. Final score: 4", 4, "A first score would be 2. But it "
         "names the winner."),
        ('{"reason": "It names the winner.", "score": 5}', 5, 'reason": "It names the winner.", "score": 5}'),
        ("<think>Perhaps a score of 2?</think>Fine. Score - 3", 3, "Fine."),
        ("4.0/5.0", 4, "4.0/5.0"),
        ("Score out of 5: 1", 1, "Score out of 5: 1"),
        ("Good – 5!", 5, "Good – 5!"),
    ],
)  # fmt: skip
def test_scores_are_read(answer: str, score: float, reason: str) -> None:
    assert parse_rating(answer) == Rating(score, reason, answer)


@pytest.mark.parametrize(
    ("answer", "skipped"),
    [
        ("", "no_score"),
        ("It names the winner.", "no_score"),
        ("It covers 3 of the 5 main points.", "no_score"),
        ("It covers 4 out of 5 points.", "no_score"),
        ("The score reflects that it misses three points.", "no_score"),
        ("It says that she won on June 4.", "no_score"),
        ("I rate this one highly.", "no_score"),
        ("Score: 4,5", "no_score"),
        ("Score: 80%", "no_score"),
        ("Score: 1-5", "no_score"),
        ("Score: N/A", "no_score"),
        ("Score: 0", "out_of_range"),
        ("Score: 7", "out_of_range"),
        ("Score: -3", "out_of_range"),
        ("Score: 5.5", "out_of_range"),
        ("Good. Score: 4. No: final score: six.", "out_of_range"),  # not the 4 that came before
        ("Score: 8/10", "other_scale"),
        ("Score: 4 out of ten", "other_scale"),
        ("Score: 3-4", "several_scores"),
        ("I give it a score of three to four.", "several_scores"),
        ("Score: 3 or 4", "several_scores"),
        ("Score: 4 and a half", "several_scores"),
        ("Score: 3 1/2", "several_scores"),
        ("Score: 4+", "several_scores"),
    ],
)
def test_scores_are_not_guessed(answer: str, skipped: str) -> None:
    rating = parse_rating(answer)
    assert (math.isnan(rating.score), rating.skipped, rating.answer) == (True, skipped, answer)
    assert skipped in SKIPPED


def rows(texts: Sequence[object], summaries: Sequence[object]) -> list[dict[str, object]]:
    return [{"text": text, "prediction": summary} for text, summary in zip(texts, summaries, strict=True)]


def test_summaries_are_rated_in_their_order() -> None:
    judge = Judge({"good": "Fine. Score: 5", "bad": "No idea."})
    samples = relevance._samples("relevance", rows(["a", "b", ["c", "d"], "a"], ["good", " \n", "bad", "good"]))
    found = rate(samples, judge)
    assert [rating.score for rating in found[::3]] == [5, 5]
    assert [rating.skipped for rating in found] == [None, "empty_prediction", "no_score", None]
    expected = [("a", "good"), ("c\n\nd", "bad"), ("a", "good")]  # the empty one is not asked for
    assert judge.prompts == [relevance_prompt(*pair) for pair in expected]


def test_only_empty_summaries_ask_nothing() -> None:
    judge = Judge({})
    assert [rating.skipped for rating in rate(relevance._samples("m", rows(["a"], [""])), judge)] == [
        "empty_prediction"
    ]
    assert judge.prompts == []


def rated(*scores: float | None) -> list[Rating]:
    return [Rating(math.nan, "", "", "no_score") if score is None else Rating(score, "", "") for score in scores]


def compare_groups(
    ratings: Sequence[Rating],
    groups: Sequence[str | None] | None = None,
    articles: Sequence[int] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Compare ratings of summaries with these groups and originals."""
    given = [
        {"text": "a", "prediction": "b", "text_group": group, "article_id": article}
        for group, article in zip(groups or [None] * len(ratings), articles or [None] * len(ratings), strict=True)
    ]
    return relevance.compare_groups(relevance._samples("relevance", given), ratings, Intervals(**settings))


def test_groups_by_hand() -> None:
    ratings = rated(4, 5, 3, 5, None, 2)
    groups, articles = ["female", "male", "female", "male", "male", "female"], [1, 1, 2, 2, 3, 3]
    result = compare_groups(ratings, groups, articles)
    assert result["relevance"] == 19 / 5
    # Squared distances from 3.8: 0.04 + 1.44 + 0.64 + 1.44 + 3.24 = 6.8, over n - 1 = 4.
    assert result["relevance_std"] == pytest.approx(1.7**0.5)
    assert result["relevance_by_group"] == {"female": 3, "male": 5}
    assert result["std_by_group"] == {"female": 1, "male": 0}
    assert result["n_by_group"] == {"female": 3, "male": 2}
    assert result["max_difference"] == 2
    (difference,) = result["differences"]
    assert (difference["group_a"], difference["group_b"], difference["difference"]) == ("female", "male", -2)
    counts = {name: result[name] for name in ("n_samples", "n_articles", "n_skipped", "skipped", "undefined")}
    assert counts == {"n_samples": 5, "n_articles": 3, "n_skipped": 1, "skipped": {"no_score": 1}, "undefined": {}}


def test_intervals_resample_originals() -> None:
    """Against all 3^3 draws of three originals, each as likely as the others."""
    scores = {"p": {"f": [4, 5], "m": [2]}, "q": {"f": [1], "m": [3, 3]}, "r": {"f": [5], "m": [1, 5, 4]}}
    flat = [(article, group, score) for article, of in scores.items() for group, all_ in of.items() for score in all_]
    exact = []
    for drawn in product(scores, repeat=3):
        female, male = (np.mean([s for article in drawn for s in scores[article][group]]) for group in "fm")
        exact.append(female - male)
    # Intervals expanded for three originals to this level end where percentiles of level 0.8 do.
    reach = norm.ppf(0.9) * math.sqrt(2 / 3)
    level = float(2 * student.cdf(reach, 2) - 1)
    columns = [list(column) for column in zip(*flat, strict=True)]
    result = compare_groups(rated(*columns[2]), columns[1], columns[0], confidence_level=level, n_resamples=20_000)
    # Quantiles of 27 equally likely values lie between two neighbours; which one is drawn is up to chance.
    near = np.sort(exact)
    for found, quantile in zip(result["differences"][0]["ci"], (0.1, 0.9), strict=True):
        assert near[max(0, int(27 * quantile) - 1)] - 1e-9 <= found <= near[min(26, int(27 * quantile) + 1)] + 1e-9
    # The lower end of a largest difference is moved down by three times the bias of the draws.
    largest = np.sort(np.abs(exact))
    bias = max(0.0, largest.mean() - result["max_difference"])
    low, high = result["max_difference_ci"]
    assert max(0, largest[1] - 3 * bias) - 0.05 <= low <= max(0, largest[3] - 3 * bias) + 0.05
    assert largest[23] - 1e-9 <= high <= largest[25] + 1e-9
    assert result["lost"] == 0
    # The mean of all is a ratio of sums over originals: 11 of 3, 7 of 3 and 15 of 4.
    moments = Moments.of(np.array([11.0, 7.0, 15.0]), np.array([3.0, 3.0, 4.0]))
    assert result["relevance_ci"] == pytest.approx(mean_interval(moments, level, (1.0, 5.0)))


@pytest.mark.parametrize("n", [199, 200])
def test_the_largest_of_several_differences_needs_200_originals(n: int) -> None:
    scores = np.random.default_rng(3).integers(1, 6, size=(n, 3))
    result = compare_groups(
        rated(*scores.ravel().tolist()),
        ["a", "b", "c"] * n,
        np.repeat(np.arange(n), 3).tolist(),
        confidence_level=0.9,
        n_resamples=300,
    )
    assert all(math.isfinite(end) for difference in result["differences"] for end in difference["ci"])
    low, high = result["max_difference_ci"]
    if n < 200:
        assert math.isnan(low)
        assert math.isnan(high)
        assert "at least 200 originals, and 199 were scored" in result["undefined"]["max_difference_ci"]
    else:
        assert 0 <= low < result["max_difference"] < high < 4
        assert result["undefined"] == {}


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from("abc")), min_size=2, max_size=12))
def test_the_largest_difference_is_the_largest(columns: list[tuple[int, str]]) -> None:
    scores, groups = zip(*columns, strict=True)
    result = compare_groups(rated(*scores), groups)
    differences = [abs(pair["difference"]) for pair in result["differences"]]
    if len(set(groups)) == 1:
        assert math.isnan(result["max_difference"])
    else:
        assert result["max_difference"] == max(differences)
        assert max(differences) <= 4


def test_replicates_that_lose_a_group_are_reported() -> None:
    result = compare_groups(rated(4, 3), ["a", "b"], n_resamples=4000)
    assert result["lost"] == pytest.approx(0.5, abs=0.05)  # the same original twice: 2 of 4 draws
    assert result["max_difference_ci"] == pytest.approx(mean_interval(Moments(2, 1, 0, 0), 0.95, (0.0, 4.0)))


@pytest.mark.parametrize(
    ("ratings", "groups", "articles", "undefined"),
    [
        (rated(4, 5), None, None, {"max_difference": "no groups were given"}),
        (rated(4, 5), [None, None], None, {"max_difference": "no groups were given"}),
        (
            rated(4, 5),
            ["a", "a"],
            None,
            {"max_difference": "there is only one group (a), so there is nothing to compare"},
        ),
        (rated(4, 5, None), ["a", "a", "b"], None, {"max_difference": "no summary of b has a score"}),
        (rated(4, 5), ["a", "b"], [7, 7], {"intervals": "fewer than two originals have scores"}),
        (
            rated(None),
            ["a"],
            None,
            {
                "relevance": "no summary has a score",
                "relevance_std": "fewer than two summaries have a score",
                "max_difference": "there is only one group (a), so there is nothing to compare",
                "intervals": "fewer than two originals have scores",
            },
        ),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(
    ratings: list[Rating], groups: list[str] | None, articles: list[int] | None, undefined: dict[str, str]
) -> None:
    result = compare_groups(ratings, groups, articles)
    assert result["undefined"] == undefined
    for name in ("relevance", "relevance_std", "max_difference"):
        assert math.isnan(result[name]) == (name in undefined)
    assert np.isnan(result["relevance_ci"]).all() == ("intervals" in undefined)
    assert np.isnan(result["max_difference_ci"]).all() == bool({"max_difference", "intervals"} & undefined.keys())


@given(
    columns=st.lists(
        st.tuples(st.sampled_from([1, 2.3, 3.7, 4.1, 5]), st.sampled_from("abc"), st.integers(0, 3)),
        min_size=1,
        max_size=12,
    ),
    data=st.data(),
)
def test_the_order_of_samples_does_not_matter(columns: list[tuple[float, str, int]], data: st.DataObject) -> None:
    def result(rows: list[tuple[float, str, int]]) -> str:
        scores, groups, articles = zip(*rows, strict=True)
        found = compare_groups(rated(*scores), groups, articles, confidence_level=0.9, n_resamples=50)
        return repr({name: entry for name, entry in found.items() if name != "ratings"})

    assert result(columns) == result(data.draw(st.permutations(columns)))


ROWS: list[dict[str, Any]] = [
    {"text": "Ann won. Bob lost.", "prediction": "Ann won.", "text_group": "female", "article_id": "w1"},
    {"text": "Al won. Bob lost.", "prediction": "Al won.", "text_group": "male", "article_id": "w1"},
    {"text": ["Eve sings.", "She hums."], "prediction": "A song.", "text_group": "female", "article_id": "w2"},
    {"text": ["Tom sings.", "He hums."], "prediction": "", "text_group": "male", "article_id": "w2"},
    {"text": "Tim sings.", "prediction": "Tim sang.", "text_group": "male", "article_id": "w2"},
]
ANSWERS = {"Ann won.": "It names her. Score: 4", "Al won.": "Fine. 5", "A song.": "Who?", "Tim sang.": "Fine. 2/5"}


@pytest.fixture
def server(chat_server: Any) -> Any:
    """An endpoint that answers by the summary in the prompt."""
    chat_server.say = lambda prompt: ANSWERS[prompt.partition("Summary: ")[2].partition("\n")[0]]
    return chat_server


def test_as_a_command(fairsum: Any, server: Any, write_jsonl: Any, tmp_path: Path) -> None:
    options = ("--set", "chat_model=m", "--set", f"chat_url={server.url}", "--set", f"cache={tmp_path / 'cache'}")
    path = write_jsonl(ROWS)
    status, printed, _ = fairsum("study", "relevance", path, *options, "--verbose")
    assert status == 0
    assert "summaries: 3 samples scored, 2 skipped (1 empty_prediction, 1 no_score)\n2 originals;" in printed
    assert "\nfemale        1  4.00  undefined\nmale          2  3.50       2.12\n" in printed
    # Two originals, of means 4 (two ratings) and 2: residuals that Student's t of one degree cannot tell from anything.
    assert "\nall           3  3.67       1.53  [" in printed
    # Draws of originals w1 and w2: twice w1 (4 against 5), both (4 against 3.5), twice w2 (no female score).
    # The expanded interval of two originals reaches to the outermost of these.
    assert "\nfemale - male    0.50  [-1.00, 0.50]\nlargest          0.50   [0.50, 1.00]\n" in printed
    assert "% of the resampled data sets lacked a group and were left out." in printed
    assert "signature: study:relevance|chat:m|ci:0.95|resamples:1000|seed:0|v:" in printed
    found = studies.relevance(path, chat_model="m", chat_url=server.url, cache=tmp_path / "cache")
    assert len(server.requests) == 4  # all answers were kept
    assert [rating["score"] for rating in found["ratings"][:2]] == [4, 5]
    assert found["ratings"][0]["reason"] == "It names her."
    assert [rating["skipped"] for rating in found["ratings"]] == [None, None, "no_score", "empty_prediction", None]
    assert found["lost"] == pytest.approx(0.25, abs=0.05)  # draws of the second original only: 1 of 4


@takes_long
def test_a_model_that_runs_here(tiny_model: Any) -> None:
    """Its answers mean nothing, which is reported."""
    folder = tiny_model("causal", max_tokens=2048)
    with pytest.warns(RuntimeWarning, match="answers of causal@.* were cut off at max_tokens="):
        result = studies.relevance(ROWS[:1], chat_model=folder, device="cpu", cache="none")
    assert result["skipped"] == {"no_score": 1}
    assert result["undefined"]["relevance"] == "no summary has a score"


@pytest.mark.parametrize(
    ("change", "settings", "message"),
    [
        ({"text": None}, {}, r"relevance: sample 1: sources\[0\] must be a string"),
        ({"text": ["a", 3]}, {}, r"relevance: sample 1: sources\[1\] must be a string"),
        ({"prediction": 3}, {}, "relevance: sample 1: prediction must be a string"),
        ({"text_group": None}, {}, "relevance: sample 1 has no text_group, but others have; fill it in"),
        ({"text_group": " "}, {}, "relevance: sample 1: the group must be a non-empty string"),
        ({"article_id": None}, {}, "relevance: sample 1 has no article_id, but others have"),
        ({"article_id": 2.5}, {}, "relevance: sample 1: the article id must be a string or a whole number"),
        ({}, {"n_resamples": 0}, "relevance: n_resamples must be a whole number of at least 1"),
        ({}, {"confidence_level": 2}, r"relevance: confidence_level must be a number in \[0, 1\]"),
        ({}, {"chat_url": "localhost"}, "relevance: base_url must be an http or https address"),
        ({}, {"chat_model": None}, r"relevance: chat_model is missing \(--set chat_model=ID\); name a chat model"),
    ],
)
def test_bad_input_asks_nothing(server: Any, change: dict[str, Any], settings: dict[str, Any], message: str) -> None:
    given = {"chat_model": "m", "chat_url": server.url, "cache": "none", **settings}
    with pytest.raises(InputError, match=message):
        studies.relevance([ROWS[0], ROWS[1] | change, *ROWS[2:]], **given)
    assert server.requests == []


def test_an_endpoint_that_fails(server: Any) -> None:
    server.fails = (404, b"{}")
    with pytest.raises(FairSumError, match=r"relevance: http://127.* status 404: .* run again to continue"):
        studies.relevance(ROWS, chat_model="m", chat_url=server.url, cache="none")
