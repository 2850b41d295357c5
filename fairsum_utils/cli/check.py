"""`fairsum check`: results held to rules, for CI."""

from __future__ import annotations

import json
from typing import Any

from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.outputs import output_options, write_document
from fairsum_utils.errors import InputError


@command(
    Argument("files", "RESULTS...", "Saved results (.json); several need different labels", nargs=-1, required=True),
    *in_group(
        "rules",
        Option(
            "--rules",
            multiple=True,
            metavar="RULE",
            help="Rule, or file of rules: one per line, or .toml with rules = [...] under [check]; may be repeated",
        ),
        Option("--baseline", metavar="RESULTS", help="Results that `baseline` means in rules"),
    ),
    *output_options(Option("--junit", metavar="FILE.xml", help="File for the verdicts as JUnit XML", writes=(".xml",))),
)
def check(options: Options) -> int:
    """Check saved results against rules; the exit status tells whether they pass.
    A rule is a name, an operator and a number, such as 'uer.ci_high < 0.05': UER is below 0.05 at the 95% level.

    The results come from --output of fairsum score or fairsum compare. Operators are <, <=, >, >=, == and !=. Names are

      uer                            the score with this label; in quotes if it is no plain word, as "bur@0.9"
      uer.ci_low  uer.ci_high        the ends of its interval
      uer.n_samples  uer.warnings    any number of the result; the number of warnings
      bur.by_value["pos"]            a number of a group
      counterfactual_outcomes.outcomes["length"].difference_ci_high
                                     an entry of a list, by the words at its beginning
      bur["gpt4"].ci_high            the score of a system in a comparison
      bur["gpt4"].difference_ci_high
                                     gpt4 minus the baseline; bur.difference_ci_high for two systems
      bur["gpt4"]["lead"].difference_ci_high
                                     gpt4 minus lead
      warnings  n_samples            number of all warnings, and smallest number of samples
      bur - baseline                 the change from the results of --baseline
      (bur - baseline).ci_high       an end of the interval of that change, for independent samples

    A rule on a number passes or fails by that number. A rule on an end of an interval passes if it holds, fails if
    it does not hold at the other end either, and is undecided in between. A rule is also undecided if the number is
    undefined, comes from fewer than 20 samples (or originals), or if half of the samples have sources of one group
    only. Without --rules they are read from the section [check] of fairsum.toml, if the working folder has one.

    exit status: 0 all rules pass, 1 one fails, 2 bad input, 3 one is undecided, and none fails

    examples:
      fairsum check results.json --rules 'uer.ci_high < 0.05' --rules 'warnings == 0'
      fairsum check results.json --rules fairsum.toml --junit check.xml
      fairsum check results.json --rules 'bur - baseline < 0.02' --baseline main.json --format markdown
      fairsum check comparison.json --rules 'bur.difference_ci_high < 0.02'
    """
    from fairsum_utils.gate import check
    from fairsum_utils.io.writing import replacing

    if not options.rules:
        raise InputError("check: there is no rule; give one with --rules, or in the section [check] of fairsum.toml")
    try:
        checked = check(options.files, options.rules, options.baseline)
    except InputError:
        results = list(map(_recorded, options.files))
        if all(found is path for found, path in zip(results, options.files, strict=True)):
            raise
        checked = check(results, options.rules, options.baseline)
    if options.junit is not None:
        with replacing(options.junit) as temporary:
            temporary.write_text(checked.to_junit() + "\n", encoding="utf-8")
    paths = [*options.files, *filter(None, [options.baseline])]
    document = {"kind": "check", **checked.to_dict()}
    write_document(options, document, checked.parts(), read=dict.fromkeys(paths))
    return checked.exit_status


def _recorded(path: str) -> Any:
    """Return results from the records in another tool's file, or the path."""
    from fairsum_utils.integrations.judging import records_in, results_in
    from fairsum_utils.io.stores import local_path

    place = local_path(path)
    try:
        document = json.loads(place.read_text(encoding="utf-8")) if place is not None else None
    except (OSError, ValueError):
        return path
    if isinstance(document, dict) and "metrics" in document:
        return path
    return results_in(document, path) if any(records_in(document)) else path
