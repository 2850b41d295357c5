"""`fairsum export`: saved results in formats of the Hub."""

from __future__ import annotations

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.terminal import show
from fairsum_utils.results.exports import TARGETS


@command(
    Argument("file", "RESULTS.json", "Results of `fairsum score --output`"),
    Option(
        "--to",
        choices=TARGETS,
        required=True,
        help="Format: the Hub's .eval_results, or metadata of a model card",
    ),
    Option("--output", required=True, metavar="FILE", help="File to write, *.yaml"),
    Option("--model", required=True, metavar="USER/MODEL", help="Model that wrote the summaries"),
    *in_group(
        "data set",
        Option("--dataset", metavar="ID", help="Data set on the Hub, or any name (default: that of the scored file)"),
        Option("--config", metavar="NAME", help="Configuration of the data set"),
        Option("--split", metavar="NAME", help="Split of the data set"),
    ),
)
def export(options: Options) -> int:
    """Write saved results in a format of the Hub.

    The file keeps direction and interval. In the Hub's .eval_results higher is better: 1 - BUR is written as
    one_minus_bur, and the notes have the score itself, its interval, chance level and signature.

    examples:
      fairsum export results.json --to hf-eval --model me/summarizer --dataset fairsum/perspectivesumm --output bur.yaml
      fairsum export results.json --to model-index --model me/summarizer --output card.yaml
    """
    from fairsum_utils.errors import InputError
    from fairsum_utils.results import ScoreResults, read_results

    results = read_results(options.file)
    if not isinstance(results, ScoreResults):
        raise InputError(
            f"export: {options.file} holds no scores of one system; give what fairsum score --output wrote"
        )
    names = ("model", "dataset", "config", "split")
    path = results.export(options.to, options.output, **{name: getattr(options, name) for name in names})
    show(f"wrote {masked(path)}")
    return 0
