"""Train a causal language model to write fairer summaries by TRL's DPO.

    python examples/train_fairer_summaries.py reviews.jsonl --output-dir fairer

Each row is a document set: `sources` (list of texts), `values` (the group of each text) and optionally `summary` (a
reference, for ROUGE). 70% are for training. On the others, the model is compared with itself before training. Inspired
by FairPO (arXiv 2506.07479); docs/pages/how-to/fairer-summaries.md says what differs. Needs pip install ".[train]"
rouge-score. To try it without a download, see tiny_summarizer.py.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import time
from itertools import pairwise
from typing import Any

import datasets
import numpy as np
import torch
import transformers
import trl
from rouge_score.rouge_scorer import RougeScorer

import fairsum_utils
from fairsum_utils.inference.models import model_limit
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows
from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Interval, Table
from fairsum_utils.stats.bootstrap import bootstrap_sums, expanded_interval
from fairsum_utils.training import preference_pairs
from fairsum_utils.training.rewards import completion_text
from fairsum_utils.validation import check_sample

Row = dict[str, Any]


def columns(rows: list[Row]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the sources and the groups of all rows."""
    return [row["sources"] for row in rows], [row["values"] for row in rows]


class Summarizer:
    """A model, its tokenizer and its prompt."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(options.model, padding_side="left")
        self.tokenizer.pad_token = self.tokenizer.pad_token or self.tokenizer.eos_token
        model = transformers.AutoModelForCausalLM.from_pretrained(options.model, dtype="float32")
        self.model = model.to("cuda" if torch.cuda.is_available() else "cpu")

    def prompt(self, sources: list[str]) -> Any:
        """Return a chat message, or a text for a model without a chat template."""
        text = "\n".join([self.options.instruction, *sources])
        return [{"role": "user", "content": text}] if self.tokenizer.chat_template else f"{text}\nSummary:\n"

    def summarize(self, sources: list[list[str]], n_samples: int = 0) -> list[list[str]]:
        """Write the most likely summary of each document set, or draw some."""
        how: Row = {"do_sample": True, "num_return_sequences": n_samples} if n_samples else {"do_sample": False}
        written = transformers.pipeline("text-generation", model=self.model.eval(), tokenizer=self.tokenizer)(
            [self.prompt(texts) for texts in sources],
            batch_size=self.options.batch_size,
            max_new_tokens=self.options.max_new_tokens,
            return_full_text=False,
            **how,
        )
        return [[one["generated_text"].strip() for one in of_set] for of_set in written]


def read(options: argparse.Namespace, summarizer: Summarizer) -> list[Row]:
    """Read the document sets, and refuse those that the model cannot read at once."""
    limit = model_limit(summarizer.tokenizer, summarizer.model)
    rows = [*read_rows(options.data, {"sources": "", "values": ""}, lists=["sources", "values"])]
    for place, row in enumerate(rows):
        check_sample(options.data, place, "", row["sources"], row["values"])
        n_tokens = len(summarizer.tokenizer(str(summarizer.prompt(row["sources"])))["input_ids"])
        if limit and n_tokens + options.max_new_tokens > limit:
            raise fairsum_utils.InputError(
                f"{options.data}: sample {place}: prompt ({n_tokens} tokens) and summary ({options.max_new_tokens}) "
                f"exceed the model's {limit} tokens; shorten the sources or lower --max-new-tokens"
            )
    return rows


def skews(summaries: list[str], rows: list[Row]) -> list[dict[str, float]]:
    """Return each group's share of the summary minus that of the sources."""
    found = []
    for one in fairsum_utils.score(summaries, *columns(rows), metrics="uer", return_samples=True)["uer"]["samples"]:
        more = () if one["unmatched"] or one["skipped"] else np.subtract(one["summary_share"], one["source_share"])
        found.append(dict(zip(one["values"], more, strict=False)))
    return found


def without(row: Row, groups: list[str], share: float, rng: random.Random) -> list[str]:
    """Remove a share of the texts, from the first group with enough of them."""
    n = max(1, round(share * len(row["sources"])))
    for group in groups:
        places = [place for place, value in enumerate(row["values"]) if value == group]
        if len(places) > n:
            removed = set(rng.sample(places, n))
            return [text for place, text in enumerate(row["sources"]) if place not in removed]
    return row["sources"]


def make_pairs(summarizer: Summarizer, rows: list[Row], options: argparse.Namespace) -> list[Row]:
    """Pair the fairest and the least fair summary of each set, repeated by weight."""
    rng = random.Random(options.seed)
    candidates = summarizer.summarize(columns(rows)[0], options.candidates)
    skew = skews([of_set[0] for of_set in candidates], rows)
    for most in (True, False) if options.remove else ():  # from the over-, then from the underrepresented group
        fewer = [
            without(row, sorted(found, key=found.__getitem__, reverse=most), options.remove, rng)
            for row, found in zip(rows, skew, strict=True)
        ]
        more = summarizer.summarize(fewer, options.candidates)
        candidates = [old + new for old, new in zip(candidates, more, strict=True)]
    prompts = [summarizer.prompt(row["sources"]) for row in rows]
    pairs, n_ties, n_undefined = preference_pairs(prompts, candidates, *columns(rows), metric="uer", margin=0.02)
    print(f"{len(rows)} document sets: {len(pairs)} pairs, {n_ties} ties, {n_undefined} not comparable")
    if not pairs:
        raise fairsum_utils.InputError(f"{options.data}: no pairs to train on; raise --candidates or add document sets")
    row_of = dict(zip(map(str, prompts), rows, strict=True))
    weights = pair_weights(pairs, [row_of[str(pair["prompt"])] for pair in pairs], skew)
    copies = [int((1.0 if options.unweighted else weight) * options.epochs + rng.random()) for weight in weights]
    return [pair for pair, n in zip(pairs, copies, strict=True) for _ in range(n)]


def pair_weights(pairs: list[Row], rows: list[Row], skew: list[dict[str, float]]) -> list[float]:
    """Return larger weights for pairs that favor underrepresented groups.

    The lean of a group is (shortfall - excess) / (shortfall + excess), summed over the model's own summaries. A weight
    is 1 plus the mean lean of the groups, weighted by what each gains from rejected to chosen, divided by its mean.
    """
    lean = {group: 0.0 for row in rows for group in row["values"]}
    for group in lean:
        found = np.array([one[group] for one in skew if group in one])
        lean[group] = -found.sum() / max(np.abs(found).sum(), 1e-12)
    texts = {side: [completion_text(side, 0, pair[side]) for pair in pairs] for side in ("chosen", "rejected")}
    chosen, rejected = (skews(of_side, rows) for of_side in texts.values())
    gains = [{group: more[group] - less[group] for group in more} for more, less in zip(chosen, rejected, strict=True)]
    weights = [1.0 + sum(lean[group] * one[group] for group in one) / sum(map(abs, one.values())) for one in gains]
    return [weight * len(weights) / (sum(weights) or 1.0) for weight in weights]


def train(summarizer: Summarizer, pairs: list[Row], options: argparse.Namespace) -> None:
    """Train the model with DPO."""
    arguments = trl.DPOConfig(
        options.output_dir,
        num_train_epochs=1,  # the pairs are already repeated
        learning_rate=options.learning_rate,
        beta=options.beta,
        per_device_train_batch_size=options.batch_size,
        max_length=None,
        **dict.fromkeys(("bf16", "dataloader_pin_memory"), torch.cuda.is_available()),
        logging_strategy="no",
        save_strategy="no",
        report_to="none",
        seed=options.seed,
    )
    rows, tokenizer = datasets.Dataset.from_list(pairs), summarizer.tokenizer
    trl.DPOTrainer(summarizer.model, args=arguments, train_dataset=rows, processing_class=tokenizer).train()


def qualities(summaries: list[str], rows: list[Row]) -> dict[str, list[float]]:
    """Measure length, repetition, new words and, with references, ROUGE."""
    words = [re.findall(r"\w+", text.lower()) for text in summaries]
    known = [set(re.findall(r"\w+", " ".join(row["sources"]).lower())) for row in rows]
    couples = [[*pairwise(text)] for text in words]
    new = [[word for word in text if word not in old] for text, old in zip(words, known, strict=True)]
    found: dict[str, list[float]] = {
        "words": [float(len(text)) for text in words],
        "repeated word pairs": [1 - len(set(text)) / len(text) if text else 0.0 for text in couples],
        "words not in sources": [len(some) / max(1, len(text)) for some, text in zip(new, words, strict=True)],
    }
    if all(isinstance(row.get("summary"), str) for row in rows):
        scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
        scores = [scorer.score(row["summary"], text) for row, text in zip(rows, summaries, strict=True)]
        found |= {kind: [score[kind].fmeasure for score in scores] for kind in scorer.rouge_types}
    return found


def report(before: list[str], after: list[str], rows: list[Row]) -> str:
    """Compare the summaries of the held-out document sets, sample by sample."""
    compared = fairsum_utils.compare({"before": before, "after": after}, *columns(rows), metrics=["bur", "uer"])
    old, new = ({name: np.array(each) for name, each in qualities(texts, rows).items()} for texts in (before, after))
    table = []
    for name in old:
        change = new[name] - old[name]
        ends = expanded_interval(bootstrap_sums(change[:, None])[:, 0] / len(rows), 0.95, len(rows))
        table.append([name, *(float(each.mean()) for each in (old[name], new[name], change)), Interval(*ends)])
    quality = as_markdown([Table(["quality", "before", "after", "change", "95% CI"], table)])
    return f"{compared.to_markdown()}\n\n{quality}"


def run(options: argparse.Namespace) -> None:
    """Read, hold out, pair, train, compare and save."""
    transformers.set_seed(options.seed)
    summarizer = Summarizer(options)
    rows = read(options, summarizer)
    random.Random(options.seed).shuffle(rows)
    n_held_out = round(0.3 * len(rows))
    if not n_held_out:
        raise fairsum_utils.InputError(f"{options.data}: too few document sets ({len(rows)}) to hold out 30%")
    held_out, rest = rows[:n_held_out], rows[n_held_out:]
    start = time.perf_counter()
    before = [text for [text] in summarizer.summarize(columns(held_out)[0])]
    pairs = make_pairs(summarizer, rest, options)
    paired = time.perf_counter()
    train(summarizer, pairs, options)
    trained = time.perf_counter()
    after = [text for [text] in summarizer.summarize(columns(held_out)[0])]
    summarizer.model.save_pretrained(options.output_dir)
    summarizer.tokenizer.save_pretrained(options.output_dir)
    for name, summaries in {"before": before, "after": after}.items():
        saved = [{**row, "prediction": text} for row, text in zip(held_out, summaries, strict=True)]
        write_rows(saved, f"{options.output_dir}/{name}.jsonl")
    print(f"\n{report(before, after, held_out)}\n")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"summaries {paired - start:.0f} s, training {trained - paired:.0f} s, {memory:.1f} GiB of main memory")


def main(arguments: list[str] | None = None) -> None:
    """Read the options and run; unusable input ends with one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="file of document sets")
    parser.add_argument("--model", default="Qwen/Qwen2.5-0.5B-Instruct", help="id or folder of a causal model")
    parser.add_argument("--output-dir", required=True)
    parser.add_argument("--instruction", default="Summarize these texts in about 50 words.")
    parser.add_argument("--candidates", type=int, default=2, help="summaries drawn from each of the three inputs")
    parser.add_argument("--remove", type=float, default=0.1, help="share of texts to remove; 0: only the whole input")
    parser.add_argument("--unweighted", action="store_true", help="give all pairs the weight 1")
    parser.add_argument("--epochs", type=float, default=2.0)
    parser.add_argument("--learning-rate", type=float, default=5e-6)
    parser.add_argument("--beta", type=float, default=0.1, help="DPO: higher stays closer to the model")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--max-new-tokens", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        run(options)
    except (fairsum_utils.InputError, OSError) as error:
        sys.exit(f"error: {str(error).splitlines()[0]}")


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    main()
