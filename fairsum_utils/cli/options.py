"""Options that `score` and `compare` share, and what they mean to the library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairsum_utils.cli.reading import Columns
    from fairsum_utils.representation import Options

__all__ = [
    "add_input_options",
    "add_measure_options",
    "add_output_options",
    "check_output",
    "columns",
    "measure_options",
    "scorer_options",
    "write_document",
]

_METRICS = "bur,uer,auc,sof"


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Columns, split, workers."""
    group = parser.add_argument_group("input")
    group.add_argument("--id-column", default="id", metavar="NAME", help="optional column (default: %(default)s)")
    group.add_argument(
        "--sources-column", default="sources", metavar="NAME", help="list of texts (default: %(default)s)"
    )
    group.add_argument(
        "--values-column", default="values", metavar="NAME", help="one value a source text (default: %(default)s)"
    )
    group.add_argument(
        "--prediction-column", default="prediction", metavar="NAME", help="summary (default: %(default)s)"
    )
    group.add_argument(
        "--distribution-column",
        metavar="NAME",
        help="value -> share or count of the summary, as given by annotators, say, instead of matching",
    )
    group.add_argument("--split", metavar="NAME", help="of a saved data set that has several")
    group.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes; results do not depend on it (default: 1)"
    )


def add_measure_options(parser: argparse.ArgumentParser) -> None:
    """Everything that changes a number."""
    group = parser.add_argument_group("measures")
    group.add_argument("--metrics", default=_METRICS, metavar="LIST", help="comma-separated (default: %(default)s)")
    group.add_argument("--matcher", default="ngram", help="how summary tokens find their values (default: ngram)")
    group.add_argument("--k", type=int, default=1, help="length of the n-grams (default: 1, the paper's)")
    group.add_argument("--normalizer", default="fairsumm", help="fairsumm (the paper's) or simple (default: fairsumm)")
    group.add_argument("--language", default="english", help="for --normalizer simple (default: english)")
    group.add_argument("--tau", type=float, default=0.8, help="tolerance of BUR in [0, 1] (default: 0.8)")
    group.add_argument(
        "--target",
        default="ratio",
        help="desired shares: ratio (that of the sources), equal, or VALUE=SHARE,... (default: ratio)",
    )
    group.add_argument("--empty", default="skip", help="empty summaries: skip, uniform or error (default: skip)")
    group.add_argument(
        "--auc-points", type=int, metavar="N", help="average BUR over N tolerances (the paper: 10); default exact"
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="LEVEL", help="of the intervals; 0 for none (default: 0.95)"
    )
    group.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap replicates (default: 1000)")
    group.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")


def add_output_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Format and results file; returns the group, for a command's own."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="of the standard output")
    group.add_argument("--output", type=Path, metavar="FILE.json", help="write the results, unrounded")
    return group


def columns(options: argparse.Namespace) -> Columns:
    """The columns to read."""
    from fairsum_utils.cli.reading import Columns

    return Columns(
        id=options.id_column,
        sources=options.sources_column,
        values=options.values_column,
        prediction=options.prediction_column,
        distribution=options.distribution_column,
    )


def scorer_options(options: argparse.Namespace, *, evidence: bool = False) -> dict[str, Any]:
    """Keyword arguments of `DistributionScorer`."""
    return {
        "matcher": options.matcher,
        "k": options.k,
        "normalizer": options.normalizer,
        "language": options.language,
        "target": _target(options.target),
        "empty": options.empty,
        "evidence": evidence,
    }


def measure_options(options: argparse.Namespace, module: str) -> tuple[tuple[str, ...], Options]:
    """Names of the measures and their options."""
    from fairsum_utils.representation import Options
    from fairsum_utils.representation.api import check_metrics

    names = check_metrics([name.strip() for name in options.metrics.split(",")], module)
    level = options.confidence or None
    return names, Options(options.tau, options.auc_points, level, options.resamples, options.seed, module)


def _target(text: str) -> str | dict[str, float]:
    from fairsum_utils.errors import InputError

    if "=" not in text:
        return text
    shares = {}
    for part in text.split(","):
        value, _, share = part.rpartition("=")
        try:
            shares[value.strip()] = float(share)
        except ValueError:
            raise InputError(f"--target: {part!r} is not VALUE=SHARE, as in --target male=0.5,female=0.5") from None
    return shares


def check_output(path: Path | None, *suffixes: str) -> None:
    """Refuse an output that cannot be written, before any work is done."""
    from fairsum_utils.errors import InputError

    if path is None:
        return
    if suffixes and path.suffix not in suffixes:
        raise InputError(f"{path}: cannot tell the format from the name; end it in {' or '.join(suffixes)}")
    if not path.resolve().parent.is_dir():
        raise InputError(f"{path}: the folder {path.resolve().parent} does not exist; create it first")


def write_document(options: argparse.Namespace, document: dict[str, Any], report: Callable[..., str]) -> None:
    """Write results to the file and the standard output that were asked for; `report` makes text for people."""
    from fairsum_utils.cli.tables import to_json

    if options.output is not None:
        options.output.write_text(to_json(document) + "\n", encoding="utf-8")
    print(to_json(document) if options.format == "json" else report(markdown=options.format == "markdown"))
