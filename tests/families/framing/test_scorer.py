"""Matches of sentences, sentiment by a model or a function, and settings that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.framing.scorer import MOST_HOLDERS, NO_MATCH, Best, SentenceIndex
from fairsum_utils.families.framing.sentiment import SentimentScores
from fairsum_utils.measures.framing import Framing
from tests._together import score

QUICK: dict[str, Any] = {"cache": "none", "device": "cpu"}


def test_the_score_is_positive_minus_negative(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=["Negative", "neutral", "positive"], initializer_range=0.1)
    scores = SentimentScores(Framing(model=folder, **QUICK))
    texts = ["Great soup.", "Awful soup."]
    assert scores._model is not None
    probabilities, _ = scores._model.run([(text,) for text in texts])
    assert scores.score(texts).scores == pytest.approx((probabilities[:, 2] - probabilities[:, 0]).tolist(), abs=1e-6)
    with pytest.warns(UserWarning, match="were cut"):
        assert scores.score([texts[0], texts[1] * 200]).is_cut == [False, True]
    swapped = {"Negative": "positive", "neutral": "neutral", "positive": "negative"}
    other = SentimentScores(Framing(model=folder, label_map=swapped, **QUICK))
    assert other.score(texts).scores == pytest.approx([-score for score in scores.score(texts).scores])
    for each in (scores, other):
        each.close()


@pytest.mark.parametrize(
    ("labels", "label_map", "message"),
    [
        (["A", "B"], None, "the meaning of 'A' is missing"),
        (["A", "B"], {"A": "negative"}, "the meaning of 'B' is missing"),
        (["A", "B"], {"A": "negative", "B": "neutral"}, "none means positive"),
        (["A", "B"], {"A": "negative", "B": "positive", "C": "neutral"}, "none is 'C'"),
    ],
)
def test_labels_without_a_meaning_are_refused(tiny_model: Any, labels: Any, label_map: Any, message: str) -> None:
    folder = tiny_model("classifier", labels=labels)
    with pytest.raises(InputError, match=f"^framing: .*{message}"):
        SentimentScores(Framing(model=folder, label_map=label_map, module="framing", **QUICK))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "de"}, "VADER knows English only, found language='german'; choose a model"),
        ({"model": 3}, 'model must be "vader", a model id or folder, or a function'),
        ({"label_map": {"A": "positive"}}, "label_map applies only to a model of the Hub or a folder"),
        ({"model": "m", "label_map": {"A": "happy"}}, "must be one of negative, neutral, positive, found str 'happy'"),
        ({"model": "m", "label_map": {}}, "label_map must map labels of the model to negative, neutral, positive"),
        ({"threshold": 0}, "threshold must be above 0"),
        ({"model": lambda texts: [0.0]}, "must return 3 scores, one per sentence, found"),
        ({"model": lambda texts: [2.0] * len(texts)}, "return a score from -1"),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        score(["Great. Bad."], [["Great.", "Awful."]], metrics=["framing"], **settings)
    assert message in str(error.value)


def test_a_function_replaces_vader_in_any_language() -> None:
    def good(texts: list[str]) -> list[float]:
        return [1.0 if "gut" in text else -1.0 for text in texts]

    given = {"metrics": ["framing"], "model": good, "language": "de"}
    result = score(["Das Essen war gut."], [["Das Essen war gut.", "Es war kalt.", "Es war laut."]], **given)["framing"]
    assert (result["framing"], result["from_to"]["negative"]["positive"], result["shift"]) == (1.0, 1, 2.0)
    assert result["signature"].startswith("model:callable(")


WORDS = st.lists(st.sampled_from("abcdefg"), max_size=5)


@given(sources=st.lists(WORDS, max_size=8), wanted=WORDS, least=st.sampled_from([0.0, 0.2, 0.5, 1.0]))
def test_equal_to_all_pairs(sources: list[list[str]], wanted: list[str], least: float) -> None:
    shares = [len({*wanted} & {*source}) / max(len({*wanted}), 1) for source in sources]
    most = max(shares, default=0.0)
    places = [place for place, share in enumerate(shares) if share == most] if most and most >= least else []
    found = SentenceIndex(sources).best(wanted, least)
    assert (found.overlap, list(found.places)) == ((most, places) if places else (0.0, []))


def test_words_of_too_many_sentences_find_nothing() -> None:
    many = [["claritin", str(place)] for place in range(MOST_HOLDERS + 1)]
    assert SentenceIndex(many).best(["claritin"], 0.0) == NO_MATCH
    assert SentenceIndex(many).best(["claritin", "7"], 0.0) == Best(0.5, [7])
    assert len(SentenceIndex(many[1:]).best(["claritin"], 0.0).places) == MOST_HOLDERS
    # Equal sentences count once.
    assert len(SentenceIndex([["great"]] * 1000).best(["great"], 0.0).places) == 1000


def test_texts_without_spaces_have_no_positions() -> None:
    for columns in ((["汤很好喝。"], [["Soup.", "Bread."]]), (["Soup."], [["汤很好喝。", "服务很慢。"]])):
        with pytest.raises(InputError, match="is written in Chinese or Japanese, without spaces"):
            score(*columns, metrics=["position_bias"])
