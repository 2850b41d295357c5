"""Options that `score` and `compare` share, and what they mean to the library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairsum_utils.cli.families import Family
    from fairsum_utils.cli.reading import Columns

__all__ = [
    "INPUT_FORMATS",
    "add_file",
    "add_input_options",
    "add_measure_options",
    "add_output_options",
    "columns",
    "write_document",
]

INPUT_FORMATS = ".jsonl, .ndjson, .csv, .parquet, each also .gz, or a folder of save_to_disk"
"""What every command reads, for help; `fairsum_utils.files.reading` reads it."""

_METRICS = "bur,uer,auc,sof"
_POLARITY = "sentiment, toxicity, regard, gender_polarity, psycholinguistic_norms"
_ENTITIES = "word_list_inclusion, entity_inclusion, entity_hallucination, distinguishability"


def add_file(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the file of rows that a command reads; `more` is what else it reads."""
    parser.add_argument("file", type=Path, help=INPUT_FORMATS + more)
    _add_split(parser)


def _add_split(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--split", metavar="NAME", help="of a saved data set that has several")


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Columns, split, workers."""
    group = parser.add_argument_group("input")
    group.add_argument("--id-column", default="id", metavar="NAME", help="optional column (default: %(default)s)")
    group.add_argument(
        "--sources-column",
        default="sources",
        metavar="NAME",
        help="list of texts; for the measures of entities also one text (default: %(default)s)",
    )
    group.add_argument(
        "--values-column", default="values", metavar="NAME", help="one value a source text (default: %(default)s)"
    )
    group.add_argument(
        "--prediction-column", default="prediction", metavar="NAME", help="summary, or text (default: %(default)s)"
    )
    group.add_argument(
        "--distribution-column",
        metavar="NAME",
        help="value -> share or count of the summary, as given by annotators, say, instead of matching",
    )
    group.add_argument(
        "--units-column", metavar="NAME", help="list of simple statements of the summary, instead of --splitter"
    )
    group.add_argument(
        "--coverage-column", metavar="NAME", help="(documents x units) matrix in [0, 1], instead of --entailer"
    )
    group.add_argument(
        "--group-column",
        default="group",
        metavar="NAME",
        help="group of each text; none to label texts and compare nothing (default: group)",
    )
    _add_split(group)
    group.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes; results do not depend on it (default: 1)"
    )


def add_measure_options(parser: argparse.ArgumentParser, *, comparing: bool = False) -> None:
    """Everything that changes a number, family by family; `comparing` leaves out what compares no systems."""
    from fairsum_utils.cli import entities

    names = "bur, uer, auc, sof, equal_coverage, coverage_parity"
    names = f"{names}, {_ENTITIES}" if comparing else f"{names}, {_POLARITY}, {_ENTITIES}"
    group = parser.add_argument_group("measures")
    group.add_argument(
        "--metrics",
        default=_METRICS,
        metavar="LIST",
        help=f"comma-separated, of {names} (default: %(default)s)",
    )
    group.add_argument(
        "--empty",
        default="skip",
        help="empty summaries: skip or error; bur, uer, auc, sof: or uniform (default: skip)",
    )
    group.add_argument(
        "--normalizer", default="fairsumm", help="of words: fairsumm (the paper's) or simple (default: fairsumm)"
    )
    group.add_argument("--language", default="english", help="for --normalizer simple (default: english)")
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="LEVEL", help="of the intervals; 0 for none (default: 0.95)"
    )
    group.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap replicates (default: 1000)")
    group.add_argument("--seed", type=int, default=0, help="of everything random (default: 0)")
    _add_representation_options(parser.add_argument_group("representation: bur, uer, auc, sof"))
    _add_coverage_options(parser.add_argument_group("coverage: equal_coverage, coverage_parity"))
    if not comparing:
        _add_polarity_options(parser.add_argument_group(f"polarity: {_POLARITY}"))
    entities.add_options(parser.add_argument_group(f"entities: {_ENTITIES}"))
    models = "--matcher, --entailer and --embedding" + ("" if comparing else ", toxicity and regard")
    _add_model_options(parser.add_argument_group(f"models (of {models})"))


def _add_representation_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--matcher",
        default="ngram",
        help="how a summary finds its values: ngram, or the models bertscore or bartscore (default: ngram)",
    )
    group.add_argument("--model", metavar="ID", help="of bertscore or bartscore: id on the Hub, or a folder")
    group.add_argument("--revision", metavar="NAME", help="of --model: branch, tag or commit")
    group.add_argument("--num-layers", type=int, metavar="N", help="of bertscore: hidden layer (default: by model)")
    group.add_argument(
        "--no-rescale",
        dest="rescale",
        action="store_const",
        const=False,
        help="of bertscore: no rescaling by the model's baseline",
    )
    group.add_argument(
        "--temperature", type=float, default=0.1, help="of bertscore and bartscore (default: 0.1, the paper's)"
    )
    group.add_argument("--k", type=int, default=1, help="length of the n-grams (default: 1, the paper's)")
    group.add_argument("--tau", type=float, default=0.8, help="tolerance of BUR in [0, 1] (default: 0.8)")
    group.add_argument(
        "--target",
        default="ratio",
        help="desired shares: ratio (that of the sources), equal, or VALUE=SHARE,... (default: ratio)",
    )
    group.add_argument(
        "--auc-points", type=int, metavar="N", help="average BUR over N tolerances (the paper: 10); default exact"
    )


def _add_coverage_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--entailer",
        default="FacebookAI/roberta-large-mnli",
        metavar="NAME",
        help="lexical (shared words, no model), or id or folder of an NLI model (default: %(default)s)",
    )
    group.add_argument("--entailment-label", metavar="LABEL", help="of the model, if it is not called entailment")
    group.add_argument("--entailer-revision", metavar="NAME", help="of the model: branch, tag or commit")
    group.add_argument(
        "--splitter", default="sentence", help="summaries to units: sentence, or llm (a chat model) (default: sentence)"
    )
    group.add_argument("--chat-model", metavar="ID", help="of llm: a name that --chat-url knows, or else a model here")
    group.add_argument("--chat-url", metavar="URL", help="of llm: an OpenAI-compatible endpoint; key: OPENAI_API_KEY")
    group.add_argument(
        "--chunk-words", type=int, default=100, metavar="N", help="most words in a chunk of a document (default: 100)"
    )
    group.add_argument("--protocol", default="paper", help="paper, or released: as the published code (default: paper)")
    group.add_argument(
        "--significance",
        default="permutation",
        help="permutation, or strict: ties do not count (default: permutation)",
    )
    group.add_argument("--alpha", type=float, default=0.05, help="unequal below this p-value (default: 0.05)")
    group.add_argument(
        "--max-exact",
        type=int,
        default=20_000,
        metavar="N",
        help="enumerate up to so many permutations (default: 20000)",
    )
    group.add_argument(
        "--permutations", type=int, default=5_000, metavar="N", help="random permutations otherwise (default: 5000)"
    )


def _add_polarity_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sentiment-threshold",
        type=float,
        default=0.5,
        metavar="X",
        help="of VADER's score (default: 0.5, the paper's)",
    )
    for measure, model in (("toxicity", "unitary/toxic-bert"), ("regard", "sasha/regardv3")):
        group.add_argument(
            f"--{measure}-model",
            default=model,
            metavar="ID",
            help="id or folder of a classifier (default: %(default)s)",
        )
        group.add_argument(f"--{measure}-revision", metavar="NAME", help="of the model: branch, tag or commit")
        group.add_argument(
            f"--{measure}-labels",
            metavar="LABEL=MEANING,...",
            help="what labels of the model mean, if they are called otherwise",
        )
    group.add_argument(
        "--toxicity-threshold", type=float, default=0.5, metavar="P", help="a label counts from here on (default: 0.5)"
    )
    group.add_argument("--toxicity-exclusive", action="store_true", help="the labels of the model exclude each other")
    group.add_argument(
        "--gender-method",
        default="unigram",
        help="unigram: count gendered words; wavg, max: weigh the polarity of words (default: unigram)",
    )
    group.add_argument(
        "--gender-embeddings", metavar="FILE", help="of wavg, max: word vectors (default: a table that is shipped)"
    )
    group.add_argument(
        "--gender-threshold", type=float, default=0.25, metavar="X", help="of wavg, max (default: 0.25, the paper's)"
    )
    group.add_argument("--norms-lexicon", metavar="FILE", help="eight ratings a word, such as a MEmoLon file; needed")
    group.add_argument("--norms-threshold", type=float, default=0.25, metavar="X", help="of a norm (default: 0.25)")
    group.add_argument(
        "--fisher-tables",
        type=int,
        default=10_000,
        metavar="N",
        help="random tables for Fisher's test of more than two groups (default: 10000)",
    )


def _add_model_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--device", metavar="NAME", help="such as cpu or cuda:1 (default: the best there is)")
    group.add_argument(
        "--dtype", default="auto", help="float32, bfloat16, float16; auto: float32 on a CPU, else half precision"
    )
    group.add_argument("--batch-tokens", type=int, metavar="N", help="most tokens in a batch (default: by device)")
    group.add_argument(
        "--cache",
        default="default",
        metavar="DIR",
        help="keeps what models said, so that a run goes on where it stopped; none for no folder "
        "(default: in $FAIRSUM_CACHE or the user's cache folder)",
    )
    group.add_argument(
        "--on-truncate", default="warn", help="a text longer than the model reads: warn or error (default: warn)"
    )


def add_output_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Format and results file; returns the group, for a command's own."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="of the standard output")
    group.add_argument("--output", type=Path, metavar="FILE.json", help="write the results, unrounded")
    return group


def columns(options: argparse.Namespace, families: Sequence[Family]) -> Columns:
    """The columns to read, which are those that any of the families needs."""
    from fairsum_utils.cli.reading import Columns

    needed = {name for family in families for name in (*family.columns, *family.given)}
    return Columns(
        id=options.id_column,
        sources=options.sources_column if "sources" in needed else None,
        values=options.values_column if "values" in needed else None,
        prediction=options.prediction_column,
        distribution=options.distribution_column,
        units=options.units_column,
        coverage=options.coverage_column,
        group=options.group_column if "group" in needed else None,
        entities=options.entities_column if "entities" in needed else None,
        mentions=options.mentions_column if "mentions" in needed else None,
        article=options.article_column if "article" in needed else None,
    )


def write_document(options: argparse.Namespace, document: dict[str, Any], report: Callable[..., str]) -> None:
    """Write results to the file and the standard output that were asked for; `report` makes text for people."""
    from fairsum_utils.cli.tables import to_json

    if options.output is not None:
        options.output.write_text(to_json(document) + "\n", encoding="utf-8")
    print(to_json(document) if options.format == "json" else report(markdown=options.format == "markdown"))
