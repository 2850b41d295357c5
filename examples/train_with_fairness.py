"""Train a summarizer with a Seq2SeqTrainer that logs eval_bur and eval_uer.

    python examples/train_with_fairness.py --model facebook/bart-base --steps 200
    python examples/train_with_fairness.py --data reviews.jsonl --model google-t5/t5-small --output-dir run

The data holds `sources` (list of texts), `values` (one a text) and `summary`; without --data the eight review sets of
`fairsum demo` are taken. Without --model one is made on the spot, very small and knowing nothing: its numbers are
noise, but every step runs without a download. Evaluate, other than here, on data that is not trained on.
"""

from __future__ import annotations

import argparse
import tempfile
from typing import Any

import datasets
import transformers

from fairsum_utils.cli.demo import load_demo
from fairsum_utils.training import make_compute_metrics


def tiny_model(texts: list[str]) -> tuple[Any, Any]:
    """Make a BART with random weights, and a tokenizer for these texts."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    words = Tokenizer(models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    words.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=special, show_progress=False))
    words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token"), special, strict=True))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=256, **names)
    sides = {
        f"{side}_{name}": size
        for side in ("encoder", "decoder")
        for name, size in {"layers": 1, "attention_heads": 2, "ffn_dim": 32}.items()
    }
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=16,
        max_position_embeddings=256,
        decoder_start_token_id=2,
        init_std=0.5,
        **sides,
    )
    return transformers.BartForConditionalGeneration(config), tokenizer


def main(arguments: list[str] | None = None) -> None:
    """Tokenize, train, evaluate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="JSON Lines file")
    parser.add_argument("--model", help="id or folder of a sequence-to-sequence model")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--output-dir", help="where checkpoints go; without one nothing is kept")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        train(options, options.output_dir or folder)


def train(options: argparse.Namespace, output_dir: str) -> None:
    """Read the options and run."""
    transformers.set_seed(0)
    if options.data:
        rows = datasets.load_dataset("json", data_files=options.data, split="train")
    else:
        demo = load_demo()
        rows = datasets.Dataset.from_dict(
            {"sources": demo["sources"], "values": demo["values"], "summary": demo["system_a"]}
        )
    if options.model:
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(options.model)
        tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
    else:
        model, tokenizer = tiny_model([text for sources in rows["sources"] for text in sources])

    def tokenize(row: dict[str, Any]) -> dict[str, Any]:
        inputs = tokenizer("\n".join(row["sources"]), truncation=True)
        return {**inputs, "labels": tokenizer(row["summary"], truncation=True)["input_ids"]}

    rows = rows.map(tokenize)  # the trainer ignores sources and values
    trainer = transformers.Seq2SeqTrainer(
        model,
        transformers.Seq2SeqTrainingArguments(
            output_dir,
            max_steps=options.steps,
            eval_strategy="steps",
            eval_steps=max(1, options.steps // 2),
            logging_steps=1,
            per_device_train_batch_size=2,
            per_device_eval_batch_size=4,
            predict_with_generate=True,
            generation_max_length=64,
            save_strategy="steps" if options.output_dir else "no",
            save_steps=max(1, options.steps // 2),
            report_to="none",
        ),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
        train_dataset=rows,
        eval_dataset=rows,
        processing_class=tokenizer,
        compute_metrics=make_compute_metrics(tokenizer, rows, metrics=("bur", "uer")),
    )
    trainer.train()
    for entry in trainer.state.log_history:
        if "eval_bur" in entry:
            shown = {
                name: round(number, 4) for name, number in entry.items() if name.startswith(("eval_bur", "eval_u"))
            }
            print(f"step {entry['step']}: {shown}")


if __name__ == "__main__":
    main()
