"""The entailer that settings name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.entailers import get_entailer
from fairsum_utils.families.coverage.settings import CoverageSettings


def test_the_settings_of_a_model_reach_it(nli_model: Path) -> None:
    settings = CoverageSettings(entailer=nli_model, entailment_label="yes", cache="none", module="equal_coverage")
    with pytest.raises(InputError, match=f"equal_coverage: {nli_model.name}@.* none of which is 'yes'"):
        get_entailer(settings)


def test_the_papers_model_is_for_english() -> None:
    with pytest.raises(InputError, match="roberta-large-mnli knows English only, found language str 'german'; name"):
        get_entailer(CoverageSettings(language="de", module="equal_coverage"))
