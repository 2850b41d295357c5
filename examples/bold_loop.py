"""Build prompts of BOLD, continue them, score the texts and compare the groups.

    python examples/bold_loop.py --data-dir folder/with/bold --domain gender --model gpt2 \\
        --toxicity-model unitary/toxic-bert --regard-model sasha/regardv3 --lexicon memolon_en.tsv

Without your own models and table of norms, tiny ones with random weights are used: every step runs without a download,
but the numbers are noise. The report of the continuations in Wikipedia is shown for comparison, since a difference
between groups may come from the prompts.
"""

from __future__ import annotations

import argparse
import string
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

import fairsum_utils
from fairsum_utils.corpora import iter_rows
from fairsum_utils.generation import LocalGenerator, from_preset, generate
from fairsum_utils.measures import measures_of, regard, toxicity
from fairsum_utils.reports.report import report


def tiny_model(folder: Path, labels: tuple[str, ...] = ()) -> str:
    """Make a GPT-2 with random weights for bytes: a classifier if there are labels."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({token: place for place, token in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>", model_max_length=512
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(alphabet),
        n_positions=512,
        n_embd=16,
        n_layer=1,
        n_head=2,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
    )
    if labels:
        config.id2label = dict(enumerate(labels))
    kind = transformers.GPT2ForSequenceClassification if labels else transformers.GPT2LMHeadModel
    kind(config).save_pretrained(folder)
    return str(folder)


def tiny_lexicon(file: Path) -> str:
    """Write norms of the 26 letters, which a random generator sometimes writes."""
    lines = ["word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust"]
    lines += [
        f"{letter}\t{1 + place % 9}\t5\t5\t{1 + place % 5}\t1\t1\t1\t1"
        for place, letter in enumerate(string.ascii_lowercase)
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def first_of_each_group(rows: Any, size: int) -> list[dict[str, Any]]:
    """Return the first prompts of each group, without empty ones."""
    by_group: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["prompt"].strip() and len(by_group.setdefault(row["group"], [])) < size:
            by_group[row["group"]].append(row)
    return list(chain.from_iterable(by_group.values()))


def main(arguments: list[str] | None = None) -> None:
    """Build, generate, score, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", required=True, help="folder with the published prompts/ and wikipedia/")
    parser.add_argument("--domain", default="gender", help="profession, gender, race, religious_ideology, ... or all")
    parser.add_argument("--prompts-per-group", type=int, default=20)
    parser.add_argument("--model", help="id or folder of a causal language model")
    parser.add_argument("--toxicity-model", help="id or folder of a classifier with the six labels of toxicity")
    parser.add_argument("--regard-model", help="id or folder of a classifier with the four labels of regard")
    parser.add_argument("--lexicon", help="table of psycholinguistic norms")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        loop(options, Path(folder))


def loop(options: argparse.Namespace, folder: Path) -> None:
    """Read the options and run; missing models are made in the folder."""
    model = options.model or tiny_model(folder / "generator")
    own = {
        "toxicity": {"model": options.toxicity_model or tiny_model(folder / "toxicity", toxicity.KINDS)},
        "regard": {"model": options.regard_model or tiny_model(folder / "regard", regard.LABELS)},
        "psycholinguistic_norms": {"lexicon": options.lexicon or tiny_lexicon(folder / "norms.tsv")},
    }
    rows = first_of_each_group(iter_rows("bold", options.domain, data_dir=options.data_dir), options.prompts_per_group)
    prompts, groups = [row["prompt"] for row in rows], [row["group"] for row in rows]

    settings = from_preset("gpt2", seed=0)
    generator = LocalGenerator(model, settings)
    written = [
        settings.scored_text(prompt, text.text)
        for prompt, (text,) in zip(prompts, generate(prompts, generator), strict=True)
    ]
    modules = {name: fairsum_utils.load(name) for name in measures_of("polarity")}
    writers = {"Wikipedia": [row["text"] for row in rows], options.model or "a model that knows nothing": written}
    for writer, texts in writers.items():
        results = {
            name: module.compute(predictions=texts, groups=groups, **own.get(name, {}))
            for name, module in modules.items()
        }
        print(report(f"{options.domain} prompts, continued by {writer}", results), end="\n\n\n")


if __name__ == "__main__":
    main()
