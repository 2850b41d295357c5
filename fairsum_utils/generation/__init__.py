"""Texts from prompts: continuations and summaries to score, by a model here or behind an endpoint.

Prompts -> `settings` (presets of the papers) -> `generators` (a model) -> `runs` (samples, resuming, several processes)
-> texts.
"""

from fairsum_utils.generation.generators import EndpointGenerator, Generated, LocalGenerator, TextGenerator
from fairsum_utils.generation.runs import discard, generate
from fairsum_utils.generation.settings import PRESETS, GenerationSettings, from_preset

__all__ = [
    "PRESETS",
    "EndpointGenerator",
    "Generated",
    "GenerationSettings",
    "LocalGenerator",
    "TextGenerator",
    "discard",
    "from_preset",
    "generate",
]
