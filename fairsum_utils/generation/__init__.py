"""Generated continuations and summaries, from local models or endpoints.

Rows -> `settings` (what the model reads of them, presets of the papers) -> `generators` (a model) -> `runs` (texts in
order, and their file).
"""

from fairsum_utils.generation.generators import EndpointGenerator, Generated, LocalGenerator, TextGenerator, is_seq2seq
from fairsum_utils.generation.runs import generate, write_file
from fairsum_utils.generation.settings import PRESETS, Choice, GenerationSettings, choose_input, from_preset, input_text

__all__ = [
    "PRESETS",
    "Choice",
    "EndpointGenerator",
    "Generated",
    "GenerationSettings",
    "LocalGenerator",
    "TextGenerator",
    "choose_input",
    "from_preset",
    "generate",
    "input_text",
    "is_seq2seq",
    "write_file",
]
