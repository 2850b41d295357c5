"""Pairs per second of an entailment model: library, pipeline and published loop.

    python benchmarks/bench_nli.py --data FILE.jsonl.gz --size small --threads 2 [--output results.json]

The pairs are those that Equal Coverage asks for: every chunk of every source with every sentence of the summary,
document set by document set. Without `--data` they come from made-up sets of texts of very unequal length, one in fifty
a copy of another. The model is a RoBERTa with random weights, made here: what a forward pass costs does not depend on
what was learned. Its tokenizer is trained on the same texts.

Compared, with the same model object and tokenizer, tokenization included, after a warm-up:

- `runner`: `SequenceClassifier` with nothing in its cache; with `--also` in other precisions too.
- `pipeline`: transformers' text-classification pipeline, once for each fixed batch size; with `--also` as well.
- `published loop`: as the code of Li et al. 2025 runs its model: one document set after the other, unsorted
  batches of 128 pairs, padded to the longest.

The ways take turns and the best round of each counts, so that another job on the machine hurts none more than the
others. On a machine that is always shared, `--clock cpu --threads 1` counts this process's processor time instead.
Probabilities of all are compared with those of the runner.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from harness import CLOCKS, finish, make_parser, read_rows, timed

from fairsum_utils.families.coverage.chunks import chunks
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.text.punkt import sentences

# Layers and width; heads are 64 wide.
SIZES = {"tiny": (2, 128), "small": (6, 384), "base": (12, 768), "large": (24, 1024)}

BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64)
PUBLISHED_BATCH = 128
LABELS = ("contradiction", "neutral", "entailment")
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
VOCABULARY = 50265
TOLERANCE = {"float32": 5e-5, "bfloat16": 2e-2, "float16": 2e-3}

Pair = tuple[str, str]
Probabilities = npt.NDArray[np.float64]


def padding_share(lengths: Sequence[int], batches: Sequence[Any]) -> float:
    """Return the share of padding, in [0, 1]."""
    sizes = np.asarray(lengths)
    padded = sum(int(sizes[batch].max()) * len(batch) for batch in batches)
    return 1 - sum(int(sizes[batch].sum()) for batch in batches) / padded


def pairs_of(rows: list[dict[str, Any]]) -> list[list[Pair]]:
    """Return the pairs of each document set, chunk by chunk."""
    sets = []
    for row in rows:
        units = list(sentences(row["prediction"]))
        sets.append([(chunk, unit) for text in row["sources"] for chunk in chunks(text) for unit in units])
    return sets


def made_up_rows(n: int, seed: int = 0) -> list[dict[str, Any]]:
    """Make sets of eight texts and a summary, log-normal lengths, few duplicates."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(5000)]

    def text(median: float, spread: float) -> str:
        n_words = max(3, round(draw.lognormvariate(np.log(median), spread)))
        return " ".join(draw.choices(words, k=n_words)).capitalize() + "."

    rows = []
    for _ in range(n):
        texts = [" ".join(text(12, 0.6) for _ in range(draw.randint(1, 12))) for _ in range(8)]
        sources = [draw.choice(texts) if draw.random() < 0.02 else one for one in texts]
        rows.append({"sources": sources, "prediction": " ".join(text(14, 0.4) for _ in range(4))})
    return rows


def make_model(folder: Path, size: str, texts: list[str]) -> Path:
    """Save a random RoBERTa with a byte-level tokenizer trained on the texts."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=list(SPECIAL), show_progress=False),
    )
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend,
        **dict(zip(names, SPECIAL, strict=True)),
        cls_token="<s>",
        sep_token="</s>",
        model_max_length=512,
    )
    layers, width = SIZES[size]
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=width // 64,
        intermediate_size=4 * width,
        max_position_embeddings=514,
        type_vocab_size=1,
        initializer_range=0.1,  # answers that differ from pair to pair
        id2label=dict(enumerate(LABELS)),
        label2id={label: place for place, label in enumerate(LABELS)},
    )
    network = transformers.RobertaForSequenceClassification(config).eval()
    torch.nn.init.normal_(network.classifier.out_proj.weight, std=2 / width**0.5)  # else all are about a third
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def run_pipeline(classifier: SequenceClassifier, pairs: list[Pair], batch_size: int) -> Probabilities:
    """All pairs through transformers' pipeline."""
    import transformers

    loaded = classifier.loaded
    pipeline = transformers.pipeline(
        "text-classification",
        model=loaded.model,
        tokenizer=loaded.tokenizer,
        device=loaded.device,
        batch_size=batch_size,
        top_k=None,
        truncation=True,
    )
    inputs = ({"text": premise, "text_pair": hypothesis} for premise, hypothesis in pairs)
    found = np.empty((len(pairs), len(LABELS)))
    for place, scores in enumerate(pipeline(inputs)):
        by_label = {score["label"]: score["score"] for score in scores}
        found[place] = [by_label[label] for label in LABELS]
    return found


def run_published_loop(classifier: SequenceClassifier, sets: list[list[Pair]]) -> Probabilities:
    """Set after set in batches of `PUBLISHED_BATCH`, as they come."""
    import torch

    loaded, found = classifier.loaded, []
    for pairs in sets:
        for start in range(0, len(pairs), PUBLISHED_BATCH):
            premises, hypotheses = map(list, zip(*pairs[start : start + PUBLISHED_BATCH], strict=True))
            inputs = loaded.tokenizer(premises, hypotheses, padding=True, truncation=True, return_tensors="pt")
            with torch.no_grad():
                logits = loaded.model(**inputs.to(loaded.device)).logits
            found.append(logits.float().softmax(dim=-1).cpu().numpy())
    return np.concatenate(found).astype(np.float64)


def fixed_batches(sizes: list[int], batch_size: int) -> list[npt.NDArray[np.int64]]:
    """Return fixed-size batches of positions, which do not cross parts of `sizes`."""
    batches, start = [], 0
    for size in sizes:
        batches += [np.arange(at, min(at + batch_size, start + size)) for at in range(start, start + size, batch_size)]
        start += size
    return batches


def compare(
    sets: list[list[Pair]], folder: Path, settings: InferenceSettings, chosen: argparse.Namespace
) -> dict[str, Any]:
    """Best time of each way to run the same pairs."""
    pairs = [pair for of_set in sets for pair in of_set]
    shared = SequenceClassifier(folder, settings=settings)
    fresh = shared
    ways: dict[str, Callable[[], Probabilities]] = {"runner": lambda: fresh.run(pairs).values}
    for size in chosen.batch_sizes:
        ways[f"pipeline {size}"] = partial(run_pipeline, shared, pairs, size)
    ways["published loop"] = partial(run_published_loop, shared, sets)
    others = {dtype: SequenceClassifier(folder, settings=settings.replace(dtype=dtype)) for dtype in chosen.also}
    for dtype, other in others.items():
        for size in chosen.batch_sizes:
            ways[f"pipeline {size} {dtype}"] = partial(run_pipeline, other, pairs, size)
    run_published_loop(shared, [pairs[:64]])  # warm-up
    for other in others.values():
        run_published_loop(other, [pairs[:8]])
    best: dict[str, float] = {}
    found: dict[str, Probabilities] = {}
    for _ in range(chosen.repeats):
        fresh = SequenceClassifier(folder, settings=settings)  # one that remembers nothing
        for dtype, other in others.items():
            again = SequenceClassifier(folder, settings=other.settings)
            ways[f"runner {dtype}"] = partial(lambda one: one.run(pairs).values, again)
        for name, call in ways.items():
            seconds, found[name] = timed(call, CLOCKS[chosen.clock])
            best[name] = min(seconds, best.get(name, np.inf))
    counts = fresh.counts

    lengths = shared.encode(pairs).lengths
    exact = ["published loop", *(f"pipeline {size}" for size in chosen.batch_sizes)]
    padding = dict.fromkeys(ways, 1 - counts.tokens / counts.padded_tokens)
    padding["published loop"] = padding_share(lengths, fixed_batches(list(map(len, sets)), PUBLISHED_BATCH))
    for size in chosen.batch_sizes:
        of_size = padding_share(lengths, fixed_batches([len(pairs)], size))
        padding |= dict.fromkeys([f"pipeline {size}", *(f"pipeline {size} {dtype}" for dtype in others)], of_size)
    best_pipeline = min(exact[1:], key=best.__getitem__)
    differences = {name: float(np.abs(values - found["runner"]).max()) for name, values in found.items()}
    difference = max(differences[name] for name in exact)
    quantiles = np.quantile(lengths, [0, 0.1, 0.5, 0.9, 1]).round().astype(int).tolist()
    return {
        "pairs": len(pairs),
        "distinct": counts.distinct,
        "sets": len(sets),
        "tokens": {"total": sum(lengths), "min_p10_p50_p90_max": quantiles},
        "device": str(shared.loaded.device),
        "dtype": shared.loaded.dtype,
        "batches": counts.batches,
        "ways": {
            name: {
                "seconds": best[name],
                "pairs_per_second": len(pairs) / best[name],
                "padding_share": padding[name],
                "runner_is_times_faster": best[name] / best["runner"],
                "times_faster_than_best_pipeline": best[best_pipeline] / best[name],
                "largest_difference": differences[name],
            }
            for name in ways
        },
        "best_pipeline": best_pipeline,
        "precisions": {dtype: of_precision(dtype, chosen.batch_sizes, best, best_pipeline) for dtype in others},
        "largest_difference": difference,
        "spread": float(np.ptp(found["runner"], axis=0).max()),
        "equal": difference <= TOLERANCE[shared.loaded.dtype],
    }


def of_precision(dtype: str, sizes: list[int], best: dict[str, float], best_pipeline: str) -> dict[str, Any]:
    """Compute the speed-up of another precision, in pipeline and library."""
    fastest = min((f"pipeline {size} {dtype}" for size in sizes), key=best.__getitem__)
    return {
        "best_pipeline": fastest,
        "pipeline_is_times_faster": best[best_pipeline] / best[fastest],
        "runner_is_times_faster": best["runner"] / best[f"runner {dtype}"],
        "runner_over_best_pipeline": best[fastest] / best[f"runner {dtype}"],
    }


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, help=".jsonl.gz, each row with sources and prediction")
    parser.add_argument("--sets", type=int, default=20, help="document sets (default: 20)")
    parser.add_argument("--size", nargs="+", choices=SIZES, default=["small"], help="of the model")
    parser.add_argument("--shuffle", action="store_true", help="pairs in random order, in one set")
    parser.add_argument("--threads", type=int, help="of the processor; default: PyTorch's choice")
    parser.add_argument("--device", help="default: the best there is")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument(
        "--also",
        nargs="+",
        choices=("bfloat16", "float16"),
        default=[],
        help="precisions to run the library and the pipeline in as well",
    )
    parser.add_argument("--batch-tokens", type=int, help="of the runner; default: its own choice")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=list(BATCH_SIZES), help="of the pipeline")
    parser.add_argument("--repeats", type=int, default=3, help="rounds, of which the best counts (default: 3)")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="what seconds are counted (default: wall)")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    import torch

    chosen = parse_arguments(arguments)
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    rows = read_rows(chosen.data, chosen.sets) if chosen.data else made_up_rows(chosen.sets)
    sets = pairs_of(rows)
    if chosen.shuffle:
        sets = [random.Random(0).sample(pairs := [pair for of_set in sets for pair in of_set], len(pairs))]
    texts = sorted({text for of_set in sets for pair in of_set for text in pair})
    settings = InferenceSettings(
        device=chosen.device, dtype=chosen.dtype, batch_tokens=chosen.batch_tokens, cache="none", module="bench_nli"
    )
    report: dict[str, Any] = {"threads": torch.get_num_threads(), "sizes": []}
    report |= {"data": chosen.data.name if chosen.data else "made up", "clock": chosen.clock}
    for size in chosen.size:
        with tempfile.TemporaryDirectory() as folder:
            model = make_model(Path(folder) / size, size, texts)
            report["sizes"].append({"size": size} | compare(sets, model, settings, chosen))
    return finish(report, chosen.output, ("nltk", "torch", "transformers"))


if __name__ == "__main__":
    main()
