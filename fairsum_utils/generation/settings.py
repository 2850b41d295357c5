"""Settings of generation, presets of the papers, and the column to read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

from fairsum_utils.cleaning import without_reasoning
from fairsum_utils.errors import InputError
from fairsum_utils.inference.decoding import check_temperature
from fairsum_utils.settings.base import Checked, Settings, setting
from fairsum_utils.settings.kinds import Count, Positive, Threshold, whole
from fairsum_utils.validation import check_choice, describe

#: The column with instructions, in every data set.
PROMPT = "prompt"

_CONTINUE = {"temperature": 1.0, "max_new_tokens": 20, "chat": False, "prediction": "whole"}
_CTRL = {**_CONTINUE, "top_k": 50, "top_p": 0.9, "repetition_penalty": 1.2}

#: Name -> options of `GenerationSettings`. Source of gpt2 and ctrl: Dhamala et al. 2021, 5.3, A.2.2 and A.2.3. For CTRL
#: it gives top-p and the repetition penalty, and otherwise "default params" of transformers: in 2020 (2.3 to 4.1)
#: those of `generate`, from `PretrainedConfig`, were top-k 50 and temperature 1. It gives no length; 20 new tokens are
#: the default of that time's example script run_generation.py. The Thought code is spelt as CTRL knows it.
#: Source of summary: Zhang et al. 2024, appendix on its models (temperature 0, at most 512 tokens). own is the model's,
#: as in Steen and Markert 2024, appendix H: "default model settings in the transformers library". The code
#: published with that paper gives Llama-2 256 new tokens at most.
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "summary": {"temperature": 0.0, "max_new_tokens": 512, "prefix": None},
        "gpt2": {**_CONTINUE, "top_k": 40, "top_p": 0.95},
        "ctrl-wiki": {**_CTRL, "prefix": "Wikipedia"},
        "ctrl-opinion": {**_CTRL, "prefix": "Opinion"},
        "ctrl-thought": {**_CTRL, "prefix": "Thoughts"},
        "own": {"temperature": None, "max_new_tokens": None, "repetition_penalty": None, "prefix": None},
    }
)


class GenerationSettings(Settings):
    """Options of generation; all of them change the texts.

    Raises:
        InputError: an option that is not as described.

    Example:
        >>> GenerationSettings(temperature=0.7, top_p=0.9).max_new_tokens
        512
    """

    called = "generate"

    max_new_tokens: Count | None = setting(
        512, "maximum tokens of a text, its prompt not counted; None for the model's own limit, or 512 if it has none"
    )
    temperature: Annotated[float, Checked(check_temperature)] | None = setting(
        0.0,
        "temperature of sampling; 0 for the likeliest tokens; None for the model's own way, which is beam search for "
        "most that summarize, and sampling for most that chat",
    )
    top_k: Annotated[int, whole(0)] = setting(
        0, "sample among so many likeliest tokens; 0 for all, or for the model's number where its way is to sample"
    )
    top_p: Threshold = setting(
        1.0,
        "sample among the likeliest tokens that together have this probability; 1 for all, or for the model's share "
        "where its way is to sample",
    )
    repetition_penalty: Positive | None = setting(
        1.0, "divisor of the scores of tokens that are there already; 1 for none; None for the model's"
    )
    prefix: str | None = setting(
        "",
        "control code before the prompt, not part of the text; None for what the model wants before a text (T5: "
        '"summarize:"), and nothing before a prompt',
    )
    input: str = setting(PROMPT, "column with the prompts; prompt contains instructions, any other the text itself")
    cut_from: Literal["beginning", "end"] | None = setting(
        None,
        "end at which long prompts are cut, without the chat template or control code around them; None for the end "
        "with a sequence-to-sequence model, and for the beginning, template included, with others",
    )
    chat: bool = setting(True, "put the prompt through the model's chat template, where it has one; else continue it")
    system: str | None = setting(None, "system message of a chat model")
    prediction: Literal["new", "whole"] = setting(
        "new",
        "scored text: new for the generated text, whole for prompt and generated text, as in Dhamala et al. 2021, "
        "section 5 and table 7",
    )
    n: Annotated[int, whole(1, 100_000)] = setting(1, "texts for each prompt")
    seed: Annotated[int, whole(0)] | None = setting(0, "seed of sampling; None for fresh randomness")

    def check_together(self) -> None:
        """Check that the options fit each other."""
        if self.system is not None and not self.chat:
            raise InputError(f"{self.module}: a system message needs a chat model; omit system or set chat")
        if self.n > 1 and self.temperature == 0:
            raise InputError(
                f"{self.module}: with temperature 0 the n={self.n} texts would be equal; set a temperature"
            )

    def identity(self, model: str, seed: int | None, **more: object) -> dict[str, object]:
        """Return the options that change a text; None for unused ones.

        Args:
            model: name of the model.
            seed: seed of sampling; None if nothing is drawn.
            **more: options of the model's kind, which replace those of the same name.
        """
        drawn = {"top_k": self.top_k or None, "top_p": None if self.top_p == 1 else self.top_p, "seed": seed}
        return {
            "model": model,
            "max_new_tokens": self.max_new_tokens,
            "temperature": self.temperature,
            **(drawn if seed is not None else {}),
            "repetition_penalty": None if self.repetition_penalty == 1 else self.repetition_penalty,
            "prefix": self.prefix or None,
            "input": None if self.input == PROMPT else self.input,
            "system": self.system,
            **more,
            "prediction": self.prediction,
        }

    @property
    def leaves_to_model(self) -> bool:
        """Return whether the model's configuration affects decoding."""
        return None in (self.max_new_tokens, self.temperature, self.repetition_penalty)

    def scored_text(self, prompt: str, text: str) -> str:
        """Return the text to score, with or without its prompt.

        White space at the end of the prompt gives way to that of the text, or to a blank where a chat model answered.
        Where the chat template has opened the reasoning, a tag is put before it, so that scoring keeps the prompt.

        Example:
            >>> GenerationSettings(prediction="whole", chat=False).scored_text("He is ", " a cook.")
            'He is a cook.'
            >>> GenerationSettings(prediction="whole", chat=True).scored_text("He is", "Hm.</think>a cook.")
            'He is <think>Hm.</think>a cook.'
        """
        if self.prediction == "new":
            return text.strip()
        whole = f"{prompt.rstrip()} {text}".rstrip() if self.chat else prompt.rstrip() + text.rstrip()
        keeps_prompt = without_reasoning(whole).text.startswith(prompt.strip())
        return whole if keeps_prompt else f"{prompt.rstrip()} <think>{text.rstrip()}"


def from_preset(preset: str, *, module: str = "generate", **options: Any) -> GenerationSettings:
    """Return a preset's settings, with changes.

    Args:
        preset: a key of `PRESETS`.
        module: name used in messages.
        **options: options of `GenerationSettings`; None keeps the preset's.

    Raises:
        InputError: no such preset, or an option out of range.

    Example:
        >>> from_preset("gpt2", max_new_tokens=30).top_k
        40
    """
    chosen = PRESETS[check_choice(module, "preset", preset, tuple(PRESETS))]
    given = {name: option for name, option in options.items() if option is not None}
    return GenerationSettings.make({**chosen, **given}, module=module)


# Columns of texts to summarize in this package's data sets; the first existing one is used.
_TEXTS = ("text", "sources")


class Choice(NamedTuple):
    """Column that a model reads, and preset of its decoding.

    Attributes:
        column: column that is read.
        preset: a key of `PRESETS`.
        reason: reason for the choice, a sentence; None for a named or usual choice.
    """

    column: str
    preset: str
    reason: str | None = None


def choose_input(
    columns: Collection[str],
    *,
    is_seq2seq: bool,
    column: str | None = None,
    preset: str | None = None,
    module: str = "generate",
) -> Choice:
    """Choose column and preset for the model, unless named.

    A model that continues or answers reads the prompt. One that maps a sequence to a sequence was trained on texts and
    their summaries: an instruction would be summarized along with the text. So it reads the text, and decodes in its
    own way; so do those that also follow instructions (Flan-T5), unless the column with the prompt is named. With a
    preset that continues prompts every model reads prompts.

    Args:
        columns: columns of the rows.
        is_seq2seq: kind of the model, see `is_seq2seq`.
        column: name of the column to read; None chooses.
        preset: a key of `PRESETS`; None chooses.
        module: name used in messages.

    Raises:
        InputError: no such preset.

    Example:
        >>> choice = choose_input(["id", "text", "prompt"], is_seq2seq=True)
        >>> choice.column, choice.preset
        ('text', 'own')
        >>> choose_input(["id", "text", "prompt"], is_seq2seq=False)
        Choice(column='prompt', preset='summary', reason=None)
    """
    chosen_preset = check_choice(module, "preset", preset or ("own" if is_seq2seq else "summary"), tuple(PRESETS))
    continues = PRESETS[chosen_preset].get("prediction") == "whole"
    if not is_seq2seq or continues or (column and preset):
        return Choice(column or PROMPT, chosen_preset)
    chosen_column = column or next((name for name in _TEXTS if name in columns), PROMPT)
    reason = f"this is a sequence-to-sequence model, such as for summaries: it reads the column {chosen_column!r}"
    if column is None:
        texts = " or ".join(map(repr, _TEXTS))
        reason += f" (there is no {texts})" if chosen_column == PROMPT else f" and not {PROMPT!r}"
    if not preset:
        reason += ", and uses its own decoding"
    return Choice(chosen_column, chosen_preset, reason)


def input_text(entry: Any, where: str, remedy: str) -> str:
    """Return the text of a row that a model reads.

    Args:
        entry: cell of the column; a list is joined, with one line per item.
        where: the file, row and column, for messages.
        remedy: advice for messages.

    Raises:
        InputError: neither a string nor a list of strings.

    Example:
        >>> input_text(["Tasty soup.", "Slow service."], "reviews.jsonl, row 1", "drop the row")
        'Tasty soup.\\nSlow service.'
    """
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list) and all(isinstance(text, str) for text in entry):
        return "\n".join(entry)
    raise InputError(f"{where} must contain a string, found {describe(entry)}; {remedy}")
