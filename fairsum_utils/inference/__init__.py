"""One batched, cached runner for every neural model.

Texts -> `batching` (tokens, batches of similar length) -> a `Runner` (one of `tasks`) -> numbers, which are saved in
the `cache`. Nothing here imports torch or transformers before a model is loaded.
"""

from fairsum_utils.settings.models import InferenceSettings

__all__ = ["InferenceSettings"]
