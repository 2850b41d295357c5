"""The entities family for the commands: word lists, entity inclusion, entity hallucination, distinguishability."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.families import INFERENCE, Family, Indexed, world_size

if TYPE_CHECKING:
    from fairsum_utils.entities import EntityRow, EntityScorer

__all__ = ["Entities", "add_options", "report"]

_SCORER = {
    "word_lists": "word_lists",
    "ner": "ner",
    "first_names": "first_names",
    "people": "people",
    "embedding": "embedding",
    "model": "embedding_model",
    "revision": "embedding_revision",
}
_MEASURES = {"reference": "reference", "continuity": "continuity", "n_permutations": "group_permutations"}
"""Setting of the scorer, and of the measures -> option of the command."""

_COLUMNS = {
    "sources": "sources",
    "entities": "entities",
    "mentions": "mentions",
    "article_ids": "article",
    "groups": "group",
}
"""Column of the library -> field of a sample, which names the option of its column."""


def add_options(group: argparse._ArgumentGroup) -> None:
    """The options that only this family takes."""
    group.add_argument(
        "--entities-column",
        default="entities",
        metavar="NAME",
        help="the persons in the sources: list of {first_name, last_name, group}; none to go without "
        "(default: entities)",
    )
    group.add_argument(
        "--mentions-column", metavar="NAME", help="list of the names of persons in the summary, instead of --ner"
    )
    group.add_argument(
        "--article-column",
        default="article_id",
        metavar="NAME",
        help="the original that a sample was made from; none: each sample is one of its own (default: article_id)",
    )
    group.add_argument(
        "--word-lists",
        default="helm",
        metavar="NAME",
        help="helm or extended (she, he, ...), or a .json file of group -> words (default: helm)",
    )
    group.add_argument(
        "--reference", default="source", help="of word lists: source (its shares) or uniform (default: source)"
    )
    group.add_argument(
        "--continuity",
        type=float,
        metavar="X",
        help="of entity inclusion: added to counts, such as 0.5, so that odds are finite (default: nothing)",
    )
    group.add_argument(
        "--group-permutations",
        type=int,
        default=1000,
        metavar="N",
        help="of the test of entity inclusion: random groups of the persons (default: 1000)",
    )
    group.add_argument(
        "--ner",
        default="en_core_web_sm",
        metavar="NAME",
        help="spaCy pipeline that finds persons in summaries, or none (default: %(default)s)",
    )
    group.add_argument("--people", metavar="FILE", help="known people by group, as fairsum people makes it")
    group.add_argument(
        "--first-names", metavar="FILE.json", help="first name -> group (default: US census, female and male)"
    )
    group.add_argument(
        "--embedding",
        default="count",
        help="of distinguishability: count (words) or dense (a model) (default: count)",
    )
    group.add_argument(
        "--embedding-model",
        default="sentence-transformers/all-MiniLM-L6-v2",
        metavar="ID",
        help="of dense: id or folder (default: %(default)s)",
    )
    group.add_argument("--embedding-revision", metavar="NAME", help="of the model: branch, tag or commit")


class Entities(Family):
    """Word list inclusion, entity inclusion, entity hallucination and distinguishability."""

    name = "entities"
    flags = (
        *_SCORER.values(),
        *_MEASURES.values(),
        "entities_column",
        "mentions_column",
        "article_column",
        "group_column",
    )
    columns = ("prediction",)

    @classmethod
    def from_options(
        cls, options: argparse.Namespace, metrics: tuple[str, ...], module: str, *, evidence: bool
    ) -> Entities:
        """Set up by the command's options."""
        from fairsum_utils.entities import Options
        from fairsum_utils.entities.api import SETTINGS
        from fairsum_utils.errors import InputError

        for setting, flag in {**_SCORER, **_MEASURES}.items():
            takers = SETTINGS[setting]
            if getattr(options, flag) != options.parser.get_default(flag) and not set(takers) & set(metrics):
                raise InputError(
                    f"{module}: --{flag.replace('_', '-')} is for {', '.join(takers)}; name one with --metrics, or "
                    "leave it out"
                )
        settings = {setting: getattr(options, flag) for setting, flag in _SCORER.items()}
        settings |= {name: getattr(options, name) for name in ("empty", *INFERENCE)}
        settings |= {
            "word_lists": word_lists(options.word_lists),
            "first_names": None if options.first_names is None else _mapping(options.first_names, "--first-names"),
            "ner": None if options.ner == "none" else options.ner,
            "evidence": evidence,
        }
        measures = Options(
            confidence_level=options.confidence or None,
            n_resamples=options.resamples,
            seed=options.seed,
            module=module,
            **{setting: getattr(options, flag) for setting, flag in _MEASURES.items()},
        )
        return cls(metrics, settings, measures, tuple(_given(options, metrics, module)), module)

    @property
    def whole(self) -> bool:
        """Whether a record of a sample needs the rows of all samples."""
        return "distinguishability" in self.metrics

    @property
    def uses_model(self) -> bool:
        """Whether a neural model scores the samples."""
        return bool(self.settings["embedding"] == "dense")

    def scorer(self) -> EntityScorer:
        """A scorer."""
        from fairsum_utils.entities import EntityScorer
        from fairsum_utils.inference import InferenceSettings

        settings = dict(self.settings)
        inference = {name: settings.pop(name) for name in INFERENCE}
        run = InferenceSettings(**inference, distributed=world_size() > 1, module=self.module)
        return EntityScorer(self.metrics, module=self.module, settings=run, **settings)

    def rows(self, scorer: EntityScorer, samples: Indexed) -> list[EntityRow]:
        """Score samples together; one without an original is named by its id, by which systems are paired."""
        columns: dict[str, Any] = {
            column: [getattr(sample, field) for _, sample in samples]
            for column, field in _COLUMNS.items()
            if field in self.given
        }
        columns.setdefault("article_ids", [sample.id for _, sample in samples])
        start, _ = samples[0]
        return list(scorer.score([sample.prediction for _, sample in samples], **columns, start=start))

    def read_row(self, fields: dict[str, Any]) -> EntityRow:
        """A row from its fields, as `dataclasses.asdict` and JSON leave them."""
        from fairsum_utils.entities import EntityRow

        pairs = {name: fields[name] and tuple(map(tuple, fields[name])) for name in ("entities", "hallucinated")}
        return EntityRow(**{**fields, **{name: () if own == [] else own for name, own in pairs.items()}})

    def table(self, rows: Sequence[EntityRow] = ()) -> list[EntityRow]:
        """A table of rows."""
        return list(rows)

    def results(self, scorer: EntityScorer, table: Sequence[EntityRow]) -> dict[str, dict[str, Any]]:
        """The measures of a table."""
        from fairsum_utils.entities.api import results_of

        return results_of(table, scorer, self.measures, mentions_given="mentions" in self.given)

    def records(self, scorer: EntityScorer, rows: Sequence[EntityRow]) -> list[dict[str, Any]]:
        """One record a sample, for the samples file."""
        from fairsum_utils.entities.api import records_of

        return [_record(record) for record in records_of(rows, self.metrics)]

    def column_types(self, record: dict[str, Any]) -> dict[str, Any]:
        """Arrow types of the columns of the samples file."""
        import pyarrow

        text, number, flag = pyarrow.string(), pyarrow.int64(), pyarrow.bool_()
        person = {"name": text, "entity": number, "ambiguous": flag}
        types = {
            **dict.fromkeys(("article", "skipped", "group", "anonymized"), text),
            **dict.fromkeys(("summary_words", "source_words"), pyarrow.map_(text, number)),
            "entities": pyarrow.list_(pyarrow.struct({"group": text, "included": flag})),
            "hallucinated": pyarrow.list_(pyarrow.struct({"name": text, "group": text})),
            "persons": pyarrow.list_(pyarrow.struct(person)),
            "distinguishable": pyarrow.float64(),
        }
        return {key: types.get(key, number) for key in record}

    def same_sample(self, a: EntityRow, b: EntityRow) -> bool:
        """Whether the rows of two systems can be of the same sample."""
        groups_a, groups_b = ([group for group, _ in row.entities or ()] for row in (a, b))
        return (a.article, a.group, a.source_words, groups_a) == (b.article, b.group, b.source_words, groups_b)

    def compared(
        self, scorer: EntityScorer, a: Sequence[EntityRow], b: Sequence[EntityRow], n_skipped: int
    ) -> dict[str, dict[str, Any]]:
        """The comparison of two tables."""
        from fairsum_utils.entities.api import compared_of

        given = "mentions" in self.given
        return compared_of(a, b, scorer, self.measures, mentions_given=given, n_skipped=n_skipped)

    def report(self, title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
        """What a person wants to see of results."""
        return report(title, results, markdown=markdown)


def _given(options: argparse.Namespace, metrics: tuple[str, ...], module: str) -> Iterator[str]:
    """The fields of a sample that the measures read and the file has."""
    from fairsum_utils.entities.samples import COLUMNS, needed_columns
    from fairsum_utils.errors import InputError

    needed = needed_columns(metrics)
    read = {column for name in metrics for part in COLUMNS[name] for column in part}
    for column, field in _COLUMNS.items():
        if column not in read:
            continue
        if getattr(options, f"{field}_column") not in (None, "none"):
            yield field
        elif column in needed:
            raise InputError(f"{module}: {needed[column]} needs a column; name it with --{field}-column")


def word_lists(name: str) -> Any:
    """What ``--word-lists`` names: the lists of a ``.json`` file, or the name of shipped ones."""
    return _mapping(name, "--word-lists") if name.endswith(".json") else name


def _mapping(path: str, flag: str) -> dict[str, Any]:
    """A JSON object from a file."""
    from fairsum_utils.errors import InputError
    from fairsum_utils.files.reading import read_json

    found = read_json(Path(path), f"{flag} {path}")
    if not isinstance(found, dict):
        raise InputError(f"{flag} {path}: must hold one JSON object, found a {type(found).__name__}")
    return found


def _record(record: dict[str, Any]) -> dict[str, Any]:
    """A record with names for the parts of pairs, and evidence that lies flat."""
    for key, names in {"entities": ("group", "included"), "hallucinated": ("name", "group")}.items():
        if record.get(key) is not None:
            record[key] = [dict(zip(names, pair, strict=True)) for pair in record[key]]
    if "evidence" in record:
        record |= record.pop("evidence") or {"persons": None, "anonymized": None}
    return record


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """Scores with both intervals, for each measure the figures of the groups and what was found, signatures."""
    from fairsum_utils.cli.tables import number, opening, render
    from fairsum_utils.measures import get_measure

    first = next(iter(results.values()))
    levels = [level for level in _LEVELS if any(f"{name}_{level}" in result for name, result in results.items())]
    rows = [
        [get_measure(name).title, number(result[name]), *(_interval(result.get(f"{name}_{level}")) for level in levels)]
        for name, result in results.items()
    ]
    lines = [f"{opening(title, first)}; {first['n_articles']} originals", ""]
    lines.append(render(["measure", "score", *(_LEVELS[level] for level in levels)], rows, markdown=markdown))
    lines += [
        f"{get_measure(name).title}: {result['undefined']}" for name, result in results.items() if "undefined" in result
    ]
    for name, result in results.items():
        lines += ["", f"{get_measure(name).title} by group", "", _by_group(name, result, levels, markdown=markdown)]
        lines += _REMARKS.get(name, lambda _: [])(result)
    lines += ["", "A score of 0 is no evidence of bias; d resamples originals, s the samples of each original."]
    return "\n".join(lines + [f"{name}: {result['signature']}" for name, result in results.items()])


_LEVELS = {"ci": "interval (d)", "ci_within": "interval (s)"}
"""Key of an interval -> its name in the paper's table 3."""

_SHARES = {
    "word_list_inclusion": "summaries - reference",
    "entity_inclusion": "share included",
    "entity_hallucination": "share",
    "distinguishability": "mean score",
}
"""Measure -> what its figures by group are."""


def _interval(ends: Sequence[float] | None) -> str:
    from fairsum_utils.cli.tables import number

    return "" if ends is None else "[{}, {}]".format(*map(number, ends))


def _by_group(name: str, result: dict[str, Any], levels: Sequence[str], *, markdown: bool) -> str:
    """A row a group: what is counted, its share, intervals."""
    from fairsum_utils.cli.tables import number, render

    own = [level for level in levels if f"{name}_by_group_{level}" in result]
    kinds = list(next(iter(result["counts_by_group"].values()), {}))
    rows = [
        [
            group,
            *map(str, counts.values()),
            number(result[f"{name}_by_group"][group]),
            *(_interval(result[f"{name}_by_group_{level}"][group]) for level in own),
        ]
        for group, counts in result["counts_by_group"].items()
    ]
    return render(["group", *kinds, _SHARES[name], *(_LEVELS[level] for level in own)], rows, markdown=markdown)


def _of_inclusion(result: dict[str, Any]) -> list[str]:
    """Log odds ratios with their signs, and the test."""
    from fairsum_utils.cli.tables import number

    lines = [""]
    for pair in result["log_odds_ratios"]:
        shown = [
            f"{letter} {_interval(pair[level])}" for level, letter in (("ci", "d"), ("ci_within", "s")) if level in pair
        ]
        ratio = number(pair["log_odds_ratio"])
        lines.append(f"Log odds ratio of {pair['group_a']} over {pair['group_b']}: {', '.join([ratio, *shown])}.")
    lines.append(
        f"Most included: {result['most_included'] or 'none alone'}; least: {result['least_included'] or 'none alone'}; "
        f"p = {number(result['p_value'])}. Persons that fit several of the source: {result['n_ambiguous']}."
    )
    return lines


def _of_hallucination(result: dict[str, Any]) -> list[str]:
    """The summary statistics of the paper's table 16, and the names of its table 6."""
    from fairsum_utils.cli.tables import number

    by_group: dict[str, list[str]] = {}
    for entry in result["most_frequent"]:
        by_group.setdefault(entry["group"] or "unknown", []).append(f"{entry['name']} ({entry['count']})")
    tokens, entities = (
        f"{number(result[f'mean_{what}'], 2)} {what} (sd {number(result[f'sd_{what}'], 2)})"
        for what in ("tokens", "entities")
    )
    return [
        "",
        f"A summary has {tokens} and names {entities} on average.",
        f"Hallucinated: {result['n_hallucinated']} of {result['n_mentions']} (a share of "
        f"{number(result['hallucinated_share'])}), {result['n_unclassified']} of them of unknown group.",
        *(f"Most frequent, {group}: {', '.join(names)}." for group, names in sorted(by_group.items())),
    ]


def _of_distinguishability(result: dict[str, Any]) -> list[str]:
    """How much of the data could be compared."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in result["undefined_summaries"].items())
    undefined = f"; summaries that cannot be compared: {result['n_undefined']} ({reasons})" if reasons else ""
    return ["", f"Originals with a score: {result['n_articles_scored']} of {result['n_articles']}{undefined}."]


_REMARKS = {
    "entity_inclusion": _of_inclusion,
    "entity_hallucination": _of_hallucination,
    "distinguishability": _of_distinguishability,
}
"""Measure -> what there is to say below its table."""
