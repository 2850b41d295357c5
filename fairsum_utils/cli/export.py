"""`fairsum export`: saved results in the formats of other tools."""

from __future__ import annotations

from typing import Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Argument, Choice, Option, Options, command, in_group
from fairsum_utils.cli.terminal import show
from fairsum_utils.results.exports import NOT_RESULTS, TARGETS


class _Target(Choice):
    """A target; one that describes no results is answered with its command."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Refuse what is no target of results."""
        if value in NOT_RESULTS:
            self.fail(NOT_RESULTS[value], param, ctx)
        return super().convert(value, param, ctx)


@command(
    Argument("file", "RESULTS.json", "what `fairsum score --output` wrote"),
    Argument(
        "samples",
        "[SAMPLES]",
        "for the instances of every-eval-ever: from score --samples --with-texts",
        required=False,
    ),
    Option(
        "--to",
        type=_Target(TARGETS),
        metavar=f"{{{','.join(TARGETS)}}}",
        required=True,
        help="Every Eval Ever (schema 0.3.0), the Hub's .eval_results, or metadata of a model card",
    ),
    Option("--output", required=True, metavar="PATH", help="folder for every-eval-ever, otherwise a file *.yaml"),
    Option("--model", required=True, metavar="USER/MODEL", help="model that wrote the summaries"),
    *in_group(
        "data set",
        Option("--dataset", metavar="ID", help="on the Hub, or any name (default: that of the scored file)"),
        Option("--config", metavar="NAME", help="configuration of the data set"),
        Option("--split", metavar="NAME", help="split of the data set"),
    ),
    *in_group(
        "every-eval-ever",
        Option("--organization", default="unknown", metavar="NAME", help="publishes the results"),
    ),
)
def export(options: Options) -> int:
    """Write saved results in the format of another tool.

    Direction and interval are never lost. Every Eval Ever has fields for both. The Hub's .eval_results have one
    value where higher is better: 1 - BUR is written as one_minus_bur, and the notes have the score itself, its
    interval, chance level and signature. `fairsum compare` reads the instances (UUID_samples.jsonl) of two systems.

    examples:
      fairsum export results.json --to hf-eval --model me/summarizer --dataset fairsum/perspectivesumm --output bur.yaml
      fairsum export results.json samples.jsonl --to every-eval-ever --model me/summarizer --output store
    """
    from fairsum_utils.errors import InputError
    from fairsum_utils.results import ScoreResults, read_results

    results = read_results(options.file)
    if not isinstance(results, ScoreResults):
        raise InputError(
            f"export: {options.file} holds no scores of one system; give what fairsum score --output wrote"
        )
    names = ("model", "dataset", "config", "split", "organization", "samples")
    for path in results.export(options.to, options.output, **{name: getattr(options, name) for name in names}):
        show(f"wrote {masked(path)}")
    return 0
