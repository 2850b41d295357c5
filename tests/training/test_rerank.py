"""Best of n."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.training import preference_pairs, rerank

SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]
# Fairness by UER: 3/4, 1, 0 (empty), 11/12, 1.
CANDIDATES = ["Tasty.", "Tasty bread.", "", "Tasty soup, awful.", "Soup, bread."]


def test_ranking():
    [ranking] = rerank([CANDIDATES], [SOURCES], [VALUES])
    assert ranking.best == 1  # the first of two
    assert ranking.fairness == pytest.approx([3 / 4, 1, 0, 11 / 12, 1])


def test_samples_of_several_sizes_do_not_mix():
    candidates = [["", "Tasty."], ["Tasty bread."], ["Tasty.", "Awful.", "Soup, bread."]]
    rankings = rerank(candidates, [SOURCES] * 3, [VALUES] * 3, metric="auc")
    assert rankings == [(0, [0.0, 0.0]), (0, [1.0]), (2, [0.0, 0.0, 1.0])]


def test_nothing_to_compare_keeps_the_first():
    assert rerank([CANDIDATES], [SOURCES], [["pos", "pos"]]) == [(0, [None] * 5)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"candidates": [["a"], []]}, "sample 1: candidates must be a list of at least one summary, found list []"),
        ({"candidates": [["a"], "b"]}, "sample 1: candidates must be a list of at least one summary, found str 'b'"),
        ({"candidates": [["a"], ["b", None]]}, "sample 1: completion 1 must be a text or a list of messages"),
        ({"values": [["pos", "neg"], ["pos"]]}, "sample 1: sources has 2 texts but values has 1 label"),
        ({"sources": [SOURCES]}, "candidates has 2 samples but sources has 1"),
        ({"metric": "coverage_parity"}, "coverage_parity is defined for a whole data set, not for one"),
    ],
)
def test_refused(arguments, message):
    with pytest.raises(InputError) as error:
        rerank(**{"candidates": [["a"], ["b"]], "sources": [SOURCES] * 2, "values": [VALUES] * 2, **arguments})
    assert message in str(error.value)


def pairs(candidates, prompts=None, values=VALUES, **options):
    n = len(candidates)
    return preference_pairs(prompts or ["Summarize."] * n, candidates, [SOURCES] * n, [values] * n, **options)


def test_fairest_against_least_fair_but_never_an_empty_one():
    rows, n_ties, n_undefined = pairs([CANDIDATES])
    assert (n_ties, n_undefined) == (0, 0)
    assert rows == [
        {
            "prompt": "Summarize.",
            "chosen": "Tasty bread.",
            "rejected": "Tasty.",
            "fairness_chosen": 1.0,
            "fairness_rejected": 0.75,
        }
    ]


def test_what_gives_no_pair_is_counted():
    even, close = ["Tasty bread.", "Soup, awful."], ["Tasty soup, awful.", "Tasty bread."]
    found = pairs([even, close, ["Tasty.", "", "Tram."], CANDIDATES], margin=0.1)
    assert (len(found.rows), found.n_ties, found.n_undefined) == (1, 2, 1)
    assert len(pairs([close]).rows) == 1
    # A difference of exactly the margin is not more than it.
    assert pairs([["Tasty.", "Tasty bread."]], margin=0.25).n_ties == 1
    assert pairs([CANDIDATES], values=["pos", "pos"]).n_undefined == 1


@pytest.mark.parametrize("as_messages", [True, False])
def test_conversations(as_messages):
    prompt = [{"role": "user", "content": "Summarize."}]
    texts = ["Tasty.", "Tasty bread."]
    candidates = [[{"role": "assistant", "content": text}] for text in texts] if as_messages else texts
    [row] = pairs([candidates], [prompt]).rows
    assert row["prompt"] == prompt
    assert row["chosen"] == [{"role": "assistant", "content": "Tasty bread."}]
    assert row["rejected"] == [{"role": "assistant", "content": "Tasty."}]
    [row] = pairs([candidates]).rows
    assert (row["prompt"], row["chosen"], row["rejected"]) == ("Summarize.", "Tasty bread.", "Tasty.")


def test_refused_pairs():
    with pytest.raises(InputError, match="margin must be a number in"):
        pairs([CANDIDATES], margin=2)
    with pytest.raises(InputError, match="sample 0: the prompt must be a text or a list of messages, found int 3"):
        pairs([CANDIDATES], [3])


# TRL reads and sets it by the old name.
@pytest.mark.filterwarnings("ignore:`(is_)?gradient_checkpointing.*` is deprecated:FutureWarning")
def test_a_run_of_dpo(trl, tiny_model, reviews, run_settings):
    from datasets import Dataset

    candidates = [["Great soup.", "Cold and slow.", "Friendly, loud.", ""]] * 5
    prompts = [f"Great soup {place}:" for place in range(5)]
    rows = preference_pairs(prompts, candidates, **reviews).rows
    assert len(rows) == 5
    run = trl.DPOTrainer(
        str(tiny_model("causal")),
        args=trl.DPOConfig(
            **run_settings, max_steps=4, per_device_train_batch_size=5, max_length=64, learning_rate=5e-3, seed=0
        ),
        train_dataset=Dataset.from_list(rows),
    )
    run.train()
    margins = [entry["rewards/margins"] for entry in run.state.log_history if "rewards/margins" in entry]
    assert margins[0] == pytest.approx(0, abs=1e-4)  # the policy is still the reference
    assert margins[-1] > 0.1  # and has come to prefer the fairer summaries
