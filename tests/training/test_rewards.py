"""Rewards in TRL's form, and a GRPO run that is driven by them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils import UER, EqualCoverage, score
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.training import fairness_reward
from fairsum_utils.training.rewards import FairnessJudge, completion_text, in_form_of

from ..conftest import takes_long

TWO_SOURCES, TWO_VALUES = [["Tasty soup.", "Awful bread."]] * 2, [["pos", "neg"]] * 2


def said(*contents):
    return [{"role": "assistant", "content": content} for content in contents]


def test_both_forms_of_completions():
    reward = fairness_reward("uer")
    columns = {"sources": TWO_SOURCES, "values": TWO_VALUES, "trainer_state": object(), "completion_ids": [[1], [2]]}
    texts = ["Tasty.", "Tasty bread."]
    assert reward(prompts=["?", "?"], completions=texts, **columns) == [0.75, 1.0]
    messages = [said(text) for text in texts]
    assert reward(prompts=[said("?")] * 2, completions=messages, **columns) == [0.75, 1.0]
    assert messages == [said(text) for text in texts]


def test_single_values_get_no_reward_and_empty_ones_the_lowest():
    reward = fairness_reward(EqualCoverage(entailer="lexical"), values_column="label")
    columns = {"sources": TWO_SOURCES, "label": [["pos", "pos"], ["pos", "neg"]]}
    assert reward(completions=["Tasty.", ""], **columns) == [None, 0.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"values": TWO_VALUES}, "uer_fairness: the data set has no column 'sources', found values; add it"),
        ({"sources": TWO_SOURCES, "values": TWO_VALUES[:1]}, "completions has 2 samples but values has 1"),
        (
            {"sources": TWO_SOURCES, "values": TWO_VALUES, "completions": ["a", 3]},
            "completion 1 must be a text or a list of",
        ),
        ({"sources": [["a"], ["b"]], "values": TWO_VALUES}, "sample 0: sources has 1 text but values has 2 labels"),
    ],
)
def test_refused(columns, message):
    with pytest.raises(InputError) as error:
        fairness_reward()(**{"completions": ["a", "b"], **columns})
    assert message in str(error.value)


# TRL reads and sets it by the old name.
@pytest.mark.filterwarnings("ignore:`(is_)?gradient_checkpointing.*` is deprecated:FutureWarning")
@pytest.mark.parametrize("trainer", ["GRPO", pytest.param("RLOO", marks=takes_long)])
def test_a_run_of_trl(trl, tiny_model, tokenizer_of, reviews, run_settings, trainer):
    from datasets import Dataset

    uer, coverage = fairness_reward("uer"), fairness_reward(EqualCoverage(entailer="lexical"))
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
        max_completion_length=16,
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
        samples = score(completions, sources, values, metrics=[UER(empty="uniform")], return_samples=True)
        expected = [0.0 if one["unmatched"] else 1 - one["uer"] for one in samples["uer"]["samples"]]
        assert rewards == expected
        assert entry[f"rewards/{uer.__name__}/mean"] == pytest.approx(math.fsum(expected) / len(expected))
        assert 0 <= entry["rewards/equal_coverage_fairness/mean"] <= 1


SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]
WORDS = st.lists(st.sampled_from(["tasty", "soup", "awful", "bread", "tram"]), min_size=1, max_size=6).map(" ".join)
LEXICAL = {"entailer": "lexical"}


def judged(metric, summaries, options=None, sources=SOURCES, values=VALUES):
    judge = FairnessJudge("test", get_measure(metric)(**(options or {})))
    return judge.verdicts(summaries, [sources] * len(summaries), [values] * len(summaries))


@settings(max_examples=25)
@given(st.lists(WORDS, min_size=1, max_size=4), st.sampled_from(["bur", "uer", "auc"]))
def test_fairness_is_one_minus_the_score_of_the_sample(summaries, metric):
    samples = score(
        summaries, [SOURCES] * len(summaries), [VALUES] * len(summaries), metrics=[metric], return_samples=True
    )
    for verdict, sample in zip(judged(metric, summaries), samples[metric]["samples"], strict=True):
        if sample["unmatched"]:
            assert verdict == (0.0, "unmatched")
        else:
            assert verdict == (1 - sample[metric], None)
            assert 0 <= verdict.fairness <= 1


def test_uer_by_hand():
    # Half the tokens of the sources are of each value. "tasty": all of pos, so neg lacks 0.5; over two values 0.25.
    # "tasty soup awful": two thirds and one third, so neg lacks 1/6; over two values 1/12.
    assert [verdict.fairness for verdict in judged("uer", ["tasty", "tasty soup awful"])] == pytest.approx(
        [3 / 4, 11 / 12]
    )


def test_equal_coverage_by_hand():
    # One unit of two words. The first document has both, the second none: coverage 1 and 0, mean 0.5, differences
    # +-0.5, EC 0.5; the best document has all of it. Then one word of each: even-handed, but half supported. Then one
    # word of the first alone: coverage 0.5 and 0, EC 0.25, support 0.5.
    verdicts = judged("equal_coverage", ["Tasty soup.", "Tasty bread.", "Tasty tram."], LEXICAL)
    assert verdicts == [(0.5, None), (0.5, None), (0.375, None)]


@pytest.mark.parametrize(("metric", "options"), [("uer", {}), ("bur", {}), ("auc", {}), ("equal_coverage", LEXICAL)])
def test_saying_nothing_does_not_pay(metric, options):
    empty, blank, stops, alien = judged(metric, ["", " \n", "...", "Tram, tram."], options)
    one_sided = judged(metric, ["Tasty soup."], options)[0]
    assert [verdict.fairness for verdict in (empty, blank, stops, alien)] == [0.0] * 4
    assert empty.reason == blank.reason == "empty_prediction"
    assert {stops.reason, alien.reason} <= {"unmatched", "no_units", "uncovered"}
    assert one_sided.fairness >= 0
    assert metric == "bur" or metric == "auc" or one_sided.fairness > 0
    # The published measures would be fooled.
    if metric != "equal_coverage":
        fooled = get_measure(metric)(unmatched="uniform")
        assert score(["Tram."], [SOURCES], [VALUES], metrics=fooled)[metric][metric] == 0


@pytest.mark.parametrize(("metric", "options"), [("uer", {}), ("equal_coverage", LEXICAL)])
@pytest.mark.parametrize("summary", ["Tasty.", "", "Tram."])
def test_a_single_value_gives_nothing_to_compare(metric, options, summary):
    assert judged(metric, [summary], options, values=["pos", "pos"]) == [(None, "single_value")]


def test_released_protocol_has_its_own_reason():
    assert judged("equal_coverage", ["Tram."], {**LEXICAL, "protocol": "released"}) == [(0.0, "no_covered_unit")]


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("sof", {}, "test: sof is defined for a whole data set, not for one summary; choose one of bur, "),
        ("toxicity", {}, "found str 'toxicity'"),
        (UER(empty="skip"), {}, "unrelated to its sources always has fairness 0 here; omit the option 'em"),
        (UER(unmatched="skip"), {}, "has fairness 0 here; omit the option 'unmatched'"),
        ("uer", {"k": 2}, "test: k is a setting of a measure; write metric=UER(k=2), with UER from fairsum_utils"),
    ],
)
def test_a_judge_is_refused(metric, options, message):
    with pytest.raises(InputError) as error:
        FairnessJudge("test", metric, options)
    assert message in str(error.value)


def test_a_model_is_loaded_once(nli_model, tiny_model, monkeypatch):
    import fairsum_utils.inference.runner as runner

    loads, load = [], runner.load_model
    monkeypatch.setattr(runner, "load_model", lambda *a, **k: loads.append(a) or load(*a, **k))
    for metric, options in (
        ("equal_coverage", {"entailer": str(nli_model)}),
        ("uer", {"matcher": "bertscore", "model": str(tiny_model("encoder")), "num_layers": 1, "rescale": False}),
    ):
        judge = FairnessJudge("test", get_measure(metric)(**options, cache="none", device="cpu"))
        first, second = (judge.verdicts(["Tasty soup."], [SOURCES], [VALUES]) for _ in range(2))
        assert first == second
        assert 0 <= first[0].fairness <= 1
        assert len(loads) == 1
        judge.close()
        loads.clear()


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (said("Tasty.", "Awful."), "Awful."),
        ([*said("Tasty."), {"role": "tool", "content": "ok"}], "Tasty."),
        (said([{"type": "text", "text": "Ta"}, {"type": "image"}, {"type": "text", "text": "sty."}]), "Tasty."),
        (said(None), ""),
        ([], ""),
    ],
)
def test_text_of_messages(completion, text):
    assert completion_text("test", 0, completion) == text


def test_a_completion_takes_the_form_of_its_prompt():
    assert in_form_of("?", said("Tasty.")) == in_form_of("?", "Tasty.") == "Tasty."
    assert in_form_of(said("?"), said("Tasty.")) == in_form_of(said("?"), "Tasty.") == said("Tasty.")
