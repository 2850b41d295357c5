"""`compute_metrics`: real evaluations of a tiny model, and everything a Trainer may hand over."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from fairsum_utils import BUR, SOF, UER, EqualCoverage, compute, score
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.training import fairness_callback, make_compute_metrics
from fairsum_utils.training.metrics import flat, open_session

from ..conftest import takes_long

pytest.importorskip("transformers")

# Settings of the library by which a summary that says nothing is the worst there is, as in training.
WORST = {"empty": "uniform", "unmatched": "unfair"}
SUMMARIES = ["Great soup.", "Loud room.", "", "Slow service, great staff.", "Tram."]


@pytest.fixture(scope="module")
def tokenizer(tiny_model, tokenizer_of):
    return tokenizer_of(tiny_model("seq2seq"))


@pytest.fixture
def tokenized(tokenizer, reviews):
    from datasets import Dataset

    inputs = [tokenizer("\n".join(texts), truncation=True) for texts in reviews["sources"]]
    labels = [tokenizer(texts[-1])["input_ids"] for texts in reviews["sources"]]
    columns = {name: [one[name] for one in inputs] for name in ("input_ids", "attention_mask")}
    return Dataset.from_dict({**columns, "labels": labels, **reviews})


def padded(tokenizer, texts, fill=-100, start=None):
    """Token ids as a Trainer puts them together."""
    rows = [[*([] if start is None else [start]), *tokenizer(text)["input_ids"]] for text in texts]
    width = max(map(len, rows)) + 2
    return np.array([row + [fill] * (width - len(row)) for row in rows])


def handed_over(tokenizer, summaries, references, **options):
    return SimpleNamespace(
        predictions=padded(tokenizer, summaries, start=2, **options), label_ids=padded(tokenizer, references)
    )


def trainer_for(tiny_model, tokenizer, tokenized, compute_metrics, run_settings, **settings):
    from transformers import AutoModelForSeq2SeqLM, DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments

    model = AutoModelForSeq2SeqLM.from_pretrained(tiny_model("seq2seq"))
    settings = {
        **run_settings,
        "max_steps": 2,
        "eval_strategy": "steps",
        "eval_steps": 1,
        "per_device_eval_batch_size": 2,
        "predict_with_generate": True,
        "generation_max_length": 16,
        **settings,
    }
    return Seq2SeqTrainer(
        model,
        Seq2SeqTrainingArguments(**settings),
        data_collator=DataCollatorForSeq2Seq(tokenizer, model),
        train_dataset=tokenized,
        eval_dataset=tokenized,
        processing_class=tokenizer,
        compute_metrics=compute_metrics,
    )


def test_a_run_logs_fairness(tiny_model, tokenizer, tokenized, reviews, run_settings):
    def length(summaries, references):
        return {"words": float(np.mean([len(text.split()) for text in summaries])), "same": summaries == references}

    measures = [kind(target="equal") for kind in (BUR, UER, SOF)]
    compute = make_compute_metrics(tokenizer, tokenized, metrics=measures, extra=length)
    trainer = trainer_for(tiny_model, tokenizer, tokenized, compute, run_settings)
    trainer.train()
    logs = [entry for entry in trainer.state.log_history if "eval_bur" in entry]
    assert [entry["step"] for entry in logs] == [1, 2]

    trainer.compute_metrics = None
    ids = trainer.predict(tokenized).predictions
    summaries = tokenizer.batch_decode(np.where(ids < 0, tokenizer.pad_token_id, ids), skip_special_tokens=True)
    assert any(text.strip() for text in summaries)
    worst = [kind(target="equal", **WORST) for kind in (BUR, UER, SOF)]
    expected = score([text.strip() for text in summaries], **reviews, metrics=worst)
    silent = expected["bur"]["n_unmatched"] == len(summaries)
    for name, result in expected.items():
        assert logs[-1][f"eval_{name}"] == pytest.approx(np.nan if silent else result[name], nan_ok=True)
        for value, one in result[f"{name}_by_value"].items():
            assert logs[-1][f"eval_{name}_by_value/{value}"] == pytest.approx(one, nan_ok=True)
    for count in ("n_skipped", "n_unmatched"):
        assert logs[-1][f"eval_{count}"] == expected["bur"][count]
    assert logs[-1]["eval_words"] == pytest.approx(np.mean([len(text.split()) for text in summaries]))


def test_other_ways_to_collect_give_the_same(tiny_model, tokenizer, tokenized, run_settings):
    compute = make_compute_metrics(tokenizer, tokenized, metrics=("uer",))
    first, *others = (
        trainer_for(tiny_model, tokenizer, tokenized, compute, run_settings, **changed).evaluate()
        for changed in ({}, {"eval_do_concat_batches": False}, {"eval_accumulation_steps": 1})
    )
    for name in ("eval_uer", "eval_uer_by_value/pos", "eval_n_skipped"):
        assert [found[name] for found in others] == [pytest.approx(first[name], nan_ok=True)] * 2


@pytest.mark.parametrize("scores", [np.zeros((5, 3, 4), np.float32), np.zeros((5, 3)), np.zeros(5, int)])
def test_without_generation_the_message_says_so(tokenizer, reviews, scores):
    compute = make_compute_metrics(tokenizer, (reviews["sources"], reviews["values"]))
    with pytest.raises(InputError, match=r"found an array of \w+ of shape .* predict_with_generate=True"):
        compute(SimpleNamespace(predictions=scores, label_ids=np.ones((5, 2), int)))


def test_batch_by_batch_is_refused(tiny_model, tokenizer, tokenized, run_settings):
    compute = make_compute_metrics(tokenizer, tokenized)
    trainer = trainer_for(tiny_model, tokenizer, tokenized, compute, run_settings, batch_eval_metrics=True)
    with pytest.raises(InputError, match="set batch_eval_metrics=False"):
        trainer.evaluate()


def test_another_order_is_noticed(tiny_model, tokenizer, tokenized, run_settings):
    from transformers import TrainingArguments

    compute = make_compute_metrics(tokenizer, tokenized)
    by_length = {"train_sampling_strategy": "group_by_length"}
    if "group_by_length" in TrainingArguments.__dataclass_fields__:  # before transformers 5
        by_length = {"group_by_length": True}
    trainer = trainer_for(tiny_model, tokenizer, tokenized, compute, run_settings, **by_length)
    with pytest.raises(InputError, match=r"labels of prediction \d differ from those of sample \d .*group_by_length"):
        trainer.evaluate()


def test_another_set_is_noticed(tiny_model, tokenizer, tokenized, run_settings):
    compute = make_compute_metrics(tokenizer, tokenized)
    trainer = trainer_for(tiny_model, tokenizer, tokenized, compute, run_settings)
    with pytest.raises(InputError, match="passed 4 predictions, but this function's evaluation set has 5 samples"):
        trainer.predict(tokenized.select(range(4)))
    with pytest.raises(InputError, match="labels of prediction 0 differ from those of sample 0"):
        trainer.predict(tokenized.select([4, 3, 2, 1, 0]))


@takes_long
def test_two_processes(tmp_path, tiny_model, tokenizer, tokenized, reviews, run_settings, forked):
    """Five samples in batches of two on two devices: the last three places are filled with the first samples."""
    pytest.importorskip("accelerate")
    tokenized.save_to_disk(tmp_path / "data")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = forked.in_two_processes([tmp_path / "script.py", tiny_model("seq2seq"), tmp_path], tmp_path)
    assert [process.returncode for process in done] == [0, 0], done
    alone, logged = [], []
    for process in range(2):
        with np.load(tmp_path / f"found-{process}.npz") as found:
            assert len(found["predictions"]) > len(reviews["sources"])
            alone.append(found["uer"].tolist())
            logged.append(found["probe"].tolist())
            ids = found["predictions"][:5]
    texts = tokenizer.batch_decode(np.where(ids < 0, tokenizer.pad_token_id, ids), skip_special_tokens=True)
    expected = score([text.strip() for text in texts], **reviews, metrics=UER(**WORST))["uer"]
    shown = np.nan if expected["n_unmatched"] == 5 else expected["uer"]
    assert alone == [pytest.approx([shown], nan_ok=True)] * 2
    # The callback, whose prompts are shared three to two, logs what one process does.
    trainer = trainer_for(tiny_model, tokenizer, tokenized, None, run_settings)
    prompts = ["\n".join(texts) for texts in reviews["sources"]]
    callback = fairness_callback(trainer, prompts, **reviews, metrics=("uer",), max_new_tokens=14)
    callback.on_evaluate(trainer.args, trainer.state, trainer.control)
    assert logged == [pytest.approx([trainer.state.log_history[-1]["fairness/uer"]], nan_ok=True)] * 2


SCRIPT = """
import os, sys
import numpy as np
from datasets import load_from_disk
from tokenizers.decoders import ByteLevel
from transformers import (
    AutoModelForSeq2SeqLM, AutoTokenizer, DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments
)
from fairsum_utils.training import fairness_callback, make_compute_metrics

model, folder = sys.argv[1:]
tokenizer, rows = AutoTokenizer.from_pretrained(model), load_from_disk(f"{folder}/data")
tokenizer.backend_tokenizer.decoder = ByteLevel()
model = AutoModelForSeq2SeqLM.from_pretrained(model)
compute, seen = make_compute_metrics(tokenizer, rows, metrics=("uer",)), []


def recorded(prediction):
    seen.append(prediction.predictions)
    return compute(prediction)


settings = Seq2SeqTrainingArguments(
    f"{folder}/run", use_cpu=True, report_to="none", predict_with_generate=True, generation_max_length=16,
    per_device_eval_batch_size=2, disable_tqdm=True,
)
trainer = Seq2SeqTrainer(
    model, settings, data_collator=DataCollatorForSeq2Seq(tokenizer, model), eval_dataset=rows,
    processing_class=tokenizer, compute_metrics=recorded,
)
prompts = ["\\n".join(texts) for texts in rows["sources"]]
trainer.add_callback(
    fairness_callback(
        trainer, prompts, rows["sources"][:], rows["values"][:], metrics=("uer",), max_new_tokens=14
    )
)
uer = trainer.evaluate()["eval_uer"]
probe = [entry["fairness/uer"] for entry in trainer.state.log_history if "fairness/uer" in entry]
np.savez(f"{folder}/found-{os.environ['RANK']}.npz", predictions=seen[0], uer=[uer], probe=probe)
trainer.accelerator.end_training()
"""


def test_what_a_trainer_may_hand_over(tokenizer, reviews):
    references = [texts[0] for texts in reviews["sources"]]
    expected = score(SUMMARIES, **reviews, metrics=[BUR(**WORST), UER(**WORST)])
    compute = make_compute_metrics(tokenizer, (reviews["sources"], reviews["values"]))
    given = handed_over(tokenizer, SUMMARIES, references)
    variants = [
        given,
        handed_over(tokenizer, SUMMARIES, references, fill=tokenizer.pad_token_id),
        SimpleNamespace(predictions=(given.predictions, np.zeros((5, 3, 4))), label_ids=given.label_ids),
        handed_over(tokenizer, SUMMARIES + SUMMARIES[:3], references + references[:3]),
        handed_over(tokenizer, SUMMARIES * 3, references * 3),
    ]
    for prediction in variants:
        before = np.copy(prediction.label_ids)
        found = compute(prediction)
        assert found["bur"] == expected["bur"]["bur"]
        assert found["uer_by_value/neg"] == expected["uer"]["uer_by_value"]["neg"]
        assert (found["n_skipped"], found["n_unmatched"]) == (0, 2)
        np.testing.assert_array_equal(prediction.label_ids, before)


def test_a_model_that_says_nothing_has_no_score_and_is_told_why_once(tokenizer, reviews):
    references = [texts[0] for texts in reviews["sources"]]
    compute = make_compute_metrics(tokenizer, (reviews["sources"], reviews["values"]), metrics=("uer",))
    messages = [[""] * 5, ["Tram."] * 4 + [""], SUMMARIES, ["", *SUMMARIES[1:]]]
    with pytest.warns(ScoreWarning) as caught:
        found = [compute(handed_over(tokenizer, summaries, references)) for summaries in messages]
    assert [bool(np.isnan(numbers["uer"])) for numbers in found] == [True, True, False, False]
    assert [numbers["n_unmatched"] for numbers in found] == [5, 5, 2, 3]
    unmatched = [warning for warning in caught if "have no words in common with their sources" in str(warning.message)]
    assert len(unmatched) == 1
    # What a Trainer asks of a checkpoint, with greater_is_better=False and with True.
    assert not np.less(np.nan, np.inf)
    assert not np.greater(np.nan, -np.inf)


def test_coverage_is_logged_too(tokenizer, reviews):
    references = [texts[0] for texts in reviews["sources"]]
    pair, metrics = (reviews["sources"], reviews["values"]), [EqualCoverage(entailer="lexical")]
    found = make_compute_metrics(tokenizer, pair, metrics=metrics)(handed_over(tokenizer, SUMMARIES, references))
    expected = score(SUMMARIES, *pair, metrics=metrics)["equal_coverage"]
    assert found["equal_coverage"] == expected["equal_coverage"]
    assert found["equal_coverage_by_value/pos"] == expected["equal_coverage_by_value"]["pos"]


@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        ([{"sources": ["a"], "values": []}], {"sources_column": "texts"}, "no column 'texts', found sources, values"),
        ({"a": [], "b": []}, {}, "only one evaluation set is supported, .*; found a, b$"),
        (3, {}, "eval_dataset must be a data set with rows that are mappings, or a tuple .* found int 3"),
        (([["a"]], []), {}, "sources has 1 sample but values has 0"),
        (
            ([["a"]], [["b"]]),
            {"metrics": ["uer", "bur"], "tau": 0.9},
            r'compute_metrics: tau is a setting of a measure; write metrics=\["uer", BUR\(tau=0.9\)\], with BUR from',
        ),
    ],
)
def test_refused(tokenizer, dataset, options, message):
    with pytest.raises(InputError, match=message):
        make_compute_metrics(tokenizer, dataset, **options)


COLUMNS = {
    "predictions": ["Tasty.", "", "Tram.", "..."],
    "sources": [["Tasty soup.", "Awful bread."]] * 4,
    "values": [["pos", "neg"]] * 4,
}


def test_measures_of_two_families_in_one_session():
    with open_session("test", [UER(k=2, seed=3), EqualCoverage(entailer="lexical", seed=3)]) as session:
        found = flat(session.score(COLUMNS))
        assert repr(found) == repr(flat(session.score(COLUMNS)))  # with what was kept
    uer = compute("uer", **COLUMNS, k=2, seed=3, empty="uniform", unmatched="unfair")
    coverage = compute("equal_coverage", **COLUMNS, entailer="lexical", seed=3)
    # No summary has a pair of words of its sources, so that there is nothing to choose a checkpoint by.
    assert math.isnan(found["uer"])
    assert (uer["uer"], uer["n_unmatched"]) == (0.5, 4)
    assert found["equal_coverage"] == coverage["equal_coverage"]
    assert found["uer_by_value/neg"] == uer["uer_by_value"]["neg"]
    assert found["equal_coverage_by_value/pos"] == coverage["equal_coverage_by_value"]["pos"]
    # Three dots are a summary whose words match nothing, but no unit that could be covered.
    assert (uer["n_skipped"], coverage["n_skipped"]) == (0, 2)
    assert (found["n_skipped"], found["n_unmatched"]) == (2, uer["n_unmatched"])


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (["sentiment"], "test: metrics must be one of bur, uer, auc, sof, "),
        ([], "test: metrics must be a non-empty list of names from bur, uer, auc, sof, "),
        ([UER(), UER(k=2)], "test: metrics contains uer 2 times; give each a label"),
    ],
)
def test_a_session_is_refused(metrics, message):
    with pytest.raises(InputError, match=message):
        open_session("test", metrics)


def test_what_a_measure_says_itself_stays():
    with open_session("test", {"unfair": UER, "even_handed": UER(unmatched="uniform")}) as session:
        found = session.score(COLUMNS)
    # "Tasty." is all of pos, so that neg lacks half, over two values 0.25. The other three match nothing: they lack
    # half of both values, 0.5, or nothing if they count as even-handed.
    assert found["unfair"]["uer"] == pytest.approx((0.25 + 3 * 0.5) / 4)
    assert found["even_handed"]["uer"] == pytest.approx(0.25 / 4)


def test_the_chance_level_is_there_if_it_is_asked_for():
    for settings, keys in (({}, []), ({"at_random": True}, ["uer_at_random", "equal_coverage_at_random"])):
        measures = [UER(**settings), EqualCoverage(entailer="lexical", **settings)]
        with open_session("test", measures) as session:
            found = flat(session.score(COLUMNS))
        assert [key for key in found if "random" in key] == keys
