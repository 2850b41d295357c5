from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fairsum_utils import check
from fairsum_utils.gate.junit import as_junit
from fairsum_utils.gate.policy import Verdict
from tests._gate import HOSTILE, uer

RULES = ["uer.ci_high < 0.05", "uer < 0.05", "warnings == 0", "uer > 0.05"]


def test_what_reads_it_finds() -> None:
    root = ElementTree.fromstring(check(uer(0.04, (0.03, 0.06)), RULES).to_junit())
    assert root.attrib == {"name": "fairsum check", "tests": "4", "failures": "1", "errors": "1"}
    [suite] = root
    assert suite.attrib == {"name": "the results", "tests": "4", "failures": "1", "errors": "1"}
    assert [case.get("name") for case in suite] == RULES
    assert [[child.tag for child in case] for case in suite] == [["error"], [], [], ["failure"]]
    [error] = suite[0]
    assert error.get("message").startswith("found 0.06, interval [0.03, 0.06]: too few samples to tell")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_xml(text: str) -> None:
    document = as_junit(text, [Verdict(text, "fail", float("nan"), None, text)])
    [suite] = ElementTree.fromstring(document.encode("utf-8"))
    assert suite.get("tests") == "1"
    assert all(character.isprintable() or character == "\n" for character in document)
