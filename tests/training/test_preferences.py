"""Preference pairs, and a DPO run on them."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.training import preference_pairs

SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]
# Fairness by UER: 3/4, 1, 0 (empty), 11/12, 1.
CANDIDATES = ["Tasty.", "Tasty bread.", "", "Tasty soup, awful.", "Soup, bread."]


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


def test_former_names_read_and_warn():
    [row] = pairs([CANDIDATES]).rows
    with pytest.warns(DeprecationWarning, match="'score_chosen' is now called 'fairness_chosen'"):
        assert (row["score_chosen"], row["score_rejected"]) == (1.0, 0.75)


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
            **run_settings, max_steps=12, per_device_train_batch_size=5, max_length=64, learning_rate=1e-3, seed=0
        ),
        train_dataset=Dataset.from_list(rows),
    )
    run.train()
    margins = [entry["rewards/margins"] for entry in run.state.log_history if "rewards/margins" in entry]
    assert margins[0] == pytest.approx(0, abs=1e-4)  # the policy is still the reference
    assert margins[-1] > 0.1  # and has come to prefer the fairer summaries
