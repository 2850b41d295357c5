"""Settings of framing and position bias: what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from tests._together import score

PAIR = (["Great."], [["Great.", "Awful."]])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "de"}, "VADER knows English only, found language='german'; choose a model"),
        ({"model": 3}, 'model must be "vader", a model id or folder, or a function'),
        ({"label_map": {"A": "positive"}}, "label_map applies only to a model of the Hub or a folder"),
        (
            {"model": "m", "label_map": {"A": "happy"}},
            "must be one of negative, neutral, positive, found str 'happy'",
        ),
        ({"model": "m", "label_map": {}}, "label_map must map labels of the model to negative, neutral, positive"),
        ({"threshold": 0}, "threshold must be above 0"),
        ({"model": lambda texts: [0.0]}, "must return 3 scores, one per sentence, found"),
        ({"model": lambda texts: [2.0] * len(texts)}, "return a score from -1"),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        score(["Great. Bad."], PAIR[1], metrics=["framing"], **settings)
    assert message in str(error.value)


def test_a_function_replaces_vader_in_any_language() -> None:
    def good(texts: list[str]) -> list[float]:
        return [1.0 if "gut" in text else -1.0 for text in texts]

    given = {"metrics": ["framing"], "model": good, "language": "de"}
    result = score(["Das Essen war gut."], [["Das Essen war gut.", "Es war kalt.", "Es war laut."]], **given)["framing"]
    assert (result["framing"], result["from_to"]["negative"]["positive"], result["shift"]) == (1.0, 1, 2.0)
    assert result["signature"].startswith("model:callable(")
