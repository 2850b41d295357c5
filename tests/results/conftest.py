"""Results of scoring, for tests of what they can do."""

from __future__ import annotations

from types import ModuleType

import pytest

from fairsum_utils.results import ScoreResults


@pytest.fixture(scope="module")
def results(examples: ModuleType) -> ScoreResults:
    return examples.of_family("representation")
