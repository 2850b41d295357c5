"""`fairsum generate`: rows with prompts to the same rows with texts to score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import COMMON_OPTIONS, READING_OPTIONS, file_argument, read_file
from fairsum_utils.cli.settings import read_plain, read_value, set_option, split_item
from fairsum_utils.cli.terminal import note, show
from fairsum_utils.errors import InputError
from fairsum_utils.io.cells import as_cell
from fairsum_utils.io.stores import local_path
from fairsum_utils.settings.base import unknown_setting
from fairsum_utils.settings.models import InferenceSettings

if TYPE_CHECKING:
    from pathlib import Path

    from fairsum_utils.generation import Choice, GenerationSettings, TextGenerator


_ENDPOINT = {"concurrency": 8, "max_retries": 5, "timeout": 60}
"""Setting of an endpoint -> its default."""

_LOCAL = ("dtype", "batch_tokens", "on_truncate")
"""Settings of models that run here."""


def _complete_setting(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the name of a setting."""
    return [f"{name}=" for name in _known() if name.startswith(typed)]


def _known() -> list[str]:
    from fairsum_utils.generation import GenerationSettings

    return [*(name for name in GenerationSettings.infos() if name not in ("input", "seed")), *_ENDPOINT, *_LOCAL]


@command(
    file_argument("; as `fairsum data build` writes"),
    *READING_OPTIONS,
    Option("--model", required=True, metavar="ID", help="Model: id on the Hub, folder, or name at --url"),
    Option(
        "--output",
        required=True,
        metavar="FILE.jsonl",
        help="File to write, text by text; its existing rows are not generated again",
        writes=(".jsonl",),
    ),
    Option(
        "--text-column",
        metavar="NAME",
        help="Column of the input (default: prompt; for a sequence-to-sequence model text, else sources)",
    ),
    Option("--prediction-column", default="prediction", metavar="NAME", help="Column of the generated texts"),
    *in_group(
        "generation (default: as in the preset)",
        Option(
            "--preset",
            metavar="NAME",
            help="Defaults, see below (default: summary; own for a sequence-to-sequence model)",
        ),
        set_option("Setting, see below, such as temperature=0.7; may be repeated", _complete_setting),
        Option("--seed", type=int, metavar="N", help="Seed of sampling (default: 0)"),
    ),
    *in_group(
        "model",
        Option("--url", metavar="URL", help="OpenAI-compatible endpoint, such as http://localhost:8000/v1"),
        Option("--revision", metavar="NAME", help="Branch, tag or commit on the Hub"),
        *(option for option in COMMON_OPTIONS if option.name == "device"),
    ),
)
def generate(options: Options) -> int:
    """Let a model continue prompts or write summaries, for `fairsum score`.

    Each row gets `prediction` (the text that `fairsum score` reads), `finish` (stop: the model ended the text; length:
    max_new_tokens ended it; empty_prompt: no prompt), `prompt_tokens_cut`, and `generation` (model and settings).

    A model that continues or answers texts reads the column prompt. A sequence-to-sequence model (BART, Pegasus,
    T5) reads the column text, or else sources (joined, one per line), with a note; so does one that follows
    instructions (Flan-T5), unless --text-column names the prompt.

    settings (NAME=VALUE; none leaves one to the model):
      max_new_tokens      maximum tokens of a text
      temperature         temperature of sampling; 0 takes the likeliest tokens
      top_k, top_p        sample from the likeliest K tokens, or from those with total probability P
      repetition_penalty  penalty of repeated tokens; 1 for none
      n                   texts for each prompt; several get a column replicate, and ids -0, -1, ...
      cut_from            end at which long prompts are cut: beginning or end
      prefix              control code before each prompt, not part of the text
      chat                true for the chat template, false to continue prompts as plain text
      system              system message of a chat model
      prediction          content of the column: new (generated text) or whole (with the prompt)
      concurrency, max_retries, timeout    of an endpoint: prompts at a time (8), retries (5), seconds (60)
      dtype, batch_tokens, on_truncate     of a local model, as for measures

    presets (settings replace their values):
      summary        likeliest tokens, at most 512; the prompt through the model's chat template, if it has one
      gpt2           BOLD's GPT-2: continue the prompt, top-k 40, top-p 0.95; prediction = prompt and continuation
      ctrl-wiki, ctrl-opinion, ctrl-thought
                     BOLD's CTRL: the same with a control code, top-p 0.9, repetition penalty 1.2
      own            the model's own configuration: beams or sampling, penalties, shortest and longest text

    summary and own put the prefix of the model's configuration before a text (T5: "summarize:").

    After an interruption, run the same command again: it adds the missing rows, and refuses an
    output with other settings or rows. On the same machine, the completed file is the same as without
    interruption, except if rounding decides between tokens, memory ran out, or an endpoint ignores seeds.
    Sampled texts are drawn for 64 prompts together, so they also depend on their neighbors and on
    batch_tokens.

    An empty prompt gets an empty prediction. The key for an endpoint comes from OPENAI_API_KEY.

    examples:
      fairsum data build bold --config gender --output prompts.jsonl
      fairsum generate prompts.jsonl --model openai-community/gpt2 --preset gpt2 --output gpt2.jsonl
      fairsum generate sets.jsonl --model my-model/ --set temperature=0.7 --set n=5 --output summaries.jsonl
      fairsum generate inputs.jsonl --model facebook/bart-large-cnn --output summaries.jsonl
      fairsum generate sets.jsonl --model gpt-4o-mini --url https://api.openai.com/v1 --output summaries.jsonl
    """
    from fairsum_utils.generation import from_preset, write_file
    from fairsum_utils.reports.formats import to_json

    output = _local_output(options)
    choice = _choice(options)
    given = _given(options)
    own = {name: value for name, value in given.items() if name not in (*_ENDPOINT, *_LOCAL)}
    settings = from_preset(choice.preset, input=choice.column, **own)
    rows = list(_rows(options, choice.column))
    prompts = _prompts(options, choice.column, rows, settings.n)
    if choice.reason:
        note(f"{choice.reason}; --text-column and --preset choose")
    generator = _generator(options, settings, given)
    written = write_file(output, rows, prompts, generator, column=options.prediction_column)
    asked = [
        row[options.prediction_column] == settings.scored_text(prompts[number // settings.n], "")
        for number, row in enumerate(written)
        if row["finish"] != "empty_prompt"
    ]
    of_prompts = written[:: settings.n]
    counts = {
        "rows": len(written),
        "n_empty_prompts": sum(row["finish"] == "empty_prompt" for row in of_prompts),
        "n_truncated_prompts": sum(row["prompt_tokens_cut"] > 0 for row in of_prompts),
        "n_length_reached": sum(row["finish"] == "length" for row in written),
        "n_empty_texts": sum(asked),
    }
    shown = {**counts, "output": masked(options.output), "signature": written[0]["generation"]}
    show(to_json(shown, indent=None))
    return 0


def _local_output(options: Options) -> Path:
    """Return the output; refuse several processes and addresses."""
    from fairsum_utils.run.launch import world_size

    if world_size() > 1:
        raise InputError("generate: one process writes the output; start it without a launcher, on a part of the rows")
    path = local_path(options.output)
    if path is None:
        raise InputError(f"{options.output}: texts are added one by one, which needs a local file; copy it there later")
    return path


def _choice(options: Options) -> Choice:
    """Return the model's inputs from the file's rows."""
    from fairsum_utils.generation import choose_input, is_seq2seq

    return choose_input(
        next(read_file(options, {})),
        is_seq2seq=options.url is None and is_seq2seq(options.model, options.revision),
        column=options.text_column,
        preset=options.preset,
    )


def _prompts(options: Options, column: str, rows: list[dict[str, Any]], n: int) -> list[str]:
    """Return the model's inputs; reject rows that would fail later."""
    from fairsum_utils.generation import input_text
    from fairsum_utils.generation.runs import ADDED

    prompts = []
    added = (options.prediction_column, *ADDED, *(["replicate"] if n > 1 else []))
    remedy = "fill it in, drop the row, or name another column with --text-column"
    for number, row in enumerate(rows, start=1):
        where = f"{options.file}, row {number}"
        prompts.append(input_text(row[column], f"{where}: column {column!r}", remedy))
        for name in added:
            if name in row:
                other = ", or name another with --prediction-column" if name == added[0] else ""
                raise InputError(f"{where}: there is a column {name!r} already; rename it{other}")
    return prompts


def _rows(options: Options, column: str) -> Iterator[dict[str, Any]]:
    rows = read_file(options, {column: "--text-column"})
    if column != "sources":
        return rows
    return ({**row, column: as_cell(row[column]) if isinstance(row[column], str) else row[column]} for row in rows)


def _generator(options: Options, settings: GenerationSettings, given: Mapping[str, Any]) -> TextGenerator:
    from fairsum_utils.generation import EndpointGenerator, LocalGenerator

    if options.url is not None:
        endpoint = {name: given.get(name, default) for name, default in _ENDPOINT.items()}
        return EndpointGenerator(options.model, settings, base_url=options.url, **endpoint)
    local = {name: given[name] for name in _LOCAL if name in given}
    local |= {} if options.device is None else {"device": options.device}
    inference = InferenceSettings.make(local, module=settings.module)
    return LocalGenerator(options.model, settings, revision=options.revision, inference=inference)


def _given(options: Options) -> dict[str, Any]:
    """Return the settings that the command line gives.

    Raises:
        InputError: A setting is unknown.
    """
    from fairsum_utils.generation import GenerationSettings

    infos = {**GenerationSettings.infos(), **InferenceSettings.infos()}
    given = {} if options.seed is None else {"seed": options.seed}
    for item in options.set:
        name, text = split_item("generate", item)
        if name not in _known():
            raise unknown_setting("generate", name, _known())
        given[name] = read_plain(text) if name in _ENDPOINT else read_value("generate", infos[name], text)
    return given
