"""`fairsum analyse relevance`: relevance of summaries by group, rated by a chat model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.models import check_added, endpoint_settings, model_options
from fairsum_utils.cli.options import (
    file_argument,
    given_settings,
    read_file,
    reading_options,
    setting_options,
)
from fairsum_utils.cli.outputs import output_options, write_result
from fairsum_utils.families import Resampling
from fairsum_utils.families.routing import with_interval
from fairsum_utils.inference.settings import InferenceSettings

if TYPE_CHECKING:
    from fairsum_utils.inference.chat import ChatEndpoint, LocalChat
    from fairsum_utils.reports.tables import Part


# Columns that rows get: the parts of a rating, in their order.
_ADDED = ("relevance", "relevance_reason", "relevance_answer", "relevance_skipped")

_MODULE, _NONE = "relevance", "none"


@command(
    file_argument(),
    *reading_options(),
    Option("--model", required=True, metavar="ID", help="name at --url, or id on the Hub, or folder"),
    *in_group(
        "input",
        Option("--sources-column", default="text", metavar="NAME", help="article, or list of texts"),
        Option("--prediction-column", default="prediction", metavar="NAME", help=""),
        Option(
            "--group-column",
            default="text_group",
            metavar="NAME",
            help="group of each input; none to compare nothing",
        ),
        Option(
            "--article-column",
            default="article_id",
            metavar="NAME",
            help="original of each input; none if each is its own",
        ),
    ),
    *in_group("intervals", *setting_options(Resampling.infos().values())),
    *in_group(
        "chat: the chat model",
        Option("--temperature", type=float, default=0.0, metavar="X", help="0: likeliest tokens (default: 0)"),
        Option("--max-tokens", type=int, default=256, metavar="N", help="longest answer"),
        *setting_options([InferenceSettings.infos()["cache"]]),
    ),
    *model_options("device", "dtype", "batch_tokens"),
    *output_options(
        Option(
            "--samples",
            metavar="FILE",
            help="write the rows with score, reason and answer (as the input ends)",
            writes="rows",
        )
    ),
)
def relevance(options: Options) -> int:
    """Compare the relevance of summaries between groups of inputs.

    The model gives each summary a reason and a score from one to five; means and differences between groups
    come with intervals that resample originals. Answers are kept in the cache, so that an interrupted run goes
    on where it stopped. Empty summaries, and answers without a single score in range, are left out and counted.
    A key for an endpoint is read from OPENAI_API_KEY.

    For the mean of several corpora, put their rows into one file, with the name of the corpus as the group.

    examples:
      fairsum analyse relevance summaries.jsonl --model gpt-4o-mini --url https://api.openai.com/v1
      fairsum analyse relevance summaries.jsonl --model my-model --url http://localhost:8000/v1 --samples ratings.jsonl
      fairsum analyse relevance summaries.parquet --model my-chat-model/ --group-column none --format json
    """
    from fairsum_utils.analysis.relevance import check_groups, compare_groups, relevance_scores
    from fairsum_utils.io.writing import write_rows

    given = with_interval(given_settings(options, _MODULE, Resampling.infos().values()))
    resampling = Resampling.make(given, module=_MODULE)
    rows = _read(options)
    groups, articles = (
        None if name == _NONE else [row[name] for row in rows]
        for name in (options.group_column, options.article_column)
    )
    check_groups(_MODULE, len(rows), groups, articles)
    sources = [_article(row[options.sources_column]) for row in rows]
    with _chat(options, resampling.seed) as chat:
        ratings = relevance_scores(sources, [row[options.prediction_column] for row in rows], chat, module=_MODULE)
        settings = {"chat": chat.signature, "prompt": "reason-then-score"}
    result = compare_groups(ratings, groups, articles, settings=settings, options=resampling)
    if options.samples is not None:
        cells = [(None if rating.skipped else rating.score, *rating[1:]) for rating in ratings]
        rated = [{**row, **dict(zip(_ADDED, added, strict=True))} for row, added in zip(rows, cells, strict=True)]
        write_rows(rated, options.samples)
    write_result(options, result, parts_of)
    return 0


def _read(options: Options) -> list[dict[str, Any]]:
    """Return the file's rows; reject rows that would fail after rating."""
    needed = {
        getattr(options, f"{name}_column"): f"--{name}-column"
        for name in ("sources", "prediction", "group", "article")
        if name in ("sources", "prediction") or getattr(options, f"{name}_column") != _NONE
    }
    rows = list(read_file(options, needed))
    if options.samples is not None:
        check_added(options.file, rows, _ADDED, dict.fromkeys(_ADDED, "leave --samples out"))
    return rows


def _article(sources: Any) -> Any:
    """Return one text; the library rejects anything else."""
    is_texts = isinstance(sources, list) and sources and all(isinstance(text, str) for text in sources)
    return "\n\n".join(sources) if is_texts else sources


def _chat(options: Options, seed: int | None) -> ChatEndpoint | LocalChat:
    from fairsum_utils.inference.chat import ChatEndpoint, LocalChat

    given = given_settings(options, _MODULE, InferenceSettings.infos().values())
    shared: dict[str, Any] = {"temperature": options.temperature, "max_tokens": options.max_tokens, "module": _MODULE}
    if options.url is not None:
        shared |= {name: given[name] for name in given if name == "cache"}
        return ChatEndpoint(options.model, **endpoint_settings(options), **shared)
    return LocalChat(options.model, revision=options.revision, seed=seed, **given, **shared)


def parts_of(result: dict[str, Any]) -> list[Part]:
    """Return the comparison in the form of the paper's table."""
    from fairsum_utils.reports.tables import Table, closing, number, opening
    from fairsum_utils.validation import count

    def interval(ends: list[float] | None) -> str:
        return "" if ends is None else f"[{number(ends[0], 2)}, {number(ends[1], 2)}]"

    rows = [
        [group, str(result["n_by_group"][group]), number(mean, 2), number(result["std_by_group"][group], 2), ""]
        for group, mean in result["relevance_by_group"].items()
    ]
    overall = [str(result["n_samples"]), number(result["relevance"], 2), number(result["relevance_std"], 2)]
    rows.append(["all", *overall, interval(result.get("relevance_ci"))])
    parts: list[Part] = [
        [
            opening(result["file"], result),
            f"{count(result['n_articles'], 'original')}; scores from 1 (irrelevance) to 5 (perfect relevance).",
        ],
        Table(["group", "samples", "mean", "std", "interval"], rows),
    ]
    if result["differences"]:
        pairs = [
            [f"{pair['group_a']} - {pair['group_b']}", number(pair["difference"], 2), interval(pair.get("ci"))]
            for pair in result["differences"]
        ]
        pairs.append(["largest", number(result["max_difference"], 2), interval(result.get("max_difference_ci"))])
        parts.append(Table(["difference", "points", "interval"], pairs))
    if result.get("lost", 0) > 0:
        lost = number(100 * result["lost"], 1)
        parts.append([f"{lost}% of the resampled data sets lacked a group and were left out."])
    return [*parts, *closing(result)]
