"""`fairsum analyse rerank`: fairest of several candidates, and preference pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.models import check_added
from fairsum_utils.cli.options import chosen_settings, file_argument, read_file, reading_options, settings_of
from fairsum_utils.cli.terminal import show
from fairsum_utils.families import summary_measures

if TYPE_CHECKING:
    from fairsum_utils.training.rerank import Ranking
    from fairsum_utils.training.rewards import Verdict


_MODULE = "rerank"
_COLUMNS = ("candidates", "sources", "values")


# Settings that change no fairness of a summary, or that the judge decides itself.
_WITHOUT = ("at_random", "confidence_level", "n_resamples", "seed", "empty")

_ADDED = ("rerank_index", "rerank_fairness", "rerank")


@command(
    file_argument(),
    *reading_options(),
    Option("--output", required=True, metavar="FILE", help="the rows with the fairest candidate", writes="rows"),
    Option("--pairs", metavar="FILE", help="preference pairs; needs --prompt-column", writes="rows"),
    Option(
        "--margin",
        type=float,
        default=0.0,
        metavar="X",
        help="pairs differ in fairness by more than this (default: 0)",
    ),
    *in_group(
        "columns",
        *(Option(f"--{name}-column", default=name, metavar="NAME", help="") for name in _COLUMNS),
        Option("--prompt-column", metavar="NAME", help="text, or list of messages; of --pairs"),
        Option("--prediction-column", default="prediction", metavar="NAME", help="that is added"),
    ),
    *in_group(
        "measures", Option("--metrics", default="uer", metavar="NAME", help="one: uer, auc, bur or equal_coverage")
    ),
    *settings_of(summary_measures(), "measures", _WITHOUT),
)
def rerank(options: Options) -> int:
    r"""Choose the fairest of several candidate summaries.

    The file holds one sample a row: `candidates` (list of summaries), `sources` (list of source texts) and
    `values` (the group of each source text). Fairness is 1 - score, of equal_coverage times
    how well the sources support the summary; a summary that is empty or has nothing to do with its sources has
    fairness 0. It is no measure of quality: give candidates that are all good enough to be shown.

    --output gets each row with its fairest candidate, of equal ones the first, as `prediction`, with
    `rerank_index` and `rerank_fairness` (of each candidate; higher is fairer). --pairs gets rows of prompt,
    chosen and rejected for TRL's DPOTrainer, the fairest candidate against the least fair; prompts whose
    candidates differ by no more than --margin give none.

    examples:
      fairsum analyse rerank candidates.jsonl --output best.jsonl
      fairsum analyse rerank candidates.jsonl --metrics equal_coverage --entailer lexical --output best.jsonl
      fairsum analyse rerank candidates.parquet --output best.parquet --pairs pairs.jsonl --prompt-column prompt \
          --margin 0.05
    """
    from contextlib import closing

    from fairsum_utils.io.writing import write_rows
    from fairsum_utils.reports.formats import to_json
    from fairsum_utils.training.rerank import judge_candidates, make_pairs, rank
    from fairsum_utils.training.rewards import FairnessJudge
    from fairsum_utils.validation import check_fraction, check_metrics

    check_fraction(_MODULE, "--margin", options.margin)
    _check_files(options)
    metric = check_metrics(_MODULE, [options.metrics], summary_measures())[0]
    judge = FairnessJudge(_MODULE, metric, chosen_settings(options, _MODULE, [metric], by_name=True)[metric])
    rows = _rows(options)
    candidates, sources, values = ([row[getattr(options, f"{name}_column")] for row in rows] for name in _COLUMNS)
    with closing(judge):
        verdicts = judge_candidates(_MODULE, judge, candidates, sources, values)
        signature = judge.signature
    rankings = [rank(of_sample) for of_sample in verdicts]
    added = (options.prediction_column, *_ADDED)
    chosen = (
        {**row, **dict(zip(added, (texts[one.best], one.best, one.fairness, signature), strict=True))}
        for row, texts, one in zip(rows, candidates, rankings, strict=True)
    )
    counts: dict[str, Any] = {"rows": write_rows(chosen, options.output), **_counts(rankings, verdicts)}
    if options.pairs is not None:
        prompts = [row[options.prompt_column] for row in rows]
        pairs = make_pairs(prompts, candidates, verdicts, margin=options.margin)
        counts |= {"pairs": write_rows(pairs.rows, options.pairs), "n_ties": pairs.n_ties}
        counts["n_without_pair"] = pairs.n_undefined
    show(to_json({**counts, "output": masked(options.output), "signature": signature}, indent=None))
    return 0


def _check_files(options: Options) -> None:
    """Refuse what would go wrong only when all is judged."""
    from fairsum_utils.errors import InputError
    from fairsum_utils.io.names import format_of

    if (options.pairs is None) != (options.prompt_column is None):
        raise InputError(f"{_MODULE}: --pairs and --prompt-column go together; give both or neither")
    if options.pairs is not None and format_of(options.pairs) == ".csv":
        raise InputError(
            f"{options.pairs}: a CSV file does not tell which of its columns are lists; use .jsonl or .parquet"
        )


def _rows(options: Options) -> list[dict[str, Any]]:
    needed = {getattr(options, f"{name}_column"): f"--{name}-column" for name in _COLUMNS}
    lists = tuple(needed)
    if options.prompt_column is not None:
        needed[options.prompt_column] = "--prompt-column"
    rows = list(read_file(options, needed, lists=lists))
    added = (options.prediction_column, *_ADDED)
    check_added(options.file, rows, added, {added[0]: "name another with --prediction-column"})
    return rows


def _counts(rankings: list[Ranking], verdicts: list[list[Verdict]]) -> dict[str, Any]:
    """Return the mean fairness of first and chosen candidates."""
    defined = [(one.fairness[0], one.fairness[one.best]) for one in rankings if one.fairness[one.best] is not None]
    means = [sum(column) / len(defined) for column in zip(*defined, strict=True)] or [None, None]
    return {
        "n_candidates": sum(map(len, verdicts)),
        "n_undefined": len(rankings) - len(defined),
        "n_first_kept": sum(one.best == 0 for one in rankings),
        "fairness_of_first": means[0],
        "fairness_of_best": means[1],
    }
