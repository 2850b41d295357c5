"""Names of commands and options, today's and former ones."""

from __future__ import annotations

from functools import cache

import click

EXTENSIONS = {
    "study": "Run other analyses of the papers",
    "reproduce": "Recompute the papers' numbers from their published files",
}
"""Command of the distribution in `reproductions/` -> its line of help."""

COMMANDS = {
    "demo": "Score and compare two example systems",
    "score": "Score a file of summaries or other generated texts",
    "compare": "Compare systems on the same samples",
    "report": "Make a page of results and their samples",
    "export": "Write results in formats of the Hub",
    "inspect": "Show the samples behind a number, the worst first",
    "explain": "Explain a measure, or a word of outputs",
    "check": "Check results against rules, for CI",
    "generate": "Generate texts from a file of prompts",
    "data": "List, build and export data sets; annotate news",
    "publish": "Publish modules, data sets and results; install modules",
    "env": "Show versions, packages and caches",
    **EXTENSIONS,
}
"""Command at the top, in a file of its name -> its line of help."""

COMMON = {
    "confidence_level": "--confidence",
    "seed": "--seed",
    "language": "--language",
    "device": "--device",
    "cache": "--cache",
}
"""Setting of many measures with an option of its own -> the option."""

OF_INPUT = ("text_key", "value_key", "predictions_id_column", "predictions_encoding")
"""Settings of the input that ``--set`` gives, like those of measures."""


def options_of(command: click.Command) -> list[str]:
    """List the long options of a command."""
    return [name for param in command.params for name in (*param.opts, *param.secondary_opts) if name.startswith("--")]


@cache
def setting_names() -> frozenset[str]:
    """Return the names of all settings of measures."""
    from fairsum_utils.families import all_measures
    from fairsum_utils.measures import get_measure

    return frozenset(name for measure in all_measures() for name in get_measure(measure).infos())


RENAMED_OPTIONS = {
    "--framing-classifier": "--set framing.model=ID",
    "--checkpoint": "--rows FOLDER",
    "--shard": "--only I/N, with --rows FOLDER",
    "--merge": "fairsum score FOLDER/RUN",
    "--help-all": "--help",
    "--prompt-column": "--text-column NAME",
    "--retries": "--set max_retries=N",
    **{
        f"--{name.replace('_', '-')}": f"--set {name}=VALUE"
        for name in (
            *("max_new_tokens", "temperature", "top_k", "top_p", "repetition_penalty", "cut_from", "prefix", "system"),
            *("prediction", "n", "concurrency", "timeout", "orders", "mode"),
        )
    },
    **{
        f"--{name.replace('_', '-')}-column": f"--column {name}=NAME"
        for name in (
            *("content_words", "facts", "labels", "leaning", "name", "ratings", "references", "text_group", "units"),
            "value",
        )
    },
    "--chat": "--set chat=true",
    "--no-chat": "--set chat=false",
    "--address": "a variable: RAY_ADDRESS=ADDR",
    "--max-row-bytes": "for Python: max_row_bytes",
    "--partial": "for Python: fairsum_utils.run.from_rows(RUN, partial=True)",
    "--order": "left out: fairsum inspect FILE shows the worst first",
    "--text-key": "--set text_key=NAME",
    "--value-key": "--set value_key=NAME",
    "--predictions-id-column": "--set predictions_id_column=NAME",
    "--predictions-encoding": "--set predictions_encoding=NAME",
    "--resamples": "--set n_resamples=N",
    "--drop-unlabelled": "--set unlabelled=drop",
    "--no-at-random": "--set at_random=false",
    "--no-rescale": "--set rescale=false",
    "--auc-points": "--set n_points=N",
    "--permutations": "--set n_permutations=N",
    "--group-permutations": "--set n_permutations=N",
    "--variant-permutations": "--set n_permutations=N",
    "--fisher-tables": "--set n_resamples=N",
    "--url": "--set chat_url=URL",
    "--entailer-revision": "--set revision=NAME",
    "--name-lookup": "--set lookup=NAME",
    "--embedding-model": "--set distinguishability.model=ID",
    "--distance-model": "--set model=ID",
    "--keep-changed-words": "--set neutral=false",
    "--order-matcher": "--set order_sensitivity.matcher=NAME",
    "--outcome-ner": "--set persons_ner=NAME",
    "--toxicity-exclusive": "--set toxicity.multi_label=false",
}
"""Former option -> what to write instead, where no rule says it."""


def now_called(option: str) -> str | None:
    """Return the new spelling of a former option, or None.

    Example:
        >>> now_called("--tau"), now_called("--toxicity-threshold"), now_called("--article-column")
        ('--set tau=VALUE', '--set toxicity.threshold=VALUE', '--column article_id=NAME')
    """
    from fairsum_utils.families import all_measures
    from fairsum_utils.families.inputs import all_columns
    from fairsum_utils.measures import get_measure

    if option in RENAMED_OPTIONS:
        return RENAMED_OPTIONS[option]
    name = option.removeprefix("--").replace("-", "_")
    columns = {column.entry.removesuffix("_id"): column for column in all_columns(all_measures()).values()}
    if name.endswith("_column") and (column := columns.get(name.removesuffix("_column"))) is not None:
        return column.flag
    settings = {measure: get_measure(measure).infos() for measure in all_measures()}
    if any(name in infos for infos in settings.values()):
        return f"--set {name}=VALUE"
    first, _, rest = name.partition("_")
    rest = {"labels": "label_map", "entailer_revision": "revision"}.get(rest, rest)
    for measure, infos in settings.items():
        if first in measure.split("_") and rest in infos:
            return f"--set {measure}.{rest}=VALUE"
    return None
