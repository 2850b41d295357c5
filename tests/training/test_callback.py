"""The callback: causal and sequence-to-sequence models, and what reaches a reporter."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fairsum_utils import BUR, UER, score
from fairsum_utils.errors import InputError
from fairsum_utils.training import fairness_callback

transformers = pytest.importorskip("transformers")

CHAT = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }} {% endfor %}{% if add_generation_prompt %}>{% endif %}"
)


@pytest.fixture
def trainer_for(tiny_model, tokenizer_of, run_settings):
    """Makes a trainer of a model that has a chat template."""

    def make(kind, **settings):
        folder = tiny_model(kind)
        tokenizer = tokenizer_of(folder)
        tokenizer.chat_template = CHAT
        return make_trainer(folder, tokenizer, {**run_settings, **settings}, is_seq2seq=kind == "seq2seq")

    return make


def make_trainer(folder, tokenizer, settings, *, is_seq2seq):
    from datasets import Dataset

    auto = transformers.AutoModelForSeq2SeqLM if is_seq2seq else transformers.AutoModelForCausalLM
    rows = Dataset.from_dict(
        {
            name: [tokenizer(text)["input_ids"] for text in ("Great soup.", "Cold soup.")]
            for name in ("input_ids", "labels")
        }
    )
    model = auto.from_pretrained(folder)
    settings = {"max_steps": 2, "eval_strategy": "steps", "eval_steps": 1, **settings}
    return transformers.Trainer(
        model,
        transformers.TrainingArguments(**settings),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
        train_dataset=rows,
        eval_dataset={"a": rows, "b": rows} if settings.get("eval_on_start") else rows,
        processing_class=tokenizer,
    )


def greedy(trainer, prompt, max_new_tokens, *, chat=False):
    """What the model writes, prompt by prompt, by transformers alone."""
    import torch

    tokenizer, model = trainer.processing_class, trainer.model.eval()
    if chat:
        prompt = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    ids = tokenizer(prompt, truncation=True, max_length=64)["input_ids"]
    if not model.config.is_encoder_decoder:
        ids = tokenizer(prompt, truncation=True, max_length=64 - max_new_tokens, add_special_tokens=not chat)[
            "input_ids"
        ]
        ids = ids[:-1] if ids[-1] == tokenizer.eos_token_id else ids
    options = {"max_new_tokens": max_new_tokens, "do_sample": False, "pad_token_id": tokenizer.pad_token_id}
    written = model.generate(torch.tensor([ids]), attention_mask=torch.ones((1, len(ids)), dtype=torch.long), **options)
    start = 1 if model.config.is_encoder_decoder else len(ids)
    return tokenizer.decode(written[0, start:], skip_special_tokens=True).strip()


@pytest.mark.parametrize("chat", [True, False])
def test_a_run_logs_by_value_and_trains_as_without(trainer_for, reviews, chat):
    """A chat model; and an encoder-decoder with two evaluation sets, which logs once a step."""
    prompts = ["\n".join(texts) for texts in reviews["sources"]]
    kind, settings, prefix, steps = "seq2seq", {"eval_on_start": True}, "probe", [0, 1, 2]
    if chat:
        prompts = [[{"role": "user", "content": text}] for text in prompts]
        kind, settings, prefix, steps = "causal", {}, "fairness", [1, 2]
    trainer = trainer_for(kind, **settings)
    reported = []

    class Reporter(transformers.TrainerCallback):
        def on_log(self, args, state, control, logs, **_):
            reported.append(dict(logs))

    measures = {"metrics": ("bur", "uer"), "max_new_tokens": 12, "prefix": prefix}
    trainer.add_callback(Reporter())
    trainer.add_callback(fairness_callback(trainer, prompts, **reviews, **measures))
    trainer.train()
    logs = [entry for entry in trainer.state.log_history if f"{prefix}/bur" in entry]
    assert [entry["step"] for entry in logs] == steps
    assert sum(f"{prefix}/bur" in entry for entry in reported) == len(steps)

    summaries = [greedy(trainer, prompt, 12, chat=chat) for prompt in prompts]
    assert any(summaries)
    unfair = {"empty": "uniform", "unmatched": "unfair"}
    for name, result in score(summaries, **reviews, metrics=[BUR(**unfair), UER(**unfair)]).items():
        shown = float("nan") if result["n_unmatched"] == len(summaries) else result[name]
        assert logs[-1][f"{prefix}/{name}"] == pytest.approx(shown, nan_ok=True)
        for value, one in result[f"{name}_by_value"].items():
            assert logs[-1][f"{prefix}/{name}_by_value/{value}"] == pytest.approx(one, nan_ok=True)

    without = trainer_for(kind, **settings)
    without.train()
    weights = zip(trainer.model.parameters(), without.model.parameters(), strict=True)
    assert all((one == other).all() for one, other in weights)


@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_left_as_it_was(trainer_for, reviews, training):
    trainer = trainer_for("causal")
    callback = fairness_callback(trainer, ["Great"] * 5, **reviews, max_new_tokens=4)
    trainer.model.train(training)
    callback.on_evaluate(trainer.args, trainer.state, trainer.control)
    assert trainer.model.training is training
    assert "fairness/bur" in trainer.state.log_history[-1]


@pytest.mark.parametrize(
    ("prompts", "options", "message"),
    [
        (["a"] * 4, {}, "prompts has 4 samples but sources has 5"),
        (["a", "b", "c", "d", 3], {}, "prompt 4 must be a text or a list of messages, found int 3"),
        (["a"] * 5, {"max_new_tokens": 64}, "max_new_tokens=64 leaves no room for a prompt"),
        (["a"] * 5, {"tau": 0.9}, "fairness_callback: tau is a setting of a measure; "),
    ],
)
def test_refused(trainer_for, reviews, prompts, options, message):
    trainer = trainer_for("causal")
    with pytest.raises(InputError, match=message):
        fairness_callback(trainer, prompts, **reviews, **{"max_new_tokens": 4, **options})


def test_weights_that_no_device_has_whole(reviews):
    trainer = SimpleNamespace(is_fsdp_enabled=True, processing_class=object())
    with pytest.raises(InputError, match="split among devices"):
        fairness_callback(trainer, ["a"] * 5, **reviews)
    with pytest.raises(InputError, match="the trainer has no processing_class"):
        fairness_callback(SimpleNamespace(processing_class=None), ["a"] * 5, **reviews)
