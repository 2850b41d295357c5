"""`fairsum analyse diagnose`: groups of a corpus before it is summarized."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Option, Options, command
from fairsum_utils.cli.options import file_argument, given_settings, read_file, reading_options, setting_options
from fairsum_utils.cli.outputs import output_options, write_result
from fairsum_utils.families import Setting, family_of

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part


def _settings() -> list[Setting]:
    """Return the measures' settings that apply here."""
    taken = family_of("word_list_inclusion").taken("word_list_inclusion")
    return [taken["word_lists"], taken["seed"]]


@command(
    file_argument(),
    *reading_options(),
    Option("--text-column", default="text", metavar="NAME", help="a text a row"),
    Option("--top", type=int, default=10, metavar="N", help="words to show a group"),
    *setting_options(_settings()),
    Option("--no-baselines", help="do not summarize"),
    *output_options(),
)
def diagnose(options: Options) -> int:
    """Describe the groups of a corpus, and baseline summarizers on it.

    what is shown:
      groups      identifiers of each group, their share, and the texts in which the group has most of them
      words       those that go with a group's texts most (z above 1.96 is more than chance); a word and its
                  counterpart, such as mother and father, count as one
      topics      the same shares in texts about sport, about family, and about neither
      baselines   word list inclusion of simple summarizers, against equal shares and adjusted to those of the texts.
                  Lead and random do not look at groups: what they score says how little the score alone tells.

    examples:
      fairsum analyse diagnose articles.jsonl --text-column article
      fairsum analyse diagnose articles.parquet --word-lists lists.json --no-baselines --format markdown

    lists.json holds at least two groups: {"young": ["teen", "teens"], "old": ["pensioner", "pensioners"]}
    """
    from fairsum_utils.analysis.diagnosis import diagnose as diagnosed

    column = options.text_column
    rows = read_file(options, {column: "--text-column"})
    result = diagnosed(
        (row[column] for row in rows),
        baselines=not options.no_baselines,
        top=options.top,
        module=f"diagnose {options.file}",
        **given_settings(options, "diagnose", _settings()),
    )
    write_result(options, result, parts_of)
    return 0


def parts_of(result: dict[str, Any]) -> list[Part]:
    """Return the diagnosis in the form of the paper's tables."""
    from fairsum_utils.reports.tables import Table, closing, number, opening

    groups = list(result["identifiers"])
    shares = [f"share {group}" for group in groups]
    parts: list[Part] = [[opening(result["file"], result).replace("scored", "read")]]
    rows = [[group, *(result[key][group] for key in ("identifiers", "shares", "n_by_majority"))] for group in groups]
    parts.append(Table(["group", "identifiers", "share", "texts with its majority"], rows))
    columns = [[[entry["word"], number(entry["z"], 2)] for entry in result["associated"][group]] for group in groups]
    if height := max(map(len, columns)):
        padded = [column + [["", ""]] * (height - len(column)) for column in columns]
        header = [title for group in groups for title in (f"{group} texts", "z")]
        parts.append(Table(header, [[cell for pair in pairs for cell in pair] for pairs in zip(*padded, strict=True)]))
    rows = [
        [topic, part["n_samples"], *(part["shares"][group] for group in groups)]
        for topic, part in result["by_topic"].items()
    ]
    everything = ["all", result["n_samples"], *(result["shares"][group] for group in groups)]
    parts.append(Table(["topic", "texts", *shares], [everything, *rows]))
    if result["baselines"]:
        rows = [
            [name, *(scores[key] for key in ("word_list_inclusion_uniform", "word_list_inclusion"))]
            for name, scores in result["baselines"].items()
        ]
        parts.append(Table(["word list inclusion", "uniform", "adjusted"], rows))
    return [*parts, *closing(result)]
