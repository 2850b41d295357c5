"""Models and distances of the family's scorer."""

from __future__ import annotations

from functools import partial

from fairsum_utils.families import Scorer
from fairsum_utils.families.sensitivity.distances import (
    Distances,
    bleu_distances,
    embedding_distances,
    rouge_l_distances,
    word_distances,
)
from fairsum_utils.inference.entailers import Entailer, NLIEntailer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.settings.models import NLI_MODEL, SENTENCE_MODEL
from fairsum_utils.text.recognition import PersonRecognizer

_OF_WORDS: dict[str, Distances] = {"words": word_distances, "rouge_l": rouge_l_distances, "bleu": bleu_distances}


class ModelsScorer(Scorer):
    """Base class of the scorer: models, each loaded on first use."""

    window = 1024

    def entailer(self) -> Entailer:
        """Load the entailment model; errors suggest the lexical matcher."""
        chosen, offline = self.settings, "matcher='lexical'"
        label, model = chosen.entailment_label, chosen.model or NLI_MODEL
        return self.held(
            "entailer",
            lambda: NLIEntailer(model, revision=chosen.revision, label=label, settings=chosen, offline=offline),
        )

    def distances(self) -> tuple[Distances, str]:
        """Return the distance between summaries and the name of its model, if any."""
        chosen, offline = self.settings, "distance='words'"
        if chosen.distance in _OF_WORDS:
            return _OF_WORDS[chosen.distance], ""
        model = chosen.model or SENTENCE_MODEL
        embedder = self.held(
            "embedder", lambda: SentenceEmbedder(model, revision=chosen.revision, settings=chosen, offline=offline)
        )
        return partial(embedding_distances, embed=embedder.embed), embedder.name

    def recognizer(self) -> PersonRecognizer:
        """Load the pipeline that finds persons."""
        return self.held("recognizer", lambda: PersonRecognizer(self.settings.persons_ner, module=self.module))

    def classifier(self, outcome: str) -> SequenceClassifier:
        """Load the classifier of an outcome; errors suggest other outcomes."""
        model, offline = getattr(self.settings, f"{outcome}_model"), f"outcomes other than {outcome}"
        return self.held(
            outcome, lambda: SequenceClassifier(model, multi_label=None, settings=self.settings, offline=offline)
        )
