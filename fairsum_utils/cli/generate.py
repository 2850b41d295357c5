"""`fairsum generate`: rows with prompts to the same rows with texts to score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.models import check_added, endpoint_settings, model_options
from fairsum_utils.cli.options import file_argument, given_settings, read_file, reading_options
from fairsum_utils.cli.terminal import note, show
from fairsum_utils.errors import InputError
from fairsum_utils.io.cells import as_cell
from fairsum_utils.io.stores import local_path

if TYPE_CHECKING:
    from pathlib import Path

    from fairsum_utils.generation import Choice, GenerationSettings, TextGenerator


@command(
    file_argument("; as `fairsum data build` writes"),
    *reading_options(),
    Option("--model", required=True, metavar="ID", help="Model: id on the Hub, folder, or name at --url"),
    Option(
        "--output",
        required=True,
        metavar="FILE.jsonl",
        help="File to write, text by text; its existing rows are not generated again",
        writes=(".jsonl",),
    ),
    Option(
        "--prompt-column",
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
        Option("--max-new-tokens", type=int, metavar="N", help="Maximum tokens of a text"),
        Option("--temperature", type=float, metavar="X", help="Temperature of sampling; 0 takes the likeliest tokens"),
        Option("--top-k", type=int, metavar="K", help="Sample from the likeliest K tokens; 0 for all"),
        Option("--top-p", type=float, metavar="P", help="Sample from the likeliest tokens with total probability P"),
        Option("--repetition-penalty", type=float, metavar="X", help="Penalty of repeated tokens; 1 for none"),
        Option("--cut-from", metavar="WHERE", help="End at which long prompts are cut: beginning or end"),
        Option("--prefix", metavar="CODE", help="Control code before each prompt, not part of the text"),
        Option("--chat/--no-chat", default=None, help="Use the chat template, or continue prompts as plain text"),
        Option("--system", metavar="TEXT", help="System message of a chat model"),
        Option(
            "--prediction",
            metavar="WHAT",
            help="Content of the column: new (generated text) or whole (with the prompt)",
        ),
        Option(
            "--n",
            type=int,
            metavar="N",
            help="Texts for each prompt (default: 1); several get a column replicate, and ids -0, -1, ...",
        ),
        Option("--seed", type=int, metavar="N", help="Seed of sampling (default: 0)"),
    ),
    *model_options("device", "dtype", "batch_tokens", "on_truncate"),
)
def generate(options: Options) -> int:
    """Let a model continue prompts or write summaries, for `fairsum score`.

    Each row gets `prediction` (the text that `fairsum score` reads), `finish` (stop: the model ended the text; length:
    --max-new-tokens ended it; empty_prompt: no prompt), `prompt_tokens_cut`, and `generation` (model and settings).

    A model that continues or answers texts reads the column prompt. A sequence-to-sequence model (BART, Pegasus,
    T5) reads the column text, or else sources (joined, one per line), with a note; so does one that follows
    instructions (Flan-T5), unless --prompt-column names the prompt.

    presets (other options replace their values):
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
    --batch-tokens.

    An empty prompt gets an empty prediction. The key for an endpoint comes from OPENAI_API_KEY.

    examples:
      fairsum data build bold --config gender --output prompts.jsonl
      fairsum generate prompts.jsonl --model openai-community/gpt2 --preset gpt2 --output gpt2.jsonl
      fairsum generate sets.jsonl --model my-model/ --temperature 0.7 --n 5 --output summaries.jsonl
      fairsum generate inputs.jsonl --model facebook/bart-large-cnn --output summaries.jsonl
      fairsum generate sets.jsonl --model gpt-4o-mini --url https://api.openai.com/v1 --output summaries.jsonl
    """
    from fairsum_utils.generation import GenerationSettings, from_preset, write_file
    from fairsum_utils.reports.formats import to_json

    output = _local_output(options)
    choice = _choice(options)
    names = vars(options).keys() & {field.name for field in fields(GenerationSettings)}
    given = {name: getattr(options, name) for name in sorted(names)}
    settings = from_preset(choice.preset, input=choice.column, **given)
    rows = list(_rows(options, choice.column))
    prompts = _prompts(options, choice.column, rows, settings.n)
    if choice.reason:
        note(f"{choice.reason}; --prompt-column and --preset choose")
    generator = _generator(options, settings)
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
        column=options.prompt_column,
        preset=options.preset,
    )


def _prompts(options: Options, column: str, rows: list[dict[str, Any]], n: int) -> list[str]:
    """Return the model's inputs; reject rows that would fail later."""
    from fairsum_utils.generation import input_text
    from fairsum_utils.generation.runs import ADDED

    prompts = []
    added = (options.prediction_column, *ADDED, *(["replicate"] if n > 1 else []))
    remedy = "fill it in, drop the row, or name another column with --prompt-column"
    for number, row in enumerate(rows, start=1):
        where = f"{options.file}, row {number}"
        prompts.append(input_text(row[column], f"{where}: column {column!r}", remedy))
        check_added(where, [row], added, {added[0]: "name another with --prediction-column"})
    return prompts


def _rows(options: Options, column: str) -> Iterator[dict[str, Any]]:
    rows = read_file(options, {column: "--prompt-column"})
    if column != "sources":
        return rows
    return ({**row, column: as_cell(row[column]) if isinstance(row[column], str) else row[column]} for row in rows)


def _generator(options: Options, settings: GenerationSettings) -> TextGenerator:
    from fairsum_utils.generation import EndpointGenerator, LocalGenerator
    from fairsum_utils.inference import InferenceSettings

    if options.url is not None:
        return EndpointGenerator(options.model, settings, **endpoint_settings(options))
    given = given_settings(options, settings.module, InferenceSettings.infos().values())
    inference = InferenceSettings.make(given, module=settings.module)
    return LocalGenerator(options.model, settings, revision=options.revision, inference=inference)
