"""Rewards in TRL's form, and a GRPO run that is driven by them."""

from __future__ import annotations

import math
import pickle

import pytest

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.training import fairness_reward

SOURCES, VALUES = [["Tasty soup.", "Awful bread."]] * 2, [["pos", "neg"]] * 2


def said(*contents):
    return [{"role": "assistant", "content": content} for content in contents]


def test_both_forms_of_completions():
    reward = fairness_reward("uer")
    columns = {"sources": SOURCES, "values": VALUES, "trainer_state": object(), "completion_ids": [[1], [2]]}
    texts = ["Tasty.", "Tasty bread."]
    assert reward(prompts=["?", "?"], completions=texts, **columns) == [0.75, 1.0]
    messages = [said(text) for text in texts]
    assert reward(prompts=[said("?")] * 2, completions=messages, **columns) == [0.75, 1.0]
    assert messages == [said(text) for text in texts]


def test_single_values_get_no_reward_and_empty_ones_the_lowest():
    reward = fairness_reward("equal_coverage", entailer="lexical", values_column="label")
    columns = {"sources": SOURCES, "label": [["pos", "pos"], ["pos", "neg"]]}
    assert reward(completions=["Tasty.", ""], **columns) == [None, 0.0]


def test_name_and_pickle():
    reward = pickle.loads(pickle.dumps(fairness_reward("auc")))
    assert reward.__name__ == "auc_fairness"
    assert reward(completions=["Tasty.", "Tasty bread."], sources=SOURCES, values=VALUES) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"values": VALUES}, "uer_fairness: the data set has no column 'sources', found values; add it"),
        ({"sources": SOURCES, "values": VALUES[:1]}, "completions has 2 samples but values has 1"),
        ({"sources": SOURCES, "values": VALUES, "completions": ["a", 3]}, "completion 1 must be a text or a list of"),
        ({"sources": [["a"], ["b"]], "values": VALUES}, "sample 0: sources has 1 text but values has 2 labels"),
    ],
)
def test_refused(columns, message):
    with pytest.raises(InputError) as error:
        fairness_reward()(**{"completions": ["a", "b"], **columns})
    assert message in str(error.value)


# TRL reads and sets it by the old name.
@pytest.mark.filterwarnings("ignore:`(is_)?gradient_checkpointing.*` is deprecated:FutureWarning")
@pytest.mark.parametrize("trainer", ["GRPO", "RLOO"])
def test_a_run_of_trl(trl, tiny_model, tokenizer_of, reviews, run_settings, trainer):
    from datasets import Dataset

    uer, coverage = fairness_reward("uer"), fairness_reward("equal_coverage", entailer="lexical")
    seen = []

    class Recorded:
        __name__ = uer.__name__

        def __call__(self, completions, **columns):
            rewards = uer(completions, **columns)
            seen.append((completions, columns["sources"], columns["values"], rewards))
            return rewards

    prompts = [f"Great soup {place}:" for place in range(5)]
    arguments = getattr(trl, f"{trainer}Config")(
        **run_settings,
        max_steps=2,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=24,
        remove_unused_columns=False,
        seed=0,
    )
    run = getattr(trl, f"{trainer}Trainer")(
        str(tiny_model("causal")),
        processing_class=tokenizer_of(tiny_model("causal")),
        reward_funcs=[Recorded(), coverage],
        args=arguments,
        train_dataset=Dataset.from_dict({"prompt": prompts, **reviews}),
    )
    before = next(run.model.parameters()).detach().clone()
    run.train()
    assert len({reward for *_, rewards in seen for reward in rewards}) > 1
    assert (next(run.model.parameters()) != before).any()  # the rewards differ, so something was learnt
    logs = [entry for entry in run.state.log_history if f"rewards/{uer.__name__}/mean" in entry]
    assert len(logs) == len(seen) == 2
    for entry, (completions, sources, values, rewards) in zip(logs, seen, strict=True):
        samples = score(completions, sources, values, metrics=["uer"], empty="uniform", return_samples=True)
        expected = [0.0 if one["unmatched"] else 1 - one["uer"] for one in samples["uer"]["samples"]]
        assert rewards == expected
        assert entry[f"rewards/{uer.__name__}/mean"] == pytest.approx(math.fsum(expected) / len(expected))
        assert 0 <= entry["rewards/equal_coverage_fairness/mean"] <= 1
