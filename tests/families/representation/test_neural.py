"""Neural matchers from options to results: by hand with a model that answers as told, and with small real ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.representation import neural as neural_module
from fairsum_utils.inference.runner import Outcome
from tests._together import score
from tests.families.representation.conftest import make_scorer, rows_of

LN3 = math.log(3)


class Told:
    """A model whose score of (texts, summary) is looked up; unknown pairs score 0, and texts of `cut` were cut."""

    def __init__(self, scores: dict[tuple[str, str], float], cut: Sequence[str] = ()) -> None:
        self.signature = {"model": "told@1", "layers": 2}
        self.scores, self.cut = scores, cut
        self.runs: list[list[tuple[str, ...]]] = []
        self.closed = False

    def run(self, keys: Sequence[tuple[str, ...]]) -> Outcome:
        self.runs.append(list(keys))
        values = np.array([[self.scores.get((key[0], key[1]), 0.0)] for key in keys])
        return Outcome(values, np.array([sum(text in self.cut for text in key) for key in keys]))

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Sample 0 of `paper`: pos ln 3 / 10 above neg and neu; sample 1: neg as much above pos."""
    model = Told(
        {
            ("Tasty soup. || Tasty bread, lemon cake.", "Tasty soup and tasty bread; lemon cake."): 0.5 + 0.1 * LN3,
            ("Awful soup, salty bread.", "Tasty soup and tasty bread; lemon cake."): 0.5,
            ("The bread basket.", "Tasty soup and tasty bread; lemon cake."): 0.5,
            ("Slow waiter", "Slow waiter, slow soup!"): 0.1 * LN3,
        },
        cut=["The bread basket."],
    )
    monkeypatch.setattr(neural_module, "load_matcher", lambda settings: model)
    return model


def test_results(paper: Any, told: Told) -> None:
    found = score(*paper, matcher="bertscore", return_samples=True)
    # p_g = 1/3, 1/6, 1/2: neg lacks 1/3 - 1/5 = 2/15, of 3 values; p_g = 1/2, 1/2: pos lacks 1/4, of 2.
    assert found["uer"]["uer"] == pytest.approx((2 / 45 + 1 / 8) / 2, abs=1e-15)
    # Ratios: neg 3/5 < 0.8; pos 1/2 < 0.8.
    assert found["bur"]["bur"] == 1.0
    assert found["bur"]["n_truncated"] == 1
    assert found["bur"]["signature"] == (
        f"matcher:bertscore|model:told@1|layers:2|temp:0.1|norm:fairsumm|tau:0.8|target:ratio|empty:skip|"
        f"ci:0.95|interval:midp|v:{__version__}"
    )
    records = found["uer"]["samples"]
    assert records[1]["scores"] == [0.1 * LN3, 0.0]
    assert [record["truncated"] for record in records] == [1, 0]
    assert [len(run) for run in told.runs] == [5]  # one run for both samples
    assert told.closed


def test_temperature_and_a_score_that_is_no_number(paper: Any, told: Told) -> None:
    scorer = make_scorer(matcher="bartscore", temperature=0.05, module="bur")
    # exp(20 * 0.1 * ln 3) = 9.
    assert rows_of(scorer, *paper)[1].target_weights == pytest.approx((9 / 10, 1 / 10), abs=1e-15)
    for number in (math.nan, -math.inf):
        told.scores["Slow waiter", "Slow waiter, slow soup!"] = number
        with pytest.raises(InputError, match=f"^bur: sample 1: bartscore of the group 'neg' is {number} with this"):
            rows_of(scorer, *paper)


@pytest.mark.parametrize("empty", ["skip", "uniform"])
def test_a_model_is_not_asked_about_empty_summaries(paper: Any, told: Told, empty: str) -> None:
    rows = rows_of(make_scorer(matcher="bertscore", empty=empty), [" ", ""], *paper[1:])
    assert told.runs == []
    assert [row.scores for row in rows] == [(), ()]
    assert [row.skipped for row in rows] == (["empty_prediction"] * 2 if empty == "skip" else [None] * 2)
    assert all(row.unmatched for row in rows) == (empty == "uniform")


def test_given_distributions_need_no_model(paper: Any, told: Told) -> None:
    counts = [{"pos": 6, "neg": 2, "neu": 1}, {"pos": 0, "neg": 3}]
    found, other = (score(*paper, target_distributions=counts, matcher=m)["uer"] for m in ("bertscore", "ngram"))
    assert found == other
    assert told.runs == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "m"}, "bur: model applies only to matcher='bertscore' or matcher='bartscore', found str 'm'; leave"),
        ({"num_layers": 3, "matcher": "bartscore"}, "bur: num_layers applies only to matcher='bertscore', found int 3"),
        ({"k": 2, "matcher": "bertscore"}, "bur: k applies only to matcher='ngram', found int 2; leave it out"),
        ({"rescale": 1, "matcher": "bertscore"}, "bur: rescale must be True, False or None, found int 1"),
        ({"k": 2, "matcher": len}, "bur: k applies only to matcher='ngram', found int 2"),
    ],
)
def test_settings_of_other_matchers(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        make_scorer(module="bur", **options)
    assert message in str(error.value)


@pytest.fixture(scope="module")
def folders(tiny_model: Any) -> dict[str, Path]:
    return {"bertscore": tiny_model("encoder"), "bartscore": tiny_model("seq2seq")}


@pytest.mark.parametrize("matcher", ["bertscore", "bartscore"])
class TestModels:
    def test_cut_texts_are_counted(self, matcher: str, folders: dict[str, Path]) -> None:
        sources, values = [["Tasty soup.", "Awful soup. " * 50]] * 2, [["a", "b"]] * 2
        summaries = ["Tasty.", "Awful and tasty. " * 50]
        with pytest.warns(UserWarning, match="tokens that .* reads and were cut"):
            found = score(
                summaries, sources, values, matcher=matcher, model=folders[matcher], cache="none", return_samples=True
            )["uer"]
        assert found["n_truncated"] == 2
        # The second summary is too long for both values.
        assert [record["truncated"] for record in found["samples"]] == [1, 2]

    def test_a_model_that_is_not_there(self, matcher: str, paper: Any, tmp_path: Path) -> None:
        pytest.importorskip("bert_score")
        with pytest.raises(InputError) as error:
            score(*paper, matcher=matcher, model=tmp_path / "nothing")
        message = str(error.value)
        assert message.startswith("score: ")
        assert str(tmp_path / "nothing") in message
        assert 'matcher="ngram"' in message
