"""The settings of the family: who takes them, what is refused, and how the command line reads them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures import Measure
from fairsum_utils.measures.distinguishability import Distinguishability
from fairsum_utils.measures.entity_hallucination import EntityHallucination
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.measures.word_list_inclusion import WordListInclusion


@pytest.mark.parametrize(
    ("measure", "settings", "message"),
    [
        (Distinguishability, {"embedding": "tfidf"}, "embedding must be one of count, dense, found str 'tfidf'"),
        (Distinguishability, {"revision": "main"}, "revision applies only to embedding='dense', found str 'main'"),
        (Distinguishability, {"model": "x"}, "model applies only to embedding='dense', found str 'x'; leave it out"),
        (EntityHallucination, {"lookup": "last"}, "lookup must be one of first, every, found str 'last'"),
        (EntityInclusion, {"ner": ""}, "ner must be the name or folder of a spaCy pipeline, or None, found str ''"),
        (WordListInclusion, {"word_lists": "hlem"}, "word_lists must be one of helm, extended or a mapping"),
        (EntityInclusion, {"continuity": 0}, "continuity must be a finite number above 0, found int 0"),
        (EntityInclusion, {"n_permutations": 0}, "n_permutations must be a whole number of at least 1"),
    ],
)
def test_refusals(measure: type[Measure], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        measure(module="here", **settings)
    assert str(caught.value).startswith(f"here: {message}")


def test_they_can_be_sent_to_a_process() -> None:
    settings = WordListInclusion(word_lists={"a": ["x"], "b": ["y"]})
    assert pickle.loads(pickle.dumps(settings)) == settings == WordListInclusion(word_lists={"b": ("y",), "a": ("x",)})
    names = EntityHallucination(first_names={"Xu": "a"})
    assert pickle.loads(pickle.dumps(names)) == names != EntityHallucination(first_names={"Xu": "b"})
