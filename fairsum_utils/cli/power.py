"""`fairsum power`: how many samples or originals rules need."""

from __future__ import annotations

from collections.abc import Sequence

from fairsum_utils.cli.check import rules_options
from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.outputs import output_options, without_run, write_document
from fairsum_utils.errors import InputError
from fairsum_utils.families.settings import USUAL_LEVEL


def _number_option(name: str, about: str) -> Option:
    more = "with the label where rules name several"
    return Option(f"--{name}", multiple=True, metavar="[LABEL=]X", help=f"{about}; {more}")


@command(
    Argument("files", "[RESULTS]...", "saved results (.json); none if there are none yet", nargs=-1),
    *rules_options(),
    *in_group(
        "truth",
        _number_option("expected", "the score in the long run (default: that of the results)"),
        _number_option("sd", "standard deviation of what a sample or original adds (default: that of the results)"),
        Option("--power", type=float, default=0.8, metavar="X", help="wanted chance"),
        Option(
            "--level",
            type=float,
            default=USUAL_LEVEL,
            metavar="X",
            help=f"of intervals, where there are no results (default: {USUAL_LEVEL:g})",
        ),
    ),
    *output_options(),
)
def power(options: Options) -> int:
    """Compute how many samples a rule needs for a power of 80%.
    Also compute how often the rule passes and fails with the present samples.

    The truth is taken to be the estimate of the results, or what is expected. Shares of samples, such as BUR,
    are counted exactly, and may be asked for before there are any results; other scores are taken as normal,
    with the spread that their interval shows, or --sd, or without results the largest spread there can be. Of
    rules that name the baseline, "samples" is how many are needed beside the present baseline, and "both
    sides" if it had as many.

    Measures of texts in several variants (counterfactual_gap, counterfactual_outcomes, counterfactual_pairs,
    order_sensitivity) and of persons in the news (entity_inclusion and the like) need originals, each with all
    of its samples. Where every input has several summaries, a second table says how many originals are needed
    with 1, 2, 3, 5 and 10 of them. Of p-values ask for one test, such as counterfactual_gap.p_value or
    counterfactual_outcomes.outcomes["length"].p_value; what permuting makes of a score is taken as normal, too.

    "never" is a rule that no number of samples decides: the truth lies on its bound, or the baseline has too
    few samples.

    exit status: 0 done, also where a rule never passes; 2 bad input

    examples:
      fairsum power results.json --rules 'uer.ci_high < 0.05'
      fairsum power results.json --rules fairsum.toml --power 0.9
      fairsum power --rules 'bur.ci_high < 0.05' --expected 0.02
      fairsum power results.json --rules 'uer.ci_high < 0.05' --rules 'bur.ci_high < 0.2' --expected uer=0.03
      fairsum power june.json --baseline may.json --rules '(bur - baseline).ci_high < 0.02'
      fairsum power comparison.json --rules 'uer.difference_ci_high < 0.01'
      fairsum power pilot.json --rules 'counterfactual_gap.p_value < 0.05' --rules 'counterfactual_gap.ci_high < 0.05'
      fairsum power --rules 'counterfactual_gap.ci_low > 0' --expected 0.02 --sd 0.1
    """
    from fairsum_utils.gate.power import power as needed

    if not options.rules:
        raise InputError("power: there is no rule; give one with --rules, such as 'uer.ci_high < 0.05'")
    needs = needed(
        options.files or None,
        rules=options.rules,
        baseline=options.baseline,
        expected=_numbers("expected", options.expected),
        sd=_numbers("sd", options.sd),
        power=options.power,
        confidence_level=options.level,
    )
    paths = [*options.files, *filter(None, [options.baseline])]
    write_document(options, without_run(needs._document()), needs._parts(), read=dict.fromkeys(paths))
    return 0


def _numbers(name: str, given: Sequence[str]) -> float | dict[str, float] | None:
    """Read a number, or numbers by label.

    Raises:
        InputError: An entry is not a number, or a label appears twice.
    """
    found: dict[str, float] = {}
    for text in given:
        label, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise InputError(f"power: --{name} takes a number, or LABEL=NUMBER, found {text!r}") from None
        if label in found or (found and not (label and all(found))):
            raise InputError(f"power: --{name} is given twice; name the label of each, as in --{name} uer={value:g}")
        found[label] = value
    return found.get("", found) if found else None
