"""Make a tiny, biased summarizer and document sets, to try train_fairer_summaries.py without a download.

    python examples/tiny_summarizer.py tiny

The folder receives `reviews.jsonl`, made-up reviews with `sources`, `values` and a balanced `summary`, and `model`, a
GPT-2 with two layers. The model has learned to copy five of ten reviews, positive ones with odds of four to one.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

import torch
import transformers

from fairsum_utils.io.writing import write_rows

SUBJECTS = """staff soup bread room view pool garden lobby price bed
shower coffee breakfast parking music lamp towel window kitchen carpet"""
POSITIVE = """friendly tasty fresh bright lovely clean green grand fair soft
warm strong rich easy gentle pretty fluffy wide spotless plush"""
NEGATIVE = """rude bland stale dark dull dirty bare shabby steep hard
cold weak poor tight loud broken damp narrow filthy stained"""
N_REVIEWS, N_COPIED, ODDS = 10, 5, 4.0
PROMPT = "Summarize these texts in about 50 words."  # the default of train_fairer_summaries.py


def document_set(rng: random.Random) -> tuple[list[str], list[str]]:
    """Draw ten reviews, three to seven of them positive, and the group of each."""
    n_positive = rng.randint(3, N_REVIEWS - 3)
    values = ["positive"] * n_positive + ["negative"] * (N_REVIEWS - n_positive)
    opinions = rng.sample([*zip(SUBJECTS.split(), POSITIVE.split(), NEGATIVE.split(), strict=True)], N_REVIEWS)
    rows = [
        (f"{positive if value == 'positive' else negative} {subject} .", value)
        for (subject, positive, negative), value in zip(opinions, values, strict=True)
    ]
    rng.shuffle(rows)
    return [text for text, _ in rows], [value for _, value in rows]


def biased_summary(sources: list[str], values: list[str], rng: random.Random) -> str:
    """Copy five reviews, positive ones with odds of four to one."""
    keys = [rng.random() ** (1 / (ODDS if value == "positive" else 1)) for value in values]
    chosen = sorted(range(len(sources)), key=lambda place: -keys[place])[:N_COPIED]
    rng.shuffle(chosen)
    return " ".join(sources[place] for place in chosen)


def balanced_summary(sources: list[str], values: list[str], rng: random.Random) -> str:
    """Copy five reviews with the shares of the sources, as near as five allow."""
    n_positive = round(N_COPIED * values.count("positive") / len(values))
    chosen = []
    for value, n in ("positive", n_positive), ("negative", N_COPIED - n_positive):
        chosen += rng.sample([text for text, group in zip(sources, values, strict=True) if group == value], n)
    rng.shuffle(chosen)
    return " ".join(chosen)


def new_model() -> tuple[transformers.PreTrainedModel, transformers.PreTrainedTokenizerBase]:
    """Return an untrained GPT-2 and a tokenizer that knows the words above."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    special = {"unk_token": "<unk>", "pad_token": "<pad>", "eos_token": "</s>"}
    text = " ".join([PROMPT.replace(".", " ."), "Summary :", SUBJECTS, POSITIVE, NEGATIVE])
    known = dict.fromkeys([*special.values(), *text.split()])
    words = Tokenizer(models.WordLevel({word: place for place, word in enumerate(known)}, "<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=128, **special)
    sizes = {"n_positions": 128, "n_embd": 64, "n_layer": 2, "n_head": 4}
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=tokenizer.eos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        **sizes,
    )
    return transformers.GPT2LMHeadModel(config), tokenizer


def train(model: transformers.PreTrainedModel, tokenizer: Any, n_steps: int, rng: random.Random) -> None:
    """Train on biased summaries of new document sets of one length."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = transformers.get_cosine_schedule_with_warmup(optimizer, n_steps // 20, n_steps)
    for _ in range(n_steps):
        sets = [document_set(rng) for _ in range(32)]
        prompts = torch.tensor(tokenizer(["\n".join([PROMPT, *texts, "Summary:\n"]) for texts, _ in sets])["input_ids"])
        texts = [f"{biased_summary(*one, rng)} {tokenizer.eos_token}" for one in sets]
        summaries = torch.tensor(tokenizer(texts)["input_ids"])
        labels = torch.cat([torch.full_like(prompts, -100), summaries], dim=1)
        model(input_ids=torch.cat([prompts, summaries], dim=1), labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()


def main(arguments: list[str] | None = None) -> None:
    """Train, then write the model and the data."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=2000, help="of training")
    parser.add_argument("--sets", type=int, default=1000, help="document sets to write")
    options = parser.parse_args(arguments)
    transformers.set_seed(0)
    rng = random.Random(0)
    model, tokenizer = new_model()
    train(model, tokenizer, options.steps, rng)
    model.save_pretrained(options.folder / "model")
    tokenizer.save_pretrained(options.folder / "model")
    sets = [document_set(rng) for _ in range(options.sets)]
    rows = [{"sources": one[0], "values": one[1], "summary": balanced_summary(*one, rng)} for one in sets]
    write_rows(rows, options.folder / "reviews.jsonl")


if __name__ == "__main__":
    main()
